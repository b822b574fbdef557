// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../device/grid_stride.cuh"
#include "../../device/warp.hpp"
#include "../../graph/device_arcs.cuh"
#include "../../graph/device_graph.hpp"
#include "bit_shape.hpp"

// Conversions of a graph in device memory to bits, 32 columns to a word, and of bits to bytes. All
// kernels are grid-stride.
namespace apsp::inline v1::detail::cuda {

/// Sets the bits of the arcs of a graph that is not dense.
/// @param no_arc  the weight that means a missing arc.
template <class W>
__global__ void set_graph_bits_kernel(std::uint32_t* bits, std::size_t pitch, device_graph<W> graph,
                                      W no_arc) {
  for (std::size_t k = first_index(); k < graph.num_places; k += index_stride()) {
    const device_arc_entry<W> arc = arc_at(graph, k);
    if (arc.weight == no_arc) continue;
    const auto column = static_cast<std::size_t>(arc.target);
    atomicOr(bits + static_cast<std::size_t>(arc.source) * pitch + column / bits_per_word,
             1U << column % bits_per_word);
  }
}

/// Writes the bits of a dense graph, a warp for each word.
/// @param columns  the columns of the graph, rounded up to whole words.
template <class W>
__global__ void pack_graph_kernel(std::uint32_t* bits, std::size_t pitch, std::size_t columns,
                                  device_graph<W> graph, W no_arc) {
  static_assert(bits_per_word == warp_size);
  const std::size_t n = graph.num_vertices;
  // The number of entries is a multiple of the warp size, so all lanes of a warp iterate together.
  for (std::size_t i = first_index(); i < n * columns; i += index_stride()) {
    const std::size_t u = i / columns;
    const std::size_t v = i % columns;
    const bool is_arc = v < n && !(graph.weights[u * graph.pitch + v] == no_arc);
    const unsigned word = __ballot_sync(whole_warp, is_arc);
    if (v % bits_per_word == 0) bits[u * pitch + v / bits_per_word] = word;
  }
}

/// Writes every bit as a byte that is 1 or 0.
__global__ inline void unpack_bits_kernel(const std::uint32_t* bits, std::size_t pitch,
                                          std::size_t rows, std::size_t columns,
                                          std::uint8_t* bytes, std::size_t bytes_pitch) {
  for (std::size_t i = first_index(); i < rows * columns; i += index_stride()) {
    const std::size_t u = i / columns;
    const std::size_t v = i % columns;
    const std::uint32_t word = bits[u * pitch + v / bits_per_word];
    bytes[u * bytes_pitch + v] = static_cast<std::uint8_t>(word >> v % bits_per_word & 1U);
  }
}

}  // namespace apsp::inline v1::detail::cuda
