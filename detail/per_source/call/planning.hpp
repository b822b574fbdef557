// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../../../apsp/unreachable.hpp"
#include "../../call/request.hpp"
#include "../../elimination/coded_hierarchy.hpp"
#include "../../elimination/order_search.hpp"
#include "../../graph/adjacency.hpp"
#include "../../host/workers.hpp"
#include "../../plan/distance_kind.hpp"
#include "../../plan/facts.hpp"
#include "../../plan/plan_call.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/int128.hpp"
#include "../../values/not_a_number.hpp"
#include "../../values/weight.hpp"

// Finds out, from the arcs of a graph, what a plan says is missing.
namespace apsp::inline v1::detail {

/// True if all weights are probably whole numbers of which 16 bits hold sums of many. This is
/// judged by the lightest and the heaviest one; the solver proves it.
template <class T>
bool are_probably_short(const weight_range<T>& weights) {
  if constexpr (std::is_arithmetic_v<T>) {
    constexpr long double longest = 2048;
    const auto is_short = [](T w) {
      const auto x = static_cast<long double>(w);
      return 0 <= x && x <= longest && std::floor(x) == x;
    };
    return weights.num_edges != 0 && is_short(weights.smallest) && is_short(weights.largest);
  } else {
    return false;
  }
}

/// The length of a path after reweighting is at most this: that of the path and of two potentials,
/// each of which is the length of a path.
template <class T>
int128 longest_reweighted_path(std::size_t num_vertices, const weight_range<T>& weights) {
  return 3 * longest_path(num_vertices, weights);
}

/// The kind of the type that distances have after reweighting.
template <class T>
distance_kind kind_after_reweighting(std::size_t num_vertices, const weight_range<T>& weights) {
  if constexpr (std::is_integral_v<T>) {
    const int128 longest = longest_reweighted_path(num_vertices, weights);
    if (sizeof(T) <= 4 && longest < largest_value<std::int32_t>()) return distance_kind::int32;
    return longest < largest_value<std::int64_t>() ? distance_kind::int64 : distance_kind::other;
  } else {
    // Potentials that are large compared with the distances lose digits.
    return std::is_same_v<T, float> ? distance_kind::float64 : kind_of<T>();
  }
}

/// The facts of a call before the arcs of its graph are stored.
template <class T>
call_facts facts_of(backend target, std::size_t num_vertices, const weight_range<T>& weights) {
  call_facts facts;
  facts.target = target;
  facts.kind = kind_of<T>();
  facts.num_vertices = num_vertices;
  facts.num_arcs = weights.num_edges;
  facts.has_negative_weight = weights.smallest < T{};
  if (facts.has_negative_weight) {
    facts.kind_after_reweighting = kind_after_reweighting(num_vertices, weights);
  }
  facts.has_equal_weights = weights.num_edges != 0 && weights.smallest == weights.largest;
  facts.has_short_weights = are_probably_short(weights);
  if constexpr (std::is_integral_v<T>) {
    // Sums of unsigned weights may need 128 bits.
    constexpr bool may_be_wide = std::is_unsigned_v<T> && sizeof(T) == 8;
    constexpr auto half = int128(largest_value<narrowest_code_t<T>>() / 2);
    facts.has_huge_weights = int128(weights.largest) >= half ||
                             (may_be_wide && longest_path(num_vertices, weights) >= half);
  }
  return facts;
}

/// The same over a semiring, whose weights have no signs. The arcs are not counted yet.
template <class S>
call_facts facts_over(backend target, std::size_t num_vertices) {
  call_facts facts;
  facts.target = target;
  facts.kind = kind_over<S>();
  facts.is_over_semiring = true;
  facts.num_vertices = num_vertices;
  return facts;
}

/// Adds the number of steps of a breadth-first search from one of the sources: the first one of the
/// largest degree, since others may reach little.
template <class T>
void add_levels(call_facts& facts, const adjacency_view<T>& arcs,
                std::span<const std::int32_t> sources) {
  facts.num_levels = 0;
  if (sources.empty()) return;
  const auto degree = [&](std::int32_t v) {
    const auto vertex = static_cast<std::size_t>(v);
    return arcs.end(vertex) - arcs.begin(vertex);
  };
  const auto first =
      std::max_element(sources.begin(), sources.end(),
                       [&](std::int32_t u, std::int32_t v) { return degree(u) < degree(v); });
  std::vector<char> is_seen(arcs.num_vertices(), 0);
  std::vector<std::size_t> level{static_cast<std::size_t>(*first)};
  std::vector<std::size_t> next;
  is_seen[level.front()] = 1;
  std::size_t num_reached = 0;
  std::size_t widest = 0;
  for (; !level.empty(); ++*facts.num_levels) {
    num_reached += level.size();
    widest = std::max(widest, level.size());
    next.clear();
    for (const std::size_t u : level) {
      for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
        const auto v = static_cast<std::size_t>(arcs.targets[a]);
        if (std::exchange(is_seen[v], char{1}) == 0) next.push_back(v);
      }
    }
    std::swap(level, next);
  }
  const auto num_vertices = static_cast<double>(arcs.num_vertices());
  facts.reached_share = static_cast<double>(num_reached) / num_vertices;
  facts.widest_level = static_cast<double>(widest) / num_vertices;
}

/// Adds what is known of the elimination of a graph.
template <class T, class S>
void add_order(call_facts& facts, const prepared_elimination<T, S>& prepared) {
  if (prepared.graph != nullptr) {
    facts.order = order_state::ready;
    facts.structure =
        std::visit([](const auto& made) { return structure_of(made.graph); }, *prepared.graph);
  } else if (prepared.tree != nullptr) {
    // The graph was eliminated in vain.
    facts.order = order_state::none;
  }
}

/// The number of vertices within a distance of @p source; @p most if there are more.
/// @param distances  of all vertices: `unreachable`, before and after.
template <class T>
std::size_t count_within(const adjacency_view<T>& arcs, std::size_t source, const T& cutoff,
                         std::size_t most, std::vector<T>& distances) {
  using entry = std::pair<T, std::size_t>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> open;
  std::vector<std::size_t> touched{source};
  distances[source] = T{};
  open.emplace(T{}, source);
  std::size_t count = 0;
  while (!open.empty() && count < most) {
    const auto [distance, u] = open.top();
    open.pop();
    if (distances[u] < distance) continue;
    ++count;
    for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
      const auto v = static_cast<std::size_t>(arcs.targets[a]);
      if (cutoff - distance < arcs.weights[a]) continue;
      const T through = static_cast<T>(distance + arcs.weights[a]);
      if (!(through < distances[v])) continue;
      if (equals_unreachable(distances[v])) touched.push_back(v);
      distances[v] = through;
      open.emplace(through, v);
    }
  }
  for (const std::size_t v : touched) distances[v] = unreachable<T>;
  return count;
}

/// Adds what part of the vertices is within @p cutoff of some of the sources. No weight is
/// negative.
template <class T>
void add_share_within(call_facts& facts, const adjacency_view<T>& arcs,
                      std::span<const std::int32_t> sources, const std::optional<T>& cutoff) {
  facts.share_within_cutoff = 1;
  if constexpr (std::is_arithmetic_v<T>) {
    constexpr std::size_t most_samples = 4;
    // Sweeps over a hierarchy take less time from about 0.004 on. From fewer than this many
    // vertices it takes little time to find out.
    constexpr double most_share = 1.0 / 256;
    constexpr std::size_t fewest = 256;
    const std::size_t n = arcs.num_vertices();
    if (!cutoff || sources.empty()) return;
    const std::size_t num_samples = std::min(most_samples, sources.size() / 8 + 1);
    const auto part = static_cast<std::size_t>(most_share * static_cast<double>(n));
    const std::size_t most = std::max(fewest, part);
    std::vector<T> distances(n, unreachable<T>);
    std::size_t count = 0;
    for (std::size_t i = 0; i < num_samples; ++i) {
      const std::int32_t source = sources[i * sources.size() / num_samples];
      count += count_within(arcs, static_cast<std::size_t>(source), *cutoff, most, distances);
    }
    if (count == num_samples * most) return;
    const double share =
        static_cast<double>(count) / static_cast<double>(num_samples) / static_cast<double>(n);
    facts.share_within_cutoff = share;
  }
}

/// Plans a call for sources of a graph, and finds out what the plan needs to know.
/// @param tree    receives the order of elimination if one was found and the plan is to use it.
/// @param cutoff  of a call that has one.
template <class T>
call_plan plan_with_arcs(call_facts facts, const adjacency<T>& arcs,
                         std::span<const std::int32_t> sources, const host::workers& by,
                         shared_tree& tree, const std::optional<T>& cutoff = std::nullopt) {
  facts.num_arcs = arcs.targets.size();
  call_plan plan = plan_call(facts);
  while (plan.missing != missing_fact::nothing) {
    if (plan.missing == missing_fact::num_levels) {
      add_levels(facts, arcs.view(), sources);
    } else if (plan.missing == missing_fact::share_within_cutoff) {
      add_share_within(facts, arcs.view(), sources, cutoff);
    } else {
      tree = search_order(arcs.offsets, arcs.targets, facts.kind, plan.preparation_time,
                          plan.search_time, by);
      facts.order = tree ? order_state::found : order_state::none;
      if (tree) facts.structure = structure_of(*tree);
    }
    plan = plan_call(facts);
  }
  if (plan.method != algorithm::elimination) tree.reset();
  return plan;
}

}  // namespace apsp::inline v1::detail
