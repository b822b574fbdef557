// SPDX-License-Identifier: BSL-1.0
#include "measurement.hpp"

#include <algorithm>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <vector>

#include "../benchmarks/limit_measurement.hpp"
#include "../compare/machine.hpp"
#include "../device_limit/device_limit.hpp"
#include "../device_program.hpp"
#include "../timing.hpp"
#include "../weight_types.hpp"
#include "graphs.hpp"
#include "row_check.hpp"

namespace goals {

namespace {

// Short calls are repeated until they have taken so many seconds together, or that many times as often.
constexpr double least_seconds = 0.5;
constexpr std::size_t most_repeats = 10;

template <class W>
class whole_calls {
 public:
  whole_calls(const goal& g, const how_to_measure& how)
      : goal_(g),
        how_(how),
        graph_(graph_of<W>(g.weights, g.num_vertices / how.divisor)),
        distances_(graph_.num_vertices()) {}

  measurement measure() {
    time_call();
    check();
    const std::function<double()> measure_limit = limit();
    const double size = static_cast<double>(graph_.num_vertices());
    std::vector<double> seconds, rates, limits, shares;
    double total = 0;
    const auto repeat = static_cast<std::size_t>(how_.repeat);
    while (seconds.size() < repeat ||
           (total < least_seconds && seconds.size() < repeat * most_repeats)) {
      overwrite();
      const double limit_before = measure_limit();
      seconds.push_back(time_call());
      const double limit_after = measure_limit();
      total += seconds.back();
      rates.push_back(size * size * size / seconds.back());
      limits.push_back((limit_before + limit_after) / 2);
      shares.push_back(limits.back() > 0 ? rates.back() / limits.back() : 0);
    }
    check();
    return {graph_.num_vertices(), seconds.size(),         timing::median(seconds),
            timing::median(rates), timing::median(limits), timing::median(shares)};
  }

 private:
  // Nothing of an earlier result may be left to be taken for the next one's.
  void overwrite() { std::fill(distances_.begin(), distances_.end(), static_cast<W>(-1)); }

  double time_call() {
    constexpr int current_device = -1;
    return device_program::with_policy(goal_.policy, current_device, [&](const auto& policy) {
      const auto [done, seconds] =
          timing::timed([&] { return apsp::floyd_warshall(policy, graph_.view(), distances_); });
      device_program::require_solved(done, goal_.policy);
      return seconds;
    });
  }

  void check() const {
    for (const std::size_t s : device_program::rows_to_check(graph_.num_vertices(), how_.check)) {
      check_row(graph_, distances_, s);
    }
    require_kind(goal_.weights, farthest());
  }

  double farthest() const {
    W farthest{};
    for (const W& d : distances_) {
      if (d != apsp::unreachable<W> && farthest < d) farthest = d;
    }
    return static_cast<double>(farthest);
  }

  // What bounds a call whose result is there.
  std::function<double()> limit() const {
    if (goal_.is_for_device()) {
      device_limit::solved call;
      call.type = goal_.type;
      call.policy = goal_.policy;
      call.num_vertices = graph_.num_vertices();
      call.farthest = farthest();
      call.has_negative_weights = goal_.weights == weight_kind::some_negative;
      return [name = device_limit::name_of(call)] { return device_limit::measure(name); };
    }
    const auto loop = limit_measurement::chosen_instruction_set().of<W>();
    const int threads = goal_.policy == "seq" ? 1 : limit_measurement::num_threads();
    return [=] { return limit_measurement::measure(loop, threads); };
  }

  const goal& goal_;
  how_to_measure how_;
  apsp_perf::csr_arrays<W> graph_;
  apsp::matrix<W> distances_;
};

}  // namespace

measurement measure_whole_calls(const goal& g, const how_to_measure& how) {
  measurement measured{};
  weight_types::with(g.type, [&]<class W>(std::type_identity<W>) {
    apsp_compare::require_memory(g.num_vertices / how.divisor, sizeof(W));
    measured = whole_calls<W>(g, how).measure();
  });
  return measured;
}

}  // namespace goals
