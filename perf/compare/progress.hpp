// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace apsp_compare {

/// Tells on stderr, while it lives, that a long computation is still running: by a line that is
/// written over on a terminal, by a plain line every ten seconds elsewhere. It says nothing about
/// what ends within a second.
class progress_line {
 public:
  /// @param estimate  seconds that the computation will take, if that is known.
  explicit progress_line(std::string label, std::optional<double> estimate = std::nullopt);
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  ~progress_line();

 private:
  void tick(const std::stop_token& stop);

  std::string label_;
  std::optional<double> estimate_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread ticker_;  // The last member: it reads the others.
};

}  // namespace apsp_compare
