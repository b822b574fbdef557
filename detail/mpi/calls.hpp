// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../../apsp/graph.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../call/choice.hpp"
#include "../call/request.hpp"
#include "../dense/closure_call.hpp"
#include "../dense/matrix_source.hpp"
#include "../dense/problem.hpp"
#include "../graph/edges.hpp"
#include "../graph/erased_graph.hpp"
#include "../graph/semiring_edges.hpp"
#include "../matrix/memory.hpp"
#include "../matrix/row_part.hpp"
#include "../matrix/rows.hpp"
#include "agreement.hpp"
#include "communicator.hpp"
#include "distributed_rows.hpp"

// Calls on several processes. Everywhere is a `distributed_policy`, and the matrices are each a
// `distributed_matrix`.
namespace apsp::detail::mpi {

/// The functions that all processes must call at the same time.
enum class function {
  distributed_matrix,
  floyd_warshall,
  per_source,
  for_each_row,
  summarize_paths
};

/// Sets the arguments that a call knows before it reads the graph.
template <class... Types, class Policy>
void set_call(shared_arguments& arguments, function called, const Policy& policy) {
  arguments.set(argument::function, called);
  arguments.set(argument::types, number_of_types<Types...>());
  arguments.set(argument::policy, number_of_types<Policy>());
  arguments.set(argument::cutoff, policy.cutoff().value_or(-1));
}

/// @throws std::invalid_argument unless @p m has that shape, and its parts are those of the processes.
template <class M>
void require_distributed(const M& m, const communicator& everywhere, std::size_t rows,
                         std::size_t columns, const char* name) {
  const auto is = [&](const std::string& what) {
    throw std::invalid_argument("apsp: " + std::string(name) + " is " + what);
  };
  if (m.num_rows() != rows || m.num_columns() != columns) {
    is(std::to_string(m.num_rows()) + " x " + std::to_string(m.num_columns()) + ", not " +
       std::to_string(rows) + " x " + std::to_string(columns));
  }
  const row_part part = part_of(rows, static_cast<std::size_t>(everywhere.size()),
                                static_cast<std::size_t>(everywhere.rank()));
  if (m.rows().first != part.first || m.rows().size() != part.count) {
    is("distributed over other processes than those of the policy");
  }
}

/// @throws std::invalid_argument if @p g is a dense graph that shares memory with a part.
template <class Graph, class Part>
void require_apart(const Graph& g, const Part& part, std::size_t n) {
  using adaptor = graph_adaptor_t<Graph>;
  if constexpr (requires { adaptor::dense_matrix(g); }) {
    if (may_overlap(adaptor::dense_matrix(g), {n, n}, part, {part.rows(), part.cols()})) {
      throw std::invalid_argument("apsp: the graph shares memory with a distributed matrix");
    }
  }
}

template <class Everywhere, class Graph, class M, class S>
result floyd_warshall(const Everywhere& policy, const Graph& g, M& distances, const S& semiring) {
  using T = typename M::value_type;
  static_assert(!std::is_same_v<S, or_and>,
                "apsp: there is no transitive closure across processes; use apsp::unweighted(g) "
                "over min_plus");
  check_closure_semiring<S, matrix_view<T>, no_predecessors>();
  const communicator& everywhere = policy.communicator();
  matrix_view<T> part = distances.part();
  std::size_t n = 0;
  weight_range<T> weights;
  const auto share = static_cast<double>(everywhere.size());
  const auto backend_for_work = [&](const auto& any) {
    return any.for_work(closure_work<S>(n, false) / share);
  };
  agree_on_arguments(everywhere, [&](shared_arguments& arguments) {
    set_call<T, S>(arguments, function::floyd_warshall, policy.wrapped());
    n = check_graph<T>(g);
    arguments.set(argument::vertices, n);
    require_distributed(distances, everywhere, n, n, "the distance matrix");
    require_apart(g, part, n);
    static_cast<void>(on_backend<S>(policy.wrapped(), [&](const auto& any) {
      const int threads = backend_for_work(any).host_threads();
      if constexpr (is_min_plus<S>) {
        weights = find_weight_range<T>(g, n, threads);
        arguments.set(argument::lightest, weights.smallest);
        arguments.set(argument::heaviest, weights.largest);
      } else {
        check_edges(semiring, g, n, threads);
        weights.num_edges = count_values<T>(g, threads);
      }
      arguments.set(argument::arcs, weights.num_edges);
      return result(any.name(), algorithm::floyd_warshall);
    }));
  });
  return on_backend<S>(policy.wrapped(), [&](const auto& any) {
    const auto backend = backend_for_work(any);
    const distributed_rows<T> place(everywhere, backend, part,
                                    {distances.rows().first, distances.rows().size()});
    const auto& erased = erase_graph<T>(g);
    const request wanted = request_of(policy.wrapped());
    if constexpr (is_min_plus<S>) {
      return close_distances(place, closure_method::floyd_warshall, erased, diagonal::zero, wanted,
                             weights);
    } else {
      return close_values(place, closure_method::floyd_warshall, erased, semiring, wanted);
    }
  });
}

}  // namespace apsp::detail::mpi
