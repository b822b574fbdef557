// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "../apsp/graph.hpp"
#include "../apsp/matrix_traits.hpp"
#include "../apsp/result.hpp"
#include "../apsp/semiring.hpp"
#include "../apsp/unreachable.hpp"
#include "cutoff.hpp"
#include "distance_code.hpp"
#include "edges.hpp"
#include "host/parallel_for.hpp"
#include "matrix_rows.hpp"
#include "negative_cycle.hpp"
#include "per_source_problem.hpp"
#include "predecessors.hpp"
#include "problem.hpp"
#include "squarings.hpp"

namespace apsp::detail {

constexpr algorithm algorithm_of(closure_method method) {
  return method == closure_method::floyd_warshall ? algorithm::floyd_warshall
                                                  : algorithm::repeated_squaring;
}

/// The steps that the progress of a call is counted in.
constexpr std::size_t num_steps(closure_method method, std::size_t n, std::size_t longest_path) {
  return method == closure_method::floyd_warshall
             ? n
             : n * static_cast<std::size_t>(squarings_needed(longest_path));
}

/// What the diagonal of the matrix holds before the first relaxation.
enum class diagonal { zero, as_given };

/// The edges of a graph, as a backend wants them: placed into rows, or as a list.
template <class C, class T, class Graph>
class matrix_source {
 public:
  matrix_source(const Graph& g, std::size_t n, std::size_t num_edges, diagonal diag,
                const distance_code<C>& code, int threads)
      : graph_(g), n_(n), num_edges_(num_edges), diagonal_(diag), code_(code), threads_(threads) {}

  /// Edges then weigh w + potentials[u] - potentials[v], and at least 0.
  void reweight(const std::vector<walk_sum_t<T>>& potentials) { potentials_ = &potentials; }

  std::size_t num_edges() const { return num_edges_; }
  /// True if the list of arcs is smaller than the matrix, and says all of it.
  bool is_sparse() const { return diagonal_ == diagonal::zero && num_edges_ <= n_ * n_ / 4; }

  template <class F>
  void for_each_arc(int threads, F f) const {
    visit_edges(graph_, threads, [&](std::size_t u, std::size_t v, const auto& w) {
      auto fault = edge_fault::none;
      const T weight = to_distance<T>(w, fault);
      if (weight == unreachable<T>) return;
      if (potentials_ == nullptr) {
        f(u, v, static_cast<C>(weight));
      } else {
        const auto reduced = walk_sum_t<T>(weight) + (*potentials_)[u] - (*potentials_)[v];
        f(u, v, reduced < walk_sum_t<T>(T{}) ? C{} : static_cast<C>(reduced));
      }
    });
  }

  void fill(C* const* rows, bool transposed) const {
    host::parallel_for(n_, threads_, [&](std::size_t i) {
      for (std::size_t j = 0; j < n_; ++j) rows[i][j] = code_.unreachable;
      if (diagonal_ == diagonal::zero) rows[i][i] = C{};
    });
    for_each_arc(threads_, [&](std::size_t u, std::size_t v, const C& w) {
      C& entry = transposed ? rows[v][u] : rows[u][v];
      if (w < entry) entry = w;
    });
  }

 private:
  const Graph& graph_;
  std::size_t n_;
  std::size_t num_edges_;
  diagonal diagonal_;
  distance_code<C> code_;
  int threads_;
  const std::vector<walk_sum_t<T>>* potentials_ = nullptr;
};

/// An entry in code as a T, cut to what T holds; @p was_cut is set then.
/// @param unreachable_from  an entry this large or larger is unreachable.
template <class T, class C>
T decoded_distance(const C& entry, const C& unreachable_from, bool& was_cut) {
  if (entry >= unreachable_from) return unreachable<T>;
  if constexpr (is_coded_integer<C> && !std::is_same_v<C, T>) {
    // C may be narrower than T, or signed where T is not.
    const auto exact = static_cast<int128>(entry);
    if (exact >= static_cast<int128>(unreachable<T>)) {
      was_cut = true;
      return unreachable<T>;
    }
    if (exact < static_cast<int128>(std::numeric_limits<T>::lowest())) {
      was_cut = true;
      return std::numeric_limits<T>::lowest();
    }
  }
  return static_cast<T>(entry);
}

/// Writes distances to the caller's matrix, cut to what its type holds.
/// @param decoded  true if unreachable entries are `unreachable` already, not in code.
/// @return true if something was cut.
template <class C, class D>
bool write_distances(const matrix_rows<C>& rows, const matrix_shape& shape,
                     const distance_code<C>& code, bool decoded, D& distances, int threads) {
  using T = matrix_value_t<D>;
  if (decoded && rows.in_place() && std::is_same_v<C, T>) return false;
  std::vector<char> cut(shape.rows, 0);
  host::parallel_for(shape.rows, writers<D>(threads), [&](std::size_t i) {
    C* row = rows.data()[i];
    bool row_was_cut = false;
    for (std::size_t j = 0; j < shape.columns; ++j) {
      const T value = decoded_distance<T>(row[j], code.unreachable_from, row_was_cut);
      if constexpr (can_hold_in_place<C, T>) {
        if (rows.in_place()) {
          row[j] = static_cast<C>(value);
          continue;
        }
      }
      matrix_entry(distances, i, j) = value;
    }
    cut[i] = row_was_cut ? 1 : 0;
  });
  return std::find(cut.begin(), cut.end(), 1) != cut.end();
}

/// Entries above @p limit become unreachable.
/// @param predecessors  null, or rows of predecessors, which those entries lose.
template <class C, class T>
void forget_far_vertices(C* const* distances, std::int32_t* const* predecessors, std::size_t n,
                         const distance_code<C>& code, const T& limit, int threads) {
  const auto is_far = [&](const C& d) {
    if constexpr (is_coded_integer<C>) {
      // C may be narrower than T, or wider.
      return static_cast<int128>(limit) < static_cast<int128>(d);
    } else {
      return limit < static_cast<T>(d);
    }
  };
  host::parallel_for(n, threads, [&](std::size_t u) {
    C* const row = distances[u];
    for (std::size_t v = 0; v < n; ++v) {
      if (is_far(row[v])) row[v] = no_path<C>();
    }
    if (predecessors == nullptr) return;
    forget_predecessors_of_unreachable(
        n, predecessors[u], [&](std::size_t v) { return !(row[v] < code.unreachable_from); });
  });
}

struct no_rows {
  std::int32_t* const* data() const { return nullptr; }
};

/// The rows that predecessors are recorded in.
inline no_rows predecessor_rows_of(no_predecessors&, std::size_t) {
  return {};
}
template <class P>
matrix_rows<std::int32_t> predecessor_rows_of(P& predecessors, std::size_t n) {
  return {predecessors, {n, n}, false};
}

template <class P>
void write_predecessors(const matrix_rows<std::int32_t>& rows, std::size_t n, P& predecessors,
                        int threads) {
  if (rows.in_place()) return;
  using index = matrix_value_t<P>;
  host::parallel_for(n, writers<P>(threads), [&](std::size_t i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::int32_t p = rows.data()[i][j];
      matrix_entry(predecessors, i, j) = p < 0 ? no_predecessor<index> : static_cast<index>(p);
    }
  });
}

/// The shortest distances of one call on one backend, once the edges are known to be valid.
template <class Backend, class Graph, class D, class P>
class closure_call {
  using T = matrix_value_t<D>;
  static constexpr bool wants_predecessors = !std::is_same_v<P, no_predecessors>;

 public:
  closure_call(const Backend& backend, closure_method method, const Graph& g, D& distances,
               P& predecessors, diagonal diag, std::optional<long double> cutoff,
               const weight_summary<T>& weights, bool counts_hops)
      : backend_(backend),
        method_(method),
        graph_(g),
        n_(num_vertices_of(g)),
        distances_(distances),
        predecessors_(predecessors),
        diagonal_(diag),
        cutoff_(to_cutoff<T>(cutoff)),
        weights_(weights),
        counts_hops_(counts_hops) {}

  /// Computes in the narrowest type, from that of the distances on, that holds every path.
  result run() {
    if constexpr (std::is_integral_v<T>) {
      if constexpr (sizeof(T) <= 4) {
        if (auto code = choose_code<std::int32_t>(n_, weights_)) return run_in(*code);
      }
      if (auto code = choose_code<std::int64_t>(n_, weights_)) return run_in(*code);
      return run_in(*choose_code<int128>(n_, weights_));
    } else {
      return run_in(*choose_code<T>(n_, weights_));
    }
  }

 private:
  /// @param potentials  null, or those to reweight the graph with, so that no weight is negative.
  template <class C>
  result run_in(const distance_code<C>& code,
                const std::vector<walk_sum_t<T>>* potentials = nullptr) {
    result done(backend_.name(), algorithm_of(method_));
    if (is_stopped(done)) return done;
    const int threads = backend_.host_threads();
    matrix_rows<C> rows(distances_, {n_, n_}, !wants_predecessors);
    auto recorded = predecessor_rows_of(predecessors_, n_);
    matrix_source<C, T, Graph> source(graph_, n_, weights_.num_edges, diagonal_, code, threads);
    if (potentials != nullptr) source.reweight(*potentials);
    const closure_problem<min_plus<C>> problem{
        {}, n_, longest_path(), rows.data(), recorded.data(), code.unreachable, code.floor};
    using solver_type = typename Backend::template closure_solver<min_plus<C>>;
    solver_type solver(backend_, method_, problem);
    solver.load(source, rows.transposed());
    backend_.watch().begin(num_steps(method_, n_, longest_path()));
    // A stop may also be asked for while the matrix travels, or the edges are searched.
    if (!solver.solve() || is_stopped(done)) {
      done.set_stopped();
      return done;
    }
    if (solver.has_negative_diagonal()) {
      negative_cycle_search<T> search(n_, collect_arcs<T>(graph_, weights_.num_edges));
      auto found = search.run([&] { return backend_.watch().stop_requested(); });
      if (is_stopped(done)) return done;
      if constexpr (std::is_floating_point_v<T>) {
        // Only rounding made a diagonal entry negative. Without negative weights it cannot, and
        // potentials that are large beside the distances cost digits, so floats get some more.
        if (found.cycle.empty()) {
          using wider = std::conditional_t<std::is_same_v<T, float>, double, T>;
          return run_in(*choose_code<wider>(n_, weights_), &found.potentials);
        }
      }
      done.set_negative_cycle(std::move(found.cycle));
      return done;
    }
    if constexpr (is_coded_integer<C>) {
      solver.replace_from(code.unreachable_from, largest_value<C>());
    }
    solver.store();
    if (is_stopped(done)) return done;
    if (potentials != nullptr) {
      take_back_potentials(rows, *potentials);
      if (method_ == closure_method::floyd_warshall) {
        done.set_algorithm(algorithm::reweighted_floyd_warshall);
      }
    }
    if (wants_predecessors && counts_hops_) {
      choose_fewest_hops<T>(graph_, n_, rows.data(), recorded.data(), threads);
      if (is_stopped(done)) return done;
    } else if (wants_predecessors && may_have_loops()) {
      remove_predecessor_loops<T>(graph_, n_, rows.data(), recorded.data(), threads);
      if (is_stopped(done)) return done;
    }
    if (cutoff_) {
      forget_far_vertices(rows.data(), recorded.data(), n_, code, *cutoff_, threads);
    }
    constexpr bool decoded = solver_type::replaces || !is_coded_integer<C>;
    done.set_saturated(write_distances(rows, {n_, n_}, code, decoded, distances_, threads));
    if constexpr (wants_predecessors) {
      write_predecessors(recorded, n_, predecessors_, threads);
    }
    return done;
  }

  bool is_stopped(result& done) const {
    if (!backend_.watch().stop_requested()) return false;
    done.set_stopped();
    return true;
  }

  // To find a negative cycle all of it has to be passed.
  std::size_t longest_path() const {
    return weights_.smallest < T{} ? n_ : n_ - std::min<std::size_t>(n_, 1);
  }

  // A loop of predecessors is a cycle of length 0, up to rounding.
  bool may_have_loops() const { return !std::is_integral_v<T> || !(T{} < weights_.smallest); }

  template <class C>
  void take_back_potentials(const matrix_rows<C>& rows,
                            const std::vector<walk_sum_t<T>>& potentials) {
    host::parallel_for(n_, backend_.host_threads(), [&](std::size_t i) {
      for (std::size_t j = 0; j < n_; ++j) {
        const std::size_t u = rows.transposed() ? j : i;
        const std::size_t v = rows.transposed() ? i : j;
        C& entry = rows.data()[i][j];
        if (u != v && entry < unreachable<C>) {
          entry = static_cast<C>(walk_sum_t<T>(entry) - potentials[u] + potentials[v]);
        }
      }
    });
  }

  const Backend& backend_;
  closure_method method_;
  const Graph& graph_;
  std::size_t n_;
  D& distances_;
  P& predecessors_;
  diagonal diagonal_;
  std::optional<T> cutoff_;
  const weight_summary<T>& weights_;
  bool counts_hops_;
};

}  // namespace apsp::detail
