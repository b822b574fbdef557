// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "../../../apsp/device_matrix.hpp"
#include "../../../apsp/device_memory.hpp"
#include "../../../apsp/graph.hpp"
#include "../../../apsp/matrix.hpp"
#include "../../../apsp/policy.hpp"
#include "../../../apsp/result.hpp"
#include "../../call/backend.hpp"
#include "../../call/placement.hpp"
#include "../../call/request.hpp"
#include "../../device/launch_target.hpp"
#include "../../device/memory.hpp"
#include "../../elimination/calls.hpp"
#include "../../graph/adjacency.hpp"
#include "../../host/monitor.hpp"
#include "../../matrix/rows.hpp"
#include "../../values/weight.hpp"
#include "../delivery/finishing.hpp"
#include "../delivery/outputs.hpp"
#include "../problem/problem.hpp"
#include "../solver/cuda/solver.hpp"
#include "call.hpp"

// Single-source algorithms with results in device memory. Kernels finish the rows there, except for
// rows that need work on the host: those are finished in host memory and copied.
namespace apsp::inline v1::detail {

/// Row r of matrices in device memory belongs to source r of the call. P is a `device_matrix_view`
/// or `no_predecessors`.
template <class T, class P>
class device_output final : public row_output<T> {
  static constexpr bool with_predecessors = !std::is_same_v<P, no_predecessors>;

 public:
  device_output(const device_matrix_view<T>& distances, const P& predecessors)
      : row_output<T>(with_predecessors),
        distances_(distances),
        predecessors_(predecessors),
        rows_(host_distances_, host_predecessors_, distances.cols()) {}

  /// Solves @p problem with rows finished by kernels; returns nothing if the host is needed to
  /// finish them.
  template <class C>
  std::optional<cuda::device_row_outcome> solve_in_place(const cuda_backend& backend,
                                                         const per_source_problem<C>& problem,
                                                         const finishing_task<T>& task) const {
    if constexpr (cuda::has_device_row_target<C, T>) {
      if (!can_finish_in_place(problem, task)) return std::nullopt;
      cuda::device_row_target<C, T> rows{distances_};
      if constexpr (with_predecessors) {
        rows.predecessors = {predecessors_.data(), predecessors_.pitch(),
                             sizeof(typename P::value_type)};
      }
      std::vector<C> potentials;
      rows.finishing = device_finishing_of(task, potentials);
      return cuda::solve_into_device_rows(backend.target(), problem, rows, backend.watch());
    } else {
      return std::nullopt;
    }
  }

  /// Allocates the rows that are finished in host memory.
  void prepare_rows() {
    if (!is_written_.empty()) return;
    host_distances_ = matrix<T>(distances_.rows(), distances_.cols());
    if constexpr (with_predecessors) {
      host_predecessors_ = host_predecessors(distances_.rows(), distances_.cols());
    }
    is_written_.resize(distances_.rows());
  }
  T* distances(std::size_t row) override { return rows_.distances(row); }
  std::int32_t* predecessors(std::size_t row) override { return rows_.predecessors(row); }
  void write(std::size_t row, std::size_t source, const T* distances,
             const std::int32_t* predecessors) override {
    rows_.write(row, source, distances, predecessors);
    is_written_[row] = 1;
  }

  /// Copies the rows finished in host memory to the device, in the order of @p stream.
  void copy_to_device(CUstream_st* stream) const {
    for (std::size_t begin = 0; begin < is_written_.size();) {
      const auto first = is_written_.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto end =
          static_cast<std::size_t>(std::find(first, is_written_.end(), 0) - is_written_.begin());
      copy(host_distances_, distances_, begin, end, stream);
      if constexpr (with_predecessors) {
        copy(host_predecessors_, predecessors_, begin, end, stream);
      }
      begin = end + 1;
    }
  }

 private:
  template <class M>
  struct on_host {
    using type = no_predecessors;
  };
  template <class I>
  struct on_host<device_matrix_view<I>> {
    using type = matrix<I>;
  };
  using host_predecessors = typename on_host<P>::type;

  template <class C>
  static bool can_finish_in_place(const per_source_problem<C>& problem,
                                  const finishing_task<T>& task) {
    const bool is_reweighted = task.potentials != nullptr;
    // Floating-point lengths are accumulated again along the tree.
    if (is_reweighted && !std::is_integral_v<T>) return false;
    if (!with_predecessors) return true;
    // A vertex beyond the limit keeps its predecessor if the path to another vertex leads through
    // it.
    const bool may_return = problem.has_negative_weight || is_reweighted;
    const bool is_limited = task.cutoff || sizeof(C) > sizeof(T);
    return !task.prefers_fewest_edges && !(may_return && is_limited);
  }

  template <class X>
  static void copy(const matrix<X>& from, const device_matrix_view<X>& to, std::size_t begin,
                   std::size_t end, CUstream_st* stream) {
    if (begin == end) return;
    const device_matrix_view<X> rows(to.data() + begin * to.pitch(), end - begin, to.cols(),
                                     to.pitch());
    cuda::copy_to_device(from[begin], bytes_of(rows), stream);
  }

  device_matrix_view<T> distances_;
  P predecessors_;
  matrix<T> host_distances_;
  host_predecessors host_predecessors_;
  matrix_output<matrix<T>, host_predecessors> rows_;
  std::vector<char> is_written_;
};

/// One call with results in device memory, while the device is selected.
///
/// @param backend  its target has a non-null stream; all data are on its device.
template <class T, class P>
result solve_into_device_memory(const cuda_backend& backend, const request& wanted,
                                const searched_graph<T>& graph,
                                std::span<const std::int32_t> sources,
                                const device_matrix_view<T>& distances, const P& predecessors) {
  device_output<T, P> output(distances, predecessors);
  CUstream_st* const stream = backend.target().stream;
  const auto run_on = [&](const auto& any) {
    using call = per_source_call<std::remove_cvref_t<decltype(any)>, device_output<T, P>>;
    const auto run = [&] {
      try {
        return call(any, wanted, graph, sources, output).run();
      } catch (...) {
        // Progress may already have been reported for some rows.
        output.copy_to_device(stream);
        throw;
      }
    };
    result done = run();
    output.copy_to_device(stream);
    return done;
  };
  try {
    return run_on(backend);
  } catch (const no_kernels& error) {
    if (wanted.is_required) throw;
    result done = run_on(host_backend(apsp::backend::omp, 0, backend.watch()));
    done.set_fallback_reason(error.what());
    return done;
  }
}

/// The same for a graph, whose arcs are copied to the host: negative cycles are searched for and
/// arcs are sorted there.
template <class Graph, class T, class P>
result device_per_source(const cuda_backend& backend, const request& wanted, const Graph& g,
                         std::span<const std::int32_t> sources,
                         const device_matrix_view<T>& distances, const P& predecessors) {
  if constexpr (is_kept_hierarchy<Graph, T>) {
    const kept_hierarchy<T>& kept = graph_adaptor_t<Graph>::kept(g);
    return solve_into_device_memory(backend, wanted, {kept.arcs, kept.weights, prepared_from(kept)},
                                    sources, distances, predecessors);
  } else {
    const auto weights = find_weight_range_anywhere<T>(backend.target(), g);
    const auto arcs = with_host_graph(g, backend.target().stream, [&](const auto& host_graph) {
      return make_adjacency<T>(host_graph, num_vertices_of(g), 0);
    });
    return solve_into_device_memory(backend, wanted, {arcs, weights}, sources, distances,
                                    predecessors);
  }
}

}  // namespace apsp::inline v1::detail
