// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace apsp::inline v1::detail::host {

/// The targets of a search, and which of them are settled.
class target_set {
 public:
  /// @param targets  vertices, which may repeat. If there are none, `are_settled` is never true.
  target_set(std::size_t num_vertices, std::span<const std::int32_t> targets)
      : is_open_(targets.empty() ? 0 : num_vertices, 0) {
    settled_.reserve(targets.size());
    for (const std::int32_t t : targets) settled_.push_back(static_cast<std::uint32_t>(t));
    restart();
    for (const char open : is_open_) num_targets_ += open != 0 ? 1 : 0;
  }

  /// Begins the next search. Complexity: O(number of targets settled by the last one).
  void restart() {
    for (const std::uint32_t v : settled_) is_open_[v] = 1;
    settled_.clear();
  }
  /// To be called when @p v is settled, or repeatedly.
  void settle(std::size_t v) {
    if (is_open_.empty() || is_open_[v] == 0) return;
    is_open_[v] = 0;
    settled_.push_back(static_cast<std::uint32_t>(v));
  }
  /// True if the search may end.
  bool are_settled() const { return num_targets_ != 0 && settled_.size() == num_targets_; }

 private:
  std::vector<char> is_open_;  ///< Empty if there are no targets.
  std::vector<std::uint32_t> settled_;
  std::size_t num_targets_ = 0;
};

}  // namespace apsp::inline v1::detail::host
