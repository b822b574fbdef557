// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

#include "../dense/cuda/closure_solver.cuh"
#include "../dense/cuda/product_solver.cuh"
#include "../dense/cuda/tiled_floyd_warshall.cuh"

namespace apsp::detail::cuda {

#define APSP_INSTANTIATE(...)                 \
  template class closure_solver<__VA_ARGS__>; \
  template class product_solver<__VA_ARGS__>; \
  APSP_INSTANTIATE_DEVICE_PRODUCT(__VA_ARGS__, double)
APSP_FOR_EACH_SEMIRING_OF(double, APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

// Integers whose distances fit are solved in this type, too.
template class tiled_floyd_warshall<min_plus<double>>;

APSP_INSTANTIATE_DEVICE_VALUES(max_min<double>);
APSP_INSTANTIATE_DEVICE_VALUES(min_max<double>);
APSP_INSTANTIATE_DEVICE_VALUES(max_times<double>);
APSP_INSTANTIATE_DEVICE(double, double);
APSP_INSTANTIATE_DEVICE_PREDECESSORS(double);

}  // namespace apsp::detail::cuda
