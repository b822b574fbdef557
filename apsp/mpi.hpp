// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <ranges>
#include <utility>

#include "../detail/mpi/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "error.hpp"
#include "graph.hpp"
#include "matrix.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"
#include "vertex_range.hpp"

// Calls on several processes, by MPI. This is the only public header that includes <mpi.h>. It is
// compiled with the program, so that one installed library serves every implementation of MPI.
//
// All processes of the communicator must make the same calls in the same order, as for the collective
// functions of MPI, and with the same graph. Results, and whether a call throws, are then the same on
// all of them. The functions of MPI are called by the thread that makes the call.
namespace apsp {

/// A policy and the processes that run it. It is no `execution_policy`: the overloads below take it.
template <execution_policy Policy>
class distributed_policy {
 public:
  distributed_policy(MPI_Comm processes, const Policy& policy)
      : policy_(policy),
        communicator_(std::make_shared<const detail::mpi::communicator>(processes)) {}

  /// The number of this process, from 0 on.
  int rank() const noexcept { return communicator_->rank(); }
  int num_processes() const noexcept { return communicator_->size(); }
  /// The policy that every process runs.
  const Policy& wrapped() const noexcept { return policy_; }

  // For the library.
  const detail::mpi::communicator& communicator() const noexcept { return *communicator_; }

 private:
  Policy policy_;
  std::shared_ptr<const detail::mpi::communicator> communicator_;
};

/// A policy that runs a call on all processes of a communicator. Collective: the communicator is
/// duplicated, and messages of the library cannot be mixed with those of the caller. Copies of the
/// policy share the duplicate, which is freed with the last of them; destroy it before MPI_Finalize, or
/// leave it to MPI_Finalize.
///
/// @param processes  an MPI_Comm, or anything that converts to one, such as boost::mpi::communicator.
/// @param policy     what each process runs: `seq`, `omp` or a copy of them returned by their setters.
///                   It must be the same on all processes, except for the number of threads, `progress`
///                   and `stop`, which need only be set on all or on none.
/// @throws std::logic_error if MPI is not initialised or already finalised.
/// @throws std::invalid_argument for MPI_COMM_NULL and for an intercommunicator.
/// @throws distributed_error if a function of MPI reports an error.
template <execution_policy Policy>
distributed_policy<Policy> across(MPI_Comm processes, const Policy& policy) {
  static_assert(
      !detail::is_cuda_policy<Policy>,
      "apsp: across takes apsp::seq or apsp::omp; cuda_naive and cuda_tiled do not run on "
      "several processes");
  return {processes, policy};
}

/// The numbers of consecutive rows: those from `first` on and before `last`.
struct row_range {
  std::size_t first = 0;
  std::size_t last = 0;

  constexpr std::size_t size() const noexcept { return last - first; }
  constexpr bool empty() const noexcept { return first == last; }
  constexpr bool contains(std::size_t row) const noexcept { return first <= row && row < last; }
  constexpr auto begin() const noexcept { return std::views::iota(first, last).begin(); }
  constexpr auto end() const noexcept { return std::views::iota(first, last).end(); }
};

/// A matrix whose rows lie on several processes: consecutive rows on each, in the order of the
/// processes, and one row more on the first ones if the rows cannot be shared out evenly. There may be
/// more processes than rows.
template <class T>
class distributed_matrix {
 public:
  using value_type = T;

  /// n x n entries, each `T()`. Collective.
  /// @throws std::invalid_argument if the shape is not the same on all processes.
  /// @throws std::bad_alloc if memory is insufficient here, distributed_error if it is on another
  ///         process.
  template <class Policy>
  distributed_matrix(const distributed_policy<Policy>& everywhere, std::size_t n)
      : distributed_matrix(everywhere, n, n) {}
  /// One row for each of some sources.
  template <class Policy>
  distributed_matrix(const distributed_policy<Policy>& everywhere, std::size_t num_rows,
                     std::size_t num_columns)
      : num_rows_(num_rows) {
    const auto& processes = everywhere.communicator();
    const auto part = detail::part_of(num_rows, static_cast<std::size_t>(processes.size()),
                                      static_cast<std::size_t>(processes.rank()));
    first_ = part.first;
    detail::mpi::agree_on_arguments(processes, [&](detail::mpi::shared_arguments& arguments) {
      using detail::mpi::argument;
      arguments.set(argument::function, detail::mpi::function::distributed_matrix);
      arguments.set(argument::types, detail::mpi::number_of_types<T>());
      arguments.set(argument::rows, num_rows);
      arguments.set(argument::columns, num_columns);
      entries_ = matrix<T>(part.count, num_columns);
    });
  }

  /// The shape of the whole matrix.
  std::size_t num_rows() const noexcept { return num_rows_; }
  std::size_t num_columns() const noexcept { return entries_.cols(); }

  /// The rows that this process holds.
  row_range rows() const noexcept { return {first_, first_ + entries_.rows()}; }
  /// Those rows: row i of it is row `rows().first + i` of the matrix.
  matrix_view<T> part() noexcept { return {entries_.data(), entries_.rows(), entries_.cols()}; }
  matrix_view<const T> part() const noexcept {
    return {entries_.data(), entries_.rows(), entries_.cols()};
  }

 private:
  std::size_t num_rows_;
  std::size_t first_ = 0;
  matrix<T> entries_;
};

/// Shortest distances between all pairs of vertices, by Floyd–Warshall on the rows of all processes.
///
/// In each step one process closes 128 pivot rows and broadcasts them, and all processes relax their
/// own rows through them; the next pivot rows are closed and on their way meanwhile.
///
/// @param everywhere  from `across`. Its `progress` counts pivots on each process, and its `stop` on one
///                    process stops all; both let the processes exchange a few bytes in each step.
/// @param graph       n vertices; weights of any sign, converted to T. The same on all processes.
/// @param distances   n x n.
/// @param over        a semiring as for the call on one process, except `or_and`; its values must be
///                    trivially copyable.
/// @throws std::invalid_argument on all processes if the function, the types, the policy or the number
///         of vertices or arcs differ between them, or as the call on one process does; `distances`
///         are untouched then.
/// @throws distributed_error if another process throws anything.
/// @return what the call on one process returns, and the same on all processes.
/// Complexity: n^3 / P relaxations on each of P processes, which receives n^2 entries. Memory of each:
/// n^2 / P entries, and 1024 n for pivot rows.
/// Results are the same bits for any number of processes, also in floating point; integers are those of
/// the call on one process. Records no predecessors.
template <execution_policy Policy, graph Graph, class T, semiring Semiring = min_plus<T>>
result floyd_warshall(const distributed_policy<Policy>& everywhere, const Graph& graph,
                      distributed_matrix<T>& distances, const Semiring& over = {}) {
  return detail::mpi::floyd_warshall(everywhere, graph, distances, over);
}

}  // namespace apsp
