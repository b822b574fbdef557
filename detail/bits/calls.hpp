// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/bit_matrix.hpp"
#include "../../apsp/device_graph.hpp"
#include "../../apsp/device_memory.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../call/placement.hpp"
#include "../device/launch_target.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/device_graph.hpp"
#include "../graph/edges.hpp"
#include "../host/monitor.hpp"
#include "../host/parallel_for.hpp"
#include "../matrix/product_shape.hpp"
#include "../matrix/rows.hpp"
#include "../plan/rates.hpp"
#include "../plan/reachability.hpp"
#include "../values/not_a_number.hpp"
#include "../values/weight.hpp"
#include "../values/weight_types.hpp"
#include "cuda/solvers.hpp"
#include "host/transitive_closure.hpp"
#include "problem.hpp"

// Closures and products of bit matrices. The caller's data are packed into bits, 64 to a word, for
// solvers that are compiled once.
namespace apsp::inline v1::detail {

/// The whole row @p i of @p m as a function of the column: matrices in memory then do not query
/// their layout for every entry.
template <class M>
auto row_of(M& m, std::size_t i) {
  if constexpr (strided<M>) {
    const auto layout = matrix_layout(m);
    return [row = layout.data + static_cast<std::ptrdiff_t>(i) * layout.row_stride,
            stride = layout.column_stride](std::size_t j) -> decltype(auto) {
      return row[static_cast<std::ptrdiff_t>(j) * stride];
    };
  } else {
    return [&m, i](std::size_t j) -> decltype(auto) { return matrix_entry(m, i, j); };
  }
}

/// Sets the bits of the entries of @p m that are not false, and clears the others.
template <class M>
void pack_bits(M& m, bit_matrix& bits, int threads) {
  static_assert(std::is_constructible_v<bool, matrix_value_t<M>>,
                "apsp: the entries of this matrix cannot be converted to bool");
  host::parallel_for(bits.rows(), writers<M>(threads), [&](std::size_t i) {
    const auto entry = row_of(m, i);
    const auto words = bits.words(i);
    for (std::size_t w = 0; w < words.size(); ++w) {
      const std::size_t first = w * bit_matrix::word_bits;
      const std::size_t last = std::min(bits.cols(), first + bit_matrix::word_bits);
      bit_matrix::word word = 0;
      for (std::size_t j = first; j < last; ++j) {
        word |= bit_matrix::word{static_cast<bool>(entry(j))} << (j - first);
      }
      words[w] = word;
    }
  });
}

/// Writes every bit as true or false, converted to the entry type of @p m.
template <class M>
void unpack_bits(const bit_matrix& bits, M& m, int threads) {
  using T = matrix_value_t<M>;
  static_assert(std::is_constructible_v<T, bool>,
                "apsp: a bool cannot be converted to the entries of this matrix");
  host::parallel_for(bits.rows(), writers<M>(threads), [&](std::size_t i) {
    const auto entry = row_of(m, i);
    for (std::size_t j = 0; j < bits.cols(); ++j) entry(j) = static_cast<T>(bits(i, j));
  });
}

template <class M>
inline constexpr bool is_bit_matrix = std::is_same_v<std::remove_cvref_t<M>, bit_matrix>;

/// Calls f(u, v) for every arc, from several threads if the graph can be read vertex by vertex. Two
/// arcs of one source are never visited by two threads.
template <class Graph, class F>
void visit_arcs(const Graph& g, int threads, F f) {
  using adaptor = graph_adaptor_t<Graph>;
  static_assert(graph_with_weights<Graph> || graph_with_arcs<Graph>,
                "apsp: the arcs of this graph cannot be visited");
  if constexpr (is_bit_matrix<Graph>) {
    host::parallel_for(g.rows(), threads, [&](std::size_t u) {
      adaptor::for_each_target(g, u, [&](std::size_t v) { f(u, v); });
    });
  } else if constexpr (graph_with_weights<Graph>) {
    using W = weight_type_t<Graph>;
    visit_edges(g, threads, [&](std::size_t u, std::size_t v, const auto& w) {
      if constexpr (std::is_same_v<W, bool>) {
        if (!w) return;  // the zero of `or_and`
      } else if constexpr (std::numeric_limits<W>::is_specialized) {
        if (equals_unreachable<W>(w)) return;
      }
      f(u, v);
    });
  } else {
    adaptor::for_each_arc(g, [&](auto u, auto v, const auto&) {
      f(static_cast<std::size_t>(u), static_cast<std::size_t>(v));
    });
  }
}

/// The position of the first arc of every vertex when the arcs are grouped by source: n + 1
/// offsets.
/// @throws std::invalid_argument if a vertex is out of range.
template <class Graph>
std::vector<std::size_t> arc_offsets(const Graph& g, std::size_t n, int threads) {
  std::vector<std::size_t> offsets(n + 1, 0);
  if constexpr (is_bit_matrix<Graph>) {
    host::parallel_for(n, threads, [&](std::size_t u) {
      for (const auto word : g.words(u)) {
        offsets[u + 1] += static_cast<std::size_t>(std::popcount(word));
      }
    });
  } else {
    visit_arcs(g, threads, [&](std::size_t u, std::size_t v) {
      if (u >= n || v >= n) throw_edge_fault(edge_fault::vertex, u, v, n);
      ++offsets[u + 1];
    });
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

/// The arcs of a graph, as make(u, v), grouped by source.
/// @throws std::invalid_argument if the number of arcs has changed since the offsets were counted.
template <class Arc, class Graph, class Make>
std::vector<Arc> arcs_in_order(const Graph& g, const std::vector<std::size_t>& offsets, int threads,
                               Make make) {
  std::vector<Arc> arcs(offsets.back());
  arc_places places(offsets);
  visit_arcs(g, threads, [&](std::size_t u, std::size_t v) { arcs[places.take(u)] = make(u, v); });
  places.require_full();
  return arcs;
}

/// Sets @p bits, the rows of a matrix from @p first_row on, to the arcs of @p g, and sets the
/// diagonal.
/// @p bits may be the graph itself, but must not overlap the graph's data otherwise.
template <class Graph>
void fill_bits(const Graph& g, bit_matrix& bits, int threads, std::size_t first_row = 0) {
  const std::size_t num_rows = bits.rows();
  if constexpr (is_bit_matrix<Graph>) {
    if (&g != &bits) {
      host::parallel_for(num_rows, threads, [&](std::size_t i) {
        std::ranges::copy(g.words(first_row + i), bits.words(i).begin());
      });
    }
  } else {
    host::parallel_for(num_rows, threads,
                       [&](std::size_t i) { std::ranges::fill(bits.words(i), 0); });
    visit_arcs(g, threads, [&](std::size_t u, std::size_t v) {
      if (u - first_row < num_rows) bits.set(u - first_row, v);
    });
  }
  for (std::size_t i = 0; i < num_rows; ++i) bits.set(i, first_row + i);
}

inline void note_bits(monitor& watch) {
  watch.note_type("bit", "an entry says whether there is a path");
}

/// The targets of the arcs, grouped by source.
template <class Graph>
std::vector<std::int32_t> targets_in_order(const Graph& g, const std::vector<std::size_t>& offsets,
                                           int threads) {
  return arcs_in_order<std::int32_t>(
      g, offsets, threads, [](std::size_t, std::size_t v) { return static_cast<std::int32_t>(v); });
}

/// @return false if the call was stopped.
template <class Graph>
bool close_bits(const host_backend& backend, const Graph& g,
                const std::vector<std::size_t>& offsets, bit_matrix& bits) {
  const int threads = backend.host_threads();
  if (choose_reachability(backend.name(), bits.rows(), offsets.back()) ==
      reachability_method::condensation) {
    const auto targets = targets_in_order(g, offsets, threads);
    return host::close_condensed({offsets.data(), targets.data()}, view_of(bits), threads,
                                 backend.watch());
  }
  host::warshall_solver solver(bits.rows(), bits.cols(), threads);
  fill_bits(g, bits, threads);
  return solver.solve(view_of(bits), backend.watch());
}

template <class Graph>
bool close_bits(const cuda_backend& backend, const Graph& g,
                const std::vector<std::size_t>& offsets, bit_matrix& bits) {
  const int threads = backend.host_threads();
  if (choose_reachability(backend.name(), bits.rows(), offsets.back()) ==
      reachability_method::condensation) {
    const auto targets = targets_in_order(g, offsets, threads);
    return cuda::close_condensed(backend.target(), {offsets.data(), targets.data()}, view_of(bits),
                                 threads, backend.watch());
  }
  // The smaller representation is copied to the device.
  const std::size_t bytes_of_bits = bits.rows() * bits.pitch() * sizeof(bit_matrix::word);
  if (offsets.back() <= bytes_of_bits / sizeof(cuda::bit_arc)) {
    const auto arcs =
        arcs_in_order<cuda::bit_arc>(g, offsets, threads, [](std::size_t u, std::size_t v) {
          return cuda::bit_arc{static_cast<std::int32_t>(u), static_cast<std::int32_t>(v)};
        });
    return cuda::close(backend.target(), arcs, view_of(bits), backend.watch());
  }
  fill_bits(g, bits, threads);
  return cuda::close(backend.target(), view_of(bits), backend.watch());
}

template <class Policy, class Graph, class Bits>
result transitive_closure(const Policy& policy, const Graph& g, Bits& bits);

/// The closure of a graph in device memory.
template <class Policy, class Graph, class Bits>
result closure_of_device_graph(const Policy& policy, const Graph& g, Bits& bits) {
  check_device_policy<Policy>();
  static_assert(device_resident<Graph>,
                "apsp: the closure of a graph in host memory must be written to host memory");
  if constexpr (is_cuda_policy<Policy> && device_resident<Graph>) {
    using W = typename graph_adaptor_t<Graph>::weight_type;
    static_assert(
        has_compiled_kernels<W>,
        "apsp: weights in device memory must be float, double, std::int32_t or std::int64_t");
    const std::size_t n = check_vertices(g);
    require_shape(bits, n, n, "the matrix of the closure");
    if constexpr (device_resident<Bits>) {
      using T = matrix_value_t<Bits>;
      static_assert(
          std::is_integral_v<T> && sizeof(T) == 1,
          "apsp: a closure in device memory must be a matrix of bool or of one-byte integers");
      require_matrix_memory(bits);
      const no_predecessors none;
      return on_device_of(
          target_of(policy), g, bits, none,
          [&](const cuda::launch_target& target, const device_matrix_view<T>& m, const auto&) {
            monitor watch(policy.attached_observer());
            result done(target.kernels, algorithm::transitive_closure);
            const auto graph = device_form(g);
            cuda::check_device_arcs(target, graph);
            note_bits(watch);
            const device_matrix_view<std::uint8_t> bytes(reinterpret_cast<std::uint8_t*>(m.data()),
                                                         n, n, m.pitch());
            if (!cuda::close(target, graph, bytes, watch)) done.set_stopped();
            done.set_computed(watch.computed());
            return done;
          });
    } else {
      return with_selected_copy(policy, g, [&](const auto& copy) {
        return detail::transitive_closure(policy.required(), copy, bits);
      });
    }
  }
}

/// Checks everything that can be checked before the first entry is written, then runs.
template <class Policy, class Graph, class Bits>
result transitive_closure(const Policy& policy, const Graph& g, Bits& bits) {
  if constexpr (lie_in_device_memory<Graph, Bits>) {
    return closure_of_device_graph(policy, g, bits);
  } else {
    const std::size_t n = check_vertices(g);
    require_shape(bits, n, n, "the matrix of the closure");
    check_apart_from_arrays(g, bits, {n, n});
    return on_backend<bool>(policy, [&](const auto& any) {
      const auto backend = any.for_work(entries_work(n, n));
      const std::vector<std::size_t> offsets = arc_offsets(g, n, backend.host_threads());
      result done(backend.name(), algorithm::transitive_closure);
      note_bits(backend.watch());
      const auto close = [&](bit_matrix& closure) {
        const bool finished = close_bits(backend, g, offsets, closure);
        if (!finished) done.set_stopped();
        return finished;
      };
      if constexpr (is_bit_matrix<Bits>) {
        // A graph that reads the bits in another order would see them change.
        if (is_bit_matrix<Graph> || !lies_in(g, bits, n)) {
          static_cast<void>(close(bits));
          return done;
        }
      }
      bit_matrix own(n);
      if (!close(own)) return done;
      if constexpr (is_bit_matrix<Bits>) {
        bits = std::move(own);
      } else {
        unpack_bits(own, bits, backend.host_threads());
      }
      return done;
    });
  }
}

/// An operand of a product as bits: the caller's matrix, or a packed copy.
class packed_operand {
 public:
  template <class M>
  packed_operand(const M& m, matrix_shape shape, bool copy, int threads) {
    if constexpr (is_bit_matrix<M>) {
      if (!copy) {
        view_ = view_of(m);
        return;
      }
      own_ = m;
    } else {
      own_ = bit_matrix(shape.rows, shape.columns);
      pack_bits(m, own_, threads);
    }
    view_ = view_of(std::as_const(own_));
  }
  packed_operand(const packed_operand&) = delete;
  packed_operand& operator=(const packed_operand&) = delete;

  const const_bit_view& view() const { return view_; }

 private:
  bit_matrix own_;
  const_bit_view view_{};
};

inline bool multiply(const host_backend& backend, const const_bit_view& a, const const_bit_view& b,
                     const bit_view& c) {
  return host::bit_product(a, b, c, backend.host_threads(), backend.watch());
}
inline bool multiply(const cuda_backend& backend, const const_bit_view& a, const const_bit_view& b,
                     const bit_view& c) {
  return cuda::bit_product(backend.target(), a, b, c, backend.watch());
}

/// c |= a (x) b: entry (i, j) becomes true if, for some k, entries (i, k) of a and (k, j) of b are
/// true. c may be a or b. Entries are converted to and from bool; a `bit_matrix` is used in place.
///
/// @param a  m x k
/// @param b  k x n
/// @param c  m x n
/// @throws std::invalid_argument if the shapes do not match; nothing is written then.
template <class Policy, class A, class B, class C>
result bit_product(const Policy& policy, const A& a, const B& b, C& c) {
  const product_shape_of_call shape = check_product(a, b, c);
  const auto is_result = [&c](const auto& m) {
    return static_cast<const void*>(&m) == static_cast<const void*>(&c);
  };
  return on_backend<bool>(policy, [&](const auto& any) {
    const auto backend = any.for_work(entries_work(shape.rows, shape.depth) +
                                      entries_work(shape.depth, shape.columns) +
                                      entries_work(shape.rows, shape.columns));
    const int threads = backend.host_threads();
    result done(backend.name(), algorithm::product);
    if (shape.rows == 0 || shape.columns == 0 || shape.depth == 0) return done;
    note_bits(backend.watch());
    const packed_operand operand_a(a, {shape.rows, shape.depth}, is_result(a), threads);
    const packed_operand operand_b(b, {shape.depth, shape.columns}, is_result(b), threads);
    if constexpr (is_bit_matrix<C>) {
      if (!multiply(backend, operand_a.view(), operand_b.view(), view_of(c))) {
        done.set_stopped();
      }
    } else {
      bit_matrix own(shape.rows, shape.columns);
      pack_bits(c, own, threads);
      if (multiply(backend, operand_a.view(), operand_b.view(), view_of(own))) {
        unpack_bits(own, c, threads);
      } else {
        done.set_stopped();
      }
    }
    return done;
  });
}

}  // namespace apsp::inline v1::detail
