// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace apsp::inline v1::detail::cuda {

/// An arc to be placed into a distance matrix in device memory.
template <class T>
struct arc {
  std::int32_t source;
  std::int32_t target;
  T weight;
};

}  // namespace apsp::inline v1::detail::cuda
