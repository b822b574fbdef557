// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>

#include "../../../apsp/config.hpp"
#include "../../graph/adjacency.hpp"
#include "../../host/monitor.hpp"

namespace apsp::detail::host {

/// An upper bound of all distances of a graph without negative weights, if it is below
/// @p unreachable, and nothing otherwise, or if @p watch asked for a stop.
///
/// Every strongly connected component has a root h, one of its vertices. Inside the component no
/// vertex is farther than `in` to h, and none farther than `out` from h. All that a vertex reaches
/// is reached from the root of its component, too, so the longest distance from a vertex of the
/// component is at most `in` + `reach`, where `reach` bounds the distances from h. It is `out` for
/// vertices of the component. A path to any other vertex first goes on to a component D next to it.
/// There is an arc from u to some v of D, so the root of D is at most d(h, u) + w(u, v) + d(v, root
/// of D) from h, of which the least counts, and what is reached from there is at most `reach` of D
/// farther. Where all vertices are in one component, the bound is at most twice the longest
/// distance.
///
/// @param arcs         without those of unreachable weight; weights of @p unreachable or more are
///                     held as @p unreachable.
/// @param unreachable  no sum of two of it wraps.
/// Complexity: O((n + m) log n): the components, and one search by Dijkstra's algorithm from the
/// roots and one to them inside the components. Memory for n vertices and for the arcs turned round.
template <class C>
APSP_EXPORT std::optional<C> bound_distances(const adjacency_view<C>& arcs, const C& unreachable,
                                             const monitor& watch);

extern template std::optional<std::int32_t> bound_distances(const adjacency_view<std::int32_t>&,
                                                            const std::int32_t&, const monitor&);
extern template std::optional<std::int64_t> bound_distances(const adjacency_view<std::int64_t>&,
                                                            const std::int64_t&, const monitor&);

}  // namespace apsp::detail::host
