// SPDX-License-Identifier: BSL-1.0
// Cases devices/count/algorithm/type/graph/n: calls on several devices, compared with one. Cases
// out_of_core/where/type/graph/n: a matrix of 2.5 times the memory that a call may use on a device,
// compared with the same matrix in device memory, and on several devices with one.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "cases.hpp"
#include "problem.hpp"

namespace bench {

namespace {

std::size_t num_devices() {
  if (!options().has_device) return 0;
  apsp::matrix<float> one(1, 1, 0.0F);
  return apsp::floyd_warshall(apsp::cuda_tiled.devices(apsp::all_devices).required(), one, one)
      .num_devices();
}

auto on_first(std::size_t count) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return apsp::cuda_tiled.devices(numbers).required();
}

template <class W, class Policy>
outcome run_dense(problem<W>& p, const Policy& policy) {
  p.set_sources(0, false);
  const auto n = static_cast<double>(p.n());
  const outcome o = measure(
      {.call =
           [&] {
             return timing::seconds_of([&] {
               require(static_cast<bool>(apsp::floyd_warshall(policy, p.graph.view(), p.distances)),
                       "no distances");
             });
           },
       .unit = "relaxations",
       .work = n * n * n});
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
  return measure({.call =
                      [&] {
                        num_rows = 0;
                        const double seconds = timing::seconds_of([&] {
                          static_cast<void>(
                              apsp::for_each_row(on_first(count), p.graph.view(), sources, look));
                        });
                        require(num_rows == sources.size(), "rows that are missing");
                        return seconds;
                      },
                  .unit = "sources",
                  .work = static_cast<double>(p.n())});
}

}  // namespace

void add_scale() {
  if (!has_type("f32")) return;
  const std::size_t all = num_devices();
  for (const std::size_t n : sizes_or({16384})) {
    for (std::size_t count = 1; count <= all; ++count) {
      const auto add_case = [&](const std::string& what, auto run) {
        add("devices/" + std::to_string(count) + '/' + what, {{"x_one", "devices/1/" + what}}, run);
      };
      // Whole numbers are relaxed in 16 bits, and undirected graphs by halves of the matrix.
      for (const std::string graph_name :
           {"8n_halves", "8n", "8n_undirected_halves", "8n_undirected"}) {
        add_case("floyd_warshall/f32/" + graph_name + '/' + std::to_string(n), [=] {
          return run_dense(problem_of<float>("f32", graph_name, n), on_first(count));
        });
      }
      add_case("for_each_row/f32/random/" + std::to_string(n),
               [=] { return run_rows(problem_of<float>("f32", "random", n), count); });
    }
    if (all == 0) continue;
    const std::string problem_name = "f32/8n_halves/" + std::to_string(n);
    add("out_of_core/no/" + problem_name, {}, [=] {
      return run_dense(problem_of<float>("f32", "8n_halves", n), apsp::cuda_tiled.required());
    });
    // Each of several devices may use as much.
    const auto bytes = static_cast<std::size_t>(static_cast<double>(n * n * sizeof(float)) / 2.5);
    add("out_of_core/yes/" + problem_name, {{"x_in_core", "out_of_core/no/" + problem_name}}, [=] {
      return run_dense(problem_of<float>("f32", "8n_halves", n),
                       apsp::cuda_tiled.required().memory_limit(bytes));
    });
    for (std::size_t count = 2; count <= all; ++count) {
      add("out_of_core/on_" + std::to_string(count) + '/' + problem_name,
          {{"x_one", "out_of_core/yes/" + problem_name}}, [=] {
            return run_dense(problem_of<float>("f32", "8n_halves", n),
                             on_first(count).memory_limit(bytes));
          });
    }
  }
}

}  // namespace bench
