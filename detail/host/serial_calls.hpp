// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <exception>
#include <mutex>

namespace apsp::inline v1::detail {

/// Serializes calls of user-defined functions from several threads; makes no further calls after
/// one throws.
class serial_calls {
 public:
  /// Waits for its turn and calls call(). Rethrows its exception, here and in every later run.
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

}  // namespace apsp::inline v1::detail
