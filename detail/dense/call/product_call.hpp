// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../../../apsp/result.hpp"
#include "../../../apsp/semiring.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../values/computed_type.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/int128.hpp"
#include "../../values/weight.hpp"

// The product of two matrices: chooses the type in which it is computed. `host_product`,
// `device_product` and `distributed_product`, where the matrices are, read them, solve and write
// the result.
namespace apsp::inline v1::detail {

/// @throws std::invalid_argument with the position (i, j) of a matrix entry.
[[noreturn]] inline void throw_entry_fault(std::size_t i, std::size_t j, const char* fault) {
  throw std::invalid_argument("apsp: entry (" + std::to_string(i) + ", " + std::to_string(j) +
                              ") of a matrix of a product is " + fault);
}

/// The text for an entry with that fault.
constexpr const char* words_of(edge_fault fault) {
  switch (fault) {
    case edge_fault::not_a_number:
      return "NaN";
    case edge_fault::range:
      return "out of the range of the result";
    default:
      return "no value of this semiring";
  }
}

/// Properties of a matrix that are needed before it is multiplied. The magnitude is read of
/// integers alone, over the entries that are not `unreachable`.
struct operand_range {
  int128 largest_magnitude = 0;
  bool has_unreachable = false;
};

struct operand_ranges {
  operand_range left;
  operand_range right;
  operand_range result;
  /// True if no entry is known to be below zero; of integers in host memory, which are not
  /// inspected for it, always true.
  bool nonnegative = true;
};

/// The code in which a product of integers is computed, or nothing if a sum might not fit C.
///
/// With U = max / 2 for unreachable, U + U does not wrap, and the sum of U and any other entry
/// stays above every sum of two reachable entries.
template <class C>
std::optional<distance_code<C>> choose_product_code(const operand_ranges& found) {
  const int128 u = largest_value<C>() / 2;
  const int128 left = found.left.largest_magnitude;
  const int128 right = found.right.largest_magnitude;
  const int128 from = u - std::max(left, right);
  if (left + right >= from || found.result.largest_magnitude >= from) return std::nullopt;
  return distance_code<C>{static_cast<C>(u), C{}, static_cast<C>(from)};
}

/// Values that need no code: `zero` means that there is no path.
template <class T>
struct uncoded {
  T unreachable;
};

/// Calls f(code) with the code of the narrowest type, at least as wide as T, that holds every sum.
template <class T, class F>
void with_product_code(const operand_ranges& found, F f) {
  if constexpr (sizeof(T) <= sizeof(std::int32_t)) {
    if (const auto code = choose_product_code<std::int32_t>(found)) return f(*code);
    f(*choose_product_code<std::int64_t>(found));
  } else {
    // Unsigned entries may be larger than every code of 64 bits.
    if (const auto code = choose_product_code<std::int64_t>(found)) return f(*code);
    f(*choose_product_code<int128>(found));
  }
}

/// c = plus(c, a times b), for matrices whose shapes match. Operands is `host_product`,
/// `device_product` or, on several processes, `distributed_product`.
template <class S, class Operands>
result product_call(const S& semiring, Operands&& operands) {
  using T = typename S::value_type;
  const operand_ranges found = operands.check_entries(semiring);
  result done(operands.name(), algorithm::product);
  if (operands.is_empty()) {
    if (operands.stop_requested()) done.set_stopped();
    return done;
  }
  if constexpr (is_min_plus<S> && std::is_integral_v<T>) {
    with_product_code<T>(found, [&]<class C>(const distance_code<C>& code) {
      operands.watch().note_type(type_name<C>(), "it holds the sums of the largest entries");
      operands.multiply(min_plus<C>{}, code, found, done);
    });
  } else {
    operands.watch().note_type(type_name<T>(), type_of_the_result);
    operands.multiply(semiring, uncoded<T>{static_cast<T>(semiring.zero)}, found, done);
  }
  return done;
}

}  // namespace apsp::inline v1::detail
