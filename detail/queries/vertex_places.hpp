// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace apsp::inline v1::detail {

/// The distinct vertices of a list, in ascending order, and the places of each of them in the list.
class vertex_places {
 public:
  /// @param n  the vertices of the list are below it.
  /// Complexity: O(k log k) for k vertices, or O(k + n) if they are many.
  vertex_places(std::span<const std::int32_t> list, std::size_t n) : places_(list.size()) {
    constexpr std::size_t vertices_per_comparison = 16;
    if (list.size() >= n / vertices_per_comparison) {
      sort_by_counting(list, n);
    } else {
      sort_by_comparing(list);
    }
  }

  std::span<const std::int32_t> vertices() const { return vertices_; }
  /// Where in the list vertex number @p i of `vertices()` is.
  std::span<const std::size_t> places_of(std::size_t i) const {
    return std::span(places_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }

 private:
  void sort_by_comparing(std::span<const std::int32_t> list) {
    std::iota(places_.begin(), places_.end(), std::size_t{0});
    std::sort(places_.begin(), places_.end(), [&](std::size_t i, std::size_t j) {
      return std::pair(list[i], i) < std::pair(list[j], j);
    });
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const std::int32_t v = list[places_[i]];
      if (!vertices_.empty() && vertices_.back() == v) continue;
      vertices_.push_back(v);
      begins_.push_back(i);
    }
    begins_.push_back(places_.size());
  }
  void sort_by_counting(std::span<const std::int32_t> list, std::size_t n) {
    std::vector<std::size_t> next(n + 1);
    for (const std::int32_t v : list) ++next[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 0; v < n; ++v) {
      if (next[v + 1] != 0) {
        vertices_.push_back(static_cast<std::int32_t>(v));
        begins_.push_back(next[v]);
      }
      next[v + 1] += next[v];
    }
    begins_.push_back(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      places_[next[static_cast<std::size_t>(list[i])]++] = i;
    }
  }

  std::vector<std::size_t> places_;
  std::vector<std::int32_t> vertices_;
  std::vector<std::size_t> begins_;
};

}  // namespace apsp::inline v1::detail
