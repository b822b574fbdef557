// SPDX-License-Identifier: BSL-1.0
#include <nanobind/stl/filesystem.h>

#include <apsp/files.hpp>
#include <filesystem>
#include <tuple>

#include "binding.hpp"

namespace apsp_python {
namespace {

template <class T>
array<T> copy_of(std::span<const T> values) {
  return array_of(std::vector<T>(values.begin(), values.end()));
}

template <class T>
auto read(nb::handle path, bool directed, bool renumber, bool header) {
  std::vector<std::int64_t> ids;
  apsp::csr_graph<T> graph;
  const auto file = nb::cast<std::filesystem::path>(path);
  {
    const nb::gil_scoped_release others_run;
    graph = apsp::read_graph<T>(file, {directed, renumber, header, &ids});
  }
  return std::tuple(copy_of(graph.weights()), copy_of(graph.targets()), copy_of(graph.offsets()),
                    array_of(std::move(ids)));
}

template <class T>
void bind(nb::module_& m, const char* name) {
  m.def(name, read<T>, "path"_a, "directed"_a, "renumber"_a, "header"_a,
        "Returns weights, targets and offsets of the graph in a file, and the ids of its vertices, "
        "which are empty unless it is a list of edges.");
}

}  // namespace

void bind_files(nb::module_& m) {
  bind<double>(m, "read_graph_float64");
  bind<float>(m, "read_graph_float32");
  bind<std::int32_t>(m, "read_graph_int32");
  bind<std::int64_t>(m, "read_graph_int64");
}

}  // namespace apsp_python
