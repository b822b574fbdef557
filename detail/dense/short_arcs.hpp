// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <numeric>
#include <span>
#include <type_traits>

#include "../graph/adjacency.hpp"
#include "../host/monitor.hpp"
#include "../values/distance_code.hpp"
#include "cuda/closure_solver.hpp"
#include "host/distance_bound.hpp"

namespace apsp::detail {

/// With more arcs the search for a bound, on one thread, takes too much of the time that it may save.
constexpr std::size_t most_arcs_for_bound(std::size_t num_vertices) {
  return num_vertices * num_vertices / 256;
}

/// True if the arcs of a graph of n vertices prove that 16 bits hold every distance: all weights are
/// whole numbers, none is negative, and the bound of `host::bound_distances` is below
/// `unreachable_half`. False also for many arcs, if @p watch requested a stop, and if memory is
/// insufficient.
/// @param arcs  in any order
template <class T>
bool prove_short_distances(std::span<const cuda::arc<T>> arcs, std::size_t n,
                           const monitor& watch) {
  if (arcs.size() > most_arcs_for_bound(n)) return false;
  constexpr std::int32_t unreachable = unreachable_half;
  const auto is_whole = [](const T& w) {
    if (!(w >= T{})) return false;
    if constexpr (std::is_floating_point_v<T>) return w == std::trunc(w);
    return true;
  };
  try {
    adjacency<std::int32_t> by_source;
    by_source.offsets.assign(n + 1, 0);
    for (const cuda::arc<T>& arc : arcs) {
      if (!is_whole(arc.weight)) return false;
      ++by_source.offsets[static_cast<std::size_t>(arc.source) + 1];
    }
    std::partial_sum(by_source.offsets.begin(), by_source.offsets.end(), by_source.offsets.begin());
    by_source.targets.resize(arcs.size());
    by_source.weights.resize(arcs.size());
    arc_places places(by_source.offsets);
    for (const cuda::arc<T>& arc : arcs) {
      const std::size_t place = places.take(static_cast<std::size_t>(arc.source));
      by_source.targets[place] = arc.target;
      by_source.weights[place] =
          arc.weight < T{unreachable} ? static_cast<std::int32_t>(arc.weight) : unreachable;
    }
    return host::bound_distances(by_source.view(), unreachable, watch).has_value();
  } catch (const std::bad_alloc&) {
    // The solve has its memory.
    return false;
  }
}

}  // namespace apsp::detail
