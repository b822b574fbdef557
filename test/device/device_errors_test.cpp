// SPDX-License-Identifier: BSL-1.0
// Streams under capture are refused and stay under capture, and no call leaves an error behind in
// the CUDA runtime. Built only with CUDA, and skipped without a GPU. A program linked to a shared
// library has a CUDA runtime of its own, and sees no error of the library's.
#define BOOST_TEST_MODULE device_errors
#include <boost/test/unit_test.hpp>

#include <cuda_runtime_api.h>

#include <apsp/bellman_ford.hpp>
#include <apsp/device_graph.hpp>
#include <apsp/device_matrix.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/elimination.hpp>
#include <apsp/error.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/transitive_closure.hpp>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "../common/device_data.hpp"
#include "../common/device_memory.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

void check_no_error_is_left() {
  const cudaError_t status = cudaGetLastError();
  BOOST_CHECK_MESSAGE(status == cudaSuccess, cudaGetErrorString(status));
}

/// Calls f() while the stream captures a memset, and checks that the capture can be run afterwards.
template <class F>
void while_capturing(const stream_of_caller& stream, cudaStreamCaptureMode mode, F f) {
  apsp::device_matrix<float> word(1, 1);
  require_success(cudaMemset(word.data(), 0, sizeof(float)));
  require_success(cudaDeviceSynchronize());
  require_success(cudaStreamBeginCapture(stream.get(), mode));
  require_success(cudaMemsetAsync(word.data(), 0xff, 1, stream.get()));
  f();
  require_success(cudaMemsetAsync(reinterpret_cast<char*>(word.data()) + 1, 0xff, 1, stream.get()));
  cudaGraph_t graph = nullptr;
  require_success(cudaStreamEndCapture(stream.get(), &graph));
  cudaGraphExec_t executable = nullptr;
  require_success(cudaGraphInstantiate(&executable, graph, 0));
  require_success(cudaGraphLaunch(executable, stream.get()));
  require_success(cudaStreamSynchronize(stream.get()));
  unsigned written = 0;
  require_success(cudaMemcpy(&written, word.data(), sizeof written, cudaMemcpyDeviceToHost));
  BOOST_CHECK_EQUAL(written, 0xffffU);
  require_success(cudaGraphExecDestroy(executable));
  require_success(cudaGraphDestroy(graph));
}

/// Data in host memory and on the device for calls of all kinds.
struct call_data {
  arc_list<float> arcs = random_graph<float>(60, 0.1, 1, 9, 1);
  apsp::matrix<float> weights{60, 60, 1.0f};
  apsp::matrix<float> distances{60, 60, -1.0f};
  apsp::matrix<int> predecessors{60};
  apsp::bit_matrix reached{60};
  std::vector<apsp::matrix<float>> graphs{weights};
  std::vector<apsp::matrix<float>> results{weights};
  std::vector<std::size_t> sources{3, 1};
  std::vector<float> row = std::vector<float>(60);
  resident<float> on_device{arcs};
  apsp::device_matrix<float> device_weights{weights};
  apsp::device_matrix<float> device_distances{60};
  apsp::device_matrix<float> device_rows{2, 60};
};

/// Calls f(call, name) for calls on data in host memory.
template <class Policy, class F>
void for_each_host_call(const Policy& policy, call_data& data, F f) {
  const auto graph = data.arcs.view();
  f([&] { (void)apsp::floyd_warshall(policy, graph, data.distances, data.predecessors); }, "dense");
  f([&] { (void)apsp::repeated_squaring(policy, graph, data.distances); }, "squaring");
  f([&] { (void)apsp::dijkstra(policy, graph, 0, data.row); }, "one source");
  f([&] { (void)apsp::bellman_ford(policy, graph, data.distances); }, "all sources");
  f([&] { (void)apsp::elimination(policy, graph, data.distances); }, "elimination");
  f([&] { (void)apsp::transitive_closure(policy, graph, data.reached); }, "bits");
  f([&] { (void)apsp::min_plus_product(policy, data.weights, data.weights, data.distances); },
    "product");
  f([&] { (void)apsp::floyd_warshall(policy, data.graphs, data.results); }, "batch");
  f([&] { (void)apsp::summarize_distances(policy, data.weights); }, "summary");
  f(
      [&] {
        (void)apsp::for_each_row(policy, graph, data.sources,
                                 [](std::size_t, std::span<const float>) {});
      },
      "rows");
}

/// The same for data on the device.
template <class Policy, class F>
void for_each_device_call(const Policy& policy, call_data& data, F f) {
  data.on_device.in_all_forms([&](const auto& graph) {
    f([&] { (void)apsp::floyd_warshall(policy, graph, data.device_distances); }, "dense");
    f([&] { (void)apsp::dijkstra(policy, graph, data.sources, data.device_rows); }, "sources");
    f([&] { (void)apsp::floyd_warshall(policy, graph, data.distances); }, "results on the host");
    f([&] { (void)apsp::transitive_closure(policy, graph, data.reached); }, "bits");
  });
  f([&] { (void)apsp::floyd_warshall(policy, data.arcs.view(), data.device_distances); },
    "graph on the host");
  f(
      [&] {
        (void)apsp::min_plus_product(policy, data.device_weights, data.device_weights,
                                     data.device_distances);
      },
      "product");
  const std::vector graphs{data.device_weights.view()};
  const std::vector results{data.device_distances.view()};
  f([&] { (void)apsp::floyd_warshall(policy, graphs, results); }, "batch");
  f([&] { (void)apsp::summarize_distances(policy, data.device_weights); }, "summary");
}

/// Checks that every call is refused with @p words and leaves no error behind.
struct refusal {
  std::string words;

  template <class F>
  void operator()(F call, const char* name) const {
    BOOST_TEST_CONTEXT(name) {
      check_refused<std::invalid_argument>(call, words);
      check_no_error_is_left();
    }
  }
};

/// Checks that a call leaves no error behind.
struct clean_call {
  template <class F>
  void operator()(F call, const char* name) const {
    BOOST_TEST_CONTEXT(name) {
      BOOST_CHECK_NO_THROW(call());
      check_no_error_is_left();
    }
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_stream_under_capture_is_refused, Policy, policies) {
  call_data data;
  const refusal refused{"got a stream under capture"};
  for (const unsigned flags : {cudaStreamDefault, cudaStreamNonBlocking}) {
    const stream_of_caller stream(flags);
    for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                            cudaStreamCaptureModeRelaxed}) {
      const auto policy = Policy::policy().on(stream.get());
      while_capturing(stream, mode, [&] {
        for_each_host_call(policy, data, refused);
        for_each_device_call(policy, data, refused);
        refused([&] { (void)data.device_weights.to_host(stream.get()); }, "to_host");
        refused([&] { data.device_weights.assign(data.weights, stream.get()); }, "assign");
      });
      BOOST_CHECK(data.distances == apsp::matrix<float>(60, 60, -1.0f));
      for_each_host_call(policy, data, clean_call{});
      for_each_device_call(policy, data, clean_call{});
      BOOST_REQUIRE(apsp::floyd_warshall(policy, data.arcs.view(), data.distances));
      check_distances(data.arcs, data.distances);
      data.distances = apsp::matrix<float>(60, 60, -1.0f);
    }
  }
}

// A stream that is not created as non-blocking synchronizes with the default stream, which is then
// as unusable.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_default_stream_beside_a_capture_is_refused, Policy, policies) {
  call_data data;
  const refusal refused{"got the default stream while a stream that it synchronizes with"};
  const stream_of_caller stream(cudaStreamDefault);
  while_capturing(stream, cudaStreamCaptureModeGlobal, [&] {
    for_each_host_call(Policy::policy().on(cudaStreamLegacy), data, refused);
    for_each_device_call(Policy::policy(), data, refused);
    refused([&] { (void)data.device_weights.to_host(); }, "to_host");
  });
  for_each_host_call(Policy::policy().on(cudaStreamLegacy), data, clean_call{});
  for_each_device_call(Policy::policy(), data, clean_call{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(calls_leave_no_error_behind, Policy, policies) {
  call_data data;
  for_each_host_call(Policy::policy(), data, clean_call{});
  for_each_device_call(Policy::policy(), data, clean_call{});
  // An observed call polls, and a call finds the streams of the one before busy.
  const stream_of_caller stream;
  const auto observed = Policy::policy().stop(std::stop_token{}).on(stream.get());
  for (int i = 0; i < 2; ++i) {
    for_each_device_call(Policy::policy().on(stream.get()), data, clean_call{});
    for_each_host_call(observed, data, clean_call{});
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(failing_calls_leave_no_error_behind, Policy, policies) {
  call_data data;
  const auto graph = data.arcs.view();
  const auto fails = []<class Error>(Error*, auto call) {
    check_refused<Error>(call, "");
    check_no_error_is_left();
  };
  constexpr apsp::device_error* on_the_device = nullptr;
  constexpr std::invalid_argument* in_the_arguments = nullptr;
  fails(on_the_device, [] { return apsp::device_matrix<float>(1, memory_of_device().total); });
  fails(on_the_device, [&] {
    return apsp::floyd_warshall(Policy::policy().memory_limit(1), graph, data.distances);
  });
  int count = 0;
  require_success(cudaGetDeviceCount(&count));
  fails(on_the_device, [&] {
    return apsp::floyd_warshall(Policy::policy().device(count), graph, data.distances);
  });
  // Neither memory of the device nor pinned.
  const apsp::device_matrix_view<float> on_host(data.distances.data(), 60, 60);
  fails(in_the_arguments, [&] { return apsp::floyd_warshall(Policy::policy(), graph, on_host); });
  const arc_list<float> stray{60, {0}, {60}, {1}};
  fails(in_the_arguments,
        [&] { return apsp::floyd_warshall(Policy::policy(), stray.view(), data.distances); });
}
