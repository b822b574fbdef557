// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "../values/int128.hpp"
#include "../values/weight.hpp"
#include "edges.hpp"

namespace apsp::detail {

/// The result of a search for a negative cycle: the cycle, or potentials that prove that there is
/// none.
template <class Sum>
struct cycle_search_result {
  /// The vertices of a negative cycle, with the first one repeated at the end; empty if there is
  /// none.
  std::vector<std::size_t> cycle;
  /// weight(u, v) + potentials[u] - potentials[v] >= 0 for every arc, up to rounding.
  std::vector<Sum> potentials;
};

/// Bellman–Ford from an additional source with an arc of weight 0 to every vertex. After each pass
/// it searches the predecessors for a cycle. O(n m) in the worst case; usually a few passes.
///
/// A floating-point cycle is negative if its length is below zero by more than the rounding of its
/// weights. If a cycle of predecessors is not negative in this sense, the weight of every arc is
/// increased by its own rounding: exactly the cycles that count as negative remain negative, and
/// the search continues from the current distances. If distances are so large that their rounding
/// exceeds that of the weights, the weights are increased by that as well, each time the distances
/// have grown several times larger.
///
/// Sources: Bellman 1958; Cherkassky and Goldberg 1999 for cycles of predecessors.
template <class T>
class negative_cycle_search {
 public:
  using sum = walk_sum_t<T>;

  negative_cycle_search(std::size_t num_vertices, std::vector<weighted_arc<T>> arcs)
      : arcs_(std::move(arcs)),
        distances_(num_vertices, sum(T{})),
        arrived_by_(num_vertices, none) {}

  /// Goes on with these distances, which should be lengths of paths to each vertex, up to rounding. If
  /// they are shortest already, one pass remains.
  void start_from(std::vector<sum> distances) {
    distances_ = std::move(distances);
    std::fill(arrived_by_.begin(), arrived_by_.end(), none);
  }

  /// The number of passes so far.
  std::size_t num_passes() const { return num_passes_; }

  /// @param is_to_stop  polled before each pass; if it returns true, the result is meaningless, and
  ///                    another call goes on with the search.
  template <class IsToStop>
  cycle_search_result<sum> run(IsToStop is_to_stop) {
    while (!is_to_stop() && relax_all()) {
      if (const std::size_t vertex = vertex_on_cycle(); vertex != none) {
        std::vector<std::size_t> arcs_of_cycle = cycle_through(vertex);
        if (is_negative(arcs_of_cycle)) return {walk(arcs_of_cycle), {}};
        if constexpr (std::is_floating_point_v<T>) {
          allow_for_rounding();
        } else {
          // Sums of a user-defined type may round as well, by an unknown amount.
          break;
        }
      }
    }
    return {{}, distances_};
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  bool relax_all() {
    bool changed = false;
    // Every other pass runs backwards, so that no order of the arcs is the worst case.
    // Source: Yen 1970.
    const bool backwards = num_passes_++ % 2 != 0;
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
      const std::size_t a = backwards ? arcs_.size() - 1 - i : i;
      const auto& arc = arcs_[a];
      const sum through = distances_[arc.source] + length_of(arc);
      if (through < distances_[arc.target]) {
        distances_[arc.target] = through;
        arrived_by_[arc.target] = a;
        changed = true;
      }
    }
    return changed;
  }

  // Follows predecessors from every vertex; each is visited once.
  std::size_t vertex_on_cycle() const {
    std::vector<std::size_t> seen_from(distances_.size(), none);
    for (std::size_t start = 0; start < distances_.size(); ++start) {
      std::size_t v = start;
      while (seen_from[v] == none) {
        seen_from[v] = start;
        if (arrived_by_[v] == none) break;
        v = arcs_[arrived_by_[v]].source;
      }
      if (seen_from[v] == start && arrived_by_[v] != none) return v;
    }
    return none;
  }

  std::vector<std::size_t> cycle_through(std::size_t vertex) const {
    std::vector<std::size_t> cycle;
    std::size_t v = vertex;
    do {
      cycle.push_back(arrived_by_[v]);
      v = arcs_[arrived_by_[v]].source;
    } while (v != vertex);
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
  }

  static sum magnitude_of(const sum& x) { return x < sum(T{}) ? sum(T{}) - x : x; }

  sum length_of(const weighted_arc<T>& arc) const {
    const sum weight = sum(arc.weight);
    if constexpr (std::is_floating_point_v<T>) {
      return weight + (relative_allowance_ * magnitude_of(weight) + absolute_allowance_);
    } else {
      return weight;
    }
  }

  bool is_negative(const std::vector<std::size_t>& cycle) const {
    sum length = sum(T{});
    sum magnitude = sum(T{});
    for (const std::size_t a : cycle) {
      const sum weight = sum(arcs_[a].weight);
      length = length + weight;
      magnitude = magnitude + magnitude_of(weight);
    }
    if constexpr (std::is_floating_point_v<T>) {
      return length < -std::numeric_limits<T>::epsilon() * magnitude;
    } else {
      return length < sum(T{});
    }
  }

  // Prevents the same non-negative cycle, or a similar one, from being found again.
  void allow_for_rounding() {
    std::fill(arrived_by_.begin(), arrived_by_.end(), none);
    if (relative_allowance_ == sum(0)) {
      relative_allowance_ = std::numeric_limits<T>::epsilon();
      return;
    }
    // Relaxing an arc rounds two sums.
    constexpr sum rounding_of_sums = 4 * std::numeric_limits<sum>::epsilon();
    sum farthest = std::numeric_limits<sum>::min();
    for (const sum& d : distances_) farthest = std::max(farthest, magnitude_of(d));
    absolute_allowance_ = std::max(2 * absolute_allowance_, rounding_of_sums * farthest);
  }

  std::vector<std::size_t> walk(const std::vector<std::size_t>& cycle) const {
    std::vector<std::size_t> vertices;
    for (const std::size_t a : cycle) vertices.push_back(arcs_[a].source);
    vertices.push_back(vertices.front());
    return vertices;
  }

  std::vector<weighted_arc<T>> arcs_;
  std::vector<sum> distances_;
  std::vector<std::size_t> arrived_by_;
  /// Amount by which the weights are increased: a fraction of the weight plus a constant.
  sum relative_allowance_ = sum(T{});
  sum absolute_allowance_ = sum(T{});
  std::size_t num_passes_ = 0;
};

}  // namespace apsp::detail
