// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../apsp/semiring.hpp"
#include "int128.hpp"
#include "weight_types.hpp"

// The semirings with kernels in the compiled library, for each of its weight types. Like the list
// of weight types, this list generates the trait, the `extern template` declarations and the
// instantiations. `or_and` is not listed: its kernels work on bits.
#define APSP_FOR_EACH_SEMIRING_OF(T, APPLY) \
  APPLY(min_plus<T>)                        \
  APPLY(max_min<T>)                         \
  APPLY(min_max<T>)                         \
  APPLY(max_times<T>)

// The semirings whose values fit in a lane of a vector.
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

namespace apsp::detail {

/// True if the library has kernels for semiring S.
template <class S>
inline constexpr bool has_library_kernels = false;

#define APSP_HAS_LIBRARY_KERNELS(...) \
  template <>                         \
  inline constexpr bool has_library_kernels<__VA_ARGS__> = true;
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_HAS_LIBRARY_KERNELS)
#undef APSP_HAS_LIBRARY_KERNELS

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

}  // namespace apsp::detail
