// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../../apsp/semiring.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../device/atomic_minimum.cuh"
#include "../../device/warp.hpp"
#include "../../tiles/cuda/algebra.cuh"
#include "../../tiles/cuda/product_operands.cuh"
#include "../../tiles/cuda/register_tile.cuh"
#include "../../values/distance_code.hpp"
#include "small_graph_shape.hpp"
#include "small_graphs.hpp"

// Kernels that relax many matrices, each in one CUDA block or one warp.
namespace apsp::inline v1::detail::cuda {

/// One graph of a batch that is transferred together, and its matrix: rows of
/// `pitch_of(num_vertices)` entries.
template <class T>
struct alignas(vector_bytes) small_graph_place {
  static constexpr std::int32_t is_matrix = -1;

  std::size_t offset;     ///< Offset of the first entry, a multiple of a vector.
  std::uint32_t given;    ///< Offset in bytes of what the host has sent, a multiple of a vector.
  std::int32_t num_arcs;  ///< of the list that it has sent, or `is_matrix`
  std::int32_t num_vertices;
  distance_code<T> code;
};

/// How the entries are relaxed.
template <class T>
__device__ __forceinline__ algebra<min_plus<T>> shortest() {
  return algebra<min_plus<T>>(min_plus<T>{});
}

/// Rows are whole vectors long.
template <class T>
__host__ __device__ constexpr int pitch_of(int num_vertices) {
  constexpr int vector = vector_of<T>::size;
  return (num_vertices + vector - 1) / vector * vector;
}

/// @p value as the host expects it: `unreachable` if there is no path.
template <class T>
__device__ __forceinline__ T decoded(T value, [[maybe_unused]] const distance_code<T>& code) {
  if constexpr (is_coded_integer<T>) {
    constexpr T largest = unreachable<T>;
    return value >= code.unreachable_from ? largest : value;
  } else {
    return value;
  }
}

/// Makes one matrix per CUDA block from an arc list or a matrix: 0 on the diagonal, the lightest of
/// parallel arcs, and unreachable elsewhere.
template <class T>
__global__ void make_matrices_kernel(const small_graph_place<T>* places, const std::byte* given,
                                     T* entries) {
  const small_graph_place<T> place = places[blockIdx.x];
  T* const matrix = entries + place.offset;
  const int pitch = pitch_of<T>(place.num_vertices);
  const int size = place.num_vertices * pitch;
  const int first = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  if (place.num_arcs == place.is_matrix) {
    const auto* const from = reinterpret_cast<const vector_of<T>*>(given + place.given);
    auto* const to = reinterpret_cast<vector_of<T>*>(matrix);
    for (int x = first; x < size / vector_of<T>::size; x += threads) to[x] = from[x];
    return;
  }
  for (int x = first; x < size; x += threads) {
    matrix[x] = x % (pitch + 1) == 0 ? T{} : place.code.unreachable;
  }
  __syncthreads();
  const auto* const arcs = reinterpret_cast<const small_arc<T>*>(given + place.given);
  for (int a = first; a < place.num_arcs; a += threads) {
    atomic_minimum(matrix + arcs[a].place, arcs[a].weight);
  }
}

/// The rows of a thread are adjacent.
template <class Tuning>
struct small_graph_registers {
  static constexpr register_shape shape{
      Tuning::shape.extent, Tuning::shape.extent, Tuning::shape.rows_per_thread,
      Tuning::shape.columns_per_thread, Tuning::shape.rows_per_thread};
};

/// A matrix that fits into it, or a tile of a larger one.
template <class T, class Tuning>
using small_graph_tile = register_tile<algebra<min_plus<T>>, small_graph_registers<Tuning>>;

/// Where a tile of a matrix is. Entries beyond the matrix are unreachable.
template <class T>
__device__ __forceinline__ clipped_tile<T> tile_at(T* matrix, const small_graph_place<T>& place,
                                                   int first_row, int first_column) {
  const int pitch = pitch_of<T>(place.num_vertices);
  return {matrix,
          first_row * pitch + first_column,
          pitch,
          place.num_vertices - first_row,
          pitch - first_column,
          place.code.unreachable};
}

/// Closes @p count matrices that fit in registers, `graphs_per_block` per CUDA block.
template <class T, class Tuning>
__global__ void __launch_bounds__(threads_per_block(Tuning::shape))
    close_in_registers_kernel(const small_graph_place<T>* places, int count, T* entries) {
  using tile_type = small_graph_tile<T, Tuning>;
  __shared__ typename tile_type::exchange shared[Tuning::shape.graphs_per_block];
  const int graph_in_block = static_cast<int>(threadIdx.x) / tile_type::threads;
  const int graph = static_cast<int>(blockIdx.x) * Tuning::shape.graphs_per_block + graph_in_block;
  if (graph >= count) return;  // whole warps return, and no other warp waits for them

  // Not copied: what is needed at the end is read again, and is not kept in registers before.
  const small_graph_place<T>& place = places[graph];
  tile_type tile(shortest<T>(), static_cast<int>(threadIdx.x) % tile_type::threads);
  tile.load(tile_at(entries + place.offset, place, 0, 0));
  tile.close(place.num_vertices, shared[graph_in_block], place.code.floor);
  const distance_code<T> code = place.code;
  tile.store(tile_at(entries + place.offset, place, 0, 0), [&](vector_of<T>& stored, int) {
#pragma unroll
    for (T& value : stored.values) value = decoded(value, code);
  });
}

/// Closes one matrix per CUDA block by tiles: for each tile on the diagonal, close it, relax the
/// other tiles of its row and column over it, then relax all other tiles over those. The current
/// tile is in registers, the others are in memory. Source: Venkataraman, Sahni, Mukhopadhyaya 2003.
template <class T, class Tuning>
class tiled_closure {
  using values = vector_of<T>;
  using tile_type = small_graph_tile<T, Tuning>;
  static constexpr int tile_size = Tuning::shape.extent;
  static constexpr int threads = tile_type::threads;
  static constexpr int vector = values::size;
  static constexpr int depth = static_cast<int>(small_graph_panel_bytes / sizeof(T)) / tile_size;
  static_assert(depth % vector == 0 && tile_size % depth == 0);

 public:
  struct panels {
    alignas(
        vector_bytes) T columns[depth][tile_size];   ///< columns of the left tile, each contiguous
    alignas(vector_bytes) T rows[depth][tile_size];  ///< rows of the right tile
  };
  struct shared_memory {
    union {
      typename tile_type::exchange exchange;
      panels operands;
    };
  };

  __device__ tiled_closure(T* matrix, const small_graph_place<T>& place, shared_memory& shared)
      : matrix_(matrix),
        place_(place),
        shared_(shared),
        tile_(shortest<T>(), static_cast<int>(threadIdx.x)) {}

  __device__ __forceinline__ void run() {
    const int n = place_.num_vertices;
    for (int pivot = 0; pivot < n; pivot += tile_size) {
      close_pivot_tile(pivot);
      // First the panels, which share a row or a column with the pivot tile, then all other tiles.
      // There is only one call of relax_tile: with two, the tile would not stay in registers.
      for (const int shared_lines : {1, 0}) {
        for (int row = 0; row < n; row += tile_size) {
          for (int column = 0; column < n; column += tile_size) {
            if ((row == pivot) + (column == pivot) == shared_lines) relax_tile(row, column, pivot);
          }
        }
      }
    }
    decode();
  }

 private:
  __device__ __forceinline__ void close_pivot_tile(int pivot) {
    tile_.load(tile_at(matrix_, place_, pivot, pivot));
    tile_.close(min(place_.num_vertices - pivot, tile_size), shared_.exchange, place_.code.floor);
    finish_tile(pivot, pivot);
  }

  /// Relaxes the tile at (@p row, @p column) over the tiles (row, pivot) and (pivot, column). One
  /// of them may be the tile itself: its old entries are read, and the new ones are written at the
  /// end.
  __device__ __forceinline__ void relax_tile(int row, int column, int pivot) {
    const int num_pivots = min(place_.num_vertices - pivot, tile_size);
    tile_.load(tile_at(matrix_, place_, row, column));
    for (int first = 0; first < num_pivots; first += depth) {
      __syncthreads();  // all threads have read the previous operands
      load_columns(row, pivot + first);
      load_rows(pivot + first, column);
      __syncthreads();
#pragma unroll 2
      for (int k = 0; k < depth; ++k) {
        tile_.relax(shared_.operands.rows[k], shared_.operands.columns[k]);
      }
    }
    finish_tile(row, column);
  }

  __device__ __forceinline__ void finish_tile(int row, int column) {
    __syncthreads();  // all threads have read the old entries
    tile_.store(tile_at(matrix_, place_, row, column), [](values&, int) {});
    __syncthreads();
  }

  /// @return the vector at (@p row, @p column), clamped to the floor.
  __device__ __forceinline__ values operand(int row, int column) const {
    const int pitch = pitch_of<T>(place_.num_vertices);
    values loaded;
    if (row < place_.num_vertices && column < pitch) {
      loaded = *reinterpret_cast<const values*>(matrix_ + row * pitch + column);
#pragma unroll
      for (int e = 0; e < vector; ++e) {
        loaded.values[e] = shortest<T>().clamped(loaded.values[e], place_.code.floor);
      }
    } else {
#pragma unroll
      for (int e = 0; e < vector; ++e) loaded.values[e] = place_.code.unreachable;
    }
    return loaded;
  }

  __device__ __forceinline__ void load_columns(int first_row, int first_column) {
    // Neighbouring threads have neighbouring rows, so that they write to different banks.
    for (int x = static_cast<int>(threadIdx.x); x < tile_size * (depth / vector); x += threads) {
      const int row = x % tile_size;
      const int column = x / tile_size * vector;
      const values loaded = operand(first_row + row, first_column + column);
#pragma unroll
      for (int e = 0; e < vector; ++e) {
        shared_.operands.columns[column + e][row] = loaded.values[e];
      }
    }
  }

  __device__ __forceinline__ void load_rows(int first_row, int first_column) {
    constexpr int vectors_per_row = tile_size / vector;
    for (int x = static_cast<int>(threadIdx.x); x < depth * vectors_per_row; x += threads) {
      const int row = x / vectors_per_row;
      const int column = x % vectors_per_row * vector;
      *reinterpret_cast<values*>(&shared_.operands.rows[row][column]) =
          operand(first_row + row, first_column + column);
    }
  }

  __device__ __forceinline__ void decode() {
    if constexpr (is_coded_integer<T>) {
      const int size = place_.num_vertices * pitch_of<T>(place_.num_vertices);
      for (int x = static_cast<int>(threadIdx.x); x < size; x += threads) {
        matrix_[x] = decoded(matrix_[x], place_.code);
      }
    }
  }

  T* matrix_;
  const small_graph_place<T>& place_;
  shared_memory& shared_;
  tile_type tile_;
};

template <class T, class Tuning>
__global__ void __launch_bounds__(threads_per_block(Tuning::shape))
    close_by_tiles_kernel(const small_graph_place<T>* places, T* entries) {
  __shared__ typename tiled_closure<T, Tuning>::shared_memory shared;
  const small_graph_place<T> place = places[blockIdx.x];
  tiled_closure<T, Tuning>(entries + place.offset, place, shared).run();
}

/// Closes one matrix per CUDA block in memory, one pivot after the other.
///
/// Row k and column k are read while they are written. Without a negative cycle the written values
/// equal the old ones. With one the entries are unspecified, but the floor still prevents sums from
/// wrapping.
template <class T>
__global__ void close_in_memory_kernel(const small_graph_place<T>* places, T* entries) {
  const small_graph_place<T> place = places[blockIdx.x];
  T* const matrix = entries + place.offset;
  const int n = place.num_vertices;
  const int pitch = pitch_of<T>(n);
  const int threads = static_cast<int>(blockDim.x);
  for (int k = 0; k < n; ++k) {
    for (int x = static_cast<int>(threadIdx.x); x < n * pitch; x += threads) {
      const T to_pivot = shortest<T>().clamped(matrix[x / pitch * pitch + k], place.code.floor);
      const T from_pivot = shortest<T>().clamped(matrix[k * pitch + x % pitch], place.code.floor);
      matrix[x] = shortest<T>().relax(matrix[x], to_pivot, from_pivot);
    }
    __syncthreads();
  }
  for (int x = static_cast<int>(threadIdx.x); x < n * pitch; x += threads) {
    matrix[x] = decoded(matrix[x], place.code);
  }
}

}  // namespace apsp::inline v1::detail::cuda
