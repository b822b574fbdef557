// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <apsp/bellman_ford.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/error.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <apsp/repeated_squaring.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../boost_csr.hpp"
#include "../checks.hpp"
#include "../device_program.hpp"
#include "../generators.hpp"
#include "../timing.hpp"
#include "dense_calls.hpp"
#include "measure.hpp"
#include "one_source.hpp"
#include "sparse_calls.hpp"
#include "studies.hpp"

namespace studies {

namespace {

using graph = apsp_perf::csr_arrays<std::int32_t>;

// With this range of weights, shortest paths have more than a few arcs.
constexpr std::int32_t largest_weight = 10000;
constexpr std::size_t source = 0;
constexpr std::size_t fewest_vertices = 256;

/// A complete graph, solved from one of its vertices.
class one_source_calls {
 public:
  one_source_calls(const settings& s, report& out, const graph& g)
      : settings_(s), out_(out), graph_(g), known_(g) {
    about_.graph = "complete";
    about_.n = g.num_vertices();
    about_.arcs = g.num_edges();
    about_.bytes = about_.n * sizeof(std::int32_t);
  }

  /// Adds the line of the whole call @p solve(policy, graph, sources, distances).
  template <class Policy, class Solve>
  void add(const std::string& part, const std::string& x, const std::string& label,
           const Policy& policy, Solve solve) {
    line l = line_of(part, x, label);
    add_measured(out_, l, [&] {
      time_calls(l, settings_, [&] { return seconds_for(policy, solve, 1, l.checked); });
    });
  }

  /// Measures the time per additional source with the graph on the device: the slope from one source to
  /// many, for a policy that solves for one after the other.
  template <class Policy, class Solve>
  void add_slope(const std::string& part, const std::string& x, const std::string& label,
                 const Policy& policy, Solve solve) {
    constexpr std::size_t many = 128;
    line l = line_of(part, x, label);
    add_measured(out_, l, [&] {
      time_calls(l, settings_, [&] { return seconds_for(policy, solve, 1, l.checked); });
      const double of_one = l.seconds;
      time_calls(l, settings_, [&] { return seconds_for(policy, solve, many, l.checked); });
      l.seconds = (l.seconds - of_one) / static_cast<double>(many - 1);
    });
  }

  void add_boost() {
    const std::string x = std::to_string(about_.n);
    line l = line_of("strategies", x, "Boost.Graph dijkstra");
    l.calls = known_.sources().size();
    l.seconds = known_.seconds_per_source();
    out_.add(l);

    l = line_of("strategies", x, "Boost.Graph bellman_ford");
    const auto b = checks::make_boost_csr(graph_);
    apsp::matrix<std::int32_t> row(1, about_.n);
    time_calls(l, settings_, [&] { return checks::boost_bellman_ford(b, source, row.data()); });
    l.checked = known_.check({static_cast<std::int32_t>(source)}, row);
    out_.add(l);
  }

  /// Adds the lines of @p add_parts(problem, settings, report), which needs a device.
  template <class Parts>
  void add_device_parts(const std::string& part, Parts add_parts) {
    try {
      add_parts(one_source_problem{graph_, known_, source, about_}, settings_, out_);
    } catch (const apsp::device_error& error) {
      out_.left_out(line_of(part, std::to_string(about_.n), "the rest"), error.what());
    }
  }

 private:
  line line_of(const std::string& part, const std::string& x, const std::string& label) const {
    line l = about_;
    l.part = part;
    l.x = x;
    l.label = label;
    return l;
  }

  template <class Policy, class Solve>
  double seconds_for(const Policy& policy, Solve solve, std::size_t count, verdict& checked) {
    const std::vector<std::int32_t> sources = spread_sources(about_.n, count);
    const auto view = graph_.view();
    apsp::matrix<std::int32_t> distances(count, about_.n);
    std::fill(distances.begin(), distances.end(), -1);
    const double elapsed = timing::seconds_of([&] {
      device_program::require_solved(solve(policy, view, sources, distances),
                                     std::string(apsp::to_string(Policy::requested)));
    });
    join(checked, known_.check(sources, distances));
    return elapsed;
  }

  const settings& settings_;
  report& out_;
  const graph& graph_;
  known_rows known_;
  line about_;
};

void add_strategies(one_source_calls& calls, std::size_t n, bool has_device) {
  const std::string x = std::to_string(n);
  calls.add("strategies", x, "bellman_ford seq", apsp::seq, by_bellman_ford);
  calls.add("strategies", x, "dijkstra seq", apsp::seq, by_dijkstra);
  calls.add_boost();
  if (!has_device) return;
  for (const auto& [name, kind] : device_program::strategies) {
    const auto policy = apsp::cuda_naive.required().relax({.kind = kind});
    const std::string label = std::string("cuda_naive ") + name;
    calls.add("strategies", x, label, policy, by_bellman_ford);
    calls.add_slope("a source more", x, label, policy, by_bellman_ford);
  }
  calls.add("strategies", x, "cuda_tiled", apsp::cuda_tiled.required(), by_bellman_ford);
}

// Whole calls also copy and sort the graph. The slope contains only the rounds, like the times of the
// study's own kernels.
void add_edges_per_thread(one_source_calls& calls) {
  constexpr int most = 64;
  for (int k = 1; k <= most; k *= 2) {
    const auto policy = apsp::cuda_naive.required().relax(
        {.kind = apsp::relaxations::by_edge, .edges_per_thread = k});
    const std::string x = std::to_string(k);
    calls.add("edges per thread", x, "cuda_naive by_edge: whole call", policy, by_bellman_ford);
    calls.add_slope("edges per thread", x, "cuda_naive by_edge: a source more", policy,
                    by_bellman_ford);
  }
  calls.add_device_parts("edges per thread", add_edge_orders);
}

void add_all_pairs(const settings& s, report& out, std::size_t most) {
  const auto pivots = [](const auto& policy, const auto& g, auto& distances) {
    return apsp::floyd_warshall(policy, g, distances);
  };
  const auto square = [](const auto& policy, const auto& g, auto& distances) {
    return apsp::repeated_squaring(policy, g, distances);
  };
  dense_calls calls(s, out);
  for (std::size_t n = fewest_vertices; n <= most; n *= 2) {
    const auto g = apsp_perf::complete_graph<float>(n, largest_weight, s.seed);
    calls.begin({.part = "all pairs", .x = std::to_string(n), .graph = "complete"}, g);
    calls.add_policy("floyd_warshall cuda_naive", "cuda_naive", pivots);
    calls.add_policy("repeated_squaring cuda_naive", "cuda_naive", square);
    calls.add_policy("repeated_squaring cuda_tiled", "cuda_tiled", square);
    calls.add_policy("floyd_warshall cuda_tiled", "cuda_tiled", pivots);
  }
}

}  // namespace

void study_single_source(const settings& s, report& out, bool has_device) {
  const std::size_t most = s.quick ? 512 : 8192;
  const std::size_t of_edges_per_thread = s.quick ? 512 : 4096;
  for (std::size_t n = fewest_vertices; n <= most; n *= 2) {
    const auto g = apsp_perf::complete_graph<std::int32_t>(n, largest_weight, s.seed);
    one_source_calls calls(s, out, g);
    add_strategies(calls, n, has_device);
    if (!has_device) continue;
    if (n == of_edges_per_thread) add_edges_per_thread(calls);
    calls.add_device_parts("transfers", add_copies);
  }
  if (has_device) add_all_pairs(s, out, most);
}

}  // namespace studies
