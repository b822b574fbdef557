// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "../../apsp/algorithm.hpp"
#include "../../apsp/betweenness_options.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/result.hpp"
#include "../call/checks.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/edges.hpp"
#include "../graph/sources.hpp"
#include "../matrix/memory.hpp"
#include "../per_source/calls.hpp"
#include "by_hierarchy.hpp"
#include "call.hpp"
#include "counted_arcs.hpp"
#include "counted_paths.hpp"
#include "path_hierarchy.hpp"

// Betweenness of vertices and arcs: sums of the shares of the paths from all sources.
namespace apsp::inline v1::detail {

template <class Graph>
std::size_t count_arcs(const Graph& g) {
  std::size_t count = 0;
  read_edges(g, [&](const auto&, const auto&, const auto&) { ++count; });
  return count;
}

/// No scores of arcs are wanted.
struct no_arc_scores {};

/// Checks the ranges of scores.
/// @return the number of entries for arcs, if these are wanted.
template <class Graph, class Scores, class ArcScores>
std::optional<std::size_t> check_scores(const Graph& g, std::size_t n, const Scores& scores,
                                        [[maybe_unused]] const ArcScores& arc_scores) {
  require_row(scores, n, "scores");
  check_apart_from_arrays(g, scores, {1, n});
  if constexpr (std::is_same_v<ArcScores, no_arc_scores>) {
    return std::nullopt;
  } else {
    const std::size_t num_positions = count_arcs(g);
    if (arc_scores.cols() != num_positions) {
      throw std::invalid_argument("apsp: betweenness: the range of scores of arcs has " +
                                  std::to_string(arc_scores.cols()) + " entries, not " +
                                  std::to_string(num_positions) + ", one for each arc");
    }
    check_apart_from_arrays(g, arc_scores, {1, num_positions});
    if (may_overlap(scores, {1, n}, arc_scores, {1, num_positions})) {
      throw std::invalid_argument("apsp: scores of vertices and of arcs must not share memory");
    }
    if (num_positions > (std::numeric_limits<std::uint32_t>::max)()) {
      throw std::length_error("apsp: betweenness: scores of more than 2^32 - 1 arcs");
    }
    return num_positions;
  }
}

/// @param scores      a matrix of one row.
/// @param arc_scores  the same, or `no_arc_scores`.
template <class Policy, class Graph, class Sources, class Scores, class ArcScores>
result find_betweenness(const Policy& policy, const Graph& g, Sources& sources, Scores scores,
                        ArcScores arc_scores, const betweenness_options& options) {
  constexpr bool in_host_memory = !lie_in_device_memory<Graph, Scores, ArcScores>;
  static_assert(in_host_memory, "apsp: betweenness takes a graph and scores in host memory");
  constexpr bool scores_arcs = !std::is_same_v<ArcScores, no_arc_scores>;
  using T = compared_distance_t<weight_type_t<Graph>>;
  if constexpr (in_host_memory) {
    const std::size_t n = check_graph<T>(g);
    const std::vector<std::int32_t> list = list_sources(g, n, sources);
    const std::optional<std::size_t> positions_asked = check_scores(g, n, scores, arc_scores);
    const auto put = [&](const counted_arcs<T>& counted, auto sum_of_vertex,
                         [[maybe_unused]] auto sum_of_arc) {
      const double all = static_cast<double>(n);
      const double to_all =
          options.scaled_to_all && !list.empty() ? all / static_cast<double>(list.size()) : 1;
      const auto factor = [&](bool with_ends) {
        const double pairs = with_ends ? all * (all - 1) : (all - 1) * (all - 2);
        if (options.normalized) return pairs > 0 ? to_all / pairs : 0;
        return options.halved ? to_all / 2 : to_all;
      };
      for (std::size_t v = 0; v < n; ++v) {
        matrix_entry(scores, 0, v) =
            static_cast<matrix_value_t<Scores>>(sum_of_vertex(v) * factor(options.endpoints));
      }
      if constexpr (scores_arcs) {
        for (std::size_t i = 0; i < *positions_asked; ++i) matrix_entry(arc_scores, 0, i) = 0;
        for (std::size_t a = 0; a < counted.positions.size(); ++a) {
          matrix_entry(arc_scores, 0, counted.positions[a]) =
              static_cast<matrix_value_t<ArcScores>>(sum_of_arc(a) * factor(true));
        }
      }
    };
    return with_centrality_call<T>(
        policy, g, n, positions_asked, list, {options.tolerance, options.merge_parallel},
        [&](const auto& backend, path_hierarchy& paths, const adjacency_view<double>& arcs,
            const counted_arcs<T>& counted) -> std::optional<result> {
          result done(backend.name(), algorithm::elimination);
          backend.watch().begin(list.size());
          path_shares shares;
          const auto outcome = sweep_shares(backend, paths, list, options.endpoints, shares);
          if (outcome == sweep_outcome::not_possible) return std::nullopt;
          if (outcome == sweep_outcome::stopped) {
            done.set_stopped();
          } else {
            std::vector<double> of_arcs(scores_arcs ? arcs.num_edges() : 0);
            hand_down_shares(paths, arcs, shares, of_arcs, backend.watch());
            put(
                counted,
                [&](std::size_t v) {
                  return shares.of_places[static_cast<std::size_t>(paths.tree->places[v])];
                },
                [&](std::size_t a) { return of_arcs[a]; });
          }
          return done;
        },
        [&](auto& call, const counted_arcs<T>& counted) {
          call.drop_longer_arcs();
          path_sums sums;
          sums.of_vertices.resize(n);
          sums.of_arcs.resize(scores_arcs ? counted.positions.size() : 0);
          result done = call.add_shares(options.endpoints, sums);
          if (!done) return done;
          put(
              counted, [&](std::size_t v) { return sums.of_vertices[v]; },
              [&](std::size_t a) { return sums.of_arcs[a]; });
          return done;
        });
  }
}

}  // namespace apsp::inline v1::detail
