// SPDX-License-Identifier: BSL-1.0
// Tests of the CUDA policies apart from their results: streams, the selected device, memory, and
// errors of other code. Built only with CUDA, and skipped without a GPU.
#define BOOST_TEST_MODULE device
#include <boost/test/unit_test.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <apsp/device_matrix.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/error.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <apsp/unreachable.hpp>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <thread>
#include <vector>

#include "../common/device_memory.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

/// Keeps a stream at work until @p is_released, an atomic bool, is true, but at most for ten
/// seconds.
void CUDART_CB wait_for_release(void* is_released) {
  for (int i = 0; i < 1000 && !*static_cast<std::atomic<bool>*>(is_released); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

cudaMemPool_t pool_of_program() {
  int device = 0;
  require_success(cudaGetDevice(&device));
  cudaMemPool_t pool = nullptr;
  require_success(cudaDeviceGetMemPool(&pool, device));
  return pool;
}
/// Sets the release threshold of the program's memory pool for the lifetime of the object.
class pool_that_keeps {
 public:
  explicit pool_that_keeps(std::uint64_t bytes) : pool_(pool_of_program()) {
    require_success(set(bytes));
  }
  ~pool_that_keeps() { set(0); }
  pool_that_keeps(const pool_that_keeps&) = delete;
  pool_that_keeps& operator=(const pool_that_keeps&) = delete;

 private:
  cudaError_t set(std::uint64_t bytes) {
    return cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &bytes);
  }

  cudaMemPool_t pool_;
};

/// Takes the memory of the device but for @p bytes_left, as other work of the program would.
class taken_memory {
 public:
  explicit taken_memory(std::size_t bytes_left) {
    release_kept_memory();
    const std::size_t free_bytes = memory_of_device().free;
    BOOST_REQUIRE_GT(free_bytes, 2 * bytes_left);
    require_success(cudaMalloc(&data_, free_bytes - bytes_left));
  }
  ~taken_memory() { cudaFree(data_); }
  taken_memory(const taken_memory&) = delete;
  taken_memory& operator=(const taken_memory&) = delete;

  void give_back() {
    require_success(cudaFree(data_));
    data_ = nullptr;
  }

 private:
  void* data_ = nullptr;
};

/// The vertices of a graph whose matrix is a large part of the memory that is left.
template <class Policy>
constexpr std::size_t filling = is_slow<Policy> ? 6000 : 12000;

// Large enough to be transferred in several pieces.
arc_list<float> large_graph() {
  return random_graph<float>(800, 0.01, 1, 99, 51);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(memory_is_kept_until_it_is_needed, Policy, policies) {
  constexpr std::size_t n = filling<Policy> / 2;
  constexpr std::size_t bytes = n * n * sizeof(float);
  const apsp::matrix<float> weights(n, n, 1.0f);
  apsp::matrix<float> d(n);
  const auto free_after_a_call = [&] {
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), weights, d));
    return memory_of_device().free;
  };
  free_after_a_call();  // Loads the kernels.
  release_kept_memory();
  const std::size_t before = memory_of_device().free;
  const std::size_t after = free_after_a_call();
  BOOST_TEST(after + bytes / 2 <= before);
  BOOST_TEST(free_after_a_call() == after);
  release_kept_memory();
  BOOST_TEST(memory_of_device().free == before);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(streams_of_the_caller, Policy, policies) {
  const auto g = large_graph();
  on_every_stream([&](cudaStream_t stream) {
    apsp::matrix<float> d(g.n);
    apsp::matrix<int> p(g.n);
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy().on(stream), g.view(), d, p));
    check_distances(g, d);
    check_predecessors(g, d, p);
  });
}

namespace {

/// A result in device memory that is read in the order of a stream, by way of a copy.
template <class T>
class result_on_stream {
 public:
  /// @param before  all entries before a call.
  result_on_stream(std::size_t rows, std::size_t columns, T before = -7)
      : before_(rows, columns, before), matrix_(rows, columns), read_(rows, columns) {}

  apsp::device_matrix<T>& matrix() { return matrix_; }
  void forget() {
    matrix_.assign(before_);
    read_.assign(before_);
  }
  apsp::matrix<T> read(cudaStream_t stream) {
    copy_on(stream, matrix_, read_);
    return read_.to_host(stream);
  }

 private:
  apsp::matrix<T> before_;
  apsp::device_matrix<T> matrix_;
  apsp::device_matrix<T> read_;
};

/// Calls solve(policy, graph) with a policy on a stream, on which the entries of a graph arrive
/// late, and then check(stream), which reads the results. There is no synchronisation between them.
template <class Policy, class Solve, class Check, class... Results>
void in_the_order_of_streams(const apsp::matrix<float>& entries, Solve solve, Check check,
                             Results&... results) {
  const apsp::device_matrix<float> source(entries);
  apsp::device_matrix<float> graph(entries.rows(), entries.cols());
  on_every_stream([&](cudaStream_t stream) {
    graph.assign(apsp::matrix<float>(entries.rows(), entries.cols(), -7));
    (results.forget(), ...);
    copy_late_on(stream, source, graph);
    solve(Policy::policy().on(stream), graph);
    check(stream);
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(device_memory_in_the_order_of_a_stream, Policy, policies) {
  const auto g = large_graph();
  result_on_stream<float> result(g.n, g.n);
  in_the_order_of_streams<Policy>(
      dense_form(g),
      [&](const auto& policy, const auto& graph) {
        BOOST_REQUIRE(apsp::floyd_warshall(policy, graph, result.matrix()));
      },
      [&](cudaStream_t stream) { check_distances(g, result.read(stream)); }, result);
}

// The same for many graphs: slices of one array, the last of which is solved by a call of its own.
BOOST_AUTO_TEST_CASE_TEMPLATE(batches_in_the_order_of_a_stream, Policy, policies) {
  constexpr std::size_t sizes[] = {40, 130, 260};
  constexpr std::size_t extent = 260;
  std::vector<arc_list<float>> graphs;
  apsp::matrix<float> entries(std::size(sizes) * extent, extent, apsp::unreachable<float>);
  for (std::size_t i = 0; i < std::size(sizes); ++i) {
    graphs.push_back(random_graph<float>(sizes[i], 0.1, 1, 50, i));
    const auto dense = dense_form(graphs[i]);
    for (std::size_t u = 0; u < sizes[i]; ++u) {
      std::copy_n(dense[u], sizes[i], entries[i * extent + u]);
    }
  }
  result_on_stream<float> result(entries.rows(), extent);
  in_the_order_of_streams<Policy>(
      entries,
      [&](const auto& policy, auto& array) {
        std::vector<apsp::device_matrix_view<float>> slices;
        for (std::size_t i = 0; i < std::size(sizes); ++i) {
          slices.emplace_back(array.data() + i * extent * extent, sizes[i], sizes[i], extent);
        }
        for (const auto& done : apsp::floyd_warshall(policy, slices, slices)) BOOST_REQUIRE(done);
        copy_on(policy.stream(), array, result.matrix());
      },
      [&](cudaStream_t stream) {
        const auto found = result.read(stream);
        for (std::size_t i = 0; i < std::size(sizes); ++i) {
          apsp::matrix<float> distances(sizes[i]);
          for (std::size_t u = 0; u < sizes[i]; ++u) {
            std::copy_n(found[i * extent + u], sizes[i], distances[u]);
          }
          check_distances(graphs[i], distances);
        }
      },
      result);
}

// The same for single sources, with rows finished by kernels or, for negative weights, by the host.
BOOST_AUTO_TEST_CASE_TEMPLATE(rows_in_the_order_of_a_stream, Policy, policies) {
  for (const auto& g :
       {random_graph<float>(300, 0.02, 1, 99, 52), negative_graph<float>(300, 0.02, 53)}) {
    std::vector<std::size_t> sources{5, 0, 5};
    for (std::size_t v = 0; v < g.n; v += 3) sources.push_back(v);
    const auto expected = oracle_rows(g, sources);
    BOOST_REQUIRE(expected.has_value());
    result_on_stream<float> rows(sources.size(), g.n);
    result_on_stream<int> hops(sources.size(), g.n);
    in_the_order_of_streams<Policy>(
        dense_form(g),
        [&](const auto& policy, const auto& graph) {
          BOOST_REQUIRE(apsp::johnson(policy, graph, sources, rows.matrix(), hops.matrix()));
        },
        [&](cudaStream_t stream) {
          const auto d = rows.read(stream);
          check_rows<float>(*expected, d);
          check_trees<float>(lightest_arcs(g), sources, d, hops.read(stream));
        },
        rows, hops);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(products_in_the_order_of_a_stream, Policy, policies) {
  for (const std::size_t n : {640, 700}) {
    result_on_stream<float> result(n, n, 9);
    in_the_order_of_streams<Policy>(
        apsp::matrix<float>(n, n, 2),
        [&](const auto& policy, const auto& factor) {
          BOOST_REQUIRE(apsp::min_plus_product(policy, factor, factor, result.matrix()));
        },
        [&](cudaStream_t stream) {
          BOOST_CHECK(result.read(stream) == apsp::matrix<float>(n, n, 4));
        },
        result);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(threads_with_streams, Policy, policies) {
  const auto g = large_graph();
  std::vector<apsp::matrix<float>> all(6);
  std::vector<std::thread> threads;
  for (auto& d : all) {
    threads.emplace_back([&] {
      cudaStream_t stream = nullptr;
      cudaStreamCreate(&stream);
      d = apsp::matrix<float>(g.n);
      static_cast<void>(apsp::floyd_warshall(Policy::policy().on(stream), g.view(), d));
      cudaStreamDestroy(stream);
    });
  }
  for (auto& thread : threads) thread.join();
  check_distances(g, all.front());
  for (const auto& d : all) BOOST_CHECK(d == all.front());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_selected_device_stays, Policy, policies) {
  int count = 0;
  require_success(cudaGetDeviceCount(&count));
  const auto g = random_graph<float>(100, 0.1, 1, 9, 1);
  for (int current = 0; current < count; ++current) {
    require_success(cudaSetDevice(current));
    for (int device = 0; device < count; ++device) {
      apsp::matrix<float> d(g.n);
      BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy().device(device), g.view(), d));
      check_distances(g, d);
      int now = -1;
      require_success(cudaGetDevice(&now));
      BOOST_CHECK_EQUAL(now, current);
    }
  }
  require_success(cudaSetDevice(0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(too_little_memory, Policy, policies) {
  // Leave less memory than the matrix needs.
  constexpr std::size_t n = filling<Policy>;
  apsp::matrix<float> d(n, n, 42.0f);
  taken_memory others(n * n * sizeof(float) / 2);
  const arc_list<float> g{n, {0, 1}, {0, 1}, {1, 1}};
  try {
    static_cast<void>(apsp::floyd_warshall(Policy::policy().in_core(), g.view(), d));
    BOOST_ERROR("nothing was thrown");
  } catch (const apsp::device_error& error) {
    BOOST_CHECK_GE(error.bytes_needed(), n * n * sizeof(float));
    BOOST_CHECK_LT(error.bytes_free(), error.bytes_needed());
  }
  BOOST_CHECK(std::all_of(d.begin(), d.end(), [](float x) { return x == 42.0f; }));
  others.give_back();
  BOOST_CHECK(apsp::floyd_warshall(Policy::policy(), g.view(), d));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_call_after_the_other_fills_the_memory, Policy, policies) {
  constexpr std::size_t n = filling<Policy>;
  constexpr std::size_t bytes_left = n * n * sizeof(float) * 3 / 2;
  apsp::matrix<float> d(n);
  taken_memory others(bytes_left);
  const arc_list<float> g{n, {0, 1}, {0, 1}, {1, 1}};
  for (int i = 0; i < 3; ++i) {
    BOOST_CHECK_NO_THROW(static_cast<void>(apsp::floyd_warshall(Policy::policy(), g.view(), d)));
  }
  others.give_back();
}

// Memory freed on a caller's stream is used by the next call, on another stream.
BOOST_AUTO_TEST_CASE(calls_on_streams_fill_the_memory) {
  constexpr std::size_t n = 12000;
  constexpr std::size_t bytes_left = n * n * sizeof(float) * 3 / 2;
  apsp::device_matrix<float> d(n);
  taken_memory others(bytes_left);
  const arc_list<float> g{n, {0, 1}, {0, 1}, {1, 1}};
  std::vector<cudaStream_t> streams(3);
  for (cudaStream_t& stream : streams) {
    require_success(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    BOOST_CHECK_NO_THROW(static_cast<void>(
        apsp::floyd_warshall(apsp::cuda_tiled.on(stream).required(), g.view(), d)));
  }
  require_success(cudaDeviceSynchronize());
  for (const cudaStream_t stream : streams) require_success(cudaStreamDestroy(stream));
  others.give_back();
}

// A call that has too little memory waits for other calls, but not for other work of the program.
BOOST_AUTO_TEST_CASE_TEMPLATE(too_little_memory_beside_other_work, Policy, policies) {
  constexpr std::size_t n = 12000;
  apsp::matrix<float> d(n);
  taken_memory others(std::size_t{1} << 28);
  cudaStream_t other = nullptr;
  require_success(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  std::atomic<bool> is_released{false};
  require_success(cudaLaunchHostFunc(other, wait_for_release, &is_released));
  const arc_list<float> g{n, {0, 1}, {0, 1}, {1, 1}};
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::floyd_warshall(Policy::policy().in_core(), g.view(), d)),
      apsp::device_error);
  BOOST_CHECK(cudaStreamQuery(other) == cudaErrorNotReady);
  static_cast<void>(cudaGetLastError());
  is_released = true;
  require_success(cudaStreamSynchronize(other));
  require_success(cudaStreamDestroy(other));
  others.give_back();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(errors_of_others_are_not_ours, Policy, policies) {
  void* nothing = nullptr;
  BOOST_REQUIRE(cudaMalloc(&nothing, std::size_t{1} << 60) !=
                cudaSuccess);  // the error is not cleared
  const auto g = random_graph<std::int32_t>(200, 0.1, 1, 9, 1);
  apsp::matrix<std::int32_t> d(g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), g.view(), d));
  check_distances(g, d);
  static_cast<void>(cudaGetLastError());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(memory_comes_from_the_pool_of_a_program_that_keeps_some, Policy,
                              policies) {
  const auto g = random_graph<float>(100, 0.1, 1, 99, 52);
  const auto bytes_of_a_call = [&] {
    std::uint64_t none = 0;
    require_success(cudaMemPoolSetAttribute(pool_of_program(), cudaMemPoolAttrUsedMemHigh, &none));
    apsp::matrix<float> d(g.n);
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), g.view(), d));
    check_distances(g, d);
    std::uint64_t most = 0;
    require_success(cudaMemPoolGetAttribute(pool_of_program(), cudaMemPoolAttrUsedMemHigh, &most));
    return most;
  };
  {
    const pool_that_keeps some(1);
    BOOST_TEST(bytes_of_a_call() >= g.n * g.n * sizeof(float));
  }
  BOOST_TEST(bytes_of_a_call() == 0);
}

BOOST_AUTO_TEST_CASE(a_call_does_not_wait_for_another_on_its_way) {
  constexpr std::size_t n = 16000;
  const auto small = random_graph<float>(1000, 0.01, 1, 99, 54);
  const arc_list<float> g{n, {0, 1}, {0, 1}, {1, 1}};
  apsp::device_matrix<float> large(n, n);
  cudaStream_t stream = nullptr;
  cudaEvent_t large_is_done = nullptr;
  require_success(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  require_success(cudaEventCreateWithFlags(&large_is_done, cudaEventDisableTiming));
  apsp::matrix<float> d(small.n);
  const auto solve_small = [&] {
    BOOST_REQUIRE(apsp::dijkstra(apsp::cuda_tiled.required(), small.view(), d));
  };
  solve_small();  // loads the kernels
  // The remaining work takes about 0.3 s on an H200.
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::cuda_tiled.on(stream).required(), g.view(), large));
  require_success(cudaEventRecord(large_is_done, stream));
  BOOST_REQUIRE(cudaEventQuery(large_is_done) == cudaErrorNotReady);
  static_cast<void>(cudaGetLastError());
  solve_small();
  BOOST_CHECK(cudaEventQuery(large_is_done) == cudaErrorNotReady);
  static_cast<void>(cudaGetLastError());
  check_distances(small, d);
  require_success(cudaStreamSynchronize(stream));
  require_success(cudaEventDestroy(large_is_done));
  require_success(cudaStreamDestroy(stream));
}

// The last test, since the reset frees what other tests may hold.
BOOST_AUTO_TEST_CASE_TEMPLATE(calls_after_a_reset_of_the_device, Policy, policies) {
  const auto g = random_graph<float>(100, 0.1, 1, 99, 53);
  for (int i = 0; i < 3; ++i) {
    apsp::matrix<float> d(g.n);
    apsp::matrix<float> e(g.n);
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), g.view(), d));
    check_distances(g, d);
    BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), g.view(), e));
    check_distances(g, e);
    require_success(cudaDeviceReset());
  }
}
