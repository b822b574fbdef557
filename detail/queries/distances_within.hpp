// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/result.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/checks.hpp"
#include "../graph/sources.hpp"
#include "../per_source/calls.hpp"
#include "../per_source/delivery/outputs.hpp"
#include "../values/not_a_number.hpp"

// Distances within a limit, in compressed sparse rows.
namespace apsp::inline v1::detail {

/// Collects the entries of rows that have a distance.
template <class T>
class near_output final : public row_output<T> {
 public:
  near_output(std::size_t num_rows, std::size_t num_vertices)
      : row_output<T>(false, {}, true), rows_(num_rows), num_vertices_(num_vertices) {}

  T* distances(std::size_t) override { return nullptr; }
  std::int32_t* predecessors(std::size_t) override { return nullptr; }

  // Rows come twice if rounding kept the first algorithm from terminating.
  void write(std::size_t row, std::size_t, const T* distances, const std::int32_t*) override {
    const auto count = static_cast<std::size_t>(std::count_if(
        distances, distances + num_vertices_, [](const T& d) { return !equals_unreachable(d); }));
    near_row made(count);
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      if (!equals_unreachable(distances[v])) made.add(static_cast<std::int32_t>(v), distances[v]);
    }
    rows_[row] = std::move(made);
  }
  void write_reached(std::size_t row, std::size_t, std::span<reached_vertex<T>> reached) override {
    std::sort(reached.begin(), reached.end(),
              [](const auto& a, const auto& b) { return a.vertex < b.vertex; });
    const auto end = std::unique(reached.begin(), reached.end(),
                                 [](const auto& a, const auto& b) { return a.vertex == b.vertex; });
    near_row made(static_cast<std::size_t>(end - reached.begin()));
    for (auto r = reached.begin(); r != end; ++r) made.add(r->vertex, r->distance);
    rows_[row] = std::move(made);
  }

  /// Moves all rows into arrays; each row is released when it has been copied.
  void move_to(std::vector<std::int64_t>& offsets, std::vector<std::int32_t>& targets,
               std::vector<T>& distances) {
    offsets.assign(1, 0);
    offsets.reserve(rows_.size() + 1);
    for (const near_row& row : rows_) {
      offsets.push_back(offsets.back() + static_cast<std::int64_t>(row.targets.size()));
    }
    targets.reserve(static_cast<std::size_t>(offsets.back()));
    distances.reserve(static_cast<std::size_t>(offsets.back()));
    for (near_row& row : rows_) {
      targets.insert(targets.end(), row.targets.begin(), row.targets.end());
      distances.insert(distances.end(), row.distances.begin(), row.distances.end());
      row = near_row();
    }
  }

 private:
  struct near_row {
    near_row() = default;
    explicit near_row(std::size_t count) {
      targets.reserve(count);
      distances.reserve(count);
    }
    void add(std::int32_t target, const T& distance) {
      targets.push_back(target);
      distances.push_back(distance);
    }
    std::vector<std::int32_t> targets;
    std::vector<T> distances;
  };

  std::vector<near_row> rows_;
  std::size_t num_vertices_;
};

/// @tparam Result  a `sparse_distances<T>`.
template <class Result, class T, class Policy, class Graph, class Sources>
Result find_distances_within(const Policy& policy, const Graph& g, long double limit,
                             const Sources& sources) {
  constexpr bool in_host_memory = !device_resident<Graph>;
  static_assert(in_host_memory, "apsp: distances_within takes a graph in host memory");
  if constexpr (in_host_memory) {
    auto bounded = policy.cutoff(limit);
    if (policy.cutoff() && *policy.cutoff() < limit) bounded = policy.cutoff(*policy.cutoff());
    const std::size_t n = check_graph<T>(g);
    const auto list = list_sources(g, n, sources);
    near_output<T> output(list.size(), n);
    Result made(per_source(bounded, request_of(bounded), g, list, output));
    if (made) {
      output.move_to(made.offsets, made.targets, made.distances);
    } else {
      made.offsets.assign(list.size() + 1, 0);
    }
    return made;
  }
}

}  // namespace apsp::inline v1::detail
