// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../apsp/policy.hpp"
#include "../apsp/result.hpp"

// Which algorithm runs where the caller leaves it open.
namespace apsp::detail {

/// From a list of sources: what runs on @p b.
constexpr algorithm choose_per_source(backend b, bool has_negative_weight) {
  if (has_negative_weight) return algorithm::johnson;
  return b == backend::cuda_tiled ? algorithm::bellman_ford : algorithm::dijkstra;
}

}  // namespace apsp::detail
