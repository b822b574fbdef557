// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/graph/adjacency_list.hpp>

#include "../../apsp/graph.hpp"
#include "graph.hpp"

namespace apsp {

namespace detail::bgl {

template <class OEL, class VL, class D, class VP, class EP, class GP, class EL>
struct model<boost::adjacency_list<OEL, VL, D, VP, EP, GP, EL>>
    : incidence_model<boost::adjacency_list<OEL, VL, D, VP, EP, GP, EL>, EP> {};

}  // namespace detail::bgl

template <class OEL, class VL, class D, class VP, class EP, class GP, class EL>
struct graph_adaptor<boost::adjacency_list<OEL, VL, D, VP, EP, GP, EL>>
    : detail::bgl::own_adaptor<boost::adjacency_list<OEL, VL, D, VP, EP, GP, EL>> {};

}  // namespace apsp
