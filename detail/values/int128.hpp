// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

namespace apsp::inline v1::detail {

// The type for sums of 64-bit weights that do not fit in 64 bits.
__extension__ typedef __int128 int128;

/// The type in which lengths of walks are accumulated: exact for integers, wider for floating
/// point.
template <class T>
using walk_sum_t =
    std::conditional_t<std::is_integral_v<T>, int128,
                       std::conditional_t<std::is_floating_point_v<T>, long double, T>>;

}  // namespace apsp::inline v1::detail
