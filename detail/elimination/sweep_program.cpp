// SPDX-License-Identifier: BSL-1.0
#include "sweep_program.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "../host/parallel_for.hpp"

namespace apsp::inline v1::detail {
namespace {

/// The places of one part, ascending.
struct part_places {
  std::vector<std::int32_t> places;
  std::vector<char> is_written;  // One part writes each place.
  std::int64_t work = 0;         // In arcs.
};

/// Divides a tree into parts of similar work: subtrees, and what they need of the places above
/// them.
class tree_division {
 public:
  tree_division(const elimination_tree& tree, const std::vector<std::int64_t>& offsets)
      : tree_(tree),
        offsets_(offsets),
        sizes_(find_subtree_sizes(tree)),
        work_(tree.num_vertices()) {
    for (std::size_t p = tree.num_vertices(); p-- > 0;) {
      work_[p] += work_of(p);
      if (tree.parents[p] < 0) {
        total_work_ += work_[p];
        continue;
      }
      const auto parent = static_cast<std::size_t>(tree.parents[p]);
      work_[parent] += work_[p];
    }
  }

  const std::vector<std::int32_t>& subtree_sizes() const { return sizes_; }

  /// The parts for which the groups of the task take the least time, the largest first.
  std::vector<part_places> divide_for(const program_task& task) const {
    constexpr std::size_t fewest_places = 16;
    // Once there are several times as many tasks as warps, parts only repeat work.
    const std::size_t most_parts =
        std::min(tree_.num_vertices() / fewest_places,
                 4 * task.num_warps / std::max<std::size_t>(task.num_groups, 1));
    const auto num_divisions =
        static_cast<std::size_t>(std::bit_width(std::max<std::size_t>(most_parts, 1)));
    std::mutex mutex;
    std::vector<part_places> best;
    std::pair least{std::numeric_limits<double>::infinity(), num_divisions};
    host::parallel_for(
        num_divisions, 0,
        [&](std::size_t i) {
          std::vector<part_places> parts = divide(std::size_t{1} << i);
          const std::pair time{time_of(parts, task), i};
          const std::lock_guard lock(mutex);
          if (time < least) {
            least = time;
            best = std::move(parts);
          }
        },
        1);
    return best;
  }

 private:
  /// The bound of a list schedule (Graham 1969).
  static double time_of(const std::vector<part_places>& parts, const program_task& task) {
    std::int64_t all = 0;
    for (const part_places& part : parts) all += part.work;
    const std::int64_t most = parts.empty() ? 0 : parts.front().work;
    return static_cast<double>(all) * static_cast<double>(task.num_groups) /
               static_cast<double>(task.num_warps) +
           static_cast<double>(most);
  }

  std::vector<part_places> divide(std::size_t num_parts) const {
    const std::size_t n = tree_.num_vertices();
    std::vector<part_places> parts;
    std::vector<char> is_written(n, 0);
    std::vector<std::int32_t> last_part(n, -1);
    const std::int64_t most = total_work_ / static_cast<std::int64_t>(num_parts) + 1;
    std::int64_t work = 0;
    std::vector<std::int32_t> subtrees;
    const auto finish = [&] {
      if (subtrees.empty()) return;
      const auto number = static_cast<std::int32_t>(parts.size());
      part_places& part = parts.emplace_back();
      add_ancestors(subtrees, number, last_part, part);
      for (const std::int32_t p : part.places) {
        part.work += work_of(static_cast<std::size_t>(p));
        char& written = is_written[static_cast<std::size_t>(p)];
        part.is_written.push_back(written == 0 ? 1 : 0);
        written = 1;
      }
      subtrees.clear();
      work = 0;
    };
    // Subtrees are ranges of places; those that are too large are left to their children.
    for (std::size_t p = 0; p < n;) {
      if (work_[p] > most && sizes_[p] > 1) {
        ++p;
        continue;
      }
      if (work + work_[p] > most) finish();
      work += work_[p];
      const std::size_t end = p + static_cast<std::size_t>(sizes_[p]);
      for (; p < end; ++p) subtrees.push_back(static_cast<std::int32_t>(p));
    }
    finish();
    std::stable_sort(parts.begin(), parts.end(),
                     [](const part_places& a, const part_places& b) { return a.work > b.work; });
    return parts;
  }

  std::int64_t work_of(std::size_t p) const {
    constexpr std::int64_t work_of_place = 4;
    return offsets_[p + 1] - offsets_[p] + work_of_place;
  }

  void add_ancestors(const std::vector<std::int32_t>& subtrees, std::int32_t number,
                     std::vector<std::int32_t>& last_part, part_places& part) const {
    const auto is_new = [&](std::int32_t p) {
      return p >= 0 && std::exchange(last_part[static_cast<std::size_t>(p)], number) != number;
    };
    for (const std::int32_t p : subtrees) last_part[static_cast<std::size_t>(p)] = number;
    for (const std::int32_t p : subtrees) {
      for (std::int32_t q = tree_.parents[static_cast<std::size_t>(p)]; is_new(q);
           q = tree_.parents[static_cast<std::size_t>(q)]) {
        part.places.push_back(q);
      }
    }
    std::sort(part.places.begin(), part.places.end());
    const auto num_ancestors = static_cast<std::ptrdiff_t>(part.places.size());
    part.places.insert(part.places.end(), subtrees.begin(), subtrees.end());
    std::inplace_merge(part.places.begin(), part.places.begin() + num_ancestors, part.places.end());
  }

  const elimination_tree& tree_;
  const std::vector<std::int64_t>& offsets_;
  std::vector<std::int32_t> sizes_;
  std::vector<std::int64_t> work_;  // Of the subtrees.
  std::int64_t total_work_ = 0;
};

/// The program of one part.
struct written_part {
  std::vector<program_unit> units;
  std::size_t num_spilled = 0;
  std::size_t num_arcs = 0;
  std::size_t num_spilled_arcs = 0;
};

/// Writes the programs of parts, one after another.
template <class C>
class part_writer {
 public:
  part_writer(const hierarchy<C>& graph, const program_task& task, const tree_division& division)
      : graph_(graph),
        tree_(*graph.tree),
        task_(task),
        division_(division),
        at_depth_(new std::int32_t[static_cast<std::size_t>(tree_.height)]),
        first_use_(new std::int64_t[tree_.num_vertices()]),
        slot_of_(new std::int32_t[tree_.num_vertices()]),
        spilled_(new std::int32_t[tree_.num_vertices()]) {}

  written_part write(const part_places& part) {
    program_ = {};
    find_uses(part);
    assign_slots(part);
    write_places(part);
    return std::move(program_);
  }

 private:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int32_t none = -1;
  static constexpr std::int32_t wanted = -2;  // To be spilled; no index yet.

  // From where the distance at the start of an arc is read.
  struct use {
    std::int32_t from;     // The place.
    std::int64_t next;     // The next arc from there.
    std::int32_t slot;     // Its slot, or `none` if it was spilled.
    std::int32_t to_slot;  // The slot to which it is copied, or `none`.
  };

  template <class F>
  void for_each_arc(std::size_t place, F f) const {
    const auto end = static_cast<std::size_t>(graph_.down_offsets[place + 1]);
    for (auto a = static_cast<std::size_t>(graph_.down_offsets[place]); a < end; ++a) {
      f(graph_.down[a]);
    }
  }

  void find_uses(const part_places& part) {
    uses_.clear();
    for (const std::int32_t p : part.places) {
      const auto place = static_cast<std::size_t>(p);
      for_each_arc(place, [&](const sweep_arc<C>& arc) {
        uses_.push_back({at_depth_[static_cast<std::size_t>(arc.depth)], never, none, none});
      });
      at_depth_[static_cast<std::size_t>(tree_.depths[place])] = p;
      first_use_[place] = never;
      slot_of_[place] = none;
      spilled_[place] = none;
    }
    for (std::size_t u = uses_.size(); u-- > 0;) {
      std::int64_t& first = first_use_[static_cast<std::size_t>(uses_[u].from)];
      uses_[u].next = first;
      first = static_cast<std::int64_t>(u);
    }
  }

  void assign_slots(const part_places& part) {
    next_use_of_slot_.assign(task_.num_slots, never);
    place_in_slot_.assign(task_.num_slots, none);
    own_slots_.clear();
    std::size_t u = 0;
    for (const std::int32_t p : part.places) {
      const auto place = static_cast<std::size_t>(p);
      for_each_arc(place, [&](const sweep_arc<C>&) {
        use& here = uses_[u++];
        here.slot = slot_of_[static_cast<std::size_t>(here.from)];
        if (here.slot != none) {
          next_use_of_slot_[static_cast<std::size_t>(here.slot)] = here.next;
        } else {
          here.to_slot = put_into_slot(here.from, here.next);
        }
      });
      own_slots_.push_back(put_into_slot(p, first_use_[place]));
    }
  }

  /// Assigns the slot that is used latest to @p p, whose next use is @p next, if that is earlier.
  std::int32_t put_into_slot(std::int32_t p, std::int64_t next) {
    std::int32_t& own = slot_of_[static_cast<std::size_t>(p)];
    own = none;
    if (next == never) return none;
    const auto latest = std::max_element(next_use_of_slot_.begin(), next_use_of_slot_.end());
    if (*latest <= next) {
      spill(p);
      return none;
    }
    const auto slot = static_cast<std::size_t>(latest - next_use_of_slot_.begin());
    const std::int32_t before = place_in_slot_[slot];
    if (before != none) {
      slot_of_[static_cast<std::size_t>(before)] = none;
      if (*latest != never) spill(before);
    }
    *latest = next;
    place_in_slot_[slot] = p;
    own = static_cast<std::int32_t>(slot);
    return own;
  }
  void spill(std::int32_t p) { spilled_[static_cast<std::size_t>(p)] = wanted; }

  void write_places(const part_places& part) {
    free_.clear();
    last_header_ = 0;
    std::size_t u = 0;
    for (std::size_t i = 0; i < part.places.size(); ++i) {
      const auto place = static_cast<std::size_t>(part.places[i]);
      from_spilled_.clear();
      from_slots_.clear();
      for_each_arc(place, [&](const sweep_arc<C>& arc) {
        const use& here = uses_[u++];
        if (here.slot == none) {
          ++program_.num_spilled_arcs;
          from_spilled_.push_back(spilled_arc(here, arc.weight));
        } else {
          from_slots_.push_back({here.slot, arc.weight});
        }
        const std::int32_t index = spilled_[static_cast<std::size_t>(here.from)];
        if (here.next == never && index != none) free_.push_back(index);
      });
      write_place(place, own_slots_[i], part.is_written[i] != 0);
    }
    end_block(place_flags::ends_block | place_flags::ends_program);
    program_.num_arcs = uses_.size();
  }

  struct slot_arc {
    std::int32_t slot;
    C weight;
  };

  void write_place(std::size_t place, std::int32_t own_slot, bool is_written) {
    constexpr std::size_t most = place_flags::most_units;
    std::size_t a = 0;  // Arcs from slots that have been written.
    std::size_t s = 0;  // Spilled arcs.
    std::uint32_t flags = 0;
    bool is_end = false;
    while (!is_end) {
      const std::size_t num_arcs = std::min(most * arcs_per_unit, from_slots_.size() - a);
      const std::size_t num_units = (num_arcs + arcs_per_unit - 1) / arcs_per_unit;
      a += num_arcs;
      // Distances are copied to slots after those that are in slots have been read.
      const std::size_t num_spilled =
          a == from_slots_.size() ? std::min(most, from_spilled_.size() - s) : 0;
      is_end = a == from_slots_.size() && s + num_spilled == from_spilled_.size();
      std::uint32_t index = place_flags::no_index;
      if (is_end) {
        if (is_written) flags |= place_flags::is_written;
        flags |= static_cast<std::uint32_t>(own_slot + 1) << place_flags::slot_at;
        if (spilled_[place] == wanted) {
          spilled_[place] = take_index();
          index = static_cast<std::uint32_t>(spilled_[place]);
        }
      }
      const bool has_spilled = num_spilled != 0 || index != place_flags::no_index;
      if (has_spilled) flags |= place_flags::has_spilled;
      const std::size_t length = 1 + num_units + (has_spilled ? 1 + num_spilled : 0);
      flags |= static_cast<std::uint32_t>(length * sizeof(program_unit)) |
               static_cast<std::uint32_t>(num_units) << place_flags::num_slot_units_at;
      begin_place(length);
      program_.units.push_back(
          {{static_cast<std::uint32_t>(tree_.vertices[place]), static_cast<std::uint32_t>(place),
            static_cast<std::uint32_t>(division_.subtree_sizes()[place]), flags}});
      write_arcs({from_slots_.data() + a - num_arcs, num_arcs});
      if (has_spilled) {
        program_.units.push_back({{static_cast<std::uint32_t>(num_spilled), index, 0, 0}});
        const auto first = from_spilled_.begin() + static_cast<std::ptrdiff_t>(s);
        program_.units.insert(program_.units.end(), first,
                              first + static_cast<std::ptrdiff_t>(num_spilled));
      }
      s += num_spilled;
      flags = place_flags::continues;
    }
  }

  /// Begins a new block if @p length units do not fit in the current one.
  void begin_place(std::size_t length) {
    constexpr std::size_t size = sweep_program::block_size;
    const std::size_t used = program_.units.size() % size;
    const bool is_full = used == 0 && last_header_ != program_.units.size();
    if (is_full || used + length > size) end_block(place_flags::ends_block);
    last_header_ = program_.units.size();
  }
  void end_block(std::uint32_t flags) {
    constexpr std::size_t size = sweep_program::block_size;
    program_.units[last_header_].words[3] |= flags;
    program_.units.resize((program_.units.size() + size - 1) / size * size);
  }

  static constexpr std::size_t arcs_per_unit = sizeof(C) == 4 ? 2 : 1;

  std::uint32_t offset_of(std::int32_t slot) const {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(slot) * task_.slot_bytes);
  }

  void write_arcs(std::span<const slot_arc> arcs) {
    for (std::size_t a = 0; a < arcs.size(); a += arcs_per_unit) {
      program_unit unit{};
      for (std::size_t i = 0; i < arcs_per_unit; ++i) {
        // The last arc fills what is left of its unit.
        const slot_arc& arc = arcs[std::min(a + i, arcs.size() - 1)];
        unit.words[2 * i] = offset_of(arc.slot);
        std::memcpy(&unit.words[arcs_per_unit == 1 ? 2 : 2 * i + 1], &arc.weight, sizeof(C));
      }
      program_.units.push_back(unit);
    }
  }

  program_unit spilled_arc(const use& here, const C& weight) {
    program_unit unit{};
    const std::int32_t index = spilled_[static_cast<std::size_t>(here.from)];
    unit.words[0] = static_cast<std::uint32_t>(index);
    unit.words[1] = here.to_slot == none ? 0 : static_cast<std::uint32_t>(here.to_slot + 1);
    std::memcpy(&unit.words[2], &weight, sizeof(C));
    return unit;
  }

  std::int32_t take_index() {
    if (free_.empty()) return static_cast<std::int32_t>(program_.num_spilled++);
    const std::int32_t index = free_.back();
    free_.pop_back();
    return index;
  }

  const hierarchy<C>& graph_;
  const elimination_tree& tree_;
  program_task task_;
  const tree_division& division_;
  // Entries of places that are not in the part are unspecified.
  std::unique_ptr<std::int32_t[]> at_depth_;  // The last place at each depth.
  std::unique_ptr<std::int64_t[]> first_use_;
  std::unique_ptr<std::int32_t[]> slot_of_;  // Of each place, at present.
  std::unique_ptr<std::int32_t[]> spilled_;  // `none`, `wanted` or the index.
  std::vector<use> uses_;                    // In the order of the arcs.
  std::vector<std::int64_t> next_use_of_slot_;
  std::vector<std::int32_t> place_in_slot_;
  std::vector<std::int32_t> own_slots_;  // Of the places of the part.
  std::vector<std::int32_t> free_;       // Indices of spilled places that are used no more.
  std::vector<program_unit> from_spilled_;
  std::vector<slot_arc> from_slots_;
  std::size_t last_header_ = 0;
  written_part program_;
};

}  // namespace

template <class C>
sweep_program make_sweep_program(const hierarchy<C>& graph, const program_task& task) {
  const tree_division division(*graph.tree, graph.down_offsets);
  const std::vector<part_places> parts = division.divide_for(task);
  std::vector<written_part> written(parts.size());
  const auto threads = std::min(static_cast<std::size_t>(host::thread_count(0)), parts.size());
  host::parallel_for_with_workspace(
      parts.size(), static_cast<int>(threads),
      [&] { return part_writer<C>(graph, task, division); },
      [&](part_writer<C>& writer, std::size_t i) { written[i] = writer.write(parts[i]); });
  sweep_program program;
  std::size_t num_units = 0;
  for (const written_part& part : written) {
    program.part_offsets.push_back(static_cast<std::int64_t>(num_units));
    num_units += part.units.size();
    program.num_spilled = std::max(program.num_spilled, part.num_spilled);
    program.num_arcs += part.num_arcs;
    program.num_spilled_arcs += part.num_spilled_arcs;
  }
  program.units.resize(num_units + sweep_program::blocks_read_ahead * sweep_program::block_size);
  host::parallel_for(
      parts.size(), 0,
      [&](std::size_t i) {
        std::copy(written[i].units.begin(), written[i].units.end(),
                  program.units.begin() + program.part_offsets[i]);
      },
      1);
  return program;
}

#define APSP_INSTANTIATE_SWEEP_PROGRAM(C) \
  template sweep_program make_sweep_program<C>(const hierarchy<C>& graph, const program_task& task);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE_SWEEP_PROGRAM)
#undef APSP_INSTANTIATE_SWEEP_PROGRAM

}  // namespace apsp::inline v1::detail
