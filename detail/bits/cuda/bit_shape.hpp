// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

// The tuning of the CUDA kernels on bits, as data.
namespace apsp::inline v1::detail::cuda {

/// How one CUDA block computes a tile of C |= A (x) B by the method of the four Russians: for every
/// `lookup_bits` rows of B, shared memory holds the ORs of all their subsets.
struct bit_product_shape {
  int rows;         ///< of C
  int columns;      ///< of C
  int depth;        ///< columns of A that are in shared memory at a time
  int lookup_bits;  ///< rows of B that one lookup combines
  int threads;
  int blocks_per_multiprocessor;
};

inline constexpr int bits_per_word = 32;
/// The number of words that one thread loads at once.
inline constexpr int words_per_vector = 4;
inline constexpr int bits_per_vector = words_per_vector * bits_per_word;

/// The number of adjacent threads, each with one vector of columns. With eight of them, the quarter
/// of a warp that shared memory serves at a time reads 128 bytes of one table entry: no two threads
/// access the same bank.
constexpr int threads_across(const bit_product_shape& s) {
  return s.columns / bits_per_vector;
}
constexpr int threads_down(const bit_product_shape& s) {
  return s.threads / threads_across(s);
}
constexpr int rows_per_thread(const bit_product_shape& s) {
  return s.rows / threads_down(s);
}
/// The number of tables for one word of A, and the entries of each table.
constexpr int tables_per_word(const bit_product_shape& s) {
  return bits_per_word / s.lookup_bits;
}
constexpr int table_entries(const bit_product_shape& s) {
  return 1 << s.lookup_bits;
}
/// The number of threads that fill the same columns of one table, and the entries that each of them
/// fills.
constexpr int threads_per_table(const bit_product_shape& s) {
  return threads_down(s) / tables_per_word(s);
}
constexpr int entries_per_thread(const bit_product_shape& s) {
  return table_entries(s) / threads_per_table(s);
}

constexpr bool is_valid(const bit_product_shape& s) {
  return threads_across(s) == 8 && s.threads % 32 == 0 && s.rows % threads_down(s) == 0 &&
         bits_per_word % s.lookup_bits == 0 && threads_down(s) % tables_per_word(s) == 0 &&
         table_entries(s) % threads_per_table(s) == 0 && s.depth % bits_per_vector == 0;
}

/// The shape of tiles of @p Rows rows. Tables take 2 x 16 KiB, because the next ones are filled
/// while the current ones are read.
template <int Rows>
inline constexpr bit_product_shape bit_product_tile{Rows, 1024, 256, 4, 256, 3};
inline constexpr int bit_tile_columns = bit_product_tile<0>.columns;
inline constexpr int bit_tile_depth = bit_product_tile<0>.depth;

/// Grids are counted in tiles of so many rows. The bandwidth of shared memory is the limit; filling
/// takes 1/17 of the time of reading.
inline constexpr int bit_tile_rows = 256;
/// A few such tiles are divided into tiles of so many rows, in which filling takes a third of the
/// time, so that the whole device takes part.
inline constexpr int low_bit_tile_rows = 32;
static_assert(is_valid(bit_product_tile<bit_tile_rows>) &&
              is_valid(bit_product_tile<low_bit_tile_rows>) &&
              bit_tile_rows % low_bit_tile_rows == 0);

/// Pivots of the closure that are relaxed together, one thread each. Their rows are one row of
/// tiles of a product, and their columns fit into shared memory at once.
inline constexpr int pivots_per_tile = 256;
static_assert(pivots_per_tile == bit_tile_rows && pivots_per_tile == bit_tile_depth &&
              bit_tile_columns % pivots_per_tile == 0);

struct bit_launch_tuning {
  unsigned naive_threads_x = 128;
  unsigned naive_threads_y = 2;
  /// Rows that one thread of the naive kernel takes, so that it reads row k less often.
  unsigned naive_rows_per_thread = 8;
  /// Pivots of the naive kernel between two checks of the monitor.
  std::size_t naive_pivots_per_step = 64;
  /// Columns of A of a product between two checks of the monitor.
  std::size_t product_depth_per_step = 4096;
  /// Products of fewer tiles per multiprocessor are divided into low ones.
  int fewest_tiles_per_multiprocessor = 2;
  /// The next pivots' cross is closed concurrently with at least so many tiles per multiprocessor:
  /// with fewer, waiting for the other stream takes longer.
  int fewest_tiles_to_run_ahead = 4;
  unsigned expanding_threads = 256;
  unsigned expanding_blocks_per_multiprocessor = 8;
  /// Expanded rows that are on the device at a time.
  std::size_t expanded_bytes = std::size_t{32} << 20;
};
inline constexpr bit_launch_tuning bit_launches{};
static_assert(bit_launches.product_depth_per_step % bit_tile_depth == 0);

}  // namespace apsp::inline v1::detail::cuda
