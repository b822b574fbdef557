// SPDX-License-Identifier: BSL-1.0
#include "path_hierarchy.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "../host/stop_check.hpp"

namespace apsp::inline v1::detail {

namespace {

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

template <class C>
path_arc_lists without_counts(const std::vector<std::int64_t>& offsets,
                              const std::vector<sweep_arc<C>>& arcs, host::stop_poll& poll) {
  path_arc_lists made{offsets, {}};
  made.arcs.reserve(arcs.size());
  for (const auto& arc : arcs) {
    made.arcs.push_back({static_cast<double>(arc.weight), 0, arc.depth});
  }
  const auto lies_above = [](const path_arc& a, const path_arc& b) { return a.depth < b.depth; };
  for (std::size_t p = 0; p + 1 < offsets.size(); ++p) {
    const auto list = made.of(static_cast<std::int32_t>(p));
    poll.after(list.size());
    std::sort(list.begin(), list.end(), lies_above);
  }
  return made;
}

void remove_without_paths(path_arc_lists& lists) {
  std::size_t size = 0;
  std::size_t begin = 0;
  for (std::size_t p = 0; p + 1 < lists.offsets.size(); ++p) {
    const std::size_t end = at(lists.offsets[p + 1]);
    for (; begin < end; ++begin) {
      if (lists.arcs[begin].count > 0) lists.arcs[size++] = lists.arcs[begin];
    }
    lists.offsets[p + 1] = static_cast<std::int64_t>(size);
  }
  lists.arcs.resize(size);
}

/// The arc from or to the ancestor at a depth, if there is one.
path_arc* find_arc(std::span<path_arc> arcs, std::int32_t depth) {
  const auto found =
      std::lower_bound(arcs.begin(), arcs.end(), depth,
                       [](const path_arc& a, std::int32_t d) { return a.depth < d; });
  return found != arcs.end() && found->depth == depth ? &*found : nullptr;
}

/// True if a path of length @p length is as short as one of length @p best.
bool is_tight(double length, double best, double tolerance) {
  return length <= best + tolerance * std::abs(best);
}

/// Calls f(a, b) for arcs of the same depth, of lists that ascend by depth.
template <class F>
void for_each_common(std::span<path_arc> some, std::span<path_arc> others, F f) {
  constexpr std::size_t steps = 8;  // Of a search by halving, compared with those of a merge.
  if (some.size() * steps < others.size()) {
    for (path_arc& a : some) {
      if (path_arc* const b = find_arc(others, a.depth)) f(a, *b);
    }
    return;
  }
  auto b = others.begin();
  for (path_arc& a : some) {
    while (b != others.end() && b->depth < a.depth) ++b;
    if (b == others.end()) return;
    if (b->depth == a.depth) f(a, *b);
  }
}

/// Calls f(whole, first, second) for all arcs of which one leads from an upper neighbor to a place,
/// and another one from it to another neighbor, along paths that the arc between these neighbors
/// stands for.
/// @param up         the arcs from the place.
/// @param down       the arcs to it.
/// @param ancestors  of the place, by depth.
template <class F>
void for_each_turn(path_hierarchy& paths, std::span<path_arc> up, std::span<path_arc> down,
                   std::span<const std::int32_t> ancestors, F f) {
  const auto try_turn = [&](path_arc& first, path_arc& second, path_arc& whole) {
    const double length = first.weight + second.weight;
    if (is_tight(length, whole.weight, paths.tolerance)) f(whole, first, second);
  };
  // Of two neighbors, the lower one has the arc between them.
  for (path_arc& first : down) {
    for_each_common(up, paths.up.of(ancestors[at(first.depth)]),
                    [&](path_arc& second, path_arc& whole) { try_turn(first, second, whole); });
  }
  for (path_arc& second : up) {
    for_each_common(down, paths.down.of(ancestors[at(second.depth)]),
                    [&](path_arc& first, path_arc& whole) { try_turn(first, second, whole); });
  }
}

/// The arc of the hierarchy between the ends of an arc of the graph, if it is as short.
path_arc* find_arc(path_hierarchy& paths, std::size_t u, std::size_t v, double weight) {
  const elimination_tree& tree = *paths.tree;
  const std::int32_t from = tree.places[u];
  const std::int32_t to = tree.places[v];
  path_arc* const found = from > to ? find_arc(paths.up.of(from), tree.depths[at(to)])
                                    : find_arc(paths.down.of(to), tree.depths[at(from)]);
  return found != nullptr && is_tight(weight, found->weight, paths.tolerance) ? found : nullptr;
}

/// Calls f(arc, a) for each arc number a of the graph that is a shortest path, and the arc of the
/// hierarchy that stands for it.
template <class F>
void for_each_shortest_arc(path_hierarchy& paths, const adjacency_view<double>& arcs,
                           host::stop_poll& poll, F f) {
  for (std::size_t u = 0; u < arcs.num_vertices(); ++u) {
    poll.after(arcs.end(u) - arcs.begin(u));
    for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
      const auto v = at(arcs.targets[a]);
      if (u == v) continue;
      if (path_arc* const found = find_arc(paths, u, v, arcs.weights[a])) f(*found, a);
    }
  }
}

/// The ancestors of places that are passed in ascending or in descending order.
class ancestor_line {
 public:
  explicit ancestor_line(const elimination_tree& tree) : tree_(tree), line_(at(tree.height), -1) {}

  /// Those of @p place and the place itself, by depth.
  std::span<const std::int32_t> of(std::int32_t place) {
    for (std::int32_t p = place; p >= 0 && line_[at(tree_.depths[at(p)])] != p;
         p = tree_.parents[at(p)]) {
      line_[at(tree_.depths[at(p)])] = p;
    }
    return line_;
  }

 private:
  const elimination_tree& tree_;
  std::vector<std::int32_t> line_;
};

/// A bound of |length| over paths that lead along arcs of one direction.
double longest_path(const elimination_tree& tree, path_arc_lists& lists) {
  double most = 0;
  std::vector<double> to_root(at(tree.height));
  for (std::size_t p = 0; p < tree.num_vertices(); ++p) {
    double length = 0;
    for (const path_arc& arc : lists.of(static_cast<std::int32_t>(p))) {
      length = std::max(length, to_root[at(arc.depth)] + std::abs(arc.weight));
    }
    to_root[at(tree.depths[p])] = length;
    most = std::max(most, length);
  }
  return most;
}

}  // namespace

template <class C>
std::optional<path_hierarchy> count_paths_of_arcs(const hierarchy<C>& exact,
                                                  const adjacency_view<double>& arcs,
                                                  double tolerance, const monitor& watch) {
  const elimination_tree& tree = *exact.tree;
  host::stop_poll poll(&watch);
  path_hierarchy paths{exact.tree, tolerance, without_counts(exact.up_offsets, exact.up, poll),
                       without_counts(exact.down_offsets, exact.down, poll), 0};
  for_each_shortest_arc(paths, arcs, poll, [](path_arc& arc, std::size_t) { arc.count += 1; });
  std::vector<path_arc> up;
  std::vector<path_arc> down;
  const auto list_with_paths = [](std::span<const path_arc> all, std::vector<path_arc>& list) {
    list.clear();
    std::copy_if(all.begin(), all.end(), std::back_inserter(list),
                 [](const path_arc& arc) { return arc.count > 0; });
    return std::all_of(list.begin(), list.end(),
                       [](const path_arc& arc) { return arc.count <= most_paths; });
  };
  ancestor_line ancestors(tree);
  for (std::size_t p = tree.num_vertices(); p-- > 0;) {
    const auto place = static_cast<std::int32_t>(p);
    poll.after(paths.up.of(place).size() + paths.down.of(place).size());
    if (!list_with_paths(paths.up.of(place), up)) return std::nullopt;
    if (!list_with_paths(paths.down.of(place), down)) return std::nullopt;
    for_each_turn(paths, up, down, ancestors.of(place),
                  [](path_arc& whole, const path_arc& first, const path_arc& second) {
                    whole.count += first.count * second.count;
                  });
  }
  remove_without_paths(paths.up);
  remove_without_paths(paths.down);
  paths.longest = longest_path(tree, paths.up) + longest_path(tree, paths.down);
  // Any cycle has the length of one over the two of its vertices that are eliminated last.
  double shortest_cycle = std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < tree.num_vertices(); ++p) {
    const auto place = static_cast<std::int32_t>(p);
    for_each_common(paths.up.of(place), paths.down.of(place),
                    [&](const path_arc& a, const path_arc& b) {
                      shortest_cycle = std::min(shortest_cycle, a.weight + b.weight);
                    });
  }
  constexpr double num_roundings = 4;
  if (!(shortest_cycle > num_roundings * tolerance * paths.longest)) return std::nullopt;
  return paths;
}

template std::optional<path_hierarchy> count_paths_of_arcs(const hierarchy<std::int32_t>&,
                                                           const adjacency_view<double>&, double,
                                                           const monitor&);
template std::optional<path_hierarchy> count_paths_of_arcs(const hierarchy<double>&,
                                                           const adjacency_view<double>&, double,
                                                           const monitor&);

void hand_down_shares(path_hierarchy& paths, const adjacency_view<double>& arcs,
                      path_shares& shares, std::span<double> of_arcs, const monitor& watch) {
  const elimination_tree& tree = *paths.tree;
  host::stop_poll poll(&watch);
  const auto share_of = [&](const path_arc& arc) -> double& {
    const path_arc* const first_up = paths.up.arcs.data();
    const path_arc* const end_up = first_up + paths.up.arcs.size();
    const bool is_up = !std::less<>{}(&arc, first_up) && std::less<>{}(&arc, end_up);
    return is_up ? shares.of_up[static_cast<std::size_t>(&arc - first_up)]
                 : shares.of_down[static_cast<std::size_t>(&arc - paths.down.arcs.data())];
  };
  ancestor_line ancestors(tree);
  for (std::size_t p = 0; p < tree.num_vertices(); ++p) {
    const auto place = static_cast<std::int32_t>(p);
    poll.after(paths.up.of(place).size() + paths.down.of(place).size());
    for_each_turn(paths, paths.up.of(place), paths.down.of(place), ancestors.of(place),
                  [&](path_arc& whole, path_arc& first, path_arc& second) {
                    const double part =
                        share_of(whole) * (first.count * second.count / whole.count);
                    share_of(first) += part;
                    share_of(second) += part;
                    shares.of_places[p] += part;
                  });
  }
  if (of_arcs.empty()) return;
  for_each_shortest_arc(paths, arcs, poll, [&](const path_arc& arc, std::size_t a) {
    of_arcs[a] = share_of(arc) / arc.count;
  });
}

}  // namespace apsp::inline v1::detail
