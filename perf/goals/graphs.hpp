// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "../generators.hpp"
#include "goal.hpp"

// The graphs that goals are measured on. All weights are integers, and so small that sums of them are
// exact in float, too. No cycle has length 0 or less.
namespace goals {

inline constexpr std::size_t degree = 8;
inline constexpr std::int32_t heaviest = 999;
inline constexpr std::uint64_t seed = 1;

/// Arcs to random vertices.
template <class W>
apsp_perf::csr_arrays<W> random_graph(std::size_t n) {
  return apsp_perf::fixed_degree_graph<W>(n, degree, heaviest, seed);
}

/// The same with w + p[u] - p[v] instead of w for random potentials p. The potentials of a cycle cancel,
/// so that every cycle is as long as it was, and longer than 0.
/// @throws std::logic_error if no weight is below 0.
template <class W>
apsp_perf::csr_arrays<W> graph_with_negative_weights(std::size_t n) {
  apsp_perf::csr_arrays<W> g = random_graph<W>(n);
  apsp_perf::random_numbers random(seed + 1);
  std::vector<W> potential(n);
  for (W& p : potential) p = static_cast<W>(random.weight(heaviest));
  for (std::size_t u = 0; u < n; ++u) {
    const auto end = static_cast<std::size_t>(g.offsets[u + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets[u]); k < end; ++k) {
      g.weights[k] += potential[u] - potential[static_cast<std::size_t>(g.targets[k])];
    }
  }
  if (std::none_of(g.weights.begin(), g.weights.end(), [](W w) { return w < W{}; })) {
    throw std::logic_error("no weight is negative");
  }
  return g;
}

/// A random graph and a chain that leads away from it and back, a sixteenth of the vertices, as heavy as
/// can be.
///
/// Integers are solved in 16 bits or in float where these are proved to hold every distance: here the way
/// to the end of the chain is 2^26 long, and float is exact up to 2^24. They are solved in 64 bits where
/// n times the greatest weight, which no path exceeds, is not below 2^30 - 1: here it is below that. So 32
/// bits remain.
template <class W>
apsp_perf::csr_arrays<W> graph_with_long_chain(std::size_t n) {
  constexpr auto largest_span = std::size_t{std::numeric_limits<std::int32_t>::max() / 2 - 1};
  const auto link = static_cast<W>(largest_span / n);
  const std::size_t first = n - n / 16;
  apsp_perf::csr_arrays<W> g = random_graph<W>(first);
  // The last vertex of the random graph gets one more arc.
  g.offsets.pop_back();
  g.add(first, link);
  g.end_row();
  for (std::size_t u = first; u < n; ++u) {
    g.add(u - 1, link);
    if (u + 1 < n) g.add(u + 1, link);
    g.end_row();
  }
  return g;
}

template <class W>
apsp_perf::csr_arrays<W> graph_of(weight_kind kind, std::size_t n) {
  switch (kind) {
    case weight_kind::some_negative:
      return graph_with_negative_weights<W>(n);
    case weight_kind::of_32_bits:
      return graph_with_long_chain<W>(n);
    case weight_kind::nonnegative:
    case weight_kind::of_16_bits:
      break;
  }
  return random_graph<W>(n);
}

/// @throws std::logic_error if distances of up to @p farthest are not of that kind.
inline void require_kind(weight_kind kind, double farthest) {
  const bool is_wrong = (kind == weight_kind::of_16_bits && farthest >= 0x7fff) ||
                        (kind == weight_kind::of_32_bits && farthest <= 0x1p24);
  if (is_wrong) throw std::logic_error("the distances do not need the bits that they should");
}

}  // namespace goals
