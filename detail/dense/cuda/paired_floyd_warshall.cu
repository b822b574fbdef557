// SPDX-License-Identifier: BSL-1.0
#include "paired_floyd_warshall.cuh"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../../apsp/semiring.hpp"
#include "../../device/check.cuh"
#include "../../device/grid_stride.cuh"
#include "algebra.cuh"
#include "matrix_setup.cuh"
#include "pivot_tile.cuh"
#include "product_launch.cuh"
#include "product_operands.cuh"
#include "symmetric_matrix.cuh"
#include "tile_shape.hpp"

namespace apsp::detail::cuda {

namespace {

/// Columns are pairs: a tile of the matrix has half as many words per row as rows.
struct paired_tuning {
  static constexpr bool records = false;
  static constexpr bool notes_steps = false;
  static constexpr tile_shape shape = paired_tile_shape;
};
constexpr std::size_t tile = tile_size(paired_tile_shape);
constexpr std::size_t tile_pairs = tile / 2;
static_assert(paired_tile_shape.product.rows == tile &&
              paired_tile_shape.product.columns == tile_pairs);

/// The pivot tile is closed one distance at a time, in registers that hold 32 bits anyway.
using pivot_algebra = algebra<min_plus<std::int32_t>>;

__device__ __forceinline__ distance_pair doubled(std::uint32_t half) {
  return half | half << 16;
}

__global__ void unpack_pivot_tile_kernel(const distance_pair* matrix, std::size_t pitch,
                                         std::size_t pivot, std::int32_t* pivot_tile) {
  for (std::size_t e = first_index(); e < tile * tile_pairs; e += index_stride()) {
    const distance_pair pair =
        matrix[(pivot + e / tile_pairs) * pitch + pivot / 2 + e % tile_pairs];
    pivot_tile[2 * e] = static_cast<std::int32_t>(pair & 0xffff);
    pivot_tile[2 * e + 1] = static_cast<std::int32_t>(pair >> 16);
  }
}

/// Doubles the column panel of @p pivot, but not its pivot tile.
__device__ __forceinline__ void double_columns(const distance_pair* matrix, std::size_t pitch,
                                               std::size_t extent, std::size_t pivot,
                                               distance_pair* column_panel) {
  for (std::size_t e = first_index(); e < extent * tile_pairs; e += index_stride()) {
    const std::size_t row = e / tile_pairs;
    if (row / tile == pivot / tile) continue;
    const distance_pair pair = matrix[row * pitch + pivot / 2 + e % tile_pairs];
    *reinterpret_cast<uint2*>(column_panel + 2 * e) =
        make_uint2(doubled(pair & 0xffff), doubled(pair >> 16));
  }
}

__global__ void double_columns_kernel(const distance_pair* matrix, std::size_t pitch,
                                      std::size_t extent, std::size_t pivot,
                                      distance_pair* column_panel) {
  double_columns(matrix, pitch, extent, pivot, column_panel);
}

/// Stores the closed pivot tile in the matrix and, doubled, in @p pivot_copy.
__device__ __forceinline__ void store_pivot_tile(distance_pair* matrix, std::size_t pitch,
                                                 std::size_t pivot, const std::int32_t* pivot_tile,
                                                 distance_pair* pivot_copy) {
  for (std::size_t e = first_index(); e < tile * tile_pairs; e += index_stride()) {
    const auto even = static_cast<std::uint32_t>(pivot_tile[2 * e]);
    const auto odd = static_cast<std::uint32_t>(pivot_tile[2 * e + 1]);
    matrix[(pivot + e / tile_pairs) * pitch + pivot / 2 + e % tile_pairs] = even | odd << 16;
    *reinterpret_cast<uint2*>(pivot_copy + 2 * e) = make_uint2(doubled(even), doubled(odd));
  }
}

__global__ void store_pivot_tile_kernel(distance_pair* matrix, std::size_t pitch, std::size_t pivot,
                                        const std::int32_t* pivot_tile, distance_pair* pivot_copy) {
  store_pivot_tile(matrix, pitch, pivot, pivot_tile, pivot_copy);
}

/// Stores the closed pivot tile, and copies the operands of the products that relax the panels.
__global__ void prepare_panels_kernel(distance_pair* matrix, std::size_t pitch, std::size_t extent,
                                      std::size_t pivot, const std::int32_t* pivot_tile,
                                      distance_pair* pivot_copy, distance_pair* row_panel,
                                      distance_pair* column_panel) {
  store_pivot_tile(matrix, pitch, pivot, pivot_tile, pivot_copy);
  const std::size_t width = extent / 2;
  for (std::size_t e = first_index(); e < tile * width; e += index_stride()) {
    const std::size_t column = e % width;
    if (column / tile_pairs == pivot / tile) continue;
    row_panel[e] = matrix[(pivot + e / width) * pitch + column];
  }
  double_columns(matrix, pitch, extent, pivot, column_panel);
}

/// The panel of a pivot tile of a symmetric matrix, as `symmetric_panels`; the columns are doubled.
struct paired_panels {
  distance_pair* before;
  distance_pair* rows;
  distance_pair* columns;
};

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
__global__ void gather_pairs_kernel(const distance_pair* matrix, std::size_t pitch,
                                    std::size_t extent, std::size_t pivot, paired_panels panels) {
  __shared__ transposed_halves shared;
  const std::size_t vertex = std::size_t{blockIdx.x} * vertices_at_once;
  const std::size_t first_k = std::size_t{blockIdx.y} * pivots_at_once;
  const bool is_transposed = vertex < pivot;
  if (is_transposed) {
    for_each_vertex<pivots_at_once / 2>([&](std::size_t v, std::size_t p) {
      const distance_pair pair = matrix[(vertex + v) * pitch + (pivot + first_k) / 2 + p];
      shared[2 * p][v] = static_cast<std::uint16_t>(pair & 0xffff);
      shared[2 * p + 1][v] = static_cast<std::uint16_t>(pair >> 16);
    });
  }
  __syncthreads();
  for_each_of_block([&](int y, int x) {
    const std::size_t k = first_k + static_cast<std::size_t>(y);
    const std::size_t column = vertex / 2 + static_cast<std::size_t>(x);
    const distance_pair pair = is_transposed
                                   ? static_cast<distance_pair>(shared[y][2 * x]) |
                                         static_cast<distance_pair>(shared[y][2 * x + 1]) << 16
                                   : matrix[(pivot + k) * pitch + column];
    panels.before[k * (extent / 2) + column] = pair;
    panels.rows[k * (extent / 2) + column] = pair;
  });
}

/// As `scatter_panel_kernel`.
__global__ void scatter_pairs_kernel(distance_pair* matrix, std::size_t pitch, std::size_t extent,
                                     std::size_t pivot, paired_panels panels) {
  __shared__ transposed_halves shared;
  const std::size_t vertex = std::size_t{blockIdx.x} * vertices_at_once;
  const std::size_t first_k = std::size_t{blockIdx.y} * pivots_at_once;
  if (vertex / tile == pivot / tile) return;
  for_each_of_block([&](int y, int x) {
    const std::size_t k = first_k + static_cast<std::size_t>(y);
    const std::size_t column = vertex / 2 + static_cast<std::size_t>(x);
    const distance_pair pair = panels.rows[k * (extent / 2) + column];
    shared[y][2 * x] = static_cast<std::uint16_t>(pair & 0xffff);
    shared[y][2 * x + 1] = static_cast<std::uint16_t>(pair >> 16);
    if (vertex > pivot) matrix[(pivot + k) * pitch + column] = pair;
  });
  __syncthreads();
  for_each_vertex<pivots_at_once>([&](std::size_t v, std::size_t k) {
    panels.columns[(vertex + v) * tile + first_k + k] = doubled(shared[k][v]);
  });
  if (vertex > pivot) return;
  for_each_vertex<pivots_at_once / 2>([&](std::size_t v, std::size_t p) {
    matrix[(vertex + v) * pitch + (pivot + first_k) / 2 + p] =
        static_cast<distance_pair>(shared[2 * p][v]) |
        static_cast<distance_pair>(shared[2 * p + 1][v]) << 16;
  });
}

}  // namespace

const std::size_t paired_floyd_warshall::granularity = tile;

/// Buffer sizes in words.
struct paired_floyd_warshall::buffer_sizes {
  std::size_t pivot = tile * tile;
  std::size_t old_rows;
  std::size_t rows;
  std::size_t columns;

  explicit buffer_sizes(std::size_t extent)
      : old_rows(tile * extent / 2), rows(2 * old_rows), columns(2 * extent * tile) {}
};

paired_floyd_warshall::paired_floyd_warshall(device_workspace& space, std::size_t num_vertices,
                                             std::size_t extent)
    : space_(space),
      n_(num_vertices),
      extent_(extent),
      ahead_(space.stream.get(), stream_priority::highest) {}

std::size_t paired_floyd_warshall::bytes(std::size_t extent) {
  const buffer_sizes sizes(extent);
  return (2 * sizes.pivot + sizes.old_rows + sizes.rows + sizes.columns) * sizeof(distance_pair);
}

void paired_floyd_warshall::allocate() {
  const buffer_sizes sizes(extent_);
  pivot_tile_ = space_.allocate<std::int32_t>(sizes.pivot);
  pivot_copy_ = space_.allocate<distance_pair>(sizes.pivot);
  old_row_panel_ = space_.allocate<distance_pair>(sizes.old_rows);
  row_panels_ = space_.allocate<distance_pair>(sizes.rows);
  column_panels_ = space_.allocate<distance_pair>(sizes.columns);
}

/// The remainder of a step reads its column panel while the next step's panel is written.
distance_pair* paired_floyd_warshall::columns_of(std::size_t step) const {
  return column_panels_.get() + step % 2 * extent_ * tile;
}

/// The same with the row panel of a symmetric matrix.
distance_pair* paired_floyd_warshall::rows_of(std::size_t step) const {
  return row_panels_.get() + step % 2 * (extent_ / 2) * tile;
}

bool paired_floyd_warshall::solve(distance_pair* matrix, std::size_t pitch, bool symmetric,
                                  device_progress& progress) {
  matrix_ = matrix;
  pitch_ = pitch;
  is_symmetric_ = symmetric;
  prepare_products<paired_algebra, paired_tuning, false>();
  const auto lines = static_cast<int>((n_ + tile - 1) / tile);
  const cudaStream_t stream = space_.stream.get();
  const auto all_of = [&](tile_lines some) {
    return is_symmetric_ ? triangle_of(some, 1, 1) : tile_grid{some, some};
  };

  relax_cross(0, stream);
  for (int step = 0; step + 1 < lines; ++step) {
    const int next = step + 1;
    const auto this_step = static_cast<std::size_t>(step);
    if (is_symmetric_) {
      relax_remainder(this_step, {lines_from(next, 1), lines_from(next, lines - next)},
                      {lines_from(0, step), lines_from(next, 1)});
    } else {
      relax_remainder(this_step, {lines_from(next, 1), lines_except(lines, step, 1)},
                      {lines_except(lines, step, 2), lines_from(next, 1)});
    }
    ahead_.wait_for_main();
    relax_cross(this_step + 1, ahead_.get());
    relax_remainder(this_step, all_of(lines_except(lines, step, 2)), {});
    ahead_.let_main_wait();
    if (!progress.step(tile)) return false;
  }
  const int last = lines - 1;
  const auto last_step = static_cast<std::size_t>(last);
  relax_remainder(last_step, all_of(lines_except(lines, last, 1)), {});
  if (is_symmetric_) {
    mirror(space_, reinterpret_cast<std::uint16_t*>(matrix_), 2 * pitch_,
           static_cast<std::size_t>(lines) * tile);
  }
  return progress.step(n_ - last_step * tile) && progress.finish();
}

/// Makes the pivot tile of @p step and its panels final.
void paired_floyd_warshall::relax_cross(std::size_t step, cudaStream_t on) {
  const std::size_t pivot = step * tile;
  const auto line = static_cast<int>(step);
  const auto lines = static_cast<int>((n_ + tile - 1) / tile);
  const auto over = [&](std::size_t count) {
    return launch_shape{space_.setup_blocks(count), setup.threads, on};
  };
  launch("unpack_pivot_tile_kernel", over(tile * tile_pairs), unpack_pivot_tile_kernel,
         static_cast<const distance_pair*>(matrix_), pitch_, pivot, pivot_tile_.get());
  std::int32_t* const no_predecessors = nullptr;
  launch("pivot_tile_kernel", {1, pivot_threads(paired_tile_shape.pivot), on},
         pivot_tile_kernel<pivot_algebra, paired_tuning, false>,
         pivot_algebra(min_plus<std::int32_t>{}), pivot_tile_.get(), no_predecessors, tile,
         std::size_t{0}, pivot_history<std::int32_t>{}, std::int32_t{0});
  if (is_symmetric_) {
    launch("store_pivot_tile_kernel", over(tile * tile_pairs), store_pivot_tile_kernel, matrix_,
           pitch_, pivot, static_cast<const std::int32_t*>(pivot_tile_.get()), pivot_copy_.get());
    if (lines > 1) relax_symmetric_panel(step, lines, on);
    return;
  }
  launch("prepare_panels_kernel", over(extent_ * tile_pairs), prepare_panels_kernel, matrix_,
         pitch_, extent_, pivot, static_cast<const std::int32_t*>(pivot_tile_.get()),
         pivot_copy_.get(), old_row_panel_.get(), columns_of(step));
  if (lines == 1) return;

  product_pair<distance_pair> panels;
  panels.first.grid = {lines_from(0, 1), lines_except(lines, line, 1)};
  panels.first.a = pivot_copy_.get();
  panels.first.a_pitch = tile;
  panels.first.b = old_row_panel_.get();
  panels.first.b_pitch = extent_ / 2;
  panels.first.c = matrix_ + pivot * pitch_;
  panels.first.c_pitch = pitch_;
  panels.second.grid = {lines_except(lines, line, 1), lines_from(line, 1)};
  panels.second.a = columns_of(step);
  panels.second.a_pitch = tile;
  panels.second.b = matrix_ + pivot * pitch_;
  panels.second.b_pitch = pitch_;
  panels.second.c = matrix_;
  panels.second.c_pitch = pitch_;
  launch_products<paired_tuning, false>(paired_algebra{}, panels, static_cast<int>(tile),
                                        distance_pair{}, on);
  launch("double_columns_kernel", over(extent_ * tile_pairs), double_columns_kernel,
         static_cast<const distance_pair*>(matrix_), pitch_, extent_, pivot, columns_of(step));
}

/// Makes the panel of @p step of a symmetric matrix final. One product relaxes both halves of the
/// cross.
void paired_floyd_warshall::relax_symmetric_panel(std::size_t step, int lines, cudaStream_t on) {
  const std::size_t pivot = step * tile;
  const paired_panels panels{old_row_panel_.get(), rows_of(step), columns_of(step)};
  const launch_shape blocks{
      dim3(static_cast<unsigned>(static_cast<std::size_t>(lines) * tile / vertices_at_once),
           tile / pivots_at_once),
      transpose_threads, on};
  launch("gather_pairs_kernel", blocks, gather_pairs_kernel,
         static_cast<const distance_pair*>(matrix_), pitch_, extent_, pivot, panels);
  product_pair<distance_pair> product;
  product.first.grid = {lines_from(0, 1), lines_except(lines, static_cast<int>(step), 1)};
  product.first.a = pivot_copy_.get();
  product.first.a_pitch = tile;
  product.first.b = panels.before;
  product.first.b_pitch = extent_ / 2;
  product.first.c = panels.rows;
  product.first.c_pitch = extent_ / 2;
  launch_products<paired_tuning, false>(paired_algebra{}, product, static_cast<int>(tile),
                                        distance_pair{}, on);
  launch("scatter_pairs_kernel", blocks, scatter_pairs_kernel, matrix_, pitch_, extent_, pivot,
         panels);
}

/// Relaxes the given tiles over the panels of @p step. It reads no data that the cross of another
/// step writes.
void paired_floyd_warshall::relax_remainder(std::size_t step, const tile_grid& first,
                                            const tile_grid& second) {
  product_operands<distance_pair> operands;
  operands.a = columns_of(step);
  operands.a_pitch = tile;
  operands.b = is_symmetric_ ? rows_of(step) : matrix_ + step * tile * pitch_;
  operands.b_pitch = is_symmetric_ ? extent_ / 2 : pitch_;
  operands.c = matrix_;
  operands.c_pitch = pitch_;
  product_pair<distance_pair> parts{operands, operands};
  parts.first.grid = first;
  parts.second.grid = second;
  launch_products<paired_tuning, false>(paired_algebra{}, parts, static_cast<int>(tile),
                                        distance_pair{}, space_.stream.get());
}

}  // namespace apsp::detail::cuda
