// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "../int128.hpp"
#include "../monitor.hpp"
#include "../weight_types.hpp"
#include "launch_target.hpp"

// The launch interface of the CUDA kernels. It has no CUDA type in it, so that a program compiled
// by a C++ compiler alone can call what the library holds compiled. A library built without CUDA
// has the same symbols; there `why_unusable` says so and the solver cannot be made.
namespace apsp::detail::cuda {

/// An arc to be placed into a distance matrix.
template <class T>
struct arc {
  std::int32_t source;
  std::int32_t target;
  T weight;
};

/// One n x n problem on one device: allocated once, loaded, solved, stored. Not for sharing between
/// threads.
///
/// Distances are coded: a caller picks the value that stands for "unreachable" so that no sum of
/// two entries wraps, and takes it back out with `replace_from`.
template <class T>
class floyd_warshall_solver {
 public:
  /// Allocates one n x n matrix of T, and one of 32-bit integers if @p with_predecessors.
  /// @throws device_error if there is too little memory, with the bytes needed and free.
  floyd_warshall_solver(const launch_target& target, std::size_t num_vertices,
                        bool with_predecessors);
  ~floyd_warshall_solver();
  floyd_warshall_solver(floyd_warshall_solver&&) noexcept;
  floyd_warshall_solver& operator=(floyd_warshall_solver&&) noexcept;

  /// The matrix of a sparse graph: 0 on the diagonal, the lightest of parallel arcs, @p unreachable
  /// elsewhere.
  void load(std::span<const arc<T>> arcs, T unreachable);
  /// The matrix as it lies in host memory, row by row.
  void load(const T* const* rows, T unreachable);

  /// Relaxes until every entry is final. Entries below @p floor may be raised to it: it only
  /// happens with a negative cycle, and keeps integer sums from wrapping. Steps of @p watch are
  /// pivots; if nobody watches, the call returns before the device has done the work.
  /// @return false if @p watch asked for a stop; entries are then anything.
  bool solve(T floor, monitor& watch);

  /// True if a diagonal entry is below zero.
  bool has_negative_diagonal();
  /// Every entry >= @p threshold becomes @p value.
  void replace_from(T threshold, T value);

  /// Copies to host rows; @p predecessors is null, or rows of vertex numbers with -1 for none.
  void store(T* const* rows, std::int32_t* const* predecessors);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

#define APSP_EXTERN_SOLVER(T) extern template class floyd_warshall_solver<T>;
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_SOLVER)
APSP_EXTERN_SOLVER(int128)
#undef APSP_EXTERN_SOLVER

}  // namespace apsp::detail::cuda
