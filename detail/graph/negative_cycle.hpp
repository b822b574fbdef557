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

/// What a search for a negative cycle gives: the cycle, or potentials that prove there is none.
template <class Sum>
struct cycle_search_result {
  /// The vertices of a negative cycle, the first one repeated at the end; empty if there is none.
  std::vector<std::size_t> cycle;
  /// weight(u, v) + potentials[u] - potentials[v] >= 0 for every arc, up to rounding.
  std::vector<Sum> potentials;
};

/// Bellman–Ford from a source joined to every vertex by an arc of weight 0, that looks for a cycle
/// of predecessors after each pass. O(n m) in the worst case; usually a few passes.
///
/// A floating-point cycle is negative if it sums below zero by more than the weights are rounded:
/// where a cycle of predecessors turns out not to be, gains as small as its own no longer count on its
/// arcs.
///
/// Sources: Bellman 1958; Cherkassky and Goldberg 1999 on cycles of predecessors.
template <class T>
class negative_cycle_search {
 public:
  using sum = walk_sum_t<T>;

  negative_cycle_search(std::size_t num_vertices, std::vector<weighted_arc<T>> arcs)
      : arcs_(std::move(arcs)),
        distances_(num_vertices, sum(T{})),
        arrived_by_(num_vertices, none) {}

  /// @param is_to_stop  asked before each pass; the answer is then of no use.
  template <class IsToStop>
  cycle_search_result<sum> run(IsToStop is_to_stop) {
    while (!is_to_stop() && relax_all()) {
      if (const std::size_t vertex = vertex_on_cycle(); vertex != none) {
        std::vector<std::size_t> arcs_of_cycle = cycle_through(vertex);
        if (is_negative(arcs_of_cycle)) return {walk(arcs_of_cycle), {}};
        // Sums of a type of the user's may round, too, and by how much is not known.
        if constexpr (!std::is_arithmetic_v<T>) break;
        std::fill(arrived_by_.begin(), arrived_by_.end(), none);
      }
    }
    return {{}, distances_};
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  bool relax_all() {
    bool changed = false;
    // Every other pass runs backwards, so that neither order of the arcs is the worst one.
    // Source: Yen 1970.
    backwards_ = !backwards_;
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
      const std::size_t a = backwards_ ? arcs_.size() - 1 - i : i;
      const auto& arc = arcs_[a];
      const sum through = distances_[arc.source] + sum(arc.weight);
      if (through + least_gain(a) < distances_[arc.target]) {
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

  sum least_gain(std::size_t a) const { return least_gain_.empty() ? sum(T{}) : least_gain_[a]; }

  // Raises the least gain of its arcs if the cycle is not negative, so that it is not walked again.
  bool is_negative(const std::vector<std::size_t>& cycle) {
    sum length = sum(T{});
    sum magnitude = sum(T{});
    for (const std::size_t a : cycle) {
      const sum weight = sum(arcs_[a].weight);
      length = length + weight;
      magnitude = magnitude + (weight < sum(T{}) ? sum(T{}) - weight : weight);
    }
    if constexpr (std::is_floating_point_v<T>) {
      const sum rounding = static_cast<sum>(std::numeric_limits<T>::epsilon()) * magnitude;
      if (length < -rounding) return true;
      least_gain_.resize(arcs_.size());
      for (const std::size_t a : cycle) least_gain_[a] = std::max(2 * least_gain_[a], rounding);
      return false;
    } else {
      return length < sum(T{});
    }
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
  std::vector<sum> least_gain_;  ///< Of each arc; empty while all are 0.
  bool backwards_ = true;
};

}  // namespace apsp::detail
