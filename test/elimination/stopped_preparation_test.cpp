// SPDX-License-Identifier: BSL-1.0
// Stops of the preparation of a hierarchy in all of its phases. Nothing is timed: what is read or
// computed after the request is counted.
#define BOOST_TEST_MODULE stopped_preparation
#include <boost/test/unit_test.hpp>

#include <apsp/contraction_hierarchy.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/elimination.hpp>
#include <apsp/graph.hpp>
#include <apsp/matrix.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"

using namespace apsp_test;

namespace {

/// Requests a stop at some step, and counts the steps.
struct step_counter {
  std::uint64_t num_steps = 0;
  std::uint64_t last_step = std::numeric_limits<std::uint64_t>::max();  ///< Before the request.
  std::stop_source stop;

  void step() {
    if (++num_steps == last_step) stop.request_stop();
  }
  std::uint64_t num_steps_after() const { return num_steps - last_step; }
};

step_counter counter;

/// A weight whose operations are the steps.
struct counted {
  double amount = 0;
  friend bool operator<(const counted& a, const counted& b) {
    counter.step();
    return a.amount < b.amount;
  }
  friend bool operator==(const counted& a, const counted& b) { return a.amount == b.amount; }
  friend counted operator+(const counted& a, const counted& b) {
    counter.step();
    return {a.amount + b.amount};
  }
  friend counted operator-(const counted& a, const counted& b) { return {a.amount - b.amount}; }
};

/// A path whose arcs, when they are read, are the steps.
struct counted_path {
  std::size_t num_vertices;
};

/// An undirected grid.
template <class T>
arc_list<T> make_grid(std::size_t side, std::uint64_t seed) {
  random_numbers random(seed);
  arc_list<T> g{side * side, {}, {}, {}};
  for (std::size_t u = 0; u < g.n; ++u) {
    if (u % side + 1 < side) g.add_undirected(u, u + 1, T(random(1, 99)));
    if (u + side < g.n) g.add_undirected(u, u + side, T(random(1, 99)));
  }
  return g;
}

}  // namespace

template <>
struct std::numeric_limits<counted> : std::numeric_limits<double> {
  static constexpr counted infinity() { return {std::numeric_limits<double>::infinity()}; }
  static constexpr counted max() { return {std::numeric_limits<double>::max()}; }
  static constexpr counted lowest() { return {std::numeric_limits<double>::lowest()}; }
};

template <>
struct apsp::graph_adaptor<counted_path> {
  using weight_type = float;
  static std::size_t num_vertices(const counted_path& g) { return g.num_vertices; }
  template <class F>
  static void for_each_edge(const counted_path& g, F f) {
    for (std::size_t v = 0; v + 1 < g.num_vertices; ++v) {
      counter.step();
      f(v, v + 1, 1.0F);
    }
  }
};

BOOST_AUTO_TEST_CASE(while_the_graph_is_read) {
  const counted_path g{400'000};
  counter = {};
  const apsp::contraction_hierarchy<float> whole(apsp::seq.stop(counter.stop.get_token()), g);
  BOOST_REQUIRE(whole);
  const std::uint64_t all = counter.num_steps;
  BOOST_TEST(all >= g.num_vertices);
  constexpr std::uint64_t most_after = 70'000;
  for (std::uint64_t i = 0; i < 12; ++i) {
    counter = {};
    counter.last_step = 1 + i * all / 12;
    const apsp::contraction_hierarchy<float> stopped(apsp::seq.stop(counter.stop.get_token()), g);
    BOOST_TEST_CONTEXT("after arc " << counter.last_step << " of " << all) {
      BOOST_TEST(stopped.status().stopped());
      BOOST_TEST(counter.num_steps_after() <= most_after);
    }
    apsp::contraction_hierarchy<float> other = whole;
    counter = {};
    counter.last_step = 1 + i * all / 12;
    BOOST_TEST(other.customize(apsp::seq.stop(counter.stop.get_token()), g).stopped());
    BOOST_TEST(counter.num_steps_after() <= most_after);
  }
}

BOOST_AUTO_TEST_CASE(while_the_weights_are_computed) {
  const auto amounts = make_grid<double>(120, 5);
  arc_list<counted> g{amounts.n, amounts.sources, amounts.targets, {}};
  for (const double w : amounts.weights) g.weights.push_back({w});
  counter = {};
  const apsp::contraction_hierarchy<counted> whole(apsp::seq.stop(counter.stop.get_token()),
                                                   g.view());
  BOOST_REQUIRE(whole);
  const std::uint64_t all = counter.num_steps;
  // One thread closes a tile of 128 x 128 entries at once, with two steps for each relaxation.
  constexpr std::uint64_t most_after = 2 * 128 * 128 * 128 + 500'000;
  BOOST_TEST(all > 4 * most_after);
  for (std::uint64_t i = 0; i < 24; ++i) {
    apsp::contraction_hierarchy<counted> other = whole;
    counter = {};
    counter.last_step = 1 + i * all / 24;
    const auto& done = other.customize(apsp::seq.stop(counter.stop.get_token()), g.view());
    BOOST_TEST_CONTEXT("after step " << counter.last_step << " of " << all) {
      BOOST_TEST(done.stopped());
      BOOST_TEST(counter.num_steps_after() <= most_after);
    }
  }
}

// A stop at any time leaves a hierarchy that refuses calls until it has weights again.
BOOST_AUTO_TEST_CASE(at_any_time) {
  const auto g = make_grid<float>(100, 6);
  const std::vector<std::size_t> sources{0, 17, g.n - 1};
  const auto expected = oracle_rows(g, sources);
  BOOST_REQUIRE(expected);
  std::size_t num_stopped = 0;
  for (int i = 0; i < 40; ++i) {
    std::stop_source stop;
    std::jthread request([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(500 * i));
      stop.request_stop();
    });
    const auto prepare = [&](const auto& policy) {
      return apsp::contraction_hierarchy<float>(policy.stop(stop.get_token()), g.view());
    };
    auto prepared = i % 2 == 0 ? prepare(apsp::seq) : prepare(apsp::omp.threads(3));
    request.join();
    apsp::matrix<float> d(sources.size(), g.n);
    const auto solve = [&] { return apsp::elimination(apsp::seq, prepared, sources, d); };
    BOOST_TEST_CONTEXT("after " << 500 * i << " us") {
      if (!prepared) {
        ++num_stopped;
        BOOST_TEST(prepared.status().stopped());
        BOOST_TEST(prepared.num_edges() == 0u);
        check_refused<std::invalid_argument>([&] { return solve(); },
                                             "expected a hierarchy that has a graph");
        if (prepared.num_vertices() == 0) {
          check_refused<std::invalid_argument>([&] { prepared.customize(apsp::seq, g.view()); },
                                               "got one without an order");
          continue;
        }
        BOOST_REQUIRE(prepared.customize(apsp::seq, g.view()));
      }
      BOOST_REQUIRE(solve());
      check_rows<float>(*expected, d);
    }
  }
  BOOST_TEST(num_stopped > 0u);  // The first one is stopped at once.
}
