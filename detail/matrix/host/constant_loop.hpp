// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace apsp::inline v1::detail::host {

/// Calls f(i) for i in [0, Count), each a constant, so that arrays stay in registers. Always
/// inline, so that loops for different instruction sets may use it.
template <std::size_t Count, class F>
[[gnu::always_inline]] inline void for_each_constant(F f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    (f(std::integral_constant<std::size_t, I>{}), ...);
  }
  (std::make_index_sequence<Count>{});
}

}  // namespace apsp::inline v1::detail::host
