// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "../../../apsp/config.hpp"
#include "../../device/launch_target.hpp"
#include "../../graph/device_graph.hpp"
#include "../../host/monitor.hpp"
#include "small_graphs.hpp"

// The launch interface of the kernels that solve many small graphs in device memory.
namespace apsp::inline v1::detail::cuda {

/// A graph in device memory, and the matrix there for its distances.
template <class W>
struct graph_with_result {
  device_graph<W> graph;
  W* result;
  std::size_t pitch;  ///< Of the result.
};

/// What has become of a small graph.
enum class small_graph_outcome : std::int32_t {
  stored,
  saturated,         ///< stored; a distance did not fit the type of the result
  negative_diagonal  ///< not stored
};

/// Relaxes @p graphs, distances of type W computed in type C, as many at a time as fit into some
/// MiB, and stores the distances, after the work on the stream of @p target. Returns when
/// all have been solved, or @p watch requested a stop.
/// @param given  the graphs by the caller's number
/// @param limit  greater distances are unreachable; `unreachable<W>` if there is no limit.
/// @param take   called as take(index, outcome) when the graph with that number is finished.
/// @throws device_error if there is too little device memory for two matrices, or a CUDA call
/// fails; any exception thrown by @p take.
template <class C, class W>
APSP_EXPORT void solve_device_graphs(
    const launch_target& target, std::span<const small_graph<C>> graphs,
    std::span<const graph_with_result<W>> given, W limit,
    const std::function<void(std::size_t, small_graph_outcome)>& take, const monitor& watch);

/// Instantiates it, in the files that do so for `small_graphs.hpp`, or declares that.
#define APSP_INSTANTIATE_DEVICE_GRAPHS(C, W)                 \
  template void solve_device_graphs<C, W>(                   \
      const launch_target&, std::span<const small_graph<C>>, \
      std::span<const graph_with_result<W>>, W,              \
      const std::function<void(std::size_t, small_graph_outcome)>&, const monitor&)
extern APSP_INSTANTIATE_DEVICE_GRAPHS(float, float);
extern APSP_INSTANTIATE_DEVICE_GRAPHS(double, float);
extern APSP_INSTANTIATE_DEVICE_GRAPHS(double, double);
extern APSP_INSTANTIATE_DEVICE_GRAPHS(std::int32_t, std::int32_t);
extern APSP_INSTANTIATE_DEVICE_GRAPHS(std::int64_t, std::int32_t);
extern APSP_INSTANTIATE_DEVICE_GRAPHS(std::int64_t, std::int64_t);

}  // namespace apsp::inline v1::detail::cuda
