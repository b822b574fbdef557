// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>

#include "../../apsp/graph.hpp"
#include "graph.hpp"
#include "names.hpp"

namespace boost::graph::apsp_names {
template <class D, class VP, class EP, class GP, class V, class EI>
using compressed_sparse_row_graph = compressed_sparse_row_graph<D, VP, EP, GP, V, EI>;
}  // namespace boost::graph::apsp_names

namespace apsp::inline v1 {

namespace detail::bgl {

template <class D, class VP, class EP, class GP, class V, class EI>
struct model<names::compressed_sparse_row_graph<D, VP, EP, GP, V, EI>>
    : incidence_model<names::compressed_sparse_row_graph<D, VP, EP, GP, V, EI>, EP> {};

}  // namespace detail::bgl

template <class D, class VP, class EP, class GP, class V, class EI>
struct graph_adaptor<detail::bgl::names::compressed_sparse_row_graph<D, VP, EP, GP, V, EI>>
    : detail::bgl::own_adaptor<
          detail::bgl::names::compressed_sparse_row_graph<D, VP, EP, GP, V, EI>> {};

}  // namespace apsp::inline v1
