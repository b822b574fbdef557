// SPDX-License-Identifier: BSL-1.0
#include <apsp/breadth_first_search_batch.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/padded_matrices.hpp>
#include <tuple>

#include "binding.hpp"

namespace apsp_python {
namespace {

/// The type of the weights of graphs whose distances are of type T.
template <class T>
using weight_for = std::conditional_t<(sizeof(T) < sizeof(std::int32_t)), std::int32_t, T>;
template <class T>
using array_3d = nb::ndarray<T, nb::numpy, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <class T>
auto solve_batch(const std::vector<any_graph<weight_for<T>>>& graphs, bool has_equal_weights,
                 const array_3d<T>& distances, T no_path, T padding, const settings& how) {
  const apsp::padded_matrices<T> padded(distances.data(), distances.shape(0), distances.shape(1),
                                        no_path, padding);
  const std::vector<apsp::result> all = run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      return has_equal_weights ? apsp::breadth_first_search(policy, graphs, padded)
                               : apsp::floyd_warshall(policy, graphs, padded);
    });
  });
  // The first that has a negative cycle stands for all.
  std::size_t shown = 0;
  bool is_saturated = false;
  for (std::size_t i = all.size(); i-- > 0;) {
    if (!all[i]) shown = i;
    is_saturated |= all[i].saturated();
  }
  report found = report_of(all.at(shown));
  found["saturated"] = is_saturated;
  return std::tuple(found, shown);
}

template <class T>
void bind(nb::module_& m) {
  m.def("batch", solve_batch<T>, "graphs"_a, "has_equal_weights"_a, "distances"_a.noconvert(),
        "no_path"_a, "padding"_a, "settings"_a,
        "Writes one matrix for each graph, of which there is one at least; returns what the call "
        "reports, and the number of a graph with a negative cycle.");
}

}  // namespace

void bind_batch(nb::module_& m) {
  bind<std::int8_t>(m);
  bind<std::uint8_t>(m);
  bind<std::int16_t>(m);
  for_each_type([&]<class T> { bind<T>(m); });
}

}  // namespace apsp_python
