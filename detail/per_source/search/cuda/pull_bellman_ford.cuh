// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "../../../device/architecture.hpp"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/flag.cuh"
#include "../../../device/grid.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../device/stop_signal.cuh"
#include "../../problem/cuda/source_batch.cuh"
#include "pulled_tile.cuh"

// Bellman–Ford from many sources at once, by blocks whose vertices pull (pulled_tile.cuh). If all
// weights are short whole numbers, distances are searched for in 16 bits, two in each word; a batch
// with a distance that may not have fitted is searched again in the type of the results, and so are
// all batches after it.
namespace apsp::inline v1::detail::cuda {

/// In place of a `solve_outcome`: a distance may not have fitted its lane.
inline constexpr int short_lanes_overflow = static_cast<int>(solve_outcome::not_converged) + 1;

/// Distances in 16 bits that become results of type C.
template <class C>
struct widened_results {
  C* distances;
  C none;
  std::uint32_t heaviest;
};

/// Converts the rows of a tile, by all threads of a block. Returns false, to all of them, if a
/// distance may not have fitted.
template <unsigned NumLanes, class C>
__device__ bool widen(const short_lanes::word* rows, std::size_t tile, std::size_t n,
                      std::size_t num_sources, const batch_layout& layout,
                      const widened_results<C>& results) {
  constexpr unsigned words_per_row = NumLanes / short_lanes::per_word;
  const std::size_t num_rows = layout.padded(num_sources);
  bool is_doubtful = false;
  for (std::size_t i = threadIdx.x; i < n * words_per_row; i += pulled.threads) {
    const std::size_t s = tile * NumLanes + i % words_per_row * short_lanes::per_word;
    if (s >= num_rows) continue;
    C* const to = results.distances + layout.index(s, i / words_per_row, n);
    const short_lanes::word both = rows[i];
#pragma unroll
    for (unsigned k = 0; k < short_lanes::per_word; ++k) {
      const std::uint32_t distance = both >> 16 * k & 0xffffu;
      const bool is_path = distance != short_lanes::no_path;
      is_doubtful |= is_path && distance + results.heaviest >= short_lanes::no_path;
      to[k] = is_path ? static_cast<C>(distance) : results.none;
    }
  }
  return __syncthreads_or(is_doubtful) == 0;
}

/// @param results  where distances go that are not in 16 bits already.
template <class C, class Lanes, unsigned RowBytes>
__global__ void __launch_bounds__(pulled.threads,
                                  resident_blocks(sizeof(typename Lanes::word) <= 4 ? pulled.blocks
                                                                                    : 1,
                                                  pulled.threads))
    pull_tiles_kernel(const __grid_constant__ pulled_problem<typename Lanes::word> problem,
                      const batch_layout layout, const widened_results<C> results) {
  using tile_type = pulled_tile<Lanes, RowBytes>;
  __shared__ typename tile_type::shared_state shared;
  tile_type tile_of_block(problem, shared);
  const std::size_t num_tiles =
      (problem.num_sources + tile_type::num_lanes - 1) / tile_type::num_lanes;
  for (std::size_t tile = blockIdx.x; tile < num_tiles; tile += gridDim.x) {
    // The batch has failed in another block.
    const bool has_failed = threadIdx.x == 0 && read_shared_word(problem.outcome) != 0;
    if (__syncthreads_or(has_failed) != 0) return;
    auto outcome = static_cast<int>(tile_of_block.solve(tile));
    if constexpr (Lanes::per_word != 1) {
      if (outcome == 0 &&
          !widen<tile_type::num_lanes>(tile_of_block.rows(), tile, problem.incoming.num_vertices,
                                       problem.num_sources, layout, results)) {
        outcome = short_lanes_overflow;
      }
    }
    if (outcome == 0) continue;
    if (threadIdx.x == 0) atomicMax(problem.outcome, outcome);
    return;
  }
}

template <class C>
__global__ void pack_short_weights_kernel(const C* weights, std::size_t count,
                                          short_lanes::word* packed) {
  for (std::size_t i = first_index(); i < count; i += index_stride()) {
    packed[i] = short_lanes::both(static_cast<std::uint32_t>(weights[i]));
  }
}

/// The heaviest weight if all are whole numbers, and none is negative; else more than any.
template <class C>
struct heaviest_whole_weight {
  static constexpr double no_whole_number = std::numeric_limits<double>::infinity();
  const C* weights;

  __device__ double operator()(std::size_t i) const {
    const auto w = static_cast<double>(weights[i]);
    return w >= 0 && w == trunc(w) ? w : no_whole_number;
  }
};

/// @tparam RowBytes  `pulled.wide_row` or `pulled.narrow_row`.
template <class C, class Join, unsigned RowBytes>
class pull_bellman_ford final : public batch_solver<C> {
  using full_tile = pulled_tile<full_lanes<C, Join>, RowBytes>;
  using short_tile = pulled_tile<short_lanes, RowBytes>;

 public:
  /// False if the current device is too small for graphs of that size.
  static bool is_possible(std::size_t num_vertices, std::size_t num_edges) {
    const std::size_t bytes = full_tile::bit_bytes(num_vertices);
    if constexpr (Join::is_sum) {
      if (bytes > allow_all_shared_memory(short_kernel())) return false;
    }
    return num_edges <= std::numeric_limits<std::int32_t>::max() &&
           bytes <= allow_all_shared_memory(full_kernel());
  }

  /// @param heaviest  of the weights, if they are whole numbers; else more than any.
  pull_bellman_ford(const device_arcs<C>& outgoing, const device_arcs<C>& incoming,
                    const per_source_problem<C>& problem, double heaviest, cudaStream_t stream)
      : outgoing_(outgoing),
        incoming_(incoming),
        problem_(problem),
        is_short_(Join::is_sum && heaviest <= short_lanes::heaviest),
        heaviest_(is_short_ ? static_cast<std::uint32_t>(heaviest) : 0),
        stream_(stream) {
    full_blocks_ = concurrent(full_kernel());
    if constexpr (Join::is_sum) {
      if (is_short_) short_blocks_ = concurrent(short_kernel());
    }
  }

  bool has_fitted_16_bits() const override { return is_short_; }
  std::size_t sources_per_tile() const {
    return is_short_ ? short_tile::num_lanes : full_tile::num_lanes;
  }
  batch_layout layout() const override { return {full_tile::num_lanes}; }

  std::size_t concurrent_sources() const override {
    return (is_short_ ? short_blocks_ : full_blocks_) * sources_per_tile();
  }
  std::size_t workspace_bytes(std::size_t num_sources) const override {
    if (!is_short_) return 0;
    const std::size_t of_rows =
        saturated_product(short_grid(num_sources), saturated_product(num_vertices(), RowBytes));
    return saturated_sum(of_rows, incoming_.num_edges * sizeof(short_lanes::word));
  }
  void reserve(std::size_t num_sources, const monitor& watch, std::size_t bytes_needed) override {
    outcome_ = device_flag(stream_, bytes_needed);
    stop_ = stop_signal(stream_, watch, bytes_needed);
    if (!is_short_) return;
    constexpr std::size_t words_per_row = RowBytes / sizeof(short_lanes::word);
    short_rows_ = {short_grid(num_sources) * num_vertices() * words_per_row, stream_, bytes_needed};
    short_weights_ = {incoming_.num_edges, stream_, bytes_needed};
    constexpr unsigned threads = 256;
    launch("pack_short_weights_kernel", {grid_size(incoming_.num_edges, threads), threads, stream_},
           pack_short_weights_kernel<C>, incoming_.weights, incoming_.num_edges,
           short_weights_.get());
  }

  solve_outcome solve(const source_batch<C>& batch, monitor&) override {
    if (batch.num_sources == 0) return solve_outcome::finished;
    if constexpr (Join::is_sum) {
      if (is_short_) {
        const auto outcome = solve_in_short_lanes(batch);
        if (outcome) return *outcome;
        is_short_ = false;
      }
    }
    // A path of n arcs contains a cycle; one round relaxes at least one arc of every path.
    pulled_problem<C> work{};
    work.incoming = incoming_;
    work.limit = problem_.limit;
    work.max_rounds = problem_.has_negative_weight ? static_cast<unsigned>(num_vertices())
                                                   : std::numeric_limits<unsigned>::max();
    work.rows = batch.distances;
    work.has_rows_of_all = true;
    const std::size_t blocks =
        std::min(full_blocks_, num_tiles(batch.num_sources, full_tile::num_lanes));
    return static_cast<solve_outcome>(run(full_kernel(), blocks, batch, work));
  }

 private:
  static auto full_kernel() { return pull_tiles_kernel<C, full_lanes<C, Join>, RowBytes>; }
  static auto short_kernel() { return pull_tiles_kernel<C, short_lanes, RowBytes>; }

  std::size_t num_vertices() const { return incoming_.num_vertices; }

  std::size_t shared_bytes() const { return full_tile::bit_bytes(num_vertices()); }
  /// The number of blocks that the device runs concurrently.
  template <class Kernel>
  std::size_t concurrent(Kernel kernel) const {
    allow_all_shared_memory(kernel);
    return concurrent_blocks(kernel, pulled.threads, shared_bytes());
  }
  /// Blocks for tiles of 16-bit lanes, of which each keeps rows.
  std::size_t short_grid(std::size_t num_sources) const {
    return std::min(short_blocks_, num_tiles(num_sources, short_tile::num_lanes));
  }
  static std::size_t num_tiles(std::size_t num_sources, std::size_t sources_each) {
    return (num_sources + sources_each - 1) / sources_each;
  }

  /// Nothing if a distance may not have fitted.
  std::optional<solve_outcome> solve_in_short_lanes(const source_batch<C>& batch) {
    constexpr C most{short_lanes::no_path - 1};
    const auto limit = static_cast<std::uint32_t>(std::min(problem_.limit, most));
    pulled_problem<short_lanes::word> work{};
    work.incoming = {incoming_.num_vertices, incoming_.num_edges, incoming_.offsets,
                     incoming_.targets, short_weights_.get()};
    work.limit = short_lanes::both(limit);
    work.max_rounds = std::numeric_limits<unsigned>::max();
    work.rows = short_rows_.get();
    const int outcome = run(short_kernel(), short_grid(batch.num_sources), batch, work);
    if (outcome == short_lanes_overflow) return std::nullopt;
    return static_cast<solve_outcome>(outcome);
  }

  /// Solves @p work for a batch; returns the worst outcome of a tile.
  template <class Kernel, class Word>
  int run(Kernel kernel, std::size_t blocks, const source_batch<C>& batch,
          pulled_problem<Word> work) {
    outcome_.clear();
    work.offsets = outgoing_.offsets;
    work.targets = outgoing_.targets;
    work.num_sources = batch.num_sources;
    work.sources = batch.sources;
    work.stop = stop_.flag();
    work.outcome = outcome_.get();
    launch("pull_tiles_kernel",
           {static_cast<unsigned>(blocks), pulled.threads, stream_, shared_bytes()}, kernel, work,
           layout(), widened_results<C>{batch.distances, Join::none, heaviest_});
    if (stop_.wait() == solve_outcome::stopped) return static_cast<int>(solve_outcome::stopped);
    return outcome_.value();
  }

  device_arcs<C> outgoing_;
  device_arcs<C> incoming_;
  const per_source_problem<C>& problem_;
  bool is_short_;
  std::uint32_t heaviest_;  ///< For lanes of 16 bits.
  cudaStream_t stream_;
  std::size_t full_blocks_ = 0;  ///< The number that the device runs concurrently.
  std::size_t short_blocks_ = 0;
  device_buffer<short_lanes::word> short_rows_;
  device_buffer<short_lanes::word> short_weights_;
  device_flag outcome_;
  stop_signal stop_;
};

}  // namespace apsp::inline v1::detail::cuda
