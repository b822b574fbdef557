// SPDX-License-Identifier: BSL-1.0
// Tests of `progress` and `stop` for every policy, and of setters of policies.
#define BOOST_TEST_MODULE observation
#include <boost/test/unit_test.hpp>

#include <apsp/floyd_warshall.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/matrix.hpp>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <ostream>
#include <semaphore>
#include <span>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/methods.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

/// A call: of an algorithm, with predecessors or without, or of `for_each_row`.
struct task {
  apsp::algorithm method;
  enum { distances, with_predecessors, by_rows } results = distances;
};
constexpr std::array tasks = {task{apsp::algorithm::floyd_warshall},
                              task{apsp::algorithm::floyd_warshall, task::with_predecessors},
                              task{apsp::algorithm::dijkstra},
                              task{apsp::algorithm::bellman_ford},
                              task{apsp::algorithm::johnson},
                              task{apsp::algorithm::dijkstra, task::by_rows}};

std::ostream& operator<<(std::ostream& out, const task& t) {
  if (t.results == task::by_rows) return out << "for_each_row";
  return out << to_string(t.method)
             << (t.results == task::with_predecessors ? " with predecessors" : "");
}

bool is_floyd_warshall(const task& t) {
  return t.method == apsp::algorithm::floyd_warshall;
}

// Copies the distances to the host, even if the call has not written all of them.
template <class Place, class Policy, class T>
apsp::result run_in(const task& t, const Policy& policy, const arc_list<T>& g,
                    apsp::matrix<T>& distances) {
  auto d = wrong_results<Place, T>(g.n);
  const auto solve = [&](const auto& graph) {
    if (t.results == task::with_predecessors) {
      auto p = wrong_results<Place, std::int32_t>(g.n);
      return run_all_pairs(t.method, policy, graph, d, p);
    }
    if (t.results == task::distances) return run_all_pairs(t.method, policy, graph, d);
    apsp::matrix<T> rows(g.n);
    const auto done = apsp::for_each_row(policy, graph, all_vertices(g.n),
                                         [&](std::size_t source, std::span<const T> row) {
                                           std::copy(row.begin(), row.end(), rows[source]);
                                         });
    d = Place::results::put(rows);
    return done;
  };
  const auto done = Place::graphs::in_one_form(g, solve);
  distances = to_host(d);
  return done;
}
template <class Policy, class T>
apsp::result run(const task& t, const Policy& policy, const arc_list<T>& g, apsp::matrix<T>& d) {
  return run_in<place<host_memory>>(t, policy, g, d);
}

// Several tiles of every kernel, and not a multiple of any tile size.
constexpr std::size_t n = 300;
const arc_list<std::int32_t>& sample() {
  static const auto g = random_graph<std::int32_t>(n, 0.05, 1, 99, 61);
  return g;
}

struct step {
  std::size_t done;
  std::size_t total;
};

// A callback that records its arguments and whether two calls overlap.
class recorder {
 public:
  template <class Then>
  apsp::progress_callback callback(Then then) {
    return [this, then](std::size_t done, std::size_t total) {
      if (inside_.exchange(true)) overlapped_ = true;
      steps_.push_back({done, total});
      std::this_thread::yield();
      inside_ = false;
      then();
    };
  }
  apsp::progress_callback callback() {
    return callback([] {});
  }

  const std::vector<step>& steps() const { return steps_; }
  bool overlapped() const { return overlapped_; }

 private:
  std::vector<step> steps_;
  std::atomic<bool> inside_ = false;
  std::atomic<bool> overlapped_ = false;
};

// Checks that counts rise to the total. A repeated solve counts from the beginning.
void check_steps(const recorder& heard, std::size_t total, std::size_t most_solves = 1) {
  BOOST_REQUIRE(!heard.steps().empty());
  BOOST_CHECK(!heard.overlapped());
  std::size_t solves = 1;
  std::size_t last = 0;
  for (const step& s : heard.steps()) {
    BOOST_REQUIRE_EQUAL(s.total, total);
    BOOST_REQUIRE_LE(s.done, total);
    if (s.done <= last) {
      BOOST_REQUIRE_EQUAL(last, total);
      ++solves;
    }
    last = s.done;
  }
  BOOST_CHECK_EQUAL(last, total);
  BOOST_CHECK_LE(solves, most_solves);
}

void check_stopped(const apsp::result& done) {
  BOOST_CHECK(done.stopped());
  BOOST_CHECK(done.outcome() == apsp::outcome::stopped);
  BOOST_CHECK(!done);
  BOOST_CHECK(done.negative_cycle().empty());
}

struct out_of_patience : std::runtime_error {
  out_of_patience() : std::runtime_error("enough") {}
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_rises_to_the_total, Policy, in_places<policies>) {
  for (const task& t : tasks) {
    BOOST_TEST_CONTEXT(t) {
      apsp::matrix<std::int32_t> expected, d;
      BOOST_REQUIRE(run(t, Policy::policy(), sample(), expected));
      recorder heard;
      const auto done = run_in<Policy>(t, Policy::policy().progress(heard.callback()), sample(), d);
      BOOST_REQUIRE(done);
      BOOST_CHECK(!done.stopped());
      check_steps(heard, n);
      BOOST_CHECK(d == expected);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_of_small_graphs, Policy, policies) {
  for (const std::size_t size : {0u, 1u, 2u}) {
    for (const task& t : tasks) {
      BOOST_TEST_CONTEXT(t << ", n = " << size) {
        const auto g = random_graph<std::int32_t>(size, 1.0, 1, 9, 3);
        apsp::matrix<std::int32_t> d;
        recorder heard;
        BOOST_CHECK(run(t, Policy::policy().progress(heard.callback()), g, d));
        if (size != 0) check_steps(heard, size);
        if (size == 0) BOOST_CHECK(heard.steps().empty());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_counts_sources, Policy, policies) {
  const std::vector<int> sources{5, 250, 5};
  for (const auto method : per_source_algorithms) {
    apsp::matrix<std::int32_t> d(sources.size(), n);
    recorder heard;
    BOOST_CHECK(apsp_test::run(method, Policy::policy().progress(heard.callback()), sample().view(),
                               sources, d));
    check_steps(heard, sources.size());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_of_a_solve_that_starts_again, Policy, in_places<policies>) {
  // Rounding makes cycles of sum 0 negative, so the graph is reweighted.
  const auto g = negative_graph<double>(150, 0.2, 3, 0.1);
  for (const auto method :
       {apsp::algorithm::floyd_warshall, apsp::algorithm::bellman_ford, apsp::algorithm::johnson}) {
    const task t{method};
    BOOST_TEST_CONTEXT(t) {
      apsp::matrix<double> d;
      recorder heard;
      BOOST_CHECK(run_in<Policy>(t, Policy::policy().progress(heard.callback()), g, d));
      BOOST_CHECK(!heard.overlapped());
      BOOST_REQUIRE(!heard.steps().empty());
      if (is_floyd_warshall(t)) check_steps(heard, g.n, 2);
      BOOST_CHECK_EQUAL(heard.steps().back().done, g.n);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_the_callback_throws_comes_out, Policy, policies) {
  for (const task& t : tasks) {
    for (const bool at_the_end : {false, true}) {
      BOOST_TEST_CONTEXT(t << (at_the_end ? ", at the end" : ", at once")) {
        std::size_t thrown = 0;
        const auto throws = [&](std::size_t done, std::size_t total) {
          if (at_the_end && done != total && thrown == 0) return;
          ++thrown;
          throw out_of_patience();
        };
        apsp::matrix<std::int32_t> d;
        BOOST_CHECK_THROW(static_cast<void>(run(t, Policy::policy().progress(throws), sample(), d)),
                          out_of_patience);
        BOOST_CHECK_EQUAL(thrown, 1u);
        // The stop has no effect on later calls.
        BOOST_CHECK(run(t, Policy::policy(), sample(), d));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_stop_from_the_callback, Policy, policies) {
  for (const task& t : tasks) {
    BOOST_TEST_CONTEXT(t) {
      apsp::stop_source source;
      recorder heard;
      apsp::matrix<std::int32_t> d;
      const auto policy = Policy::policy()
                              .progress(heard.callback([&] { source.request_stop(); }))
                              .stop(source.get_token());
      const auto done = run(t, policy, sample(), d);
      check_stopped(done);
      BOOST_REQUIRE(!heard.steps().empty());
      BOOST_CHECK(!heard.overlapped());
      // Threads finish the step that they have begun.
      if (is_floyd_warshall(t) || done.executed_on() == apsp::backend::seq) {
        BOOST_CHECK_LE(heard.steps().size(), runs_on_host(done.executed_on()) ? 1u : 2u);
        BOOST_CHECK_LT(heard.steps().back().done, n);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_token_stopped_before_the_call, Policy, in_places<policies>) {
  for (const task& t : tasks) {
    BOOST_TEST_CONTEXT(t) {
      apsp::matrix<std::int32_t> d;
      recorder heard;
      check_stopped(run_in<Policy>(
          t, Policy::policy().stop(requested_stop()).progress(heard.callback()), sample(), d));
      BOOST_CHECK(heard.steps().empty());
      check_stopped(run_in<Policy>(t, Policy::policy().stop(requested_stop()), sample(), d));
    }
  }
  bool called = false;
  check_stopped(apsp::for_each_row(Policy::policy().stop(requested_stop()), sample().view(),
                                   all_vertices(n), [&](auto, auto) { called = true; }));
  BOOST_CHECK(!called);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_stop_from_another_thread, Policy, policies) {
  const auto large = random_graph<std::int32_t>(1100, 0.02, 1, 99, 62);
  for (const task& t : tasks) {
    BOOST_TEST_CONTEXT(t) {
      apsp::stop_source source;
      std::binary_semaphore has_begun(0);
      std::binary_semaphore may_go_on(0);
      const auto other = std::async(std::launch::async, [&] {
        has_begun.acquire();
        source.request_stop();
        may_go_on.release();
      });
      // The stop is requested during the solve, however short that is.
      std::atomic<bool> first = true;
      const auto wait = [&](std::size_t, std::size_t) {
        if (!first.exchange(false)) return;
        has_begun.release();
        may_go_on.acquire();
      };
      apsp::matrix<std::int32_t> d;
      const auto policy = Policy::policy().stop(source.get_token()).progress(wait);
      check_stopped(run(t, policy, large, d));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_stop_without_a_callback, Policy, policies) {
  // The request may come before, during or after the call.
  for (const task& t : tasks) {
    BOOST_TEST_CONTEXT(t) {
      apsp::matrix<std::int32_t> expected;
      BOOST_REQUIRE(run(t, Policy::policy(), sample(), expected));
      for (int repeat = 0; repeat < 3; ++repeat) {
        apsp::stop_source source;
        const auto other = std::async(std::launch::async, [&] { source.request_stop(); });
        apsp::matrix<std::int32_t> d;
        const auto done = run(t, Policy::policy().stop(source.get_token()), sample(), d);
        if (done) BOOST_CHECK(d == expected);
        if (!done) check_stopped(done);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_token_that_nobody_uses, Policy, policies) {
  const apsp::stop_source source;
  for (const task& t : tasks) {
    BOOST_TEST_CONTEXT(t) {
      apsp::matrix<std::int32_t> expected, d;
      BOOST_REQUIRE(run(t, Policy::policy(), sample(), expected));
      BOOST_REQUIRE(run(t, Policy::policy().stop(source.get_token()), sample(), d));
      BOOST_CHECK(d == expected);
      BOOST_REQUIRE(run(t, Policy::policy().stop({}).progress({}), sample(), d));
      BOOST_CHECK(d == expected);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles_of_watched_calls, Policy, policies) {
  auto g = random_graph<std::int32_t>(200, 0.05, 100, 200, 63);
  g.add(3, 150, -5);
  g.add(150, 3, 4);
  for (const task& t : tasks) {
    if (t.method == apsp::algorithm::dijkstra) continue;
    BOOST_TEST_CONTEXT(t) {
      apsp::matrix<std::int32_t> d;
      recorder heard;
      const auto done = run(t, Policy::policy().progress(heard.callback()), g, d);
      BOOST_CHECK(!done && !done.stopped());
      BOOST_CHECK(done.outcome() == apsp::outcome::negative_cycle);
      check_negative_cycle(g, done.negative_cycle());
    }
  }
}

BOOST_AUTO_TEST_CASE(policies_are_values) {
  // The plain policies remain constants with the same types and sizes.
  constexpr auto four = apsp::omp.threads(4).cutoff(3);
  static_assert(std::is_same_v<const apsp::omp_policy, decltype(four)>);
  static_assert(four.threads() == 4 && four.cutoff() == 3 && !apsp::omp.cutoff());
  constexpr auto near = apsp::cuda_tiled.cutoff(2.5L).required().device(1).memory_limit(7);
  static_assert(std::is_same_v<const apsp::cuda_tiled_policy, decltype(near)>);
  static_assert(near.cutoff() == 2.5L && near.is_required() && near.device() == 1);
  static_assert(apsp::seq.cutoff(1).cutoff() == 1);
  static_assert(apsp::execution_policy<decltype(apsp::seq.progress({}))>);
  static_assert(apsp::execution_policy<decltype(apsp::cuda_naive.stop({}))>);
  BOOST_CHECK_THROW(static_cast<void>(apsp::seq.cutoff(-1)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(setters_compose_in_any_order) {
  apsp::stop_source source;
  const auto token = source.get_token();
  const apsp::progress_callback callback = [](std::size_t, std::size_t) {};
  const auto is_watched = [&](const auto& policy) {
    return policy.attached_observer().progress && policy.attached_observer().stop == token &&
           policy.cutoff() == 9;
  };
  const auto host = [&](const auto& policy) {
    BOOST_CHECK(is_watched(policy));
    BOOST_CHECK_EQUAL(policy.threads(), 2);
  };
  host(apsp::omp.threads(2).cutoff(9).progress(callback).stop(token));
  host(apsp::omp.stop(token).threads(2).progress(callback).cutoff(9));
  host(apsp::omp.cutoff(9).progress(callback).stop(token).threads(2));
  host(apsp::omp.progress({}).stop(token).progress(callback).threads(2).cutoff(9));
  BOOST_CHECK(is_watched(apsp::seq.stop(token).cutoff(9).progress(callback)));

  const auto device = [&](const auto& policy) {
    BOOST_CHECK(is_watched(policy));
    BOOST_CHECK_EQUAL(policy.device(), 1);
    BOOST_CHECK(policy.is_required());
    BOOST_CHECK_EQUAL(policy.memory_limit(), 1000u);
    BOOST_CHECK_EQUAL(policy.strategy().edges_per_thread, 7);
  };
  const apsp::relaxation_strategy strategy{apsp::relaxations::by_edge, 7};
  const auto first = apsp::cuda_naive.device(1).required().memory_limit(1000);
  device(first.relax(strategy).cutoff(9).progress(callback).stop(token));
  const auto watched_first = apsp::cuda_naive.stop(token).progress(callback).cutoff(9);
  device(watched_first.relax(strategy).memory_limit(1000).required().device(1));
  const auto mixed = apsp::cuda_naive.required().stop(token).device(1).progress(callback);
  device(mixed.memory_limit(1000).cutoff(9).relax(strategy));
  BOOST_CHECK(apsp::cuda_tiled.required().progress(callback).is_required());
}
