// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/matrix.hpp>
#include <memory>

// The product of SuiteSparse:GraphBLAS over the same semiring, without its types, since its header
// is for C.
namespace apsp_perf {

/// The operands and options of GrB_mxm for a product of matrices without missing entries.
enum class graphblas_form {
  product,            ///< C = A B into a new matrix, all full
  accumulate,         ///< C = min(C, A B), all full, like `min_plus_product`
  accumulate_sparse,  ///< the same with B in compressed sparse rows, which is faster
};

/// A product of f32 matrices over GrB_MIN_PLUS_SEMIRING_FP32.
class graphblas_product {
 public:
  /// @throws std::runtime_error if a call of GraphBLAS fails, as all members do.
  graphblas_product(const apsp::matrix<float>& a, const apsp::matrix<float>& b, graphblas_form form,
                    int threads);
  graphblas_product(const graphblas_product&) = delete;
  graphblas_product& operator=(const graphblas_product&) = delete;
  ~graphblas_product();

  /// Multiplies into a matrix of unreachable pairs, or a new one, and returns the seconds of
  /// GrB_mxm and of waiting for its pending work.
  double multiply();
  /// Moves the result of the last multiply() out.
  apsp::matrix<float> take_result();

 private:
  struct matrices;
  std::unique_ptr<matrices> m_;
  graphblas_form form_;
};

}  // namespace apsp_perf
