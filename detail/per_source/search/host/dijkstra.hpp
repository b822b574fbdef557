// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../host/monitor.hpp"
#include "../../../host/stop_check.hpp"
#include "../../../values/distance_code.hpp"
#include "../../problem/paths.hpp"
#include "../../problem/problem.hpp"
#include "relax.hpp"
#include "target_set.hpp"

namespace apsp::inline v1::detail::host {

/// A vertex and its distance, which is at least 0; ordered by distance.
template <class C>
class distance_key {
 public:
  distance_key() = default;
  distance_key(const C& distance, std::size_t vertex)
      : distance_(distance), vertex_(static_cast<std::uint32_t>(vertex)) {}

  C distance() const { return distance_; }
  std::size_t vertex() const { return vertex_; }
  friend bool operator<(const distance_key& a, const distance_key& b) {
    return a.distance_ < b.distance_;
  }

 private:
  C distance_{};
  std::uint32_t vertex_ = 0;
};

/// The same in one word: the bits of non-negative numbers have the order of the numbers.
template <class C>
  requires(std::is_arithmetic_v<C> && sizeof(C) == sizeof(std::uint32_t))
class distance_key<C> {
 public:
  distance_key() = default;
  distance_key(C distance, std::size_t vertex)
      : bits_(std::uint64_t{std::bit_cast<std::uint32_t>(distance)} << 32 | vertex) {}

  C distance() const { return std::bit_cast<C>(static_cast<std::uint32_t>(bits_ >> 32)); }
  std::size_t vertex() const { return static_cast<std::uint32_t>(bits_); }
  friend bool operator<(const distance_key& a, const distance_key& b) { return a.bits_ < b.bits_; }

 private:
  std::uint64_t bits_ = 0;
};

/// A 4-ary heap of vertices by distance: half as deep as a binary heap, and the children of an
/// entry are in one cache line. Source: Johnson 1975.
/// @tparam Before  `before(a, b)`: key a is to be popped before key b.
template <class C, class Before>
class vertex_heap {
 public:
  vertex_heap(std::size_t num_vertices, const Before& before)
      : before_(before), position_(num_vertices, absent) {
    keys_.reserve(num_vertices);
  }

  bool empty() const { return keys_.empty(); }
  void clear() {
    for (const key& k : keys_) position_[k.vertex()] = absent;
    keys_.clear();
  }

  /// Inserts @p vertex, or moves it up to @p distance, which precedes its current key.
  void push_or_decrease(std::size_t vertex, const C& distance) {
    const key pushed(distance, vertex);
    std::size_t hole = position_[vertex];
    if (hole == absent) {
      hole = keys_.size();
      keys_.push_back(pushed);
    }
    while (hole != 0) {
      const std::size_t above = (hole - 1) / children;
      if (!before_(pushed, keys_[above])) break;
      place(hole, keys_[above]);
      hole = above;
    }
    place(hole, pushed);
  }

  /// Calls f(vertex) for every vertex in the heap.
  template <class F>
  void for_each_vertex(F f) const {
    for (const key& k : keys_) f(k.vertex());
  }

  std::pair<std::size_t, C> pop() {
    const key top = keys_.front();
    position_[top.vertex()] = absent;
    const key last = keys_.back();
    keys_.pop_back();
    if (!keys_.empty()) sift_down(last);
    return {top.vertex(), top.distance()};
  }

 private:
  using key = distance_key<C>;
  static constexpr std::size_t children = 4;
  static constexpr std::uint32_t absent = 0xffffffff;

  void place(std::size_t hole, const key& k) {
    keys_[hole] = k;
    position_[k.vertex()] = static_cast<std::uint32_t>(hole);
  }

  void sift_down(const key& moved) {
    std::size_t hole = 0;
    for (;;) {
      const std::size_t first = hole * children + 1;
      if (first >= keys_.size()) break;
      const std::size_t best = smallest_child(first);
      if (!before_(keys_[best], moved)) break;
      place(hole, keys_[best]);
      hole = best;
    }
    place(hole, moved);
  }

  // The smallest child is unpredictable, so all four are compared without branches.
  std::size_t smallest_child(std::size_t first) const {
    const key* const keys = keys_.data();
    if (first + children <= keys_.size()) {
      const std::size_t left = first + (before_(keys[first + 1], keys[first]) ? 1 : 0);
      const std::size_t right = first + 2 + (before_(keys[first + 3], keys[first + 2]) ? 1 : 0);
      return left + (right - left) * (before_(keys[right], keys[left]) ? 1 : 0);
    }
    std::size_t best = first;
    for (std::size_t child = first + 1; child < keys_.size(); ++child) {
      if (before_(keys[child], keys[best])) best = child;
    }
    return best;
  }

  [[no_unique_address]] Before before_;
  std::vector<key> keys_;
  std::vector<std::uint32_t> position_;
};

/// The vertices in groups, each with the distance of its nearest vertex: changing a distance takes
/// two stores, and the nearest vertex is found by scanning the groups and then one group.
template <class C>
class vertex_groups {
 public:
  explicit vertex_groups(std::size_t num_vertices)
      : distances_(round_up(num_vertices, group_size), no_path<C>()),
        nearest_(round_up(distances_.size() / group_size, lanes), no_path<C>()) {}

  void clear() {
    std::fill(distances_.begin(), distances_.end(), no_path<C>());
    std::fill(nearest_.begin(), nearest_.end(), no_path<C>());
  }

  /// Inserts @p vertex, or moves it to the smaller @p distance, which is not `no_path`.
  void push_or_decrease(std::size_t vertex, const C& distance) {
    distances_[vertex] = distance;
    C& nearest = nearest_[vertex / group_size];
    nearest = distance < nearest ? distance : nearest;
  }

  /// Removes the nearest vertex. Returns false if there is none.
  bool pop(std::size_t& vertex, C& distance) {
    distance = no_path<C>();
    std::size_t group = 0;
    for (std::size_t i = 0; i < nearest_.size(); i += lanes) {
      const C smallest = smallest_of<lanes>(&nearest_[i]);
      if (!(smallest < distance)) continue;
      distance = smallest;
      group = i;
    }
    if (!(distance < no_path<C>())) return false;
    while (distance < nearest_[group]) ++group;
    C* const members = &distances_[group * group_size];
    std::size_t member = 0;
    while (distance < members[member]) ++member;
    members[member] = no_path<C>();
    nearest_[group] = smallest_of<group_size>(members);
    vertex = group * group_size + member;
    return true;
  }

 private:
  static constexpr std::size_t lanes = 16;
  static constexpr std::size_t group_size = 64;

  static constexpr std::size_t round_up(std::size_t count, std::size_t multiple) {
    return (count + multiple - 1) / multiple * multiple;
  }

  // Separate accumulators allow the compiler to vectorize floating-point minima as well.
  template <std::size_t Count>
  static C smallest_of(const C* values) {
    C smallest[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) smallest[lane] = values[lane];
    for (std::size_t i = lanes; i < Count; i += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const C& value = values[i + lane];
        smallest[lane] = value < smallest[lane] ? value : smallest[lane];
      }
    }
    for (std::size_t half = lanes / 2; half != 0; half /= 2) {
      for (std::size_t lane = 0; lane < half; ++lane) {
        const C& other = smallest[lane + half];
        smallest[lane] = other < smallest[lane] ? other : smallest[lane];
      }
    }
    return smallest[0];
  }

  std::vector<C> distances_;
  std::vector<C> nearest_;
};

/// The order in which Dijkstra's algorithm settles vertices.
template <path_algebra P>
struct settles_before {
  using key = distance_key<typename P::value_type>;
  [[no_unique_address]] P paths;

  bool operator()(const key& a, const key& b) const {
    return paths.is_better(a.distance(), b.distance());
  }
};
template <class C>
struct settles_before<summed<C>> : std::less<distance_key<C>> {
  explicit settles_before(const summed<C>&) {}
};

/// The open vertices. If rounding can make an extended path better than the path it extends, a
/// settled vertex must stay settled, so that the row remains a tree.
template <path_algebra P>
class open_vertices {
  using C = typename P::value_type;

 public:
  open_vertices(std::size_t num_vertices, const P& paths)
      : heap_(num_vertices, settles_before<P>{paths}),
        is_settled_(P::keeps_order ? 0 : num_vertices, 0) {}

  bool empty() const { return heap_.empty(); }
  void clear() {
    heap_.clear();
    std::fill(is_settled_.begin(), is_settled_.end(), char{0});
  }
  bool is_settled(std::size_t v) const { return is_settled_[v] != 0; }
  void push_or_decrease(std::size_t v, const C& distance) { heap_.push_or_decrease(v, distance); }
  template <class F>
  void for_each_vertex(F f) const {
    heap_.for_each_vertex(f);
  }
  std::pair<std::size_t, C> settle() {
    const auto top = heap_.pop();
    if constexpr (!P::keeps_order) is_settled_[top.first] = 1;
    return top;
  }

 private:
  vertex_heap<C, settles_before<P>> heap_;
  std::vector<char> is_settled_;
};

/// Dijkstra's algorithm with a heap: O((n + m) log n). Sources: Dijkstra 1959; Johnson 1977; Mohri
/// 2002 for semirings: extending a path never makes it better, so a vertex popped from the heap is
/// settled.
template <path_algebra P>
class dijkstra_solver {
  using C = typename P::value_type;

 public:
  dijkstra_solver(const per_source_problem<C>& problem, const P& paths)
      : paths_(paths),
        arcs_(problem.arcs),
        limit_(problem.limit),
        open_(problem.arcs.num_vertices(), paths),
        targets_(problem.arcs.num_vertices(), problem.targets),
        lists_reached_(problem.by_reached) {
    if (lists_reached_) reached_.reserve(problem.arcs.num_vertices());
  }

  /// Fills rows that are initialized to `none()` and -1 (null: no predecessors).
  solve_outcome solve(std::size_t source, C* distances, std::int32_t* predecessors,
                      const monitor& watch) {
    stop_check check(watch);
    open_.clear();  // discards the remains of an interrupted search
    targets_.restart();
    reached_.clear();
    distances[source] = paths_.start();
    open_.push_or_decrease(source, distances[source]);
    const searched_row<C> row{limit_, distances, predecessors};
    while (!open_.empty()) {
      const auto [u, distance] = open_.settle();
      if (lists_reached_) reached_.push_back(static_cast<std::uint32_t>(u));
      targets_.settle(u);
      if (targets_.are_settled()) break;
      relax_arcs(paths_, arcs_, u, distance, row, open_);
      if (check.after(arcs_.end(u) - arcs_.begin(u))) return solve_outcome::stopped;
    }
    if (lists_reached_) {
      open_.for_each_vertex(
          [&](std::size_t v) { reached_.push_back(static_cast<std::uint32_t>(v)); });
    }
    return solve_outcome::finished;
  }

  /// After `solve`, if the problem is `by_reached`: the vertices whose entries it has written.
  const std::vector<std::uint32_t>& reached() const { return reached_; }

 private:
  [[no_unique_address]] P paths_;
  adjacency_view<C> arcs_;
  C limit_;
  open_vertices<P> open_;
  target_set targets_;
  bool lists_reached_;
  std::vector<std::uint32_t> reached_;  ///< Each vertex once.
};

/// Inverse of the fraction of all n^2 arcs from which scanning groups of vertices is as fast as a
/// heap. Measured on an AMD EPYC (Zen 4) with g++ 12, n = 512 to 4096: equal times at 1/16 for
/// int32, at 1/16 to 1/8 for float and at 1/32 to 1/16 for double; with all arcs present the scan
/// is 1.1 to 1.5 times faster.
inline constexpr std::size_t dense_from_part = 16;

/// True if scanning the vertices for the nearest one is faster than a heap.
template <class C>
bool is_dense(const adjacency_view<C>& arcs) {
  const std::size_t n = arcs.num_vertices();
  return arcs.num_edges() >= n * n / dense_from_part;
}

/// Dijkstra's algorithm with a scan for the nearest vertex: O(n^2 + m), where the n^2 term is n^2 /
/// 64 + 64 n comparisons.
template <class C>
class dense_dijkstra_solver {
 public:
  dense_dijkstra_solver(const per_source_problem<C>& problem, const summed<C>&)
      : arcs_(problem.arcs),
        limit_(problem.limit),
        groups_(problem.arcs.num_vertices()),
        targets_(problem.arcs.num_vertices(), problem.targets) {}

  solve_outcome solve(std::size_t source, C* distances, std::int32_t* predecessors,
                      const monitor& watch) {
    stop_check check(watch);
    groups_.clear();
    targets_.restart();
    distances[source] = C{};
    groups_.push_or_decrease(source, C{});
    std::size_t u = source;
    C distance{};
    const searched_row<C> row{limit_, distances, predecessors};
    while (groups_.pop(u, distance)) {
      targets_.settle(u);
      if (targets_.are_settled()) break;
      relax_arcs(summed<C>{}, arcs_, u, distance, row, groups_);
      if (check.after(arcs_.end(u) - arcs_.begin(u))) return solve_outcome::stopped;
    }
    return solve_outcome::finished;
  }

 private:
  adjacency_view<C> arcs_;
  C limit_;
  vertex_groups<C> groups_;
  target_set targets_;
};

}  // namespace apsp::inline v1::detail::host
