// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <exception>

namespace apsp::detail::host {

/// Keeps the first exception that any of several threads throws, until they have come together.
class first_exception {
 public:
  /// Calls action(); what it throws stays here.
  template <class Action>
  void guard(Action action) noexcept {
    try {
      action();
    } catch (...) {
      if (!claimed_.exchange(true, std::memory_order_relaxed)) thrown_ = std::current_exception();
    }
  }

  /// True if something has been thrown: then there is no point in going on.
  bool has_failed() const noexcept { return claimed_.load(std::memory_order_relaxed); }

  /// To be called by one thread, after all others have ended.
  void rethrow() const {
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
  }

 private:
  std::atomic<bool> claimed_ = false;
  std::exception_ptr thrown_;
};

}  // namespace apsp::detail::host
