// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <optional>
#include <vector>

#include "../../../apsp/policy.hpp"
#include "../../../apsp/result.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../call/request.hpp"
#include "../../graph/adjacency.hpp"
#include "../../graph/sources.hpp"
#include "../../matrix/erased_matrix.hpp"
#include "../../matrix/part.hpp"
#include "../../per_source/call/call.hpp"
#include "../../per_source/delivery/outputs.hpp"
#include "../../values/cutoff.hpp"
#include "../../values/not_a_number.hpp"
#include "../../values/weight.hpp"
#include "../problem/matrix_source.hpp"

// A closure that is solved from each source, where rounding makes a cycle negative: the algorithms
// of matrices would follow that cycle.
namespace apsp::inline v1::detail {

/// Takes the rows of a part of the matrix.
template <class T>
class closure_rows final : public row_output<T> {
 public:
  /// @param closing  arcs of which the lightest closed walks give the diagonal; null: it is 0.
  closure_rows(const erased_matrix<T>& distances, const erased_matrix<std::int32_t>& predecessors,
               const matrix_part& part, const adjacency_view<T>* closing, std::optional<T> cutoff)
      : row_output<T>(static_cast<bool>(predecessors)),
        distances_(distances),
        predecessors_(predecessors),
        part_(part),
        closing_(closing),
        cutoff_(cutoff) {}

  T* distances(std::size_t) override { return nullptr; }
  std::int32_t* predecessors(std::size_t) override { return nullptr; }

  void write(std::size_t row, std::size_t source, const T* distances,
             const std::int32_t* predecessors) override {
    std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
    constexpr int several = 2;
    const bool are_shared = distances_.writers(several) < several ||
                            (predecessors_ && predecessors_.writers(several) < several);
    if (are_shared) lock.lock();
    const index_part& columns = part_.columns;
    distances_.write_row_of(row, columns.count, [&](std::size_t j) {
      const std::size_t v = columns.first + j;
      return v == source && closing_ != nullptr ? closed_walk(source, distances) : distances[v];
    });
    if (predecessors_) predecessors_.write_row(row, predecessors + columns.first, columns.count);
  }

 private:
  /// The length of a shortest walk of at least one arc from a vertex to itself.
  T closed_walk(std::size_t source, const T* distances) const {
    T shortest = unreachable<T>;
    for_each_arc_of(*closing_, [&](std::size_t u, std::size_t v, const T& w) {
      if (v != source || equals_unreachable(distances[u])) return;
      shortest = std::min(shortest, static_cast<T>(distances[u] + w));
    });
    // Only rounding makes it negative.
    shortest = std::max(shortest, T{});
    return cutoff_ && *cutoff_ < shortest ? unreachable<T> : shortest;
  }

  erased_matrix<T> distances_;
  erased_matrix<std::int32_t> predecessors_;
  matrix_part part_;
  const adjacency_view<T>* closing_;
  std::optional<T> cutoff_;
  std::mutex mutex_;
};

/// Solves the rows of a part of the matrix by Johnson's algorithm, which names a negative cycle if
/// there is one.
/// @param values  `coded_sums`
template <class Backend, class Graph, class Values, class T = typename Values::value_type>
result solve_closure_by_rows(const Backend& backend, const Graph& g, const Values& values,
                             const matrix_part& part, const erased_matrix<T>& distances,
                             const erased_matrix<std::int32_t>& predecessors) {
  const bool is_given = values.given_diagonal() == diagonal::as_given;
  const adjacency<T> arcs = make_adjacency_of<T>(
      g, values.num_vertices(), backend.host_threads(),
      [&](std::size_t u, std::size_t v, const T& weight) {
        return !equals_unreachable(weight) && (is_given || u != v || weight < T{});
      });
  const adjacency_view<T> closing = arcs.view();
  std::vector<std::int32_t> sources(part.rows.count);
  std::iota(sources.begin(), sources.end(), static_cast<std::int32_t>(part.rows.first));
  closure_rows<T> rows(distances, predecessors, part, is_given ? &closing : nullptr,
                       to_cutoff<T>(values.wanted().cutoff));
  row_output<T>& output = rows;
  request wanted = values.wanted();
  wanted.asked = algorithm::johnson;
  return run_per_source(backend, wanted, {arcs, values.weights()}, sources, output);
}

}  // namespace apsp::inline v1::detail
