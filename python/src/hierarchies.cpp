// SPDX-License-Identifier: BSL-1.0
#include <nanobind/stl/filesystem.h>

#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/files.hpp>  // csr_graph
#include <apsp/hierarchy_files.hpp>
#include <apsp/johnson.hpp>
#include <filesystem>
#include <tuple>

#include "binding.hpp"

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
using hierarchy = apsp::contraction_hierarchy<T>;

template <class T>
const hierarchy<T>& hierarchy_of(const any_graph<T>& graph) {
  return *std::get<prepared_graph<T>>(graph.view).hierarchy;
}

/// @return what the preparation reports, and the graph.
template <class T>
auto prepared(std::shared_ptr<const hierarchy<T>> made) {
  const report found = report_of(made->status());
  return std::tuple(found, nb::cast(any_graph<T>{prepared_graph<T>{std::move(made)}}));
}

template <class T>
auto prepare(const any_graph<T>& graph, const std::optional<vertices>& order, const settings& how) {
  return prepared<T>(run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      return order ? std::make_shared<const hierarchy<T>>(policy, graph, span_of(*order))
                   : std::make_shared<const hierarchy<T>>(policy, graph);
    });
  }));
}

// The hierarchy is copied, so that calls of other threads can go on with the one before.
template <class T>
auto customize(const any_graph<T>& before, const any_graph<T>& graph, const settings& how) {
  return prepared<T>(run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      auto made = std::make_shared<hierarchy<T>>(hierarchy_of(before));
      made->customize(policy, graph);
      return std::shared_ptr<const hierarchy<T>>(std::move(made));
    });
  }));
}

template <class T>
auto sizes_of(const any_graph<T>& graph) {
  const hierarchy<T>& made = hierarchy_of(graph);
  bool has_negative = false;
  apsp::graph_adaptor<hierarchy<T>>::for_each_edge(
      made, [&](std::size_t, std::size_t, const T& weight) { has_negative |= weight < T{}; });
  return std::tuple(made.num_vertices(), made.num_edges(), made.num_arcs(), made.fill(),
                    has_negative);
}

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
