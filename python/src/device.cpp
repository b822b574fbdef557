// SPDX-License-Identifier: BSL-1.0
// Calls whose graphs and results are in the memory of a device. All of them compile without CUDA.
#include <apsp/device_graph.hpp>
#include <apsp/device_matrix.hpp>
#include <apsp/device_memory.hpp>
#include <apsp/error.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "binding.hpp"
#include "solve.hpp"

namespace apsp_python {
namespace {

template <class T, int NumDimensions>
using device_array = nb::ndarray<T, nb::ndim<NumDimensions>, nb::c_contig>;

/// nanobind tells managed memory from other memory of a device.
template <class Array>
void require_on_device(const Array& given) {
  const int place = given.device_type();
  if (place == nb::device::cuda::value || place == nb::device::cuda_managed::value) return;
  throw std::invalid_argument(
      "apsp: expected arrays in the memory of a CUDA device, got one of kind " +
      std::to_string(place) + " of DLPack");
}

template <class T>
apsp::device_span<const T> device_span_of(const device_array<const T, 1>& given) {
  return {given.data(), given.size()};
}

/// The arrays of a call on a device beside those of the graph.
template <class T>
struct device_arrays {
  const std::optional<vertices>& sources;
  const device_array<T, 2>& distances;
  const std::optional<device_array<std::int32_t, 2>>& predecessors;
};

/// @param waits  return when the results are complete
template <class T, class Graph>
report solve_into(const Graph& graph, std::size_t num_vertices, const device_arrays<T>& arrays,
                  const settings& how, bool waits) {
  const auto& [sources, distances, predecessors] = arrays;
  const std::size_t rows = sources ? sources->size() : num_vertices;
  const auto check = [&](const auto& matrix, const char* what) {
    if (matrix.shape(0) == rows && matrix.shape(1) == num_vertices) return;
    throw std::invalid_argument("apsp: expected " + std::string(what) + " of " +
                                std::to_string(rows) + " x " + std::to_string(num_vertices) +
                                ", got " + std::to_string(matrix.shape(0)) + " x " +
                                std::to_string(matrix.shape(1)));
  };
  check(distances, "distances");
  require_on_device(distances);
  if (predecessors) {
    check(*predecessors, "predecessors");
    require_on_device(*predecessors);
  }
  std::optional<std::span<const std::int64_t>> source_numbers;
  if (sources) source_numbers.emplace(span_of(*sources));
  const outputs<T> results{distances.data(), predecessors ? predecessors->data() : nullptr, rows,
                           num_vertices};
  return report_of(run(how, [&](const settings& now) {
    const apsp::result done = solve_view<apsp::device_matrix_view>(now, device_policy_of(now),
                                                                   graph, source_numbers, results);
    if (waits && rows != 0 && num_vertices != 0) {
      // An entry is copied when the work that is already on the stream is done.
      static_cast<void>(apsp::copy_to_host(apsp::device_span<const T>(results.distances, 1),
                                           reinterpret_cast<CUstream_st*>(now.stream)));
    }
    return done;
  }));
}

// The weights, whose type is that of the overload, come first: an overload takes over what is
// exchanged up to the first argument that it refuses.
template <class T>
void bind_type(nb::module_& m) {
  m.def(
      "solve_on_device",
      [](const device_array<const T, 2>& weights, const std::optional<vertices>& sources,
         const device_array<T, 2>& distances,
         const std::optional<device_array<std::int32_t, 2>>& predecessors, const settings& how,
         bool waits) {
        require_on_device(weights);
        const apsp::device_matrix_view<const T> graph(weights.data(), weights.shape(0),
                                                      weights.shape(1));
        return solve_into<T>(graph, weights.shape(0), {sources, distances, predecessors}, how,
                             waits);
      },
      "weights"_a.noconvert(), "sources"_a.none(), "distances"_a.noconvert(),
      "predecessors"_a.noconvert().none(), "settings"_a, "waits"_a,
      "As solve, for a matrix and results in the memory of a device.");
  m.def(
      "solve_on_device",
      [](const device_array<const T, 1>& weights,
         const device_array<const std::int32_t, 1>& offsets,
         const device_array<const std::int32_t, 1>& targets, const std::optional<vertices>& sources,
         const device_array<T, 2>& distances,
         const std::optional<device_array<std::int32_t, 2>>& predecessors, const settings& how,
         bool waits) {
        require_on_device(weights);
        require_on_device(offsets);
        require_on_device(targets);
        const apsp::device_csr_view<std::int32_t, std::int32_t, T> graph(
            device_span_of(offsets), device_span_of(targets), device_span_of(weights));
        return solve_into<T>(graph, graph.num_vertices(), {sources, distances, predecessors}, how,
                             waits);
      },
      "weights"_a.noconvert(), "offsets"_a.noconvert(), "targets"_a.noconvert(), "sources"_a.none(),
      "distances"_a.noconvert(), "predecessors"_a.noconvert().none(), "settings"_a, "waits"_a,
      "As solve, for compressed sparse rows on a device.");
}

/// A new array on a device, which frees it when nothing refers to it.
template <class T>
nb::ndarray<nb::array_api, nb::device::cuda> new_array(std::size_t rows, std::size_t columns,
                                                       int device) {
  auto made = std::make_unique<apsp::device_matrix<T>>(rows, columns, device);
  T* const first = made->data();
  const int number = made->device();
  const nb::capsule owner(made.release(),
                          [](void* p) noexcept { delete static_cast<apsp::device_matrix<T>*>(p); });
  return nb::ndarray<nb::array_api, nb::device::cuda>(
      first, {rows, columns}, owner, {}, nb::dtype<T>(), nb::device::cuda::value, number);
}

}  // namespace

void bind_device(nb::module_& m) {
#ifdef APSP_WITHOUT_CUDA
  m.attr("has_kernels") = false;
#else
  m.attr("has_kernels") = true;
#endif
  m.def(
      "has_device",
      [] {
        const nb::gil_scoped_release others_run;
        try {
          apsp::matrix<float> one(1, 1, 0.0F);
          return static_cast<bool>(apsp::floyd_warshall(apsp::cuda_tiled.required(), one, one));
        } catch (const apsp::device_error&) {
          return false;
        }
      },
      "Returns whether the current CUDA device can be used.");
  for_each_type([&]<class T> { bind_type<T>(m); });
  m.def(
      "empty_on_device",
      [](const std::string& type, std::size_t rows, std::size_t columns, int device) {
        if (type == "float64") return new_array<double>(rows, columns, device);
        if (type == "float32") return new_array<float>(rows, columns, device);
        if (type == "int32") return new_array<std::int32_t>(rows, columns, device);
        if (type == "int64") return new_array<std::int64_t>(rows, columns, device);
        throw std::invalid_argument("apsp: expected float64, float32, int32 or int64, got " + type);
      },
      "dtype"_a, "rows"_a, "columns"_a, "device"_a,
      "Returns an array of uninitialized entries, which has __dlpack__.");
}

}  // namespace apsp_python
