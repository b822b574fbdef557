// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../checks.hpp"
#include "../generators.hpp"
#include "cuda_objects.cuh"
#include "report.hpp"

// Bellman–Ford from one source by a kernel over a list of arcs, to measure the effect of the order of arcs
// and of copies.
namespace studies {

/// Returns the arcs of a graph as @ref arc_solver expects them: all sources, all targets, all weights.
std::vector<std::int32_t> arcs_of(const apsp_perf::csr_arrays<std::int32_t>& g);

/// The arcs of a thread: consecutive ones, or those a grid's width apart, so that adjacent threads read
/// adjacent arcs.
enum class arc_order { consecutive, grid_apart };

struct arc_shares {
  arc_order order = arc_order::grid_apart;
  std::size_t arcs_per_thread = 4;
};

struct arc_range {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The arcs of a graph and its distances from one source, in device memory. Functions with a stream are
/// asynchronous, unless stated otherwise.
class arc_solver {
 public:
  arc_solver(std::size_t num_vertices, std::size_t num_arcs);

  arc_range all_arcs() const { return {0, num_arcs_}; }
  /// Copies a range of @p arcs (sources, targets and weights of all arcs) from host memory.
  void copy_arcs(const std::int32_t* arcs, arc_range range, cudaStream_t on);
  /// Overwrites all arcs with arcs that change nothing, so that old arcs are not taken for copied ones.
  /// Synchronises.
  void clear_arcs();

  /// Sets the distance of @p source to 0 and all others to infinity.
  void start(std::size_t source, cudaStream_t on);
  /// Relaxes the arcs of a range, each once.
  void relax(arc_range range, arc_shares shares, cudaStream_t on);
  /// Relaxes all arcs in rounds until a round changes nothing. Synchronises in every round.
  void finish(arc_shares shares, cudaStream_t on);

  /// Copies the distances to host memory.
  void copy_row(std::int32_t* row, cudaStream_t on) const;
  /// Checks the distances from @p source. Synchronises.
  verdict check(const known_rows& known, std::size_t source, cudaStream_t on) const;

 private:
  std::size_t num_vertices_;
  std::size_t num_arcs_;
  device_array<std::int32_t> arcs_;
  device_array<std::int32_t> distances_;
  device_array<int> changed_;
  pinned_array<int> changed_on_host_;
};

}  // namespace studies
