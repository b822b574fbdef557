// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace apsp::inline v1::detail {

/// How a solver ended.
enum class solve_outcome {
  finished,
  stopped,       ///< A stop was requested.
  not_converged  ///< Rounding makes a non-negative cycle look negative.
};

}  // namespace apsp::inline v1::detail
