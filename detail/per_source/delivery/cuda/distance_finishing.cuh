// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "../../../../apsp/unreachable.hpp"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/flag.cuh"
#include "../../../device/grid.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../values/distance_code.hpp"
#include "../../problem/cuda/source_batch.cuh"
#include "../../problem/device_targets.hpp"
#include "../../problem/problem.hpp"
#include "batch_delivery.cuh"

// Finishes distances in kernels, as `finishing_output` does on the host.
namespace apsp::inline v1::detail::cuda {

/// Converts the distances of a solver to those of the call.
template <class C, class W>
struct finish_distances {
  const C* potentials;  ///< Null if the weights were not reweighted.
  bool has_cutoff;
  W cutoff;
  W least;
  W no_path;
  C none;
  int* was_cut;

  __device__ W operator()(std::size_t source, std::size_t v, const C& entry) const {
    // Because of rounding, a cycle through the source may have looked shorter than the empty path.
    C distance = v == source ? C{} : entry;
    if (distance == none) return no_path;
    if constexpr (std::is_integral_v<C>) {
      if (potentials != nullptr) {
        distance = static_cast<C>(distance + (potentials[v] - potentials[source]));
      }
    }
    const W result = to_result(distance);
    return has_cutoff && cutoff < result ? no_path : result;
  }

 private:
  __device__ W to_result(C distance) const {
    if constexpr (sizeof(C) > sizeof(W)) {
      // Only integers are computed in a wider type.
      if (distance >= static_cast<C>(no_path)) {
        if (!has_cutoff) *was_cut = 1;
        return no_path;
      }
      if (distance < static_cast<C>(least)) {
        *was_cut = 1;
        return least;
      }
    }
    return static_cast<W>(distance);
  }
};

/// Sets @p is_cut if an arc leads from a vertex with a distance to a vertex without one.
template <class C>
__global__ void find_cut_path_kernel(device_arcs<C> arcs, const C* distances, batch_layout layout,
                                     std::size_t num_sources, C none, int* is_cut) {
  const std::size_t n = arcs.num_vertices;
  const std::size_t size = layout.padded(num_sources) * n;
  if (*is_cut != 0) return;
  bool found = false;
  for (std::size_t i = first_index(); i < size && !found; i += index_stride()) {
    const std::size_t u = i / layout.lanes % n;
    const std::size_t s = i / (n * layout.lanes) * layout.lanes + i % layout.lanes;
    if (s >= num_sources || distances[i] == none) continue;
    for (std::int64_t a = arcs.offsets[u]; a < arcs.offsets[u + 1] && !found; ++a) {
      const auto v = static_cast<std::size_t>(arcs.targets[a]);
      found = distances[layout.index(s, v, n)] == none;
    }
  }
  if (found) *is_cut = 1;
}

/// Makes the conversions of a call, and reports whether one of them was inexact.
template <class C, class W>
class distance_finishing {
 public:
  distance_finishing(const per_source_problem<C>& problem, const device_finishing<C, W>& wanted)
      : n_(problem.arcs.num_vertices()), wanted_(wanted) {}

  std::size_t workspace_bytes() const { return wanted_.potentials.size_bytes() + sizeof(int); }

  /// The conversion for a batch, in the order of its stream.
  finish_distances<C, W> of(const solved_batch<C>& batch) {
    if (was_cut_.get() == nullptr) {
      was_cut_ = device_flag(batch.stream, sizeof(int));
      was_cut_.clear();
      potentials_ = uploaded(wanted_.potentials, batch.stream, workspace_bytes());
    }
    if (wanted_.may_saturate) find_cut_paths(batch);
    const bool has_cutoff = wanted_.cutoff.has_value();
    return {potentials_.get(),
            has_cutoff,
            has_cutoff ? *wanted_.cutoff : unreachable<W>,
            std::numeric_limits<W>::lowest(),
            unreachable<W>,
            no_path<C>(),
            was_cut_.get()};
  }

  /// True if a distance was cut to the range of W, or by the limit of the problem.
  bool has_saturated() {
    const bool may_be_cut = wanted_.may_saturate || sizeof(C) > sizeof(W);
    return may_be_cut && was_cut_.get() != nullptr && was_cut_.read();
  }

 private:
  void find_cut_paths(const solved_batch<C>& batch) {
    constexpr unsigned threads = 256;
    const std::size_t size = batch.layout.padded(batch.num_sources) * n_;
    launch("find_cut_path_kernel", {grid_size(size, threads), threads, batch.stream},
           find_cut_path_kernel<C>, batch.arcs, batch.distances, batch.layout, batch.num_sources,
           no_path<C>(), was_cut_.get());
  }

  std::size_t n_;
  const device_finishing<C, W>& wanted_;
  device_flag was_cut_;
  device_buffer<C> potentials_;
};

}  // namespace apsp::inline v1::detail::cuda
