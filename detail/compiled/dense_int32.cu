// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

#include "../dense/cuda/closure_solver.cuh"
#include "../dense/cuda/product_solver.cuh"
#include "../dense/cuda/tiled_floyd_warshall.cuh"

namespace apsp::detail::cuda {

#define APSP_INSTANTIATE(...)                 \
  template class closure_solver<__VA_ARGS__>; \
  template class product_solver<__VA_ARGS__>; \
  APSP_INSTANTIATE_DEVICE_PRODUCT(__VA_ARGS__, std::int32_t)
APSP_FOR_EACH_SEMIRING_OF(std::int32_t, APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

// Integers whose distances fit are solved in this type, too.
template class tiled_floyd_warshall<min_plus<std::int32_t>>;

APSP_INSTANTIATE_DEVICE_VALUES(max_min<std::int32_t>);
APSP_INSTANTIATE_DEVICE_VALUES(min_max<std::int32_t>);
APSP_INSTANTIATE_DEVICE_VALUES(max_times<std::int32_t>);
APSP_INSTANTIATE_DEVICE(std::int32_t, std::int32_t);
APSP_INSTANTIATE_DEVICE_PREDECESSORS(std::int32_t);

}  // namespace apsp::detail::cuda
