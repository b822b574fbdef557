// SPDX-License-Identifier: BSL-1.0
#include "float_products.cuh"

// Assembled at -O1: sums and minima then alternate, where at -O3 the assembler puts them into runs of a
// kind that wait for one pipe. 50.9 instead of 47.9 relaxations/clk/SM on an H200. Minima of three come
// out slower that way, and other types no faster.
namespace apsp::detail::cuda {

template void launch_products<float_product_tuning, false>(const algebra<min_plus<float>>&,
                                                           const product_pair<float>&, int, float,
                                                           cudaStream_t, const int*);
template void prepare_products<algebra<min_plus<float>>, float_product_tuning, false>();

}  // namespace apsp::detail::cuda
