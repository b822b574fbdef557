// SPDX-License-Identifier: BSL-1.0
#include "measures.hpp"

#include <algorithm>
#include <apsp/dijkstra.hpp>
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

measures measure(const scene& s, const std::string& policy, int threads) {
  const std::size_t n = s.points.size();
  const apsp::edge_list_view graph(n, s.from, s.to, s.weights);
  const auto summary = apsp::with_policy(policy, [&](auto selected) {
    if constexpr (std::is_same_v<decltype(selected), apsp::omp_policy>) {
      if (threads != 0) selected = selected.threads(threads);
    }
    return apsp::summarize_paths(selected, graph);
  });
  if (!summary) throw std::runtime_error("the graph has a negative cycle");

  measures m;
  std::map<std::size_t, std::size_t> num_vertices_that_reach;
  for (const auto& source : summary.sources()) {
    m.eccentricity.push_back(source.eccentricity);
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
    if (m.num_drawn == 0 || m.eccentricity[v] < m.least) {
      m.least = m.eccentricity[v];
      m.centre = v;
    }
    m.largest = m.num_drawn == 0 ? m.eccentricity[v] : std::max(m.largest, m.eccentricity[v]);
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

}  // namespace apsp_picture
