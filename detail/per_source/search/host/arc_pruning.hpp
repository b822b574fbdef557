// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "../../../graph/adjacency.hpp"
#include "../../../graph/hubs.hpp"
#include "../../../host/monitor.hpp"
#include "../../../host/parallel_for.hpp"
#include "../../../host/untouched_buffer.hpp"
#include "../../../values/distance_code.hpp"
#include "../../lanes/host/lane_graph.hpp"
#include "../../lanes/host/lane_kernel.hpp"
#include "lane_passes.hpp"
#include "lanes.hpp"

namespace apsp::inline v1::detail::host {

/// Finds the arcs that are longer than a path through one of the vertices of largest degree, the
/// hubs: no shortest path has such an arc. They are 60 to 90 % of the arcs of R-MAT and of social
/// networks. Source of the bound: Goldberg, Harrelson 2005.
///
/// Only for sums of weights that are not negative. Sums that round are compared with a margin, so
/// that distances have the same bits with and without these arcs.
template <class S>
class arc_pruning {
  using T = typename S::value_type;

 public:
  /// @param tolerance  arcs that are longer by at most this are kept, relative to any distance;
  ///                   for floating point.
  arc_pruning(const lane_passes<S>& passes, const lane_arcs<S>& graph, T tolerance = {})
      : passes_(passes),
        graph_(graph),
        arcs_(graph.outgoing()),
        tolerance_(tolerance),
        hubs_(vertices_of_largest_degree(arcs_, passes.kernels().num_lanes)),
        from_hubs_(passes.lanes_of(passes.order().size())),
        to_hubs_(passes.lanes_of(passes.order().size())) {}

  /// Searches from the hubs.
  void search(const monitor& watch) { is_searched_ = search(graph_, from_hubs_.data(), watch); }
  /// Searches against the arcs. May run beside the other search.
  void search_against_arcs(const monitor& watch) {
    try {
      const adjacency<T> incoming = reversed_arcs(arcs_);
      const lane_arcs<S> against(passes_.order(), incoming.view(), arcs_);
      is_searched_against_ = search(against, to_hubs_.data(), watch);
    } catch (const std::bad_alloc&) {
      // They are not found.
    }
  }
  /// False if a search was not made, did not end, or had no memory.
  bool is_searched() const { return is_searched_; }
  bool is_searched_both_ways() const { return is_searched_ && is_searched_against_; }
  std::span<const std::int32_t> hubs() const { return hubs_; }
  const T* from_hubs() const { return from_hubs_.data(); }

  /// A flag for each arc: 1 if it is longer than a path through a hub. After both searches.
  std::vector<char> find_bypassed(int threads) const {
    const std::size_t m = arcs_.num_edges();
    const std::vector<std::int32_t> sources = sources_of(arcs_);
    const std::vector<T> lengths = lengths_to_beat(sources);
    std::vector<char> is_bypassed(m);
    constexpr std::size_t together = 1024;
    parallel_for(
        (m + together - 1) / together, threads,
        [&](std::size_t i) {
          const std::size_t begin = i * together;
          passes_.kernels().find_bypassed(
              passes_.values().semiring, passes_.lane_values(),
              {std::min(together, m - begin), sources.data() + begin, arcs_.targets.data() + begin,
               lengths.data() + begin, to_hubs_.data(), from_hubs_.data()},
              is_bypassed.data() + begin);
        },
        1);
    return is_bypassed;
  }

 private:
  bool search(const lane_arcs<S>& graph, T* paths, const monitor& watch) const {
    try {
      open_bits open(passes_.order().size());
      // In graphs whose arcs are read more often, which are deep, few arcs are longer than a path.
      constexpr std::size_t most_reads_each = 24;
      const batch_end end = passes_.run(graph, hubs_, paths, open, watch, most_reads_each);
      return end == batch_end::converged && !passes_.may_be_cut(paths);
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  /// For each arc, the length below which a path through a hub is shorter than the arc, also if
  /// sums that start anywhere are rounded on the way.
  std::vector<T> lengths_to_beat(std::span<const std::int32_t> sources) const {
    std::vector<T> lengths(arcs_.weights.begin(), arcs_.weights.end());
    if constexpr (std::is_floating_point_v<T>) {
      if (tolerance_ == 0 && has_exact_sums()) return lengths;
      const T none = passes_.values().none;
      const std::size_t n = passes_.order().size();
      // A path to a vertex that the first hub follows is at most as long as the longest path to the
      // hub and the path from there to the vertex. With a cutoff, paths to the hub may be missing.
      T longest = none < no_path<T>() ? none : T{};
      for (std::size_t v = 0; v < n; ++v) {
        const T length = to_hubs_.data()[passes_.lanes_of(v)];
        if (length < none) longest = std::max(longest, length);
      }
      // Twice the rounding of the paths of n arcs, and some.
      const T rounding =
          static_cast<T>(3 * (n + 2)) * std::numeric_limits<T>::epsilon() + tolerance_;
      for (std::size_t a = 0; a < lengths.size(); ++a) {
        const std::size_t first_lane = passes_.lanes_of(static_cast<std::size_t>(sources[a]));
        const T from_hub = from_hubs_.data()[first_lane];
        const bool is_bounded = from_hub < none && to_hubs_.data()[first_lane] < none;
        lengths[a] = is_bounded ? lengths[a] - rounding * (longest + from_hub + 2 * lengths[a])
                                : std::numeric_limits<T>::lowest();
      }
    }
    return lengths;
  }

  /// True if no sum of weights is rounded.
  bool has_exact_sums() const {
    const T largest_exact = std::ldexp(T{1}, std::numeric_limits<T>::digits);
    const T heaviest = largest_exact / static_cast<T>(passes_.order().size() + 1);
    return std::all_of(arcs_.weights.begin(), arcs_.weights.end(),
                       [&](T w) { return std::abs(w) < heaviest && std::trunc(w) == w; });
  }

  const lane_passes<S>& passes_;
  const lane_arcs<S>& graph_;
  adjacency_view<T> arcs_;
  T tolerance_;
  std::vector<std::int32_t> hubs_;
  untouched_buffer<T> from_hubs_;
  untouched_buffer<T> to_hubs_;
  // Each is written by one thread, and read when both have ended.
  bool is_searched_ = false;
  bool is_searched_against_ = false;
};

/// How many arcs out of @p sources there are, and how many of them are longer than the shortest
/// paths.
struct arc_counts {
  double share_of_bypassed() const {
    return num_arcs == 0 ? 0 : static_cast<double>(num_bypassed) / static_cast<double>(num_arcs);
  }
  std::size_t num_arcs = 0;
  std::size_t num_bypassed = 0;
};

/// @param paths  from @p sources, one in each lane.
template <class S, class T = typename S::value_type>
arc_counts count_bypassed_arcs(const lane_passes<S>& passes, const adjacency_view<T>& arcs,
                               std::span<const std::int32_t> sources, const T* paths) {
  arc_counts counts;
  for (std::size_t lane = 0; lane < sources.size(); ++lane) {
    const auto u = static_cast<std::size_t>(sources[lane]);
    for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a, ++counts.num_arcs) {
      const auto v = static_cast<std::size_t>(arcs.targets[a]);
      const T& path = paths[passes.lanes_of(v) + lane];
      if (passes.values().is_better(path, arcs.weights[a])) ++counts.num_bypassed;
    }
  }
  return counts;
}

/// The most memory for the rows of batches that are solved at the same time.
inline constexpr std::size_t most_bytes_of_batches = 4'000'000'000;

/// A flag for each arc: 1 if it is longer than a path through a hub. Nothing if probably too few
/// are, or if there is not enough memory.
/// @param tolerance  as that of `arc_pruning`.
template <class C>
std::optional<std::vector<char>> find_bypassed_arcs(const adjacency_view<C>& arcs,
                                                    const values_in_lanes<min_plus<C>>& values,
                                                    const C& tolerance, int threads,
                                                    const monitor& watch) {
  using S = min_plus<C>;
  constexpr double least_share = 0.4;
  const lane_kernels<S>& kernels = choose_lane_kernels<S>(batch_width::wide);
  try {
    if (!has_hubs(arcs, kernels.num_lanes)) return std::nullopt;
    const adjacency<C> incoming = reversed_arcs(arcs);
    const vertex_order order(arcs, incoming.view());
    const lane_passes<S> passes(kernels, values, order);
    if (2 * passes.lanes_of(order.size()) * sizeof(C) > most_bytes_of_batches) return std::nullopt;
    const lane_arcs<S> graph(order, arcs, incoming.view());
    arc_pruning<S> pruning(passes, graph, tolerance);
    pruning.search(watch);
    if (!pruning.is_searched()) return std::nullopt;
    const arc_counts counts =
        count_bypassed_arcs(passes, arcs, pruning.hubs(), pruning.from_hubs());
    if (counts.share_of_bypassed() < least_share) return std::nullopt;
    pruning.search_against_arcs(watch);
    if (!pruning.is_searched_both_ways()) return std::nullopt;
    return pruning.find_bypassed(threads);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

/// The arcs whose flags are 0.
template <class C>
adjacency<C> arcs_without(const adjacency_view<C>& arcs, const std::vector<char>& is_left_out) {
  adjacency<C> kept;
  kept.offsets.reserve(arcs.offsets.size());
  kept.offsets.push_back(0);
  for (std::size_t u = 0; u < arcs.num_vertices(); ++u) {
    for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
      if (is_left_out[a] != 0) continue;
      kept.targets.push_back(arcs.targets[a]);
      kept.weights.push_back(arcs.weights[a]);
    }
    kept.offsets.push_back(static_cast<std::int64_t>(kept.targets.size()));
  }
  return kept;
}

}  // namespace apsp::inline v1::detail::host
