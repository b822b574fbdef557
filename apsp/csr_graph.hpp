// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace apsp::inline v1 {

/// A directed graph that owns its compressed sparse rows; the result of the file readers.
///
/// The arcs that leave vertex u are at positions `offsets()[u]` to `offsets()[u + 1] - 1` of
/// `targets()` and `weights()`; a graph of n vertices has n + 1 offsets.
template <class W>
class csr_graph {
  static_assert(!std::is_same_v<W, bool>, "apsp::csr_graph: vector<bool> has no contiguous memory");

 public:
  using weight_type = W;

  /// An arc, from which a graph is built.
  struct arc {
    std::int32_t source;
    std::int32_t target;
    W weight;
  };

  /// The largest number of vertices, because targets are 32 bits wide.
  static constexpr std::size_t max_num_vertices = (std::numeric_limits<std::int32_t>::max)();

  /// A graph without vertices.
  csr_graph() : offsets_(1, 0) {}

  /// A graph of vertices 0 to @p num_vertices - 1. The arcs of each source keep their order;
  /// parallel arcs and self-loops are kept.
  ///
  /// @throws std::invalid_argument if there are more than `max_num_vertices` vertices, or an arc
  ///         endpoint is not a vertex.
  /// Complexity: linear in vertices and arcs, by a counting sort.
  csr_graph(std::size_t num_vertices, std::span<const arc> arcs) {
    if (num_vertices > max_num_vertices) {
      throw std::invalid_argument("apsp::csr_graph: more than 2^31 - 1 vertices");
    }
    offsets_.resize(num_vertices + 1);
    for (const arc& a : arcs) {
      if (!std::cmp_less(a.source, num_vertices) || !std::cmp_less(a.target, num_vertices) ||
          a.source < 0 || a.target < 0) {
        throw std::invalid_argument("apsp::csr_graph: arc " + std::to_string(a.source) + " -> " +
                                    std::to_string(a.target) + " is out of range: the graph has " +
                                    std::to_string(num_vertices) + " vertices");
      }
      ++offsets_[static_cast<std::size_t>(a.source) + 1];
    }
    for (std::size_t u = 0; u < num_vertices; ++u) offsets_[u + 1] += offsets_[u];

    targets_.resize(arcs.size());
    weights_.resize(arcs.size());
    std::vector<std::int64_t> next_position(offsets_.begin(), offsets_.end() - 1);
    for (const arc& a : arcs) {
      const auto k = static_cast<std::size_t>(next_position[static_cast<std::size_t>(a.source)]++);
      targets_[k] = a.target;
      weights_[k] = a.weight;
    }
  }

  // A moved-from graph has no offsets.
  std::size_t num_vertices() const noexcept { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  /// The number of arcs; an undirected edge between two vertices counts as two.
  std::size_t num_edges() const noexcept { return targets_.size(); }

  std::span<const std::int64_t> offsets() const noexcept { return offsets_; }
  std::span<const std::int32_t> targets() const noexcept { return targets_; }
  std::span<const W> weights() const noexcept { return weights_; }

  /// Equal if the vertices are equal, and the arcs are equal in order.
  friend bool operator==(const csr_graph& a, const csr_graph& b) {
    return a.offsets_ == b.offsets_ && a.targets_ == b.targets_ && a.weights_ == b.weights_;
  }

 private:
  std::vector<std::int64_t> offsets_;
  std::vector<std::int32_t> targets_;
  std::vector<W> weights_;
};

}  // namespace apsp::inline v1
