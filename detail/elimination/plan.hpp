// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../../apsp/config.hpp"
#include "../call/choice.hpp"
#include "../host/monitor.hpp"
#include "elimination_tree.hpp"
#include "hierarchy.hpp"

// Decides whether elimination is faster than other algorithms. The decision does not depend on the
// number of threads, so that the sums of floating-point weights do not either.
namespace apsp::detail {

/// A call that elimination might solve.
struct elimination_task {
  distance_kind kind;
  std::size_t num_sources;
  bool with_predecessors;
  double
      rival_time;  ///< What the best of the other algorithms takes, in nanoseconds of one thread.
  bool sweeps_on_device = false;  ///< Only the elimination runs on the host.
  std::size_t num_targets = 0;    ///< 0: sweeps lead down to all vertices.
};

/// What the preparation may take at most, in nanoseconds of one thread: of the time of the other
/// algorithms, what the fastest sweeps over n vertices leave.
constexpr double time_before_sweeps(const elimination_task& task, std::size_t n) {
  const double least = task.sweeps_on_device ? 0.005 : 0.7;
  return task.rival_time - least * static_cast<double>(task.num_sources) * static_cast<double>(n);
}

/// False if elimination cannot be faster on any graph of n vertices and m arcs, or if it takes too
/// long to find out.
constexpr bool may_pay(const elimination_task& task, std::size_t n, std::size_t m) {
  const double least_plan = 100.0 * static_cast<double>(m);
  const double share = task.sweeps_on_device ? 0.1 : 0.25;
  return least_plan < share * task.rival_time && least_plan < time_before_sweeps(task, n);
}

/// The predicted time of sweeps for all sources, in nanoseconds of one thread.
/// @param num_kept  arcs of the hierarchy that lead down.
APSP_EXPORT double sweeps_time(const elimination_tree& tree, double num_kept, std::size_t m,
                               const elimination_task& task);
template <class C>
double sweeps_time(const hierarchy<C>& graph, std::size_t m, const elimination_task& task) {
  return sweeps_time(*graph.tree, static_cast<double>(graph.down.size()), m, task);
}

/// An elimination tree of a graph in compressed sparse rows, or null if elimination is predicted to
/// be no faster than the other algorithms, or if a stop is requested. The search for the tree takes
/// at most about a quarter of their time.
APSP_EXPORT shared_tree plan_elimination(std::span<const std::int64_t> offsets,
                                         std::span<const std::int32_t> targets,
                                         const elimination_task& task, const monitor& watch);

}  // namespace apsp::detail
