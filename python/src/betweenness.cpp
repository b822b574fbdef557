// SPDX-License-Identifier: BSL-1.0
#include <apsp/betweenness.hpp>
#include <apsp/count_paths.hpp>
#include <optional>

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
  });
}

}  // namespace apsp_python
