// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "../../apsp/semiring.hpp"
#include "../host/parallel_for.hpp"
#include "adjacency.hpp"
#include "semiring_edges.hpp"
#include "trees.hpp"

// In semirings other than `min_plus` many cycles leave the value of a path unchanged, so recorded
// predecessors may form a cycle. Such rows are detected and rebuilt as trees.
namespace apsp::detail {

/// The relative difference between the value of a path extended along an arc and the best value of
/// its target, if values can be divided: floating-point products are rounded at every step. Not the
/// absolute difference: by that measure, any arc into a vertex with a tiny value would look tight.
template <class T, class Through>
auto value_slack(const adjacency_view<T>& arcs, const T* values, Through through) {
  if constexpr (std::is_floating_point_v<T>) {
    return [=, &arcs](std::size_t u, std::size_t a) {
      const T best = values[static_cast<std::size_t>(arcs.targets[a])];
      const T joined = through(u, a);
      if (joined == best) return T{};
      const T gap = joined < best ? best - joined : joined - best;
      return best == T{} ? gap : gap / (best < T{} ? -best : best);
    };
  } else {
    return exact_slack(arcs, values, through);
  }
}

/// Makes every row of @p predecessors a tree. @p values are final.
/// @param all_rows  rebuilds all rows, so that each path has the fewest edges among the best paths
///                  whose prefixes are best paths as well.
template <class S, class Graph, class T = typename S::value_type>
void remove_predecessor_loops(const S& semiring, const Graph& g, std::size_t n,
                              const T* const* values, std::int32_t* const* predecessors,
                              int threads, bool all_rows) {
  std::vector<char> to_do(n, 1);
  if (!all_rows) {
    host::parallel_for(n, threads, [&](std::size_t source) {
      thread_local std::vector<std::int32_t> seen_from;
      to_do[source] = has_loop(predecessors[source], n, source, seen_from);
    });
  }
  if (std::find(to_do.begin(), to_do.end(), 1) == to_do.end()) return;
  const adjacency<T> arcs = make_value_adjacency<T>(g, n, threads);
  const adjacency_view<T> view = arcs.view();
  host::parallel_for(n, threads, [&](std::size_t source) {
    if (!to_do[source]) return;
    const auto through = [&](std::size_t u, std::size_t a) -> T {
      return semiring.times(values[source][u], view.weights[a]);
    };
    search_predecessors(view, source, value_slack(view, values[source], through),
                        predecessors[source]);
  });
}

}  // namespace apsp::detail
