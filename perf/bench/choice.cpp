// SPDX-License-Identifier: BSL-1.0
// Cases choice/policy/type/graph/n/sources:k/algorithm: for_each_row with the algorithm that it
// chooses (chosen), and the same call with the algorithm of that name. Cases
// choice/cuda_tiled/type/graph/n/sources:k/resident/algorithm: all_pairs_shortest_paths with the
// matrix in device memory. The graphs are the named ones, and those of --files.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/graphs.hpp"
#include "cases.hpp"
#include "problem.hpp"

namespace bench {

namespace {

/// Calls f as for_each_row does; no function of the library takes rows and an algorithm.
template <class Policy, class W, class F>
apsp::result for_each_row_by(std::optional<apsp::algorithm> asked, const Policy& policy,
                             const problem<W>& p, F f) {
  apsp::detail::function_output<W, F> output(f, p.n());
  return apsp::detail::per_source(policy, apsp::detail::request_of(policy, asked), p.graph.view(),
                                  p.sources, output);
}

/// The same rows in a matrix in device memory.
/// @param asked  none: the algorithm that the library chooses
template <class Policy, class W>
apsp::result solve_in_device_memory(std::optional<apsp::algorithm> asked, const Policy& policy,
                                    const problem<W>& p, apsp::device_matrix<W>& distances) {
  if constexpr (!requires { policy.required(); }) {
    throw std::logic_error("expected a policy of a device");
  } else {
    using apsp::algorithm;
    const auto view = p.graph.view();
    const bool is_whole = p.sources.size() == p.n();
    if (!asked && is_whole) return apsp::all_pairs_shortest_paths(policy, view, distances);
    if (!asked) return apsp::all_pairs_shortest_paths(policy, view, p.sources, distances);
    switch (*asked) {
      case algorithm::floyd_warshall:
        return apsp::floyd_warshall(policy, view, distances);
      case algorithm::dijkstra:
        return apsp::dijkstra(policy, view, p.sources, distances);
      case algorithm::bellman_ford:
        return apsp::bellman_ford(policy, view, p.sources, distances);
      case algorithm::johnson:
        return apsp::johnson(policy, view, p.sources, distances);
      case algorithm::elimination:
        return apsp::elimination(policy, view, p.sources, distances);
      default:
        throw std::logic_error("there is no such call in device memory");
    }
  }
}

/// One of the graphs of the cases.
template <class W>
struct named_graph {
  std::string name;  ///< with its number of vertices
  std::size_t n;     ///< at most
  std::function<apsp_perf::csr_arrays<W>()> make;
  bool has_negative_weights = false;
  bool has_unit_weights = false;

  problem<W>& get(const std::string& type) const {
    return shared_problem(type + "/choice/" + name, [&] { return problem<W>(make()); });
  }
};

/// What a case asks for.
struct asked_call {
  std::string policy;
  std::size_t num_sources;
  bool is_resident;
  std::optional<apsp::algorithm> algorithm{};
};

template <class W>
outcome run_choice(const asked_call& asked, const std::string& type, const named_graph<W>& graph) {
  problem<W>& p = graph.get(type);
  p.set_sources(asked.num_sources, false);
  apsp::algorithm ran{};
  std::size_t num_rows = 0;
  apsp::device_matrix<W> resident;
  if (asked.is_resident) resident = apsp::device_matrix<W>(p.sources.size(), p.n());
  const auto solve = [&](auto f) {
    num_rows = 0;
    const double seconds = seconds_of_solve(asked.policy, [&](const auto& policy) {
      apsp::result done = asked.is_resident
                              ? solve_in_device_memory(asked.algorithm, policy, p, resident)
                              : for_each_row_by(asked.algorithm, policy, p, f);
      ran = done.algorithm();
      return done;
    });
    require(asked.is_resident || num_rows == p.sources.size(), "rows that are missing");
    require(!asked.algorithm || ran == *asked.algorithm,
            "another algorithm than the one that was asked for");
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
  if (asked.is_resident) {
    p.check(resident.to_host());
  } else {
    p.check(p.distances);
  }

  const auto call = [&] {
    return solve([&](std::size_t source, std::span<const W> row) {
      num_rows += row[source] == W{} ? 1 : 0;
    });
  };
  outcome o = measure({.call = call,
                       .unit = "sources",
                       .work = static_cast<double>(p.sources.size()),
                       .is_warm = true});
  if (!asked.algorithm) o.counters["chose_" + std::string(apsp::to_string(ran))] = 1;
  return o;
}

template <class W>
std::vector<apsp::algorithm> rivals_of(const asked_call& asked, const named_graph<W>& graph) {
  using apsp::algorithm;
  const bool on_device = device_program::needs_device(asked.policy);
  std::vector<algorithm> algorithms{algorithm::elimination};
  if (graph.has_negative_weights) {
    algorithms.push_back(algorithm::johnson);
  } else {
    algorithms.push_back(algorithm::dijkstra);
    algorithms.push_back(algorithm::bellman_ford);
  }
  if (!on_device && graph.has_unit_weights) algorithms.push_back(algorithm::breadth_first_search);
  if (asked.is_resident && asked.num_sources == graph.n) {
    algorithms.push_back(algorithm::floyd_warshall);
  }
  return algorithms;
}

template <class W>
void add_choices_of(const asked_call& asked, const std::string& type, const named_graph<W>& graph) {
  const std::string start = "choice/" + asked.policy + '/' + type + '/' + graph.name +
                            "/sources:" + std::to_string(asked.num_sources) + '/' +
                            (asked.is_resident ? "resident/" : "");
  std::vector<rival> rivals;
  for (const apsp::algorithm algorithm : rivals_of(asked, graph)) {
    const std::string name(apsp::to_string(algorithm));
    rivals.push_back({"x_" + name, start + name});
    asked_call by_name = asked;
    by_name.algorithm = algorithm;
    add(start + name, {}, [=] { return run_choice<W>(by_name, type, graph); });
  }
  add(start + "chosen", rivals, [=] { return run_choice<W>(asked, type, graph); });
}

template <class W>
std::vector<named_graph<W>> graphs_of_choices() {
  std::vector<named_graph<W>> graphs;
  for (const std::string& name : named_graphs::names()) {
    if (!named_graphs::has_type<W>(name)) continue;
    for (const std::size_t n :
         name == "rome99" ? std::vector<std::size_t>{3353} : sizes_or({4096})) {
      graphs.push_back({name + '/' + std::to_string(n), n,
                        [=] { return named_graphs::make<W>(name, n, options().seed); },
                        name == "8n_negative", named_graphs::has_unit_weights(name)});
    }
  }
  for (const std::string& file : options().files) {
    const auto read = [=] { return named_graphs::to_arrays(apsp::read_graph<W>(file)); };
    const auto arcs = read();
    const auto is_negative = [](W w) { return w < W{}; };
    const auto is_unit = [](W w) { return w == W{1}; };
    graphs.push_back(
        {std::filesystem::path(file).stem().string() + '/' + std::to_string(arcs.num_vertices()),
         arcs.num_vertices(), read,
         std::any_of(arcs.weights.begin(), arcs.weights.end(), is_negative),
         std::all_of(arcs.weights.begin(), arcs.weights.end(), is_unit)});
  }
  return graphs;
}

}  // namespace

void add_choices() {
  for_each_type([]<class W>(std::type_identity<W>, const std::string& type) {
    for (const named_graph<W>& graph : graphs_of_choices<W>()) {
      std::vector<std::size_t> counts{options().sources};
      if (options().sources == 0) counts = {1, 64, 1024, graph.n};
      std::erase_if(counts, [&](std::size_t k) { return k > graph.n; });
      counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
      for (const std::size_t k : counts) {
        for (const std::string& policy : policies()) {
          if (policy == "cuda_naive") continue;
          add_choices_of<W>({policy, k, false}, type, graph);
          if (device_program::needs_device(policy))
            add_choices_of<W>({policy, k, true}, type, graph);
        }
      }
    }
  });
}

}  // namespace bench
