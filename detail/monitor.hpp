// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>

#include "../apsp/policy.hpp"

namespace apsp::detail {

/// What the solvers know of who watches their call. Safe to use from several threads.
class monitor {
 public:
  explicit monitor(const unobserved&) {}
  explicit monitor(const observer& watcher) : watcher_(&watcher) {}
  monitor(const monitor&) = delete;
  monitor& operator=(const monitor&) = delete;

  /// False if nobody watches: then a solver need not stop to look.
  bool is_observed() const { return watcher_ != nullptr; }

  bool stop_requested() const { return watcher_ != nullptr && watcher_->stop.stop_requested(); }

  /// Sets the number of steps of the call. A call that starts again starts from none.
  void begin(std::size_t total) {
    if (watcher_ == nullptr) return;
    const std::lock_guard lock(mutex_);
    total_ = total;
    done_ = 0;
  }

  /// Reports @p steps more steps as done.
  void advance(std::size_t steps) {
    if (watcher_ == nullptr || !watcher_->progress) return;
    const std::lock_guard lock(mutex_);
    done_ += steps;
    watcher_->progress(done_, total_);
  }

 private:
  const observer* watcher_ = nullptr;
  std::mutex mutex_;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
};

}  // namespace apsp::detail
