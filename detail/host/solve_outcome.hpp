// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace apsp::detail {

/// How a solver ended.
enum class solve_outcome {
  finished,
  stopped,       ///< A stop was requested.
  not_converged  ///< Rounding makes a non-negative cycle look negative.
};

}  // namespace apsp::detail
