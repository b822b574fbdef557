// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "workspace.cuh"

namespace apsp::inline v1::detail::cuda {

/// Replaces each value by the sum of those before it, in the order of the stream.
void make_exclusive_sums(const device_workspace& space, std::uint32_t* values, std::size_t count);

}  // namespace apsp::inline v1::detail::cuda
