// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "edges.hpp"
#include "host/parallel_for.hpp"
#include "negative_cycle.hpp"

// Predecessors that the kernels record are last hops of shortest paths, but where a cycle has
// length zero, or rounding makes it look so, a row of them can run round that cycle. Those rows are
// found and made again as a tree.
namespace apsp::detail {

/// True if following predecessors from some vertex of row @p source never ends at @p source.
inline bool has_loop(const std::int32_t* predecessors, std::size_t n, std::size_t source,
                     std::vector<std::int32_t>& seen_from) {
  seen_from.assign(n, -1);
  for (std::size_t start = 0; start < n; ++start) {
    auto v = static_cast<std::int32_t>(start);
    while (v >= 0 && static_cast<std::size_t>(v) != source &&
           seen_from[static_cast<std::size_t>(v)] < 0) {
      seen_from[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(start);
      v = predecessors[v];
    }
    if (v >= 0 && static_cast<std::size_t>(v) != source &&
        seen_from[static_cast<std::size_t>(v)] == static_cast<std::int32_t>(start)) {
      return true;
    }
  }
  return false;
}

/// Arcs grouped by source.
template <class T>
struct arcs_by_source {
  std::vector<std::size_t> offsets;
  std::vector<weighted_arc<T>> arcs;

  arcs_by_source(std::size_t n, const std::vector<weighted_arc<T>>& unordered)
      : offsets(n + 1, 0), arcs(unordered.size()) {
    for (const auto& arc : unordered) ++offsets[arc.source + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    auto next = offsets;
    for (const auto& arc : unordered) arcs[next[arc.source]++] = arc;
  }
};

/// Predecessors of one source as a tree: a search from the source along arcs that are tight, which
/// means distances[u] + w == distances[v]. Rounding leaves a vertex without a tight arc now and
/// then; the allowance then grows to the least that goes on. O(n + m) where none is needed.
template <class T, class C>
void rebuild_predecessors(const arcs_by_source<T>& graph, std::size_t n, std::size_t source,
                          const C* distances, std::int32_t* predecessors) {
  using sum = walk_sum_t<T>;
  const auto slack = [&](const weighted_arc<T>& arc) {
    const sum gap = sum(distances[arc.source]) + sum(arc.weight) - sum(distances[arc.target]);
    return gap < sum(T{}) ? sum(T{}) : gap;
  };
  std::vector<char> waiting(n, 0);  // reachable and not yet in the tree
  std::size_t num_waiting = 0;
  for (std::size_t v = 0; v < n; ++v) {
    if (v != source && predecessors[v] >= 0) {
      waiting[v] = 1;
      ++num_waiting;
    }
  }
  std::vector<std::size_t> tree{source};
  std::size_t next = 0;
  sum allowance = sum(T{});
  while (num_waiting != 0) {
    for (; next < tree.size(); ++next) {
      const std::size_t u = tree[next];
      for (std::size_t a = graph.offsets[u]; a < graph.offsets[u + 1]; ++a) {
        const auto& arc = graph.arcs[a];
        if (!waiting[arc.target] || allowance < slack(arc)) continue;
        predecessors[arc.target] = static_cast<std::int32_t>(u);
        waiting[arc.target] = 0;
        --num_waiting;
        tree.push_back(arc.target);
      }
    }
    if (num_waiting == 0) break;
    bool found = false;
    for (const std::size_t u : tree) {
      for (std::size_t a = graph.offsets[u]; a < graph.offsets[u + 1]; ++a) {
        const auto& arc = graph.arcs[a];
        if (!waiting[arc.target]) continue;
        if (!found || slack(arc) < allowance) allowance = slack(arc);
        found = true;
      }
    }
    if (!found) break;
    next = 0;
  }
  predecessors[source] = -1;
}

/// Makes every row of @p predecessors a tree. @p distances are final, and only those of reachable
/// vertices are read.
template <class T, class Graph, class C>
void remove_predecessor_loops(const Graph& g, std::size_t n, std::size_t num_edges,
                              const C* const* distances, std::int32_t* const* predecessors,
                              int threads) {
  std::vector<char> broken(n, 0);
  host::parallel_for(n, threads, [&](std::size_t source) {
    thread_local std::vector<std::int32_t> seen_from;
    broken[source] = has_loop(predecessors[source], n, source, seen_from);
  });
  if (std::find(broken.begin(), broken.end(), 1) == broken.end()) return;
  const arcs_by_source<T> graph(n, collect_arcs<T>(g, num_edges));
  host::parallel_for(n, threads, [&](std::size_t source) {
    if (broken[source]) {
      rebuild_predecessors(graph, n, source, distances[source], predecessors[source]);
    }
  });
}

}  // namespace apsp::detail
