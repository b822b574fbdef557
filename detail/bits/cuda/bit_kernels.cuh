// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../device/grid_stride.cuh"
#include "bit_shape.hpp"
#include "solvers.hpp"

// Kernels on bit matrices, 32 columns to a word. The matrices are padded with zeros to whole tiles
// of the product, so kernels need no bounds checks.
namespace apsp::detail::cuda {

/// C |= A (x) B. The pointers refer to tiles: `a` to the first of `depth` columns, `b` to the first
/// of as many rows.
struct bit_operands {
  const std::uint32_t* a;
  std::size_t a_pitch;  ///< in words, as the other pitches
  const std::uint32_t* b;
  std::size_t b_pitch;
  std::uint32_t* c;
  std::size_t c_pitch;
  int depth;          ///< a multiple of `bit_product_tile.depth`
  int tile_columns;   ///< number of adjacent tiles
  int left_out_tile;  ///< the index of a row of tiles that is not computed, or -1
};

/// Constants derived from the shape of a tile. They are members of a class because a kernel must
/// not call the functions that compute them.
struct bit_product_layout {
  static constexpr bit_product_shape shape = bit_product_tile;
  static constexpr int lanes = threads_across(shape);
  static constexpr int groups = threads_down(shape);
  static constexpr int thread_rows = rows_per_thread(shape);
  static constexpr int num_tables = tables_per_word(shape);
  static constexpr int num_entries = table_entries(shape);
  static constexpr int own_entries = entries_per_thread(shape);
  static constexpr int depth_words = shape.depth / bits_per_word;
  static constexpr int depth_vectors = depth_words / words_per_vector;
  /// Vectors of a table, and of all tables for one word of A.
  static constexpr int table_size = num_entries * lanes;
  static constexpr int tables_size = num_tables * table_size;
};

__device__ __forceinline__ void add_bits(uint4& sum, const uint4& other) {
  sum.x |= other.x;
  sum.y |= other.y;
  sum.z |= other.z;
  sum.w |= other.w;
}

/// One tile of C per CUDA block. C may be part of B if it has one row of tiles: a block then reads
/// only its own columns, and writes them after all of its threads have read them.
__global__ void __launch_bounds__(bit_product_tile.threads,
                                  bit_product_tile.blocks_per_multiprocessor)
    bit_product_kernel(const bit_operands operands) {
  using tiles = bit_product_layout;
  __shared__ uint4 tables[2][tiles::tables_size];
  __shared__ uint4 a_tile[tiles::shape.rows * tiles::depth_vectors];

  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % tiles::lanes;
  const int group = thread / tiles::lanes;
  const int tile = static_cast<int>(blockIdx.x);
  const int tile_column = tile % operands.tile_columns;
  int tile_row = tile / operands.tile_columns;
  if (operands.left_out_tile >= 0 && tile_row >= operands.left_out_tile) ++tile_row;

  const std::size_t first_row = static_cast<std::size_t>(tile_row) * tiles::shape.rows;
  const std::size_t first_word =
      static_cast<std::size_t>(tile_column) * (tiles::shape.columns / bits_per_word) +
      static_cast<std::size_t>(lane) * words_per_vector;
  const std::uint32_t* a_columns = operands.a + first_row * operands.a_pitch;
  // The share of this thread: some entries of one table, from the rows of B of that table.
  const int own_table = group % tiles::num_tables;
  const int first_entry = group / tiles::num_tables * tiles::own_entries;
  // The next of these rows are kept in registers while the tables of the previous ones are read.
  const std::uint32_t* next_b_row =
      operands.b +
      static_cast<std::size_t>(own_table * tiles::shape.lookup_bits) * operands.b_pitch +
      first_word;
  uint4 b_rows[tiles::shape.lookup_bits];
  const auto load_rows = [&] {
#pragma unroll
    for (int r = 0; r < tiles::shape.lookup_bits; ++r) {
      b_rows[r] = *reinterpret_cast<const uint4*>(next_b_row + r * operands.b_pitch);
    }
    next_b_row += bits_per_word * operands.b_pitch;
  };
  const auto fill_table = [&](uint4* to) {
#pragma unroll
    for (int e = 0; e < tiles::own_entries; ++e) {
      const int subset = first_entry | e;  // so that the lower bits are known at compile time
      uint4 sum = make_uint4(0, 0, 0, 0);
#pragma unroll
      for (int r = 0; r < tiles::shape.lookup_bits; ++r) {
        if ((subset >> r & 1) != 0) add_bits(sum, b_rows[r]);
      }
      to[own_table * tiles::table_size + subset * tiles::lanes + lane] = sum;
    }
  };

  uint4 sums[tiles::thread_rows];
#pragma unroll
  for (int i = 0; i < tiles::thread_rows; ++i) sums[i] = make_uint4(0, 0, 0, 0);

  int words_left = operands.depth / bits_per_word;
  load_rows();
#pragma unroll 1
  while (words_left != 0) {
    for (int i = thread; i < tiles::shape.rows * tiles::depth_vectors; i += tiles::shape.threads) {
      const std::uint32_t* const words =
          a_columns + static_cast<std::size_t>(i / tiles::depth_vectors) * operands.a_pitch +
          i % tiles::depth_vectors * words_per_vector;
      a_tile[i] = *reinterpret_cast<const uint4*>(words);
    }
    a_columns += tiles::depth_words;
#pragma unroll 1
    for (int word = 0; word < tiles::depth_words; ++word) {
      // Each thread that fills these tables, and each that read them, has passed the barrier below
      // once more since they were last read.
      uint4* const filled = tables[word % 2];
      fill_table(filled);
      __syncthreads();
      if (--words_left != 0) load_rows();

      const uint4* const own_columns = filled + lane;
      const auto* const a_words = reinterpret_cast<const std::uint32_t*>(a_tile) + word;
#pragma unroll
      for (int i = 0; i < tiles::thread_rows; ++i) {
        const std::uint32_t bits = a_words[(group + i * tiles::groups) * tiles::depth_words];
        // In sparse matrices most words are zero. The whole warp decides together, so no branch
        // diverges.
        if (!__any_sync(0xffffffffU, bits != 0)) continue;
#pragma unroll
        for (int t = 0; t < tiles::num_tables; ++t) {
          const int subset =
              static_cast<int>(bits >> (t * tiles::shape.lookup_bits) & (tiles::num_entries - 1));
          add_bits(sums[i], own_columns[t * tiles::table_size + subset * tiles::lanes]);
        }
      }
    }
    __syncthreads();  // all threads have read a_tile
  }

#pragma unroll
  for (int i = 0; i < tiles::thread_rows; ++i) {
    const std::size_t row = first_row + static_cast<std::size_t>(group + i * tiles::groups);
    auto* const to = reinterpret_cast<uint4*>(operands.c + row * operands.c_pitch + first_word);
    uint4 entry = *to;
    add_bits(entry, sums[i]);
    *to = entry;
  }
}

/// Warshall's algorithm on the pivot tile that begins at @p tile: one CUDA block, one thread per
/// row. The closed tile is written to @p closed, without gaps; the matrix keeps the old one.
__global__ void __launch_bounds__(pivots_per_tile)
    close_tile_kernel(const std::uint32_t* tile, std::size_t pitch, std::uint32_t* closed) {
  constexpr int words = pivots_per_tile / bits_per_word;
  constexpr int vectors = words / words_per_vector;
  // Double buffered, so that one barrier per pivot is sufficient: each thread that writes a buffer,
  // and each that read it, has passed the barrier of the pivot in between.
  __shared__ uint4 pivot_rows[2][vectors];

  const int thread = static_cast<int>(threadIdx.x);
  const auto* const from =
      reinterpret_cast<const uint4*>(tile + static_cast<std::size_t>(thread) * pitch);
  auto* const to = reinterpret_cast<uint4*>(closed) + thread * vectors;
  uint4 row[vectors];
#pragma unroll
  for (int v = 0; v < vectors; ++v) row[v] = from[v];

    // Unrolled over the words of the row, so that they stay in registers.
#pragma unroll
  for (int w = 0; w < words; ++w) {
#pragma unroll 1
    for (int b = 0; b < bits_per_word; ++b) {
      const int k = w * bits_per_word + b;
      uint4* const pivot_row = pivot_rows[k % 2];
      if (thread == k) {
#pragma unroll
        for (int v = 0; v < vectors; ++v) pivot_row[v] = row[v];
      }
      __syncthreads();
      const uint4& own = row[w / words_per_vector];
      const std::uint32_t word = w % words_per_vector == 0   ? own.x
                                 : w % words_per_vector == 1 ? own.y
                                 : w % words_per_vector == 2 ? own.z
                                                             : own.w;
      if ((word >> b & 1) != 0) {
#pragma unroll
        for (int v = 0; v < vectors; ++v) add_bits(row[v], pivot_row[v]);
      }
    }
  }
#pragma unroll
  for (int v = 0; v < vectors; ++v) to[v] = row[v];
}

/// Copies the columns of the pivots, which begin at @p columns, to @p panel, without gaps. The copy
/// is needed because the product writes to the columns while it reads them.
__global__ void copy_columns_kernel(const std::uint32_t* columns, std::size_t pitch,
                                    std::size_t num_rows, std::uint32_t* panel) {
  constexpr int vectors = pivots_per_tile / bits_per_vector;
  auto* const to = reinterpret_cast<uint4*>(panel);
  for (std::size_t i = first_index(); i < num_rows * vectors; i += index_stride()) {
    const std::uint32_t* const from =
        columns + i / vectors * pitch + i % vectors * words_per_vector;
    to[i] = *reinterpret_cast<const uint4*>(from);
  }
}

__global__ void set_bit_arcs_kernel(std::uint32_t* bits, std::size_t pitch, const bit_arc* arcs,
                                    std::size_t num_arcs) {
  for (std::size_t e = first_index(); e < num_arcs; e += index_stride()) {
    const bit_arc a = arcs[e];
    const auto column = static_cast<std::size_t>(a.target);
    atomicOr(bits + static_cast<std::size_t>(a.source) * pitch + column / bits_per_word,
             1U << column % bits_per_word);
  }
}

__global__ void set_diagonal_kernel(std::uint32_t* bits, std::size_t pitch,
                                    std::size_t num_vertices) {
  for (std::size_t v = first_index(); v < num_vertices; v += index_stride()) {
    bits[v * pitch + v / bits_per_word] |= 1U << v % bits_per_word;
  }
}

/// Relaxes every row over the single pivot @p k, with a thread per word.
///
/// Column k is read while its words are written. The bit of the pivot does not change, since a row
/// that is combined with row k already has it. Row k is not written.
__global__ void close_over_pivot_kernel(std::uint32_t* bits, std::size_t pitch,
                                        std::size_t num_vertices, std::size_t num_words,
                                        std::size_t k) {
  const std::size_t row_stride = static_cast<std::size_t>(gridDim.y) * blockDim.y;
  const std::size_t word_stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.y) * blockDim.y + threadIdx.y;
       i < num_vertices; i += row_stride) {
    std::uint32_t* const row = bits + i * pitch;
    if (i == k || (row[k / bits_per_word] >> k % bits_per_word & 1) == 0) continue;
    for (std::size_t w = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         w < num_words; w += word_stride) {
      row[w] |= bits[k * pitch + w];
    }
  }
}

/// C |= A (x) B, with a thread per word of C.
__global__ void naive_bit_product_kernel(const bit_operands operands, std::size_t num_rows,
                                         std::size_t num_words) {
  const std::size_t row_stride = static_cast<std::size_t>(gridDim.y) * blockDim.y;
  const std::size_t word_stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.y) * blockDim.y + threadIdx.y;
       i < num_rows; i += row_stride) {
    for (std::size_t w = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         w < num_words; w += word_stride) {
      std::uint32_t sum = operands.c[i * operands.c_pitch + w];
      for (int k = 0; k < operands.depth; k += bits_per_word) {
        std::uint32_t bits =
            operands.a[i * operands.a_pitch + static_cast<std::size_t>(k / bits_per_word)];
        for (; bits != 0; bits &= bits - 1) {
          const auto row = static_cast<std::size_t>(k + __ffs(static_cast<int>(bits)) - 1);
          sum |= operands.b[row * operands.b_pitch + w];
        }
      }
      operands.c[i * operands.c_pitch + w] = sum;
    }
  }
}

}  // namespace apsp::detail::cuda
