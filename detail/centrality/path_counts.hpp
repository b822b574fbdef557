// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "../../apsp/unreachable.hpp"
#include "../graph/adjacency.hpp"
#include "../values/int128.hpp"
#include "../values/not_a_number.hpp"

// The numbers of shortest paths from one source, and how many of them lead through a vertex or an
// arc.
namespace apsp::detail {

/// Which arcs are on shortest paths: those that are as long as the difference of the distances of
/// their ends.
template <class T>
struct tight_arcs {
  double tolerance;  ///< For floating point: relative to the largest of the three lengths.

  bool contains(const T& to_source, const T& weight, const T& to_target) const {
    if constexpr (std::is_integral_v<T>) {
      using wide = std::conditional_t<(sizeof(T) < sizeof(std::int64_t)), std::int64_t, int128>;
      return static_cast<wide>(to_source) + static_cast<wide>(weight) ==
             static_cast<wide>(to_target);
    } else {
      const T length = to_source + weight;
      if (length == to_target) return true;
      if (weight > T{} && !(to_source < to_target)) return false;
      const T largest = std::max({std::abs(to_source), std::abs(weight), std::abs(to_target)});
      return std::abs(length - to_target) <= static_cast<T>(tolerance) * largest;
    }
  }
};

/// A number of paths that may be larger than the largest `double`: value * 2^exponent.
class large_count {
 public:
  large_count() = default;
  explicit large_count(double value) : value_(value) { normalize(); }

  large_count& operator+=(const large_count& other) {
    if (other.value_ == 0) return *this;
    if (value_ == 0) return *this = other;
    if (exponent_ < other.exponent_) {
      value_ = std::ldexp(value_, at_least(exponent_ - other.exponent_)) + other.value_;
      exponent_ = other.exponent_;
    } else {
      value_ += std::ldexp(other.value_, at_least(other.exponent_ - exponent_));
    }
    normalize();
    return *this;
  }
  friend large_count operator*(const large_count& a, const large_count& b) {
    large_count product;
    product.value_ = a.value_ * b.value_;
    product.exponent_ = a.exponent_ + b.exponent_;
    product.normalize();
    return product;
  }
  friend large_count operator/(const large_count& a, const large_count& b) {
    large_count ratio;
    ratio.value_ = a.value_ / b.value_;
    ratio.exponent_ = a.exponent_ - b.exponent_;
    ratio.normalize();
    return ratio;
  }
  explicit operator double() const { return std::ldexp(value_, at_least(exponent_)); }

 private:
  /// Enough to make any value 0 or infinite, and of the type that `ldexp` takes.
  static int at_least(std::int64_t exponent) {
    constexpr std::int64_t most = 4096;
    return static_cast<int>(exponent < -most ? -most : exponent > most ? most : exponent);
  }
  void normalize() {
    int shift = 0;
    value_ = std::frexp(value_, &shift);
    exponent_ += shift;
  }

  double value_ = 0;
  std::int64_t exponent_ = 0;
};

/// What is added up for one source after the other.
struct path_sums {
  std::vector<double> of_vertices;
  std::vector<double> of_arcs;  ///< Empty if they are not wanted.
};

/// The shortest paths from one source at a time.
/// Source: Brandes 2001.
/// @tparam Count  of paths: `double`, or `large_count`.
template <class T, class Count = double>
class counted_paths {
 public:
  counted_paths(const adjacency_view<T>& arcs, const tight_arcs<T>& tight)
      : arcs_(arcs),
        tight_(tight),
        begins_(arcs.num_vertices() + 1),
        num_before_(arcs.num_vertices()),
        counts_(arcs.num_vertices()) {
    order_.reserve(arcs.num_vertices());
  }

  /// Counts the paths from a source.
  /// @param distances  from it; `unreachable` where no paths are counted.
  /// @return false if some of the shortest paths contain a cycle, of length 0: there are infinitely
  ///         many.
  bool count(std::size_t source, const T* distances) {
    const std::size_t num_reached = find_tight_arcs(distances);
    order_.clear();
    std::fill(counts_.begin(), counts_.end(), Count{});
    if (num_before_[source] == 0) order_.push_back(static_cast<std::int32_t>(source));
    counts_[source] = Count(1);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const auto u = at(order_[i]);
      for (std::size_t k = begins_[u]; k < begins_[u + 1]; ++k) {
        const auto v = at(arcs_.targets[found_[k]]);
        counts_[v] += counts_[u];
        if (--num_before_[v] == 0) order_.push_back(static_cast<std::int32_t>(v));
      }
    }
    return order_.size() == num_reached;
  }

  std::span<const Count> counts() const { return counts_; }
  /// True if every count fits.
  bool are_finite() const {
    if constexpr (std::is_same_v<Count, double>) {
      for (const std::int32_t v : order_) {
        if (!(counts_[at(v)] <= std::numeric_limits<double>::max())) return false;
      }
    }
    return true;
  }

  /// Adds what part of the paths from the source that was counted leads through each vertex and
  /// arc, summed over all targets.
  /// @param with_ends  paths lead through their ends as well.
  void add_to(path_sums& sums, bool with_ends) {
    parts_.assign(counts_.size(), Count{});
    for (std::size_t i = order_.size(); i-- > 0;) {
      const auto u = at(order_[i]);
      Count of_targets{};
      for (std::size_t k = begins_[u]; k < begins_[u + 1]; ++k) {
        const std::size_t arc = found_[k];
        const Count& part = parts_[at(arcs_.targets[arc])];
        of_targets += part;
        if (!sums.of_arcs.empty()) sums.of_arcs[arc] += static_cast<double>(counts_[u] * part);
      }
      const Count through = counts_[u] * of_targets;
      const auto dependency = static_cast<double>(through);
      if (i != 0) sums.of_vertices[u] += dependency + (with_ends ? 1 : 0);
      if (i == 0 && with_ends) sums.of_vertices[u] += static_cast<double>(order_.size() - 1);
      Count with_target = through;
      with_target += Count(1);
      parts_[u] = with_target / counts_[u];
    }
  }

  /// The vertices of a cycle of arcs on shortest paths, if `count` returned false; or a vertex that
  /// no arc reaches within the tolerance.
  std::vector<std::int32_t> find_cycle(const T* distances) const {
    // A vertex that was not counted has an arc from another one of these.
    std::vector<std::int32_t> before(counts_.size(), -1);
    std::vector<char> is_counted(counts_.size(), 0);
    for (const std::int32_t u : order_) is_counted[at(u)] = 1;
    std::int32_t v = -1;
    for (std::size_t u = 0; u < before.size(); ++u) {
      if (is_counted[u] != 0 || equals_unreachable(distances[u])) continue;
      if (v < 0) v = static_cast<std::int32_t>(u);
      for (std::size_t k = begins_[u]; k < begins_[u + 1]; ++k) {
        before[at(arcs_.targets[found_[k]])] = static_cast<std::int32_t>(u);
      }
    }
    std::vector<std::size_t> steps(before.size(), 0);
    std::vector<std::int32_t> walk;
    for (; steps[at(v)] == 0; v = before[at(v)]) {
      walk.push_back(v);
      steps[at(v)] = walk.size();
      if (before[at(v)] < 0) return {v};
    }
    std::vector<std::int32_t> cycle(walk.begin() + static_cast<std::ptrdiff_t>(steps[at(v)] - 1),
                                    walk.end());
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
  }

 private:
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

  /// @return the number of vertices that have a distance.
  std::size_t find_tight_arcs(const T* distances) {
    std::fill(num_before_.begin(), num_before_.end(), 0);
    found_.clear();
    std::size_t num_reached = 0;
    for (std::size_t u = 0; u < counts_.size(); ++u) {
      begins_[u] = found_.size();
      const T here = distances[u];
      if (equals_unreachable(here)) continue;
      ++num_reached;
      for (std::size_t a = arcs_.begin(u); a < arcs_.end(u); ++a) {
        const auto v = at(arcs_.targets[a]);
        const T there = distances[v];
        if (equals_unreachable(there) || !tight_.contains(here, arcs_.weights[a], there)) continue;
        found_.push_back(a);
        ++num_before_[v];
      }
    }
    begins_.back() = found_.size();
    return num_reached;
  }

  adjacency_view<T> arcs_;
  tight_arcs<T> tight_;
  std::vector<std::size_t> begins_;       ///< By vertex, in `found_`.
  std::vector<std::size_t> found_;        ///< Numbers of tight arcs, by their sources.
  std::vector<std::int32_t> num_before_;  ///< Tight arcs that lead to a vertex, not yet counted.
  std::vector<std::int32_t> order_;       ///< Each vertex after those before it on shortest paths.
  std::vector<Count> counts_;
  std::vector<Count> parts_;  ///< By vertex: (1 + its dependency) / its number of paths.
};

}  // namespace apsp::detail
