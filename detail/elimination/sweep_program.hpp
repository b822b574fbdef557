// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../apsp/config.hpp"
#include "../values/weight_types.hpp"
#include "hierarchy.hpp"

// The sweep over all vertices as a program for one warp.
//
// The sweep is the same for every source, so the host decides in advance which distances are kept
// on chip: as a compiler allocates registers, it assigns the distances of places to slots of shared
// memory, and spills those that are used latest to device memory. Source of the rule: Belady 1966.
namespace apsp::detail {

/// 16 bytes of a program. A place consists of
///   a header,
///   units with arcs from places in slots: pairs of an offset and a weight,
///   and, if `has_spilled`, a unit with the number of spilled arcs and the index of the place itself
///   if it is spilled, or `no_index`; and a unit for each of these arcs, with the index, the slot
///   + 1 to which the distance is copied, or 0, and the weight.
/// Places with many arcs are divided into several of these, of which all but the first `continue`.
struct alignas(16) program_unit {
  std::uint32_t words[4];
};

/// Headers consist of the vertex, its place, the number of places in its subtree, and these flags.
struct place_flags {
  static constexpr std::uint32_t ends_block = 1;
  static constexpr std::uint32_t ends_program = 2;
  static constexpr std::uint32_t continues = 8;
  static constexpr std::uint32_t length_mask = 0x3f0;    ///< The bytes of all units.
  static constexpr unsigned num_slot_units_at = 10;      ///< 4 bits.
  static constexpr std::uint32_t is_written = 1u << 14;  ///< The distances belong to the results.
  static constexpr std::uint32_t has_spilled = 1u << 15;
  static constexpr unsigned slot_at = 16;  ///< 16 bits: the place's own slot + 1, or 0.

  static constexpr std::uint32_t most_units = 15;  ///< With arcs from slots, and with spilled arcs.
  static constexpr std::uint32_t no_index = 0xffffffff;
};

/// What a program is made for.
struct program_shape {
  std::size_t num_slots = 1;   ///< Less than 65,535.
  std::size_t slot_bytes = 0;  ///< The distance of two slots in memory.
  /// The wanted number of parts. Parts can run at the same time: each repeats what it needs of the
  /// places above it.
  std::size_t num_parts = 1;
};

/// A program for all places of a hierarchy.
struct sweep_program {
  /// Units that are read together; no place extends over two of these blocks.
  static constexpr std::size_t block_size = 32;
  /// Blocks beyond the end of a part that are read.
  static constexpr std::size_t blocks_read_ahead = 3;

  std::vector<program_unit> units;
  std::vector<std::int64_t> part_offsets;  ///< The first unit of each part, which starts a block.
  std::size_t num_spilled = 0;             ///< Spilled distances at a time, for one source.
  std::size_t num_arcs = 0;                ///< Including those that are repeated.
  std::size_t num_spilled_arcs = 0;

  std::size_t num_parts() const { return part_offsets.size(); }
};

/// The number of parts for which @p num_groups groups of sources take the least time on @p num_warps
/// warps. Complexity: O(n log n).
APSP_EXPORT std::size_t choose_num_parts(const elimination_tree& tree,
                                         const std::vector<std::int64_t>& down_offsets,
                                         std::size_t num_groups, std::size_t num_warps);

/// Complexity: O(number of arcs), and O(slots) for each place.
template <class C>
APSP_EXPORT sweep_program make_sweep_program(const hierarchy<C>& graph, const program_shape& shape);

#define APSP_EXTERN_SWEEP_PROGRAM(C)                                             \
  extern template sweep_program make_sweep_program<C>(const hierarchy<C>& graph, \
                                                      const program_shape& shape);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_SWEEP_PROGRAM)
#undef APSP_EXTERN_SWEEP_PROGRAM

}  // namespace apsp::detail
