// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "../../../../apsp/config.hpp"
#include "../../../../apsp/device_memory.hpp"
#include "../../../device/launch_target.hpp"
#include "../../../host/monitor.hpp"
#include "../../../matrix/row_record.hpp"
#include "../../../values/decay.hpp"
#include "../../../values/weight_types.hpp"
#include "../../problem/device_targets.hpp"
#include "../../problem/problem.hpp"

// The launch interface of the per-source CUDA kernels. Like that of Floyd–Warshall it is free of
// CUDA types, and a library built without CUDA has the same symbols.
namespace apsp::inline v1::detail::cuda {

/// Solves for all sources of @p problem and passes the rows to @p output, in batches that fit in
/// device memory: while the rows of one batch are copied to the host, the next one is solved.
/// Several host threads finish the rows; all rows are finished when this returns.
/// @throws device_error if there is too little memory for the graph and the smallest batch of
/// sources, or if a CUDA call fails.
template <class C>
APSP_EXPORT solve_outcome solve_per_source(const launch_target& target,
                                           const per_source_problem<C>& problem,
                                           solver_output<C>& output, monitor& watch);

#define APSP_EXTERN_SOLVE(C)                         \
  extern template solve_outcome solve_per_source<C>( \
      const launch_target&, const per_source_problem<C>&, solver_output<C>&, monitor&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_SOLVE)
#undef APSP_EXTERN_SOLVE

/// The same with rows that stay on the device, in the order of the target's stream: the work may
/// still be running when this returns. Predecessors that may form a cycle are repaired on the host.
template <class C, class W>
APSP_EXPORT device_row_outcome solve_into_device_rows(const launch_target& target,
                                                      const per_source_problem<C>& problem,
                                                      const device_row_target<C, W>& rows,
                                                      monitor& watch);

/// The same for rows that are summed up on the device: @p records receives the totals of each row,
/// without its source, in host memory. The problem is without predecessors.
template <class C, class W>
APSP_EXPORT device_row_outcome solve_into_records(const launch_target& target,
                                                  const per_source_problem<C>& problem,
                                                  const device_finishing<C, W>& finishing,
                                                  row_record<W>* records, monitor& watch);

/// The same for sums of amounts: @p sums receives a row of `wanted.num_sums()` for each source.
template <class C, class W>
APSP_EXPORT device_row_outcome solve_into_sums(const launch_target& target,
                                               const per_source_problem<C>& problem,
                                               const device_finishing<C, W>& finishing,
                                               const weighed_amounts<W>& wanted, double* sums,
                                               monitor& watch);

#define APSP_FOR_EACH_DEVICE_ROW_TARGET(APPLY) \
  APPLY(float, float)                          \
  APPLY(double, double)                        \
  APPLY(std::int32_t, std::int32_t)            \
  APPLY(std::int32_t, std::int64_t)            \
  APPLY(std::int64_t, std::int32_t)            \
  APPLY(std::int64_t, std::int64_t)
#define APSP_EXTERN_SOLVE_RESIDENT(C, W)                                                  \
  extern template device_row_outcome solve_into_device_rows<C, W>(                        \
      const launch_target&, const per_source_problem<C>&, const device_row_target<C, W>&, \
      monitor&);                                                                          \
  extern template device_row_outcome solve_into_records<C, W>(                            \
      const launch_target&, const per_source_problem<C>&, const device_finishing<C, W>&,  \
      row_record<W>*, monitor&);                                                          \
  extern template device_row_outcome solve_into_sums<C, W>(                               \
      const launch_target&, const per_source_problem<C>&, const device_finishing<C, W>&,  \
      const weighed_amounts<W>&, double*, monitor&);
APSP_FOR_EACH_DEVICE_ROW_TARGET(APSP_EXTERN_SOLVE_RESIDENT)
#undef APSP_EXTERN_SOLVE_RESIDENT

/// True for the types of that list.
template <class C, class W>
inline constexpr bool lists_device_row_target = false;
#define APSP_LIST(C, W) \
  template <>           \
  inline constexpr bool lists_device_row_target<C, W> = true;
APSP_FOR_EACH_DEVICE_ROW_TARGET(APSP_LIST)
#undef APSP_LIST
#define APSP_CHECK_WEIGHT_TYPE(T)              \
  static_assert(lists_device_row_target<T, T>, \
                "a weight type of the library has a line in APSP_FOR_EACH_DEVICE_ROW_TARGET");
APSP_FOR_EACH_WEIGHT_TYPE(APSP_CHECK_WEIGHT_TYPE)
#undef APSP_CHECK_WEIGHT_TYPE

/// True if there are kernels for this type and join.
template <class C, path_join Join>
inline constexpr bool has_joined_kernels =
    has_compiled_kernels<C> && (Join == path_join::maximum || std::is_floating_point_v<C>);

/// The same for paths joined in this way, by Bellman–Ford. A source starts with the lowest value,
/// and a vertex without a path has `no_path`; for products these values are -1 and 0.
template <class C, path_join Join>
APSP_EXPORT solve_outcome solve_joined_per_source(const launch_target& target,
                                                  const per_source_problem<C>& problem,
                                                  solver_output<C>& output, monitor& watch);

// Each instantiation is in the file of its type.
#define APSP_FOR_EACH_PATH_JOIN(APPLY)    \
  APPLY(float, path_join::maximum)        \
  APPLY(float, path_join::product)        \
  APPLY(double, path_join::maximum)       \
  APPLY(double, path_join::product)       \
  APPLY(std::int32_t, path_join::maximum) \
  APPLY(std::int64_t, path_join::maximum)
#define APSP_EXTERN_SOLVE_JOINED(C, JOIN)                         \
  extern template solve_outcome solve_joined_per_source<C, JOIN>( \
      const launch_target&, const per_source_problem<C>&, solver_output<C>&, monitor&);
APSP_FOR_EACH_PATH_JOIN(APSP_EXTERN_SOLVE_JOINED)
#undef APSP_EXTERN_SOLVE_JOINED

/// True for the types and joins of that list.
template <class C, path_join Join>
inline constexpr bool lists_path_join = false;
#define APSP_LIST(C, JOIN) \
  template <>              \
  inline constexpr bool lists_path_join<C, JOIN> = true;
APSP_FOR_EACH_PATH_JOIN(APSP_LIST)
#undef APSP_LIST
#define APSP_CHECK_WEIGHT_TYPE(T)                                                              \
  static_assert(                                                                               \
      lists_path_join<T, path_join::maximum> &&                                                \
          lists_path_join<T, path_join::product> == has_joined_kernels<T, path_join::product>, \
      "a weight type of the library has lines in APSP_FOR_EACH_PATH_JOIN");
APSP_FOR_EACH_WEIGHT_TYPE(APSP_CHECK_WEIGHT_TYPE)
#undef APSP_CHECK_WEIGHT_TYPE

}  // namespace apsp::inline v1::detail::cuda
