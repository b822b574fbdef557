// SPDX-License-Identifier: BSL-1.0
// Cases betweenness/policy/type/graph: the betweenness of all vertices, from as many sources as
// --sources says; /prepared with a contraction_hierarchy of the graph; /searches with a cutoff
// beyond all distances, which excludes sweeps, also those for distances alone. The graphs are those
// of --files, and R-MAT of the numbers of vertices of --sizes. Their rival
// betweenness/boost/type/graph is Boost.Graph's brandes_betweenness_centrality, if the sources are
// all vertices. All scores are compared with those of the first case that runs. The counter sweeps
// is 1 if the result names elimination.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/betweenness_centrality.hpp>
#include <boost/property_map/property_map.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/checks.hpp"
#include "../common/graphs.hpp"
#include "../rivals/boost_list_graph.hpp"
#include "cases.hpp"

namespace bench {

namespace {

template <class W>
struct scored_graph {
  explicit scored_graph(apsp_perf::csr_arrays<W> g)
      : arcs(std::move(g)),
        sources(checks::spread_sources(
            n(), options().sources == 0 ? n() : std::min(options().sources, n()))) {}

  std::size_t n() const { return arcs.num_vertices(); }

  const apsp::contraction_hierarchy<W>& hierarchy() {
    if (!prepared) prepared.emplace(apsp::omp, arcs.view());
    return *prepared;
  }

  /// Compares scores with those of the call before.
  void check(const std::vector<double>& scores) {
    if (known.empty()) known = scores;
    for (std::size_t v = 0; v < n(); ++v) {
      const double error = std::abs(scores[v] - known[v]);
      require(error <= 1e-6 * std::max(1.0, std::abs(known[v])), "a wrong score");
    }
  }

  apsp_perf::csr_arrays<W> arcs;
  std::vector<std::int32_t> sources;
  std::vector<double> known;
  std::optional<apsp::contraction_hierarchy<W>> prepared;
};

/// How a case calls the library.
enum class variant { arcs, prepared, searches };

template <class W>
double seconds_of_boost(const scored_graph<W>& g, std::vector<double>& scores) {
  const auto graph = boost_solvers::make_list(g.arcs);
  const auto numbers = get(boost::vertex_index, graph);
  return timing::timed([&] {
           boost::brandes_betweenness_centrality(
               graph,
               boost::weight_map(get(boost::edge_weight, graph))
                   .centrality_map(boost::make_iterator_property_map(scores.begin(), numbers))
                   .vertex_index_map(numbers));
           return 0;
         })
      .seconds;
}

template <class W>
outcome run_betweenness(const std::string& policy, variant how, scored_graph<W>& g) {
  std::vector<double> scores(g.n());
  if (how == variant::prepared) g.hierarchy();
  bool swept = false;
  const auto call = [&] {
    if (policy == "boost") return seconds_of_boost(g, scores);
    return seconds_of_solve(policy, [&](const auto& p) {
      const auto score = [&](const auto& with, const auto& graph) {
        const apsp::result done = apsp::betweenness(with, graph, g.sources, scores);
        swept = how != variant::searches && done.algorithm() == apsp::algorithm::elimination;
        return done;
      };
      if (how == variant::prepared) return score(p, g.hierarchy());
      if (how == variant::arcs) return score(p, g.arcs.view());
      return score(p.cutoff((std::numeric_limits<W>::max)() / 2), g.arcs.view());
    });
  };
  outcome o = measure({.call = call,
                       .unit = "pairs",
                       .work = static_cast<double>(g.sources.size()) * static_cast<double>(g.n())});
  g.check(scores);
  if (policy != "boost") o.counters["sweeps"] = swept ? 1 : 0;
  return o;
}

template <class W>
void add_graph(const std::string& type, const std::string& name,
               const std::function<apsp_perf::csr_arrays<W>()>& make) {
  const std::string end = '/' + type + '/' + name;
  const std::string of_boost = "betweenness/boost" + end;
  const auto add_case = [&](const std::string& policy, variant how, const std::string& suffix,
                            const std::vector<rival>& rivals) {
    add("betweenness/" + policy + end + suffix, rivals, [=] {
      auto& g = shared_problem("betweenness" + end, [&] { return scored_graph<W>(make()); });
      return run_betweenness(policy, how, g);
    });
  };
  const std::string of_searches = "/searches";
  if (options().sources == 0) add_case("boost", variant::arcs, "", {});
  const auto add_policy = [&](const std::string& policy) {
    const std::string by_searches = "betweenness/" + policy + end + of_searches;
    const std::vector<rival> rivals{{"x_boost", of_boost}, {"x_searches", by_searches}};
    add_case(policy, variant::searches, of_searches, {{"x_boost", of_boost}});
    add_case(policy, variant::arcs, "", rivals);
    add_case(policy, variant::prepared, "/prepared", rivals);
  };
  for (const std::string policy : {"seq", "omp"}) add_policy(policy);
  if (!options().has_device) return;
  add_policy("cuda_tiled");
  for (const std::size_t count : device_counts()) {
    if (count == 1) continue;
    add_case(device_program::devices_prefix + std::to_string(count), variant::arcs, "",
             {{"x_one", "betweenness/cuda_tiled" + end}});
  }
}

}  // namespace

void add_centralities() {
  for_each_type([]<class W>(std::type_identity<W>, const std::string& type) {
    for (const std::string& file : options().files) {
      add_graph<W>(type, std::filesystem::path(file).stem().string(),
                   [=] { return named_graphs::to_arrays(apsp::read_graph<W>(file)); });
    }
    for (const std::size_t n : options().sizes) {
      add_graph<W>(type, "rmat/" + std::to_string(n),
                   [=] { return named_graphs::make<W>("rmat", n, options().seed); });
    }
  });
}

}  // namespace bench
