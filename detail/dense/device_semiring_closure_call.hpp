// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "../../apsp/device_matrix.hpp"
#include "../../apsp/device_memory.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/placement.hpp"
#include "../call/request.hpp"
#include "../graph/device_graph.hpp"
#include "../graph/edges.hpp"
#include "../graph/semiring_edges.hpp"
#include "../graph/semiring_trees.hpp"
#include "../host/monitor.hpp"
#include "../matrix/results.hpp"
#include "../matrix/rows.hpp"
#include "../values/cutoff.hpp"
#include "../values/distance_code.hpp"
#include "../values/weight.hpp"
#include "closure_call.hpp"
#include "cuda/closure_solver.hpp"
#include "device_closure_call.hpp"
#include "problem.hpp"
#include "semiring_closure_call.hpp"

namespace apsp::detail {

/// One call that computes the best path values in device memory, over a semiring of the library
/// other than `min_plus`. P is a `device_matrix_view` or `no_predecessors`.
///
/// Values stay on the device. Predecessors are inspected on the host: many cycles do not change the
/// value of a path, so predecessors may form cycles.
template <class S, class Graph, class P>
class device_semiring_closure_call {
  using T = typename S::value_type;
  static constexpr bool wants_predecessors = !std::is_same_v<P, no_predecessors>;

 public:
  /// @param target  has a non-null stream; all data are on its device.
  device_semiring_closure_call(const cuda::launch_target& target, monitor& watch,
                               closure_method method, const S& semiring, const Graph& g,
                               const device_matrix_view<T>& distances, const P& predecessors,
                               const request& wanted)
      : target_(target),
        watch_(watch),
        method_(method),
        semiring_(semiring),
        graph_(g),
        n_(num_vertices_of(g)),
        distances_(distances),
        predecessors_(predecessors),
        cutoff_(to_cutoff_of(semiring, wanted.cutoff)),
        counts_hops_(wanted.counts_hops) {}

  result run() {
    check();
    result done(target_.kernels, algorithm_of(method_));
    const std::size_t longest_path = n_ - std::min<std::size_t>(n_, 1);
    cuda::closure_solver<S> solver(target_, method_, semiring_, n_, wants_predecessors);
    load(solver);
    watch_.begin(num_steps(method_, n_, longest_path));
    if (!solver.solve(T{}, longest_path, watch_)) return stopped(done);
    matrix<std::int32_t> predecessors;
    if constexpr (wants_predecessors) predecessors = repaired_predecessors(solver);
    if (watch_.stop_requested()) return stopped(done);
    if (cutoff_) solver.forget_worse(*cutoff_);
    // Allocations that may fail come first: the distances may overlap the graph.
    if constexpr (wants_predecessors) {
      put_predecessors(predecessors, predecessors_, target_.stream);
    }
    solver.store(distances_, unreachable<T>);
    return done;
  }

 private:
  static result stopped(result& done) {
    done.set_stopped();
    return done;
  }

  /// @throws std::invalid_argument as `check_edges` does.
  void check() const {
    if constexpr (device_resident<Graph>) {
      static_cast<void>(cuda::find_device_weight_range(
          target_, device_form(graph_), admitted_values<S>(), edge_fault::not_admitted));
    } else {
      check_edges(semiring_, graph_, n_, 0);
    }
  }

  void load(cuda::closure_solver<S>& solver) const {
    if constexpr (device_resident<Graph>) {
      solver.load(device_form(graph_), T{S::zero});
    } else {
      matrix<T> entries(n_);
      const matrix_rows<T> rows(entries, {n_, n_}, false);
      semiring_source<S, Graph>(semiring_, graph_, n_, 0).fill(rows.data(), false);
      solver.load(rows.data(), T{S::zero});
    }
  }

  matrix<std::int32_t> repaired_predecessors(cuda::closure_solver<S>& solver) const {
    matrix<T> values(n_);
    matrix<std::int32_t> predecessors(n_);
    const matrix_rows<T> value_rows(values, {n_, n_}, false);
    const auto rows = predecessor_rows_of(predecessors, n_);
    solver.store(value_rows.data(), rows.data());
    with_host_graph(graph_, target_.stream, [&](const auto& g) {
      remove_predecessor_loops(semiring_, g, n_, value_rows.data(), rows.data(), 0, counts_hops_);
    });
    if (cutoff_) forget_worse(semiring_, n_, value_rows.data(), rows.data(), *cutoff_, 0);
    return predecessors;
  }

  const cuda::launch_target& target_;
  monitor& watch_;
  closure_method method_;
  const S& semiring_;
  const Graph& graph_;
  std::size_t n_;
  device_matrix_view<T> distances_;
  P predecessors_;
  std::optional<T> cutoff_;
  bool counts_hops_;
};

}  // namespace apsp::detail
