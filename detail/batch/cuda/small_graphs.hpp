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

// The launch interface of the kernels that solve many small graphs at once. As for Floyd–Warshall,
// it contains no CUDA types, and a library built without CUDA has the same symbols.
namespace apsp::inline v1::detail::cuda {

/// The largest number of vertices of a small graph.
inline constexpr std::size_t small_graph_limit = 256;

/// A graph of 1 to `small_graph_limit` vertices.
template <class C>
struct small_graph {
  std::size_t index;  ///< The caller's number of the graph.
  std::size_t num_vertices;
  std::size_t num_arcs;  ///< The most arcs that it has.
  distance_code<C> code;
};

/// An arc of a small graph.
template <class C>
struct small_arc {
  C weight;
  std::uint16_t place;  ///< of its entry in the matrix: row * pitch + column
};

/// Provides graphs and stores matrices. Called from several threads concurrently, for different
/// graphs.
template <class C>
class small_graph_exchange {
 public:
  virtual ~small_graph_exchange() = default;

  /// Writes the `num_arcs` arcs of @p graph, whose matrix has rows of @p pitch entries.
  virtual void list(const small_graph<C>& graph, small_arc<C>* arcs, std::size_t pitch) = 0;
  /// Fills the matrix of @p graph: rows of @p pitch entries. Entries after the last vertex are
  /// unreachable, too.
  virtual void fill(const small_graph<C>& graph, C* entries, std::size_t pitch) = 0;
  /// Stores the relaxed matrix of @p graph, in which `unreachable` means that there is no path.
  virtual void take(const small_graph<C>& graph, C* entries, std::size_t pitch) = 0;
};

/// Relaxes the matrices of @p graphs, as many at a time as fit into buffers of a few MiB: while
/// some are on the device, host threads fill and empty the buffers of others. On return all have
/// been stored, or @p watch requested a stop.
/// @throws device_error if there is too little device memory for a pair of buffers, or a CUDA call
/// fails; any exception thrown by @p exchange.
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

}  // namespace apsp::inline v1::detail::cuda
