// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../../apsp/semiring.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../dense/cuda/algebra.cuh"
#include "../../dense/cuda/product_operands.cuh"
#include "../../device/atomic_minimum.cuh"
#include "../../device/warp.hpp"
#include "../../values/distance_code.hpp"
#include "small_graph_shape.hpp"
#include "small_graphs.hpp"

// Kernels that relax many matrices, each in one CUDA block or one warp.
namespace apsp::detail::cuda {

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

/// Part of a square matrix with `extent` rows and columns, in the registers of the threads of a
/// graph. A thread has consecutive rows, and vectors of columns spread evenly, so that neighbouring
/// threads read neighbouring vectors. Entries beyond the matrix are unreachable.
template <class T, class Tuning>
class register_tile {
  using values = vector_of<T>;
  static constexpr small_graph_shape shape = Tuning::shape;
  static constexpr int vector = values::size;
  static constexpr int vectors = shape.columns_per_thread / vector;
  static constexpr int threads_across = shape.extent / shape.columns_per_thread;
  static constexpr int columns_per_vector = shape.extent / vectors;
  /// The number of consecutive pivots that use the same registers.
  static constexpr int step = shape.rows_per_thread > vector ? shape.rows_per_thread : vector;
  static_assert(vectors >= 1 && shape.columns_per_thread % vector == 0);
  static_assert(step % shape.rows_per_thread == 0 && step % vector == 0 &&
                columns_per_vector % step == 0);

 public:
  static constexpr int threads = threads_per_graph(shape);

  /// A row and a column that threads exchange. Double buffered: while one pivot's values are read,
  /// the next pivot's are written.
  struct exchange {
    alignas(vector_bytes) T row[2][shape.extent];
    alignas(vector_bytes) T column[2][shape.extent];
  };

  /// @param thread  0 to `threads` - 1.
  __device__ explicit register_tile(int thread)
      : row_(thread / threads_across * shape.rows_per_thread),
        thread_column_(thread % threads_across) {}

  /// Loads the tile whose first entry is (@p first_row, @p first_column) of a matrix of @p n rows.
  __device__ __forceinline__ void load(const T* matrix, int n, int first_row, int first_column,
                                       T unreachable) {
    const int pitch = pitch_of<T>(n);
#pragma unroll
    for (int i = 0; i < shape.rows_per_thread; ++i) {
      const int row = first_row + row_ + i;
#pragma unroll
      for (int v = 0; v < vectors; ++v) {
        const int column = first_column + column_of(v);
        if (row < n && column < pitch) {
          entries_[i][v] = *reinterpret_cast<const values*>(matrix + row * pitch + column);
        } else {
#pragma unroll
          for (int e = 0; e < vector; ++e) entries_[i][v].values[e] = unreachable;
        }
      }
    }
  }

  /// Stores the tile; @p transform is applied to every entry.
  template <class Transform>
  __device__ __forceinline__ void store(T* matrix, int n, int first_row, int first_column,
                                        Transform transform) const {
    const int pitch = pitch_of<T>(n);
#pragma unroll
    for (int i = 0; i < shape.rows_per_thread; ++i) {
      const int row = first_row + row_ + i;
#pragma unroll
      for (int v = 0; v < vectors; ++v) {
        const int column = first_column + column_of(v);
        if (row >= n || column >= pitch) continue;
        values changed = entries_[i][v];
#pragma unroll
        for (int e = 0; e < vector; ++e) changed.values[e] = transform(changed.values[e]);
        *reinterpret_cast<values*>(matrix + row * pitch + column) = changed;
      }
    }
  }

  /// Floyd–Warshall over the first @p num_pivots vertices of a tile on the diagonal. All threads of
  /// the graph must take part; if there are more than a warp, they are all threads of the CUDA
  /// block.
  __device__ __forceinline__ void close(int num_pivots, exchange& shared, T floor) {
    // Pivot k belongs to vector `v` of some thread, at place `s` of a step. In this order the
    // registers are known at compile time.
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
#pragma unroll 1
      for (int first = v * columns_per_vector; first < (v + 1) * columns_per_vector;
           first += step) {
        if (first >= num_pivots) return;
          // Pivots after the last one are unreachable, and relaxing over them changes nothing.
#pragma unroll
        for (int s = 0; s < step; ++s) {
          const int k = first + s;
          const int buffer = s % 2;
          if (k / shape.rows_per_thread * shape.rows_per_thread == row_) {
#pragma unroll
            for (int w = 0; w < vectors; ++w) {
              values own = entries_[s % shape.rows_per_thread][w];
#pragma unroll
              for (int e = 0; e < vector; ++e)
                own.values[e] = shortest<T>().clamped(own.values[e], floor);
              *reinterpret_cast<values*>(&shared.row[buffer][column_of(w)]) = own;
            }
          }
          if (k / vector % threads_across == thread_column_) {
#pragma unroll
            for (int i = 0; i < shape.rows_per_thread; ++i) {
              shared.column[buffer][row_ + i] =
                  shortest<T>().clamped(entries_[i][v].values[s % vector], floor);
            }
          }
          synchronize();
          relax(shared.row[buffer], shared.column[buffer]);
        }
      }
    }
  }

  /// Relaxes the tile over one pivot with the given row and column.
  __device__ __forceinline__ void relax(const T* pivot_row, const T* pivot_column) {
    values from_pivot[vectors];
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      from_pivot[v] = *reinterpret_cast<const values*>(pivot_row + column_of(v));
    }
#pragma unroll
    for (int i = 0; i < shape.rows_per_thread; ++i) {
      const T to_pivot = pivot_column[row_ + i];
#pragma unroll
      for (int v = 0; v < vectors; ++v) {
#pragma unroll
        for (int e = 0; e < vector; ++e) {
          T& entry = entries_[i][v].values[e];
          entry = shortest<T>().relax(entry, to_pivot, from_pivot[v].values[e]);
        }
      }
    }
  }

 private:
  __device__ __forceinline__ int column_of(int v) const {
    return (v * threads_across + thread_column_) * vector;
  }

  __device__ __forceinline__ static void synchronize() {
    if constexpr (threads == warp_size) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

  int row_;  ///< The first row of the thread.
  int thread_column_;
  values entries_[shape.rows_per_thread][vectors];
};

/// Closes @p count matrices that fit in registers, `graphs_per_block` per CUDA block.
template <class T, class Tuning>
__global__ void __launch_bounds__(threads_per_block(Tuning::shape))
    close_in_registers_kernel(const small_graph_place<T>* places, int count, T* entries) {
  using tile_type = register_tile<T, Tuning>;
  __shared__ typename tile_type::exchange shared[Tuning::shape.graphs_per_block];
  const int graph_in_block = static_cast<int>(threadIdx.x) / tile_type::threads;
  const int graph = static_cast<int>(blockIdx.x) * Tuning::shape.graphs_per_block + graph_in_block;
  if (graph >= count) return;  // whole warps return, and no other warp waits for them

  const small_graph_place<T> place = places[graph];
  T* const matrix = entries + place.offset;
  tile_type tile(static_cast<int>(threadIdx.x) % tile_type::threads);
  tile.load(matrix, place.num_vertices, 0, 0, place.code.unreachable);
  tile.close(place.num_vertices, shared[graph_in_block], place.code.floor);
  tile.store(matrix, place.num_vertices, 0, 0, [&](T value) { return decoded(value, place.code); });
}

/// Closes one matrix per CUDA block by tiles: for each tile on the diagonal, close it, relax the
/// other tiles of its row and column over it, then relax all other tiles over those. The current
/// tile is in registers, the others are in memory. Source: Venkataraman, Sahni, Mukhopadhyaya 2003.
template <class T, class Tuning>
class tiled_closure {
  using values = vector_of<T>;
  using tile_type = register_tile<T, Tuning>;
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
      : matrix_(matrix), place_(place), shared_(shared), tile_(static_cast<int>(threadIdx.x)) {}

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
    tile_.load(matrix_, place_.num_vertices, pivot, pivot, place_.code.unreachable);
    tile_.close(min(place_.num_vertices - pivot, tile_size), shared_.exchange, place_.code.floor);
    finish_tile(pivot, pivot);
  }

  /// Relaxes the tile at (@p row, @p column) over the tiles (row, pivot) and (pivot, column). One
  /// of them may be the tile itself: its old entries are read, and the new ones are written at the
  /// end.
  __device__ __forceinline__ void relax_tile(int row, int column, int pivot) {
    const int num_pivots = min(place_.num_vertices - pivot, tile_size);
    tile_.load(matrix_, place_.num_vertices, row, column, place_.code.unreachable);
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
    tile_.store(matrix_, place_.num_vertices, row, column, [](T value) { return value; });
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

}  // namespace apsp::detail::cuda
