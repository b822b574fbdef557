// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>

#include "../../../apsp/config.hpp"
#include "../../device/launch_target.hpp"
#include "../../host/monitor.hpp"
#include "../path_hierarchy.hpp"

// The launch interface of sweeps over a hierarchy of shortest paths, without CUDA types.
namespace apsp::detail::cuda {

/// Adds up shares as `host::sweep_shares` does, on all devices of the target. The sums are rounded
/// once, so that they have the same bits for any number of devices.
/// @throws device_error if there is too little memory, with the bytes needed and free.
APSP_EXPORT sweep_outcome sweep_shares(const launch_target& target, const path_hierarchy& paths,
                                       std::span<const std::int32_t> sources, bool with_ends,
                                       monitor& watch, path_shares& shares);

}  // namespace apsp::detail::cuda
