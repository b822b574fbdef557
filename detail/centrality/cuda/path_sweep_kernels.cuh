// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../device/architecture.hpp"
#include "../../device/warp.hpp"
#include "../path_arcs.hpp"
#include "exact_sums.cuh"

// Sweeps over a hierarchy of shortest paths, a lane of a warp for each source.
namespace apsp::inline v1::detail::cuda {

struct path_sweep_tuning {
  /// Sources per multiprocessor from which on each lane has two of them.
  std::size_t two_from = 1024;
  unsigned warps_alone = 20;  ///< Of a multiprocessor.
  unsigned warps_of_two = 16;
};
inline constexpr path_sweep_tuning path_sweep_settings{};

/// A place as sweeps down pass it.
struct alignas(16) down_place {
  std::uint32_t first_arc;
  std::uint32_t num_arcs;
  std::int32_t depth;
  std::int32_t subtree_size;
};

/// An arc that leads down.
struct alignas(16) down_arc {
  double weight;
  float count;         ///< Less than 0 if it is not a `float`.
  std::uint32_t from;  ///< The byte where what is known of the place above begins.
};

/// The arc that is on all shortest paths to a place from the sources of a warp.
struct only_arc {
  // In place of its number among the arcs of the place: several arcs are on shortest paths, or also
  // several for the same source.
  static constexpr std::int32_t several = -1;
  static constexpr std::int32_t ties = -2;

  std::int32_t number = several;
  std::uint32_t index = 0;  ///< Among all arcs.
  std::uint32_t from = 0;   ///< As in `down_arc`.
};

/// The values of one lane: of `Count` sources.
template <unsigned Count>
struct alignas(sizeof(double) * Count) path_values_of_lane {
  double at[Count];
};

/// What a warp keeps by depth: of the places on the line from the root to the current one, and of
/// the ancestors of its sources.
template <unsigned Count>
struct path_line {
  using values = path_values_of_lane<Count>;

  struct line_record {
    values lengths[warp_size];
    values counts[warp_size];
    values shares[warp_size];
  };
  /// Each lane has ancestors of its own.
  struct above_record {
    values lengths[warp_size];
    values counts[warp_size];
    values shares[warp_size];  ///< At first of all paths that turn there, then of a single one.
    std::int32_t places[Count][warp_size];
  };
  struct alignas(16) place_record {
    std::int32_t place;
    only_arc only;
  };

  static constexpr std::size_t bytes_of_depth =
      sizeof(line_record) + sizeof(above_record) + sizeof(place_record);
};

struct path_sweep_task {
  std::size_t num_places;
  const down_place* places;
  const down_arc* down;
  const double* down_counts;
  const std::int32_t* parents;  ///< By place.
  path_arcs_by_place up;
  double tolerance;
  std::size_t height;
  const std::int32_t* source_places;  ///< Descending.
  std::size_t num_sources;
  bool with_ends;
  char* lines;  ///< `bytes_of_depth` for each depth and block.
  exact_sums of_places;
  exact_sums of_up;
  exact_sums of_down;
  /// Of arcs that are on all shortest paths to a place: the shares of paths that lead on from
  /// there, and the number of paths that end there. They are not part of the other sums.
  exact_sums of_only;
  unsigned long long* num_ends;
  unsigned long long* largest_count;  ///< The bits of a double.
  unsigned long long* num_taken;      ///< Groups of sources.
  const int* stop;
};

/// The sweep of a warp from a group of sources, `Count` in each lane.
template <unsigned Count>
class path_sweep {
  using line = path_line<Count>;
  using values = path_values_of_lane<Count>;
  static constexpr std::uint32_t arcs_kept = Count == 1 ? 4 : 3;  // As registers allow.

 public:
  __device__ explicit path_sweep(const path_sweep_task& task) : task_(task), lane_(threadIdx.x) {
    char* own = task.lines + blockIdx.x * task.height * line::bytes_of_depth;
    line_ = own + lane_ * sizeof(values);
    own += task.height * sizeof(typename line::line_record);
    above_ = reinterpret_cast<typename line::above_record*>(own);
    own += task.height * sizeof(typename line::above_record);
    records_ = reinterpret_cast<typename line::place_record*>(own);
  }

  /// @return false if a stop is requested.
  __device__ bool run(std::size_t group) {
    first_ = -1;
    last_ = -1;
    std::int32_t first = 0x7fffffff;
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      const std::size_t s = (group * warp_size + lane_) * Count + i;
      sources_[i] = s < task_.num_sources ? task_.source_places[s] : -1;
      depths_[i] = sources_[i] < 0 ? -1 : task_.places[sources_[i]].depth;
      num_reached_[i] = 0;
      last_ = max(last_, sources_[i]);
      if (sources_[i] >= 0) first = min(first, sources_[i]);
      sweep_up(i);
    }
    first_ = __reduce_min_sync(whole_warp, first);
    last_ = __reduce_max_sync(whole_warp, last_);
    for (std::size_t d = 0; d < task_.height; ++d) shares_at(byte_of(d)) = {};
    __syncwarp();
    int end = 0;
    // What is read of a place does not depend on the places before, and is read ahead.
    const auto place_at = [&](std::size_t place) {
      return place < task_.num_places ? task_.places[place] : down_place{};
    };
    down_place next = place_at(0);
    down_place after_next = place_at(1);
    first_arcs next_arcs = read_arcs(next);
    for (std::size_t place = 0; place < task_.num_places; ++place) {
      constexpr std::size_t places_between_polls = 1024;
      if (task_.stop != nullptr && place % places_between_polls == 0 &&
          __any_sync(whole_warp, *static_cast<const volatile int*>(task_.stop) != 0)) {
        return false;
      }
      const down_place here = next;
      const first_arcs arcs = next_arcs;
      next = after_next;
      after_next = place_at(place + 2);
      next_arcs = read_arcs(next);
      while (end > here.depth) leave(--end);
      const bool is_leaf = here.subtree_size == 1;
      pass(static_cast<std::int32_t>(place), here, arcs, is_leaf);
      end = is_leaf ? here.depth : here.depth + 1;
    }
    while (end > 0) leave(--end);
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) leave_above(i);
    return true;
  }

  /// To be called once, at the end.
  __device__ void note_largest_count() const {
    atomicMax(task_.largest_count,
              static_cast<unsigned long long>(__double_as_longlong(largest_count_)));
  }

 private:
  /// The first arcs of a place, as many as it has.
  struct first_arcs {
    down_arc at[arcs_kept];
  };
  __device__ __forceinline__ first_arcs read_arcs(const down_place& of) const {
    first_arcs arcs;
#pragma unroll
    for (std::uint32_t j = 0; j < arcs_kept; ++j) {
      if (j < of.num_arcs) arcs.at[j] = task_.down[of.first_arc + j];
    }
    return arcs;
  }
  static __device__ __forceinline__ double infinity() {
    return __longlong_as_double(0x7ff0000000000000);
  }
  static __device__ __forceinline__ std::uint32_t byte_of(std::size_t depth) {
    return static_cast<std::uint32_t>(depth * sizeof(typename line::line_record));
  }
  __device__ __forceinline__ values& lengths_at(std::uint32_t byte) const {
    return *reinterpret_cast<values*>(line_ + byte);
  }
  __device__ __forceinline__ values& counts_at(std::uint32_t byte) const {
    return *reinterpret_cast<values*>(line_ + byte + sizeof(values) * warp_size);
  }
  __device__ __forceinline__ values& shares_at(std::uint32_t byte) const {
    return *reinterpret_cast<values*>(line_ + byte + 2 * sizeof(values) * warp_size);
  }
  __device__ __forceinline__ double count_of(const down_arc& arc, std::uint32_t number) const {
    return arc.count < 0 ? task_.down_counts[number] : static_cast<double>(arc.count);
  }
  /// Lengths that count as equal to a shortest one are at most this.
  __device__ __forceinline__ double limit(double length) const {
    return length < infinity() ? fma(task_.tolerance, length, length) : -infinity();
  }
  static __device__ __forceinline__ double sum(double x) {
#pragma unroll
    for (unsigned step = warp_size / 2; step != 0; step /= 2) {
      x += __shfl_xor_sync(whole_warp, x, step);
    }
    return x;
  }
  static __device__ __forceinline__ double sum(const values& x) {
    return sum(Count == 1 ? x.at[0] : x.at[0] + x.at[Count - 1]);
  }
  __device__ __forceinline__ void add(const exact_sums& sums, std::size_t i, double x) const {
    if (lane_ == 0) sums.add(i, x);
  }
  __device__ __forceinline__ bool is_above(unsigned i, std::int32_t place,
                                           std::int32_t subtree_size) const {
    return static_cast<std::uint32_t>(sources_[i] - place) <
           static_cast<std::uint32_t>(subtree_size);
  }

  // Each lane follows the arcs up from its own source.
  __device__ void sweep_up(unsigned i) {
    const auto length_at = [&](std::int32_t d) -> double& {
      return above_[d].lengths[lane_].at[i];
    };
    const auto count_at = [&](std::int32_t d) -> double& { return above_[d].counts[lane_].at[i]; };
    for (std::int32_t d = 0; d <= depths_[i]; ++d) {
      length_at(d) = d == depths_[i] ? 0 : infinity();
      count_at(d) = d == depths_[i] ? 1 : 0;
      above_[d].shares[lane_].at[i] = 0;
    }
    std::int32_t place = sources_[i];
    for (std::int32_t d = depths_[i]; d >= 0; --d, place = task_.parents[place]) {
      above_[d].places[i][lane_] = place;
      const double length = length_at(d);
      for (auto a = task_.up.offsets[place]; a < task_.up.offsets[place + 1]; ++a) {
        const path_arc& arc = task_.up.arcs[a];
        length_at(arc.depth) = fmin(length_at(arc.depth), length + arc.weight);
      }
    }
    for (std::int32_t d = depths_[i]; d >= 0; --d) {
      place = above_[d].places[i][lane_];
      const double length = length_at(d);
      const double count = count_at(d);
      largest_count_ = count <= largest_count_ ? largest_count_ : count;
      for (auto a = task_.up.offsets[place]; a < task_.up.offsets[place + 1]; ++a) {
        const path_arc& arc = task_.up.arcs[a];
        if (length + arc.weight <= limit(length_at(arc.depth))) {
          count_at(arc.depth) += count * arc.count;
        }
      }
    }
  }

  /// The shortest paths to a place.
  struct found_paths {
    values lengths;
    values counts;
    only_arc only;
  };

  // Finds the paths to a place from those to its ancestors, and if there is nothing below it, hands
  // their shares on at once.
  __device__ __forceinline__ void pass(std::int32_t place, const down_place& here,
                                       const first_arcs& first, bool is_leaf) {
    values best;
    values counts;
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      best.at[i] = infinity();
      counts.at[i] = 0;
    }
    // Rarely true.
    bool is_above_some = false;
    if (place <= last_ && first_ < place + here.subtree_size) {
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) {
        if (!is_above(i, place, here.subtree_size)) continue;
        best.at[i] = above_[here.depth].lengths[lane_].at[i];
        counts.at[i] = above_[here.depth].counts[lane_].at[i];
        is_above_some = true;
      }
      is_above_some = __any_sync(whole_warp, is_above_some);
    }
    const values above = best;
    const down_arc* const arcs = task_.down + here.first_arc;
    values through[arcs_kept];
    values counts_above[arcs_kept];
#pragma unroll
    for (std::uint32_t j = 0; j < arcs_kept; ++j) {
      if (j < here.num_arcs) {
        through[j] = lengths_at(first.at[j].from);
        counts_above[j] = counts_at(first.at[j].from);
      }
    }
#pragma unroll
    for (std::uint32_t j = 0; j < arcs_kept; ++j) {
      if (j < here.num_arcs) {
#pragma unroll
        for (unsigned i = 0; i < Count; ++i) {
          through[j].at[i] += first.at[j].weight;
          best.at[i] = fmin(best.at[i], through[j].at[i]);
        }
      }
    }
    for (std::uint32_t j = arcs_kept; j < here.num_arcs; ++j) {
      const down_arc arc = arcs[j];
      const values lengths = lengths_at(arc.from);
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) {
        best.at[i] = fmin(best.at[i], lengths.at[i] + arc.weight);
      }
    }
    values most;
    unsigned seen = 0;  // A bit for each source.
    unsigned twice = 0;
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      most.at[i] = limit(best.at[i]);
      if (above.at[i] <= most.at[i]) {
        seen |= 1u << i;
      } else {
        counts.at[i] = 0;
      }
    }
    only_arc only;
    bool is_only = !is_above_some;
    const auto follow = [&](const down_arc& arc, std::uint32_t j, const values& lengths,
                            auto counts_from) {
      unsigned tight = 0;
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) tight |= lengths.at[i] <= most.at[i] ? 1u << i : 0;
      if (!__any_sync(whole_warp, tight != 0)) return;
      is_only = is_only && only.number < 0;
      only = {static_cast<std::int32_t>(j), here.first_arc + j, arc.from};
      twice |= seen & tight;
      seen |= tight;
      const double arc_count = count_of(arc, here.first_arc + j);
      const values from = counts_from();
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) {
        if ((tight >> i & 1) != 0) counts.at[i] = fma(from.at[i], arc_count, counts.at[i]);
      }
    };
#pragma unroll
    for (std::uint32_t j = 0; j < arcs_kept; ++j) {
      if (j < here.num_arcs) {
        follow(first.at[j], j, through[j], [&] { return counts_above[j]; });
      }
    }
    for (std::uint32_t j = arcs_kept; j < here.num_arcs; ++j) {
      const down_arc arc = arcs[j];
      values lengths = lengths_at(arc.from);
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) lengths.at[i] += arc.weight;
      follow(arc, j, lengths, [&] { return counts_at(arc.from); });
    }
    if (!is_only) {
      only.number = __any_sync(whole_warp, twice != 0) ? only_arc::ties : only_arc::several;
    }
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      largest_count_ = counts.at[i] <= largest_count_ ? largest_count_ : counts.at[i];
    }
    if (is_leaf) {
      hand_on(place, here, {best, counts, only}, {});
      return;
    }
    const std::uint32_t byte = byte_of(here.depth);
    lengths_at(byte) = best;
    counts_at(byte) = counts;
    if (lane_ == 0) records_[here.depth] = {place, only};
    __syncwarp();
  }

  // Ends the sweep below a place.
  __device__ __forceinline__ void leave(std::int32_t depth) {
    const auto record = records_[depth];
    const std::uint32_t byte = byte_of(depth);
    const values shares = shares_at(byte);
    shares_at(byte) = {};
    const found_paths found{lengths_at(byte), counts_at(byte), record.only};
    hand_on(record.place, task_.places[record.place], found, shares);
  }

  // Hands the shares of the paths that lead to a place on to its ancestors.
  // @param shares  of those that lead on from there.
  __device__ __forceinline__ void hand_on(std::int32_t place, const down_place& here,
                                          const found_paths& found, values shares) {
    values* const shares_before = &shares_at(found.only.from);
    values before{};
    if (found.only.number >= 0) before = *shares_before;
    bool is_any = false;
    unsigned num_reached = 0;
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      if (sources_[i] == place) shares.at[i] = 0;
      is_any = is_any || shares.at[i] != 0;
      const bool is_reached = found.lengths.at[i] < infinity();
      num_reached += __popc(__ballot_sync(whole_warp, is_reached));
      num_reached_[i] += is_reached ? 1 : 0;
    }
    double through = 0;
    if (__any_sync(whole_warp, is_any)) through = sum(shares);
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) shares.at[i] += found.lengths.at[i] < infinity() ? 1 : 0;
    if (found.only.number >= 0) {
      const std::uint32_t number = found.only.index;
      if (lane_ == 0) {
        if (through != 0) task_.of_only.add(number, through);
        atomicAdd(task_.num_ends + number, static_cast<unsigned long long>(num_reached));
      }
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) before.at[i] += shares.at[i];
      *shares_before = before;
      return;
    }
    const double of_place = task_.with_ends ? through + num_reached : through;
    if (of_place != 0) add(task_.of_places, static_cast<std::size_t>(place), of_place);
    values most;
    values ratios;
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      most.at[i] = limit(found.lengths.at[i]);
      const bool is_shared = found.only.number == only_arc::ties && found.counts.at[i] > 0;
      ratios.at[i] = is_shared ? shares.at[i] / found.counts.at[i] : 0;
    }
    for (std::uint32_t j = 0; j < here.num_arcs; ++j) {
      const std::uint32_t number = here.first_arc + j;
      const down_arc arc = task_.down[number];
      const values lengths = lengths_at(arc.from);
      unsigned tight = 0;
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) {
        tight |= lengths.at[i] + arc.weight <= most.at[i] ? 1u << i : 0;
      }
      if (!__any_sync(whole_warp, tight != 0)) continue;
      values parts = shares;
      if (found.only.number == only_arc::ties) {
        const double arc_count = count_of(arc, number);
        const values counts = counts_at(arc.from);
#pragma unroll
        for (unsigned i = 0; i < Count; ++i) {
          parts.at[i] = ratios.at[i] * (counts.at[i] * arc_count);
        }
      }
      values& above = shares_at(arc.from);
      values sums = above;
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) {
        if ((tight >> i & 1) == 0) parts.at[i] = 0;
        sums.at[i] += parts.at[i];
      }
      above = sums;
      add(task_.of_down, number, sum(parts));
    }
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      if (!is_above(i, place, here.subtree_size)) continue;
      auto& record = above_[here.depth];
      if (record.lengths[lane_].at[i] <= most.at[i]) {
        record.shares[lane_].at[i] = found.only.number == only_arc::ties
                                         ? ratios.at[i] * record.counts[lane_].at[i]
                                         : shares.at[i];
      }
    }
  }

  // Hands shares back along the arcs that lead up. Lanes whose ancestors are the same follow their
  // arcs together.
  __device__ void leave_above(unsigned i) {
    const std::int32_t deepest = __reduce_max_sync(whole_warp, depths_[i]);
    for (std::int32_t d = 0; d <= deepest; ++d) {
      auto& here = above_[d];
      const std::int32_t own = d <= depths_[i] ? here.places[i][lane_] : -1;
      unsigned open = __ballot_sync(whole_warp, own >= 0);
      while (open != 0) {
        const std::int32_t place = __shfl_sync(whole_warp, own, __ffs(static_cast<int>(open)) - 1);
        const bool is_here = own == place;
        open &= ~__ballot_sync(whole_warp, is_here);
        const double length = is_here ? here.lengths[lane_].at[i] : infinity();
        const double count = is_here ? here.counts[lane_].at[i] : 0;
        double share = 0;
        for (auto a = task_.up.offsets[place]; a < task_.up.offsets[place + 1]; ++a) {
          const path_arc& arc = task_.up.arcs[a];
          const auto& above = above_[arc.depth];
          double part = 0;
          if (is_here && length + arc.weight <= limit(above.lengths[lane_].at[i])) {
            part = above.shares[lane_].at[i] * (count * arc.count);
          }
          if (!__any_sync(whole_warp, part != 0)) continue;
          share += part;
          add(task_.of_up, a, sum(part));
        }
        const double through = sum(d == depths_[i] ? 0 : share);
        if (through != 0) add(task_.of_places, static_cast<std::size_t>(place), through);
        if (is_here) {
          const double total = share + here.shares[lane_].at[i];
          here.shares[lane_].at[i] = count > 0 ? total / count : 0;
        }
      }
    }
    if (task_.with_ends && sources_[i] >= 0) {
      // It has been counted once, as the end of the path to itself.
      atomicAdd(task_.of_places.whole + sources_[i],
                static_cast<unsigned long long>(static_cast<long long>(num_reached_[i]) - 2));
    }
  }

  const path_sweep_task& task_;
  unsigned lane_;
  std::int32_t sources_[Count];
  std::int32_t depths_[Count];
  std::int32_t num_reached_[Count];
  std::int32_t first_;  ///< Of the places of all sources of the warp.
  std::int32_t last_;
  double largest_count_ = 0;
  char* line_;  ///< Of this lane.
  typename line::above_record* above_;
  typename line::place_record* records_;
};

/// Sweeps from groups of sources, one warp per block of threads.
template <unsigned Count>
__global__ void __launch_bounds__(warp_size,
                                  resident_blocks(Count == 1 ? path_sweep_settings.warps_alone
                                                             : path_sweep_settings.warps_of_two,
                                                  warp_size))
    path_sweep_kernel(const __grid_constant__ path_sweep_task task) {
  path_sweep<Count> sweep(task);
  constexpr std::size_t group_size = warp_size * Count;
  const std::size_t num_groups = (task.num_sources + group_size - 1) / group_size;
  for (;;) {
    const unsigned long long taken = threadIdx.x == 0 ? atomicAdd(task.num_taken, 1) : 0;
    const auto group = static_cast<std::size_t>(__shfl_sync(whole_warp, taken, 0));
    if (group >= num_groups || !sweep.run(group)) break;
  }
  sweep.note_largest_count();
}

}  // namespace apsp::inline v1::detail::cuda
