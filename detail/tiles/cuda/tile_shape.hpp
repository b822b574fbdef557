// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../device/architecture.hpp"
#include "../../device/warp.hpp"

// The tuning of the CUDA kernels, as data.
namespace apsp::inline v1::detail::cuda {

/// How one CUDA block computes a tile of C = min(C, A (x) B).
struct product_shape {
  int rows;     ///< of C
  int columns;  ///< of C
  int depth;    ///< columns of A and rows of B that are in shared memory at a time
  /// Unrolled vectors of columns of A in the innermost loop: longer code misses the instruction
  /// cache.
  int unrolled_vectors;
  int rows_per_thread;
  int columns_per_thread;
  int stages;  ///< stages of the copy from global to shared memory
  int blocks_per_multiprocessor;
};

/// For algebras that test for improvement. If more than one test in `tests_per_improvement` finds
/// one, the stage would be faster without tests, and so would the stages up to the next trial. On
/// an H200 both variants take the same time at one in three.
inline constexpr int tests_per_improvement = 4;
inline constexpr int stages_per_trial = 8;
/// Comparisons of this many rows are combined into one flag; a longer chain stalls.
inline constexpr int rows_per_flag = 2;

constexpr int threads_per_block(const product_shape& s) {
  return (s.rows / s.rows_per_thread) * (s.columns / s.columns_per_thread);
}

/// The dynamic shared memory of a block. One vector of padding distributes the rows of A that a
/// warp reads at once over different banks.
constexpr std::size_t shared_bytes(const product_shape& s, std::size_t value_bytes) {
  const auto rows = static_cast<std::size_t>(s.rows);
  const auto columns = static_cast<std::size_t>(s.columns);
  const auto depth = static_cast<std::size_t>(s.depth);
  return static_cast<std::size_t>(s.stages) *
         (rows * (depth * value_bytes + vector_bytes) + depth * columns * value_bytes);
}

/// @p s for an architecture with little shared memory: with half of the depth until two blocks fit.
constexpr product_shape with_little_shared_memory(product_shape s, std::size_t value_bytes) {
  while (2 * (shared_bytes(s, value_bytes) + reserved_shared_memory) > little_shared_memory) {
    s.depth /= 2;
  }
  return s;
}

/// How CUDA blocks relax the pivot tile, and the panels if they are relaxed in order.
struct pivot_shape {
  int tile_size;
  int panel_width;  ///< columns of the row panel, or rows of the column panel, per CUDA block
  int entries_per_thread;  ///< in each direction
};

constexpr int pivot_threads(const pivot_shape& s) {
  return (s.tile_size / s.entries_per_thread) * (s.tile_size / s.entries_per_thread);
}
constexpr int panel_threads(const pivot_shape& s) {
  return (s.tile_size / s.entries_per_thread) * (s.panel_width / s.entries_per_thread);
}

/// The shapes of Floyd-Warshall.
struct tile_shape {
  pivot_shape pivot;
  product_shape product;
};

/// The tiles of a matrix consist of whole pivot tiles and of whole tiles of a product.
constexpr int tile_size(const tile_shape& s) {
  return std::max({s.pivot.tile_size, s.product.rows, s.product.columns});
}

constexpr bool is_valid(const tile_shape& s) {
  const int tile = tile_size(s);
  return tile % s.pivot.tile_size == 0 && tile % s.product.rows == 0 &&
         tile % s.product.columns == 0 && s.pivot.tile_size % s.product.depth == 0 &&
         threads_per_block(s.product) % warp_size == 0 &&
         s.pivot.tile_size % s.pivot.panel_width == 0 && pivot_threads(s.pivot) % warp_size == 0 &&
         panel_threads(s.pivot) % warp_size == 0;
}

/// With few vertices the chain of pivot tiles dominates the time, with many the remainder.
enum class problem_size { few_vertices, many_vertices };

/// The smallest number of vertices that counts as many. Measured on an H200; wider weights have one
/// shape.
constexpr std::size_t few_vertices_limit(std::size_t weight_bytes) {
  return weight_bytes == 4 ? 2560 : 0;
}

/// The shape for weights of @p weight_bytes; @p with_predecessors needs more registers per entry.
constexpr tile_shape choose_tile_shape(std::size_t weight_bytes, bool with_predecessors,
                                       problem_size size) {
  switch (weight_bytes) {
    case 4:
      if (size == problem_size::few_vertices) return {{64, 16, 4}, {32, 64, 32, 2, 4, 4, 2, 3}};
      // The tile of C is read and written once per pivot tile. A tile size of 128 keeps that
      // traffic at a fifth of the memory bandwidth, 64 does not.
      return with_predecessors ? tile_shape{{128, 32, 4}, {64, 64, 32, 2, 4, 8, 2, 3}}
                               : tile_shape{{64, 16, 4}, {64, 128, 32, 2, 8, 8, 2, 3}};
    case 8:
      return with_predecessors ? tile_shape{{64, 32, 4}, {64, 64, 16, 2, 4, 4, 2, 2}}
                               : tile_shape{{64, 32, 4}, {64, 64, 16, 2, 8, 4, 2, 3}};
    default:
      return {{64, 32, 4}, {32, 64, 8, 1, 4, 4, 2, 3}};
  }
}

/// How products of 8-byte weights are filtered: see filtered_product.cuh.
struct filter_tuning {
  tile_shape shape;  ///< of the bounds, which are floats
  /// If more than one entry in so many is a candidate, the tile is relaxed without a filter.
  int entries_per_candidate;
  int steps_per_trial;
  int tiles_per_sample;  ///< In a trial one tile in so many is filtered, whatever the last one
                         ///< found.
  int most_unfiltered_blocks;
  /// With fewer vertices too many entries improve, and the chain of pivot tiles takes most of the
  /// time.
  std::size_t fewest_vertices;
};
inline constexpr filter_tuning product_filter_tuning{
    {{64, 32, 4}, {64, 64, 32, 2, 8, 8, 2, 6}}, 7, 8, 16, 16384, 6144};

/// The shapes for pairs of distances of 16 bits: a tile of C is 128 distances high and wide, and in
/// the chain of pivots 64.
inline constexpr tile_shape paired_tile_shape{{64, 16, 4}, {128, 64, 32, 2, 8, 8, 2, 3}};
inline constexpr tile_shape paired_chain_shape{{64, 16, 4}, {64, 32, 32, 2, 4, 4, 2, 3}};

/// The tiles of a block of pivots, over which all other tiles are relaxed at once. Larger blocks
/// read and write the matrix less often, but their chain of pivots takes longer. Measured on an
/// H200.
/// @param fewest  with fewer vertices a block is one tile.
constexpr int tiles_per_block(std::size_t num_vertices, std::size_t tile, std::size_t fewest) {
  constexpr std::size_t large = 6144;
  const std::size_t pivots = num_vertices < fewest ? tile : num_vertices < large ? 256 : 512;
  return static_cast<int>(pivots / tile);
}

inline constexpr std::size_t fewest_vertices_for_blocks = 3072;
inline constexpr std::size_t fewest_vertices_for_paired_blocks = 2048;

/// If rows are transferred as soon as they are final, the last pivots are closed before most rows
/// are relaxed over them, strip by strip: a strip is transferred while the next one is relaxed.
struct strip_tuning {
  std::size_t fewest_vertices;
  /// Relaxing over so many pivots takes about as long as the transfer.
  std::size_t most_pivots;
  /// At most one pivot in so many vertices: the rows of the last pivots are transferred last.
  std::size_t vertices_per_pivot;
  std::size_t strips;
};
inline constexpr strip_tuning row_strips{3072, 2048, 4, 8};

/// The first tile of these last pivots, where a block begins.
constexpr int first_of_last_pivots(std::size_t num_vertices, std::size_t tile, int num_tiles,
                                   int tiles_per_block) {
  const std::size_t pivots =
      std::min(row_strips.most_pivots, num_vertices / row_strips.vertices_per_pivot);
  const int last = num_tiles - static_cast<int>(pivots / tile);
  return last / tiles_per_block * tiles_per_block;
}

/// The shape for few vertices, in weights of 4 bytes, if all steps are in one kernel. As in the
/// chain of pivots, a CUDA block fits into the place of one of a large product.
inline constexpr tile_shape cooperative_tile_shape{{64, 16, 4}, {64, 64, 32, 2, 4, 4, 2, 3}};
/// CUDA blocks that close a block of pivots in one kernel.
inline constexpr int most_blocks_of_chain = 16;
/// Steps in one launch if the call is observed.
inline constexpr int observed_steps_per_launch = 4;

template <class T>
constexpr problem_size size_of_problem(std::size_t num_vertices) {
  return num_vertices + 1 <= few_vertices_limit(sizeof(T)) ? problem_size::few_vertices
                                                           : problem_size::many_vertices;
}

/// The extent of a matrix of that many vertices is a multiple of this. With predecessors the matrix
/// can be relaxed with tiles of either kind: the larger tile is a multiple of the smaller one.
template <class T>
constexpr std::size_t granularity(std::size_t num_vertices, bool with_predecessors) {
  const auto size_with = [&](bool recorded) {
    return static_cast<std::size_t>(
        tile_size(choose_tile_shape(sizeof(T), recorded, size_of_problem<T>(num_vertices))));
  };
  return with_predecessors ? std::max(size_with(true), size_with(false)) : size_with(false);
}

/// The shape as a type: nvcc accepts no kernel with a template argument of class type.
template <class T, bool WithPredecessors, problem_size Size>
struct tuning_for {
  static constexpr bool records = WithPredecessors;
  static constexpr bool notes_steps = false;
  static constexpr tile_shape shape = choose_tile_shape(sizeof(T), WithPredecessors, Size);
  static_assert(is_valid(shape));
  /// The tuning of the chain of pivots. Its kernels run beside large products: they must fit into
  /// the place of one of their CUDA blocks, and end soon.
  using chain = std::conditional_t<WithPredecessors || few_vertices_limit(sizeof(T)) == 0,
                                   tuning_for, tuning_for<T, false, problem_size::few_vertices>>;
};

}  // namespace apsp::inline v1::detail::cuda
