// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "../common/timing.hpp"
#include "report.hpp"

// Measurements of calls that may be long.
namespace studies {

/// Sets the seconds and calls of @p l to those of @p call(), which returns its seconds: the median
/// of several calls after a warm-up call, or only that call if it takes more than an eighth of the
/// limit.
template <class Call>
void time_calls(line& l, const settings& s, Call call) {
  constexpr double part_for_repeats = 0.25;
  const double first = call();
  std::vector<double> seconds;
  for (double used = first;
       static_cast<int>(seconds.size()) < s.repeat && used + first < part_for_repeats * s.limit;) {
    seconds.push_back(call());
    used += seconds.back();
  }
  if (seconds.empty()) seconds.push_back(first);
  l.seconds = timing::median(seconds);
  l.calls = seconds.size();
}

/// A line is right if all of its calls were right.
inline void join(verdict& of_line, verdict of_call) {
  if (of_line != verdict::wrong) of_line = of_call;
}

/// The line through the times of two numbers of sources, to estimate others. The part of the time
/// that does not depend on the sources is not scaled.
class sources_slope {
 public:
  /// Replaces the last time if @p count is the same.
  void add(std::size_t count, double seconds) {
    if (count != count_) {
      fewer_ = std::exchange(count_, count);
      before_ = seconds_;
    }
    seconds_ = seconds;
  }
  bool has_two() const { return fewer_ != 0; }
  double at(std::size_t count) const {
    const auto more = static_cast<double>(count) - static_cast<double>(count_);
    const double each = has_two() ? (seconds_ - before_) /
                                        (static_cast<double>(count_) - static_cast<double>(fewer_))
                                  : 0;
    // With one number of sources, or without a positive slope, the time is proportional to the
    // sources.
    return seconds_ + more * (each > 0 ? each : seconds_ / static_cast<double>(count_));
  }

 private:
  std::size_t fewer_ = 0;
  std::size_t count_ = 0;
  double before_ = 0;
  double seconds_ = 0;
};

/// Measures @p call(count), which solves for that many of @p n sources: all of them if the limit
/// and
/// @p most_sources, the maximum in memory, permit it. Otherwise it solves for as many as permitted,
/// at least
/// @p first, and estimates the time of all.
template <class Call>
void time_sources(line& l, const settings& s, std::size_t n, std::size_t first,
                  std::size_t most_sources, Call call) {
  constexpr std::size_t growth = 4;
  const std::size_t most = std::min(n, most_sources);
  std::size_t count = std::min(first, most);
  sources_slope slope;
  slope.add(count, call(count));
  while (count < n && (n > most || slope.at(n) > s.limit)) {
    if (growth * count > most || 2 * slope.at(growth * count) > s.limit) {
      // Not the first call, which also warms up.
      if (count > 1) slope.add(count / 2, call(count / 2));
      time_calls(l, s, [&] { return call(count); });
      slope.add(count, l.seconds);
      l.seconds = slope.at(n);
      l.estimated = estimate::from_sources;
      return;
    }
    count *= growth;
    slope.add(count, call(count));
  }
  time_calls(l, s, [&] { return call(n); });
}

/// The times of a label for increasing numbers of vertices. A time beyond the limit is estimated
/// from the number of relaxations.
class cubic_growth {
 public:
  /// Returns whether @p n vertices would exceed the limit, and sets the seconds of @p l in that
  /// case.
  bool estimates(line& l, const settings& s, std::size_t n) const {
    if (n_ == 0) return false;
    const double growth = std::pow(static_cast<double>(n) / static_cast<double>(n_), 3);
    if (seconds_ * growth <= s.limit) return false;
    l.seconds = seconds_ * growth;
    l.estimated = estimate::from_vertices;
    l.calls = 0;
    return true;
  }
  void measured(const line& l, std::size_t n) {
    n_ = n;
    seconds_ = l.seconds;
  }

 private:
  std::size_t n_ = 0;
  double seconds_ = 0;
};

}  // namespace studies
