// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>

#include "../../device/warp.hpp"
#include "../../tiles/cuda/tile_shape.hpp"
#include "small_graphs.hpp"

// The tuning of the kernels for many small graphs, as data.
namespace apsp::inline v1::detail::cuda {

/// How threads hold a matrix of `extent` rows and columns in registers.
struct small_graph_shape {
  int extent;
  int rows_per_thread;
  int columns_per_thread;
  int graphs_per_block;  ///< More than one only if one warp holds a graph.
};

constexpr int threads_per_graph(const small_graph_shape& s) {
  return (s.extent / s.rows_per_thread) * (s.extent / s.columns_per_thread);
}
constexpr int threads_per_block(const small_graph_shape& s) {
  return threads_per_graph(s) * s.graphs_per_block;
}
constexpr bool is_valid(const small_graph_shape& s) {
  return threads_per_graph(s) % warp_size == 0 && threads_per_block(s) <= 1024 &&
         (s.graphs_per_block == 1 || threads_per_graph(s) == warp_size);
}

/// The sizes of matrices that fit in registers. Up to 32 vertices one warp holds the graph, and
/// needs no barrier of the CUDA block.
inline constexpr std::array<small_graph_shape, 4> small_graph_shapes{
    {{16, 2, 4, 4}, {32, 8, 4, 4}, {64, 8, 4, 1}, {128, 8, 4, 1}}};

/// Larger matrices are relaxed by tiles of the last shape, one CUDA block per graph.
inline constexpr int tiled_class = static_cast<int>(small_graph_shapes.size());
inline constexpr int num_small_graph_classes = tiled_class + 1;

/// Bytes of each of the two operand panels of a tile, in shared memory.
inline constexpr std::size_t small_graph_panel_bytes = 16384;

constexpr int class_of(std::size_t num_vertices) {
  int c = 0;
  while (c < tiled_class &&
         static_cast<std::size_t>(small_graph_shapes[static_cast<std::size_t>(c)].extent) <
             num_vertices) {
    ++c;
  }
  return c;
}

/// The shape as a type: nvcc accepts no kernel with a template argument of class type.
template <int Class>
struct small_graph_tuning {
  static constexpr small_graph_shape shape = small_graph_shapes[Class];
  static_assert(is_valid(shape));
};

/// How a batch is divided into pieces that are transferred together.
struct small_graph_batch_tuning {
  /// Several, so that the last pieces keep all host threads busy.
  std::size_t pieces_per_lane = 4;
  /// For smaller pieces the latency of a copy exceeds the time of its transfer.
  std::size_t least_piece_bytes = std::size_t{1} << 16;
  /// Of graphs in device memory. The second-level cache holds the matrices of two pieces, and many
  /// CUDA blocks work on each.
  std::size_t most_resident_piece_bytes = std::size_t{1} << 24;
  unsigned naive_threads = 512;
  unsigned threads_per_matrix = 128;  ///< that make it from the graph
};
inline constexpr small_graph_batch_tuning small_graph_batches{};

}  // namespace apsp::inline v1::detail::cuda
