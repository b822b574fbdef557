// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>

#include "../../../../apsp/config.hpp"
#include "../../../graph/adjacency.hpp"
#include "../../../host/monitor.hpp"

namespace apsp::inline v1::detail::host {

/// An upper bound of all distances of a graph without negative weights if it is below
/// @p unreachable; nothing otherwise, or if @p watch requested a stop.
///
/// Every strongly connected component has a root h, one of its vertices. Let `in` be the largest
/// distance from a vertex of the component to h, and `out` the largest one from h to a vertex of
/// the component. Every vertex that is reachable from the component is reachable from h. So
/// distances from a vertex of the component are at most `in` + `reach`, where `reach` bounds the
/// distances from h. For vertices of the component `reach` is `out`. A path to any other vertex
/// first enters an adjacent component D, by an arc from u to some v in D. The root of D is then at
/// most d(h, u) + w(u, v) + d(v, root of D) from h; the smallest such sum counts. The vertices
/// reachable from D are at most `reach` of D farther. If all vertices are in one component, the
/// bound is at most twice the longest distance.
///
/// @param arcs         without arcs of unreachable weight; weights of @p unreachable or more are
/// stored as @p unreachable.
/// @param unreachable  the sum of two such values does not wrap.
/// Complexity: O((n + m) log n): the components, and inside the components one search by Dijkstra's
/// algorithm from the roots and one to them. Memory for n vertices and for the reversed arcs.
template <class C>
APSP_EXPORT std::optional<C> bound_distances(const adjacency_view<C>& arcs, const C& unreachable,
                                             const monitor& watch);

extern template std::optional<std::int32_t> bound_distances(const adjacency_view<std::int32_t>&,
                                                            const std::int32_t&, const monitor&);
extern template std::optional<std::int64_t> bound_distances(const adjacency_view<std::int64_t>&,
                                                            const std::int64_t&, const monitor&);

}  // namespace apsp::inline v1::detail::host
