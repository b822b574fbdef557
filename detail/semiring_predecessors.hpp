// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../apsp/semiring.hpp"
#include "host/parallel_for.hpp"
#include "predecessors.hpp"
#include "semiring_edges.hpp"

// In the semirings other than `min_plus` many a cycle costs a path nothing, so a row of recorded
// predecessors may well run round one. Such rows are found and made again as trees.
namespace apsp::detail {

/// The arcs of a graph with values of a semiring, by source.
template <class T>
class value_adjacency {
 public:
  struct arc {
    std::size_t target;
    T value;
  };

  template <class S, class Graph>
  value_adjacency(const S& semiring, const Graph& g, std::size_t n, int threads) : arcs_(n) {
    visit_values(semiring, g, threads, [&](std::size_t u, std::size_t v, const T& w) {
      if (u != v) arcs_[u].push_back({v, w});
    });
  }
  const std::vector<arc>& from(std::size_t u) const { return arcs_[u]; }

 private:
  std::vector<std::vector<arc>> arcs_;
};

/// Predecessors of one source as a tree: a search from the source along arcs with
/// times(distances[u], w) == distances[v]. Where rounding leaves none of them to go on with, along the
/// one that comes out best. O(n + m) where that is not needed.
template <class S, class T = typename S::value_type>
void rebuild_predecessors(const S& semiring, const value_adjacency<T>& arcs, std::size_t n,
                          std::size_t source, const T* distances, std::int32_t* predecessors) {
  std::vector<char> waiting(n, 0);  // reachable and not yet in the tree
  std::size_t num_waiting = 0;
  for (std::size_t v = 0; v < n; ++v) {
    if (v != source && predecessors[v] >= 0) {
      waiting[v] = 1;
      ++num_waiting;
    }
  }
  std::vector<std::size_t> tree{source};
  const auto append = [&](std::size_t u, std::size_t v) {
    predecessors[v] = static_cast<std::int32_t>(u);
    waiting[v] = 0;
    --num_waiting;
    tree.push_back(v);
  };
  std::size_t next = 0;
  while (num_waiting != 0) {
    for (; next < tree.size(); ++next) {
      const std::size_t u = tree[next];
      for (const auto& a : arcs.from(u)) {
        if (waiting[a.target] &&
            static_cast<T>(semiring.times(distances[u], a.value)) == distances[a.target]) {
          append(u, a.target);
        }
      }
    }
    if (num_waiting == 0) break;
    T best = semiring.zero;
    std::size_t best_source = n;
    std::size_t best_target = n;
    for (const std::size_t u : tree) {
      for (const auto& a : arcs.from(u)) {
        if (!waiting[a.target]) continue;
        const T product = semiring.times(distances[u], a.value);
        if (best_source == n || !(semiring.plus(best, product) == best)) {
          best = product;
          best_source = u;
          best_target = a.target;
        }
      }
    }
    if (best_source == n) break;
    append(best_source, best_target);
  }
  predecessors[source] = -1;
}

/// Makes every row of @p predecessors a tree. @p distances are final.
template <class S, class Graph, class T = typename S::value_type>
void remove_predecessor_loops(const S& semiring, const Graph& g, std::size_t n,
                              const T* const* distances, std::int32_t* const* predecessors,
                              int threads) {
  std::vector<char> broken(n, 0);
  host::parallel_for(n, threads, [&](std::size_t source) {
    thread_local std::vector<std::int32_t> seen_from;
    broken[source] = has_loop(predecessors[source], n, source, seen_from);
  });
  if (std::find(broken.begin(), broken.end(), 1) == broken.end()) return;
  const value_adjacency<T> arcs(semiring, g, n, threads);
  host::parallel_for(n, threads, [&](std::size_t source) {
    if (broken[source]) {
      rebuild_predecessors(semiring, arcs, n, source, distances[source], predecessors[source]);
    }
  });
}

}  // namespace apsp::detail
