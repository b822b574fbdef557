// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cub/block/block_reduce.cuh>
#include <cuda/atomic>
#include <optional>

#include "../../../../apsp/error.hpp"
#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/prefix_sums.cuh"
#include "../../../device/warp.hpp"
#include "../../../device/workspace.cuh"
#include "../../matrix/cuda/square_matrix.cuh"
#include "../../problem/problem.hpp"

// Predecessors of a sparse graph whose arcs have positive weights, from its distances: these are
// computed without predecessors, by the fastest method. An arc (p, v) is the last one of a shortest
// path from u if d[u][p] + w(p, v) == d[u][v]; if sums are rounded, the arc with the least sum is
// taken.
namespace apsp::inline v1::detail::cuda {

struct tight_arcs_tuning {
  int count_threads = 256;
  /// Rows whose arcs one thread counts and copies.
  int rows_per_part = 128;
  int search_threads = 1024;
  /// A vertex with more arcs than this is searched by a whole warp.
  std::uint32_t arcs_per_thread = 64;
};
inline constexpr tight_arcs_tuning tight_arcs{};

/// An arc without its target.
template <class T>
struct alignas(2 * sizeof(T)) arc_from {
  std::int32_t source;
  T weight;
};

/// Arcs in the order of their targets, then of their sources. Part p of the arcs to v, those from
/// the vertices of the p-th `rows_per_part` rows, begins at begins[v * num_parts + p].
template <class T>
struct arcs_by_target {
  const arc_from<T>* arcs;
  const std::uint32_t* begins;  ///< n * num_parts + 1
  std::size_t num_parts;
};

/// Calls f(u, weight) for the arcs to @p column in the rows of part blockIdx.y.
template <class T, class F>
__device__ __forceinline__ void for_each_arc_of_part(const square_matrix<T>& matrix, std::size_t n,
                                                     T no_arc, std::size_t column, F f) {
  const std::size_t begin = std::size_t{blockIdx.y} * tight_arcs.rows_per_part;
  const std::size_t end = min(begin + tight_arcs.rows_per_part, n);
#pragma unroll 8
  for (std::size_t u = begin; u < end; ++u) {
    const T weight = matrix.distances[u * matrix.pitch + column];
    if (!(weight == no_arc) && u != column) f(u, weight);
  }
}

/// Counts the arcs of each part, and adds them to @p total.
template <class T>
__global__ void __launch_bounds__(tight_arcs.count_threads)
    count_arcs_kernel(square_matrix<T> matrix, std::size_t n, T no_arc, std::uint32_t* counts,
                      unsigned long long* total) {
  using reduction = cub::BlockReduce<std::uint32_t, tight_arcs.count_threads>;
  __shared__ typename reduction::TempStorage shared;
  const std::size_t v = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint32_t count = 0;
  if (v < n) {
    for_each_arc_of_part(matrix, n, no_arc, v, [&](std::size_t, T) { ++count; });
    counts[v * gridDim.y + blockIdx.y] = count;
  }
  const std::uint32_t sum = reduction(shared).Sum(count);
  if (threadIdx.x == 0 && sum > 0) {
    ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_device>(*total).fetch_add(
        sum, ::cuda::memory_order_relaxed);
  }
}

template <class T>
__global__ void __launch_bounds__(tight_arcs.count_threads)
    copy_arcs_kernel(square_matrix<T> matrix, std::size_t n, T no_arc, const std::uint32_t* begins,
                     arc_from<T>* arcs) {
  const std::size_t v = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (v >= n) return;
  std::uint32_t place = begins[v * gridDim.y + blockIdx.y];
  for_each_arc_of_part(matrix, n, no_arc, v, [&](std::size_t u, T weight) {
    arcs[place++] = {static_cast<std::int32_t>(u), weight};
  });
}

/// The last arc of a path.
template <class T>
struct last_arc {
  T length;  ///< of the path
  /// The source of the arc is not nearer than its target, because sums were rounded.
  bool is_level;
  std::int32_t source;

  __device__ bool is_better_than(const last_arc& other) const {
    if (length != other.length) return length < other.length;
    if (is_level != other.is_level) return other.is_level;
    return static_cast<std::uint32_t>(source) < static_cast<std::uint32_t>(other.source);
  }
};

/// The predecessor of every vertex is the source of the best arc to it, or -1 if there is no path.
/// One CUDA block per row.
template <class T>
__global__ void __launch_bounds__(tight_arcs.search_threads)
    find_tight_arcs_kernel(square_matrix<T> matrix, std::size_t n, T no_path,
                           arcs_by_target<T> graph) {
  const std::size_t source = blockIdx.x;
  const T* const row = matrix.distances + source * matrix.pitch;
  const auto lane = static_cast<std::uint32_t>(threadIdx.x % warp_size);
  const last_arc<T> none{no_path, true, -1};
  // Returns true if no other arc is better, but for those of vertices with larger numbers.
  const auto improve = [&](last_arc<T>& best, std::uint32_t place, T distance) {
    const arc_from<T> arc = graph.arcs[place];
    const T before = row[arc.source];
    const last_arc<T> found{before + arc.weight, !(before < distance), arc.source};
    // The length may be rounded to infinity.
    if (before < no_path && found.is_better_than(best)) best = found;
    return found.length == distance && !found.is_level;
  };
  for (std::size_t first = threadIdx.x - lane; first < n; first += blockDim.x) {
    const std::size_t v = first + lane;
    T distance = no_path;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    if (v < n && v != source) {
      distance = row[v];
      if (distance < no_path) {
        begin = graph.begins[v * graph.num_parts];
        end = graph.begins[(v + 1) * graph.num_parts];
      }
    }
    const bool has_many = end - begin > tight_arcs.arcs_per_thread;
    last_arc<T> best = none;
    if (!has_many) {
      for (std::uint32_t place = begin; place < end; ++place) {
        if (improve(best, place, distance)) break;
      }
    }
    for (unsigned left = __ballot_sync(whole_warp, has_many); left != 0; left &= left - 1) {
      const int owner = __ffs(static_cast<int>(left)) - 1;
      const T its_distance = __shfl_sync(whole_warp, distance, owner);
      const std::uint32_t its_end = __shfl_sync(whole_warp, end, owner);
      std::uint32_t place = __shfl_sync(whole_warp, begin, owner);
      last_arc<T> its_best = none;
      for (bool is_done = false; !is_done && place < its_end; place += warp_size) {
        const bool is_final =
            place + lane < its_end && improve(its_best, place + lane, its_distance);
        is_done = __any_sync(whole_warp, is_final);
      }
#pragma unroll
      for (int distance_of_lanes = warp_size / 2; distance_of_lanes > 0; distance_of_lanes /= 2) {
        const last_arc<T> other{
            __shfl_xor_sync(whole_warp, its_best.length, distance_of_lanes),
            __shfl_xor_sync(whole_warp, its_best.is_level, distance_of_lanes) != 0,
            __shfl_xor_sync(whole_warp, its_best.source, distance_of_lanes)};
        if (other.is_better_than(its_best)) its_best = other;
      }
      if (static_cast<int>(lane) == owner) best = its_best;
    }
    if (v < n) matrix.predecessors[source * matrix.pitch + v] = best.source;
  }
}

/// The arcs of a graph, kept while its matrix is solved in place, and the search for predecessors
/// among them.
template <class T>
class tight_arc_search {
 public:
  /// Reads the arcs from the matrix of a graph. Waits for the work on the stream.
  /// @param more_bytes  that the call will allocate if there are arcs, beside these.
  /// @return nothing if the arcs are too many, or if there is too little memory for them.
  static std::optional<tight_arc_search> of(const device_workspace& space,
                                            const square_matrix<T>& matrix, std::size_t n, T no_arc,
                                            std::size_t more_bytes) {
    tight_arc_search found(space, n, no_arc);
    const std::size_t most_arcs = most_searched_arcs(n);
    if (most_arcs < n) return std::nullopt;
    const std::size_t num_begins = n * found.num_parts_ + 1;
    const std::size_t bytes =
        num_begins * sizeof(std::uint32_t) + most_arcs * sizeof(arc_from<T>) + more_bytes;
    if (!space.has_room_for(bytes) || !found.read(matrix, most_arcs)) return std::nullopt;
    return found;
  }

  /// Writes the predecessors of a matrix of distances.
  void find_predecessors(const square_matrix<T>& matrix) const {
    launch("find_tight_arcs_kernel",
           {static_cast<unsigned>(n_), static_cast<unsigned>(tight_arcs.search_threads),
            space_->stream.get()},
           find_tight_arcs_kernel<T>, matrix, n_, no_arc_,
           arcs_by_target<T>{arcs_.get(), begins_.get(), num_parts_});
  }

 private:
  tight_arc_search(const device_workspace& space, std::size_t n, T no_arc)
      : space_(&space),
        n_(n),
        num_parts_((n + tight_arcs.rows_per_part - 1) / tight_arcs.rows_per_part),
        no_arc_(no_arc) {}

  /// @return false if there are too many arcs.
  bool read(const square_matrix<T>& matrix, std::size_t most_arcs) {
    const std::size_t num_begins = n_ * num_parts_ + 1;
    const cudaStream_t stream = space_->stream.get();
    const launch_shape shape{
        dim3(static_cast<unsigned>((n_ + tight_arcs.count_threads - 1) / tight_arcs.count_threads),
             static_cast<unsigned>(num_parts_)),
        static_cast<unsigned>(tight_arcs.count_threads), stream};
    begins_ = space_->allocate<std::uint32_t>(num_begins);
    const auto total = space_->allocate<unsigned long long>(1);
    APSP_CUDA_CHECK(cudaMemsetAsync(total.get(), 0, sizeof(unsigned long long), stream));
    launch("count_arcs_kernel", shape, count_arcs_kernel<T>, matrix, n_, no_arc_, begins_.get(),
           total.get());
    unsigned long long num_arcs = 0;
    APSP_CUDA_CHECK(
        cudaMemcpyAsync(&num_arcs, total.get(), sizeof(num_arcs), cudaMemcpyDeviceToHost, stream));
    APSP_CUDA_CHECK(cudaStreamSynchronize(stream));
    if (num_arcs > most_arcs) return false;
    make_exclusive_sums(*space_, begins_.get(), num_begins);
    arcs_ = space_->allocate<arc_from<T>>(num_arcs);
    launch("copy_arcs_kernel", shape, copy_arcs_kernel<T>, matrix, n_, no_arc_,
           static_cast<const std::uint32_t*>(begins_.get()), arcs_.get());
    return true;
  }

  const device_workspace* space_;
  std::size_t n_;
  std::size_t num_parts_;
  T no_arc_;
  device_buffer<std::uint32_t> begins_;
  device_buffer<arc_from<T>> arcs_;
};

}  // namespace apsp::inline v1::detail::cuda
