// SPDX-License-Identifier: BSL-1.0
#include "low_degrees.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "../host/stop_check.hpp"

namespace apsp::inline v1::detail {

namespace {

using index = std::int32_t;

std::size_t at(index i) {
  return static_cast<std::size_t>(i);
}

/// A graph whose vertices of low degree are eliminated. The list of a vertex keeps those that have
/// been eliminated until it is cleaned.
class shrinking_graph {
 public:
  shrinking_graph(const neighbor_lists& neighbors, std::span<const char> stays,
                  const monitor* watch)
      : num_vertices_(neighbors.num_vertices()),
        stays_(stays),
        lists_(neighbors.vertices),
        begin_(neighbors.offsets),
        length_(num_vertices_),
        degree_(num_vertices_),
        is_eliminated_(num_vertices_, 0),
        changed_in_(num_vertices_, 0),
        poll_(watch) {
    // About as many arcs are left when their ends are eliminated.
    made_.order.later.reserve(neighbors.vertices.size());
    made_.order.vertices.reserve(num_vertices_);
    made_.order.group_ends.reserve(num_vertices_);
    made_.order.later_ends.reserve(num_vertices_);
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      length_[v] = degree_[v] = static_cast<index>(neighbors.of(v).size());
    }
  }

  reduced_graph reduce() {
    for (std::size_t v = 0; v < num_vertices_; ++v) note_degree(static_cast<index>(v));
    remove_leaves();
    while (!of_degree_two_.empty()) {
      ++round_;
      for (const index v : std::exchange(of_degree_two_, {})) {
        poll_.after(0);
        if (is_eliminated_[at(v)] || degree_[at(v)] != 2) continue;
        if (changed_in_[at(v)] == round_) {
          of_degree_two_.push_back(v);
        } else {
          bypass(v);
        }
      }
      remove_leaves();
    }
    return what_remains();
  }

 private:
  std::span<index> list_of(index v) { return {lists_.data() + begin_[at(v)], at(length_[at(v)])}; }
  /// The neighbors that have not been eliminated.
  std::span<index> clean_list_of(index v) {
    const std::span<index> list = list_of(v);
    const auto end = std::remove_if(list.begin(), list.end(),
                                    [&](index u) { return is_eliminated_[at(u)] != 0; });
    length_[at(v)] = static_cast<index>(end - list.begin());
    return list_of(v);
  }

  /// To be called when a vertex has got its degree.
  void note_degree(index v) {
    if (!stays_.empty() && stays_[at(v)] != 0) return;
    if (degree_[at(v)] <= 1) {
      leaves_.push_back(v);
    } else if (degree_[at(v)] == 2) {
      of_degree_two_.push_back(v);
    }
  }

  /// @param neighbors  those that remain.
  void eliminate(index v, std::span<const index> neighbors) {
    is_eliminated_[at(v)] = 1;
    grouped_order& order = made_.order;
    order.vertices.push_back(v);
    order.group_ends.push_back(static_cast<index>(order.vertices.size()));
    for (const index u : neighbors) order.later.push_back({u, 1});
    order.later_ends.push_back(static_cast<std::int64_t>(order.later.size()));
  }

  void remove_leaves() {
    // The list grows during the loop.
    for (std::size_t i = 0; i < leaves_.size(); ++i) {  // NOLINT(modernize-loop-convert)
      const index v = leaves_[i];
      poll_.after(0);
      if (is_eliminated_[at(v)]) continue;
      const std::span<const index> list = clean_list_of(v);
      eliminate(v, list);
      if (list.empty()) continue;
      const index u = list.front();
      --degree_[at(u)];
      note_degree(u);
    }
    leaves_.clear();
  }

  /// True if the list of @p v is short, once it is clean.
  bool is_short(index v) {
    constexpr index longest = 64;
    if (length_[at(v)] <= longest) return true;
    return degree_[at(v)] <= longest && clean_list_of(v).size() <= at(longest);
  }

  /// Eliminates a vertex with two neighbors, which become adjacent.
  void bypass(index v) {
    const std::span<index> ends = clean_list_of(v);
    const index a = ends[0];
    const index b = ends[1];
    if (!is_short(a) || !is_short(b)) return;
    eliminate(v, ends);
    connect(a, b);
    connect(b, a);
  }

  /// Replaces an eliminated neighbor of @p v by @p other.
  void connect(index v, index other) {
    changed_in_[at(v)] = round_;
    const std::span<index> list = clean_list_of(v);
    if (std::find(list.begin(), list.end(), other) != list.end()) {
      --degree_[at(v)];
      note_degree(v);
      return;
    }
    lists_[static_cast<std::size_t>(begin_[at(v)]) + list.size()] = other;
    ++length_[at(v)];
  }

  reduced_graph what_remains() {
    std::vector<index> number_of(num_vertices_, -1);
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      if (is_eliminated_[v]) continue;
      number_of[v] = static_cast<index>(made_.remaining.size());
      made_.remaining.push_back(static_cast<index>(v));
    }
    made_.neighbors.offsets.push_back(0);
    for (const index v : made_.remaining) {
      poll_.after(at(length_[at(v)]));
      for (const index u : clean_list_of(v)) {
        made_.neighbors.vertices.push_back(number_of[at(u)]);
      }
      made_.neighbors.offsets.push_back(static_cast<std::int64_t>(made_.neighbors.vertices.size()));
    }
    return std::move(made_);
  }

  std::size_t num_vertices_;
  std::span<const char> stays_;
  std::vector<index> lists_;
  std::span<const std::int64_t> begin_;
  std::vector<index> length_;
  std::vector<index> degree_;
  std::vector<char> is_eliminated_;
  std::vector<index> changed_in_;  ///< The round in which a list was changed last.
  index round_ = 0;
  std::vector<index> leaves_;  ///< Or vertices without neighbors.
  std::vector<index> of_degree_two_;
  reduced_graph made_;
  host::stop_poll poll_;
};

}  // namespace

reduced_graph eliminate_low_degrees(const neighbor_lists& neighbors, std::span<const char> stays,
                                    const monitor* watch) {
  return shrinking_graph(neighbors, stays, watch).reduce();
}

}  // namespace apsp::inline v1::detail
