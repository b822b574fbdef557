// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "../../../../apsp/config.hpp"
#include "../../../graph/adjacency.hpp"
#include "../../../host/monitor.hpp"
#include "../../../host/parallel_for.hpp"
#include "../../../host/stop_check.hpp"
#include "../../../host/untouched_buffer.hpp"
#include "../../problem/paths.hpp"
#include "../../problem/problem.hpp"
#include "search_kernel.hpp"

// Breadth-first search, for graphs whose arcs have the same weight.
namespace apsp::inline v1::detail::host {

/// The lengths of paths of 0, 1, 2, ... arcs, each accumulated from the one before, up to the
/// longest path that counts.
template <class C>
std::vector<C> lengths_of_steps(const per_source_problem<C>& problem) {
  const summed<C> paths;
  std::vector<C> lengths;
  lengths.reserve(problem.arcs.num_vertices());
  C length = paths.start();
  while (lengths.size() < problem.arcs.num_vertices()) {
    lengths.push_back(length);
    if (problem.arcs.num_edges() == 0) break;
    C through{};
    if (!paths.extend(length, problem.arcs.weights.front(), problem.limit, through)) break;
    if (paths.is_beyond(through, problem.limit) || !paths.is_better(through, paths.none())) break;
    length = through;
  }
  return lengths;
}

/// Searches from one source, for `solve_sources`.
template <class C>
class breadth_first_solver {
 public:
  breadth_first_solver(const per_source_problem<C>& problem, const summed<C>&)
      : arcs_(problem.arcs), lengths_(lengths_of_steps(problem)), queue_(arcs_.num_vertices()) {}

  solve_outcome solve(std::size_t source, C* distances, std::int32_t* predecessors,
                      const monitor& watch) {
    stop_check check(watch);
    std::size_t num_found = 0;
    const auto find = [&](std::size_t v, const C& distance) {
      distances[v] = distance;
      queue_[num_found++] = static_cast<std::int32_t>(v);
    };
    find(source, lengths_.front());
    std::size_t next = 0;
    for (std::size_t step = 1; step < lengths_.size() && next < num_found; ++step) {
      const C distance = lengths_[step];
      for (const std::size_t end = num_found; next < end; ++next) {
        const auto u = static_cast<std::size_t>(queue_[next]);
        for (std::size_t a = arcs_.begin(u); a < arcs_.end(u); ++a) {
          const auto v = static_cast<std::size_t>(arcs_.targets[a]);
          if (distances[v] < no_path<C>()) continue;
          find(v, distance);
          if (predecessors != nullptr) predecessors[v] = static_cast<std::int32_t>(u);
        }
        if (check.after(arcs_.end(u) - arcs_.begin(u))) return solve_outcome::stopped;
      }
    }
    return solve_outcome::finished;
  }

 private:
  adjacency_view<C> arcs_;
  std::vector<C> lengths_;
  std::vector<std::int32_t> queue_;
};

/// The arcs of an `adjacency_view` without their weights.
struct unweighted_arcs {
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> targets;

  template <class C>
  explicit unweighted_arcs(const adjacency_view<C>& arcs)
      : offsets(arcs.offsets), targets(arcs.targets) {}

  std::size_t num_vertices() const { return offsets.size() - 1; }
  std::size_t num_edges() const { return targets.size(); }
  std::size_t begin(std::size_t u) const { return static_cast<std::size_t>(offsets[u]); }
  std::size_t end(std::size_t u) const { return static_cast<std::size_t>(offsets[u + 1]); }
};

/// The reversed arcs.
struct incoming_arcs {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> sources;  ///< One more than there are arcs.
  std::vector<std::int32_t> ranks;    ///< For each arc its position among those into its end.

  APSP_EXPORT incoming_arcs(const unweighted_arcs& arcs, bool with_ranks);
};

/// Which sources are searched together.
struct search_plan {
  std::size_t num_words = 0;      ///< Of a batch; 0 to search from each source separately.
  std::vector<std::size_t> rows;  ///< In the order of the batches.
};

/// Chooses the size of the batches, as measured on one core (Zen 4).
APSP_EXPORT search_plan plan_search(const unweighted_arcs& arcs,
                                    std::span<const std::int32_t> sources, int num_threads);

/// Searches from a batch of sources at once, with one bit for each source.
/// Source: Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo 2014; the choice between
/// the two directions: Beamer, Asanović, Patterson 2012.
template <class C>
class search_batches {
 public:
  search_batches(const per_source_problem<C>& problem, const search_plan& plan,
                 solver_output<C>& output)
      : problem_(problem),
        plan_(plan),
        kernels_(choose_search_kernels(plan.num_words)),
        output_(output),
        incoming_(unweighted_arcs(problem.arcs), problem.with_predecessors) {
    // Number 0 means that there is no path.
    distances_.push_back(no_path<C>());
    const std::vector<C> lengths = lengths_of_steps(problem);
    distances_.insert(distances_.end(), lengths.begin(), lengths.end());
    num_levels_ = distances_.size();
    distances_.resize(std::max(distances_.size(), kernels_.table_size), no_path<C>());
    num_rank_planes_.resize(num_blocks(), 0);
    if (problem.with_predecessors) {
      for (std::size_t v = 0; v < num_vertices(); ++v) {
        const std::int64_t num_arcs = incoming_.offsets[v + 1] - incoming_.offsets[v];
        std::size_t& planes = num_rank_planes_[v / lanes()];
        planes = std::max(planes, bits_of(static_cast<std::size_t>(num_arcs)));
      }
    }
    most_rank_planes_ = num_rank_planes_.empty()
                            ? 0
                            : *std::max_element(num_rank_planes_.begin(), num_rank_planes_.end());
  }

  solve_outcome solve(int threads, monitor& watch) {
    const std::size_t count = problem_.sources.size();
    const std::size_t num_batches = (count + lanes() - 1) / lanes();
    parallel_for_with_workspace(
        num_batches, threads, [&] { return workspace(*this); },
        [&](workspace& mine, std::size_t batch) {
          const std::size_t first = batch * lanes();
          if (search(first, std::min(lanes(), count - first), mine, watch)) {
            finish_rows(first, std::min(lanes(), count - first), mine, watch);
          }
        });
    return watch.stop_requested() ? solve_outcome::stopped : solve_outcome::finished;
  }

 private:
  struct workspace {
    explicit workspace(const search_batches& call)
        : seen(call.set_words()),
          frontier(call.set_words()),
          next(call.set_words()),
          levels(call.plane_words() * call.most_level_planes()),
          ranks(call.plane_words() * call.most_rank_planes_),
          active(call.num_vertices()),
          found(call.num_vertices()),
          entries(call.lanes()),
          numbers(call.lanes()),
          rank_numbers(call.lanes()),
          row(call.num_vertices()),
          predecessor_row(call.problem_.with_predecessors ? call.num_vertices() : 0) {}

    untouched_buffer<std::uint64_t> seen;
    untouched_buffer<std::uint64_t> frontier;
    untouched_buffer<std::uint64_t> next;
    untouched_buffer<std::uint64_t> levels;  ///< Only planes in use are touched.
    untouched_buffer<std::uint64_t> ranks;
    untouched_buffer<std::int32_t> active;
    untouched_buffer<std::int32_t> found;
    untouched_buffer<C> entries;
    untouched_buffer<std::int32_t> numbers;
    untouched_buffer<std::int32_t> rank_numbers;
    untouched_buffer<C> row;  ///< For outputs without memory for rows.
    untouched_buffer<std::int32_t> predecessor_row;
    std::size_t num_level_planes = 0;
  };

  // Between two looks for a stop request.
  static constexpr std::size_t vertices_at_once = std::size_t{1} << 12;

  static constexpr bool may_look_up = std::is_arithmetic_v<C> && sizeof(C) == 4;

  /// The number of bits of the positions in an array of that size.
  static std::size_t bits_of(std::size_t size) {
    return size == 0 ? 0 : static_cast<std::size_t>(std::bit_width(size - 1));
  }
  std::size_t num_vertices() const { return problem_.arcs.num_vertices(); }
  std::size_t lanes() const { return kernels_.num_words * search_word_bits; }
  std::size_t set_words() const { return num_vertices() * kernels_.num_words; }
  /// Planes are transposed in square blocks.
  std::size_t num_blocks() const { return (num_vertices() + lanes() - 1) / lanes(); }
  std::size_t block_words() const { return lanes() * kernels_.num_words; }
  std::size_t plane_words() const { return num_blocks() * block_words(); }
  std::size_t most_level_planes() const {
    return static_cast<std::size_t>(std::bit_width(num_levels_ - 1));
  }

  /// Returns false if a stop was requested.
  bool search(std::size_t first, std::size_t count, workspace& mine, const monitor& watch) {
    const std::size_t num_words = kernels_.num_words;
    const search_arcs outgoing{problem_.arcs.offsets.data(), problem_.arcs.targets.data()};
    const search_arcs incoming{incoming_.offsets.data(), incoming_.sources.data()};
    const std::int32_t* const ranks = problem_.with_predecessors ? incoming_.ranks.data() : nullptr;
    search_state s{};
    s.seen = mine.seen.data();
    s.frontier = mine.frontier.data();
    s.next = mine.next.data();
    s.levels = mine.levels.data();
    s.ranks = mine.ranks.data();
    s.plane_words = plane_words();
    s.active = mine.active.data();
    s.found = mine.found.data();
    s.arcs_to_open = problem_.arcs.num_edges();
    std::fill_n(s.frontier, set_words(), std::uint64_t{0});
    std::fill_n(s.next, set_words(), std::uint64_t{0});
    for_each_rank_block([&](std::size_t block_of_planes) {
      std::fill_n(s.ranks + block_of_planes * block_words(), block_words(), std::uint64_t{0});
    });
    mine.num_level_planes = 0;
    // Lanes without a source have seen every vertex.
    std::array<std::uint64_t, most_search_words> unused;
    unused.fill(~std::uint64_t{0});
    for (std::size_t lane = 0; lane < count; ++lane) {
      unused[lane / search_word_bits] ^= std::uint64_t{1} << lane % search_word_bits;
    }
    for (std::size_t v = 0; v < num_vertices(); ++v) {
      std::copy_n(unused.data(), num_words, s.seen + v * num_words);
    }
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::int32_t source = problem_.sources[plan_.rows[first + lane]];
      std::uint64_t* const set = s.next + static_cast<std::size_t>(source) * num_words;
      const bool is_new =
          std::all_of(set, set + num_words, [](std::uint64_t word) { return word == 0; });
      if (is_new) s.found[s.num_found++] = source;
      set[lane / search_word_bits] |= std::uint64_t{1} << lane % search_word_bits;
    }
    for (std::size_t level = 1; s.num_found != 0; ++level) {
      if (std::has_single_bit(level)) {
        std::fill_n(s.levels + mine.num_level_planes++ * plane_words(), plane_words(),
                    std::uint64_t{0});
      }
      kernels_.settle(s, outgoing, incoming, level);
      if (level + 1 == num_levels_) break;
      const bool pulls = 2 * s.arcs_from_active > s.arcs_to_open + num_vertices() / 4;
      const std::size_t num_steps = pulls ? num_vertices() : s.num_active;
      for (std::size_t i = 0; i < num_steps; i += vertices_at_once) {
        if (watch.stop_requested()) return false;
        const std::size_t end = std::min(num_steps, i + vertices_at_once);
        if (pulls) {
          kernels_.pull(s, incoming, problem_.with_predecessors, i, end);
        } else {
          kernels_.push(s, outgoing, ranks, i, end);
        }
      }
    }
    return !watch.stop_requested();
  }

  void finish_rows(std::size_t first, std::size_t count, workspace& mine, monitor& watch) const {
    for (std::size_t i = 0; i < mine.num_level_planes * num_blocks(); ++i) {
      kernels_.transpose(mine.levels.data() + i * block_words());
    }
    for_each_rank_block([&](std::size_t block_of_planes) {
      kernels_.transpose(mine.ranks.data() + block_of_planes * block_words());
    });
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::size_t row = plan_.rows[first + lane];
      C* distances = output_.distances(row);
      if (distances == nullptr) distances = mine.row.data();
      std::int32_t* predecessors = nullptr;
      if (problem_.with_predecessors) {
        predecessors = output_.predecessors(row);
        if (predecessors == nullptr) predecessors = mine.predecessor_row.data();
      }
      for (std::size_t block = 0; block < num_blocks(); ++block) {
        if (predecessors != nullptr) {
          write_with_predecessors(block, lane, mine, distances, predecessors);
        } else {
          write_distances(block, lane, mine, distances);
        }
      }
      output_.finish(row, distances, predecessors);
    }
    watch.advance(count);
  }

  /// Calls f(i) for each block in use of the planes of ranks.
  template <class F>
  void for_each_rank_block(F f) const {
    for (std::size_t block = 0; block < num_blocks(); ++block) {
      for (std::size_t p = 0; p < num_rank_planes_[block]; ++p) f(p * num_blocks() + block);
    }
  }

  void read_levels(std::size_t block, std::size_t lane, workspace& mine) const {
    kernels_.read(mine.levels.data() + block * block_words(), plane_words(), mine.num_level_planes,
                  lane, mine.numbers.data());
  }

  void write_distances(std::size_t block, std::size_t lane, workspace& mine, C* distances) const {
    const std::size_t first = block * lanes();
    const std::size_t count = std::min(lanes(), num_vertices() - first);
    if (may_look_up && std::size_t{1} << mine.num_level_planes <= kernels_.table_size) {
      C* const entries = count < lanes() ? mine.entries.data() : distances + first;
      kernels_.look_up(mine.levels.data() + block * block_words(), plane_words(),
                       mine.num_level_planes, lane, distances_.data(), entries);
      if (count < lanes()) std::copy_n(entries, count, distances + first);
      return;
    }
    read_levels(block, lane, mine);
    const std::int32_t* const numbers = mine.numbers.data();
    const C* const lengths = distances_.data();
    for (std::size_t i = 0; i < count; ++i) {
      distances[first + i] = lengths[static_cast<std::size_t>(numbers[i])];
    }
  }

  void write_with_predecessors(std::size_t block, std::size_t lane, workspace& mine, C* distances,
                               std::int32_t* predecessors) const {
    const std::size_t first = block * lanes();
    const std::size_t count = std::min(lanes(), num_vertices() - first);
    read_levels(block, lane, mine);
    kernels_.read(mine.ranks.data() + block * block_words(), plane_words(), num_rank_planes_[block],
                  lane, mine.rank_numbers.data());
    const std::int32_t* const numbers = mine.numbers.data();
    const std::int32_t* const ranks = mine.rank_numbers.data();
    const std::int64_t* const offsets = incoming_.offsets.data() + first;
    const std::int32_t* const sources = incoming_.sources.data();
    const C* const lengths = distances_.data();
    for (std::size_t i = 0; i < count; ++i) {
      distances[first + i] = lengths[static_cast<std::size_t>(numbers[i])];
      const std::int32_t source = sources[offsets[i] + ranks[i]];
      // 0: no path; 1: the source itself.
      predecessors[first + i] = numbers[i] > 1 ? source : -1;
    }
  }

  const per_source_problem<C>& problem_;
  const search_plan& plan_;
  const search_kernels& kernels_;
  solver_output<C>& output_;
  incoming_arcs incoming_;
  std::vector<C> distances_;                  ///< By number in the planes of levels.
  std::size_t num_levels_;                    ///< The number of distances; `distances_` is padded.
  std::vector<std::size_t> num_rank_planes_;  ///< For each block of vertices.
  std::size_t most_rank_planes_ = 0;
};

/// Solves for the sources of @p problem, whose arcs have the same weight, in the batches of @p
/// plan.
template <class C>
solve_outcome search_in_batches(const per_source_problem<C>& problem, const search_plan& plan,
                                int threads, solver_output<C>& output, monitor& watch) {
  watch.note_batch(std::min(plan.rows.size(), plan.num_words * std::size_t{64}));
  return search_batches<C>(problem, plan, output).solve(threads, watch);
}

}  // namespace apsp::inline v1::detail::host
