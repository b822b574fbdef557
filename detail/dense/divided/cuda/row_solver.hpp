// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "../../../../apsp/config.hpp"
#include "../../../device/launch_target.hpp"
#include "../../../host/monitor.hpp"
#include "../../../matrix/part.hpp"
#include "../../../plan/closure_plan.hpp"
#include "../../../values/kernel_semirings.hpp"
#include "../../problem/arc.hpp"
#include "../../problem/problem.hpp"
#include "row_exchange.hpp"

// The launch interface of Floyd–Warshall of a matrix that is not in the memory of one device. It
// contains no CUDA types.
namespace apsp::inline v1::detail::cuda {

/// What is known of a matrix before it is relaxed.
struct matrix_knowledge {
  bool nonnegative = false;
  /// All weights are whole numbers, none negative, and no distance exceeds 32,766.
  bool fits_16_bits = false;
  /// The matrix equals its transpose, and no weight is negative if they are added.
  bool symmetric = false;
};

/// A matrix in host memory, and what is to be done with it.
template <class T>
struct row_problem {
  T* const* rows = nullptr;  ///< n, of which only those of this process are used.
  T zero{};                  ///< What stands for "no path".
  T floor{};                 ///< Entries below it may be raised to it.
  matrix_knowledge known{};
  /// Nothing if the rows have the matrix, else all arcs: the diagonal is 0, the lightest of
  /// parallel arcs counts.
  std::optional<std::span<const arc<T>>> arcs{};
  /// Null, or what keeps checkpoints of the rows, which then pass through the devices.
  matrix_checkpoint* files = nullptr;
};

/// Floyd–Warshall of a matrix whose rows are divided among the devices of a target or among those
/// of several processes, or pass through the devices if they do not fit into the memory of all. Not
/// to be shared between threads.
///
/// Entries are coded as those of `closure_solver`.
template <class S>
class APSP_EXPORT row_solver {
  using T = typename S::value_type;

 public:
  /// What one device needs of its memory for its rows of n x n entries: the device that has the
  /// least left after that.
  /// @param uses_symmetry  with memory for the division of a symmetric matrix. Nothing is returned
  ///                       if such a matrix is relaxed like any other.
  static std::optional<memory_need> need_of_rows(const launch_target& target,
                                                 std::size_t num_vertices, bool uses_symmetry);
  /// Allocates the rows of n x n entries on all devices, or memory for some rows on each.
  /// @param place  not `whole`
  /// @throws device_error if there is too little memory for that, with the bytes needed and free.
  row_solver(const launch_target& target, const S& semiring, std::size_t num_vertices,
             matrix_place place);
  /// Allocates the rows of this process on its device.
  /// @param exchange  with the other processes; it is used by `solve` alone.
  row_solver(const launch_target& target, const S& semiring, std::size_t num_vertices,
             row_exchange& exchange);
  ~row_solver();
  row_solver(row_solver&&) noexcept;
  row_solver& operator=(row_solver&&) noexcept;

  /// The rows of one of several processes.
  static index_part rows_of_process(std::size_t num_vertices, std::size_t num_processes,
                                    std::size_t rank);

  /// True if the devices can make the matrix from arcs, so that the host need not fill its rows.
  bool places_arcs() const;
  /// True if the devices of this process would relax distances that fit 16 bits in 16 bits.
  bool may_relax_pairs() const;
  /// True if the devices would relax half of a symmetric matrix.
  bool may_use_symmetry() const;
  /// Relaxes a matrix until every entry is final, and stores it in its rows. Steps of @p watch are
  /// pivots. To be called by all processes: a failure of one is thrown on all.
  /// @return false if @p watch requested a stop; the rows are then unspecified.
  bool solve(const row_problem<T>& problem, monitor& watch);

  /// True if the rows pass through devices.
  bool is_out_of_core() const;
  /// The number of devices of this process that solve.
  std::size_t num_devices() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

#define APSP_EXTERN_ROW_SOLVER(...) extern template class row_solver<__VA_ARGS__>;
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_EXTERN_ROW_SOLVER)
#undef APSP_EXTERN_ROW_SOLVER

}  // namespace apsp::inline v1::detail::cuda
