// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/distance_functions.hpp"
#include "../../apsp/error.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../all_pairs/calls.hpp"
#include "../dense/calls.hpp"
#include "../dense/problem/matrix_source.hpp"
#include "../graph/edges.hpp"
#include "../graph/sources.hpp"
#include "../host/monitor.hpp"
#include "../host/parallel_for.hpp"
#include "../matrix/rows.hpp"
#include "../per_source/calls.hpp"
#include "../values/cutoff.hpp"
#include "../values/int128.hpp"
#include "plain_loop.hpp"
#include "semiring.hpp"
#include "square_part.hpp"

// Floyd–Warshall and Johnson with the parameters of Boost.Graph's functions: a comparison, a
// combination, a value for "no path" and one for the empty path. The usual parameters, and those
// that form a semiring, run on the library's kernels; all others run in a plain loop. This file
// does not depend on Boost.
namespace apsp::inline v1::detail::boost_compatible {

/// The parameters, with the constants in the type of the distances.
template <class T, class Compare, class Combine>
struct path_algebra {
  const Compare& compare;
  const Combine& combine;
  T inf;
  T zero;
};

/// A constant of the caller as a distance; a constant beyond the range of T becomes the largest
/// value.
template <class T, class Value>
T to_constant(const Value& value) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<Value>) {
    constexpr auto largest = static_cast<int128>((std::numeric_limits<T>::max)());
    if (static_cast<int128>(value) > largest) return unreachable<T>;
  } else if constexpr (std::is_floating_point_v<T> && std::is_floating_point_v<Value>) {
    if (value > (std::numeric_limits<T>::max)()) return unreachable<T>;
  } else if constexpr (std::is_integral_v<T> && std::is_floating_point_v<Value>) {
    if (!(value < static_cast<long double>((std::numeric_limits<T>::max)()))) return unreachable<T>;
  }
  return static_cast<T>(value);
}

struct unknown_operands {};

// The type whose values a function object compares by < or adds by +; void if it accepts any type.
template <class F>
struct ordered {
  using type = unknown_operands;
};
template <class X>
struct ordered<std::less<X>> {
  using type = X;
};
template <class X>
struct ordered<distance_compare<min_plus<X>>> {
  using type = X;
};
template <class F>
struct added {
  using type = unknown_operands;
};
template <class X>
struct added<std::plus<X>> {
  using type = X;
};
template <class X>
struct added<distance_combine<min_plus<X>>> {
  using type = X;
};

/// True if operations on X act as operations on distances T and weights W.
template <class X, class T, class W>
inline constexpr bool operates_on =
    std::is_void_v<X> || std::is_same_v<X, T> || std::is_same_v<X, W>;

/// True if the kernels implement `compare` and `combine`.
template <class T, class W, class Compare, class Combine>
inline constexpr bool has_kernels =
    std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && std::is_arithmetic_v<W> &&
    !(std::is_floating_point_v<W> &&
      std::is_integral_v<T>)&&operates_on<typename ordered<Compare>::type, T, W> &&
    operates_on<typename added<Combine>::type, T, W>;

/// True if the kernels support the constants.
template <class T, class Compare, class Combine>
bool has_usual_constants(const path_algebra<T, Compare, Combine>& algebra) {
  if constexpr (requires { algebra.combine.inf; }) {
    // An addition that saturates below "no path" is not a sum.
    if (to_constant<T>(algebra.combine.inf) < algebra.inf) return false;
  }
  return algebra.zero == T{} && T{} < algebra.inf;
}

/// True if no sum of reasonable weights comes near the value of "no path".
template <class T>
bool is_out_of_reach(const T& inf) {
  return !(inf < (std::numeric_limits<T>::max)());
}

/// Checks weights with a finite value for "no path": whether cutting sums at that value gives the
/// same results for every order of relaxations.
template <class T>
class cut_check {
 public:
  explicit cut_check(const T& inf) : inf_(inf) {}
  void add(const T& w) {
    if (inf_ < w) above_ = true;
    if (w < T{}) negative_ = true;
    const auto wide = static_cast<long double>(w);
    heaviest_ = std::max(heaviest_, wide < 0 ? -wide : wide);
  }
  /// With negative weights, a path longer than inf may become shorter than inf again, if paths can
  /// be that long.
  bool is_safe(std::size_t n) const {
    if (above_) return false;
    return !negative_ || static_cast<long double>(n) * heaviest_ < static_cast<long double>(inf_);
  }

 private:
  T inf_;
  bool above_ = false;
  bool negative_ = false;
  long double heaviest_ = 0;
};

template <class Observer>
int host_threads(const basic_seq_policy<Observer>&) {
  return 1;
}
template <class Observer>
int host_threads(const basic_omp_policy<Observer>& policy) {
  return policy.threads();
}
template <backend Kernels, class Observer>
int host_threads(const cuda_policy<Kernels, Observer>&) {
  return 0;
}

template <class Policy>
void refuse_if_required(const Policy& policy) {
  if constexpr (requires { policy.is_required(); }) {
    if (policy.is_required()) {
      throw device_error(
          "there are no CUDA kernels for these compare, combine, inf and zero on these weights");
    }
  }
}

/// The graph whose arcs are the entries of a matrix other than inf, including the diagonal.
template <class T>
struct entries_but {
  const matrix<T>& entries;
  T inf;
};

/// A graph with renumbered vertices.
template <class Graph>
struct renumbered_graph {
  const Graph& graph;
  const std::vector<std::size_t>& new_numbers;
  std::size_t num_vertices;
};

}  // namespace apsp::inline v1::detail::boost_compatible

namespace apsp::inline v1 {

template <class T>
struct graph_adaptor<detail::boost_compatible::entries_but<T>> {
  using graph_type = detail::boost_compatible::entries_but<T>;
  using weight_type = T;

  static std::size_t num_vertices(const graph_type& g) { return g.entries.rows(); }
  template <class F>
  static void for_each_edge(const graph_type& g, F f) {
    for (std::size_t u = 0; u < num_vertices(g); ++u) {
      for_each_out_edge(g, u, [&](std::size_t v, const T& w) { f(u, v, w); });
    }
  }
  template <class F>
  static void for_each_out_edge(const graph_type& g, std::size_t u, F f) {
    for (std::size_t v = 0; v < num_vertices(g); ++v) {
      if (g.entries[u][v] != g.inf) f(v, g.entries[u][v]);
    }
  }
};

template <class Graph>
struct graph_adaptor<detail::boost_compatible::renumbered_graph<Graph>> {
  using graph_type = detail::boost_compatible::renumbered_graph<Graph>;
  using inner = graph_adaptor_t<Graph>;
  using weight_type = typename inner::weight_type;

  static std::size_t num_vertices(const graph_type& g) { return g.num_vertices; }
  template <class F>
  static void for_each_edge(const graph_type& g, F f) {
    inner::for_each_edge(g.graph, [&](std::size_t u, std::size_t v, const auto& w) {
      f(g.new_numbers[u], g.new_numbers[v], w);
    });
  }
};

}  // namespace apsp::inline v1

namespace apsp::inline v1::detail::boost_compatible {

/// Assigns f(u, v) to every entry (u, v) that is not below @p inf; returns true if there was one.
template <class D, class T, class F>
bool put_inf(D& distances, std::size_t n, const T& inf, int threads, F f) {
  if (inf == unreachable<T>) return false;
  std::vector<char> changed(n, 0);
  host::parallel_for(n, writers<D>(threads), [&](std::size_t u) {
    for (std::size_t v = 0; v < n; ++v) {
      auto&& entry = matrix_entry(distances, u, v);
      if (static_cast<T>(entry) < inf) continue;
      entry = f(u, v);
      changed[u] = 1;
    }
  });
  return std::find(changed.begin(), changed.end(), 1) != changed.end();
}

/// One call of Floyd–Warshall, on a graph of n vertices and an n x n matrix.
template <class Policy, class D, class Compare, class Combine>
class floyd_warshall_call {
  using T = matrix_value_t<D>;
  using algebra_type = path_algebra<T, Compare, Combine>;
  using meaning = semiring_of<T, Compare, Combine>;
  using S = typename meaning::type;

 public:
  /// True if the comparison and the combination are those of a semiring other than `min_plus`.
  static constexpr bool has_semiring = !std::is_void_v<S>;

  floyd_warshall_call(const Policy& policy, D& distances, std::size_t n,
                      const algebra_type& algebra)
      : policy_(policy),
        d_(distances),
        n_(n),
        algebra_(algebra),
        cutoff_(to_cutoff<T>(policy.cutoff())),
        threads_(host_threads(policy)) {}

  /// Solves for the edges of @p g.
  template <class Graph>
  bool run(const Graph& g) {
    if constexpr (has_kernels<T, weight_type_t<Graph>, Compare, Combine>) {
      if (has_usual_constants(algebra_) && can_be_cut(g)) {
        no_predecessors none;
        if (!detail::floyd_warshall(policy_, g, d_, none, min_plus<T>{})) return false;
        const T inf = algebra_.inf;
        const bool has_inf = put_inf([&](std::size_t, std::size_t) { return inf; });
        if (has_inf && !cutoff_) keep_infinite_edges(g);
        return true;
      }
    }
    if constexpr (has_semiring) {
      const some_edges<Graph, T, other_than<T>> edges{g, {algebra_.inf}};
      if (is_closure(edges)) {
        no_predecessors none;
        return bool(detail::floyd_warshall(policy_, edges, d_, none, semiring())) && finish();
      }
    }
    return in_plain_loop([&](T* const* rows) { fill(g, rows); });
  }

  /// Solves for the edges of @p g that are better than inf, with any algorithm.
  template <class Graph>
  bool run_on_better_edges(const Graph& g) {
    if constexpr (has_semiring) {
      const S& over = semiring();
      const some_edges<Graph, T, better_than<S>> edges{g, {over, algebra_.inf}};
      if (is_closure(edges)) {
        no_predecessors none;
        return bool(detail::all_pairs(policy_, edges, d_, none, semiring())) && finish();
      }
    }
    return in_plain_loop([&](T* const* rows) {
      fill(g, rows);
      for_each_entry([&](std::size_t u, std::size_t v) {
        if (u != v && !algebra_.compare(rows[u][v], algebra_.inf)) rows[u][v] = algebra_.inf;
      });
    });
  }

  /// Solves for the entries of the matrix.
  bool run_initialized() {
    if constexpr (has_kernels<T, T, Compare, Combine>) {
      if (has_usual_constants(algebra_)) {
        const matrix<T> given = copy_of_entries();
        const entries_but<T> g{given, algebra_.inf};
        if (can_be_cut(g)) {
          no_predecessors none;
          if (!detail::floyd_warshall(policy_, g, d_, none, min_plus<T>{}, diagonal::as_given))
            return false;
          put_inf([&](std::size_t u, std::size_t v) {
            return cutoff_ ? algebra_.inf : infinite_or_inf(given[u][v]);
          });
          return true;
        }
      }
    }
    if constexpr (has_semiring) {
      if (is_closure_of_entries()) {
        const matrix<T> given = copy_of_entries();
        const entries_but<T> g{given, algebra_.inf};
        no_predecessors none;
        return bool(detail::floyd_warshall(policy_, g, d_, none, semiring())) &&
               finish_initialized(given);
      }
    }
    return in_plain_loop([&](T* const* rows) {
      if (rows_in_place_) return;
      for_each_entry([&](std::size_t u, std::size_t v) { rows[u][v] = matrix_entry(d_, u, v); });
    });
  }

 private:
  template <class Graph>
  bool can_be_cut(const Graph& g) const {
    if (is_out_of_reach(algebra_.inf)) return true;
    cut_check<T> check(algebra_.inf);
    visit_edges(g, 1,
                [&](std::size_t, std::size_t, const auto& w) { check.add(static_cast<T>(w)); });
    return check.is_safe(n_);
  }

  // Assigns f(u, v) where there is no path shorter than inf; returns true if there was such an
  // entry.
  template <class F>
  bool put_inf(F f) {
    return boost_compatible::put_inf(d_, n_, algebra_.inf, threads_, f);
  }

  // An infinite weight is larger than the largest finite number, which is Boost's "no path": such
  // an edge counts as a path.
  T infinite_or_inf(const T& weight) const { return algebra_.inf < weight ? weight : algebra_.inf; }

  template <class Graph>
  void keep_infinite_edges(const Graph& g) {
    if constexpr (std::is_floating_point_v<T>) {
      visit_edges(g, 1, [&](std::size_t u, std::size_t v, const auto& w) {
        auto&& entry = matrix_entry(d_, u, v);
        if (entry == algebra_.inf) entry = infinite_or_inf(static_cast<T>(w));
      });
    }
  }

  decltype(auto) semiring() const { return meaning::get(algebra_.combine); }

  /// True if the closure over the semiring equals the result of the loop for the edges of @p g.
  template <class Graph>
  bool is_closure(const Graph& g) const {
    semiring_check<S> check(semiring(), algebra_.inf);
    visit_edges(g, threads_, [&](std::size_t u, std::size_t v, const T& w) {
      check.add(u, v, w, algebra_.zero);
    });
    return check.fits();
  }
  bool is_closure_of_entries() const {
    semiring_check<S> check(semiring(), algebra_.inf);
    for_each_entry([&](std::size_t u, std::size_t v) {
      const T w = matrix_entry(d_, u, v);
      if (w != algebra_.inf) u == v ? check.add_loop(v, w) : check.add(u, v, w);
    });
    return check.fits();
  }

  /// Converts the closure to the result of the loop.
  bool finish() {
    const auto limit = to_cutoff_of(semiring(), policy_.cutoff());
    for_each_entry([&](std::size_t u, std::size_t v) {
      auto&& entry = matrix_entry(d_, u, v);
      if (u == v) {
        entry = within(limit, algebra_.zero);
      } else if (!is_path(static_cast<T>(entry))) {
        entry = algebra_.inf;
      }
    });
    return true;
  }

  /// The same with the initial diagonal @p given. In the loop, the distance of a vertex from itself
  /// is its initial value or the best cycle.
  bool finish_initialized(const matrix<T>& given) {
    const auto limit = to_cutoff_of(semiring(), policy_.cutoff());
    std::vector<char> improved(n_, 0);
    host::parallel_for(n_, writers<D>(threads_), [&](std::size_t v) {
      T itself = given[v][v];
      for (std::size_t u = 0; u < n_; ++u) {
        if (u == v) continue;
        auto&& entry = matrix_entry(d_, v, u);
        const T there = entry;
        if (!is_path(there)) {
          entry = algebra_.inf;
        } else if (given[u][v] != algebra_.inf) {
          const T cycle = semiring().times(there, given[u][v]);
          if (is_better(semiring(), cycle, itself)) itself = cycle;
        }
      }
      itself = within(limit, itself);
      matrix_entry(d_, v, v) = itself;
      improved[v] = algebra_.compare(itself, algebra_.zero) ? 1 : 0;
    });
    return std::find(improved.begin(), improved.end(), 1) == improved.end();
  }

  bool is_path(const T& value) const { return is_better(semiring(), value, algebra_.inf); }
  T within(const std::optional<T>& limit, const T& value) const {
    return limit && is_better(semiring(), *limit, value) ? algebra_.inf : value;
  }

  template <class F>
  void for_each_entry(F f) const {
    host::parallel_for(n_, writers<D>(threads_), [&](std::size_t u) {
      for (std::size_t v = 0; v < n_; ++v) f(u, v);
    });
  }

  matrix<T> copy_of_entries() const {
    matrix<T> copy(n_);
    for_each_entry([&](std::size_t u, std::size_t v) { copy[u][v] = matrix_entry(d_, u, v); });
    return copy;
  }

  template <class Graph>
  void fill(const Graph& g, T* const* rows) const {
    for_each_entry(
        [&](std::size_t u, std::size_t v) { rows[u][v] = u == v ? algebra_.zero : algebra_.inf; });
    visit_edges(g, 1, [&](std::size_t u, std::size_t v, const auto& w) {
      T& entry = rows[u][v];
      const T weight = static_cast<T>(w);
      entry = entry != algebra_.inf ? host::better(weight, entry, algebra_.compare) : weight;
    });
  }

  template <class Fill>
  bool in_plain_loop(Fill fill) {
    refuse_if_required(policy_);
    matrix_rows<T> rows(d_, {n_, n_}, false);
    rows_in_place_ = rows.in_place();
    fill(rows.data());
    monitor watch(policy_.attached_observer());
    watch.begin(n_);
    if (!host::semiring_floyd_warshall(n_, rows.data(), algebra_, threads_, watch)) {
      return false;
    }
    if (cutoff_) {
      for_each_entry([&](std::size_t u, std::size_t v) {
        T& entry = rows.data()[u][v];
        if (algebra_.compare(*cutoff_, entry)) entry = algebra_.inf;
      });
    }
    if (!rows.in_place()) {
      for_each_entry(
          [&](std::size_t u, std::size_t v) { matrix_entry(d_, u, v) = rows.data()[u][v]; });
    }
    for (std::size_t v = 0; v < n_; ++v) {
      if (algebra_.compare(rows.data()[v][v], algebra_.zero)) return false;
    }
    return true;
  }

  const Policy& policy_;
  D& d_;
  std::size_t n_;
  const algebra_type& algebra_;
  std::optional<T> cutoff_;
  int threads_;
  bool rows_in_place_ = false;
};

/// One call of Johnson's algorithm, on a graph of n vertices and an n x n matrix.
///
/// As in Boost's function, an entry is `combine(zero, length of the path)`, or `inf` if that is not
/// better than `inf`. Both constants have the type of the weights.
template <class Policy, class Graph, class D, class Compare, class Combine>
class johnson_call {
  using T = matrix_value_t<D>;
  using weight = weight_type_t<Graph>;
  using algebra_type = path_algebra<weight, Compare, Combine>;

 public:
  johnson_call(const Policy& policy, const Graph& g, D& distances, std::size_t n,
               const algebra_type& algebra)
      : policy_(policy),
        graph_(g),
        d_(distances),
        n_(n),
        algebra_(algebra),
        inf_(to_constant<T>(algebra.inf)) {}

  bool run() {
    if constexpr (has_kernels<T, weight, Compare, Combine>) {
      // In the kernels the empty path has length 0, so the caller's value is added at the end.
      const auto usual = path_algebra<weight, Compare, Combine>{algebra_.compare, algebra_.combine,
                                                                algebra_.inf, weight{}};
      if (has_usual_constants(usual) && algebra_.zero < algebra_.inf) {
        const every_vertex sources;
        no_predecessors none;
        const result done = per_source_matrix<algorithm::johnson>(policy_, graph_, sources, d_,
                                                                  none, min_plus<T>{});
        if (!done) return false;
        const int threads = host_threads(policy_);
        if (algebra_.zero != weight{}) add_zero(threads);
        put_inf(d_, n_, inf_, threads, [&](std::size_t, std::size_t) { return inf_; });
        return true;
      }
    }
    return by_other_algorithms();
  }

 private:
  void add_zero(int threads) {
    if constexpr (std::is_arithmetic_v<T> && std::is_arithmetic_v<weight>) {
      host::parallel_for(n_, writers<D>(threads), [&](std::size_t u) {
        for (std::size_t v = 0; v < n_; ++v) {
          auto&& entry = matrix_entry(d_, u, v);
          const T distance = static_cast<T>(entry);
          if (distance == unreachable<T>) continue;
          if constexpr (std::is_integral_v<T> && std::is_integral_v<weight>) {
            const auto sum = static_cast<int128>(distance) + static_cast<int128>(algebra_.zero);
            constexpr auto lowest = static_cast<int128>(std::numeric_limits<T>::lowest());
            entry = sum < static_cast<int128>(inf_) ? static_cast<T>(std::max(sum, lowest)) : inf_;
          } else {
            entry = static_cast<T>(distance + static_cast<T>(algebra_.zero));
          }
        }
      });
    }
  }

  bool by_other_algorithms() {
    using call_type = floyd_warshall_call<Policy, matrix<weight>, Compare, Combine>;
    // Refuse before a second matrix is allocated.
    if constexpr (!call_type::has_semiring) refuse_if_required(policy_);
    matrix<weight> own(n_);
    call_type call(policy_, own, n_, algebra_);
    if (!call.run_on_better_edges(graph_)) return false;
    host::parallel_for(n_, writers<D>(host_threads(policy_)), [&](std::size_t u) {
      for (std::size_t v = 0; v < n_; ++v) {
        const weight& distance = own[u][v];
        const bool is_path = distance != algebra_.inf;
        matrix_entry(d_, u, v) = is_path ? static_cast<T>(distance) : inf_;
      }
    });
    return true;
  }

  const Policy& policy_;
  const Graph& graph_;
  D& d_;
  std::size_t n_;
  const algebra_type& algebra_;
  T inf_;
};

}  // namespace apsp::inline v1::detail::boost_compatible
