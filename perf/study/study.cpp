// SPDX-License-Identifier: BSL-1.0
// Published experiments on all-pairs shortest paths, repeated on this machine: every solver of the
// library and Boost.Graph, on the same graphs and in the same run. study/study.py adds SciPy's
// solvers and draws the plots.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <apsp/files.hpp>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../common/graphs.hpp"
#include "../rivals/boost_searches.hpp"
#include "calls.hpp"
#include "device_parts.hpp"

namespace {

using studies::calls;
using studies::extent;
using studies::report;
using studies::settings;

// The sizes from the command line, or otherwise first, factor * first, ... up to last.
std::vector<std::size_t> sizes(const settings& s, std::size_t first, std::size_t last,
                               std::size_t factor = 2) {
  if (!s.sizes.empty()) return s.sizes;
  std::vector<std::size_t> all;
  for (std::size_t n = first; n <= last; n *= factor) all.push_back(n);
  return all;
}

void repeated_squaring(const settings& s, report& out) {
  calls<float> c(s, out);
  for (const std::size_t n : sizes(s, 32, s.quick ? 512 : 16384)) {
    c.begin({.part = "squaring", .x = std::to_string(n), .graph = "gnp 0.1"},
            apsp_perf::plus_halves(apsp_perf::gnp_graph<float>(n, 0.1, 100, s.seed)));
    c.keep_graph("floyd_warshall");
    for (const auto& [algorithm, policy] : {std::pair{"repeated_squaring", "seq"},
                                            {"repeated_squaring", "omp"},
                                            {"floyd_warshall", "boost"},
                                            {"floyd_warshall", "omp"},
                                            {"repeated_squaring", "cuda_naive"},
                                            {"repeated_squaring", "cuda_tiled"},
                                            {"floyd_warshall", "cuda_tiled"}}) {
      c.add({algorithm, policy}, extent::all_pairs);
    }
  }
}

// The textbook loops, which published experiments use as CPU time.
void three_loops(const apsp_perf::csr_arrays<float>& g, apsp::matrix<float>& d) {
  const std::size_t n = g.num_vertices();
  std::fill(d.begin(), d.end(), apsp::unreachable<float>);
  apsp_perf::store_arcs(g, d);
  for (std::size_t u = 0; u < n; ++u) d[u][u] = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const float* const from_pivot = d[k];
    for (std::size_t i = 0; i < n; ++i) {
      float* const row = d[i];
      const float to_pivot = row[k];
      for (std::size_t j = 0; j < n; ++j) row[j] = std::min(row[j], to_pivot + from_pivot[j]);
    }
  }
}

void floyd_warshall(const settings& s, report& out) {
  std::vector<std::size_t> all{250, 500, 1000};
  if (!s.quick) all = {1000, 2000, 4000, 8000, 16000, 32000, 46000, 64000, 92000, 160000};
  calls<float> c(s, out);
  for (const std::size_t n : s.sizes.empty() ? all : s.sizes) {
    c.begin({.part = "vertices", .x = std::to_string(n), .graph = "fixed degree 16"},
            apsp_perf::fixed_degree_graph<float>(n, 16, 100, s.seed));
    c.keep_graph("floyd_warshall");
    c.add_call("three loops, one thread", extent::all_pairs, false, [](auto& p) {
      return timing::seconds_of([&] { three_loops(p.graph, p.distances); });
    });
    for (const char* policy : {"boost", "seq", "omp", "cuda_naive", "cuda_tiled"}) {
      c.add({"floyd_warshall", policy}, extent::all_pairs);
    }
  }
}

void dijkstra(const settings& s, report& out) {
  const auto graph_of = [&](std::size_t n) {
    return apsp_perf::gnp_graph<std::int32_t>(n, 0.1, 100, s.seed);
  };
  calls<std::int32_t> c(s, out);
  for (const std::size_t n : sizes(s, 256, s.quick ? 512 : 16384)) {
    c.begin({.part = "vertices", .x = std::to_string(n), .graph = "gnp 0.1"}, graph_of(n));
    c.keep_graph("dijkstra");
    c.add({"dijkstra", "seq"}, extent::by_sources);
    c.add({"dijkstra", "omp"}, extent::by_sources);
    c.add_boost_dijkstra(extent::by_sources);
    c.add({"dijkstra", "cuda_naive"}, extent::all_at_once, " (a thread per source)");
    c.add({"dijkstra", "cuda_tiled"}, extent::all_at_once, " (a block per source)");
  }
  constexpr std::size_t of_time_line = 512;
  c.begin({.part = "time line", .x = "0", .graph = "gnp 0.1"}, graph_of(of_time_line));
  c.add_device_part(studies::add_time_line);
}

void bellman_ford(const settings& s, report& out) {
  constexpr std::size_t degree = 4;
  constexpr std::int32_t largest_weight = 100;
  const std::size_t n = s.quick ? 512 : 4096;
  const auto graph_of = [&](std::size_t vertices, std::size_t arcs_per_vertex,
                            std::int32_t largest) {
    return apsp_perf::fixed_degree_graph<std::int32_t>(vertices, arcs_per_vertex, largest, s.seed);
  };
  calls<std::int32_t> c(s, out);
  // One source at a time, many at once, and the cores of the host.
  const auto add = [&](const char* part, const std::string& x, const std::string& graph,
                       apsp_perf::csr_arrays<std::int32_t> g) {
    c.begin({.part = part, .x = x, .graph = graph}, std::move(g));
    c.keep_graph("dijkstra");
    c.add_boost_dijkstra(extent::by_sources);
    c.add({"dijkstra", "seq"}, extent::by_sources);
    c.add({"dijkstra", "omp"}, extent::by_sources);
    c.add({"bellman_ford", "omp"}, extent::by_sources);
    c.add({"bellman_ford", "cuda_naive"}, extent::by_sources, " (one at a time)");
    c.add({"bellman_ford", "cuda_tiled"}, extent::by_sources, " (many at once)");
  };
  for (const std::size_t vertices : sizes(s, 1024, s.quick ? 2048 : 262144)) {
    add("vertices", std::to_string(vertices), "fixed degree 4",
        graph_of(vertices, degree, largest_weight));
  }
  for (const std::size_t arcs_per_vertex : sizes(s, 1, n / 4, 4)) {
    add("arcs", std::to_string(n * arcs_per_vertex), "fixed degree",
        graph_of(n, arcs_per_vertex, largest_weight));
  }
  for (const std::size_t largest : sizes(s, 1, 1000000, 10)) {
    add("weights", std::to_string(largest), "fixed degree 4",
        graph_of(n, degree, static_cast<std::int32_t>(largest)));
  }
  for (const std::string shape : {"random", "rmat", "ring", "complete"}) {
    add("topologies", shape, shape,
        named_graphs::make<std::int32_t>(shape, s.quick ? 512 : 4677, s.seed));
  }
  // The additional time with predecessors.
  for (const std::size_t vertices : sizes(s, 1024, s.quick ? 1024 : 16384, 4)) {
    c.begin({.part = "paths", .x = std::to_string(vertices), .graph = "fixed degree 4"},
            graph_of(vertices, degree, largest_weight));
    for (const bool recorded : {false, true}) {
      for (const char* policy : {"omp", "cuda_naive", "cuda_tiled"}) {
        c.add({"bellman_ford", policy, recorded}, extent::by_sources,
              recorded ? " with paths" : "");
      }
    }
  }
}

// By edges and by vertices, from one vertex of a complete graph.
void add_strategies(calls<std::int32_t>& c, const std::string& n) {
  c.set_place("strategies", n);
  c.add({"bellman_ford", "seq"}, extent::one_source);
  c.add({"dijkstra", "seq"}, extent::one_source);
  c.add_boost_dijkstra(extent::one_source);
  const auto b = boost_solvers::make_csr(c.current().graph);
  c.add_call("Boost.Graph bellman_ford", extent::one_source, false,
             [&](auto& p) { return boost_solvers::bellman_ford(b, 0, p.distances.data()); });
  for (const auto& strategy : device_program::strategies) {
    const std::string name = strategy.name;
    c.set_place("strategies", n);
    c.add("cuda_naive " + name, {"bellman_ford", "cuda_naive:" + name}, extent::one_source);
    c.set_place("a source more", n);
    c.add("cuda_naive " + name, {"bellman_ford", "cuda_naive:" + name}, extent::a_source_more);
  }
  c.set_place("strategies", n);
  c.add("cuda_tiled", {"bellman_ford", "cuda_tiled"}, extent::one_source);
}

// Whole calls also copy and sort the graph. The slope contains only the rounds, like the times of
// the study's own kernels.
void add_edges_per_thread(calls<std::int32_t>& c) {
  for (int k = 1; k <= 64; k *= 2) {
    c.set_place("edges per thread", std::to_string(k));
    const std::string policy = "cuda_naive:by_edge:" + std::to_string(k);
    c.add("cuda_naive by_edge: whole call", {"bellman_ford", policy}, extent::one_source);
    c.add("cuda_naive by_edge: a source more", {"bellman_ford", policy}, extent::a_source_more);
  }
  c.add_device_part(studies::add_edge_orders);
}

void single_source(const settings& s, report& out) {
  // With this range of weights, shortest paths have more than a few arcs.
  constexpr std::int32_t largest_weight = 10000;
  const std::vector<std::size_t> all = sizes(s, 256, s.quick ? 512 : 8192);
  calls<std::int32_t> c(s, out);
  for (const std::size_t n : all) {
    c.begin({.graph = "complete"},
            apsp_perf::complete_graph<std::int32_t>(n, largest_weight, s.seed));
    add_strategies(c, std::to_string(n));
    if (n == (s.quick ? 512 : 4096)) add_edges_per_thread(c);
    c.set_place("transfers", std::to_string(n));
    c.add_device_part(studies::add_copies);
  }
  calls<float> of_all_pairs(s, out);
  for (const std::size_t n : s.has_device ? all : std::vector<std::size_t>()) {
    of_all_pairs.begin(
        {.part = "all pairs", .x = std::to_string(n), .graph = "complete"},
        apsp_perf::plus_halves(apsp_perf::complete_graph<float>(n, largest_weight, s.seed)));
    for (const auto& [algorithm, policy] : {std::pair{"floyd_warshall", "cuda_naive"},
                                            {"repeated_squaring", "cuda_naive"},
                                            {"repeated_squaring", "cuda_tiled"},
                                            {"floyd_warshall", "cuda_tiled"}}) {
      of_all_pairs.add({algorithm, policy}, extent::all_pairs);
    }
  }
}

// Sparse graphs of several families, by algorithms for one core. Equal weights are a problem of
// their own.
void families(const settings& s, report& out) {
  const std::size_t n = s.quick ? 512 : 4096;
  std::vector<std::pair<std::string, apsp_perf::csr_arrays<std::int32_t>>> graphs;
  for (const std::string& file : s.files) {
    const std::filesystem::path path(file);
    graphs.emplace_back(path.stem().string(),
                        named_graphs::to_arrays(apsp::read_graph<std::int32_t>(path)));
  }
  for (const std::string name : {"grid", "rmat", "random"}) {
    graphs.emplace_back(name, named_graphs::make<std::int32_t>(name, n, s.seed));
  }
  calls<std::int32_t> c(s, out);
  for (const auto& [name, graph] : graphs) {
    c.begin({.part = "weights", .x = name, .graph = name}, graph);
    c.keep_graph("dijkstra");
    c.add({"elimination", "seq"}, extent::by_sources);
    c.add({"bellman_ford", "seq"}, extent::by_sources);
    c.add({"dijkstra", "seq"}, extent::by_sources);
    c.add_boost_dijkstra(extent::by_sources);
  }
  for (auto& [name, graph] : graphs) {
    std::fill(graph.weights.begin(), graph.weights.end(), 1);
    c.begin({.part = "unit weights", .x = name, .graph = name}, graph);
    c.keep_graph("dijkstra");
    c.add({"elimination", "seq"}, extent::by_sources);
    c.add({"breadth_first_search", "seq"}, extent::by_sources);
    const auto b = boost_solvers::make_csr(graph);
    c.add_call("Boost.Graph breadth_first_search", extent::by_sources, false, [&](auto& p) {
      return timing::seconds_of([&] {
        std::fill(p.distances.begin(), p.distances.end(), apsp::unreachable<std::int32_t>);
        std::vector<boost::default_color_type> colors(p.n());
        for (std::size_t i = 0; i < p.sources.size(); ++i) {
          boost_solvers::breadth_first_search(b, static_cast<std::size_t>(p.sources[i]),
                                              p.distances[i], colors);
        }
      });
    });
  }
}

struct named_study {
  const char* name;
  const char* about;
  void (*run)(const settings&, report&);
  bool goes_by_vertices = false;  ///< sizes are the only parameter
  bool takes_files = false;
};

constexpr named_study all_studies[] = {
    {"repeated_squaring",
     "Repeated squaring by one thread, naive kernels and tiles, n = 32 to 16384", repeated_squaring,
     true},
    {"floyd_warshall", "Naive Floyd-Warshall against one thread, n = 1000 to what memory holds",
     floyd_warshall, true},
    {"dijkstra", "Dijkstra from all sources, a thread or a block per source, n = 256 to 16384",
     dijkstra},
    {"bellman_ford", "Bellman-Ford from all sources: vertices, arcs, weights, topologies, paths",
     bellman_ford},
    {"single_source", "Bellman-Ford from one source of a complete graph; copies and streams",
     single_source},
    {"families", "Roads, meshes, grids, R-MAT and random graphs: elimination and searches",
     families, false, true}};

int run(const named_study& study, settings& s, const std::string& command) {
  report out(study.name, s, command);
  const std::string no_device = device_program::why_no_device();
  s.has_device = no_device.empty();
  if (!s.has_device) out.note("cuda_naive and cuda_tiled are left out: " + no_device);
  study.run(s, out);
  if (out.is_empty())
    throw std::runtime_error("nothing to measure has that in its name: " + s.only);
  if (!out.all_right()) fmt::print(stderr, "study: a result is wrong\n");
  return out.all_right() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  settings s;
  CLI::App app{"Published experiments on all-pairs shortest paths, run again on this machine",
               "study"};
  app.require_subcommand(1);
  app.fallthrough();
  app.add_flag("--quick", s.quick, "Small sizes alone: to see that all runs");
  app.add_option("--limit", s.limit, "Seconds that a line may take; longer ones are estimated (10)")
      ->check(CLI::PositiveNumber)
      ->option_text("SECONDS");
  app.add_option("--repeat", s.repeat, "Calls after the one that warms up, at most (5)")
      ->check(CLI::Range(1, 1000))
      ->option_text("K");
  app.add_option("--seed", s.seed, "Of the random graphs (1)")->option_text("SEED");
  app.add_option("--csv", s.csv, "Write the lines to a file, too")->option_text("FILE");
  app.add_option("--graphs", s.graphs, "Write the graphs for study/study.py into a folder")
      ->option_text("FOLDER");
  for (const auto& study : all_studies) {
    CLI::App* const command = app.add_subcommand(study.name, study.about);
    if (study.takes_files) {
      command->add_option("--files", s.files, "Graphs besides those that are made")
          ->delimiter(',')
          ->check(CLI::ExistingFile)
          ->option_text("FILE,...");
    }
    if (!study.goes_by_vertices) continue;
    command->add_option("--sizes", s.sizes, "Numbers of vertices, in the place of the study's own")
        ->delimiter(',')
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 20))
        ->option_text("N,...");
    command->add_option("--only", s.only, "Measure nothing but what has this in its name")
        ->option_text("TEXT");
  }
  try {
    app.parse(argc, argv);
    for (const auto& study : all_studies) {
      if (app.got_subcommand(study.name)) {
        return run(study, s, apsp_perf::command_text("study", argc, argv, {"--csv", "--graphs"}));
      }
    }
  } catch (const CLI::ParseError& e) {
    return app.exit(e);
  } catch (const std::exception& e) {
    fmt::print(stderr, "study: {}\n", e.what());
    return 2;
  }
  return 2;
}
