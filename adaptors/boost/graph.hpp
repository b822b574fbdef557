// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/graph/vector_as_graph.hpp>  // before its functions are called: see vertex_count
#include <boost/iterator/counting_iterator.hpp>
#include <boost/property_map/property_map.hpp>
#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/graph.hpp"
#include "../weighted.hpp"
#include "adaptor.hpp"
#include "names.hpp"

// The common part of the adaptors for the graphs of the Boost Graph Library (BGL), and
// `boost_graph`, which adapts any model. Each class template is adapted by name in a header of its
// own, because applying boost::graph_traits to an arbitrary type is a hard error.
namespace apsp::inline v1 {

namespace detail::bgl {

template <class G>
using vertex_of = typename names::graph_traits<G>::vertex_descriptor;
template <class G>
using edge_of = typename names::graph_traits<G>::edge_descriptor;

template <class G, class Tag>
inline constexpr bool is_traversed_as =
    std::is_convertible_v<typename names::graph_traits<G>::traversal_category, Tag>;
template <class G>
inline constexpr bool is_undirected =
    std::is_convertible_v<typename names::graph_traits<G>::directed_category,
                          names::undirected_tag>;

// The type of property Tag in a list of interior properties, or void.
template <class Properties, class Tag>
using property_t = typename names::lookup_one_property<Properties, Tag>::type;

// --- Vertices ------------------------------------------------------------------------------------

// The functions of a model are found by argument-dependent lookup or, as in Boost's own algorithms,
// in Boost's namespaces; those of std::vector<std::list<int>>, for example, are only there.
template <class G>
std::size_t vertex_count(const G& g) {
  using functions::num_vertices;
  return static_cast<std::size_t>(num_vertices(g));
}
template <class G, class F>
void for_each_vertex(const G& g, F f) {
  using functions::vertices;
  const auto range = vertices(g);
  for (auto v = range.first; v != range.second; ++v) f(*v);
}

// --- Arcs, by descriptor -------------------------------------------------------------------------

// Interior properties, if the graph itself stores them.
template <class G, class EdgeProperty>
struct stored_properties {
  using edge_property = EdgeProperty;
  static decltype(auto) own_weight(const G& g, const edge_of<G>& e) {
    return get(names::edge_weight_t{}, g, e);
  }
  static decltype(auto) bundle(const G& g, const edge_of<G>& e) { return g[e]; }
};

// boost::edge_property_type, but not an error for a graph without one.
template <class G>
struct edge_properties {
  using type = names::no_property;
};
template <class G>
  requires requires { typename G::edge_property_type; }
struct edge_properties<G> {
  using type = typename G::edge_property_type;
};

/// How the library reads a BGL model: how to traverse its arcs and where to find its properties.
/// This template works for any model; the specialisations below are faster, or support a graph that
/// wraps another graph.
template <class G>
struct model : stored_properties<G, typename edge_properties<G>::type> {
  static constexpr bool reads_by_vertex = false;  ///< True if there is a `for_each_out_arc`.
  static constexpr bool hides_vertices =
      false;  ///< True if `vertices(g)` may hold fewer than n vertices.

  template <class F>
  static void for_each_arc(const G& g, F f) {
    using functions::source;
    using functions::target;
    if constexpr (is_traversed_as<G, names::edge_list_graph_tag>) {
      using functions::edges;
      const auto range = edges(g);
      for (auto i = range.first; i != range.second; ++i) {
        const edge_of<G> e = *i;
        const vertex_of<G> u = source(e, g);
        const vertex_of<G> v = target(e, g);
        f(u, v, e);
        if constexpr (is_undirected<G>) f(v, u, e);
      }
    } else {
      using functions::out_edges;
      for_each_vertex(g, [&](const vertex_of<G>& u) {
        const auto range = out_edges(u, g);
        for (auto i = range.first; i != range.second; ++i) {
          const edge_of<G> e = *i;
          f(u, target(e, g), e);
        }
      });
    }
  }
};

// A graph whose out-edges are stored with their source. An undirected edge is stored at both ends.
template <class G, class EdgeProperty>
struct incidence_model : stored_properties<G, EdgeProperty> {
  static constexpr bool reads_by_vertex = true;
  static constexpr bool hides_vertices = false;

  template <class F>
  static void for_each_out_arc(const G& g, const vertex_of<G>& u, F f) {
    const auto range = out_edges(u, g);
    for (auto i = range.first; i != range.second; ++i) {
      const edge_of<G> e = *i;
      f(target(e, g), e);
    }
  }
  template <class F>
  static void for_each_arc(const G& g, F f) {
    for_each_vertex(g, [&](const vertex_of<G>& u) {
      for_each_out_arc(g, u, [&](const auto& v, const auto& e) { f(u, v, e); });
    });
  }
};

// --- Numbers of vertices -------------------------------------------------------------------------

template <class IndexMap>
struct number_by_map {
  static constexpr bool needs_check = true;
  IndexMap map;
  template <std::convertible_to<typename boost::property_traits<IndexMap>::key_type> Vertex>
  std::size_t operator()(const Vertex& v) const {
    if constexpr (std::is_pointer_v<IndexMap>) {
      return static_cast<std::size_t>(map[v]);
    } else {
      return static_cast<std::size_t>(get(map, v));
    }
  }
};

template <class G>
constexpr bool has_own_index =
    !std::is_void_v<property_t<typename G::vertex_property_type, names::vertex_index_t>>;

template <class G>
auto own_numbers(const G& g) {
  using vertex = vertex_of<G>;
  if constexpr (requires { model<G>::base(g); }) {
    return own_numbers(model<G>::base(g));
  } else if constexpr (std::is_integral_v<vertex>) {
    return number_by_value{};
  } else if constexpr (has_own_index<G>) {
    const auto map = get(names::vertex_index_t{}, g);
    return number_by_map<std::remove_const_t<decltype(map)>>{map};
  } else {
    return number_by_order<vertex>(g);
  }
}

// A filtered or reversed graph keeps the numbers of the underlying graph, including hidden
// vertices.
template <class G>
void check_own_numbers(const G& g) {
  if constexpr (requires { model<G>::base(g); }) {
    check_own_numbers(model<G>::base(g));
  } else if constexpr (decltype(own_numbers(g))::needs_check) {
    check_numbers(g, own_numbers(g), vertex_count(g));
  }
}

// --- Vertices by their numbers -------------------------------------------------------------------

// The vertices of a graph whose descriptors are their numbers.
template <class Vertex>
class integral_vertices {
 public:
  // Not that of std::views::iota: its differences may have 128 bits.
  using iterator = boost::counting_iterator<Vertex>;

  explicit integral_vertices(std::size_t n) : n_(n) {}
  Vertex operator[](std::size_t i) const { return static_cast<Vertex>(i); }
  std::size_t size() const { return n_; }
  iterator begin() const { return iterator(Vertex{}); }
  iterator end() const { return iterator(static_cast<Vertex>(n_)); }

 private:
  std::size_t n_;
};

// The vertices 0, ..., n - 1 in the numbering @p number; the null vertex for a number without one.
template <class G, class Number>
std::vector<vertex_of<G>> vertices_in_order(const G& g, const Number& number, std::size_t n) {
  check_numbers(g, number, n);
  std::vector<vertex_of<G>> vertices;
  if constexpr (requires { names::graph_traits<G>::null_vertex(); }) {
    vertices.assign(n, names::graph_traits<G>::null_vertex());
  } else {
    vertices.resize(n);
  }
  for_each_vertex(g, [&](const vertex_of<G>& v) { vertices[number(v)] = v; });
  return vertices;
}

template <class G>
auto own_vertices(const G& g) {
  using vertex = vertex_of<G>;
  if constexpr (requires { model<G>::base(g); }) {
    return own_vertices(model<G>::base(g));
  } else if constexpr (std::is_integral_v<vertex>) {
    return integral_vertices<vertex>(vertex_count(g));
  } else if constexpr (has_own_index<G>) {
    return vertices_in_order(g, own_numbers(g), vertex_count(g));
  } else {
    std::vector<vertex> vertices;
    vertices.reserve(vertex_count(g));
    for_each_vertex(g, [&](const vertex& v) { vertices.push_back(v); });
    return vertices;
  }
}

// --- How the adaptor reads a graph ---------------------------------------------------------------

template <class G, class W>
concept member_of_bundle =
    std::is_member_pointer_v<W> && requires(const G& g, const edge_of<G>& e, const W& w) {
      std::invoke(w, model<G>::bundle(g, e));
    };
template <class G, class W>
concept map_of_edges =
    !std::is_member_pointer_v<W> && requires(const W& w, const edge_of<G>& e) { get(w, e); };

template <class G>
struct access_base {
  using graph_type = G;
  using model_type = model<G>;
  using vertex_type = vertex_of<G>;
  using edge_type = edge_of<G>;
  using weight_type =
      std::remove_cv_t<property_t<typename model_type::edge_property, names::edge_weight_t>>;

  template <class W>
  static constexpr bool gives_weights = member_of_bundle<G, W> || map_of_edges<G, W>;

  template <class W>
  static constexpr bool is_own_map() {
    if constexpr (std::is_void_v<weight_type>) {
      return false;
    } else {
      using maps = names::property_map<G, names::edge_weight_t>;
      return std::is_same_v<W, typename maps::type> || std::is_same_v<W, typename maps::const_type>;
    }
  }
  // A member function is user code.
  template <class W>
  static constexpr bool holds_weights =
      (member_of_bundle<G, W> && std::is_member_object_pointer_v<W>) || is_own_map<W>();

  template <class W>
  static decltype(auto) weight_of(const G& g, const W& w, const edge_type& e) {
    if constexpr (std::is_member_pointer_v<W>) {
      return std::invoke(w, model_type::bundle(g, e));
    } else {
      return get(w, e);
    }
  }
};

// How a graph with its own vertex numbers is read.
template <class G>
struct own_access : access_base<G> {
  static const G& graph(const G& g) { return g; }
  static auto numbers(const G& g) { return own_numbers(g); }
  static std::size_t num_vertices(const G& g) { return vertex_count(g); }
  static void check(const G& g) { check_own_numbers(g); }
  static auto vertices(const G& g) { return own_vertices(g); }
};

template <class G>
using own_adaptor = adaptor<G, own_access<G>>;

}  // namespace detail::bgl

namespace detail::bgl {

// How a graph with user-defined vertex numbers is read.
template <class G, class IndexMap>
struct view_access : access_base<std::remove_cvref_t<G>> {
  using view = boost_graph_view<G, IndexMap>;
  static const std::remove_cvref_t<G>& graph(const view& g) { return g.graph(); }
  static auto numbers(const view& g) { return number_by_map<IndexMap>{g.index_map()}; }
  static std::size_t num_vertices(const view& g) { return g.num_vertices(); }
  static void check(const view& g) { check_numbers(g.graph(), numbers(g), g.num_vertices()); }
  static auto vertices(const view& g) {
    return vertices_in_order(g.graph(), numbers(g), g.num_vertices());
  }
};

template <class G>
constexpr bool can_be_walked() {
  // graph_traits of other types would be a hard error.
  if constexpr (std::is_class_v<G>) {
    if constexpr (requires { typename names::graph_traits<G>::traversal_category; }) {
      return is_traversed_as<G, names::vertex_list_graph_tag> &&
             (is_traversed_as<G, names::edge_list_graph_tag> ||
              is_traversed_as<G, names::incidence_graph_tag>);
    }
  }
  return false;
}

template <class Map>
concept index_map =
    std::is_convertible_v<typename boost::property_traits<Map>::value_type, std::size_t>;

}  // namespace detail::bgl

template <class G, class IndexMap>
struct graph_adaptor<boost_graph_view<G, IndexMap>>
    : detail::bgl::adaptor<boost_graph_view<G, IndexMap>, detail::bgl::view_access<G, IndexMap>> {};

/// Any model of Boost's VertexListGraph and of EdgeListGraph or IncidenceGraph, as a graph whose
/// vertices are numbered by @p index_map.
///
/// The class templates above need it only if their own vertex numbers are to be replaced.
/// @param g          kept by reference, unless it is a temporary.
/// @param index_map  a readable property map from vertex descriptors to 0, ..., n - 1. The
///                   algorithms check the numbers and throw std::invalid_argument if they are out
///                   of range or not distinct.
/// @param n          the number of vertices; fewer than `num_vertices(g)` if a filtered graph is
///                   numbered without its hidden vertices.
template <class G, class IndexMap>
auto boost_graph(G&& g, IndexMap index_map, std::size_t n) {
  static_assert(detail::bgl::can_be_walked<std::remove_cvref_t<G>>(),
                "apsp::boost_graph: the first argument is not a VertexListGraph with EdgeListGraph "
                "or IncidenceGraph");
  static_assert(detail::bgl::index_map<IndexMap>,
                "apsp::boost_graph: the second argument is not a property map of integers");
  return boost_graph_view<detail::kept_graph_t<G>, IndexMap>(std::forward<G>(g),
                                                             std::move(index_map), n);
}
template <class G, class IndexMap>
auto boost_graph(G&& g, IndexMap index_map) {
  const std::size_t n = detail::bgl::vertex_count(g);
  return boost_graph(std::forward<G>(g), std::move(index_map), n);
}

}  // namespace apsp::inline v1
