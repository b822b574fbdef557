// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../detail/values/decay.hpp"
#include "../detail/values/not_a_number.hpp"

namespace apsp::inline v1 {

/// How much an amount counts at a distance, and up to which distances: made by the functions below.
/// Their parameters are in the unit of the distances.
/// @throws std::invalid_argument if a parameter is NaN or outside the range that the function
/// states.
class distance_decay {
 public:
  /// @param cutoffs  an amount counts once for each that is not below its distance.
  distance_decay(const detail::decay_rule& rule, std::vector<long double> cutoffs)
      : rule_(rule), cutoffs_(std::move(cutoffs)) {}

  const detail::decay_rule& rule() const noexcept { return rule_; }
  /// One for each sum; infinite if all distances count.
  const std::vector<long double>& cutoffs() const noexcept { return cutoffs_; }

 private:
  detail::decay_rule rule_;
  std::vector<long double> cutoffs_;
};

namespace detail {

inline double checked_parameter(long double value, bool may_be_0, const char* name) {
  const auto x = static_cast<double>(value);
  const auto is_finite = [](double y) { return kind_of_float(y) == float_kind::finite; };
  const bool is_in_range = is_finite(x) && (may_be_0 ? x >= 0 : x > 0 && is_finite(1 / x));
  if (!is_in_range) {
    throw std::invalid_argument("apsp: expected a finite " + std::string(name) +
                                (may_be_0 ? " of at least 0" : " above 0") + ", not " +
                                std::to_string(x));
  }
  return x;
}

inline constexpr long double no_cutoff = std::numeric_limits<long double>::infinity();

}  // namespace detail

/// Everything within a cutoff counts in full: the jobs within 30 minutes. With several cutoffs
/// there is a sum for each, in their order.
/// @param cutoffs  one or more, at least 0, may be infinite; distances equal to a cutoff are
/// within.
inline distance_decay within(std::vector<long double> cutoffs) {
  if (cutoffs.empty()) {
    throw std::invalid_argument("apsp: within: expected one cutoff or more, not none");
  }
  for (const long double cutoff : cutoffs) {
    if (detail::is_nan(cutoff) || cutoff < 0) {
      throw std::invalid_argument("apsp: within: expected cutoffs of at least 0, not " +
                                  std::to_string(cutoff));
    }
  }
  return {{detail::decay_kind::step, 0, 0}, std::move(cutoffs)};
}
inline distance_decay within(std::initializer_list<long double> cutoffs) {
  return within(std::vector<long double>(cutoffs));
}
inline distance_decay within(long double cutoff) {
  return within(std::vector{cutoff});
}

/// exp(-rate d).
/// @param rate  at least 0 and finite, as the parameters of the other decays below; it is for each
///              unit of the distances.
inline distance_decay exponential(double rate) {
  return {{detail::decay_kind::exponential,
           detail::checked_parameter(rate, true, "rate of an exponential decay"), 0},
          {detail::no_cutoff}};
}

/// max(d, nearest)^-exponent, the gravity model. If `nearest` is 0, distances of 0 and less add
/// nothing, as in `inverse_sum` of a summary.
/// @param exponent, nearest  at least 0
inline distance_decay power(double exponent, double nearest = 0) {
  return {{detail::decay_kind::power,
           detail::checked_parameter(exponent, true, "exponent of a power decay"),
           detail::checked_parameter(nearest, true, "least distance of a power decay")},
          {detail::no_cutoff}};
}

/// 1 - d / cutoff, down to 0.
/// @param cutoff  above 0
inline distance_decay linear(long double cutoff) {
  const double checked = detail::checked_parameter(cutoff, false, "cutoff of a linear decay");
  return {{detail::decay_kind::linear, 1 / checked, 0}, {cutoff}};
}

/// exp(-d^2 / (2 deviation^2)).
/// @param deviation  above 0
inline distance_decay gaussian(double deviation) {
  return {{detail::decay_kind::gaussian,
           1 / detail::checked_parameter(deviation, false, "deviation of a Gaussian decay"), 0},
          {detail::no_cutoff}};
}

}  // namespace apsp::inline v1
