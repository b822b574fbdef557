// SPDX-License-Identifier: BSL-1.0
// Cases closure/policy/graph/n: reachability, compared with Boost.Graph and with floyd_warshall of
// the same graph in float.
#include <apsp/bit_matrix.hpp>
#include <apsp/transitive_closure.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/transitive_closure.hpp>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "cases.hpp"
#include "problem.hpp"

namespace bench {

namespace {

double seconds_of_boost(const apsp_perf::csr_arrays<float>& g) {
  using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  graph b(g.num_vertices());
  apsp_perf::for_each_arc(g,
                          [&](std::size_t u, std::size_t v, float) { boost::add_edge(u, v, b); });
  graph closure;
  return timing::seconds_of([&] { boost::transitive_closure(b, closure); });
}

// A vertex is reachable if its distance is finite.
void check(const checks::known_rows& known, const apsp::bit_matrix& closure) {
  for (std::size_t i = 0; i < known.sources().size(); ++i) {
    const std::vector<double>& row = known.rows()[i];
    for (std::size_t v = 0; v < row.size(); ++v) {
      require(closure(known.sources()[i], v) == std::isfinite(row[v]), "a wrong entry");
    }
  }
}

outcome run(const std::string& policy_name, const std::string& graph_name, std::size_t n) {
  problem<float>& p = problem_of<float>("f32", graph_name, n);
  if (policy_name == "boost") {
    return measure({.call = [&] { return seconds_of_boost(p.graph); }});
  }
  apsp::bit_matrix closure(n);
  const outcome o = measure({.call = [&] {
    return seconds_of_solve(policy_name, [&](const auto& policy) {
      return apsp::transitive_closure(policy, p.graph.view(), closure);
    });
  }});
  check(p.known, closure);
  return o;
}

}  // namespace

void add_closures() {
  if (!has_type("f32")) return;
  std::vector<std::string> all = policies();
  all.insert(all.begin(), "boost");
  for (const char* graph_name : {"random1", "random", "gnp_32nd", "gnp_half"}) {
    for (const std::size_t n : sizes_or({1024, 4096, 8192, 16384, 32768})) {
      const std::string problem_name = std::string(graph_name) + '/' + std::to_string(n);
      for (const std::string& policy : all) {
        add("closure/" + policy + '/' + problem_name,
            {{"x_boost", "closure/boost/" + problem_name},
             {"x_floyd_warshall",
              "floyd_warshall/" + policy + "/f32/" + problem_name + "/distances"}},
            [=] { return run(policy, graph_name, n); });
      }
    }
  }
}

}  // namespace bench
