// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/graph/relax.hpp>
#include <boost/graph/vector_as_graph.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/property_map/property_map.hpp>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

// A stand-in for a later version of Boost, whose graph library has moved from namespace boost to
// boost::graph. What it defines differs from what namespace boost still has by the same names.
// Include it before the library's headers, which must find all of it in boost::graph.
namespace boost::graph {

enum edge_weight_t { edge_weight };
enum vertex_index_t { vertex_index };

struct undirected_tag {};
struct directed_tag {};
struct vertex_list_graph_tag {};
struct edge_list_graph_tag {};
struct incidence_graph_tag {};
struct no_property {};

template <class G>
struct graph_traits {
  using vertex_descriptor = typename G::vertex_descriptor;
  using edge_descriptor = typename G::edge_descriptor;
  using directed_category = typename G::directed_category;
  using traversal_category = typename G::traversal_category;
};

template <class Properties, class Tag>
struct lookup_one_property {
  using type = void;
};
template <class Tag, class T, class Base>
struct lookup_one_property<boost::property<Tag, T, Base>, Tag> {
  using type = T;
};

template <class G, class Tag>
struct property_map {
  using type = typename G::weight_map;
  using const_type = type;
};

template <class T>
struct closed_plus {
  explicit closed_plus(T infinity) : inf(infinity) {}
  T operator()(T a, T b) const { return a == inf || b == inf ? inf : a + b; }
  T inf;
};

// Directed, with vertices numbered from 0, and an interior weight of type int.
template <class OutEdges, class Vertices, class Directed, class VertexProperty, class EdgeProperty,
          class GraphProperty, class EdgeList>
class adjacency_list {
 public:
  using vertex_descriptor = std::size_t;
  struct edge_descriptor {
    std::size_t from;
    std::size_t to;
    int weight;
  };
  using directed_category = directed_tag;
  struct traversal_category : vertex_list_graph_tag, incidence_graph_tag {};
  using vertex_property_type = VertexProperty;
  using edge_property_type = EdgeProperty;
  struct weight_map {
    using key_type = edge_descriptor;
    using value_type = int;
    using reference = int;
    using category = boost::readable_property_map_tag;
  };

  std::vector<std::vector<edge_descriptor>> out_edges;
};

template <class... P>
auto num_vertices(const adjacency_list<P...>& g) {
  return g.out_edges.size();
}
template <class... P>
auto vertices(const adjacency_list<P...>& g) {
  return std::pair(boost::counting_iterator<std::size_t>(0),
                   boost::counting_iterator<std::size_t>(g.out_edges.size()));
}
template <class... P>
auto out_edges(std::size_t u, const adjacency_list<P...>& g) {
  return std::pair(g.out_edges[u].begin(), g.out_edges[u].end());
}
template <class... P>
auto target(const typename adjacency_list<P...>::edge_descriptor& e, const adjacency_list<P...>&) {
  return e.to;
}
template <class... P>
auto get(edge_weight_t, const adjacency_list<P...>&) {
  return typename adjacency_list<P...>::weight_map{};
}
template <class... P>
int get(edge_weight_t, const adjacency_list<P...>&,
        const typename adjacency_list<P...>::edge_descriptor& e) {
  return e.weight;
}
template <class Map>
int get(const Map&, const typename Map::key_type& e) {
  return e.weight;
}

// A graph whose type has nothing to do with Boost: argument-dependent lookup does not find its
// functions.
using edge_deque = std::deque<std::array<int, 2>>;

template <>
struct graph_traits<edge_deque> {
  using vertex_descriptor = int;
  using edge_descriptor = std::array<int, 2>;
  using directed_category = directed_tag;
  struct traversal_category : vertex_list_graph_tag, edge_list_graph_tag {};
};

inline int num_vertices(const edge_deque& g) {
  int n = 0;
  for (const auto& e : g) n = std::max({n, e[0] + 1, e[1] + 1});
  return n;
}
inline auto vertices(const edge_deque& g) {
  return std::pair(boost::counting_iterator<int>(0),
                   boost::counting_iterator<int>(num_vertices(g)));
}
inline auto edges(const edge_deque& g) {
  return std::pair(g.begin(), g.end());
}
inline int source(const std::array<int, 2>& e, const edge_deque&) {
  return e[0];
}
inline int target(const std::array<int, 2>& e, const edge_deque&) {
  return e[1];
}

}  // namespace boost::graph
