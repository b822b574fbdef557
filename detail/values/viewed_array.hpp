// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <ranges>
#include <type_traits>

namespace apsp::inline v1::detail {

// The element type of an array that a view refers to. The array must outlive the view.
template <class Array>
struct viewed_array {
  static_assert(std::ranges::borrowed_range<Array>,
                "apsp: this view would refer to the elements of a temporary; keep the array in a "
                "variable that outlives the view");
  using value_type = std::remove_cv_t<std::ranges::range_value_t<Array>>;
};
template <class Array>
using viewed_value_t = typename viewed_array<Array>::value_type;

}  // namespace apsp::inline v1::detail
