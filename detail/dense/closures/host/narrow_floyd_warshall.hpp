// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../../../apsp/config.hpp"
#include "../../../../apsp/semiring.hpp"
#include "../../../host/monitor.hpp"
#include "../../../tiles/host/narrow_kernel.hpp"
#include "../../../values/weight_types.hpp"
#include "../../problem/problem.hpp"
#include "floyd_warshall.hpp"

namespace apsp::inline v1::detail::host {

/// Floyd–Warshall of whole numbers, of integer or floating-point type, in 16 bits, if they are
/// proved to hold every distance. The distances are then the same: sums are exact, and a longer
/// intermediate value, which means "unreachable", is not part of a shortest path.
///
/// The matrix is converted in place and back, so only the panels need additional memory.
template <class T>
class APSP_EXPORT narrow_floyd_warshall {
 public:
  /// False for few vertices, and where a minimum of 16-bit lanes is not one instruction.
  static bool pays(std::size_t num_vertices);

  /// Allocates all memory that the relaxation needs; nothing is written before that.
  /// @param problem  without predecessors.
  narrow_floyd_warshall(const closure_problem<min_plus<T>>& problem, int threads);
  narrow_floyd_warshall(const narrow_floyd_warshall&) = delete;
  narrow_floyd_warshall& operator=(const narrow_floyd_warshall&) = delete;

  /// True if 16 bits are proved to hold every distance of a matrix.
  static bool are_short(const closure_problem<min_plus<T>>& problem, int threads,
                        const monitor& watch);

  /// @return nothing if 16 bits are not proved to suffice, and the matrix is then unchanged; else
  /// as `floyd_warshall_solver::solve`.
  std::optional<bool> solve(monitor& watch);
  bool used_symmetry() const { return tiles_.used_symmetry(); }

 private:
  const closure_problem<min_plus<T>>& problem_;
  int threads_;
  std::vector<half_length*> rows_;
  closure_problem<min_plus<half_length>> narrow_problem_;
  floyd_warshall_solver<min_plus<half_length>> tiles_;
};

#define APSP_EXTERN_NARROW(T) extern template class narrow_floyd_warshall<T>;
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_NARROW)
#undef APSP_EXTERN_NARROW

}  // namespace apsp::inline v1::detail::host
