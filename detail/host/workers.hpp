// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "monitor.hpp"

namespace apsp::detail::host {

/// The threads of a step of preparation, and whose stop requests it observes.
struct workers {
  int threads = 1;  ///< 0: OpenMP's default.
  const monitor* watch = nullptr;
};

}  // namespace apsp::detail::host
