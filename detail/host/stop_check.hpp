// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "monitor.hpp"

namespace apsp::detail::host {

/// Polls for a stop request: often enough that a search in a huge graph ends within milliseconds,
/// and seldom enough to have no measurable overhead.
class stop_check {
 public:
  explicit stop_check(const monitor& watch) : watch_(watch) {}

  /// To be called after every vertex, with the number of its arcs. True if the solver is to stop.
  bool after(std::size_t arcs) {
    const std::size_t work = arcs + 1;
    if (work < left_) {
      left_ -= work;
      return false;
    }
    left_ = interval;
    return watch_.stop_requested();
  }

 private:
  // Relaxing an arc takes about 100 ns if it misses all caches.
  static constexpr std::size_t interval = std::size_t{1} << 16;

  const monitor& watch_;
  std::size_t left_ = interval;
};

}  // namespace apsp::detail::host
