// SPDX-License-Identifier: BSL-1.0
#pragma once

// Boost deprecates named parameters. The functions with a policy take them as long as they exist;
// define this macro to compile without them.
#if !defined(APSP_WITHOUT_BOOST_NAMED_PARAMETERS) && \
    !__has_include(<boost/graph/named_function_params.hpp>)
#define APSP_WITHOUT_BOOST_NAMED_PARAMETERS
#endif

#ifndef APSP_WITHOUT_BOOST_NAMED_PARAMETERS
#include <boost/graph/named_function_params.hpp>
#endif
#include <boost/graph/properties.hpp>
#include <boost/graph/relax.hpp>
#include <boost/property_map/property_map.hpp>
#include <type_traits>

#include "graph.hpp"
#include "names.hpp"

namespace boost::graph::apsp_names {

template <class T>
using closed_plus = closed_plus<T>;

#ifndef APSP_WITHOUT_BOOST_NAMED_PARAMETERS
template <class P, class T, class R>
using bgl_named_params = bgl_named_params<P, T, R>;

using distance_combine_t = distance_combine_t;
using distance_compare_t = distance_compare_t;
using distance_inf_t = distance_inf_t;
using distance_zero_t = distance_zero_t;
using edge_centrality_t = edge_centrality_t;
using param_not_found = param_not_found;
using vertex_centrality_t = vertex_centrality_t;
#endif

}  // namespace boost::graph::apsp_names

namespace apsp::inline v1::detail::bgl {

template <class X>
inline constexpr bool is_named_parameters = false;

/// A positional parameter: anything but Boost's named parameters.
template <class X>
concept positional = !is_named_parameters<X>;

/// True for a graph class of Boost, or a result of `boost_graph`, whose edges have no direction.
template <class G>
inline constexpr bool has_undirected_edges = is_undirected<G>;
template <class G, class IndexMap>
inline constexpr bool has_undirected_edges<boost_graph_view<G, IndexMap>> =
    is_undirected<std::remove_cvref_t<G>>;

/// In place of a property map whose values are not wanted.
using no_map = boost::dummy_property_map;

template <class Map>
using value_of_map = typename boost::property_traits<Map>::value_type;

// The functions of a property map are found by argument-dependent lookup; those of pointers are in
// Boost's namespace.
template <class Map, class Key>
void put_value(const Map& map, const Key& key, const value_of_map<Map>& value) {
  using boost::put;
  put(map, key, value);
}
template <class Map, class Key>
void add_value(const Map& map, const Key& key, const value_of_map<Map>& value) {
  using boost::get;
  put_value(map, key, get(map, key) + value);
}

#ifndef APSP_WITHOUT_BOOST_NAMED_PARAMETERS
template <class P, class T, class R>
inline constexpr bool is_named_parameters<names::bgl_named_params<P, T, R>> = true;

/// The named parameter @p tag, or else @p make_default().
template <class Parameters, class Tag, class F>
auto parameter_or(const Parameters& given, Tag tag, F make_default) {
  const auto value = get_param(given, tag);
  if constexpr (std::is_same_v<decltype(value), const names::param_not_found>) {
    return make_default();
  } else {
    return value;
  }
}
#endif

}  // namespace apsp::inline v1::detail::bgl
