// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "../../../apsp/device_memory.hpp"
#include "../../../apsp/policy.hpp"
#include "../../../apsp/result.hpp"
#include "../../../apsp/semiring.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../device/launch_target.hpp"
#include "../../host/monitor.hpp"
#include "../../matrix/device_entries.hpp"
#include "../../matrix/memory.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/int128.hpp"
#include "../../values/weight.hpp"
#include "../products/cuda/product_solver.hpp"
#include "product_call.hpp"

namespace apsp::inline v1::detail {

/// The operands of a product in device memory. The host reads only the ranges of their entries.
template <class T>
class device_product {
 public:
  /// @param target  has a non-null stream; all matrices are on its device.
  device_product(const cuda::launch_target& target, monitor& watch,
                 const device_matrix_view<const T>& a, const device_matrix_view<const T>& b,
                 const device_matrix_view<T>& c)
      : target_(target),
        watch_(watch),
        problem_{a,
                 b,
                 c,
                 may_overlap(a, *shape_of(a), c, *shape_of(c)),
                 may_overlap(b, *shape_of(b), c, *shape_of(c)),
                 false} {}

  backend name() const { return target_.kernels; }
  monitor& watch() const { return watch_; }
  bool stop_requested() const { return watch_.stop_requested(); }
  bool is_empty() const {
    return problem_.c.rows() == 0 || problem_.c.cols() == 0 || problem_.a.cols() == 0;
  }

  /// @throws std::invalid_argument if an entry is NaN or not a value of the semiring.
  template <class S>
  operand_ranges check_entries(const S&) const {
    operand_ranges found;
    found.left = range_of<S>(problem_.a, found.nonnegative);
    found.right = range_of<S>(problem_.b, found.nonnegative);
    found.result = range_of<S>(problem_.c, found.nonnegative);
    return found;
  }

  /// Computes the product over @p semiring, whose type may be other than that of the entries, with
  /// integers in @p code (a `distance_code`, or `uncoded`).
  template <class S, class Code, class C = typename S::value_type>
  void multiply(const S& semiring, const Code& code, const operand_ranges& found, result& done) {
    constexpr bool is_coded = !std::is_same_v<Code, uncoded<C>>;
    problem_.nonnegative = found.nonnegative;
    if constexpr (is_coded && std::is_same_v<C, T>) {
      problem_.copies_a |= found.left.has_unreachable;
      problem_.copies_b |= found.right.has_unreachable;
    }
    watch_.begin(problem_.a.cols());
    cuda::product_solver<S> solver(target_, semiring, problem_, code.unreachable);
    if (!solver.solve(watch_) || watch_.stop_requested()) {
      done.set_stopped();
      return;
    }
    if constexpr (is_coded) {
      done.set_saturated(solver.store(problem_.c, code.unreachable_from));
    } else {
      done.set_saturated(solver.store(problem_.c, unreachable<C>));
    }
  }

 private:
  template <class S>
  operand_range range_of(const device_matrix_view<const T>& m, bool& nonnegative) const {
    constexpr bool is_coded = is_min_plus<S> && std::is_integral_v<T>;
    operand_range range;
    // Every integer is a valid value of the other semirings, and no kernel choice depends on it.
    if constexpr (std::is_floating_point_v<T> || is_coded || weight_admitting_semiring<S>) {
      const auto found = cuda::find_entry_range<T>(target_, m, admitted_values<S>());
      if (found.fault != edge_fault::none) {
        throw_entry_fault(found.fault_at / m.cols(), found.fault_at % m.cols(),
                          words_of(found.fault));
      }
      nonnegative &= !(found.lowest < T{});
      range.has_unreachable = found.has_unreachable;
      if constexpr (is_coded) {
        range.largest_magnitude =
            std::max(-static_cast<int128>(found.lowest), static_cast<int128>(found.highest));
      }
    }
    return range;
  }

  const cuda::launch_target& target_;
  monitor& watch_;
  cuda::device_product<T> problem_;
};

}  // namespace apsp::inline v1::detail
