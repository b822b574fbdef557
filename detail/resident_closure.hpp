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

#include "../apsp/csr.hpp"
#include "../apsp/device_graph.hpp"
#include "../apsp/device_matrix.hpp"
#include "../apsp/device_memory.hpp"
#include "../apsp/edge_list.hpp"
#include "../apsp/error.hpp"
#include "../apsp/graph.hpp"
#include "../apsp/matrix.hpp"
#include "../apsp/matrix_traits.hpp"
#include "../apsp/result.hpp"
#include "../apsp/semiring.hpp"
#include "../apsp/unreachable.hpp"
#include "backend.hpp"
#include "closure.hpp"
#include "cuda/closure.hpp"
#include "cuda/device_memory.hpp"
#include "cuda/resident_graph.hpp"
#include "cutoff.hpp"
#include "distance_code.hpp"
#include "edges.hpp"
#include "matrix_results.hpp"
#include "matrix_rows.hpp"
#include "matrix_source.hpp"
#include "monitor.hpp"
#include "negative_cycle.hpp"
#include "per_source_problem.hpp"
#include "predecessors.hpp"
#include "resident_target.hpp"
#include "weight_types.hpp"

// Closures whose results lie in device memory. Distances and predecessors stay there; what the host needs of
// them or of the graph it gets only if it has to look for something: a negative cycle, or predecessors that
// run in a circle.
namespace apsp::detail {

/// Vertex numbers in device memory by the types that kernels write.
template <class I>
auto stored_view(const device_matrix_view<I>& m) {
  using bits_32 = std::conditional_t<std::is_signed_v<I>, std::int32_t, std::uint32_t>;
  using bits_64 = std::conditional_t<std::is_signed_v<I>, std::int64_t, std::uint64_t>;
  using stored = std::conditional_t<sizeof(I) == 4, bits_32, bits_64>;
  return device_matrix_view<stored>(reinterpret_cast<stored*>(m.data()), m.rows(), m.cols(),
                                    m.pitch());
}

/// A graph in device memory as kernels read it.
template <class Offset, class Target, class W>
cuda::resident_graph<W> resident_form(const device_csr_view<Offset, Target, W>& g) {
  return {cuda::graph_form::csr,
          g.num_vertices(),
          g.targets().size(),
          g.weights().data(),
          0,
          {g.offsets().data(), cuda::index_type_of<Offset>()},
          {g.targets().data(), cuda::index_type_of<Target>()}};
}
template <class Index, class W>
cuda::resident_graph<W> resident_form(const device_edge_list_view<Index, W>& g) {
  return {cuda::graph_form::edge_list,
          g.num_vertices(),
          g.targets().size(),
          g.weights().data(),
          0,
          {g.sources().data(), cuda::index_type_of<Index>()},
          {g.targets().data(), cuda::index_type_of<Index>()}};
}
template <readable_device_matrix M>
cuda::resident_graph<typename M::value_type> resident_form(const M& matrix) {
  const auto m = device_view_of(matrix);
  return {cuda::graph_form::dense, m.rows(), m.rows() * m.cols(), m.data(), m.pitch()};
}

/// Calls f(g) with a graph of device memory in host memory.
template <class Offset, class Target, class W, class F>
auto with_host_copy(const device_csr_view<Offset, Target, W>& g, CUstream_st* stream, F f) {
  const auto offsets = copy_to_host(g.offsets(), stream);
  const auto targets = copy_to_host(g.targets(), stream);
  const auto weights = copy_to_host(g.weights(), stream);
  return f(csr_view(offsets, targets, weights));
}
template <class Index, class W, class F>
auto with_host_copy(const device_edge_list_view<Index, W>& g, CUstream_st* stream, F f) {
  const auto sources = copy_to_host(g.sources(), stream);
  const auto targets = copy_to_host(g.targets(), stream);
  const auto weights = copy_to_host(g.weights(), stream);
  return f(edge_list_view(g.num_vertices(), sources, targets, weights));
}
template <readable_device_matrix M, class F>
auto with_host_copy(const M& g, CUstream_st* stream, F f) {
  return f(copy_to_host(device_view_of(g), stream));
}

/// The same, or calls f(g) with one of the host.
template <class Graph, class F>
auto with_host_graph(const Graph& g, CUstream_st* stream, F f) {
  if constexpr (device_resident<Graph>) {
    return with_host_copy(g, stream, f);
  } else {
    return f(g);
  }
}

/// Reads all edges of a graph once, on the device if they lie there.
/// @throws std::invalid_argument as `summarize_edges` does.
template <class T, class Graph>
weight_summary<T> summarize_graph(const cuda::launch_target& target, const Graph& g) {
  if constexpr (device_resident<Graph>) {
    return cuda::summarize_resident(target, resident_form(g));
  } else {
    return summarize_edges<T>(g, num_vertices_of(g), 0);
  }
}

/// Copies predecessors that the host has found to device memory.
template <class I>
void put_predecessors(const matrix<std::int32_t>& found, const device_matrix_view<I>& to,
                      CUstream_st* stream) {
  if constexpr (std::is_same_v<I, std::int32_t>) {
    copy_to_device(found, to, stream);
  } else {
    matrix<I> converted(found.rows());
    std::transform(found.begin(), found.end(), converted.begin(),
                   [](std::int32_t p) { return p < 0 ? no_predecessor<I> : static_cast<I>(p); });
    copy_to_device(converted, to, stream);
  }
}

/// The shortest distances of one call, into device memory. T is the type of weights and distances there, P
/// a `device_matrix_view` or `no_predecessors`.
template <class Graph, class T, class P>
class resident_closure_call {
  static constexpr bool wants_predecessors = !std::is_same_v<P, no_predecessors>;

 public:
  /// @param target  whose stream is not null, and on whose device all data lie.
  resident_closure_call(const cuda::launch_target& target, monitor& watch, closure_method method,
                        const Graph& g, const device_matrix_view<T>& distances,
                        const P& predecessors, std::optional<long double> cutoff, bool counts_hops,
                        const weight_summary<T>& weights)
      : target_(target),
        watch_(watch),
        method_(method),
        graph_(g),
        n_(num_vertices_of(g)),
        distances_(distances),
        predecessors_(predecessors),
        cutoff_(cutoff),
        counts_hops_(counts_hops),
        weights_(weights) {}

  result run() {
    return with_code(n_, weights_, [this](const auto& code) { return this->run_in(code); });
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
    // To find a negative cycle all of it has to be passed.
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
      if (counts_hops_ || (cutoff_ && is_negative()) || !in_doubt ||
          std::find(in_doubt->begin(), in_doubt->end(), 1) != in_doubt->end()) {
        put_predecessors(mended_predecessors(solver, code, in_doubt), predecessors_,
                         target_.stream);
        are_put = true;
      }
      if (is_stopped(done)) return done;
    }
    if (cutoff_) forget_beyond(solver, *to_cutoff<T>(cutoff_));
    done.set_saturated(solver.template store<T>(distances_, no_path<C>()));
    if constexpr (wants_predecessors) {
      if (!are_put) solver.store_predecessors(stored_view(predecessors_));
    }
    return done;
  }

  template <class C>
  void load(cuda::closure_solver<min_plus<C>>& solver, const distance_code<C>& code) const {
    if constexpr (device_resident<Graph>) {
      solver.load(resident_form(graph_), code.unreachable);
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
    if (limit == unreachable<T>) return;
    if constexpr (std::is_integral_v<T>) {
      solver.replace_from(static_cast<C>(limit) + 1, no_path<C>());
    } else {
      solver.replace_from(std::nextafter(limit, unreachable<T>), no_path<C>());
    }
  }

  /// As that of the solver, where loops are possible at all.
  template <class C>
  std::optional<std::vector<char>> rows_in_doubt(cuda::closure_solver<min_plus<C>>& solver) const {
    if (!may_have_loops()) return std::vector<char>(n_, 0);
    return solver.rows_in_doubt();
  }

  /// Predecessors as the call wants them, where that takes searches on the host.
  template <class C>
  matrix<std::int32_t> mended_predecessors(cuda::closure_solver<min_plus<C>>& solver,
                                           const distance_code<C>& code,
                                           const std::optional<std::vector<char>>& in_doubt) const {
    matrix<C> distances(n_);
    matrix<std::int32_t> predecessors(n_);
    const matrix_rows<C> distance_rows(distances, {n_, n_}, false);
    const auto rows = predecessor_rows_of(predecessors, n_);
    solver.store(distance_rows.data(), rows.data());
    with_host_graph(graph_, target_.stream, [&](const auto& g) {
      if (counts_hops_) {
        choose_fewest_hops<T>(g, n_, distance_rows.data(), rows.data(), 0);
      } else {
        remove_predecessor_loops<T>(g, n_, distance_rows.data(), rows.data(), 0, in_doubt);
      }
    });
    if (cutoff_) {
      forget_far_vertices(distance_rows.data(), rows.data(), n_, code, *to_cutoff<T>(cutoff_), 0);
    }
    return predecessors;
  }

  auto search_negative_cycle() const {
    return with_host_graph(graph_, target_.stream, [&](const auto& g) {
      return negative_cycle_search<T>(n_, collect_arcs<T>(g, weights_.num_edges)).run([&] {
        return watch_.stop_requested();
      });
    });
  }

  /// Solves with results in host memory, where searches follow, and puts them on the device.
  result run_through_host() const {
    return with_host_graph(graph_, target_.stream, [&](const auto& g) {
      using host_graph = std::remove_cvref_t<decltype(g)>;
      using host_predecessors =
          std::conditional_t<wants_predecessors, matrix<std::int32_t>, no_predecessors>;
      const cuda_backend backend(target_, watch_);
      matrix<T> distances(n_);
      host_predecessors predecessors{};
      if constexpr (wants_predecessors) predecessors = matrix<std::int32_t>(n_);
      result done = closure_call<cuda_backend, host_graph, matrix<T>, host_predecessors>(
                        backend, method_, g, distances, predecessors, diagonal::zero, cutoff_,
                        weights_, counts_hops_)
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
  std::optional<long double> cutoff_;
  bool counts_hops_;
  const weight_summary<T> weights_;
};

/// Where the arrays of a graph lie; null for what it has not got, and for one in host memory.
template <class Graph>
std::array<const void*, 3> arrays_of([[maybe_unused]] const Graph& g) {
  if constexpr (device_resident<Graph>) {
    const auto form = resident_form(g);
    return {form.weights, form.heads.data, form.targets.data};
  } else {
    return {};
  }
}

/// The device on which a graph of device memory lies.
template <class Graph>
int device_of(const Graph& g, int asked) {
  const auto [weights, heads, targets] = arrays_of(g);
  return common_device({weights, heads, targets}, asked);
}

/// Calls f(target, distances, predecessors) for a call whose results lie in device memory: with views of
/// them, and with the device selected where all data lie.
///
/// @param asked  of the policy. The stream of the target that f is given is not null.
template <class Graph, class D, class P, class F>
result on_device_of(const cuda::launch_target& asked, const Graph& g, D& distances, P& predecessors,
                    F f) {
  const auto [weights, heads, targets] = arrays_of(g);
  const auto rows = device_view_of(distances);
  if constexpr (device_resident<P>) {
    const auto hops = device_view_of(predecessors);
    const resident_target where(asked, {weights, heads, targets, rows.data(), hops.data()});
    return f(where.get(), rows, hops);
  } else {
    const resident_target where(asked, {weights, heads, targets, rows.data()});
    return f(where.get(), rows, predecessors);
  }
}

/// One call on a device that is selected.
///
/// @param target  whose stream is not null, and on whose device all data lie.
template <class Graph, class T, class P>
result resident_closure(const cuda::launch_target& target, monitor& watch, closure_method method,
                        const Graph& g, const device_matrix_view<T>& distances,
                        const P& predecessors, std::optional<long double> cutoff,
                        bool counts_hops) {
  return resident_closure_call<Graph, T, P>(target, watch, method, g, distances, predecessors,
                                            cutoff, counts_hops, summarize_graph<T>(target, g))
      .run();
}

}  // namespace apsp::detail
