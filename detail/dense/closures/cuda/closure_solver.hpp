// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "../../../../apsp/config.hpp"
#include "../../../../apsp/device_memory.hpp"
#include "../../../device/launch_target.hpp"
#include "../../../graph/device_graph.hpp"
#include "../../../host/monitor.hpp"
#include "../../../plan/closure_plan.hpp"
#include "../../../values/distance_code.hpp"
#include "../../../values/kernel_semirings.hpp"
#include "../../problem/arc.hpp"
#include "../../problem/problem.hpp"

// The launch interface of the CUDA kernels that compute closures: Floyd–Warshall and repeated
// squaring. It contains no CUDA types, so a program built by a C++ compiler alone can call the
// compiled library. A library built without CUDA has the same symbols; `why_unusable` then reports
// the reason and the solver cannot be constructed.
namespace apsp::inline v1::detail::cuda {

/// One n x n problem on one device: allocated once, loaded, solved, stored. Not to be shared
/// between threads. Its memory is one n x n matrix of T, and one of 32-bit integers if predecessors
/// are wanted; two of each for repeated squaring.
///
/// Distances of `min_plus` are coded: the caller chooses a value for "unreachable" such that no sum
/// of two entries wraps, and converts it back with `replace_from`.
template <class S>
class APSP_EXPORT closure_solver {
  using T = typename S::value_type;

 public:
  /// Takes no memory of the device yet.
  closure_solver(const launch_target& target, closure_method method, const S& semiring,
                 std::size_t num_vertices, bool with_predecessors);
  ~closure_solver();
  closure_solver(closure_solver&&) noexcept;
  closure_solver& operator=(closure_solver&&) noexcept;

  memory_need need() const;
  /// To be called once, before all that follows.
  /// @param memory  if it ran out, no more is taken than needed.
  /// @throws device_error if there is too little memory, with the bytes needed and free.
  void allocate(const memory_need& need, memory_state memory);

  /// Loads a sparse graph: 0 on the diagonal, the lightest of parallel arcs, @p zero elsewhere.
  void load(std::span<const arc<T>> arcs, T zero)
    requires is_min_plus<S>;
  /// Loads a matrix from host memory, row by row.
  void load(const T* const* rows, T zero);

  /// Loads a graph in device memory. If it is not dense, the diagonal is 0. Over semirings other
  /// than `min_plus` the diagonal is the semiring's one.
  template <class W>
  void load(const device_graph<W>& graph, T zero);

  /// Relaxes until every entry is final. Entries below @p floor may be raised to it: this happens
  /// only with a negative cycle, and prevents integer sums from wrapping. Steps of @p watch are
  /// pivots, or the k of each squaring's sum. If the call is not monitored, it may return before
  /// the device has finished.
  /// @param longest_path  the number of edges that repeated squaring must cover.
  /// @param may_use_symmetry  if the matrix equals its transpose, half of it may be relaxed.
  /// @return false if @p watch requested a stop; the entries are then unspecified.
  bool solve(T floor, std::size_t longest_path, bool may_use_symmetry, monitor& watch);
  /// To be called before `solve` if `store` to host rows follows, directly or after `replace_from`:
  /// rows may then be transferred while others are relaxed. In these, entries from `zero` on are
  /// already the value for "no path".
  void expect_store();
  /// True if only half of the matrix was relaxed.
  bool used_symmetry() const;

  /// True if a diagonal entry is below zero.
  bool has_negative_diagonal()
    requires is_min_plus<S>;
  /// Every entry >= @p threshold becomes @p value.
  void replace_from(T threshold, T value)
    requires is_min_plus<S>;
  /// Every entry off the diagonal that is worse than @p limit becomes the semiring's zero.
  void forget_worse(T limit)
    requires(!is_min_plus<S>);

  /// For every row, whether its predecessors may form a cycle; nothing if that is unknown, an empty
  /// vector if none can.
  std::optional<std::vector<char>> rows_in_doubt()
    requires is_min_plus<S>;

  /// Copies to host rows. @p predecessors is null, or rows of vertex numbers where -1 means no
  /// predecessor.
  void store(T* const* rows, std::int32_t* const* predecessors);

  /// Writes distances to a matrix in device memory, in stream order.
  /// @param unreachable_from  entries at least this large are unreachable.
  /// @return true if a distance saturated because W cannot hold it.
  template <class W>
  bool store(const device_matrix_view<W>& distances, T unreachable_from);
  template <class I>
  void store_predecessors(const device_matrix_view<I>& predecessors);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

#define APSP_EXTERN_SOLVER(...) extern template class closure_solver<__VA_ARGS__>;
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_EXTERN_SOLVER)
#undef APSP_EXTERN_SOLVER

/// Defines the members of `closure_solver` for distances of type W in device memory that are
/// computed in type C. Used where the class is instantiated, for every W that may need C.
#define APSP_INSTANTIATE_DEVICE(C, W)                                            \
  template void closure_solver<min_plus<C>>::load<W>(const device_graph<W>&, C); \
  template bool closure_solver<min_plus<C>>::store<W>(const device_matrix_view<W>&, C)
/// The same over another semiring of the library.
#define APSP_INSTANTIATE_DEVICE_VALUES(S)                                                   \
  template void closure_solver<S>::load(const device_graph<S::value_type>&, S::value_type); \
  template bool closure_solver<S>::store(const device_matrix_view<S::value_type>&, S::value_type)
/// The same with predecessors in device memory.
#define APSP_INSTANTIATE_DEVICE_PREDECESSORS(C)                  \
  template void closure_solver<min_plus<C>>::store_predecessors( \
      const device_matrix_view<std::int32_t>&);                  \
  template void closure_solver<min_plus<C>>::store_predecessors( \
      const device_matrix_view<std::uint32_t>&);                 \
  template void closure_solver<min_plus<C>>::store_predecessors( \
      const device_matrix_view<std::int64_t>&);                  \
  template void closure_solver<min_plus<C>>::store_predecessors( \
      const device_matrix_view<std::uint64_t>&)

}  // namespace apsp::inline v1::detail::cuda
