// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "../host/monitor.hpp"
#include "../host/stop_check.hpp"
#include "elimination_tree.hpp"
#include "low_degrees.hpp"
#include "minimum_degree.hpp"
#include "neighbors.hpp"

namespace apsp::inline v1::detail {

/// The work of finding an order: the relaxations of eliminating the vertices, and the entries of
/// lists that are read.
struct order_work {
  double relaxations = 0;
  double entries = 0;
};

/// Vertices with more neighbors than this are eliminated last: they would make every step slow.
inline double largest_degree_in_order(std::size_t num_vertices) {
  return std::clamp(10 * std::sqrt(static_cast<double>(num_vertices)), 16.0, 1000.0);
}

/// The graph that remains while vertices are eliminated. A node is a variable (vertices that remain
/// and have the same neighbors, represented by one of them) or an element (an eliminated pivot,
/// which stands for arcs between all variables in its list). The list of a variable names the
/// elements that it belongs to, then the variables that it is adjacent to directly.
class quotient_graph {
  using index = std::int32_t;
  static constexpr index none = -1;

 public:
  /// @param reduced  to whose order the remaining vertices are added.
  /// @param stays    by their positions: not 0 if a vertex is not eliminated; empty if all are.
  quotient_graph(reduced_graph& reduced, std::span<const char> stays, const monitor* watch)
      : num_vertices_(reduced.remaining.size()),
        vertices_(reduced.remaining),
        stays_(stays),
        made_(reduced.order),
        lists_(reduced.neighbors.vertices),
        poll_(watch),
        nodes_(num_vertices_),
        next_member_(num_vertices_, none),
        last_member_(num_vertices_),
        mark_(num_vertices_, 0),
        first_of_degree_(num_vertices_ + 1, none) {
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      poll_.after(0);
      const auto length = static_cast<index>(reduced.neighbors.of(v).size());
      nodes_[v] = {reduced.neighbors.offsets[v], length, 0, 1, length, none, none};
      last_member_[v] = static_cast<index>(v);
    }
  }

  /// Eliminates all vertices, none of which stays. False if the order is beyond the limits.
  /// @throws host::stop_seen if a stop is requested.
  bool order(const order_limits& limits) {
    const auto most_neighbors = static_cast<index>(largest_degree_in_order(num_vertices_));
    std::vector<index> hubs;
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      if (nodes_[v].degree > most_neighbors) hubs.push_back(static_cast<index>(v));
    }
    remaining_ = static_cast<index>(num_vertices_ - hubs.size());
    for (const index v : hubs) of(v).weight = 0;
    if (!hubs.empty()) forget_groups();
    insert_all();
    num_hubs_ = static_cast<double>(hubs.size());
    work_.relaxations += num_hubs_ * num_hubs_ * num_hubs_;
    while (remaining_ > 0) {
      // The vertices around the pivot are now adjacent to each other.
      const double left = eliminate(take_least()) + num_hubs_;
      if (work_.relaxations + left * left * left / 3 > limits.relaxations) return false;
      if (work_.entries > limits.entries) {
        const double rest = remaining_ + num_hubs_;
        if (work_.relaxations + rest * rest * rest / 3 > limits.relaxations) return false;
        forget_groups();
        take_the_rest();
        break;
      }
    }
    std::stable_sort(hubs.begin(), hubs.end(),
                     [&](index a, index b) { return of(a).degree < of(b).degree; });
    for (const index v : hubs) take(v);
    return true;
  }

  /// Eliminates vertices as long as there are any of at most this degree that do not stay.
  /// @throws host::stop_seen if a stop is requested.
  void eliminate_up_to(index degree) {
    remaining_ = static_cast<index>(num_vertices_);
    insert_all();
    const auto end = static_cast<index>(std::min(num_vertices_, static_cast<std::size_t>(degree)));
    while (true) {
      while (least_ <= end && first_of_degree_[at(least_)] == none) ++least_;
      if (least_ > end) return;
      eliminate(take_least());
    }
  }

  /// What `eliminate_up_to` leaves becomes what remains of the reduced graph. The last call but for
  /// work().
  void leave(reduced_graph& reduced) {
    std::vector<index> remaining;
    std::vector<index> numbers(num_vertices_, none);
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      if (!nodes_[v].is_live()) continue;
      for_each_member(static_cast<index>(v), nodes_[v].weight, [&](index member) {
        numbers[at(member)] = static_cast<index>(remaining.size());
        remaining.push_back(vertices_[at(member)]);
      });
    }
    neighbor_lists neighbors;
    neighbors.offsets.reserve(remaining.size() + 1);
    neighbors.offsets.push_back(0);
    std::vector<index> list;
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      if (!nodes_[v].is_live()) continue;
      list.clear();
      for_each_adjacent(static_cast<index>(v), [&](index variable) {
        for_each_member(variable, of(variable).weight,
                        [&](index member) { list.push_back(numbers[at(member)]); });
      });
      poll_.after(list.size());
      for_each_member(static_cast<index>(v), nodes_[v].weight, [&](index member) {
        const index number = numbers[at(member)];
        for (const index other : list) {
          if (other != number) neighbors.vertices.push_back(other);
        }
        neighbors.offsets.push_back(static_cast<std::int64_t>(neighbors.vertices.size()));
      });
    }
    split_runs(numbers);
    reduced.remaining = std::move(remaining);
    reduced.neighbors = std::move(neighbors);
  }

  const order_work& work() const { return work_; }

 private:
  /// What a step reads of a node is in one cache line.
  struct alignas(32) node {
    std::int64_t begin;  ///< Of the list.
    index length;
    index num_elements;  ///< In the list of a variable; -1: the node is an element.
    index weight;        ///< The number of vertices of a node; 0 if it has been absorbed.
    index degree;        ///< The number of vertices of an element's list.
    index next;          ///< Of this degree. Of an element: the vertices outside another one.
    index previous;      ///< Of this degree. Of an element: that other one.

    bool is_live() const { return weight > 0 && num_elements >= 0; }
    index& outside() { return next; }
    index& outside_of() { return previous; }
  };

  static std::size_t at(index i) { return static_cast<std::size_t>(i); }
  node& of(index x) { return nodes_[at(x)]; }
  bool stays(index v) const { return !stays_.empty() && stays_[at(v)] != 0; }
  bool is_marked(index v) const { return mark_[at(v)] == this_mark_; }
  void mark(index v) { mark_[at(v)] = this_mark_; }
  void begin_marking() {
    if (this_mark_ == std::numeric_limits<index>::max()) {
      std::fill(mark_.begin(), mark_.end(), 0);
      this_mark_ = 0;
    }
    ++this_mark_;
  }

  // Lists of variables by degree, without those that stay.
  void insert_all() {
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      if (nodes_[v].weight > 0) insert(static_cast<index>(v));
    }
  }
  void insert(index v) {
    if (stays(v)) return;
    node& inserted = of(v);
    index& first = first_of_degree_[at(inserted.degree)];
    inserted.next = first;
    inserted.previous = none;
    if (first != none) of(first).previous = v;
    first = v;
    least_ = std::min(least_, inserted.degree);
  }
  void remove(index v) {
    if (stays(v)) return;
    const node& removed = of(v);
    if (removed.next != none) of(removed.next).previous = removed.previous;
    if (removed.previous != none) {
      of(removed.previous).next = removed.next;
    } else {
      first_of_degree_[at(removed.degree)] = removed.next;
    }
  }
  index take_least() {
    while (first_of_degree_[at(least_)] == none) ++least_;
    const index v = first_of_degree_[at(least_)];
    remove(v);
    return v;
  }

  // Adds the members of @p merged to those of @p into.
  void merge(index merged, index into) {
    of(into).weight += of(merged).weight;
    of(merged).weight = 0;
    next_member_[at(last_member_[at(into)])] = merged;
    last_member_[at(into)] = last_member_[at(merged)];
  }

  /// Returns the number of vertices around the pivot, which are now adjacent to each other.
  double eliminate(index pivot) {
    make_element(pivot);
    count_outside(pivot);
    update_variables(pivot);
    merge_equal_variables();
    finish_element(pivot);
    for (index v = pivot; v != none; v = next_member_[at(v)]) take(v);
    if (has_groups_) note_group(pivot);
    remaining_ -= of(pivot).weight;
    poll_.after(at(of(pivot).length));
    const double width = of(pivot).weight;
    const double front = width + of(pivot).degree + num_hubs_;
    work_.relaxations += width * front * front;
    return of(pivot).degree;
  }

  /// Calls f for the first @p count members of a variable, which are those that it had when it had
  /// so many.
  template <class F>
  void for_each_member(index v, index count, F f) const {
    for (; count > 0; --count, v = next_member_[at(v)]) f(v);
  }
  /// Calls f(variable) for @p v and the variables that it is adjacent to.
  template <class F>
  void for_each_adjacent(index v, F f) {
    begin_marking();
    const auto visit = [&](index u) {
      if (is_marked(u) || !of(u).is_live()) return;
      mark(u);
      f(u);
    };
    visit(v);
    const std::span<const index> list = list_of(of(v));
    const std::size_t num_elements = at(of(v).num_elements);
    for (const index e : list.first(num_elements)) {
      if (of(e).weight == 0) continue;
      for (const index u : list_of(of(e))) visit(u);
    }
    for (const index u : list.subspan(num_elements)) visit(u);
  }

  /// The members of a variable that remains may be eliminated at different times: runs of them
  /// become runs of one vertex.
  /// @param numbers  `none` for those that are eliminated.
  void split_runs(const std::vector<index>& numbers) {
    if (vertices_.empty()) return;
    std::vector<index> positions(at(*std::max_element(vertices_.begin(), vertices_.end())) + 1);
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      positions[at(vertices_[v])] = static_cast<index>(v);
    }
    std::vector<vertex_run> later;
    later.reserve(made_.later.size());
    std::size_t i = 0;
    for (std::int64_t& end : made_.later_ends) {
      for (; i < static_cast<std::size_t>(end); ++i) {
        const vertex_run run = made_.later[i];
        const index first = run.count == 1 ? none : positions[at(run.first)];
        if (run.count == 1 || numbers[at(first)] == none) {
          later.push_back(run);
          continue;
        }
        for_each_member(first, run.count, [&](index member) {
          later.push_back({vertices_[at(member)], 1});
        });
      }
      end = static_cast<std::int64_t>(later.size());
    }
    made_.later = std::move(later);
  }

  void take(index v) { made_.vertices.push_back(vertices_[at(v)]); }
  void note_group(index pivot) {
    made_.group_ends.push_back(static_cast<index>(made_.vertices.size()));
    // The members of a variable stay one after the other, and others come after them.
    for (const index v : list_of(of(pivot))) {
      made_.later.push_back({vertices_[at(v)], of(v).weight});
    }
    made_.later_ends.push_back(static_cast<std::int64_t>(made_.later.size()));
  }
  void forget_groups() {
    has_groups_ = false;
    made_.group_ends.clear();
    made_.later_ends.clear();
    made_.later.clear();
  }

  // Takes the variables that remain in the order of their degrees, as if they were all adjacent to
  // each other.
  void take_the_rest() {
    std::vector<index> rest;
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      if (nodes_[v].is_live()) rest.push_back(static_cast<index>(v));
    }
    std::stable_sort(rest.begin(), rest.end(),
                     [&](index a, index b) { return of(a).degree < of(b).degree; });
    for (const index first : rest) {
      for (index v = first; v != none; v = next_member_[at(v)]) take(v);
    }
  }

  // The list of the new element is the union of the lists of the pivot's elements, which it
  // absorbs, and of the variables adjacent to the pivot.
  void make_element(index pivot) {
    begin_marking();
    mark(pivot);
    const auto begin = static_cast<std::int64_t>(lists_.size());
    index size = 0;
    const auto add = [&](index v) {
      if (is_marked(v)) return;
      const node& added = of(v);
      if (!added.is_live()) return;
      mark(v);
      size += added.weight;
      lists_.push_back(v);
      remove(v);
    };
    node& made = of(pivot);
    const auto list = static_cast<std::size_t>(made.begin);
    for (std::size_t k = 0; k < at(made.length); ++k) {
      const index x = lists_[list + k];
      if (k >= at(made.num_elements)) {
        add(x);
      } else if (node& absorbed = of(x); absorbed.weight > 0) {
        const auto members = static_cast<std::size_t>(absorbed.begin);
        for (std::size_t i = 0; i < at(absorbed.length); ++i) add(lists_[members + i]);
        absorbed.weight = 0;
      }
    }
    made.begin = begin;
    made.length = static_cast<index>(lists_.size() - static_cast<std::size_t>(begin));
    made.num_elements = -1;
    made.degree = size;
    made.outside_of() = none;
  }

  std::span<index> list_of(const node& x) { return {lists_.data() + x.begin, at(x.length)}; }

  // For all elements that share variables with the new one: the number of vertices that they do not
  // share.
  void count_outside(index pivot) {
    for (const index v : list_of(of(pivot))) {
      const node& variable = of(v);
      for (const index e : list_of(variable).first(at(variable.num_elements))) {
        node& element = of(e);
        if (element.weight == 0) continue;
        if (element.outside_of() != pivot) {
          element.outside_of() = pivot;
          element.outside() = element.degree;
        }
        element.outside() -= variable.weight;
      }
    }
  }

  // Replaces, in the lists of the variables of the new element, all that it covers by the element,
  // and bounds their degrees outside the element.
  void update_variables(index pivot) {
    hashes_.clear();
    for (const index v : list_of(of(pivot))) {
      node& variable = of(v);
      const std::span<index> list = list_of(variable);
      work_.entries += static_cast<double>(list.size());
      index outside = 0;
      std::uint32_t hash = 0;
      std::size_t kept = 0;
      std::size_t k = 0;
      for (; k < at(variable.num_elements); ++k) {
        const index e = list[k];
        node& element = of(e);
        if (element.weight == 0) continue;
        if (element.outside() == 0) {
          element.weight = 0;  // The new element covers this one.
          continue;
        }
        outside += element.outside();
        hash += static_cast<std::uint32_t>(e);
        list[kept++] = e;
      }
      const std::size_t num_elements = kept;
      for (; k < list.size(); ++k) {
        const index u = list[k];
        if (is_marked(u) || !of(u).is_live()) continue;
        outside += of(u).weight;
        hash += static_cast<std::uint32_t>(u);
        list[kept++] = u;
      }
      if (kept == 0 && !stays(v)) {
        // No neighbor outside the element: it can be eliminated together with the pivot.
        of(pivot).degree -= variable.weight;
        merge(v, pivot);
        continue;
      }
      // At least one entry has been dropped, so there is room for the new element.
      list[kept] = list[num_elements];
      list[num_elements] = pivot;
      variable.num_elements = static_cast<index>(num_elements + 1);
      variable.length = static_cast<index>(kept + 1);
      variable.degree = std::min(variable.degree, outside);
      // What stays has other neighbors, of which nothing is known here.
      if (!stays(v)) hashes_.emplace_back(hash, v);
    }
  }

  // Variables of the new element that have the same neighbors stay so: they become one.
  void merge_equal_variables() {
    std::sort(hashes_.begin(), hashes_.end());
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      const auto [hash, v] = hashes_[i];
      if (i + 1 == hashes_.size() || hashes_[i + 1].first != hash || of(v).weight == 0) continue;
      bool is_list_marked = false;
      for (std::size_t j = i + 1; j < hashes_.size() && hashes_[j].first == hash; ++j) {
        const index other = hashes_[j].second;
        if (of(other).weight == 0 || of(other).length != of(v).length ||
            of(other).num_elements != of(v).num_elements) {
          continue;
        }
        if (!is_list_marked) {
          begin_marking();
          for (const index x : list_of(of(v))) mark(x);
          is_list_marked = true;
        }
        const auto list = list_of(of(other));
        if (std::all_of(list.begin(), list.end(), [&](index x) { return is_marked(x); })) {
          merge(other, v);
        }
      }
    }
  }

  // Removes merged variables from the list of the new element, and gives the others their degrees.
  void finish_element(index pivot) {
    node& made = of(pivot);
    const std::span<index> list = list_of(made);
    const index size = made.degree;
    const index left = remaining_ - made.weight;
    std::size_t kept = 0;
    for (const index v : list) {
      node& variable = of(v);
      if (variable.weight == 0) continue;
      list[kept++] = v;
      variable.degree = std::min(variable.degree + size - variable.weight, left - variable.weight);
      insert(v);
    }
    made.length = static_cast<index>(kept);
    lists_.resize(static_cast<std::size_t>(made.begin) + kept);
  }

  std::size_t num_vertices_;
  std::span<const index> vertices_;
  std::span<const char> stays_;
  grouped_order& made_;
  bool has_groups_ = true;
  std::vector<index> lists_;
  host::stop_poll poll_;
  std::vector<node> nodes_;
  std::vector<index> next_member_;
  std::vector<index> last_member_;
  std::vector<index> mark_;
  index this_mark_ = 0;
  std::vector<index> first_of_degree_;
  index least_ = 0;
  index remaining_ = 0;
  double num_hubs_ = 0;
  order_work work_;
  std::vector<std::pair<std::uint32_t, index>> hashes_;
};

}  // namespace apsp::inline v1::detail
