// SPDX-License-Identifier: BSL-1.0
// The kernels of a user-defined semiring, compiled once in the program.
#include "own_semiring.hpp"

#include <apsp/cuda_kernels.cuh>

APSP_INSTANTIATE_CUDA_KERNELS(shortest_then_widest)
