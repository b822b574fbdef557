// SPDX-License-Identifier: BSL-1.0
// Concurrent calls from several threads, each of another algorithm on another graph: on one device,
// with and without a stream per thread, and on the host. All sums are exact, so results are
// compared bit for bit to those of `seq`, which are compared to Boost's first.
#define BOOST_TEST_MODULE concurrent_calls
#include <boost/test/unit_test.hpp>

#ifdef APSP_TEST_ON_DEVICE
#include <cuda_runtime_api.h>
#endif

#include <algorithm>
#include <apsp/bellman_ford.hpp>
#include <apsp/bit_matrix.hpp>
#include <apsp/dense.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/transitive_closure.hpp>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "../common/batches.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"
#include "../common/summaries.hpp"

using namespace apsp_test;

namespace {

#ifdef APSP_TEST_ON_DEVICE
constexpr std::size_t num_threads = 8;
constexpr std::size_t num_rounds = is_short ? 10 : 30;
#else
constexpr std::size_t num_threads = 4;
constexpr std::size_t num_rounds = 3;
#endif

/// The expected results of all algorithms on a set of graphs.
template <class T>
class task {
 public:
  static constexpr std::size_t num_kinds = 10;
  static constexpr const char* names[num_kinds] = {
      "floyd_warshall",     "floyd_warshall with predecessors",
      "repeated_squaring",  "dijkstra",
      "bellman_ford",       "johnson",
      "for_each_row",       "batch",
      "transitive_closure", "product and summary"};

  explicit task(std::uint64_t seed)
      : seed_(seed),
        dense_(random_graph<T>(200 + 37 * (seed % 4), 0.2, 1, 99, seed)),
        sparse_(random_graph<T>(150 + 50 * (seed % 4), 0.03, 0, 50, seed + 100)),
        negative_(negative_graph<T>(120 + 30 * (seed % 4), 0.05, seed + 200)),
        dense_distances_(solved(dense_)),
        sparse_distances_(solved(sparse_)),
        negative_distances_(solved(negative_)),
        factor_(dense_form(dense_)),
        product_(factor_),
        bits_(sparse_.n),
        summary_(apsp::summarize_paths(apsp::seq, sparse_.view())) {
    BOOST_REQUIRE(apsp::min_plus_product(apsp::seq, factor_, factor_, product_));
    for (std::size_t u = 0; u < sparse_.n; ++u) {
      for (std::size_t v = 0; v < sparse_.n; ++v) {
        bits_.set(u, v, sparse_distances_[u][v] != apsp::unreachable<T>);
      }
    }
    for (std::size_t i = 0; i < 40; ++i) {
      small_.push_back(random_graph<T>(1 + (seed + 7 * i) % 60, 0.2, 0, 99, seed + 300 + i));
      small_distances_.push_back(solved(small_.back()));
    }
    for (std::size_t v = seed % 3; v < negative_.n; v += 2) sources_.push_back(v);
  }

  std::uint64_t seed() const { return seed_; }

  /// @throws std::logic_error if a result is wrong, or the exception of the library. The macros of
  /// Boost.Test are not thread-safe.
  template <class Policy>
  void run(std::size_t kind, const Policy& policy) const {
    apsp::matrix<T> d(dense_.n);
    apsp::matrix<T> e(sparse_.n);
    apsp::matrix<T> f(sources_.size(), negative_.n);
    apsp::matrix<T> g(negative_.n);
    switch (kind) {
      case 0:
        require(bool(apsp::floyd_warshall(policy, dense_.view(), d)) && d == dense_distances_);
        break;
      case 1: {
        apsp::matrix<std::int32_t> p(negative_.n);
        require(bool(apsp::floyd_warshall(policy, negative_.view(), g, p)));
        require(g == negative_distances_ && are_last_hops(p));
        break;
      }
      case 2:
        require(bool(apsp::repeated_squaring(policy, dense_.view(), d)) && d == dense_distances_);
        break;
      case 3:
        require(bool(apsp::dijkstra(policy, sparse_.view(), e)) && e == sparse_distances_);
        break;
      case 4:
        require(bool(apsp::bellman_ford(policy, negative_.view(), sources_, f)));
        require_rows(f);
        break;
      case 5:
        require(bool(apsp::johnson(policy, negative_.view(), g)) && g == negative_distances_);
        break;
      case 6: {
        std::size_t row = 0;
        const auto take = [&](std::size_t s, std::span<const T> distances) {
          ++row;
          require(std::equal(distances.begin(), distances.end(), negative_distances_[s]));
        };
        require(bool(apsp::for_each_row(policy, negative_.view(), sources_, take)));
        require(row == sources_.size());
        break;
      }
      case 7: {
        auto all = matrices_for(small_);
        const auto done = apsp::floyd_warshall(policy, views(small_), all);
        for (const apsp::result& one : done) require(bool(one));
        require(all == small_distances_);
        break;
      }
      case 8: {
        apsp::bit_matrix bits(sparse_.n);
        require(bool(apsp::transitive_closure(policy, sparse_.view(), bits)) && bits == bits_);
        break;
      }
      default: {
        d = factor_;
        require(bool(apsp::min_plus_product(policy, factor_, factor_, d)) && d == product_);
        const auto summary = apsp::summarize_distances(policy, sparse_distances_);
        require(bool(summary));
        for (std::size_t v = 0; v < sparse_.n; ++v) {
          require(summary[v].sum == summary_[v].sum && summary[v].farthest == summary_[v].farthest);
        }
      }
    }
  }

 private:
  static void require(bool holds) {
    if (!holds) throw std::logic_error("another answer than that of seq");
  }

  static apsp::matrix<T> solved(const arc_list<T>& arcs) {
    apsp::matrix<T> distances(arcs.n);
    BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, arcs.view(), distances));
    check_distances(arcs, distances);
    return distances;
  }

  void require_rows(const apsp::matrix<T>& rows) const {
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      require(std::equal(rows[i], rows[i] + negative_.n, negative_distances_[sources_[i]]));
    }
  }

  bool are_last_hops(const apsp::matrix<std::int32_t>& predecessors) const {
    const auto lightest = dense_form(negative_);
    const auto& distances = negative_distances_;
    for (std::size_t u = 0; u < negative_.n; ++u) {
      for (std::size_t v = 0; v < negative_.n; ++v) {
        const std::int32_t p = predecessors[u][v];
        const bool is_root = u == v || distances[u][v] == apsp::unreachable<T>;
        if ((p == -1) != is_root) return false;
        if (is_root) continue;
        const T last = lightest[static_cast<std::size_t>(p)][v];
        if (last == apsp::unreachable<T>) return false;
        if (distances[u][static_cast<std::size_t>(p)] + last != distances[u][v]) return false;
      }
    }
    return true;
  }

  std::uint64_t seed_;
  arc_list<T> dense_;
  arc_list<T> sparse_;
  arc_list<T> negative_;
  apsp::matrix<T> dense_distances_;
  apsp::matrix<T> sparse_distances_;
  apsp::matrix<T> negative_distances_;
  apsp::matrix<T> factor_;
  apsp::matrix<T> product_;
  apsp::bit_matrix bits_;
  apsp::distance_summary<T> summary_;
  std::vector<arc_list<T>> small_;
  std::vector<apsp::matrix<T>> small_distances_;
  std::vector<std::size_t> sources_;
};

template <class T>
const std::vector<task<T>>& tasks() {
  static const std::vector<task<T>> all = [] {
    std::vector<task<T>> made;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) made.emplace_back(seed);
    return made;
  }();
  return all;
}

/// Calls work(thread) on all threads at once, and reports their exceptions.
template <class Work>
void run_on_threads(Work work) {
  std::vector<std::string> wrong(num_threads);
  std::atomic<std::size_t> ready = 0;
  std::vector<std::thread> threads;
  const auto start = [&](std::size_t t) {
    threads.emplace_back([&, t] {
      // Wait for all threads, so that none has finished before the last one starts.
      for (++ready; ready < num_threads;) std::this_thread::yield();
      try {
        work(t);
      } catch (const std::exception& error) {
        wrong[t] = error.what();
      }
    });
  };
  try {
    for (std::size_t t = 0; t < num_threads; ++t) start(t);
  } catch (const std::exception& error) {
    BOOST_ERROR("thread " << threads.size() << " does not start: " << error.what());
    // If a thread cannot be started, release those that wait.
    ready = num_threads;
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < num_threads; ++t) {
    BOOST_CHECK_MESSAGE(wrong[t].empty(), "thread " << t << ": " << wrong[t]);
  }
}

/// The work of one thread: all algorithms, graph after graph, in a different order per thread.
template <class T, class Policy>
void run_all(std::size_t thread, const Policy& policy) {
  const auto& all = tasks<T>();
  for (std::size_t i = 0; i < num_rounds * task<T>::num_kinds; ++i) {
    const std::size_t kind = (i + 3 * thread) % task<T>::num_kinds;
    const auto& one = all[(i + thread) % all.size()];
    try {
      one.run(kind, policy);
    } catch (const std::exception& error) {
      throw std::runtime_error(std::string(task<T>::names[kind]) +
                               ", seed = " + std::to_string(one.seed()) + ", call " +
                               std::to_string(i) + ": " + error.what());
    }
  }
}

#ifdef APSP_TEST_ON_DEVICE
class own_stream {
 public:
  own_stream() {
    if (cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking) != cudaSuccess) {
      throw std::runtime_error("no stream");
    }
  }
  own_stream(const own_stream&) = delete;
  own_stream& operator=(const own_stream&) = delete;
  ~own_stream() { cudaStreamDestroy(stream_); }

  template <class Policy>
  Policy on(const Policy& policy) const {
    return policy.on(stream_);
  }

 private:
  cudaStream_t stream_ = nullptr;
};

constexpr auto one_policy = required_cuda_naive::policy();
constexpr auto other_policy = required_cuda_tiled::policy();
#else
// There are no streams on the host.
struct own_stream {
  template <class Policy>
  Policy on(const Policy& policy) const {
    return policy;
  }
};

constexpr auto one_policy = seq::policy();
constexpr auto other_policy = omp_3_threads::policy();
#endif

using exact_types = std::tuple<std::int32_t, float>;
using policies_and_types = with_policies<with, exact_types>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(without_streams, With, policies_and_types) {
  using T = typename With::weight;
  static_cast<void>(tasks<T>());
  run_on_threads([](std::size_t thread) { run_all<T>(thread, With::policy()); });
}

// Every second thread has a stream, and every second pair of threads uses the other kernels.
BOOST_AUTO_TEST_CASE_TEMPLATE(streams_and_policies_mixed, T, exact_types) {
  static_cast<void>(tasks<T>());
  run_on_threads([](std::size_t thread) {
    const bool is_one = thread % 4 < 2;
    if (thread % 2 == 0) {
      return is_one ? run_all<T>(thread, one_policy) : run_all<T>(thread, other_policy);
    }
    const own_stream stream;
    return is_one ? run_all<T>(thread, stream.on(one_policy))
                  : run_all<T>(thread, stream.on(other_policy));
  });
}
