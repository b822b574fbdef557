// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../device/buffer.cuh"
#include "../../delivery/cuda/batch_delivery.cuh"
#include "../../problem/cuda/source_batch.cuh"
#include "../../problem/problem.hpp"

namespace apsp::inline v1::detail::cuda {

/// The device memory of batches of sources.
template <class C>
class batch_memory {
 public:
  batch_memory(const per_source_problem<C>& problem, const batch_delivery<C>& delivery)
      : problem_(problem), delivery_(delivery) {}

  std::size_t bytes_per_entry() const {
    return sizeof(C) + (problem_.with_predecessors ? sizeof(std::int32_t) : 0);
  }
  /// The number of distances in a set of buffers.
  std::size_t num_entries(const batch_layout& layout, std::size_t num_sources) const {
    if (layout.rows_of_totals != 0) return 0;
    return saturated_product(layout.padded(num_sources), problem_.arcs.num_vertices());
  }
  std::size_t bytes_of_totals(const batch_layout& layout, std::size_t num_sources) const {
    return layout.padded(num_sources) * layout.rows_of_totals * delivery_.bytes_of_total();
  }
  /// To solve for batches of @p num_sources with @p solver, and to deliver them.
  std::size_t bytes(const batch_solver<C>& solver, std::size_t num_sources,
                    std::size_t num_buffers) const {
    const std::size_t entries = num_entries(solver.layout(), num_sources);
    const std::size_t doubts = problem_.with_predecessors ? num_sources * sizeof(int) : 0;
    const std::size_t results = saturated_sum(
        saturated_product(entries, num_buffers * bytes_per_entry()),
        saturated_sum(bytes_of_totals(solver.layout(), num_sources), num_buffers * doubts));
    const std::size_t delivery = delivery_.workspace_bytes(solver.layout(), num_sources);
    return saturated_sum(saturated_sum(results, delivery), solver.workspace_bytes(num_sources));
  }
  /// The largest batch that fits into @p bytes_left, by bisection: workspaces need not grow
  /// linearly.
  std::size_t sources_that_fit(const batch_solver<C>& solver, std::size_t bytes_left,
                               std::size_t num_buffers) const {
    std::size_t fits = 0;
    std::size_t too_many = problem_.sources.size() + 1;
    while (too_many - fits > 1) {
      const std::size_t middle = fits + (too_many - fits) / 2;
      (bytes(solver, middle, num_buffers) <= bytes_left ? fits : too_many) = middle;
    }
    return fits;
  }

 private:
  const per_source_problem<C>& problem_;
  const batch_delivery<C>& delivery_;
};

}  // namespace apsp::inline v1::detail::cuda
