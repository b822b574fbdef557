// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../device/grid_stride.cuh"
#include "../../device/warp.hpp"
#include "bit_shape.hpp"
#include "solvers.hpp"

// Kernels on bit matrices, 32 columns to a word. The matrices are padded with zeros to whole tiles
// of the product, so kernels need no bounds checks.
namespace apsp::inline v1::detail::cuda {

/// Consecutive rows or columns of tiles, from `begin` to `end`, without `left_out` of them from
/// `gap` on.
struct bit_tile_lines {
  int begin = 0;
  int end = 0;
  int gap = 0;
  int left_out = 0;

  int count() const { return end - begin - left_out; }
  __device__ int at(int i) const {
    const int line = begin + i;
    return line >= gap ? line + left_out : line;
  }
};

/// The tiles where rows and columns of tiles meet.
struct bit_tile_grid {
  bit_tile_lines rows;
  bit_tile_lines columns;
  int num_columns = 0;

  bit_tile_grid() = default;
  bit_tile_grid(const bit_tile_lines& of_rows, const bit_tile_lines& of_columns)
      : rows(of_rows), columns(of_columns), num_columns(of_columns.count()) {}

  /// Number of tiles.
  int size() const { return rows.count() * num_columns; }
};

/// C |= A (x) B in the tiles of two grids, which do not overlap. `a` points to the first of `depth`
/// columns of A, `b` to the first of as many rows of B.
struct bit_operands {
  const std::uint32_t* a;
  std::size_t a_pitch;  ///< in words, as the other pitches
  const std::uint32_t* b;
  std::size_t b_pitch;
  std::uint32_t* c;
  std::size_t c_pitch;
  int depth;  ///< a multiple of the shape's
  bit_tile_grid first;
  bit_tile_grid second;
};

/// Constants derived from the shape of a tile. They are members of a class because a kernel must
/// not call the functions that compute them.
template <int Rows>
struct bit_product_layout {
  static constexpr bit_product_shape shape = bit_product_tile<Rows>;
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

/// What a CUDA block of the product computes: @p Rows rows of a tile of C.
struct bit_product_place {
  std::size_t first_row;
  std::size_t first_word;  ///< of the words of this thread
};

template <int Rows>
__device__ __forceinline__ bit_product_place find_product_place(const bit_operands& operands,
                                                                int size_of_first, int lane) {
  constexpr int parts = bit_tile_rows / Rows;
  const int block = static_cast<int>(blockIdx.x) / parts;
  const int part = static_cast<int>(blockIdx.x) % parts;
  int tile_row = 0;
  int tile_column = 0;
  const auto find_tile = [&](const bit_tile_grid& grid, int tile) {
    tile_row = grid.rows.at(tile / grid.num_columns);
    tile_column = grid.columns.at(tile % grid.num_columns);
  };
  if (block < size_of_first) {
    find_tile(operands.first, block);
  } else {
    find_tile(operands.second, block - size_of_first);
  }
  constexpr int words = bit_product_layout<Rows>::shape.columns / bits_per_word;
  return {.first_row = static_cast<std::size_t>(tile_row) * bit_tile_rows +
                       static_cast<std::size_t>(part * Rows),
          .first_word = static_cast<std::size_t>(tile_column) * words +
                        static_cast<std::size_t>(lane) * words_per_vector};
}

/// The share of a thread in filling the tables: some entries of one table, from the rows of B of
/// that table. The next of these rows are kept in registers while the tables of the previous ones
/// are read.
template <int Rows>
struct bit_table_share {
  using tiles = bit_product_layout<Rows>;
  static constexpr int lookup_bits = tiles::shape.lookup_bits;

  int lane;
  int table;
  int first_entry;
  const std::uint32_t* next_row;
  std::size_t pitch;
  uint4 rows[lookup_bits];

  __device__ __forceinline__ bit_table_share(const bit_operands& operands, std::size_t first_word,
                                             int thread)
      : lane(thread % tiles::lanes),
        table(thread / tiles::lanes % tiles::num_tables),
        first_entry(thread / tiles::lanes / tiles::num_tables * tiles::own_entries),
        next_row(operands.b + static_cast<std::size_t>(table * lookup_bits) * operands.b_pitch +
                 first_word),
        pitch(operands.b_pitch) {}

  __device__ __forceinline__ void load_rows() {
#pragma unroll
    for (int r = 0; r < lookup_bits; ++r) {
      rows[r] = *reinterpret_cast<const uint4*>(next_row + r * pitch);
    }
    next_row += bits_per_word * pitch;
  }
  __device__ __forceinline__ void fill(uint4* tables) const {
#pragma unroll
    for (int e = 0; e < tiles::own_entries; ++e) {
      const int subset = first_entry | e;  // so that the lower bits are known at compile time
      uint4 sum = make_uint4(0, 0, 0, 0);
#pragma unroll
      for (int r = 0; r < lookup_bits; ++r) {
        if ((subset >> r & 1) != 0) add_bits(sum, rows[r]);
      }
      tables[table * tiles::table_size + subset * tiles::lanes + lane] = sum;
    }
  }
};

/// Copies the words of A for the next tables to shared memory.
template <int Rows>
__device__ __forceinline__ void load_a_tile(uint4* a_tile, const std::uint32_t* a_columns,
                                            std::size_t pitch, int thread) {
  using tiles = bit_product_layout<Rows>;
  for (int i = thread; i < tiles::shape.rows * tiles::depth_vectors; i += tiles::shape.threads) {
    const std::uint32_t* const words = a_columns +
                                       static_cast<std::size_t>(i / tiles::depth_vectors) * pitch +
                                       i % tiles::depth_vectors * words_per_vector;
    a_tile[i] = *reinterpret_cast<const uint4*>(words);
  }
}

/// Adds to the sums of a thread what the tables of one word of A have for its rows.
/// @param a_words  this word in the first row of the tile
template <int Rows>
__device__ __forceinline__ void add_from_tables(
    uint4 (&sums)[bit_product_layout<Rows>::thread_rows], const std::uint32_t* a_words,
    const uint4* own_columns, int group) {
  using tiles = bit_product_layout<Rows>;
#pragma unroll
  for (int i = 0; i < tiles::thread_rows; ++i) {
    const std::uint32_t bits = a_words[(group + i * tiles::groups) * tiles::depth_words];
    // In sparse matrices most words are zero. The whole warp decides together, so no branch
    // diverges.
    if (!__any_sync(whole_warp, bits != 0)) continue;
#pragma unroll
    for (int t = 0; t < tiles::num_tables; ++t) {
      const int subset =
          static_cast<int>(bits >> (t * tiles::shape.lookup_bits) & (tiles::num_entries - 1));
      add_bits(sums[i], own_columns[t * tiles::table_size + subset * tiles::lanes]);
    }
  }
}

/// One tile of C per CUDA block, or one of the parts of @p Rows rows of a tile. C may be B if A is
/// closed: whether a block reads a row of B before or after another block has written it, the
/// result is the same.
template <int Rows>
__global__ void __launch_bounds__(bit_product_tile<Rows>.threads,
                                  bit_product_tile<Rows>.blocks_per_multiprocessor)
    bit_product_kernel(const bit_operands operands, int size_of_first) {
  using tiles = bit_product_layout<Rows>;
  __shared__ uint4 tables[2][tiles::tables_size];
  __shared__ uint4 a_tile[tiles::shape.rows * tiles::depth_vectors];

  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % tiles::lanes;
  const int group = thread / tiles::lanes;
  const auto [first_row, first_word] = find_product_place<Rows>(operands, size_of_first, lane);
  const std::uint32_t* a_columns = operands.a + first_row * operands.a_pitch;
  bit_table_share<Rows> share(operands, first_word, thread);
  uint4 sums[tiles::thread_rows];
#pragma unroll
  for (int i = 0; i < tiles::thread_rows; ++i) sums[i] = make_uint4(0, 0, 0, 0);

  int words_left = operands.depth / bits_per_word;
  share.load_rows();
#pragma unroll 1
  while (words_left != 0) {
    load_a_tile<Rows>(a_tile, a_columns, operands.a_pitch, thread);
    a_columns += tiles::depth_words;
#pragma unroll 1
    for (int word = 0; word < tiles::depth_words; ++word) {
      // Each thread that fills these tables, and each that read them, has passed the barrier below
      // once more since they were last read.
      uint4* const filled = tables[word % 2];
      share.fill(filled);
      __syncthreads();
      if (--words_left != 0) share.load_rows();
      add_from_tables<Rows>(sums, reinterpret_cast<const std::uint32_t*>(a_tile) + word,
                            filled + lane, group);
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

/// The bits of one row of the pivot tile.
struct pivot_row {
  static constexpr int words = pivots_per_tile / bits_per_word;
  static constexpr int vectors = words / words_per_vector;
  uint4 bits[vectors];

  /// For a @p w that is known at compile time, so that the row stays in registers.
  __device__ __forceinline__ std::uint32_t word(int w) const {
    const uint4& v = bits[w / words_per_vector];
    const int part = w % words_per_vector;
    return part == 0 ? v.x : part == 1 ? v.y : part == 2 ? v.z : v.w;
  }
  /// Adds the rows of a group of pivots that are set in @p pivots.
  __device__ __forceinline__ void add(std::uint32_t pivots, const pivot_row* rows) {
#pragma unroll
    for (int b = 0; b < bits_per_word; ++b) {
      const std::uint32_t mask = 0 - (pivots >> b & 1);
#pragma unroll
      for (int v = 0; v < vectors; ++v) {
        const uint4 other = rows[b].bits[v];
        add_bits(bits[v],
                 make_uint4(other.x & mask, other.y & mask, other.z & mask, other.w & mask));
      }
    }
  }
};

/// Closes the pivot tile that begins at @p tile: one CUDA block, one thread per row. The closed
/// tile is written to @p closed, without gaps; the matrix keeps the old one.
///
/// A group of pivots are the rows of one warp, which closes it alone. Its rows then relax all
/// others.
__global__ void __launch_bounds__(pivots_per_tile)
    close_tile_kernel(const std::uint32_t* tile, std::size_t pitch, std::uint32_t* closed) {
  static_assert(bits_per_word == warp_size);
  // Double buffered: a warp that writes a buffer, and each that read it, has passed the barrier of
  // the group in between.
  __shared__ pivot_row group_rows[2][bits_per_word];

  const int thread = static_cast<int>(threadIdx.x);
  const int warp = thread / warp_size;
  const int lane = thread % warp_size;
  const auto* const from =
      reinterpret_cast<const uint4*>(tile + static_cast<std::size_t>(thread) * pitch);
  auto* const to = reinterpret_cast<uint4*>(closed) + thread * pivot_row::vectors;
  pivot_row row;
#pragma unroll
  for (int v = 0; v < pivot_row::vectors; ++v) row.bits[v] = from[v];

#pragma unroll
  for (int group = 0; group < pivot_row::words; ++group) {
    pivot_row* const rows = group_rows[group % 2];
    if (warp == group) {
      rows[lane] = row;
      // Squared five times, paths of one arc become paths of up to 32: all that have no circles.
      std::uint32_t reached = row.word(group);
#pragma unroll 1
      for (int length = 1; length < bits_per_word; length *= 2) {
        const std::uint32_t before = reached;
#pragma unroll
        for (int b = 0; b < bits_per_word; ++b) {
          const std::uint32_t other = __shfl_sync(whole_warp, before, b);
          if ((before >> b & 1) != 0) reached |= other;
        }
      }
      __syncwarp();
      row.add(reached, rows);
      __syncwarp();
      rows[lane] = row;
    }
    __syncthreads();
    if (warp != group) row.add(row.word(group), rows);
  }
#pragma unroll
  for (int v = 0; v < pivot_row::vectors; ++v) to[v] = row.bits[v];
}

/// Copies the columns of the pivots, which begin at @p columns, to @p panel, without gaps. The copy
/// is needed because products write to the columns while others read them.
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
    // Within a component all arcs are loops, and the diagonal is set by one thread per bit.
    if (a.source == a.target) continue;
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

/// Closed rows with a column for every component.
struct closed_component_rows {
  const std::uint32_t* bits;
  std::size_t pitch;  ///< in words
  std::size_t num_rows;
  const std::int32_t* component_of;  ///< by vertex
  std::size_t num_vertices;
  std::size_t columns;  ///< the vertices, rounded up to the words that are written
};

/// Writes rows with a column for every vertex from closed rows with a column for every component:
/// the bit of a vertex is that of its component. Scattered reads are fast in shared memory.
///
/// @tparam InShared  shared memory holds a closed row
template <bool InShared>
__global__ void expand_columns_kernel(const closed_component_rows closed, std::uint32_t* expanded,
                                      std::size_t expanded_pitch) {
  static_assert(bits_per_word == warp_size);
  extern __shared__ std::uint32_t copied_row[];
  for (std::size_t i = blockIdx.x; i < closed.num_rows; i += gridDim.x) {
    const std::uint32_t* row = closed.bits + i * closed.pitch;
    if constexpr (InShared) {
      __syncthreads();  // all threads have read the previous row
      for (std::size_t w = threadIdx.x; w < closed.pitch; w += blockDim.x) copied_row[w] = row[w];
      __syncthreads();
      row = copied_row;
    }
    // The number of columns is a multiple of the warp size, so all lanes of a warp iterate
    // together.
    for (std::size_t v = threadIdx.x; v < closed.columns; v += blockDim.x) {
      bool is_reached = false;
      if (v < closed.num_vertices) {
        const auto c = static_cast<std::size_t>(closed.component_of[v]);
        is_reached = (row[c / bits_per_word] >> c % bits_per_word & 1) != 0;
      }
      const unsigned word = __ballot_sync(whole_warp, is_reached);
      if (v % bits_per_word == 0) expanded[i * expanded_pitch + v / bits_per_word] = word;
    }
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

}  // namespace apsp::inline v1::detail::cuda
