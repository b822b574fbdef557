// SPDX-License-Identifier: BSL-1.0
// transitive_closure of this library under seq and omp, next to Boost.Graph's on the same graph. For
// every graph Boost.Graph runs first, and the counter x_boost of the others is its time divided by
// theirs: both were measured in the same minute of the same run. Dense and large graphs are left out for
// Boost.Graph, which would take minutes.
#include <benchmark/benchmark.h>

#include <apsp/bit_matrix.hpp>
#include <apsp/policy.hpp>
#include <apsp/transitive_closure.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/transitive_closure.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "../generators.hpp"
#include "../timing.hpp"
#include "benchmark_main.hpp"
#include "mean_seconds.hpp"

namespace {

constexpr std::uint64_t seed = 1;

using graph = apsp_perf::csr_arrays<std::int32_t>;
using make_graph = std::function<graph()>;

// Seconds of Boost.Graph per name of a graph.
std::map<std::string, double> boost_seconds;

// Only the graph that was asked for last is kept. Making it is not part of the time.
const graph& graph_of(const std::string& name, const make_graph& make) {
  static std::string last_name;
  static graph last;
  if (last_name != name) {
    last = make();
    last_name = name;
  }
  return last;
}

template <class Action>
double mean_seconds_of(benchmark::State& state, Action action) {
  return mean_seconds(state, [&] { return timing::seconds_of(action); });
}

void run_boost(benchmark::State& state, const std::string& name, const make_graph& make) {
  using boost_graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  const graph& g = graph_of(name, make);
  boost_graph b(g.num_vertices());
  for (std::size_t u = 0; u < g.num_vertices(); ++u) {
    const auto end = static_cast<std::size_t>(g.offsets[u + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets[u]); k < end; ++k) {
      boost::add_edge(u, static_cast<std::size_t>(g.targets[k]), b);
    }
  }
  boost_seconds[name] = mean_seconds_of(state, [&] {
    boost_graph closure;
    boost::transitive_closure(b, closure);
    benchmark::DoNotOptimize(num_vertices(closure));
  });
  state.counters["x_boost"] = 1;
}

template <class Policy>
void run_apsp(benchmark::State& state, const Policy& policy, const std::string& name,
              const make_graph& make) {
  const graph& g = graph_of(name, make);
  apsp::bit_matrix closure(g.num_vertices());
  const double mean = mean_seconds_of(state, [&] {
    if (!apsp::transitive_closure(policy, g.view(), closure)) state.SkipWithError("stopped");
  });
  const auto boost = boost_seconds.find(name);
  // Every row has the counter, or Google Benchmark could not write a CSV file.
  state.counters["x_boost"] = boost == boost_seconds.end() ? std::nan("") : boost->second / mean;
}

void register_graph(const std::string& name, bool with_boost, const make_graph& make) {
  const auto add = [&](const std::string& solver, auto run) {
    benchmark::RegisterBenchmark((solver + "/" + name).c_str(), run)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  if (with_boost) {
    add("boost", [=](benchmark::State& state) { run_boost(state, name, make); });
  }
  add("seq", [=](benchmark::State& state) { run_apsp(state, apsp::seq, name, make); });
  add("omp", [=](benchmark::State& state) { run_apsp(state, apsp::omp, name, make); });
}

}  // namespace

int main(int argc, char** argv) {
  return benchmark_main(argc, argv, [] {
    for (const std::size_t n : {1024, 4096, 16384}) {
      const std::string size = std::to_string(n);
      const bool with_boost = n <= 4096;
      register_graph("out_degree_1/" + size, with_boost,
                     [n] { return apsp_perf::fixed_degree_graph<std::int32_t>(n, 1, 1, seed); });
      register_graph("out_degree_4/" + size, with_boost,
                     [n] { return apsp_perf::fixed_degree_graph<std::int32_t>(n, 4, 1, seed); });
    }
    for (const std::size_t n : {1024, 4096, 8192}) {
      const std::string size = std::to_string(n);
      register_graph("half_of_all_pairs/" + size, n <= 1024,
                     [n] { return apsp_perf::gnp_graph<std::int32_t>(n, 0.5, 1, seed); });
    }
  });
}
