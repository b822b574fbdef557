// SPDX-License-Identifier: BSL-1.0
#include "plan.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "../host/stop_check.hpp"
#include "minimum_degree.hpp"
#include "neighbors.hpp"

namespace apsp::detail {

namespace {

// Nanoseconds of one thread: AMD EPYC (Zen 4), g++ 12, float, on 26 graphs: roads, meshes in two and
// three dimensions, geometric graphs, small worlds, R-MAT, random graphs, a social network. The
// predictions are between 0.7 and 1.4 of the measured times of the customization, but 2.5 of it on a
// ring.
namespace per {
constexpr double supernode = 700;
constexpr double front_entry = 60;
constexpr double front_time = 0.85;    ///< Of `front_time`.
constexpr double device_start = 3e6;   ///< Of sweeps on a device (perf/results/h200_hierarchy.csv).
constexpr double device_sweep = 0.01;  ///< Of the time of the host.
constexpr double entry_read = 12;      ///< While the order is searched for.
constexpr double incoming_arc = 30;    ///< Sorted before the first sweep with predecessors.
}  // namespace per

/// Vectors hold half as many of the wider types.
double lane_factor(distance_kind kind) {
  return kind == distance_kind::int64 || kind == distance_kind::float64 ? 2 : 1;
}

double customization_time(const elimination_tree& tree, distance_kind kind) {
  double time = 0;
  for (std::size_t s = 0; s < tree.num_supernodes(); ++s) {
    const auto pivots = static_cast<double>(tree.num_pivots(s));
    const auto size = static_cast<double>(tree.front_size(s));
    time += per::supernode + pivots * size * per::front_entry +
            front_time(pivots, size) * per::front_time * lane_factor(kind);
  }
  return time;
}

/// About as many arcs are kept.
double predict_kept(const elimination_tree& tree) {
  double entries = 0;
  for (std::size_t s = 0; s < tree.num_supernodes(); ++s) {
    entries += static_cast<double>(tree.num_pivots(s)) * static_cast<double>(tree.front_size(s));
  }
  return 1.5 * std::sqrt(entries * static_cast<double>(tree.num_vertices()));
}

}  // namespace

double sweeps_time(const elimination_tree& tree, double num_kept, std::size_t m,
                   const elimination_task& task) {
  const double lanes = 16 / lane_factor(task.kind);
  // A batch takes as long for fewer sources.
  const double num_sources = std::ceil(static_cast<double>(task.num_sources) / lanes) * lanes;
  const auto n = static_cast<double>(tree.num_vertices());
  const auto height = static_cast<double>(tree.height);
  // Targets have ancestors in common.
  const double share =
      task.num_targets == 0 ? 1 : std::min(1.0, static_cast<double>(task.num_targets) * height / n);
  double time = share * (0.7 * n + 0.1 * num_kept) + 0.8 * height;
  double start = 0;
  if (task.with_predecessors) {
    time += 0.5 * n + 0.25 * static_cast<double>(m);
    start = per::incoming_arc * static_cast<double>(m);
  }
  const double on_host = start + num_sources * time * lane_factor(task.kind);
  return task.sweeps_on_device ? per::device_start + on_host * per::device_sweep : on_host;
}

shared_tree plan_elimination(std::span<const std::int64_t> offsets,
                             std::span<const std::int32_t> targets, const elimination_task& task,
                             const monitor& watch) {
  // The loops for other types have no vectors.
  if (task.kind == distance_kind::other) return nullptr;
  const std::size_t n = offsets.size() - 1;
  const std::size_t m = targets.size();
  if (!may_pay(task, n, m)) return nullptr;
  try {
    const neighbor_lists neighbors = find_neighbors(offsets, targets, &watch);
    // Large fronts are closed by tile kernels, eight times as fast as single entries.
    const double most_time = time_before_sweeps(task, n);
    const order_limits limits{8 * most_time / (per::front_time * lane_factor(task.kind)),
                              most_time / 8 / per::entry_read, &watch};
    const auto order = minimum_degree_order(neighbors, limits);
    if (!order) return nullptr;
    auto tree =
        std::make_shared<const elimination_tree>(make_elimination_tree(neighbors, *order, &watch));
    // Predictions do not depend on the number of threads, but beside a device there are several.
    const double share = task.sweeps_on_device ? 0.25 : 1;
    const double time = share * customization_time(*tree, task.kind) +
                        sweeps_time(*tree, predict_kept(*tree), m, task);
    if (time >= task.rival_time) return nullptr;
    return tree;
  } catch (const host::stop_seen&) {
    return nullptr;
  }
}

}  // namespace apsp::detail
