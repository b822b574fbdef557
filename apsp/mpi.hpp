// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "../detail/mpi/calls.hpp"
#include "accessibility.hpp"
#include "betweenness.hpp"
#include "bit_matrix.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "distance_statistics.hpp"
#include "error.hpp"
#include "floyd_warshall.hpp"  // explains arguments that no overload takes
#include "graph.hpp"
#include "matrix.hpp"
#include "policy.hpp"
#include "process_grid.hpp"
#include "product.hpp"
#include "repeated_squaring.hpp"
#include "result.hpp"
#include "semiring.hpp"
#include "vertex_range.hpp"

// Calls on several processes, by MPI. This is the only public header that includes <mpi.h>. It is
// compiled with the program, so that one installed library serves every implementation of MPI.
//
// All processes of the communicator must make the same calls in the same order, as for the
// collective functions of MPI, and with the same graph. Results, and whether a call throws, are
// then the same on all of them. The functions of MPI are called by the thread that makes the call.
namespace apsp::inline v1 {

/// A policy and the processes that run it. It is no `execution_policy`: the overloads below take
/// it.
template <execution_policy Policy>
class distributed_policy {
  static_assert(Policy::requested != backend::cuda_naive,
                "apsp: across takes apsp::seq, apsp::omp or apsp::cuda_tiled");

 public:
  distributed_policy(MPI_Comm processes, const Policy& policy,
                     const std::optional<process_grid>& grid)
      : policy_(policy), processes_(std::make_shared<const detail::mpi::grid>(processes, grid)) {}

  /// The number of this process, from 0 on.
  int rank() const noexcept { return processes_->everywhere().rank(); }
  int num_processes() const noexcept { return processes_->everywhere().size(); }
  /// {num_processes(), 1} unless another grid was given.
  process_grid grid() const noexcept { return processes_->shape(); }
  /// The policy that every process runs.
  const Policy& wrapped() const noexcept { return policy_; }

  // For the library.
  const detail::mpi::grid& processes() const noexcept { return *processes_; }

 private:
  Policy policy_;
  std::shared_ptr<const detail::mpi::grid> processes_;
};

/// A policy that runs a call on all processes of a communicator. Collective: the communicator is
/// duplicated, and messages of the library cannot be mixed with those of the caller. Copies of the
/// policy share the duplicate, which is freed with the last of them; destroy it before
/// MPI_Finalize, or leave it to MPI_Finalize.
///
/// @param processes  an MPI_Comm, or anything that converts to one, such as
///                   boost::mpi::communicator.
/// @param policy     what each process runs: `seq`, `omp`, `cuda_tiled` or a copy of them returned
///                   by their setters. It must be the same on all processes, except for the number
///                   of threads, the device, and `progress` and `stop`, which need only be set on
///                   all or on none. With `cuda_tiled` each process uses one device: the current
///                   one, or that of `device()`. Several processes may share one.
/// @throws std::logic_error if MPI is not initialised or already finalised.
/// @throws std::invalid_argument for MPI_COMM_NULL and for an intercommunicator.
/// @throws distributed_error if a function of MPI reports an error.
template <execution_policy Policy>
distributed_policy<Policy> across(MPI_Comm processes, const Policy& policy) {
  return {processes, policy, std::nullopt};
}
/// The same with matrices that are divided by rows and columns, so that `floyd_warshall` sends
/// fewer entries to each process.
///
/// Functions that store a row for each source are refused if the grid has several columns.
/// `for_each_row`, `summarize_paths`, `accessibility` and `betweenness` share out the sources over
/// all processes in any grid.
///
/// @param grid  rows x columns processes, the same on all of them.
/// @throws std::invalid_argument on all processes if the grid is not one of all processes of the
///         communicator, or differs between them; and as above.
template <execution_policy Policy>
distributed_policy<Policy> across(MPI_Comm processes, const Policy& policy,
                                  const process_grid& grid) {
  return {processes, policy, grid};
}

/// The numbers of consecutive rows or columns: those from `first` on and before `last`.
struct index_range {
  std::size_t first = 0;
  std::size_t last = 0;

  constexpr std::size_t size() const noexcept { return last - first; }
  constexpr bool empty() const noexcept { return first == last; }
  constexpr bool contains(std::size_t index) const noexcept {
    return first <= index && index < last;
  }

  class iterator {
   public:
    using value_type = std::size_t;
    using reference = std::size_t;
    using pointer = void;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::forward_iterator_tag;

    constexpr iterator() noexcept = default;
    constexpr explicit iterator(std::size_t index) noexcept : index_(index) {}
    constexpr std::size_t operator*() const noexcept { return index_; }
    constexpr iterator& operator++() noexcept {
      ++index_;
      return *this;
    }
    constexpr iterator operator++(int) noexcept { return iterator(index_++); }
    friend constexpr bool operator==(const iterator&, const iterator&) noexcept = default;

   private:
    std::size_t index_ = 0;
  };
  constexpr iterator begin() const noexcept { return iterator(first); }
  constexpr iterator end() const noexcept { return iterator(last); }
};

/// What `distributed_matrix` and `distributed_bit_matrix` have in common: the shape, and which part
/// lies here.
template <class Entries>
class distributed_entries {
 public:
  using value_type = typename Entries::value_type;

  /// The shape of the whole matrix.
  std::size_t num_rows() const noexcept { return num_rows_; }
  std::size_t num_columns() const noexcept { return num_columns_; }
  /// That of the policy.
  process_grid grid() const noexcept { return grid_; }

  /// The rows and columns that this process holds: all columns, unless the grid has several.
  index_range rows() const noexcept { return rows_; }
  index_range columns() const noexcept { return columns_; }

 protected:
  template <class Policy>
  distributed_entries(const distributed_policy<Policy>& everywhere, std::size_t num_rows,
                      std::size_t num_columns)
      : num_rows_(num_rows), num_columns_(num_columns), grid_(everywhere.grid()) {
    const auto& processes = everywhere.processes();
    const auto part = processes.own_part(num_rows, num_columns);
    rows_ = {part.rows.first, part.rows.last()};
    columns_ = {part.columns.first, part.columns.last()};
    const auto& all = processes.everywhere();
    detail::mpi::agree_on_arguments(all, [&](detail::mpi::shared_arguments& arguments) {
      using detail::mpi::argument;
      arguments.set(argument::function, detail::mpi::function::distributed_matrix);
      arguments.set(argument::types, detail::mpi::number_of_types<Entries>());
      arguments.set(argument::rows, num_rows);
      arguments.set(argument::columns, num_columns);
      entries_ = Entries(part.rows.count, part.columns.count);
    });
  }
  ~distributed_entries() = default;
  distributed_entries(const distributed_entries&) = default;
  distributed_entries(distributed_entries&&) noexcept = default;
  distributed_entries& operator=(const distributed_entries&) = default;
  distributed_entries& operator=(distributed_entries&&) noexcept = default;

  std::size_t num_rows_;
  std::size_t num_columns_;
  process_grid grid_;
  index_range rows_;
  index_range columns_;
  Entries entries_;
};

/// A matrix whose entries lie on several processes. Each process row has consecutive rows, in the
/// order of the process rows, and one row more on the first ones if the rows cannot be shared out
/// evenly; each process column has consecutive columns in the same way. Without a grid each process
/// has whole rows. There may be more processes than rows.
template <class T>
class distributed_matrix : public distributed_entries<matrix<T>> {
 public:
  /// n x n entries, each `T()`. Collective.
  /// @throws std::invalid_argument if the shape is not the same on all processes.
  /// @throws std::bad_alloc if memory is insufficient here, distributed_error if it is on another
  ///         process.
  template <class Policy>
  distributed_matrix(const distributed_policy<Policy>& everywhere, std::size_t n)
      : distributed_matrix(everywhere, n, n) {}
  /// One row for each of some sources.
  template <class Policy>
  distributed_matrix(const distributed_policy<Policy>& everywhere, std::size_t num_rows,
                     std::size_t num_columns)
      : distributed_entries<matrix<T>>(everywhere, num_rows, num_columns) {}

  /// The entries of `rows()` and `columns()`: entry (i, j) of it is entry (rows().first + i,
  /// columns().first + j) of the matrix.
  matrix_view<T> part() noexcept {
    auto& own = this->entries_;
    return {own.data(), own.rows(), own.cols()};
  }
  matrix_view<const T> part() const noexcept {
    const auto& own = this->entries_;
    return {own.data(), own.rows(), own.cols()};
  }
};

/// A matrix of bits in the same parts, 64 columns per word.
class distributed_bit_matrix : public distributed_entries<bit_matrix> {
 public:
  /// n x n bits, all false. Collective; throws what the constructor of `distributed_matrix` does.
  template <class Policy>
  distributed_bit_matrix(const distributed_policy<Policy>& everywhere, std::size_t n)
      : distributed_entries(everywhere, n, n) {}

  /// The bits of `rows()` and `columns()`, as above. Its shape must not be changed.
  bit_matrix& part() noexcept { return entries_; }
  const bit_matrix& part() const noexcept { return entries_; }
};

/// Shortest distances between all pairs of vertices, by Floyd–Warshall on the parts of all
/// processes.
///
/// In each step 128 pivot rows, on devices up to 512, are closed and broadcast in the process
/// columns, the pivot columns are broadcast in the process rows, and all processes relax their own
/// parts; the next pivots are on their way meanwhile.
///
/// @param everywhere  from `across`. Its `progress` counts pivots on each process, and its `stop`
///                    on one process stops all; both let the processes exchange a few bytes in each
///                    step. Under `seq` and `omp` it may have `checkpoint` and `resume`, with the
///                    same files on all processes: each writes and reads its own part, and any
///                    number of processes in any grid goes on. See docs/scale.md.
/// @param graph       n vertices; weights of any sign, converted to T. The same on all processes.
/// @param distances   n x n.
/// @param over        a semiring as for the call on one process, except `or_and`, for which there
///                    is `transitive_closure`; its values must be trivially copyable.
/// @throws std::invalid_argument on all processes if the function, the types, the policy or the
///         graph differ between them, or as the call on one process does; `distances` are untouched
///         then.
/// @throws file_error if a checkpoint cannot be read or written on this process.
/// @throws distributed_error if another process throws anything.
/// @return what the call on one process returns, and the same on all processes.
/// Complexity: n^3 / P relaxations on each of P processes. In a grid of R x C processes each
/// receives n^2 / C entries in its process column and, if C > 1, n^2 / R in its process row. Memory
/// of each: n^2 / P entries, as many again if sums need a wider type, 512 n / C for pivot rows and,
/// if C > 1, 256 n / R for pivot columns. Under `cuda_tiled` the n^2 / P entries and up to 2560 n
/// for pivots are in the memory of the device, and a device_error is thrown if they do not fit.
/// Results are the same bits for any number of processes in any grid, also in floating point;
/// integers are those of the call on one process. Records no predecessors.
template <execution_policy Policy, graph Graph, class T, semiring Semiring = min_plus<T>>
result floyd_warshall(const distributed_policy<Policy>& everywhere, const Graph& graph,
                      distributed_matrix<T>& distances, const Semiring& over = {}) {
  return detail::mpi::floyd_warshall(everywhere, graph, distances, over,
                                     detail::checkpoint_use::kept);
}

/// Shortest distances between all pairs of vertices, by repeated squaring of the weight matrix with
/// the products below.
///
/// Parameters, exceptions and results are those of `floyd_warshall` above. Like the call on one
/// process, it stops early when a squaring changes nothing. `progress` counts n for each squaring.
/// `floyd_warshall` is faster by a factor of about lg n.
/// @throws std::invalid_argument also if the process grid has several columns.
/// Complexity: n^3 / P relaxations for each of at most ceil(lg n) squarings, in each of which n^2
/// entries are sent to every process. Memory of each process: 2 n^2 / P entries, n^2 / P more if
/// sums need a wider type, and two panels as for the products. Records no predecessors.
template <execution_policy Policy, graph Graph, class T, semiring Semiring = min_plus<T>>
result repeated_squaring(const distributed_policy<Policy>& everywhere, const Graph& graph,
                         distributed_matrix<T>& distances, const Semiring& over = {}) {
  return detail::mpi::repeated_squaring(everywhere, graph, distances, over);
}

/// The reflexive transitive closure, by Warshall's algorithm on the rows of bits of all processes:
/// in each step the rows of up to 512 pivots are closed by the process that has them, and
/// broadcast, and all processes relax their own rows.
///
/// @param everywhere  from `across`. Its `progress` counts pivots on each process, and its `stop`
///                    on one process stops all; both let the processes exchange a few bytes in each
///                    step.
/// @param graph       n vertices, as for the call on one process, in host memory. The same on all
///                    processes.
/// @param bits        n x n.
/// @throws std::invalid_argument on all processes if the function, the types, the policy or the
///         graph differ between them, if the process grid has several columns, or as the call on
///         one process does; `bits` are untouched then.
/// @throws device_error if the policy is `cuda_tiled` and `required()`: there is no device version.
/// @throws distributed_error if another process throws anything.
/// @return as the call on one process, and the same on all processes. Under `cuda_tiled` it runs as
///         under `omp`, with a `fallback_reason()`.
/// Complexity: n^3 / (512 P) operations on words for graphs of any density, whereas the call on one
/// process takes O(n m / 64) for sparse ones; n^2 bits are sent to each process. Memory of each:
/// n^2 / P bits, and 512 n bits for pivot rows.
template <execution_policy Policy, graph Graph>
result transitive_closure(const distributed_policy<Policy>& everywhere, const Graph& graph,
                          distributed_bit_matrix& bits) {
  return detail::mpi::transitive_closure(everywhere, graph, bits);
}

/// Relaxes a matrix with the min-plus product of two: c[i][j] = min(c[i][j], a[i][k] + b[k][j])
/// over all k. Every process relaxes its own rows of c, with its own rows of a; the rows of b are
/// broadcast in panels.
///
/// The same holds for the other products below.
///
/// @param everywhere  from `across`. Its `progress` counts k on each process, and its `stop` on one
///                    process stops all; both let the processes exchange a few bytes for each
///                    panel.
/// @param a           m x k; entries of another type are converted to that of c.
/// @param b           k x n.
/// @param c           m x n, both read and written, as for the call on one process. It may be a or
///                    b.
/// @throws std::invalid_argument on all processes if the function, the types, the policy or the
///         shapes differ between them, or if the process grid has several columns; on the processes
///         that have it, as the call on one process does. Nothing is written then.
/// @throws distributed_error if another process throws anything.
/// @return what the call on one process returns, and the same on all processes.
/// Complexity: m n k / P relaxations on each of P processes, to each of which k n entries are sent.
/// Memory of each: copies as for the call on one process, and two panels of 512 rows of b or, under
/// `cuda_tiled`, of 4096; on the device the rows of c and a panel of a and b.
/// Results are the same bits as those of the call on one process under `seq` and `omp`, for any
/// number of processes.
template <execution_policy Policy, class A, class B, class T>
result min_plus_product(const distributed_policy<Policy>& everywhere,
                        const distributed_matrix<A>& a, const distributed_matrix<B>& b,
                        distributed_matrix<T>& c) {
  return detail::mpi::product(everywhere, a, b, c, min_plus<T>{}, false);
}
/// As above, but replaces c by the product. Memory: a second matrix of the shape of c.
template <execution_policy Policy, class A, class B, class T>
result min_plus_product(const distributed_policy<Policy>& everywhere,
                        const distributed_matrix<A>& a, const distributed_matrix<B>& b,
                        distributed_matrix<T>& c, overwrite_t) {
  return detail::mpi::product(everywhere, a, b, c, min_plus<T>{}, true);
}
/// The same over any semiring except `or_and` whose values are trivially copyable: c[i][j] =
/// plus(c[i][j], times(a[i][k], b[k][j])) over all k, in increasing order.
template <execution_policy Policy, class A, class B, class T, semiring Semiring>
result semiring_product(const distributed_policy<Policy>& everywhere,
                        const distributed_matrix<A>& a, const distributed_matrix<B>& b,
                        distributed_matrix<T>& c, const Semiring& semiring) {
  return detail::mpi::product(everywhere, a, b, c, semiring, false);
}
/// As above, but replaces c by the product.
template <execution_policy Policy, class A, class B, class T, semiring Semiring>
result semiring_product(const distributed_policy<Policy>& everywhere,
                        const distributed_matrix<A>& a, const distributed_matrix<B>& b,
                        distributed_matrix<T>& c, const Semiring& semiring, overwrite_t) {
  return detail::mpi::product(everywhere, a, b, c, semiring, true);
}

/// Shortest distances between all pairs of vertices, by the algorithm expected to be fastest: the
/// algorithm of `floyd_warshall` above, or an algorithm from each vertex. `algorithm()` reports
/// which one ran: `floyd_warshall` if the process grid has several columns.
///
/// Parameters and exceptions are those of `floyd_warshall` and `dijkstra` above and below.
template <execution_policy Policy, graph Graph, class T, semiring Semiring = min_plus<T>>
result all_pairs_shortest_paths(const distributed_policy<Policy>& everywhere, const Graph& graph,
                                distributed_matrix<T>& distances, const Semiring& over = {}) {
  detail::no_predecessors none;
  return detail::mpi::all_pairs(everywhere, graph, distances, none, over);
}
/// As above, and also stores the predecessors. An algorithm from each vertex runs.
template <execution_policy Policy, graph Graph, class T, class Index,
          semiring Semiring = min_plus<T>>
result all_pairs_shortest_paths(const distributed_policy<Policy>& everywhere, const Graph& graph,
                                distributed_matrix<T>& distances,
                                distributed_matrix<Index>& predecessors,
                                const Semiring& over = {}) {
  return detail::mpi::all_pairs(everywhere, graph, distances, predecessors, over);
}

namespace detail::mpi {

/// The four forms of a call of an algorithm from sources.
template <algorithm Asked>
struct distributed_rows {
  template <class Policy, class Graph, vertex_range<Graph> Sources, class T,
            semiring Semiring = min_plus<T>>
  static result solve(const distributed_policy<Policy>& everywhere, const Graph& graph,
                      Sources&& sources, distributed_matrix<T>& distances,
                      const Semiring& over = {}) {
    no_predecessors none;
    return mpi::per_source_matrix<Asked>(everywhere, graph, sources, distances, none, over);
  }
  template <class Policy, class Graph, vertex_range<Graph> Sources, class T, class Index,
            semiring Semiring = min_plus<T>>
  static result solve(const distributed_policy<Policy>& everywhere, const Graph& graph,
                      Sources&& sources, distributed_matrix<T>& distances,
                      distributed_matrix<Index>& predecessors, const Semiring& over = {}) {
    return mpi::per_source_matrix<Asked>(everywhere, graph, sources, distances, predecessors, over);
  }
  template <class Policy, class Graph, class T, semiring Semiring = min_plus<T>>
  static result solve(const distributed_policy<Policy>& everywhere, const Graph& graph,
                      distributed_matrix<T>& distances, const Semiring& over = {}) {
    const every_vertex sources;
    no_predecessors none;
    return mpi::per_source_matrix<Asked>(everywhere, graph, sources, distances, none, over);
  }
  template <class Policy, class Graph, class T, class Index, semiring Semiring = min_plus<T>>
  static result solve(const distributed_policy<Policy>& everywhere, const Graph& graph,
                      distributed_matrix<T>& distances, distributed_matrix<Index>& predecessors,
                      const Semiring& over = {}) {
    const every_vertex sources;
    return mpi::per_source_matrix<Asked>(everywhere, graph, sources, distances, predecessors, over);
  }
};

/// True if these are arguments of `dijkstra` below.
template <class Policy, class Graph, class... Arguments>
concept row_arguments = requires(const distributed_policy<Policy>& everywhere, const Graph& graph,
                                 Arguments&&... arguments) {
  distributed_rows<algorithm::dijkstra>::solve(everywhere, graph,
                                               std::forward<Arguments>(arguments)...);
};

}  // namespace detail::mpi

/// Shortest distances from some or all vertices, by Dijkstra's algorithm. The sources are shared
/// out as the rows of a matrix are, and every process solves its own sources as the call on one
/// process does. The forms of a call are those of the call on one process:
/// `dijkstra(everywhere, graph, [sources,] distances, [predecessors,] [over])`.
///
/// The same holds for `bellman_ford`, `johnson` and `elimination` below. Steps that are not taken
/// for each source, such as the potentials of `johnson` and the elimination, are taken by every
/// process.
///
/// @param everywhere  from `across`. A stop on one process ends the share of that process; the
///                    others end theirs unless they are stopped, too.
/// @param graph       as for `floyd_warshall` above.
///
/// The other arguments are:
/// - `sources`: any range of vertices, as numbers or as the graph's own vertex descriptors, the
///   same on all processes; every vertex if it is left out;
/// - `distances`: a `distributed_matrix` with one row for each source, in the order of `sources`,
///   and n columns;
/// - `predecessors`: a `distributed_matrix` of the same shape, of an integer type;
/// - `over`: a semiring as for the call on one process.
/// @throws std::invalid_argument on all processes if the function, the types, the policy, the graph
///         or the sources differ between them, if the process grid has several columns, or as the
///         call on one process does.
/// @throws distributed_error if another process throws anything.
/// @return what the call on one process returns, and the same on all processes. A negative cycle
///         that one process finds is one of all.
/// Complexity: that of the call on one process for k / P of k sources on each of P processes.
/// Processes only exchange messages before and after that.
template <execution_policy Policy, graph Graph, class... Arguments>
  requires detail::mpi::row_arguments<Policy, Graph, Arguments...>
result dijkstra(const distributed_policy<Policy>& everywhere, const Graph& graph,
                Arguments&&... arguments) {
  return detail::mpi::distributed_rows<algorithm::dijkstra>::solve(
      everywhere, graph, std::forward<Arguments>(arguments)...);
}

/// The same by the algorithm of Bellman and Ford; weights may be negative. Each process looks for
/// negative cycles where its own sources reach.
template <execution_policy Policy, graph Graph, class... Arguments>
  requires detail::mpi::row_arguments<Policy, Graph, Arguments...>
result bellman_ford(const distributed_policy<Policy>& everywhere, const Graph& graph,
                    Arguments&&... arguments) {
  return detail::mpi::distributed_rows<algorithm::bellman_ford>::solve(
      everywhere, graph, std::forward<Arguments>(arguments)...);
}

/// The same by Johnson's algorithm; weights may be negative. Each process computes the potentials.
template <execution_policy Policy, graph Graph, class... Arguments>
  requires detail::mpi::row_arguments<Policy, Graph, Arguments...>
result johnson(const distributed_policy<Policy>& everywhere, const Graph& graph,
               Arguments&&... arguments) {
  return detail::mpi::distributed_rows<algorithm::johnson>::solve(
      everywhere, graph, std::forward<Arguments>(arguments)...);
}

/// The same by elimination. Each process eliminates the vertices of the graph.
template <execution_policy Policy, graph Graph, class... Arguments>
  requires detail::mpi::row_arguments<Policy, Graph, Arguments...>
result elimination(const distributed_policy<Policy>& everywhere, const Graph& graph,
                   Arguments&&... arguments) {
  return detail::mpi::distributed_rows<algorithm::elimination>::solve(
      everywhere, graph, std::forward<Arguments>(arguments)...);
}

/// Shortest distances from some vertices, passed row by row to a function. The sources are shared
/// out as the rows of a matrix are, and every process calls its own function with the rows of its
/// own sources. The index of a row is its position in the list of all processes.
///
/// Parameters, exceptions and results are those of the call on one process and of `dijkstra` above.
/// All processes choose the same algorithm. If f throws on one process, the others finish their
/// rows before they throw.
template <class Distance = void, execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          class F, semiring Semiring = detail::default_sums<Distance, Graph>>
result for_each_row(const distributed_policy<Policy>& everywhere, const Graph& graph,
                    Sources&& sources, F&& f, const Semiring& over = {}) {
  using value = typename Semiring::value_type;
  using distance = std::conditional_t<std::is_void_v<Distance>, value, Distance>;
  return detail::mpi::for_each_row<distance>(everywhere, graph, sources, f, over);
}

/// Shortest distances from some vertices to some vertices. The sources are shared out as the rows
/// of a matrix are, and every process fills the rows of its own.
///
/// @param targets  as `sources`; they may have duplicates, too.
/// @param table    one row for each source and one column for each target.
///
/// Other parameters, exceptions and results are those of the call on one process and of `dijkstra`
/// above. A process that has more sources than there are targets searches from the targets; then
/// more processes take no less time.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          vertex_range<Graph> Targets, class T>
result distance_table(const distributed_policy<Policy>& everywhere, const Graph& graph,
                      Sources&& sources, Targets&& targets, distributed_matrix<T>& table) {
  return detail::mpi::fill_distance_table(everywhere, graph, sources, targets, table);
}

/// Eccentricities, sums and inverse sums of the distances from some vertices. The sources are
/// shared out as the rows of a matrix are, and every process receives the whole summary.
///
/// Parameters, exceptions and results are those of the call on one process and of `dijkstra` above.
template <class Distance = void, execution_policy Policy, graph Graph, vertex_range<Graph> Sources>
auto summarize_paths(const distributed_policy<Policy>& everywhere, const Graph& graph,
                     Sources&& sources) {
  using distance = detail::distance_or_weight_t<Distance, Graph>;
  return detail::mpi::summarize_paths<distance>(everywhere, graph, sources);
}
/// From every vertex.
template <class Distance = void, execution_policy Policy, graph Graph>
auto summarize_paths(const distributed_policy<Policy>& everywhere, const Graph& graph) {
  using distance = detail::distance_or_weight_t<Distance, Graph>;
  return detail::mpi::summarize_paths<distance>(everywhere, graph, detail::every_vertex{});
}

/// Amounts within reach of some vertices, weighed by distance. The sources are shared out as the
/// rows of a matrix are, and every process receives the sums of all.
///
/// @param amounts  the same on all processes, and so is `decay`: a function cannot be compared, and
///                 each process calls its own.
///
/// Other parameters, exceptions and results are those of the call on one process and of `dijkstra`
/// above; nothing is written if the call fails on one process.
template <class Distance = void, execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          detail::columns_of_numbers Amounts, class Decay, detail::columns_of_numbers Sums>
result accessibility(const distributed_policy<Policy>& everywhere, const Graph& graph,
                     const Sources& sources, const Amounts& amounts, Decay&& decay, Sums&& sums) {
  using distance = detail::distance_or_weight_t<Distance, Graph>;
  auto&& to = detail::as_columns(sums);
  return detail::mpi::accessibility<distance>(everywhere, graph, sources,
                                              detail::as_columns(amounts), decay, to);
}
/// From every vertex.
template <class Distance = void, execution_policy Policy, graph Graph,
          detail::columns_of_numbers Amounts, class Decay, detail::columns_of_numbers Sums>
result accessibility(const distributed_policy<Policy>& everywhere, const Graph& graph,
                     const Amounts& amounts, Decay&& decay, Sums&& sums) {
  using distance = detail::distance_or_weight_t<Distance, Graph>;
  const detail::every_vertex all;
  auto&& to = detail::as_columns(sums);
  return detail::mpi::accessibility<distance>(everywhere, graph, all, detail::as_columns(amounts),
                                              decay, to);
}

/// Scores of vertices and arcs: each process takes its share of the sources and receives the sums
/// of all, added up in the order of the processes.
///
/// Parameters, exceptions and results are those of the call on one process and of `dijkstra` above.
/// The sums differ from those of another number of processes by their rounding.
template <execution_policy Policy, graph Graph, detail::score_row Scores>
result betweenness(const distributed_policy<Policy>& everywhere, const Graph& graph,
                   Scores&& scores, const betweenness_options& options = {}) {
  const detail::every_vertex all;
  return detail::mpi::betweenness(everywhere, graph, all, detail::one_row(scores),
                                  detail::no_arc_scores{}, options);
}
template <execution_policy Policy, graph Graph, detail::score_row Scores,
          detail::score_row ArcScores>
result betweenness(const distributed_policy<Policy>& everywhere, const Graph& graph,
                   Scores&& scores, ArcScores&& arc_scores,
                   const betweenness_options& options = {}) {
  const detail::every_vertex all;
  return detail::mpi::betweenness(everywhere, graph, all, detail::one_row(scores),
                                  detail::one_row(arc_scores), options);
}
/// From some sources.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          detail::score_row Scores>
  requires(!detail::score_row<Sources>)
result betweenness(const distributed_policy<Policy>& everywhere, const Graph& graph,
                   Sources&& sources, Scores&& scores, const betweenness_options& options = {}) {
  return detail::mpi::betweenness(everywhere, graph, sources, detail::one_row(scores),
                                  detail::no_arc_scores{}, options);
}
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          detail::score_row Scores, detail::score_row ArcScores>
  requires(!detail::score_row<Sources>)
result betweenness(const distributed_policy<Policy>& everywhere, const Graph& graph,
                   Sources&& sources, Scores&& scores, ArcScores&& arc_scores,
                   const betweenness_options& options = {}) {
  return detail::mpi::betweenness(everywhere, graph, sources, detail::one_row(scores),
                                  detail::one_row(arc_scores), options);
}

}  // namespace apsp::inline v1
