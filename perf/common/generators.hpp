// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../common/generators.hpp"

// The types of their weights have names.
namespace apsp_perf {

using namespace apsp_common;

template <class W>
inline constexpr const char* weight_name =
    std::is_integral_v<W> ? (sizeof(W) == 4 ? "i32" : "i64") : (sizeof(W) == 4 ? "f32" : "f64");

/// Calls @p f(std::type_identity<W>{}, name) for each type W of weights.
template <class F>
void for_each_weight_type(F f) {
  const auto call = [&]<class... W>(std::type_identity<W>... types) {
    (f(types, std::string(weight_name<W>)), ...);
  };
  call(std::type_identity<float>(), std::type_identity<double>(),
       std::type_identity<std::int32_t>(), std::type_identity<std::int64_t>());
}

/// Calls @p f(u, v, weight) for each arc; f can change a weight that it takes by reference.
template <class Graph, class F>
void for_each_arc(Graph&& g, F f) {
  for (std::size_t u = 0; u < g.num_vertices(); ++u) {
    const auto end = static_cast<std::size_t>(g.offsets[u + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets[u]); k < end; ++k) {
      f(u, static_cast<std::size_t>(g.targets[k]), g.weights[k]);
    }
  }
}

/// Adds 1/2 to every weight. Whole numbers may be solved in a narrower type.
template <class W>
csr_arrays<W> plus_halves(csr_arrays<W> g) {
  static_assert(std::is_floating_point_v<W>);
  for (W& w : g.weights) w += W(0.5);
  return g;
}

/// The graph with every arc in both directions.
template <class W>
csr_arrays<W> in_both_directions(const csr_arrays<W>& g) {
  std::vector<std::vector<std::pair<std::size_t, W>>> arcs(g.num_vertices());
  for_each_arc(g, [&](std::size_t u, std::size_t v, W w) {
    arcs[u].emplace_back(v, w);
    arcs[v].emplace_back(u, w);
  });
  csr_arrays<W> both;
  for (const auto& of_vertex : arcs) {
    for (const auto& [v, w] : of_vertex) both.add(v, w);
    both.end_row();
  }
  return both;
}

/// Stores the lightest of parallel arcs in a matrix of unreachable pairs.
template <class W, class Matrix>
void store_arcs(const csr_arrays<W>& g, Matrix& m) {
  for_each_arc(g, [&](std::size_t u, std::size_t v, W w) { m[u][v] = std::min(m[u][v], w); });
}

}  // namespace apsp_perf
