// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace apsp_common {

/// Returns the number of bytes available without swapping, or nothing if the system does not report
/// it.
inline std::optional<std::size_t> free_memory() {
  std::ifstream in("/proc/meminfo");
  for (std::string key; in >> key;) {
    std::size_t kilobytes = 0;
    if (key == "MemAvailable:" && in >> kilobytes) return kilobytes * 1024;
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

/// Returns false, with a message, if the machine has less free memory. Linux overcommits memory, so
/// waiting for std::bad_alloc would be too late.
inline bool has_free_memory(std::size_t bytes) {
  const auto available = free_memory();
  const bool has_enough = !available || bytes <= *available;
  if (!has_enough) {
    std::printf("left out: it takes %zu GiB, and %zu are free\n", bytes >> 30, *available >> 30);
  }
  return has_enough;
}

}  // namespace apsp_common
