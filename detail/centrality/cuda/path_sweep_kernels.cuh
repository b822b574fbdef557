// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../device/architecture.hpp"
#include "../../device/warp.hpp"
#include "../path_arcs.hpp"

// Sweeps over a hierarchy of shortest paths, a lane of a warp for each source.
namespace apsp::detail::cuda {

struct path_sweep_tuning {
  unsigned warps = 32;  ///< Of a multiprocessor.
};
inline constexpr path_sweep_tuning path_sweep_settings{};

/// Sums of doubles that are at least 0, in fixed point: they do not depend on the order.
struct exact_sums {
  unsigned long long* whole;
  unsigned long long* parts;  ///< In units of 2^-64.

  __device__ void add(std::size_t i, double x) const {
    constexpr double units = 0x1p64;
    const double floor = ::floor(x);
    const auto part = static_cast<unsigned long long>((x - floor) * units);
    auto integer = static_cast<unsigned long long>(floor);
    if (part != 0 && atomicAdd(parts + i, part) + part < part) ++integer;
    if (integer != 0) atomicAdd(whole + i, integer);
  }
};

/// What a warp keeps of the places on the line from the root to the current one, and of the
/// ancestors of its sources. The lanes of a depth lie together.
struct path_line {
  static constexpr std::size_t num_values = 6;
  static constexpr std::size_t num_numbers = 1;  ///< Of each lane.
  static constexpr std::size_t num_common = 2;   ///< Of the warp.

  static std::size_t bytes(std::size_t height) {
    return height * (warp_size * (num_values * sizeof(double) + num_numbers * sizeof(int)) +
                     num_common * sizeof(int));
  }
};

struct path_sweep_task {
  path_sweep_graph graph;
  const std::int32_t* parents;        ///< By place.
  const std::int32_t* subtree_sizes;  ///< By place.
  std::size_t height;
  const std::int32_t* source_places;  ///< Descending.
  std::size_t num_sources;
  bool with_ends;
  char* lines;  ///< `path_line::bytes(height)` for each block.
  exact_sums of_places;
  exact_sums of_up;
  exact_sums of_down;
  unsigned long long* largest_count;  ///< The bits of a double.
  unsigned long long* num_taken;      ///< Groups of sources.
  const int* stop;
};

/// The sweep of a warp from a group of sources.
class path_sweep {
  // Of the places that are numbered in `only`: several arcs are on shortest paths, or also several
  // for the same source.
  static constexpr int several_arcs = -1;
  static constexpr int ties = -2;

 public:
  __device__ path_sweep(const path_sweep_task& task)
      : task_(task), graph_(task.graph), lane_(threadIdx.x) {
    const std::size_t height = task.height;
    char* const own = task.lines + blockIdx.x * line_bytes(height);
    auto* const values = reinterpret_cast<double*>(own) + lane_;
    const std::size_t size = height * warp_size;
    lengths_ = values;
    counts_ = values + size;
    shares_ = values + 2 * size;
    lengths_above_ = values + 3 * size;
    counts_above_ = values + 4 * size;
    shares_above_ = values + 5 * size;
    auto* const numbers =
        reinterpret_cast<std::int32_t*>(reinterpret_cast<double*>(own) + 6 * size);
    line_above_ = numbers + lane_;
    line_ = numbers + size;
    only_ = line_ + height;
  }

  /// @return false if a stop is requested.
  __device__ bool run(std::size_t group) {
    const std::size_t s = group * warp_size + lane_;
    source_ = s < task_.num_sources ? task_.source_places[s] : -1;
    source_depth_ = source_ < 0 ? -1 : graph_.depths[source_];
    num_reached_ = 0;
    sweep_up();
    for (std::size_t d = 0; d < task_.height; ++d) at(shares_, d) = 0;
    int end = 0;
    for (std::size_t place = 0; place < graph_.num_places; ++place) {
      constexpr std::size_t places_between_polls = 1024;
      if (task_.stop != nullptr && place % places_between_polls == 0 &&
          *static_cast<const volatile int*>(task_.stop) != 0) {
        return false;
      }
      const int depth = graph_.depths[place];
      while (end > depth) leave(--end);
      enter(static_cast<std::int32_t>(place), depth);
      end = depth + 1;
    }
    while (end > 0) leave(--end);
    leave_above();
    return true;
  }

  /// To be called once, at the end.
  __device__ void note_largest_count() const {
    atomicMax(task_.largest_count,
              static_cast<unsigned long long>(__double_as_longlong(largest_count_)));
  }

 private:
  static __device__ std::size_t line_bytes(std::size_t height) {
    return height * (warp_size * (path_line::num_values * sizeof(double) +
                                  path_line::num_numbers * sizeof(int)) +
                     path_line::num_common * sizeof(int));
  }
  template <class X>
  static __device__ __forceinline__ X& at(X* values, std::size_t depth) {
    return values[depth * warp_size];
  }
  static __device__ __forceinline__ double infinity() {
    return __longlong_as_double(0x7ff0000000000000);
  }
  /// Lengths that count as equal to a shortest one are at most this.
  __device__ __forceinline__ double limit(double length) const {
    return length < infinity() ? length + graph_.tolerance * length : -infinity();
  }
  static __device__ __forceinline__ double sum(double x) {
#pragma unroll
    for (unsigned step = warp_size / 2; step != 0; step /= 2) {
      x += __shfl_xor_sync(whole_warp, x, step);
    }
    return x;
  }
  __device__ __forceinline__ void add(const exact_sums& sums, std::size_t i, double x) const {
    const double total = sum(x);
    if (lane_ == 0) sums.add(i, total);
  }

  // Each lane follows the arcs up from its own source.
  __device__ void sweep_up() {
    for (int d = 0; d <= source_depth_; ++d) {
      at(lengths_above_, d) = d == source_depth_ ? 0 : infinity();
      at(counts_above_, d) = d == source_depth_ ? 1 : 0;
      at(shares_above_, d) = 0;
    }
    std::int32_t place = source_;
    for (int d = source_depth_; d >= 0; --d, place = task_.parents[place]) {
      at(line_above_, d) = place;
      const double length = at(lengths_above_, d);
      for (auto a = graph_.up.offsets[place]; a < graph_.up.offsets[place + 1]; ++a) {
        const path_arc& arc = graph_.up.arcs[a];
        double& above = at(lengths_above_, arc.depth);
        above = fmin(above, length + arc.weight);
      }
    }
    for (int d = source_depth_; d >= 0; --d) {
      place = at(line_above_, d);
      const double length = at(lengths_above_, d);
      const double count = at(counts_above_, d);
      for (auto a = graph_.up.offsets[place]; a < graph_.up.offsets[place + 1]; ++a) {
        const path_arc& arc = graph_.up.arcs[a];
        if (length + arc.weight <= limit(at(lengths_above_, arc.depth))) {
          at(counts_above_, arc.depth) += count * arc.count;
        }
      }
    }
    __syncwarp();
  }

  // Finds the paths to a place from those to its ancestors.
  __device__ __forceinline__ void enter(std::int32_t place, int depth) {
    const auto begin = graph_.down.offsets[place];
    const auto end = graph_.down.offsets[place + 1];
    double best = infinity();
    double count_above = 0;
    // True for the ancestors of the source.
    const bool is_above = static_cast<std::uint32_t>(source_ - place) <
                          static_cast<std::uint32_t>(task_.subtree_sizes[place]);
    if (is_above) {
      best = at(lengths_above_, depth);
      count_above = at(counts_above_, depth);
    }
    const double length_above = best;
#pragma unroll 4
    for (auto a = begin; a < end; ++a) {
      const path_arc& arc = graph_.down.arcs[a];
      best = fmin(best, at(lengths_, arc.depth) + arc.weight);
    }
    const double most = limit(best);
    bool is_tight = length_above <= most;
    double count = is_tight ? count_above : 0;
    bool is_twice = false;
    int only = several_arcs;
    bool is_only = !__any_sync(whole_warp, is_above);
#pragma unroll 4
    for (auto a = begin; a < end; ++a) {
      const path_arc& arc = graph_.down.arcs[a];
      const bool is_arc_tight = at(lengths_, arc.depth) + arc.weight <= most;
      if (!__any_sync(whole_warp, is_arc_tight)) continue;
      is_only = is_only && only < 0;
      only = static_cast<int>(a - begin);
      if (is_arc_tight) {
        count += at(counts_, arc.depth) * arc.count;
        is_twice |= is_tight;
        is_tight = true;
      }
    }
    if (!is_only) only = __any_sync(whole_warp, is_twice) ? ties : several_arcs;
    largest_count_ = count <= largest_count_ ? largest_count_ : count;
    at(lengths_, depth) = best;
    at(counts_, depth) = count;
    if (lane_ == 0) {
      line_[depth] = place;
      only_[depth] = only;
    }
    __syncwarp();
  }

  // Hands the shares of the paths that lead to a place on to its ancestors, after those of all
  // places below.
  __device__ __forceinline__ void leave(int depth) {
    const std::int32_t place = line_[depth];
    const int only = only_[depth];
    double share = source_ == place ? 0 : at(shares_, depth);
    at(shares_, depth) = 0;
    const double length = at(lengths_, depth);
    const bool is_reached = length < infinity();
    const unsigned reached = __ballot_sync(whole_warp, is_reached);
    num_reached_ += is_reached ? 1 : 0;
    double through = 0;
    if (__any_sync(whole_warp, share != 0)) through = sum(share);
    const double ends = __popc(reached);
    if (lane_ == 0) {
      const double total = task_.with_ends ? through + ends : through;
      if (total != 0) task_.of_places.add(place, total);
    }
    if (is_reached) share += 1;
    const auto begin = graph_.down.offsets[place];
    if (only >= 0) {
      if (lane_ == 0) task_.of_down.add(begin + only, through + ends);
      at(shares_, graph_.down.arcs[begin + only].depth) += share;
      return;
    }
    const auto end = graph_.down.offsets[place + 1];
    const double most = limit(length);
    const double count = at(counts_, depth);
    const double ratio = only == ties && count > 0 ? share / count : 0;
#pragma unroll 2
    for (auto a = begin; a < end; ++a) {
      const path_arc& arc = graph_.down.arcs[a];
      const bool is_tight = at(lengths_, arc.depth) + arc.weight <= most;
      if (!__any_sync(whole_warp, is_tight)) continue;
      double part = 0;
      if (is_tight) {
        part = only == ties ? ratio * (at(counts_, arc.depth) * arc.count) : share;
        at(shares_, arc.depth) += part;
      }
      add(task_.of_down, a, part);
    }
    const bool is_above = static_cast<std::uint32_t>(source_ - place) <
                          static_cast<std::uint32_t>(task_.subtree_sizes[place]);
    if (is_above && at(lengths_above_, depth) <= most) {
      at(shares_above_, depth) = only == ties ? ratio * at(counts_above_, depth) : share;
    }
  }

  // Hands shares back along the arcs that lead up. Lanes whose ancestors are the same follow their
  // arcs together.
  __device__ void leave_above() {
    int deepest = source_depth_;
    for (unsigned step = warp_size / 2; step != 0; step /= 2) {
      deepest = max(deepest, __shfl_xor_sync(whole_warp, deepest, step));
    }
    for (int d = 0; d <= deepest; ++d) {
      const std::int32_t own = d <= source_depth_ ? at(line_above_, d) : -1;
      unsigned open = __ballot_sync(whole_warp, own >= 0);
      while (open != 0) {
        const std::int32_t place = __shfl_sync(whole_warp, own, __ffs(static_cast<int>(open)) - 1);
        const bool is_here = own == place;
        open &= ~__ballot_sync(whole_warp, is_here);
        const double length = is_here ? at(lengths_above_, d) : infinity();
        const double count = is_here ? at(counts_above_, d) : 0;
        double share = 0;
        for (auto a = graph_.up.offsets[place]; a < graph_.up.offsets[place + 1]; ++a) {
          const path_arc& arc = graph_.up.arcs[a];
          double part = 0;
          if (is_here && length + arc.weight <= limit(at(lengths_above_, arc.depth))) {
            part = at(shares_above_, arc.depth) * (count * arc.count);
          }
          if (!__any_sync(whole_warp, part != 0)) continue;
          share += part;
          add(task_.of_up, a, part);
        }
        add(task_.of_places, place, d == source_depth_ ? 0 : share);
        if (is_here) {
          const double total = share + at(shares_above_, d);
          at(shares_above_, d) = count > 0 ? total / count : 0;
        }
      }
    }
    if (task_.with_ends && source_ >= 0) {
      // It has been counted once, as the end of the path to itself.
      atomicAdd(task_.of_places.whole + source_,
                static_cast<unsigned long long>(static_cast<long long>(num_reached_) - 2));
    }
  }

  const path_sweep_task& task_;
  const path_sweep_graph& graph_;
  unsigned lane_;
  std::int32_t source_;
  int source_depth_;
  std::int32_t num_reached_;
  double largest_count_ = 0;
  // By depth.
  double* lengths_;
  double* counts_;
  double* shares_;
  double* lengths_above_;  ///< Of the ancestors of the source, as the following.
  double* counts_above_;
  double* shares_above_;  ///< At first of all paths that turn there, then of a single one.
  std::int32_t* line_above_;
  std::int32_t* line_;
  std::int32_t* only_;  ///< Which arc is on all shortest paths, among those of the place.
};

/// Sweeps from groups of sources, one warp per block of threads.
__global__ void __launch_bounds__(warp_size, resident_blocks(path_sweep_settings.warps, warp_size))
    path_sweep_kernel(const path_sweep_task task) {
  path_sweep sweep(task);
  const std::size_t num_groups = (task.num_sources + warp_size - 1) / warp_size;
  for (;;) {
    const unsigned long long taken = threadIdx.x == 0 ? atomicAdd(task.num_taken, 1) : 0;
    const auto group = static_cast<std::size_t>(__shfl_sync(whole_warp, taken, 0));
    if (group >= num_groups || !sweep.run(group)) break;
  }
  sweep.note_largest_count();
}

}  // namespace apsp::detail::cuda
