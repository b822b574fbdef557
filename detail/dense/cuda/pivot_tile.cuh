// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../device/warp.hpp"
#include "algebra.cuh"
#include "product_operands.cuh"
#include "step_notes.cuh"
#include "tile_shape.hpp"

namespace apsp::detail::cuda {

/// Row k and column k of the matrix at the time when vertex k was the pivot, for every k of one
/// pivot tile. With this history the remainder is relaxed in the order of the untiled algorithm.
/// That keeps the predecessors of a row a tree even if cycles of weight zero make many paths
/// equally short.
template <class T>
struct pivot_history {
  T* rows;                         ///< tile_size x extent
  std::int32_t* row_predecessors;  ///< tile_size x extent
  T* columns;                      ///< extent x tile_size
};

/// The tile of the pivot's cross that a CUDA block relaxes.
enum class cross_part { pivot_tile, row_panel, column_panel };

/// The extent of a tile of the cross, and the mapping of its threads. A thread has vectors of
/// columns and as many rows, spread evenly, so that neighbouring threads read neighbouring vectors.
template <class T, class Tuning, cross_part Part>
struct cross_tile {
  static constexpr pivot_shape shape = Tuning::shape.pivot;
  static constexpr int num_pivots = shape.tile_size;
  static constexpr int rows = Part == cross_part::column_panel ? shape.panel_width : num_pivots;
  static constexpr int columns = Part == cross_part::row_panel ? shape.panel_width : num_pivots;
  static constexpr int vector = vector_of<T>::size;
  static constexpr int vectors_per_thread = shape.entries_per_thread / vector;
  static constexpr int threads_down = rows / shape.entries_per_thread;
  static constexpr int threads_across = columns / shape.entries_per_thread;
  static constexpr int threads = threads_down * threads_across;

  static_assert(shape.entries_per_thread % vector == 0);

  // Double buffered: while one step's values are read, the next step's are written.
  alignas(vector_bytes) T row[2][columns];
  alignas(vector_bytes) T column[2][rows];
  alignas(vector_bytes) std::int32_t row_predecessors[2][columns];
};

/// As many vertex numbers as there are values in a vector.
template <class T>
struct alignas(vector_of<T>::size * sizeof(std::int32_t)) vertices_of {
  std::int32_t values[vector_of<T>::size];
};

template <class Vector, class Element>
__device__ __forceinline__ Vector load_vector(const Element* from) {
  return *reinterpret_cast<const Vector*>(from);
}

/// Relaxes one tile over the pivots of a pivot tile, one after the other, with the tile in
/// registers. Without @p Record only the pivot tile is relaxed this way, and no history is kept; a
/// tuning with `notes_steps` then stores @p note.
template <class Algebra, class Tuning, cross_part Part, bool Record,
          class T = typename Algebra::value_type>
__device__ __forceinline__ void relax_in_order(const Algebra& algebra, T* distances,
                                               std::int32_t* predecessors, std::size_t pitch,
                                               std::size_t pivot_begin, std::size_t tile_begin,
                                               pivot_history<T> history, std::int32_t note,
                                               T floor) {
  using layout = cross_tile<T, Tuning, Part>;
  using values = vector_of<T>;
  using vertices = vertices_of<T>;
  constexpr int vector = layout::vector;
  constexpr int vectors = layout::vectors_per_thread;
  constexpr int entries_per_thread = vector * vectors;
  constexpr std::size_t history_pitch = layout::num_pivots;
  constexpr bool owns_row = Part != cross_part::column_panel;
  constexpr bool owns_column = Part != cross_part::row_panel;

  __shared__ layout shared;

  const int thread_column = static_cast<int>(threadIdx.x) % layout::threads_across;
  const int thread_row = static_cast<int>(threadIdx.x) / layout::threads_across;
  const std::size_t first_row = owns_row ? pivot_begin : tile_begin;
  const std::size_t first_column = owns_column ? pivot_begin : tile_begin;
  // The rows and columns of the thread within the tile.
  const auto row_of = [&](int v) { return (v * layout::threads_down + thread_row) * vector; };
  const auto column_of = [&](int v) {
    return (v * layout::threads_across + thread_column) * vector;
  };
  const auto offset_of = [&](int i, int v) {
    return (first_row + static_cast<std::size_t>(row_of(i / vector) + i % vector)) * pitch +
           first_column + static_cast<std::size_t>(column_of(v));
  };

  values entries[entries_per_thread][vectors];
  [[maybe_unused]] vertices own_predecessors[entries_per_thread][vectors];
#pragma unroll
  for (int i = 0; i < entries_per_thread; ++i) {
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      entries[i][v] = load_vector<values>(distances + offset_of(i, v));
      if constexpr (Record)
        own_predecessors[i][v] = load_vector<vertices>(predecessors + offset_of(i, v));
    }
  }

  // Pivot k belongs to vector `k_vector` of thread `k_thread`, at place `k_place`. In this order
  // the registers are known at compile time.
  constexpr int pivots_per_vector_row = layout::num_pivots / vectors;
#pragma unroll
  for (int k_vector = 0; k_vector < vectors; ++k_vector) {
#pragma unroll 1
    for (int k_thread = 0; k_thread < pivots_per_vector_row / vector; ++k_thread) {
#pragma unroll
      for (int k_place = 0; k_place < vector; ++k_place) {
        const int k = k_vector * pivots_per_vector_row + k_thread * vector + k_place;
        const int buffer = k % 2;
        const int k_register = k_vector * vector + k_place;

        values row_values[vectors];
        [[maybe_unused]] vertices pivot_predecessors[vectors];
        T column_values[entries_per_thread];

        if constexpr (owns_row) {
          if (thread_row == k_thread) {
#pragma unroll
            for (int v = 0; v < vectors; ++v) {
              values own = entries[k_register][v];
#pragma unroll
              for (int e = 0; e < vector; ++e)
                own.values[e] = algebra.clamped(own.values[e], floor);
              *reinterpret_cast<values*>(&shared.row[buffer][column_of(v)]) = own;
              if constexpr (Record) {
                *reinterpret_cast<vertices*>(&shared.row_predecessors[buffer][column_of(v)]) =
                    own_predecessors[k_register][v];
                const std::size_t offset = static_cast<std::size_t>(k) * pitch + first_column +
                                           static_cast<std::size_t>(column_of(v));
                *reinterpret_cast<values*>(history.rows + offset) = own;
                *reinterpret_cast<vertices*>(history.row_predecessors + offset) =
                    own_predecessors[k_register][v];
              }
            }
          }
        } else {
#pragma unroll
          for (int v = 0; v < vectors; ++v) {
            const std::size_t offset = static_cast<std::size_t>(k) * pitch + first_column +
                                       static_cast<std::size_t>(column_of(v));
            row_values[v] = load_vector<values>(history.rows + offset);
            pivot_predecessors[v] = load_vector<vertices>(history.row_predecessors + offset);
          }
        }
        if constexpr (owns_column) {
          if (thread_column == k_thread) {
#pragma unroll
            for (int i = 0; i < entries_per_thread; ++i) {
              const T own = algebra.clamped(entries[i][k_vector].values[k_place], floor);
              const int row = row_of(i / vector) + i % vector;
              shared.column[buffer][row] = own;
              if constexpr (Record) {
                history.columns[(first_row + static_cast<std::size_t>(row)) * history_pitch +
                                static_cast<std::size_t>(k)] = own;
              }
            }
          }
        } else {
#pragma unroll
          for (int i = 0; i < entries_per_thread; ++i) {
            const int row = row_of(i / vector) + i % vector;
            column_values[i] =
                history.columns[(first_row + static_cast<std::size_t>(row)) * history_pitch +
                                static_cast<std::size_t>(k)];
          }
        }
        __syncthreads();

        if constexpr (owns_row) {
#pragma unroll
          for (int v = 0; v < vectors; ++v) {
            row_values[v] = load_vector<values>(&shared.row[buffer][column_of(v)]);
            if constexpr (Record) {
              pivot_predecessors[v] =
                  load_vector<vertices>(&shared.row_predecessors[buffer][column_of(v)]);
            }
          }
        }
        if constexpr (owns_column) {
#pragma unroll
          for (int v = 0; v < vectors; ++v) {
            const values loaded = load_vector<values>(&shared.column[buffer][row_of(v)]);
#pragma unroll
            for (int e = 0; e < vector; ++e) column_values[v * vector + e] = loaded.values[e];
          }
        }
#pragma unroll
        for (int i = 0; i < entries_per_thread; ++i) {
#pragma unroll
          for (int j = 0; j < entries_per_thread; ++j) {
            T& entry = entries[i][j / vector].values[j % vector];
            const T from_pivot = row_values[j / vector].values[j % vector];
            if constexpr (Record) {
              const T through_pivot = algebra.times(column_values[i], from_pivot);
              std::int32_t& predecessor = own_predecessors[i][j / vector].values[j % vector];
              const bool improves = algebra.improves(through_pivot, entry);
              entry = improves ? through_pivot : entry;
              predecessor =
                  improves ? pivot_predecessors[j / vector].values[j % vector] : predecessor;
            } else {
              entry = algebra.relax(entry, column_values[i], from_pivot);
            }
          }
        }
      }
    }
  }

#pragma unroll
  for (int i = 0; i < entries_per_thread; ++i) {
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
#pragma unroll
      for (int e = 0; e < vector; ++e) {
        entries[i][v].values[e] = algebra.clamped(entries[i][v].values[e], floor);
      }
      if constexpr (Tuning::notes_steps) {
        note_step(algebra, load_vector<values>(distances + offset_of(i, v)), entries[i][v], note,
                  predecessors + offset_of(i, v));
      }
      *reinterpret_cast<values*>(distances + offset_of(i, v)) = entries[i][v];
      if constexpr (Record) {
        *reinterpret_cast<vertices*>(predecessors + offset_of(i, v)) = own_predecessors[i][v];
      }
    }
  }
}

/// Closes the pivot tile at @p pivot_begin. One CUDA block.
template <class Algebra, class Tuning, bool Record, class T = typename Algebra::value_type>
__global__ void __launch_bounds__(pivot_threads(Tuning::shape.pivot),
                                  pivot_threads(Tuning::shape.pivot) <= 256 ? 3 : 1)
    pivot_tile_kernel(const Algebra algebra, T* distances, std::int32_t* predecessors,
                      std::size_t pitch, std::size_t pivot_begin, pivot_history<T> history,
                      std::int32_t note, T floor) {
  relax_in_order<Algebra, Tuning, cross_part::pivot_tile, Record>(
      algebra, distances, predecessors, pitch, pivot_begin, pivot_begin, history, note, floor);
}

/// Relaxes both panels over the closed pivot tile, in the order of the untiled algorithm. Two CUDA
/// blocks for each `panel_width` of the extent, except for that of the pivot tile.
template <class Algebra, class Tuning, class T = typename Algebra::value_type>
__global__ void __launch_bounds__(panel_threads(Tuning::shape.pivot), 2)
    ordered_panels_kernel(const Algebra algebra, T* distances, std::int32_t* predecessors,
                          std::size_t pitch, std::size_t pivot_begin, pivot_history<T> history,
                          T floor) {
  std::size_t tile_begin =
      static_cast<std::size_t>(blockIdx.x / 2) * Tuning::shape.pivot.panel_width;
  if (tile_begin >= pivot_begin) tile_begin += Tuning::shape.pivot.tile_size;
  if (blockIdx.x % 2 == 0) {
    relax_in_order<Algebra, Tuning, cross_part::row_panel, true>(
        algebra, distances, predecessors, pitch, pivot_begin, tile_begin, history, 0, floor);
  } else {
    relax_in_order<Algebra, Tuning, cross_part::column_panel, true>(
        algebra, distances, predecessors, pitch, pivot_begin, tile_begin, history, 0, floor);
  }
}

}  // namespace apsp::detail::cuda
