// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "../timing.hpp"
#include "report.hpp"

// How long calls take that may be long.
namespace studies {

/// Sets the seconds and calls of @p l to those of @p call(), which gives its own seconds: the median of
/// as many as fit into a part of the limit, after one that warms up; if that one is long, its own.
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
  l.seconds = timing::upper_median(seconds);
  l.calls = seconds.size();
}

/// The same of @p call(count), which solves for that many of @p n sources: all of them where the limit
/// and @p most_sources, which is what memory holds, allow, else as many as they do, @p first at least,
/// scaled up.
template <class Call>
void time_sources(line& l, const settings& s, std::size_t n, std::size_t first,
                  std::size_t most_sources, Call call) {
  std::size_t count = std::min({n, first, most_sources});
  double elapsed = call(count);
  const auto whole = [&] { return elapsed * static_cast<double>(n) / static_cast<double>(count); };
  while (count < n && (n > most_sources || whole() > s.limit)) {
    if (4 * count > std::min(n, most_sources) || 8 * elapsed > s.limit) {
      time_calls(l, s, [&] { return call(count); });
      l.seconds *= static_cast<double>(n) / static_cast<double>(count);
      l.estimated = estimate::from_sources;
      return;
    }
    count *= 4;
    elapsed = call(count);
  }
  time_calls(l, s, [&] { return call(n); });
}

/// The times of a label from one number of vertices to the next. What would take longer than the limit
/// is scaled up by the number of relaxations.
class cubic_growth {
 public:
  /// Whether @p n vertices would take longer; then it sets the seconds of @p l.
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
