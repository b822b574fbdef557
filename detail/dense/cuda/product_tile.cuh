// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../device/architecture.hpp"
#include "../../device/warp.hpp"
#include "algebra.cuh"
#include "step_notes.cuh"
#include "symmetric_matrix.cuh"
#include "tile_shape.hpp"

namespace apsp::detail::cuda {

/// As many values as one thread loads at a time.
template <class T>
struct alignas(vector_bytes) vector_of {
  static constexpr int size = static_cast<int>(vector_bytes / sizeof(T));
  T values[size];
};

/// The rows, or columns, of tiles of C that take part: `count` of them in order, with a gap.
struct tile_lines {
  int count = 0;
  int gap_begin = 0;
  int gap_size = 0;

  __device__ constexpr int line(int index) const {
    return index < gap_begin ? index : index + gap_size;
  }
};

__host__ __device__ constexpr tile_lines lines_from(int begin, int count) {
  return {count, 0, begin};
}
__host__ __device__ constexpr tile_lines lines_except(int total, int begin, int count) {
  return {total - count, begin, count};
}

/// The tiles of C that take part: rows times columns, or those of an upper triangle.
struct tile_grid {
  tile_lines rows;
  tile_lines columns;
  /// Tiles in a square of a triangle, in each direction; 0 if there is none. `rows` and `columns`
  /// are then the same lines of squares.
  int square_rows = 0;
  int square_columns = 0;

  __host__ __device__ constexpr bool is_triangle() const { return square_rows != 0; }
  __host__ __device__ constexpr int size() const {
    if (!is_triangle()) return rows.count * columns.count;
    return static_cast<int>(num_upper_places(static_cast<std::size_t>(rows.count))) * square_rows *
           square_columns;
  }
  __device__ __forceinline__ upper_place place_of(int tile) const {
    if (!is_triangle()) {
      const int row = tile / columns.count;
      return {rows.line(row), columns.line(tile - row * columns.count)};
    }
    const int square = tile / (square_rows * square_columns);
    const int part = tile - square * (square_rows * square_columns);
    const upper_place place = upper_place_of(static_cast<std::size_t>(square));
    return {rows.line(place.row) * square_rows + part / square_columns,
            columns.line(place.column) * square_columns + part % square_columns};
  }
};

/// The tiles on and above the diagonal in the given lines of squares of @p square_rows x
/// @p square_columns tiles.
constexpr tile_grid triangle_of(tile_lines squares, int square_rows, int square_columns) {
  return {squares, squares, square_rows, square_columns};
}

/// C = plus(C, A (x) B), element-wise, where (A (x) B)[i][j] is the sum of times(A[i][k], B[k][j]).
///
/// All matrices are row-major, begin at a multiple of `vector_bytes`, and have a pitch in elements
/// that is a multiple of a vector. A and B do not overlap the tiles of C.
template <class T>
struct product_operands {
  tile_grid grid;
  const T* a = nullptr;
  std::size_t a_pitch = 0;
  const T* b = nullptr;
  std::size_t b_pitch = 0;
  T* c = nullptr;
  std::size_t c_pitch = 0;
  // If the best product is better than C[i][j] was, predecessors_c[i][j] = predecessors_b[k][j].
  const std::int32_t* predecessors_b = nullptr;
  std::int32_t* predecessors_c = nullptr;
  // With a tuning that notes steps, predecessors_c[i][j] = note instead.
  std::int32_t note = 0;
};

/// Two products in one launch: the first grid's tiles, then the second's.
template <class T>
struct product_pair {
  product_operands<T> first{};
  product_operands<T> second{};
};

/// The position of a thread in its tile of C and in shared memory. @p Tuning has a `tile_shape`
/// named `shape`.
template <class T, class Tuning>
struct product_tile {
  // Host code needs no other member than the rows and the columns, which are always the same.
  static constexpr product_shape shape =
      has_little_shared_memory(compiled_architecture)
          ? with_little_shared_memory(Tuning::shape.product, sizeof(T))
          : Tuning::shape.product;
  static constexpr int vector = vector_of<T>::size;
  static constexpr int threads = threads_per_block(shape);
  static constexpr int a_pitch = shape.depth + vector;
  static constexpr int b_pitch = shape.columns;
  static constexpr int a_size = shape.rows * a_pitch;
  static constexpr int b_size = shape.depth * b_pitch;
  static_assert(shared_bytes(shape, sizeof(T)) ==
                static_cast<std::size_t>(shape.stages) * (a_size + b_size) * sizeof(T));

  // The entries of a thread: every `warp_rows`-th row of its warp, and every `warp_columns`-th
  // vector.
  static constexpr int rows = shape.rows_per_thread;
  static constexpr int columns = shape.columns_per_thread;
  static constexpr int warps_across = shape.columns / (warp_columns * columns);
  static constexpr int column_vectors = columns / vector;
  static constexpr int column_stride = warp_columns * vector;

  // The distribution of the copies of a stage over the threads.
  static constexpr int a_vectors_per_row = shape.depth / vector;
  static constexpr int b_vectors_per_row = shape.columns / vector;
  static constexpr int a_rows_at_once = threads / a_vectors_per_row;
  static constexpr int b_rows_at_once = threads / b_vectors_per_row;

  static_assert(columns % vector == 0 && shape.depth % vector == 0);
  static_assert(shape.columns % (warp_columns * columns) == 0);
  static_assert(shape.rows % (warp_rows * rows) == 0);
  static_assert(threads % a_vectors_per_row == 0 && threads % b_vectors_per_row == 0);
  static_assert(shape.rows % a_rows_at_once == 0 && shape.depth % b_rows_at_once == 0);
  static_assert(shape.stages >= 2);
};

/// With @p Record it stores predecessors; with a tuning that notes steps it stores notes. With
/// @p Clamp it raises entries to the floor, since they will be operands.
template <class Algebra, class Tuning, bool Record, bool Clamp>
__device__ __forceinline__ void multiply_tile(
    const Algebra& algebra, const product_operands<typename Algebra::value_type>& operands,
    int tile, int extent, typename Algebra::value_type floor) {
  using T = typename Algebra::value_type;
  using layout = product_tile<T, Tuning>;
  constexpr product_shape shape = layout::shape;
  using vector = vector_of<T>;

  extern __shared__ __align__(vector_bytes) unsigned char shared_memory[];
  T* const shared = reinterpret_cast<T*>(shared_memory);

  const tile_grid& grid = operands.grid;
  const upper_place place = grid.place_of(tile);
  const std::size_t first_row = static_cast<std::size_t>(place.row) * shape.rows;
  const std::size_t first_column = static_cast<std::size_t>(place.column) * shape.columns;

  const int thread = static_cast<int>(threadIdx.x);

  // The copies use pointers that advance, so that no index is recomputed per stage.
  const int a_copy_row = thread / layout::a_vectors_per_row;
  const int a_copy_column = (thread % layout::a_vectors_per_row) * layout::vector;
  const int b_copy_row = thread / layout::b_vectors_per_row;
  const int b_copy_column = (thread % layout::b_vectors_per_row) * layout::vector;
  const T* a_source = operands.a +
                      (first_row + static_cast<std::size_t>(a_copy_row)) * operands.a_pitch +
                      static_cast<std::size_t>(a_copy_column);
  const T* b_source = operands.b + static_cast<std::size_t>(b_copy_row) * operands.b_pitch +
                      first_column + static_cast<std::size_t>(b_copy_column);
  T* const a_target = shared + a_copy_row * layout::a_pitch + a_copy_column;
  T* const b_target =
      shared + shape.stages * layout::a_size + b_copy_row * layout::b_pitch + b_copy_column;
  const std::size_t a_step = static_cast<std::size_t>(layout::a_rows_at_once) * operands.a_pitch;
  const std::size_t b_step = static_cast<std::size_t>(layout::b_rows_at_once) * operands.b_pitch;

  const auto copy_stage = [&](int stage) {
    const T* source = a_source;
    T* target = a_target + stage * layout::a_size;
#pragma unroll
    for (int row = 0; row < shape.rows; row += layout::a_rows_at_once) {
      __pipeline_memcpy_async(target + row * layout::a_pitch, source, vector_bytes);
      source += a_step;
    }
    source = b_source;
    target = b_target + stage * layout::b_size;
#pragma unroll
    for (int row = 0; row < shape.depth; row += layout::b_rows_at_once) {
      __pipeline_memcpy_async(target + row * layout::b_pitch, source, vector_bytes);
      source += b_step;
    }
    a_source += shape.depth;
    b_source = source;
  };

  const int num_steps = extent / shape.depth;
#pragma unroll
  for (int stage = 0; stage < shape.stages - 1; ++stage) {
    if (stage < num_steps) copy_stage(stage);
    __pipeline_commit();
  }

  // The thread's entries.
  const int warp = thread / warp_size;
  const int lane = thread % warp_size;
  const int row = (warp / layout::warps_across) * (warp_rows * layout::rows) + lane / warp_columns;
  const int column = (warp % layout::warps_across) * (warp_columns * layout::columns) +
                     (lane % warp_columns) * layout::vector;
  const std::size_t c_offset = (first_row + static_cast<std::size_t>(row)) * operands.c_pitch +
                               first_column + static_cast<std::size_t>(column);

  T entries[layout::rows][layout::columns];
  // If the entry has changed: the k that gave it, or the first k of the vector that contains it.
  [[maybe_unused]] constexpr int ks_per_best = Algebra::has_fast_plus ? layout::vector : 1;
  [[maybe_unused]] int best[layout::rows][layout::columns];
  {
    const T* source = operands.c + c_offset;
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
      for (int v = 0; v < layout::column_vectors; ++v) {
        const vector loaded = *reinterpret_cast<const vector*>(source + v * layout::column_stride);
#pragma unroll
        for (int e = 0; e < layout::vector; ++e) {
          entries[i][v * layout::vector + e] = loaded.values[e];
          if constexpr (Record) best[i][v * layout::vector + e] = -1;
        }
      }
      source += warp_rows * operands.c_pitch;
    }
  }

  const T* const a_read = shared + row * layout::a_pitch;
  const T* const b_read = shared + shape.stages * layout::a_size + column;

  const auto load_a = [](vector(&values)[layout::rows], const T* from) {
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
      values[i] = *reinterpret_cast<const vector*>(from + i * warp_rows * layout::a_pitch);
    }
  };
  const auto load_b = [](T(&values)[layout::columns], const T* b, int k) {
#pragma unroll
    for (int v = 0; v < layout::column_vectors; ++v) {
      const vector loaded =
          *reinterpret_cast<const vector*>(b + k * layout::b_pitch + v * layout::column_stride);
#pragma unroll
      for (int e = 0; e < layout::vector; ++e) values[v * layout::vector + e] = loaded.values[e];
    }
  };

  const auto relax_stage = [&](int stage, [[maybe_unused]] int first_k) {
    const T* const a = a_read + stage * layout::a_size;
    const T* const b = b_read + stage * layout::b_size;
#pragma unroll(shape.unrolled_vectors)
    for (int k = 0; k < shape.depth; k += layout::vector) {
      vector a_values[layout::rows];
      load_a(a_values, a + k);
      if constexpr (Record && Algebra::has_fast_plus) {
        // The vector of k with the best product is sufficient: one comparison per vector, not per
        // k.
        T b_values[layout::vector][layout::columns];
#pragma unroll
        for (int kk = 0; kk < layout::vector; ++kk) load_b(b_values[kk], b, k + kk);
#pragma unroll
        for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
          for (int j = 0; j < layout::columns; ++j) {
            T entry = entries[i][j];
#pragma unroll
            for (int kk = 0; kk < layout::vector; kk += 2) {
              entry = algebra.relax(entry, a_values[i].values[kk], b_values[kk][j],
                                    a_values[i].values[kk + 1], b_values[kk + 1][j]);
            }
            best[i][j] = algebra.improves(entry, entries[i][j]) ? first_k + k : best[i][j];
            entries[i][j] = entry;
          }
        }
      } else if constexpr (Record) {
#pragma unroll
        for (int kk = 0; kk < layout::vector; ++kk) {
          T b_values[layout::columns];
          load_b(b_values, b, k + kk);
#pragma unroll
          for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
            for (int j = 0; j < layout::columns; ++j) {
              const T product = algebra.times(a_values[i].values[kk], b_values[j]);
              const bool improves = algebra.improves(product, entries[i][j]);
              entries[i][j] = improves ? product : entries[i][j];
              best[i][j] = improves ? first_k + k + kk : best[i][j];
            }
          }
        }
      } else if constexpr (layout::vector == 1) {
        T b_values[layout::columns];
        load_b(b_values, b, k);
#pragma unroll
        for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
          for (int j = 0; j < layout::columns; ++j) {
            entries[i][j] = algebra.relax(entries[i][j], a_values[i].values[0], b_values[j]);
          }
        }
      } else {
#pragma unroll
        for (int kk = 0; kk < layout::vector; kk += 2) {
          T b_even[layout::columns];
          T b_odd[layout::columns];
          load_b(b_even, b, k + kk);
          load_b(b_odd, b, k + kk + 1);
#pragma unroll
          for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
            for (int j = 0; j < layout::columns; ++j) {
              entries[i][j] = algebra.relax_at(i + j, entries[i][j], a_values[i].values[kk],
                                               b_even[j], a_values[i].values[kk + 1], b_odd[j]);
            }
          }
        }
      }
    }
  };

  constexpr bool tests = Algebra::tested_rows > 0 && !Record;
  // The variant for types whose comparison costs as much as the sum, and whose selection costs
  // twice that. Nothing is selected unless an entry of the warp improves; once most entries are
  // final, few improve. Returns true if `relax_stage` would have been faster.
  [[maybe_unused]] const auto relax_stage_with_tests = [&](int stage) {
    const T* const a = a_read + stage * layout::a_size;
    const T* const b = b_read + stage * layout::b_size;
    constexpr int tested_rows = tests ? Algebra::tested_rows : layout::rows;
    static_assert(layout::rows % tested_rows == 0);
    constexpr int num_tests = shape.depth * (layout::rows / tested_rows);
    constexpr int num_flags = (tested_rows + rows_per_flag - 1) / rows_per_flag;
    int num_improving = 0;
#pragma unroll(shape.unrolled_vectors)
    for (int k = 0; k < shape.depth; k += layout::vector) {
      vector a_values[layout::rows];
      load_a(a_values, a + k);
#pragma unroll
      for (int kk = 0; kk < layout::vector; ++kk) {
        T b_values[layout::columns];
        load_b(b_values, b, k + kk);
#pragma unroll
        for (int first = 0; first < layout::rows; first += tested_rows) {
          T products[tested_rows][layout::columns];
          bool improves[num_flags] = {};
#pragma unroll
          for (int i = 0; i < tested_rows; ++i) {
#pragma unroll
            for (int j = 0; j < layout::columns; ++j) {
              products[i][j] = algebra.times(a_values[first + i].values[kk], b_values[j]);
              improves[i / rows_per_flag] |=
                  algebra.improves(products[i][j], entries[first + i][j]);
            }
          }
#pragma unroll
          for (int flag = 1; flag < num_flags; ++flag) improves[0] |= improves[flag];
          if (__any_sync(whole_warp, improves[0])) {
            ++num_improving;
#pragma unroll
            for (int i = 0; i < tested_rows; ++i) {
#pragma unroll
              for (int j = 0; j < layout::columns; ++j) {
                entries[first + i][j] = algebra.plus(products[i][j], entries[first + i][j]);
              }
            }
          }
        }
      }
    }
    return num_improving * tests_per_improvement > num_tests;
  };

  [[maybe_unused]] bool many_improve = false;
  int stage = 0;
  int next_stage = shape.stages - 1;
  for (int step = 0; step < num_steps; ++step) {
    __pipeline_wait_prior(shape.stages - 2);
    // The copies of all threads are complete, and no thread still reads the stage that is
    // overwritten next.
    __syncthreads();
    if (step + shape.stages - 1 < num_steps) copy_stage(next_stage);
    __pipeline_commit();
    if constexpr (tests) {
      if (step % stages_per_trial == 0 || !many_improve) {
        many_improve = relax_stage_with_tests(stage);
      } else {
        relax_stage(stage, 0);
      }
    } else {
      relax_stage(stage, step * shape.depth);
    }
    stage = stage + 1 == shape.stages ? 0 : stage + 1;
    next_stage = next_stage + 1 == shape.stages ? 0 : next_stage + 1;
  }

  T* target = operands.c + c_offset;
  // The old entries, read again, as many rows at once as fit into registers. Kept throughout, they
  // would have taken as many registers as the entries.
  [[maybe_unused]] constexpr int rows_at_once = (layout::rows + 1) / 2;
  [[maybe_unused]] vector before[rows_at_once][layout::column_vectors];
  [[maybe_unused]] std::int32_t* notes = operands.predecessors_c + c_offset;
#pragma unroll
  for (int i = 0; i < layout::rows; ++i) {
    if constexpr (Tuning::notes_steps) {
      if (i % rows_at_once == 0) {
#pragma unroll
        for (int r = 0; r < rows_at_once && i + r < layout::rows; ++r) {
          const T* const source =
              target + static_cast<std::size_t>(r * warp_rows) * operands.c_pitch;
#pragma unroll
          for (int v = 0; v < layout::column_vectors; ++v) {
            before[r][v] = *reinterpret_cast<const vector*>(source + v * layout::column_stride);
          }
        }
      }
    }
#pragma unroll
    for (int v = 0; v < layout::column_vectors; ++v) {
      vector stored;
#pragma unroll
      for (int e = 0; e < layout::vector; ++e) {
        const T entry = entries[i][v * layout::vector + e];
        stored.values[e] = Clamp ? algebra.clamped(entry, floor) : entry;
      }
      if constexpr (Tuning::notes_steps) {
        if (!note_step(algebra, before[i % rows_at_once][v], stored, operands.note,
                       notes + v * layout::column_stride)) {
          continue;
        }
      }
      *reinterpret_cast<vector*>(target + v * layout::column_stride) = stored;
    }
    target += warp_rows * operands.c_pitch;
    if constexpr (Tuning::notes_steps) notes += warp_rows * operands.c_pitch;
  }

  if constexpr (Record) {
    std::int32_t* to = operands.predecessors_c + c_offset;
    const T* a_row = operands.a + (first_row + static_cast<std::size_t>(row)) * operands.a_pitch;
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
      for (int j = 0; j < layout::columns; ++j) {
        if (best[i][j] >= 0) {
          const std::size_t offset = static_cast<std::size_t>(
              j / layout::vector * layout::column_stride + j % layout::vector);
          const std::size_t first_k = static_cast<std::size_t>(best[i][j]);
          const std::size_t b_offset =
              first_k * operands.b_pitch + first_column + static_cast<std::size_t>(column) + offset;
          // The first k wins ties, as if the products had been compared one after the other.
          std::size_t found = 0;
          if constexpr (ks_per_best > 1) {
#pragma unroll
            for (int kk = ks_per_best - 1; kk >= 0; --kk) {
              const std::size_t k = static_cast<std::size_t>(kk);
              const T product =
                  algebra.times(a_row[first_k + k], operands.b[b_offset + k * operands.b_pitch]);
              if (product == entries[i][j]) found = k;
            }
          }
          to[offset] = operands.predecessors_b[b_offset + found * operands.b_pitch];
        }
      }
      to += warp_rows * operands.c_pitch;
      a_row += warp_rows * operands.a_pitch;
    }
  }
}

/// One CUDA block per tile of C. @p extent, the number of columns of A, is a multiple of the
/// shape's depth.
/// @param needed  null, or a word that is zero if there is nothing to do.
template <class Algebra, class Tuning, bool Record, bool Clamp>
__global__ void __launch_bounds__(threads_per_block(Tuning::shape.product),
                                  Tuning::shape.product.blocks_per_multiprocessor)
    product_kernel(const Algebra algebra,
                   const __grid_constant__ product_pair<typename Algebra::value_type> operands,
                   int extent, typename Algebra::value_type floor, const int* needed) {
  if (needed != nullptr && *needed == 0) return;
  const int tile = static_cast<int>(blockIdx.x);
  const int tiles_before = operands.first.grid.size();
  const bool in_first = tile < tiles_before;
  multiply_tile<Algebra, Tuning, Record, Clamp>(
      algebra, in_first ? operands.first : operands.second, in_first ? tile : tile - tiles_before,
      extent, floor);
}

}  // namespace apsp::detail::cuda
