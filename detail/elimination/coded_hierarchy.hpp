// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "../../apsp/semiring.hpp"
#include "../graph/adjacency.hpp"
#include "../values/distance_code.hpp"
#include "../values/int128.hpp"
#include "../values/weight.hpp"
#include "hierarchy.hpp"
#include "sweep_program.hpp"

// Hierarchies that are kept: over sums of weights, which are computed in a code, or over another
// semiring.
namespace apsp::inline v1::detail {

template <class C>
struct coded_hierarchy {
  hierarchy<C> graph;
  distance_code<C> code;  ///< Of sums.
  /// For devices. Copies of the hierarchy share them.
  std::shared_ptr<sweep_programs> programs = std::make_shared<sweep_programs>();
};

template <class T>
struct coded_hierarchies {
  using type = std::variant<coded_hierarchy<T>>;
};
template <std::integral T>
struct coded_hierarchies<T> {
  using type = std::variant<coded_hierarchy<std::int32_t>, coded_hierarchy<std::int64_t>,
                            coded_hierarchy<int128>>;
};
template <std::floating_point T>
  requires(!std::is_same_v<wider_float_t<T>, T>)
struct coded_hierarchies<T> {
  using type = std::variant<coded_hierarchy<T>, coded_hierarchy<wider_float_t<T>>>;
};

/// A hierarchy of a graph whose weights are of type T.
template <class T>
using weighted_hierarchy = typename coded_hierarchies<T>::type;

template <class S>
struct hierarchies_over {
  using type = std::variant<coded_hierarchy<typename S::value_type>>;
};
template <class T>
struct hierarchies_over<min_plus<T>> {
  using type = weighted_hierarchy<T>;
};

/// A hierarchy over a semiring.
template <class S>
using hierarchy_over = typename hierarchies_over<S>::type;

/// The arcs of a graph with their weights in a code.
template <class C>
struct arcs_in_code {
  std::vector<C> weights;  ///< Empty if the code is of the type of the weights.
  adjacency_view<C> arcs;
};
template <class C, class T>
arcs_in_code<C> coded_arcs(const adjacency<T>& arcs, const weight_range<T>& weights,
                           const distance_code<C>& code) {
  if constexpr (std::is_same_v<C, T>) {
    // A type narrower than that of the elimination may not hold sums of the heaviest weights.
    if (!is_coded_integer<C> || weights.largest < code.unreachable) return {{}, arcs.view()};
  }
  arcs_in_code<C> coded;
  coded.weights.reserve(arcs.weights.size());
  for (const T& w : arcs.weights) coded.weights.push_back(narrowed_weight(w, code));
  coded.arcs = arcs.view_with(coded.weights);
  return coded;
}

/// What calls over S know of weights: the range of those that are added.
template <class S>
struct weights_over {
  struct type {};
};
template <class T>
struct weights_over<min_plus<T>> {
  using type = weight_range<T>;
};

/// What a `contraction_hierarchy` consists of.
template <class T, class S = min_plus<T>>
struct kept_hierarchy {
  adjacency<T> arcs{};
  typename weights_over<S>::type weights{};
  shared_tree tree{};
  /// Empty if a cycle is negative, if rounding makes a cycle improve on the empty path, or if the
  /// elimination was stopped.
  std::optional<hierarchy_over<S>> graph{};
};

/// What has been done for an elimination before a call.
template <class T, class S = min_plus<T>>
struct prepared_elimination {
  shared_tree tree{};
  const hierarchy_over<S>* graph = nullptr;
};

template <class T, class S>
prepared_elimination<T, S> prepared_from(const kept_hierarchy<T, S>& kept) {
  return {kept.tree, kept.graph ? &*kept.graph : nullptr};
}

}  // namespace apsp::inline v1::detail
