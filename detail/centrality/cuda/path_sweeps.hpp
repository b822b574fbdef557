// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>

#include "../../../apsp/config.hpp"
#include "../../device/launch_target.hpp"
#include "../../host/monitor.hpp"
#include "../path_hierarchy.hpp"

// The launch interface of sweeps over a hierarchy of shortest paths, without CUDA types.
namespace apsp::inline v1::detail::cuda {

/// Adds up shares as `host::sweep_shares` does, on all devices of the target. Sums are in fixed
/// point, in units of 2^-64, so that they have the same bits for any number of devices.
APSP_EXPORT sweep_outcome sweep_shares(const launch_target& target, const path_hierarchy& paths,
                                       std::span<const std::int32_t> sources, bool with_ends,
                                       monitor& watch, path_shares& shares);

}  // namespace apsp::inline v1::detail::cuda
