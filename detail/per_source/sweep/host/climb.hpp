// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "../../../../apsp/config.hpp"
#include "../../../elimination/elimination_tree.hpp"
#include "../../../elimination/hierarchy.hpp"
#include "../../../elimination/path_values.hpp"
#include "../../../host/monitor.hpp"
#include "../../../host/parallel_for.hpp"
#include "../../../host/solve_outcome.hpp"
#include "../../../values/int128.hpp"
#include "../../../values/kernel_semirings.hpp"
#include "../../lanes/host/lane_kernel.hpp"

// Paths between some vertices from a hierarchy.
namespace apsp::inline v1::detail::host {

/// Pairs that a thread takes at once.
inline constexpr std::size_t pairs_together = 256;

/// Some pairs of vertices: `targets[k]` belongs to `sources[k]`.
struct vertex_pairs {
  std::span<const std::int32_t> sources;
  std::span<const std::int32_t> targets;
};

inline std::size_t depth_of(const elimination_tree& tree, std::int32_t place) {
  return static_cast<std::size_t>(tree.depths[static_cast<std::size_t>(place)]);
}

/// Finds the best paths between @p place and its ancestors that leave out others.
/// @param offsets, arcs  of a hierarchy: those that lead up, or those that lead down.
/// @param extend         extend(path, arc) is the value of the path with an arc more.
/// @param found          by depth.
/// @param visit          called as visit(depth, ancestor) when its path is known.
template <class S, class Extend, class Visit, class T = typename S::value_type>
void climb(const elimination_tree& tree, const path_values<S>& values, std::int32_t place,
           const std::vector<std::int64_t>& offsets, const std::vector<sweep_arc<T>>& arcs,
           Extend extend, std::vector<T>& found, Visit visit) {
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  std::size_t depth = depth_of(tree, place);
  std::fill_n(found.begin(), depth, values.none);
  found[depth] = values.one;
  for (; place >= 0; place = tree.parents[at(place)], --depth) {
    const T here = found[depth];
    visit(depth, place);
    if (!values.is_path(here)) continue;
    for (auto a = offsets[at(place)]; a < offsets[at(place) + 1]; ++a) {
      const sweep_arc<T>& arc = arcs[at(a)];
      T& above = found[at(arc.depth)];
      above = values.plus(extend(here, arc.weight), above);
    }
  }
}

/// The best path between two vertices leads up the elimination tree and then down, so it is found
/// by two climbs from its ends to the root, along the ancestors of each, and it turns at one that
/// they have in common.
template <class S>
class pair_climbs {
  using T = typename S::value_type;

 public:
  pair_climbs(const hierarchy<T>& graph, const path_values<S>& values)
      : graph_(graph),
        values_(values),
        up_(static_cast<std::size_t>(graph.tree->height), values.none),
        down_(up_),
        line_(up_.size()) {}

  /// Climbs from the place where the paths begin.
  void start_from(std::int32_t source) {
    depth_ = depth_of(*graph_.tree, source);
    const auto append = [&](const T& path, const T& arc) { return values_.times(path, arc); };
    climb(*graph_.tree, values_, source, graph_.up_offsets, graph_.up, append, up_,
          [&](std::size_t depth, std::int32_t place) { line_[depth] = place; });
  }
  /// The value of the best path to a place.
  T find_best(std::int32_t target) {
    T best = values_.none;
    const auto prepend = [&](const T& path, const T& arc) { return values_.times(arc, path); };
    climb(*graph_.tree, values_, target, graph_.down_offsets, graph_.down, prepend, down_,
          [&](std::size_t depth, std::int32_t place) {
            if (depth > depth_ || line_[depth] != place) return;
            if (!values_.is_path(up_[depth]) || !values_.is_path(down_[depth])) return;
            best = values_.plus(values_.times(up_[depth], down_[depth]), best);
          });
    return best;
  }

 private:
  const hierarchy<T>& graph_;
  path_values<S> values_;
  std::vector<T> up_;               ///< By depth: the best paths from the source to its ancestors.
  std::vector<T> down_;             ///< The best paths from the ancestors of the target to it.
  std::vector<std::int32_t> line_;  ///< By depth: the ancestors of the source.
  std::size_t depth_ = 0;           ///< Of the source.
};

/// Climbs from as many places as there are lanes in a batch.
template <class S>
class climbing_lanes {
  using T = typename S::value_type;
  using kernel_table = lane_kernels<S>;

 public:
  climbing_lanes(const elimination_tree& tree, const kernel_table& kernels,
                 const path_values<S>& values)
      : tree_(tree),
        kernels_(kernels),
        values_(values),
        stack_(static_cast<std::size_t>(tree.height) * kernels.num_lanes, values.none) {}

  /// Where the lanes begin, and what they find.
  struct found_paths {
    std::vector<std::pair<std::int32_t, std::int32_t>> ends;  ///< Places with their lanes.
    std::vector<std::int32_t> end_places;
    std::vector<std::int32_t> lanes;
    std::vector<std::int32_t> places;  ///< The ends and their ancestors, descending.
    std::vector<T> paths;              ///< Of each of these, lane by lane.
  };

  /// @param arcs   those that lead up, or those that lead down.
  /// @param place  place(lane) is where the lane begins.
  template <class Place>
  void climb(const typename kernel_table::arcs_of_places& arcs, Place place, found_paths& found) {
    const std::size_t num_lanes = kernels_.num_lanes;
    found.ends.clear();
    for (std::size_t lane = 0; lane < num_lanes; ++lane) {
      found.ends.emplace_back(place(lane), static_cast<std::int32_t>(lane));
    }
    std::sort(found.ends.begin(), found.ends.end(), std::greater<>{});
    found.end_places.clear();
    found.lanes.clear();
    for (const auto& [end, lane] : found.ends) {
      found.end_places.push_back(end);
      found.lanes.push_back(lane);
    }
    find_ancestors(tree_, found.end_places, found.places);
    if (found.paths.size() < found.places.size() * num_lanes) {
      found.paths.resize(found.places.size() * num_lanes);
    }
    kernels_.up(values_.semiring, {values_.one, values_.none, values_.none_from, values_.none},
                arcs, {found.end_places.data(), found.lanes.data()}, stack_.data(),
                {found.places.size(), found.places.data(), found.paths.data()});
  }

 private:
  const elimination_tree& tree_;
  const kernel_table& kernels_;
  path_values<S> values_;
  std::vector<T> stack_;  ///< `none` between climbs.
};

/// The same for as many pairs as there are lanes in a narrow batch, one in each. Pairs whose
/// sources are near each other, and whose targets are, share most of their ancestors.
template <class S>
class lane_climbs {
  using T = typename S::value_type;

 public:
  lane_climbs(const hierarchy<T>& graph, const path_values<S>& values)
      : graph_(graph),
        values_(values),
        climbing_(*graph.tree, kernels(), values),
        best_(num_lanes()) {}

  static std::size_t num_lanes() { return kernels().num_lanes; }

  /// Finds the values of the best paths of pairs.
  /// @param order  the numbers of up to `num_lanes` pairs.
  void find(const vertex_pairs& pairs, std::span<const std::size_t> order, T* best) {
    const elimination_tree& tree = *graph_.tree;
    // Unused lanes repeat the last pair.
    const auto places_of = [&](std::span<const std::int32_t> ends) {
      return [&, ends](std::size_t lane) {
        const std::int32_t end = ends[order[std::min(lane, order.size() - 1)]];
        return tree.places[static_cast<std::size_t>(end)];
      };
    };
    climbing_.climb({graph_.up_offsets.data(), graph_.up.data(), tree.depths.data()},
                    places_of(pairs.sources), up_);
    climbing_.climb({graph_.down_offsets.data(), graph_.down.data(), tree.depths.data()},
                    places_of(pairs.targets), down_);
    std::fill(best_.begin(), best_.end(), values_.none);
    const std::size_t lanes = best_.size();
    std::size_t u = 0;
    std::size_t d = 0;
    while (u < up_.places.size() && d < down_.places.size()) {
      const std::int32_t above_source = up_.places[u];
      const std::int32_t above_target = down_.places[d];
      if (above_source == above_target) {
        const T* const to = up_.paths.data() + u * lanes;
        const T* const from = down_.paths.data() + d * lanes;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          best_[lane] = values_.plus(values_.times(to[lane], from[lane]), best_[lane]);
        }
      }
      u += above_source >= above_target ? 1 : 0;
      d += above_target >= above_source ? 1 : 0;
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t k = order[i];
      best[k] = pairs.sources[k] == pairs.targets[k] ? values_.one : best_[i];
    }
  }

 private:
  static const lane_kernels<S>& kernels() { return choose_lane_kernels<S>(batch_width::narrow); }

  const hierarchy<T>& graph_;
  path_values<S> values_;
  climbing_lanes<S> climbing_;
  std::vector<T> best_;  ///< By lane.
  typename climbing_lanes<S>::found_paths up_;
  typename climbing_lanes<S>::found_paths down_;
};

/// The numbers of pairs in an order in which those of a batch have sources that are near each other
/// in the tree, and targets, as far as there are enough pairs.
APSP_EXPORT std::vector<std::size_t> order_for_batches(const elimination_tree& tree,
                                                       const vertex_pairs& pairs,
                                                       std::size_t batch_size, int threads);

/// Finds the values of the best paths between the vertices of pairs, a value that is no path where
/// there is none. They are the same however many pairs there are.
/// @param best  receives one for each pair.
template <class S, class T = typename S::value_type>
APSP_EXPORT solve_outcome find_best_of_pairs(const hierarchy<T>& graph,
                                             const path_values<S>& values,
                                             const vertex_pairs& pairs, int threads, T* best,
                                             monitor& watch) {
  const std::size_t count = pairs.sources.size();
  // Lanes join the arcs of both sides in the same order, which any semiring with vectors allows.
  if constexpr (has_vectors<S>) {
    const std::size_t lanes = lane_climbs<S>::num_lanes();
    if (count >= 4 * lanes) {
      const std::vector<std::size_t> order = order_for_batches(*graph.tree, pairs, lanes, threads);
      parallel_for_with_workspace(
          (count + lanes - 1) / lanes, threads, [&] { return lane_climbs<S>(graph, values); },
          [&](lane_climbs<S>& climbs, std::size_t batch) {
            if (watch.stop_requested()) return;
            const std::size_t size = std::min(lanes, count - batch * lanes);
            climbs.find(pairs, std::span(order).subspan(batch * lanes, size), best);
            watch.advance(size);
          },
          pairs_together / lanes);
      return watch.stop_requested() ? solve_outcome::stopped : solve_outcome::finished;
    }
  }
  const std::vector<std::int32_t>& places = graph.tree->places;
  const auto place_of = [&](std::int32_t v) { return places[static_cast<std::size_t>(v)]; };
  // Pairs of the same source are next to each other.
  const std::vector<std::size_t> order = numbers_by_place(*graph.tree, pairs.sources);
  parallel_for_with_workspace((count + pairs_together - 1) / pairs_together, threads,
                              [&] { return pair_climbs<S>(graph, values); },
                              [&](pair_climbs<S>& climbs, std::size_t block) {
                                if (watch.stop_requested()) return;
                                const std::size_t begin = block * pairs_together;
                                const std::size_t end = std::min(count, begin + pairs_together);
                                std::int32_t source = -1;
                                for (std::size_t i = begin; i < end; ++i) {
                                  const std::size_t k = order[i];
                                  if (std::exchange(source, pairs.sources[k]) != source) {
                                    climbs.start_from(place_of(source));
                                  }
                                  best[k] = pairs.targets[k] == source
                                                ? values.one
                                                : climbs.find_best(place_of(pairs.targets[k]));
                                }
                                watch.advance(end - begin);
                              });
  return watch.stop_requested() ? solve_outcome::stopped : solve_outcome::finished;
}

#define APSP_FIND_BEST_OF_PAIRS(...)                                                       \
  template solve_outcome find_best_of_pairs<__VA_ARGS__>(                                  \
      const hierarchy<typename __VA_ARGS__::value_type>&, const path_values<__VA_ARGS__>&, \
      const vertex_pairs&, int, typename __VA_ARGS__::value_type*, monitor&);
#define APSP_EXTERN_PAIRS(...) extern APSP_FIND_BEST_OF_PAIRS(__VA_ARGS__)
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_EXTERN_PAIRS)
APSP_EXTERN_PAIRS(min_plus<long double>)
#undef APSP_EXTERN_PAIRS

}  // namespace apsp::inline v1::detail::host
