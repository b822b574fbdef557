// SPDX-License-Identifier: BSL-1.0
#pragma once

// The files of checkpoints, and the pivots from which calls go on.
#include <apsp/policy.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "files.hpp"
#include "graphs.hpp"

namespace apsp_test {

/// The graph of the processes that are killed.
inline constexpr std::size_t killed_n = 1500;
inline arc_list<std::int32_t> killed_graph() {
  return random_graph<std::int32_t>(killed_n, 0.004, 1, 1000, 5);
}

inline std::filesystem::path label_of(const std::filesystem::path& file) {
  return std::filesystem::weakly_canonical(file) += ".pivot";
}

/// The pivot of a label; 0 without a label.
inline std::size_t pivot_of(const std::filesystem::path& file) {
  const std::string text = text_of(label_of(file));
  const auto at = text.find("\npivot ");
  return at == std::string::npos ? 0 : std::stoul(text.substr(at + 7));
}

/// Records the first number of pivots that a call reports.
class first_report {
 public:
  apsp::progress_callback callback() {
    return [this](std::size_t done, std::size_t) {
      if (!done_) done_ = done;
    };
  }
  std::optional<std::size_t> done() const { return done_; }

 private:
  std::optional<std::size_t> done_;
};

}  // namespace apsp_test
