// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "algorithm.hpp"
#include "config.hpp"

namespace apsp::inline v1 {

/// An algorithm that a call could take.
struct candidate {
  apsp::algorithm algorithm = apsp::algorithm::floyd_warshall;
  /// The predicted time: of one thread on the host, or of the device. 0 if none was predicted.
  double seconds = 0;
  /// Why its time was not considered; empty if it was. It is valid as long as the program runs.
  std::string_view why_not{};
};

/// How a call computed. The texts are valid as long as the program runs.
struct computation {
  /// The type in which values were computed, such as "int32", "float" or "bit"; empty if there was
  /// no need to compute, and for the small graphs of a batch that a host searches breadth-first.
  std::string_view type{};
  /// Why values of that type are the values of the result's type.
  std::string_view why_it_fits{};
  /// The most sources that were solved together; 0 if the algorithm has no batches of sources.
  std::size_t batch = 0;
  /// The arcs that were found to be on no shortest path, and were left out.
  std::size_t arcs_left_out = 0;
  /// The time that the call took, in seconds, without checks that precede the choice of the
  /// backend; 0 if results are in device memory, where the work may still run, and for the small
  /// graphs of a batch, of which threads of a host solve many.
  double seconds = 0;
};

/// What a call that chooses its algorithm chose from, and how it computed. It takes the candidate
/// that is predicted to take the least time, but where weights are equal breadth-first search
/// before other searches; on a device a hierarchy that is ready before all others, and Dijkstra's
/// algorithm where Bellman-Ford is predicted to take nearly as long.
class plan {
 public:
  /// In the order in which they were considered; empty if the caller named the algorithm.
  std::span<const candidate> candidates() const noexcept { return {candidates_.data(), size_}; }
  /// The candidate for @p a; null if there is none.
  const candidate* find(algorithm a) const noexcept {
    const auto all = candidates();
    const auto found =
        std::find_if(all.begin(), all.end(), [a](const candidate& c) { return c.algorithm == a; });
    return found == all.end() ? nullptr : &*found;
  }

  /// How the call computed; without a type until it has run.
  const computation& computed() const noexcept { return computed_; }

  // Set by the library.
  void set_computed(const computation& made) noexcept { computed_ = made; }
  /// Adds a candidate, or replaces that for the same algorithm.
  void set(const candidate& made) noexcept {
    const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(size_);
    const auto found = std::find_if(candidates_.begin(), end, [&](const candidate& c) {
      return c.algorithm == made.algorithm;
    });
    if (found == end) {
      ++size_;
    }
    *found = made;
  }

 private:
  // One for each algorithm at most.
  std::array<candidate, num_algorithms> candidates_{};
  std::size_t size_ = 0;
  computation computed_;
};

/// A line for each candidate, such as "dijkstra: 1.5 ms" or "elimination: there are few sources",
/// and lines for what is known of the computation, such as "computed in int32: no path is longer
/// than it holds", "512 sources at a time", "1200 arcs left out" and "took 2.1 ms". Each line ends
/// with a newline character.
APSP_EXPORT std::string to_string(const plan& whole);

/// The size of a call.
struct call_size {
  std::size_t num_vertices = 0;
  std::size_t num_arcs = 0;
  std::size_t num_sources = 0;
};

/// The time in seconds that one thread of the host is predicted to take for distances of type
/// `double`, for programs that decide where to run a call before they make it.
/// @param method  empty if the call leaves the algorithm open: then the faster one of
///                Floyd–Warshall, if all vertices are sources, and searches. An elimination may
///                take less, since what it needs is not known from the size.
APSP_EXPORT double predicted_seconds(const call_size& size, std::optional<algorithm> method);

}  // namespace apsp::inline v1
