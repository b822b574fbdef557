// SPDX-License-Identifier: BSL-1.0
#include "time_line.hpp"

#include <algorithm>
#include <apsp/device_graph.hpp>
#include <apsp/device_matrix.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/error.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "../checks.hpp"
#include "../device_program.hpp"
#include "cuda_objects.cuh"

namespace studies {

namespace {

/// The work between two events of one stream.
class step {
 public:
  explicit step(const char* name) : name_(name), begin_(make_event()), end_(make_event()) {}

  /// Puts @p work() on the stream @p on.
  template <class Work>
  void run(const stream& on, Work work) {
    STUDIES_CUDA_CHECK(cudaEventRecord(begin_.get(), on.get()));
    work();
    STUDIES_CUDA_CHECK(cudaEventRecord(end_.get(), on.get()));
  }

  const char* name() const { return name_; }
  /// Returns the time from the beginning of @p first to that of this step; both must be complete.
  double seconds_after(const step& first) const { return seconds(first.begin_, begin_); }
  double duration() const { return seconds(begin_, end_); }

 private:
  static double seconds(const event& from, const event& to) {
    float milliseconds = 0;
    STUDIES_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, from.get(), to.get()));
    return 1e-3 * static_cast<double>(milliseconds);
  }

  const char* name_;
  event begin_;
  event end_;
};

/// The arrays of a graph in device memory.
class graph_on_device {
 public:
  explicit graph_on_device(const apsp_perf::csr_arrays<std::int32_t>& g)
      : graph_(g),
        offsets_(make_device_array<std::int64_t>(g.offsets.size())),
        targets_(make_device_array<std::int32_t>(g.targets.size())),
        weights_(make_device_array<std::int32_t>(g.weights.size())) {}

  void copy_from_host(const stream& on) {
    copy(offsets_.get(), graph_.offsets.data(), graph_.offsets.size(), on.get());
    copy(targets_.get(), graph_.targets.data(), graph_.targets.size(), on.get());
    copy(weights_.get(), graph_.weights.data(), graph_.weights.size(), on.get());
  }
  auto view() const {
    return apsp::device_csr_view(apsp::device_span(offsets_.get(), graph_.offsets.size()),
                                 apsp::device_span(targets_.get(), graph_.targets.size()),
                                 apsp::device_span(weights_.get(), graph_.weights.size()));
  }

 private:
  const apsp_perf::csr_arrays<std::int32_t>& graph_;
  device_array<std::int64_t> offsets_;
  device_array<std::int32_t> targets_;
  device_array<std::int32_t> weights_;
};

std::string to_text(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.7f", seconds);
  return text.data();
}

template <class Policy>
void add_policy(const Policy& policy, const apsp_perf::csr_arrays<std::int32_t>& g,
                const known_rows& known, report& out) {
  const std::string name(apsp::to_string(Policy::requested));
  const std::size_t n = g.num_vertices();
  const stream on = make_stream();
  graph_on_device graph(g);
  apsp::device_matrix<std::int32_t> distances(n);
  apsp::matrix<std::int32_t> result(n);
  std::fill(result.begin(), result.end(), -1);

  step there("graph to the device");
  step solve("solve");
  step back("distances to the host");
  const auto run = [&] {
    there.run(on, [&] { graph.copy_from_host(on); });
    solve.run(on, [&] {
      const apsp::result done = apsp::dijkstra(policy.on(on.get()), graph.view(), distances);
      device_program::require_solved(done, name);
    });
    back.run(on, [&] { copy(result.data(), distances.data(), n * n, on.get()); });
    STUDIES_CUDA_CHECK(cudaStreamSynchronize(on.get()));
  };
  run();  // warm-up
  std::fill(result.begin(), result.end(), -1);
  copy(distances.data(), result.data(), n * n, on.get());
  run();

  const verdict checked = known.check(result);
  for (const step* each : {&there, &solve, &back}) {
    out.add({.part = "time line",
             .label = name + ": " + each->name(),
             .x = to_text(each->seconds_after(there)),
             .graph = "gnp 0.1",
             .n = n,
             .arcs = g.num_edges(),
             .bytes = n * n * sizeof(std::int32_t),
             .calls = 1,
             .seconds = each->duration(),
             .checked = checked});
  }
}

}  // namespace

void add_time_line(const apsp_perf::csr_arrays<std::int32_t>& g, report& out) {
  const known_rows known(g);
  try {
    add_policy(apsp::cuda_naive.required(), g, known, out);
    add_policy(apsp::cuda_tiled.required(), g, known, out);
  } catch (const apsp::device_error& error) {
    out.left_out({.part = "time line", .label = "the rest", .x = "0"}, error.what());
  }
}

}  // namespace studies
