// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/backend.hpp"
#include "../elimination/coded_hierarchy.hpp"
#include "../elimination/elimination_tree.hpp"
#include "../elimination/host/eliminate.hpp"
#include "../elimination/order_search.hpp"
#include "../elimination/path_values.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/hubs.hpp"
#include "../host/monitor.hpp"
#include "../host/stop_check.hpp"
#include "../host/workers.hpp"
#include "../plan/distance_kind.hpp"
#include "../values/distance_code.hpp"
#include "../values/weight.hpp"
#include "cuda/path_sweeps.hpp"
#include "host/path_sweeps.hpp"
#include "path_hierarchy.hpp"

// From the arcs of a graph to the hierarchy of its shortest paths.
namespace apsp::inline v1::detail {

/// True if the lengths of all paths, and sums of a few, are exact in `double`, or have its
/// precision and differ by more than a small tolerance where they are not to tie. Rounded sums of
/// weights of both signs may hide ties.
template <class T>
bool has_lengths_in_double([[maybe_unused]] std::size_t n, const weight_range<T>& weights,
                           [[maybe_unused]] const T& tolerance) {
  if constexpr (std::is_integral_v<T>) {
    constexpr double first_rounded = 0x1p53;
    const double heaviest = std::max(static_cast<double>(weights.largest),
                                     -static_cast<double>(std::min(weights.smallest, T{})));
    return 4 * heaviest * static_cast<double>(n) < first_rounded;
  } else {
    // Sweeps compare lengths of parts of paths, where searches compare those of whole paths: a
    // larger tolerance would make a difference.
    constexpr auto most = static_cast<T>(1e-9);
    return std::is_same_v<T, double> && tolerance <= most && !(weights.smallest < T{});
  }
}

/// The arcs of a graph for the hierarchy of its shortest paths. They refer to those given.
template <class T>
arcs_in_code<double> in_double(const adjacency<T>& arcs, const weight_range<T>& weights) {
  return coded_arcs(arcs, weights, *choose_code<double>(arcs.offsets.size() - 1, weights));
}

/// The hierarchy of all shortest paths, unless some of them cannot be told apart by lengths in
/// `double`, or are too many to count.
/// @param counted    arcs that may be on shortest paths.
/// @param tolerance  relative to the length.
/// @throws host::stop_seen if a stop is requested.
template <class T>
std::optional<path_hierarchy> make_path_hierarchy(shared_tree tree, const adjacency<T>& counted,
                                                  const weight_range<T>& weights,
                                                  const adjacency_view<double>& arcs,
                                                  double tolerance, int threads,
                                                  const monitor& watch) {
  const auto eliminated_in = [&]<class C>(const adjacency_view<C>& coded,
                                          const path_values<min_plus<C>>& values) {
    const auto made = host::eliminate(std::move(tree), coded, values, threads, watch, tolerance);
    if (made.outcome == host::elimination_outcome::stopped) throw host::stop_seen{};
    std::optional<path_hierarchy> paths;
    if (made.graph) paths = count_paths_of_arcs(*made.graph, arcs, tolerance, watch);
    // Where a distance may not fit the type of the weights, the paths do not count.
    if (paths && !(paths->longest < static_cast<double>(value_limits<T>::largest))) paths.reset();
    return paths;
  };
  if constexpr (std::is_integral_v<T>) {
    if (const auto code = choose_code<std::int32_t>(counted.offsets.size() - 1, weights)) {
      const auto coded = coded_arcs(counted, weights, *code);
      return eliminated_in(coded.arcs, sums_in(*code));
    }
  }
  return eliminated_in(arcs, values_of(min_plus<double>{}));
}

/// Nanoseconds of steps on one core with AVX-512, as measured.
struct path_step_times {
  double search_of_vertex = 25;   ///< For each source.
  double search_beside_hubs = 8;  ///< The same, in lanes, of a graph with vertices of large degree.
  double sweep_of_vertex = 1.2;   ///< The same.
  double sweep_of_arc = 0.8;      ///< The same.
  double relaxation = 0.6;        ///< Of a front, with the counts of paths.
  double counts_of_vertex = 1000;
};

/// The hierarchy of all shortest paths, if sweeps over it from so many sources are predicted to be
/// faster than searches.
/// @param tree  if the caller has one.
/// @throws host::stop_seen if a stop is requested.
template <class T>
std::optional<path_hierarchy> path_hierarchy_if_faster(shared_tree tree,
                                                       const adjacency<T>& counted,
                                                       const weight_range<T>& weights,
                                                       const adjacency_view<double>& arcs,
                                                       double tolerance, std::size_t num_sources,
                                                       const host::workers& by) {
  constexpr path_step_times times;
  const auto n = static_cast<double>(arcs.num_vertices());
  constexpr std::size_t num_hubs = 64;
  const double search =
      has_hubs(arcs, num_hubs) ? times.search_beside_hubs : times.search_of_vertex;
  const double searches = static_cast<double>(num_sources) * search * n;
  // Preparation is not as parallel as searches are.
  const double most_preparation = searches / 4;
  if (times.counts_of_vertex * n > most_preparation) return std::nullopt;
  if (tree == nullptr) {
    const double search_time = searches / 16;
    tree = search_order(counted.offsets, counted.targets, kind_of<T>(), most_preparation,
                        search_time, by);
    if (by.watch->stop_requested()) throw host::stop_seen{};
  }
  if (tree == nullptr) return std::nullopt;
  // Sums of the same weights in two orders, each of a step for each depth, differ by no more.
  const double rounding = std::numeric_limits<double>::epsilon() * tree->height;
  if (std::is_floating_point_v<T> && tolerance < rounding) return std::nullopt;
  constexpr std::int32_t most_height = 1 << 16;  // Memory of each thread.
  if (tree->height > most_height) return std::nullopt;
  double relaxations = 0;
  for (std::size_t s = 0; s < tree->num_supernodes(); ++s) relaxations += tree->front_work(s);
  if (times.relaxation * relaxations > most_preparation) return std::nullopt;
  auto paths = make_path_hierarchy(std::move(tree), counted, weights, arcs, tolerance, by.threads,
                                   *by.watch);
  if (!paths) return std::nullopt;
  const auto num_arcs = static_cast<double>(paths->down.arcs.size());
  const double sweeps = static_cast<double>(num_sources) *
                        (times.sweep_of_vertex * n + times.sweep_of_arc * num_arcs);
  if (sweeps > searches) return std::nullopt;
  return paths;
}

/// Adds up shares as `host::sweep_shares` does.
inline sweep_outcome sweep_shares(const host_backend& backend, const path_hierarchy& paths,
                                  std::span<const std::int32_t> sources, bool with_ends,
                                  path_shares& shares) {
  return host::sweep_shares(paths, sources, with_ends, backend.host_threads(), backend.watch(),
                            shares);
}
inline sweep_outcome sweep_shares(const cuda_backend& backend, const path_hierarchy& paths,
                                  std::span<const std::int32_t> sources, bool with_ends,
                                  path_shares& shares) {
  return cuda::sweep_shares(backend.target(), paths, sources, with_ends, backend.watch(), shares);
}

}  // namespace apsp::inline v1::detail
