// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include "../../../apsp/semiring.hpp"
#include "algebra.cuh"
#include "product_launch.cuh"
#include "product_operands.cuh"
#include "tile_shape.hpp"

// Products of floats of any sign, in their own file because it has its own compiler flags.
namespace apsp::inline v1::detail::cuda {

using float_product_tuning = tuning_for<float, false, problem_size::many_vertices>;

extern template void launch_products<float_product_tuning, false>(const algebra<min_plus<float>>&,
                                                                  const product_pair<float>&, int,
                                                                  float, cudaStream_t, const int*);

}  // namespace apsp::inline v1::detail::cuda
