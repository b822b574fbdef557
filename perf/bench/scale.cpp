// SPDX-License-Identifier: BSL-1.0
// Cases devices/count/algorithm/type/graph/n: calls on several devices, compared with one; of the
// batch, n is the number of graphs of 64 vertices. Cases out_of_core/where/type/graph/n: a matrix
// of 2.5 times the memory that a call may use on a device, compared with the same matrix in device
// memory, and on several devices with one. hierarchy.cpp has calls with a hierarchy.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "problem.hpp"

namespace bench {

namespace {

using device_program::on_devices;

/// Calls for more vertices take seconds, so that a small one is enough to warm up.
constexpr std::size_t most_to_warm_up = 32768;

template <class W, class Policy>
outcome run_dense(problem<W>& p, const Policy& policy) {
  p.set_sources(0, false);
  const auto solve = [&policy](const auto& graph, apsp::matrix<W>& distances) {
    require(static_cast<bool>(apsp::floyd_warshall(policy, graph, distances)), "no distances");
  };
  const bool is_warm = p.n() > most_to_warm_up;
  if (is_warm) {
    const auto small = named_graphs::make<W>("8n_halves", 4096, options().seed);
    apsp::matrix<W> distances(small.num_vertices());
    solve(small.view(), distances);
  }
  const auto n = static_cast<double>(p.n());
  const outcome o = measure(
      {.call = [&] { return timing::seconds_of([&] { solve(p.graph.view(), p.distances); }); },
       .unit = "relaxations",
       .work = n * n * n,
       .is_warm = is_warm});
  require(p.known.check(p.sources, p.distances) != checks::verdict::wrong, "wrong distances");
  return o;
}

outcome run_rows(problem<float>& p, std::size_t count) {
  p.set_sources(1, false);
  std::vector<std::int32_t> sources(p.n());
  std::iota(sources.begin(), sources.end(), 0);
  std::size_t num_rows = 0;
  const auto look = [&](std::size_t source, std::span<const float> row) {
    num_rows += row[source] == 0 ? 1 : 0;
  };
  const auto call = [&] {
    num_rows = 0;
    const double seconds = timing::seconds_of([&] {
      static_cast<void>(apsp::for_each_row(on_devices(count), p.graph.view(), sources, look));
    });
    require(num_rows == sources.size(), "rows that are missing");
    return seconds;
  };
  return measure({.call = call, .unit = "sources", .work = static_cast<double>(p.n())});
}

/// Many graphs of 64 vertices with 4 arcs each.
struct small_graphs {
  static constexpr std::size_t n = 64;

  std::vector<apsp_perf::csr_arrays<float>> arrays;
  std::vector<decltype(std::declval<const apsp_perf::csr_arrays<float>&>().view())> views;
  std::vector<apsp::matrix<float>> distances;

  explicit small_graphs(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      arrays.push_back(apsp_perf::fixed_degree_graph<float>(n, 4, 999, options().seed + i));
    }
    for (const auto& g : arrays) views.push_back(g.view());
    distances.assign(count, apsp::matrix<float>(n));
  }
};

outcome run_batch(small_graphs& g, std::size_t count) {
  const auto call = [&] {
    return timing::seconds_of([&] {
      for (const apsp::result& done :
           apsp::floyd_warshall(on_devices(count), g.views, g.distances)) {
        require(static_cast<bool>(done), "no distances");
      }
    });
  };
  const outcome o =
      measure({.call = call, .unit = "graphs", .work = static_cast<double>(g.views.size())});
  for (std::size_t i = 0; options().check > 0 && i < g.views.size(); i += g.views.size() / 16 + 1) {
    const checks::known_rows known(g.arrays[i], small_graphs::n);
    require(known.check(checks::spread_sources(small_graphs::n, small_graphs::n), g.distances[i]) ==
                checks::verdict::right,
            "wrong distances");
  }
  return o;
}

}  // namespace

void add_scale() {
  if (!has_type("f32")) return;
  const std::vector<std::size_t> counts = device_counts();
  const auto add_case = [](std::size_t count, const std::string& what, auto run) {
    add("devices/" + std::to_string(count) + '/' + what, {{"x_one", "devices/1/" + what}}, run);
  };
  for (const std::size_t n : sizes_or({16384})) {
    const std::string size = std::to_string(n);
    // Whole numbers are relaxed in 16 bits, and undirected graphs by halves of the matrix.
    for (const std::string graph_name :
         {"8n_halves", "8n", "8n_undirected_halves", "8n_undirected"}) {
      for (const std::size_t count : counts) {
        add_case(count, "floyd_warshall/f32/" + graph_name + '/' + size, [=] {
          return run_dense(problem_of<float>("f32", graph_name, n), on_devices(count));
        });
      }
    }
    for (const std::size_t count : counts) {
      add_case(count, "for_each_row/f32/random/" + size,
               [=] { return run_rows(problem_of<float>("f32", "random", n), count); });
    }
    for (const std::size_t count : counts) {
      add_case(count, "batch/f32/random/" + size, [=] {
        auto& graphs = shared_problem("small_graphs/" + size, [n] { return small_graphs(n); });
        return run_batch(graphs, count);
      });
    }
    if (counts.empty()) continue;
    const std::string problem_name = "f32/8n_halves/" + size;
    add("out_of_core/no/" + problem_name, {}, [=] {
      return run_dense(problem_of<float>("f32", "8n_halves", n), apsp::cuda_tiled.required());
    });
    // Each of several devices may use as much.
    const auto bytes = static_cast<std::size_t>(static_cast<double>(n * n * sizeof(float)) / 2.5);
    for (const std::size_t count : counts) {
      const auto case_on = [&](std::size_t devices) {
        return "out_of_core/" + (devices == 1 ? "yes" : "on_" + std::to_string(devices)) + '/' +
               problem_name;
      };
      const rival other = count == 1 ? rival{"x_in_core", "out_of_core/no/" + problem_name}
                                     : rival{"x_one", case_on(1)};
      add(case_on(count), {other}, [=] {
        return run_dense(problem_of<float>("f32", "8n_halves", n),
                         on_devices(count).memory_limit(bytes));
      });
    }
  }
}

}  // namespace bench
