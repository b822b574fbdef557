// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../apsp/bit_matrix.hpp"
#include "../../../apsp/config.hpp"
#include "../../../apsp/matrix.hpp"
#include "../../host/monitor.hpp"
#include "../problem.hpp"
#include "bit_product.hpp"

namespace apsp::inline v1::detail::host {

/// Closes n x n bits by Warshall's algorithm, a tile of pivots at a time. A set bit is an arc; the
/// bits of the diagonal are set.
/// Sources: Warshall 1962; tiles after Venkataraman, Sahni, Mukhopadhyaya 2003; products by the
/// method of Arlazarov, Dinic, Kronrod, Faradzev 1970.
class APSP_EXPORT warshall_solver {
 public:
  /// Pivots at a time: a row of the pivot tile is one line.
  static constexpr std::size_t tile_bits = bit_matrix::line_words * bit_matrix::word_bits;

  /// Allocates all memory for bits of that many rows; they need not be written before that.
  /// @param num_columns  equal to the rows if the bits are those of a whole matrix
  warshall_solver(std::size_t num_rows, std::size_t num_columns, int threads);

  /// Steps of @p watch are pivots.
  /// @return false if @p watch requested a stop; the bits are then unspecified.
  bool solve(const bit_view& bits, monitor& watch);

  // The steps of solve(), for bits that are some rows of a matrix.

  /// Makes the rows of up to `tile_bits` pivots hold every path among the pivots.
  void close_pivots(const bit_view& rows, std::size_t first_pivot);
  /// Relaxes the rows that are not pivots.
  /// @param first_row  the number of the first row of @p bits.
  /// @param pivots     closed rows of pivots; they may be rows of @p bits.
  void relax(const bit_view& bits, std::size_t first_row, const const_bit_view& pivots,
             std::size_t first_pivot);

 private:
  matrix<std::uint64_t> tile_;
  matrix<std::uint64_t> columns_;
  lookup_tables tables_;
};

/// Writes the closure of the graph of @p arcs to n x n bits. The rows of one strongly connected
/// component are equal: the OR of the rows of its successor components. Steps of @p watch are
/// vertices. All memory is allocated before the first bit is written.
/// @return false if @p watch requested a stop; the bits are then unspecified.
/// Sources: components after Tarjan 1972; Purdom 1970; components that have been reached already
/// are left out after Nuutila 1995.
APSP_EXPORT bool close_condensed(const arc_view& arcs, const bit_view& bits, int threads,
                                 monitor& watch);

}  // namespace apsp::inline v1::detail::host
