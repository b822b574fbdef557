// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../apsp/graph.hpp"
#include "../host/parallel_for.hpp"
#include "../values/not_a_number.hpp"
#include "../values/weight.hpp"
#include "edges.hpp"

// The arcs of a graph in compressed sparse rows, as the per-source algorithms read them.
namespace apsp::inline v1::detail {

/// The arcs that leave vertex u are those at positions `offsets[u]` to `offsets[u + 1] - 1`.
template <class C>
struct adjacency_view {
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> targets;
  std::span<const C> weights;

  std::size_t num_vertices() const { return offsets.size() - 1; }
  std::size_t num_edges() const { return targets.size(); }
  std::size_t begin(std::size_t u) const { return static_cast<std::size_t>(offsets[u]); }
  std::size_t end(std::size_t u) const { return static_cast<std::size_t>(offsets[u + 1]); }
};

template <class T>
struct adjacency {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> targets;
  std::vector<T> weights;

  adjacency_view<T> view() const { return {offsets, targets, weights}; }
  /// The same arcs with weights of another type.
  template <class C>
  adjacency_view<C> view_with(const std::vector<C>& other_weights) const {
    return {offsets, targets, other_weights};
  }
};

/// Assigns positions to the arcs of a graph in the second pass, from the counts of the first pass.
/// Safe to use from several threads for arcs of different vertices.
template <class Offset>
class arc_places {
 public:
  /// @param offsets  n + 1 offsets; the arcs of vertex u take the positions offsets[u] to offsets[u
  ///                 + 1] - 1.
  explicit arc_places(const std::vector<Offset>& offsets)
      : offsets_(offsets), next_(offsets.begin(), offsets.end() - 1) {}

  /// The position of the next arc of @p u.
  /// @throws std::invalid_argument if the first pass counted fewer arcs.
  std::size_t take(std::size_t u) {
    if (next_[u] == offsets_[u + 1]) throw_other_arcs(u);
    return static_cast<std::size_t>(next_[u]++);
  }
  /// @throws std::invalid_argument if the first pass counted more arcs for some vertex.
  void require_full() const {
    for (std::size_t u = 0; u < next_.size(); ++u) {
      if (next_[u] != offsets_[u + 1]) throw_other_arcs(u);
    }
  }

 private:
  [[noreturn]] static void throw_other_arcs(std::size_t u) {
    throw std::invalid_argument("apsp: vertex " + std::to_string(u) +
                                " has another number of arcs when the graph is read again; arcs "
                                "and weights must not change during a call");
  }

  const std::vector<Offset>& offsets_;
  std::vector<Offset> next_;
};

/// The arcs of a validated graph for which `is_kept(u, v, weight)` is true, in the order of the
/// graph.
/// @param num_added  there is memory for so many additional arcs.
/// @throws std::invalid_argument if the graph yields more or fewer arcs in the second pass.
/// Complexity: O(n + m); the graph is read twice.
template <class T, class Graph, class IsKept>
adjacency<T> make_adjacency_of(const Graph& g, std::size_t n, int threads, IsKept is_kept,
                               std::size_t num_added = 0) {
  const auto for_each_kept_arc = [&](auto f) {
    visit_edges(g, threads, [&](std::size_t u, std::size_t v, const auto& w) {
      auto fault = edge_fault::none;
      const T weight = to_distance<T>(w, fault);
      if (is_kept(u, v, weight)) f(u, v, weight);
    });
  };
  adjacency<T> arcs;
  arcs.offsets.assign(n + 1, 0);
  for_each_kept_arc([&](std::size_t u, std::size_t, const T&) { ++arcs.offsets[u + 1]; });
  std::partial_sum(arcs.offsets.begin(), arcs.offsets.end(), arcs.offsets.begin());
  const auto num_edges = static_cast<std::size_t>(arcs.offsets.back());
  arcs.targets.reserve(num_edges + num_added);
  arcs.weights.reserve(num_edges + num_added);
  arcs.targets.resize(num_edges);
  arcs.weights.resize(num_edges);
  arc_places places(arcs.offsets);
  for_each_kept_arc([&](std::size_t u, std::size_t v, const T& w) {
    const std::size_t position = places.take(u);
    arcs.targets[position] = static_cast<std::int32_t>(v);
    arcs.weights[position] = w;
  });
  places.require_full();
  return arcs;
}

/// The arcs of a graph validated by `find_weight_range`, without arcs of unreachable weight and
/// without non-negative self-loops.
template <class T, class Graph>
adjacency<T> make_adjacency(const Graph& g, std::size_t n, int threads, std::size_t num_added = 0) {
  return make_adjacency_of<T>(
      g, n, threads,
      [](std::size_t u, std::size_t v, const T& weight) {
        return !equals_unreachable(weight) && (u != v || weight < T{});
      },
      num_added);
}

/// The same arcs, with memory for @p num_added additional ones.
template <class T>
adjacency<T> copy_of_arcs(const adjacency<T>& arcs, std::size_t num_added) {
  adjacency<T> copy;
  const auto append = [](auto& to, const auto& from, std::size_t more) {
    to.reserve(from.size() + more);
    to.insert(to.end(), from.begin(), from.end());
  };
  append(copy.offsets, arcs.offsets, 1);
  append(copy.targets, arcs.targets, num_added);
  append(copy.weights, arcs.weights, num_added);
  return copy;
}

/// Calls f(u, v, w) for every arc of @p arcs.
template <class C, class F>
void for_each_arc_of(const adjacency_view<C>& arcs, F f) {
  for (std::size_t u = 0; u < arcs.num_vertices(); ++u) {
    for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
      f(u, static_cast<std::size_t>(arcs.targets[a]), arcs.weights[a]);
    }
  }
}

/// Divides the vertices into @p count ranges of similar numbers of arcs and vertices.
/// @return the first vertex of each, and n.
template <class C>
std::vector<std::size_t> ranges_of_similar_work(const adjacency_view<C>& arcs, std::size_t count) {
  const std::size_t n = arcs.num_vertices();
  std::vector<std::size_t> first(count + 1, 0);
  std::size_t u = 0;
  for (std::size_t i = 1; i < count; ++i) {
    const std::size_t work_before = (n + arcs.num_edges()) / count * i;
    std::size_t end = n;
    // The least vertex with that work before it.
    while (u < end) {
      const std::size_t middle = u + (end - u) / 2;
      if (middle + arcs.begin(middle) < work_before) {
        u = middle + 1;
      } else {
        end = middle;
      }
    }
    first[i] = u;
  }
  first[count] = n;
  return first;
}

/// The source of every arc.
template <class C>
std::vector<std::int32_t> sources_of(const adjacency_view<C>& arcs) {
  std::vector<std::int32_t> sources(arcs.num_edges());
  for (std::size_t u = 0; u < arcs.num_vertices(); ++u) {
    std::fill(sources.begin() + static_cast<std::ptrdiff_t>(arcs.begin(u)),
              sources.begin() + static_cast<std::ptrdiff_t>(arcs.end(u)),
              static_cast<std::int32_t>(u));
  }
  return sources;
}

/// The arcs as a list, in the order of their sources.
template <class C>
std::vector<weighted_arc<C>> list_of_arcs(const adjacency_view<C>& arcs) {
  std::vector<weighted_arc<C>> list;
  list.reserve(arcs.num_edges());
  for_each_arc_of(arcs, [&](std::size_t u, std::size_t v, const C& w) {
    list.push_back({u, v, w});
  });
  return list;
}

/// The reversed arcs; the arcs into each vertex are in the order of their sources.
template <class C>
adjacency<C> reversed_arcs(const adjacency_view<C>& arcs) {
  const std::size_t n = arcs.num_vertices();
  adjacency<C> reversed;
  reversed.offsets.assign(n + 1, 0);
  for (const std::int32_t v : arcs.targets) ++reversed.offsets[static_cast<std::size_t>(v) + 1];
  std::partial_sum(reversed.offsets.begin(), reversed.offsets.end(), reversed.offsets.begin());
  reversed.targets.resize(arcs.num_edges());
  reversed.weights.resize(arcs.num_edges());
  std::vector<std::int64_t> next(reversed.offsets.begin(), reversed.offsets.end() - 1);
  for_each_arc_of(arcs, [&](std::size_t u, std::size_t v, const C& w) {
    const auto position = static_cast<std::size_t>(next[v]++);
    reversed.targets[position] = static_cast<std::int32_t>(u);
    reversed.weights[position] = w;
  });
  return reversed;
}

}  // namespace apsp::inline v1::detail
