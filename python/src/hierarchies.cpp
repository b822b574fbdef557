// SPDX-License-Identifier: BSL-1.0
#include <nanobind/stl/filesystem.h>

#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/files.hpp>  // csr_graph
#include <apsp/hierarchy_files.hpp>
#include <apsp/johnson.hpp>
#include <filesystem>

#include "hierarchies.hpp"

namespace apsp_python {
namespace {

/// The arcs of a prepared graph.
template <class T>
apsp::csr_graph<T> arcs_of(const prepared_graph<T>& graph) {
  std::vector<typename apsp::csr_graph<T>::arc> arcs;
  arcs.reserve(graph.hierarchy->num_edges());
  apsp::graph_adaptor<prepared_graph<T>>::for_each_edge(
      graph, [&](std::size_t u, std::size_t v, const T& weight) {
        arcs.push_back({static_cast<std::int32_t>(u), static_cast<std::int32_t>(v), weight});
      });
  return apsp::csr_graph<T>(graph.hierarchy->num_vertices(), arcs);
}

}  // namespace

template <class T>
apsp::result solve_prepared(const settings& how, const prepared_graph<T>& graph,
                            const std::optional<std::span<const std::int64_t>>& sources,
                            const outputs<T>& results) {
  if (how.algorithm && *how.algorithm != apsp::algorithm::johnson) {
    // The others search a graph like any other.
    const apsp::csr_graph<T> arcs = arcs_of(graph);
    return solve(how, any_graph<T>{sparse_graph<T>(arcs.offsets(), arcs.targets(), arcs.weights())},
                 sources, results);
  }
  return with_policy_of(how, [&](const auto& policy) {
    const auto solve_into = [&](const auto&... matrices) {
      if (!how.algorithm) {
        if (sources) return apsp::all_pairs_shortest_paths(policy, graph, *sources, matrices...);
        return apsp::all_pairs_shortest_paths(policy, graph, matrices...);
      }
      if (sources) return apsp::johnson(policy, graph, *sources, matrices...);
      return apsp::johnson(policy, graph, matrices...);
    };
    const apsp::matrix_view<T> distances(results.distances, results.rows, results.columns);
    if (results.predecessors == nullptr) return solve_into(distances);
    return solve_into(distances, apsp::matrix_view<std::int32_t>(results.predecessors, results.rows,
                                                                 results.columns));
  });
}

namespace {

template <class T>
void write(const any_graph<T>& graph, nb::handle path) {
  const auto file = nb::cast<std::filesystem::path>(path);
  const nb::gil_scoped_release others_run;
  apsp::write_hierarchy(file, hierarchy_of(graph));
}

template <class T>
nb::object read(nb::handle path) {
  const auto file = nb::cast<std::filesystem::path>(path);
  std::shared_ptr<const hierarchy<T>> made;
  {
    const nb::gil_scoped_release others_run;
    made = std::make_shared<const hierarchy<T>>(apsp::read_hierarchy<T>(file));
  }
  return nb::cast(any_graph<T>{prepared_graph<T>{std::move(made)}});
}

}  // namespace

void bind_hierarchies(nb::module_& m) {
  for_each_type([&]<class T> {
    m.def("prepare", prepare<T>, "graph"_a, "order"_a.none(), "settings"_a,
          "Returns what the call reports, and the prepared graph.");
    m.def("customize", customize<T>, "prepared"_a, "graph"_a, "settings"_a,
          "Returns what the call reports, and the prepared graph with the weights of another one.");
    m.def("sizes_of", sizes_of<T>, "prepared"_a,
          "Returns the numbers of vertices, edges and arcs of a prepared graph, its fill, and "
          "whether a weight is negative.");
    m.def("write_hierarchy", write<T>, "prepared"_a, "path"_a, "Writes a prepared graph.");
  });
  m.def("read_hierarchy_float64", read<double>, "path"_a, "Reads a prepared graph.");
  m.def("read_hierarchy_float32", read<float>, "path"_a, "Reads a prepared graph.");
  m.def("read_hierarchy_int32", read<std::int32_t>, "path"_a, "Reads a prepared graph.");
  m.def("read_hierarchy_int64", read<std::int64_t>, "path"_a, "Reads a prepared graph.");
}

#define APSP_PYTHON_INSTANTIATE(T)                                                          \
  template apsp::result solve_prepared(const settings&, const prepared_graph<T>&,           \
                                       const std::optional<std::span<const std::int64_t>>&, \
                                       const outputs<T>&);
APSP_PYTHON_INSTANTIATE(double)
APSP_PYTHON_INSTANTIATE(float)
APSP_PYTHON_INSTANTIATE(std::int32_t)
APSP_PYTHON_INSTANTIATE(std::int64_t)

}  // namespace apsp_python
