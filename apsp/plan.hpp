// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "algorithm.hpp"
#include "config.hpp"

namespace apsp {

/// An algorithm that a call could take.
struct candidate {
  apsp::algorithm algorithm = apsp::algorithm::floyd_warshall;
  /// The predicted time: of one thread on the host, or of the device. 0 if none was predicted.
  double seconds = 0;
  /// Why its time was not considered; empty if it was. It is valid as long as the program runs.
  std::string_view why_not{};
};

/// What a call that chooses its algorithm chose from. It takes the candidate that is predicted to
/// take the least time, but where weights are equal breadth-first search before other searches, and
/// on a device a hierarchy that is ready before all others.
class plan {
 public:
  static constexpr std::size_t most_candidates = 4;  ///< That a plan has room for.

  /// In the order in which they were considered; empty if the caller named the algorithm.
  std::span<const candidate> candidates() const noexcept { return {candidates_.data(), size_}; }
  /// The candidate for @p a; null if there is none.
  const candidate* find(algorithm a) const noexcept {
    const auto all = candidates();
    const auto found =
        std::find_if(all.begin(), all.end(), [a](const candidate& c) { return c.algorithm == a; });
    return found == all.end() ? nullptr : &*found;
  }

  // Set by the library.
  /// Adds a candidate, or replaces that for the same algorithm.
  void set(const candidate& made) noexcept {
    const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(size_);
    const auto found = std::find_if(candidates_.begin(), end, [&](const candidate& c) {
      return c.algorithm == made.algorithm;
    });
    if (found == end) {
      if (size_ == most_candidates) return;
      ++size_;
    }
    *found = made;
  }

 private:
  std::array<candidate, most_candidates> candidates_{};
  std::size_t size_ = 0;
};

/// A line for each candidate, such as "dijkstra: 1.5 ms" or "elimination: there are few sources";
/// no lines if the caller named the algorithm.
APSP_EXPORT std::string to_string(const plan& made);

}  // namespace apsp
