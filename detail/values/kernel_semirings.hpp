// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>
#include <type_traits>

#include "../../apsp/semiring.hpp"
#include "int128.hpp"
#include "weight_types.hpp"

// The semirings with kernels in the compiled library, for each of its weight types. Like the list
// of weight types, this list generates the trait, the `extern template` declarations and the
// instantiations. `or_and` is not listed: its kernels work on bits.
#define APSP_FOR_EACH_SEMIRING_OF(T, APPLY) \
  APPLY(min_plus<T>)                        \
  APSP_FOR_EACH_VALUE_SEMIRING_OF(T, APPLY)
// Those whose values are not sums. Each also has instructions of its own for processors
// (`lane_operations`) and for devices (`algebra`); the compiler names the one that is missing.
#define APSP_FOR_EACH_VALUE_SEMIRING_OF(T, APPLY) \
  APPLY(max_min<T>)                               \
  APPLY(min_max<T>)                               \
  APPLY(max_times<T>)

// The semirings whose values fit in a lane of a vector, of each weight type.
#define APSP_FOR_EACH_VECTOR_SEMIRING(APPLY)     \
  APSP_FOR_EACH_SEMIRING_OF(float, APPLY)        \
  APSP_FOR_EACH_SEMIRING_OF(double, APPLY)       \
  APSP_FOR_EACH_SEMIRING_OF(std::int32_t, APPLY) \
  APSP_FOR_EACH_SEMIRING_OF(std::int64_t, APPLY)

// Those with loops over tiles on the host: distances that fit are relaxed in 16 bits.
#define APSP_FOR_EACH_TILE_SEMIRING(APPLY) \
  APSP_FOR_EACH_VECTOR_SEMIRING(APPLY)     \
  APPLY(min_plus<std::uint16_t>)

#define APSP_FOR_EACH_KERNEL_SEMIRING(APPLY) \
  APSP_FOR_EACH_VECTOR_SEMIRING(APPLY)       \
  APPLY(min_plus<int128>)

namespace apsp::inline v1::detail {

/// True if the library has kernels for semiring S.
template <class S>
inline constexpr bool has_library_kernels = false;

#define APSP_HAS_LIBRARY_KERNELS(...) \
  template <>                         \
  inline constexpr bool has_library_kernels<__VA_ARGS__> = true;
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_HAS_LIBRARY_KERNELS)
#undef APSP_HAS_LIBRARY_KERNELS

/// True if its values fit in a lane of a vector.
template <class S>
inline constexpr bool has_vectors =
    has_library_kernels<S> && !std::is_same_v<typename S::value_type, int128>;

#define APSP_CHECK_WEIGHT_TYPE(T)                 \
  static_assert(has_library_kernels<min_plus<T>>, \
                "a weight type of the library has a line in APSP_FOR_EACH_VECTOR_SEMIRING");
APSP_FOR_EACH_WEIGHT_TYPE(APSP_CHECK_WEIGHT_TYPE)
#undef APSP_CHECK_WEIGHT_TYPE

/// The name of a semiring of the library, without its type; "user-defined" for others.
template <class S>
constexpr std::string_view name_of_semiring() {
  using T [[maybe_unused]] = typename S::value_type;
  if constexpr (is_min_plus<S>) return "min_plus";
#define APSP_NAME(...)                              \
  if constexpr (std::is_same_v<S, __VA_ARGS__>) {   \
    constexpr std::string_view name = #__VA_ARGS__; \
    return name.substr(0, name.find('<'));          \
  }
  APSP_FOR_EACH_VALUE_SEMIRING_OF(T, APSP_NAME)
#undef APSP_NAME
  return "user-defined";
}

/// True if `times(a, b)` is `times(b, a)`, bit for bit.
template <class S>
inline constexpr bool has_commutative_times =
    has_library_kernels<S> || says_commutative<S>() ||
    (is_min_plus<S> && std::is_arithmetic_v<typename S::value_type>);

template <class S>
constexpr bool says_cuda_kernels() {
  if constexpr (is_built_with_cuda && requires { S::has_cuda_kernels; }) {
    return S::has_cuda_kernels;
  } else {
    return false;
  }
}

/// True if there are CUDA kernels for semiring S: in the library, or in a user's .cu file.
template <class S>
inline constexpr bool has_cuda_kernels = has_library_kernels<S> || says_cuda_kernels<S>();

}  // namespace apsp::inline v1::detail
