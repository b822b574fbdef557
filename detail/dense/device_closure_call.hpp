// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/device_matrix.hpp"
#include "../../apsp/device_memory.hpp"
#include "../../apsp/error.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../call/backend.hpp"
#include "../call/placement.hpp"
#include "../call/request.hpp"
#include "../device/launch_target.hpp"
#include "../device/memory.hpp"
#include "../graph/edges.hpp"
#include "../graph/negative_cycle.hpp"
#include "../graph/trees.hpp"
#include "../host/monitor.hpp"
#include "../matrix/results.hpp"
#include "../matrix/rows.hpp"
#include "../values/cutoff.hpp"
#include "../values/distance_code.hpp"
#include "../values/weight.hpp"
#include "closure_call.hpp"
#include "cuda/closure_solver.hpp"
#include "matrix_source.hpp"
#include "problem.hpp"
#include "solvers.hpp"

// Closures whose results are in device memory. Distances and predecessors stay there. The host
// copies them, or the graph, only if it has to search for a negative cycle or repair predecessors
// that form a cycle.
namespace apsp::detail {

/// One call that computes shortest distances in device memory. T is the type of weights and
/// distances there, P is a `device_matrix_view` or `no_predecessors`.
template <class Graph, class T, class P>
class device_closure_call {
  static constexpr bool wants_predecessors = !std::is_same_v<P, no_predecessors>;

 public:
  /// @param target  has a non-null stream; all data are on its device.
  device_closure_call(const cuda::launch_target& target, monitor& watch, closure_method method,
                      const Graph& g, const device_matrix_view<T>& distances, const P& predecessors,
                      const request& wanted, const weight_range<T>& weights)
      : target_(target),
        watch_(watch),
        method_(method),
        graph_(g),
        n_(num_vertices_of(g)),
        distances_(distances),
        predecessors_(predecessors),
        wanted_(wanted),
        limit_(to_cutoff<T>(wanted.cutoff)),
        weights_(weights) {}

  result run() {
    if constexpr (std::is_floating_point_v<T>) {
      // Kernels store distances only in the type in which they were computed.
      if (sums_may_leave_range(n_, weights_)) return run_through_host();
      return run_in(*choose_code<T>(n_, weights_));
    } else {
      return with_code(n_, weights_, [this](const auto& code) { return this->run_in(code); });
    }
  }

 private:
  bool is_negative() const { return weights_.smallest < T{}; }
  // A loop of predecessors is a cycle of length 0, up to rounding.
  bool may_have_loops() const { return !std::is_integral_v<T> || !(T{} < weights_.smallest); }

  bool is_stopped(result& done) const {
    if (!watch_.stop_requested()) return false;
    done.set_stopped();
    return true;
  }

  template <class C>
  result run_in(const distance_code<C>& code) {
    result done(target_.kernels, algorithm_of(method_));
    if (is_stopped(done)) return done;
    // A negative cycle may have n edges.
    const std::size_t longest_path = is_negative() ? n_ : n_ - std::min<std::size_t>(n_, 1);
    std::optional<cuda::closure_solver<min_plus<C>>> memory(std::in_place, target_, method_,
                                                            min_plus<C>{}, n_, wants_predecessors);
    auto& solver = *memory;
    load(solver, code);
    watch_.begin(num_steps(method_, n_, longest_path));
    if (!solver.solve(code.floor, longest_path, watch_)) {
      done.set_stopped();
      return done;
    }
    if (is_stopped(done)) return done;
    if (is_negative() && solver.has_negative_diagonal()) {
      auto found = search_negative_cycle();
      if (is_stopped(done)) return done;
      if (found.cycle.empty()) {
        // Only rounding made a diagonal entry negative.
        memory.reset();
        return run_through_host();
      }
      done.set_negative_cycle(std::move(found.cycle));
      return done;
    }
    if constexpr (is_coded_integer<C>) {
      solver.replace_from(code.unreachable_from, largest_value<C>());
    }
    bool are_put = false;
    if constexpr (wants_predecessors) {
      const auto in_doubt = rows_in_doubt(solver);
      // A vertex without a distance keeps its predecessor if the path to another vertex leads
      // through it.
      const bool may_be_cut = limit_ || !std::is_same_v<C, T>;
      if (wanted_.counts_hops || (may_be_cut && is_negative()) || !in_doubt ||
          std::find(in_doubt->begin(), in_doubt->end(), 1) != in_doubt->end()) {
        put_predecessors(repaired_predecessors(solver, code, in_doubt), predecessors_,
                         target_.stream);
        are_put = true;
      }
      if (is_stopped(done)) return done;
    }
    if (limit_) forget_beyond(solver, *limit_);
    done.set_saturated(solver.template store<T>(distances_, no_path<C>()));
    if constexpr (wants_predecessors) {
      if constexpr (!std::is_same_v<C, T>) {
        solver.replace_from(static_cast<C>(unreachable<T>), no_path<C>());
      }
      if (!are_put) solver.store_predecessors(stored_view(predecessors_));
    }
    return done;
  }

  template <class C>
  void load(cuda::closure_solver<min_plus<C>>& solver, const distance_code<C>& code) const {
    if constexpr (device_resident<Graph>) {
      solver.load(device_form(graph_), code.unreachable);
    } else {
      const matrix_source<C, T, Graph> source(graph_, n_, weights_.num_edges, diagonal::zero, code,
                                              0);
      if (source.is_sparse()) {
        const auto arcs = arcs_of<C>(source, false);
        solver.load(arcs, code.unreachable);
      } else {
        matrix<C> entries(n_);
        const matrix_rows<C> rows(entries, {n_, n_}, false);
        source.fill(rows.data(), false);
        solver.load(rows.data(), code.unreachable);
      }
    }
  }

  /// Entries above @p limit become unreachable.
  template <class C>
  void forget_beyond(cuda::closure_solver<min_plus<C>>& solver, const T& limit) const {
    if constexpr (std::is_integral_v<T>) {
      solver.replace_from(static_cast<C>(limit) + 1, no_path<C>());
    } else {
      solver.replace_from(std::nextafter(limit, unreachable<T>), no_path<C>());
    }
  }

  /// As `rows_in_doubt` of the solver, if loops are possible at all.
  template <class C>
  std::optional<std::vector<char>> rows_in_doubt(cuda::closure_solver<min_plus<C>>& solver) const {
    if (!may_have_loops()) return std::vector<char>(n_, 0);
    return solver.rows_in_doubt();
  }

  /// The predecessors that the call returns, when they require searches on the host.
  template <class C>
  matrix<std::int32_t> repaired_predecessors(
      cuda::closure_solver<min_plus<C>>& solver, const distance_code<C>& code,
      const std::optional<std::vector<char>>& in_doubt) const {
    matrix<C> distances(n_);
    matrix<std::int32_t> predecessors(n_);
    const matrix_rows<C> distance_rows(distances, {n_, n_}, false);
    const auto rows = predecessor_rows_of(predecessors, n_);
    solver.store(distance_rows.data(), rows.data());
    with_host_graph(graph_, target_.stream, [&](const auto& g) {
      if (wanted_.counts_hops) {
        choose_fewest_hops<T>(g, n_, distance_rows.data(), rows.data(), 0);
      } else {
        remove_predecessor_loops<T>(g, n_, distance_rows.data(), rows.data(), 0, in_doubt);
      }
    });
    forget_far_vertices(distance_rows.data(), rows.data(), n_, code, limit_, 0);
    return predecessors;
  }

  auto search_negative_cycle() const {
    return with_host_graph(graph_, target_.stream, [&](const auto& g) {
      return negative_cycle_search<T>(n_, collect_arcs<T>(g, weights_.num_edges)).run([&] {
        return watch_.stop_requested();
      });
    });
  }

  /// Solves with results in host memory, where the searches run, and copies them to the device.
  result run_through_host() const {
    return with_host_graph(graph_, target_.stream, [&](const auto& g) {
      using host_graph = std::remove_cvref_t<decltype(g)>;
      using host_predecessors =
          std::conditional_t<wants_predecessors, matrix<std::int32_t>, no_predecessors>;
      const cuda_backend backend(target_, watch_);
      matrix<T> distances(n_);
      host_predecessors predecessors{};
      if constexpr (wants_predecessors) predecessors = matrix<std::int32_t>(n_);
      result done =
          closure_call<cuda_backend, host_graph, matrix<T>, host_predecessors>(
              backend, method_, g, distances, predecessors, diagonal::zero, wanted_, weights_)
              .run();
      if (done) {
        copy_to_device(distances, distances_, target_.stream);
        if constexpr (wants_predecessors)
          put_predecessors(predecessors, predecessors_, target_.stream);
      }
      return done;
    });
  }

  const cuda::launch_target& target_;
  monitor& watch_;
  closure_method method_;
  const Graph& graph_;
  std::size_t n_;
  device_matrix_view<T> distances_;
  P predecessors_;
  request wanted_;
  std::optional<T> limit_;  ///< The cutoff as a distance.
  const weight_range<T> weights_;
};

/// One call on a selected device.
///
/// @param target  has a non-null stream; all data are on its device.
template <class Graph, class T, class P>
result device_closure(const cuda::launch_target& target, monitor& watch, closure_method method,
                      const Graph& g, const device_matrix_view<T>& distances, const P& predecessors,
                      const request& wanted) {
  return device_closure_call<Graph, T, P>(target, watch, method, g, distances, predecessors, wanted,
                                          summarize_graph<T>(target, g))
      .run();
}

}  // namespace apsp::detail
