// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/device_graph.hpp"
#include "../../apsp/device_matrix.hpp"
#include "../../apsp/device_memory.hpp"
#include "../../apsp/error.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../call/placement.hpp"
#include "../dense/calls.hpp"
#include "../device/launch_target.hpp"
#include "../graph/device_graph.hpp"
#include "../graph/device_graphs.hpp"
#include "../host/monitor.hpp"
#include "../matrix/rows.hpp"
#include "../values/cutoff.hpp"
#include "../values/weight.hpp"
#include "common.hpp"
#include "cuda/device_graphs.hpp"
#include "cuda/small_graphs.hpp"

namespace apsp::inline v1::detail {

/// One call for many graphs in device memory, with results there. Kernels check the small graphs,
/// make their matrices and store the distances. The other graphs, and those whose diagonal becomes
/// negative, are solved one by one.
template <class Policy, class Graphs, class Matrices>
class device_batch_call {
  using matrix_reference = decltype(std::declval<Matrices&>()[std::size_t{}]);
  using D = std::remove_reference_t<matrix_reference>;
  using Graph = std::remove_cvref_t<decltype(std::declval<const Graphs&>()[std::size_t{}])>;
  using T = matrix_value_t<D>;

 public:
  device_batch_call(const Policy& policy, const Graphs& graphs, Matrices& matrices)
      : policy_(policy),
        graphs_(graphs),
        matrices_(matrices),
        watch_(policy.attached_observer()),
        cutoff_(to_cutoff<T>(policy.cutoff())),
        weights_(static_cast<std::size_t>(std::size(graphs))),
        is_done_(weights_.size()) {}

  std::vector<result> run() {
    device_of_many holder(policy_.device());
    const std::exception_ptr refusal = check_shapes(holder);
    if (refusal != nullptr && given_.empty()) std::rethrow_exception(refusal);
    if constexpr (is_built_with_cuda) {
      const selected_target where(target_of(policy_), holder.get());
      check_arcs(where.get());
      if (refusal != nullptr) std::rethrow_exception(refusal);
      copy_overwritten_graphs(where.get());
      results_.assign(given_.size(), result(where.get().kernels, algorithm::floyd_warshall));
      watch_.begin(given_.size());
      solve_small(where.get());
      for (const std::size_t i : alone_) solve_alone(i);
      for (std::size_t i = 0; i < given_.size(); ++i) {
        if (!is_done_[i]) results_[i].set_stopped();
      }
      return std::move(results_);
    } else {
      throw device_error(cuda::built_without_cuda);
    }
  }

 private:
  std::size_t num_vertices(std::size_t i) const { return given_[i].graph.num_vertices; }

  /// Describes the graphs before the first one that the host can refuse without reading arcs.
  /// @return the exception for that one, or null.
  std::exception_ptr check_shapes(device_of_many& holder) {
    given_.reserve(weights_.size());
    try {
      for (std::size_t i = 0; i < weights_.size(); ++i) {
        naming_graph(i, [&] {
          const auto& g = graphs_[i];
          matrix_reference distances = matrices_[i];
          no_predecessors nothing;
          const std::size_t n = check_device_graph<T>(g);
          check_matrices(g, distances, nothing, n, n);
          check_device_results(distances, nothing);
          const auto graph = device_form(g);
          const auto rows = device_view_of(distances);
          const std::array<const void*, 4> arrays{graph.weights, graph.heads.data,
                                                  graph.targets.data, rows.data()};
          holder.add(arrays);
          given_.push_back({graph, rows.data(), rows.pitch()});
        });
      }
    } catch (const std::logic_error&) {
      return std::current_exception();
    }
    return nullptr;
  }

  /// Reads the arcs of the described graphs.
  /// @throws the exception of the first invalid graph.
  void check_arcs(const cuda::launch_target& target) {
    std::vector<cuda::device_graph<T>> small;
    for (const auto& given : given_) {
      if (given.graph.num_vertices <= cuda::small_graph_limit) small.push_back(given.graph);
    }
    const auto found = cuda::scan_device_graphs<T>(target, small);
    std::size_t num_small = 0;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const std::size_t n = num_vertices(i);
      naming_graph(i, [&] {
        weights_[i] = n <= cuda::small_graph_limit
                          ? cuda::weights_of(found[num_small++], n)
                          : cuda::find_device_weight_range(target, given_[i].graph);
      });
    }
  }

  // A graph may overlap its own distances, which are stored after the last read of the graph.
  void copy_overwritten_graphs(const cuda::launch_target& target) {
    const memory_of_results results(matrices_, given_.size(), [this](std::size_t i) {
      return matrix_shape{num_vertices(i), num_vertices(i)};
    });
    results.check_are_apart();
    if constexpr (readable_device_matrix<Graph>) {
      for (std::size_t i = 0; i < given_.size(); ++i) {
        const std::size_t n = num_vertices(i);
        const auto matrix = dense_graph(i);
        if (n == 0 || !results.overlap(matrix, {n, n}, i)) continue;
        device_matrix<T> copy(n, n, target.device);
        copy.assign(copy_to_host(matrix, target.stream), target.stream);
        given_[i].graph = device_form(copy);
        copies_.push_back(std::move(copy));
      }
    }
  }

  device_matrix_view<const T> dense_graph(std::size_t i) const {
    const auto& graph = given_[i].graph;
    return {graph.weights, graph.num_vertices, graph.num_vertices, graph.pitch};
  }

  void solve_small(const cuda::launch_target& target) {
    small_graphs_by_type<T> lists;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const std::size_t n = num_vertices(i);
      if (n == 0) {
        finish(i);
      } else if (n > cuda::small_graph_limit || !lists.add(i, n, weights_[i])) {
        alone_.push_back(i);
      }
    }
    lists.for_each_type([&]<class C>(const std::vector<cuda::small_graph<C>>& list) {
      const auto take = [this](std::size_t i, cuda::small_graph_outcome outcome) {
        if (outcome == cuda::small_graph_outcome::negative_diagonal) {
          return alone_.push_back(
              i);  // The single call names the cycle, or solves without rounding.
        }
        results_[i].set_computed(computed_in<C>(num_vertices(i), weights_[i]));
        results_[i].set_saturated(outcome == cuda::small_graph_outcome::saturated);
        finish(i);
      };
      cuda::solve_device_graphs<C, T>(target, list, given_, cutoff_.value_or(unreachable<T>), take,
                                      watch_);
    });
  }

  void solve_alone(std::size_t i) {
    if (watch_.stop_requested()) return;
    device_matrix_view<T> distances(given_[i].result, num_vertices(i), num_vertices(i),
                                    given_[i].pitch);
    no_predecessors nothing;
    const auto solve = [&](const auto& g) {
      return detail::floyd_warshall(without_progress(policy_), g, distances, nothing,
                                    min_plus<T>{});
    };
    if constexpr (readable_device_matrix<Graph>) {
      static_cast<void>(results_[i] = solve(dense_graph(i)));
    } else {
      static_cast<void>(results_[i] = solve(graphs_[i]));
    }
    if (!results_[i].stopped()) finish(i);
  }

  void finish(std::size_t i) {
    is_done_[i] = true;
    watch_.advance(1);
  }

  const Policy& policy_;
  const Graphs& graphs_;
  Matrices& matrices_;
  monitor watch_;
  std::optional<T> cutoff_;
  std::vector<cuda::graph_with_result<T>> given_;
  std::vector<weight_range<T>> weights_;
  std::vector<bool> is_done_;
  std::vector<device_matrix<T>> copies_;
  std::vector<result> results_;
  std::vector<std::size_t> alone_;  ///< Graphs to be solved by calls of their own.
};

/// Solves a batch of which graphs or results are in device memory.
template <algorithm Asked, class Policy, class Graphs, class Matrices>
std::vector<result> solve_batch_in_device_memory([[maybe_unused]] const Policy& policy,
                                                 [[maybe_unused]] const Graphs& graphs,
                                                 [[maybe_unused]] Matrices& matrices) {
  check_device_policy<Policy>();
  constexpr bool are_on_device = device_resident<decltype(graphs[std::size_t{}])> &&
                                 device_resident<decltype(matrices[std::size_t{}])>;
  static_assert(are_on_device,
                "apsp: the graphs and the matrices of a call for many graphs must all be in device "
                "memory or all in host memory");
  static_assert(
      Asked == algorithm::floyd_warshall,
      "apsp: breadth_first_search of many graphs needs graphs and matrices in host memory");
  if constexpr (is_cuda_policy<Policy> && are_on_device && Asked == algorithm::floyd_warshall) {
    return device_batch_call<Policy, Graphs, Matrices>(policy, graphs, matrices).run();
  }
}

}  // namespace apsp::inline v1::detail
