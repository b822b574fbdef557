// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "../../../../apsp/semiring.hpp"
#include "../../../device/check.cuh"
#include "../../../device/workspace.cuh"
#include "../../../tiles/cuda/triangle.cuh"
#include "../../../values/kernel_semirings.hpp"

// Matrices that are equal to their transposes: how one is recognized, the panel of a block of
// pivots if only the tiles on and above the diagonal are relaxed, and the copy of these to the
// others.
namespace apsp::inline v1::detail::cuda {

/// False if a symmetric matrix is relaxed like any other: with so few vertices that the panels take
/// most of the time.
template <class S>
constexpr bool may_be_symmetric(std::size_t num_vertices) {
  constexpr std::size_t fewest_vertices = 2560;
  return has_commutative_times<S> && sizeof(typename S::value_type) <= sizeof(std::int64_t) &&
         num_vertices >= fewest_vertices;
}

/// A square block of a matrix that is transposed through shared memory by `transpose_threads`.
inline constexpr int transpose_width = 32;
inline constexpr int transpose_rows = 8;
inline const dim3 transpose_threads(transpose_width, transpose_rows);

template <class T>
using transposed_block = T[transpose_width][transpose_width + 1];

/// Calls f(y, x) for the entries of this thread.
template <class F>
__device__ __forceinline__ void for_each_of_block(F f) {
#pragma unroll
  for (int y = static_cast<int>(threadIdx.y); y < transpose_width; y += transpose_rows) {
    f(y, static_cast<int>(threadIdx.x));
  }
}

/// Sets @p found unless the matrix of @p blocks x @p blocks blocks is symmetric.
template <class T>
__global__ void find_asymmetry_kernel(const T* matrix, std::size_t pitch, std::size_t blocks,
                                      int* found) {
  __shared__ transposed_block<T> shared;
  ::cuda::atomic_ref<int, ::cuda::thread_scope_device> is_found(*found);
  for (std::size_t b = blockIdx.x; b < num_upper_places(blocks); b += gridDim.x) {
    const upper_place place = upper_place_of(b);
    const T* const upper = matrix + static_cast<std::size_t>(place.row) * transpose_width * pitch +
                           static_cast<std::size_t>(place.column) * transpose_width;
    const T* const lower = matrix +
                           static_cast<std::size_t>(place.column) * transpose_width * pitch +
                           static_cast<std::size_t>(place.row) * transpose_width;
    for_each_of_block([&](int y, int x) {
      shared[y][x] = upper[static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x)];
    });
    if (__syncthreads_or(is_found.load(::cuda::memory_order_relaxed))) return;
    bool differ = false;
    for_each_of_block([&](int y, int x) {
      const T entry = lower[static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x)];
      differ |= !(shared[x][y] == entry);
    });
    // Also lets the threads finish reading before the next block overwrites.
    if (__syncthreads_or(differ)) {
      is_found.store(1, ::cuda::memory_order_relaxed);
      return;
    }
  }
}

/// Copies the entries above the diagonal to those below it. Entries of one block on the diagonal
/// may differ from their mirror images by the order of rounding, so these are copied, too.
template <class T>
__global__ void mirror_kernel(T* matrix, std::size_t pitch, std::size_t blocks) {
  __shared__ transposed_block<T> shared;
  for (std::size_t b = blockIdx.x; b < num_upper_places(blocks); b += gridDim.x) {
    const upper_place place = upper_place_of(b);
    const bool is_diagonal = place.row == place.column;
    const T* const upper = matrix + static_cast<std::size_t>(place.row) * transpose_width * pitch +
                           static_cast<std::size_t>(place.column) * transpose_width;
    T* const lower = matrix + static_cast<std::size_t>(place.column) * transpose_width * pitch +
                     static_cast<std::size_t>(place.row) * transpose_width;
    for_each_of_block([&](int y, int x) {
      shared[y][x] = upper[static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x)];
    });
    __syncthreads();
    for_each_of_block([&](int y, int x) {
      if (is_diagonal && y <= x) return;
      lower[static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x)] = shared[x][y];
    });
    __syncthreads();
  }
}

inline unsigned symmetric_blocks(const device_workspace& space, std::size_t blocks) {
  return space.setup_blocks(num_upper_places(blocks) * setup.threads);
}

template <class T>
void mirror_entries(const device_workspace& space, T* matrix, std::size_t pitch,
                    std::size_t extent) {
  const std::size_t blocks = extent / transpose_width;
  launch("mirror_kernel", {symmetric_blocks(space, blocks), transpose_threads, space.stream.get()},
         mirror_kernel<T>, matrix, pitch, blocks);
}

/// Where the panel of a block of pivots is in a matrix, or in rows of it that begin on the
/// diagonal. All counts are multiples of `transpose_width`.
struct panel_place {
  std::size_t pitch;  ///< of the matrix
  /// Vertices of the panel that are copied: all columns in use, or as many as there are rows.
  std::size_t num_vertices;
  std::size_t num_rows;  ///< rows of the matrix in use
  std::size_t pivot;     ///< the first one
  std::size_t num_pivots;
  std::size_t tile;  ///< vertices of a tile; tiles below the diagonal are not in use
};

/// The panel of a block of pivots: their rows right of the diagonal block, the block itself, and
/// the columns above it, transposed.
template <class T>
struct symmetric_panel {
  /// num_pivots x pitch: the operand of the product that relaxes the panel; may be null
  T* before = nullptr;
  T* rows = nullptr;      ///< num_pivots x pitch: its result
  T* columns = nullptr;   ///< num_rows x num_pivots: the same, transposed
  std::size_t pitch = 0;  ///< of `before` and `rows`
};

/// Copies the panel from the matrix to `before` and `rows`. One CUDA block for each
/// `transpose_width` vertices and pivots.
template <class T>
__global__ void gather_panel_kernel(const T* matrix, panel_place place, symmetric_panel<T> panel) {
  __shared__ transposed_block<T> shared;
  const std::size_t vertex = std::size_t{blockIdx.x} * transpose_width;
  const std::size_t first_k = std::size_t{blockIdx.y} * transpose_width;
  const std::size_t pivot = place.pivot + first_k;
  const bool is_transposed = vertex / place.tile < pivot / place.tile;
  const std::size_t row = is_transposed ? vertex : pivot;
  const std::size_t column = is_transposed ? pivot : vertex;
  for_each_of_block([&](int y, int x) {
    shared[y][x] = matrix[(row + static_cast<std::size_t>(y)) * place.pitch + column +
                          static_cast<std::size_t>(x)];
  });
  __syncthreads();
  for_each_of_block([&](int y, int x) {
    const T entry = is_transposed ? shared[x][y] : shared[y][x];
    const std::size_t offset = (first_k + static_cast<std::size_t>(y)) * panel.pitch + vertex +
                               static_cast<std::size_t>(x);
    panel.rows[offset] = entry;
    if (panel.before != nullptr) panel.before[offset] = entry;
  });
}

/// Copies the relaxed panel from `rows` to `columns` and to the matrix.
/// @param matrix  null if the pivots are not among its columns.
template <class T>
__global__ void scatter_panel_kernel(T* matrix, panel_place place, symmetric_panel<T> panel) {
  __shared__ transposed_block<T> shared;
  const std::size_t vertex = std::size_t{blockIdx.x} * transpose_width;
  const std::size_t first_k = std::size_t{blockIdx.y} * transpose_width;
  const std::size_t pivot = place.pivot + first_k;
  const bool is_right = vertex / place.tile >= pivot / place.tile;
  for_each_of_block([&](int y, int x) {
    const auto k = static_cast<std::size_t>(y);
    const std::size_t v = vertex + static_cast<std::size_t>(x);
    const T entry = panel.rows[(first_k + k) * panel.pitch + v];
    shared[y][x] = entry;
    if (matrix != nullptr && is_right) matrix[(pivot + k) * place.pitch + v] = entry;
  });
  if (vertex >= place.num_rows) return;
  __syncthreads();
  for_each_of_block([&](int y, int x) {
    const auto k = static_cast<std::size_t>(x);
    const std::size_t v = vertex + static_cast<std::size_t>(y);
    const T entry = shared[x][y];
    panel.columns[v * place.num_pivots + first_k + k] = entry;
    if (matrix != nullptr && vertex < place.pivot) matrix[v * place.pitch + pivot + k] = entry;
  });
}

/// Copies a rectangle of a matrix to @p to, transposed. One CUDA block for each `transpose_width`
/// rows and columns.
template <class T>
__global__ void transpose_kernel(const T* from, std::size_t pitch, T* to, std::size_t to_pitch) {
  __shared__ transposed_block<T> shared;
  const std::size_t row = std::size_t{blockIdx.y} * transpose_width;
  const std::size_t column = std::size_t{blockIdx.x} * transpose_width;
  for_each_of_block([&](int y, int x) {
    shared[y][x] =
        from[(row + static_cast<std::size_t>(y)) * pitch + column + static_cast<std::size_t>(x)];
  });
  __syncthreads();
  for_each_of_block([&](int y, int x) {
    to[(column + static_cast<std::size_t>(y)) * to_pitch + row + static_cast<std::size_t>(x)] =
        shared[x][y];
  });
}

/// A rectangle of a matrix.
template <class T>
struct matrix_rectangle {
  const T* entries;
  std::size_t pitch;
  std::size_t rows;     ///< A multiple of `transpose_width`.
  std::size_t columns;  ///< A multiple of it, too.
};

template <class T>
void transpose(const matrix_rectangle<T>& from, T* to, std::size_t to_pitch, cudaStream_t on) {
  launch("transpose_kernel",
         {dim3(static_cast<unsigned>(from.columns / transpose_width),
               static_cast<unsigned>(from.rows / transpose_width)),
          transpose_threads, on},
         transpose_kernel<T>, from.entries, from.pitch, to, to_pitch);
}

}  // namespace apsp::inline v1::detail::cuda
