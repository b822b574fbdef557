// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <cstdint>

#include "oracle.hpp"

// Distances that are whole numbers, which are exact in every weight type: one graph and one
// expected result serve all types.
namespace apsp_test {

/// Returns the distances as integers; a fraction becomes a number that no distance has.
template <class T>
apsp::matrix<std::int64_t> exact(const apsp::matrix<T>& distances) {
  apsp::matrix<std::int64_t> numbers(distances.rows(), distances.cols());
  std::transform(distances.begin(), distances.end(), numbers.begin(), [](T x) {
    if (x == apsp::unreachable<T>) return wide_unreachable<std::int64_t>;
    const auto rounded = static_cast<std::int64_t>(x);
    return static_cast<T>(rounded) == x ? rounded : std::int64_t{-123456789};
  });
  return numbers;
}

}  // namespace apsp_test
