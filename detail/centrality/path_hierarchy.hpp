// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../../apsp/config.hpp"
#include "../elimination/elimination_tree.hpp"
#include "../elimination/hierarchy.hpp"
#include "../graph/adjacency.hpp"
#include "../host/monitor.hpp"
#include "path_arcs.hpp"

// All shortest paths of a graph in the form of a hierarchy.
namespace apsp::inline v1::detail {

/// Arcs between places and their ancestors.
struct path_arc_lists {
  std::vector<std::int64_t> offsets;  ///< By place.
  std::vector<path_arc> arcs;         ///< Those of a place ascend by depth.

  std::span<path_arc> of(std::int32_t place) {
    const auto p = static_cast<std::size_t>(place);
    const auto begin = static_cast<std::size_t>(offsets[p]);
    return std::span(arcs).subspan(begin, static_cast<std::size_t>(offsets[p + 1]) - begin);
  }
};

/// A graph in which every shortest path of another graph is replaced by exactly one that first
/// leads up the elimination tree, from ancestor to ancestor, and then down. An arc stands for all
/// shortest paths between its ends whose inner vertices are below both, and has their number.
struct path_hierarchy {
  shared_tree tree;
  double tolerance;  ///< Lengths that differ by less are equal, relative to the length.
  path_arc_lists up;
  path_arc_lists down;
  double longest;  ///< A bound of |length|.

  path_sweep_graph view() const {
    return {tree->num_vertices(),
            tree->depths.data(),
            {up.offsets.data(), up.arcs.data()},
            {down.offsets.data(), down.arcs.data()},
            tolerance};
  }
};

/// Shares of shortest paths that lead along arcs or through vertices.
struct path_shares {
  std::vector<double> of_up;      ///< As the arcs of a `path_hierarchy`.
  std::vector<double> of_down;    ///< The same.
  std::vector<double> of_places;  ///< By place: inner vertices.
};

/// How sweeps ended.
enum class sweep_outcome {
  finished,
  stopped,      ///< A stop was requested.
  not_possible  ///< The number of some paths is out of range, or memory is too short.
};

/// Counts the paths that the arcs of a hierarchy stand for.
/// @param exact  with all arcs that are best paths within the tolerance.
/// @param arcs   of the graph; parallel ones are on paths of their own.
/// @return nothing if a cycle is so short that paths with and without it may count as equal, or a
///         count is out of range.
/// @throws host::stop_seen if a stop is requested.
/// Complexity: the sum, over all places and the ends of their arcs, of the numbers of arcs of both.
template <class C>
APSP_EXPORT std::optional<path_hierarchy> count_paths_of_arcs(const hierarchy<C>& exact,
                                                              const adjacency_view<double>& arcs,
                                                              double tolerance,
                                                              const monitor& watch);
extern template std::optional<path_hierarchy> count_paths_of_arcs(const hierarchy<std::int32_t>&,
                                                                  const adjacency_view<double>&,
                                                                  double, const monitor&);
extern template std::optional<path_hierarchy> count_paths_of_arcs(const hierarchy<double>&,
                                                                  const adjacency_view<double>&,
                                                                  double, const monitor&);

/// Hands the shares of arcs down to the arcs and places of the paths that they stand for.
/// @param of_arcs  receives the share of each arc of the graph; empty if they are not wanted.
/// @throws host::stop_seen if a stop is requested.
/// Complexity: as `count_paths_of_arcs`.
APSP_EXPORT void hand_down_shares(path_hierarchy& paths, const adjacency_view<double>& arcs,
                                  path_shares& shares, std::span<double> of_arcs,
                                  const monitor& watch);

}  // namespace apsp::inline v1::detail
