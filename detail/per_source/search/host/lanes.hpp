// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "../../../../apsp/config.hpp"
#include "../../../elimination/path_values.hpp"
#include "../../../graph/adjacency.hpp"
#include "../../../host/monitor.hpp"
#include "../../../values/distance_code.hpp"
#include "../../../values/kernel_semirings.hpp"
#include "../../../values/weight.hpp"
#include "../../../values/weight_types.hpp"
#include "../../problem/problem.hpp"

// Bellman–Ford for batches of sources, one in each lane of a vector. It is compiled into the
// library for all types that have lanes (lane_search.hpp).
namespace apsp::inline v1::detail::host {

/// The values of paths in lanes.
template <class S>
struct values_in_lanes {
  path_values<S> values;
  /// If a value from this one on and better than `values.none` occurs, a path may have been cut
  /// because the next one could wrap.
  typename S::value_type doubtful_from;
};

/// Sums for the problem, or nothing if sums might wrap that the problem does not cut.
template <class C>
std::optional<values_in_lanes<min_plus<C>>> sums_in_lanes(const per_source_problem<C>& problem) {
  const std::span<const C> weights = problem.arcs.weights;
  if constexpr (is_coded_integer<C>) {
    if (weights.empty()) return std::nullopt;
    const auto [least, largest] = std::minmax_element(weights.begin(), weights.end());
    const weight_range<C> range{.smallest = *least, .largest = *largest};
    const int128 longest = longest_path(problem.arcs.num_vertices(), range);
    if (*least < C{}) {
      const auto code = choose_code_for_span<C>(longest, true);
      if (!code) return std::nullopt;
      return values_in_lanes<min_plus<C>>{sums_in(*code), code->unreachable};
    }
    // A sum with one more arc does not wrap.
    const C most = static_cast<C>(largest_value<C>() - *largest);
    if (most <= *largest) return std::nullopt;
    const bool cuts_at_limit = problem.limit < most;
    const C none = cuts_at_limit ? static_cast<C>(problem.limit + 1) : most;
    const bool is_proved = cuts_at_limit || longest < int128(none);
    return values_in_lanes<min_plus<C>>{{{}, C{}, none, none, C{}},
                                        is_proved ? none : static_cast<C>(none - *largest)};
  } else {
    C none = no_path<C>();
    if (problem.limit < none) none = std::nextafter(problem.limit, none);
    return values_in_lanes<min_plus<C>>{{{}, C{}, none, none, C{}}, none};
  }
}

/// Solves for the sources of @p problem.
/// @param rows  to solve for; receives those that are left, as `lane_search` does.
template <class S, class T = typename S::value_type>
APSP_EXPORT solve_outcome search_in_lanes(const per_source_problem<T>& problem,
                                          const values_in_lanes<S>& values, int threads,
                                          solver_output<T>& output, monitor& watch,
                                          std::vector<std::size_t>& rows);

/// The arcs of @p problem without those that are longer than a path over a hub, if there are
/// probably enough of these to gain by it. Nothing also for negative weights, for searches that end
/// early, which read few arcs, and if memory is insufficient.
/// The hubs take about as long as 20 sources, on one thread or two.
template <class C>
APSP_EXPORT std::optional<adjacency<C>> prune_arcs(const per_source_problem<C>& problem,
                                                   int threads, monitor& watch);

#define APSP_SEARCH_IN_LANES(...)                                                                 \
  template solve_outcome search_in_lanes<__VA_ARGS__>(                                            \
      const per_source_problem<typename __VA_ARGS__::value_type>&,                                \
      const values_in_lanes<__VA_ARGS__>&, int, solver_output<typename __VA_ARGS__::value_type>&, \
      monitor&, std::vector<std::size_t>&);
#define APSP_EXTERN_LANES(...) extern APSP_SEARCH_IN_LANES(__VA_ARGS__)
APSP_FOR_EACH_TILE_SEMIRING(APSP_EXTERN_LANES)
#undef APSP_EXTERN_LANES

#define APSP_PRUNE_ARCS(C) \
  template std::optional<adjacency<C>> prune_arcs<C>(const per_source_problem<C>&, int, monitor&);
#define APSP_EXTERN_PRUNE(C) extern APSP_PRUNE_ARCS(C)
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_PRUNE)
#undef APSP_EXTERN_PRUNE

}  // namespace apsp::inline v1::detail::host
