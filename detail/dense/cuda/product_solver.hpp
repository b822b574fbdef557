// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <memory>

#include "../../../apsp/config.hpp"
#include "../../../apsp/device_memory.hpp"
#include "../../device/launch_target.hpp"
#include "../../host/monitor.hpp"
#include "../../values/kernel_semirings.hpp"
#include "../host/product.hpp"

// The launch interface of the CUDA kernels that multiply matrices, free of CUDA types as the others.
namespace apsp::detail::cuda {

/// C = C plus A times B, as matrices of W in memory of the device.
template <class W>
struct device_product {
  device_matrix_view<const W> a;
  device_matrix_view<const W> b;
  device_matrix_view<W> c;
  /// The entries of a factor may not be read where they are: it overlaps C, or has unreachable ones whose
  /// code is another.
  bool copies_a;
  bool copies_b;
  /// True if all entries are known to be at least 0.
  bool nonnegative;
};

/// One product on one device. Not for sharing between threads.
template <class S>
class APSP_EXPORT product_solver {
  using T = typename S::value_type;

 public:
  /// Allocates all three matrices and copies them there, padded with @p zero. Values of `min_plus`
  /// are coded as those of `closure_solver` are.
  /// @throws device_error if there is too little memory, with the bytes needed and free.
  product_solver(const launch_target& target, const host::product_problem<S>& problem, T zero);
  /// Puts the reading of the matrices on the target's stream. What kernels can work on where it is takes
  /// no memory; the rest is copied, padded with @p zero, which is the code of `unreachable`, too, over
  /// `min_plus`.
  template <class W>
  product_solver(const launch_target& target, const S& semiring, const device_product<W>& problem,
                 T zero);
  ~product_solver();
  product_solver(const product_solver&) = delete;
  product_solver& operator=(const product_solver&) = delete;

  /// @return false if @p watch asked for a stop; C is then as it was, and anything in device memory of the
  /// caller's.
  bool solve(monitor& watch);
  /// Every entry of C >= @p threshold becomes @p value.
  void replace_from(T threshold, T value)
    requires is_min_plus<S>;
  /// Copies C back to the rows of the problem.
  void store();
  /// Puts C into device memory, where that is not where it is already.
  /// @param unreachable_from  an entry this large or larger is unreachable.
  /// @return true if an entry was cut to what W holds.
  template <class W>
  bool store(const device_matrix_view<W>& c, T unreachable_from);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

#define APSP_EXTERN_SOLVER(...) extern template class product_solver<__VA_ARGS__>;
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_EXTERN_SOLVER)
#undef APSP_EXTERN_SOLVER

/// Defines what `product_solver` does over S with matrices of W in device memory. That is done where the
/// class is instantiated, for every W that may need S.
#define APSP_INSTANTIATE_DEVICE_PRODUCT(S, W)                                          \
  template product_solver<S>::product_solver(const launch_target&, const S&,           \
                                             const device_product<W>&, S::value_type); \
  template bool product_solver<S>::store<W>(const device_matrix_view<W>&, S::value_type);

}  // namespace apsp::detail::cuda
