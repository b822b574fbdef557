// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/unreachable.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "graphs.hpp"
#include "oracle.hpp"

// Comparison of a large matrix with the oracle, for graphs whose sums are exact.
namespace apsp_test {

/// Sources whose rows are compared, if all rows would take too long.
inline std::vector<std::size_t> some_vertices(std::size_t n, std::size_t count = 60) {
  std::vector<std::size_t> some;
  for (std::size_t v = 0; v < n; v += n / count + 1) some.push_back(v);
  some.push_back(n - 1);
  return some;
}

/// Compares rows of some vertices. Every value must be equal, of floating-point types too.
template <class T, class Matrix>
void check_exactly(const arc_list<T>& arcs, const Matrix& distances) {
  const auto sources = some_vertices(arcs.n);
  const auto expected = oracle_rows(arcs, sources);
  BOOST_REQUIRE(expected.has_value());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t v = 0; v < arcs.n; ++v) {
      const auto exact = (*expected)[i][v];
      const T distance =
          exact == wide_unreachable<T> ? apsp::unreachable<T> : static_cast<T>(exact);
      const T found = distances[sources[i]][v];
      if (!(found == distance)) {
        BOOST_ERROR("distance (" << sources[i] << ", " << v << ") is " << found << ", not "
                                 << distance);
        return;
      }
    }
  }
}

/// Units of the weights of type T, so that all types are used in which distances are computed. Sums
/// of weights up to 100 times a unit are exact.
template <class T>
std::vector<T> units() {
  if constexpr (std::is_same_v<T, float>) return {T(1), T(0.25), T(1000)};
  if constexpr (std::is_same_v<T, double>) return {T(1), T(0.25), T(1000), T(100'000)};
  if constexpr (std::is_same_v<T, std::int32_t>) return {1, 1000, 100'000};
  if constexpr (std::is_same_v<T, std::int64_t>) {
    return {1, 1000, 100'000, std::int64_t{1} << 40};
  }
}

}  // namespace apsp_test
