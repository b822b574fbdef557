// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

#include "../../apsp/device_memory.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/placement.hpp"
#include "../device/launch_target.hpp"
#include "../host/monitor.hpp"
#include "../matrix/device_entries.hpp"
#include "../matrix/memory.hpp"
#include "../values/distance_code.hpp"
#include "../values/int128.hpp"
#include "../values/weight.hpp"
#include "cuda/product_solver.hpp"
#include "product_call.hpp"

// Products of matrices in device memory. The host reads only the range of their entries.
namespace apsp::detail {

/// One product in device memory of matrices whose shapes match.
template <class S>
class device_product_call {
  using T = typename S::value_type;
  static constexpr bool is_coded = is_min_plus<S> && std::is_integral_v<T>;

 public:
  /// @param target  has a non-null stream; all matrices are on its device.
  device_product_call(const cuda::launch_target& target, monitor& watch, const S& semiring,
                      const device_matrix_view<const T>& a, const device_matrix_view<const T>& b,
                      const device_matrix_view<T>& c)
      : target_(target),
        watch_(watch),
        semiring_(semiring),
        problem_{a,
                 b,
                 c,
                 may_overlap(a, *shape_of(a), c, *shape_of(c)),
                 may_overlap(b, *shape_of(b), c, *shape_of(c)),
                 false} {}

  result run() {
    const auto left = summarize(problem_.a);
    const auto right = summarize(problem_.b);
    const auto result_before = summarize(problem_.c);
    problem_.nonnegative = !(left.lowest < T{} || right.lowest < T{} || result_before.lowest < T{});
    if (problem_.c.rows() == 0 || problem_.c.cols() == 0 || problem_.a.cols() == 0) {
      result done(target_.kernels, algorithm::product);
      if (watch_.stop_requested()) done.set_stopped();
      return done;
    }
    if constexpr (is_coded) {
      const auto choose = [&]<class C>(C) {
        return choose_product_code<C>(magnitude(left), magnitude(right), magnitude(result_before));
      };
      if (const auto code = choose(T{})) {
        problem_.copies_a |= left.has_unreachable;
        problem_.copies_b |= right.has_unreachable;
        return multiply(semiring_, code->unreachable, code->unreachable_from);
      }
      using wider = std::conditional_t<sizeof(T) == 4, std::int64_t, int128>;
      const auto code = choose(wider{});
      return multiply(min_plus<wider>{}, code->unreachable, code->unreachable_from);
    } else {
      return multiply(semiring_, T{S::zero}, unreachable<T>);
    }
  }

 private:
  /// @throws std::invalid_argument as `check_entries` does.
  cuda::entry_range<T> summarize(const device_matrix_view<const T>& m) const {
    // Every integer is a valid value of the other semirings, and no kernel choice depends on it.
    if constexpr (!std::is_floating_point_v<T> && !is_coded && !weight_admitting_semiring<S>) {
      return {};
    } else {
      const auto found = cuda::find_entry_range<T>(target_, m, admitted_values<S>());
      if (found.fault != edge_fault::none) {
        throw_entry_fault(found.fault_at / m.cols(), found.fault_at % m.cols(),
                          words_of(found.fault));
      }
      return found;
    }
  }

  static int128 magnitude(const cuda::entry_range<T>& found) {
    return std::max(-static_cast<int128>(found.lowest), static_cast<int128>(found.highest));
  }

  template <class Semiring, class C>
  result multiply(const Semiring& semiring, const C& zero, const C& unreachable_from) {
    result done(target_.kernels, algorithm::product);
    watch_.begin(problem_.a.cols());
    cuda::product_solver<Semiring> solver(target_, semiring, problem_, zero);
    if (!solver.solve(watch_) || watch_.stop_requested()) {
      done.set_stopped();
      return done;
    }
    done.set_saturated(solver.store(problem_.c, unreachable_from));
    return done;
  }

  const cuda::launch_target& target_;
  monitor& watch_;
  const S& semiring_;
  cuda::device_product<T> problem_;
};

/// One call whose matrices are in device memory. Their shapes are known to match.
///
/// @param asked  what the policy requested
template <class S, class T = typename S::value_type>
result device_product(const cuda::launch_target& asked, monitor& watch, const S& semiring,
                      const device_matrix_view<const T>& a, const device_matrix_view<const T>& b,
                      const device_matrix_view<T>& c) {
  return run_on_device_of(asked, {a.data(), b.data(), c.data()}, [&](const auto& target) {
    return device_product_call<S>(target, watch, semiring, a, b, c).run();
  });
}

}  // namespace apsp::detail
