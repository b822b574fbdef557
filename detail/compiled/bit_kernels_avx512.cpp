// SPDX-License-Identifier: BSL-1.0
#include "../bits/host/bit_kernel.hpp"

namespace apsp::detail::host {

const bit_kernels avx512_bit_kernels = bit_loops<64>::table("avx512");

}  // namespace apsp::detail::host
