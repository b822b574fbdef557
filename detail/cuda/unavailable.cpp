// SPDX-License-Identifier: BSL-1.0
// Stands in for the kernels in a library that is built without CUDA.
#include "../../apsp/error.hpp"
#include "floyd_warshall.hpp"
#include "per_source.hpp"
#include "small_graphs.hpp"

namespace apsp::detail::cuda {

namespace {
constexpr const char* reason = "this build of apsp has no CUDA kernels";
}

std::string why_unusable(int /*device*/, CUstream_st* /*stream*/) {
  return reason;
}

template <class T>
struct floyd_warshall_solver<T>::state {};

template <class T>
floyd_warshall_solver<T>::floyd_warshall_solver(const launch_target&, std::size_t, bool) {
  throw device_error(reason);
}
template <class T>
floyd_warshall_solver<T>::~floyd_warshall_solver() = default;
template <class T>
floyd_warshall_solver<T>::floyd_warshall_solver(floyd_warshall_solver&&) noexcept = default;
template <class T>
floyd_warshall_solver<T>& floyd_warshall_solver<T>::operator=(floyd_warshall_solver&&) noexcept =
    default;
template <class T>
void floyd_warshall_solver<T>::load(std::span<const arc<T>>, T) {}
template <class T>
void floyd_warshall_solver<T>::load(const T* const*, T) {}
template <class T>
bool floyd_warshall_solver<T>::solve(T, monitor&) {
  return false;
}
template <class T>
bool floyd_warshall_solver<T>::has_negative_diagonal() {
  return false;
}
template <class T>
void floyd_warshall_solver<T>::replace_from(T, T) {}
template <class T>
void floyd_warshall_solver<T>::store(T* const*, std::int32_t* const*) {}

#define APSP_INSTANTIATE(T) template class floyd_warshall_solver<T>;
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
APSP_INSTANTIATE(int128)
#undef APSP_INSTANTIATE

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
