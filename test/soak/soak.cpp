// SPDX-License-Identifier: BSL-1.0
// Tests every algorithm under the specified policies on random small graphs, against relaxing arcs
// in types that are wide enough to be exact: `soak --graphs 1000000 --seed 7 --policies seq,omp`.
// Errors are printed with the arcs of the graph. `--first N --graphs 1` with the same seed
// generates graph N again.
#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <limits>
#include <new>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "answers.hpp"
#include "calls.hpp"
#include "random_graphs.hpp"

using namespace apsp_soak;

namespace {

struct options {
  std::uint64_t graphs = 4000;
  std::uint64_t first = 0;
  std::uint64_t seed = 1;
  std::uint64_t calls = 2;
  std::uint64_t failures = 0;
  std::vector<std::string> policies{"seq", "omp"};
};

// clang-format off
constexpr const char* usage =
    "soak [--graphs N] [--seed S] [--first N] [--policies seq,omp,cuda_naive,cuda_tiled] [--calls C] [--failures F]\n"
    "  --first N     the number of the first graph\n"
    "  --calls C     calls per graph under a policy other than seq, drawn anew for every graph; 0: all of them\n"
    "  --failures F  in one of F calls an allocation fails, or all from that one on: it must throw std::bad_alloc or be right;\n"
    "                0: in none\n"
    "Under seq every graph is given to every algorithm. A call under cuda_* must not fall back.\n";
// clang-format on

class soak {
 public:
  explicit soak(const options& given) : options_(given) {}

  /// @throws apsp::device_error if a policy cannot run.
  void require_policies() const {
    for (const std::string& policy : options_.policies) {
      with_policy(policy, [](const auto& with) {
        apsp::matrix<float> m(1);
        static_cast<void>(apsp::floyd_warshall(with, m, m));
      });
    }
  }

  int run() {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    double next_report = 10;
    for (std::uint64_t i = options_.first; i < options_.first + options_.graphs; ++i) {
      // One generator per graph, so that each graph can be generated alone.
      random_numbers random(options_.seed * 0x9e3779b97f4a7c15u + i);
      bool right = true;
      switch (random.below(4)) {
        case 0:
          right = try_graph<std::int32_t>(i, random, batches_int32_);
          break;
        case 1:
          right = try_graph<std::int64_t>(i, random, batches_int64_);
          break;
        case 2:
          right = try_graph<float>(i, random, batches_float_);
          break;
        default:
          right = try_graph<double>(i, random, batches_double_);
      }
      if (!right) return 1;
      if (seconds() < next_report) continue;
      std::cout << i + 1 - options_.first << " graphs, " << calls_ << " calls, " << seconds()
                << " s" << std::endl;
      next_report = seconds() * 1.5;
    }
    const bool right = try_batch(batches_int32_) && try_batch(batches_int64_) &&
                       try_batch(batches_float_) && try_batch(batches_double_);
    if (!right) return 1;
    std::cout << "seed " << options_.seed << ": " << options_.graphs << " graphs, "
              << with_negative_cycle_ << " of them with a negative cycle, " << calls_ << " calls, "
              << refused_ << " of them refused for want of 128-bit kernels, " << without_memory_
              << " without memory, " << seconds() << " s, all right" << std::endl;
    return 0;
  }

 private:
  static constexpr std::size_t graphs_in_batch = 32;

  template <class T>
  bool try_graph(std::uint64_t number, random_numbers& random, batch<T>& together) {
    solved_graph<T> g(draw_graph<T>(random));
    for (std::uint64_t k = g.arcs.n == 0 ? 0 : random.below(5); k > 0; --k) {
      g.sources.push_back(random.index(g.arcs.n));
    }
    if (g.has_negative_cycle) ++with_negative_cycle_;
    constexpr auto all = static_cast<std::uint64_t>(call::last);
    for (const std::string& policy : options_.policies) {
      const bool tries_all = policy == "seq" || options_.calls == 0 || options_.calls >= all;
      for (std::uint64_t k = 0; k < (tries_all ? all : options_.calls); ++k) {
        const auto what = static_cast<call>(tries_all ? k : random.below(all));
        if (policy.starts_with("cuda") && !is_for_devices(what)) continue;
        const bool right = is_right(number, g, policy, names[static_cast<std::size_t>(what)], [&] {
          with_policy(policy, [&](const auto& with) {
            maybe_without_memory(random, [&] { run_call(what, with, g); });
          });
        });
        if (!right) return false;
      }
    }
    together.numbers.push_back(number);
    together.graphs.push_back(std::move(g));
    return together.graphs.size() < graphs_in_batch || try_batch(together);
  }

  template <class T>
  bool try_batch(batch<T>& together) {
    using view = decltype(std::declval<const arc_list<T>&>().view());
    for (const std::string& policy : options_.policies) {
      std::vector<view> views;
      std::vector<apsp::matrix<T>> distances;
      for (const auto& g : together.graphs) {
        views.push_back(g.arcs.view());
        distances.emplace_back(g.arcs.n, g.arcs.n, T(77));
      }
      std::vector<apsp::result> done;
      ++calls_;
      try {
        with_policy(policy,
                    [&](const auto& with) { done = apsp::floyd_warshall(with, views, distances); });
      } catch (const std::exception& error) {
        if (is_want_of_kernels(error, together.graphs)) {
          ++refused_;
          continue;
        }
        std::cout << "seed " << options_.seed << ", " << policy
                  << ", floyd_warshall of a batch: " << error.what() << "\n  graphs:";
        for (const std::uint64_t number : together.numbers) std::cout << ' ' << number;
        std::cout << std::endl;
        return false;
      }
      for (std::size_t i = 0; i < views.size(); ++i) {
        const auto& g = together.graphs[i];
        const bool right =
            is_right(together.numbers[i], g, policy, "floyd_warshall of a batch", [&] {
              check_rows(g, every_vertex(g.arcs.n), looks::everywhere, done[i], distances[i],
                         nullptr);
            });
        if (!right) return false;
      }
    }
    together = {};
    return true;
  }

  template <class F>
  static void with_policy(std::string_view name, F f) {
    apsp::with_policy(name, [&](const auto& policy) {
      if constexpr (requires { policy.required(); }) {
        f(policy.required());
      } else {
        f(policy);
      }
    });
  }

  /// Calls action(), in some calls without the memory of one or more of its allocations.
  template <class Action>
  void maybe_without_memory(random_numbers& random, Action action) {
    if (options_.failures == 0 || random.below(options_.failures) != 0) return action();
    using apsp_test::failures;
    // Most of the calls make fewer than the largest of these numbers of allocations.
    const auto number = static_cast<std::int64_t>(random.below(random.below(2) == 0 ? 20 : 400));
    const failures which = random.below(2) == 0 ? failures::one : failures::all_from_there;
    apsp_test::allocations::fail_in(number, which, [&] {
      try {
        action();
      } catch (const std::bad_alloc&) {
        ++without_memory_;
      }
    });
  }

  /// Whether a path, with the potentials of its ends, may exceed 64 bits.
  template <class T>
  static bool may_need_128_bits(const solved_graph<T>& g) {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      wide heaviest = 0;
      for (const T w : g.arcs.weights) heaviest = std::max(heaviest, w < 0 ? -wide(w) : wide(w));
      constexpr auto largest = wide(std::numeric_limits<T>::max());
      return heaviest * static_cast<wide>(g.arcs.n) > largest / 4;
    }
    return false;
  }

  /// There are no kernels for sums of 128 bits, and a required() policy does not fall back.
  template <class Graphs>
  static bool is_want_of_kernels(const std::exception& error, const Graphs& graphs) {
    return dynamic_cast<const apsp::device_error*>(&error) != nullptr &&
           std::any_of(graphs.begin(), graphs.end(),
                       [](const auto& g) { return may_need_128_bits(g); });
  }

  /// Runs action(), and prints its errors.
  template <class T, class Action>
  bool is_right(std::uint64_t number, const solved_graph<T>& g, const std::string& policy,
                const char* what, Action action) {
    ++calls_;
    try {
      action();
      return true;
    } catch (const std::exception& error) {
      if (is_want_of_kernels(error, std::span(&g, 1))) {
        ++refused_;
        return true;
      }
      std::cout << "seed " << options_.seed << ", graph " << number << ", " << policy << ", "
                << what << ": " << error.what() << "\n  " << g.arcs.n << " vertices, weights of "
                << sizeof(T) << " bytes, "
                << (std::is_integral_v<T> ? "integers" : "floating point") << "\n  sources:";
      for (const std::size_t s : g.sources) std::cout << ' ' << s;
      std::cout << '\n';
      for (std::size_t k = 0; k < g.arcs.size(); ++k) {
        std::cout << "  " << g.source(k) << " -> " << g.target(k) << ": " << g.arcs.weights[k]
                  << '\n';
      }
      std::cout << std::flush;
      return false;
    }
  }

  options options_;
  std::uint64_t calls_ = 0;
  std::uint64_t with_negative_cycle_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t without_memory_ = 0;
  batch<std::int32_t> batches_int32_;
  batch<std::int64_t> batches_int64_;
  batch<float> batches_float_;
  batch<double> batches_double_;
};

options parse(int count, char** words) {
  options given;
  for (int i = 1; i < count; i += 2) {
    const std::string_view name = words[i];
    if (i + 1 == count) throw std::invalid_argument(usage);
    const std::string value = words[i + 1];
    if (name == "--graphs") {
      given.graphs = std::stoull(value);
    } else if (name == "--first") {
      given.first = std::stoull(value);
    } else if (name == "--seed") {
      given.seed = std::stoull(value);
    } else if (name == "--calls") {
      given.calls = std::stoull(value);
    } else if (name == "--failures") {
      given.failures = std::stoull(value);
    } else if (name == "--policies") {
      given.policies.clear();
      std::istringstream list(value);
      for (std::string policy; std::getline(list, policy, ',');) given.policies.push_back(policy);
    } else {
      throw std::invalid_argument(usage);
    }
  }
  return given;
}

}  // namespace

int main(int count, char** words) {
  try {
    soak program(parse(count, words));
    try {
      program.require_policies();
    } catch (const apsp::device_error& error) {
      // The exit status that CTest interprets as a skipped test.
      constexpr int skipped = 77;
      std::cout << "skipped: " << error.what() << std::endl;
      return skipped;
    }
    return program.run();
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 2;
  }
}
