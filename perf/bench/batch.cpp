// SPDX-License-Identifier: BSL-1.0
// Cases batch/policy/type/kind/n: one call for many small graphs, and batch_loop: single calls. Cases
// molecules/call/policy: the numbers of arcs between the vertices of unweighted graphs, as graph transformers
// take them.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../boost_searches.hpp"
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

/// Trees of 20 to 40 vertices with a few rings of six.
struct molecules {
  static constexpr std::size_t extent = 40;
  static constexpr std::uint8_t no_path = 255;

  std::vector<apsp_perf::csr_arrays<std::int32_t>> arrays;
  std::vector<decltype(std::declval<const apsp_perf::csr_arrays<std::int32_t>&>().view())> graphs;
  std::vector<boost_solvers::csr_graph<std::int32_t>> boost_graphs;
  std::vector<apsp::matrix<std::int32_t>> matrices;
  std::vector<std::uint8_t> padded;
  std::vector<std::uint8_t> expected;

  molecules() {
    constexpr std::size_t count = 10000;
    apsp_perf::random_numbers random(options().seed);
    for (std::size_t i = 0; i < count; ++i) arrays.push_back(make(random));
    for (const auto& g : arrays) {
      graphs.push_back(g.view());
      boost_graphs.push_back(boost_solvers::make_csr(g));
      matrices.emplace_back(g.num_vertices());
    }
    padded.resize(count * extent * extent);
    solve_by_boost();
    expected = padded;
  }

  static apsp_perf::csr_arrays<std::int32_t> make(apsp_perf::random_numbers& random) {
    constexpr std::size_t most_neighbors = 4;
    constexpr std::size_t ring = 6;
    const auto n = static_cast<std::size_t>(random(extent / 2, extent));
    std::vector<std::vector<std::size_t>> neighbors(n);
    const auto connect = [&](std::size_t u, std::size_t v) {
      neighbors[u].push_back(v);
      neighbors[v].push_back(u);
    };
    for (std::size_t v = 1; v < n; ++v) {
      std::size_t u = v - 1 - random.index(std::min(v, most_neighbors));
      while (neighbors[u].size() == most_neighbors) ++u;
      connect(u, v);
      if (v + 1 > ring && random.below(10) == 0) connect(v - ring + 1, v);
    }
    apsp_perf::csr_arrays<std::int32_t> g;
    for (const auto& ends : neighbors) {
      for (const std::size_t v : ends) g.add(v, 1);
      g.end_row();
    }
    return g;
  }

  void overwrite() { std::fill(padded.begin(), padded.end(), std::uint8_t{77}); }

  void solve_by_boost() {
    std::fill(padded.begin(), padded.end(), no_path);
    std::vector<boost::default_color_type> colors;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      const std::size_t n = arrays[i].num_vertices();
      colors.resize(n);
      for (std::size_t u = 0; u < n; ++u) {
        boost_solvers::breadth_first_search(boost_graphs[i], u,
                                            padded.data() + (i * extent + u) * extent, colors);
      }
    }
  }
};

outcome run_molecules(const std::string& call, const std::string& policy_name) {
  auto& m = shared_problem("molecules", [] { return molecules(); });
  return device_program::with_policy(policy_name, [&](const auto& policy) {
    const apsp::padded_matrices padded(m.padded.data(), m.arrays.size(), molecules::extent,
                                       molecules::no_path);
    std::vector<apsp::result> done;
    const auto solve = [&] {
      if (call == "boost") {
        m.solve_by_boost();
      } else if (call == "matrices") {
        done = apsp::floyd_warshall(policy, m.graphs, m.matrices);
      } else if (call == "floyd_warshall") {
        done = apsp::floyd_warshall(policy, m.graphs, padded);
      } else {
        done = apsp::breadth_first_search(policy, m.graphs, padded);
      }
    };
    outcome o = measure({.call = [&] { return timing::seconds_of(solve); },
                         .unit = "graphs",
                         .work = static_cast<double>(m.arrays.size()),
                         .prepare = [&] { m.overwrite(); }});
    for (const auto& d : done) device_program::require_solved(d, policy_name);
    require(call == "matrices" || m.padded == m.expected, "distances that differ from Boost's");
    return o;
  });
}

void add_molecules() {
  add("molecules/boost/seq", {}, [] { return run_molecules("boost", "seq"); });
  for (const std::string& policy : policies()) {
    for (const std::string call : {"matrices", "floyd_warshall", "breadth_first_search"}) {
      add("molecules/" + call + '/' + policy, {{"x_boost", "molecules/boost/seq"}},
          [=] { return run_molecules(call, policy); });
    }
  }
}

}  // namespace

void add_batches() {
  if (has_type("i32")) add_molecules();
  for_each_type(
      []<class W>(std::type_identity<W>, const std::string& type) { add_batches_of<W>(type); });
}

}  // namespace bench
