// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "../../../apsp/config.hpp"
#include "../../device/launch_target.hpp"
#include "../../graph/adjacency.hpp"
#include "../../host/monitor.hpp"
#include "../path_hierarchy.hpp"
#include "../path_sums.hpp"

// The launch interface of searches that count paths, without CUDA types.
namespace apsp::inline v1::detail::cuda {

/// The sources of a tile.
inline constexpr std::size_t path_tile_lanes = 32;

template <class C>
struct counted_search {
  adjacency_view<C> arcs;  ///< Of weights above 0, which no sum of others hides.
  C tolerance;             ///< For floating point: lengths that tie, relative to the length.
  std::span<const std::int32_t> sources;
};

/// What is found of the paths from each source, beside their lengths: the arcs on them, their
/// numbers, or sums of the shares of them that lead through each vertex and arc.
enum class path_values { arcs, counts, shares };

constexpr bool counts_paths(path_values wanted) {
  return wanted != path_values::arcs;
}

/// The paths from some sources that follow each other: the entries of the `path_tile_lanes` sources
/// of a tile lie together for each vertex.
template <class C>
struct found_tiles {
  std::size_t first_source;
  std::size_t num_sources;
  const C* distances;      ///< `no_path` without a path.
  const double* counts;    ///< If these are wanted.
  adjacency_view<C> into;  ///< The arcs into each vertex, by ascending source.
  /// If wanted: of each of these arcs the lanes in which it is on paths.
  const std::uint32_t* on_paths;

  std::size_t num_tiles() const { return (num_sources + path_tile_lanes - 1) / path_tile_lanes; }
  std::size_t sources_of(std::size_t tile) const {
    return std::min(path_tile_lanes, num_sources - tile * path_tile_lanes);
  }
  /// The number in the call of the first source of a tile.
  std::size_t first_of(std::size_t tile) const { return first_source + tile * path_tile_lanes; }
  /// The entry of a vertex and the first source of a tile.
  std::size_t entry(std::size_t tile, std::size_t v) const {
    return (tile * into.num_vertices() + v) * path_tile_lanes;
  }
};

/// Adds up the shares of the shortest paths that lead through each vertex and arc, on all devices
/// of the target. Sums are in fixed point, in units of 2^-64, so that they have the same bits for
/// any number of devices.
/// @param sums  receives the sums; those of arcs if it has entries for them.
/// @return `not_possible` also if a number of paths is out of range.
template <class C>
APSP_EXPORT sweep_outcome search_shares(const launch_target& target,
                                        const counted_search<C>& search, bool with_ends,
                                        monitor& watch, path_sums& sums);

/// Passes the shortest paths to `take`, on one device.
/// @param wanted  not `shares`.
/// @return as `search_shares`.
template <class C>
APSP_EXPORT sweep_outcome search_paths(const launch_target& target, const counted_search<C>& search,
                                       path_values wanted, monitor& watch,
                                       const std::function<void(const found_tiles<C>&)>& take);

}  // namespace apsp::inline v1::detail::cuda
