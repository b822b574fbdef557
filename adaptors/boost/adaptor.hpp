// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

// The common part of the adaptors for all graphs of the Boost Graph Library. It uses only two
// functions of Boost, which `boost_graph.hpp` calls.
namespace apsp::inline v1 {

/// The return type of `boost_graph`: a Boost graph with vertex numbers supplied by the caller.
template <class G, class IndexMap>
class boost_graph_view {
 public:
  template <class Graph>
  boost_graph_view(Graph&& g, IndexMap index_map, std::size_t n)
      : graph_(std::forward<Graph>(g)), index_map_(std::move(index_map)), num_vertices_(n) {}
  const std::remove_cvref_t<G>& graph() const noexcept { return graph_; }
  const IndexMap& index_map() const noexcept { return index_map_; }
  std::size_t num_vertices() const noexcept { return num_vertices_; }

 private:
  G graph_;
  IndexMap index_map_;
  std::size_t num_vertices_;
};

namespace detail::bgl {

// Free functions, because an adaptor's own num_vertices would hide that of the graph.
template <class G>
std::size_t vertex_count(const G& g);
template <class G, class F>
void for_each_vertex(const G& g, F f);

/// Integral descriptors are numbers already.
struct number_by_value {
  static constexpr bool needs_check = false;
  template <std::integral Vertex>
  std::size_t operator()(const Vertex& v) const {
    return static_cast<std::size_t>(v);
  }
};

/// Numbers vertices by their position in `vertices(g)`.
template <class Vertex>
class number_by_order {
 public:
  static constexpr bool needs_check = false;
  template <class G>
  explicit number_by_order(const G& g) {
    numbers_.reserve(vertex_count(g));
    for_each_vertex(g, [&](const Vertex& v) { numbers_.emplace(v, numbers_.size()); });
  }
  /// The largest std::size_t if @p v is not a vertex of the graph.
  std::size_t operator()(const Vertex& v) const {
    const auto found = numbers_.find(v);
    return found == numbers_.end() ? static_cast<std::size_t>(-1) : found->second;
  }

 private:
  std::unordered_map<Vertex, std::size_t> numbers_;
};

/// @throws std::invalid_argument if the numbers of the vertices of @p g are not distinct and below
///         n.
template <class G, class Number>
void check_numbers(const G& g, const Number& number, std::size_t n) {
  std::vector<bool> taken(n, false);
  for_each_vertex(g, [&](const auto& v) {
    const std::size_t i = number(v);
    if (i >= n || taken[i]) {
      throw std::invalid_argument(
          "apsp: the vertex indices of a Boost graph must be distinct and less than " +
          std::to_string(n));
    }
    taken[i] = true;
  });
}

/// @tparam Access  how a Graph is read: the Boost graph in it, its vertex numbers, its model and
///                 its edge weights.
template <class Graph, class Access>
struct adaptor {
  using model = typename Access::model_type;
  using weight_type = typename Access::weight_type;
  using edge_type = typename Access::edge_type;
  using vertex_type = typename Access::vertex_type;

  // Several threads may concurrently read data stored in the graph itself; user code may not be
  // thread-safe.
  static constexpr bool reads_by_vertex =
      model::reads_by_vertex &&
      std::is_same_v<decltype(Access::numbers(std::declval<const Graph&>())), number_by_value>;

  static std::size_t num_vertices(const Graph& g) { return Access::num_vertices(g); }
  static void validate(const Graph& g) { Access::check(g); }
  static auto vertex_numbers(const Graph& g) { return Access::numbers(g); }
  static auto vertices_by_number(const Graph& g) { return Access::vertices(g); }

  template <class F>
  static void for_each_arc(const Graph& g, F f) {
    const auto number = Access::numbers(g);
    model::for_each_arc(Access::graph(g), [&](const auto& u, const auto& v, const edge_type& e) {
      f(number(u), number(v), e);
    });
  }
  template <class W>
    requires(Access::template gives_weights<W>)
  static decltype(auto) weight_of(const Graph& g, const W& w, const edge_type& e) {
    return Access::weight_of(Access::graph(g), w, e);
  }

  template <class F>
  static void for_each_edge(const Graph& g, F f)
    requires(!std::is_void_v<weight_type>)
  {
    for_each_arc(g, [&](std::size_t u, std::size_t v, const edge_type& e) {
      f(u, v, model::own_weight(Access::graph(g), e));
    });
  }
  template <class F>
  static void for_each_out_edge(const Graph& g, std::size_t u, F f)
    requires(reads_by_vertex && !std::is_void_v<weight_type>)
  {
    const auto& graph = Access::graph(g);
    model::for_each_out_arc(graph, static_cast<vertex_type>(u),
                            [&](const auto& v, const edge_type& e) {
                              f(static_cast<std::size_t>(v), model::own_weight(graph, e));
                            });
  }
  template <class W, class F>
  static void for_each_out_edge(const Graph& g, const W& w, std::size_t u, F f)
    requires(reads_by_vertex && Access::template holds_weights<W>)
  {
    const auto& graph = Access::graph(g);
    model::for_each_out_arc(graph, static_cast<vertex_type>(u),
                            [&](const auto& v, const edge_type& e) {
                              f(static_cast<std::size_t>(v), Access::weight_of(graph, w, e));
                            });
  }

  /// True if `vertices(g)` may omit numbers below `num_vertices(g)`.
  static constexpr bool hides_vertices = model::hides_vertices;
  /// The numbers of `vertices(g)`, in that order.
  static std::vector<std::size_t> visible_vertices(const Graph& g) {
    std::vector<std::size_t> visible;
    const auto number = Access::numbers(g);
    for_each_vertex(Access::graph(g), [&](const auto& v) { visible.push_back(number(v)); });
    return visible;
  }
};

}  // namespace detail::bgl

}  // namespace apsp::inline v1
