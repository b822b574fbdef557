// SPDX-License-Identifier: BSL-1.0
#include <stdexcept>
#include <string>

#include "binding.hpp"

namespace apsp_python {
namespace {

template <class T>
report solve_into(const any_graph<T>& graph, const std::optional<vertices>& sources,
                  const array_2d<T>& distances,
                  const std::optional<array_2d<std::int32_t>>& predecessors, const settings& how) {
  const std::size_t n = graph.num_vertices();
  const std::size_t rows = sources ? sources->size() : n;
  if (distances.shape(0) != rows || distances.shape(1) != n) {
    throw std::invalid_argument("apsp: expected distances of " + std::to_string(rows) + " x " +
                                std::to_string(n) + ", got " + std::to_string(distances.shape(0)) +
                                " x " + std::to_string(distances.shape(1)));
  }
  if (predecessors && (predecessors->shape(0) != rows || predecessors->shape(1) != n)) {
    throw std::invalid_argument("apsp: expected predecessors of the shape of the distances");
  }
  std::optional<std::span<const std::int64_t>> source_numbers;
  if (sources) source_numbers.emplace(span_of(*sources));
  const outputs<T> results{distances.data(), predecessors ? predecessors->data() : nullptr, rows,
                           n};
  return report_of(
      run(how, [&](const settings& now) { return solve<T>(now, graph, source_numbers, results); }));
}

}  // namespace

void bind_solve(nb::module_& m) {
  for_each_type([&]<class T> {
    m.def("solve", solve_into<T>, "graph"_a, "sources"_a.none(), "distances"_a.noconvert(),
          "predecessors"_a.noconvert().none(), "settings"_a,
          "Writes distances and predecessors; returns what the call reports.");
  });
}

}  // namespace apsp_python
