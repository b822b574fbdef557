// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <memory>

#include "../host/product.hpp"
#include "../kernel_semirings.hpp"
#include "../monitor.hpp"
#include "launch_target.hpp"

// The launch interface of the CUDA kernels that multiply matrices, free of CUDA types as the others.
namespace apsp::detail::cuda {

/// One product on one device. Not for sharing between threads.
template <class S>
class product_solver {
  using T = typename S::value_type;

 public:
  /// Allocates all three matrices and copies them there, padded with @p zero. Values of `min_plus`
  /// are coded as those of `closure_solver` are.
  /// @throws device_error if there is too little memory, with the bytes needed and free.
  product_solver(const launch_target& target, const host::product_problem<S>& problem, T zero);
  ~product_solver();
  product_solver(const product_solver&) = delete;
  product_solver& operator=(const product_solver&) = delete;

  /// @return false if @p watch asked for a stop; C is then as it was.
  bool solve(monitor& watch);
  /// Every entry of C >= @p threshold becomes @p value.
  void replace_from(T threshold, T value) requires is_min_plus<S>;
  /// Copies C back to the rows of the problem.
  void store();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

#define APSP_EXTERN_SOLVER(...) extern template class product_solver<__VA_ARGS__>;
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_EXTERN_SOLVER)
#undef APSP_EXTERN_SOLVER

}  // namespace apsp::detail::cuda
