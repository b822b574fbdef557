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
  const auto on_device = [&](auto policy) {
    if (o.device >= 0) policy = policy.device(o.device);
    return policy.required(o.required);
  };
  if (name == "seq") return f(apsp::seq);
  if (name == "omp") return f(apsp::omp.threads(o.threads));
  if (name == "cuda_naive") return f(on_device(apsp::cuda_naive));
  return f(on_device(apsp::cuda_tiled));
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
