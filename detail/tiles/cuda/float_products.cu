// SPDX-License-Identifier: BSL-1.0
#include "float_products.cuh"

// Assembled at -O1: sums and minima then alternate. At -O3 the assembler groups them into runs that
// wait for one pipe. 50.9 instead of 47.9 relaxations/clk/SM on an H200. Minima of three become
// slower at -O1, and other types do not become faster.
namespace apsp::inline v1::detail::cuda {

template void launch_products<float_product_tuning, false>(const algebra<min_plus<float>>&,
                                                           const product_pair<float>&, int, float,
                                                           cudaStream_t, const int*);

}  // namespace apsp::inline v1::detail::cuda
