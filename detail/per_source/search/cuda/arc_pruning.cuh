// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <cuda/functional>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../device/atomic_minimum.cuh"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/grid.cuh"
#include "../../../device/grid_stride.cuh"
#include "../../../device/reduction.cuh"
#include "../../../device/warp.hpp"
#include "../../problem/cuda/uploaded_arcs.cuh"
#include "pulled_tile.cuh"
#include "relaxation.cuh"

// Arcs that are longer than a path through one of the vertices of largest degree, the hubs, are on
// no shortest path. The host's arc_pruning.hpp says what that needs, and has the source. The hubs
// are searched from by all multiprocessors together, an arc of every vertex at a time, along arcs
// and against them. Any length that is found is that of a walk, so the search may end early.
namespace apsp::inline v1::detail::cuda {

struct hub_tuning {
  unsigned rounds = 20;
  unsigned threads = 256;
  /// Entries of a call below which the search for hubs would take longer than it saves.
  std::size_t least_entries = std::size_t{1} << 24;
  std::size_t least_arcs_per_vertex = 2;
  /// Share of the arcs; if more are left, all are kept.
  double most_kept = 0.95;
};
inline constexpr hub_tuning hub{};

/// The search for the paths of all hubs in one direction: a row of a length for each hub, for every
/// vertex.
template <class C>
struct hub_search {
  /// The neighbors of each vertex from which its row is pulled.
  device_arcs<C> arcs;
  const std::int32_t* owners;  ///< The vertex whose list an arc is in.
  C* rows;
  /// The vertices whose rows have changed, in three rounds that rotate.
  std::uint32_t* bits;
  int* is_active;  ///< For each round; not 0 if the one before it changed a row.

  __device__ std::size_t num_words() const {
    return (arcs.num_vertices + warp_size - 1) / warp_size;
  }
  __device__ std::uint32_t* changed(unsigned round) const { return bits + round % 3 * num_words(); }
  __device__ C* entry(std::int32_t v) const {
    return rows + static_cast<std::size_t>(v) * warp_size + threadIdx.x % warp_size;
  }
};

/// The largest value of a path.
template <class C>
inline constexpr C longest_path =
    std::is_floating_point_v<C> ? std::numeric_limits<C>::max() : unreached<C> - 1;

template <class C>
__device__ __forceinline__ C lesser_sum(C best, C from, C weight) {
  return full_lanes<C, plus_weights<C>>::relaxed(best, from, weight, longest_path<C>);
}

/// Rows without paths but the empty ones.
template <class C>
__global__ void start_hubs_kernel(hub_search<C> search, const std::int32_t* hubs,
                                  unsigned num_hubs) {
  const std::size_t n = search.arcs.num_vertices;
  for (std::size_t i = first_index(); i < n * warp_size; i += index_stride()) {
    const std::size_t h = i % warp_size;
    const bool is_hub = h < num_hubs && static_cast<std::size_t>(hubs[h]) == i / warp_size;
    search.rows[i] = is_hub ? C{} : unreached<C>;
    if (is_hub)
      atomicOr(&search.changed(0)[i / warp_size / warp_size], 1u << i / warp_size % warp_size);
  }
  if (first_index() == 0) search.is_active[0] = 1;
}

/// Pulls along the arcs from all rows that changed in the last round; each warp along as many arcs
/// as it has lanes. Blocks in row 1 of the grid search against the arcs.
template <class C>
__global__ void relax_hub_arcs_kernel(const __grid_constant__ hub_search<C> along,
                                      const __grid_constant__ hub_search<C> against,
                                      unsigned round) {
  constexpr unsigned at_once = 4;
  const hub_search<C>& search = blockIdx.y == 0 ? along : against;
  if (search.is_active[round] == 0) return;
  for (std::size_t i = first_index(); i < search.num_words(); i += index_stride()) {
    search.changed(round + 2)[i] = 0;
  }
  const std::size_t a = first_index();
  std::int32_t from = 0;
  std::int32_t to = 0;
  C weight{};
  bool is_news = false;
  if (a < search.arcs.num_edges) {
    from = search.arcs.targets[a];
    to = search.owners[a];
    weight = search.arcs.weights[a];
    is_news = (search.changed(round)[from / warp_size] >> from % warp_size & 1u) != 0;
  }
  unsigned left = __ballot_sync(whole_warp, is_news);
  if (left == 0) return;
  std::int32_t owner = -1;
  C best = unreached<C>;
  const auto flush = [&] {
    if (owner < 0) return;
    C* const entry = search.entry(owner);
    const bool is_less = best < read_shared_word(entry);
    if (is_less) atomic_minimum(entry, best);
    if (__any_sync(whole_warp, is_less) == 0 || threadIdx.x % warp_size != 0) return;
    atomicOr(&search.changed(round + 1)[owner / warp_size], 1u << owner % warp_size);
    search.is_active[round + 1] = 1;
  };
  while (left != 0) {
    int arc[at_once];
    C length[at_once];
#pragma unroll
    for (unsigned j = 0; j < at_once; ++j) {
      // Past the end the last arc is repeated, which has no effect.
      arc[j] = left != 0 ? __ffs(static_cast<int>(left)) - 1 : arc[j == 0 ? 0 : j - 1];
      left &= left - 1;
      length[j] = read_outdated_word(search.entry(__shfl_sync(whole_warp, from, arc[j])));
    }
#pragma unroll
    for (unsigned j = 0; j < at_once; ++j) {
      const std::int32_t v = __shfl_sync(whole_warp, to, arc[j]);
      if (v != owner) {
        flush();
        owner = v;
        best = unreached<C>;
      }
      best = lesser_sum(best, length[j], __shfl_sync(whole_warp, weight, arc[j]));
    }
  }
  flush();
}

/// What the bound on an arc needs.
template <class C>
struct hub_paths {
  const C* from;  ///< Rows of the lengths from the hubs.
  const C* to;
  /// Twice the relative rounding of a sum along any path, and some; 0 if sums are exact.
  C rounding;
  C longest_to_first;  ///< Of the paths to the first hub.

  /// The length below which a path through a hub is shorter than an arc out of @p u, also if sums
  /// that start anywhere are rounded on the way.
  __device__ C to_beat(std::int32_t u, C weight) const {
    if (rounding == C{}) return weight;
    const C from_first = from[static_cast<std::size_t>(u) * warp_size];
    const C to_first = to[static_cast<std::size_t>(u) * warp_size];
    if (!(from_first < unreached<C> && to_first < unreached<C>)) {
      return -longest_path<C>;
    }
    return weight - rounding * (longest_to_first + from_first + 2 * weight);
  }
};

/// Writes 1 for each arc that is kept; a warp for each arc.
/// @param owner_is_source  true for outgoing arcs.
template <class C>
__global__ void mark_kept_arcs_kernel(device_arcs<C> arcs, const std::int32_t* owners,
                                      bool owner_is_source, hub_paths<C> paths,
                                      std::uint32_t* is_kept) {
  const unsigned lane = threadIdx.x % warp_size;
  // The last sum is that of all.
  if (first_index() == 0) is_kept[arcs.num_edges] = 0;
  for (std::size_t a = first_index() / warp_size; a < arcs.num_edges;
       a += index_stride() / warp_size) {
    const std::int32_t owner = owners[a];
    const std::int32_t other = arcs.targets[a];
    const std::int32_t u = owner_is_source ? owner : other;
    const std::int32_t v = owner_is_source ? other : owner;
    C length = lesser_sum(unreached<C>, paths.to[static_cast<std::size_t>(u) * warp_size + lane],
                          paths.from[static_cast<std::size_t>(v) * warp_size + lane]);
#pragma unroll
    for (unsigned step = 1; step < warp_size; step *= 2) {
      length =
          full_lanes<C, plus_weights<C>>::lesser(length, __shfl_xor_sync(whole_warp, length, step));
    }
    if (lane == 0) is_kept[a] = length < paths.to_beat(u, arcs.weights[a]) ? 0 : 1;
  }
}

/// @param place  for each arc, the number of those before it that are kept, and that of all.
template <class C>
__global__ void copy_kept_arcs_kernel(device_arcs<C> arcs, const std::uint32_t* place,
                                      std::int64_t* offsets, std::int32_t* targets, C* weights) {
  for (std::size_t i = first_index(); i < max(arcs.num_edges, arcs.num_vertices + 1);
       i += index_stride()) {
    if (i <= arcs.num_vertices) offsets[i] = place[arcs.offsets[i]];
    if (i >= arcs.num_edges || place[i] == place[i + 1]) continue;
    targets[place[i]] = arcs.targets[i];
    weights[place[i]] = arcs.weights[i];
  }
}

template <class C>
struct largest_path {
  const C* rows;

  __device__ C operator()(std::size_t v) const {
    const C length = rows[v * warp_size];
    return length < unreached<C> ? length : C{};
  }
};

/// Arcs in both directions.
template <class C>
struct two_way_arcs {
  uploaded_arcs<C> outgoing;
  uploaded_arcs<C> incoming;
};

/// Removes arcs that are on no shortest path, for sums of weights that are not negative.
template <class C>
class arc_pruning {
 public:
  /// @param outgoing  at most 2^31 - 1 arcs.
  /// @param heaviest  of the weights, if they are whole numbers; else more than any.
  arc_pruning(const device_arcs<C>& outgoing, const device_arcs<C>& incoming, double heaviest,
              cudaStream_t stream, std::size_t bytes_needed)
      : outgoing_(outgoing),
        incoming_(incoming),
        n_(outgoing.num_vertices),
        m_(outgoing.num_edges),
        has_exact_sums_(are_exact(heaviest, n_)),
        stream_(stream),
        bytes_needed_(bytes_needed) {}

  /// Device memory that pruning takes for a while.
  static std::size_t workspace_bytes(std::size_t num_vertices, std::size_t num_edges) {
    const std::size_t of_vertex = warp_size * sizeof(C) + 1 + sizeof(std::int64_t);
    const std::size_t of_arc = 3 * sizeof(std::int32_t) + sizeof(C);
    return saturated_product(2, saturated_sum(saturated_product(num_vertices + 1, of_vertex),
                                              saturated_product(num_edges + 1, of_arc)));
  }
  static bool is_worth_trying(std::size_t num_vertices, std::size_t num_edges,
                              std::size_t num_sources) {
    return num_edges >= hub.least_arcs_per_vertex * num_vertices &&
           saturated_product(num_sources, num_vertices) >= hub.least_entries;
  }

  /// The arcs that are left; nothing if that is nearly all.
  std::optional<two_way_arcs<C>> run(const std::vector<std::int32_t>& hubs) {
    search(hubs);
    hub_paths<C> paths{from_hubs_.rows.get(), to_hubs_.rows.get(), C{}, C{}};
    if constexpr (std::is_floating_point_v<C>) {
      if (!has_exact_sums_) {
        // A source that the search has not seen to reach the first hub has no bound.
        if (is_still_active(to_hubs_)) return std::nullopt;
        paths.rounding = static_cast<C>(3 * (n_ + 2)) * std::numeric_limits<C>::epsilon();
        const largest_path<C> largest{paths.to};
        paths.longest_to_first = reduce_over(n_, ::cuda::maximum<>{}, largest, C{}, stream_);
      }
    }
    const device_buffer<std::uint32_t> outgoing = places_of_kept(outgoing_, to_hubs_, true, paths);
    const std::size_t num_kept = read(outgoing.get() + m_);
    if (static_cast<double>(num_kept) > hub.most_kept * static_cast<double>(m_)) {
      return std::nullopt;
    }
    const device_buffer<std::uint32_t> incoming =
        places_of_kept(incoming_, from_hubs_, false, paths);
    return two_way_arcs<C>{copy_of_kept(outgoing_, outgoing, num_kept),
                           copy_of_kept(incoming_, incoming, num_kept)};
  }

 private:
  static constexpr std::size_t num_bit_arrays = 3;

  /// The memory of a search in one direction.
  struct search_memory {
    device_buffer<std::int32_t> owners;
    device_buffer<C> rows;
    device_buffer<std::uint32_t> bits;
    device_buffer<int> is_active;
  };

  static bool are_exact(double heaviest, std::size_t n) {
    if constexpr (!std::is_floating_point_v<C>) return true;
    return heaviest < std::ldexp(1.0, std::numeric_limits<C>::digits) / static_cast<double>(n + 1);
  }
  unsigned blocks_for(std::size_t count) const { return grid_size(count, hub.threads); }

  /// Paths along arcs are pulled from the incoming ones, paths against them from the outgoing ones.
  void search(const std::vector<std::int32_t>& hubs) {
    const device_buffer<std::int32_t> first = uploaded(std::span(hubs), stream_, bytes_needed_);
    const hub_search<C> along = started(incoming_, first, hubs.size(), from_hubs_);
    const hub_search<C> against = started(outgoing_, first, hubs.size(), to_hubs_);
    for (unsigned round = 0; round < hub.rounds; ++round) {
      launch("relax_hub_arcs_kernel", {dim3(blocks_for(m_), 2), hub.threads, stream_},
             relax_hub_arcs_kernel<C>, along, against, round);
    }
  }
  hub_search<C> started(const device_arcs<C>& arcs, const device_buffer<std::int32_t>& hubs,
                        std::size_t num_hubs, search_memory& memory) const {
    const std::size_t num_words = (n_ + warp_size - 1) / warp_size;
    memory = {{m_, stream_, bytes_needed_},
              {n_ * warp_size, stream_, bytes_needed_},
              {num_bit_arrays * num_words, stream_, bytes_needed_},
              {hub.rounds + 1, stream_, bytes_needed_}};
    APSP_CUDA_CHECK(cudaMemsetAsync(memory.bits.get(), 0,
                                    num_bit_arrays * num_words * sizeof(std::uint32_t), stream_));
    APSP_CUDA_CHECK(
        cudaMemsetAsync(memory.is_active.get(), 0, (hub.rounds + 1) * sizeof(int), stream_));
    launch("find_arc_starts_kernel", {blocks_for(m_), hub.threads, stream_},
           find_arc_starts_kernel<C>, arcs, memory.owners.get());
    const hub_search<C> search{arcs, memory.owners.get(), memory.rows.get(), memory.bits.get(),
                               memory.is_active.get()};
    launch("start_hubs_kernel", {blocks_for(n_ * warp_size), hub.threads, stream_},
           start_hubs_kernel<C>, search, hubs.get(), static_cast<unsigned>(num_hubs));
    return search;
  }

  template <class X>
  X read(const X* address) const {
    X value{};
    APSP_CUDA_CHECK(
        cudaMemcpyAsync(&value, address, sizeof value, cudaMemcpyDeviceToHost, stream_));
    APSP_CUDA_CHECK(cudaStreamSynchronize(stream_));
    return value;
  }
  bool is_still_active(const search_memory& search) const {
    return read(search.is_active.get() + hub.rounds) != 0;
  }

  /// For each arc, the number of those before it that are kept, and then that of all.
  device_buffer<std::uint32_t> places_of_kept(const device_arcs<C>& arcs,
                                              const search_memory& search, bool owner_is_source,
                                              const hub_paths<C>& paths) const {
    device_buffer<std::uint32_t> places(m_ + 1, stream_, bytes_needed_);
    launch("mark_kept_arcs_kernel", {blocks_for(m_ * warp_size), hub.threads, stream_},
           mark_kept_arcs_kernel<C>, arcs, search.owners.get(), owner_is_source, paths,
           places.get());
    std::size_t bytes = 0;
    const std::size_t count = m_ + 1;
    APSP_CUDA_CHECK(
        cub::DeviceScan::ExclusiveSum(nullptr, bytes, places.get(), places.get(), count, stream_));
    const device_buffer<unsigned char> scratch(bytes, stream_, bytes_needed_);
    APSP_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(scratch.get(), bytes, places.get(), places.get(),
                                                  count, stream_));
    return places;
  }
  uploaded_arcs<C> copy_of_kept(const device_arcs<C>& arcs,
                                const device_buffer<std::uint32_t>& places,
                                std::size_t num_kept) const {
    device_buffer<std::int64_t> offsets(n_ + 1, stream_, bytes_needed_);
    device_buffer<std::int32_t> targets(num_kept, stream_, bytes_needed_);
    device_buffer<C> weights(num_kept, stream_, bytes_needed_);
    launch("copy_kept_arcs_kernel", {blocks_for(std::max(m_, n_ + 1)), hub.threads, stream_},
           copy_kept_arcs_kernel<C>, arcs, places.get(), offsets.get(), targets.get(),
           weights.get());
    return {n_, num_kept, std::move(offsets), std::move(targets), std::move(weights)};
  }

  device_arcs<C> outgoing_;
  device_arcs<C> incoming_;
  std::size_t n_;
  std::size_t m_;
  bool has_exact_sums_;
  cudaStream_t stream_;
  std::size_t bytes_needed_;
  search_memory from_hubs_;
  search_memory to_hubs_;
};

}  // namespace apsp::inline v1::detail::cuda
