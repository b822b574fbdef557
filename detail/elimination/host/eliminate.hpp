// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "../../../apsp/config.hpp"
#include "../../graph/adjacency.hpp"
#include "../../host/monitor.hpp"
#include "../../host/stop_check.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/int128.hpp"
#include "../../values/kernel_semirings.hpp"
#include "../../values/weight.hpp"
#include "../coded_hierarchy.hpp"
#include "../elimination_tree.hpp"
#include "../hierarchy.hpp"
#include "../path_values.hpp"
#include "customize.hpp"

// From a graph and an elimination tree to a hierarchy.
namespace apsp::inline v1::detail::host {

/// How an elimination ended.
enum class elimination_outcome {
  finished,
  stopped,         ///< A stop was requested.
  improving_cycle  ///< A cycle improves on the empty path, or rounding makes it look so.
};

/// A hierarchy, or why there is none.
template <class Hierarchy>
struct eliminated {
  std::optional<Hierarchy> graph;
  elimination_outcome outcome = elimination_outcome::finished;
};

/// Eliminates the vertices of a graph.
/// @param arcs  have weights that are coded as @p values says.
/// @param ties  as for `customization`.
template <class S>
APSP_EXPORT eliminated<hierarchy<typename S::value_type>> eliminate(
    shared_tree tree, const adjacency_view<typename S::value_type>& arcs,
    const path_values<S>& values, int threads, const monitor& watch,
    std::optional<double> ties = {}) {
  try {
    customization<S> preparation(std::move(tree), arcs, values, ties, threads, watch);
    std::optional<hierarchy<typename S::value_type>> graph;
    if (preparation.close_fronts()) graph = preparation.keep_exact_arcs();
    if (watch.stop_requested()) return {{}, elimination_outcome::stopped};
    if (preparation.has_improving_cycle()) return {{}, elimination_outcome::improving_cycle};
    return {std::move(graph)};
  } catch (const stop_seen&) {
    return {{}, elimination_outcome::stopped};
  }
}

#define APSP_EXTERN_ELIMINATE(...)                                                                \
  extern template eliminated<hierarchy<typename __VA_ARGS__::value_type>> eliminate<__VA_ARGS__>( \
      shared_tree, const adjacency_view<typename __VA_ARGS__::value_type>&,                       \
      const path_values<__VA_ARGS__>&, int, const monitor&, std::optional<double>);
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_EXTERN_ELIMINATE)
APSP_EXTERN_ELIMINATE(min_plus<long double>)
#undef APSP_EXTERN_ELIMINATE

/// Eliminates the vertices of a graph over sums of weights, in the narrowest code that holds all
/// paths of the graph. The hierarchy is in the narrowest code that holds all paths of the
/// hierarchy, which have fewer arcs.
/// @param arcs     from `make_adjacency`.
/// @param weights  their range.
template <class T>
eliminated<weighted_hierarchy<T>> eliminate_sums(shared_tree tree, const adjacency<T>& arcs,
                                                 const weight_range<T>& weights, int threads,
                                                 const monitor& watch) {
  using made_type = eliminated<weighted_hierarchy<T>>;
  const auto run = [&]<class C>(const distance_code<C>& code) -> made_type {
    const auto coded = coded_arcs(arcs, weights, code);
    auto made = eliminate(std::move(tree), coded.arcs, sums_in(code), threads, watch);
    if (!made.graph) return {{}, made.outcome};
    if constexpr (std::is_integral_v<T>) {
      const bool negative = weights.smallest < T{};
      const int128 longest = longest_path(*made.graph, &watch);
      if constexpr (sizeof(C) > sizeof(std::int32_t)) {
        if (const auto narrow = choose_code_for_span<std::int32_t>(longest, negative)) {
          return {coded_hierarchy<std::int32_t>{narrowed(*made.graph, *narrow, &watch), *narrow}};
        }
      }
      if constexpr (sizeof(C) > sizeof(std::int64_t)) {
        if (const auto narrow = choose_code_for_span<std::int64_t>(longest, negative)) {
          return {coded_hierarchy<std::int64_t>{narrowed(*made.graph, *narrow, &watch), *narrow}};
        }
      }
    }
    return {coded_hierarchy<C>{std::move(*made.graph), code}};
  };
  try {
    return with_code<T>(tree->num_vertices(), weights, run);
  } catch (const stop_seen&) {
    return {{}, elimination_outcome::stopped};
  }
}

}  // namespace apsp::inline v1::detail::host
