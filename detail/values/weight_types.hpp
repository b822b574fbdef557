// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "standard_library.hpp"

// The weight types with kernels in the compiled library. This list generates the trait below, the
// `extern template` declarations and the instantiations.
#define APSP_FOR_EACH_WEIGHT_TYPE(APPLY) \
  APPLY(float)                           \
  APPLY(double)                          \
  APPLY(std::int32_t)                    \
  APPLY(std::int64_t)

namespace apsp::inline v1::detail {

/// False in a program that links a library without CUDA: no code that leads to a kernel is compiled
/// then.
#ifdef APSP_WITHOUT_CUDA
inline constexpr bool is_built_with_cuda = false;
#else
inline constexpr bool is_built_with_cuda = true;
#endif

template <class T>
inline constexpr bool has_compiled_kernels = false;

#define APSP_HAS_COMPILED_KERNELS(T) \
  template <>                        \
  inline constexpr bool has_compiled_kernels<T> = true;
APSP_FOR_EACH_WEIGHT_TYPE(APSP_HAS_COMPILED_KERNELS)
#undef APSP_HAS_COMPILED_KERNELS

}  // namespace apsp::inline v1::detail
