// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "../../../values/decay.hpp"

// Amounts that kernels add up by distance, and their shares.
namespace apsp::inline v1::detail::cuda {

/// Some sums of amounts of a source.
struct amount_sums {
  static constexpr unsigned most = 4;
  double at[most] = {};

  APSP_HOST_DEVICE void add(const amount_sums& other) {
    for (unsigned j = 0; j < most; ++j) at[j] += other.at[j];
  }
};

/// What is added up to them, by distances of type X.
template <class X>
struct device_amounts {
  decay_rule rule;
  unsigned num_sums;
  const double* amounts[amount_sums::most];
  X limits[amount_sums::most];

  device_amounts() = default;
  /// @param amounts  columns of @p num_vertices entries
  device_amounts(const weighed_amounts<X>& wanted, std::size_t first_sum, const double* all_amounts,
                 std::size_t num_vertices)
      : rule(wanted.rule),
        num_sums(static_cast<unsigned>(
            std::min<std::size_t>(wanted.num_sums() - first_sum, amount_sums::most))) {
    for (unsigned j = 0; j < amount_sums::most; ++j) {
      const std::size_t sum = first_sum + std::min(j, num_sums - 1);
      amounts[j] = all_amounts + wanted.column_of(sum) * num_vertices;
      limits[j] = wanted.limit_of(sum);
    }
  }
};

/// e^x as on the host, without branches.
__device__ __forceinline__ double decay_exponential(double x) {
  constexpr decay_exponents of{};
  const double y = fmin(fmax(x, of.least), of.most);
  const double shifted = fma(y, of.log2_of_e, of.shift);
  const double k = shifted - of.shift;
  const double r = fma(k, -of.log_of_2_low, fma(k, -of.log_of_2, y));
  double sum = 0;
#pragma unroll
  for (const double coefficient : of.coefficients) sum = fma(sum, r, coefficient);
  const int high = __double2hiint(sum) + (__double2loint(shifted) << 20);
  return x < of.least ? 0 : __hiloint2double(high, __double2loint(sum));
}

/// `decay_rule::share`, once in a kernel.
__device__ __noinline__ inline double share_of(const decay_rule& rule, double distance) {
  return rule.share(distance);
}

}  // namespace apsp::inline v1::detail::cuda
