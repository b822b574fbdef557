// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// What benchmarks of single sources have in common: which sources, and what is said of their results.
namespace source_checks {

enum class verdict { not_checked, right, wrong };

inline const char* to_text(verdict v) {
  return v == verdict::right ? "yes" : v == verdict::wrong ? "NO" : "not";
}

/// Vertices i n / @p count. Those of a short list are in a list of a multiple of its length, too, so parts
/// of different sizes have rows in common.
inline std::vector<std::int32_t> spread_sources(std::size_t n, std::size_t count) {
  std::vector<std::int32_t> sources(count);
  for (std::size_t i = 0; i < count; ++i) sources[i] = static_cast<std::int32_t>(i * n / count);
  return sources;
}

}  // namespace source_checks
