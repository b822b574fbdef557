// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../apsp/config.hpp"
#include "../../../apsp/matrix.hpp"
#include "../../host/monitor.hpp"
#include "../problem.hpp"
#include "bit_product.hpp"

namespace apsp::detail::host {

/// The faster method to close a graph.
enum class reachability_method { condensation, warshall };

/// For a graph of @p n vertices and @p m arcs: the time of `close_condensed` grows with n m, that
/// of `warshall_solver` with n^3.
APSP_EXPORT reachability_method choose_reachability_method(std::size_t n, std::size_t m);

/// Closes n x n bits by Warshall's algorithm, a tile of pivots at a time. A set bit is an arc; the
/// bits of the diagonal are set.
/// Sources: Warshall 1962; tiles after Venkataraman, Sahni, Mukhopadhyaya 2003; products by the
/// method of Arlazarov, Dinic, Kronrod, Faradzev 1970.
class APSP_EXPORT warshall_solver {
 public:
  /// Allocates all memory that solve() needs; the bits need not be written before that.
  warshall_solver(std::size_t n, int threads);

  /// Steps of @p watch are pivots.
  /// @return false if @p watch requested a stop; the bits are then unspecified.
  bool solve(const bit_view& bits, monitor& watch);

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

}  // namespace apsp::detail::host
