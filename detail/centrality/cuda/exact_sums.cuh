// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

// Sums of doubles that are at least 0, in fixed point: they do not depend on the order.
namespace apsp::inline v1::detail::cuda {

struct exact_sums {
  unsigned long long* whole;
  unsigned long long* parts;  ///< In units of 2^-64.

  __device__ void add(std::size_t i, double x) const {
    constexpr double units = 0x1p64;
    const double floor = ::floor(x);
    auto integer = static_cast<unsigned long long>(floor);
    if (x != floor) {
      const auto part = static_cast<unsigned long long>((x - floor) * units);
      if (atomicAdd(parts + i, part) + part < part) ++integer;
    }
    if (integer != 0) atomicAdd(whole + i, integer);
  }
};

/// The same in host memory.
struct fixed_sums {
  std::vector<unsigned long long> whole;
  std::vector<unsigned long long> parts;

  void add(const fixed_sums& other) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
      parts[i] += other.parts[i];
      whole[i] += other.whole[i] + (parts[i] < other.parts[i] ? 1 : 0);
    }
  }
  double value(std::size_t i) const {
    // What is added may be negative in between, but no sum is.
    return static_cast<double>(whole[i]) + static_cast<double>(parts[i]) * 0x1p-64;
  }
};

}  // namespace apsp::inline v1::detail::cuda
