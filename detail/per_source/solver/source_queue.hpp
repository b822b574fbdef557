// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace apsp::inline v1::detail {

/// Deals the sources of a call out to its devices, batch by batch. Safe to use from several
/// threads.
class source_queue {
 public:
  /// @param num_sources  all of the call
  source_queue(std::size_t num_sources, std::size_t num_devices)
      : num_sources_(num_sources), num_devices_(num_devices) {}

  struct range {
    std::size_t first;
    std::size_t count;
  };
  /// At most @p most sources; none if all are taken.
  range take(std::size_t most) {
    const std::size_t first = next_.fetch_add(most, std::memory_order_relaxed);
    return first < num_sources_ ? range{first, std::min(most, num_sources_ - first)} : range{0, 0};
  }
  /// Leaves nothing to take.
  void close() { next_.store(num_sources_, std::memory_order_relaxed); }

  /// The most sources of a device if all have equally many.
  std::size_t share() const { return (num_sources_ + num_devices_ - 1) / num_devices_; }

 private:
  std::size_t num_sources_;
  std::size_t num_devices_;
  std::atomic<std::size_t> next_{0};
};

}  // namespace apsp::inline v1::detail
