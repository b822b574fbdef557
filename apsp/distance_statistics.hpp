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

// Result types of `distance_summary.hpp`: plain values, separate from the algorithms that compute
// them.
namespace apsp::inline v1 {

/// The type in which distances of type @p T are summed: integers exactly, in 128 bits; `float` and
/// `double` in `double`. Use `static_cast<double>` to print a 128-bit sum.
template <class T>
using distance_sum_t = std::conditional_t<std::is_integral_v<T>, detail::int128,
                                          std::conditional_t<sizeof(T) <= 8, double, T>>;

/// A summary of the distances from one vertex. Only reached vertices count, and never the source
/// itself, whose distance from itself is 0 regardless of the matrix.
template <class T>
struct source_summary {
  std::size_t source = 0;
  /// The largest distance to a reached vertex; 0 if no other vertex is reached, or none at a
  /// distance above 0.
  T eccentricity{};
  /// The vertex at that distance with the smallest number; it may be the source itself.
  std::size_t farthest = 0;
  /// The number of other vertices that the source reaches.
  std::size_t num_reached = 0;
  /// The sum of their distances.
  distance_sum_t<T> sum{};
  /// The sum of 1 / distance. Vertices at distance 0 add nothing, as in NetworkX.
  double inverse_sum = 0;
};

/// Two vertices and the distance from one to the other.
template <class T>
struct distant_pair {
  T distance;
  std::size_t source;
  std::size_t target;
};

/// A summary, source by source, of the distances from all or some vertices of a graph. Unreachable
/// vertices never count; `all_reached` tells whether there are any.
///
/// Distances are those of outgoing paths. For incoming paths use `reversed(graph)`.
template <class T>
class distance_summary {
 public:
  /// @param status   the status of the call; if it is `false`, @p sources must be empty.
  /// @param sources  in the order of the call.
  distance_summary(result status, std::size_t num_vertices, std::vector<source_summary<T>> sources)
      : status_(std::move(status)), num_vertices_(num_vertices), sources_(std::move(sources)) {}

  /// The status of the call: where it ran, and whether it found a negative cycle or was stopped.
  const result& status() const noexcept { return status_; }
  /// True if the summary is valid; otherwise it has no sources.
  explicit operator bool() const noexcept { return static_cast<bool>(status_); }

  std::size_t num_vertices() const noexcept { return num_vertices_; }
  /// One entry per source, in the order of the call; in vertex order if the sources are all
  /// vertices.
  std::span<const source_summary<T>> sources() const noexcept { return sources_; }
  const source_summary<T>& operator[](std::size_t i) const noexcept { return sources_[i]; }

  /// True if source number @p i reaches every vertex.
  bool all_reached(std::size_t i) const noexcept {
    return sources_[i].num_reached + 1 == num_vertices_;
  }
  /// True if every source reaches every vertex; if the sources are all vertices, true if the graph
  /// is strongly connected.
  bool all_reached() const noexcept { return num_pairs() == most_pairs(); }

  /// The smallest eccentricity of a source.
  /// @throws std::logic_error if there are no sources.
  T radius() const {
    require_sources();
    return std::min_element(sources_.begin(), sources_.end(), has_smaller_eccentricity)
        ->eccentricity;
  }
  /// The largest distance from a source to a vertex that it reaches. Among several such pairs, the
  /// one with the smallest source, then the smallest target.
  /// @throws std::logic_error if there are no sources.
  distant_pair<T> diameter() const {
    require_sources();
    const auto& s = *std::max_element(sources_.begin(), sources_.end(), [](auto& a, auto& b) {
      if (has_smaller_eccentricity(a, b)) return true;
      return a.eccentricity == b.eccentricity && b.source < a.source;
    });
    return {s.eccentricity, s.source, s.farthest};
  }

  /// Closeness of source number @p i: the number of other vertices that it reaches, divided by the
  /// sum of their distances; 0 if that sum is not above 0. If r is the number of reached vertices,
  /// including the source, it is (r - 1) / sum. Source: Bavelas 1950; Sabidussi 1966.
  double closeness(std::size_t i) const {
    const source_summary<T>& s = sources_[i];
    return s.sum > 0 ? static_cast<double>(s.num_reached) / static_cast<double>(s.sum) : 0;
  }
  /// Closeness multiplied by (r - 1) / (n - 1), so that a source that reaches few vertices gets a
  /// small value. For a directed graph, NetworkX computes this by default on the reversed graph.
  /// Source: Wasserman and Faust 1994.
  double wasserman_faust_closeness(std::size_t i) const {
    if (num_vertices_ < 2) return 0;
    return closeness(i) * static_cast<double>(sources_[i].num_reached) /
           static_cast<double>(num_vertices_ - 1);
  }
  /// Harmonic closeness of source number @p i: the sum of 1 / distance. Unreachable vertices and
  /// vertices at distance 0 add nothing. Divided by n - 1 it is the mean.
  /// Source: Marchiori and Latora 2000; Rochat 2009.
  double harmonic_closeness(std::size_t i) const noexcept { return sources_[i].inverse_sum; }

  /// The number of pairs of a source and another vertex that it reaches.
  std::uint64_t num_pairs() const noexcept {
    std::uint64_t count = 0;
    for (const auto& s : sources_) count += s.num_reached;
    return count;
  }
  /// The sum of the distances of those pairs, in the order of the sources. Over all vertices of an
  /// undirected graph it is twice the Wiener index.
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

/// The bins of a histogram of distances of type @p T. Each bin includes its lower edge and excludes
/// its upper edge, which is the lower edge of the next bin.
template <class T>
class histogram_bins {
  static_assert(std::is_arithmetic_v<T>,
                "apsp: histogram bins need distances of a built-in arithmetic type");

 public:
  /// @p count bins, each of width @p width, starting at @p first.
  ///
  /// Distance d falls into bin floor((d - first) / width), computed exactly for integers. For
  /// floating point it is computed in `double`, with the same rounding on every backend.
  /// @throws std::invalid_argument if the width is not above 0, or an argument is not finite.
  /// @throws std::length_error if no vector can hold that many counts.
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
  /// Bins between consecutive values of @p edges: one fewer than the number of edges.
  /// @throws std::invalid_argument if there are fewer than two edges, or they are not strictly
  ///         ascending.
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

  // For the library; valid for the lifetime of the bins.
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

/// The number of pairs of a source and another vertex by distance. Every such pair is counted once:
/// in a bin, below or above all bins, or as unreachable.
struct distance_counts {
  /// The status of the call; if it is `false`, all counts are 0.
  result status;
  /// One count for each bin.
  std::vector<std::uint64_t> counts;
  std::uint64_t below = 0;        ///< Closer than the first bin.
  std::uint64_t above = 0;        ///< Reached, at or beyond the upper edge of the last bin.
  std::uint64_t unreachable = 0;  ///< Not reached, or beyond the policy's cutoff.

  explicit operator bool() const noexcept { return static_cast<bool>(status); }
};

}  // namespace apsp::inline v1
