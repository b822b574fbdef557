// SPDX-License-Identifier: BSL-1.0
#include "minimum_degree.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "../host/stop_check.hpp"
#include "low_degrees.hpp"

namespace apsp::detail {

namespace {

using index = std::int32_t;
constexpr index none = -1;

std::size_t at(index i) {
  return static_cast<std::size_t>(i);
}

/// The graph that remains while vertices are eliminated. A node is a variable (vertices that remain
/// and have the same neighbors, represented by one of them) or an element (an eliminated pivot,
/// which stands for arcs between all variables in its list). The list of a variable names the
/// elements that it belongs to, then the variables that it is adjacent to directly.
class quotient_graph {
 public:
  quotient_graph(const neighbor_lists& neighbors, const monitor* watch)
      : num_vertices_(neighbors.num_vertices()),
        lists_(neighbors.vertices),
        begin_(neighbors.offsets.begin(), neighbors.offsets.end() - 1),
        length_(num_vertices_),
        num_elements_(num_vertices_, 0),
        weight_(num_vertices_, 1),
        degree_(num_vertices_),
        next_member_(num_vertices_, none),
        last_member_(num_vertices_),
        is_element_(num_vertices_, 0),
        outside_(num_vertices_, 0),
        outside_of_(num_vertices_, none),
        mark_(num_vertices_, 0),
        first_of_degree_(num_vertices_ + 1, none),
        next_of_degree_(num_vertices_, none),
        previous_of_degree_(num_vertices_, none) {
    host::stop_poll poll(watch);
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      poll.after(0);
      length_[v] = static_cast<index>(neighbors.of(v).size());
      degree_[v] = length_[v];
      last_member_[v] = static_cast<index>(v);
    }
  }

  std::optional<std::vector<index>> order(const order_limits& limits) {
    order_.reserve(num_vertices_);
    // Vertices that are adjacent to very many others come last: they would make every step slow.
    const auto most_neighbors = static_cast<index>(
        std::clamp(10 * std::sqrt(static_cast<double>(num_vertices_)), 16.0, 1000.0));
    std::vector<index> hubs;
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      if (degree_[v] > most_neighbors) hubs.push_back(static_cast<index>(v));
    }
    remaining_ = static_cast<index>(num_vertices_ - hubs.size());
    for (const index v : hubs) weight_[at(v)] = 0;
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      if (weight_[v] > 0) insert(static_cast<index>(v));
    }
    const auto num_hubs = static_cast<double>(hubs.size());
    double relaxations = num_hubs * num_hubs * num_hubs;
    std::size_t num_pivots = 0;
    while (remaining_ > 0) {
      const index pivot = take_least();
      eliminate(pivot);
      const double width = weight_[at(pivot)];
      const double front = width + degree_[at(pivot)] + num_hubs;
      relaxations += width * front * front;
      // The vertices around the pivot are now adjacent to each other.
      const double left = front - width;
      if (relaxations + left * left * left / 3 > limits.relaxations) return std::nullopt;
      if (entries_read_ > limits.entries) {
        const double rest = remaining_ + num_hubs;
        if (relaxations + rest * rest * rest / 3 > limits.relaxations) return std::nullopt;
        take_the_rest();
        break;
      }
      constexpr std::size_t pivots_between_polls = 256;
      if (limits.watch != nullptr && ++num_pivots % pivots_between_polls == 0 &&
          limits.watch->stop_requested()) {
        return std::nullopt;
      }
    }
    std::stable_sort(hubs.begin(), hubs.end(),
                     [&](index a, index b) { return degree_[at(a)] < degree_[at(b)]; });
    order_.insert(order_.end(), hubs.begin(), hubs.end());
    return std::move(order_);
  }

 private:
  bool is_live(index v) const { return weight_[at(v)] > 0 && !is_element_[at(v)]; }
  bool is_marked(index v) const { return mark_[at(v)] == this_mark_; }
  void mark(index v) { mark_[at(v)] = this_mark_; }

  // Lists of variables by degree.
  void insert(index v) {
    index& first = first_of_degree_[at(degree_[at(v)])];
    next_of_degree_[at(v)] = first;
    previous_of_degree_[at(v)] = none;
    if (first != none) previous_of_degree_[at(first)] = v;
    first = v;
    least_ = std::min(least_, degree_[at(v)]);
  }
  void remove(index v) {
    const index next = next_of_degree_[at(v)];
    const index previous = previous_of_degree_[at(v)];
    if (next != none) previous_of_degree_[at(next)] = previous;
    if (previous != none) {
      next_of_degree_[at(previous)] = next;
    } else {
      first_of_degree_[at(degree_[at(v)])] = next;
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
    weight_[at(into)] += weight_[at(merged)];
    weight_[at(merged)] = 0;
    next_member_[at(last_member_[at(into)])] = merged;
    last_member_[at(into)] = last_member_[at(merged)];
  }

  void eliminate(index pivot) {
    make_element(pivot);
    count_outside(pivot);
    update_variables(pivot);
    merge_equal_variables();
    finish_element(pivot);
    for (index v = pivot; v != none; v = next_member_[at(v)]) order_.push_back(v);
    remaining_ -= weight_[at(pivot)];
  }

  // Takes the variables that remain in the order of their degrees, as if they were all adjacent to
  // each other.
  void take_the_rest() {
    std::vector<index> rest;
    for (std::size_t v = 0; v < num_vertices_; ++v) {
      if (is_live(static_cast<index>(v))) rest.push_back(static_cast<index>(v));
    }
    std::stable_sort(rest.begin(), rest.end(),
                     [&](index a, index b) { return degree_[at(a)] < degree_[at(b)]; });
    for (const index first : rest) {
      for (index v = first; v != none; v = next_member_[at(v)]) order_.push_back(v);
    }
  }

  // The list of the new element is the union of the lists of the pivot's elements, which it
  // absorbs, and of the variables adjacent to the pivot.
  void make_element(index pivot) {
    ++this_mark_;
    mark(pivot);
    const auto begin = static_cast<std::int64_t>(lists_.size());
    index size = 0;
    const auto add = [&](index v) {
      if (!is_live(v) || is_marked(v)) return;
      mark(v);
      size += weight_[at(v)];
      lists_.push_back(v);
      remove(v);
    };
    const auto list = static_cast<std::size_t>(begin_[at(pivot)]);
    for (std::size_t k = 0; k < at(length_[at(pivot)]); ++k) {
      const index x = lists_[list + k];
      if (k >= at(num_elements_[at(pivot)])) {
        add(x);
      } else if (weight_[at(x)] > 0) {
        const auto members = static_cast<std::size_t>(begin_[at(x)]);
        for (std::size_t i = 0; i < at(length_[at(x)]); ++i) add(lists_[members + i]);
        weight_[at(x)] = 0;
      }
    }
    is_element_[at(pivot)] = 1;
    begin_[at(pivot)] = begin;
    length_[at(pivot)] = static_cast<index>(lists_.size() - static_cast<std::size_t>(begin));
    num_elements_[at(pivot)] = 0;
    degree_[at(pivot)] = size;
  }

  std::span<index> list_of(index x) { return {lists_.data() + begin_[at(x)], at(length_[at(x)])}; }

  // For all elements that share variables with the new one: the number of vertices that they do not
  // share.
  void count_outside(index pivot) {
    for (const index v : list_of(pivot)) {
      for (const index e : list_of(v).first(at(num_elements_[at(v)]))) {
        if (weight_[at(e)] == 0) continue;
        if (outside_of_[at(e)] != pivot) {
          outside_of_[at(e)] = pivot;
          outside_[at(e)] = degree_[at(e)];
        }
        outside_[at(e)] -= weight_[at(v)];
      }
    }
  }

  // Replaces, in the lists of the variables of the new element, all that it covers by the element,
  // and bounds their degrees outside the element.
  void update_variables(index pivot) {
    hashes_.clear();
    for (const index v : list_of(pivot)) {
      const std::span<index> list = list_of(v);
      entries_read_ += static_cast<double>(list.size());
      index outside = 0;
      std::uint32_t hash = 0;
      std::size_t kept = 0;
      std::size_t k = 0;
      for (; k < at(num_elements_[at(v)]); ++k) {
        const index e = list[k];
        if (weight_[at(e)] == 0) continue;
        if (outside_[at(e)] == 0) {
          weight_[at(e)] = 0;  // The new element covers this one.
          continue;
        }
        outside += outside_[at(e)];
        hash += static_cast<std::uint32_t>(e);
        list[kept++] = e;
      }
      const std::size_t num_elements = kept;
      for (; k < list.size(); ++k) {
        const index u = list[k];
        if (!is_live(u) || is_marked(u)) continue;
        outside += weight_[at(u)];
        hash += static_cast<std::uint32_t>(u);
        list[kept++] = u;
      }
      if (kept == 0) {
        // No neighbor outside the element: it can be eliminated together with the pivot.
        degree_[at(pivot)] -= weight_[at(v)];
        merge(v, pivot);
        continue;
      }
      // At least one entry has been dropped, so there is room for the new element.
      list[kept] = list[num_elements];
      list[num_elements] = pivot;
      num_elements_[at(v)] = static_cast<index>(num_elements + 1);
      length_[at(v)] = static_cast<index>(kept + 1);
      degree_[at(v)] = std::min(degree_[at(v)], outside);
      hashes_.emplace_back(hash, v);
    }
  }

  // Variables of the new element that have the same neighbors stay so: they become one.
  void merge_equal_variables() {
    std::sort(hashes_.begin(), hashes_.end());
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      const auto [hash, v] = hashes_[i];
      if (weight_[at(v)] == 0) continue;
      bool is_list_marked = false;
      for (std::size_t j = i + 1; j < hashes_.size() && hashes_[j].first == hash; ++j) {
        const index other = hashes_[j].second;
        if (weight_[at(other)] == 0 || length_[at(other)] != length_[at(v)] ||
            num_elements_[at(other)] != num_elements_[at(v)]) {
          continue;
        }
        if (!is_list_marked) {
          ++this_mark_;
          for (const index x : list_of(v)) mark(x);
          is_list_marked = true;
        }
        const auto list = list_of(other);
        if (std::all_of(list.begin(), list.end(), [&](index x) { return is_marked(x); })) {
          merge(other, v);
        }
      }
    }
  }

  // Removes merged variables from the list of the new element, and gives the others their degrees.
  void finish_element(index pivot) {
    const std::span<index> list = list_of(pivot);
    const index size = degree_[at(pivot)];
    const index left = remaining_ - weight_[at(pivot)];
    std::size_t kept = 0;
    for (const index v : list) {
      if (weight_[at(v)] == 0) continue;
      list[kept++] = v;
      degree_[at(v)] = std::min(degree_[at(v)] + size - weight_[at(v)], left - weight_[at(v)]);
      insert(v);
    }
    length_[at(pivot)] = static_cast<index>(kept);
    lists_.resize(static_cast<std::size_t>(begin_[at(pivot)]) + kept);
  }

  std::size_t num_vertices_;
  std::vector<index> lists_;
  std::vector<std::int64_t> begin_;
  std::vector<index> length_;
  std::vector<index> num_elements_;
  std::vector<index> weight_;  ///< The number of vertices of a node; 0 if it has been absorbed.
  std::vector<index> degree_;  ///< The number of vertices of an element's list.
  std::vector<index> next_member_;
  std::vector<index> last_member_;
  std::vector<char> is_element_;
  std::vector<index> outside_;
  std::vector<index> outside_of_;
  std::vector<std::int64_t> mark_;
  std::int64_t this_mark_ = 0;
  std::vector<index> first_of_degree_;
  std::vector<index> next_of_degree_;
  std::vector<index> previous_of_degree_;
  index least_ = 0;
  index remaining_ = 0;
  double entries_read_ = 0;
  std::vector<std::pair<std::uint32_t, index>> hashes_;
  std::vector<index> order_;
};

shared_tree make_tree(const neighbor_lists& neighbors, std::span<const index> order,
                      const monitor* watch) {
  return std::make_shared<const elimination_tree>(make_elimination_tree(neighbors, order, watch));
}

/// Calls make(); returns null if a stop is requested.
template <class Make>
shared_tree tree_or_null(Make make) {
  try {
    return make();
  } catch (const host::stop_seen&) {
    return nullptr;
  }
}

}  // namespace

std::optional<std::vector<std::int32_t>> minimum_degree_order(const neighbor_lists& neighbors,
                                                              const order_limits& limits) {
  try {
    reduced_graph reduced = eliminate_low_degrees(neighbors, limits.watch);
    constexpr double relaxations_each = 9;
    order_limits left = limits;
    left.relaxations -= relaxations_each * static_cast<double>(reduced.eliminated.size());
    const auto rest = quotient_graph(reduced.neighbors, limits.watch).order(left);
    if (!rest) return std::nullopt;
    std::vector<index> order = std::move(reduced.eliminated);
    order.reserve(neighbors.num_vertices());
    for (const index v : *rest) order.push_back(reduced.remaining[at(v)]);
    return order;
  } catch (const host::stop_seen&) {
    return std::nullopt;
  }
}

shared_tree minimum_degree_tree(std::span<const std::int64_t> offsets,
                                std::span<const std::int32_t> targets, const monitor* watch) {
  return tree_or_null([&] {
    const neighbor_lists neighbors = find_neighbors(offsets, targets, watch);
    const auto order = minimum_degree_order(neighbors, {.watch = watch});
    return order ? make_tree(neighbors, *order, watch) : nullptr;
  });
}

shared_tree tree_of_order(std::span<const std::int64_t> offsets,
                          std::span<const std::int32_t> targets,
                          std::span<const std::int32_t> order, const monitor* watch) {
  return tree_or_null(
      [&] { return make_tree(find_neighbors(offsets, targets, watch), order, watch); });
}

}  // namespace apsp::detail
