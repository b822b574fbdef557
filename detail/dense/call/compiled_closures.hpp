// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include "../../../apsp/config.hpp"
#include "../../../apsp/matrix_traits.hpp"
#include "../../../apsp/result.hpp"
#include "../../call/backend.hpp"
#include "../../call/request.hpp"
#include "../../graph/erased_graph.hpp"
#include "../../values/weight.hpp"
#include "../../values/weight_types.hpp"
#include "../problem/matrix_source.hpp"
#include "../problem/problem.hpp"
#include "closure_call.hpp"
#include "host_matrices.hpp"

// Closures over sums that are compiled into the library: those of its weight types, for results in
// host memory and any graph but a dense one. One instance serves all types of graphs and matrices.
// A program that calls them compiles only how its graph is read and its matrices are written.
namespace apsp::inline v1::detail {

/// Where the results of a compiled closure are stored.
template <class Backend, class T>
using compiled_place = host_matrices<Backend, T, true>;

/// `close_distances`, compiled into the library. The template arguments are no types of the
/// library: those are hidden in a shared library, and so would be the functions.
template <class T>
APSP_EXPORT result close_compiled(const compiled_place<host_backend, T>& place,
                                  const closure_kind& kind, const erased_graph<T>& g,
                                  const request& wanted, const weight_range<T>& weights) {
  return close_distances(place, kind, g, wanted, weights);
}
template <class T>
APSP_EXPORT result close_compiled(const compiled_place<cuda_backend, T>& place,
                                  const closure_kind& kind, const erased_graph<T>& g,
                                  const request& wanted, const weight_range<T>& weights) {
  return close_distances(place, kind, g, wanted, weights);
}

#define APSP_CLOSE_COMPILED(BACKEND, T)                                                  \
  template result close_compiled(const compiled_place<BACKEND, T>&, const closure_kind&, \
                                 const erased_graph<T>&, const request&, const weight_range<T>&);
#define APSP_EXTERN_HOST_CLOSURES(T) extern APSP_CLOSE_COMPILED(host_backend, T)
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_HOST_CLOSURES)
#ifndef APSP_WITHOUT_CUDA
#define APSP_EXTERN_CUDA_CLOSURES(T) extern APSP_CLOSE_COMPILED(cuda_backend, T)
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_CUDA_CLOSURES)
#undef APSP_EXTERN_CUDA_CLOSURES
#endif
#undef APSP_EXTERN_HOST_CLOSURES

template <class Graph>
inline constexpr bool is_erased_graph = false;
template <class T>
inline constexpr bool is_erased_graph<erased_graph<T>> = true;

/// Where the results of `close_on_host` are stored.
template <class Graph, class Backend, class D, class P>
auto place_on_host(const Backend& backend, D& distances, P& predecessors) {
  using T = matrix_value_t<D>;
  using erased_type = std::remove_cvref_t<decltype(erase_graph<T>(std::declval<const Graph&>()))>;
  if constexpr (has_compiled_kernels<T> && is_erased_graph<erased_type>) {
    return compiled_place<Backend, T>(backend, distances, predecessors);
  } else {
    return host_matrices(backend, distances, predecessors);
  }
}

/// `close_distances` for results in host memory.
/// @param place  from `place_on_host`
template <class Place, class Graph, class T = typename Place::value_type>
result close_on_host(const Place& place, const closure_kind& kind, const Graph& g,
                     const request& wanted, const weight_range<T>& weights) {
  const auto& erased = erase_graph<T>(g);
  if constexpr (has_compiled_kernels<T> && is_erased_graph<std::remove_cvref_t<decltype(erased)>>) {
    return close_compiled(place, kind, erased, wanted, weights);
  } else {
    return close_distances(place, kind, erased, wanted, weights);
  }
}

}  // namespace apsp::inline v1::detail
