// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string_view>

// Numbers in graph files. They are read from a whole token, exactly or not at all.
namespace apsp::detail {

enum class number_status { ok, malformed, fractional, not_finite, out_of_range };

template <class T>
struct number {
  T value = T();
  number_status status = number_status::ok;
};

/// A decimal integer without fraction or exponent.
number<std::int64_t> parse_integer(std::string_view token);

/// A weight. An integer @p W takes any decimal number that is an integer, "1.50e2" for one. A
/// number that rounds to infinity is out of range, and so is one that is not zero and rounds to
/// zero.
template <class W>
number<W> parse_weight(std::string_view token);

}  // namespace apsp::detail
