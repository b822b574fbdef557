// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/dense/closures/cuda/closure_solver.cuh"
#include "../detail/dense/divided/cuda/row_solver.cuh"
#include "../detail/dense/products/cuda/product_solver.cuh"

// Include this in one .cu file of a program that runs a user-defined semiring under the `cuda_*`
// policies:
//
//   struct shortest_then_widest {
//     static constexpr bool has_cuda_kernels = true;   // in the definition of the semiring
//     ...
//   };
//
//   #include <apsp/cuda_kernels.cuh>
//   APSP_INSTANTIATE_CUDA_KERNELS(shortest_then_widest)
//
// All other files of the program, .cu or not, call `floyd_warshall`, `repeated_squaring` and
// `semiring_product` with the semiring as with those of the library. A program whose semiring
// declares `has_cuda_kernels` but that does not instantiate them fails to link.
//
// Values must be trivially copyable and have 4, 8 or 16 bytes; `plus` and `times` must be marked
// `APSP_HOST_DEVICE`. Compile the file as C++20 with the nvcc of the CUDA Toolkit with which the
// library was built.

/// Instantiates the kernels for a semiring. Use it once per program, outside all namespaces.
#define APSP_INSTANTIATE_CUDA_KERNELS(...)                        \
  template class apsp::detail::cuda::closure_solver<__VA_ARGS__>; \
  template class apsp::detail::cuda::product_solver<__VA_ARGS__>; \
  template class apsp::detail::cuda::row_solver<__VA_ARGS__>;
