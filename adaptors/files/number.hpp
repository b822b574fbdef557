// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string_view>

// Parsers of the numbers in graph files. A number must be a whole token.
namespace apsp::inline v1::detail {

enum class number_status { ok, malformed, fractional, not_finite, out_of_range };

template <class T>
struct number {
  T value = T();
  number_status status = number_status::ok;
};

/// Parses a decimal integer without fraction or exponent.
number<std::int64_t> parse_integer(std::string_view token);

/// Parses a weight. An integer @p W accepts any decimal number with an integral value, for example
/// "1.50e2". A number that rounds to infinity, or a nonzero number that rounds to zero, is
/// out of range.
template <class W>
number<W> parse_weight(std::string_view token);

}  // namespace apsp::inline v1::detail
