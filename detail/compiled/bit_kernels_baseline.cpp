// SPDX-License-Identifier: BSL-1.0
#include "../bits/host/bit_kernel.hpp"

namespace apsp::detail::host {

const bit_kernels baseline_bit_kernels = bit_loops<16>::table("baseline");

}  // namespace apsp::detail::host
