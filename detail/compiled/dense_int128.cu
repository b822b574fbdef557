// SPDX-License-Identifier: BSL-1.0
#include "../dense/closures/cuda/closure_solver.cuh"
#include "../dense/divided/cuda/row_solver.cuh"
#include "../dense/products/cuda/product_solver.cuh"

namespace apsp::inline v1::detail::cuda {

template class closure_solver<min_plus<int128>>;
template class product_solver<min_plus<int128>>;
template class row_solver<min_plus<int128>>;
APSP_INSTANTIATE_DEVICE_PRODUCT(min_plus<int128>, std::int64_t)

APSP_INSTANTIATE_DEVICE(int128, std::int32_t);
APSP_INSTANTIATE_DEVICE(int128, std::int64_t);
APSP_INSTANTIATE_DEVICE_PREDECESSORS(int128);

}  // namespace apsp::inline v1::detail::cuda
