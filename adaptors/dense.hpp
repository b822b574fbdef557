// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "../apsp/bit_matrix.hpp"
#include "../apsp/dense.hpp"
#include "../apsp/graph.hpp"
#include "../apsp/matrix_traits.hpp"
#include "../apsp/unreachable.hpp"
#include "../detail/values/not_a_number.hpp"

namespace apsp::inline v1 {

namespace detail {

// Entry (i, j) of a square matrix is the weight of the arc from i to j, or `unreachable` if there
// is no arc. An entry of zero is an edge; a diagonal entry is a self-loop.
template <class M>
struct dense_adaptor {
  using weight_type = matrix_value_t<const M>;
  static_assert(!std::is_same_v<weight_type, bool>,
                "apsp: a matrix of bool is not a graph; use integers, with unreachable where there "
                "is no edge");
  using edge_type = edge;

  static std::size_t num_vertices(const M& m) { return shape_of(m)->rows; }

  static void validate(const M& m) {
    static_assert(!says_sparse<M>,
                  "apsp: a sparse matrix is not a dense graph: entries it does not store would "
                  "become edges of weight 0; pass its arrays to apsp::csr_view");
    const auto shape = shape_of(m);
    if (!shape || shape->rows != shape->columns) {
      throw std::invalid_argument("apsp: a matrix used as a graph must be square");
    }
  }

  static const M& dense_matrix(const M& m) { return m; }
  static const void* dense_entries(const M& m) {
    if constexpr (strided<const M>) {
      return matrix_layout(m).data;
    } else if constexpr (range_of_contiguous_rows<const M>) {
      return num_vertices(m) == 0 ? nullptr : std::data(m[0]);
    } else {
      return &m;
    }
  }

  template <class F>
  static void for_each_arc(const M& m, F f) {
    for_each_edge(m, [&, n = num_vertices(m)](std::size_t u, std::size_t v, const auto&) {
      f(u, v, edge{u, v, u * n + v});
    });
  }
  template <class F>
  static void for_each_edge(const M& m, F f) {
    const std::size_t n = num_vertices(m);
    for (std::size_t u = 0; u < n; ++u) {
      for_each_out_edge(m, u, [&](std::size_t v, const auto& w) { f(u, v, w); });
    }
  }
  template <class F>
  static void for_each_out_edge(const M& m, std::size_t u, F f) {
    const std::size_t n = columns_of(m);
    if constexpr (strided<const M>) {
      const auto layout = matrix_layout(m);
      const auto* row = layout.data + static_cast<std::ptrdiff_t>(u) * layout.row_stride;
      for (std::size_t v = 0; v < n; ++v) {
        const auto& w = row[static_cast<std::ptrdiff_t>(v) * layout.column_stride];
        if (is_edge(w)) f(v, w);
      }
    } else {
      for (std::size_t v = 0; v < n; ++v) {
        const weight_type w = matrix_entry(m, u, v);
        if (is_edge(w)) f(v, w);
      }
    }
  }

 private:
  // Under -ffast-math, NaN may compare equal to anything. It counts as an edge, so that its weight
  // is rejected.
  static bool is_edge(const weight_type& w) { return !equals_unreachable(w) || is_nan(w); }
  // shape_of would visit all rows of a range of rows.
  static std::size_t columns_of(const M& m) {
    if constexpr (range_of_rows<const M>) {
      return static_cast<std::size_t>(std::size(m));
    } else {
      return shape_of(m)->columns;
    }
  }
};

// A range of matrices is not a dense graph, although r[i][j] is valid, nor are lists of arcs:
// weights of any semiring can be compared, and most structs cannot. The
// shape is tested first, because testing operator[] of some graphs is a hard error.
template <class M>
concept dense_by_itself =
    has_matrix_shape<M> && readable_matrix<M> && !has_graphs_as_elements<M> &&
    !target_and_weight<matrix_value_t<M>> && std::equality_comparable<matrix_value_t<M>>;

}  // namespace detail

/// A square matrix with a known shape is a dense graph; `matrix_traits.hpp` lists the kinds.
template <class M>
  requires detail::dense_by_itself<const M>
struct graph_adaptor<M> : detail::dense_adaptor<M> {};

/// A square matrix of bits is a graph without weights: every set bit is an arc.
template <>
struct graph_adaptor<bit_matrix> {
  using weight_type = void;
  using edge_type = edge;

  static std::size_t num_vertices(const bit_matrix& m) { return m.rows(); }

  static void validate(const bit_matrix& m) {
    if (m.rows() != m.cols()) {
      throw std::invalid_argument("apsp: a matrix used as a graph must be square");
    }
  }

  static const void* dense_entries(const bit_matrix& m) {
    return m.rows() == 0 ? nullptr : m.words(0).data();
  }

  template <class F>
  static void for_each_arc(const bit_matrix& m, F f) {
    for (std::size_t u = 0; u < m.rows(); ++u) {
      for_each_target(m, u, [&](std::size_t v) { f(u, v, edge{u, v, u * m.cols() + v}); });
    }
  }
  /// Calls f(v) for the target v of every arc that leaves @p u.
  template <class F>
  static void for_each_target(const bit_matrix& m, std::size_t u, F f) {
    std::size_t first = 0;
    for (bit_matrix::word word : m.words(u)) {
      for (; word != 0; word &= word - 1) {
        f(first + static_cast<std::size_t>(std::countr_zero(word)));
      }
      first += bit_matrix::word_bits;
    }
  }
};

template <class M>
struct graph_adaptor<dense_view<M>> {
  using base = detail::dense_adaptor<M>;
  using weight_type = typename base::weight_type;
  using edge_type = edge;

  static std::size_t num_vertices(const dense_view<M>& g) { return base::num_vertices(g.matrix()); }
  static void validate(const dense_view<M>& g) { base::validate(g.matrix()); }
  static const M& dense_matrix(const dense_view<M>& g) { return g.matrix(); }
  static const void* dense_entries(const dense_view<M>& g) {
    return base::dense_entries(g.matrix());
  }
  template <class F>
  static void for_each_arc(const dense_view<M>& g, F f) {
    base::for_each_arc(g.matrix(), f);
  }
  template <class F>
  static void for_each_edge(const dense_view<M>& g, F f) {
    base::for_each_edge(g.matrix(), f);
  }
  template <class F>
  static void for_each_out_edge(const dense_view<M>& g, std::size_t u, F f) {
    base::for_each_out_edge(g.matrix(), u, f);
  }
};

}  // namespace apsp::inline v1
