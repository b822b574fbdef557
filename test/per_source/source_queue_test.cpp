// SPDX-License-Identifier: BSL-1.0
// The queue from which the devices of a call take their sources, used by many host threads as by
// the threads of devices. Each source has a plain counter, so the thread sanitizer reports sources
// that two threads have taken.
#define BOOST_TEST_MODULE source_queue
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <detail/per_source/solver/source_queue.hpp>
#include <exception>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using apsp::detail::source_queue;

constexpr std::size_t num_threads = 8;

/// What the threads of a call have taken.
struct deal {
  explicit deal(std::size_t num_sources) : times_taken(num_sources), batches(num_threads) {}

  std::vector<int> times_taken;
  std::vector<std::vector<source_queue::range>> batches;  ///< of each thread
};

/// Calls work(thread, batch) on every thread for the batches of at most most(thread) sources that
/// it takes, until there is none.
template <class Most, class Work>
void run_threads(source_queue& queue, deal& dealt, Most most, Work work) {
  std::barrier all_started(num_threads);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < num_threads; ++t) {
    threads.emplace_back([&, t] {
      all_started.arrive_and_wait();
      for (;;) {
        const source_queue::range batch = queue.take(most(t));
        if (batch.count == 0) return;
        dealt.batches[t].push_back(batch);
        for (std::size_t i = 0; i < batch.count; ++i) ++dealt.times_taken[batch.first + i];
        if (!work(t, batch)) return;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

std::size_t num_taken(const deal& dealt) {
  return std::accumulate(
      dealt.times_taken.begin(), dealt.times_taken.end(), std::size_t{0},
      [](std::size_t sum, int times) { return sum + static_cast<std::size_t>(times); });
}

template <class Most>
void check_batches(const deal& dealt, Most most) {
  const std::size_t num_sources = dealt.times_taken.size();
  for (std::size_t t = 0; t < num_threads; ++t) {
    std::size_t end = 0;
    for (const auto& [first, count] : dealt.batches[t]) {
      BOOST_REQUIRE_GE(first, end);  // in increasing order
      end = first + count;
      BOOST_REQUIRE_LE(end, num_sources);
      BOOST_REQUIRE(count == most(t) || (count < most(t) && end == num_sources));
    }
  }
}

bool none_is_taken_twice(const deal& dealt) {
  return std::all_of(dealt.times_taken.begin(), dealt.times_taken.end(),
                     [](int times) { return times <= 1; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_source_is_taken_once) {
  const auto of_one = [](std::size_t) { return std::size_t{1}; };
  const auto of_seven = [](std::size_t) { return std::size_t{7}; };
  // Devices choose batches of different sizes.
  const auto of_many = [](std::size_t thread) { return 1 + 13 * thread; };
  const auto check = [](std::size_t num_sources, auto most) {
    source_queue queue(num_sources, num_threads);
    deal dealt(num_sources);
    run_threads(queue, dealt, most, [](std::size_t, const source_queue::range&) { return true; });
    check_batches(dealt, most);
    BOOST_REQUIRE(none_is_taken_twice(dealt));
    BOOST_REQUIRE_EQUAL(num_taken(dealt), num_sources);
    BOOST_REQUIRE_EQUAL(queue.take(1).count, 0u);
  };
  for (int round = 0; round < 5; ++round) {
    for (const std::size_t num_sources : {0, 1, 2, 7, 1000, 4999}) {
      check(num_sources, of_one);
      check(num_sources, of_seven);
      check(num_sources, of_many);
    }
  }
}

BOOST_AUTO_TEST_CASE(shares_are_rounded_up) {
  BOOST_CHECK_EQUAL(source_queue(0, 3).share(), 0u);
  BOOST_CHECK_EQUAL(source_queue(1, 3).share(), 1u);
  BOOST_CHECK_EQUAL(source_queue(9, 3).share(), 3u);
  BOOST_CHECK_EQUAL(source_queue(10, 3).share(), 4u);
  BOOST_CHECK_EQUAL(source_queue(10, 1).share(), 10u);
}

BOOST_AUTO_TEST_CASE(one_batch_may_be_larger_than_all_sources) {
  source_queue queue(10, 2);
  const auto all = queue.take(64);
  BOOST_CHECK(all.first == 0 && all.count == 10);
  BOOST_CHECK_EQUAL(queue.take(64).count, 0u);
  queue.close();
  BOOST_CHECK_EQUAL(queue.take(1).count, 0u);
}

// As after a stop: a thread that has closed the queue receives no other batch.
BOOST_AUTO_TEST_CASE(one_thread_ends_the_call) {
  constexpr std::size_t num_sources = std::size_t{1} << 15;
  const auto most = [](std::size_t thread) { return 1 + thread; };
  for (int round = 0; round < 50; ++round) {
    source_queue queue(num_sources, num_threads);
    deal dealt(num_sources);
    const auto closing = static_cast<std::size_t>(round) % num_threads;
    run_threads(queue, dealt, most, [&](std::size_t thread, const source_queue::range&) {
      if (thread == closing && dealt.batches[thread].size() == 20) queue.close();
      return true;
    });
    check_batches(dealt, most);
    BOOST_REQUIRE(none_is_taken_twice(dealt));
    BOOST_REQUIRE_EQUAL(queue.take(1).count, 0u);
    if (dealt.batches[closing].size() >= 20)
      BOOST_REQUIRE_EQUAL(dealt.batches[closing].size(), 20u);
  }
}

// Several threads fail at the same time: each closes the queue, the first exception counts, and all
// threads end.
BOOST_AUTO_TEST_CASE(exceptions_end_the_call) {
  constexpr std::size_t num_sources = std::size_t{1} << 15;
  const auto most = [](std::size_t) { return std::size_t{3}; };
  int num_failed = 0;
  for (int round = 0; round < 50; ++round) {
    source_queue queue(num_sources, num_threads);
    deal dealt(num_sources);
    std::mutex mutex;
    std::exception_ptr failure;
    run_threads(queue, dealt, most, [&](std::size_t thread, const source_queue::range& batch) {
      try {
        if (thread % 2 == 0 && batch.first >= 100) throw std::runtime_error("not today");
        return true;
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (failure == nullptr) failure = std::current_exception();
        queue.close();
        return false;
      }
    });
    check_batches(dealt, most);
    BOOST_REQUIRE(none_is_taken_twice(dealt));
    BOOST_REQUIRE_EQUAL(queue.take(1).count, 0u);
    BOOST_REQUIRE(failure != nullptr || num_taken(dealt) == num_sources);
    num_failed += failure != nullptr ? 1 : 0;
  }
  BOOST_CHECK_GT(num_failed, 0);
}
