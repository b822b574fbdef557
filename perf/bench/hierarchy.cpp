// SPDX-License-Identifier: BSL-1.0
// Cases hierarchy/policy/type/graph/call: the preparation of graphs from the files of --files, or
// like networks of roads (prepare), its weights replaced (customize), the longest time that either
// goes on after a stop has been requested (stop_prepare, stop_customize), and calls with the
// hierarchy: rows passed to a function (rows), added up (summary), or written to device memory
// (resident), and the distances between vertices spread over the graph, up to 20,000 of them
// (table) or of random pairs (pairs:count), the paths of such pairs (paths:count), and random
// amounts added up from each source within a
// cutoff (accessibility:step), two columns of them within five cutoffs (accessibility:five_steps),
// or weighed by distance (accessibility:exponential and others). The counters of prepare are the
// times of its steps. On several devices the policy is cuda_tiled:devices:count.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/solver.hpp"
#include "cases.hpp"
#include "preparation_steps.hpp"

namespace bench {

namespace {

/// A graph with its hierarchy, and some rows that have been compared with Boost's.
template <class W>
struct prepared_graph {
  explicit prepared_graph(apsp_perf::csr_arrays<W> graph)
      : p(std::move(graph), options().check),
        hierarchy(apsp::omp, p.graph.view()),
        sources(checks::spread_sources(
            p.n(), options().sources == 0 ? p.n() : std::min(options().sources, p.n()))) {
    p.set_sources(std::max<std::size_t>(1, options().check), false);
    require(static_cast<bool>(apsp::elimination(apsp::omp, hierarchy, p.sources, p.distances)),
            "a negative cycle in a graph that has none");
    require(p.known.check(p.sources, p.distances) != checks::verdict::wrong, "wrong distances");
  }

  apsp_perf::problem<W> p;
  apsp::contraction_hierarchy<W> hierarchy;
  std::vector<std::int32_t> sources;  ///< Of the calls.
};

template <class W>
double seconds_of_rows(const std::string& policy_name, prepared_graph<W>& g) {
  std::size_t num_rows = 0;
  const double seconds = seconds_of_solve(policy_name, [&](const auto& policy) {
    return apsp::for_each_row(policy, g.hierarchy, g.sources,
                              [&](std::size_t source, std::span<const W> row) {
                                num_rows += row[source] == W{} ? 1 : 0;
                              });
  });
  require(num_rows == g.sources.size(), "rows that are missing");
  return seconds;
}

template <class W>
double seconds_of_summary(const std::string& policy_name, prepared_graph<W>& g) {
  const auto sum_of = [&](const auto& policy, const std::vector<std::int32_t>& sources) {
    return apsp::summarize_paths(policy, g.hierarchy, sources);
  };
  const double seconds = seconds_of_solve(
      policy_name, [&](const auto& policy) { return sum_of(policy, g.sources).status(); });
  seconds_of_solve(policy_name, [&](const auto& policy) {
    const auto summary = sum_of(policy, g.p.sources);
    for (std::size_t i = 0; i < g.p.sources.size(); ++i) {
      double sum = 0;
      for (std::size_t v = 0; v < g.p.n(); ++v) {
        const W d = g.p.distances[i][v];
        if (d != apsp::unreachable<W>) sum += static_cast<double>(d);
      }
      const auto found = static_cast<double>(summary.sources()[i].sum);
      require(checks::rounding{checks::tolerance<W>, 0}.is_same(sum, found), "wrong sums");
    }
    return summary.status();
  });
  return seconds;
}

/// The vertices of the table, as sources and targets.
template <class W>
std::vector<std::int32_t> ends_of_table(const prepared_graph<W>& g) {
  constexpr std::size_t most = 20000;
  return checks::spread_sources(g.p.n(), std::min(most, g.sources.size()));
}

template <class W>
double seconds_of_table(const std::string& policy_name, prepared_graph<W>& g,
                        const std::vector<std::int32_t>& ends, apsp::matrix<W>& table) {
  const double seconds = seconds_of_solve(policy_name, [&](const auto& policy) {
    return apsp::distance_table(policy, g.hierarchy, ends, ends, table);
  });
  // Both lists of sources begin with vertex 0.
  require(ends.front() == g.p.sources.front(), "a table without the first source");
  for (std::size_t j = 0; j < ends.size(); ++j) {
    const auto expected = static_cast<double>(g.p.distances[0][static_cast<std::size_t>(ends[j])]);
    require(checks::rounding{checks::tolerance<W>, 0}.is_same(expected,
                                                              static_cast<double>(table[0][j])),
            "a wrong distance");
  }
  return seconds;
}

/// Random pairs, the first of a source whose distances are known.
struct vertex_pairs {
  std::vector<std::int32_t> sources;
  std::vector<std::int32_t> targets;

  vertex_pairs(std::size_t n, std::size_t count, std::int32_t first_source) {
    apsp_common::random_numbers random(options().seed);
    for (std::size_t k = 0; k < count; ++k) {
      sources.push_back(static_cast<std::int32_t>(random.index(n)));
      targets.push_back(static_cast<std::int32_t>(random.index(n)));
    }
    sources.front() = first_source;
  }
};

template <class W>
double seconds_of_pairs(const std::string& policy_name, prepared_graph<W>& g,
                        const vertex_pairs& pairs, std::vector<W>& distances) {
  const double seconds = seconds_of_solve(policy_name, [&](const auto& policy) {
    return apsp::distances_of_pairs(policy, g.hierarchy, pairs.sources, pairs.targets, distances);
  });
  const W expected = g.p.distances[0][static_cast<std::size_t>(pairs.targets.front())];
  require(checks::rounding{checks::tolerance<W>, 0}.is_same(static_cast<double>(expected),
                                                            static_cast<double>(distances.front())),
          "a wrong distance");
  return seconds;
}

template <class W>
double seconds_of_paths(const std::string& policy_name, prepared_graph<W>& g,
                        const vertex_pairs& pairs) {
  W first{};
  const double seconds = seconds_of_solve(policy_name, [&](const auto& policy) {
    return apsp::for_each_path(policy, g.hierarchy, pairs.sources, pairs.targets,
                               [&](std::size_t k, const W& distance, auto path) {
                                 if (k == 0) first = distance;
                                 const bool is_reached = distance != apsp::unreachable<W>;
                                 require(is_reached != path.empty(), "a path is missing");
                               });
  });
  const W expected = g.p.distances[0][static_cast<std::size_t>(pairs.targets.front())];
  require(checks::rounding{checks::tolerance<W>, 0}.is_same(static_cast<double>(expected),
                                                            static_cast<double>(first)),
          "a wrong distance");
  return seconds;
}

/// Random amounts, and the decay of a case.
struct weighed_amounts {
  std::size_t num_columns;
  std::vector<double> amounts;
  apsp::distance_decay decay;
  std::vector<double> sums;

  /// @param scale  a distance about which the decay is spread
  weighed_amounts(std::size_t n, const std::string& name, double scale)
      : num_columns(name == "five_steps" ? 2 : 1), decay(decay_of(name, scale)) {
    apsp_common::random_numbers random(options().seed);
    for (std::size_t i = 0; i < n * num_columns; ++i) {
      amounts.push_back(static_cast<double>(1 + random.index(100)));
    }
  }
  std::size_t num_sums() const { return num_columns * decay.cutoffs().size(); }

 private:
  static apsp::distance_decay decay_of(const std::string& name, double scale) {
    if (name == "step") return apsp::within(2 * scale);
    if (name == "five_steps") {
      return apsp::within({0.5 * scale, 0.75 * scale, scale, 1.5 * scale, 2 * scale});
    }
    if (name == "exponential") return apsp::exponential(1 / scale);
    if (name == "power") return apsp::power(1.5);
    return apsp::gaussian(scale);
  }
};

/// The mean distance from a source whose distances are known.
template <class W>
double mean_distance(const prepared_graph<W>& g) {
  double sum = 0;
  for (std::size_t v = 0; v < g.p.n(); ++v) {
    const W d = g.p.distances[0][v];
    if (d != apsp::unreachable<W>) sum += static_cast<double>(d);
  }
  return sum / static_cast<double>(g.p.n());
}

template <class W>
double seconds_of_accessibility(const std::string& policy_name, prepared_graph<W>& g,
                                weighed_amounts& wanted) {
  wanted.sums.resize(g.sources.size() * wanted.num_sums());
  const apsp::matrix_view<const double> amounts(wanted.amounts.data(), g.p.n(), wanted.num_columns);
  const apsp::matrix_view<double> sums(wanted.sums.data(), g.sources.size(), wanted.num_sums());
  const double seconds = seconds_of_solve(policy_name, [&](const auto& policy) {
    return apsp::accessibility(policy, g.hierarchy, g.sources, amounts, wanted.decay, sums);
  });
  // Both lists of sources begin with vertex 0.
  double expected = 0;
  for (std::size_t v = 0; v < g.p.n(); ++v) {
    const W d = g.p.distances[0][v];
    if (d == apsp::unreachable<W> || d > wanted.decay.cutoffs().front()) continue;
    const auto distance = static_cast<double>(d);
    expected += wanted.decay.rule().share(distance) * amounts(v, 0);
  }
  // The shares are rounded even where the distances are integers.
  const checks::rounding rounding{std::max(checks::tolerance<W>, 1e-11), 0};
  require(rounding.is_same(expected, wanted.sums.front()), "a wrong sum");
  return seconds;
}

template <class W>
double seconds_of_resident(const std::string& policy_name, prepared_graph<W>& g,
                           apsp::device_matrix<W>& distances) {
  const double seconds = seconds_of_solve(policy_name, [&](const auto& policy) -> apsp::result {
    if constexpr (requires { policy.required(); }) {
      apsp::result done = apsp::elimination(policy, g.hierarchy, g.sources, distances);
      // A copy on the same stream waits for the result.
      static_cast<void>(apsp::copy_to_host(apsp::device_matrix_view<W>(distances.data(), 1, 1)));
      return done;
    }
    throw std::logic_error("no case has data on a device with the policy of a host");
  });
  // Both lists of sources begin with vertex 0.
  const apsp::device_matrix_view<W> first_row(distances.data(), 1, g.p.n());
  const auto row = apsp::copy_to_host(first_row);
  require(g.sources.front() == g.p.sources.front() &&
              std::equal(row.begin(), row.end(), g.p.distances[0]),
          "rows in device memory that differ from those in host memory");
  return seconds;
}

/// The longest time from a request to stop to the return of prepare(policy), over requests that are
/// spread over the time of a whole call.
template <class Prepare>
double longest_time_to_stop(const std::string& policy_name, Prepare prepare) {
  constexpr int num_requests = 20;
  using clock = std::chrono::steady_clock;
  const double whole = seconds_of_solve(policy_name, prepare);
  std::chrono::duration<double> longest{0};
  for (int i = 0; i < num_requests; ++i) {
    std::stop_source stop;
    clock::time_point requested;
    std::jthread request([&] {
      std::this_thread::sleep_for(std::chrono::duration<double>(whole * (i + 0.5) / num_requests));
      requested = clock::now();
      stop.request_stop();
    });
    const apsp::result done = apsp::with_policy(
        policy_name, [&](const auto& policy) { return prepare(policy.stop(stop.get_token())); });
    const clock::time_point returned = clock::now();
    request.join();
    if (done.stopped())
      longest = std::max<std::chrono::duration<double>>(longest, returned - requested);
  }
  return longest.count();
}

template <class W>
using graph_maker = std::function<apsp_perf::csr_arrays<W>()>;

template <class W>
outcome run_hierarchy(const std::string& policy, const std::string& type, const std::string& name,
                      const graph_maker<W>& make_graph, const std::string& call_name) {
  auto& g = shared_problem("hierarchy/" + type + '/' + name,
                           [&] { return prepared_graph<W>(make_graph()); });
  calls c;
  const bool passes_rows = call_name == "rows" || call_name == "summary" || call_name == "resident";
  const std::string pairs_prefix = "pairs:";
  const bool takes_pairs = call_name.starts_with(pairs_prefix);
  const std::string paths_prefix = "paths:";
  const bool takes_paths = call_name.starts_with(paths_prefix);
  const std::string amounts_prefix = "accessibility:";
  const bool adds_up = call_name.starts_with(amounts_prefix);
  const bool counts_distances = passes_rows || adds_up || call_name == "table";
  c.unit = counts_distances ? "distances" : takes_pairs || takes_paths ? "pairs" : "arcs";
  c.work = !passes_rows && !adds_up
               ? static_cast<double>(g.hierarchy.num_edges())
               : static_cast<double>(g.sources.size()) * static_cast<double>(g.p.n());
  apsp::device_matrix<W> distances;
  apsp::matrix<W> table;
  std::vector<std::int32_t> ends;
  std::optional<vertex_pairs> pairs;
  std::optional<weighed_amounts> amounts;
  std::vector<W> distances_of_pairs;
  const auto prepare = [&g](const auto& with) {
    return apsp::contraction_hierarchy<W>(with, g.p.graph.view()).status();
  };
  auto customized = g.hierarchy;
  const auto customize = [&](const auto& with) {
    return customized.customize(with, g.p.graph.view());
  };
  if (call_name == "prepare") {
    c.call = [&] { return seconds_of_solve(policy, prepare); };
  } else if (call_name == "customize") {
    c.call = [&] { return seconds_of_solve(policy, customize); };
  } else if (call_name == "stop_prepare") {
    c.call = [&] { return longest_time_to_stop(policy, prepare); };
  } else if (call_name == "stop_customize") {
    c.call = [&] { return longest_time_to_stop(policy, customize); };
  } else if (call_name == "rows") {
    c.call = [&] { return seconds_of_rows(policy, g); };
  } else if (call_name == "summary") {
    c.call = [&] { return seconds_of_summary(policy, g); };
  } else if (call_name == "table") {
    ends = ends_of_table(g);
    table = apsp::matrix<W>(ends.size(), ends.size());
    c.work = static_cast<double>(ends.size()) * static_cast<double>(ends.size());
    c.call = [&] { return seconds_of_table(policy, g, ends, table); };
  } else if (adds_up) {
    amounts.emplace(g.p.n(), call_name.substr(amounts_prefix.size()), mean_distance(g));
    c.call = [&] { return seconds_of_accessibility(policy, g, *amounts); };
  } else if (takes_paths) {
    pairs.emplace(g.p.n(), std::stoul(call_name.substr(paths_prefix.size())), g.p.sources.front());
    c.work = static_cast<double>(pairs->sources.size());
    c.call = [&] { return seconds_of_paths(policy, g, *pairs); };
  } else if (takes_pairs) {
    distances_of_pairs.resize(std::stoul(call_name.substr(pairs_prefix.size())));
    pairs.emplace(g.p.n(), distances_of_pairs.size(), g.p.sources.front());
    c.work = static_cast<double>(distances_of_pairs.size());
    c.call = [&] { return seconds_of_pairs(policy, g, *pairs, distances_of_pairs); };
  } else {
    distances = apsp::device_matrix<W>(g.sources.size(), g.p.n());
    c.call = [&] { return seconds_of_resident(policy, g, distances); };
  }
  outcome measured = measure(c);
  if (call_name == "prepare") {
    measured.counters =
        preparation_steps<W>(g.p.graph.view(), policy == "seq" ? 1 : 0, options().repeat);
  }
  return measured;
}

}  // namespace

void add_hierarchies() {
  for_each_type([]<class W>(std::type_identity<W>, const std::string& type) {
    std::vector<std::pair<std::string, graph_maker<W>>> graphs;
    for (const std::string& file : options().files) {
      graphs.emplace_back(std::filesystem::path(file).stem().string(),
                          [=] { return named_graphs::to_arrays(apsp::read_graph<W>(file)); });
    }
    for (const std::size_t n : options().sizes) {
      graphs.emplace_back("roads/" + std::to_string(n),
                          [=] { return named_graphs::make<W>("roads", n, 1); });
    }
    const std::vector<std::string> of_results{"rows", "summary", "table"};
    const std::vector<std::string> of_preparation{"prepare", "customize", "stop_prepare",
                                                  "stop_customize"};
    const std::vector<std::string> of_amounts{"accessibility:step", "accessibility:five_steps",
                                              "accessibility:exponential", "accessibility:power",
                                              "accessibility:gaussian"};
    for (const auto& graph : graphs) {
      const std::string end = '/' + type + '/' + graph.first + '/';
      const auto add_cases = [&](const std::string& policy, const std::vector<std::string>& names,
                                 bool on_several = false) {
        for (const std::string& name : names) {
          std::vector<rival> rivals;
          if (on_several) rivals = {{"x_one", "hierarchy/cuda_tiled" + end + name}};
          add("hierarchy/" + policy + end + name, rivals,
              [=] { return run_hierarchy<W>(policy, type, graph.first, graph.second, name); });
        }
      };
      for (const std::string policy : {"seq", "omp"}) {
        add_cases(policy, of_preparation);
        add_cases(policy, of_results);
        add_cases(policy, of_amounts);
        add_cases(policy, {"pairs:1", "pairs:1000", "pairs:1000000", "paths:1", "paths:1000"});
      }
      if (!options().has_device) continue;
      add_cases("cuda_tiled", of_results);
      add_cases("cuda_tiled", {"resident"});
      add_cases("cuda_tiled", of_amounts);
      for (const std::size_t count : device_counts()) {
        if (count == 1) continue;
        add_cases(device_program::devices_prefix + std::to_string(count), of_results, true);
      }
    }
  });
}

}  // namespace bench
