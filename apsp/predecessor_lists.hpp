// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace apsp::inline v1 {

/// All predecessors of each of n vertices on the shortest paths from one source, in compressed
/// form: those of vertex v are the entries `offsets()[v]` to `offsets()[v + 1] - 1` of
/// `predecessors()`. The source and vertices that it does not reach have none.
class predecessor_lists_view {
 public:
  /// No vertices.
  predecessor_lists_view() = default;
  /// @param offsets       n + 1 entries that do not decrease, from 0 to the number of predecessors.
  /// @param predecessors  vertices below n.
  predecessor_lists_view(std::size_t source, std::span<const std::int64_t> offsets,
                         std::span<const std::int32_t> predecessors) noexcept
      : source_(source), offsets_(offsets), predecessors_(predecessors) {}

  std::size_t source() const noexcept { return source_; }
  /// The number of vertices.
  std::size_t size() const noexcept { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  /// The predecessors of vertex @p v, which must be below n.
  std::span<const std::int32_t> operator[](std::size_t v) const noexcept {
    const auto begin = static_cast<std::size_t>(offsets_[v]);
    const auto end = static_cast<std::size_t>(offsets_[v + 1]);
    return predecessors_.subspan(begin, end - begin);
  }
  std::span<const std::int64_t> offsets() const noexcept { return offsets_; }
  std::span<const std::int32_t> predecessors() const noexcept { return predecessors_; }

 private:
  std::size_t source_ = 0;
  std::span<const std::int64_t> offsets_;
  std::span<const std::int32_t> predecessors_;
};

/// The same with arrays of its own, to be kept.
struct predecessor_lists {
  std::size_t source = 0;
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> predecessors;

  predecessor_lists() = default;
  explicit predecessor_lists(const predecessor_lists_view& lists)
      : source(lists.source()),
        offsets(lists.offsets().begin(), lists.offsets().end()),
        predecessors(lists.predecessors().begin(), lists.predecessors().end()) {}

  predecessor_lists_view view() const& noexcept { return {source, offsets, predecessors}; }
  predecessor_lists_view view() && = delete;
};

}  // namespace apsp::inline v1
