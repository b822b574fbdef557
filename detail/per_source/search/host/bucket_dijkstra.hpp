// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <vector>

#include "../../../graph/adjacency.hpp"
#include "../../../host/monitor.hpp"
#include "../../../host/stop_check.hpp"
#include "../../../values/distance_code.hpp"
#include "../../problem/paths.hpp"
#include "../../problem/problem.hpp"
#include "dijkstra.hpp"
#include "relax.hpp"
#include "target_set.hpp"

namespace apsp::inline v1::detail::host {

/// True if distances of type C can be sorted into buckets.
template <class C>
inline constexpr bool has_buckets = std::is_arithmetic_v<C> && sizeof(C) <= sizeof(double);

/// Buckets of equal width, used in turn: while one is emptied, all distances found fall within the
/// ring.
struct bucket_ring {
  double per_distance;  ///< Buckets per unit of distance.
  std::size_t count;    ///< A power of two.
};

/// Buckets for non-negative weights. Empty if the weights differ too much for buckets to help.
template <class C>
std::optional<bucket_ring> choose_buckets(const adjacency_view<C>& arcs) {
  // Narrow buckets mean few vertices that are relaxed twice, wide buckets mean few empty ones. One
  // eighth of the mean weight takes at most a tenth more time than the best width between 1/8 and 4
  // mean weights, with 3 to 16 arcs per vertex, and half the time of a width of one mean weight
  // with 32.
  constexpr double per_mean_weight = 8;
  constexpr double most = 4096;
  // Keeps bucket numbers exact.
  constexpr double most_turns = 1e15;
  // With one or more arcs per vertex, paths of arcs this light are long, and their vertices share a
  // bucket: with 4 arcs per vertex and weights over six orders of magnitude, vertices are relaxed
  // six times.
  constexpr double light_part_of_bucket = 1.0 / 16;
  double largest = 0;
  double sum = 0;
  for (const C& weight : arcs.weights) {
    largest = std::max(largest, static_cast<double>(weight));
    sum += static_cast<double>(weight);
  }
  const double per_distance = per_mean_weight * static_cast<double>(arcs.num_edges()) / sum;
  const double spanned = largest * per_distance;
  // Also false if there are no arcs, if all weights are zero, or if the sum overflows.
  const bool is_useful = spanned > 0 && spanned < most &&
                         spanned * static_cast<double>(arcs.num_vertices()) < most_turns;
  if (!is_useful) return std::nullopt;
  const auto num_light = static_cast<std::size_t>(
      std::count_if(arcs.weights.begin(), arcs.weights.end(), [&](const C& weight) {
        return C{} < weight && static_cast<double>(weight) * per_distance < light_part_of_bucket;
      }));
  if (num_light > arcs.num_vertices()) return std::nullopt;
  return bucket_ring{per_distance, std::bit_ceil(static_cast<std::size_t>(spanned) + 3)};
}

/// Dijkstra's algorithm with buckets: vertices are processed in bucket order, and within a bucket
/// in the order of discovery, so a vertex may be relaxed again. It avoids unpredictable
/// comparisons, which makes it 1.5 to 3 times as fast as a heap on sparse graphs. If too many
/// vertices are relaxed again, or most buckets are empty, a heap takes over: O((n + m) log n). This
/// depends only on the graph and the source, never on previous sources, so the choice among
/// shortest paths of equal length does not depend on which thread solves the source. Sources: Dial
/// 1969; Meyer and Sanders 2003.
template <class C>
class bucket_dijkstra_solver {
 public:
  /// @param problem  `choose_buckets` must return buckets for it.
  bucket_dijkstra_solver(const per_source_problem<C>& problem, const summed<C>& paths)
      : problem_(problem),
        queue_(*choose_buckets(problem.arcs)),
        targets_(problem.arcs.num_vertices(), problem.targets),
        heap_(problem, paths) {}

  solve_outcome solve(std::size_t source, C* distances, std::int32_t* predecessors,
                      const monitor& watch) {
    const auto outcome = try_buckets(source, distances, predecessors, watch);
    used_heap_ = !outcome;
    if (outcome) return *outcome;
    const std::size_t n = problem_.arcs.num_vertices();
    std::fill_n(distances, n, no_path<C>());
    if (predecessors != nullptr) std::fill_n(predecessors, n, -1);
    return heap_.solve(source, distances, predecessors, watch);
  }

  /// After `solve`, if the problem is `by_reached`: the vertices whose entries it has written, some
  /// of them several times.
  const std::vector<std::uint32_t>& reached() const {
    return used_heap_ ? heap_.reached() : reached_;
  }

 private:
  using key = distance_key<C>;

  struct ring_of_buckets {
    explicit ring_of_buckets(const bucket_ring& ring)
        : per_distance(ring.per_distance), buckets(ring.count) {}

    void push_or_decrease(std::size_t vertex, const C& distance) {
      const auto turn = static_cast<std::size_t>(static_cast<double>(distance) * per_distance);
      ++num_waiting;
      buckets[turn & (buckets.size() - 1)].push_back(key(distance, vertex));
    }
    void clear() {
      if (num_waiting == 0) return;
      for (auto& bucket : buckets) bucket.clear();
      num_waiting = 0;
    }
    /// Calls f(vertex) for every entry.
    template <class F>
    void for_each_vertex(F f) const {
      if (num_waiting == 0) return;
      for (const auto& bucket : buckets) {
        for (const key& k : bucket) f(k.vertex());
      }
    }
    /// Also clears the queue and releases its memory.
    void give_back() {
      for (auto& bucket : buckets) bucket = std::vector<key>();
      num_waiting = 0;
    }

    double per_distance;
    std::vector<std::vector<key>> buckets;
    std::size_t num_waiting = 0;
  };

  // Buckets grow while rows are written. The heap has already allocated its memory, so it takes
  // over if an allocation fails.
  std::optional<solve_outcome> try_buckets(std::size_t source, C* distances,
                                           std::int32_t* predecessors, const monitor& watch) {
    try {
      return solve_in_buckets(source, distances, predecessors, watch);
    } catch (const std::bad_alloc&) {
      queue_.give_back();
      emptied_ = std::vector<key>();
      reached_ = std::vector<std::uint32_t>();
      return std::nullopt;
    }
  }

  // Empty if a heap is likely to be faster.
  std::optional<solve_outcome> solve_in_buckets(std::size_t source, C* distances,
                                                std::int32_t* predecessors, const monitor& watch) {
    // Random graphs of 2 to 64 arcs per vertex need 0.8 to 1.3, road networks 1.1, power-law
    // degrees 1.8. Graphs that need more are faster with a heap.
    constexpr std::size_t most_work_per_arc = 2;
    // A ring graph has more empty buckets than vertices, which shows early; the buckets of other
    // graphs fill up as the search continues.
    constexpr std::size_t part_to_look_at = 8;
    const adjacency_view<C>& arcs = problem_.arcs;
    const std::size_t size = arcs.num_vertices() + arcs.num_edges();
    const std::size_t most_work = most_work_per_arc * size;
    std::size_t work = 0;
    stop_check check(watch);
    queue_.clear();  // discards the remains of an interrupted search
    targets_.restart();
    reached_.clear();
    distances[source] = C{};
    queue_.push_or_decrease(source, C{});
    const searched_row<C> row{problem_.limit, distances, predecessors};
    for (std::size_t turn = 0; queue_.num_waiting != 0; ++turn) {
      std::vector<key>& bucket = queue_.buckets[turn & (queue_.buckets.size() - 1)];
      ++work;
      if (turn > size / part_to_look_at && turn > work / 2) return std::nullopt;
      while (!bucket.empty()) {
        if (work > most_work) return std::nullopt;
        emptied_.swap(bucket);
        bucket.clear();
        for (const key& k : emptied_) {
          const std::size_t u = k.vertex();
          const C distance = k.distance();
          --queue_.num_waiting;
          ++work;
          if (distances[u] < distance) continue;
          if (problem_.by_reached) reached_.push_back(static_cast<std::uint32_t>(u));
          targets_.settle(u);
          relax_arcs(summed<C>{}, arcs, u, distance, row, queue_);
          const std::size_t degree = arcs.end(u) - arcs.begin(u);
          work += degree;
          if (check.after(degree)) return solve_outcome::stopped;
        }
      }
      // Vertices of the bucket are settled when it is empty.
      if (targets_.are_settled()) break;
    }
    if (problem_.by_reached) {
      queue_.for_each_vertex(
          [&](std::size_t v) { reached_.push_back(static_cast<std::uint32_t>(v)); });
    }
    return solve_outcome::finished;
  }

  per_source_problem<C> problem_;
  ring_of_buckets queue_;
  std::vector<key> emptied_;
  target_set targets_;
  std::vector<std::uint32_t> reached_;
  dijkstra_solver<summed<C>> heap_;
  bool used_heap_ = false;
};

}  // namespace apsp::inline v1::detail::host
