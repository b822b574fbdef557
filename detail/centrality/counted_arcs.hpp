// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "../graph/adjacency.hpp"
#include "../graph/edges.hpp"
#include "../values/not_a_number.hpp"
#include "../values/weight.hpp"

// The arcs of a graph along which paths are counted.
namespace apsp::inline v1::detail {

/// The arcs that may be on shortest paths, and their positions among the arcs of the graph.
template <class T>
struct counted_arcs {
  adjacency<T> arcs;
  std::vector<std::size_t> positions;  ///< Empty if they are not asked for.

  /// Keeps the arcs for which is_kept(number) is true.
  template <class IsKept>
  void filter(IsKept is_kept) {
    std::size_t size = 0;
    std::size_t begin = 0;
    for (std::size_t u = 0; u + 1 < arcs.offsets.size(); ++u) {
      const auto end = static_cast<std::size_t>(arcs.offsets[u + 1]);
      for (std::size_t a = begin; a < end; ++a) {
        if (!is_kept(a)) continue;
        arcs.targets[size] = arcs.targets[a];
        arcs.weights[size] = arcs.weights[a];
        if (!positions.empty()) positions[size] = positions[a];
        ++size;
      }
      begin = end;
      arcs.offsets[u + 1] = static_cast<std::int64_t>(size);
    }
    arcs.targets.resize(size);
    arcs.weights.resize(size);
    if (!positions.empty()) positions.resize(size);
  }
};

/// The positions of the arcs of `make_adjacency` in the order in which the graph passes its arcs.
/// @throws std::invalid_argument if the graph passes other arcs than before, or not @p count.
template <class T, class Graph>
std::vector<std::size_t> positions_of_arcs(const Graph& g, const adjacency<T>& arcs,
                                           std::size_t count) {
  std::vector<std::size_t> positions(arcs.targets.size());
  arc_places places(arcs.offsets);
  std::size_t position = 0;
  read_edges(g, [&](auto u, auto v, const auto& w) {
    auto fault = edge_fault::none;
    const T weight = to_distance<T>(w, fault);
    const bool is_loop = static_cast<std::size_t>(u) == static_cast<std::size_t>(v);
    if (!equals_unreachable(weight) && (!is_loop || weight < T{})) {
      positions[places.take(static_cast<std::size_t>(u))] = position;
    }
    ++position;
  });
  places.require_full();
  if (position != count) {
    throw std::invalid_argument(
        "apsp: the graph has another number of arcs when it is read again; arcs and weights must "
        "not change during a call");
  }
  return positions;
}

/// Of parallel arcs one of the least weight is kept.
template <class T>
void merge_parallel_arcs(counted_arcs<T>& counted) {
  const adjacency<T>& arcs = counted.arcs;
  const std::size_t n = arcs.offsets.size() - 1;
  constexpr auto none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> best(n, none);
  std::vector<char> is_kept(arcs.targets.size(), 0);
  for (std::size_t u = 0; u < n; ++u) {
    const auto for_each_arc = [&](auto f) {
      for (auto a = static_cast<std::size_t>(arcs.offsets[u]);
           a < static_cast<std::size_t>(arcs.offsets[u + 1]); ++a) {
        f(a, best[static_cast<std::size_t>(arcs.targets[a])]);
      }
    };
    for_each_arc([&](std::size_t a, std::size_t& least) {
      if (least == none || arcs.weights[a] < arcs.weights[least]) least = a;
    });
    for_each_arc([&](std::size_t a, std::size_t& least) { is_kept[a] = least == a ? 1 : 0; });
    for_each_arc([&](std::size_t, std::size_t& least) { least = none; });
  }
  counted.filter([&](std::size_t a) { return is_kept[a] != 0; });
}

}  // namespace apsp::inline v1::detail
