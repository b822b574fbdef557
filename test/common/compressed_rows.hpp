// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "generators.hpp"
#include "graphs.hpp"

namespace apsp_test {

/// Returns the graph in compressed sparse rows. The arcs of a vertex keep their order.
template <class T>
csr_arrays<T> in_rows(const arc_list<T>& g) {
  csr_arrays<T> rows;
  for (std::size_t u = 0; u < g.n; ++u) {
    for (std::size_t k = 0; k < g.size(); ++k) {
      if (g.from(k) != u) continue;
      rows.add(g.to(k), g.weights[k]);
    }
    rows.end_row();
  }
  return rows;
}

}  // namespace apsp_test
