// SPDX-License-Identifier: BSL-1.0
// What it costs to read a graph through its adaptor, as a share of a whole solve under seq. The
// graph is wrapped in a type of this program whose own adaptor keeps the time of every visit, so
// what is measured is what the library really does while it solves: the checks of the edges and
// their way into the matrix included.
#include <benchmark/benchmark.h>

#include <apsp/csr.hpp>
#include <apsp/dense.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <apsp/weighted.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if __has_include(<apsp/boost_graph.hpp>)
#include <apsp/boost_graph.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/adjacency_matrix.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#define APSP_PERF_HAS_BOOST_ADAPTOR
#endif

#include "../generators.hpp"
#include "benchmark_main.hpp"

namespace {

using weight = float;
using clock_type = std::chrono::steady_clock;

template <class G>
struct timed_graph {
  const G* inner;
  clock_type::duration* reading;
};

class stopwatch {
 public:
  explicit stopwatch(clock_type::duration& total) : total_(total) {}
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  ~stopwatch() { total_ += clock_type::now() - start_; }

 private:
  clock_type::duration& total_;
  clock_type::time_point start_ = clock_type::now();
};

}  // namespace

template <class G>
struct apsp::graph_adaptor<timed_graph<G>> {
  using inner = apsp::graph_adaptor_t<G>;
  using weight_type = typename inner::weight_type;

  static std::size_t num_vertices(const timed_graph<G>& g) {
    return static_cast<std::size_t>(inner::num_vertices(*g.inner));
  }
  static void validate(const timed_graph<G>& g) {
    const stopwatch watch(*g.reading);
    if constexpr (requires { inner::validate(*g.inner); }) inner::validate(*g.inner);
  }
  template <class F>
  static void for_each_edge(const timed_graph<G>& g, F f) {
    const stopwatch watch(*g.reading);
    inner::for_each_edge(*g.inner, f);
  }
  template <class F>
  static void for_each_out_edge(const timed_graph<G>& g, std::size_t u, F f)
    requires apsp::graph_with_out_edges<G>
  {
    const stopwatch watch(*g.reading);
    inner::for_each_out_edge(*g.inner, u, f);
  }
};

namespace {

// One graph in every shape that the library reads.
struct inputs {
  explicit inputs(apsp_perf::csr_arrays<weight> g) : csr(std::move(g)), n(csr.num_vertices()) {
    dense = apsp::matrix<weight>(n, n, apsp::unreachable<weight>);
    nested.assign(n, std::vector<weight>(n, apsp::unreachable<weight>));
    for (std::size_t u = 0; u < n; ++u) {
      const auto end = static_cast<std::size_t>(csr.offsets[u + 1]);
      for (auto k = static_cast<std::size_t>(csr.offsets[u]); k < end; ++k) {
        const auto v = static_cast<std::size_t>(csr.targets[k]);
        sources.push_back(static_cast<std::int32_t>(u));
        dense[u][v] = csr.weights[k];
        nested[u][v] = csr.weights[k];
      }
    }
  }

  apsp_perf::csr_arrays<weight> csr;
  std::size_t n;
  std::vector<std::int32_t> sources;
  apsp::matrix<weight> dense;
  std::vector<std::vector<weight>> nested;
};

template <class G>
void solve_and_report(benchmark::State& state, const G& g) {
  clock_type::duration reading{};
  clock_type::duration total{};
  const timed_graph<G> timed{&g, &reading};
  apsp::matrix<weight> distances(apsp::num_vertices_of(g));
  for (auto _ : state) {
    const auto start = clock_type::now();
    const auto solved = apsp::floyd_warshall(apsp::seq, timed, distances);
    total += clock_type::now() - start;
    if (!solved) state.SkipWithError("a negative cycle");
  }
  const std::chrono::duration<double> seconds = reading;
  state.counters["reading_ms"] =
      benchmark::Counter(1000 * seconds.count(), benchmark::Counter::kAvgIterations);
  state.counters["share_percent"] =
      100.0 * static_cast<double>(reading.count()) / static_cast<double>(total.count());
}

#ifdef APSP_PERF_HAS_BOOST_ADAPTOR
struct road {
  weight km;
};

template <class G>
G to_boost(const inputs& in) {
  G g(in.n);
  for (std::size_t k = 0; k < in.sources.size(); ++k) {
    boost::add_edge(static_cast<std::size_t>(in.sources[k]),
                    static_cast<std::size_t>(in.csr.targets[k]), road{in.csr.weights[k]}, g);
  }
  return g;
}

using boost_csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, road>;

template <>
boost_csr to_boost<boost_csr>(const inputs& in) {
  std::vector<std::pair<std::size_t, std::size_t>> arcs;
  std::vector<road> roads;
  for (std::size_t k = 0; k < in.sources.size(); ++k) {
    arcs.emplace_back(in.sources[k], in.csr.targets[k]);
    roads.push_back({in.csr.weights[k]});
  }
  return boost_csr(boost::edges_are_sorted, arcs.begin(), arcs.end(), roads.begin(), in.n);
}
#endif

void register_inputs(const std::string& kind, const std::shared_ptr<const inputs>& in) {
  const auto add = [&](const std::string& name, auto run) {
    benchmark::RegisterBenchmark((name + "/" + kind).c_str(), run)
        ->Unit(benchmark::kMillisecond)
        ->MinTime(2);
  };
  add("csr_view", [in](benchmark::State& state) { solve_and_report(state, in->csr.view()); });
  add("edge_list_view", [in](benchmark::State& state) {
    solve_and_report(state,
                     apsp::edge_list_view(in->n, in->sources, in->csr.targets, in->csr.weights));
  });
  add("matrix", [in](benchmark::State& state) { solve_and_report(state, in->dense); });
  add("vector<vector>", [in](benchmark::State& state) { solve_and_report(state, in->nested); });
#ifdef APSP_PERF_HAS_BOOST_ADAPTOR
  const auto add_boost = [&]<class G>(const std::string& name, std::type_identity<G>) {
    add(name, [in](benchmark::State& state) {
      const G g = to_boost<G>(*in);
      solve_and_report(state, apsp::weighted(g, &road::km));
    });
  };
  using boost::directedS;
  using boost::no_property;
  using boost::vecS;
  add_boost("boost::adjacency_list",
            std::type_identity<boost::adjacency_list<vecS, vecS, directedS, no_property, road>>{});
  add_boost("boost::adjacency_matrix",
            std::type_identity<boost::adjacency_matrix<directedS, no_property, road>>{});
  add_boost("boost::compressed_sparse_row_graph", std::type_identity<boost_csr>{});
#endif
}

}  // namespace

int main(int argc, char** argv) {
  return benchmark_main(argc, argv, [] {
    constexpr std::size_t n = 2048;
    constexpr std::int32_t largest_weight = 1000;
    register_inputs("m=8n", std::make_shared<inputs>(
                                apsp_perf::fixed_degree_graph<weight>(n, 8, largest_weight, 1)));
    register_inputs("m=n(n-1)", std::make_shared<inputs>(
                                    apsp_perf::gnp_graph<weight>(n, 1.0, largest_weight, 1)));
  });
}
