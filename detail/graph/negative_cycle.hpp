// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "../host/monitor.hpp"
#include "../values/exact_sum.hpp"
#include "../values/int128.hpp"
#include "../values/weight.hpp"
#include "components.hpp"
#include "edges.hpp"

namespace apsp::inline v1::detail {

/// The result of a search for a negative cycle: the cycle, or potentials that prove that there is
/// none.
template <class Sum>
struct cycle_search_result {
  /// The vertices of a negative cycle, with the first one repeated at the end; empty if there is
  /// none.
  std::vector<std::size_t> cycle;
  /// weight(u, v) + potentials[u] - potentials[v] >= 0 for every arc, up to rounding.
  std::vector<Sum> potentials;
  /// True if sums along a cycle may round below zero, so that a walk that contains it looks shorter
  /// than a path.
  bool may_round_below_zero = false;
};

/// Passes of Bellman–Ford over a list of arcs, from distances that are 0 unless others are given.
/// After each pass the predecessors are searched for a cycle.
///
/// Rounding can make a cycle look negative. The weight of every arc is then increased by its own
/// rounding, and if that does not help, also by the rounding of the distances, each time they have
/// grown several times larger.
///
/// Sources: Bellman 1958; Cherkassky and Goldberg 1999 for cycles of predecessors.
/// @tparam W  the type of the weights; lengths are sums of type `sum`.
template <class W, class Sum>
class bellman_ford_passes {
 public:
  using sum = Sum;

  /// @param rounding_of_weights  the rounding of a weight, as a fraction of it.
  bellman_ford_passes(std::size_t num_vertices, std::vector<weighted_arc<W>> arcs,
                      const sum& rounding_of_weights)
      : rounding_of_weights_(rounding_of_weights),
        arcs_(std::move(arcs)),
        distances_(num_vertices, sum{}),
        arrived_by_(num_vertices, none) {}

  void start_from(std::vector<sum> distances) {
    distances_ = std::move(distances);
    std::fill(arrived_by_.begin(), arrived_by_.end(), none);
  }

  std::size_t num_passes() const { return num_passes_; }
  const std::vector<weighted_arc<W>>& arcs() const { return arcs_; }
  const std::vector<sum>& distances() const { return distances_; }

  /// Goes on until a pass changes nothing.
  /// @param is_to_stop   polled before each pass; if it returns true, the call returns.
  /// @param is_negative  `is_negative(cycle)`, whether a cycle, given as indices of arcs, is
  ///                     negative.
  /// @return the arcs of a negative cycle; empty if there is none.
  template <class IsToStop, class IsNegative>
  std::vector<std::size_t> run(IsToStop is_to_stop, IsNegative is_negative) {
    while (!is_to_stop() && relax_all()) {
      if (const std::size_t vertex = vertex_on_cycle(); vertex != none) {
        std::vector<std::size_t> cycle = cycle_through(vertex);
        if (is_negative(cycle)) return cycle;
        if constexpr (std::is_floating_point_v<sum>) {
          allow_for_rounding();
        } else {
          // Sums of a user-defined type may round as well, by an unknown amount.
          break;
        }
      }
    }
    return {};
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

  static sum magnitude_of(const sum& x) { return x < sum{} ? sum{} - x : x; }

  sum length_of(const weighted_arc<W>& arc) const {
    const sum weight = sum(arc.weight);
    if constexpr (std::is_floating_point_v<sum>) {
      return weight + (relative_allowance_ * magnitude_of(weight) + absolute_allowance_);
    } else {
      return weight;
    }
  }

  // Prevents the same non-negative cycle, or a similar one, from being found again.
  void allow_for_rounding() {
    std::fill(arrived_by_.begin(), arrived_by_.end(), none);
    if (relative_allowance_ < rounding_of_weights_) {
      relative_allowance_ = rounding_of_weights_;
      return;
    }
    // Relaxing an arc rounds two sums.
    constexpr sum rounding_of_sums = 4 * std::numeric_limits<sum>::epsilon();
    sum farthest = std::numeric_limits<sum>::min();
    for (const sum& d : distances_) farthest = std::max(farthest, magnitude_of(d));
    absolute_allowance_ = std::max(2 * absolute_allowance_, rounding_of_sums * farthest);
  }

  sum rounding_of_weights_;
  std::vector<weighted_arc<W>> arcs_;
  std::vector<sum> distances_;
  std::vector<std::size_t> arrived_by_;
  /// Amount by which the weights are increased: a fraction of the weight plus a constant.
  sum relative_allowance_{};
  sum absolute_allowance_{};
  std::size_t num_passes_ = 0;
};

/// Searches for a negative cycle, or potentials. O(n m) in the worst case; usually a few passes.
///
/// A floating-point cycle is negative if its length is below zero by more than the rounding of its
/// weights: if the weights, each increased by its rounding, sum below zero without any rounding.
/// Passes of Bellman–Ford alone miss such a cycle where a distance is so large that it absorbs the
/// weights of the cycle. Their result is therefore proved: the arcs are reweighted by the distances
/// without rounding, which changes the length of no cycle. If no weight is negative then, no cycle
/// is. Otherwise the least of the new weights bounds those of all arcs of a negative cycle. Few
/// arcs are below that bound and in a cycle of such arcs, and the search goes on with them and
/// their new weights. They are smaller than the rounding of the distances before, so a few steps
/// are enough.
template <class T>
class negative_cycle_search {
 public:
  using sum = walk_sum_t<T>;

  negative_cycle_search(std::size_t num_vertices, std::vector<weighted_arc<T>> arcs)
      : passes_(num_vertices, std::move(arcs), rounding()) {}

  /// Goes on with these distances, which should be lengths of paths to each vertex, up to rounding.
  /// If they are shortest already, one pass remains.
  void start_from(std::vector<sum> distances) { passes_.start_from(std::move(distances)); }

  /// The number of passes over all arcs so far.
  std::size_t num_passes() const { return passes_.num_passes(); }

  /// @param is_to_stop  polled before each pass; if it returns true, the result is meaningless, and
  ///                    another call goes on with the search.
  template <class IsToStop>
  cycle_search_result<sum> run(IsToStop is_to_stop) {
    bool is_stopped = false;
    const auto stops = [&] { return is_stopped = is_to_stop(); };
    const auto cycle =
        passes_.run(stops, [&](const std::vector<std::size_t>& arcs) { return is_negative(arcs); });
    if (!cycle.empty()) return {walk(cycle), {}, false};
    if constexpr (std::is_floating_point_v<T>) {
      if (!is_stopped) return prove(stops);
    }
    return {{}, passes_.distances(), false};
  }

 private:
  /// An arc by its index, with a weight that potentials have changed.
  struct reweighted_arc {
    std::size_t arc;
    sum weight;
  };

  static constexpr sum rounding() {
    if constexpr (std::is_floating_point_v<T>) {
      return std::numeric_limits<T>::epsilon();
    } else {
      return sum{};
    }
  }

  const std::vector<weighted_arc<T>>& arcs() const { return passes_.arcs(); }

  static sum magnitude_of(const sum& x) { return x < sum{} ? sum{} - x : x; }

  bool is_negative(const std::vector<std::size_t>& cycle) const {
    if constexpr (std::is_floating_point_v<T>) {
      exact_sum<sum> length;
      for (const std::size_t a : cycle) {
        const sum weight = sum(arcs()[a].weight);
        length.add(weight);
        length.add(rounding() * magnitude_of(weight));
      }
      return length.rounded() < sum{};
    } else {
      sum length{};
      for (const std::size_t a : cycle) length = length + sum(arcs()[a].weight);
      return length < sum{};
    }
  }

  std::vector<std::size_t> walk(const std::vector<std::size_t>& cycle) const {
    std::vector<std::size_t> vertices;
    for (const std::size_t a : cycle) vertices.push_back(arcs()[a].source);
    vertices.push_back(vertices.front());
    return vertices;
  }

  /// Finds a negative cycle that the passes have missed, or proves that there is none.
  template <class IsToStop>
  cycle_search_result<sum> prove(IsToStop is_to_stop) const {
    const std::size_t n = passes_.distances().size();
    // The potentials are sums of these, without rounding.
    std::vector<std::vector<sum>> steps{passes_.distances()};
    bool may_round_below_zero = false;
    std::vector<reweighted_arc> open = doubtful_arcs(steps.front(), may_round_below_zero);
    // Each step shrinks the weights by almost the rounding of a sum, so that the range of T ends
    // before.
    constexpr std::size_t most_steps = 1000;
    while (!open.empty() && steps.size() < most_steps && !is_to_stop()) {
      std::vector<weighted_arc<sum>> list;
      for (const auto& [a, weight] : open) {
        list.push_back({arcs()[a].source, arcs()[a].target, weight});
      }
      bellman_ford_passes<sum, sum> passes(n, std::move(list), sum{});
      std::vector<std::size_t> cycle = passes.run(is_to_stop, [&](std::vector<std::size_t> found) {
        for (std::size_t& a : found) a = open[a].arc;
        return is_negative(found);
      });
      for (std::size_t& a : cycle) a = open[a].arc;
      if (!cycle.empty()) return {walk(cycle), {}, false};
      steps.push_back(passes.distances());
      reweight(open, steps);
      sum lowest{};
      for (const auto& [a, weight] : open) lowest = std::min(lowest, weight);
      if (!(lowest < sum{})) break;
      std::erase_if(open, [bound = bound_of_short(lowest, n)](const reweighted_arc& arc) {
        return bound < arc.weight;
      });
      keep_cycles(open, n);
    }
    std::vector<sum> potentials = steps.front();
    for (std::size_t k = 1; k < steps.size(); ++k) {
      for (std::size_t v = 0; v < n; ++v) potentials[v] += steps[k][v];
    }
    return {{}, std::move(potentials), may_round_below_zero};
  }

  /// The arcs that may be part of a negative cycle after the passes over all arcs.
  std::vector<reweighted_arc> doubtful_arcs(const std::vector<sum>& distances,
                                            bool& may_round_below_zero) const {
    const std::size_t n = distances.size();
    sum largest{};
    for (const sum& d : distances) largest = std::max(largest, magnitude_of(d));
    for (const auto& arc : arcs()) largest = std::max(largest, magnitude_of(sum(arc.weight)));
    // Solvers add weights and distances in T, each a few times.
    const sum rounding_of_solvers = 16 * rounding() * largest;
    sum lowest{};
    auto open = short_arcs(distances, rounding_of_solvers, lowest);
    keep_cycles(open, n);
    may_round_below_zero = !open.empty() && !sums_are_exact(n);
    if (!(lowest < sum{})) return {};
    open = short_arcs(distances, bound_of_short(lowest, n), lowest);
    keep_cycles(open, n);
    return open;
  }

  /// The arcs that are at most as long as @p bound after the first step.
  /// @param lowest  receives the least of their weights if it is negative.
  std::vector<reweighted_arc> short_arcs(const std::vector<sum>& distances, const sum& bound,
                                         sum& lowest) const {
    // Three sums are rounded.
    constexpr sum rounding_of_sums = 4 * std::numeric_limits<sum>::epsilon();
    std::vector<reweighted_arc> found;
    exact_sum<sum> exact;
    // Most arcs are much longer, which the processor's own type shows faster.
    using quick = std::conditional_t<(sizeof(T) > sizeof(double)), T, double>;
    const std::vector<quick> lengths(distances.begin(), distances.end());
    constexpr quick quick_rounding = 4 * std::numeric_limits<quick>::epsilon();
    const quick quick_bound = static_cast<quick>(bound) * (1 + quick_rounding);
    for (std::size_t a = 0; a < arcs().size(); ++a) {
      const auto& arc = arcs()[a];
      const quick near = lengths[arc.source];
      const quick far = lengths[arc.target];
      const quick given = static_cast<quick>(arc.weight);
      const quick quick_error = quick_rounding * (std::abs(given) + std::abs(near) + std::abs(far));
      if (quick_bound + quick_error < given + (near - far)) continue;
      const sum weight = sum(arc.weight);
      const sum from = distances[arc.source];
      const sum to = distances[arc.target];
      sum rough = (weight + rounding() * magnitude_of(weight)) + (from - to);
      const sum error =
          rounding_of_sums * (magnitude_of(weight) + magnitude_of(from) + magnitude_of(to));
      if (bound + error < rough) continue;
      if (rough < error) {
        add_weight(exact, a, distances);
        rough = exact.rounded();
        lowest = std::min(lowest, rough);
      }
      found.push_back({a, rough});
    }
    return found;
  }

  /// True if no solver rounds the sum of the weights of a path.
  bool sums_are_exact(std::size_t num_vertices) const {
    weight_digits<T> digits;
    for (const auto& arc : arcs()) digits.add(arc.weight);
    return digits.have_exact_sums(num_vertices);
  }

  /// @p exact becomes the weight of an arc with its rounding, reweighted by the first potentials.
  void add_weight(exact_sum<sum>& exact, std::size_t a, const std::vector<sum>& potentials) const {
    const auto& arc = arcs()[a];
    exact.clear();
    exact.add(sum(arc.weight));
    exact.add(rounding() * magnitude_of(sum(arc.weight)));
    exact.add(potentials[arc.source]);
    exact.add(-potentials[arc.target]);
  }

  /// Gives the arcs their weights after all steps.
  void reweight(std::vector<reweighted_arc>& open,
                const std::vector<std::vector<sum>>& steps) const {
    exact_sum<sum> exact;
    for (auto& [a, weight] : open) {
      add_weight(exact, a, steps.front());
      for (std::size_t k = 1; k < steps.size(); ++k) {
        exact.add(steps[k][arcs()[a].source]);
        exact.add(-steps[k][arcs()[a].target]);
      }
      weight = exact.rounded();
    }
  }

  /// If @p lowest is the least weight, a negative cycle has no arc above this weight.
  static sum bound_of_short(const sum& lowest, std::size_t num_vertices) {
    return -lowest * static_cast<sum>(num_vertices);
  }

  /// Keeps the arcs that are in a cycle of these arcs.
  void keep_cycles(std::vector<reweighted_arc>& open, std::size_t n) const {
    if (open.empty()) return;
    std::vector<std::size_t> offsets(n + 1, 0);
    for (const auto& arc : open) ++offsets[arcs()[arc.arc].source + 1];
    for (std::size_t v = 0; v < n; ++v) offsets[v + 1] += offsets[v];
    std::vector<std::int32_t> targets(open.size());
    std::vector<std::size_t> next(offsets.begin(), offsets.end() - 1);
    for (const auto& arc : open) {
      targets[next[arcs()[arc.arc].source]++] = static_cast<std::int32_t>(arcs()[arc.arc].target);
    }
    host::components parts;
    const monitor nobody(unobserved{});
    host::find_components(offsets.data(), targets.data(), n, nobody, parts);
    std::erase_if(open, [&](const reweighted_arc& arc) {
      return parts.component_of[arcs()[arc.arc].source] !=
             parts.component_of[arcs()[arc.arc].target];
    });
  }

  bellman_ford_passes<T, sum> passes_;
};

}  // namespace apsp::inline v1::detail
