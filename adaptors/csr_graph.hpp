// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace apsp {

/// A directed graph in compressed sparse rows that owns its arrays: what the file readers return.
///
/// The arcs that leave vertex u are those at positions `offsets()[u]` to `offsets()[u + 1] - 1` of
/// `targets()` and `weights()`. Parallel edges and self-loops are kept.
template <class Weight>
class csr_graph {
 public:
  using weight_type = Weight;

  struct arc {
    std::int32_t source;
    std::int32_t target;
    Weight weight;
  };

  /// No vertices.
  csr_graph() : offsets_(1, 0) {}

  /// @param num_vertices  n; sources and targets of @p arcs lie in [0, n).
  /// Arcs of one source keep their order. Complexity: O(n + m).
  csr_graph(std::size_t num_vertices, std::span<const arc> arcs)
      : offsets_(num_vertices + 1, 0), targets_(arcs.size()), weights_(arcs.size()) {
    for (const arc& a : arcs) ++offsets_[static_cast<std::size_t>(a.source) + 1];
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    std::vector<std::int64_t> next(offsets_.begin(), offsets_.end() - 1);
    for (const arc& a : arcs) {
      const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(a.source)]++);
      targets_[place] = a.target;
      weights_[place] = a.weight;
    }
  }

  std::size_t num_vertices() const noexcept { return offsets_.size() - 1; }
  /// Arcs; an undirected edge counts twice.
  std::size_t num_edges() const noexcept { return targets_.size(); }

  std::span<const std::int64_t> offsets() const noexcept { return offsets_; }
  std::span<const std::int32_t> targets() const noexcept { return targets_; }
  std::span<const Weight> weights() const noexcept { return weights_; }

 private:
  std::vector<std::int64_t> offsets_;
  std::vector<std::int32_t> targets_;
  std::vector<Weight> weights_;
};

}  // namespace apsp
