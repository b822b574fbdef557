// SPDX-License-Identifier: BSL-1.0
// min_plus_product and the products over the other semirings under seq and omp, next to
// floyd_warshall of the same size, and next to SuiteSparse:GraphBLAS where it was found; and
// repeated_squaring next to floyd_warshall. Results are checked before they are timed.
//
// A last table has a line for every pair of rivals: medians of all runs of either, and their ratio. With
// --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true rivals take turns.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "../generators.hpp"
#include "../timing.hpp"
#include "../weight_types.hpp"
#include "benchmark_main.hpp"
#ifdef APSP_PERF_HAS_GRAPHBLAS
#include "../compare/graphblas_rival.hpp"
#endif

namespace {

constexpr std::int32_t largest_weight = 1000;
constexpr std::uint64_t seed = 1;

double cube(std::size_t n) {
  const double size = static_cast<double>(n);
  return size * size * size;
}

// Seconds of every run, by the name of its benchmark; and which two names are compared.
std::map<std::string, std::vector<double>> seconds_of_runs;
struct pair_of_rivals {
  std::string ours;
  std::string rival;
  std::size_t n;
};
std::vector<pair_of_rivals> pairs;

template <class W>
struct problem {
  apsp::matrix<W> a;
  apsp::matrix<W> b;
  apsp::matrix<W> c;
};

// The same problem for all solvers of a type and size; only the last one is kept. No sum of two entries
// is rounded, so all solvers must agree bit for bit.
template <class W>
problem<W>& problem_of(std::size_t n) {
  static std::unique_ptr<problem<W>> last;
  if (!last || last->a.rows() != n) {
    last.reset();
    last = std::make_unique<problem<W>>();
    apsp_perf::random_numbers random(seed);
    last->a = apsp::matrix<W>(n);
    last->b = apsp::matrix<W>(n);
    last->c = apsp::matrix<W>(n);
    for (W& weight : last->a) weight = static_cast<W>(random.weight(largest_weight));
    for (W& weight : last->b) weight = static_cast<W>(random.weight(largest_weight));
  }
  return *last;
}

// Runs solve(), which returns seconds.
template <class Solve>
void measure(benchmark::State& state, const std::string& name, std::size_t n, Solve solve) {
  for (auto _ : state) {
    const double seconds = solve();
    state.SetIterationTime(seconds);
    seconds_of_runs[name].push_back(seconds);
  }
  state.counters["relaxations/s"] =
      benchmark::Counter(cube(n), benchmark::Counter::kIsIterationInvariantRate);
}

void add(const std::string& name, auto run) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { run(state, name); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

/// @param scale  what the weights are multiplied with to be values of the semiring.
template <class S, class Policy>
void add_product(const std::string& name, const Policy& policy, std::size_t n,
                 typename S::value_type scale) {
  using W = typename S::value_type;
  add(name, [=](benchmark::State& state, const std::string& name_of_run) {
    auto& p = problem_of<W>(n);
    apsp::matrix<W> a = p.a;
    apsp::matrix<W> b = p.b;
    if (scale != W{1}) {
      for (W& weight : a) weight = weight * scale;
      for (W& weight : b) weight = weight * scale;
    }
    measure(state, name_of_run, n, [&] {
      std::fill(p.c.begin(), p.c.end(), S::zero);
      return timing::seconds_of([&] {
        if (!apsp::semiring_product(policy, a, b, p.c, S{})) state.SkipWithError("stopped");
      });
    });
  });
}

// The matrix of weights as a graph.
template <class W, class Policy>
void add_floyd_warshall(const std::string& name, const Policy& policy, std::size_t n) {
  add(name, [=](benchmark::State& state, const std::string& name_of_run) {
    auto& p = problem_of<W>(n);
    measure(state, name_of_run, n, [&] {
      return timing::seconds_of([&] {
        if (!apsp::floyd_warshall(policy, p.a, p.c)) state.SkipWithError("a negative cycle");
      });
    });
  });
}

#ifdef APSP_PERF_HAS_GRAPHBLAS
void add_graphblas(const std::string& name, apsp_compare::graphblas_form form, std::size_t n) {
  add(name, [=](benchmark::State& state, const std::string& name_of_run) {
    auto& p = problem_of<float>(n);
    const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    apsp_compare::graphblas_product rival(p.a, p.b, form, threads);
    rival.multiply();
    std::fill(p.c.begin(), p.c.end(), apsp::unreachable<float>);
    if (!apsp::min_plus_product(apsp::omp, p.a, p.b, p.c) || !(rival.take_result() == p.c)) {
      state.SkipWithError("GraphBLAS finds another product");
      return;
    }
    measure(state, name_of_run, n, [&] { return rival.multiply(); });
  });
}
#endif

template <class W>
void register_type(const std::string& type) {
  for (const std::size_t n : {512, 1024, 2048}) {
    const std::string suffix = "/" + type + "/" + std::to_string(n);
    std::vector<std::string> rivals;
#ifdef APSP_PERF_HAS_GRAPHBLAS
    if constexpr (std::is_same_v<W, float>) {
      using apsp_compare::graphblas_form;
      for (const auto& [name, form] :
           {std::pair{"graphblas", graphblas_form::product},
            std::pair{"graphblas_accumulate", graphblas_form::accumulate},
            std::pair{"graphblas_accumulate_sparse", graphblas_form::accumulate_sparse}}) {
        rivals.push_back(name + suffix);
        add_graphblas(rivals.back(), form, n);
      }
    }
#endif
    const auto add_policy = [&](const std::string& policy_name, const auto& policy) {
      const std::string product = policy_name + "_product" + suffix;
      const std::string floyd_warshall = policy_name + "_floyd_warshall" + suffix;
      add_product<apsp::min_plus<W>>(product, policy, n, W{1});
      add_floyd_warshall<W>(floyd_warshall, policy, n);
      pairs.push_back({product, floyd_warshall, n});
      for (const std::string& rival : rivals) pairs.push_back({product, rival, n});
    };
    add_policy("seq", apsp::seq);
    add_policy("omp", apsp::omp);
  }
}

template <class S>
void register_semiring(const std::string& semiring, float scale) {
  constexpr std::size_t n = 1024;
  const auto add_policy = [&](const std::string& policy_name, const auto& policy) {
    const std::string name = policy_name + "_" + semiring + "/f32/1024";
    add_product<S>(name, policy, n, scale);
    pairs.push_back({name, policy_name + "_product/f32/1024", n});
  };
  add_policy("seq", apsp::seq);
  add_policy("omp", apsp::omp);
}

// On a ring no path but the longest needs the last squaring; on a complete graph few squarings change
// anything.
void register_squaring(const std::string& graph_name,
                       const apsp_perf::csr_arrays<float>& made_graph) {
  const auto graph = std::make_shared<const apsp_perf::csr_arrays<float>>(made_graph);
  const std::size_t n = graph->num_vertices();
  const std::string suffix = "_" + graph_name + "/f32/" + std::to_string(n);
  const auto add_solver = [&](const std::string& name, auto solve) {
    add(name, [=](benchmark::State& state, const std::string& name_of_run) {
      apsp::matrix<float> distances(n);
      measure(state, name_of_run, n, [&] {
        return timing::seconds_of([&] {
          if (!solve(graph->view(), distances)) state.SkipWithError("a negative cycle");
        });
      });
    });
  };
  const auto add_policy = [&](const std::string& policy_name, const auto& policy) {
    const std::string squaring = policy_name + "_repeated_squaring" + suffix;
    const std::string floyd_warshall = policy_name + "_floyd_warshall" + suffix;
    add_solver(squaring, [policy](const auto& g, auto& d) {
      return static_cast<bool>(apsp::repeated_squaring(policy, g, d));
    });
    add_solver(floyd_warshall, [policy](const auto& g, auto& d) {
      return static_cast<bool>(apsp::floyd_warshall(policy, g, d));
    });
    pairs.push_back({squaring, floyd_warshall, n});
  };
  add_policy("seq", apsp::seq);
  add_policy("omp", apsp::omp);
}

void print_pairs() {
  bool is_first = true;
  for (const auto& [ours, rival, n] : pairs) {
    const auto mine = seconds_of_runs.find(ours);
    const auto theirs = seconds_of_runs.find(rival);
    if (mine == seconds_of_runs.end() || theirs == seconds_of_runs.end()) continue;
    if (is_first) {
      std::printf(
          "\nsolver,runs,seconds,relaxations_per_second,rival,rival_runs,rival_seconds,ratio\n");
      is_first = false;
    }
    const double seconds = timing::median(mine->second);
    const double rival_seconds = timing::median(theirs->second);
    std::printf("%s,%zu,%.6g,%.6g,%s,%zu,%.6g,%.4g\n", ours.c_str(), mine->second.size(), seconds,
                cube(n) / seconds, rival.c_str(), theirs->second.size(), rival_seconds,
                rival_seconds / seconds);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int status = benchmark_main(argc, argv, [] {
#ifdef APSP_PERF_HAS_GRAPHBLAS
    benchmark::AddCustomContext("SuiteSparse:GraphBLAS", apsp_compare::graphblas_version());
#endif
    weight_types::for_each(
        []<class W>(std::type_identity<W>, const std::string& name) { register_type<W>(name); });
    register_semiring<apsp::max_min<float>>("max_min", 1);
    register_semiring<apsp::min_max<float>>("min_max", 1);
    register_semiring<apsp::max_times<float>>("max_times", 1.0F / largest_weight);
    register_squaring("ring", apsp_perf::ring_graph<float>(1024, apsp_perf::ring_kind::both_ways,
                                                           largest_weight, seed));
    register_squaring("complete", apsp_perf::complete_graph<float>(1024, largest_weight, seed));
  });
  if (status == 0) print_pairs();
  return status;
}
