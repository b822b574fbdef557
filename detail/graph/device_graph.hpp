// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../apsp/config.hpp"
#include "../device/launch_target.hpp"
#include "../values/weight.hpp"
#include "../values/weight_types.hpp"
#include "edges.hpp"

// Graphs in device memory, as kernels read them. Free of CUDA types, as the other launch interfaces
// are.
namespace apsp::inline v1::detail::cuda {

/// The element type of an index array. It is tested at run time, so that one kernel serves all
/// types.
enum class index_type { int32, uint32, int64, uint64 };

template <std::integral I>
constexpr index_type index_type_of() {
  static_assert(sizeof(I) == 4 || sizeof(I) == 8,
                "apsp: vertices and offsets in device memory must be integers of 32 or 64 bits");
  if constexpr (sizeof(I) == 4) {
    return std::is_signed_v<I> ? index_type::int32 : index_type::uint32;
  } else {
    return std::is_signed_v<I> ? index_type::int64 : index_type::uint64;
  }
}

struct index_array {
  const void* data = nullptr;
  index_type type = index_type::int32;
};

enum class graph_form { dense, csr, edge_list };

/// A graph in device memory.
template <class W>
struct device_graph {
  graph_form form;
  std::size_t num_vertices;
  std::size_t num_places;  ///< n * n for a dense graph, otherwise the number of arcs.
  const W* weights;
  std::size_t pitch = 0;  ///< Of the weights of a dense graph.
  index_array heads{};    ///< The n + 1 offsets, or the sources.
  index_array targets{};
};

/// Reads all arcs once.
/// @param admitted      the range of valid weights: those of shortest paths, or the values that a
///                      semiring admits
/// @param out_of_range  the fault to report for any other weight
/// @throws std::invalid_argument as `find_weight_range` does, and if the offsets are invalid.
template <class W>
APSP_EXPORT weight_range<W> find_device_weight_range(
    const launch_target& target, const device_graph<W>& graph,
    const value_range<W>& admitted = finite_weights<W>(),
    edge_fault out_of_range = edge_fault::minus_infinity);

/// Checks the vertices of the arcs. Weights are ignored, except that arcs of weight `unreachable`
/// are skipped.
/// @throws std::invalid_argument if a vertex is out of range or the offsets are invalid.
template <class W>
APSP_EXPORT void check_device_arcs(const launch_target& target, const device_graph<W>& graph);

#define APSP_EXTERN_RESIDENT(W)                                                         \
  extern template weight_range<W> find_device_weight_range(                             \
      const launch_target&, const device_graph<W>&, const value_range<W>&, edge_fault); \
  extern template void check_device_arcs(const launch_target&, const device_graph<W>&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_RESIDENT)
#undef APSP_EXTERN_RESIDENT

}  // namespace apsp::inline v1::detail::cuda
