// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <version>

#include "config.hpp"

#ifdef __cpp_lib_jthread
#include <stop_token>
#else
#include <atomic>
#include <memory>
#include <utility>
#endif

namespace apsp::inline v1 {

#ifdef __cpp_lib_jthread

/// What `policy.stop` takes, and what makes it: those of the standard library.
using std::stop_source;
using std::stop_token;

#else

// For standard libraries without <stop_token>, such as libc++ before version 20: the part of
// std::stop_token and std::stop_source that calls need. Calls ask for a stop from time to time, so
// there are no callbacks.

/// Tells whether a stop was requested. Copies belong to the same `stop_source`.
class stop_token {
 public:
  /// A token of no source: no stop can be requested.
  stop_token() noexcept = default;

  [[nodiscard]] bool stop_requested() const noexcept {
    return is_requested_ != nullptr && is_requested_->load(std::memory_order_acquire);
  }
  /// False for a token of no source. Unlike that of std::stop_token, it remains true after the
  /// source was destroyed.
  [[nodiscard]] bool stop_possible() const noexcept { return is_requested_ != nullptr; }

  friend bool operator==(const stop_token&, const stop_token&) = default;

 private:
  friend class stop_source;
  explicit stop_token(std::shared_ptr<const std::atomic<bool>> is_requested)
      : is_requested_(std::move(is_requested)) {}

  std::shared_ptr<const std::atomic<bool>> is_requested_;
};

/// Requests a stop of the calls that were given its tokens. Copies make the same request. Any
/// thread may call it at any time.
class stop_source {
 public:
  stop_source() : is_requested_(std::make_shared<std::atomic<bool>>(false)) {}

  [[nodiscard]] stop_token get_token() const noexcept { return stop_token(is_requested_); }
  /// True if this call is the first to request the stop.
  bool request_stop() const noexcept {
    return is_requested_ != nullptr && !is_requested_->exchange(true, std::memory_order_acq_rel);
  }
  [[nodiscard]] bool stop_requested() const noexcept { return get_token().stop_requested(); }
  [[nodiscard]] bool stop_possible() const noexcept { return is_requested_ != nullptr; }

  friend bool operator==(const stop_source&, const stop_source&) = default;

 private:
  std::shared_ptr<std::atomic<bool>> is_requested_;
};

#endif

}  // namespace apsp::inline v1
