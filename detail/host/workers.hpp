// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "monitor.hpp"

namespace apsp::inline v1::detail::host {

/// The threads of a step of preparation, and whose stop requests it observes.
struct workers {
  int threads = 1;  ///< 0: OpenMP's default.
  const monitor* watch = nullptr;
};

}  // namespace apsp::inline v1::detail::host
