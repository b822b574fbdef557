// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace apsp::inline v1::detail::host {

/// Blocks of entries that are dropped in the reverse order of their making. A pointer to a block is
/// valid until another one is made.
template <class T>
class entry_stack {
 public:
  T* push(std::size_t count) {
    if (entries_.size() < size_ + count) entries_.resize(std::max(size_ + count, 2 * size_));
    size_ += count;
    return entries_.data() + size_ - count;
  }
  /// The block that was made last, of @p count entries.
  const T* last(std::size_t count) const { return entries_.data() + size_ - count; }
  void drop_last(std::size_t count) { size_ -= count; }

 private:
  std::vector<T> entries_;
  std::size_t size_ = 0;
};

}  // namespace apsp::inline v1::detail::host
