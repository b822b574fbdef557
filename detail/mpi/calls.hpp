// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/betweenness_options.hpp"
#include "../../apsp/bit_matrix.hpp"
#include "../../apsp/device_memory.hpp"
#include "../../apsp/distance_decay.hpp"
#include "../../apsp/distance_statistics.hpp"
#include "../../apsp/error.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/result_row.hpp"
#include "../../apsp/semiring.hpp"
#include "../accessibility/calls.hpp"
#include "../all_pairs/calls.hpp"
#include "../bits/calls.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../call/request.hpp"
#include "../centrality/betweenness.hpp"
#include "../dense/call/closure_call.hpp"
#include "../dense/call/product_call.hpp"
#include "../dense/calls.hpp"
#include "../dense/problem/matrix_source.hpp"
#include "../dense/problem/problem.hpp"
#include "../dense/problem/squarings.hpp"
#include "../graph/arc_hash.hpp"
#include "../graph/edges.hpp"
#include "../graph/erased_graph.hpp"
#include "../graph/sources.hpp"
#include "../host/monitor.hpp"
#include "../matrix/memory.hpp"
#include "../matrix/part.hpp"
#include "../matrix/product_shape.hpp"
#include "../matrix/row_record.hpp"
#include "../matrix/rows.hpp"
#include "../per_source/call/planning.hpp"
#include "../per_source/call/semiring_call.hpp"
#include "../per_source/calls.hpp"
#include "../per_source/delivery/outputs.hpp"
#include "../plan/plan_call.hpp"
#include "../plan/rates.hpp"
#include "../queries/distance_table.hpp"
#include "../summary/calls.hpp"
#include "agreement.hpp"
#include "call_arguments.hpp"
#include "communicator.hpp"
#include "device_link.hpp"
#include "device_rows_solver.hpp"
#include "distributed_part.hpp"
#include "distributed_product.hpp"
#include "grid.hpp"
#include "rows_warshall_solver.hpp"

// Calls on several processes. Everywhere is a `distributed_policy`, and the matrices are each a
// `distributed_matrix`.
namespace apsp::inline v1::detail::mpi {

/// Calls solve(backend) with the backend of `distributed_part`.
template <closure_method Method, class Backend, class Solve>
result with_closure_backend(const communicator& everywhere, const Backend& backend, Solve solve) {
  if constexpr (std::is_same_v<Backend, cuda_backend> && Method == closure_method::floyd_warshall) {
    device_exchange exchange(everywhere, backend.target().device);
    return solve(device_backend(backend, exchange));
  } else {
    return solve(backend);
  }
}

/// The closure of a graph's matrix.
/// @param asked  whether the call keeps checkpoints, where it can.
template <closure_method Method, class Everywhere, class Graph, class M, class S>
result closure(const Everywhere& policy, const Graph& g, M& distances, const S& semiring,
               checkpoint_use asked) {
  using T = typename M::value_type;
  static_assert(!std::is_same_v<S, or_and>,
                "apsp: across processes, this algorithm does not run over or_and; use "
                "transitive_closure");
  check_closure_semiring<S, matrix_view<T>, no_predecessors>();
  constexpr bool is_squaring = Method == closure_method::repeated_squaring;
  constexpr bool may_use_devices = is_cuda_policy<std::remove_cvref_t<decltype(policy.wrapped())>>;
  // The rows of devices are in host memory at the end alone.
  const checkpoint_use checkpoints =
      is_squaring || may_use_devices ? checkpoint_use::refused : asked;
  const grid& processes = policy.processes();
  const communicator& everywhere = processes.everywhere();
  matrix_view<T> part = distances.part();
  std::size_t n = 0;
  double work = 0;
  weight_range<T> weights;
  agree_on_arguments(everywhere, [&](shared_arguments& arguments) {
    set_call<T, S>(arguments, is_squaring ? function::repeated_squaring : function::floyd_warshall,
                   policy.wrapped());
    n = check_graph<T>(g);
    arguments.set(argument::vertices, n);
    if constexpr (is_squaring || may_use_devices) {
      require_whole_rows(distances, processes, n, n, "the distance matrix");
    } else {
      require_distributed(distances, processes, n, n, "the distance matrix");
    }
    require_apart(g, part, n);
    work = closure_work<S>(n, false) * (is_squaring ? squarings_needed(n) : 1) / everywhere.size();
    weights = read_weights(arguments, policy.wrapped(), g, semiring, work, checkpoints);
  });
  const auto solve = [&]<class Backend>(const Backend& backend) {
    const distributed_part<Method, Backend, T> place(processes, backend, part, n);
    const auto& erased = erase_graph<T>(g);
    const request wanted = request_of(policy.wrapped());
    if constexpr (is_min_plus<S>) {
      return close_distances(place, {Method}, erased, wanted, weights);
    } else {
      return close_values(place, Method, erased, semiring, wanted);
    }
  };
  return with_policy_of_all<S>(policy, [&](const auto& common) {
    const auto on_any = [&](const auto& any) {
      return with_closure_backend<Method>(everywhere, any.for_work(work), solve);
    };
    return on_backend<S>(common, on_any, checkpoints);
  });
}

template <class Everywhere, class Graph, class M, class S>
result floyd_warshall(const Everywhere& policy, const Graph& g, M& distances, const S& semiring,
                      checkpoint_use asked = checkpoint_use::refused) {
  return closure<closure_method::floyd_warshall>(policy, g, distances, semiring, asked);
}

template <class Everywhere, class Graph, class M, class S>
result repeated_squaring(const Everywhere& policy, const Graph& g, M& distances,
                         const S& semiring) {
  return closure<closure_method::repeated_squaring>(policy, g, distances, semiring,
                                                    checkpoint_use::refused);
}

/// c = plus(c, a times b), or c = a times b.
template <class Everywhere, class A, class B, class M, class S>
result product(const Everywhere& policy, const A& a, const B& b, M& c, const S& semiring,
               bool overwrites) {
  using T = typename M::value_type;
  static_assert(!std::is_same_v<S, or_and>,
                "apsp: there is no product over or_and across processes");
  check_product_semiring<S, matrix_view<T>>();
  const grid& processes = policy.processes();
  const communicator& everywhere = processes.everywhere();
  const product_shape_of_call shape{c.num_rows(), b.num_rows(), c.num_columns()};
  // c may be a factor, and must stay as it is if an entry is refused.
  matrix<T> fresh;
  agree_on_arguments(everywhere, [&](shared_arguments& arguments) {
    set_call<T, S, A, B>(arguments, overwrites ? function::overwriting_product : function::product,
                         policy.wrapped());
    arguments.set(argument::rows, shape.rows);
    arguments.set(argument::columns, shape.columns);
    arguments.set(argument::depth, shape.depth);
    if (a.num_rows() != shape.rows || a.num_columns() != shape.depth ||
        b.num_columns() != shape.columns) {
      throw_product_shapes({a.num_rows(), a.num_columns()}, {b.num_rows(), b.num_columns()},
                           {c.num_rows(), c.num_columns()});
    }
    require_whole_rows(a, processes, shape.rows, shape.depth, "the left factor");
    require_whole_rows(b, processes, shape.depth, shape.columns, "the right factor");
    require_whole_rows(c, processes, shape.rows, shape.columns, "the result of a product");
    // Refuses what the policy may not have.
    static_cast<void>(on_backend<S>(
        policy.wrapped(), [](const auto& any) { return result(any.name(), algorithm::product); }));
    if (overwrites) fresh = matrix<T>(c.rows().size(), shape.columns, semiring.zero);
  });
  const auto left = a.part();
  const auto right = b.part();
  matrix_view<T> sums = c.part();
  if (overwrites) sums = {fresh.data(), fresh.rows(), fresh.cols()};
  const double work = product_work<S>(shape.rows, shape.columns, shape.depth) / everywhere.size();
  result done = with_policy_of_all<S>(policy, [&](const auto& common) {
    return on_backend<S>(common, [&](const auto& any) {
      const auto backend = any.for_work(work);
      return product_call(semiring,
                          distributed_product(processes, backend, left, right, sums, shape));
    });
  });
  if (overwrites && done) std::copy(fresh.begin(), fresh.end(), c.part().data());
  return done;
}

/// The closure on bits, on the hosts of all processes.
template <class Everywhere, class Graph, class M>
result transitive_closure(const Everywhere& policy, const Graph& g, M& bits) {
  static_assert(!device_resident<Graph>, "apsp: this function needs a graph in host memory");
  const auto& wrapped = policy.wrapped();
  constexpr bool asks_for_devices = is_cuda_policy<std::remove_cvref_t<decltype(wrapped)>>;
  constexpr const char* reason = "across processes, transitive_closure runs on the host";
  const grid& processes = policy.processes();
  const communicator& everywhere = processes.everywhere();
  bit_matrix& mine = bits.part();
  std::size_t n = 0;
  double work = 0;
  agree_on_arguments(everywhere, [&](shared_arguments& arguments) {
    set_call<M>(arguments, function::transitive_closure, wrapped);
    n = check_vertices(g);
    arguments.set(argument::vertices, n);
    require_whole_rows(bits, processes, n, n, "the matrix of the closure");
    if (mine.rows() != bits.rows().size() || mine.cols() != n) {
      throw std::invalid_argument("apsp: expected a part of " + std::to_string(bits.rows().size()) +
                                  " x " + std::to_string(n) + " bits, got " +
                                  std::to_string(mine.rows()) + " x " +
                                  std::to_string(mine.cols()));
    }
    if (!is_bit_matrix<Graph> && mine.rows() == n && lies_in(g, mine, n)) {
      throw std::invalid_argument("apsp: the graph shares memory with a distributed matrix");
    }
    work = entries_work(n, n) / everywhere.size();
    static_cast<void>(on_backend<bool>(wrapped, [&](const auto& any) {
      const int threads = any.for_work(work).host_threads();
      arguments.set(argument::arcs, arc_offsets(g, n, threads).back());
      arc_hash hash(n);
      visit_arcs(g, threads, [&](std::size_t u, std::size_t v) { hash.add(u, v, 0); });
      arguments.set(argument::graph, hash.value(0));
      return result(any.name(), algorithm::transitive_closure);
    }));
    if constexpr (asks_for_devices) {
      if (wrapped.is_required()) throw device_error(reason);
    }
  });
  const auto solve = [&](const host_backend& any) {
    const host_backend backend = any.for_work(work);
    std::optional<rows_warshall_solver> solver;
    together(everywhere, [&] {
      solver.emplace(processes, backend, mine);
      fill_bits(g, mine, backend.host_threads(), bits.rows().first);
    });
    result done(backend.name(), algorithm::transitive_closure);
    note_bits(backend.watch());
    if (!solver->solve()) done.set_stopped();
    return done;
  };
  if constexpr (asks_for_devices) {
    result done = on_backend<bool>(on_host(wrapped), solve);
    done.set_fallback_reason(reason);
    return done;
  } else {
    return on_backend<bool>(wrapped, solve);
  }
}

/// The sources of a call, and those that this process solves.
struct shared_sources {
  std::size_t num_vertices = 0;
  std::vector<std::int32_t> all;
  index_part mine{0, 0};
  index_part largest{0, 0};  ///< The largest share of a process.

  std::span<const std::int32_t> share() const {
    return std::span(all).subspan(mine.first, mine.count);
  }
  std::span<const std::int32_t> largest_share() const {
    return std::span(all).subspan(largest.first, largest.count);
  }
};

/// A function, and the algorithm if it is named.
struct called_function {
  function name;
  std::optional<algorithm> asked{};
};

/// Shares out the sources of a call as the rows of a matrix are.
/// @param check  check(arguments, sources) checks the other arguments.
template <class... Types, class Everywhere, class Graph, class Sources, class S, class Check>
shared_sources share_sources(const Everywhere& policy, const called_function& called,
                             const Graph& g, Sources& sources, const S& semiring, Check check) {
  using T = typename S::value_type;
  const communicator& everywhere = policy.processes().everywhere();
  shared_sources found;
  agree_on_arguments(everywhere, [&](shared_arguments& arguments) {
    set_call<S, Types...>(arguments, called.name, policy.wrapped());
    arguments.set(argument::algorithm, called.asked ? 1 + static_cast<int>(*called.asked) : 0);
    const std::size_t n = found.num_vertices = check_graph<T>(g);
    arguments.set(argument::vertices, n);
    found.all = list_sources(g, n, sources);
    arguments.set(argument::sources, found.all.size());
    arguments.set(argument::source_list, hash_vertices(found.all));
    const auto part = [&](int rank) {
      return part_of(found.all.size(), static_cast<std::size_t>(everywhere.size()),
                     static_cast<std::size_t>(rank));
    };
    found.mine = part(everywhere.rank());
    found.largest = part(0);
    check(arguments, found);
    const double work =
        search_work(kind_over<S>(), called.asked, found.largest.count, n, least_edges(g, n));
    static_cast<void>(read_weights(arguments, policy.wrapped(), g, semiring, work));
  });
  return found;
}

/// Solves the share of this process, and agrees on the result.
template <class Everywhere, class Graph, class S, class T = typename S::value_type>
result solve_share(const Everywhere& policy, std::optional<algorithm> asked, const Graph& g,
                   const shared_sources& sources, [[maybe_unused]] const S& semiring,
                   row_output<T>& output) {
  const communicator& everywhere = policy.processes().everywhere();
  return with_policy_of_all<S>(policy, [&](const auto& common) {
    return result_of_all(everywhere, [&] {
      request wanted = request_of(common, asked);
      wanted.chosen_for = sources.largest_share();
      if constexpr (is_min_plus<S>) {
        return detail::per_source(common, wanted, g, sources.share(), output);
      } else {
        return semiring_per_source(common, wanted, g, sources.share(), semiring, output);
      }
    });
  });
}

/// Calls f with the part of the predecessors that is here.
template <class P, class F>
result with_part(P& predecessors, F f) {
  if constexpr (std::is_same_v<P, no_predecessors>) {
    return f(predecessors);
  } else {
    auto part = predecessors.part();
    return f(part);
  }
}

template <class M, class P>
struct row_matrices {
  M& distances;
  P& predecessors;
};
template <class M, class P>
row_matrices(M&, P&) -> row_matrices<M, P>;

/// Writes the rows to matrices.
template <class Everywhere, class Graph, class Sources, class M, class P, class S>
result solve_rows(const Everywhere& policy, std::optional<algorithm> asked, const Graph& g,
                  Sources& sources, const row_matrices<M, P>& rows, const S& semiring) {
  M& distances = rows.distances;
  P& predecessors = rows.predecessors;
  using T = typename M::value_type;
  static_assert(has_row_values<S, T>());
  if constexpr (has_best_paths<S>) {
    const grid& processes = policy.processes();
    return with_part(predecessors, [&]<class Part>(Part& predecessor_part) {
      const auto shared = share_sources<P>(
          policy, {function::per_source, asked}, g, sources, semiring,
          [&](shared_arguments&, const shared_sources& found) {
            const std::size_t n = found.num_vertices;
            require_whole_rows(distances, processes, found.all.size(), n, "the distance matrix");
            if constexpr (!std::is_same_v<P, no_predecessors>) {
              require_whole_rows(predecessors, processes, found.all.size(), n,
                                 "the predecessor matrix");
              check_vertex_numbers<Part>(n, "the predecessor matrix");
            }
          });
      auto part = distances.part();
      matrix_output<matrix_view<T>, Part> output(part, predecessor_part, shared.num_vertices);
      return solve_share(policy, asked, g, shared, semiring, output);
    });
  }
}

template <algorithm Asked, class Everywhere, class Graph, class Sources, class M, class P, class S>
result per_source_matrix(const Everywhere& policy, const Graph& g, Sources& sources, M& distances,
                         P& predecessors, const S& semiring) {
  static_assert(has_paths_for<Asked, S>());
  return solve_rows(policy, Asked, g, sources, row_matrices{distances, predecessors}, semiring);
}

/// Chooses between Floyd–Warshall and the algorithms that solve source by source. Only
/// Floyd–Warshall divides rows.
template <class Everywhere, class Graph, class M, class P, class S>
result all_pairs(const Everywhere& policy, const Graph& g, M& distances, P& predecessors,
                 const S& semiring) {
  using T = typename M::value_type;
  constexpr bool with_predecessors = !std::is_same_v<P, no_predecessors>;
  check_closure_semiring<S, matrix_view<T>, P>();
  static_assert(
      !with_predecessors || has_best_paths<S>,
      "apsp: predecessors across processes need a semiring that has a best path for every "
      "pair of vertices: one that says is_selective and cycles_never_improve");
  const every_vertex all;
  if constexpr (with_predecessors) {
    return solve_rows(policy, std::nullopt, g, all, row_matrices{distances, predecessors},
                      semiring);
  } else if constexpr (!has_best_paths<S>) {
    return mpi::floyd_warshall(policy, g, distances, semiring);
  } else {
    if (policy.grid().columns != 1) {
      return mpi::floyd_warshall(policy, g, distances, semiring);
    }
    using wrapped = std::remove_cvref_t<decltype(policy.wrapped())>;
    call_plan chosen;
    agree_on_arguments(policy.processes().everywhere(), [&](shared_arguments& arguments) {
      set_call<T, S>(arguments, function::all_pairs, policy.wrapped());
      const std::size_t n = check_graph<T>(g);
      arguments.set(argument::vertices, n);
      const auto weights = read_weights(arguments, policy.wrapped(), g, semiring,
                                        search_work(kind_over<S>(), std::nullopt, n, n, 0));
      call_facts facts = facts_over<S>(wrapped::requested, n);
      facts.is_over_semiring = !is_min_plus<S>;
      facts.num_arcs = weights.num_edges;
      facts.has_negative_weight = is_min_plus<S> && weights.smallest < T{};
      facts.num_sources = n;
      facts.is_whole_matrix = true;
      chosen = plan_call(facts);
    });
    if (chosen.method == algorithm::floyd_warshall) {
      result done = mpi::floyd_warshall(policy, g, distances, semiring);
      done.set_candidates(chosen.candidates);
      return done;
    }
    return solve_rows(policy, std::nullopt, g, all, row_matrices{distances, predecessors},
                      semiring);
  }
}

/// Passes the rows of each process to its function.
template <class T, class Everywhere, class Graph, class Sources, class F, class S>
result for_each_row(const Everywhere& policy, const Graph& g, Sources& sources, F& f,
                    const S& semiring) {
  if constexpr (can_pass_rows<T, S, F>()) {
    const auto shared = share_sources<>(policy, {function::for_each_row}, g, sources, semiring,
                                        [](shared_arguments&, const shared_sources&) {});
    function_output<T, F> output(f, shared.num_vertices, shared.mine.first);
    return solve_share(policy, std::nullopt, g, shared, semiring, output);
  }
}

/// Fills a table; each process has the rows of its own sources.
template <class Everywhere, class Graph, class Sources, class Targets, class M>
result fill_distance_table(const Everywhere& policy, const Graph& g, Sources& sources,
                           Targets& targets, M& table) {
  using T = typename M::value_type;
  check_distance_type<T>();
  std::vector<std::int32_t> to;
  const auto shared =
      share_sources<>(policy, {function::distance_table}, g, sources, min_plus<T>{},
                      [&](shared_arguments& arguments, const shared_sources& found) {
                        to = list_sources(g, found.num_vertices, targets, "target");
                        arguments.set(argument::target_list, hash_vertices(to));
                        require_whole_rows(table, policy.processes(), found.all.size(), to.size(),
                                           "the distance table");
                      });
  auto part = table.part();
  return with_policy_of_all<min_plus<T>>(policy, [&](const auto& common) {
    return result_of_all(policy.processes().everywhere(), [&] {
      return detail::fill_distance_table(common, g, {shared.num_vertices, shared.share(), to},
                                         part);
    });
  });
}

/// Every process receives the rows that the others have computed: the rows of the matrix are shared
/// out as sources are.
template <class T>
void exchange_rows(const communicator& everywhere, T* rows, std::size_t num_rows,
                   std::size_t columns) {
  for (int rank = 0; rank < everywhere.size(); ++rank) {
    const index_part theirs = part_of(num_rows, static_cast<std::size_t>(everywhere.size()),
                                      static_cast<std::size_t>(rank));
    everywhere.broadcast(rows + theirs.first * columns, theirs.count * columns * sizeof(T), rank);
  }
}

/// Summarizes the distances from the sources; every process receives the whole summary.
template <class T, class Everywhere, class Graph, class Sources>
distance_summary<T> summarize_paths(const Everywhere& policy, const Graph& g, Sources&& sources) {
  check_distance_type<T>();
  using record = row_record<T>;
  static_assert(std::is_trivially_copyable_v<record>);
  const communicator& everywhere = policy.processes().everywhere();
  const auto shared =
      share_sources<>(policy, {function::summarize_paths}, g, sources, min_plus<T>{},
                      [](shared_arguments&, const shared_sources&) {});
  std::optional<summary_output<T>> output;
  std::vector<record> records;
  together(everywhere, [&] {
    output.emplace(shared.mine.count, shared.num_vertices);
    records.resize(shared.all.size());
  });
  result status = solve_share(policy, std::nullopt, g, shared, min_plus<T>{}, *output);
  if (status) {
    std::copy(output->all_records().begin(), output->all_records().end(),
              records.begin() + static_cast<std::ptrdiff_t>(shared.mine.first));
    exchange_rows(everywhere, records.data(), records.size(), 1);
  }
  return together(everywhere, [&] {
    return make_summary<T>(std::move(status), shared.num_vertices, shared.all, records);
  });
}

/// Adds up scores of all processes, in their order.
inline void add_up(const communicator& everywhere, std::vector<double>& scores) {
  std::vector<double> mine;
  std::vector<double> theirs;
  together(everywhere, [&] {
    mine = scores;
    theirs.resize(scores.size());
  });
  std::fill(scores.begin(), scores.end(), 0);
  for (int rank = 0; rank < everywhere.size(); ++rank) {
    std::vector<double>& next = rank == everywhere.rank() ? mine : theirs;
    everywhere.broadcast(next.data(), next.size() * sizeof(double), rank);
    std::transform(scores.begin(), scores.end(), next.begin(), scores.begin(), std::plus<>{});
  }
}

/// Each process adds up the shares of the paths from its own sources, and receives all sums.
/// @param scores      a matrix of one row.
/// @param arc_scores  the same, or `no_arc_scores`.
template <class Everywhere, class Graph, class Sources, class Scores, class ArcScores>
result betweenness(const Everywhere& policy, const Graph& g, Sources& sources, Scores scores,
                   ArcScores arc_scores, const betweenness_options& options) {
  static_assert(!lie_in_device_memory<Graph, Scores, ArcScores>,
                "apsp: betweenness takes a graph and scores in host memory");
  using T = compared_distance_t<weight_type_t<Graph>>;
  check_distance_type<T>();
  const communicator& everywhere = policy.processes().everywhere();
  std::optional<std::size_t> num_arc_scores;
  std::vector<double> sums;
  std::vector<double> arc_sums;
  const auto shared = share_sources<ArcScores>(
      policy, {function::betweenness}, g, sources, min_plus<T>{},
      [&](shared_arguments& arguments, const shared_sources& found) {
        std::uint64_t flags = 0;
        for (const bool flag : {options.merge_parallel, options.halved, options.normalized,
                                options.endpoints, options.scaled_to_all}) {
          flags = 2 * flags + (flag ? 1 : 0);
        }
        arguments.set(argument::options, std::bit_cast<std::uint64_t>(options.tolerance) ^ flags);
        num_arc_scores = check_scores(g, found.num_vertices, scores, arc_scores);
        sums.resize(found.num_vertices);
        arc_sums.resize(num_arc_scores.value_or(0));
      });
  betweenness_options of_share = options;
  of_share.scaled_to_all = false;
  result done = with_policy_of_all<min_plus<T>>(policy, [&](const auto& common) {
    return result_of_all(everywhere, [&] {
      const auto share = shared.share();
      if constexpr (std::is_same_v<ArcScores, no_arc_scores>) {
        return find_betweenness(common, g, share, one_row(sums), arc_scores, of_share);
      } else {
        return find_betweenness(common, g, share, one_row(sums), one_row(arc_sums), of_share);
      }
    });
  });
  if (!done) return done;
  add_up(everywhere, sums);
  add_up(everywhere, arc_sums);
  const auto num_sources = static_cast<double>(shared.all.size());
  const double factor = options.scaled_to_all && num_sources > 0
                            ? static_cast<double>(shared.num_vertices) / num_sources
                            : 1;
  for (std::size_t v = 0; v < sums.size(); ++v) {
    matrix_entry(scores, 0, v) = static_cast<matrix_value_t<Scores>>(sums[v] * factor);
  }
  if constexpr (!std::is_same_v<ArcScores, no_arc_scores>) {
    for (std::size_t a = 0; a < arc_sums.size(); ++a) {
      matrix_entry(arc_scores, 0, a) = static_cast<matrix_value_t<ArcScores>>(arc_sums[a] * factor);
    }
  }
  return done;
}

/// What accessibility adds up for each column of amounts.
struct decay_of_call {
  std::uint64_t hash = 0;  ///< 0 for functions, which cannot be compared.
  std::size_t num_sums = 1;
};
template <class F>
decay_of_call describe_decay(const F& decay) {
  decay_of_call found;
  if constexpr (std::is_same_v<F, distance_decay>) {
    const auto add = [&](auto value) { found.hash = mixed_bits(found.hash ^ bits_of(value)); };
    add(static_cast<int>(decay.rule().kind));
    add(decay.rule().parameter);
    add(decay.rule().nearest);
    for (const long double cutoff : decay.cutoffs()) add(cutoff);
    found.num_sums = decay.cutoffs().size();
  }
  return found;
}

/// Each process computes the sums of its own sources, and receives those of all.
/// @param amounts, sums  matrices
template <class T, class Everywhere, class Graph, class Sources, class Amounts, class F, class Sums>
result accessibility(const Everywhere& policy, const Graph& g, Sources& sources,
                     const Amounts& amounts, F& decay, Sums& sums) {
  static_assert(!lie_in_device_memory<Graph, Amounts, Sums>,
                "apsp: accessibility takes a graph, amounts and a result in host memory");
  static_assert(std::is_floating_point_v<matrix_value_t<Sums>>,
                "apsp: the sums of accessibility must be of a floating-point type");
  check_distance_type<T>();
  const communicator& everywhere = policy.processes().everywhere();
  std::vector<double> all;
  std::size_t columns = 0;
  const auto shared = share_sources<Amounts, F>(
      policy, {function::accessibility}, g, sources, min_plus<T>{},
      [&](shared_arguments& arguments, const shared_sources& found) {
        const decay_of_call described = describe_decay(decay);
        arguments.set(argument::options, described.hash);
        const matrix_shape shape = shape_of(amounts).value_or(matrix_shape{0, 0});
        require_shape(amounts, found.num_vertices, shape.columns, "the matrix of amounts");
        std::uint64_t hash = shape.columns;
        for (std::size_t v = 0; v < shape.rows; ++v) {
          for (std::size_t c = 0; c < shape.columns; ++c) {
            hash = mixed_bits(hash ^ bits_of(static_cast<double>(matrix_entry(amounts, v, c))));
          }
        }
        arguments.set(argument::amounts, hash);
        columns = shape.columns * described.num_sums;
        require_shape(sums, found.all.size(), columns, "the result");
        check_apart_from_arrays(g, sums, {found.all.size(), columns});
        all.resize(found.all.size() * columns);
      });
  result done = with_policy_of_all<min_plus<T>>(policy, [&](const auto& common) {
    return result_of_all(everywhere, [&] {
      matrix_view<double> mine(all.data() + shared.mine.first * columns, shared.mine.count,
                               columns);
      return find_accessibility<T>(common, g, shared.share(), amounts, decay, mine,
                                   shared.largest_share());
    });
  });
  if (!done) return done;
  exchange_rows(everywhere, all.data(), shared.all.size(), columns);
  for (std::size_t i = 0; i < shared.all.size(); ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      matrix_entry(sums, i, j) = static_cast<matrix_value_t<Sums>>(all[i * columns + j]);
    }
  }
  return done;
}

}  // namespace apsp::inline v1::detail::mpi
