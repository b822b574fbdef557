// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "../../apsp/error.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../call/request.hpp"
#include "../graph/arc_hash.hpp"
#include "../graph/edges.hpp"
#include "../graph/semiring_edges.hpp"
#include "../host/monitor.hpp"
#include "../matrix/memory.hpp"
#include "../matrix/part.hpp"
#include "agreement.hpp"
#include "communicator.hpp"
#include "grid.hpp"

// What the calls on several processes have in common: arguments that must be equal on all of them,
// and the policy that all of them run.
namespace apsp::inline v1::detail::mpi {

/// The functions that all processes must call at the same time.
enum class function {
  distributed_matrix,
  transitive_closure,
  floyd_warshall,
  repeated_squaring,
  product,
  overwriting_product,
  all_pairs,
  per_source,
  for_each_row,
  summarize_paths,
  distance_table,
  betweenness,
  accessibility
};

/// Sets the arguments that a call knows before it reads the graph.
template <class... Types, class Policy>
void set_call(shared_arguments& arguments, function called, const Policy& policy) {
  arguments.set(argument::function, called);
  arguments.set(argument::types, number_of_types<Types...>());
  std::uint64_t kind = number_of_types<Policy>();
  if constexpr (is_cuda_policy<Policy>) kind += policy.is_required();
  arguments.set(argument::policy, kind);
  arguments.set(argument::cutoff, policy.cutoff().value_or(-1));
  if constexpr (has_observer<Policy>) {
    const checkpoint_settings& files = policy.attached_observer().checkpoints;
    // No name of a file has a zero.
    arguments.set(argument::checkpoints,
                  number_of_text(files.file.string() + '\0' + files.resumed_file.string()));
  }
}

/// @throws std::invalid_argument unless @p m has that shape, and its parts are those of the
/// processes.
template <class M>
void require_distributed(const M& m, const grid& processes, std::size_t rows, std::size_t columns,
                         const char* name) {
  const auto is = [&](const std::string& what) {
    throw std::invalid_argument("apsp: " + std::string(name) + " is " + what);
  };
  if (m.num_rows() != rows || m.num_columns() != columns) {
    is(std::to_string(m.num_rows()) + " x " + std::to_string(m.num_columns()) + ", not " +
       std::to_string(rows) + " x " + std::to_string(columns));
  }
  const matrix_part part = processes.own_part(rows, columns);
  if (m.grid() != processes.shape() || m.rows().first != part.rows.first ||
      m.rows().size() != part.rows.count) {
    is("distributed over other processes than those of the policy");
  }
}
/// The same for calls that need whole rows.
template <class M>
void require_whole_rows(const M& m, const grid& processes, std::size_t rows, std::size_t columns,
                        const char* name) {
  const auto& [process_rows, process_columns] = processes.shape();
  if (process_columns != 1) {
    throw std::invalid_argument(
        "apsp: of the algorithms across processes, floyd_warshall on the host alone stores its "
        "results in a matrix that is divided by columns: expected a process grid of " +
        std::to_string(processes.everywhere().size()) + " x 1, got " +
        std::to_string(process_rows) + " x " + std::to_string(process_columns));
  }
  require_distributed(m, processes, rows, columns, name);
}

/// @throws std::invalid_argument if @p g shares memory with a part.
template <class Graph, class Part>
void require_apart(const Graph& g, const Part& part, std::size_t n) {
  using adaptor = graph_adaptor_t<Graph>;
  const matrix_shape shape{part.rows(), part.cols()};
  check_apart_from_arrays(g, part, shape);
  if constexpr (requires { adaptor::dense_matrix(g); }) {
    if (may_overlap(adaptor::dense_matrix(g), {n, n}, part, shape)) {
      throw std::invalid_argument("apsp: the graph shares memory with a distributed matrix");
    }
  }
}

/// Checks the edges of a graph of n vertices, which must be the same on all processes; returns
/// their number and, for `min_plus`, the range of their weights.
/// @param work   of the call, in nanoseconds of one thread of this process.
/// @param asked  whether the call keeps checkpoints.
template <class S, class Policy, class Graph, class T = typename S::value_type>
weight_range<T> read_weights(shared_arguments& arguments, const Policy& policy, const Graph& g,
                             const S& semiring, double work,
                             checkpoint_use asked = checkpoint_use::refused) {
  const std::size_t n = num_vertices_of(g);
  weight_range<T> weights;
  const auto read = [&](const auto& any) {
    const int threads = any.for_work(work).host_threads();
    if constexpr (is_min_plus<S>) {
      weights = find_weight_range<T>(g, n, threads);
    } else {
      check_edges(semiring, g, n, threads);
      weights.num_edges = count_values<T>(g, threads);
    }
    arguments.set(argument::arcs, weights.num_edges);
    arguments.set(argument::graph, hash_arcs<T>(g, n, threads, 0));
    return result(any.name(), algorithm::floyd_warshall);
  };
  static_cast<void>(on_backend<S>(policy, read, asked));
  return weights;
}

/// The reason why this process cannot use its device; empty if it can.
/// @throws std::invalid_argument if the policy has several devices or a stream.
template <class S, class Policy>
std::string why_not_on_device(const Policy& policy) {
  if (policy.stream() != nullptr) {
    throw std::invalid_argument("apsp: expected no stream across processes, got one");
  }
  try {
    static_cast<void>(on_backend<S>(policy.required(), [](const auto& any) {
      if (any.num_devices() > 1) {
        throw std::invalid_argument("apsp: expected one device for each process, got " +
                                    std::to_string(any.num_devices()));
      }
      return result(any.name(), algorithm::floyd_warshall);
    }));
  } catch (const device_error& error) {
    return error.what();
  }
  return {};
}

/// `omp` with the settings of @p policy that it has, too.
template <class Policy>
auto on_host(const Policy& policy) {
  const auto set = [&](auto host) {
    if (policy.cutoff()) host = host.cutoff(*policy.cutoff());
    return host.prefer_fewest_edges(policy.prefers_fewest_edges())
        .use_symmetry(policy.uses_symmetry());
  };
  if constexpr (has_observer<Policy>) {
    const observer& observed = policy.attached_observer();
    return set(omp.progress(observed.progress).stop(observed.stop));
  } else {
    return set(omp);
  }
}

/// Calls f(policy) on all processes, with the policy that they run: `omp` if it has devices, is not
/// required, and the device of one process cannot be used.
template <class S, class Everywhere, class F>
result with_policy_of_all(const Everywhere& policy, F f) {
  const auto& wrapped = policy.wrapped();
  if constexpr (is_cuda_policy<std::remove_cvref_t<decltype(wrapped)>>) {
    const communicator& everywhere = policy.processes().everywhere();
    std::string reason = together(everywhere, [&] { return why_not_on_device<S>(wrapped); });
    const std::uint64_t mark = everywhere.maximum(mark_of(everywhere, !reason.empty()));
    if (mark != 0) {
      if (reason.empty()) {
        reason =
            "process " + std::to_string(rank_of_mark(everywhere, mark)) + " cannot use its device";
      }
      result done = f(on_host(wrapped));
      done.set_fallback_reason(std::move(reason));
      return done;
    }
  }
  return f(wrapped);
}

}  // namespace apsp::inline v1::detail::mpi
