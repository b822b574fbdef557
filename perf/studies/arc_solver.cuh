// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../checks.hpp"
#include "../generators.hpp"
#include "cuda_objects.cuh"
#include "report.hpp"

// Bellman–Ford from one source by a kernel over a list of arcs: the experiment itself, in which one
// can see what the order of arcs and of copies does.
namespace studies {

/// The arcs of a graph as @ref arc_solver wants them: where all start, where all end, all weights.
std::vector<std::int32_t> arcs_of(const apsp_perf::csr_arrays<std::int32_t>& g);

/// Which arcs a thread takes: those that follow each other, or those a grid's width apart, so that
/// neighbouring threads read neighbouring arcs.
enum class arc_order { consecutive, grid_apart };

struct arc_shares {
  arc_order order = arc_order::grid_apart;
  std::size_t arcs_per_thread = 4;
};

struct arc_range {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The arcs of a graph and its distances from one source, in device memory. What has a stream is put
/// on it, and the host does not wait unless it says so.
class arc_solver {
 public:
  arc_solver(std::size_t num_vertices, std::size_t num_arcs);

  arc_range all_arcs() const { return {0, num_arcs_}; }
  /// Takes a range of @p arcs, of which there are three for each of all arcs, from host memory.
  void copy_arcs(const std::int32_t* arcs, arc_range range, cudaStream_t on);
  /// Arcs that change nothing, in the place of all, so that nobody takes old ones for copied ones.
  /// The host waits.
  void clear_arcs();

  /// Only @p source has a distance.
  void start(std::size_t source, cudaStream_t on);
  /// Relaxes the arcs of a range, each once.
  void relax(arc_range range, arc_shares shares, cudaStream_t on);
  /// Relaxes all arcs, round by round, until a round changes nothing. The host waits for every one.
  void finish(arc_shares shares, cudaStream_t on);

  /// Takes the distances to host memory.
  void copy_row(std::int32_t* row, cudaStream_t on) const;
  /// Whether they are those from @p source. The host waits.
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
