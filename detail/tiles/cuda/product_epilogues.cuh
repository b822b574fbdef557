// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../device/warp.hpp"
#include "product_layout.cuh"
#include "product_loops.cuh"
#include "product_operands.cuh"
#include "step_notes.cuh"

// What a thread writes after the main loop.
namespace apsp::inline v1::detail::cuda {

/// The entries as they are stored: with @p Clamp raised to the floor, since they will be operands.
template <bool Clamp, class Layout, class Algebra>
__device__ __forceinline__ typename Layout::vector stored_vector(
    const Algebra& algebra, const thread_entries<Layout>& entries, int row, int vector,
    typename Layout::value_type floor) {
  typename Layout::vector stored;
#pragma unroll
  for (int e = 0; e < Layout::vector_size; ++e) {
    const auto entry = entries.values[row][vector * Layout::vector_size + e];
    stored.values[e] = Clamp ? algebra.clamped(entry, floor) : entry;
  }
  return stored;
}

/// Stores all entries. @p to is the first one of the thread.
template <bool Clamp, class Layout, class Algebra>
__device__ __forceinline__ void store_entries(const Algebra& algebra,
                                              const thread_entries<Layout>& entries,
                                              typename Layout::value_type* to, std::size_t pitch,
                                              typename Layout::value_type floor) {
#pragma unroll
  for (int i = 0; i < Layout::rows; ++i) {
#pragma unroll
    for (int v = 0; v < Layout::column_vectors; ++v) {
      *reinterpret_cast<typename Layout::vector*>(to + v * Layout::column_stride) =
          stored_vector<Clamp>(algebra, entries, i, v, floor);
    }
    to += warp_rows * pitch;
  }
}

/// Where a thread stores entries and notes.
template <class T>
struct noted_entries {
  T* entries;
  std::int32_t* notes;
  std::size_t pitch;  ///< Of both.
  std::int32_t note;
};

/// Stores the vectors with an entry that decreased, and a note for each such entry.
template <bool Clamp, class Layout, class Algebra>
__device__ __forceinline__ void store_entries_and_notes(
    const Algebra& algebra, const thread_entries<Layout>& entries,
    const noted_entries<typename Layout::value_type>& place, typename Layout::value_type floor) {
  using vector = typename Layout::vector;
  auto* to = place.entries;
  std::int32_t* notes = place.notes;
  const std::size_t pitch = place.pitch;
  // The old entries, read again, as many rows at once as fit into registers. Kept throughout, they
  // would have taken as many registers as the entries.
  constexpr int rows_at_once = (Layout::rows + 1) / 2;
  vector before[rows_at_once][Layout::column_vectors];
#pragma unroll
  for (int i = 0; i < Layout::rows; ++i) {
    if (i % rows_at_once == 0) {
#pragma unroll
      for (int r = 0; r < rows_at_once && i + r < Layout::rows; ++r) {
        const auto* const source = to + static_cast<std::size_t>(r * warp_rows) * pitch;
#pragma unroll
        for (int v = 0; v < Layout::column_vectors; ++v) {
          before[r][v] = *reinterpret_cast<const vector*>(source + v * Layout::column_stride);
        }
      }
    }
#pragma unroll
    for (int v = 0; v < Layout::column_vectors; ++v) {
      const vector stored = stored_vector<Clamp>(algebra, entries, i, v, floor);
      if (note_step(algebra, before[i % rows_at_once][v], stored, place.note,
                    notes + v * Layout::column_stride)) {
        *reinterpret_cast<vector*>(to + v * Layout::column_stride) = stored;
      }
    }
    to += warp_rows * pitch;
    notes += warp_rows * pitch;
  }
}

/// Stores the predecessors of the entries that have changed: each is that of its best k in B.
/// @param first_row, first_column  of the first entry of the thread.
template <class Layout, class Algebra>
__device__ __forceinline__ void store_predecessors(
    const Algebra& algebra, const thread_entries<Layout>& entries,
    const best_ks<Layout, Algebra>& best,
    const product_operands<typename Layout::value_type>& operands, std::size_t first_row,
    std::size_t first_column) {
  using T = typename Layout::value_type;
  constexpr int ks_per_best = best_ks<Layout, Algebra>::ks_per_best;
  std::int32_t* to = operands.predecessors_c + first_row * operands.c_pitch + first_column;
  const T* a_row = operands.a + first_row * operands.a_pitch;
#pragma unroll
  for (int i = 0; i < Layout::rows; ++i) {
#pragma unroll
    for (int j = 0; j < Layout::columns; ++j) {
      if (best.values[i][j] >= 0) {
        const std::size_t offset = static_cast<std::size_t>(
            j / Layout::vector_size * Layout::column_stride + j % Layout::vector_size);
        const std::size_t first_k = static_cast<std::size_t>(best.values[i][j]);
        const std::size_t b_offset = first_k * operands.b_pitch + first_column + offset;
        // The first k wins ties, as if the products had been compared one after the other.
        std::size_t found = 0;
        if constexpr (ks_per_best > 1) {
#pragma unroll
          for (int kk = ks_per_best - 1; kk >= 0; --kk) {
            const std::size_t k = static_cast<std::size_t>(kk);
            const T product =
                algebra.times(a_row[first_k + k], operands.b[b_offset + k * operands.b_pitch]);
            if (product == entries.values[i][j]) found = k;
          }
        }
        to[offset] = operands.predecessors_b[b_offset + found * operands.b_pitch];
      }
    }
    to += warp_rows * operands.c_pitch;
    a_row += warp_rows * operands.a_pitch;
  }
}

}  // namespace apsp::inline v1::detail::cuda
