// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../apsp/semiring.hpp"
#include "../../graph/adjacency.hpp"
#include "../../host/monitor.hpp"
#include "../../host/parallel_for.hpp"
#include "../../host/stop_check.hpp"
#include "../../host/untouched_buffer.hpp"
#include "../../values/kernel_semirings.hpp"
#include "../elimination_tree.hpp"
#include "../path_values.hpp"

namespace apsp::inline v1::detail::host {

/// The arcs of a graph between places, grouped by the lower of their ends, which is eliminated
/// first, and there in the order of the graph.
template <class T>
struct placed_arcs {
  struct arc {
    std::int32_t from;
    std::int32_t to;
    T weight;
  };
  std::vector<std::size_t> offsets;  ///< By the lower end.
  std::vector<arc> arcs;

  /// Threads sort the arcs of ranges of vertices into buckets of places, and then the buckets.
  /// @throws stop_seen if a stop is requested.
  /// Complexity: O(n + m).
  placed_arcs(const elimination_tree& tree, const adjacency_view<T>& of_vertices, int threads,
              const monitor& watch)
      : offsets(tree.num_vertices() + 1, 0), arcs(of_vertices.num_edges()) {
    const std::size_t n = tree.num_vertices();
    const std::size_t places_of_bucket = std::max(fewest_places, n / most_buckets);
    const std::size_t num_buckets = n / places_of_bucket + 1;
    const std::vector<std::size_t> ranges =
        ranges_of_similar_work(of_vertices, num_ranges(threads));
    const std::size_t count = ranges.size() - 1;
    untouched_buffer<arc> in_buckets(arcs.size());
    // By bucket and range: the number of arcs, and then where the next one comes.
    std::vector<std::size_t> next(num_buckets * count + 1, 0);
    const auto for_each_arc = [&](std::size_t range, auto f) {
      stop_poll poll(&watch);
      for (std::size_t u = ranges[range]; u < ranges[range + 1]; ++u) {
        poll.after(of_vertices.end(u) - of_vertices.begin(u));
        for (std::size_t a = of_vertices.begin(u); a < of_vertices.end(u); ++a) {
          const std::int32_t to = tree.places[static_cast<std::size_t>(of_vertices.targets[a])];
          f(arc{tree.places[u], to, of_vertices.weights[a]});
        }
      }
    };
    constexpr std::size_t grain = 1;
    parallel_for(
        count, threads,
        [&](std::size_t range) {
          std::vector<std::size_t> counts(num_buckets, 0);
          for_each_arc(range, [&](const arc& a) { ++counts[lower_end(a) / places_of_bucket]; });
          for (std::size_t b = 0; b < num_buckets; ++b) next[b * count + range + 1] = counts[b];
        },
        grain);
    std::partial_sum(next.begin(), next.end(), next.begin());
    parallel_for(
        count, threads,
        [&](std::size_t range) {
          std::vector<std::size_t> places(num_buckets);
          for (std::size_t b = 0; b < num_buckets; ++b) places[b] = next[b * count + range];
          for_each_arc(range, [&](const arc& a) {
            in_buckets.data()[places[lower_end(a) / places_of_bucket]++] = a;
          });
        },
        grain);
    parallel_for_with_workspace(
        num_buckets, threads, [&] { return stop_poll(&watch); },
        [&](stop_poll& poll, std::size_t b) {
          const std::span<const arc> bucket(in_buckets.data() + next[b * count],
                                            in_buckets.data() + next[(b + 1) * count]);
          poll.after(bucket.size() + places_of_bucket);
          const std::size_t first = b * places_of_bucket;
          const std::size_t end = std::min(first + places_of_bucket, n);
          // The offsets of the places, each one after its own.
          for (const arc& a : bucket) ++offsets[lower_end(a) + 1];
          std::size_t sum = next[b * count];
          for (std::size_t place = first; place < end; ++place) {
            sum += std::exchange(offsets[place + 1], sum);
          }
          for (const arc& a : bucket) arcs[offsets[lower_end(a) + 1]++] = a;
        });
  }

  /// True if the best of the arcs between any two places is the same in both directions.
  /// @throws stop_seen if a stop is requested.
  /// Complexity: O(n + m log d) with at most d arcs of a place.
  template <class S>
  bool are_symmetric(const path_values<S>& values, int threads, const monitor& watch) const {
    const std::size_t n = offsets.size() - 1;
    std::atomic<bool> all = true;
    struct workspace {
      stop_poll poll;
      std::vector<pair_of_arcs> pairs;
    };
    constexpr std::size_t grain = 4096;
    parallel_for_with_workspace(
        n, threads,
        [&] {
          return workspace{stop_poll(&watch), {}};
        },
        [&](workspace& mine, std::size_t place) {
          if (!all.load(std::memory_order_relaxed)) return;
          mine.poll.after(offsets[place + 1] - offsets[place]);
          if (!are_symmetric_at(place, values, mine.pairs)) all = false;
        },
        grain);
    return all;
  }

 private:
  // Every range of vertices counts its arcs by bucket.
  static constexpr std::size_t fewest_places = 4096;
  static constexpr std::size_t most_buckets = 4096;

  /// The best arcs between a place and one above it.
  struct pair_of_arcs {
    std::int32_t above;
    T up;
    T down;
  };

  // The lower end has the larger number.
  static std::size_t lower_end(const arc& a) {
    return static_cast<std::size_t>(std::max(a.from, a.to));
  }
  static std::size_t num_ranges(int threads) {
    const auto count = static_cast<std::size_t>(thread_count(threads));
    return count == 1 ? 1 : 4 * count;
  }

  /// @param pairs  memory for use.
  template <class S>
  bool are_symmetric_at(std::size_t place, const path_values<S>& values,
                        std::vector<pair_of_arcs>& pairs) const {
    pairs.clear();
    for (std::size_t a = offsets[place]; a < offsets[place + 1]; ++a) {
      const auto& [from, to, weight] = arcs[a];
      if (from == to) continue;
      const bool is_up = static_cast<std::size_t>(from) == place;
      pairs.push_back(
          {is_up ? to : from, is_up ? weight : values.none, is_up ? values.none : weight});
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const pair_of_arcs& a, const pair_of_arcs& b) { return a.above < b.above; });
    for (std::size_t i = 0; i < pairs.size();) {
      pair_of_arcs best = pairs[i];
      for (++i; i < pairs.size() && pairs[i].above == best.above; ++i) {
        best.up = values.plus(pairs[i].up, best.up);
        best.down = values.plus(pairs[i].down, best.down);
      }
      if (values.is_better(best.up, best.down) || values.is_better(best.down, best.up)) {
        return false;
      }
    }
    return true;
  }
};

/// True if paths of semiring S are worth the same in both directions of a graph whose arcs are.
template <class S>
inline constexpr bool commutes =
    has_library_kernels<S> || (is_min_plus<S> && std::is_arithmetic_v<typename S::value_type>);

}  // namespace apsp::inline v1::detail::host
