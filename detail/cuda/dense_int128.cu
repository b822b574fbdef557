// SPDX-License-Identifier: BSL-1.0
#include "closure_solver.cuh"
#include "product_solver.cuh"

namespace apsp::detail::cuda {

template class closure_solver<min_plus<int128>>;
template class product_solver<min_plus<int128>>;

}  // namespace apsp::detail::cuda
