// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/policy.hpp>
#include <array>
#include <string>
#include <vector>

#include "options.hpp"

namespace apsp_compare {

/// Calls f with the policy called @p name, with the settings of the options.
template <class F>
auto with_policy(const std::string& name, const options& o, F f) {
  return apsp::with_policy(name, [&](auto policy) {
    if constexpr (requires { policy.device(o.device); }) {
      if (o.device >= 0) policy = policy.device(o.device);
      return f(policy.required(o.required));
    } else if constexpr (requires { policy.threads(o.threads); }) {
      return f(policy.threads(o.threads));
    } else {
      return f(policy);
    }
  });
}

inline bool is_cuda(const std::string& policy) {
  return policy.compare(0, 4, "cuda") == 0;
}

/// Returns the policies with the fast ones first: their times are used to estimate the slow ones.
inline std::vector<std::string> in_running_order(std::vector<std::string> policies) {
  const auto rank = [](const std::string& policy) {
    static constexpr std::array order{"cuda_tiled", "omp", "cuda_naive", "seq"};
    return std::find(order.begin(), order.end(), policy);
  };
  std::stable_sort(policies.begin(), policies.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return policies;
}

}  // namespace apsp_compare
