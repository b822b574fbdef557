// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../../device/architecture.hpp"
#include "../../../device/warp.hpp"
#include "../../../elimination/hierarchy.hpp"
#include "../../../elimination/sweep_program.hpp"
#include "../../../matrix/row_record.hpp"
#include "../../../values/decay.hpp"
#include "../../problem/cuda/device_amounts.cuh"

// Sweeps over a hierarchy, a lane of a warp for one or several sources.
namespace apsp::inline v1::detail::cuda {

/// How sweeps use a multiprocessor.
struct sweep_shape {
  unsigned sources_per_lane;  ///< 1, 2 or 4.
  unsigned warps;             ///< Per multiprocessor.
};
struct sweep_tuning {
  unsigned threads = 128;  ///< Of kernels with one thread per source.
  /// Threads per source that sweep up: one for so many arcs of a place, on average.
  double arcs_per_thread_up = 1;
  unsigned most_threads_up = 8;
  sweep_shape alone{1, 32};  ///< Of `cuda_naive`.
  sweep_shape few_sources{1, 24};
  sweep_shape some_sources{2, 16};
  sweep_shape many_sources{4, 16};
  /// Sources per multiprocessor from which on there are some, and many.
  std::size_t some_from = 3;
  std::size_t many_from = 48;
  /// With more arcs per place than this, fewer warps with more slots are faster: most arcs would
  /// otherwise be spilled.
  double some_arcs = 9;
  sweep_shape more_slots{2, 8};
  double many_arcs = 25;
  sweep_shape most_slots{1, 8};
  /// The distances of a batch, as a part of the memory that is kept for the next call: mapping
  /// memory anew takes longer than a larger batch saves.
  double share_of_kept_memory = 0.8;
  /// Tasks that are ordered by size at the end.
  std::size_t last_tasks_per_warp = 2;
  /// Shared memory of a multiprocessor that is reserved for each block.
  std::size_t reserved_bytes = 1024;
};
inline constexpr sweep_tuning sweeps{};

/// The warps of a multiprocessor that sweep down for so many sources per lane.
constexpr unsigned most_warps_down(unsigned sources_per_lane) {
  return sources_per_lane == sweeps.few_sources.sources_per_lane ? sweeps.few_sources.warps
                                                                 : sweeps.many_sources.warps;
}

/// The values of paths in a sweep.
template <class C>
struct sweep_values {
  C one;          ///< The empty path.
  C none;         ///< No path.
  C none_from;    ///< A value that is not less means that there is no path.
  C stored_none;  ///< What is written then.
  C largest;      ///< The largest value of a path.
};

/// A place as sweeps up pass it.
struct alignas(16) up_place {
  std::int64_t first_arc;
  std::int32_t num_arcs;
  std::int32_t parent;
};

/// A hierarchy in device memory; arrays by place.
template <class C>
struct device_hierarchy {
  std::size_t height;
  const std::int32_t* places;  ///< By vertex.
  const std::int32_t* depths;
  const up_place* up_places;
  const sweep_arc<C>* up;
  // Null unless each thread sweeps alone.
  const std::int32_t* subtree_sizes;
  const std::int32_t* vertices;
  const std::int64_t* down_offsets;
  const sweep_arc<C>* down;
};

/// Computes for every source the values of the paths to its ancestors that lead up only, in
/// @p above: by the depth of the ancestor, the sources of a batch side by side.
///
/// Blocks have as many lanes as a warp, one for each source, and any number of threads per lane,
/// which divide the arcs of each place. All lanes pass the depths together, from the deepest source
/// up: most of them have the ancestors in common, and read the same arcs.
/// @param lanes  the number of sources side by side.
template <class C, class Join>
__global__ void sweep_up_kernel(device_hierarchy<C> graph, const std::int32_t* sources,
                                std::size_t num_sources, unsigned lanes, sweep_values<C> values,
                                C* above) {
  const std::size_t s = std::size_t{blockIdx.x} * warp_size + threadIdx.x;
  const std::int32_t place = s < num_sources ? graph.places[sources[s]] : -1;
  const std::int32_t depth = place < 0 ? -1 : graph.depths[place];
  C* const own = above + s / lanes * graph.height * lanes + s % lanes;
  const auto at = [&](std::int32_t d) -> C& { return own[static_cast<std::size_t>(d) * lanes]; };
  const auto part = static_cast<std::int32_t>(threadIdx.y);
  const auto num_parts = static_cast<std::int32_t>(blockDim.y);
  for (std::int32_t d = part; d < depth; d += num_parts) at(d) = values.none;
  if (depth >= 0 && part == 0) at(depth) = values.one;
  up_place next{};
  if (place >= 0) next = graph.up_places[place];
  __syncthreads();
  std::int32_t deepest = depth;
  for (unsigned step = warp_size / 2; step != 0; step /= 2) {
    deepest = max(deepest, __shfl_xor_sync(whole_warp, deepest, step));
  }
  for (std::int32_t d = deepest; d >= 0; --d) {
    if (d <= depth) {
      const up_place here = next;
      if (here.parent >= 0) next = graph.up_places[here.parent];
      const C value = at(d);
      const std::int64_t end = here.first_arc + here.num_arcs;
      // The arcs of a place lead to different depths, so several are read before any is written.
      constexpr int group = 4;
      for (std::int64_t a = here.first_arc + part * group; a < end; a += num_parts * group) {
        sweep_arc<C> arcs[group];
        C best[group];
#pragma unroll
        for (int i = 0; i < group; ++i) arcs[i] = graph.up[min(a + i, end - 1)];
#pragma unroll
        for (int i = 0; i < group; ++i) best[i] = at(arcs[i].depth);
#pragma unroll
        for (int i = 0; i < group; ++i) {
          const C through = Join::join(value, arcs[i].weight);
          if (through < best[i]) at(arcs[i].depth) = through;
        }
      }
    }
    __syncthreads();
  }
}

/// What a sweep without a program needs beside the hierarchy.
template <class C>
struct alone_task {
  std::size_t num_vertices;
  const std::int32_t* sources;
  std::size_t num_sources;
  unsigned lanes;  ///< Sources side by side.
  sweep_values<C> values;
  const C* above;  ///< From `sweep_up_kernel`.
  C* stack;        ///< As many entries, for the values of the ancestors of a place.
  C* distances;
  const int* stop;
};

/// Sweeps down without a program, one thread per source.
template <class C, class Join>
__global__ void sweep_down_alone_kernel(device_hierarchy<C> graph, alone_task<C> task) {
  const std::size_t s = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (s >= task.num_sources) return;
  const auto source_place = static_cast<std::uint32_t>(graph.places[task.sources[s]]);
  const std::size_t first = s / task.lanes * graph.height * task.lanes + s % task.lanes;
  const auto at = [&](std::int32_t depth) {
    return first + static_cast<std::size_t>(depth) * task.lanes;
  };
  C* const row = task.distances + s / task.lanes * task.num_vertices * task.lanes + s % task.lanes;
  for (std::uint32_t place = 0; place < task.num_vertices; ++place) {
    constexpr std::uint32_t places_between_polls = 1024;
    if (task.stop != nullptr && place % places_between_polls == 0 &&
        *static_cast<const volatile int*>(task.stop) != 0) {
      return;
    }
    const std::int32_t depth = graph.depths[place];
    const bool is_above =
        source_place - place < static_cast<std::uint32_t>(graph.subtree_sizes[place]);
    C best = is_above ? task.above[at(depth)] : task.values.none;
    for (std::int64_t a = graph.down_offsets[place]; a < graph.down_offsets[place + 1]; ++a) {
      const sweep_arc<C> arc = graph.down[a];
      best = min(best, Join::join(task.stack[at(arc.depth)], arc.weight));
    }
    task.stack[at(depth)] = best;
    row[static_cast<std::size_t>(graph.vertices[place]) * task.lanes] =
        best < task.values.none_from ? best : task.values.stored_none;
  }
}

/// The values of one lane: of `Count` sources.
template <class C, unsigned Count>
struct alignas(sizeof(C) * Count) lane_values {
  C at[Count];
};

template <class C>
struct sweep_task {
  const program_unit* units;
  const std::int64_t* part_offsets;
  std::size_t num_parts;
  std::size_t num_groups;  ///< Of as many sources as a warp has.
  const std::int32_t* places;
  const std::int32_t* depths;
  std::size_t num_vertices;
  std::size_t height;
  const std::int32_t* sources;
  std::size_t num_sources;
  const C* above;
  void* spilled;  ///< Room for `num_spilled` units of a warp for every block.
  std::size_t num_spilled;
  sweep_values<C> values;
  C* distances;  ///< Null if totals are wanted.
  void* totals;  ///< A row of `num_groups` groups of sources for every part.
  /// The first groups: their tasks run group by group, all parts of each. Those of the other groups
  /// run part by part.
  std::size_t num_mixed_groups;
  unsigned long long* num_taken;  ///< Tasks, besides the first of each block.
  const int* stop;
  device_amounts<C> amounts;  ///< By place, if they are added up.

  /// The totals of the sources of a lane.
  template <unsigned Count, class Element>
  __device__ Element* totals_of(std::size_t group, std::size_t part) const {
    return static_cast<Element*>(totals) +
           ((part * num_groups + group) * warp_size + threadIdx.x) * Count;
  }
};

template <class C>
__device__ __forceinline__ C weight_in(std::uint32_t low, std::uint32_t high) {
  C weight;
  if constexpr (sizeof(C) == sizeof low) {
    memcpy(&weight, &low, sizeof weight);
  } else {
    const std::uint64_t both = low | std::uint64_t{high} << 32;
    memcpy(&weight, &both, sizeof weight);
  }
  return weight;
}

/// Bytes of shared memory for what is read of a program: two blocks, and the two units that are
/// read beyond the end of the second one.
inline constexpr std::size_t sweep_program_bytes =
    (2 * sweep_program::block_size + 2) * sizeof(program_unit);

/// Improves @p best by the paths from @p from along an arc.
template <class Join, class C, unsigned Count>
__device__ __forceinline__ void relax(const lane_values<C, Count>& from, C weight,
                                      lane_values<C, Count>& best) {
#pragma unroll
  for (unsigned i = 0; i < Count; ++i) best.at[i] = min(best.at[i], Join::join(from.at[i], weight));
}

/// Writes the distances of a warp's sources side by side, vertex by vertex.
template <class C, unsigned Count>
struct sweep_rows {
  using values_type = lane_values<C, Count>;

  values_type* rows;

  __device__ sweep_rows(const sweep_task<C>& task, std::size_t group)
      : rows(reinterpret_cast<values_type*>(task.distances) +
             group * task.num_vertices * warp_size + threadIdx.x) {}

  /// Loads what `put` needs for a place.
  __device__ __forceinline__ void prepare(const uint4&, const sweep_task<C>&) {}
  /// @param place  a header of the program.
  __device__ __forceinline__ void put(const uint4& place, const std::uint32_t (&)[Count],
                                      const sweep_values<C>& values, const values_type& best) {
    values_type result = best;
    if constexpr (std::is_integral_v<C>) {
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) {
        if (!(best.at[i] < values.none_from)) result.at[i] = values.stored_none;
      }
    }
    rows[std::size_t{place.x} * warp_size] = result;
  }
  __device__ void finish(const sweep_task<C>&, std::size_t, std::size_t) {}
};

/// Adds the distances up. Most distances are neither 0 nor the largest so far; two of them take one
/// division: 1 / p + 1 / x = (p + x) / (p x).
template <class C, unsigned Count>
struct sweep_totals {
  using values_type = lane_values<C, Count>;
  // Products of two values of the other types stay in the range of double.
  static constexpr bool takes_pairs = !std::is_same_v<C, double>;

  row_record<C> totals[Count];
  values_type pending;  ///< The first values of a pair.
  bool is_pending = false;
  bool is_second = false;
  std::int32_t num_in_pairs = 0;

  __device__ sweep_totals(const sweep_task<C>&, std::size_t) {}

  __device__ __forceinline__ void prepare(const uint4&, const sweep_task<C>&) {}
  __device__ __forceinline__ void put(const uint4& place,
                                      const std::uint32_t (&source_places)[Count],
                                      const sweep_values<C>& values, const values_type& best) {
    bool is_common = takes_pairs;
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      is_common = is_common && C{} < best.at[i] && best.at[i] < totals[i].largest;
    }
    // Lanes end their pairs at the same places, so that all of a warp divide together.
    if (is_second && is_common && is_pending) {
      add_pair(best);
      is_pending = false;
    } else if (is_common && !is_pending) {
      pending = best;
      is_pending = true;
    } else {
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) {
        const bool is_reached = place.y != source_places[i] && best.at[i] <= values.largest;
        totals[i].add_if(is_reached, static_cast<std::int32_t>(place.x), best.at[i]);
      }
    }
    is_second = !is_second;
  }
  __device__ void finish(const sweep_task<C>& task, std::size_t group, std::size_t part) {
    auto* const own = task.template totals_of<Count, row_record<C>>(group, part);
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      totals[i].add_if(is_pending, no_vertex, pending.at[i]);
      totals[i].num_reached += num_in_pairs;
      own[i] = totals[i];
    }
  }

 private:
  // Larger than all vertices: what is pending is not farther than the farthest one.
  static constexpr std::int32_t no_vertex = 0x7fffffff;

  __device__ __forceinline__ void add_pair(const values_type& best) {
    static_assert(num_totals == 6, "sweep_totals::add_pair adds to each total");
    num_in_pairs += 2;
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      const auto p = static_cast<double>(pending.at[i]);
      const auto x = static_cast<double>(best.at[i]);
      const double both = p + x;
      if constexpr (std::is_integral_v<C>) {
        totals[i].sum += pending.at[i];
        totals[i].sum += best.at[i];
      } else {
        totals[i].sum += both;
      }
      totals[i].inverse_sum = fma(both, inverse<C>(p * x), totals[i].inverse_sum);
    }
  }
};

/// Adds amounts up.
/// @tparam HasShares  they are weighed by distance.
/// @tparam Sums       of a source, at most
template <class C, unsigned Count, bool HasShares, unsigned Sums>
struct sweep_amounts {
  using values_type = lane_values<C, Count>;

  const device_amounts<C>& wanted;
  double amounts[Sums];  ///< Of a place.
  double sums[Count][Sums] = {};

  __device__ sweep_amounts(const sweep_task<C>& task, std::size_t) : wanted(task.amounts) {}

  __device__ __forceinline__ void prepare(const uint4& place, const sweep_task<C>&) {
#pragma unroll
    for (unsigned j = 0; j < Sums; ++j) {
      if (is_wanted(j)) amounts[j] = __ldg(wanted.amounts[j] + place.y);
    }
  }
  __device__ __forceinline__ void put(const uint4& place,
                                      const std::uint32_t (&source_places)[Count],
                                      const sweep_values<C>& values, const values_type& best) {
    values_type distances = best;
    double shares[Count];
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      // Because of rounding, a cycle through the source may look better than the empty path.
      if (place.y == source_places[i]) distances.at[i] = values.one;
    }
    if constexpr (HasShares) find_shares(distances, shares);
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
#pragma unroll
      for (unsigned j = 0; j < Sums; ++j) {
        if (is_wanted(j) && distances.at[i] <= wanted.limits[j]) {
          sums[i][j] += HasShares ? shares[i] * amounts[j] : amounts[j];
        }
      }
    }
  }
  __device__ void finish(const sweep_task<C>& task, std::size_t group, std::size_t part) {
    auto* const own = task.template totals_of<Count, amount_sums>(group, part);
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
#pragma unroll
      for (unsigned j = 0; j < amount_sums::most; ++j) own[i].at[j] = j < Sums ? sums[i][j] : 0;
    }
  }

 private:
  __device__ __forceinline__ bool is_wanted(unsigned j) const {
    return Sums == 1 || j < wanted.num_sums;
  }
  // Those of the sources of a lane overlap where shares are exponentials.
  __device__ __forceinline__ void find_shares(const values_type& distances,
                                              double (&shares)[Count]) const {
    const decay_kind kind = wanted.rule.kind;
    const double scale = wanted.rule.parameter;
    if (kind == decay_kind::exponential || kind == decay_kind::gaussian) {
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) {
        const double x = static_cast<double>(distances.at[i]) * scale;
        shares[i] = decay_exponential(kind == decay_kind::exponential ? -x : -0.5 * x * x);
      }
    } else {
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) {
        shares[i] = share_of(wanted.rule, static_cast<double>(distances.at[i]));
      }
    }
  }
};
template <class C, unsigned Count>
using sweep_step = sweep_amounts<C, Count, false, 1>;
template <class C, unsigned Count>
using sweep_steps = sweep_amounts<C, Count, false, amount_sums::most>;
template <class C, unsigned Count>
using sweep_share = sweep_amounts<C, Count, true, 1>;
template <class C, unsigned Count>
using sweep_shares = sweep_amounts<C, Count, true, amount_sums::most>;

/// The places of the sources of a lane, and which places lie around those of the whole warp.
template <unsigned Count>
struct sweep_sources {
  static constexpr std::uint32_t no_place = 0xffffffff;

  std::uint32_t places[Count];
  std::uint32_t first = no_place;  ///< Uniform for the warp, in one register, as `last`.
  std::uint32_t last = 0;

  template <class C>
  __device__ __forceinline__ sweep_sources(const sweep_task<C>& task, std::size_t group,
                                           unsigned lane) {
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      const std::size_t s = (group * warp_size + lane) * Count + i;
      places[i] = s < task.num_sources ? static_cast<std::uint32_t>(task.places[task.sources[s]])
                                       : no_place;
    }
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      if (places[i] == no_place) continue;
      first = min(first, places[i]);
      last = max(last, places[i]);
    }
    first = __reduce_min_sync(whole_warp, first);
    last = __reduce_max_sync(whole_warp, last);
  }
};

/// What the warp of a sweep has in shared memory, and its room for spilled values.
template <class C, unsigned Count>
struct sweep_memory {
  using values_type = lane_values<C, Count>;

  uint4* units;
  std::uint32_t shared;
  std::uint32_t slots;
  values_type* spilled;

  __device__ __forceinline__ sweep_memory(const sweep_task<C>& task, uint4* shared_units,
                                          unsigned lane)
      : units(shared_units + lane),
        shared(static_cast<std::uint32_t>(__cvta_generic_to_shared(shared_units))),
        slots(shared + std::uint32_t{sweep_program_bytes} +
              lane * std::uint32_t{sizeof(values_type)}),
        spilled(static_cast<values_type*>(task.spilled) +
                blockIdx.x * task.num_spilled * warp_size + lane) {
    // Otherwise the compiler computes these addresses again for every access.
    asm("mov.u32 %0, %0;" : "+r"(shared));
    asm("mov.u32 %0, %0;" : "+r"(slots));
  }

  __device__ __forceinline__ values_type& slot_at(std::uint32_t offset) const {
    return *static_cast<values_type*>(__cvta_shared_to_generic(slots + offset));
  }
  __device__ __forceinline__ values_type& own_slot(std::uint32_t number) const {
    return slot_at((number - 1) * (warp_size * std::uint32_t{sizeof(values_type)}));
  }
  __device__ __forceinline__ uint4 unit_at(std::uint32_t offset) const {
    return *static_cast<const uint4*>(__cvta_shared_to_generic(shared + offset));
  }
  __device__ __forceinline__ values_type& spilled_at(std::uint32_t index) const {
    return spilled[std::size_t{index} * warp_size];
  }
};

/// Reads a part of the program by blocks of units: one in use and the following one in shared
/// memory, the one after that on its way.
struct sweep_reader {
  static constexpr unsigned block_size = sweep_program::block_size;
  static constexpr std::size_t unit_bytes = sizeof(program_unit);

  uint4* shared_units;  ///< Of this lane.
  const uint4* next;
  uint4 coming;
  std::uint32_t at = 0;  ///< Of the place in use.

  __device__ __forceinline__ sweep_reader(const uint4* units, uint4* shared)
      : shared_units(shared), next(units) {
    __syncwarp();
    shared_units[0] = next[0];
    shared_units[block_size] = next[block_size];
    coming = next[2 * block_size];
    next += 3 * block_size;
    __syncwarp();
  }

  /// Goes to the next block. The block in use is the first one if the address is not beyond its
  /// end.
  __device__ __forceinline__ void enter_block() {
    const std::uint32_t half = at <= block_size * unit_bytes ? 0 : block_size;
    __syncwarp();
    shared_units[half] = coming;
    coming = *next;
    next += block_size;
    __syncwarp();
    at = (block_size - half) * unit_bytes;
  }
};

/// The sweep of a warp from a group of sources over a part of the program.
template <class C, class Join, unsigned Count>
struct part_sweep {
  using values_type = lane_values<C, Count>;
  static constexpr std::size_t unit_bytes = sizeof(program_unit);
  static constexpr unsigned spilled_together = Count == 4 ? 2 : 4;  // As registers allow.

  const sweep_task<C>& task;
  const sweep_memory<C, Count>& memory;
  const sweep_sources<Count>& sources;
  const values_type* above;
  sweep_reader reader;
  values_type best;

  /// Starts a place with the paths from sources below it.
  __device__ __forceinline__ void start_place(const uint4& header) {
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) best.at[i] = task.values.none;
    // Rarely true.
    if (header.y <= sources.last && sources.first < header.y + header.z) {
      bool is_above = false;
#pragma unroll
      for (unsigned i = 0; i < Count; ++i) is_above |= sources.places[i] - header.y < header.z;
      if (__any_sync(whole_warp, is_above)) {
        const values_type own = above[std::size_t(task.depths[header.y]) * warp_size];
#pragma unroll
        for (unsigned i = 0; i < Count; ++i) {
          if (sources.places[i] - header.y < header.z) best.at[i] = own.at[i];
        }
      }
    }
  }

  /// Follows the arcs of a unit.
  __device__ __forceinline__ void follow(const uint4& unit) {
    if constexpr (sizeof(C) == sizeof(std::uint32_t)) {
      const values_type first = memory.slot_at(unit.x);
      const values_type second = memory.slot_at(unit.z);
      relax<Join>(first, weight_in<C>(unit.y, 0), best);
      relax<Join>(second, weight_in<C>(unit.w, 0), best);
    } else {
      relax<Join>(memory.slot_at(unit.x), weight_in<C>(unit.z, unit.w), best);
    }
  }

  /// Follows the spilled arcs of a place, and spills the place itself if the program says so.
  /// @param unit_at  of the unit before these arcs
  __device__ __forceinline__ void follow_spilled(std::uint32_t unit_at) {
    const uint4 own = memory.unit_at(unit_at);
    const unsigned num_spilled = own.x;
    std::uint32_t arc_at = unit_at + unit_bytes;
    for (unsigned i = 0; i < num_spilled; i += spilled_together) {
      uint4 arc[spilled_together];
      values_type from[spilled_together];
#pragma unroll
      for (unsigned j = 0; j < spilled_together; ++j) {
        if (i + j < num_spilled) {
          arc[j] = memory.unit_at(arc_at + j * unit_bytes);
          from[j] = memory.spilled_at(arc[j].x);
        }
      }
#pragma unroll
      for (unsigned j = 0; j < spilled_together; ++j) {
        if (i + j < num_spilled) {
          relax<Join>(from[j], weight_in<C>(arc[j].z, arc[j].w), best);
          if (arc[j].y != 0) memory.own_slot(arc[j].y) = from[j];
        }
      }
      arc_at += spilled_together * unit_bytes;
    }
    if (own.y != place_flags::no_index) memory.spilled_at(own.y) = best;
  }

  /// Relaxes the arcs of a place, and loads the following one.
  /// @return  false at the end of the program
  template <class Output>
  __device__ __forceinline__ bool pass_place(const uint4& header, const uint4& arcs,
                                             uint4& next_header, uint4& next_arcs, Output& output) {
    const std::uint32_t flags = header.w;
    const std::uint32_t at = reader.at;
    const std::uint32_t next_at = at + (flags & place_flags::length_mask);
    // These loads overlap with the relaxations below. After the last place of a block, the
    // following place is loaded again from the next block.
    next_header = memory.unit_at(next_at);
    next_arcs = memory.unit_at(next_at + unit_bytes);
    const uint4 second_arcs = memory.unit_at(at + 2 * unit_bytes);
    output.prepare(header, task);
    if (!(flags & place_flags::continues)) start_place(header);
    const unsigned num_units = (flags >> place_flags::num_slot_units_at) & place_flags::most_units;
    if (num_units > 0) follow(arcs);
    if (num_units > 1) follow(second_arcs);
#pragma unroll 2
    for (unsigned i = 2; i < num_units; ++i) follow(memory.unit_at(at + (i + 1) * unit_bytes));
    if (flags & place_flags::has_spilled) follow_spilled(at + (num_units + 1) * unit_bytes);
    const std::uint32_t number = flags >> place_flags::slot_at;
    if (number != 0) memory.own_slot(number) = best;
    if (flags & place_flags::is_written) output.put(header, sources.places, task.values, best);
    reader.at = next_at;
    if (flags & place_flags::ends_block) {
      if (flags & place_flags::ends_program) return false;
      reader.enter_block();
      next_header = memory.unit_at(reader.at);
      next_arcs = memory.unit_at(reader.at + unit_bytes);
    }
    return true;
  }

  /// Passes all places of the part.
  template <class Output>
  __device__ __forceinline__ void run(Output& output) {
    uint4 header = memory.unit_at(0);
    uint4 arcs = memory.unit_at(unit_bytes);
    // Two places in turn, so that none is copied.
    uint4 other_header;
    uint4 other_arcs;
    while (pass_place(header, arcs, other_header, other_arcs, output) &&
           pass_place(other_header, other_arcs, header, arcs, output)) {
    }
  }
};

/// Sweeps for groups of sources, one warp per block of threads, over parts of the program.
/// @tparam Output  `sweep_rows`, `sweep_totals`, or one of those of `sweep_amounts`.
template <class C, class Join, unsigned Count, template <class, unsigned> class Output>
__global__ void __launch_bounds__(warp_size, resident_blocks(most_warps_down(Count), warp_size))
    sweep_down_kernel(const sweep_task<C> task) {
  using values_type = lane_values<C, Count>;
  extern __shared__ uint4 shared_units[];
  const unsigned lane = threadIdx.x;
  const sweep_memory<C, Count> memory(task, shared_units, lane);
  const std::size_t num_tasks = task.num_parts * task.num_groups;
  const std::size_t num_mixed = task.num_parts * task.num_mixed_groups;
  const auto next_task = [&] {
    const unsigned long long taken = lane == 0 ? atomicAdd(task.num_taken, 1) : 0;
    return gridDim.x + static_cast<std::size_t>(__shfl_sync(whole_warp, taken, 0));
  };
  for (std::size_t t = blockIdx.x; t < num_tasks; t = next_task()) {
    if (task.stop != nullptr && *static_cast<const volatile int*>(task.stop) != 0) return;
    // Parts differ in what they wait for, and are faster beside each other. At the end the smallest
    // come last.
    const bool is_mixed = t < num_mixed;
    const std::size_t among = is_mixed ? t : t - num_mixed;
    const std::size_t divisor = is_mixed ? task.num_parts : task.num_groups - task.num_mixed_groups;
    const std::size_t quotient = among / divisor;
    const std::size_t rest = among - quotient * divisor;
    const std::size_t group = is_mixed ? quotient : task.num_mixed_groups + rest;
    const std::size_t part = is_mixed ? rest : quotient;
    const sweep_sources<Count> sources(task, group, lane);
    Output<C, Count> output(task, group);
    const auto* const units =
        reinterpret_cast<const uint4*>(task.units + task.part_offsets[part]) + lane;
    part_sweep<C, Join, Count> sweep{.task = task,
                                     .memory = memory,
                                     .sources = sources,
                                     .above = reinterpret_cast<const values_type*>(task.above) +
                                              group * task.height * warp_size + lane,
                                     .reader = {units, memory.units}};
    sweep.run(output);
    output.finish(task, group, part);
  }
}

}  // namespace apsp::inline v1::detail::cuda
