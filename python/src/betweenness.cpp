// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <apsp/betweenness.hpp>
#include <apsp/count_paths.hpp>
#include <apsp/predecessor_lists.hpp>
#include <apsp/tight_predecessors.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "binding.hpp"

// Betweenness, and numbers of shortest paths.
namespace apsp_python {
namespace {

/// @param f  called with the graph, and with the policy as its second argument.
template <class T, class F>
report counted(const any_graph<T>& graph, const settings& how, F f) {
  return report_of(run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      return with_prepared(graph, [&](const auto& searched) { return f(searched, policy); });
    });
  }));
}

apsp::path_count_options path_options(double tolerance, bool merge_parallel) {
  return {.tolerance = tolerance, .merge_parallel = merge_parallel};
}

template <class T>
report betweenness(const any_graph<T>& graph, const vertices& sources, const array<double>& scores,
                   const std::optional<array<double>>& arc_scores, double tolerance,
                   bool merge_parallel, bool halved, bool normalized, bool endpoints,
                   bool scaled_to_all, const settings& how) {
  const apsp::betweenness_options options{.tolerance = tolerance,
                                          .merge_parallel = merge_parallel,
                                          .halved = halved,
                                          .normalized = normalized,
                                          .endpoints = endpoints,
                                          .scaled_to_all = scaled_to_all};
  return counted(graph, how, [&](const auto& searched, const auto& policy) {
    const std::span<double> of_vertices = span_of(scores);
    if (!arc_scores) {
      return apsp::betweenness(policy, searched, span_of(sources), of_vertices, options);
    }
    const std::span<double> of_arcs = span_of(*arc_scores);
    // Not the prepared graph, whose arcs have no order that a caller knows.
    return apsp::betweenness(policy, graph, span_of(sources), of_vertices, of_arcs, options);
  });
}

template <class T>
report count_paths(const any_graph<T>& graph, const vertices& sources, const array_2d<T>& distances,
                   const array_2d<double>& counts, double tolerance, bool merge_parallel,
                   const settings& how) {
  return counted(graph, how, [&](const auto& searched, const auto& policy) {
    const std::size_t rows = distances.shape(0);
    const std::size_t columns = distances.shape(1);
    return apsp::count_paths(
        policy, searched, span_of(sources), apsp::matrix_view<T>(distances.data(), rows, columns),
        apsp::matrix_view<double>(counts.data(), counts.shape(0), counts.shape(1)),
        path_options(tolerance, merge_parallel));
  });
}

/// Copies the distances from each source to its row of a matrix, and returns what the call reports,
/// and the offsets and predecessors of each source.
template <class T>
auto tight_predecessors(const any_graph<T>& graph, const vertices& sources,
                        const array_2d<T>& distances, double tolerance, const settings& how) {
  std::vector<apsp::predecessor_lists> found(sources.size());
  report done = counted(graph, how, [&](const auto& searched, const auto& policy) {
    return apsp::tight_predecessors<T>(
        policy, searched, span_of(sources),
        [&](std::size_t row, std::size_t, std::span<const T> lengths,
            const apsp::predecessor_lists_view& lists) {
          std::copy(lengths.begin(), lengths.end(), distances.data() + row * distances.shape(1));
          found[row] = apsp::predecessor_lists(lists);
        },
        path_options(tolerance, false));
  });
  std::vector<std::tuple<array<std::int64_t>, array<std::int32_t>>> arrays;
  arrays.reserve(found.size());
  for (apsp::predecessor_lists& lists : found) {
    arrays.emplace_back(array_of(std::move(lists.offsets)),
                        array_of(std::move(lists.predecessors)));
  }
  return std::tuple(std::move(done), std::move(arrays));
}

/// The arcs of a graph, whose targets ascend within each row.
struct sorted_rows {
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> targets;

  std::size_t position(std::int32_t u, std::int32_t v) const {
    const auto at = static_cast<std::size_t>(u);
    const auto begin = targets.begin() + offsets[at];
    const auto end = targets.begin() + offsets[at + 1];
    return static_cast<std::size_t>(std::lower_bound(begin, end, v) - targets.begin());
  }
};

/// Adds up the shares of shortest paths between a source and some targets.
/// Source: Brandes 2008, "On variants of shortest-path betweenness centrality".
class shares_of_targets {
 public:
  /// @param of_arcs  empty if they are not wanted. With them, what leads on from a vertex that is
  /// no
  ///                 target is divided equally among its predecessors, as NetworkX 3.7 does for
  ///                 edges, and not by the numbers of paths to them.
  shares_of_targets(const vertices& targets, std::span<double> of_vertices, sorted_rows arcs,
                    std::span<double> of_arcs)
      : of_vertices_(of_vertices),
        arcs_(arcs),
        of_arcs_(of_arcs),
        is_target_(of_vertices.size(), 0),
        num_after_(of_vertices.size()),
        counts_(of_vertices.size()),
        shares_(of_vertices.size()) {
    for (const std::int64_t v : span_of(targets)) is_target_[static_cast<std::size_t>(v)] = 1;
  }

  void add(const apsp::predecessor_lists_view& lists) {
    find_order(lists);
    const std::size_t source = lists.source();
    std::fill(counts_.begin(), counts_.end(), 0.0);
    counts_[source] = 1;
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::size_t v = at(order_[i]);
      for (const std::int32_t u : lists[v]) counts_[v] += counts_[at(u)];
      if (!std::isfinite(counts_[v])) {
        throw std::invalid_argument("apsp: more shortest paths than a double can count");
      }
    }
    std::fill(shares_.begin(), shares_.end(), 0.0);
    for (const std::int32_t vertex : order_) {
      const std::size_t v = at(vertex);
      if (v == source) continue;
      of_vertices_[v] += shares_[v];
      const bool divides_equally = !of_arcs_.empty() && is_target_[v] == 0;
      const double part = (shares_[v] + is_target_[v]) / counts_[v];
      const double equal_share = shares_[v] / static_cast<double>(lists[v].size());
      for (const std::int32_t u : lists[v]) {
        const double share = divides_equally ? equal_share : counts_[at(u)] * part;
        shares_[at(u)] += share;
        if (!of_arcs_.empty()) of_arcs_[arcs_.position(u, vertex)] += share;
      }
    }
  }

 private:
  static std::size_t at(std::int32_t v) { return static_cast<std::size_t>(v); }

  /// Lists the vertices that are reached, each after all those that follow it on shortest paths.
  void find_order(const apsp::predecessor_lists_view& lists) {
    std::fill(num_after_.begin(), num_after_.end(), 0);
    for (const std::int32_t u : lists.predecessors()) ++num_after_[at(u)];
    order_.clear();
    for (std::size_t v = 0; v < lists.size(); ++v) {
      const bool is_reached = v == lists.source() || !lists[v].empty();
      if (is_reached && num_after_[v] == 0) order_.push_back(static_cast<std::int32_t>(v));
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
      for (const std::int32_t u : lists[at(order_[i])]) {
        if (--num_after_[at(u)] == 0) order_.push_back(u);
      }
    }
  }

  std::span<double> of_vertices_;
  sorted_rows arcs_;
  std::span<double> of_arcs_;
  std::vector<char> is_target_;
  std::vector<std::int32_t> num_after_;  ///< Arcs of shortest paths from a vertex, not yet passed.
  std::vector<std::int32_t> order_;
  std::vector<double> counts_;  ///< Of paths from the source.
  std::vector<double> shares_;  ///< Of paths to the targets through a vertex.
};

template <class T>
report betweenness_between(const any_graph<T>& graph, const vertices& sources,
                           const vertices& targets, const array<double>& scores,
                           const array<const std::int64_t>& offsets,
                           const array<const std::int32_t>& arc_targets,
                           const array<double>& arc_scores, double tolerance, const settings& how) {
  shares_of_targets shares(targets, span_of(scores), {span_of(offsets), span_of(arc_targets)},
                           span_of(arc_scores));
  return counted(graph, how, [&](const auto& searched, const auto& policy) {
    return apsp::tight_predecessors<T>(
        policy, searched, span_of(sources),
        [&](std::size_t, std::size_t, std::span<const T>,
            const apsp::predecessor_lists_view& lists) { shares.add(lists); },
        path_options(tolerance, false));
  });
}

}  // namespace

void bind_betweenness(nb::module_& m) {
  for_each_type([&]<class T> {
    m.def("betweenness", betweenness<T>, "graph"_a, "sources"_a, "scores"_a.noconvert(),
          "arc_scores"_a.noconvert().none(), nb::kw_only(), "tolerance"_a, "merge_parallel"_a,
          "halved"_a, "normalized"_a, "endpoints"_a, "scaled_to_all"_a, "settings"_a,
          "Writes a score for each vertex and, if wanted, for each arc; returns what the call "
          "reports.");
    m.def("count_paths", count_paths<T>, "graph"_a, "sources"_a, "distances"_a.noconvert(),
          "counts"_a.noconvert(), nb::kw_only(), "tolerance"_a, "merge_parallel"_a, "settings"_a,
          "Writes both matrices; returns what the call reports.");
    m.def("tight_predecessors", tight_predecessors<T>, "graph"_a, "sources"_a,
          "distances"_a.noconvert(), nb::kw_only(), "tolerance"_a, "settings"_a,
          "Writes the distances; returns what the call reports, and offsets and predecessors of "
          "each source.");
    m.def("betweenness_between", betweenness_between<T>, "graph"_a, "sources"_a, "targets"_a,
          "scores"_a.noconvert(), nb::kw_only(), "offsets"_a, "arc_targets"_a,
          "arc_scores"_a.noconvert(), "tolerance"_a, "settings"_a,
          "Adds to the scores of vertices and, if there is an array for them, of the arcs that "
          "offsets and arc_targets list; returns what the call reports.");
  });
}

}  // namespace apsp_python
