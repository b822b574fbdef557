// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../../device/architecture.hpp"
#include "../../../elimination/hierarchy.hpp"
#include "../../../elimination/sweep_program.hpp"
#include "../../../matrix/row_record.hpp"

// Sweeps over a hierarchy, a lane of a warp for one or several sources.
namespace apsp::detail::cuda {

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
/// Blocks have 32 lanes, one for each of 32 sources, and any number of threads per lane, which divide
/// the arcs of each place. All lanes pass the depths together, from the deepest source up: most of
/// them have the ancestors in common, and read the same arcs.
/// @param lanes  the number of sources side by side.
template <class C, class Join>
__global__ void sweep_up_kernel(device_hierarchy<C> graph, const std::int32_t* sources,
                                std::size_t num_sources, unsigned lanes, sweep_values<C> values,
                                C* above) {
  const std::size_t s = std::size_t{blockIdx.x} * 32 + threadIdx.x;
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
  for (unsigned step = 16; step != 0; step /= 2) {
    deepest = max(deepest, __shfl_xor_sync(0xffffffffu, deepest, step));
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

/// Sweeps down without a program, one thread per source.
/// @param above  from `sweep_up_kernel`.
/// @param stack  as many entries, for the values of the ancestors of a place.
template <class C, class Join>
__global__ void sweep_down_alone_kernel(device_hierarchy<C> graph, std::size_t num_vertices,
                                        const std::int32_t* sources, std::size_t num_sources,
                                        unsigned lanes, sweep_values<C> values, const C* above,
                                        C* stack, C* distances, const int* stop) {
  const std::size_t s = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (s >= num_sources) return;
  const auto source_place = static_cast<std::uint32_t>(graph.places[sources[s]]);
  const std::size_t first = s / lanes * graph.height * lanes + s % lanes;
  const auto at = [&](std::int32_t depth) {
    return first + static_cast<std::size_t>(depth) * lanes;
  };
  C* const row = distances + s / lanes * num_vertices * lanes + s % lanes;
  for (std::uint32_t place = 0; place < num_vertices; ++place) {
    constexpr std::uint32_t places_between_polls = 1024;
    if (stop != nullptr && place % places_between_polls == 0 &&
        *static_cast<const volatile int*>(stop) != 0) {
      return;
    }
    const std::int32_t depth = graph.depths[place];
    const bool is_above =
        source_place - place < static_cast<std::uint32_t>(graph.subtree_sizes[place]);
    C best = is_above ? above[at(depth)] : values.none;
    for (std::int64_t a = graph.down_offsets[place]; a < graph.down_offsets[place + 1]; ++a) {
      const sweep_arc<C> arc = graph.down[a];
      best = min(best, Join::join(stack[at(arc.depth)], arc.weight));
    }
    stack[at(depth)] = best;
    row[static_cast<std::size_t>(graph.vertices[place]) * lanes] =
        best < values.none_from ? best : values.stored_none;
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
  C* distances;           ///< Null if totals are wanted.
  row_record<C>* totals;  ///< A row of `num_groups` groups of sources for every part.
  const int* stop;
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

/// Bytes of shared memory for what is read of a program: two blocks, and the two units that are read
/// beyond the end of the second one.
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
      : rows(reinterpret_cast<values_type*>(task.distances) + group * task.num_vertices * 32 +
             threadIdx.x) {}

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
    rows[std::size_t{place.x} * 32] = result;
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
    row_record<C>* const own =
        task.totals + ((part * task.num_groups + group) * 32 + threadIdx.x) * Count;
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

/// Sweeps for groups of sources, one warp per block of threads, over parts of the program. A warp
/// reads its program by blocks of units: one in use and the following one in shared memory, the one
/// after that on its way.
/// @tparam Output  `sweep_rows` or `sweep_totals`.
template <class C, class Join, unsigned Count, template <class, unsigned> class Output>
__global__ void __launch_bounds__(32, resident_blocks(Count == 1 ? 24 : 16, 32))
    sweep_down_kernel(const sweep_task<C> task) {
  using values_type = lane_values<C, Count>;
  constexpr unsigned block_size = sweep_program::block_size;
  constexpr std::size_t unit_bytes = sizeof(program_unit);
  constexpr unsigned spilled_together = Count == 4 ? 2 : 4;  // As registers allow.
  extern __shared__ uint4 shared_units[];
  const unsigned lane = threadIdx.x;
  auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared_units));
  std::uint32_t slots =
      shared + std::uint32_t{sweep_program_bytes} + lane * std::uint32_t{sizeof(values_type)};
  // Otherwise the compiler computes these addresses again for every access.
  asm("mov.u32 %0, %0;" : "+r"(shared));
  asm("mov.u32 %0, %0;" : "+r"(slots));
  const auto slot_at = [&](std::uint32_t offset) -> values_type& {
    return *static_cast<values_type*>(__cvta_shared_to_generic(slots + offset));
  };
  const auto own_slot = [&](std::uint32_t number) -> values_type& {
    return slot_at((number - 1) * (32 * std::uint32_t{sizeof(values_type)}));
  };
  const auto unit_at = [&](std::uint32_t offset) -> uint4 {
    return *static_cast<const uint4*>(__cvta_shared_to_generic(shared + offset));
  };
  values_type* const spilled =
      static_cast<values_type*>(task.spilled) + blockIdx.x * task.num_spilled * 32 + lane;
  const sweep_values<C> values = task.values;

  const std::size_t num_tasks = task.num_parts * task.num_groups;
  for (std::size_t t = blockIdx.x; t < num_tasks; t += gridDim.x) {
    if (task.stop != nullptr && *static_cast<const volatile int*>(task.stop) != 0) return;
    const std::size_t group = t / task.num_parts;
    const std::size_t part = t - group * task.num_parts;
    std::uint32_t source_places[Count];
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      const std::size_t s = (group * 32 + lane) * Count + i;
      source_places[i] = s < task.num_sources
                             ? static_cast<std::uint32_t>(task.places[task.sources[s]])
                             : 0xffffffff;
    }
    std::uint32_t first_source = 0xffffffff;
    std::uint32_t last_source = 0;
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      if (source_places[i] == 0xffffffff) continue;
      first_source = min(first_source, source_places[i]);
      last_source = max(last_source, source_places[i]);
    }
    // Uniform for the warp, in one register.
    first_source = __reduce_min_sync(0xffffffffu, first_source);
    last_source = __reduce_max_sync(0xffffffffu, last_source);
    Output<C, Count> output(task, group);
    const auto* const above =
        reinterpret_cast<const values_type*>(task.above) + group * task.height * 32 + lane;

    const auto* next = reinterpret_cast<const uint4*>(task.units + task.part_offsets[part]) + lane;
    __syncwarp();
    shared_units[lane] = next[0];
    shared_units[block_size + lane] = next[block_size];
    uint4 coming = next[2 * block_size];
    next += 3 * block_size;
    __syncwarp();

    std::uint32_t at = 0;
    uint4 header = unit_at(0);
    uint4 arcs = unit_at(unit_bytes);
    values_type best;
    // Follows the arcs of a unit.
    const auto follow = [&](const uint4& unit) {
      if constexpr (sizeof(C) == sizeof(std::uint32_t)) {
        const values_type first = slot_at(unit.x);
        const values_type second = slot_at(unit.z);
        relax<Join>(first, weight_in<C>(unit.y, 0), best);
        relax<Join>(second, weight_in<C>(unit.w, 0), best);
      } else {
        relax<Join>(slot_at(unit.x), weight_in<C>(unit.z, unit.w), best);
      }
    };
    // Relaxes the arcs of a place, and loads the following one; false at the end of the program.
    const auto pass_place = [&](const uint4& header, const uint4& arcs, uint4& next_header,
                                uint4& next_arcs) -> bool {
      const std::uint32_t flags = header.w;
      const std::uint32_t next_at = at + (flags & place_flags::length_mask);
      // These loads overlap with the relaxations below. After the last place of a block, the following
      // place is loaded again from the next block.
      next_header = unit_at(next_at);
      next_arcs = unit_at(next_at + unit_bytes);
      const uint4 second_arcs = unit_at(at + 2 * unit_bytes);
      if (!(flags & place_flags::continues)) {
#pragma unroll
        for (unsigned i = 0; i < Count; ++i) best.at[i] = values.none;
        // Rarely true.
        if (header.y <= last_source && first_source < header.y + header.z) {
          bool is_above = false;
#pragma unroll
          for (unsigned i = 0; i < Count; ++i) is_above |= source_places[i] - header.y < header.z;
          if (__any_sync(0xffffffffu, is_above)) {
            const values_type own = above[std::size_t(task.depths[header.y]) * 32];
#pragma unroll
            for (unsigned i = 0; i < Count; ++i) {
              if (source_places[i] - header.y < header.z) best.at[i] = own.at[i];
            }
          }
        }
      }
      const unsigned num_units = (flags >> place_flags::num_slot_units_at) & 15;
      if (num_units > 0) follow(arcs);
      if (num_units > 1) follow(second_arcs);
#pragma unroll 2
      for (unsigned i = 2; i < num_units; ++i) follow(unit_at(at + (i + 1) * unit_bytes));
      if (flags & place_flags::has_spilled) {
        const uint4 own = unit_at(at + (num_units + 1) * unit_bytes);
        const unsigned num_spilled = own.x;
        std::uint32_t arc_at = at + (num_units + 2) * unit_bytes;
        for (unsigned i = 0; i < num_spilled; i += spilled_together) {
          uint4 arc[spilled_together];
          values_type from[spilled_together];
#pragma unroll
          for (unsigned j = 0; j < spilled_together; ++j) {
            if (i + j < num_spilled) {
              arc[j] = unit_at(arc_at + j * unit_bytes);
              from[j] = spilled[std::size_t{arc[j].x} * 32];
            }
          }
#pragma unroll
          for (unsigned j = 0; j < spilled_together; ++j) {
            if (i + j < num_spilled) {
              relax<Join>(from[j], weight_in<C>(arc[j].z, arc[j].w), best);
              if (arc[j].y != 0) own_slot(arc[j].y) = from[j];
            }
          }
          arc_at += spilled_together * unit_bytes;
        }
        if (own.y != place_flags::no_index) spilled[std::size_t{own.y} * 32] = best;
      }
      const std::uint32_t number = flags >> place_flags::slot_at;
      if (number != 0) own_slot(number) = best;
      if (flags & place_flags::is_written) output.put(header, source_places, values, best);
      at = next_at;
      if (flags & place_flags::ends_block) {
        if (flags & place_flags::ends_program) return false;
        // The block in use is the first one if the address is not beyond its end.
        const std::uint32_t half = at <= block_size * unit_bytes ? 0 : block_size;
        __syncwarp();
        shared_units[half + lane] = coming;
        coming = *next;
        next += block_size;
        __syncwarp();
        at = (block_size - half) * unit_bytes;
        next_header = unit_at(at);
        next_arcs = unit_at(at + unit_bytes);
      }
      return true;
    };
    // Two places in turn, so that none is copied.
    uint4 other_header;
    uint4 other_arcs;
    while (pass_place(header, arcs, other_header, other_arcs) &&
           pass_place(other_header, other_arcs, header, arcs)) {
    }
    output.finish(task, group, part);
  }
}

}  // namespace apsp::detail::cuda
