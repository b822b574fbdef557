// SPDX-License-Identifier: BSL-1.0
#include "number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <system_error>
#include <type_traits>

#ifndef __cpp_lib_to_chars
#include <clocale>
#include <cstdlib>
#if __has_include(<xlocale.h>)
#include <xlocale.h>
#endif
#endif

#include "../../apsp/unreachable.hpp"
#include "../../detail/values/weight_types.hpp"

namespace apsp::inline v1::detail {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Fortran programs write a plus sign, which std::from_chars does not accept.
std::string_view without_plus(std::string_view token) {
  const bool has_plus =
      token.size() > 1 && token[0] == '+' && (is_digit(token[1]) || token[1] == '.');
  return has_plus ? token.substr(1) : token;
}

using std::from_chars;

#ifndef __cpp_lib_to_chars
// For standard libraries that have std::from_chars of integers alone, such as libc++ before version
// 20. The C library takes more: white space, a plus sign and hexadecimal numbers. An overflow gives
//     infinity, an
// underflow 0.
template <class T>
  requires std::is_floating_point_v<T>
std::from_chars_result from_chars(const char* first, const char* last, T& value) {
  static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", nullptr);
  const std::string text(first, last);
  const std::string_view digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
  const bool is_of_c_alone = digits.empty() || digits[0] == '+' || digits[0] <= ' ' ||
                             digits.starts_with("0x") || digits.starts_with("0X");
  if (is_of_c_alone) return {first, std::errc::invalid_argument};
  char* stop = nullptr;
  if constexpr (std::is_same_v<T, float>) {
    value = strtof_l(text.c_str(), &stop, c_locale);
  } else {
    static_assert(std::is_same_v<T, double>);
    value = strtod_l(text.c_str(), &stop, c_locale);
  }
  if (stop == text.c_str()) return {first, std::errc::invalid_argument};
  return {first + (stop - text.c_str()), std::errc()};
}
#endif

template <class T>
number<T> from_whole(std::string_view token) {
  number<T> result;
  const char* const end = token.data() + token.size();
  const auto [stop, error] = from_chars(token.data(), end, result.value);
  if (stop != end || error == std::errc::invalid_argument) {
    result.status = number_status::malformed;
  } else if (error != std::errc()) {
    result.status = number_status::out_of_range;
  }
  return result;
}

// The parts of a decimal number.
struct decimal {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
  std::string_view exponent;
};

std::string_view take_digits(std::string_view& rest) {
  const auto length =
      static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_digit) - rest.begin());
  const std::string_view digits = rest.substr(0, length);
  rest.remove_prefix(length);
  return digits;
}

// Returns false if the token is not a decimal number.
bool take_apart(std::string_view token, decimal& parts) {
  if (token.starts_with('-')) {
    parts.negative = true;
    token.remove_prefix(1);
  }
  parts.whole = take_digits(token);
  if (token.starts_with('.')) {
    token.remove_prefix(1);
    parts.fraction = take_digits(token);
  }
  if (parts.whole.empty() && parts.fraction.empty()) return false;
  if (token.starts_with('e') || token.starts_with('E')) {
    parts.exponent = without_plus(token.substr(1));
    std::string_view digits = parts.exponent;
    if (digits.starts_with('-')) digits.remove_prefix(1);
    if (digits.empty()) return false;
    take_digits(digits);
    return digits.empty();
  }
  return token.empty();
}

// Parses an integer that is written with a point or an exponent. A floating-point type would round
// it, so the digits without point and exponent are collected and parsed.
template <class T>
number<T> parse_decimal_integer(std::string_view token) {
  decimal parts;
  if (!take_apart(token, parts)) return {T(), number_status::malformed};

  // The digits from `first` to `last` exclude zeros at both ends. The value is
  // 0.DIGITS * 10^magnitude.
  const std::size_t total = parts.whole.size() + parts.fraction.size();
  const auto digit = [&](std::size_t i) {
    return i < parts.whole.size() ? parts.whole[i] : parts.fraction[i - parts.whole.size()];
  };
  std::size_t first = 0;
  while (first < total && digit(first) == '0') ++first;
  if (first == total) return {};
  std::size_t last = total;
  while (digit(last - 1) == '0') --last;

  // The bound exceeds the exponent of any integer, and prevents overflow of the sum below.
  constexpr std::int64_t exponent_bound = std::int64_t{1} << 60;
  std::int64_t exponent = 0;
  if (!parts.exponent.empty()) {
    const number<std::int64_t> parsed = from_whole<std::int64_t>(parts.exponent);
    const bool huge = parsed.status != number_status::ok;
    exponent = !huge ? std::clamp(parsed.value, -exponent_bound, exponent_bound)
               : parts.exponent.starts_with('-') ? -exponent_bound
                                                 : exponent_bound;
  }
  const std::int64_t magnitude =
      exponent + static_cast<std::int64_t>(parts.whole.size()) - static_cast<std::int64_t>(first);
  if (magnitude < static_cast<std::int64_t>(last - first)) return {T(), number_status::fractional};
  constexpr std::int64_t max_digits = std::numeric_limits<T>::digits10 + 1;
  if (magnitude > max_digits) return {T(), number_status::out_of_range};

  std::array<char, max_digits + 1> written;
  char* out = written.data();
  if (parts.negative) *out++ = '-';
  for (std::size_t i = first; i < last; ++i) *out++ = digit(i);
  out = std::fill_n(out, magnitude - static_cast<std::int64_t>(last - first), '0');
  return from_whole<T>({written.data(), static_cast<std::size_t>(out - written.data())});
}

template <class T>
number<T> parse_integral_weight(std::string_view token) {
  number<T> result = from_whole<T>(token);
  if (result.status == number_status::malformed) result = parse_decimal_integer<T>(token);
  // As a weight, this value means that there is no edge.
  if (result.value == unreachable<T>) result.status = number_status::out_of_range;
  return result;
}

template <class T>
number<T> parse_floating_weight(std::string_view token) {
  number<T> result = from_whole<T>(token);
  if (result.status != number_status::ok) return result;
  // Some standard libraries report overflow and underflow as errors, others round, so the value is
  // tested. "inf" and "nan" contain no digit; a number that overflows does.
  if (!std::isfinite(result.value)) {
    result.status = std::any_of(token.begin(), token.end(), is_digit) ? number_status::out_of_range
                                                                      : number_status::not_finite;
  } else if (result.value == 0) {
    const std::string_view mantissa = token.substr(0, token.find_first_of("eE"));
    if (mantissa.find_first_of("123456789") != std::string_view::npos) {
      result.status = number_status::out_of_range;
    }
  }
  return result;
}

}  // namespace

number<std::int64_t> parse_integer(std::string_view token) {
  return from_whole<std::int64_t>(without_plus(token));
}

template <class W>
number<W> parse_weight(std::string_view token) {
  token = without_plus(token);
  if constexpr (std::is_integral_v<W>) {
    return parse_integral_weight<W>(token);
  } else {
    return parse_floating_weight<W>(token);
  }
}

#define APSP_PARSE_WEIGHT(W) template number<W> parse_weight<W>(std::string_view);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_PARSE_WEIGHT)
#undef APSP_PARSE_WEIGHT

}  // namespace apsp::inline v1::detail
