// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "../../graph/adjacency.hpp"
#include "../../host/monitor.hpp"
#include "../../host/parallel_for.hpp"
#include "../../values/distance_code.hpp"
#include "../problem/arc.hpp"
#include "host/distance_bound.hpp"

namespace apsp::inline v1::detail {

/// With more arcs a proof, which takes place on the host, takes too much of the time that it may
/// save.
constexpr std::size_t most_arcs_for_proof(std::size_t num_vertices) {
  return num_vertices * num_vertices / 256;
}

/// True if the arcs of a graph of n vertices prove that 16 bits hold every distance: all weights
/// are whole numbers, none is negative, and the bound of `host::bound_distances` is below
/// `unreachable_half`. False also for many arcs, if @p watch requested a stop, and if memory is
/// insufficient.
/// @param arcs  in any order
template <class T>
bool prove_short_distances(std::span<const cuda::arc<T>> arcs, std::size_t n,
                           const monitor& watch) {
  if (arcs.size() > most_arcs_for_proof(n)) return false;
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

/// True if the matrix of a graph of n vertices equals its transpose: for every arc, the lightest
/// arc in the other direction has the weight of the lightest one parallel to it. False also for
/// many arcs, and if memory is insufficient.
/// @param arcs  in any order
/// @param threads  0: all
template <class T>
bool prove_symmetry(std::span<const cuda::arc<T>> arcs, std::size_t n, int threads) {
  if (arcs.size() > most_arcs_for_proof(n)) return false;
  struct arc_end {
    std::int32_t vertex;
    T weight;
  };
  // The arcs of a vertex to larger ones, and those from larger ones to it.
  struct direction {
    std::vector<std::size_t> offsets;
    std::vector<arc_end> ends;

    void sort(std::size_t v) {
      const auto begin = ends.begin() + static_cast<std::ptrdiff_t>(offsets[v]);
      const auto end = ends.begin() + static_cast<std::ptrdiff_t>(offsets[v + 1]);
      std::sort(begin, end, [](const arc_end& x, const arc_end& y) {
        return x.vertex != y.vertex ? x.vertex < y.vertex : x.weight < y.weight;
      });
    }
    /// The place after the arcs that are parallel to that at @p place.
    std::size_t after(std::size_t place, std::size_t end) const {
      const std::int32_t vertex = ends[place].vertex;
      while (place < end && ends[place].vertex == vertex) ++place;
      return place;
    }
  };
  try {
    const auto sorted = [&](auto smaller_of, auto larger_of) {
      direction found;
      found.offsets.assign(n + 1, 0);
      const auto for_each_place = [&](auto f) {
        for (const cuda::arc<T>& arc : arcs) {
          if (smaller_of(arc) < larger_of(arc)) f(static_cast<std::size_t>(smaller_of(arc)), arc);
        }
      };
      for_each_place([&](std::size_t v, const auto&) { ++found.offsets[v + 1]; });
      std::partial_sum(found.offsets.begin(), found.offsets.end(), found.offsets.begin());
      found.ends.resize(found.offsets[n]);
      arc_places places(found.offsets);
      for_each_place([&](std::size_t v, const cuda::arc<T>& arc) {
        found.ends[places.take(v)] = {larger_of(arc), arc.weight};
      });
      return found;
    };
    const auto source = [](const cuda::arc<T>& arc) { return arc.source; };
    const auto target = [](const cuda::arc<T>& arc) { return arc.target; };
    direction to = sorted(source, target);
    direction from = sorted(target, source);
    std::atomic<bool> differs = false;
    host::parallel_for(n, threads, [&](std::size_t v) {
      if (differs) return;
      to.sort(v);
      from.sort(v);
      std::size_t t = to.offsets[v];
      std::size_t f = from.offsets[v];
      const std::size_t end_to = to.offsets[v + 1];
      const std::size_t end_from = from.offsets[v + 1];
      while (t < end_to && f < end_from && to.ends[t].vertex == from.ends[f].vertex &&
             to.ends[t].weight == from.ends[f].weight) {
        t = to.after(t, end_to);
        f = from.after(f, end_from);
      }
      if (t != end_to || f != end_from) differs = true;
    });
    return !differs;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace apsp::inline v1::detail
