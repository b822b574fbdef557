// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/matrix.hpp>
#include <memory>
#include <string>

// SuiteSparse:GraphBLAS's product over the same semiring, without its types: its header is C's.
namespace apsp_compare {

/// How GrB_mxm is asked for a product of matrices that have all their entries.
enum class graphblas_form {
  product,            ///< C = A B into a new matrix, all full
  accumulate,         ///< C = min(C, A B), all full: what `min_plus_product` does
  accumulate_sparse,  ///< the same with B in compressed sparse rows, which it has a faster method for
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
  /// GrB_mxm and of waiting for what it left to be done.
  double multiply();
  /// What multiply() found last; it is moved out.
  apsp::matrix<float> take_result();

 private:
  struct matrices;
  std::unique_ptr<matrices> m_;
  graphblas_form form_;
};

/// "7.4.0"
std::string graphblas_version();

}  // namespace apsp_compare
