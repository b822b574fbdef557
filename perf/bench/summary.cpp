// SPDX-License-Identifier: BSL-1.0
// Cases summary and histogram_of_width/policy/type/n: summaries of a distance matrix in host
// memory.
#include <apsp/distance_summary.hpp>
#include <apsp/matrix.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

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

apsp::result status_of(const auto& reduced) {
  if constexpr (requires { reduced.status(); }) {
    return reduced.status();
  } else {
    return reduced.status;
  }
}

bool is_same(const apsp::distance_counts& a, const apsp::distance_counts& b) {
  return a.counts == b.counts && a.below == b.below && a.above == b.above &&
         a.unreachable == b.unreachable;
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
    // The result of reduce(policy, distances) must be equal to that with seq.
    const auto add_reduction = [&](const std::string& name, auto reduce) {
      add(name + '/' + policy_name + '/' + type + '/' + std::to_string(n), {}, [=] {
        const auto& m = distances_of<T>(type, n);
        const auto expected = reduce(apsp::seq, m);
        const auto call = [&] {
          return device_program::with_policy(policy_name, [&](const auto& policy) {
            const auto [got, seconds] = timing::timed([&] { return reduce(policy, m); });
            device_program::require_policy(status_of(got).executed_on(), policy_name);
            require(is_same(got, expected), "not what seq finds");
            return seconds;
          });
        };
        return measure(
            {.call = call, .unit = "bytes", .work = static_cast<double>(n * n * sizeof(T))});
      });
    };
    add_reduction("summary", [](const auto& policy, const auto& m) {
      return apsp::summarize_distances(policy, m);
    });
    add_reduction("histogram_of_width", [](const auto& policy, const auto& m) {
      return apsp::distance_histogram(policy, m, apsp::histogram_bins<T>::of_width(0, 10, 100));
    });
  }
}

}  // namespace

void add_summaries() {
  for_each_type([]<class T>(std::type_identity<T>, const std::string& type) {
    for (const std::size_t n : sizes_or({8192, 16384})) add_summaries_of<T>(type, n);
  });
}

}  // namespace bench
