// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <exception>

namespace apsp::inline v1::detail::host {

/// Keeps the first exception thrown by any of several threads until the threads join.
class first_exception {
 public:
  /// Calls action() and catches what it throws.
  template <class Action>
  void guard(Action action) noexcept {
    try {
      action();
    } catch (...) {
      if (!claimed_.exchange(true, std::memory_order_relaxed)) thrown_ = std::current_exception();
    }
  }

  /// True if an exception has been thrown: continuing is then pointless.
  bool has_failed() const noexcept { return claimed_.load(std::memory_order_relaxed); }

  /// To be called by one thread, after all others have finished.
  void rethrow() const {
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
  }

 private:
  std::atomic<bool> claimed_ = false;
  std::exception_ptr thrown_;
};

}  // namespace apsp::inline v1::detail::host
