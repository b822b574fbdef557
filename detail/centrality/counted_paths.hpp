// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "../graph/adjacency.hpp"
#include "../values/not_a_number.hpp"
#include "host/tight_kernel.hpp"
#include "path_arcs.hpp"
#include "path_sums.hpp"
#include "sorted_arcs.hpp"
#include "tight_arcs.hpp"

// The numbers of shortest paths from one source, and how many of them lead through a vertex or an
// arc.
namespace apsp::inline v1::detail {

/// The arcs on which paths are counted.
template <class T>
struct arcs_of_paths {
  adjacency_view<T> out;
  std::vector<std::int32_t> from;
  T least_weight;

  std::size_t num_arcs() const { return from.size(); }
};

/// The shortest paths from one source at a time, along the arcs on them, which are sorted so that
/// all that lead to a vertex come before those that leave it: sums along paths are one pass over
/// them.
/// Source: Brandes 2001.
/// @tparam Count  of paths: `double`, or `large_count`.
template <class Key, class Count = double>
class paths_along_arcs {
 public:
  explicit paths_along_arcs(std::size_t num_vertices)
      : counts_(num_vertices), shares_(num_vertices) {}

  /// Counts the paths from a source.
  /// @param arcs  are read until the paths from the next source are counted.
  void count(std::size_t source, const sorted_arcs<Key>& arcs) {
    source_ = source;
    arcs_ = arcs.list();
    std::fill(counts_.begin(), counts_.end(), Count{});
    counts_[source] = Count(1);
    are_in_range_ = true;
    for (const entry& e : arcs_) {
      Count& count = counts_[at(e.to)];
      count += counts_[at(e.from)];
      if constexpr (std::is_same_v<Count, double>) are_in_range_ &= count <= most_paths;
    }
  }

  const Count& count_of(std::size_t v) const { return counts_[v]; }
  bool has_path_to(std::size_t v) const { return !(counts_[v] == Count{}); }
  /// Calls f(u, v) for every arc u -> v on a shortest path from the source that was counted. The
  /// arcs to each vertex come in ascending order of u, since they are sorted by v alone and keep
  /// the order of the adjacency among themselves.
  template <class F>
  void for_each_arc(F f) const {
    for (const entry& e : arcs_) f(at(e.from), at(e.to));
  }
  /// True if no count is too large for its reciprocal to be a normal number.
  bool are_in_range() const { return are_in_range_; }

  /// Adds what part of the paths from the source that was counted leads through each vertex and
  /// arc, summed over all targets.
  /// @param with_ends  paths lead through their ends as well.
  void add_to(path_sums& sums, bool with_ends) {
    if (sums.of_arcs.empty()) {
      find_shares([](const entry&, const Count&) {});
    } else {
      find_shares([&](const entry& e, const Count& share) {
        sums.of_arcs[e.arc] += static_cast<double>(counts_[at(e.from)] * share);
      });
    }
    shares_[source_] = Count{};
    if constexpr (std::is_same_v<Count, double>) {
      add_products(counts_.data(), shares_.data(), shares_.size(), sums.of_vertices.data());
    } else {
      for (std::size_t v = 0; v < shares_.size(); ++v) {
        sums.of_vertices[v] += static_cast<double>(counts_[v] * shares_[v]);
      }
    }
    if (with_ends) {
      std::size_t num_reached = 0;
      for (std::size_t v = 0; v < counts_.size(); ++v) {
        if (v == source_ || !has_path_to(v)) continue;
        sums.of_vertices[v] += 1;
        ++num_reached;
      }
      sums.of_vertices[source_] += static_cast<double>(num_reached);
    }
  }

 private:
  using entry = typename sorted_arcs<Key>::entry;

  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

  /// Finds, for each path to a vertex, the share of the paths that go on from there. Calls
  /// f(arc, share) with the share of a path that leads along each arc.
  template <class F>
  void find_shares(F f) {
    std::fill(shares_.begin(), shares_.end(), Count{});
    const Count one(1);
    for (std::size_t i = arcs_.size(); i-- > 0;) {
      const entry& e = arcs_[i];
      const Count& count = counts_[at(e.to)];
      Count share = shares_[at(e.to)];
      // Division takes long, and most vertices have one path.
      share += count == one ? one : one / count;
      shares_[at(e.from)] += share;
      f(e, share);
    }
  }

  std::size_t source_ = 0;
  std::span<const entry> arcs_;
  bool are_in_range_ = true;
  std::vector<Count> counts_;
  std::vector<Count> shares_;
};

/// A number that is ordered as distances that are not negative are.
template <class T>
using distance_key = std::conditional_t<(sizeof(T) <= 4), std::uint32_t, std::uint64_t>;
template <class T>
distance_key<T> key_of_distance(const T& distance) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<distance_key<T>>(distance);
  } else {
    return std::bit_cast<distance_key<T>>(distance + T{});  // Minus zero becomes zero.
  }
}

/// Finds the arcs on the shortest paths from one source at a time by its distances, and counts
/// these paths.
template <class T>
class counted_paths {
  using key = distance_key<T>;

 public:
  counted_paths(const arcs_of_paths<T>& arcs, const tight_arcs<T>& tight)
      : arcs_(arcs), tight_(tight), paths_(arcs.out.num_vertices()) {}

  /// Counts the paths from a source.
  /// @param distances  from it; `unreachable` where no paths are counted. They are read until the
  ///                   paths from the next source are counted.
  /// @return false if some of the shortest paths contain a cycle, of length 0: there are infinitely
  ///         many.
  bool count(std::size_t source, const T* distances) {
    source_ = source;
    distances_ = {distances, num_vertices()};
    if (!sort_arcs()) return false;
    paths_.count(source, sorted_);
    bool are_counted = true;
    for (std::size_t v = 0; v < num_vertices(); ++v) {
      are_counted = are_counted && (paths_.has_path_to(v) || equals_unreachable(distances[v]));
    }
    return are_counted;
  }

  paths_along_arcs<key>& paths() { return paths_; }
  const sorted_arcs<key>& arcs() const { return sorted_; }

  /// The vertices of a cycle of arcs on shortest paths, if `count` returned false; or a vertex that
  /// no such arc reaches.
  std::vector<std::int32_t> find_cycle() {
    std::vector<std::int32_t> before(num_vertices(), -1);
    std::int32_t v = -1;
    if (find_order_along_arcs()) {
      // Those after the first one may have arcs from it.
      v = *std::find_if(order_.begin(), order_.end(),
                        [&](std::int32_t u) { return !paths_.has_path_to(at(u)); });
      return {v};
    }
    // A vertex on a cycle, or after one, has an arc from another one of these.
    std::vector<char> is_ordered(num_vertices(), 0);
    for (const std::int32_t u : order_) is_ordered[at(u)] = 1;
    for (std::size_t a = 0; a < arcs_.num_arcs(); ++a) {
      if (!is_tight(a) || is_ordered[at(arcs_.from[a])] != 0) continue;
      v = arcs_.out.targets[a];
      before[at(v)] = arcs_.from[a];
    }
    for (std::size_t u = 0; u < before.size(); ++u) {
      const bool is_missing = is_ordered[u] == 0 && !equals_unreachable(distances_[u]);
      if (is_missing && before[u] < 0) return {static_cast<std::int32_t>(u)};
    }
    std::vector<std::size_t> steps(before.size(), 0);
    std::vector<std::int32_t> walk;
    for (; steps[at(v)] == 0; v = before[at(v)]) {
      walk.push_back(v);
      steps[at(v)] = walk.size();
    }
    std::vector<std::int32_t> cycle(walk.begin() + static_cast<std::ptrdiff_t>(steps[at(v)] - 1),
                                    walk.end());
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
  }

 private:
  std::size_t num_vertices() const { return arcs_.out.num_vertices(); }
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

  bool is_tight(std::size_t a) const {
    const T& here = distances_[at(arcs_.from[a])];
    return !equals_unreachable(here) &&
           tight_.contains(here, arcs_.out.weights[a], distances_[at(arcs_.out.targets[a])]);
  }

  /// Lists the arcs on shortest paths by the distances of the vertices that they lead to.
  bool sort_arcs() {
    sorted_.clear();
    if constexpr (!std::is_same_v<T, long double>) {
      if (increases_distances()) {
        list_increasing_arcs();
        sorted_.sort();
        return true;
      }
    }
    if (!find_order_along_arcs()) return false;
    ranks_.resize(num_vertices());
    for (std::size_t i = 0; i < order_.size(); ++i) ranks_[at(order_[i])] = static_cast<key>(i);
    for (std::size_t a = 0; a < arcs_.num_arcs(); ++a) {
      if (is_tight(a)) append(a, ranks_[at(arcs_.out.targets[a])]);
    }
    sorted_.sort();
    return true;
  }
  void append(std::size_t a, key number) {
    sorted_.append({number, arcs_.from[a], arcs_.out.targets[a], static_cast<std::uint32_t>(a)});
  }
  void list_increasing_arcs() {
    constexpr std::size_t block = 4096;
    alignas(64) std::array<std::uint8_t, block> flags{};
    const host::tight_kernels<T>& kernels = host::choose_tight_kernels<T>();
    for (std::size_t begin = 0; begin < arcs_.num_arcs(); begin += block) {
      const std::size_t count = std::min(block, arcs_.num_arcs() - begin);
      kernels.find_tight(
          {arcs_.from.data() + begin, arcs_.out.targets.data() + begin,
           arcs_.out.weights.data() + begin, count, distances_.data(), tight_.tolerance},
          flags.data());
      std::fill(flags.begin() + static_cast<std::ptrdiff_t>(count), flags.end(), std::uint8_t{0});
      for (std::size_t i = 0; i < count; i += sizeof(std::uint64_t)) {
        std::uint64_t some = 0;
        std::memcpy(&some, flags.data() + i, sizeof some);
        while (some != 0) {
          constexpr bool is_little = std::endian::native == std::endian::little;
          const auto next = static_cast<std::size_t>(is_little ? std::countr_zero(some)
                                                               : std::countl_zero(some)) /
                            8;
          some ^= std::uint64_t{1} << (8 * (is_little ? next : 7 - next));
          const std::size_t a = begin + i + next;
          append(a, key_of_distance(distances_[at(arcs_.out.targets[a])]));
        }
      }
    }
  }
  /// True if every arc on a shortest path leads to a vertex that is farther from the source.
  bool increases_distances() const {
    if (!(T{} < arcs_.least_weight)) return false;
    if constexpr (std::is_floating_point_v<T>) {
      T farthest{};
      for (const T& d : distances_) {
        farthest = equals_unreachable(d) || d < farthest ? farthest : d;
      }
      return farthest * std::numeric_limits<T>::epsilon() < arcs_.least_weight;
    }
    return true;
  }
  /// Finds an order in which every vertex comes after those before it on shortest paths.
  bool find_order_along_arcs() {
    const auto for_each_arc_from = [&](std::size_t u, auto f) {
      for (std::size_t a = arcs_.out.begin(u); a < arcs_.out.end(u); ++a) {
        if (is_tight(a)) f(at(arcs_.out.targets[a]));
      }
    };
    num_before_.assign(num_vertices(), 0);
    std::size_t num_reached = 0;
    for (std::size_t u = 0; u < num_vertices(); ++u) {
      if (equals_unreachable(distances_[u])) continue;
      ++num_reached;
      for_each_arc_from(u, [&](std::size_t v) { ++num_before_[v]; });
    }
    order_.clear();
    if (num_before_[source_] == 0) order_.push_back(static_cast<std::int32_t>(source_));
    for (std::size_t i = 0; i < order_.size(); ++i) {
      for_each_arc_from(at(order_[i]), [&](std::size_t v) {
        if (--num_before_[v] == 0) order_.push_back(static_cast<std::int32_t>(v));
      });
    }
    return order_.size() == num_reached;
  }

  const arcs_of_paths<T>& arcs_;
  tight_arcs<T> tight_;
  std::size_t source_ = 0;
  std::span<const T> distances_;
  sorted_arcs<key> sorted_;
  paths_along_arcs<key> paths_;
  // For weights that are not above 0.
  std::vector<std::int32_t> order_;
  std::vector<std::int32_t> num_before_;  ///< Arcs of shortest paths to a vertex, not yet passed.
  std::vector<key> ranks_;                ///< In `order_`.
};

}  // namespace apsp::inline v1::detail
