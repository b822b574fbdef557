// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../device/warp.hpp"
#include "product_layout.cuh"
#include "product_operands.cuh"
#include "tile_shape.hpp"

// The main loops of the product: how a thread relaxes its entries over one stage of the operands.
namespace apsp::inline v1::detail::cuda {

/// The operands of a thread in shared memory: rows of A and columns of B.
template <class Layout>
class stage_operands {
  using T = typename Layout::value_type;
  using vector = typename Layout::vector;

 public:
  __device__ __forceinline__ stage_operands(operand_stages<T> stages, tile_position position,
                                            int stage)
      : a_(stages.a + position.row * Layout::a_pitch + stage * Layout::a_size),
        b_(stages.b + position.column + stage * Layout::b_size) {}

  /// Columns @p k and following of A, a vector of them.
  __device__ __forceinline__ void load_a(vector (&values)[Layout::rows], int k) const {
#pragma unroll
    for (int i = 0; i < Layout::rows; ++i) {
      values[i] = *reinterpret_cast<const vector*>(a_ + k + i * warp_rows * Layout::a_pitch);
    }
  }
  /// Row @p k of B.
  __device__ __forceinline__ void load_b(T (&values)[Layout::columns], int k) const {
#pragma unroll
    for (int v = 0; v < Layout::column_vectors; ++v) {
      const vector loaded =
          *reinterpret_cast<const vector*>(b_ + k * Layout::b_pitch + v * Layout::column_stride);
#pragma unroll
      for (int e = 0; e < Layout::vector_size; ++e) {
        values[v * Layout::vector_size + e] = loaded.values[e];
      }
    }
  }

 private:
  const T* a_;
  const T* b_;
};

/// Relaxes in the fewest instructions.
template <class Layout, class Algebra>
__device__ __forceinline__ void relax_stage(const Algebra& algebra,
                                            const stage_operands<Layout>& operands,
                                            thread_entries<Layout>& entries) {
  using T = typename Layout::value_type;
  constexpr product_shape shape = Layout::shape;
#pragma unroll(shape.unrolled_vectors)
  for (int k = 0; k < shape.depth; k += Layout::vector_size) {
    typename Layout::vector a[Layout::rows];
    operands.load_a(a, k);
    if constexpr (Layout::vector_size == 1) {
      T b[Layout::columns];
      operands.load_b(b, k);
#pragma unroll
      for (int i = 0; i < Layout::rows; ++i) {
#pragma unroll
        for (int j = 0; j < Layout::columns; ++j) {
          entries.values[i][j] = algebra.relax(entries.values[i][j], a[i].values[0], b[j]);
        }
      }
    } else {
#pragma unroll
      for (int kk = 0; kk < Layout::vector_size; kk += 2) {
        T b_even[Layout::columns];
        T b_odd[Layout::columns];
        operands.load_b(b_even, k + kk);
        operands.load_b(b_odd, k + kk + 1);
#pragma unroll
        for (int i = 0; i < Layout::rows; ++i) {
#pragma unroll
          for (int j = 0; j < Layout::columns; ++j) {
            entries.values[i][j] = algebra.relax_at(i + j, entries.values[i][j], a[i].values[kk],
                                                    b_even[j], a[i].values[kk + 1], b_odd[j]);
          }
        }
      }
    }
  }
}

/// For algebras whose comparison costs as much as the sum, and whose selection costs twice that.
/// Nothing is selected unless an entry of the warp improves; once most entries are final, few
/// improve.
/// @return true if `relax_stage` would have been faster.
template <class Layout, class Algebra>
__device__ __forceinline__ bool relax_stage_with_tests(const Algebra& algebra,
                                                       const stage_operands<Layout>& operands,
                                                       thread_entries<Layout>& entries) {
  using T = typename Layout::value_type;
  constexpr product_shape shape = Layout::shape;
  constexpr int tested_rows = Algebra::tested_rows;
  static_assert(Layout::rows % tested_rows == 0);
  constexpr int num_tests = shape.depth * (Layout::rows / tested_rows);
  constexpr int num_flags = (tested_rows + rows_per_flag - 1) / rows_per_flag;
  int num_improving = 0;
#pragma unroll(shape.unrolled_vectors)
  for (int k = 0; k < shape.depth; k += Layout::vector_size) {
    typename Layout::vector a[Layout::rows];
    operands.load_a(a, k);
#pragma unroll
    for (int kk = 0; kk < Layout::vector_size; ++kk) {
      T b[Layout::columns];
      operands.load_b(b, k + kk);
#pragma unroll
      for (int first = 0; first < Layout::rows; first += tested_rows) {
        T products[tested_rows][Layout::columns];
        bool improves[num_flags] = {};
#pragma unroll
        for (int i = 0; i < tested_rows; ++i) {
#pragma unroll
          for (int j = 0; j < Layout::columns; ++j) {
            products[i][j] = algebra.times(a[first + i].values[kk], b[j]);
            improves[i / rows_per_flag] |=
                algebra.improves(products[i][j], entries.values[first + i][j]);
          }
        }
#pragma unroll
        for (int flag = 1; flag < num_flags; ++flag) improves[0] |= improves[flag];
        if (__any_sync(whole_warp, improves[0])) {
          ++num_improving;
#pragma unroll
          for (int i = 0; i < tested_rows; ++i) {
#pragma unroll
            for (int j = 0; j < Layout::columns; ++j) {
              T& entry = entries.values[first + i][j];
              entry = algebra.plus(products[i][j], entry);
            }
          }
        }
      }
    }
  }
  return num_improving * tests_per_improvement > num_tests;
}

/// For each entry that has changed: the k that gave it, or the first k of the vector that contains
/// it; otherwise -1.
template <class Layout, class Algebra>
struct best_ks {
  /// The vector of k with the best product is sufficient if that saves comparisons: one per vector,
  /// not per k.
  static constexpr int ks_per_best = Algebra::has_fast_plus ? Layout::vector_size : 1;

  int values[Layout::rows][Layout::columns];

  __device__ __forceinline__ best_ks() {
#pragma unroll
    for (int i = 0; i < Layout::rows; ++i) {
#pragma unroll
      for (int j = 0; j < Layout::columns; ++j) values[i][j] = -1;
    }
  }
};

/// Relaxes and records in @p best which k gave an entry. @p first_k is the first one of the stage.
template <class Layout, class Algebra>
__device__ __forceinline__ void relax_stage_recording(const Algebra& algebra,
                                                      const stage_operands<Layout>& operands,
                                                      int first_k, thread_entries<Layout>& entries,
                                                      best_ks<Layout, Algebra>& best) {
  using T = typename Layout::value_type;
  constexpr product_shape shape = Layout::shape;
#pragma unroll(shape.unrolled_vectors)
  for (int k = 0; k < shape.depth; k += Layout::vector_size) {
    typename Layout::vector a[Layout::rows];
    operands.load_a(a, k);
    if constexpr (Algebra::has_fast_plus) {
      T b[Layout::vector_size][Layout::columns];
#pragma unroll
      for (int kk = 0; kk < Layout::vector_size; ++kk) operands.load_b(b[kk], k + kk);
#pragma unroll
      for (int i = 0; i < Layout::rows; ++i) {
#pragma unroll
        for (int j = 0; j < Layout::columns; ++j) {
          T entry = entries.values[i][j];
#pragma unroll
          for (int kk = 0; kk < Layout::vector_size; kk += 2) {
            entry =
                algebra.relax(entry, a[i].values[kk], b[kk][j], a[i].values[kk + 1], b[kk + 1][j]);
          }
          const bool improves = algebra.improves(entry, entries.values[i][j]);
          best.values[i][j] = improves ? first_k + k : best.values[i][j];
          entries.values[i][j] = entry;
        }
      }
    } else {
#pragma unroll
      for (int kk = 0; kk < Layout::vector_size; ++kk) {
        T b[Layout::columns];
        operands.load_b(b, k + kk);
#pragma unroll
        for (int i = 0; i < Layout::rows; ++i) {
#pragma unroll
          for (int j = 0; j < Layout::columns; ++j) {
            const T product = algebra.times(a[i].values[kk], b[j]);
            const bool improves = algebra.improves(product, entries.values[i][j]);
            entries.values[i][j] = improves ? product : entries.values[i][j];
            best.values[i][j] = improves ? first_k + k + kk : best.values[i][j];
          }
        }
      }
    }
  }
}

}  // namespace apsp::inline v1::detail::cuda
