// SPDX-License-Identifier: BSL-1.0
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <apsp/error.hpp>
#include <apsp/policy.hpp>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "call.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace apsp_python;

template <class T>
using array = nb::ndarray<T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using array_2d = nb::ndarray<T, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Calls f() on a thread while this one looks for signals, and requests a stop if there is one.
apsp::result call_interruptibly(std::stop_source& stop, const std::function<apsp::result()>& f) {
  constexpr std::chrono::milliseconds between_looks(50);
  std::mutex mutex;
  std::condition_variable ended;
  std::optional<apsp::result> done;
  std::exception_ptr failure;
  std::jthread worker([&] {
    std::optional<apsp::result> found;
    std::exception_ptr thrown;
    try {
      found.emplace(f());
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = std::move(found);
    failure = thrown;
    ended.notify_one();
  });
  bool is_interrupted = false;
  const auto has_ended = [&] { return done.has_value() || failure != nullptr; };
  for (;;) {
    {
      const nb::gil_scoped_release others_run;
      std::unique_lock lock(mutex);
      if (ended.wait_for(lock, between_looks, has_ended)) break;
    }
    if (!is_interrupted && PyErr_CheckSignals() != 0) {
      is_interrupted = true;
      stop.request_stop();
    }
  }
  if (is_interrupted) throw nb::python_error();
  if (failure != nullptr) std::rethrow_exception(failure);
  return *std::move(done);
}

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

using report = nb::typed<nb::dict, nb::str, nb::any>;

/// What a call reports besides its results.
report report_of(const apsp::result& done) {
  report found;
  found["solved"] = static_cast<bool>(done);
  found["negative_cycle"] =
      std::vector<std::size_t>(done.negative_cycle().begin(), done.negative_cycle().end());
  found["stopped"] = done.stopped();
  found["saturated"] = done.saturated();
  found["algorithm"] = std::string(apsp::to_string(done.algorithm()));
  found["executed_on"] = std::string(apsp::to_string(done.executed_on()));
  found["fallback_reason"] = std::string(done.fallback_reason());
  found["num_devices"] = done.num_devices();
  found["out_of_core"] = done.out_of_core();
  return found;
}

/// @param is_long  look for signals meanwhile
template <class T, class Graph>
report run(settings how, bool is_long, const Graph& graph, std::size_t num_vertices,
           const std::optional<array<const std::int64_t>>& sources, const array_2d<T>& distances,
           const std::optional<array_2d<std::int32_t>>& predecessors) {
  const std::size_t rows = sources ? sources->size() : num_vertices;
  if (distances.shape(0) != rows || distances.shape(1) != num_vertices) {
    throw std::invalid_argument("apsp: expected distances of " + std::to_string(rows) + " x " +
                                std::to_string(num_vertices) + ", got " +
                                std::to_string(distances.shape(0)) + " x " +
                                std::to_string(distances.shape(1)));
  }
  if (predecessors && (predecessors->shape(0) != rows || predecessors->shape(1) != num_vertices)) {
    throw std::invalid_argument("apsp: expected predecessors of the shape of the distances");
  }
  std::optional<std::span<const std::int64_t>> source_numbers;
  if (sources) source_numbers.emplace(sources->data(), sources->size());
  std::stop_source stop;
  how.stop = stop.get_token();
  const outputs<T> results{distances.data(), predecessors ? predecessors->data() : nullptr, rows,
                           num_vertices};
  const auto call = [&] { return solve<T>(how, graph, source_numbers, results); };
  if (is_long) return report_of(call_interruptibly(stop, call));
  std::optional<apsp::result> done;
  {
    const nb::gil_scoped_release others_run;
    done.emplace(call());
  }
  return report_of(*done);
}

template <class T>
void bind(nb::module_& m) {
  m.def(
      "solve",
      [](const array<const std::int64_t>& offsets, const array<const std::int32_t>& targets,
         const array<const T>& weights, const std::optional<array<const std::int64_t>>& sources,
         const array_2d<T>& distances, const std::optional<array_2d<std::int32_t>>& predecessors,
         const settings& how, bool is_long) {
        const sparse_graph<T> graph{{offsets.data(), offsets.size()},
                                    {targets.data(), targets.size()},
                                    {weights.data(), weights.size()}};
        const std::size_t n = offsets.size() == 0 ? 0 : offsets.size() - 1;
        return run<T>(how, is_long, graph, n, sources, distances, predecessors);
      },
      "offsets"_a, "targets"_a, "weights"_a, "sources"_a.none(), "distances"_a.noconvert(),
      "predecessors"_a.noconvert().none(), "settings"_a, "is_long"_a,
      "Solves a graph in compressed sparse rows; returns what the call reports.");
  m.def(
      "solve",
      [](const array_2d<T>& weights, const std::optional<array<const std::int64_t>>& sources,
         const array_2d<T>& distances, const std::optional<array_2d<std::int32_t>>& predecessors,
         const settings& how, bool is_long) {
        if (weights.shape(0) != weights.shape(1)) {
          throw std::invalid_argument("apsp: expected a square matrix, got " +
                                      std::to_string(weights.shape(0)) + " x " +
                                      std::to_string(weights.shape(1)));
        }
        const dense_graph<T> graph{weights.data(), weights.shape(0)};
        return run<T>(how, is_long, graph, weights.shape(0), sources, distances, predecessors);
      },
      "weights"_a.noconvert(), "sources"_a.none(), "distances"_a.noconvert(),
      "predecessors"_a.noconvert().none(), "settings"_a, "is_long"_a,
      "The same for a matrix, in which the unreachable distance is no arc.");
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The calls of the C++ library; see the package apsp.";
  nb::class_<settings>(m, "Settings", "What a call is to do, and where.")
      .def(
          "__init__",
          [](settings* made, const std::string& method, std::string policy, int threads, int device,
             bool required, std::size_t memory_limit, std::optional<double> cutoff,
             std::function<void(std::size_t, std::size_t)> progress) {
            new (made) settings{algorithm_of(method),
                                std::move(policy),
                                threads,
                                device,
                                required,
                                memory_limit,
                                cutoff,
                                std::move(progress),
                                {}};
          },
          nb::kw_only(), "method"_a, "policy"_a, "threads"_a, "device"_a, "required"_a,
          "memory_limit"_a, "cutoff"_a.none(), "progress"_a.none());
  nb::exception<apsp::device_error>(m, "DeviceError", PyExc_RuntimeError);
  bind<double>(m);
  bind<float>(m);
  bind<std::int32_t>(m);
  bind<std::int64_t>(m);
}
