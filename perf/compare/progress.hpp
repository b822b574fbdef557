// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace apsp_compare {

/// Reports on stderr, during its lifetime, that a long computation is running: by a line that is overwritten
/// on a terminal, or otherwise by a line every ten seconds. Computations shorter than a second are not
/// reported.
class progress_line {
 public:
  /// @param estimate  the expected seconds of the computation, if known.
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
  std::jthread ticker_;  // the last member, since it reads the others
};

}  // namespace apsp_compare
