// SPDX-License-Identifier: BSL-1.0
#include "measures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <apsp/accessibility.hpp>
#include <apsp/betweenness.hpp>
#include <apsp/betweenness_options.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_decay.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/path.hpp>
#include <apsp/policy.hpp>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace apsp_picture {

namespace {

/// What a call returns for the policy of this name.
template <class Call>
auto run_under(const std::string& policy, int threads, Call call) {
  return apsp::with_policy(policy, [&](auto selected) {
    if constexpr (std::is_same_v<decltype(selected), apsp::omp_policy>) {
      if (threads != 0) selected = selected.threads(threads);
    }
    return call(selected);
  });
}

/// Draws all vertices, and marks the first of the largest value.
void draw_all(measures& m) {
  m.is_drawn.assign(m.values.size(), true);
  m.num_drawn = m.values.size();
  const auto [least, largest] = std::minmax_element(m.values.begin(), m.values.end());
  m.least = *least;
  m.centre = static_cast<std::size_t>(std::find(m.values.begin(), m.values.end(), *largest) -
                                      m.values.begin());
  m.largest = *largest;
}

}  // namespace

measures measure(const scene& s, const std::string& policy, int threads) {
  const std::size_t n = s.points.size();
  const apsp::edge_list_view graph(n, s.from, s.to, s.weights);
  const auto summary = run_under(policy, threads, [&](const auto& selected) {
    return apsp::summarize_paths(selected, graph);
  });
  if (!summary) throw std::runtime_error("the graph has a negative cycle");

  measures m;
  std::map<std::size_t, std::size_t> num_vertices_that_reach;
  for (const auto& source : summary.sources()) {
    m.values.push_back(source.eccentricity);
    ++num_vertices_that_reach[source.num_reached];
  }
  const auto usual =
      std::max_element(num_vertices_that_reach.begin(), num_vertices_that_reach.end(),
                       [](const auto& a, const auto& b) {
                         return std::pair(a.second, a.first) < std::pair(b.second, b.first);
                       });
  for (std::size_t v = 0; v < n; ++v) {
    m.is_drawn.push_back(summary[v].num_reached == usual->first);
    if (!m.is_drawn[v]) continue;
    if (m.num_drawn == 0 || m.values[v] < m.least) {
      m.least = m.values[v];
      m.centre = v;
    }
    m.largest = m.num_drawn == 0 ? m.values[v] : std::max(m.largest, m.values[v]);
    ++m.num_drawn;
  }

  const auto [distance, source, target] = summary.diameter();
  std::vector<double> distances(n);
  std::vector<std::int32_t> predecessors(n);
  if (!apsp::dijkstra(apsp::seq, graph, source, distances, predecessors)) {
    throw std::logic_error("a call that is never stopped was stopped");
  }
  m.path_length = distance;
  m.longest_path = apsp::path(predecessors, source, target);
  return m;
}

measures count_within(const scene& s, double distance, const std::string& policy, int threads) {
  const std::size_t n = s.points.size();
  const apsp::edge_list_view graph(n, s.from, s.to, s.weights);
  measures m;
  m.name = "num_within";
  m.label = fmt::format("vertices within {:.6g}", distance);
  m.mark = "most";
  m.values.resize(n);
  const std::vector<double> ones(n, 1);
  const auto done = run_under(policy, threads, [&](const auto& selected) {
    return apsp::accessibility(selected, graph, ones, apsp::within(distance), m.values);
  });
  if (!done) throw std::logic_error("a graph without negative weights has a negative cycle");
  draw_all(m);
  return m;
}

measures score_betweenness(const scene& s, bool of_arcs, const std::string& policy, int threads) {
  const std::size_t n = s.points.size();
  const apsp::edge_list_view graph(n, s.from, s.to, s.weights);
  measures m;
  m.name = "betweenness";
  m.label = "betweenness";
  m.mark = "most";
  m.values.resize(n);
  std::vector<double> scores(s.from.size());
  const auto done = run_under(policy, threads, [&](const auto& selected) {
    return apsp::betweenness(selected, graph, m.values, scores, {.normalized = true});
  });
  if (!done) throw std::logic_error("a graph without negative weights has a negative cycle");
  draw_all(m);
  if (!of_arcs || scores.empty()) return m;
  const auto ends_of = [&](std::size_t k) { return std::minmax(s.from[k], s.to[k]); };
  std::map<std::pair<std::int32_t, std::int32_t>, double> sums;
  for (std::size_t k = 0; k < scores.size(); ++k) sums[ends_of(k)] += scores[k];
  for (std::size_t k = 0; k < scores.size(); ++k) m.values_of_arcs.push_back(sums[ends_of(k)]);
  const auto range = std::minmax_element(m.values_of_arcs.begin(), m.values_of_arcs.end());
  m.least = *range.first;
  m.largest = *range.second;
  return m;
}

}  // namespace apsp_picture
