// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../elimination/elimination_tree.hpp"
#include "../../host/monitor.hpp"
#include "../../host/parallel_for.hpp"
#include "../../host/untouched_buffer.hpp"
#include "../path_hierarchy.hpp"
#include "path_sweep_kernel.hpp"

// Sweeps over a hierarchy of shortest paths from some sources, in batches.
namespace apsp::inline v1::detail::host {

/// A batch of sources, and the memory of a thread for the sweeps from them.
class path_sweep_batch {
 public:
  explicit path_sweep_batch(const path_hierarchy& paths, std::size_t num_lanes)
      : paths_(paths), num_lanes_(num_lanes), places_(num_lanes) {
    const auto height = static_cast<std::size_t>(paths.tree->height);
    most_above_ = std::min(paths.tree->num_vertices(), height * num_lanes);
    by_depth_ = untouched_buffer<double>(3 * height * num_lanes);
    by_position_ = untouched_buffer<double>(3 * most_above_ * num_lanes);
    line_.resize(height);
    depth_positions_.resize(height);
    only_arcs_.resize(height);
    std::fill_n(memory().shares, height * num_lanes, 0.0);
  }

  /// @param places  of up to as many sources as there are lanes, descending.
  void set_sources(std::span<const std::int32_t> places) {
    const elimination_tree& tree = *paths_.tree;
    std::fill(places_.begin(), places_.end(), -1);
    std::copy(places.begin(), places.end(), places_.begin());
    find_ancestors(tree, places, above_);
    begins_.resize(above_.size());
    positions_.clear();
    // Ascending, so that the ancestors of a place are the last ones at their depths.
    for (std::size_t i = above_.size(); i-- > 0;) {
      const auto place = static_cast<std::size_t>(above_[i]);
      depth_positions_[static_cast<std::size_t>(tree.depths[place])] = static_cast<std::int32_t>(i);
      begins_[i] = positions_.size();
      for (auto a = paths_.up.offsets[place]; a < paths_.up.offsets[place + 1]; ++a) {
        const path_arc& arc = paths_.up.arcs[static_cast<std::size_t>(a)];
        positions_.push_back(depth_positions_[static_cast<std::size_t>(arc.depth)]);
      }
    }
  }

  path_sweep_sources sources() const {
    return {places_.data(), above_.size(), above_.data(), positions_.data(), begins_.data()};
  }
  path_sweep_memory memory() {
    const std::size_t of_depths = line_.size() * num_lanes_;
    const std::size_t of_positions = most_above_ * num_lanes_;
    double* const by_depth = by_depth_.data();
    double* const by_position = by_position_.data();
    return {.lengths = by_depth,
            .counts = by_depth + of_depths,
            .shares = by_depth + 2 * of_depths,
            .line = line_.data(),
            .positions = depth_positions_.data(),
            .only_arcs = only_arcs_.data(),
            .lengths_above = by_position,
            .counts_above = by_position + of_positions,
            .shares_above = by_position + 2 * of_positions};
  }

 private:
  const path_hierarchy& paths_;
  std::size_t num_lanes_;
  std::size_t most_above_;
  std::vector<std::int32_t> places_;
  std::vector<std::int32_t> above_;
  std::vector<std::int32_t> positions_;
  std::vector<std::size_t> begins_;
  untouched_buffer<double> by_depth_;
  untouched_buffer<double> by_position_;
  std::vector<std::int32_t> line_;
  std::vector<std::int32_t> depth_positions_;
  std::vector<std::int64_t> only_arcs_;
};

/// Calls sweep(workspace, batch, chunk, numbers) for batches of sources; make_workspace() makes
/// what each thread needs. The batches of a chunk come one after the other; which they are does not
/// depend on the number of threads.
/// @param sweep  returns a bound of the numbers of paths.
template <class MakeWorkspace, class Sweep>
sweep_outcome sweep_in_batches(const path_hierarchy& paths, std::span<const std::int32_t> sources,
                               std::size_t num_chunks, int threads, monitor& watch,
                               MakeWorkspace make_workspace, Sweep sweep) {
  const elimination_tree& tree = *paths.tree;
  const std::vector<std::size_t> numbers = numbers_by_place(tree, sources);
  const std::size_t num_lanes = choose_path_sweep_kernels().num_lanes;
  const std::size_t num_batches = (sources.size() + num_lanes - 1) / num_lanes;
  std::atomic<bool> is_out_of_range = false;
  struct workspace {
    path_sweep_batch batch;
    decltype(make_workspace()) own;
  };
  parallel_for_with_workspace(
      num_chunks, threads,
      [&] {
        return workspace{path_sweep_batch(paths, num_lanes), make_workspace()};
      },
      [&](workspace& mine, std::size_t chunk) {
        std::vector<std::int32_t> places;
        const std::size_t end = (chunk + 1) * num_batches / num_chunks;
        for (std::size_t b = chunk * num_batches / num_chunks; b < end; ++b) {
          if (watch.stop_requested() || is_out_of_range.load(std::memory_order_relaxed)) return;
          const auto batch = std::span(numbers).subspan(
              b * num_lanes, std::min(num_lanes, sources.size() - b * num_lanes));
          places.clear();
          for (const std::size_t i : batch) {
            places.push_back(tree.places[static_cast<std::size_t>(sources[i])]);
          }
          mine.batch.set_sources(places);
          if (!(sweep(mine.own, mine.batch, chunk, batch) <= most_paths)) is_out_of_range = true;
          watch.advance(batch.size());
        }
      });
  if (watch.stop_requested()) return sweep_outcome::stopped;
  return is_out_of_range ? sweep_outcome::not_possible : sweep_outcome::finished;
}

/// Adds up the shares of the shortest paths from some sources that lead along each arc of the
/// hierarchy, and through each place between such arcs.
/// @param with_ends  paths lead through their ends as well.
inline sweep_outcome sweep_shares(const path_hierarchy& paths,
                                  std::span<const std::int32_t> sources, bool with_ends,
                                  int threads, monitor& watch, path_shares& shares) {
  const std::size_t n = paths.tree->num_vertices();
  const std::size_t num_up = paths.up.arcs.size();
  const std::size_t num_down = paths.down.arcs.size();
  const std::size_t num_sums = n + num_up + num_down;
  constexpr std::size_t most_sums = std::size_t{1} << 26;
  constexpr std::size_t fewest_chunks = 4;
  constexpr std::size_t most_chunks = 64;
  constexpr std::size_t least_sources = 32;  // Of a chunk.
  // A power of two, which most numbers of threads divide.
  const std::size_t num_chunks = std::bit_floor(
      std::clamp(std::min(most_sums / (num_sums + 1), sources.size() / least_sources),
                 fewest_chunks, most_chunks));
  std::vector<std::vector<double>> sums(num_chunks);
  for (auto& part : sums) part.resize(num_sums);
  const path_sweep_kernels& kernels = choose_path_sweep_kernels();
  const path_sweep_graph graph = paths.view();
  const auto make_reached = [&] { return std::vector<double>(kernels.num_lanes); };
  const auto outcome = sweep_in_batches(
      paths, sources, num_chunks, threads, watch, make_reached,
      [&](std::vector<double>& reached, path_sweep_batch& batch, std::size_t chunk,
          std::span<const std::size_t> numbers) {
        double* const part = sums[chunk].data();
        const double largest = kernels.add_shares(graph, batch.sources(), batch.memory(),
                                                  {.of_places = part,
                                                   .of_up = part + n,
                                                   .of_down = part + n + num_up,
                                                   .with_ends = with_ends,
                                                   .num_reached = reached.data()});
        for (std::size_t lane = 0; with_ends && lane < numbers.size(); ++lane) {
          const auto source = static_cast<std::size_t>(sources[numbers[lane]]);
          // At its place, each source has been counted once, as the end of the path to itself.
          part[static_cast<std::size_t>(paths.tree->places[source])] += reached[lane] - 2;
        }
        return largest;
      });
  if (outcome != sweep_outcome::finished) return outcome;
  constexpr std::size_t sums_together = 4096;
  std::vector<double>& total = sums.front();
  parallel_for(
      num_sums, threads,
      [&](std::size_t i) {
        for (std::size_t chunk = 1; chunk < num_chunks; ++chunk) total[i] += sums[chunk][i];
      },
      sums_together);
  const auto begin_up = total.begin() + static_cast<std::ptrdiff_t>(n);
  const auto begin_down = begin_up + static_cast<std::ptrdiff_t>(num_up);
  shares.of_places.assign(total.begin(), begin_up);
  shares.of_up.assign(begin_up, begin_down);
  shares.of_down.assign(begin_down, total.end());
  return outcome;
}

/// Calls put(number, vertex, length, count) for all vertices and the shortest paths to them from
/// source number `number`; the length is infinite without a path. Calls for different sources come
/// from several threads.
template <class Put>
sweep_outcome sweep_counts(const path_hierarchy& paths, std::span<const std::int32_t> sources,
                           int threads, monitor& watch, Put put) {
  constexpr std::size_t places_together = 128;
  const path_sweep_kernels& kernels = choose_path_sweep_kernels();
  const std::size_t num_lanes = kernels.num_lanes;
  const path_sweep_graph graph = paths.view();
  const auto make_block = [&] { return untouched_buffer<double>(2 * places_together * num_lanes); };
  return sweep_in_batches(
      paths, sources, (sources.size() + num_lanes - 1) / num_lanes, threads, watch, make_block,
      [&](untouched_buffer<double>& block, path_sweep_batch& batch, std::size_t,
          std::span<const std::size_t> numbers) {
        double* const lengths = block.data();
        double* const counts = lengths + places_together * num_lanes;
        const path_sweep_sources from = batch.sources();
        std::size_t num_above = from.num_above;
        double largest = kernels.count_above(graph, from, batch.memory());
        for (std::size_t begin = 0; begin < graph.num_places; begin += places_together) {
          const std::size_t end = std::min(begin + places_together, graph.num_places);
          const double most =
              kernels.count(graph, from, batch.memory(), {begin, end, &num_above, lengths, counts});
          largest = most <= largest ? largest : most;
          for (std::size_t lane = 0; lane < numbers.size(); ++lane) {
            for (std::size_t place = begin; place < end; ++place) {
              const std::size_t i = (place - begin) * num_lanes + lane;
              put(numbers[lane], static_cast<std::size_t>(paths.tree->vertices[place]), lengths[i],
                  counts[i]);
            }
          }
        }
        return largest;
      });
}

}  // namespace apsp::inline v1::detail::host
