// SPDX-License-Identifier: BSL-1.0
#include "../bits/host/bit_kernel.hpp"

namespace apsp::detail::host {

const bit_kernels avx2_bit_kernels = bit_loops<32>::table("avx2");

}  // namespace apsp::detail::host
