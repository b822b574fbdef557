// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/algorithm.hpp"
#include "../../apsp/betweenness_options.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/checks.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/sources.hpp"
#include "../matrix/erased_matrix.hpp"
#include "../matrix/memory.hpp"
#include "../matrix/rows.hpp"
#include "../values/not_a_number.hpp"
#include "call.hpp"
#include "counted_arcs.hpp"
#include "host/path_sweeps.hpp"
#include "path_hierarchy.hpp"

// Matrices of the numbers of shortest paths, and of their lengths.
namespace apsp::inline v1::detail {

/// Counts as a C: exactly, or rounded to a floating-point type.
template <class C, class Count>
C checked_count(const Count& count, std::size_t source, std::size_t target) {
  const auto value = static_cast<double>(count);
  if constexpr (std::is_floating_point_v<C>) {
    return static_cast<C>(value);
  } else {
    constexpr double first_rounded = 0x1p53;
    if (value < first_rounded && std::in_range<C>(static_cast<std::int64_t>(value))) {
      return static_cast<C>(value);
    }
    throw std::invalid_argument("apsp: count_paths: the number of shortest paths from vertex " +
                                std::to_string(source) + " to vertex " + std::to_string(target) +
                                " does not fit the integers of the result; expected a matrix of "
                                "double");
  }
}

template <class Policy, class Graph, class Sources, class D, class Counts>
result find_path_counts(const Policy& policy, const Graph& g, Sources& sources, D& distances,
                        Counts& counts, const path_count_options& options) {
  constexpr bool in_host_memory = !lie_in_device_memory<Graph, D, Counts>;
  static_assert(in_host_memory, "apsp: count_paths takes a graph and results in host memory");
  using T = compared_distance_t<matrix_value_t<D>>;
  if constexpr (in_host_memory) {
    const std::size_t n = check_graph<T>(g);
    const std::vector<std::int32_t> list = list_sources(g, n, sources);
    no_predecessors none;
    check_matrices(g, distances, none, list.size(), n);
    require_shape(counts, list.size(), n, "the matrix of counts");
    check_apart_from_arrays(g, counts, {list.size(), n});
    if (may_overlap(counts, {list.size(), n}, distances, {list.size(), n})) {
      throw std::invalid_argument("apsp: distances and counts must not share memory");
    }
    std::mutex mutex;
    const auto put = [&](std::size_t row, std::size_t v, bool has_path, const auto& length,
                         const auto& count) {
      using length_type = matrix_value_t<D>;
      using compared = std::remove_cvref_t<decltype(length)>;
      const bool fits =
          has_path && !(static_cast<compared>(value_limits<length_type>::largest) < length);
      matrix_entry(distances, row, v) =
          fits ? static_cast<length_type>(length) : unreachable<length_type>;
      matrix_entry(counts, row, v) =
          checked_count<matrix_value_t<Counts>>(count, static_cast<std::size_t>(list[row]), v);
    };
    constexpr bool writes_at_once =
        can_be_written_by_threads<Counts> && can_be_written_by_threads<D>;
    return with_centrality_call<T>(
        policy, g, n, std::nullopt, list, options,
        [&](const auto& backend, path_hierarchy& paths, const adjacency_view<double>&,
            const counted_arcs<T>&) -> std::optional<result> {
          result done(backend.name(), algorithm::elimination);
          backend.watch().begin(list.size());
          const auto outcome = host::sweep_counts(
              paths, list, writes_at_once ? backend.host_threads() : 1, backend.watch(),
              [&](std::size_t row, std::size_t v, double length, double count) {
                put(row, v, !equals_unreachable(length), length, count);
              });
          if (outcome == sweep_outcome::not_possible) return std::nullopt;
          if (outcome == sweep_outcome::stopped) done.set_stopped();
          return done;
        },
        [&](auto& call, const counted_arcs<T>&) {
          call.drop_longer_arcs();
          constexpr int all_threads = 0;
          auto done = call.find_on_device(
              cuda::path_values::counts, writes_at_once ? all_threads : 1,
              [&]<class C>(const cuda::found_tiles<C>& tiles, std::size_t tile) {
                const std::size_t first_row = tiles.first_of(tile);
                for (std::size_t v = 0; v < n; ++v) {
                  const std::size_t first = tiles.entry(tile, v);
                  for (std::size_t i = 0; i < tiles.sources_of(tile); ++i) {
                    const C& length = tiles.distances[first + i];
                    put(first_row + i, v, length != no_path<C>(), static_cast<double>(length),
                        tiles.counts[first + i]);
                  }
                }
              });
          if (done) return *std::move(done);
          constexpr std::size_t num_chunks = 64;
          return call.run(
              num_chunks, [&](std::size_t, std::size_t row, auto get_distances, const auto& paths) {
                const T* const lengths = get_distances();
                const auto put_row = [&] {
                  for (std::size_t v = 0; v < n; ++v) {
                    put(row, v, !equals_unreachable(lengths[v]), lengths[v], paths.count_of(v));
                  }
                };
                if constexpr (writes_at_once) {
                  put_row();
                } else {
                  const std::lock_guard lock(mutex);
                  put_row();
                }
              });
        });
  }
}

}  // namespace apsp::inline v1::detail
