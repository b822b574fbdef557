// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/dense/cuda/closure_solver.cuh"
#include "../detail/dense/cuda/product_solver.cuh"

// For one .cu file of a program that wants the `cuda_*` policies to run a semiring of its own:
//
//   struct shortest_then_widest {
//     static constexpr bool has_cuda_kernels = true;   // said where the semiring is defined
//     ...
//   };
//
//   #include <apsp/cuda_kernels.cuh>
//   APSP_INSTANTIATE_CUDA_KERNELS(shortest_then_widest)
//
// All other files of the program, .cu or not, call `floyd_warshall`, `repeated_squaring` and
// `semiring_product` with the semiring as they do with those of the library. A program that says
// `has_cuda_kernels` and instantiates none does not link.
//
// The values are trivially copyable and of 4, 8 or 16 bytes; `plus` and `times` are marked
// `APSP_HOST_DEVICE`. The file is compiled as C++20 by the nvcc of the CUDA Toolkit that the library was
// built with.

/// Compiles the kernels for a semiring. To be written once in a program, outside of all namespaces.
#define APSP_INSTANTIATE_CUDA_KERNELS(...)                        \
  template class apsp::detail::cuda::closure_solver<__VA_ARGS__>; \
  template class apsp::detail::cuda::product_solver<__VA_ARGS__>;
