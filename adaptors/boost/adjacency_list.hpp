// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/graph/adjacency_list.hpp>

#include "../../apsp/graph.hpp"
#include "graph.hpp"
#include "names.hpp"

namespace boost::graph::apsp_names {
template <class OEL, class VL, class D, class VP, class EP, class GP, class EL>
using adjacency_list = adjacency_list<OEL, VL, D, VP, EP, GP, EL>;
}  // namespace boost::graph::apsp_names

namespace apsp::inline v1 {

namespace detail::bgl {

template <class OEL, class VL, class D, class VP, class EP, class GP, class EL>
struct model<names::adjacency_list<OEL, VL, D, VP, EP, GP, EL>>
    : incidence_model<names::adjacency_list<OEL, VL, D, VP, EP, GP, EL>, EP> {};

}  // namespace detail::bgl

template <class OEL, class VL, class D, class VP, class EP, class GP, class EL>
struct graph_adaptor<detail::bgl::names::adjacency_list<OEL, VL, D, VP, EP, GP, EL>>
    : detail::bgl::own_adaptor<detail::bgl::names::adjacency_list<OEL, VL, D, VP, EP, GP, EL>> {};

}  // namespace apsp::inline v1
