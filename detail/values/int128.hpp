// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

namespace apsp::detail {

// Sums of 64-bit weights that do not fit 64 bits are computed in this type.
__extension__ typedef __int128 int128;

/// The type in which lengths of walks are added up: exact for integers, wider for floating point.
template <class T>
using walk_sum_t =
    std::conditional_t<std::is_integral_v<T>, int128,
                       std::conditional_t<std::is_floating_point_v<T>, long double, T>>;

}  // namespace apsp::detail
