// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <type_traits>

#include "../apsp/device_graph.hpp"
#include "../apsp/device_memory.hpp"
#include "../apsp/graph.hpp"

namespace apsp::inline v1 {

namespace detail {

template <class T>
void require_memory(const T* data, std::size_t size) {
  if (data == nullptr && size != 0) {
    throw std::invalid_argument("apsp: expected device memory, got a null pointer");
  }
}
template <class T>
void require_memory(const device_span<T>& span) {
  require_memory(span.data(), span.size());
}
/// As above, for a matrix, whose rows must not overlap.
template <readable_device_matrix M>
void require_matrix_memory(const M& matrix) {
  const auto m = device_view_of(matrix);
  require_memory(m.data(), m.cols() == 0 ? 0 : m.rows());
  if (m.pitch() < m.cols() && m.rows() > 1) {
    throw std::invalid_argument("apsp: the pitch of a matrix is less than the number of columns");
  }
}

}  // namespace detail

/// Host code reads only the size of device-resident graphs; kernels read the arcs.
template <class Offset, class Target, class Weight>
struct graph_adaptor<device_csr_view<Offset, Target, Weight>> {
  using graph_type = device_csr_view<Offset, Target, Weight>;
  using weight_type = Weight;

  static std::size_t num_vertices(const graph_type& g) { return g.num_vertices(); }
  static void validate(const graph_type& g) {
    if (g.weights().size() != g.targets().size()) {
      throw std::invalid_argument("apsp::device_csr_view: weights and targets differ in length");
    }
    if (g.offsets().empty() && !g.targets().empty()) {
      throw std::invalid_argument(
          "apsp::device_csr_view: targets need offsets, but there are none");
    }
    detail::require_memory(g.offsets());
    detail::require_memory(g.targets());
    detail::require_memory(g.weights());
  }
};

template <class Index, class Weight>
struct graph_adaptor<device_edge_list_view<Index, Weight>> {
  using graph_type = device_edge_list_view<Index, Weight>;
  using weight_type = Weight;

  static std::size_t num_vertices(const graph_type& g) { return g.num_vertices(); }
  static void validate(const graph_type& g) {
    if (g.sources().size() != g.targets().size() || g.weights().size() != g.targets().size()) {
      throw std::invalid_argument(
          "apsp::device_edge_list_view: sources, targets and weights differ in length");
    }
    detail::require_memory(g.sources());
    detail::require_memory(g.targets());
    detail::require_memory(g.weights());
  }
};

/// A square matrix in device memory is a dense graph.
template <readable_device_matrix M>
struct graph_adaptor<M> {
  using weight_type = typename M::value_type;

  static std::size_t num_vertices(const M& m) { return detail::device_view_of(m).rows(); }
  static void validate(const M& m) {
    const auto view = detail::device_view_of(m);
    if (view.rows() != view.cols()) {
      throw std::invalid_argument("apsp: a matrix used as a graph must be square");
    }
    detail::require_matrix_memory(view);
  }
  static const void* dense_entries(const M& m) { return detail::device_view_of(m).data(); }
};

}  // namespace apsp::inline v1
