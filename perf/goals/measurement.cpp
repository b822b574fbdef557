// SPDX-License-Identifier: BSL-1.0
#include "measurement.hpp"

#include <algorithm>
#include <apsp/device_graph.hpp>
#include <apsp/device_matrix.hpp>
#include <apsp/device_memory.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <apsp/result.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
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

/// A graph and a result in device memory.
template <class W>
class resident_problem {
 public:
  explicit resident_problem(const apsp_perf::csr_arrays<W>& graph)
      : offsets_(row_of(graph.offsets)),
        targets_(row_of(graph.targets)),
        weights_(row_of(graph.weights)),
        distances_(graph.num_vertices()) {}

  template <class Policy>
  apsp::result solve(const Policy& policy) {
    const apsp::result done = apsp::floyd_warshall(
        policy, apsp::device_csr_view(span_of(offsets_), span_of(targets_), span_of(weights_)),
        distances_);
    // The result is there when what comes after it on the stream is.
    static_cast<void>(apsp::copy_to_host(apsp::device_matrix_view(distances_.data(), 1, 1)));
    return done;
  }
  apsp::matrix<W> distances() const { return distances_.to_host(); }

 private:
  template <class X>
  static apsp::device_matrix<X> row_of(const std::vector<X>& values) {
    apsp::matrix<X> row(1, values.size());
    std::copy(values.begin(), values.end(), row.begin());
    return apsp::device_matrix<X>(row);
  }
  template <class X>
  static apsp::device_span<const X> span_of(const apsp::device_matrix<X>& row) {
    return {row.data(), row.cols()};
  }

  apsp::device_matrix<std::int64_t> offsets_;
  apsp::device_matrix<std::int32_t> targets_;
  apsp::device_matrix<W> weights_;
  apsp::device_matrix<W> distances_;
};

template <class W>
class calls {
 public:
  calls(const goal& g, const how_to_measure& how)
      : goal_(g),
        how_(how),
        graph_(graph_of<W>(g.weights, g.num_vertices / how.divisor)),
        distances_(graph_.num_vertices()) {
    if (goal_.is_for_device()) resident_.emplace(graph_);
  }

  measurement measure() {
    time_call();
    check();
    check_resident();
    const std::function<double()> measure_limit = limit();
    const double size = static_cast<double>(graph_.num_vertices());
    std::vector<double> seconds, alone, rates, limits, shares;
    double total = 0;
    const auto repeat = static_cast<std::size_t>(how_.repeat);
    while (seconds.size() < repeat ||
           (total < least_seconds && seconds.size() < repeat * most_repeats)) {
      overwrite();
      if (resident_) seconds.push_back(time_call());
      const double limit_before = measure_limit();
      const double measured = resident_ ? time_resident_call() : time_call();
      const double limit_after = measure_limit();
      (resident_ ? alone : seconds).push_back(measured);
      total += measured;
      rates.push_back(size * size * size / measured);
      limits.push_back((limit_before + limit_after) / 2);
      shares.push_back(limits.back() > 0 ? rates.back() / limits.back() : 0);
    }
    check();
    measurement m{};
    m.num_vertices = graph_.num_vertices();
    m.calls = seconds.size();
    m.seconds = timing::median(seconds);
    if (resident_) m.seconds_alone = timing::median(alone);
    m.rate = timing::median(rates);
    m.limit = timing::median(limits);
    m.share = timing::median(shares);
    return m;
  }

 private:
  // Nothing of an earlier result may be left to be taken for the next one's.
  void overwrite() { std::fill(distances_.begin(), distances_.end(), static_cast<W>(-1)); }

  double time_call() {
    return time([&](const auto& policy) {
      return apsp::floyd_warshall(policy, graph_.view(), distances_);
    });
  }
  double time_resident_call() {
    return time([&](const auto& policy) {
      constexpr apsp::backend kernels = std::remove_cvref_t<decltype(policy)>::requested;
      if constexpr (kernels == apsp::backend::cuda_naive || kernels == apsp::backend::cuda_tiled) {
        return resident_->solve(policy);
      } else {
        return apsp::result(kernels, apsp::algorithm::floyd_warshall);  // there is no such goal
      }
    });
  }
  template <class Solve>
  double time(Solve solve) {
    constexpr int current_device = -1;
    return device_program::with_policy(goal_.policy, current_device, [&](const auto& policy) {
      const auto [done, seconds] = timing::timed([&] { return solve(policy); });
      device_program::require_solved(done, goal_.policy);
      return seconds;
    });
  }

  // Bit for bit: the kernels are the same.
  void check_resident() {
    if (!resident_) return;
    time_resident_call();
    if (!(resident_->distances() == distances_)) {
      throw std::runtime_error("the distances in device memory are others than those on the host");
    }
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
  std::optional<resident_problem<W>> resident_;
};

}  // namespace

measurement measure_calls(const goal& g, const how_to_measure& how) {
  measurement measured{};
  weight_types::with(g.type, [&]<class W>(std::type_identity<W>) {
    apsp_compare::require_memory(g.num_vertices / how.divisor, sizeof(W));
    measured = calls<W>(g, how).measure();
  });
  return measured;
}

}  // namespace goals
