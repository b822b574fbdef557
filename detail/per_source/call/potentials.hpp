// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../../elimination/coded_hierarchy.hpp"
#include "../../elimination/hierarchy.hpp"
#include "../../elimination/host/eliminate.hpp"
#include "../../elimination/order_search.hpp"
#include "../../graph/adjacency.hpp"
#include "../../graph/negative_cycle.hpp"
#include "../../host/monitor.hpp"
#include "../../host/workers.hpp"
#include "../../plan/plan_call.hpp"
#include "../../values/int128.hpp"
#include "../../values/weight.hpp"
#include "../delivery/finishing.hpp"
#include "planning.hpp"

// Potentials for Johnson's algorithm: from a hierarchy, or from passes of Bellman–Ford.
namespace apsp::inline v1::detail {

/// Adds up the lengths of shortest paths, from the beginning of each path. The paths are found by a
/// breadth-first search from the vertices whose shortest path is empty, along arcs that agree with
/// @p rough. A vertex that it does not reach keeps its length.
/// @param rough     the lengths up to rounding.
/// @param rounding  the largest error of a length.
template <class T>
potentials_of<T> retraced(const adjacency_view<T>& arcs, potentials_of<T> rough,
                          const walk_sum_t<T>& rounding) {
  using sum = walk_sum_t<T>;
  potentials_of<T> exact = rough;
  std::vector<char> is_seen(rough.size(), 0);
  std::vector<std::size_t> tree;
  for (std::size_t v = 0; v < rough.size(); ++v) {
    if (rough[v] < sum{}) continue;
    is_seen[v] = 1;
    tree.push_back(v);
  }
  for (std::size_t next = 0; next < tree.size(); ++next) {
    const std::size_t u = tree[next];
    for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
      const auto v = static_cast<std::size_t>(arcs.targets[a]);
      const sum weight = sum(arcs.weights[a]);
      if (is_seen[v] != 0 || rough[u] + weight - rough[v] > rounding) continue;
      is_seen[v] = 1;
      // The empty path is never longer.
      exact[v] = std::min(exact[u] + weight, sum{});
      tree.push_back(v);
    }
  }
  return exact;
}

/// The lengths of the shortest paths that end at each vertex, wherever they begin, up to rounding.
template <class T, class C>
potentials_of<T> potentials_from(const coded_hierarchy<C>& made, const adjacency_view<T>& arcs) {
  using sum = walk_sum_t<T>;
  const std::vector<sum> by_place = least_lengths<sum>(made.graph);
  potentials_of<T> potentials(by_place.size());
  for (std::size_t p = 0; p < by_place.size(); ++p) {
    potentials[static_cast<std::size_t>(made.graph.tree->vertices[p])] = by_place[p];
  }
  if constexpr (std::is_floating_point_v<T>) {
    sum farthest{};
    for (const sum& length : by_place) farthest = std::max(farthest, -length);
    // The length of an arc of the hierarchy is the result of few additions in sequence.
    constexpr sum rounding = 32 * static_cast<sum>(std::numeric_limits<C>::epsilon());
    potentials = retraced<T>(arcs, std::move(potentials), rounding * farthest);
  }
  return potentials;
}
template <class T>
potentials_of<T> potentials_from(const weighted_hierarchy<T>& hierarchy,
                                 const adjacency_view<T>& arcs) {
  return std::visit([&](const auto& made) { return potentials_from<T>(made, arcs); }, hierarchy);
}

/// Eliminates the graph if that is predicted to take less than @p time, in nanoseconds of one
/// thread, and lets the search go on from its potentials. The search goes on as before if there are
/// none, because a cycle is negative or rounding makes it look so, or if there is not enough
/// memory.
/// @return false if the elimination is predicted to take longer.
template <class T>
bool try_elimination(negative_cycle_search<T>& search, const adjacency<T>& arcs,
                     const weight_range<T>& weights, double time, int threads,
                     const monitor& watch) {
  try {
    call_facts facts = facts_of(backend::seq, arcs.view().num_vertices(), weights);
    facts.num_arcs = arcs.targets.size();
    facts.num_sources = 1;
    // The passes so far are many, so that the graph is deep.
    facts.num_levels = facts.num_vertices;
    auto tree =
        search_order(arcs.offsets, arcs.targets, facts.kind, time_before_sweeps(facts, time),
                     order_search_time(facts, time), {threads, &watch});
    if (!tree) return false;
    facts.structure = structure_of(*tree);
    if (elimination_time(facts) >= time) return false;
    const auto made = host::eliminate_sums(std::move(tree), arcs, weights, threads, watch);
    if (made.graph) search.start_from(potentials_from(*made.graph, arcs.view()));
  } catch (const std::bad_alloc&) {
    // Passes need no more memory.
  }
  return true;
}

/// Searches for a negative cycle in the whole graph, or potentials. If no hierarchy is ready, few
/// passes are usually enough; when they have taken longer than an elimination is predicted to take,
/// the graph is eliminated. This does not depend on the number of threads.
/// @param search  of all arcs, before its first pass.
/// @return meaningless if @p watch requested a stop.
template <class T>
cycle_search_result<walk_sum_t<T>> find_potentials(negative_cycle_search<T>& search,
                                                   const adjacency<T>& arcs,
                                                   const weight_range<T>& weights,
                                                   const prepared_elimination<T>& prepared,
                                                   int threads, const monitor& watch) {
  const auto m = static_cast<double>(arcs.targets.size());
  // Nanoseconds: AMD EPYC (Zen 4), g++ 12.
  const double time_of_pass = (std::is_integral_v<T> ? 2 : 9) * m;
  // About the least time of an elimination.
  double time = 500 * m;
  // A tree without a graph was eliminated in vain.
  bool may_eliminate = prepared.tree == nullptr;
  if (prepared.graph != nullptr) search.start_from(potentials_from(*prepared.graph, arcs.view()));
  for (;;) {
    bool is_late = false;
    auto found = search.run([&] {
      is_late = may_eliminate && static_cast<double>(search.num_passes()) * time_of_pass > time;
      return is_late || watch.stop_requested();
    });
    if (!is_late || watch.stop_requested()) return found;
    may_eliminate = !try_elimination(search, arcs, weights, time, threads, watch);
    time *= 4;
  }
}

}  // namespace apsp::inline v1::detail
