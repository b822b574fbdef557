// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>

#include "../../apsp/policy.hpp"
#include "distance_kind.hpp"

// What is known of a call before it is planned: plain data, without graphs, matrices and devices.
namespace apsp::inline v1::detail {

/// Amounts of work in an elimination order of a graph.
struct order_structure {
  double height = 0;         ///< Of the elimination tree.
  double num_kept = 0;       ///< Arcs of the hierarchy that lead down.
  double supernodes = 0;     ///< This and the next two are 0 for a hierarchy that is ready.
  double front_entries = 0;  ///< Pivots times rows, of all fronts.
  double front_time = 0;     ///< The sum of `front_time` of all fronts.
};

/// What is known of the elimination orders of a graph.
enum class order_state {
  unknown,
  none,   ///< No order pays, or the graph was eliminated in vain.
  found,  ///< The graph is not eliminated yet.
  ready   ///< There is a hierarchy.
};

struct call_facts {
  backend target = backend::seq;
  distance_kind kind = distance_kind::other;
  /// Of the distances that `johnson` computes if a weight is negative.
  distance_kind kind_after_reweighting = distance_kind::other;
  bool is_over_semiring = false;  ///< Not `min_plus`: there are no signs.

  std::size_t num_vertices = 0;
  std::size_t num_arcs = 0;
  bool has_negative_weight = false;
  bool has_equal_weights = false;
  bool has_short_weights =
      false;  ///< Whole numbers >= 0, whose sums are probably short enough for 16 bits.

  bool has_huge_weights = false;  ///< The sum of two weights may not fit their type.

  std::size_t num_sources = 0;
  std::size_t num_targets = 0;   ///< 0: all vertices.
  bool lists_reached = false;    ///< A row may be a list of the vertices that are reached.
  bool is_whole_matrix = false;  ///< A dense algorithm may write the results.
  bool with_predecessors = false;
  bool has_cutoff = false;
  bool adds_up_amounts = false;  ///< Within the cutoff, if there is one: whole rows serve as well.
  /// The part of all vertices within the cutoff of a source; empty if unknown.
  std::optional<double> share_within_cutoff{};

  /// The number of steps of a breadth-first search from one of the sources; empty if unknown.
  std::optional<std::size_t> num_levels{};
  double reached_share = 1;  ///< The part of all vertices that it reached.
  /// The largest part of all vertices that one step reached; until it is known, that of a random
  /// graph with 32 arcs per vertex.
  double widest_level = 0.8;
  order_state order = order_state::unknown;
  order_structure structure{};  ///< Of an order that is found or ready.

  bool is_on_host() const { return target == backend::seq || target == backend::omp; }
};

}  // namespace apsp::inline v1::detail
