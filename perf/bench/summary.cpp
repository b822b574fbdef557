// SPDX-License-Identifier: BSL-1.0
// Cases summary, histogram_of_width, histogram_between and read/policy/type/n: summaries of a distance
// matrix in host memory, compared with only reading the matrix, with the threads of the policy.
#include <benchmark/benchmark.h>

#include <apsp/distance_summary.hpp>
#include <apsp/matrix.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "../weight_types.hpp"
#include "cases.hpp"

namespace bench {

namespace {

constexpr std::int32_t largest_distance = 1000;

// One of twelve pairs is unreachable.
template <class T>
apsp::matrix<T>& distances_of(const std::string& type, std::size_t n) {
  return shared_problem("summary/" + type + '/' + std::to_string(n), [&] {
    apsp_perf::random_numbers random(options().seed);
    apsp::matrix<T> m(n);
    for (T& d : m) {
      const std::int32_t w = random.weight(largest_distance);
      d = w % 12 == 0 ? apsp::unreachable<T> : static_cast<T>(w);
    }
    return m;
  });
}

// Reads the whole matrix, eight bytes at a time.
template <class T>
std::uint64_t read_all(const apsp::matrix<T>& m, [[maybe_unused]] bool in_parallel) {
  std::uint64_t all = 0;
#pragma omp parallel for reduction(^ : all) if (in_parallel)
  for (std::size_t i = 0; i < m.rows(); ++i) {
    const T* const row = m[i];
    std::uint64_t word = 0;
    for (std::size_t j = 0; j + sizeof(word) / sizeof(T) <= m.cols();
         j += sizeof(word) / sizeof(T)) {
      std::memcpy(&word, row + j, sizeof(word));
      all ^= word;
    }
  }
  return all;
}

apsp::backend executed_on(const apsp::distance_counts& c) {
  return c.status.executed_on();
}
bool is_same(const apsp::distance_counts& a, const apsp::distance_counts& b) {
  return a.counts == b.counts && a.below == b.below && a.above == b.above &&
         a.unreachable == b.unreachable;
}

template <class T>
apsp::backend executed_on(const apsp::distance_summary<T>& s) {
  return s.status().executed_on();
}
template <class T>
bool is_same(const apsp::distance_summary<T>& got, const apsp::distance_summary<T>& expected) {
  for (std::size_t i = 0; i < expected.sources().size(); ++i) {
    const auto& a = got[i];
    const auto& b = expected[i];
    // Distances are integers, so their sums are exact in every type.
    if (a.eccentricity != b.eccentricity || a.farthest != b.farthest ||
        a.num_reached != b.num_reached || a.sum != b.sum) {
      return false;
    }
    if (std::abs(a.inverse_sum - b.inverse_sum) > 1e-12 * b.inverse_sum) return false;
  }
  return true;
}

template <class T>
void add_summaries_of(const std::string& type, std::size_t n) {
  for (const std::string& policy_name : policies()) {
    const std::string problem_name = '/' + policy_name + '/' + type + '/' + std::to_string(n);
    const double bytes = static_cast<double>(n * n * sizeof(T));
    const std::vector<rival> rivals{{"x_read", "read" + problem_name}};
    if (!device_program::needs_device(policy_name)) {
      add("read" + problem_name, {}, [=] {
        const auto& m = distances_of<T>(type, n);
        return measure({.call =
                            [&] {
                              return timing::seconds_of([&] {
                                benchmark::DoNotOptimize(read_all(m, policy_name == "omp"));
                              });
                            },
                        .unit = "bytes",
                        .work = bytes});
      });
    }
    // The result of reduce(policy, distances) must be equal to that with seq.
    const auto add_reduction = [&](const std::string& name, auto reduce) {
      add(name + problem_name, rivals, [=] {
        const auto& m = distances_of<T>(type, n);
        const auto expected = reduce(apsp::seq, m);
        return measure(
            {.call =
                 [&] {
                   return device_program::with_policy(policy_name, [&](const auto& policy) {
                     const auto [got, seconds] = timing::timed([&] { return reduce(policy, m); });
                     device_program::require_policy(executed_on(got), policy_name);
                     require(is_same(got, expected), "not what seq finds");
                     return seconds;
                   });
                 },
             .unit = "bytes",
             .work = bytes});
      });
    };
    add_reduction("summary", [](const auto& policy, const auto& m) {
      return apsp::summarize_distances(policy, m);
    });
    add_reduction("histogram_of_width", [](const auto& policy, const auto& m) {
      return apsp::distance_histogram(policy, m, apsp::histogram_bins<T>::of_width(0, 10, 100));
    });
    add_reduction("histogram_between", [](const auto& policy, const auto& m) {
      const auto bins = apsp::histogram_bins<T>::between({1, 3, 10, 30, 100, 300, 1000});
      return apsp::distance_histogram(policy, m, bins);
    });
  }
}

}  // namespace

void add_summaries() {
  weight_types::for_each([]<class T>(std::type_identity<T>, const std::string& type) {
    if (!has_type(type)) return;
    for (const std::size_t n : sizes_or({8192, 16384})) add_summaries_of<T>(type, n);
  });
}

}  // namespace bench
