// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace apsp::detail {

/// The distinct vertices of a list, in ascending order, and the places of each of them in the list.
class vertex_places {
 public:
  /// Complexity: O(k log k) for k vertices.
  explicit vertex_places(std::span<const std::int32_t> list) : places_(list.size()) {
    std::iota(places_.begin(), places_.end(), std::size_t{0});
    std::sort(places_.begin(), places_.end(),
              [&](std::size_t i, std::size_t j) { return list[i] < list[j]; });
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const std::int32_t v = list[places_[i]];
      if (!vertices_.empty() && vertices_.back() == v) continue;
      vertices_.push_back(v);
      begins_.push_back(i);
    }
    begins_.push_back(places_.size());
  }

  std::span<const std::int32_t> vertices() const { return vertices_; }
  /// Where in the list vertex number @p i of `vertices()` is.
  std::span<const std::size_t> places_of(std::size_t i) const {
    return std::span(places_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }

 private:
  std::vector<std::size_t> places_;
  std::vector<std::int32_t> vertices_;
  std::vector<std::size_t> begins_;
};

}  // namespace apsp::detail
