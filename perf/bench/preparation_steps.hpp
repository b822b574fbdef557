// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <apsp/policy.hpp>
#include <apsp/semiring.hpp>
#include <detail/elimination/elimination_tree.hpp>
#include <detail/elimination/host/eliminate.hpp>
#include <detail/elimination/minimum_degree.hpp>
#include <detail/elimination/neighbors.hpp>
#include <detail/graph/adjacency.hpp>
#include <detail/graph/edges.hpp>
#include <detail/host/monitor.hpp>
#include <detail/host/workers.hpp>
#include <detail/values/distance_code.hpp>
#include "../common/timing.hpp"

// The steps of the preparation of a hierarchy, one by one.
namespace bench {

/// Returns the medians of the milliseconds of the steps, by their names, in @p repeat preparations.
template <class W, class Graph>
std::map<std::string, double> preparation_steps(const Graph& g, int threads, int repeat) {
  namespace detail = apsp::detail;
  std::map<std::string, std::vector<double>> times;
  const auto step = [&](const char* name, auto action) {
    auto done = timing::timed(action);
    times[name].push_back(1e3 * done.seconds);
    return std::move(done.value);
  };
  const apsp::observer nobody;
  const detail::monitor watch(nobody);
  const detail::host::workers by{threads, &watch};
  for (int i = 0; i < repeat; ++i) {
    detail::weight_range<W> weights;
    const auto arcs = step("step_1_read", [&] {
      const std::size_t n = apsp::num_vertices_of(g);
      weights = detail::find_weight_range<W>(g, n, threads);
      return detail::make_adjacency<W>(g, n, threads);
    });
    const auto neighbors = step(
        "step_2_neighbors", [&] { return detail::find_neighbors(arcs.offsets, arcs.targets, by); });
    auto order = step("step_3_order",
                      [&] { return detail::minimum_degree_order(neighbors, {.by = by}).value(); });
    auto tree = step("step_4_tree", [&] {
      return std::make_shared<const detail::elimination_tree>(
          detail::make_elimination_tree(neighbors, std::move(order), by));
    });
    detail::with_code<W>(
        tree->num_vertices(), weights, [&]<class C>(const detail::distance_code<C>& code) {
          const auto coded = detail::coded_arcs(arcs, weights, code);
          auto placed = step("step_5_arcs", [&] {
            return std::make_unique<detail::host::customization<apsp::min_plus<C>>>(
                tree, coded.arcs, detail::sums_in(code), std::nullopt, threads, watch);
          });
          if (!step("step_6_fronts", [&] { return placed->close_fronts(); })) {
            throw std::logic_error("a negative cycle in a graph that has none");
          }
          step("step_7_exact_arcs", [&] { return placed->keep_exact_arcs().has_value(); });
        });
  }
  std::map<std::string, double> medians;
  for (auto& [name, list] : times) medians[name + "_ms"] = timing::median(std::move(list));
  return medians;
}

}  // namespace bench
