// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <vector>

#include "../../apsp/config.hpp"

namespace apsp::inline v1::detail {

/// What is added up for one source after the other.
struct path_sums {
  std::vector<double> of_vertices;
  std::vector<double> of_arcs;  ///< Empty if they are not wanted.
};

/// sums[i] += x[i] * y[i].
APSP_EXPORT void add_products(const double* x, const double* y, std::size_t count, double* sums);

}  // namespace apsp::inline v1::detail
