// SPDX-License-Identifier: BSL-1.0
// Cases algorithm/policy/type/graph/n/output.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "../limits/device_limit.hpp"
#include "../limits/host_limit.hpp"
#include "cases.hpp"
#include "problem.hpp"

namespace bench {

namespace {

/// The solver of a case and its output.
struct case_solver : apsp_perf::solver {
  /// distances or predecessors, or with all data on a device: resident, resident_predecessors
  std::string output;

  case_solver(const std::string& algorithm_name, const std::string& policy_name,
              const std::string& output_name)
      : solver{algorithm_name, policy_name, output_name.ends_with("predecessors")},
        output(output_name) {}
  bool is_resident() const { return output.starts_with("resident"); }
  std::string name(const std::string& problem_name) const {
    return algorithm + '/' + policy + '/' + problem_name + '/' + output;
  }
};

/// A graph and results in device memory.
template <class W>
class resident_problem {
 public:
  resident_problem(const apsp_perf::csr_arrays<W>& graph, bool with_predecessors)
      : offsets_(row_of(graph.offsets)),
        targets_(row_of(graph.targets)),
        weights_(row_of(graph.weights)),
        distances_(graph.num_vertices()) {
    if (with_predecessors) predecessors_.emplace(graph.num_vertices());
  }

  template <class Policy>
  apsp::result solve(const Policy& policy) {
    const apsp::device_csr_view graph(span_of(offsets_), span_of(targets_), span_of(weights_));
    const apsp::result done = predecessors_
                                  ? apsp::floyd_warshall(policy, graph, distances_, *predecessors_)
                                  : apsp::floyd_warshall(policy, graph, distances_);
    // A copy on the same stream waits for the result.
    static_cast<void>(apsp::copy_to_host(apsp::device_matrix_view(distances_.data(), 1, 1)));
    return done;
  }
  apsp::matrix<W> distances() const { return distances_.to_host(); }
  apsp::matrix<std::int32_t> predecessors() const { return predecessors_->to_host(); }

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
  std::optional<apsp::device_matrix<std::int32_t>> predecessors_;
};

template <class W>
double seconds_of_resident(const std::string& policy_name, resident_problem<W>& p) {
  return seconds_of_solve(policy_name, [&](const auto& policy) -> apsp::result {
    if constexpr (requires { policy.required(); }) return p.solve(policy);
    throw std::logic_error("no case has data on a device with the policy of a host");
  });
}

// Returns the name of the limit of the device for a call whose result is available: for the fastest
// type that holds all distances, if the policy may change the type.
template <class W>
std::string limit_name(const case_solver& s, const std::string& type, const problem<W>& p) {
  const auto& weights = p.graph.weights;
  if (std::any_of(weights.begin(), weights.end(), [](W w) { return w < W{}; })) return type;
  const std::string own = type == "f32" ? "f32_nonnegative" : type;
  // The size from which on whole numbers may be solved in another type, and the fewest entries per
  // arc if predecessors are wanted: docs/floyd_warshall.md.
  constexpr std::size_t many = 2560;
  constexpr std::size_t entries_per_arc = 64;
  const bool is_whole = std::all_of(weights.begin(), weights.end(), [](W w) {
    if constexpr (std::is_floating_point_v<W>) return w == std::floor(w);
    return true;
  });
  const bool may_change =
      s.policy == "cuda_tiled" && is_whole && p.n() >= many &&
      (!s.with_predecessors || weights.size() <= p.n() * p.n() / entries_per_arc);
  if (!may_change) return own;
  const double farthest = p.farthest();
  if (farthest < 0x7fff) return "u16_pairs";
  if (farthest <= 0x1p24) return "f32_nonnegative";
  if ((type == "i64" || type == "f64") && farthest < 0x1p30) return "i32";
  if (type == "i64" && farthest <= 0x1p53) return "f64";
  return own;
}

template <class W>
std::function<double()> limit_of(const case_solver& s, const std::string& type,
                                 const problem<W>& p) {
  if (s.algorithm != "floyd_warshall" || s.policy == "boost") return {};
  if (device_program::needs_device(s.policy)) {
    return [name = limit_name(s, type, p)] { return device_limit::measure(name); };
  }
  const auto loop = host_limit::chosen_instruction_set().of<W>();
  const int threads = s.policy == "seq" ? 1 : host_limit::num_threads();
  return [=] { return host_limit::measure(loop, threads); };
}

template <class W>
outcome run(const case_solver& s, const std::string& type, const std::string& graph_name,
            std::size_t n) {
  problem<W>& p = problem_of<W>(type, graph_name, n);
  p.set_sources(s.has_sources() && s.policy != "boost" ? options().sources : 0,
                s.with_predecessors);
  const auto call = [&] { return apsp_perf::seconds_of<W>(s, p); };
  // The warm-up call. The limit of the other calls depends on its result.
  p.overwrite();
  static_cast<void>(call());
  p.check(p.distances);
  if (s.with_predecessors) p.check_predecessors();

  const double size = static_cast<double>(p.n());
  calls c{.call = call,
          .is_warm = true,
          .prepare = [&] { p.overwrite(); },
          .limit = limit_of(s, type, p)};
  c.unit = s.has_sources() ? "sources" : "relaxations";
  c.work = s.has_sources() ? static_cast<double>(p.sources.size()) : size * size * size;
  std::unique_ptr<resident_problem<W>> resident;
  if (s.is_resident()) {
    resident = std::make_unique<resident_problem<W>>(p.graph, s.with_predecessors);
    c.call = [&] { return seconds_of_resident(s.policy, *resident); };
    c.is_warm = false;
  }
  outcome o = measure(c);
  if (resident) p.distances = resident->distances();
  if (resident && s.with_predecessors) p.predecessors = resident->predecessors();
  p.check(p.distances);
  if (s.with_predecessors) p.check_predecessors();
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
void add_solver(const case_solver& s, const std::string& type, const std::string& graph_name,
                std::size_t n) {
  const std::string problem_name = type + '/' + graph_name + '/' + std::to_string(n);
  const auto rival_of = [&](const char* algorithm, const std::string& policy,
                            const std::string& output) {
    return case_solver{algorithm, policy, output}.name(problem_name);
  };
  std::vector<rival> rivals;
  if (s.has_sources()) {
    rivals = {{"x_boost", rival_of("johnson", "boost", "distances")},
              {"x_omp", rival_of("dijkstra", "omp", s.output)},
              {"x_dijkstra", rival_of("dijkstra", s.policy, s.output)}};
  } else {
    rivals = {{"x_boost", rival_of("floyd_warshall", "boost", "distances")},
              {"x_floyd_warshall", rival_of("floyd_warshall", s.policy, s.output)}};
  }
  if (s.policy == "cuda_tiled") {
    rivals.push_back({"x_naive", rival_of(s.algorithm.c_str(), "cuda_naive", s.output)});
  }
  if (s.output != "distances") {
    const char* rival = s.output == "resident_predecessors" ? "resident" : "distances";
    rivals.push_back({"x_distances", rival_of(s.algorithm.c_str(), s.policy, rival)});
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
    if (!named_graphs::has_type<W>(graph_name)) continue;
    const bool is_negative = graph_name == "8n_negative";
    for (const std::size_t n :
         graph_name == "rome99" ? std::vector<std::size_t>{3353} : sizes_or({1024, 4096})) {
      const auto add_one = [&](const case_solver& s) { add_solver<W>(s, type, graph_name, n); };
      add_one({"floyd_warshall", "boost", "distances"});
      // Boost also adds potentials to its value for pairs without a path.
      if (!is_negative) add_one({"johnson", "boost", "distances"});
      for (const char* algorithm :
           {"dijkstra", "bellman_ford", "johnson", "elimination", "breadth_first_search",
            "floyd_warshall", "repeated_squaring"}) {
        const bool is_search = algorithm == std::string("breadth_first_search");
        if (is_search && !named_graphs::has_unit_weights(graph_name)) continue;
        if (is_negative && algorithm == std::string("dijkstra")) continue;
        for (const std::string& policy : policies_of(algorithm)) {
          if (is_search && device_program::needs_device(policy)) continue;
          add_one({algorithm, policy, "distances"});
          add_one({algorithm, policy, "predecessors"});
          if (algorithm == std::string("floyd_warshall") && device_program::needs_device(policy)) {
            add_one({algorithm, policy, "resident"});
            add_one({algorithm, policy, "resident_predecessors"});
          }
        }
      }
    }
  }
}

void add_all_pairs() {
  for_each_type(
      []<class W>(std::type_identity<W>, const std::string& type) { add_all_pairs_of<W>(type); });
}

}  // namespace bench
