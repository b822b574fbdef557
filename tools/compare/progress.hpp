// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string>
#include <thread>

namespace apsp_compare {

/// Reports on stderr, during its lifetime, that a long computation is running: by a line that is
/// overwritten on a terminal, or otherwise by a line every ten seconds. Computations shorter than a
/// second are not reported.
class progress_line {
 public:
  /// @param estimate  the expected seconds of the computation, if known.
  explicit progress_line(const std::string& label, std::optional<double> estimate = std::nullopt);

 private:
  std::jthread ticker_;  // its destructor requests a stop and joins
};

}  // namespace apsp_compare
