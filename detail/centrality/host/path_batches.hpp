// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../../../apsp/config.hpp"
#include "../../../apsp/semiring.hpp"
#include "../../graph/adjacency.hpp"
#include "../../host/monitor.hpp"
#include "../../host/untouched_buffer.hpp"
#include "../../per_source/lanes/host/lane_graph.hpp"
#include "../../per_source/lanes/host/lane_kernel.hpp"
#include "../../per_source/search/host/lanes.hpp"
#include "../path_sums.hpp"
#include "tight_lane_kernel.hpp"

// Searches from batches of sources, one in each lane, and the arcs of their shortest paths.
namespace apsp::inline v1::detail::host {

/// Arcs on shortest paths from one source.
template <class C>
struct listed_arcs {
  const C* distances;  ///< Of all vertices; `no_path` without a path.
  std::size_t count;
  selected_arcs arcs;
};

/// The batches of some sources: those that are close to each other.
/// @tparam C  of `APSP_FOR_EACH_COUNTED_TYPE`: the type of distances in lanes.
template <class C>
class APSP_EXPORT path_batches {
  using S = min_plus<C>;

 public:
  /// What is searched.
  struct problem {
    adjacency_view<C> arcs;  ///< Of weights above 0, which no sum of others hides.
    C tolerance;             ///< For floating point: lengths that tie, relative to the length.
    std::span<const std::int32_t> sources;
  };

  /// @param values  of `sums_in_lanes`.
  path_batches(const problem& wanted, const values_in_lanes<S>& values);

  std::size_t size() const { return (by_place_.size() + lanes_.num_lanes - 1) / lanes_.num_lanes; }
  /// The numbers of the sources of a batch, by lanes.
  std::span<const std::size_t> numbers_of(std::size_t batch) const {
    const std::size_t first = batch * lanes_.num_lanes;
    return std::span(by_place_).subspan(first,
                                        std::min(lanes_.num_lanes, by_place_.size() - first));
  }

  /// What a thread needs.
  class workspace {
   public:
    explicit workspace(const path_batches& batches);

   private:
    friend path_batches;
    open_bits open_;
    std::vector<std::int32_t> sources_;
    untouched_buffer<C> lanes_;
    untouched_buffer<C> rows_;  ///< Of the lanes that are written together.
    std::size_t first_row_;
    std::size_t first_found_;  ///< Of the lanes whose arcs are found together.
    std::size_t num_found_;
    untouched_buffer<std::int32_t> found_from_, found_to_, from_, to_;
    untouched_buffer<std::uint32_t> found_numbers_, numbers_;
    untouched_buffer<lane_bits> found_lanes_;
    std::vector<std::uint32_t> found_begins_;
    // To count in several lanes at once.
    std::vector<lane_bits> reached_, counted_;
    std::vector<double> averages_;
    std::vector<std::int32_t> order_, starts_;
    untouched_buffer<double> counts_, shares_;
    untouched_buffer<counted_place> places_;
  };

  /// How a search ended.
  enum class outcome {
    finished,
    stopped,
    not_possible  ///< Distances do not fit, or searches from each source alone are faster.
  };
  /// Searches from the sources of a batch.
  outcome search(std::size_t batch, workspace& mine, const monitor& watch) const;
  /// The arcs of a lane after the search. Lanes are taken in ascending order.
  listed_arcs<C> arcs_of(std::size_t lane, workspace& mine) const;

  /// The lanes whose paths may be counted together.
  std::size_t lanes_together() const { return tight_.num_lanes; }
  /// Adds the shares of the shortest paths of `lanes_together` lanes, if that is faster than from
  /// each of them, which it is if many paths are equally long.
  /// @param lane       the first one.
  /// @param with_ends  paths lead through their ends as well.
  /// @return a bit for each lane that is added: all or most of them, or none.
  lane_bits add_shares(std::size_t batch, std::size_t lane, bool with_ends, workspace& mine,
                       path_sums& sums) const;

  /// The threads that may search at the same time, by their memory.
  std::size_t most_workspaces() const;

 private:
  typename tight_lane_kernels<C>::distances_in_lanes distances_from(std::size_t lane,
                                                                    const workspace& mine) const;
  tight_arc_lists find_arcs(std::size_t lane, workspace& mine) const;

  problem problem_;
  values_in_lanes<S> values_;
  adjacency<C> into_;
  std::vector<std::uint32_t> numbers_;  ///< Of the arcs into vertices.
  vertex_order order_;
  const lane_kernels<S>& lanes_;
  const tight_lane_kernels<C>& tight_;
  lane_arcs<S> graph_;
  std::vector<std::size_t> by_place_;
};

/// The batches, if searches in lanes are possible and faster than those from each source alone,
/// which one of them shows.
template <class C>
APSP_EXPORT std::optional<path_batches<C>> make_path_batches(
    const typename path_batches<C>::problem& wanted, const monitor& watch);

/// A flag for each arc: 1 if it is longer than a path through a vertex of large degree, by more
/// than the tolerance. Empty if that is probably true of few arcs.
template <class C>
APSP_EXPORT std::vector<char> find_bypassed_in_lanes(const adjacency_view<C>& arcs,
                                                     const C& tolerance, int threads,
                                                     const monitor& watch);

#define APSP_EXTERN_PATH_BATCHES(C)                                                            \
  extern template class path_batches<C>;                                                       \
  extern template std::optional<path_batches<C>> make_path_batches<C>(                         \
      const path_batches<C>::problem&, const monitor&);                                        \
  extern template std::vector<char> find_bypassed_in_lanes(const adjacency_view<C>&, const C&, \
                                                           int, const monitor&);
APSP_FOR_EACH_COUNTED_TYPE(APSP_EXTERN_PATH_BATCHES)
#undef APSP_EXTERN_PATH_BATCHES

}  // namespace apsp::inline v1::detail::host
