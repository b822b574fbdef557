// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <memory>

#include "../../../../apsp/config.hpp"
#include "../../../../apsp/device_memory.hpp"
#include "../../../device/launch_target.hpp"
#include "../../../host/monitor.hpp"
#include "../../../values/kernel_semirings.hpp"
#include "../host/product.hpp"

// The launch interface of the CUDA kernels that multiply matrices. It contains no CUDA types.
namespace apsp::inline v1::detail::cuda {

/// C = plus(C, A times B), for matrices of W in device memory.
template <class W>
struct device_product {
  device_matrix_view<const W> a;
  device_matrix_view<const W> b;
  device_matrix_view<W> c;
  /// The entries of a factor cannot be read in place: it overlaps C, or has unreachable entries
  /// with a different code.
  bool copies_a;
  bool copies_b;
  /// True if all entries are known to be at least 0.
  bool nonnegative;
};

/// One product on one device. Not to be shared between threads.
template <class S>
class APSP_EXPORT product_solver {
  using T = typename S::value_type;

 public:
  /// Allocates all three matrices on the device, padded with @p zero. Values of `min_plus` are
  /// coded as in `closure_solver`. The device computes A times B alone: C need not be there before
  /// its entries are final, and `store` joins both on the host.
  /// @throws device_error if there is too little memory, with the bytes needed and free.
  product_solver(const launch_target& target, const host::product_problem<S>& problem, T zero);
  /// Enqueues the reads of the matrices on the target's stream. Matrices that kernels can use in
  /// place need no memory. The others are copied and padded with @p zero, which over `min_plus` is
  /// also the code of `unreachable`.
  template <class W>
  product_solver(const launch_target& target, const S& semiring, const device_product<W>& problem,
                 T zero);
  ~product_solver();
  product_solver(const product_solver&) = delete;
  product_solver& operator=(const product_solver&) = delete;

  /// @return false if @p watch requested a stop, or if an entry is NaN and factors are checked. C
  /// is then unchanged if it is in host memory, and unspecified if it is in the caller's device
  /// memory.
  bool solve(monitor& watch);
  bool found_nan() const;
  /// Every entry of A times B >= @p threshold counts as @p value. For matrices in host memory.
  void replace_from(T threshold, T value)
    requires is_min_plus<S>;
  /// Relaxes the rows of the problem.
  void store();
  /// Writes C to device memory, unless it is already there.
  /// @param unreachable_from  entries at least this large are unreachable.
  /// @return true if an entry saturated because W cannot hold it.
  template <class W>
  bool store(const device_matrix_view<W>& c, T unreachable_from);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

#define APSP_EXTERN_SOLVER(...) extern template class product_solver<__VA_ARGS__>;
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_EXTERN_SOLVER)
#undef APSP_EXTERN_SOLVER

/// Defines the members of `product_solver` over S for matrices of W in device memory. Used where
/// the class is instantiated, for every W that may need S.
#define APSP_INSTANTIATE_DEVICE_PRODUCT(S, W)                                          \
  template product_solver<S>::product_solver(const launch_target&, const S&,           \
                                             const device_product<W>&, S::value_type); \
  template bool product_solver<S>::store<W>(const device_matrix_view<W>&, S::value_type);

}  // namespace apsp::inline v1::detail::cuda
