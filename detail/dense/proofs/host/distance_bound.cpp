// SPDX-License-Identifier: BSL-1.0
#include "distance_bound.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../../../../apsp/result.hpp"
#include "../../../graph/components.hpp"
#include "../../../per_source/problem/problem.hpp"
#include "../../../per_source/search/host/dijkstra.hpp"
#include "../../../values/distance_code.hpp"
#include "../../../values/int128.hpp"

namespace apsp::inline v1::detail::host {

namespace {

/// The lengths of shortest paths from the root of each component to its vertices; `no_path` where
/// the length is @p unreachable or more.
/// @param arcs  arcs between components weigh @p unreachable.
/// @return nothing if @p watch requested a stop.
template <class C>
std::optional<std::vector<C>> lengths_from_roots(const adjacency_view<C>& arcs,
                                                 const components& found, const C& unreachable,
                                                 const monitor& watch) {
  std::vector<C> lengths(arcs.num_vertices(), no_path<C>());
  dijkstra_solver<summed<C>> solver(
      per_source_problem<C>{
          algorithm::dijkstra, arcs, {}, static_cast<C>(unreachable - 1), false, false},
      summed<C>{});
  for (std::size_t c = 0; c < found.count(); ++c) {
    // A search stays in its component, so all searches share one array.
    if (solver.solve(found.first(c), lengths.data(), nullptr, watch) != solve_outcome::finished) {
      return std::nullopt;
    }
  }
  return lengths;
}

/// Combines the lengths inside the components to bounds over chains of components.
template <class C>
class component_chains {
 public:
  component_chains(const adjacency_view<C>& arcs, const components& found,
                   const std::vector<C>& from_root, const std::vector<C>& to_root)
      : arcs_(arcs),
        found_(found),
        from_root_(from_root),
        to_root_(to_root),
        reach_(found.count(), 0),
        way_(found.count(), none) {}

  /// The bound of all distances, or nothing if it is not below @p unreachable.
  std::optional<C> bound(const C& unreachable) {
    C longest{};
    for (std::size_t c = 0; c < found_.count(); ++c) {
      C in{};
      for (std::size_t i = found_.offsets[c]; i < found_.offsets[c + 1]; ++i) {
        in = std::max(in, to_root_[member(i)]);
      }
      reach_[c] = reach_of(c);
      const int128 of_component = static_cast<int128>(in) + reach_[c];
      if (of_component >= static_cast<int128>(unreachable)) return std::nullopt;
      longest = std::max(longest, static_cast<C>(of_component));
    }
    return longest;
  }

 private:
  static constexpr int128 none = -1;

  std::size_t member(std::size_t i) const { return static_cast<std::size_t>(found_.members[i]); }

  // The values of the successors of this component are known: they have smaller numbers.
  int128 reach_of(std::size_t c) {
    int128 reach = 0;
    for (std::size_t i = found_.offsets[c]; i < found_.offsets[c + 1]; ++i) {
      const std::size_t u = member(i);
      reach = std::max(reach, static_cast<int128>(from_root_[u]));
      for (std::size_t a = arcs_.begin(u); a < arcs_.end(u); ++a) {
        const auto v = static_cast<std::size_t>(arcs_.targets[a]);
        const auto d = static_cast<std::size_t>(found_.component_of[v]);
        if (d == c) continue;
        const int128 way = static_cast<int128>(from_root_[u]) + arcs_.weights[a] + to_root_[v];
        if (way_[d] == none) next_.push_back(d);
        if (way_[d] == none || way < way_[d]) way_[d] = way;
      }
    }
    for (const std::size_t d : next_) {
      reach = std::max(reach, way_[d] + reach_[d]);
      way_[d] = none;
    }
    next_.clear();
    return reach;
  }

  const adjacency_view<C>& arcs_;
  const components& found_;
  const std::vector<C>& from_root_;
  const std::vector<C>& to_root_;
  std::vector<int128> reach_;
  std::vector<int128> way_;  ///< Lengths from the root of one component to those of its successors.
  std::vector<std::size_t> next_;  ///< Components with an entry in `way_`.
};

}  // namespace

template <class C>
std::optional<C> bound_distances(const adjacency_view<C>& arcs, const C& unreachable,
                                 const monitor& watch) {
  components found;
  if (!find_components(arcs.offsets.data(), arcs.targets.data(), arcs.num_vertices(), watch,
                       found)) {
    return std::nullopt;
  }
  std::vector<C> inside(arcs.weights.begin(), arcs.weights.end());
  for (std::size_t u = 0; u < arcs.num_vertices(); ++u) {
    for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
      const auto v = static_cast<std::size_t>(arcs.targets[a]);
      if (found.component_of[u] != found.component_of[v]) inside[a] = unreachable;
    }
  }
  const adjacency_view<C> inner{arcs.offsets, arcs.targets, inside};
  const auto is_within = [](const std::optional<std::vector<C>>& lengths) {
    return lengths && std::find(lengths->begin(), lengths->end(), no_path<C>()) == lengths->end();
  };
  const auto from_root = lengths_from_roots(inner, found, unreachable, watch);
  if (!is_within(from_root)) return std::nullopt;
  const adjacency<C> reversed = reversed_arcs(inner);
  const auto to_root = lengths_from_roots(reversed.view(), found, unreachable, watch);
  if (!is_within(to_root)) return std::nullopt;
  return component_chains<C>(arcs, found, *from_root, *to_root).bound(unreachable);
}

template std::optional<std::int32_t> bound_distances(const adjacency_view<std::int32_t>&,
                                                     const std::int32_t&, const monitor&);
template std::optional<std::int64_t> bound_distances(const adjacency_view<std::int64_t>&,
                                                     const std::int64_t&, const monitor&);

}  // namespace apsp::inline v1::detail::host
