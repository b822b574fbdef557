// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../generators.hpp"

namespace apsp_compare {

/// The relative tolerance of two lengths of one path. Each solver may add the weights in a different order,
/// so floating-point results differ by rounding. Integers must be equal.
template <class W>
inline constexpr double tolerance =
    std::is_integral_v<W> ? 0 : (std::is_same_v<W, float> ? 1e-4 : 1e-11);

template <class W>
std::string tolerance_text() {
  if constexpr (std::is_integral_v<W>) {
    return "bit for bit";
  } else {
    return fmt::format("within a relative {:g}", tolerance<W>);
  }
}

/// Returns true if @p a and @p b are equal up to rounding. @p scale is the largest weight: if weights of
/// both signs cancel, the rounding error is relative to it and not to the sum.
template <class W>
bool same_length(W a, W b, [[maybe_unused]] double scale) {
  if (a == b) return true;
  if constexpr (std::is_integral_v<W>) {
    return false;
  } else {
    if (a == apsp::unreachable<W> || b == apsp::unreachable<W>) return false;
    const double x = static_cast<double>(a);
    const double y = static_cast<double>(b);
    return std::abs(x - y) <= tolerance<W> * std::max({std::abs(x), std::abs(y), scale});
  }
}

template <class W>
double largest_weight(const apsp_perf::csr_arrays<W>& g) {
  double largest = 0;
  for (const W w : g.weights) {
    if (w != apsp::unreachable<W>) largest = std::max(largest, std::abs(static_cast<double>(w)));
  }
  return largest;
}

/// Describes the first pair of vertices with different distances; empty if there is none.
template <class W>
std::optional<std::string> first_difference(const std::string& name_a, const apsp::matrix<W>& a,
                                            const std::string& name_b, const apsp::matrix<W>& b,
                                            double scale) {
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.cols(); ++j) {
      if (same_length(a(i, j), b(i, j), scale)) continue;
      return fmt::format("from {} to {}: {} has {}, {} has {}", i, j, name_a, a(i, j), name_b,
                         b(i, j));
    }
  }
  return std::nullopt;
}

/// Checks that every predecessor is the source of the last arc of a shortest path, for evenly spread sources.
/// @return a description of the first error; empty if there is none.
template <class W>
std::optional<std::string> first_wrong_predecessor(const apsp_perf::csr_arrays<W>& g,
                                                   const apsp::matrix<W>& distances,
                                                   const apsp::matrix<std::int32_t>& predecessors,
                                                   std::size_t num_sources, double scale) {
  const std::size_t n = g.num_vertices();
  if (n == 0) return std::nullopt;
  const std::size_t step = std::max<std::size_t>(1, n / num_sources);
  std::vector<char> confirmed(n);
  for (std::size_t s = 0; s < n; s += step) {
    std::fill(confirmed.begin(), confirmed.end(), char{0});
    const W* row = distances[s];
    const std::int32_t* last_hop = predecessors[s];
    for (std::size_t u = 0; u < n; ++u) {
      if (row[u] == apsp::unreachable<W>) continue;
      const auto end = static_cast<std::size_t>(g.offsets[u + 1]);
      for (auto k = static_cast<std::size_t>(g.offsets[u]); k < end; ++k) {
        const auto v = static_cast<std::size_t>(g.targets[k]);
        if (!std::cmp_equal(last_hop[v], u) || g.weights[k] == apsp::unreachable<W>) continue;
        if (same_length(static_cast<W>(row[u] + g.weights[k]), row[v], scale)) confirmed[v] = 1;
      }
    }
    for (std::size_t v = 0; v < n; ++v) {
      const bool should_have_one = v != s && row[v] != apsp::unreachable<W>;
      const bool has_one = last_hop[v] != apsp::no_predecessor<std::int32_t>;
      if (should_have_one == has_one && (!has_one || confirmed[v])) continue;
      return fmt::format("from {} to {}: predecessor {} is on no shortest path", s, v, last_hop[v]);
    }
  }
  return std::nullopt;
}

}  // namespace apsp_compare
