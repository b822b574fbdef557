// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "../apsp/csr.hpp"
#include "../apsp/graph.hpp"

namespace apsp::inline v1 {

template <class Offset, class Target, class Weight>
struct graph_adaptor<csr_view<Offset, Target, Weight>> {
  using graph_type = csr_view<Offset, Target, Weight>;
  using weight_type = Weight;
  using edge_type = edge;

  static std::size_t num_vertices(const graph_type& g) { return g.num_vertices(); }
  static auto arrays(const graph_type& g) {
    const auto offsets = std::as_bytes(g.offsets());
    const auto targets = std::as_bytes(g.targets());
    if constexpr (std::is_void_v<Weight>) {
      return std::array<std::span<const std::byte>, 2>{offsets, targets};
    } else {
      return std::array<std::span<const std::byte>, 3>{offsets, targets,
                                                       std::as_bytes(g.weights())};
    }
  }

  static void validate(const graph_type& g) {
    const auto offsets = g.offsets();
    const auto fail = [](const std::string& what) {
      throw std::invalid_argument("apsp::csr_view: " + what);
    };
    if constexpr (!std::is_void_v<Weight>) {
      if (g.weights().size() != g.targets().size()) fail("weights and targets differ in length");
    }
    if (offsets.empty()) {
      if (!g.targets().empty()) fail("targets need offsets, but there are none");
      return;
    }
    if (offsets.front() != Offset{0}) fail("the first offset is not 0");
    for (std::size_t u = 0; u + 1 < offsets.size(); ++u) {
      if (offsets[u + 1] < offsets[u]) {
        fail("the offsets decrease at vertex " + std::to_string(u));
      }
    }
    if (static_cast<std::size_t>(offsets.back()) != g.targets().size()) {
      fail("the last offset is not the number of targets");
    }
  }

  template <class F>
  static void for_each_arc(const graph_type& g, F f) {
    for (std::size_t u = 0; u < g.num_vertices(); ++u) {
      const auto last = static_cast<std::size_t>(g.offsets()[u + 1]);
      for (auto k = static_cast<std::size_t>(g.offsets()[u]); k < last; ++k) {
        const auto v = static_cast<std::size_t>(g.targets()[k]);
        f(u, v, edge{u, v, k});
      }
    }
  }

  template <class F>
  static void for_each_edge(const graph_type& g, F f)
    requires(!std::is_void_v<Weight>)
  {
    for (std::size_t u = 0; u < g.num_vertices(); ++u) {
      for_each_out_edge(g, u, [&](std::size_t v, const auto& w) { f(u, v, w); });
    }
  }

  template <class F>
  static void for_each_out_edge(const graph_type& g, std::size_t u, F f)
    requires(!std::is_void_v<Weight>)
  {
    const auto last = static_cast<std::size_t>(g.offsets()[u + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets()[u]); k < last; ++k) {
      f(static_cast<std::size_t>(g.targets()[k]), g.weights()[k]);
    }
  }
};

/// A `csr_graph` is read through a view of its arrays; it is valid by construction.
template <class Weight>
struct graph_adaptor<csr_graph<Weight>> {
  using weight_type = Weight;
  using edge_type = edge;

  static auto view(const csr_graph<Weight>& g) {
    return csr_view(g.offsets(), g.targets(), g.weights());
  }
  using view_adaptor = graph_adaptor<decltype(view(std::declval<const csr_graph<Weight>&>()))>;

  static std::size_t num_vertices(const csr_graph<Weight>& g) { return g.num_vertices(); }
  template <class F>
  static void for_each_arc(const csr_graph<Weight>& g, F f) {
    view_adaptor::for_each_arc(view(g), f);
  }
  template <class F>
  static void for_each_edge(const csr_graph<Weight>& g, F f) {
    view_adaptor::for_each_edge(view(g), f);
  }
  template <class F>
  static void for_each_out_edge(const csr_graph<Weight>& g, std::size_t u, F f) {
    view_adaptor::for_each_out_edge(view(g), u, f);
  }
};

}  // namespace apsp::inline v1
