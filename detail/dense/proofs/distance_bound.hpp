// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "../../../apsp/graph.hpp"
#include "../../../apsp/policy.hpp"
#include "../../graph/adjacency.hpp"
#include "../../graph/edges.hpp"
#include "../../host/monitor.hpp"
#include "../../host/parallel_for.hpp"
#include "../../per_source/problem/problem.hpp"
#include "../../per_source/search/host/dijkstra.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/not_a_number.hpp"
#include "../../values/weight.hpp"
#include "host/distance_bound.hpp"

// Upper bounds of the shortest distances of a graph before they are computed. Distances often fit a
// type that n times the largest weight does not fit.
namespace apsp::inline v1::detail {

/// When to search for a bound of the distances, and how long.
struct bound_tuning {
  std::size_t fewest_vertices;
  /// One pass per this many vertices if the graph has all n^2 arcs; otherwise the same number of
  /// arcs in total may be read.
  std::size_t vertices_per_pass;
};

/// On the host one pass takes as long as about 40 pivots of a solve in 64 bits, and a solve in 64
/// bits takes twice as long as one in 32 (measured on one core of an AMD EPYC, Zen 4). A search
/// that finds no bound therefore takes at most a sixth of the call. If a device solves, the host
/// still reads the arcs, so fewer passes pay, and none for graphs that are solved within a few
/// milliseconds in any type.
constexpr bound_tuning bounding_for(backend b) {
  const bool is_host = b == backend::seq || b == backend::omp;
  return is_host ? bound_tuning{512, 256} : bound_tuning{2048, 1024};
}

/// The number of passes over @p num_edges arcs that a search for a bound may take.
constexpr std::size_t most_passes(std::size_t n, std::size_t num_edges,
                                  const bound_tuning& tuning) {
  // Usually the first pass finds a bound, and the second one finds that no more vertices are
  // reached.
  constexpr double least = 2;
  const auto vertices = static_cast<double>(n);
  const double passes_over_all = vertices / static_cast<double>(tuning.vertices_per_pass);
  const double arcs_left_out = vertices * vertices / static_cast<double>(num_edges + 1);
  return static_cast<std::size_t>(std::max(least, passes_over_all * arcs_left_out));
}

/// An upper bound of the distances of a dense graph without negative weights, computed by passes
/// over its arcs.
///
/// The bound is that of `host::bound_distances`, except that lengths need not be those of shortest
/// paths; usually two passes suffice. One pass relaxes every arc for the lengths of paths from and
/// to a vertex h, the root. When no more vertices are reached in either direction, those reached in
/// both are the strongly connected component of h. The next root is a vertex that has no component
/// yet. For finished components only the lengths to their roots are kept.
///
/// Complexity: O(n + m) per pass. Memory for n lengths per thread and direction. Arcs are read in
/// place, since arc lists for both directions would take more memory than the matrix.
template <class C, class T, class Graph>
class root_search {
 public:
  /// @param unreachable  the sum of two such values does not wrap.
  root_search(const Graph& g, std::size_t n, const C& unreachable, int threads,
              const monitor& watch)
      : graph_(g),
        n_(n),
        unreachable_(unreachable),
        threads_(threads),
        watch_(watch),
        component_of_(n, none),
        to_own_hub_(n),
        leads_on_(n, 1) {}

  /// The bound if it is below `unreachable`; nothing otherwise, or if a stop was requested.
  /// @param most_passes  a pass over a component of m arcs counts as m / (arcs of the graph).
  std::optional<C> run(std::size_t most_passes) {
    std::size_t rows_left = most_passes * n_;
    std::size_t rows = n_;  // vertices without a component
    C bound{};
    for (std::size_t root = 0; root < n_; ++root) {
      if (component_of_[root] != none || !leads_on_[root]) continue;
      lengths_.from.assign(n_, no_path<C>());
      lengths_.to.assign(n_, no_path<C>());
      lengths_.from[root] = lengths_.to[root] = C{};
      std::optional<C> of_component;
      while (!of_component) {
        if (rows_left < rows || watch_.stop_requested()) return std::nullopt;
        rows_left -= rows;
        const findings found = relax_all();
        if (!found.reached_more || found.unreached == 0) of_component = bound_over_hub();
        if (!of_component && !found.shortened) return std::nullopt;
      }
      bound = std::max(bound, *of_component);
      rows -= close_component();
    }
    return bound;
  }

 private:
  static constexpr std::int32_t none = -1;

  struct hub_lengths {
    std::vector<C> from;
    std::vector<C> to;
  };
  struct findings {
    bool shortened = false;
    bool reached_more = false;
    std::size_t unreached = 0;
  };

  // Lengths from `unreachable_` on need not be distinguished.
  C sum(const C& a, const C& b) const { return std::min<C>(a + b, unreachable_); }

  bool is_of_component(std::size_t v) const {
    return lengths_.from[v] != no_path<C>() && lengths_.to[v] != no_path<C>();
  }

  // Returns nothing if the bound is `unreachable_`.
  std::optional<C> bound_over_hub() {
    C in{};
    reach_ = C{};
    std::vector<C> ways(reaches_.size(), unreachable_);  // lengths to other roots
    std::vector<char> is_reached(reaches_.size(), 0);
    for (std::size_t v = 0; v < n_; ++v) {
      const C from = lengths_.from[v];
      if (from == no_path<C>()) continue;
      if (component_of_[v] == none) {
        reach_ = std::max(reach_, from);
        if (lengths_.to[v] != no_path<C>()) in = std::max(in, lengths_.to[v]);
      } else {
        const auto c = static_cast<std::size_t>(component_of_[v]);
        is_reached[c] = 1;
        ways[c] = std::min(ways[c], sum(from, to_own_hub_[v]));
      }
    }
    for (std::size_t c = 0; c < reaches_.size(); ++c) {
      if (is_reached[c]) reach_ = std::max(reach_, sum(ways[c], reaches_[c]));
    }
    const C bound = sum(in, reach_);
    return bound < unreachable_ ? std::optional<C>(bound) : std::nullopt;
  }

  // Returns the number of vertices of the component.
  std::size_t close_component() {
    std::size_t size = 0;
    for (std::size_t v = 0; v < n_; ++v) {
      if (component_of_[v] != none || !is_of_component(v)) continue;
      component_of_[v] = static_cast<std::int32_t>(reaches_.size());
      to_own_hub_[v] = lengths_.to[v];
      ++size;
    }
    reaches_.push_back(reach_);
    return size;
  }

  // Relaxes one arc to @p v. @p from is the length to the source of the arc, @p to the length from
  // that source to the root. Returns false if it is not an arc.
  template <class W>
  bool relax(hub_lengths& lengths, const C& from, C& to, std::size_t v, const W& w) const {
    auto fault = edge_fault::none;
    const T given = to_distance<T>(w, fault);
    if (equals_unreachable(given)) return false;
    const C weight = cut_weight(given, unreachable_);
    if (from != no_path<C>()) lengths.from[v] = std::min(lengths.from[v], sum(from, weight));
    if (lengths.to[v] != no_path<C>()) to = std::min(to, sum(lengths.to[v], weight));
    return true;
  }

  // Every thread has its own rows and lengths; the lengths are merged at the end.
  findings relax_all() {
    const bool by_rows = has_out_edges(graph_);
    const std::size_t num_parts =
        by_rows ? std::min(n_, static_cast<std::size_t>(std::max(1, host::thread_count(threads_))))
                : 1;
    std::vector<hub_lengths> parts(num_parts);
    std::fill(leads_on_.begin(), leads_on_.end(), 0);
    host::parallel_for(
        num_parts, threads_,
        [&](std::size_t p) {
          hub_lengths own = lengths_;
          if constexpr (graph_with_out_edges<Graph>) {
            const std::size_t end = by_rows ? n_ * (p + 1) / num_parts : 0;
            for (std::size_t u = n_ * p / num_parts; u < end; ++u) {
              if (component_of_[u] != none) continue;
              const C from = own.from[u];
              C to = own.to[u];
              bool leads_on = false;
              graph_adaptor_t<Graph>::for_each_out_edge(
                  graph_, u, [&](std::size_t v, const auto& w) {
                    leads_on |= relax(own, from, to, v, w) && v != u;
                  });
              own.to[u] = to;
              leads_on_[u] = leads_on ? 1 : 0;
            }
          }
          if (!by_rows) {
            visit_edges(graph_, 1, [&](std::size_t u, std::size_t v, const auto& w) {
              if (component_of_[u] != none) return;
              if (relax(own, own.from[u], own.to[u], v, w) && v != u) leads_on_[u] = 1;
            });
          }
          parts[p] = std::move(own);
        },
        1);
    findings found;
    const auto put_together = [&](std::vector<C> hub_lengths::*which) {
      for (std::size_t v = 0; v < n_; ++v) {
        C& entry = (lengths_.*which)[v];
        C shortest = entry;
        for (const hub_lengths& part : parts) shortest = std::min(shortest, (part.*which)[v]);
        found.shortened |= shortest < entry;
        found.reached_more |= shortest < entry && entry == no_path<C>();
        if (shortest == no_path<C>()) ++found.unreached;
        entry = shortest;
      }
    };
    put_together(&hub_lengths::from);
    put_together(&hub_lengths::to);
    return found;
  }

  const Graph& graph_;
  std::size_t n_;
  C unreachable_;
  int threads_;
  const monitor& watch_;
  hub_lengths lengths_;
  C reach_{};  ///< Largest length from the root to any vertex.
  std::vector<std::int32_t> component_of_;
  std::vector<C> to_own_hub_;   ///< Valid for vertices that have a component.
  std::vector<C> reaches_;      ///< One for the root of each component.
  std::vector<char> leads_on_;  ///< False for vertices without a known outgoing arc.
};

/// An upper bound of all distances of a valid graph without negative weights if a bound below
/// @p unreachable is found within the passes that pay. Returns nothing otherwise, or if @p watch
/// requested a stop.
/// @param num_edges  the number of edges whose weight is not `apsp::unreachable`.
template <class C, class T, class Graph>
std::optional<C> bound_distances(const Graph& g, std::size_t num_edges, const C& unreachable,
                                 const bound_tuning& tuning, int threads, const monitor& watch) {
  const std::size_t n = num_vertices_of(g);
  if (num_edges >= n * n / host::dense_from_part) {
    return root_search<C, T, Graph>(g, n, unreachable, threads, watch)
        .run(most_passes(n, num_edges, tuning));
  }
  const adjacency<T> arcs = make_adjacency<T>(g, n, threads);
  std::vector<C> weights;
  weights.reserve(arcs.weights.size());
  for (const T& w : arcs.weights) weights.push_back(cut_weight(w, unreachable));
  return host::bound_distances(arcs.template view_with<C>(weights), unreachable, watch);
}

/// The code of the narrowest type that is at least as wide as T, if a bound of the distances proves
/// that it holds them where n times the largest weight does not fit. Weights may then be longer
/// than every distance: see `cut_weight`.
/// @param all_weights_fit  true if every weight must be distinguishable from "unreachable" by
/// itself.
template <class T, class Graph>
std::optional<distance_code<narrowest_code_t<T>>> prove_code(const Graph& g,
                                                             const weight_range<T>& weights,
                                                             bool all_weights_fit,
                                                             const bound_tuning& tuning,
                                                             int threads, const monitor& watch) {
  using C = narrowest_code_t<T>;
  constexpr C unreachable = largest_value<C>() / 2;
  if (num_vertices_of(g) < tuning.fewest_vertices || weights.smallest < T{}) return std::nullopt;
  if (all_weights_fit && cut_weight(weights.largest, unreachable) == unreachable) {
    return std::nullopt;
  }
  if (!bound_distances<C, T>(g, weights.num_edges, unreachable, tuning, threads, watch)) {
    return std::nullopt;
  }
  return distance_code<C>{unreachable, C{}, unreachable};
}

}  // namespace apsp::inline v1::detail
