// SPDX-License-Identifier: BSL-1.0
// Cases batch/policy/type/kind/n: one call for many small graphs, and batch_loop: single calls.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../checks.hpp"
#include "cases.hpp"

namespace bench {

namespace {

constexpr std::size_t arcs_per_vertex = 4;
constexpr std::int32_t heaviest = 999;
// The number of graphs for which the loop of single calls is measured; its time is proportional to it.
constexpr std::size_t most_singles = 500;

template <class W>
struct graphs {
  std::vector<apsp_perf::csr_arrays<W>> arrays;
  std::vector<decltype(std::declval<const apsp_perf::csr_arrays<W>&>().view())> sparse;
  std::vector<apsp::matrix<W>> dense;
  std::vector<apsp::matrix<W>> distances;

  explicit graphs(std::size_t n) {
    const std::size_t count = n <= 128 ? 10000 : 1000;
    for (std::size_t i = 0; i < count; ++i) {
      arrays.push_back(
          apsp_perf::fixed_degree_graph<W>(n, arcs_per_vertex, heaviest, options().seed + i));
    }
    for (const auto& g : arrays) {
      sparse.push_back(g.view());
      dense.emplace_back(n, n, apsp::unreachable<W>);
      apsp_perf::store_arcs(g, dense.back());
    }
    distances.assign(count, apsp::matrix<W>(n));
  }

  void overwrite() {
    for (auto& d : distances) std::fill(d.begin(), d.end(), static_cast<W>(-1));
  }
};

template <class W, class Inputs>
outcome run(const std::string& policy_name, bool in_a_loop, graphs<W>& g, const Inputs& inputs) {
  const std::size_t singles = std::min(most_singles, inputs.size());
  return device_program::with_policy(policy_name, [&](const auto& policy) {
    const auto solve_single = [&](std::size_t i, apsp::matrix<W>& distances) {
      device_program::require_solved(apsp::floyd_warshall(policy, inputs[i], distances),
                                     policy_name);
    };
    const auto solve_in_a_loop = [&] {
      return timing::seconds_of([&] {
        for (std::size_t i = 0; i < singles; ++i) solve_single(i, g.distances[i]);
      });
    };
    const auto solve_together = [&] {
      const auto [done, seconds] =
          timing::timed([&] { return apsp::floyd_warshall(policy, inputs, g.distances); });
      for (const auto& d : done) device_program::require_solved(d, policy_name);
      return seconds;
    };
    const std::size_t solved = in_a_loop ? singles : inputs.size();
    using timed_call = std::function<double()>;
    outcome o = measure({.call = in_a_loop ? timed_call(solve_in_a_loop) : solve_together,
                         .unit = "graphs",
                         .work = static_cast<double>(solved),
                         .prepare = [&] { g.overwrite(); }});
    const std::size_t n = g.arrays.front().num_vertices();
    const double size = static_cast<double>(n);
    o.counters["relaxations/s"] = size * size * size * o.work / timing::upper_median(o.seconds);
    for (std::size_t i = 0; options().check > 0 && i < solved; i += solved / 16) {
      const checks::known_rows known(g.arrays[i], n);
      require(known.check(checks::spread_sources(n, n), g.distances[i]) == checks::verdict::right,
              "wrong distances");
    }
    apsp::matrix<W> single(n);
    for (std::size_t i = 0; !in_a_loop && i < singles; ++i) {
      solve_single(i, single);
      require(single == g.distances[i], "a batch and a single call that differ");
    }
    return o;
  });
}

template <class W>
void add_batches_of(const std::string& type) {
  for (const std::size_t n : sizes_or({16, 32, 64, 128, 256})) {
    for (const bool is_dense : {false, true}) {
      const std::string suffix = (is_dense ? "/dense/" : "/sparse/") + std::to_string(n);
      for (const std::string& policy : policies()) {
        const auto add_case = [&](bool in_a_loop) {
          const std::string problem_name = '/' + policy + '/' + type + suffix;
          add((in_a_loop ? "batch_loop" : "batch") + problem_name,
              {{"x_loop", "batch_loop" + problem_name},
               {"x_seq_loop", "batch_loop/seq/" + type + suffix}},
              [=] {
                auto& g = shared_problem("batch/" + type + '/' + std::to_string(n),
                                         [&] { return graphs<W>(n); });
                return is_dense ? run(policy, in_a_loop, g, g.dense)
                                : run(policy, in_a_loop, g, g.sparse);
              });
        };
        add_case(true);
        add_case(false);
      }
    }
  }
}

}  // namespace

void add_batches() {
  for_each_type(
      []<class W>(std::type_identity<W>, const std::string& type) { add_batches_of<W>(type); });
}

}  // namespace bench
