// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "../../../apsp/device_matrix.hpp"
#include "../../../apsp/device_memory.hpp"
#include "../../../apsp/matrix.hpp"
#include "../../../apsp/policy.hpp"
#include "../../../apsp/result.hpp"
#include "../../../apsp/semiring.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../call/backend.hpp"
#include "../../call/placement.hpp"
#include "../../device/launch_target.hpp"
#include "../../device/memory.hpp"
#include "../../host/monitor.hpp"
#include "../../matrix/results.hpp"
#include "../../matrix/rows.hpp"
#include "../closures/cuda/closure_solver.hpp"
#include "../problem/problem.hpp"
#include "../solvers/solvers.hpp"
#include "closure_values.hpp"
#include "host_matrices.hpp"

namespace apsp::inline v1::detail {

/// The results of a closure in device memory, distances of type T. P is a `device_matrix_view` or
/// `no_predecessors`. The host copies results, or the graph, only if it has to search for a
/// negative cycle or repair predecessors that form a cycle.
template <class T, class P>
class device_matrices {
  static constexpr bool wants_predecessors = !std::is_same_v<P, no_predecessors>;

 public:
  using value_type = T;
  static constexpr bool stores_on_device = true;
  static constexpr bool can_use_less_memory = true;

  /// @param target  has a non-null stream; all data are on its device.
  device_matrices(const cuda::launch_target& target, monitor& watch,
                  const device_matrix_view<T>& distances, const P& predecessors)
      : target_(target), watch_(watch), distances_(distances), predecessors_(predecessors) {}

  backend name() const { return target_.kernels; }
  monitor& watch() const { return watch_; }
  int host_threads() const { return 0; }

  /// Kernels store distances of floating-point types only in the type in which they were computed.
  template <class S>
  static constexpr bool can_solve =
      !std::is_floating_point_v<T> || std::is_same_v<typename S::value_type, T>;
  template <class Graph>
  static constexpr bool host_reads = !device_resident<Graph>;

  template <class Graph, class F>
  auto with_host_graph(const Graph& g, F f) const {
    return detail::with_host_graph(g, target_.stream, f);
  }
  /// Calls f(place, graph) with a copy of the graph and results in host memory, and copies the
  /// results to the device.
  template <class Graph, class F>
  result through_host(const Graph& g, F f) const {
    return with_host_graph(g, [&](const auto& host_graph) {
      using host_predecessors =
          std::conditional_t<wants_predecessors, matrix<std::int32_t>, no_predecessors>;
      const std::size_t n = distances_.rows();
      const cuda_backend backend(target_, watch_);
      matrix<T> distances(n);
      host_predecessors predecessors{};
      if constexpr (wants_predecessors) predecessors = matrix<std::int32_t>(n);
      const host_matrices place(backend, distances, predecessors);
      result done = f(place, host_graph);
      if (done) {
        copy_to_device(distances, distances_, target_.stream);
        if constexpr (wants_predecessors) {
          put_predecessors(predecessors, predecessors_, target_.stream);
        }
      }
      return done;
    });
  }

  /// One closure; see `host_matrices::solution`.
  template <class Values>
  class solution {
    using C = typename Values::computed_type;
    using S = typename Values::semiring_type;

   public:
    solution(const device_matrices& place, closure_method method, const Values& values,
             memory_state memory)
        : place_(place),
          values_(values),
          n_(values.num_vertices()),
          solver_(place.target_, method, values.semiring(), n_, wants_predecessors) {
      solver_.allocate(solver_.need(), memory);
    }

    template <class Graph>
    void load(const Graph& g) {
      if constexpr (device_resident<Graph>) {
        solver_.load(device_form(g), values_.zero());
      } else {
        load_from_host(solver_, values_.source(g, 0), values_.zero(), false, [this](auto fill) {
          matrix<C> entries(n_);
          const matrix_rows<C> rows(entries, {n_, n_}, false);
          fill(rows.data());
        });
      }
    }
    bool solve() {
      return solver_.solve(values_.floor(), values_.longest_path(), values_.may_use_symmetry(),
                           place_.watch_);
    }
    bool used_symmetry() const { return solver_.used_symmetry(); }
    std::size_t num_devices() const { return 1; }
    bool is_out_of_core() const { return false; }
    bool has_negative_diagonal() { return solver_.has_negative_diagonal(); }
    /// Not known: the entries stay on the device.
    template <class Graph>
    bool may_round_below_zero(const Graph&) const {
      return false;
    }
    void release_results() {}

    template <class Graph>
    void finish(const Graph& g, result& done) {
      values_.replace_unreachable(solver_);
      [[maybe_unused]] bool are_written = false;
      if constexpr (wants_predecessors) {
        const auto in_doubt = values_.rows_in_doubt(solver_);
        if (values_.may_change_predecessors(in_doubt)) {
          // Allocations that may fail come before the first result: it may overlap the graph.
          const auto repaired = repaired_predecessors(g, in_doubt);
          if (stops(done)) return;
          put_predecessors(repaired, place_.predecessors_, place_.target_.stream);
          are_written = true;
        }
      }
      if (stops(done)) return;
      values_.apply_cutoff_on_device(solver_);
      done.set_saturated(solver_.store(place_.distances_, values_.unreachable_on_device()));
      if constexpr (wants_predecessors && Values::are_sums) {
        if constexpr (!std::is_same_v<C, T>) {
          solver_.replace_from(static_cast<C>(unreachable<T>), no_path<C>());
        }
        if (!are_written) solver_.store_predecessors(stored_view(place_.predecessors_));
      }
    }

   private:
    bool stops(result& done) const {
      if (!place_.watch_.stop_requested()) return false;
      done.set_stopped();
      return true;
    }

    /// The predecessors that the call returns, if they require searches on the host.
    template <class Graph>
    matrix<std::int32_t> repaired_predecessors(const Graph& g,
                                               const std::optional<std::vector<char>>& in_doubt) {
      matrix<C> values(n_);
      matrix<std::int32_t> predecessors(n_);
      const matrix_rows<C> value_rows(values, {n_, n_}, false);
      const matrix_rows<std::int32_t> recorded(predecessors, {n_, n_}, false);
      const host_rows<C> rows{value_rows.data(), recorded.data(), 0, {{0, n_}, {0, n_}}};
      solver_.store(rows.values, rows.predecessors);
      place_.with_host_graph(
          g, [&](const auto& host_graph) { values_.make_trees(host_graph, rows, in_doubt); });
      values_.apply_cutoff(rows);
      return predecessors;
    }

    const device_matrices& place_;
    const Values& values_;
    std::size_t n_;
    cuda::closure_solver<S> solver_;
  };

 private:
  const cuda::launch_target& target_;
  monitor& watch_;
  device_matrix_view<T> distances_;
  P predecessors_;
};

}  // namespace apsp::inline v1::detail
