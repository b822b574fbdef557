// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "../../apsp/device_matrix.hpp"
#include "../../apsp/device_memory.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../call/backend.hpp"
#include "../call/placement.hpp"
#include "../call/request.hpp"
#include "../device/launch_target.hpp"
#include "../device/memory.hpp"
#include "../graph/adjacency.hpp"
#include "../host/monitor.hpp"
#include "../matrix/rows.hpp"
#include "../values/weight.hpp"
#include "call.hpp"
#include "cuda/solver.hpp"
#include "outputs.hpp"
#include "problem.hpp"

// The algorithms from single sources with results in device memory. Rows are finished there by kernels. Those
// with which the host has something to do are finished in host memory and copied.
namespace apsp::detail {

/// Row r of matrices in device memory belongs to source r of the call. P is a `device_matrix_view` or
/// `no_predecessors`.
template <class T, class P>
class device_output final : public row_output<T> {
  static constexpr bool with_predecessors = !std::is_same_v<P, no_predecessors>;

 public:
  device_output(const device_matrix_view<T>& distances, const P& predecessors)
      : row_output<T>(with_predecessors),
        distances_(distances),
        predecessors_(predecessors),
        rows_(host_distances_, host_predecessors_, distances.cols()) {}

  /// Solves @p problem with rows that kernels finish; nothing if that takes the host.
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
      rows.cutoff = task.cutoff;
      rows.may_saturate = task.may_saturate;
      std::vector<C> potentials;
      if (task.potentials != nullptr) {
        potentials.reserve(task.potentials->size());
        // Those of a problem that can be solved in C are the lengths of paths, and fit.
        for (const auto& p : *task.potentials) potentials.push_back(static_cast<C>(p));
        rows.potentials = potentials;
      }
      return cuda::solve_into_device_rows(backend.target(), problem, rows, backend.watch());
    } else {
      return std::nullopt;
    }
  }

  /// Makes room for rows that come by the host.
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

  /// Copies the rows that have come by the host to the device, in the order of @p stream.
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
    // Lengths of floating-point numbers are added up along the tree.
    if (is_reweighted && !std::is_integral_v<T>) return false;
    if (!with_predecessors) return true;
    // Of a vertex beyond the limit, the predecessor stays if the path to another leads through it.
    const bool may_return = problem.has_negative_weight || is_reweighted;
    const bool is_limited = task.cutoff || !std::is_same_v<C, T>;
    return !task.counts_hops && !(may_return && is_limited);
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

/// One call with results in device memory, on a device that is selected.
///
/// @param target       whose stream is not null, and on whose device all data lie.
/// @param asked        nothing: whatever suits the graph.
/// @param arcs         those of the graph, by `make_adjacency`.
template <class T, class P>
result solve_into_device_memory(const cuda::launch_target& target, monitor& watch,
                                std::optional<algorithm> asked, const adjacency<T>& arcs,
                                std::span<const std::int32_t> sources,
                                const device_matrix_view<T>& distances, const P& predecessors,
                                const request& wanted, const weight_range<T>& weights) {
  device_output<T, P> output(distances, predecessors);
  const auto run_on = [&](const auto& backend) {
    using call = per_source_call<std::remove_cvref_t<decltype(backend)>, device_output<T, P>>;
    const auto run = [&] {
      try {
        return call(backend, asked, arcs, sources, wanted, weights, output).run();
      } catch (...) {
        // Progress may have been told of some rows.
        output.copy_to_device(target.stream);
        throw;
      }
    };
    result done = run();
    output.copy_to_device(target.stream);
    return done;
  };
  try {
    return run_on(cuda_backend(target, watch));
  } catch (const no_kernels& error) {
    if (wanted.is_required) throw;
    result done = run_on(host_backend(backend::omp, 0, watch));
    done.set_fallback_reason(error.what());
    return done;
  }
}

/// The same from a graph, whose arcs pass through the host: to search for negative cycles and to sort is its
/// work.
/// @param weights  those of @p g, which have been found valid.
template <class Graph, class T, class P>
result device_per_source(const cuda::launch_target& target, monitor& watch,
                         std::optional<algorithm> asked, const Graph& g,
                         std::span<const std::int32_t> sources,
                         const device_matrix_view<T>& distances, const P& predecessors,
                         const request& wanted, const weight_range<T>& weights) {
  const auto arcs = with_host_graph(g, target.stream, [&](const auto& host_graph) {
    return make_adjacency<T>(host_graph, num_vertices_of(g), 0);
  });
  return solve_into_device_memory(target, watch, asked, arcs, sources, distances, predecessors,
                                  wanted, weights);
}

}  // namespace apsp::detail
