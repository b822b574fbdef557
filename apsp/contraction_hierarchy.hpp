// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "../detail/elimination/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

/// A graph that has been prepared for shortest paths from many sources, to be used again.
///
/// It contains the arcs of a graph, and the arcs that `elimination` makes of them. It is a graph
/// itself: functions that take sources or all pairs accept it. For distances of type T
/// `elimination` then skips the preparation, `johnson` takes its potentials from the hierarchy, and
/// without a cutoff `for_each_row`, `all_pairs_shortest_paths` and the summaries skip the
/// preparation if that is faster than a search. In other calls it is a graph like any other. It
/// does not refer to the graph that it was made of.
///
/// Over a semiring other than `min_plus` the same holds for calls over that semiring, which must
/// be given one that is equal to that of the hierarchy. Self-loops, which improve no path over it,
/// are left out.
///
/// Calls may use a hierarchy from several threads at once, but not while it is customized.
///
/// Complexity: see `elimination`; with other weights, all of it except for the order.
/// Source: Dibbelt, Strasser, Wagner 2016.
/// @tparam T         the type of the weights and of the distances.
/// @tparam Semiring  `min_plus`, or one that `elimination` accepts.
template <class T, semiring Semiring = min_plus<T>>
  requires closed_semiring<Semiring> && selective_semiring<Semiring>
class contraction_hierarchy {
  static_assert(std::is_same_v<T, typename Semiring::value_type>,
                "apsp: the type of the weights must be the value type of the semiring");
  static_assert(!std::is_same_v<Semiring, or_and>,
                "apsp: reachability over or_and is computed by apsp::transitive_closure");

 public:
  using weight_type = T;
  using semiring_type = Semiring;

  /// No graph, for members and containers: no vertices, and a status of `not_run`. `customize`,
  /// calls with it in place of a graph, and `write_hierarchy` throw std::invalid_argument, also for
  /// a hierarchy that has been moved from. Another one can be assigned to it.
  contraction_hierarchy()
    requires std::default_initializable<Semiring>
  = default;

  /// Eliminates the vertices in an order that adds few arcs.
  /// @throws std::invalid_argument as `elimination` does.
  /// Under `cuda_*` the host eliminates as well, on all threads; calls with the hierarchy then
  /// sweep on the device.
  template <execution_policy Policy, graph Graph>
  contraction_hierarchy(const Policy& policy, const Graph& g, const Semiring& over = {})
      : over_(over), status_(detail::make_kept_hierarchy(policy, g, any_order, over_, kept_)) {}

  /// Eliminates the vertices in the order given, for example one made by METIS or KaHIP.
  /// @param order  every vertex of the graph once, the first to be eliminated first.
  /// @throws std::invalid_argument also if `order` is not that.
  template <execution_policy Policy, graph Graph, vertex_range<Graph> Order>
  contraction_hierarchy(const Policy& policy, const Graph& g, Order&& order,
                        const Semiring& over = {})
      : over_(over), status_(detail::make_kept_hierarchy(policy, g, order, over_, kept_)) {}

  /// Replaces the weights by those of @p g, and keeps the order and the structure.
  /// @param g  has the same number of vertices, and arcs only where the hierarchy has a place for
  ///           them: between vertices that had an arc in either direction, and others. Arcs that it
  ///           does not have are removed.
  /// @throws std::invalid_argument also if `g` has another number of vertices or other arcs; the
  ///         hierarchy is then unchanged.
  template <execution_policy Policy, graph Graph>
  const result& customize(const Policy& policy, const Graph& g) {
    detail::check_not_empty(kept_);
    status_ = detail::customize_kept_hierarchy(policy, g, over_, kept_);
    return status_;
  }

  /// Reports a negative cycle: calls then search the graph without a hierarchy, and report the
  /// cycle as well. Or reports that the preparation was stopped: the hierarchy then has no graph,
  /// and calls throw `std::invalid_argument` until `customize` has succeeded.
  const result& status() const noexcept { return status_; }
  explicit operator bool() const noexcept { return !is_empty() && static_cast<bool>(status_); }

  /// 0 if there is none, or if the preparation was stopped before the order was found.
  std::size_t num_vertices() const noexcept { return is_empty() ? 0 : kept_.tree->num_vertices(); }
  /// Arcs of the graph.
  std::size_t num_edges() const noexcept { return kept_.arcs.targets.size(); }
  /// Arcs that sweeps read, up and down; 0 if `status()` is false, or if rounding makes a cycle
  /// look negative.
  std::size_t num_arcs() const noexcept { return detail::count_hierarchy_arcs(kept_); }
  /// Pairs of vertices between which the elimination stores arcs, a measure of the order.
  std::size_t fill() const noexcept { return is_empty() ? 0 : kept_.tree->num_pairs(); }

 private:
  friend struct graph_adaptor<contraction_hierarchy>;
  static constexpr detail::every_vertex any_order{};

  bool is_empty() const noexcept { return kept_.tree == nullptr; }

  contraction_hierarchy(detail::kept_hierarchy<T, Semiring>&& kept, result&& status)
      : kept_(std::move(kept)), status_(std::move(status)) {}

  [[no_unique_address]] Semiring over_{};
  detail::kept_hierarchy<T, Semiring> kept_;
  result status_;
};

template <execution_policy Policy, graph Graph>
contraction_hierarchy(const Policy&, const Graph&) -> contraction_hierarchy<weight_type_t<Graph>>;
template <execution_policy Policy, graph Graph, vertex_range<Graph> Order>
contraction_hierarchy(const Policy&, const Graph&, Order&&)
    -> contraction_hierarchy<weight_type_t<Graph>>;
template <execution_policy Policy, graph Graph, semiring Semiring>
contraction_hierarchy(const Policy&, const Graph&, const Semiring&)
    -> contraction_hierarchy<typename Semiring::value_type, Semiring>;
template <execution_policy Policy, graph Graph, vertex_range<Graph> Order, semiring Semiring>
contraction_hierarchy(const Policy&, const Graph&, Order&&, const Semiring&)
    -> contraction_hierarchy<typename Semiring::value_type, Semiring>;

template <class T, class Semiring>
struct graph_adaptor<contraction_hierarchy<T, Semiring>> {
  using graph_type = contraction_hierarchy<T, Semiring>;
  using weight_type = T;

  static std::size_t num_vertices(const graph_type& g) { return g.num_vertices(); }
  static void validate(const graph_type& g) {
    if (g.status_.stopped()) {
      throw std::invalid_argument(
          "apsp: expected a hierarchy that has a graph, got one whose preparation was stopped");
    }
    detail::check_not_empty(g.kept_);
  }
  template <class F>
  static void for_each_edge(const graph_type& g, F f) {
    detail::for_each_arc_of(g.kept_.arcs.view(), f);
  }
  template <class F>
  static void for_each_out_edge(const graph_type& g, std::size_t u, F f) {
    const auto arcs = g.kept_.arcs.view();
    for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
      f(static_cast<std::size_t>(arcs.targets[a]), arcs.weights[a]);
    }
  }
  /// For the library: what calls do not have to prepare.
  static const detail::kept_hierarchy<T, Semiring>& kept(const graph_type& g) { return g.kept_; }
  /// For the library: a hierarchy from a file.
  static graph_type from_kept(detail::kept_hierarchy<T, Semiring>&& kept, result&& status) {
    return graph_type(std::move(kept), std::move(status));
  }
};

}  // namespace apsp::inline v1
