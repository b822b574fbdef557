// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../../elimination/elimination_tree.hpp"
#include "../../../elimination/hierarchy.hpp"
#include "../../../elimination/path_values.hpp"
#include "../../../host/parallel_for.hpp"
#include "../../lanes/host/lane_kernel.hpp"
#include "climb.hpp"

namespace apsp::inline v1::detail::host {

/// The best paths from the ancestors of some targets down to them. A path from a source to a target
/// turns at an ancestor that they have in common, so these paths and those up from the source give
/// it without a sweep. Source: Ouyang, Qin, Chang, Lin, Zhang and Zhu 2018 (labels of a tree
/// decomposition).
template <class S>
class target_lines {
  using T = typename S::value_type;

 public:
  /// @param targets  may repeat.
  target_lines(const hierarchy<T>& graph, const path_values<S>& values,
               std::span<const std::int32_t> targets, int threads)
      : tree_(*graph.tree) {
    for (const std::int32_t t : targets) places_.push_back(tree_.places[at(t)]);
    std::sort(places_.begin(), places_.end());
    places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
    offsets_.reserve(places_.size() + 1);
    offsets_.push_back(0);
    for (const std::int32_t p : places_) {
      offsets_.push_back(offsets_.back() + at(tree_.depths[at(p)]) + 1);
    }
    paths_.resize(offsets_.back());
    ancestors_.resize(offsets_.back());
    find_paths(graph, values, threads);
  }

  /// The mean number of ancestors that a source and a target have in common, where a vertex counts
  /// as its own ancestor, over some of the pairs.
  static double mean_depth_in_common(const elimination_tree& tree,
                                     std::span<const std::int32_t> sources,
                                     std::span<const std::int32_t> targets) {
    constexpr std::size_t num_samples = 64;
    double sum = 0;
    for (std::size_t i = 0; i < num_samples; ++i) {
      std::int32_t a = tree.places[at(sources[i * sources.size() / num_samples])];
      std::int32_t b = tree.places[at(targets[i * 7919 % targets.size()])];
      while (a != b && a >= 0 && b >= 0) {
        std::int32_t& deeper = tree.depths[at(a)] >= tree.depths[at(b)] ? a : b;
        deeper = tree.parents[at(deeper)];
      }
      if (a == b) sum += tree.depths[at(a)] + 1;
    }
    return sum / num_samples;
  }

  std::size_t size() const { return places_.size(); }
  /// The place of a target; ascending.
  std::int32_t place_of(std::size_t target) const { return places_[target]; }
  /// Its ancestors and itself, by depth.
  std::span<const std::int32_t> ancestors_of(std::size_t target) const {
    return std::span(ancestors_).subspan(offsets_[target], offsets_[target + 1] - offsets_[target]);
  }
  /// The best paths from these.
  const T* paths_to(std::size_t target) const { return paths_.data() + offsets_[target]; }

 private:
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

  void find_paths(const hierarchy<T>& graph, const path_values<S>& values, int threads) {
    const lane_kernels<S>& kernels = choose_lane_kernels<S>(batch_width::narrow);
    const std::size_t lanes = kernels.num_lanes;
    struct workspace {
      climbing_lanes<S> climbing;
      typename climbing_lanes<S>::found_paths found;
    };
    parallel_for_with_workspace(
        (size() + lanes - 1) / lanes, threads,
        [&] {
          return workspace{climbing_lanes<S>(tree_, kernels, values), {}};
        },
        [&](workspace& mine, std::size_t batch) {
          const std::size_t first = batch * lanes;
          const std::size_t count = std::min(lanes, size() - first);
          mine.climbing.climb(
              {graph.down_offsets.data(), graph.down.data(), tree_.depths.data()},
              [&](std::size_t lane) { return places_[first + std::min(lane, count - 1)]; },
              mine.found);
          for (std::size_t lane = 0; lane < count; ++lane)
            copy_line(mine.found, lane, first + lane);
        });
  }

  /// The ancestors of a target are among the places that its batch has found.
  void copy_line(const typename climbing_lanes<S>::found_paths& found, std::size_t lane,
                 std::size_t target) {
    const std::size_t lanes = found.lanes.size();
    std::size_t row = 0;
    std::size_t end = offsets_[target + 1];
    for (std::int32_t p = places_[target]; p >= 0; p = tree_.parents[at(p)]) {
      while (found.places[row] != p) ++row;
      --end;
      ancestors_[end] = p;
      paths_[end] = found.paths[row * lanes + lane];
    }
  }

  const elimination_tree& tree_;
  std::vector<std::int32_t> places_;  ///< Of the targets.
  std::vector<std::size_t> offsets_;  ///< By target, in the following.
  std::vector<T> paths_;
  std::vector<std::int32_t> ancestors_;
};

}  // namespace apsp::inline v1::detail::host
