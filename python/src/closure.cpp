// SPDX-License-Identifier: BSL-1.0
#include <apsp/transitive_closure.hpp>

#include "binding.hpp"

namespace apsp_python {

void bind_closure(nb::module_& m) {
  m.def(
      "transitive_closure",
      [](const any_graph<std::int32_t>& graph, const array_2d<bool>& bits, const settings& how) {
        return report_of(run(how, [&](const settings& now) {
          return with_policy_of(now, [&](const auto& policy) {
            return apsp::transitive_closure(
                policy, graph, apsp::matrix_view<bool>(bits.data(), bits.shape(0), bits.shape(1)));
          });
        }));
      },
      "graph"_a, "bits"_a.noconvert(), "settings"_a,
      "Writes which vertices are reachable; returns what the call reports.");
}

}  // namespace apsp_python
