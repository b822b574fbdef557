// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "int128.hpp"

// How amounts at vertices are added up, by their distances from a source.
namespace apsp::inline v1::detail {

enum class decay_kind { step, exponential, power, linear, gaussian };

/// For e^x = 2^k e^r: the range of x, and a minimax polynomial of degree 10 for e^r. An object of
/// it is a constant in a kernel, too.
struct decay_exponents {
  double least = -708;
  double most = 709;
  double log2_of_e = 0x1.71547652b82fep0;
  double shift = 0x1.8p52;            ///< Rounds, and leaves k in the lowest bits.
  double log_of_2 = 0x1.62e42feep-1;  ///< Without the bits that k needs.
  double log_of_2_low = 0x1.a39ef35793c76p-33;
  double coefficients[11] = {  // The highest power first.
      0x1.2727a0b116cfap-22,
      0x1.72f993a8699bap-19,
      0x1.a01b6d068fbd3p-16,
      0x1.a0197a40e29acp-13,
      0x1.6c16c0c09358bp-10,
      0x1.1111112d4dc0ep-7,
      0x1.5555555593488p-5,
      0x1.555555554bbeap-3,
      0x1.ffffffffffe17p-2,
      0x1.000000000001dp+0,
      1};
};

/// The share of an amount that counts at a distance.
struct decay_rule {
  decay_kind kind;
  double parameter;  ///< The rate, the exponent, or the inverse of the cutoff or the deviation.
  double nearest;    ///< Shorter distances count as this one.

  APSP_HOST_DEVICE double share(double d) const {
    switch (kind) {
      case decay_kind::step:
        break;
      case decay_kind::exponential:
        return exp(-parameter * d);
      case decay_kind::power: {
        const double x = d < nearest ? nearest : d;
        return 0 < x ? exp(-parameter * log(x)) : 0;
      }
      case decay_kind::linear: {
        const double left = 1 - d * parameter;
        return 0 < left ? left : 0;
      }
      case decay_kind::gaussian: {
        const double x = d * parameter;
        return exp(-0.5 * x * x);
      }
    }
    return 1;
  }
};

/// The sums that a call wants for each source: of each column of amounts, within each limit.
template <class T>
struct weighed_amounts {
  decay_rule rule;
  std::size_t num_columns;
  /// Of all vertices, one column after another.
  std::span<const double> amounts;
  /// The largest distances that count.
  std::vector<T> limits;

  std::size_t num_sums() const { return num_columns * limits.size(); }
  /// The column and the limit of sum j.
  std::size_t column_of(std::size_t j) const { return j / limits.size(); }
  const T& limit_of(std::size_t j) const { return limits[j % limits.size()]; }
};

/// The same for distances that are computed in C, which holds all distances of the call.
template <class C, class T>
weighed_amounts<C> amounts_as(const weighed_amounts<T>& given, const std::optional<T>& cutoff) {
  weighed_amounts<C> made{given.rule, given.num_columns, given.amounts, {}};
  for (const T& limit : given.limits) {
    const T least = cutoff && *cutoff < limit ? *cutoff : limit;
    constexpr C largest = std::is_floating_point_v<C> ? std::numeric_limits<C>::max()
                                                      : static_cast<C>(unreachable<C> - 1);
    if constexpr (std::is_integral_v<C>) {
      made.limits.push_back(int128(least) < int128(largest) ? static_cast<C>(least) : largest);
    } else {
      made.limits.push_back(least < static_cast<T>(largest) ? static_cast<C>(least) : largest);
    }
  }
  return made;
}

}  // namespace apsp::inline v1::detail
