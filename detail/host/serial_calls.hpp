// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <exception>
#include <mutex>

namespace apsp::detail {

/// What several threads call of the user's: one call at a time, and none after one that throws.
class serial_calls {
 public:
  /// Calls call() when it is its turn. What it throws comes out here, and out of every later run.
  template <class Call>
  void run(Call call) {
    const std::lock_guard lock(mutex_);
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
    try {
      call();
    } catch (...) {
      thrown_ = std::current_exception();
      throw;
    }
  }

 private:
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

}  // namespace apsp::detail
