// SPDX-License-Identifier: BSL-1.0
// Stands in for the kernels in a library that is built without CUDA.
#include "../../apsp/error.hpp"
#include "../batch/cuda/small_graphs.hpp"
#include "../bits/cuda/solvers.hpp"
#include "../dense/cuda/closure_solver.hpp"
#include "../dense/cuda/product_solver.hpp"
#include "../device/memory.hpp"
#include "../graph/device_graph.hpp"
#include "../matrix/device_entries.hpp"
#include "../per_source/cuda/solver.hpp"
#include "../summary/cuda/reduce.hpp"
#include "../values/weight.hpp"

namespace apsp::detail::cuda {

namespace {
constexpr const char* reason = "this build of apsp has no CUDA kernels";
}

std::string why_unusable(int /*device*/, CUstream_st* /*stream*/) {
  return reason;
}

template <class S>
struct closure_solver<S>::state {};

template <class S>
closure_solver<S>::closure_solver(const launch_target&, closure_method, const S&, std::size_t,
                                  bool) {
  throw device_error(reason);
}
template <class S>
closure_solver<S>::~closure_solver() = default;
template <class S>
closure_solver<S>::closure_solver(closure_solver&&) noexcept = default;
template <class S>
closure_solver<S>& closure_solver<S>::operator=(closure_solver&&) noexcept = default;
template <class S>
void closure_solver<S>::load(std::span<const arc<T>>, T)
  requires is_min_plus<S>
{}
template <class S>
void closure_solver<S>::load(const T* const*, T) {}
template <class S>
bool closure_solver<S>::solve(T, std::size_t, monitor&) {
  return false;
}
template <class S>
bool closure_solver<S>::has_negative_diagonal()
  requires is_min_plus<S>
{
  return false;
}
template <class S>
void closure_solver<S>::replace_from(T, T)
  requires is_min_plus<S>
{}
template <class S>
void closure_solver<S>::forget_worse(T)
  requires(!is_min_plus<S>)
{}
template <class S>
std::optional<std::vector<char>> closure_solver<S>::rows_in_doubt()
  requires is_min_plus<S>
{
  return std::nullopt;
}
template <class S>
void closure_solver<S>::store(T* const*, std::int32_t* const*) {}

template <class S>
template <class W>
void closure_solver<S>::load(const resident_graph<W>&, T) {}
template <class S>
template <class W>
bool closure_solver<S>::store(const device_matrix_view<W>&, T) {
  return false;
}
template <class S>
template <class I>
void closure_solver<S>::store_predecessors(const device_matrix_view<I>&) {}

template <class S>
struct product_solver<S>::state {};

template <class S>
product_solver<S>::product_solver(const launch_target&, const host::product_problem<S>&, T) {
  throw device_error(reason);
}
template <class S>
product_solver<S>::~product_solver() = default;
template <class S>
bool product_solver<S>::solve(monitor&) {
  return false;
}
template <class S>
void product_solver<S>::replace_from(T, T)
  requires is_min_plus<S>
{}
template <class S>
void product_solver<S>::store() {}

template <class S>
template <class W>
product_solver<S>::product_solver(const launch_target&, const S&, const resident_product<W>&, T) {
  throw device_error(reason);
}
template <class S>
template <class W>
bool product_solver<S>::store(const device_matrix_view<W>&, T) {
  return false;
}

#define APSP_INSTANTIATE(T)                         \
  APSP_INSTANTIATE_RESIDENT_VALUES(max_min<T>);     \
  APSP_INSTANTIATE_RESIDENT_VALUES(min_max<T>);     \
  APSP_INSTANTIATE_RESIDENT_VALUES(max_times<T>);   \
  APSP_INSTANTIATE_RESIDENT_PRODUCT(min_plus<T>, T) \
  APSP_INSTANTIATE_RESIDENT_PRODUCT(max_min<T>, T)  \
  APSP_INSTANTIATE_RESIDENT_PRODUCT(min_max<T>, T)  \
  APSP_INSTANTIATE_RESIDENT_PRODUCT(max_times<T>, T)
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE
APSP_INSTANTIATE_RESIDENT_PRODUCT(min_plus<std::int64_t>, std::int32_t)
APSP_INSTANTIATE_RESIDENT_PRODUCT(min_plus<int128>, std::int64_t)

template <class T>
entry_summary<T> summarize_entries(const launch_target&, const device_matrix_view<const T>&,
                                   const value_range<T>&) {
  throw device_error(reason);
}
#define APSP_INSTANTIATE(T)                       \
  template entry_summary<T> summarize_entries<T>( \
      const launch_target&, const device_matrix_view<const T>&, const value_range<T>&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

#define APSP_INSTANTIATE(...)                 \
  template class closure_solver<__VA_ARGS__>; \
  template class product_solver<__VA_ARGS__>;
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

APSP_INSTANTIATE_RESIDENT(float, float);
APSP_INSTANTIATE_RESIDENT_PREDECESSORS(float);
APSP_INSTANTIATE_RESIDENT(double, double);
APSP_INSTANTIATE_RESIDENT_PREDECESSORS(double);
APSP_INSTANTIATE_RESIDENT(std::int32_t, std::int32_t);
APSP_INSTANTIATE_RESIDENT_PREDECESSORS(std::int32_t);
APSP_INSTANTIATE_RESIDENT(std::int64_t, std::int32_t);
APSP_INSTANTIATE_RESIDENT(std::int64_t, std::int64_t);
APSP_INSTANTIATE_RESIDENT_PREDECESSORS(std::int64_t);
APSP_INSTANTIATE_RESIDENT(int128, std::int32_t);
APSP_INSTANTIATE_RESIDENT(int128, std::int64_t);
APSP_INSTANTIATE_RESIDENT_PREDECESSORS(int128);

template <class W>
weight_summary<W> summarize_resident(const launch_target&, const resident_graph<W>&,
                                     const value_range<W>&, edge_fault) {
  throw device_error(reason);
}
template <class W>
void check_resident_arcs(const launch_target&, const resident_graph<W>&) {
  throw device_error(reason);
}
#define APSP_INSTANTIATE(W)                                                                     \
  template weight_summary<W> summarize_resident(const launch_target&, const resident_graph<W>&, \
                                                const value_range<W>&, edge_fault);             \
  template void check_resident_arcs(const launch_target&, const resident_graph<W>&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

device_allocation allocate_on_device(std::size_t, int) {
  throw device_error(reason);
}
void free_on_device(const device_allocation&) noexcept {}
void copy_to_host(const device_rows&, void*, CUstream_st*) {
  throw device_error(reason);
}
void copy_to_device(const void*, const device_rows&, CUstream_st*) {
  throw device_error(reason);
}
int device_of(const void*) {
  throw device_error(reason);
}
device_selection::device_selection(int) {
  throw device_error(reason);
}
device_selection::~device_selection() = default;
CUstream_st* default_stream() {
  throw device_error(reason);
}

template <class C>
solve_outcome solve_per_source(const launch_target&, const per_source_problem<C>&, row_sink<C>&,
                               monitor&) {
  throw device_error(reason);
}

#define APSP_INSTANTIATE(C)                                                                      \
  template solve_outcome solve_per_source<C>(const launch_target&, const per_source_problem<C>&, \
                                             row_sink<C>&, monitor&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

template <class C, class W>
resident_outcome solve_resident_per_source(const launch_target&, const per_source_problem<C>&,
                                           const resident_row_target<C, W>&, monitor&) {
  throw device_error(reason);
}

#define APSP_INSTANTIATE(C, W)                                                              \
  template resident_outcome solve_resident_per_source<C, W>(                                \
      const launch_target&, const per_source_problem<C>&, const resident_row_target<C, W>&, \
      monitor&);
APSP_FOR_EACH_RESIDENT_ROW_TARGET(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

template <class T>
bool summarize_rows(const launch_target&, const row_source<T>&, T, monitor&, row_record<T>*) {
  throw device_error(reason);
}
template <class T>
bool count_rows(const launch_target&, const row_source<T>&, T, const bin_rule<T>&, monitor&,
                std::vector<std::uint64_t>&) {
  throw device_error(reason);
}
template <class T>
bool summarize_rows(const launch_target&, const resident_rows<T>&, T, monitor&, row_record<T>*) {
  throw device_error(reason);
}
template <class T>
bool count_rows(const launch_target&, const resident_rows<T>&, T, const bin_rule<T>&, monitor&,
                std::vector<std::uint64_t>&) {
  throw device_error(reason);
}

#define APSP_INSTANTIATE(T) APSP_INSTANTIATE_ROWS(, T)
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

template <class C, path_join Join>
solve_outcome solve_joined_per_source(const launch_target&, const per_source_problem<C>&,
                                      row_sink<C>&, monitor&) {
  throw device_error(reason);
}

#define APSP_INSTANTIATE(C, JOIN)                          \
  template solve_outcome solve_joined_per_source<C, JOIN>( \
      const launch_target&, const per_source_problem<C>&, row_sink<C>&, monitor&);
APSP_FOR_EACH_PATH_JOIN(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

bool close(const launch_target&, std::span<const bit_arc>, const bit_view&, monitor&) {
  throw device_error(reason);
}
bool close(const launch_target&, const bit_view&, monitor&) {
  throw device_error(reason);
}
template <class W>
bool close(const launch_target&, const resident_graph<W>&, const device_matrix_view<std::uint8_t>&,
           monitor&) {
  throw device_error(reason);
}
#define APSP_INSTANTIATE(W) APSP_INSTANTIATE_RESIDENT_BITS(, W)
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE
bool bit_product(const launch_target&, const const_bit_view&, const const_bit_view&,
                 const bit_view&, monitor&) {
  throw device_error(reason);
}

template <class C>
void solve_small_graphs(const launch_target&, std::span<const small_graph<C>>,
                        small_graph_exchange<C>&, const monitor&) {
  throw device_error(reason);
}

#define APSP_INSTANTIATE(C)                                                                  \
  template void solve_small_graphs<C>(const launch_target&, std::span<const small_graph<C>>, \
                                      small_graph_exchange<C>&, const monitor&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::detail::cuda
