// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/betweenness_options.hpp"
#include "../../apsp/device_memory.hpp"
#include "../../apsp/predecessor_lists.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/checks.hpp"
#include "../graph/sources.hpp"
#include "../host/serial_calls.hpp"
#include "../values/not_a_number.hpp"
#include "call.hpp"
#include "counted_arcs.hpp"
#include "cuda/path_tiles.hpp"
#include "path_sums.hpp"

// All predecessors on shortest paths, listed for one source after the other.
namespace apsp::inline v1::detail {

/// The predecessors on the paths of a `counted_paths`, each once.
/// @param is_left_out  `is_left_out(v)`: vertex v has none.
template <class Paths, class IsLeftOut>
predecessor_lists list_predecessors(const Paths& paths, std::size_t source, std::size_t n,
                                    IsLeftOut is_left_out) {
  predecessor_lists lists;
  lists.source = source;
  // Parallel arcs come one after the other.
  std::vector<std::size_t> last(n);
  const auto for_each_predecessor = [&](auto f) {
    std::fill(last.begin(), last.end(), n);
    paths.for_each_arc([&](std::size_t u, std::size_t v) {
      if (std::exchange(last[v], u) != u && !is_left_out(v)) f(u, v);
    });
  };
  // Entry v + 2 counts the predecessors of v, and entry v + 1 is then where its next one goes.
  lists.offsets.resize(n + 2);
  for_each_predecessor([&](std::size_t, std::size_t v) { ++lists.offsets[v + 2]; });
  std::partial_sum(lists.offsets.begin(), lists.offsets.end(), lists.offsets.begin());
  lists.predecessors.resize(static_cast<std::size_t>(lists.offsets.back()));
  for_each_predecessor([&](std::size_t u, std::size_t v) {
    const auto place = static_cast<std::size_t>(lists.offsets[v + 1]++);
    lists.predecessors[place] = static_cast<std::int32_t>(u);
  });
  lists.offsets.pop_back();
  return lists;
}

/// A distance as the caller gets it: unreachable if it does not fit.
template <class D>
D passed_distance(const compared_distance_t<D>& length) {
  const bool fits = !(static_cast<compared_distance_t<D>>(value_limits<D>::largest) < length);
  return fits ? static_cast<D>(length) : unreachable<D>;
}

/// Distances from the sources of a tile and the predecessors on their paths, each once.
template <class D>
struct tile_of_lists {
  std::vector<D> distances;  ///< A row for each source.
  std::vector<predecessor_lists> lists;

  /// @param sources  of the tile.
  template <class C>
  tile_of_lists(const cuda::found_tiles<C>& tiles, std::size_t tile,
                std::span<const std::int32_t> sources)
      : distances(sources.size() * tiles.into.num_vertices()), lists(sources.size()) {
    const std::size_t n = tiles.into.num_vertices();
    const std::uint32_t* const on_paths = tiles.on_paths + tile * tiles.into.num_edges();
    for (std::size_t i = 0; i < sources.size(); ++i) {
      lists[i].source = static_cast<std::size_t>(sources[i]);
      lists[i].offsets.resize(n + 1);
    }
    for (std::size_t v = 0; v < n; ++v) {
      std::uint32_t lanes = 0;  // With a distance.
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const C& length = tiles.distances[tiles.entry(tile, v) + i];
        D& distance = distances[i * n + v];
        distance = unreachable<D>;
        if (length == no_path<C>()) continue;
        distance = passed_distance<D>(static_cast<compared_distance_t<D>>(length));
        if (!equals_unreachable(distance)) lanes |= std::uint32_t{1} << i;
      }
      for (std::size_t a = tiles.into.begin(v); a < tiles.into.end(v);) {
        // Parallel arcs come one after the other.
        const std::int32_t u = tiles.into.targets[a];
        std::uint32_t some = 0;
        for (; a < tiles.into.end(v) && tiles.into.targets[a] == u; ++a) some |= on_paths[a];
        for (some &= lanes; some != 0; some &= some - 1) {
          lists[static_cast<std::size_t>(std::countr_zero(some))].predecessors.push_back(u);
        }
      }
      for (predecessor_lists& list : lists) {
        list.offsets[v + 1] = static_cast<std::int64_t>(list.predecessors.size());
      }
    }
  }
};

/// True if an F takes the predecessors of a source whose distances are of type D.
template <class F, class D>
concept tight_function =
    std::invocable<F&, std::size_t, std::size_t, std::span<const D>, const predecessor_lists_view&>;

/// Passes distances of type D and all predecessors to a function.
template <class D, class Policy, class Graph, class Sources, class F>
result pass_tight_predecessors(const Policy& policy, const Graph& g, Sources& sources, F& f,
                               const path_count_options& options) {
  constexpr bool in_host_memory = !device_resident<Graph>;
  static_assert(in_host_memory, "apsp: tight_predecessors takes a graph in host memory");
  constexpr bool is_callable = tight_function<F, D>;
  static_assert(is_callable,
                "apsp: tight_predecessors: the function cannot be called as f(row, source, "
                "distances, predecessors), where row and source are std::size_t, distances is a "
                "std::span<const Distance>, by default of the type of the weights, and "
                "predecessors is an apsp::predecessor_lists_view");
  using T = compared_distance_t<D>;
  if constexpr (in_host_memory && is_callable) {
    const std::size_t n = check_graph<T>(g);
    const std::vector<std::int32_t> list = list_sources(g, n, sources);
    serial_calls calls;
    return with_centrality_call<T>(
        policy, g, n, std::nullopt, list, options, no_sweeps{},
        [&](auto& call, const counted_arcs<T>&) {
          call.drop_longer_arcs();
          constexpr int all_threads = 0;
          auto done = call.find_on_device(
              cuda::path_values::arcs, all_threads, [&](const auto& tiles, std::size_t tile) {
                const std::size_t first = tiles.first_of(tile);
                const auto own =
                    std::span<const std::int32_t>(list).subspan(first, tiles.sources_of(tile));
                const tile_of_lists<D> found(tiles, tile, own);
                for (std::size_t i = 0; i < own.size(); ++i) {
                  const std::span<const D> distances(found.distances.data() + i * n, n);
                  const predecessor_lists& lists = found.lists[i];
                  calls.run([&] { f(first + i, lists.source, distances, lists.view()); });
                }
              });
          if (done) return *std::move(done);
          constexpr std::size_t num_chunks = 64;
          return call.run(num_chunks, [&](std::size_t, std::size_t row, auto get_distances,
                                          const auto& paths) {
            const auto source = static_cast<std::size_t>(list[row]);
            const T* const lengths = get_distances();
            std::vector<D> converted;
            std::span<const D> distances;
            if constexpr (std::is_same_v<D, T>) {
              distances = {lengths, n};
            } else {
              converted.resize(n);
              std::transform(lengths, lengths + n, converted.begin(), passed_distance<D>);
              distances = converted;
            }
            const predecessor_lists lists = list_predecessors(
                paths, source, n, [&](std::size_t v) { return equals_unreachable(distances[v]); });
            calls.run([&] { f(row, source, distances, lists.view()); });
          });
        });
  }
}

}  // namespace apsp::inline v1::detail
