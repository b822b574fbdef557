// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "../host/parallel_for.hpp"
#include "../values/int128.hpp"
#include "../values/not_a_number.hpp"
#include "adjacency.hpp"

// Kernels record the last vertex before the end of a shortest path. Where a cycle has length zero,
// or appears to because of rounding, the predecessors of a row may form that cycle. Such rows are
// detected and rebuilt as trees.
namespace apsp::inline v1::detail {

/// True if the predecessors of some vertex of row @p source do not lead to @p source.
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

/// Builds the predecessors of one source as a tree: a breadth-first search from the source along
/// tight arcs, so that each vertex gets a path with the fewest edges among all paths along such
/// arcs. Because of rounding a vertex may have no tight arc; the allowance then grows to the
/// smallest value that lets the search continue.
///
/// @param slack         `slack(u, a)`: by how much extending the path to u along its arc a is worse
///                      than the path to the end of a; at least 0, and 0 if a is tight.
/// @param predecessors  at least 0 where a vertex other than the source is reachable.
/// Complexity: O(n + m) if no allowance is needed.
template <class T, class Slack>
void build_tree(const adjacency_view<T>& arcs, std::size_t source, Slack slack,
                std::int32_t* predecessors) {
  const std::size_t n = arcs.num_vertices();
  const auto target = [&](std::size_t a) { return static_cast<std::size_t>(arcs.targets[a]); };
  std::vector<char> waiting(n, 0);  // reachable, but not yet in the tree
  std::size_t num_waiting = 0;
  for (std::size_t v = 0; v < n; ++v) {
    if (v != source && predecessors[v] >= 0) {
      waiting[v] = 1;
      ++num_waiting;
    }
  }
  std::vector<std::size_t> tree{source};
  std::size_t next = 0;
  decltype(slack(source, source)) allowance{};
  while (num_waiting != 0) {
    for (; next < tree.size(); ++next) {
      const std::size_t u = tree[next];
      for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
        if (!waiting[target(a)] || allowance < slack(u, a)) continue;
        predecessors[target(a)] = static_cast<std::int32_t>(u);
        waiting[target(a)] = 0;
        --num_waiting;
        tree.push_back(target(a));
      }
    }
    if (num_waiting == 0) break;
    bool found = false;
    for (const std::size_t u : tree) {
      for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
        if (!waiting[target(a)]) continue;
        if (!found || slack(u, a) < allowance) allowance = slack(u, a);
        found = true;
      }
    }
    if (!found) break;
    next = 0;
  }
  predecessors[source] = -1;
}

/// A slack for `build_tree` for values without subtraction: 0 if an arc is tight, otherwise 1.
/// @param through  `through(u, a)`: the value of the best path to u extended along its arc a.
template <class C, class Through>
auto exact_slack(const adjacency_view<C>& arcs, const C* values, Through through) {
  return [=, &arcs](std::size_t u, std::size_t a) {
    return through(u, a) == values[static_cast<std::size_t>(arcs.targets[a])] ? 0 : 1;
  };
}

/// A slack for values that can be divided, because floating-point products are rounded at every
/// step: the relative difference between the value of a path extended along an arc and the best
/// value of its target. Not the absolute difference: by that measure, any arc into a vertex with a
/// tiny value would look tight. An infinite value is far from all others. Integers get an
/// `exact_slack`.
template <class T, class Through>
auto value_slack(const adjacency_view<T>& arcs, const T* values, Through through) {
  if constexpr (std::is_floating_point_v<T>) {
    return [=, &arcs](std::size_t u, std::size_t a) {
      const T best = values[static_cast<std::size_t>(arcs.targets[a])];
      const T extended = through(u, a);
      if (extended == best) return T{};
      if (is_infinite(extended) || is_infinite(best)) return (std::numeric_limits<T>::max)();
      const T gap = extended < best ? best - extended : extended - best;
      return best == T{} ? gap : gap / (best < T{} ? -best : best);
    };
  } else {
    return exact_slack(arcs, values, through);
  }
}

/// A slack for distances: an arc is tight if distances[u] + w == distances[v].
template <class T, class C>
auto sum_slack(const adjacency_view<T>& arcs, const C* distances) {
  using sum = walk_sum_t<T>;
  return [=, &arcs](std::size_t u, std::size_t a) {
    const C& distance = distances[static_cast<std::size_t>(arcs.targets[a])];
    // An arc is also tight if the sum rounds as in the solvers.
    if constexpr (std::is_floating_point_v<C>) {
      if (distances[u] + static_cast<C>(arcs.weights[a]) == distance) return sum(T{});
    }
    const sum gap = sum(distances[u]) + sum(arcs.weights[a]) - sum(distance);
    return gap < sum(T{}) ? sum(T{}) : gap;
  };
}

/// Rebuilds the row of one source as a tree if it is not a tree.
template <class T, class Slack>
void make_tree(const adjacency_view<T>& arcs, std::size_t source, Slack slack,
               std::int32_t* predecessors) {
  thread_local std::vector<std::int32_t> seen_from;
  if (has_loop(predecessors, arcs.num_vertices(), source, seen_from)) {
    build_tree(arcs, source, slack, predecessors);
  }
}

/// Rows of predecessors to be made trees.
struct tree_rows {
  std::size_t n;
  std::int32_t* const* rows;
  /// Rebuilds all rows, so that each path has the fewest edges among the best paths whose prefixes
  /// are best paths as well; otherwise only rows that are not trees.
  bool every_row;
  /// For every row, whether it may fail to be a tree; an empty vector if all rows are trees,
  /// nothing if that is unknown.
  const std::optional<std::vector<char>>& in_doubt;
};

/// Makes every row a tree.
/// @param make_arcs  `make_arcs()`: the arcs of the graph; called only if a row is rebuilt.
/// @param slack_of   `slack_of(arcs, source)`: the slack of `build_tree`.
/// Complexity: O(n + m) per rebuilt row, and more if rounding requires an allowance.
template <class MakeArcs, class SlackOf>
void make_trees(const tree_rows& given, int threads, MakeArcs make_arcs, SlackOf slack_of) {
  const std::size_t n = given.n;
  std::int32_t* const* const predecessors = given.rows;
  const bool every_row = given.every_row;
  const auto& in_doubt = given.in_doubt;
  if (!every_row && in_doubt && in_doubt->empty()) return;
  std::vector<char> is_rebuilt(n, every_row ? 1 : 0);
  if (!every_row) {
    host::parallel_for(n, threads, [&](std::size_t source) {
      thread_local std::vector<std::int32_t> seen_from;
      if (in_doubt && !(*in_doubt)[source]) return;
      is_rebuilt[source] = has_loop(predecessors[source], n, source, seen_from);
    });
  }
  if (std::find(is_rebuilt.begin(), is_rebuilt.end(), 1) == is_rebuilt.end()) return;
  const auto arcs = make_arcs();
  const auto view = arcs.view();
  host::parallel_for(n, threads, [&](std::size_t source) {
    if (is_rebuilt[source]) {
      build_tree(view, source, slack_of(view, source), predecessors[source]);
    }
  });
}

}  // namespace apsp::inline v1::detail
