// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "../../graph/edges.hpp"
#include "../../graph/semiring_edges.hpp"
#include "../../host/parallel_for.hpp"
#include "../../matrix/part.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/not_a_number.hpp"
#include "../../values/weight.hpp"
#include "problem.hpp"

namespace apsp::inline v1::detail {

/// The edges of a graph for a backend: written into rows, or as a list.
template <class C, class T, class Graph>
class matrix_source {
 public:
  matrix_source(const Graph& g, std::size_t n, std::size_t num_edges, diagonal diag,
                const distance_code<C>& code, int threads)
      : graph_(g), n_(n), num_edges_(num_edges), diagonal_(diag), code_(code), threads_(threads) {}

  std::size_t num_vertices() const { return n_; }
  std::size_t num_edges() const { return num_edges_; }
  /// True if the list of arcs is smaller than the matrix and represents all of it.
  bool is_sparse() const { return diagonal_ == diagonal::zero && num_edges_ <= n_ * n_ / 4; }

  /// Calls f(u, v, w) for every arc, from several threads; all arcs of one source from the same
  /// one.
  template <class F>
  void for_each_arc(F f) const {
    visit_edges(graph_, threads_, [&](std::size_t u, std::size_t v, const auto& w) {
      auto fault = edge_fault::none;
      const T weight = to_distance<T>(w, fault);
      if (!equals_unreachable(weight)) f(u, v, cut_weight(weight, code_.unreachable));
    });
  }

  void fill(C* const* rows, bool transposed) const {
    host::parallel_for(n_, threads_, [&](std::size_t i) {
      for (std::size_t j = 0; j < n_; ++j) rows[i][j] = code_.unreachable;
      if (diagonal_ == diagonal::zero) rows[i][i] = C{};
    });
    for_each_arc([&](std::size_t u, std::size_t v, const C& w) {
      C& entry = transposed ? rows[v][u] : rows[u][v];
      if (w < entry) entry = w;
    });
  }
  /// The same for a part of the matrix.
  void fill_part(C* const* rows, const matrix_part& part) const {
    host::parallel_for(part.rows.count, threads_, [&](std::size_t i) {
      std::fill_n(rows[i], part.columns.count, code_.unreachable);
      const std::size_t u = part.rows.first + i;
      if (diagonal_ == diagonal::zero && part.columns.contains(u)) {
        rows[i][u - part.columns.first] = C{};
      }
    });
    for_each_arc([&](std::size_t u, std::size_t v, const C& w) {
      if (!part.contains(u, v)) return;
      C& entry = rows[u - part.rows.first][v - part.columns.first];
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
};

/// The edges of a graph, written into rows for a closure over S.
template <class S, class Graph>
class semiring_source {
  using T = typename S::value_type;

 public:
  semiring_source(const S& semiring, const Graph& g, std::size_t n, int threads)
      : semiring_(semiring), graph_(g), n_(n), threads_(threads) {}

  void fill(T* const* rows, bool transposed) const {
    host::parallel_for(n_, threads_, [&](std::size_t i) {
      std::fill_n(rows[i], n_, static_cast<T>(semiring_.zero));
      rows[i][i] = semiring_.one;
    });
    visit_values<T>(graph_, threads_, [&](std::size_t u, std::size_t v, const T& w) {
      if (u == v) return;  // A cycle never improves a path.
      T& entry = transposed ? rows[v][u] : rows[u][v];
      entry = semiring_.plus(entry, w);
    });
  }
  /// The same for a part of the matrix.
  void fill_part(T* const* rows, const matrix_part& part) const {
    host::parallel_for(part.rows.count, threads_, [&](std::size_t i) {
      std::fill_n(rows[i], part.columns.count, static_cast<T>(semiring_.zero));
      const std::size_t u = part.rows.first + i;
      if (part.columns.contains(u)) rows[i][u - part.columns.first] = semiring_.one;
    });
    visit_values<T>(graph_, threads_, [&](std::size_t u, std::size_t v, const T& w) {
      if (u == v || !part.contains(u, v)) return;
      T& entry = rows[u - part.rows.first][v - part.columns.first];
      entry = semiring_.plus(entry, w);
    });
  }

 private:
  const S& semiring_;
  const Graph& graph_;
  std::size_t n_;
  int threads_;
};

}  // namespace apsp::inline v1::detail
