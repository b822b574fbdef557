// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/contraction_hierarchy.hpp>
#include <memory>
#include <optional>
#include <tuple>

#include "binding.hpp"

// How hierarchies are made, with weights of any type.
namespace apsp_python {

template <class T>
using hierarchy = apsp::contraction_hierarchy<T>;

template <class T>
const hierarchy<T>& hierarchy_of(const any_graph<T>& graph) {
  return *std::get<prepared_graph<T>>(graph.view).hierarchy;
}

/// @return what the preparation reports, and the graph.
template <class T>
auto prepared(std::shared_ptr<const hierarchy<T>> made) {
  const report found = report_of(made->status());
  return std::tuple(found, nb::cast(any_graph<T>{prepared_graph<T>{std::move(made)}}));
}

template <class T>
auto prepare(const any_graph<T>& graph, const std::optional<vertices>& order, const settings& how) {
  return prepared<T>(run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      return order ? std::make_shared<const hierarchy<T>>(policy, graph, span_of(*order))
                   : std::make_shared<const hierarchy<T>>(policy, graph);
    });
  }));
}

// The hierarchy is copied, so that calls of other threads can go on with the one before.
template <class T>
auto customize(const any_graph<T>& before, const any_graph<T>& graph, const settings& how) {
  return prepared<T>(run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      auto made = std::make_shared<hierarchy<T>>(hierarchy_of(before));
      made->customize(policy, graph);
      return std::shared_ptr<const hierarchy<T>>(std::move(made));
    });
  }));
}

template <class T>
auto sizes_of(const any_graph<T>& graph) {
  const hierarchy<T>& made = hierarchy_of(graph);
  bool has_negative = false;
  apsp::graph_adaptor<hierarchy<T>>::for_each_edge(
      made, [&](std::size_t, std::size_t, const T& weight) { has_negative |= weight < T{}; });
  return std::tuple(made.num_vertices(), made.num_edges(), made.num_arcs(), made.fill(),
                    has_negative);
}

}  // namespace apsp_python
