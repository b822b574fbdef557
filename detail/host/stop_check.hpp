// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "monitor.hpp"

namespace apsp::inline v1::detail::host {

/// Polls for a stop request: often enough that a search in a huge graph ends within milliseconds,
/// and seldom enough to have no measurable overhead.
class stop_check {
 public:
  explicit stop_check(const monitor& watch) : watch_(&watch) {}
  /// @param watch  null if nobody requests a stop.
  explicit stop_check(const monitor* watch) : watch_(watch) {}

  /// To be called after every vertex, with the number of its arcs. True if the solver is to stop.
  bool after(std::size_t arcs) {
    const std::size_t work = arcs + 1;
    if (work < left_) {
      left_ -= work;
      return false;
    }
    left_ = interval;
    return watch_ != nullptr && watch_->stop_requested();
  }

 private:
  // Relaxing an arc takes about 100 ns if it misses all caches.
  static constexpr std::size_t interval = std::size_t{1} << 16;

  const monitor* watch_;
  std::size_t left_ = interval;
};

/// Leaves the loops of a call whose stop is requested.
struct stop_seen {};

/// Polls as often as `stop_check`, and throws `stop_seen` if the solver is to stop. Without a
/// monitor it never does. Threads need one each.
class stop_poll {
 public:
  explicit stop_poll(const monitor* watch)
      : check_(watch != nullptr && watch->is_observed() ? watch : nullptr) {}
  /// To be called after every vertex, with the number of its arcs.
  void after(std::size_t arcs) {
    if (check_.after(arcs)) throw stop_seen{};
  }

 private:
  stop_check check_;
};

}  // namespace apsp::inline v1::detail::host
