// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "../../apsp/config.hpp"
#include "../values/weight_types.hpp"
#include "hierarchy.hpp"

// The sweep over all vertices as a program for one warp.
//
// The sweep is the same for every source, so the host decides in advance which distances are kept
// on chip: as a compiler allocates registers, it assigns the distances of places to slots of shared
// memory, and spills those that are used latest to device memory. Source of the rule: Belady 1966.
namespace apsp::inline v1::detail {

/// 16 bytes of a program. A place consists of
///   a header,
///   units with arcs from places in slots: pairs of an offset and a weight,
///   and, if `has_spilled`, a unit with the number of spilled arcs and the index of the place
///   itself if it is spilled, or `no_index`; and a unit for each of these arcs, with the index, the
///   slot + 1 to which the distance is copied, or 0, and the weight.
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
struct program_task {
  std::size_t num_slots = 1;   ///< Less than 65,535.
  std::size_t slot_bytes = 0;  ///< The distance of two slots in memory.
  std::size_t num_groups = 1;  ///< Groups of sources, each of as many as a warp has.
  std::size_t num_warps = 1;   ///< That run at the same time.

  friend bool operator==(const program_task&, const program_task&) = default;
};

/// A program for all places of a hierarchy.
struct sweep_program {
  /// Units that are read together; no place extends over two of these blocks.
  static constexpr std::size_t block_size = 32;
  /// Blocks beyond the end of a part that are read.
  static constexpr std::size_t blocks_read_ahead = 3;

  std::vector<program_unit> units;
  /// The first unit of each part, which starts a block. Parts can run at the same time: each
  /// repeats what it needs of the places above it.
  std::vector<std::int64_t> part_offsets;
  std::size_t num_spilled = 0;  ///< Spilled distances at a time, for one source.
  std::size_t num_arcs = 0;     ///< Including those that are repeated.
  std::size_t num_spilled_arcs = 0;

  std::size_t num_parts() const { return part_offsets.size(); }
};

/// The program of the number of parts that takes the least time. Parts are written by OpenMP's
/// default number of threads.
/// Complexity: O(n log n + number of arcs), and O(slots) for each place.
template <class C>
APSP_EXPORT sweep_program make_sweep_program(const hierarchy<C>& graph, const program_task& task);

#define APSP_EXTERN_SWEEP_PROGRAM(C)                                             \
  extern template sweep_program make_sweep_program<C>(const hierarchy<C>& graph, \
                                                      const program_task& task);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_SWEEP_PROGRAM)
#undef APSP_EXTERN_SWEEP_PROGRAM

/// The programs of one hierarchy that were made last, for calls that repeat a task. Safe to use
/// from several threads.
class sweep_programs {
 public:
  /// @param graph  the same in every call.
  template <class C>
  std::shared_ptr<const sweep_program> get(const hierarchy<C>& graph, const program_task& task) {
    // Threads of the devices of a call want the same program: one of them makes it.
    const std::lock_guard lock(mutex_);
    if (auto known = find(task)) return known;
    auto made = std::make_shared<const sweep_program>(make_sweep_program(graph, task));
    if (latest_.size() == most_kept) latest_.erase(latest_.begin());
    latest_.emplace_back(task, made);
    return made;
  }

 private:
  static constexpr std::size_t most_kept = 4;

  std::shared_ptr<const sweep_program> find(const program_task& task) const {
    const auto known = std::find_if(latest_.begin(), latest_.end(),
                                    [&](const auto& made) { return made.first == task; });
    return known == latest_.end() ? nullptr : known->second;
  }

  std::mutex mutex_;
  std::vector<std::pair<program_task, std::shared_ptr<const sweep_program>>> latest_;
};

}  // namespace apsp::inline v1::detail
