// SPDX-License-Identifier: BSL-1.0
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/semiring.hpp>
#include <stdexcept>
#include <string>

#include "binding.hpp"

namespace apsp_python {
namespace {

/// Calls f(semiring) with the semiring of that name, other than min_plus.
template <class T, class F>
apsp::result with_semiring(const std::string& name, F f) {
  if (name == "max_min") return f(apsp::max_min<T>{});
  if (name == "min_max") return f(apsp::min_max<T>{});
  if constexpr (std::is_floating_point_v<T>) {
    if (name == "max_times") return f(apsp::max_times<T>{});
  }
  throw std::invalid_argument(
      "apsp: expected max_min, min_max or, of floating-point numbers, "
      "max_times, got " +
      name);
}

template <class T>
report solve_over(const std::string& semiring, const any_graph<T>& graph,
                  const std::optional<vertices>& sources, const array_2d<T>& distances,
                  const std::optional<array_2d<std::int32_t>>& predecessors, const settings& how) {
  const auto call = [&](const auto& over, const auto& policy, const auto&... results) {
    if (sources) return apsp::dijkstra(policy, graph, span_of(*sources), results..., over);
    return apsp::all_pairs_shortest_paths(policy, graph, results..., over);
  };
  return report_of(run(how, [&](const settings& now) {
    return with_semiring<T>(semiring, [&](const auto& over) {
      return with_policy_of(now, [&](const auto& policy) {
        const apsp::matrix_view<T> values(distances.data(), distances.shape(0), distances.shape(1));
        if (!predecessors) return call(over, policy, values);
        return call(over, policy, values,
                    apsp::matrix_view<std::int32_t>(predecessors->data(), predecessors->shape(0),
                                                    predecessors->shape(1)));
      });
    });
  }));
}

}  // namespace

void bind_semirings(nb::module_& m) {
  for_each_type([&]<class T> {
    m.def("solve_over", solve_over<T>, "semiring"_a, "graph"_a, "sources"_a.none(),
          "distances"_a.noconvert(), "predecessors"_a.noconvert().none(), "settings"_a,
          "Writes values of best paths over a semiring, and predecessors; returns what the call "
          "reports.");
  });
}

}  // namespace apsp_python
