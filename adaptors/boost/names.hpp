// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>

// Names of the Boost Graph Library, which moves from namespace boost to boost::graph in steps. All
// of the library's code takes them from here, so that it compiles with versions of Boost that have
// them in either namespace or in both.

// An unqualified name in this namespace is looked up in boost::graph first and then in boost. The
// header of each graph class adds its name.
namespace boost::graph::apsp_names {

template <class G>
using graph_traits = graph_traits<G>;
template <class G, class Tag>
using property_map = property_map<G, Tag>;
template <class Properties, class Tag>
using lookup_one_property = lookup_one_property<Properties, Tag>;

using edge_list_graph_tag = edge_list_graph_tag;
using edge_weight_t = edge_weight_t;
using incidence_graph_tag = incidence_graph_tag;
using no_property = no_property;
using undirected_tag = undirected_tag;
using vertex_index_t = vertex_index_t;
using vertex_list_graph_tag = vertex_list_graph_tag;

}  // namespace boost::graph::apsp_names

namespace apsp::inline v1::detail::bgl {

namespace names = boost::graph::apsp_names;

// So that the using-declarations below are valid before any graph class is declared.
namespace always_declared {
void edge();
void edges();
void num_vertices();
void out_edges();
void source();
void target();
void vertices();
}  // namespace always_declared

/// The functions of models in both namespaces. `using functions::vertices; vertices(g)` finds them
/// there, as Boost's own algorithms do, or by argument-dependent lookup.
namespace functions {
using namespace boost;
using namespace boost::graph;
using namespace always_declared;
}  // namespace functions

}  // namespace apsp::inline v1::detail::bgl
