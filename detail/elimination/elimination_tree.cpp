// SPDX-License-Identifier: BSL-1.0
#include "elimination_tree.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "../host/for_each_index.hpp"
#include "../host/parallel_for.hpp"
#include "../host/stop_check.hpp"

namespace apsp::inline v1::detail {

namespace {

using index = std::int32_t;

std::size_t at(index i) {
  return static_cast<std::size_t>(i);
}

/// The neighbors of each vertex that have smaller numbers, in a numbering in which they are read
/// one after the other.
/// @param vertices   by number.
/// @param number_of  by vertex.
neighbor_lists smaller_neighbors(const neighbor_lists& neighbors, std::span<const index> vertices,
                                 std::span<const index> number_of, host::stop_poll& poll) {
  neighbor_lists made;
  made.offsets.reserve(vertices.size() + 1);
  made.offsets.push_back(0);
  made.vertices.resize(neighbors.vertices.size() / 2);
  std::size_t size = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const std::span<const index> list = neighbors.of(at(vertices[i]));
    poll.after(list.size());
    for (const index v : list) {
      const index number = number_of[at(v)];
      if (number < static_cast<index>(i)) made.vertices[size++] = number;
    }
    made.offsets.push_back(static_cast<std::int64_t>(size));
  }
  return made;
}

/// The parents in the elimination tree, by step: the step at which a vertex is eliminated.
/// @param neighbors  of steps, with smaller numbers.
std::vector<index> find_parents(const neighbor_lists& neighbors, host::stop_poll& poll) {
  const std::size_t n = neighbors.num_vertices();
  std::vector<index> parents(n, -1);
  std::vector<index> ancestors(n, -1);  // Shortcuts towards the root.
  for (std::size_t j = 0; j < n; ++j) {
    poll.after(neighbors.of(j).size());
    for (index i : neighbors.of(j)) {
      while (i >= 0 && i < static_cast<index>(j)) {
        const index next = std::exchange(ancestors[at(i)], static_cast<index>(j));
        if (next < 0) parents[at(i)] = static_cast<index>(j);
        i = next;
      }
    }
  }
  return parents;
}

/// The places by step: parents come before their children, and subtrees are contiguous. The child
/// with the largest subtree comes directly after its parent, of the others the later steps first.
std::vector<index> find_places(std::span<const index> parents, host::stop_poll& poll) {
  struct subtree {
    index size = 1;
    index largest_child = -1;
    index next_place = 0;  ///< Of a child that is not the largest.
  };
  const std::size_t n = parents.size();
  std::vector<subtree> subtrees(n);
  std::vector<index> places(n);
  index next_root = 0;
  for (std::size_t i = 0; i < n; ++i) {
    poll.after(0);
    const index size = subtrees[i].size;
    if (parents[i] < 0) {
      places[i] = std::exchange(next_root, next_root + size);
      continue;
    }
    subtree& above = subtrees[at(parents[i])];
    above.size += size;
    if (above.largest_child < 0 || subtrees[at(above.largest_child)].size < size) {
      above.largest_child = static_cast<index>(i);
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    poll.after(0);
    if (parents[i] >= 0) {
      subtree& above = subtrees[at(parents[i])];
      places[i] = above.largest_child == static_cast<index>(i)
                      ? places[at(parents[i])] + 1
                      : std::exchange(above.next_place, above.next_place + subtrees[i].size);
    }
    subtree& own = subtrees[i];
    const index size = own.largest_child < 0 ? 0 : subtrees[at(own.largest_child)].size;
    own.next_place = places[i] + 1 + size;
  }
  return places;
}

/// The number of upper neighbors of each place. A vertex counts in those places whose subtree
/// has it as a leaf, less the places where two of these leaves meet.
/// @param neighbors  of places, with smaller numbers.
std::vector<index> count_upper(const neighbor_lists& neighbors, const elimination_tree& tree,
                               host::stop_poll& poll) {
  const std::size_t n = tree.num_vertices();
  // Descendants have higher places, so the last place of a subtree bounds it.
  std::vector<index> last_descendant(n);
  for (std::size_t p = n; p-- > 0;) {
    last_descendant[p] = std::max(last_descendant[p], static_cast<index>(p));
    if (tree.parents[p] >= 0) {
      index& last = last_descendant[at(tree.parents[p])];
      last = std::max(last, last_descendant[p]);
    }
  }
  std::vector<index> counts(n, 0);
  // By upper place: the neighbor passed last, and the last one that is a leaf.
  std::vector<index> last_neighbor(n, static_cast<index>(n));
  std::vector<index> previous_leaf(n, -1);
  std::vector<index> root_of(n);  // Disjoint sets of the places that have been passed.
  for (std::size_t p = 0; p < n; ++p) root_of[p] = static_cast<index>(p);
  const auto find_root = [&](index p) {
    index root = p;
    while (root_of[at(root)] != root) root = root_of[at(root)];
    while (p != root) p = std::exchange(root_of[at(p)], root);
    return root;
  };
  for (std::size_t p = n; p-- > 0;) {
    poll.after(neighbors.of(p).size());
    if (last_descendant[p] == static_cast<index>(p)) ++counts[p];
    if (tree.parents[p] >= 0) --counts[at(tree.parents[p])];
    for (const index above : neighbors.of(p)) {
      if (last_descendant[p] < last_neighbor[at(above)]) {
        ++counts[p];
        const index leaf = std::exchange(previous_leaf[at(above)], static_cast<index>(p));
        if (leaf >= 0) --counts[at(find_root(leaf))];
      }
      last_neighbor[at(above)] = static_cast<index>(p);
    }
    if (tree.parents[p] >= 0) root_of[p] = tree.parents[p];
  }
  for (std::size_t p = n; p-- > 0;) {
    if (tree.parents[p] >= 0) counts[at(tree.parents[p])] += counts[p];
  }
  for (index& count : counts) --count;  // A place counts itself.
  return counts;
}

/// Joins supernodes with their parents where one front takes less time than two, although entries
/// are added to it that no path uses. Source: Duff, Reid 1983.
void join_supernodes(std::span<const index> counts, elimination_tree& tree, host::stop_poll& poll) {
  std::vector<index>& first = tree.first;
  const auto end = static_cast<index>(tree.num_vertices());
  std::vector<index> kept;
  index last = end;  // The end of the supernode that begins at first[s], with those joined to it.
  for (std::size_t s = first.size(); s-- > 0;) {
    poll.after(0);
    const index parent = tree.parents[at(first[s])];
    if (s > 0 && parent >= first[s - 1] && parent < first[s]) {
      const double pivots = last - first[s];
      const double size = pivots + counts[at(first[s])];
      const double parent_pivots = first[s] - first[s - 1];
      const double parent_size = parent_pivots + counts[at(first[s - 1])];
      const double passed_on = size - pivots;
      if (front_time(parent_pivots + pivots, parent_size + pivots) <=
          front_time(pivots, size) + front_time(parent_pivots, parent_size) +
              passed_on * passed_on) {
        continue;
      }
    }
    kept.push_back(first[s]);
    last = first[s];
  }
  std::reverse(kept.begin(), kept.end());
  first = std::move(kept);
  // Within a supernode each place is the parent of the next.
  for (std::size_t s = 0; s < first.size(); ++s) {
    const index next = s + 1 < first.size() ? first[s + 1] : end;
    for (index p = first[s] + 1; p < next; ++p) tree.parents[at(p)] = p - 1;
  }
}

/// Finds all of the supernodes but their upper neighbors.
/// @param counts  the number of upper neighbors of each place.
void find_supernodes(std::span<const index> counts, elimination_tree& tree, host::stop_poll& poll) {
  const std::size_t n = tree.num_vertices();
  for (std::size_t p = 0; p < n; ++p) {
    poll.after(0);
    const bool continues =
        p > 0 && tree.parents[p] == static_cast<index>(p) - 1 && counts[p] == counts[p - 1] + 1;
    if (!continues) tree.first.push_back(static_cast<index>(p));
  }
  join_supernodes(counts, tree, poll);
  const std::size_t count = tree.first.size();
  tree.first.push_back(static_cast<index>(n));
  std::vector<index> supernode_of(n);
  for (std::size_t s = 0; s < count; ++s) {
    std::fill(supernode_of.begin() + tree.first[s], supernode_of.begin() + tree.first[s + 1],
              static_cast<index>(s));
  }
  tree.supernode_parents.resize(count);
  tree.upper_offsets.assign(count + 1, 0);
  for (std::size_t s = 0; s < count; ++s) {
    const index above = tree.parents[tree.first_place(s)];
    tree.supernode_parents[s] = above < 0 ? -1 : supernode_of[at(above)];
    tree.upper_offsets[s + 1] = tree.upper_offsets[s] + counts[tree.first_place(s)];
  }
  tree.upper.resize(static_cast<std::size_t>(tree.upper_offsets[count]));
}

/// Finds the upper neighbors of supernodes from those of their children.
/// @param neighbors  of places, with smaller numbers.
void find_upper(const neighbor_lists& neighbors, elimination_tree& tree, host::stop_poll& poll) {
  const std::size_t count = tree.num_supernodes();
  // Children come after their parents, so in this order they are complete first.
  std::vector<index> first_child(count, -1);
  std::vector<index> next_sibling(count, -1);
  std::vector<index> seen_in(tree.num_vertices(), -1);
  for (std::size_t s = count; s-- > 0;) {
    auto next = tree.upper.begin() + tree.upper_offsets[s];
    const auto begin = next;
    const auto add = [&](index place) {
      if (place >= tree.first[s] || seen_in[at(place)] == static_cast<index>(s)) return;
      seen_in[at(place)] = static_cast<index>(s);
      *next++ = place;
    };
    for (index p = tree.first[s]; p < tree.first[s + 1]; ++p) {
      poll.after(neighbors.of(at(p)).size());
      for (const index place : neighbors.of(at(p))) add(place);
    }
    for (index child = first_child[s]; child >= 0; child = next_sibling[at(child)]) {
      poll.after(tree.upper_of(at(child)).size());
      for (const index place : tree.upper_of(at(child))) add(place);
    }
    std::sort(begin, next);
    if (const index parent = tree.supernode_parents[s]; parent >= 0) {
      next_sibling[s] = std::exchange(first_child[at(parent)], static_cast<index>(s));
    }
  }
}

/// The step at which each vertex is eliminated.
std::vector<index> steps_of(std::span<const index> order, const host::workers& by) {
  std::vector<index> steps(order.size());
  host::for_each_index(order.size(), by,
                       [&](std::size_t j) { steps[at(order[j])] = static_cast<index>(j); });
  return steps;
}

/// The steps by place, and the places by step.
struct numbering {
  std::vector<index> steps;
  std::vector<index> places;
};

/// Numbers places, and makes a tree without supernodes.
/// @param order    by step.
/// @param parents  by step.
numbering place_vertices(std::span<const index> order, std::span<const index> parents,
                         const host::workers& by, elimination_tree& tree) {
  const std::size_t n = order.size();
  host::stop_poll poll(by.watch);
  numbering made{std::vector<index>(n), find_places(parents, poll)};
  tree.vertices.resize(n);
  tree.places.resize(n);
  tree.parents.resize(n);
  host::for_each_index(n, by, [&](std::size_t step) {
    const index p = made.places[step];
    made.steps[at(p)] = static_cast<index>(step);
    tree.vertices[at(p)] = order[step];
    tree.places[at(order[step])] = p;
  });
  host::for_each_index(n, by, [&](std::size_t p) {
    const index above = parents[at(made.steps[p])];
    tree.parents[p] = above < 0 ? -1 : made.places[at(above)];
  });
  return made;
}

void find_depths(elimination_tree& tree) {
  const std::size_t n = tree.num_vertices();
  tree.depths.resize(n);
  for (std::size_t p = 0; p < n; ++p) {
    tree.depths[p] = tree.parents[p] < 0 ? 0 : tree.depths[at(tree.parents[p])] + 1;
    tree.height = std::max(tree.height, tree.depths[p] + 1);
  }
}

/// What the groups of an order, whose runs begin at steps, tell of each step.
struct steps_of_groups {
  std::vector<index> parents;
  std::vector<index> counts;  ///< The number of upper neighbors.
  std::vector<index> groups;

  steps_of_groups(const grouped_order& order, const host::workers& by)
      : parents(order.vertices.size()),
        counts(order.vertices.size()),
        groups(order.vertices.size()) {
    host::for_each_index(order.num_groups(), by, [&](std::size_t g) {
      index next = -1;
      index count = 0;
      for (const vertex_run& run : order.later_of(g)) {
        if (next < 0 || run.first < next) next = run.first;
        count += run.count;
      }
      for (std::size_t j = order.end(g); j-- > order.begin(g);) {
        groups[j] = static_cast<index>(g);
        parents[j] = std::exchange(next, static_cast<index>(j));
        counts[j] = count++;
      }
    });
  }
};

/// Finds the upper neighbors of supernodes, which are those of their first places.
/// @param order   whose runs begin at steps.
/// @param groups  by step.
void find_upper(const grouped_order& order, std::span<const index> groups, const numbering& made,
                const host::workers& by, elimination_tree& tree) {
  constexpr std::size_t grain = 512;
  host::parallel_for_with_workspace(
      tree.num_supernodes(), by.threads, [&] { return host::stop_poll(by.watch); },
      [&](host::stop_poll& poll, std::size_t s) {
        const auto begin = tree.upper.begin() + tree.upper_offsets[s];
        auto next = begin;
        const auto add = [&](std::size_t step, std::size_t count) {
          next = std::copy_n(made.places.begin() + static_cast<std::ptrdiff_t>(step), count, next);
        };
        const std::size_t step = at(made.steps[tree.first_place(s)]);
        const std::size_t g = at(groups[step]);
        add(step + 1, order.end(g) - step - 1);
        for (const vertex_run& run : order.later_of(g)) add(at(run.first), at(run.count));
        poll.after(static_cast<std::size_t>(next - begin));
        std::sort(begin, next);
      },
      grain);
}

}  // namespace

std::vector<std::size_t> numbers_by_place(const elimination_tree& tree,
                                          std::span<const std::int32_t> vertices) {
  std::vector<std::size_t> numbers(vertices.size());
  const auto place_of = [&](std::size_t i) { return tree.places[at(vertices[i])]; };
  constexpr std::size_t vertices_per_comparison = 16;
  if (vertices.size() < tree.num_vertices() / vertices_per_comparison) {
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    std::sort(numbers.begin(), numbers.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(place_of(a), a) > std::pair(place_of(b), b);
    });
    return numbers;
  }
  // By counting: the end of the numbers of each place, from the last place on.
  std::vector<std::size_t> ends(tree.num_vertices());
  for (std::size_t i = 0; i < vertices.size(); ++i) ++ends[at(place_of(i))];
  for (std::size_t p = ends.size(), sum = 0; p-- > 0; ends[p] = sum) sum += ends[p];
  for (std::size_t i = 0; i < vertices.size(); ++i) numbers[--ends[at(place_of(i))]] = i;
  return numbers;
}

void find_ancestors(const elimination_tree& tree, std::span<const std::int32_t> places,
                    std::vector<std::int32_t>& found) {
  found.clear();
  for (std::size_t i = 0; i < places.size(); ++i) {
    // A subtree is a range of places, so ancestors before the next place are ancestors of it, too.
    const std::int32_t next = i + 1 < places.size() ? places[i + 1] : -1;
    for (std::int32_t p = places[i]; p > next; p = tree.parents[at(p)]) found.push_back(p);
  }
}

double front_time(double num_pivots, double size) {
  constexpr double start = 30;
  const double relaxations = num_pivots * size * size;
  const bool is_tiled = num_pivots >= 8 && relaxations >= 32 * 32 * 32;
  return start + (is_tiled ? relaxations / 8 : relaxations);
}

elimination_tree make_elimination_tree(const neighbor_lists& neighbors,
                                       std::span<const std::int32_t> order,
                                       const host::workers& by) {
  host::stop_poll poll(by.watch);
  const std::vector<index> parents =
      find_parents(smaller_neighbors(neighbors, order, steps_of(order, by), poll), poll);
  elimination_tree tree;
  place_vertices(order, parents, by, tree);
  const neighbor_lists of_places = smaller_neighbors(neighbors, tree.vertices, tree.places, poll);
  find_supernodes(count_upper(of_places, tree, poll), tree, poll);
  find_upper(of_places, tree, poll);
  find_depths(tree);
  return tree;
}

elimination_tree make_elimination_tree(grouped_order order, const host::workers& by) {
  host::stop_poll poll(by.watch);
  const std::vector<index> steps = steps_of(order.vertices, by);
  host::for_each_index(order.later.size(), by, [&](std::size_t i) {
    order.later[i].first = steps[at(order.later[i].first)];
  });
  const steps_of_groups known(order, by);
  elimination_tree tree;
  const numbering made = place_vertices(order.vertices, known.parents, by, tree);
  std::vector<index> counts(steps.size());
  host::for_each_index(counts.size(), by,
                       [&](std::size_t p) { counts[p] = known.counts[at(made.steps[p])]; });
  find_supernodes(counts, tree, poll);
  find_upper(order, known.groups, made, by, tree);
  find_depths(tree);
  return tree;
}

std::vector<std::int32_t> find_subtree_sizes(const elimination_tree& tree) {
  std::vector<std::int32_t> sizes(tree.num_vertices(), 1);
  for (std::size_t p = sizes.size(); p-- > 0;) {
    if (tree.parents[p] >= 0) sizes[static_cast<std::size_t>(tree.parents[p])] += sizes[p];
  }
  return sizes;
}

}  // namespace apsp::inline v1::detail
