// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../../../apsp/config.hpp"
#include "../../device/launch_target.hpp"
#include "../../host/monitor.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/weight_types.hpp"

// The launch interface of the kernels that solve many small graphs at once; like that of
// Floyd–Warshall it has no CUDA type in it, and a library built without CUDA has the same symbols.
namespace apsp::detail::cuda {

/// The most vertices of a graph that is small.
inline constexpr std::size_t small_graph_limit = 256;

/// A graph of 1 to `small_graph_limit` vertices.
template <class C>
struct small_graph {
  std::size_t index;  ///< What the caller calls it.
  std::size_t num_vertices;
  distance_code<C> code;
};

/// Where matrices come from and go to. Called from several threads at once, for different graphs.
template <class C>
class small_graph_exchange {
 public:
  virtual ~small_graph_exchange() = default;

  /// Fills the matrix of @p graph: rows of @p pitch entries, of which those behind the last vertex
  /// are unreachable, too.
  virtual void fill(const small_graph<C>& graph, C* entries, std::size_t pitch) = 0;
  /// Takes the relaxed matrix of @p graph, in which `unreachable` means that there is no path.
  virtual void take(const small_graph<C>& graph, C* entries, std::size_t pitch) = 0;
};

/// Relaxes the matrices of @p graphs, as many at a time as buffers of a few MiB hold: while some
/// are on the device, host threads fill and empty the buffers of others. When this returns, all
/// have been taken, or @p watch asked for a stop.
/// @throws device_error if there is too little device memory for a pair of buffers, or a CUDA call
/// fails; what @p exchange throws.
template <class C>
APSP_EXPORT void solve_small_graphs(const launch_target& target,
                                    std::span<const small_graph<C>> graphs,
                                    small_graph_exchange<C>& exchange, const monitor& watch);

#define APSP_EXTERN_SOLVE(C)                                                  \
  extern template void solve_small_graphs<C>(const launch_target&,            \
                                             std::span<const small_graph<C>>, \
                                             small_graph_exchange<C>&, const monitor&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_SOLVE)
#undef APSP_EXTERN_SOLVE

}  // namespace apsp::detail::cuda
