// SPDX-License-Identifier: BSL-1.0
#include <apsp/error.hpp>
#include <apsp/plan.hpp>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include "binding.hpp"

namespace {

using namespace apsp_python;

/// The algorithm of that name; none for auto.
std::optional<apsp::algorithm> algorithm_of(const std::string& name) {
  using apsp::algorithm;
  if (name == "auto") return std::nullopt;
  for (const algorithm known : {algorithm::floyd_warshall, algorithm::dijkstra,
                                algorithm::bellman_ford, algorithm::johnson}) {
    if (name == apsp::to_string(known)) return known;
  }
  throw std::invalid_argument(
      "apsp: expected floyd_warshall, dijkstra, bellman_ford, johnson or auto, got " + name);
}

void bind_prediction(nb::module_& m) {
  m.def(
      "predicted_seconds",
      [](const std::string& method, std::size_t num_vertices, std::size_t num_arcs,
         std::size_t num_sources) {
        return apsp::predicted_seconds({num_vertices, num_arcs, num_sources}, algorithm_of(method));
      },
      "method"_a, "num_vertices"_a, "num_arcs"_a, "num_sources"_a,
      "Returns the time that one thread of the host is predicted to take.");
}

void bind_settings(nb::module_& m) {
  nb::class_<settings>(m, "Settings", "What a call is to do, and where.")
      .def(
          "__init__",
          [](settings* made, const std::string& method, std::string policy, int threads, int device,
             bool required, std::size_t memory_limit, std::uintptr_t stream,
             const std::optional<limit>& cutoff,
             std::function<void(std::size_t, std::size_t)> progress, bool is_long) {
            new (made) settings{algorithm_of(method),
                                std::move(policy),
                                threads,
                                device,
                                required,
                                memory_limit,
                                stream,
                                cutoff ? std::optional(value_of(*cutoff)) : std::nullopt,
                                std::move(progress),
                                is_long,
                                {}};
          },
          nb::kw_only(), "method"_a, "policy"_a, "threads"_a, "device"_a, "required"_a,
          "memory_limit"_a, "stream"_a, "cutoff"_a.none(), "progress"_a.none(), "is_long"_a);
}

// The type that is returned is not named, because mypy cannot tell the overloads apart.
/// @param name  of the class in Python
template <class T>
void bind_graph(nb::module_& m, const char* name) {
  nb::class_<any_graph<T>>(m, name, "A view of arrays, which it keeps.");
  m.def(
      "graph",
      [](const array<const std::int64_t>& offsets, const array<const std::int32_t>& targets,
         const array<const T>& weights) {
        return nb::cast(
            any_graph<T>{sparse_graph<T>(span_of(offsets), span_of(targets), span_of(weights))});
      },
      "offsets"_a.noconvert(), "targets"_a.noconvert(), "weights"_a.noconvert(),
      nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>(), nb::keep_alive<0, 3>(),
      "Returns a graph in compressed sparse rows.");
  m.def(
      "graph",
      [](const array_2d<const T>& weights) {
        return nb::cast(
            any_graph<T>{dense_graph<T>(weights.data(), weights.shape(0), weights.shape(1))});
      },
      "weights"_a.noconvert(), nb::keep_alive<0, 1>(),
      "Returns a graph of a matrix, in which the unreachable distance is no arc.");
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The calls of the C++ library; see the package apsp.";
  nb::exception<apsp::device_error>(m, "DeviceError", PyExc_RuntimeError);
  nb::exception<apsp::file_error>(
      m, "FileError", nb::make_tuple(nb::handle(PyExc_OSError), nb::handle(PyExc_ValueError)));
  m.def("abandon_parent", &abandon_parent, "To be called in a child of fork.");
  m.def("stop_all", &stop_all, "Stops all calls of all threads, and waits until they have ended.");
  bind_prediction(m);
  bind_settings(m);
  bind_graph<double>(m, "Float64Graph");
  bind_graph<float>(m, "Float32Graph");
  bind_graph<std::int32_t>(m, "Int32Graph");
  bind_graph<std::int64_t>(m, "Int64Graph");
  bind_accessibility(m);
  bind_batch(m);
  bind_betweenness(m);
  bind_carry(m);
  bind_closure(m);
  bind_device(m);
  bind_files(m);
  bind_hierarchies(m);
  bind_queries(m);
  bind_rows(m);
  bind_semirings(m);
  bind_solve(m);
  bind_summary(m);
}
