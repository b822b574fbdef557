// SPDX-License-Identifier: BSL-1.0
// Cases algorithm/policy/type/graph/n/output.
#include <algorithm>
#include <apsp/bellman_ford.hpp>
#include <apsp/device_graph.hpp>
#include <apsp/device_matrix.hpp>
#include <apsp/device_memory.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/result.hpp>
#include <apsp/unreachable.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/johnson_all_pairs_shortest.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "../compare/boost_rival.hpp"
#include "../device_limit/device_limit.hpp"
#include "../host_limit/host_limit.hpp"
#include "../weight_types.hpp"
#include "cases.hpp"
#include "families.hpp"
#include "problem.hpp"

namespace bench {

namespace {

/// The solver of a case and its output.
struct solver {
  std::string algorithm;
  std::string policy;  ///< or "boost"
  std::string
      output;  ///< distances, predecessors, or resident: distances, with all data on a device

  bool has_sources() const {
    return algorithm == "dijkstra" || algorithm == "bellman_ford" || algorithm == "johnson";
  }
  bool with_predecessors() const { return output == "predecessors"; }
  std::string name(const std::string& problem_name) const {
    return algorithm + '/' + policy + '/' + problem_name + '/' + output;
  }
};

template <class W, class Policy>
apsp::result solve(const Policy& policy, const solver& s, problem<W>& p) {
  const auto graph = p.graph.view();
  const auto with_output = [&](auto call) {
    return s.with_predecessors() ? call(p.distances, p.predecessors) : call(p.distances);
  };
  const auto with_sources = [&](auto call) {
    if (p.sources.size() == p.n()) return with_output(call);
    return with_output([&](auto&... results) { return call(p.sources, results...); });
  };
  if (s.algorithm == "dijkstra") {
    return with_sources([&](auto&... a) { return apsp::dijkstra(policy, graph, a...); });
  }
  if (s.algorithm == "bellman_ford") {
    return with_sources([&](auto&... a) { return apsp::bellman_ford(policy, graph, a...); });
  }
  if (s.algorithm == "johnson") {
    return with_sources([&](auto&... a) { return apsp::johnson(policy, graph, a...); });
  }
  if (s.algorithm == "repeated_squaring") {
    return with_output([&](auto&... a) { return apsp::repeated_squaring(policy, graph, a...); });
  }
  return with_output([&](auto&... a) { return apsp::floyd_warshall(policy, graph, a...); });
}

template <class W>
double seconds_of_boost(const solver& s, problem<W>& p) {
  if (s.algorithm == "floyd_warshall") {
    const double seconds = apsp_compare::solve_with_boost(p.graph, p.distances);
    require(seconds >= 0, "Boost.Graph finds a negative cycle");
    return seconds;
  }
  using boost::directedS;
  using boost::vecS;
  boost::adjacency_list<vecS, vecS, directedS, boost::no_property,
                        boost::property<boost::edge_weight_t, W>>
      b(p.n());
  apsp_perf::for_each_arc(p.graph,
                          [&](std::size_t u, std::size_t v, W w) { boost::add_edge(u, v, w, b); });
  const double seconds =
      timing::seconds_of([&] { boost::johnson_all_pairs_shortest_paths(b, p.distances); });
  // Boost's value for pairs without a path is the largest number.
  std::replace(p.distances.begin(), p.distances.end(), std::numeric_limits<W>::max(),
               apsp::unreachable<W>);
  return seconds;
}

/// A graph and a result in device memory.
template <class W>
class resident_problem {
 public:
  explicit resident_problem(const apsp_perf::csr_arrays<W>& graph)
      : offsets_(row_of(graph.offsets)),
        targets_(row_of(graph.targets)),
        weights_(row_of(graph.weights)),
        distances_(graph.num_vertices()) {}

  template <class Policy>
  apsp::result solve(const Policy& policy) {
    const apsp::result done = apsp::floyd_warshall(
        policy, apsp::device_csr_view(span_of(offsets_), span_of(targets_), span_of(weights_)),
        distances_);
    // A copy on the same stream waits for the result.
    static_cast<void>(apsp::copy_to_host(apsp::device_matrix_view(distances_.data(), 1, 1)));
    return done;
  }
  apsp::matrix<W> distances() const { return distances_.to_host(); }

 private:
  template <class X>
  static apsp::device_matrix<X> row_of(const std::vector<X>& values) {
    apsp::matrix<X> row(1, values.size());
    std::copy(values.begin(), values.end(), row.begin());
    return apsp::device_matrix<X>(row);
  }
  template <class X>
  static apsp::device_span<const X> span_of(const apsp::device_matrix<X>& row) {
    return {row.data(), row.cols()};
  }

  apsp::device_matrix<std::int64_t> offsets_;
  apsp::device_matrix<std::int32_t> targets_;
  apsp::device_matrix<W> weights_;
  apsp::device_matrix<W> distances_;
};

template <class W>
double seconds_of_resident(const std::string& policy, resident_problem<W>& p) {
  return seconds_of_solve(policy, [&](const auto& named) {
    constexpr apsp::backend kernels = std::remove_cvref_t<decltype(named)>::requested;
    if constexpr (kernels == apsp::backend::cuda_naive || kernels == apsp::backend::cuda_tiled) {
      return p.solve(named);
    } else {
      return apsp::result(kernels, apsp::algorithm::floyd_warshall);  // there is no such case
    }
  });
}

// Returns the limit of a call whose result is available.
template <class W>
std::function<double()> limit_of(const solver& s, const std::string& type, const problem<W>& p) {
  if (s.algorithm != "floyd_warshall" || s.policy == "boost") return {};
  if (device_program::needs_device(s.policy)) {
    device_limit::solved call;
    call.type = type;
    call.policy = s.policy;
    call.num_vertices = p.n();
    call.has_predecessors = s.with_predecessors();
    call.farthest = p.farthest();
    call.has_negative_weights =
        std::any_of(p.graph.weights.begin(), p.graph.weights.end(), [](W w) { return w < W{}; });
    return [name = device_limit::name_of(call)] { return device_limit::measure(name); };
  }
  const auto loop = host_limit::chosen_instruction_set().of<W>();
  const int threads = s.policy == "seq" ? 1 : host_limit::num_threads();
  return [=] { return host_limit::measure(loop, threads); };
}

template <class W>
outcome run(const solver& s, const std::string& type, const std::string& graph_name,
            std::size_t n) {
  problem<W>& p = problem_of<W>(type, graph_name, n);
  p.set_sources(s.has_sources() && s.policy != "boost" ? options().sources : 0,
                s.with_predecessors());
  const auto call = [&] {
    if (s.policy == "boost") return seconds_of_boost(s, p);
    return seconds_of_solve(s.policy, [&](const auto& policy) { return solve(policy, s, p); });
  };
  // The warm-up call. The limit of the other calls depends on its result.
  p.overwrite();
  static_cast<void>(call());
  p.check(p.distances);
  if (s.with_predecessors()) p.check_predecessors();

  const double size = static_cast<double>(p.n());
  calls c{.call = call,
          .is_warm = true,
          .prepare = [&] { p.overwrite(); },
          .limit = limit_of(s, type, p)};
  c.unit = s.has_sources() ? "sources" : "relaxations";
  c.work = s.has_sources() ? static_cast<double>(p.sources.size()) : size * size * size;
  std::unique_ptr<resident_problem<W>> resident;
  if (s.output == "resident") {
    resident = std::make_unique<resident_problem<W>>(p.graph);
    c.call = [&] { return seconds_of_resident(s.policy, *resident); };
    c.is_warm = false;
  }
  outcome o = measure(c);
  if (resident) p.distances = resident->distances();
  p.check(p.distances);
  if (s.with_predecessors()) p.check_predecessors();
  if (p.sources.size() < p.n()) {
    o.counters["all_sources_ms"] = 1e3 * timing::upper_median(o.seconds) * size / c.work;
  }
  const double per_clock = options().ghz * 1e9 * device_limit::num_multiprocessors();
  if (per_clock > 0 && device_program::needs_device(s.policy) && !s.has_sources()) {
    o.counters["per_clk_per_sm"] = c.work / timing::upper_median(o.seconds) / per_clock;
  }
  return o;
}

template <class W>
void add_solver(const solver& s, const std::string& type, const std::string& graph_name,
                std::size_t n) {
  const std::string problem_name = type + '/' + graph_name + '/' + std::to_string(n);
  const auto rival_of = [&](const char* algorithm, const std::string& policy,
                            const std::string& output) {
    return solver{algorithm, policy, output}.name(problem_name);
  };
  std::vector<rival> rivals;
  if (s.has_sources()) {
    rivals = {{"x_boost", rival_of("johnson", "boost", "distances")},
              {"x_omp", rival_of("dijkstra", "omp", s.output)}};
  } else {
    rivals = {{"x_boost", rival_of("floyd_warshall", "boost", "distances")},
              {"x_floyd_warshall", rival_of("floyd_warshall", s.policy, s.output)}};
  }
  if (s.policy == "cuda_tiled") {
    rivals.push_back({"x_naive", rival_of(s.algorithm.c_str(), "cuda_naive", s.output)});
  }
  if (s.output != "distances") {
    rivals.push_back({"x_distances", rival_of(s.algorithm.c_str(), s.policy, "distances")});
  }
  add(s.name(problem_name), rivals, [=] { return run<W>(s, type, graph_name, n); });
}

std::vector<std::string> policies_of(const std::string& algorithm) {
  std::vector<std::string> all = policies();
  if (algorithm == "bellman_ford" && options().has_device) {
    for (const auto& strategy : device_program::strategies) {
      all.push_back(std::string("cuda_naive:") + strategy.name);
    }
  }
  return all;
}

}  // namespace

template <class W>
void add_all_pairs_of(const std::string& type) {
  for (const std::string& graph_name : named_graphs::names()) {
    const bool is_negative = graph_name == "8n_negative";
    for (const std::size_t n :
         graph_name == "rome99" ? std::vector<std::size_t>{3353} : sizes_or({1024, 4096})) {
      const auto add_one = [&](const solver& s) { add_solver<W>(s, type, graph_name, n); };
      add_one({"floyd_warshall", "boost", "distances"});
      // Boost also adds potentials to its value for pairs without a path.
      if (!is_negative) add_one({"johnson", "boost", "distances"});
      for (const char* algorithm :
           {"dijkstra", "bellman_ford", "johnson", "floyd_warshall", "repeated_squaring"}) {
        if (is_negative && algorithm == std::string("dijkstra")) continue;
        for (const std::string& policy : policies_of(algorithm)) {
          add_one({algorithm, policy, "distances"});
          add_one({algorithm, policy, "predecessors"});
          if (algorithm == std::string("floyd_warshall") && device_program::needs_device(policy)) {
            add_one({algorithm, policy, "resident"});
          }
        }
      }
    }
  }
}

void add_all_pairs() {
  weight_types::for_each([]<class W>(std::type_identity<W>, const std::string& type) {
    if (has_type(type)) add_all_pairs_of<W>(type);
  });
}

}  // namespace bench
