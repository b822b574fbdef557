// SPDX-License-Identifier: BSL-1.0
// Graphs and results that lie in device memory. What needs no device is checked everywhere: types,
// shapes, and what a program is told that has none.
#define BOOST_TEST_MODULE device_memory
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/apsp.hpp>
#include <apsp/thrust.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/device_data.hpp"
#include "common/graphs.hpp"
#include "common/oracle.hpp"
#include "common/policies.hpp"

using namespace apsp_test;

namespace {

/// As `thrust::device_vector` looks from outside.
template <class T>
struct fancy_array {
  struct pointer {
    T* get() const { return raw; }
    T* raw;
  };
  std::size_t size() const { return 3; }
  pointer data() const { return {raw}; }
  T* raw = nullptr;
};

// A vector of the host is none of the device's, and the other way round.
static_assert(apsp::device_array<fancy_array<int>> && !apsp::device_array<std::vector<int>>);
static_assert(std::is_same_v<decltype(apsp::device_csr_view(fancy_array<long>{}, fancy_array<int>{},
                                                            fancy_array<float>{})),
                             apsp::device_csr_view<long, int, float>>);
static_assert(std::is_same_v<decltype(apsp::device_edge_list_view(
                                 3, fancy_array<int>{}, fancy_array<int>{}, fancy_array<double>{})),
                             apsp::device_edge_list_view<int, double>>);
// Vectors and spans may be mixed.
static_assert(std::is_same_v<decltype(apsp::device_csr_view(fancy_array<long>{},
                                                            apsp::device_span<const int>(),
                                                            apsp::device_span<float>())),
                             apsp::device_csr_view<long, int, float>>);
static_assert(
    std::is_convertible_v<apsp::device_matrix_view<int>, apsp::device_matrix_view<const int>>);
static_assert(
    !std::is_convertible_v<apsp::device_matrix_view<const int>, apsp::device_matrix_view<int>>);
static_assert(apsp::result_matrix<apsp::device_matrix<int>&> &&
              apsp::result_matrix<apsp::device_matrix_view<int>> &&
              !apsp::result_matrix<apsp::device_matrix_view<const int>>);
static_assert(!apsp::writable_matrix<apsp::device_matrix<int>> &&
              !std::is_copy_constructible_v<apsp::device_matrix<int>> &&
              std::is_nothrow_move_constructible_v<apsp::device_matrix<int>>);
static_assert(apsp::device_resident<device_mdspan<int>> && apsp::graph<device_mdspan<const int>> &&
              apsp::result_matrix<device_mdspan<int>> &&
              !apsp::result_matrix<device_mdspan<const int>> &&
              !apsp::readable_matrix<device_mdspan<int>>);

/// As `cuda::stream_ref` looks from outside.
struct stream_reference {
  CUstream_st* get() const { return stream; }
  CUstream_st* stream;
};

}  // namespace

using required_policies = std::tuple<required_cuda_naive, required_cuda_tiled>;

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_come_first, Policy, required_policies) {
  const auto policy = Policy::policy();
  using span = apsp::device_span<const int>;
  const span three(somewhere<int>(), 3);
  const span two(somewhere<int>(), 2);
  apsp::device_matrix_view<int> d(somewhere<int>(), 2, 2);
  // With memory that no device has there would be other words.
  const auto says = [](const std::string& words) {
    return [words](const std::invalid_argument& error) {
      return std::string(error.what()).find(words) != std::string::npos;
    };
  };
  const auto refused = [&](const auto& g, auto& result, const std::string& words) {
    BOOST_CHECK_EXCEPTION(static_cast<void>(apsp::floyd_warshall(policy, g, result)),
                          std::invalid_argument, says(words));
    BOOST_CHECK_EXCEPTION(static_cast<void>(apsp::repeated_squaring(policy, g, result)),
                          std::invalid_argument, says(words));
  };
  const span none;
  const span nowhere(nullptr, 2);
  refused(apsp::device_csr_view(three, two, three), d, "weights and targets differ");
  refused(apsp::device_csr_view(none, two, two), d, "targets need offsets");
  refused(apsp::device_csr_view(three, nowhere, two), d, "null pointer");
  refused(apsp::device_edge_list_view(2, three, two, two), d, "differ in length");
  refused(apsp::device_edge_list_view(2, two, two, three), d, "differ in length");
  refused(apsp::device_edge_list_view(2, two, two, nowhere), d, "null pointer");
  refused(apsp::device_edge_list_view(3, two, two, two), d, "not 3 x 3");
  refused(apsp::device_matrix_view<const int>(somewhere<int>(), 2, 3), d, "must be square");
  refused(apsp::device_matrix_view<const int>(somewhere<int>(), 2, 2, 1), d, "the pitch");
  refused(apsp::device_matrix_view<const int>(nullptr, 2, 2), d, "null pointer");
  const apsp::device_edge_list_view graph(2, two, two, two);
  apsp::device_matrix_view<int> wide(somewhere<int>(), 2, 3);
  refused(graph, wide, "not 2 x 2");
  apsp::device_matrix_view<int> overlapping(somewhere<int>(), 2, 2, 1);
  refused(graph, overlapping, "the pitch");
  apsp::device_matrix_view<int> missing(nullptr, 2, 2);
  refused(graph, missing, "null pointer");
  BOOST_CHECK_EXCEPTION(static_cast<void>(apsp::floyd_warshall(policy, graph, d, d)),
                        std::invalid_argument, says("one matrix"));
  apsp::device_matrix_view<std::int64_t> few;
  BOOST_CHECK_THROW(few = apsp::device_matrix_view(
                        apsp::device_span<std::int64_t>(somewhere<std::int64_t>(), 5), 2, 3),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(streams_by_reference) {
  const auto stream = somewhere<CUstream_st>();
  BOOST_CHECK(apsp::cuda_tiled.on(stream_reference{stream}).stream() == stream);
  BOOST_CHECK(apsp::cuda_naive.on(stream).on(stream_reference{}).stream() == nullptr);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_of_mdspans, Policy, required_policies) {
  const auto policy = Policy::policy();
  const auto refused = [&](const device_mdspan<float>& graph, const device_mdspan<float>& d,
                           const std::string& words) {
    BOOST_CHECK_EXCEPTION(static_cast<void>(apsp::floyd_warshall(policy, graph, d)),
                          std::invalid_argument, [&](const auto& error) {
                            return std::string(error.what()).find(words) != std::string::npos;
                          });
  };
  float* const data = somewhere<float>();
  const device_mdspan<float> square{data, 3, 3};
  refused(square, {data, 3, 2}, "not 3 x 3");
  refused({data, 3, 2}, square, "must be square");
  refused({data, 3, 3, 1, 3}, square, "row-major");
  refused(square, {data, 3, 3, 1, 3}, "row-major");
  refused(square, {data, 3, 3, 2}, "the pitch");
}

#ifndef APSP_TEST_ON_DEVICE

BOOST_AUTO_TEST_CASE(without_a_device) {
  apsp::device_matrix<float> none;
  BOOST_CHECK(none.data() == nullptr && none.rows() == 0 && none.device() == -1);
  apsp::matrix<float> entries(3);
  try {
    apsp::device_matrix<float> d(entries);
    BOOST_CHECK_EQUAL(d.rows(), 3u);
    BOOST_CHECK(d.to_host() == entries);
  } catch (const apsp::device_error& error) {
    // There is no host to fall back to for data that cannot be there.
    apsp::device_matrix_view<float> d(somewhere<float>(), 3, 3);
    BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(apsp::cuda_tiled, entries, d)),
                      apsp::device_error);
    BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(apsp::cuda_naive, d, entries)),
                      apsp::device_error);
    device_mdspan<float> span{d.data(), 3, 3};
    const device_mdspan<int> numbers{somewhere<int>() + 9, 3, 3};
    BOOST_CHECK_THROW(static_cast<void>(apsp::dijkstra(apsp::cuda_tiled, span, span, numbers)),
                      apsp::device_error);
    BOOST_CHECK_THROW(static_cast<void>(apsp::min_plus_product(apsp::cuda_tiled, span, span, span)),
                      apsp::device_error);
    BOOST_CHECK_THROW(static_cast<void>(apsp::summarize_distances(apsp::cuda_tiled, span)),
                      apsp::device_error);
  }
}

#else

namespace {

template <class T>
arc_list<T> graph_with_parallel_arcs(std::size_t n, std::uint64_t seed) {
  auto g = random_graph<T>(n, 0.1, 1, 50, seed);
  random_numbers random(seed + 1);
  for (std::size_t k = 0; k < g.size(); k += 3) {
    g.add(static_cast<std::size_t>(g.sources[k]), static_cast<std::size_t>(g.targets[k]),
          static_cast<T>(random(1, 50)));
  }
  for (std::size_t v = 0; v < n; v += 4) g.add(v, v, static_cast<T>(random(0, 9)));
  if (n > 1) g.add(0, 1, apsp::unreachable<T>);
  return g;
}

/// The paths to all vertices that are not farther than a cutoff: they may lead through farther ones.
template <class T>
void check_predecessors_within(const arc_list<T>& g, const apsp::matrix<T>& distances,
                               const apsp::matrix<T>& near,
                               const apsp::matrix<std::int32_t>& predecessors) {
  const auto lightest = lightest_arcs(g);
  for (std::size_t u = 0; u < g.n; ++u) {
    for (std::size_t v = 0; v < g.n; ++v) {
      if (near[u][v] == apsp::unreachable<T>) continue;
      const auto path = apsp::path(predecessors, u, v);
      BOOST_REQUIRE(!path.empty() && path.front() == u && path.back() == v);
      wide_t<T> length = 0;
      for (std::size_t i = 0; i + 1 < path.size(); ++i) length += lightest[path[i]][path[i + 1]];
      BOOST_REQUIRE(same_distance<T>(distances[u][v], length));
    }
  }
}

constexpr std::size_t sizes[] = {0, 1, 2, 63, 64, 65, 130, 257};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(all_forms, With, policies_and_weights) {
  using T = typename With::weight;
  const auto policy = With::policy();
  for (const std::size_t n : sizes) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n + 1) {
      const auto g = graph_with_parallel_arcs<T>(n, n + 1);
      auto arcs = g;
      if (n > 1) {  // the oracle knows no arc that is none
        arcs.sources.pop_back();
        arcs.targets.pop_back();
        arcs.weights.pop_back();
      }
      const resident<T> on_device(g);
      on_device.in_all_forms([&](const auto& graph) {
        auto d = wrong_results<T>(n);
        const auto done = apsp::floyd_warshall(policy, graph, d);
        BOOST_REQUIRE(done);
        BOOST_CHECK(done.executed_on() == decltype(policy)::requested);
        check_distances(arcs, d.to_host());
        d = wrong_results<T>(n);
        auto p = wrong_results<std::int32_t>(n);
        BOOST_REQUIRE(apsp::floyd_warshall(policy, graph, d, p));
        const auto distances = d.to_host();
        check_distances(arcs, distances);
        check_predecessors(arcs, distances, p.to_host());
        d = wrong_results<T>(n);
        BOOST_REQUIRE(apsp::repeated_squaring(policy, graph, d));
        check_distances(arcs, d.to_host());
      });
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(types_of_vertices, Policy, policies) {
  const auto policy = Policy::policy();
  const auto g = random_graph<float>(100, 0.1, 1, 50, 7);
  const auto check = [&](const auto& on_device) {
    on_device.in_all_forms([&](const auto& graph) {
      const auto solve = [&](auto predecessor) {
        auto d = wrong_results<float>(g.n);
        auto p = wrong_results<decltype(predecessor)>(g.n);
        BOOST_REQUIRE(apsp::floyd_warshall(policy, graph, d, p, apsp::min_plus<float>{}));
        check_distances(g, d.to_host());
        check_predecessors(g, d.to_host(), p.to_host());
      };
      solve(std::uint32_t{});
      solve(std::int64_t{});
      solve(std::uint64_t{});
      solve(0LL);
      solve(0ULL);
    });
  };
  check(resident<float, std::uint32_t>(g));
  check(resident<float, std::int64_t>(g));
  check(resident<float, std::uint64_t>(g));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_weights, With, policies_and_weights) {
  using T = typename With::weight;
  const auto policy = With::policy();
  for (const std::size_t n : {40, 129}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n) {
      const auto g = negative_graph<T>(n, 0.2, n);
      auto with_cycle = g;
      with_cycle.add(n - 1, 3, T(-400));
      with_cycle.add(3, n - 1, T(5));
      const resident<T> on_device(g);
      on_device.in_all_forms([&](const auto& graph) {
        auto d = wrong_results<T>(n);
        auto p = wrong_results<std::int32_t>(n);
        BOOST_REQUIRE(apsp::floyd_warshall(policy, graph, d, p));
        const auto distances = d.to_host();
        check_distances(g, distances);
        check_predecessors(g, distances, p.to_host());
        // Paths may lead through vertices beyond the cutoff.
        BOOST_REQUIRE(apsp::floyd_warshall(policy.cutoff(20), graph, d, p));
        auto near = distances;
        for (T& entry : near) {
          if (entry > T(20)) entry = apsp::unreachable<T>;
        }
        BOOST_CHECK(d.to_host() == near);
        check_predecessors_within(g, distances, near, p.to_host());
        d = wrong_results<T>(n);
        p = wrong_results<std::int32_t>(n);
        BOOST_REQUIRE(apsp::repeated_squaring(policy.count_hops(), graph, d, p));
        check_distances(g, d.to_host());
        check_predecessors(g, d.to_host(), p.to_host());
      });
      resident<T>(with_cycle).in_all_forms([&](const auto& graph) {
        apsp::device_matrix<T> d(n);
        const auto done = apsp::floyd_warshall(policy, graph, d);
        BOOST_REQUIRE(!done);
        check_negative_cycle(with_cycle, done.negative_cycle());
        BOOST_CHECK(!apsp::repeated_squaring(policy, graph, d));
      });
    }
  }
}

// Sums that the type of the weights does not hold.
BOOST_AUTO_TEST_CASE_TEMPLATE(wider_sums, Policy, policies) {
  const auto policy = Policy::policy();
  const auto check = [&]<class T>(T heavy) {
    constexpr std::size_t n = 40;
    arc_list<T> g{n, {}, {}, {}};
    for (std::size_t v = 0; v + 1 < n; ++v) {
      g.add(v, v + 1, v % 13 == 0 ? heavy : T(1));
      g.add(v, v + 1, v % 13 == 0 ? heavy - 1 : T(2));
    }
    // The sums along the only paths there are, cut where they do not fit.
    apsp::matrix<T> expected(n, n, apsp::unreachable<T>);
    bool is_cut = false;
    for (std::size_t u = 0; u < n; ++u) {
      expected[u][u] = 0;
      for (std::size_t v = u; v + 1 < n; ++v) {
        const T w = v % 13 == 0 ? heavy - 1 : T(1);
        if (w >= apsp::unreachable<T> - expected[u][v]) {
          is_cut = true;
          break;
        }
        expected[u][v + 1] = expected[u][v] + w;
      }
    }
    const resident<T> on_device(g);
    on_device.in_all_forms([&](const auto& graph) {
      auto d = wrong_results<T>(n);
      const auto done = apsp::floyd_warshall(policy, graph, d);
      BOOST_REQUIRE(done);
      BOOST_CHECK_EQUAL(done.saturated(), is_cut);
      BOOST_CHECK(d.to_host() == expected);
      auto near = expected;
      for (T& entry : near) {
        if (entry > 10) entry = apsp::unreachable<T>;
      }
      d = wrong_results<T>(n);
      BOOST_REQUIRE(apsp::floyd_warshall(policy.cutoff(10), graph, d));
      BOOST_CHECK(d.to_host() == near);
    });
    return is_cut;
  };
  constexpr auto most = (std::numeric_limits<std::int32_t>::max)();
  constexpr auto most_of_64 = (std::numeric_limits<std::int64_t>::max)();
  BOOST_CHECK(!check(std::int32_t{most / 8}));
  BOOST_CHECK(check(std::int32_t{most / 2}));
  BOOST_CHECK(!check(std::int64_t{most_of_64 / 8}));
  BOOST_CHECK(check(std::int64_t{most_of_64 / 2}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_side_on_the_host, With, policies_and_weights) {
  using T = typename With::weight;
  const auto policy = With::policy();
  constexpr std::size_t n = 100;
  for (const double p : {0.05, 0.9}) {
    const auto g = random_graph<T>(n, p, 0, 50, 11);
    auto d = wrong_results<T>(n);
    auto predecessors = wrong_results<std::int64_t>(n);
    BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), d, predecessors));
    check_distances(g, d.to_host());
    check_predecessors(g, d.to_host(), predecessors.to_host());
    const resident<T> on_device(g);
    on_device.in_all_forms([&](const auto& graph) {
      std::vector<std::vector<T>> on_host(n, std::vector<T>(n));
      std::vector<std::vector<short>> found(n, std::vector<short>(n));
      BOOST_REQUIRE(apsp::floyd_warshall(policy, graph, on_host));
      check_distances(g, on_host);
      BOOST_REQUIRE(apsp::floyd_warshall(policy, graph, on_host, found));
      check_distances(g, on_host);
      check_predecessors(g, on_host, found);
    });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(parts_of_matrices, Policy, policies) {
  const auto policy = Policy::policy();
  constexpr std::size_t n = 70;
  constexpr std::size_t pitch = 90;
  const auto g = random_graph<double>(n, 0.2, 1, 50, 3);
  apsp::matrix<double> entries(n, pitch, 7.0);
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v) entries[u][v] = apsp::unreachable<double>;
  }
  for (std::size_t k = 0; k < g.size(); ++k) {
    entries[static_cast<std::size_t>(g.sources[k])][static_cast<std::size_t>(g.targets[k])] =
        g.weights[k];
  }
  apsp::device_matrix<double> memory(entries);
  // In place, and what lies between the rows stays.
  const apsp::device_matrix_view<double> part(memory.data(), n, n, pitch);
  BOOST_REQUIRE(apsp::floyd_warshall(policy, part, part));
  check_distances(g, apsp::copy_to_host(part));
  const auto all = memory.to_host();
  for (std::size_t u = 0; u < n; ++u) {
    BOOST_CHECK(std::all_of(all[u] + n, all[u] + pitch, [](double x) { return x == 7.0; }));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(mdspans, With, policies_and_weights) {
  using T = typename With::weight;
  const auto policy = With::policy();
  constexpr std::size_t n = 70;
  constexpr std::size_t pitch = 90;
  const auto g = random_graph<T>(n, 0.2, 1, 50, 5);
  apsp::matrix<T> entries(n, pitch, T{7});
  for (std::size_t u = 0; u < n; ++u) std::fill_n(entries[u], n, apsp::unreachable<T>);
  for (std::size_t k = 0; k < g.size(); ++k) {
    T& entry =
        entries(static_cast<std::size_t>(g.sources[k]), static_cast<std::size_t>(g.targets[k]));
    if (g.weights[k] < entry) entry = g.weights[k];
  }
  apsp::device_matrix<T> weights(entries);
  auto distances = wrong_results<T>(n, pitch);
  auto predecessors = wrong_results<std::int32_t>(n, pitch);
  const device_mdspan<const T> graph{weights.data(), n, n, pitch};
  const device_mdspan<T> d{distances.data(), n, n, pitch};
  const device_mdspan<std::int32_t> p{predecessors.data(), n, n, pitch};
  const auto check = [&](const apsp::result& done) {
    BOOST_REQUIRE(done);
    const auto found = apsp::copy_to_host(apsp::device_matrix_view<T>(d.data, n, n, pitch));
    check_distances(g, found);
    check_predecessors(
        g, found, apsp::copy_to_host(apsp::device_matrix_view<std::int32_t>(p.data, n, n, pitch)));
  };
  check(apsp::floyd_warshall(policy, graph, d, p));
  distances = wrong_results<T>(n, pitch);
  check(apsp::dijkstra(policy, graph, device_mdspan<T>{distances.data(), n, n, pitch}, p));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoffs, With, policies_and_weights) {
  using T = typename With::weight;
  const auto policy = With::policy();
  // With arcs of weight 0, predecessors are looked at on the host.
  for (const std::int64_t lightest : {0, 1}) {
    const auto g = random_graph<T>(90, 0.1, lightest, 30, 5);
    const resident<T> on_device(g);
    on_device.in_all_forms([&](const auto& graph) {
      auto d = wrong_results<T>(g.n);
      BOOST_REQUIRE(apsp::floyd_warshall(policy, graph, d));
      const auto all = d.to_host();
      check_distances(g, all);
      for (const long double limit : {0.0L, 12.5L, 1e30L}) {
        auto near = all;
        for (T& entry : near) {
          if (static_cast<long double>(entry) > limit) entry = apsp::unreachable<T>;
        }
        d = wrong_results<T>(g.n);
        BOOST_REQUIRE(apsp::floyd_warshall(policy.cutoff(limit), graph, d));
        BOOST_CHECK(d.to_host() == near);
        d = wrong_results<T>(g.n);
        auto p = wrong_results<std::int32_t>(g.n);
        BOOST_REQUIRE(apsp::floyd_warshall(policy.cutoff(limit), graph, d, p));
        BOOST_CHECK(d.to_host() == near);
        check_predecessors(g, near, p.to_host());
      }
    });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(invalid_graphs, Policy, policies) {
  const auto policy = Policy::policy();
  constexpr std::size_t n = 80;
  constexpr float untouched = 3;
  const auto refused = [&](const auto& graph, const std::string& words) {
    apsp::device_matrix<float> d(apsp::matrix<float>(n, n, untouched));
    try {
      static_cast<void>(apsp::floyd_warshall(policy, graph, d));
      BOOST_ERROR("not refused: " << words);
    } catch (const std::invalid_argument& error) {
      BOOST_CHECK_MESSAGE(std::string(error.what()).find(words) != std::string::npos,
                          error.what() << " does not say: " << words);
    }
    BOOST_CHECK(d.to_host() == apsp::matrix<float>(n, n, untouched));
  };
  const auto g = random_graph<float>(n, 0.2, 1, 50, 9);
  const auto with = [&](float weight) {
    auto wrong = g;
    wrong.weights[17] = weight;
    return resident<float>(wrong);
  };
  const std::string arc = "arc " + std::to_string(g.sources[17]) + " -> " +
                          std::to_string(g.targets[17]) + " has a weight ";
  with(std::numeric_limits<float>::quiet_NaN()).in_all_forms([&](const auto& graph) {
    refused(graph, arc + "of NaN");
  });
  with(-std::numeric_limits<float>::infinity()).in_all_forms([&](const auto& graph) {
    refused(graph, arc + "of minus infinity");
  });
  for (const std::int32_t vertex : {-1, 80}) {
    auto wrong = g;
    wrong.targets[17] = vertex;
    const device_values<std::int32_t> sources(wrong.sources);
    const device_values<std::int32_t> targets(wrong.targets);
    const device_values<float> weights(wrong.weights);
    refused(apsp::device_edge_list_view(n, sources.span(), targets.span(), weights.span()),
            "out of range: the graph has 80 vertices");
    refused(apsp::device_edge_list_view(n, targets.span(), sources.span(), weights.span()),
            "out of range: the graph has 80 vertices");
    const resident<float> right(g);
    const auto rows = right.csr();
    refused(apsp::device_csr_view(rows.offsets(), targets.span(), rows.weights()),
            "out of range: the graph has 80 vertices");
  }
  const device_values<std::int32_t> targets({1, 2, 3});
  const device_values<float> weights({1, 2, 3});
  const auto with_offsets = [&](std::size_t at, int offset, const std::string& words) {
    std::vector<int> offsets(n + 1, 3);
    offsets[0] = 0;
    offsets[at] = offset;
    const device_values<int> array(offsets);
    refused(apsp::device_csr_view(array.span(), targets.span(), weights.span()), words);
  };
  with_offsets(0, 1, "the first offset is not 0");
  with_offsets(40, 2, "the offsets decrease, at vertex 39");
  with_offsets(n, 4, "the last offset is not the number of targets");
  // Memory of the host.
  apsp::matrix<float> host(n);
  refused(apsp::device_matrix_view<const float>(host.data(), n, n), "host memory");
  const std::vector<std::int32_t> host_targets(g.targets);
  const resident<float> right(g);
  const auto rows = right.csr();
  refused(apsp::device_csr_view(rows.offsets(),
                                apsp::device_span(host_targets.data(), host_targets.size()),
                                rows.weights()),
          "host memory");
  apsp::device_matrix_view<float> host_result(host.data(), n, n);
  BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(policy, rows, host_result)),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observed, Policy, policies) {
  const auto g = random_graph<float>(300, 0.05, 1, 50, 2);
  const resident<float> on_device(g);
  apsp::device_matrix<float> d(g.n);
  std::size_t last = 0;
  std::size_t total = 0;
  BOOST_REQUIRE(
      apsp::floyd_warshall(Policy::policy().progress([&](std::size_t done, std::size_t of) {
        last = done;
        total = of;
      }),
                           on_device.csr(), d));
  BOOST_CHECK_EQUAL(last, g.n);
  BOOST_CHECK_EQUAL(total, g.n);
  check_distances(g, d.to_host());
  std::stop_source stop;
  stop.request_stop();
  BOOST_CHECK(
      apsp::floyd_warshall(Policy::policy().stop(stop.get_token()), on_device.csr(), d).stopped());
  apsp::device_matrix<float> too_large(g.n);
  BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(Policy::policy().memory_limit(1000),
                                                           on_device.dense(), too_large)),
                    apsp::device_error);
}

#endif
