// SPDX-License-Identifier: BSL-1.0
// Calls whose device memory comes from a resource of the program: all is given back, in both forms
// of a resource; results are those with the memory of the library; failures from each allocation
// on.
#define BOOST_TEST_MODULE memory_resource
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

/// Counts allocations, and fails from one of them on. Calls may use it from several threads.
class counting_memory {
 public:
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

  explicit counting_memory(std::size_t failing = never) : failing_(failing) {}
  ~counting_memory() { BOOST_CHECK_EQUAL(sizes_.size(), 0U); }

  std::size_t num_allocations() const { return num_allocations_; }
  std::size_t most_bytes() const { return most_bytes_; }

 protected:
  void* take(std::size_t bytes, std::size_t alignment) {
    const std::lock_guard lock(mutex_);
    if (num_allocations_++ >= failing_) throw std::bad_alloc();
    void* const data = apsp::detail::cuda::allocate_on_device(bytes, -1).data;
    BOOST_CHECK_EQUAL(reinterpret_cast<std::uintptr_t>(data) % alignment, 0U);
    sizes_[data] = bytes;
    bytes_ += bytes;
    most_bytes_ = std::max(most_bytes_, bytes_);
    return data;
  }
  void give_back(void* data, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto known = sizes_.find(data);
    BOOST_REQUIRE(known != sizes_.end());
    BOOST_CHECK_EQUAL(known->second, bytes);
    sizes_.erase(known);
    bytes_ -= bytes;
    // Waits for the device, and so for the stream.
    apsp::detail::cuda::free_on_device({data, apsp::detail::cuda::device_of(data)});
  }

 private:
  std::size_t failing_;
  std::size_t num_allocations_ = 0;
  std::size_t bytes_ = 0;
  std::size_t most_bytes_ = 0;
  std::mutex mutex_;
  std::map<void*, std::size_t> sizes_;
};

/// What a resource gets as its stream, such as `cuda::stream_ref`.
struct any_stream {
  any_stream(CUstream_st* handle) : stream(handle) {}
  CUstream_st* stream;
};

struct resource : counting_memory {
  using counting_memory::counting_memory;
  void* allocate(any_stream, std::size_t bytes, std::size_t alignment) {
    return take(bytes, alignment);
  }
  void deallocate(any_stream, void* data, std::size_t bytes, std::size_t) noexcept {
    give_back(data, bytes);
  }
};
struct resource_before_cccl_3_2 : counting_memory {
  using counting_memory::counting_memory;
  void* allocate_async(std::size_t bytes, std::size_t alignment, any_stream) {
    return take(bytes, alignment);
  }
  void deallocate_async(void* data, std::size_t bytes, std::size_t, any_stream) noexcept {
    give_back(data, bytes);
  }
};
static_assert(apsp::device_memory_resource<resource>);
static_assert(apsp::device_memory_resource<resource_before_cccl_3_2>);
static_assert(!apsp::device_memory_resource<counting_memory>);

/// The results of a call, in any order of types.
using numbers = std::vector<double>;

template <class M>
void append(numbers& all, const M& matrix) {
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t j = 0; j < matrix.cols(); ++j) {
      all.push_back(static_cast<double>(matrix(i, j)));
    }
  }
}

/// Calls of all families, each as a function of a policy.
template <class Policy>
std::vector<std::pair<std::string, std::function<numbers(const Policy&)>>> all_calls() {
  static const auto sparse = random_graph<std::int32_t>(300, 0.02, 1, 99, 5);
  static const auto dense = random_graph<float>(200, 0.9, 1, 99, 6);
  static const std::vector<std::size_t> sources{3, 1, 250, 17, 3};
  const auto rows = [](auto solve) {
    return [solve](const Policy& policy) {
      apsp::matrix<std::int32_t> distances(sources.size(), sparse.n);
      apsp::matrix<std::int32_t> predecessors(sources.size(), sparse.n);
      BOOST_REQUIRE(solve(policy, distances, predecessors));
      numbers found;
      append(found, distances);
      return found;
    };
  };
  return {
      {"floyd_warshall",
       [](const Policy& policy) {
         apsp::matrix<float> distances(dense.n);
         apsp::matrix<std::int32_t> predecessors(dense.n);
         BOOST_REQUIRE(apsp::floyd_warshall(policy, dense.view(), distances, predecessors));
         numbers found;
         append(found, distances);
         return found;
       }},
      {"floyd_warshall in device memory",
       [](const Policy& policy) {
         apsp::device_matrix<float> distances(dense.n, dense.n);
         BOOST_REQUIRE(apsp::floyd_warshall(policy, dense.view(), distances));
         numbers found;
         append(found, distances.to_host());
         return found;
       }},
      {"repeated_squaring",
       [](const Policy& policy) {
         apsp::matrix<float> distances(dense.n);
         BOOST_REQUIRE(apsp::repeated_squaring(policy, dense.view(), distances));
         numbers found;
         append(found, distances);
         return found;
       }},
      {"dijkstra", rows([](const auto& policy, auto& d, auto& p) {
         return apsp::dijkstra(policy, sparse.view(), sources, d, p);
       })},
      {"bellman_ford", rows([](const auto& policy, auto& d, auto& p) {
         return apsp::bellman_ford(policy, sparse.view(), sources, d, p);
       })},
      {"elimination", rows([](const auto& policy, auto& d, auto& p) {
         return apsp::elimination(policy, sparse.view(), sources, d, p);
       })},
      {"batch",
       [](const Policy& policy) {
         const std::vector graphs{sparse.view(), sparse.view()};
         std::vector<apsp::matrix<std::int32_t>> all(2, apsp::matrix<std::int32_t>(sparse.n));
         for (const auto& one : apsp::floyd_warshall(policy, graphs, all)) BOOST_REQUIRE(one);
         numbers found;
         for (const auto& one : all) append(found, one);
         return found;
       }},
      {"transitive_closure",
       [](const Policy& policy) {
         apsp::bit_matrix reached(sparse.n);
         BOOST_REQUIRE(apsp::transitive_closure(policy, sparse.view(), reached));
         numbers found;
         for (std::size_t u = 0; u < sparse.n; ++u) {
           for (std::size_t v = 0; v < sparse.n; ++v) found.push_back(reached(u, v) ? 1 : 0);
         }
         return found;
       }},
      {"summarize_paths",
       [](const Policy& policy) {
         numbers found;
         const auto summary = apsp::summarize_paths(policy, sparse.view());
         for (const auto& s : summary.sources()) {
           found.push_back(static_cast<double>(s.sum));
           found.push_back(s.eccentricity);
         }
         return found;
       }},
      {"accessibility",
       [](const Policy& policy) {
         const std::vector<double> amounts(sparse.n, 2);
         std::vector<double> sums(sparse.n);
         BOOST_REQUIRE(
             apsp::accessibility(policy, sparse.view(), amounts, apsp::within(120), sums));
         return sums;
       }},
      {"betweenness",
       [](const Policy& policy) {
         std::vector<double> scores(sparse.n);
         BOOST_REQUIRE(apsp::betweenness(policy, sparse.view(), scores));
         return scores;
       }},
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(memory_is_from_the_resource, P, policies) {
  using policy = decltype(P::policy());
  for (const auto& [name, call] : all_calls<policy>()) {
    BOOST_TEST_CONTEXT(name) {
      const numbers expected = call(P::policy());
      resource first;
      BOOST_CHECK(call(P::policy().memory(first)) == expected);
      BOOST_CHECK_GT(first.num_allocations(), 0U);
      resource_before_cccl_3_2 second;
      BOOST_CHECK(call(P::policy().memory(second)) == expected);
      BOOST_CHECK_EQUAL(second.num_allocations(), first.num_allocations());
      // The next call of the thread has none.
      BOOST_CHECK(call(P::policy()) == expected);
      BOOST_CHECK_EQUAL(second.num_allocations(), first.num_allocations());
    }
  }
}

// A call throws, and has given all memory back.
BOOST_AUTO_TEST_CASE_TEMPLATE(each_allocation_fails, P, policies) {
  using policy = decltype(P::policy());
  for (const auto& [name, call] : all_calls<policy>()) {
    BOOST_TEST_CONTEXT(name) {
      const numbers expected = call(P::policy());
      std::size_t num_failures = 0;
      for (std::size_t k = 0;; ++k) {
        resource failing(k);
        try {
          BOOST_CHECK(call(P::policy().memory(failing)) == expected);
          BOOST_CHECK_LE(failing.num_allocations(), k);
        } catch (const apsp::device_error&) {
          ++num_failures;
        }
        if (failing.num_allocations() <= k) break;
      }
      BOOST_CHECK_GT(num_failures, 0U);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(limits, P, policies) {
  const auto g = random_graph<float>(500, 0.05, 1, 99, 7);
  apsp::matrix<float> expected(g.n);
  BOOST_REQUIRE(apsp::bellman_ford(P::policy(), g.view(), expected));
  resource own;
  apsp::matrix<float> found(g.n);
  constexpr std::size_t most = std::size_t{1} << 20;
  BOOST_REQUIRE(apsp::bellman_ford(P::policy().memory(own).memory_limit(most), g.view(), found));
  BOOST_CHECK(found == expected);
  BOOST_CHECK_LE(own.most_bytes(), most);
  const auto call = [&] {
    return apsp::bellman_ford(P::policy().memory(own).memory_limit(1000), g.view(), found);
  };
  BOOST_CHECK_THROW(static_cast<void>(call()), apsp::device_error);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_resource_has_one_device, P, policies) {
  const auto g = random_graph<float>(20, 0.5, 1, 9, 8);
  resource own;
  apsp::matrix<float> distances(g.n);
  const auto call = [&] {
    return apsp::floyd_warshall(P::policy().memory(own).devices({0, 0}), g.view(), distances);
  };
  BOOST_CHECK_THROW(static_cast<void>(call()), std::invalid_argument);
  BOOST_CHECK_EQUAL(own.num_allocations(), 0U);
}
