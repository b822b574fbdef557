// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "../../perf/common/generators.hpp"
#include "options.hpp"

namespace apsp_compare {

/// The graph to solve, with weights of the type to use.
struct loaded_graph {
  std::variant<apsp_perf::csr_arrays<float>, apsp_perf::csr_arrays<double>,
               apsp_perf::csr_arrays<std::int32_t>, apsp_perf::csr_arrays<std::int64_t>>
      arrays;
  std::string name;
  std::string why_type;  ///< reason for the type of the weights
};

/// Reads or generates the graph.
/// @throws apsp::file_error if the file does not conform to its format, std::runtime_error if a
///         generated graph could not be solved in the free memory.
loaded_graph load_graph(const options& o);

}  // namespace apsp_compare
