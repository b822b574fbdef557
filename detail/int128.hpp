// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace apsp::detail {

// Sums of 64-bit weights that do not fit 64 bits are computed in this type.
__extension__ typedef __int128 int128;

}  // namespace apsp::detail
