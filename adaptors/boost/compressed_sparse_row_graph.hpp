// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>

#include "../../apsp/graph.hpp"
#include "graph.hpp"

namespace apsp {

namespace detail::bgl {

template <class D, class VP, class EP, class GP, class V, class EI>
struct model<boost::compressed_sparse_row_graph<D, VP, EP, GP, V, EI>>
    : incidence_model<boost::compressed_sparse_row_graph<D, VP, EP, GP, V, EI>, EP> {};

}  // namespace detail::bgl

template <class D, class VP, class EP, class GP, class V, class EI>
struct graph_adaptor<boost::compressed_sparse_row_graph<D, VP, EP, GP, V, EI>>
    : detail::bgl::own_adaptor<boost::compressed_sparse_row_graph<D, VP, EP, GP, V, EI>> {};

}  // namespace apsp
