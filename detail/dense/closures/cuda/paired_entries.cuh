// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../../../apsp/semiring.hpp"
#include "../../../device/check.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../device/workspace.cuh"
#include "../../../tiles/cuda/algebra.cuh"
#include "../../../tiles/cuda/operand_copy.cuh"
#include "../../../tiles/cuda/product_launch.cuh"
#include "../../../tiles/cuda/product_operands.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../matrix/cuda/matrix_setup.cuh"
#include "../../matrix/cuda/symmetric_matrix.cuh"
#include "cooperative_floyd_warshall.cuh"
#include "pivot_blocks.cuh"

// The entries of matrices of 16-bit distances. Each source file that uses them has kernels of its
// own.
namespace apsp::inline v1::detail::cuda {

namespace {

/// Columns are pairs: a tile of the matrix has half as many words per row as rows.
struct paired_chain_tuning {
  static constexpr bool records = false;
  static constexpr bool notes_steps = false;
  static constexpr tile_shape shape = paired_chain_shape;
};
struct paired_tuning {
  static constexpr bool records = false;
  static constexpr bool notes_steps = false;
  static constexpr tile_shape shape = paired_tile_shape;
  using chain = paired_chain_tuning;
};
constexpr std::size_t tile = tile_size(paired_tile_shape);

/// A block of pivots is closed one distance at a time, in registers that hold 32 bits anyway.
using block_algebra = algebra<min_plus<std::int32_t>>;
using block_tuning = cooperative_tuning<std::int32_t>;

__device__ __forceinline__ distance_pair doubled(std::uint32_t half) {
  return half | half << 16;
}

__global__ void unpack_block_kernel(const distance_pair* from, std::size_t pitch,
                                    std::size_t num_pivots, std::int32_t* to) {
  const std::size_t width = num_pivots / 2;
  for (std::size_t e = first_index(); e < num_pivots * width; e += index_stride()) {
    const distance_pair pair = from[e / width * pitch + e % width];
    *reinterpret_cast<int2*>(to + 2 * e) =
        make_int2(static_cast<int>(pair & 0xffff), static_cast<int>(pair >> 16));
  }
}

/// Stores the closed block and, doubled, its copy.
__global__ void store_block_kernel(const std::int32_t* closed, std::size_t num_pivots,
                                   distance_pair* to, std::size_t pitch, distance_pair* copy) {
  const std::size_t width = num_pivots / 2;
  for (std::size_t e = first_index(); e < num_pivots * width; e += index_stride()) {
    const int2 both = *reinterpret_cast<const int2*>(closed + 2 * e);
    const auto even = static_cast<std::uint32_t>(both.x);
    const auto odd = static_cast<std::uint32_t>(both.y);
    to[e / width * pitch + e % width] = even | odd << 16;
    *reinterpret_cast<uint2*>(copy + 2 * e) = make_uint2(doubled(even), doubled(odd));
  }
}

/// As `copy_operands_kernel`; the left operand is doubled.
__global__ void copy_paired_operands_kernel(word_rectangle<distance_pair> right,
                                            word_rectangle<distance_pair> left) {
  using vector = vector_of<distance_pair>;
  if (blockIdx.z == 0) {
    for_each_vector(right, 1, [](const vector& pairs, distance_pair* to) {
      *reinterpret_cast<vector*>(to) = pairs;
    });
    return;
  }
  for_each_vector(left, 2, [](const vector& pairs, distance_pair* to) {
#pragma unroll
    for (int e = 0; e < vector::size; e += 2) {
      const distance_pair first = pairs.values[e];
      const distance_pair second = pairs.values[e + 1];
      *reinterpret_cast<uint4*>(to + 2 * e) =
          make_uint4(doubled(first & 0xffff), doubled(first >> 16), doubled(second & 0xffff),
                     doubled(second >> 16));
    }
  });
}

/// Pivots and vertices of a block that is transposed through shared memory.
constexpr int pivots_at_once = transpose_width;
constexpr int vertices_at_once = 2 * transpose_width;
/// Two additional entries distribute a column over the banks.
using transposed_halves = std::uint16_t[pivots_at_once][vertices_at_once + 2];

/// Calls f(v, k) for @p per_vertex values k of each vertex of a block.
template <int PerVertex, class F>
__device__ __forceinline__ void for_each_vertex(F f) {
  const int first = static_cast<int>(threadIdx.y) * transpose_width + static_cast<int>(threadIdx.x);
#pragma unroll
  for (int e = first; e < vertices_at_once * PerVertex; e += transpose_width * transpose_rows) {
    f(static_cast<std::size_t>(e / PerVertex), static_cast<std::size_t>(e % PerVertex));
  }
}

/// As `gather_panel_kernel`. One CUDA block for each `vertices_at_once` and `pivots_at_once`.
__global__ void gather_pairs_kernel(const distance_pair* matrix, panel_place place,
                                    symmetric_panel<distance_pair> panel) {
  __shared__ transposed_halves shared;
  const std::size_t vertex = std::size_t{blockIdx.x} * vertices_at_once;
  const std::size_t first_k = std::size_t{blockIdx.y} * pivots_at_once;
  const std::size_t pivot = place.pivot + first_k;
  const bool is_transposed = vertex / place.tile < pivot / place.tile;
  if (is_transposed) {
    for_each_vertex<pivots_at_once / 2>([&](std::size_t v, std::size_t p) {
      const distance_pair pair = matrix[(vertex + v) * place.pitch + pivot / 2 + p];
      shared[2 * p][v] = static_cast<std::uint16_t>(pair & 0xffff);
      shared[2 * p + 1][v] = static_cast<std::uint16_t>(pair >> 16);
    });
  }
  __syncthreads();
  for_each_of_block([&](int y, int x) {
    const auto k = static_cast<std::size_t>(y);
    const std::size_t column = vertex / 2 + static_cast<std::size_t>(x);
    const distance_pair pair = is_transposed
                                   ? static_cast<distance_pair>(shared[y][2 * x]) |
                                         static_cast<distance_pair>(shared[y][2 * x + 1]) << 16
                                   : matrix[(pivot + k) * place.pitch + column];
    panel.rows[(first_k + k) * panel.pitch + column] = pair;
    if (panel.before != nullptr) panel.before[(first_k + k) * panel.pitch + column] = pair;
  });
}

/// As `scatter_panel_kernel`; the columns are doubled.
__global__ void scatter_pairs_kernel(distance_pair* matrix, panel_place place,
                                     symmetric_panel<distance_pair> panel) {
  __shared__ transposed_halves shared;
  const std::size_t vertex = std::size_t{blockIdx.x} * vertices_at_once;
  const std::size_t first_k = std::size_t{blockIdx.y} * pivots_at_once;
  const std::size_t pivot = place.pivot + first_k;
  const bool is_right = vertex / place.tile >= pivot / place.tile;
  for_each_of_block([&](int y, int x) {
    const auto k = static_cast<std::size_t>(y);
    const std::size_t column = vertex / 2 + static_cast<std::size_t>(x);
    const distance_pair pair = panel.rows[(first_k + k) * panel.pitch + column];
    shared[y][2 * x] = static_cast<std::uint16_t>(pair & 0xffff);
    shared[y][2 * x + 1] = static_cast<std::uint16_t>(pair >> 16);
    if (matrix != nullptr && is_right) matrix[(pivot + k) * place.pitch + column] = pair;
  });
  if (vertex >= place.num_rows) return;
  __syncthreads();
  for_each_vertex<pivots_at_once>([&](std::size_t v, std::size_t k) {
    panel.columns[(vertex + v) * place.num_pivots + first_k + k] = doubled(shared[k][v]);
  });
  if (matrix == nullptr || vertex >= place.pivot) return;
  for_each_vertex<pivots_at_once / 2>([&](std::size_t v, std::size_t p) {
    matrix[(vertex + v) * place.pitch + pivot / 2 + p] =
        static_cast<distance_pair>(shared[2 * p][v]) |
        static_cast<distance_pair>(shared[2 * p + 1][v]) << 16;
  });
}

/// The entries of a matrix of 16-bit distances, two in a word. Left operands are copies in which a
/// distance fills both halves of a word.
class paired_entries {
 public:
  using word = distance_pair;
  using tuning = paired_tuning;
  static constexpr int tile = tile_size(paired_tile_shape);
  static constexpr int tile_words = tile / 2;
  using chain = paired_chain_tuning;

  static std::size_t scratch_words(std::size_t num_pivots) { return 2 * num_pivots * num_pivots; }

  /// @param scratch  memory of `scratch_words` for blocks of @p most_pivots.
  paired_entries(const device_workspace& space, word* scratch, std::size_t most_pivots)
      : space_(space),
        distances_(reinterpret_cast<std::int32_t*>(scratch)),
        doubled_(scratch + most_pivots * most_pivots) {}

  left_operand<word> close_block(word* first, std::size_t pitch, std::size_t num_pivots,
                                 std::int32_t* /*predecessors*/, std::int32_t /*note*/,
                                 cudaStream_t on) const {
    const launch_shape over_pairs{space_.setup_blocks(num_pivots * num_pivots / 2), setup.threads,
                                  on};
    launch("unpack_block_kernel", over_pairs, unpack_block_kernel, static_cast<const word*>(first),
           pitch, num_pivots, distances_);
    close_in_one_kernel<block_tuning>(block_algebra(min_plus<std::int32_t>{}),
                                      matrix_entries<std::int32_t>{distances_, nullptr, num_pivots},
                                      num_pivots, 0, 0, {closing_blocks_, on});
    launch("store_block_kernel", over_pairs, store_block_kernel,
           static_cast<const std::int32_t*>(distances_), num_pivots, first, pitch, doubled_);
    return {doubled_, num_pivots};
  }

  void copy(const word_rectangle<word>& right, const word_rectangle<word>& left,
            cudaStream_t on) const {
    launch("copy_paired_operands_kernel", shape_of_copy(right, left, on),
           copy_paired_operands_kernel, right, left);
  }

  // Distances are not negative, so there is no floor.
  void use_operands(const product_operands<word>& /*operands*/, std::size_t /*num_vertices*/,
                    int /*begin*/, cudaStream_t /*on*/) const {}
  void relax(const product_pair<word>& products, std::size_t depth, int /*begin*/,
             cudaStream_t on) const {
    launch_products<paired_tuning, false>(paired_algebra{}, products, static_cast<int>(depth),
                                          word{}, on);
  }
  void relax_in_chain(const product_pair<word>& products, std::size_t depth,
                      cudaStream_t on) const {
    launch_products<paired_chain_tuning, false>(paired_algebra{}, products, static_cast<int>(depth),
                                                word{}, on);
  }

  void gather(const word* matrix, const panel_place& place, const symmetric_panel<word>& panel,
              cudaStream_t on) const {
    launch("gather_pairs_kernel", shape_of_panel(place, on), gather_pairs_kernel, matrix, place,
           panel);
  }
  void scatter(word* matrix, const panel_place& place, const symmetric_panel<word>& panel,
               cudaStream_t on) const {
    launch("scatter_pairs_kernel", shape_of_panel(place, on), scatter_pairs_kernel, matrix, place,
           panel);
  }
  static void mirror(const device_workspace& space, word* matrix, std::size_t pitch,
                     std::size_t num_vertices) {
    mirror_entries(space, reinterpret_cast<std::uint16_t*>(matrix), 2 * pitch, num_vertices);
  }

 private:
  static launch_shape shape_of_panel(const panel_place& place, cudaStream_t on) {
    return {dim3(static_cast<unsigned>(place.num_vertices / vertices_at_once),
                 static_cast<unsigned>(place.num_pivots / pivots_at_once)),
            transpose_threads, on};
  }

  const device_workspace& space_;
  int closing_blocks_ = resident_blocks_of_one_kernel<block_algebra, block_tuning>();
  std::int32_t* distances_;
  word* doubled_;
};

std::size_t pivots_per_block(std::size_t num_vertices) {
  return static_cast<std::size_t>(
             tiles_per_block(num_vertices, tile, fewest_vertices_for_paired_blocks)) *
         tile;
}

}  // namespace

}  // namespace apsp::inline v1::detail::cuda
