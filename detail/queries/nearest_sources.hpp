// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/checks.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/sources.hpp"
#include "../matrix/memory.hpp"
#include "../matrix/rows.hpp"
#include "../per_source/calls.hpp"
#include "../per_source/delivery/outputs.hpp"
#include "../values/not_a_number.hpp"
#include "../values/weight.hpp"
#include "vertex_places.hpp"

// The nearest of some vertices for every vertex: one search from an additional vertex, the root,
// that has arcs of weight 0 to all of them.
namespace apsp::inline v1::detail {

/// A change of the arcs for `per_source`: adds the root, with the number n.
class with_root {
 public:
  /// @param sources  distinct vertices.
  explicit with_root(std::span<const std::int32_t> sources) : sources_(sources) {}

  std::size_t num_added() const { return sources_.size(); }
  template <class T>
  void operator()(adjacency<T>& arcs, weight_range<T>& weights) const {
    arcs.targets.insert(arcs.targets.end(), sources_.begin(), sources_.end());
    arcs.weights.insert(arcs.weights.end(), sources_.size(), T{});
    arcs.offsets.push_back(static_cast<std::int64_t>(arcs.targets.size()));
    if (sources_.empty()) return;
    weights.num_edges += sources_.size();
    if (T{} < weights.smallest) weights.smallest = T{};
  }

 private:
  std::span<const std::int32_t> sources_;
};

/// Writes the row of the root into rows of n entries, which are matrices of one row.
template <class D, class N, class P>
class nearest_output final : public row_output<matrix_value_t<D>> {
  using T = matrix_value_t<D>;

 public:
  nearest_output(D& distances, N& nearest, P& predecessors, std::size_t num_vertices)
      : row_output<T>(true),
        distances_(distances),
        nearest_(nearest),
        predecessors_(predecessors),
        num_vertices_(num_vertices),
        start_(num_vertices) {}

  T* distances(std::size_t) override { return nullptr; }
  std::int32_t* predecessors(std::size_t) override { return nullptr; }

  void write(std::size_t, std::size_t, const T* distances, const std::int32_t* tree) override {
    find_starts(tree);
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      const bool is_reached = !equals_unreachable(distances[v]);
      matrix_entry(distances_, 0, v) = distances[v];
      put_vertex(nearest_, v, is_reached ? start_[v] : -1);
      if constexpr (!std::is_same_v<P, no_predecessors>) {
        put_vertex(predecessors_, v, is_root(tree[v]) ? -1 : tree[v]);
      }
    }
  }

 private:
  bool is_root(std::int32_t v) const { return v == static_cast<std::int32_t>(num_vertices_); }

  // Sets start_[v] to the vertex after the root on the path to v, -1 if there is no path. Every
  // path is followed only as far as it is new.
  void find_starts(const std::int32_t* tree) {
    constexpr std::int32_t unknown = -2;
    start_.assign(num_vertices_, unknown);
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      std::size_t u = v;
      while (start_[u] == unknown && tree[u] >= 0 && !is_root(tree[u])) {
        u = static_cast<std::size_t>(tree[u]);
      }
      if (start_[u] == unknown) start_[u] = tree[u] < 0 ? -1 : static_cast<std::int32_t>(u);
      const std::int32_t start = start_[u];
      for (u = v; start_[u] == unknown; u = static_cast<std::size_t>(tree[u])) start_[u] = start;
    }
  }

  template <class M>
  static void put_vertex(M& row, std::size_t v, std::int32_t vertex) {
    using index = matrix_value_t<M>;
    matrix_entry(row, 0, v) = vertex < 0 ? no_predecessor<index> : static_cast<index>(vertex);
  }

  D& distances_;
  N& nearest_;
  P& predecessors_;
  std::size_t num_vertices_;
  std::vector<std::int32_t> start_;
};

/// Checks a row of numbers of the n vertices that does not share memory with @p others.
template <class M, class... Others>
void check_vertex_row(const M& row, std::size_t n, const std::string& name,
                      const Others&... others) {
  require_row(row, n, name.c_str());
  check_vertex_numbers<const M>(n, ("the range of " + name).c_str());
  if ((may_overlap(row, {1, n}, others, {1, n}) || ...)) {
    throw std::invalid_argument("apsp: the range of " + name +
                                " must not share memory with another result");
  }
}

/// @param distances, nearest, predecessors  matrices of one row.
template <class Policy, class Graph, class Sources, class D, class N, class P>
result find_nearest_sources(const Policy& policy, const Graph& g, Sources& sources, D distances,
                            N nearest, P predecessors) {
  constexpr bool in_host_memory = !lie_in_device_memory<Graph, D, N, P>;
  static_assert(in_host_memory, "apsp: nearest_sources takes a graph and results in host memory");
  if constexpr (in_host_memory) {
    const std::size_t n = check_graph<matrix_value_t<D>>(g);
    if (n == static_cast<std::size_t>((std::numeric_limits<std::int32_t>::max)())) {
      throw std::length_error("apsp: nearest_sources takes at most 2^31 - 2 vertices, not " +
                              std::to_string(n));
    }
    require_row(distances, n, "distances");
    check_vertex_row(nearest, n, "nearest sources", distances);
    if constexpr (!std::is_same_v<P, no_predecessors>) {
      check_vertex_row(predecessors, n, "predecessors", distances, nearest);
    }
    check_apart_from_arrays(g, distances, {1, n});
    check_apart_from_arrays(g, nearest, {1, n});
    if constexpr (!std::is_same_v<P, no_predecessors>) {
      check_apart_from_arrays(g, predecessors, {1, n});
    }
    const vertex_places distinct(list_sources(g, n, sources), n);
    nearest_output<D, N, P> output(distances, nearest, predecessors, n);
    const std::array root{static_cast<std::int32_t>(n)};
    return per_source(policy, request_of(policy), g, root, output, with_root(distinct.vertices()));
  }
}

}  // namespace apsp::inline v1::detail
