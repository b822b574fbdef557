// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "../generators.hpp"
#include "../source_checks.hpp"
#include "problem.hpp"

// Whether a result is right.
namespace topology {

// Integers bit for bit; floats up to rounding, since the order of additions is the solver's own.
template <class W>
bool same_distance(W a, W b) {
  if constexpr (std::is_integral_v<W>) {
    return a == b;
  } else {
    constexpr W tolerance = sizeof(W) == 4 ? W(1e-4) : W(1e-11);
    return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
  }
}

template <class W>
bool same_row(const W* a, const W* b, std::size_t n) {
  return std::equal(a, a + n, b, [](W x, W y) { return same_distance(x, y); });
}

// A predecessor is right if an arc leads from it whose weight is the rest of the distance.
template <class W>
bool right_predecessors(const apsp_perf::csr_arrays<W>& g, std::size_t source, const W* distances,
                        const std::int32_t* predecessors) {
  const std::size_t n = g.num_vertices();
  std::vector<char> right(n);
  for (std::size_t u = 0; u < n; ++u) {
    if (distances[u] == apsp::unreachable<W>) continue;
    const auto end = static_cast<std::size_t>(g.offsets[u + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets[u]); k < end; ++k) {
      const auto v = static_cast<std::size_t>(g.targets[k]);
      if (!std::cmp_equal(predecessors[v], u)) continue;
      // A distance that has none left before infinity is not on a shortest path.
      if (distances[v] < distances[u]) continue;
      const W rest = static_cast<W>(distances[v] - distances[u]);
      const bool tight =
          std::is_integral_v<W>
              ? rest == g.weights[k]
              : same_distance(static_cast<W>(distances[u] + g.weights[k]), distances[v]);
      if (tight) right[v] = 1;
    }
  }
  for (std::size_t v = 0; v < n; ++v) {
    const bool has_none = predecessors[v] == apsp::no_predecessor<std::int32_t>;
    if (v == source || distances[v] == apsp::unreachable<W> ? !has_none : right[v] == 0) {
      return false;
    }
  }
  return true;
}

// Rows of distances that are taken for right.
template <class W>
struct reference_rows {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  apsp::matrix<W> distances;
  std::vector<std::size_t> row_of;

  bool empty() const { return row_of.empty(); }
  void set(apsp::matrix<W> rows, const vertex_list& sources, std::size_t n) {
    distances = std::move(rows);
    row_of.assign(n, none);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      row_of[static_cast<std::size_t>(sources[i])] = i;
    }
  }
};

using source_checks::to_text;
using source_checks::verdict;

template <class W>
verdict check(const reference_rows<W>& reference, const apsp_perf::csr_arrays<W>& g,
              const vertex_list& sources, const apsp::matrix<W>& distances,
              const vertex_matrix* predecessors) {
  constexpr std::size_t rows_of_predecessors = 8;
  const std::size_t n = g.num_vertices();
  std::size_t compared = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::size_t row = reference.row_of[static_cast<std::size_t>(sources[i])];
    if (row == reference_rows<W>::none) continue;
    if (!same_row(reference.distances[row], distances[i], n)) return verdict::wrong;
    ++compared;
  }
  if (predecessors != nullptr) {
    const std::size_t count = std::min(rows_of_predecessors, sources.size());
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = k * sources.size() / count;
      const auto source = static_cast<std::size_t>(sources[i]);
      if (!right_predecessors(g, source, distances[i], (*predecessors)[i])) return verdict::wrong;
    }
  }
  return compared == 0 ? verdict::not_checked : verdict::right;
}

}  // namespace topology
