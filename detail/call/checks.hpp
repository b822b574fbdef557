// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "../../apsp/device_graph.hpp"
#include "../../apsp/device_memory.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../graph/edges.hpp"
#include "../graph/semiring_edges.hpp"
#include "../matrix/memory.hpp"
#include "../matrix/rows.hpp"
#include "../values/weight.hpp"
#include "../values/weight_types.hpp"
#include "explain.hpp"

// Checks made before anything runs: of types at compile time, of shapes at run time.
namespace apsp::inline v1::detail {

template <class T>
inline constexpr bool is_cuda_policy = false;
template <backend Kernels, class Observer>
inline constexpr bool is_cuda_policy<cuda_policy<Kernels, Observer>> = true;

/// True if any of the graphs and matrices of a call is in device memory.
template <class... Data>
inline constexpr bool lie_in_device_memory = (device_resident<Data> || ...);

/// True if @p g is a dense graph of n vertices that shares memory, or may share memory, with a
/// result of that size.
template <class Graph, class M>
bool lies_in(const Graph& g, const M& result, std::size_t n) {
  using adaptor = graph_adaptor_t<Graph>;
  if constexpr (requires { adaptor::dense_matrix(g); }) {
    return may_overlap(adaptor::dense_matrix(g), {n, n}, result, {n, n});
  } else if constexpr (graph<M> && requires { adaptor::dense_entries(g); }) {
    const void* entries = adaptor::dense_entries(g);
    return entries != nullptr && entries == graph_adaptor_t<M>::dense_entries(result);
  } else {
    return false;
  }
}

/// Checks that the edges of a graph can be enumerated; returns the number of vertices.
template <class Graph>
std::size_t check_vertices(const Graph& g) {
  using adaptor = graph_adaptor_t<Graph>;
  if constexpr (requires { adaptor::validate(g); }) adaptor::validate(g);
  const std::size_t n = num_vertices_of(g);
  if (n > static_cast<std::size_t>((std::numeric_limits<std::int32_t>::max)())) {
    throw std::length_error("apsp: more than 2^31 - 1 vertices");
  }
  return n;
}

/// Checks that shortest paths can be computed with weights and distances of type T.
template <class T>
constexpr bool check_weight_type() {
  static_assert(
      std::is_default_constructible_v<T> && std::is_copy_assignable_v<T> &&
          requires(const T& a, const T& b) {
            { a + b } -> std::convertible_to<T>;
            { a - b } -> std::convertible_to<T>;
            { a < b } -> std::convertible_to<bool>;
            { a == b } -> std::convertible_to<bool>;
          },
      "apsp: a type of weights and distances must be copyable, have 0 as its default value, and +, "
      "-, < and ==");
  return true;
}

/// Checks the types and the graph of a call; returns the number of vertices.
template <class T, class Graph>
std::size_t check_graph(const Graph& g) {
  static_assert(!std::is_same_v<T, bool> && !(std::is_integral_v<T> && sizeof(T) > 8),
                "apsp: distances must not be bool or wider than 64 bits");
  static_assert(!device_resident<Graph>, "apsp: this function needs a graph in host memory");
  check_weights<Graph>();
  using weight = weight_type_t<Graph>;
  static_assert(std::is_void_v<weight> || std::is_convertible_v<weight, T> ||
                    std::is_constructible_v<T, weight>,
                "apsp: the weights of this graph cannot be converted to the type of the "
                "distances; for lists of structs pass apsp::adjacency_lists_view(lists, "
                "&Edge::target, &Edge::weight)");
  return check_vertices(g);
}

/// Checks the type of a matrix or range that receives numbers of the n vertices.
/// @param name  in messages.
template <class M>
void check_vertex_numbers(std::size_t n, const char* name) {
  using index = matrix_value_t<M>;
  static_assert(std::is_integral_v<index> && !std::is_same_v<index, bool>,
                "apsp: predecessors are vertex numbers; use a matrix of an integer type");
  // no_predecessor is the largest unsigned value, so it cannot be a vertex number.
  if (n != 0 && !std::in_range<plain_integer_t<index>>(std::is_unsigned_v<index> ? n : n - 1)) {
    throw std::invalid_argument("apsp: the type of " + std::string(name) + " is too narrow for " +
                                std::to_string(n) + " vertices");
  }
}

/// True if shares(array, shape) for one of the arrays of a sparse graph, as a matrix of bytes.
template <class Graph, class Shares>
bool any_array(const Graph& g, Shares shares) {
  using adaptor = graph_adaptor_t<Graph>;
  if constexpr (requires { adaptor::arrays(g); }) {
    return std::ranges::any_of(adaptor::arrays(g), [&](std::span<const std::byte> bytes) {
      const matrix_view<const std::byte> array(bytes.data(), 1, bytes.size());
      return !bytes.empty() && shares(array, matrix_shape{1, bytes.size()});
    });
  } else {
    return false;
  }
}

[[noreturn]] inline void refuse_shared_arrays() {
  throw std::invalid_argument(
      "apsp: expected results that share no memory with the arrays of the graph, got some that do");
}

/// The arrays of a sparse graph may be read when a result is already written.
/// @throws std::invalid_argument if the result shares memory with one of them.
template <class Graph, class M>
void check_apart_from_arrays(const Graph& g, M& result, const matrix_shape& shape) {
  const bool is_shared = any_array(g, [&](const auto& array, const matrix_shape& array_shape) {
    return may_overlap(array, array_shape, result, shape);
  });
  if (is_shared) refuse_shared_arrays();
}

/// Checks the matrices of a call, with one row per source and one column for each of the n
/// vertices.
template <class Graph, class D, class P>
void check_matrices(const Graph& g, D& distances, P& predecessors, std::size_t rows,
                    std::size_t n) {
  require_shape(distances, rows, n, "the distance matrix");
  check_apart_from_arrays(g, distances, {rows, n});
  if constexpr (!std::is_same_v<P, no_predecessors>) {
    require_shape(predecessors, rows, n, "the predecessor matrix");
    check_apart_from_arrays(g, predecessors, {rows, n});
    if (may_overlap(predecessors, {rows, n}, distances, {rows, n})) {
      throw std::invalid_argument("apsp: distances and predecessors must not share memory");
    }
    check_vertex_numbers<P>(n, "the predecessor matrix");
  }
}

/// The matrix of a dense graph of n vertices whose weights have been validated.
template <class T, class Graph>
matrix<T> copy_dense(const Graph& g, std::size_t n) {
  matrix<T> copy(n, n, unreachable<T>);
  visit_edges(g, 1, [&](std::size_t u, std::size_t v, const auto& w) {
    auto fault = edge_fault::none;
    copy[u][v] = to_distance<T>(w, fault);
  });
  return copy;
}

/// The same, after checking the weights.
/// @throws std::invalid_argument as the algorithms over that semiring do.
template <class S, class Graph>
auto check_and_copy_dense(const S& semiring, const Graph& g, std::size_t n) {
  using T = typename S::value_type;
  if constexpr (is_min_plus<S>) {
    static_cast<void>(find_weight_range<T>(g, n, 1));
  } else {
    check_edges(semiring, g, n, 1);
  }
  return copy_dense<T>(g, n);
}

/// Checks the semiring of a call whose result is a matrix of type D.
template <class S, class D>
constexpr void check_semiring() {
  if constexpr (is_min_plus<S>) static_assert(check_weight_type<typename S::value_type>());
  static_assert(semiring<S>, "apsp: this type is not a semiring; see apsp/semiring.hpp");
  static_assert(std::is_same_v<typename S::value_type, matrix_value_t<D>>,
                "apsp: the value type of the semiring must be that of the matrix");
}

/// Checks the semiring of an all-pairs call.
template <class S, class D, class P>
constexpr void check_closure_semiring() {
  if constexpr (is_min_plus<S>) static_assert(check_weight_type<typename S::value_type>());
  check_semiring<S, D>();
  static_assert(closed_semiring<S>,
                "apsp: this algorithm needs a semiring that says is_idempotent and "
                "cycles_never_improve; see apsp/semiring.hpp");
  static_assert(selective_semiring<S> || std::is_same_v<P, no_predecessors>,
                "apsp: predecessors need a semiring that says is_selective: one of two paths is "
                "chosen; see apsp/semiring.hpp");
}

/// Checks those properties of a graph in device memory that the host knows; returns the number of
/// vertices.
template <class T, class Graph>
std::size_t check_device_graph(const Graph& g) {
  static_assert(has_compiled_kernels<T>,
                "apsp: distances of a graph in device memory must be float, double, std::int32_t "
                "or std::int64_t");
  static_assert(
      std::is_same_v<typename graph_adaptor_t<Graph>::weight_type, T>,
      "apsp: the weights of a graph in device memory must have the type of the distances");
  return check_vertices(g);
}

/// Checks the types and the memory of results in device memory.
template <class D, class P>
void check_device_results(const D& distances, const P& predecessors) {
  static_assert(
      has_compiled_kernels<matrix_value_t<D>>,
      "apsp: distances in device memory must be float, double, std::int32_t or std::int64_t");
  require_matrix_memory(distances);
  if constexpr (!std::is_same_v<P, no_predecessors>) {
    static_assert(
        device_resident<P>,
        "apsp: distances and predecessors must both be in device memory or both in host memory");
    static_assert(sizeof(matrix_value_t<P>) == 4 || sizeof(matrix_value_t<P>) == 8,
                  "apsp: predecessors in device memory must be integers of 32 or 64 bits");
    require_matrix_memory(predecessors);
  }
}

/// Checks a graph that may be in device memory; returns the number of vertices.
template <class T, class Graph>
std::size_t check_graph_anywhere(const Graph& g) {
  if constexpr (device_resident<Graph>) {
    return check_device_graph<T>(g);
  } else {
    return check_graph<T>(g);
  }
}

/// Checks the policy of a call that has data in device memory.
template <class Policy>
constexpr void check_device_policy() {
  static_assert(is_cuda_policy<Policy>,
                "apsp: a graph or a matrix in device memory needs cuda_naive or cuda_tiled; seq "
                "and omp need host memory");
}

/// Checks the semiring of such a call.
/// @tparam HasKernels  whether kernels for the semiring accept data in device memory
template <bool HasKernels>
constexpr void check_device_semiring() {
  static_assert(HasKernels, "apsp: this semiring needs graphs and matrices in host memory");
}

}  // namespace apsp::inline v1::detail
