// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../apsp/unreachable.hpp"
#include "../../graph/adjacency.hpp"
#include "../../graph/trees.hpp"
#include "../../values/decay.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/int128.hpp"
#include "../../values/not_a_number.hpp"
#include "../problem/problem.hpp"
#include "outputs.hpp"

// What remains for a row after a solver has finished it: potentials, cutoff, conversion to the type
// of the distances, predecessors of the fewest edges.
namespace apsp::inline v1::detail {

/// The lengths in T of the paths given by @p predecessors, accumulated from the source.
/// Complexity: O(n + m).
template <class T>
void retrace_distances(const adjacency_view<T>& arcs, std::size_t source,
                       const std::int32_t* predecessors, T* distances) {
  std::fill_n(distances, arcs.num_vertices(), unreachable<T>);
  distances[source] = T{};
  std::vector<std::size_t> tree{source};
  // A distance may be infinite because its sum overflowed, so it does not tell whether a vertex has
  // been visited.
  std::vector<char> is_seen(arcs.num_vertices(), 0);
  for (std::size_t next = 0; next < tree.size(); ++next) {
    const std::size_t u = tree[next];
    for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
      const auto v = static_cast<std::size_t>(arcs.targets[a]);
      if (v == source || predecessors[v] != static_cast<std::int32_t>(u)) continue;
      const T length = static_cast<T>(distances[u] + arcs.weights[a]);
      if (std::exchange(is_seen[v], 1) == 0) tree.push_back(v);
      if (length < distances[v]) distances[v] = length;
    }
  }
}

/// True if @p length is shorter than @p distance by more than the rounding of the sums behind them.
/// @param from, weight  the terms of @p length.
template <class T>
bool is_clearly_shorter(const T& length, const T& distance, [[maybe_unused]] const T& from,
                        [[maybe_unused]] const T& weight) {
  if (!(length < distance)) return false;
  if constexpr (std::is_floating_point_v<T>) {
    // Each of the sums has rounded a few times.
    constexpr T rounding = 8 * std::numeric_limits<T>::epsilon();
    const T magnitude = (from < T{} ? -from : from) + (weight < T{} ? -weight : weight);
    return rounding * magnitude < distance - length;
  } else {
    return true;
  }
}

/// The same, for paths that may not be the shortest, because rounding hid the differences between
/// them: shorter paths take their place until no arc shortens a path, or only with a cycle that
/// rounding makes negative. The distances are then sums along the paths of a tree, and the
/// predecessors are that tree. Complexity: O(n + m) if the paths are the shortest, O(n m) in the
/// worst case.
/// @param is_final  `is_final(v)`, for vertices that the source reaches: whether their paths and
///                  the arcs between them are to be compared.
/// @param arc_sources  the sources of the arcs.
template <class T, class IsFinal>
void settle_distances(const adjacency_view<T>& arcs, std::span<const std::int32_t> arc_sources,
                      std::size_t source, std::int32_t* predecessors, T* distances,
                      IsFinal is_final) {
  const std::size_t n = arcs.num_vertices();
  const auto is_compared = [&](std::size_t v) {
    return (v == source || predecessors[v] >= 0) && is_final(v);
  };
  const auto is_on_path_to = [&](std::size_t end, std::size_t v) {
    std::size_t u = end;
    while (u != v && u != source) u = static_cast<std::size_t>(predecessors[u]);
    return u == v;
  };
  // Calls f(v, length) for each vertex v whose path an arc of u shortens.
  const auto for_each_shorter = [&](std::size_t u, auto f) {
    if (!is_compared(u) || equals_unreachable(distances[u])) return;
    for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
      const auto v = static_cast<std::size_t>(arcs.targets[a]);
      const T length = static_cast<T>(distances[u] + arcs.weights[a]);
      if (is_clearly_shorter(length, distances[v], distances[u], arcs.weights[a]) &&
          is_compared(v) && !is_on_path_to(u, v)) {
        f(v, length);
      }
    }
  };
  // A distance may be longer than its path while paths change, and shorter if the path has changed
  // since. The sums along the final paths can then be shortened once more.
  constexpr int most_rounds = 8;
  for (int round = 0; round < most_rounds; ++round) {
    retrace_distances(arcs, source, predecessors, distances);
    std::vector<std::size_t> open;
    std::vector<char> is_open;
    const auto push = [&](std::size_t u) {
      if (is_open.empty()) is_open.resize(n, 0);
      if (std::exchange(is_open[u], char{1}) == 0) open.push_back(u);
    };
    // Few groups of arcs have one that passes this test, which has no branches.
    constexpr std::size_t group = 32;
    for (std::size_t first = 0; first < arc_sources.size(); first += group) {
      const std::size_t last = std::min(first + group, arc_sources.size());
      bool may_shorten = false;
      for (std::size_t a = first; a < last; ++a) {
        const auto u = static_cast<std::size_t>(arc_sources[a]);
        const auto v = static_cast<std::size_t>(arcs.targets[a]);
        may_shorten |= static_cast<T>(distances[u] + arcs.weights[a]) < distances[v];
      }
      for (std::size_t a = first; may_shorten && a < last; ++a) {
        const auto u = static_cast<std::size_t>(arc_sources[a]);
        if (a != first && arc_sources[a - 1] == arc_sources[a]) continue;
        for_each_shorter(u, [&](std::size_t, const T&) { push(u); });
      }
    }
    if (open.empty()) return;
    const std::size_t most_steps = n * n;
    for (std::size_t next = 0; next < open.size() && next < most_steps; ++next) {
      const std::size_t u = open[next];
      is_open[u] = 0;
      for_each_shorter(u, [&](std::size_t v, const T& length) {
        distances[v] = length;
        predecessors[v] = static_cast<std::int32_t>(u);
        push(v);
      });
    }
  }
  retrace_distances(arcs, source, predecessors, distances);
}

/// Potentials reweight the arcs: w + potentials[u] - potentials[v] is at least 0.
template <class T>
using potentials_of = std::vector<walk_sum_t<T>>;

template <class C, class T>
std::vector<C> reweighted(const adjacency_view<T>& arcs, const potentials_of<T>& potentials) {
  using sum = walk_sum_t<T>;
  std::vector<C> weights;
  weights.reserve(arcs.num_edges());
  for_each_arc_of(arcs, [&](std::size_t u, std::size_t v, const T& w) {
    // Rounding must not make a weight negative.
    const sum reduced = sum(w) + potentials[u] - potentials[v];
    weights.push_back(reduced < sum(T{}) ? C{} : static_cast<C>(reduced));
  });
  return weights;
}

/// The work that remains for a row after the solver has finished it.
template <class T>
struct finishing_task {
  adjacency_view<T> arcs;  ///< With the original weights of the graph.
  std::span<const std::int32_t> sources;
  std::optional<T> cutoff{};
  const potentials_of<T>* potentials = nullptr;  ///< Null if the weights were not reweighted.
  bool may_saturate = false;  ///< A path may be too long for the type of the computation.
  bool prefers_fewest_edges =
      false;  ///< Predecessors must describe shortest paths with the fewest edges.
  bool has_no_stray_predecessors =
      false;  ///< The solver gives no predecessor to a vertex without a distance.
  /// The solver may end when it has found the targets of the output. Otherwise rounding may hide
  /// which vertices are farther.
  bool ends_at_targets = true;
  std::span<const std::int32_t>
      arc_sources{};  ///< Of all arcs, if there are potentials that round.
};

/// Receives rows from a solver, converts them to the requested results and passes them on.
template <class C, class T>
class finishing_output final : public solver_output<C> {
 public:
  finishing_output(const finishing_task<T>& task, row_output<T>& output)
      : task_(task), output_(output), is_target_(output.targets().empty() ? 0 : num_vertices(), 0) {
    for (const std::int32_t t : output.targets()) is_target_[static_cast<std::size_t>(t)] = 1;
    if constexpr (can_add_up) {
      if (output.amounts() != nullptr && takes_sums(task)) {
        amounts_ = amounts_as<C>(*output.amounts(), task.cutoff);
      }
    }
  }

  C* distances(std::size_t row) override {
    if constexpr (std::is_same_v<C, T>) {
      return output_.distances(row);
    } else {
      return nullptr;
    }
  }
  std::int32_t* predecessors(std::size_t row) override { return output_.predecessors(row); }

  void finish(std::size_t row, C* distances, std::int32_t* predecessors) override {
    const auto source = static_cast<std::size_t>(task_.sources[row]);
    // Because of rounding, a cycle through the source may have looked shorter than the empty path.
    distances[source] = C{};
    // Memory for the row in type T: the caller's, the solver's, or a buffer of this call, because f
    // may call the library again.
    T* finished = output_.distances(row);
    std::vector<T> own;
    if (finished == nullptr) {
      if constexpr (std::is_same_v<C, T>) {
        finished = distances;
      } else {
        own.resize(num_vertices());
        finished = own.data();
      }
    }
    if (task_.prefers_fewest_edges && predecessors != nullptr) {
      choose_fewest_edges(source, distances, predecessors);
    }
    bool cut = task_.may_saturate && has_cut_path(source, distances);
    if (task_.potentials == nullptr) {
      if constexpr (std::is_same_v<C, T>) {
        if (finished != distances) std::copy_n(distances, num_vertices(), finished);
      } else {
        cut = convert(distances, finished, [](const C& d, std::size_t) { return d; }) || cut;
      }
    } else if constexpr (is_coded_integer<C>) {
      const potentials_of<T>& p = *task_.potentials;
      cut = convert(distances, finished,
                    [&](const C& d, std::size_t v) { return int128(d) - p[source] + p[v]; }) ||
            cut;
    } else {
      settle(source, distances, predecessors, finished);
    }
    if (task_.cutoff) forget_far_vertices(finished);
    if (predecessors != nullptr) {
      predecessors[source] = -1;
      const bool is_exact =
          is_coded_integer<C> || (std::is_same_v<C, T> && task_.has_no_stray_predecessors);
      const bool may_be_cut = cut || task_.cutoff || !is_exact;
      if (may_be_cut) {
        forget_predecessors_of_unreachable(num_vertices(), predecessors, [&](std::size_t v) {
          return equals_unreachable(finished[v]);
        });
      }
    }
    if (cut) saturated_.store(true, std::memory_order_relaxed);
    output_.write(row, source, finished, predecessors);
  }

  void finish_reached(std::size_t row, const C* distances,
                      std::span<const std::uint32_t> reached) override {
    const auto source = static_cast<std::size_t>(task_.sources[row]);
    bool cut = task_.may_saturate && has_cut_path(source, distances, reached);
    std::vector<reached_vertex<T>> list;
    const auto add = [&](std::size_t v) {
      T length{};
      if (task_.potentials == nullptr) {
        cut = convert_one(v, distances[v], length) || cut;
      } else if constexpr (is_coded_integer<C>) {
        const potentials_of<T>& p = *task_.potentials;
        cut = convert_one(v, int128(distances[v]) - p[source] + p[v], length) || cut;
      }
      const bool is_far = task_.cutoff && *task_.cutoff < length;
      if (!is_far && !equals_unreachable(length))
        list.push_back({static_cast<std::int32_t>(v), length});
    };
    if (is_target_.empty()) {
      list.reserve(reached.size());
      for (const std::uint32_t v : reached) add(v);
    } else {
      list.reserve(output_.targets().size());
      for (const std::int32_t t : output_.targets()) {
        const auto v = static_cast<std::size_t>(t);
        if (distances[v] != no_path<C>()) add(v);
      }
    }
    if (cut) saturated_.store(true, std::memory_order_relaxed);
    output_.write_reached(row, source, list);
  }

  bool takes_totals() const override {
    // What has a distance in C has one in T.
    return output_.records() != nullptr && !task_.cutoff && takes_sums(task_);
  }
  void finish_totals(std::size_t row, const row_record<C>& totals) override {
    output_.records()[row] = record_as<T>(totals);
  }

  const weighed_amounts<C>* amounts() const override { return amounts_ ? &*amounts_ : nullptr; }
  void finish_sums(std::size_t row, std::span<const double> sums) override {
    output_.write_sums(row, sums);
  }

  bool saturated() const { return saturated_; }

 private:
  std::size_t num_vertices() const { return task_.arcs.num_vertices(); }

  // True if distances in C need not be finished before they are added up.
  static constexpr bool can_add_up =
      sizeof(C) <= sizeof(T) && std::is_arithmetic_v<C> && std::is_arithmetic_v<T>;
  static bool takes_sums(const finishing_task<T>& task) {
    return can_add_up && task.potentials == nullptr && !task.may_saturate;
  }

  bool is_wanted(std::size_t v) const { return is_target_.empty() || is_target_[v] != 0; }

  // True if some arc leads from u, which has a distance, to a vertex without one.
  bool has_cut_arc(const C* distances, std::size_t u) const {
    for (std::size_t a = task_.arcs.begin(u); a < task_.arcs.end(u); ++a) {
      if (distances[static_cast<std::size_t>(task_.arcs.targets[a])] == no_path<C>()) return true;
    }
    return false;
  }
  // True if some vertex whose distance is wanted has a path but no distance.
  bool has_cut_path(std::size_t source, const C* distances) const {
    if (!is_target_.empty()) return has_cut_target(source, distances);
    for (std::size_t u = 0; u < num_vertices(); ++u) {
      if (distances[u] != no_path<C>() && has_cut_arc(distances, u)) return true;
    }
    return false;
  }
  bool has_cut_path(std::size_t source, const C* distances,
                    std::span<const std::uint32_t> reached) const {
    if (!is_target_.empty()) return has_cut_target(source, distances);
    return std::any_of(reached.begin(), reached.end(),
                       [&](std::uint32_t u) { return has_cut_arc(distances, u); });
  }
  // A search may end before all vertices have a distance, so the paths to targets are looked for.
  bool has_cut_target(std::size_t source, const C* distances) const {
    const auto is_missing = [&](std::size_t v) { return distances[v] == no_path<C>(); };
    const auto all = output_.targets();
    if (std::none_of(all.begin(), all.end(),
                     [&](std::int32_t t) { return is_missing(static_cast<std::size_t>(t)); })) {
      return false;
    }
    std::vector<char> is_seen(num_vertices(), 0);
    std::vector<std::size_t> open{source};
    is_seen[source] = 1;
    while (!open.empty()) {
      const std::size_t u = open.back();
      open.pop_back();
      if (is_target_[u] != 0 && is_missing(u)) return true;
      for (std::size_t a = task_.arcs.begin(u); a < task_.arcs.end(u); ++a) {
        const auto v = static_cast<std::size_t>(task_.arcs.targets[a]);
        if (std::exchange(is_seen[v], char{1}) == 0) open.push_back(v);
      }
    }
    return false;
  }

  // Runs before distances are cut or converted (possibly in place): a path may lead through a
  // vertex whose own distance is cut.
  void choose_fewest_edges(std::size_t source, const C* distances,
                           std::int32_t* predecessors) const {
    if (task_.potentials == nullptr) {
      build_tree(task_.arcs, source, sum_slack(task_.arcs, distances), predecessors);
    } else if constexpr (is_coded_integer<C>) {
      // Potentials change all paths between two vertices by the same amount.
      const potentials_of<T>& p = *task_.potentials;
      const auto slack = [&](std::size_t u, std::size_t a) {
        const auto v = static_cast<std::size_t>(task_.arcs.targets[a]);
        return int128(distances[u]) + task_.arcs.weights[a] + p[u] - p[v] - int128(distances[v]);
      };
      build_tree(task_.arcs, source, slack, predecessors);
    } else {
      std::vector<T> lengths(num_vertices());
      settle(source, distances, predecessors, lengths.data());
      build_tree(task_.arcs, source, sum_slack(task_.arcs, lengths.data()), predecessors);
    }
  }

  // The lengths of the shortest paths with the original weights.
  // @param reweighted  the distances with the weights that the potentials have changed; may be
  //                    @p lengths.
  void settle(std::size_t source, const C* reweighted, std::int32_t* predecessors,
              T* lengths) const {
    if (is_target_.empty() || !task_.ends_at_targets) {
      return settle_distances(task_.arcs, task_.arc_sources, source, predecessors, lengths,
                              [](std::size_t) { return true; });
    }
    // The search may have ended at the last target, before it found the shortest paths to vertices
    // that are farther.
    C farthest{};
    for (const std::int32_t t : output_.targets()) {
      const C& distance = reweighted[static_cast<std::size_t>(t)];
      if (distance != no_path<C>() && farthest < distance) farthest = distance;
    }
    std::vector<char> is_final(num_vertices());
    for (std::size_t v = 0; v < num_vertices(); ++v) is_final[v] = !(farthest < reweighted[v]);
    settle_distances(task_.arcs, task_.arc_sources, source, predecessors, lengths,
                     [&](std::size_t v) { return is_final[v] != 0; });
  }

  // Writes length(distance, v) as T; returns true if a value does not fit.
  template <class Length>
  bool convert(const C* distances, T* finished, Length length) const {
    bool cut = false;
    for (std::size_t v = 0; v < num_vertices(); ++v) {
      if (distances[v] == no_path<C>()) {
        finished[v] = unreachable<T>;
        continue;
      }
      cut = convert_one(v, length(distances[v], v), finished[v]) || cut;
    }
    return cut;
  }

  // Writes the exact length of the path to v as T; returns true if it does not fit and is wanted.
  template <class Exact>
  bool convert_one([[maybe_unused]] std::size_t v, const Exact& exact, T& finished) const {
    if constexpr (std::is_integral_v<T>) {
      if (int128(exact) >= int128(unreachable<T>)) {
        finished = unreachable<T>;
        return !task_.cutoff && is_wanted(v);
      }
      if (int128(exact) < int128(std::numeric_limits<T>::lowest())) {
        finished = std::numeric_limits<T>::lowest();
        return is_wanted(v);
      }
    }
    finished = static_cast<T>(exact);
    return false;
  }

  void forget_far_vertices(T* distances) const {
    for (std::size_t v = 0; v < num_vertices(); ++v) {
      if (*task_.cutoff < distances[v]) distances[v] = unreachable<T>;
    }
  }

  const finishing_task<T>& task_;
  row_output<T>& output_;
  std::vector<char> is_target_;  ///< Empty if all distances are wanted.
  std::optional<weighed_amounts<C>> amounts_;
  std::atomic<bool> saturated_ = false;
};

}  // namespace apsp::inline v1::detail
