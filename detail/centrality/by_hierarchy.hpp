// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../elimination/coded_hierarchy.hpp"
#include "../elimination/elimination_tree.hpp"
#include "../elimination/host/eliminate.hpp"
#include "../elimination/path_values.hpp"
#include "../graph/adjacency.hpp"
#include "../host/monitor.hpp"
#include "../host/stop_check.hpp"
#include "../values/distance_code.hpp"
#include "../values/weight.hpp"
#include "path_hierarchy.hpp"

// From the arcs of a graph to the hierarchy of its shortest paths.
namespace apsp::detail {

/// True if the lengths of all paths, and sums of a few, are exact in `double` or have its
/// precision. Rounded sums of weights of both signs may hide ties.
template <class T>
bool has_lengths_in_double(std::size_t n, const weight_range<T>& weights) {
  if constexpr (std::is_integral_v<T>) {
    constexpr double first_rounded = 0x1p53;
    const double heaviest = std::max(static_cast<double>(weights.largest),
                                     -static_cast<double>(std::min(weights.smallest, T{})));
    return 4 * heaviest * static_cast<double>(n) < first_rounded;
  } else {
    return std::is_same_v<T, double> && !(weights.smallest < T{}) &&
           !sums_may_leave_range(n, weights);
  }
}

/// The arcs of the graph, and their weights, for the hierarchy of its shortest paths.
struct arcs_in_double {
  std::vector<double> weights;
  adjacency_view<double> view;
};
template <class T>
arcs_in_double in_double(const adjacency<T>& arcs) {
  arcs_in_double made{{arcs.weights.begin(), arcs.weights.end()}, {}};
  made.view = arcs.view_with(made.weights);
  return made;
}

/// True if the hierarchy of all shortest paths is predicted to be made in less time than searches
/// from so many sources take.
inline bool is_prepared_in_time(const elimination_tree& tree, std::size_t num_sources) {
  // In nanoseconds, on one core with AVX-512.
  constexpr double search_of_vertex = 25;
  constexpr double counts_of_vertex = 1000;
  constexpr double passes_over_fronts = 2;
  const auto n = static_cast<double>(tree.num_vertices());
  double preparation = counts_of_vertex * n;
  for (std::size_t s = 0; s < tree.num_supernodes(); ++s) {
    preparation += passes_over_fronts * front_time(static_cast<double>(tree.num_pivots(s)),
                                                   static_cast<double>(tree.front_size(s)));
  }
  return preparation < search_of_vertex * n * static_cast<double>(num_sources);
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

}  // namespace apsp::detail
