// SPDX-License-Identifier: BSL-1.0
// Cases choice/policy/type/graph/n/sources:k/algorithm: for_each_row with the algorithm that it chooses
// (chosen), and the same call with the algorithm of that name.
#include <algorithm>
#include <apsp/for_each_row.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "cases.hpp"
#include "problem.hpp"

namespace bench {

namespace {

/// Calls f as for_each_row does; no function of the library takes rows and an algorithm.
template <class Policy, class W, class F>
apsp::result for_each_row_by(std::optional<apsp::algorithm> asked, const Policy& policy,
                             const problem<W>& p, F f) {
  apsp::detail::function_output<W, F> output(f, p.n());
  return apsp::detail::per_source(policy, asked, p.graph.view(), p.sources, output);
}

template <class W>
outcome run_choice(const std::string& policy_name, std::optional<apsp::algorithm> asked,
                   const std::string& type, const std::string& graph_name, std::size_t n,
                   std::size_t num_sources) {
  problem<W>& p = problem_of<W>(type, graph_name, n);
  p.set_sources(num_sources, false);
  apsp::algorithm ran{};
  std::size_t num_rows = 0;
  const auto solve = [&](auto f) {
    num_rows = 0;
    const double seconds = seconds_of_solve(policy_name, [&](const auto& policy) {
      apsp::result done = for_each_row_by(asked, policy, p, f);
      ran = done.algorithm();
      return done;
    });
    require(num_rows == p.sources.size(), "rows that are missing");
    require(!asked || ran == *asked, "another algorithm than the one that was asked for");
    return seconds;
  };
  // The warm-up call, whose rows are checked.
  std::vector<std::size_t> rows(p.n());
  for (std::size_t i = 0; i < p.sources.size(); ++i) {
    rows[static_cast<std::size_t>(p.sources[i])] = i;
  }
  p.overwrite();
  solve([&](std::size_t source, std::span<const W> row) {
    std::copy(row.begin(), row.end(), p.distances[rows[source]]);
    ++num_rows;
  });
  p.check(p.distances);

  const auto call = [&] {
    return solve([&](std::size_t source, std::span<const W> row) {
      num_rows += row[source] == W{} ? 1 : 0;
    });
  };
  outcome o = measure({.call = call,
                       .unit = "sources",
                       .work = static_cast<double>(p.sources.size()),
                       .is_warm = true});
  if (!asked) o.counters["chose_" + std::string(apsp::to_string(ran))] = 1;
  return o;
}

template <class W>
void add_choices_of(const std::string& policy, const std::string& type,
                    const std::string& graph_name, std::size_t n, std::size_t num_sources) {
  using apsp::algorithm;
  std::vector<algorithm> algorithms{
      graph_name == "8n_negative" ? algorithm::johnson : algorithm::dijkstra,
      algorithm::elimination};
  if (named_graphs::has_unit_weights(graph_name)) {
    algorithms.push_back(algorithm::breadth_first_search);
  }
  const std::string start = "choice/" + policy + '/' + type + '/' + graph_name + '/' +
                            std::to_string(n) + "/sources:" + std::to_string(num_sources) + '/';
  std::vector<rival> rivals;
  for (const algorithm asked : algorithms) {
    const std::string name(apsp::to_string(asked));
    rivals.push_back({"x_" + name, start + name});
    add(start + name, {},
        [=] { return run_choice<W>(policy, asked, type, graph_name, n, num_sources); });
  }
  add(start + "chosen", rivals,
      [=] { return run_choice<W>(policy, {}, type, graph_name, n, num_sources); });
}

}  // namespace

void add_choices() {
  for_each_type([]<class W>(std::type_identity<W>, const std::string& type) {
    for (const std::string& graph_name : named_graphs::names()) {
      if (!named_graphs::has_type<W>(graph_name)) continue;
      for (const std::size_t n :
           graph_name == "rome99" ? std::vector<std::size_t>{3353} : sizes_or({4096})) {
        std::vector<std::size_t> counts{options().sources};
        if (options().sources == 0) counts = {64, 1024, n};
        for (const std::size_t k : counts) {
          if (k > n || (k == n && k != counts.back())) continue;
          for (const char* policy : {"omp", "seq"}) {
            add_choices_of<W>(policy, type, graph_name, n, k);
          }
        }
      }
    }
  });
}

}  // namespace bench
