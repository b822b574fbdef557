// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../device/buffer.cuh"

namespace apsp::inline v1::detail::cuda {

/// The arcs of a graph in device memory in the order of their targets; those of one target in their
/// own order.
struct arcs_by_target {
  device_buffer<std::int32_t> targets;
  device_buffer<std::uint32_t> arcs;  ///< By place: the number of the arc.
};

/// Sorts arcs in the order of the stream.
/// @param targets  of at most 2^32 arcs, in device memory.
arcs_by_target sort_by_target(const std::int32_t* targets, std::size_t num_vertices,
                              std::size_t num_arcs, cudaStream_t stream, std::size_t bytes_needed);

/// The device memory that it takes for a while, with the result.
std::size_t bytes_to_sort_by_target(std::size_t num_vertices, std::size_t num_arcs);

}  // namespace apsp::inline v1::detail::cuda
