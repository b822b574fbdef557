// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "matrix_traits.hpp"
#include "unreachable.hpp"

namespace apsp::inline v1 {

namespace detail {

template <class R>
concept row_of_numbers = std::ranges::random_access_range<R> && std::ranges::sized_range<R> &&
                         std::integral<std::ranges::range_value_t<R>> && !readable_matrix<R>;

/// @param predecessor_of  `predecessor_of(v)`, for v below n.
template <class PredecessorOf>
std::vector<std::size_t> walk_back(PredecessorOf predecessor_of, std::size_t n, std::size_t s,
                                   std::size_t t) {
  if (s >= n || t >= n) {
    throw std::out_of_range("apsp::path: vertex " + std::to_string(s >= n ? s : t) +
                            " is out of range: there are " + std::to_string(n) + " vertices");
  }
  std::vector<std::size_t> vertices{t};
  while (vertices.back() != s) {
    const auto before = predecessor_of(vertices.back());
    if (before == no_predecessor<std::remove_cvref_t<decltype(before)>>) {
      if (vertices.size() == 1) return {};
      throw std::invalid_argument(
          "apsp::path: the predecessors of the target end before the source");
    }
    const auto vertex = static_cast<std::size_t>(before);
    if (vertex >= n || vertices.size() >= n) {
      throw std::invalid_argument("apsp::path: the predecessors form a cycle or are out of range");
    }
    vertices.push_back(vertex);
  }
  std::reverse(vertices.begin(), vertices.end());
  return vertices;
}

}  // namespace detail

/// The vertices of a shortest path from @p s to @p t, both included, given the predecessors of one
/// source.
///
/// @param row  the predecessors of all n vertices for source s: a row passed by `for_each_row`, or
///             a matrix row.
/// @return {s} if s is t; empty if no path leads from s to t.
/// @throws std::out_of_range if s or t is not a vertex; std::invalid_argument if the entries form a
///         cycle or are out of range, which no algorithm of the library produces.
/// Complexity: linear in the number of vertices on the path.
template <detail::row_of_numbers Row>
std::vector<std::size_t> path(const Row& row, std::size_t s, std::size_t t) {
  const auto n = static_cast<std::size_t>(std::ranges::size(row));
  return detail::walk_back(
      [&](std::size_t v) {
        return std::ranges::begin(row)[static_cast<std::ranges::range_difference_t<Row>>(v)];
      },
      n, s, t);
}

/// As above, with row @p row of a matrix, whose source is s. After an algorithm that was given a
/// list of sources, use `path(predecessors, i, sources[i], t)`.
template <readable_matrix Predecessors>
std::vector<std::size_t> path(const Predecessors& predecessors, std::size_t row, std::size_t s,
                              std::size_t t) {
  std::size_t n = static_cast<std::size_t>(-1);
  if constexpr (has_matrix_shape<const Predecessors>) {
    const auto shape = *shape_of(predecessors);
    if (row >= shape.rows) {
      throw std::out_of_range("apsp::path: row " + std::to_string(row) +
                              " is out of range: the matrix has " + std::to_string(shape.rows) +
                              " rows");
    }
    n = shape.columns;
  }
  return detail::walk_back([&](std::size_t v) { return matrix_entry(predecessors, row, v); }, n, s,
                           t);
}

/// As above, if every vertex has a row, as all-pairs algorithms write them.
/// @throws std::invalid_argument also if the matrix is not square: its rows then belong to a list
///         of sources, and the row must be given.
template <readable_matrix Predecessors>
std::vector<std::size_t> path(const Predecessors& predecessors, std::size_t s, std::size_t t) {
  if constexpr (has_matrix_shape<const Predecessors>) {
    const auto shape = shape_of(predecessors);
    if (!shape || shape->rows != shape->columns) {
      throw std::invalid_argument(
          "apsp::path: the predecessor matrix is " +
          (shape ? std::to_string(shape->rows) + " x " + std::to_string(shape->columns)
                 : std::string("of rows of unequal length")) +
          ", not n x n; for the rows of a list of sources use path(predecessors, row, s, t)");
    }
  }
  return path(predecessors, s, s, t);
}

// Reports at compile time that vertices are not numbers.
template <class Predecessors, class... Vertices>
  requires((sizeof...(Vertices) == 2 || sizeof...(Vertices) == 3) &&
           !(std::convertible_to<Vertices, std::size_t> && ...))
std::vector<std::size_t> path(const Predecessors&, const Vertices&...) {
  static_assert((std::convertible_to<Vertices, std::size_t> && ...),
                "apsp::path: the source and the target must be numbers of vertices; for vertex "
                "descriptors pass numbers_by_vertex(g)(v)");
  return {};
}

}  // namespace apsp::inline v1
