// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../detail/summary/bins.hpp"
#include "../detail/values/int128.hpp"
#include "../detail/values/not_a_number.hpp"
#include "result.hpp"

// What `distance_summary.hpp` computes: plain values, apart from how they are found.
namespace apsp {

/// What distances of type @p T are added up in: integers exactly, in 128 bits; `float` and `double` in
/// `double`. `static_cast<double>` makes a 128-bit sum printable.
template <class T>
using distance_sum_t = std::conditional_t<std::is_integral_v<T>, detail::int128,
                                          std::conditional_t<sizeof(T) <= 8, double, T>>;

/// The distances from one vertex, summed up. Only what it reaches counts, and never the vertex itself,
/// whose distance from itself is 0 whatever the matrix says.
template <class T>
struct source_summary {
  std::size_t source = 0;
  /// The largest distance to a vertex that the source reaches; 0 if there is no other, or none at more
  /// than 0.
  T eccentricity{};
  /// The vertex at that distance, the one of the smallest number; the source itself may be it.
  std::size_t farthest = 0;
  /// Other vertices that the source reaches.
  std::size_t num_reached = 0;
  /// Of their distances.
  distance_sum_t<T> sum{};
  /// Of 1 / distance. Vertices at distance 0 add nothing, as in NetworkX.
  double inverse_sum = 0;
};

/// Two vertices and the distance from one to the other.
template <class T>
struct distant_pair {
  T distance;
  std::size_t source;
  std::size_t target;
};

/// The distances of a graph, or from some of its vertices, summed up source by source. Vertices that are
/// not reached never count; `all_reached` tells whether there are any.
///
/// Distances go out of a vertex. Those that come in are the ones of `reversed(graph)`.
template <class T>
class distance_summary {
 public:
  /// @param status   what the call did; if it is `false`, @p sources are empty.
  /// @param sources  in the order of the call.
  distance_summary(result status, std::size_t num_vertices, std::vector<source_summary<T>> sources)
      : status_(std::move(status)), num_vertices_(num_vertices), sources_(std::move(sources)) {}

  /// What the call did: where it ran, and whether it found a negative cycle or was stopped.
  const result& status() const noexcept { return status_; }
  /// True if the summary is valid; otherwise it has no sources.
  explicit operator bool() const noexcept { return static_cast<bool>(status_); }

  std::size_t num_vertices() const noexcept { return num_vertices_; }
  /// One entry for each source, in the order of the call; for all vertices, in theirs.
  std::span<const source_summary<T>> sources() const noexcept { return sources_; }
  const source_summary<T>& operator[](std::size_t i) const noexcept { return sources_[i]; }

  /// True if source number @p i reaches every vertex.
  bool all_reached(std::size_t i) const noexcept {
    return sources_[i].num_reached + 1 == num_vertices_;
  }
  /// True if every source reaches every vertex; over all vertices, if the graph is strongly connected.
  bool all_reached() const noexcept { return num_pairs() == most_pairs(); }

  /// The smallest eccentricity of a source.
  /// @throws std::logic_error if there are no sources.
  T radius() const {
    require_sources();
    return std::min_element(sources_.begin(), sources_.end(), has_smaller_eccentricity)
        ->eccentricity;
  }
  /// The largest distance from a source to a vertex that it reaches; of several such pairs the one of the
  /// smallest source, and then of the smallest target.
  /// @throws std::logic_error if there are no sources.
  distant_pair<T> diameter() const {
    require_sources();
    const auto& s = *std::max_element(sources_.begin(), sources_.end(), [](auto& a, auto& b) {
      if (has_smaller_eccentricity(a, b)) return true;
      return a.eccentricity == b.eccentricity && b.source < a.source;
    });
    return {s.eccentricity, s.source, s.farthest};
  }

  /// Closeness of source number @p i: how many vertices it reaches, divided by the sum of their distances;
  /// 0 if that is not above 0. With r for the vertices reached, the source among them, it is
  /// (r - 1) / sum. Source: Bavelas 1950; Sabidussi 1966.
  double closeness(std::size_t i) const {
    const source_summary<T>& s = sources_[i];
    return s.sum > 0 ? static_cast<double>(s.num_reached) / static_cast<double>(s.sum) : 0;
  }
  /// The same times (r - 1) / (n - 1), so that a source which reaches little is not close to all: what
  /// NetworkX computes by default, of the reversed graph where arcs have a direction.
  /// Source: Wasserman and Faust 1994.
  double wasserman_faust_closeness(std::size_t i) const {
    if (num_vertices_ < 2) return 0;
    return closeness(i) * static_cast<double>(sources_[i].num_reached) /
           static_cast<double>(num_vertices_ - 1);
  }
  /// Harmonic closeness of source number @p i: the sum of 1 / distance, to which unreachable vertices,
  /// and those at distance 0, add nothing. Divided by n - 1 it is the mean.
  /// Source: Marchiori and Latora 2000; Rochat 2009.
  double harmonic_closeness(std::size_t i) const noexcept { return sources_[i].inverse_sum; }

  /// Pairs of a source and another vertex that it reaches.
  std::uint64_t num_pairs() const noexcept {
    std::uint64_t count = 0;
    for (const auto& s : sources_) count += s.num_reached;
    return count;
  }
  /// The sum of the distances of those pairs, added up in the order of the sources. Over all vertices of
  /// an undirected graph it is twice its Wiener index.
  distance_sum_t<T> total_distance() const noexcept {
    distance_sum_t<T> sum{};
    for (const auto& s : sources_) sum += s.sum;
    return sum;
  }
  /// The mean distance of those pairs; NaN if there are none.
  double mean_distance() const noexcept {
    return static_cast<double>(total_distance()) / static_cast<double>(num_pairs());
  }

 private:
  static bool has_smaller_eccentricity(const source_summary<T>& a, const source_summary<T>& b) {
    return a.eccentricity < b.eccentricity;
  }
  std::uint64_t most_pairs() const noexcept {
    return num_vertices_ == 0 ? 0 : std::uint64_t{sources_.size()} * (num_vertices_ - 1);
  }
  void require_sources() const {
    if (sources_.empty()) throw std::logic_error("apsp: the distance summary has no sources");
  }

  result status_;
  std::size_t num_vertices_;
  std::vector<source_summary<T>> sources_;
};

/// How a histogram sorts distances of type @p T into bins: each holds its lower edge and not its upper
/// one, which is the lower edge of the next.
template <class T>
class histogram_bins {
  static_assert(std::is_arithmetic_v<T>,
                "apsp: histogram bins need distances of a built-in arithmetic type");

 public:
  /// @p count bins, each @p width wide, the first of them from @p first on.
  ///
  /// Distance d falls into bin floor((d - first) / width): computed exactly for integers, and for floating
  /// point in `double`, whose rounding is the same on every backend.
  /// @throws std::invalid_argument if the width is not above 0, or a number is not finite.
  /// @throws std::length_error if no vector holds that many counts.
  static histogram_bins of_width(T first, T width, std::size_t count) {
    if (!(width > 0) || !is_finite(width) || !is_finite(first)) {
      throw std::invalid_argument("apsp: the width of histogram bins must be positive");
    }
    if (count > std::vector<std::uint64_t>().max_size() - detail::num_extra_counts) {
      throw std::length_error("apsp: " + std::to_string(count) +
                              " bins of a histogram are more than memory can hold");
    }
    return {first, width, count, {}};
  }
  /// Bins between neighbours of @p edges: one bin less than there are edges.
  /// @throws std::invalid_argument unless there are two edges at least, each larger than the last.
  static histogram_bins between(std::vector<T> edges) {
    bool is_ascending = edges.size() >= 2;
    for (std::size_t i = 1; i < edges.size(); ++i) is_ascending &= edges[i - 1] < edges[i];
    if (!is_ascending) {
      throw std::invalid_argument("apsp: a histogram needs two or more edges in ascending order");
    }
    const std::size_t count = edges.size() - 1;
    return {T{}, T{}, count, std::move(edges)};
  }

  std::size_t size() const noexcept { return size_; }

  // For the library: valid as long as the bins.
  detail::bin_rule<T> rule() const noexcept {
    return {first_, width_, size_, edges_.empty() ? nullptr : edges_.data()};
  }

 private:
  static bool is_finite(const T& x) { return !detail::is_nan(x) && !detail::is_infinite(x); }

  histogram_bins(T first, T width, std::size_t size, std::vector<T> edges)
      : first_(first), width_(width), size_(size), edges_(std::move(edges)) {}

  T first_;
  T width_;
  std::size_t size_;
  std::vector<T> edges_;
};

/// How many pairs of a source and another vertex are how far apart. Every such pair is counted once:
/// in a bin, below or above all bins, or as unreachable.
struct distance_counts {
  /// What the call did; if it is `false`, all counts are 0.
  result status;
  /// One count for each bin.
  std::vector<std::uint64_t> counts;
  std::uint64_t below = 0;        ///< Nearer than the first bin.
  std::uint64_t above = 0;        ///< Farther than the last bin, or at its upper edge, but reached.
  std::uint64_t unreachable = 0;  ///< Not reached, or beyond the policy's cutoff.

  explicit operator bool() const noexcept { return static_cast<bool>(status); }
};

}  // namespace apsp
