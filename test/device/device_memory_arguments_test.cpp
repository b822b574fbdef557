// SPDX-License-Identifier: BSL-1.0
// Tests of types, shapes and errors of data in device memory, which need no device.
#define BOOST_TEST_MODULE device_memory_arguments
#include <boost/test/unit_test.hpp>

#include <apsp/apsp.hpp>
#include <apsp/thrust.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "../common/device_data.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/per_source.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

/// Has the interface of `thrust::device_vector`.
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

// A host vector is not a device array, and a device vector is not a host array.
static_assert(apsp::device_array<fancy_array<int>> && !apsp::device_array<std::vector<int>>);
static_assert(std::is_same_v<decltype(apsp::device_csr_view(fancy_array<long>{}, fancy_array<int>{},
                                                            fancy_array<float>{})),
                             apsp::device_csr_view<long, int, float>>);
static_assert(std::is_same_v<decltype(apsp::device_edge_list_view(
                                 3, fancy_array<int>{}, fancy_array<int>{}, fancy_array<double>{})),
                             apsp::device_edge_list_view<int, double>>);
// Vectors and spans can be mixed.
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
static_assert(apsp::operand_matrix<const apsp::device_matrix<int>> &&
              apsp::operand_matrix<apsp::device_matrix_view<const int>> &&
              !apsp::operand_matrix<apsp::device_span<const int>>);
static_assert(apsp::distance_matrix<apsp::device_matrix<float>> &&
              apsp::distance_matrix<apsp::device_matrix_view<const int>&> &&
              !apsp::distance_matrix<apsp::device_span<int>>);
static_assert(apsp::device_resident<device_mdspan<int>> && apsp::graph<device_mdspan<const int>> &&
              apsp::result_matrix<device_mdspan<int>> &&
              !apsp::result_matrix<device_mdspan<const int>> &&
              !apsp::readable_matrix<device_mdspan<int>>);

/// Has the interface of `cuda::stream_ref`.
struct stream_reference {
  CUstream_st* get() const { return stream; }
  CUstream_st* stream;
};

}  // namespace

// Messages are checked, since memory that is on no device is reported by another one.
using required_policies = std::tuple<required_cuda_naive, required_cuda_tiled>;

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_come_first, Policy, required_policies) {
  const auto policy = Policy::policy();
  using span = apsp::device_span<const int>;
  using view = apsp::device_matrix_view<int>;
  const span three(somewhere<int>(), 3);
  const span two(somewhere<int>(), 2);
  const span none;
  const span nowhere(nullptr, 2);
  view d(somewhere<int>(), 2, 2);
  const auto refused = [&](const auto& g, auto result, const std::string& words) {
    check_refused([&] { return apsp::floyd_warshall(policy, g, result); }, words);
    check_refused([&] { return apsp::repeated_squaring(policy, g, result); }, words);
    check_refused([&] { return apsp::all_pairs_shortest_paths(policy, g, result); }, words);
    for (const auto method : per_source_algorithms) {
      check_refused([&] { return run(method, policy, g, result); }, words);
    }
  };
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
  refused(graph, view(somewhere<int>(), 2, 3), "not 2 x 2");
  refused(graph, view(somewhere<int>(), 2, 2, 1), "the pitch");
  refused(graph, view(nullptr, 2, 2), "null pointer");

  const auto both_refused = [&](auto distances, auto predecessors, const std::string& words) {
    check_refused([&] { return apsp::floyd_warshall(policy, graph, distances, predecessors); },
                  words);
    check_refused(
        [&] { return apsp::all_pairs_shortest_paths(policy, graph, distances, predecessors); },
        words);
  };
  const view rows(somewhere<int>(), 3, 2);
  both_refused(d, d, "must not share memory");
  both_refused(d, rows, "not 2 x 2");
  both_refused(rows, d, "not 2 x 2");

  const auto refused_from = [&](const std::vector<int>& sources, auto result,
                                const std::string& words) {
    for (const auto method : per_source_algorithms) {
      check_refused([&] { return run(method, policy, graph, sources, result); }, words);
    }
  };
  refused_from({0, 2, 1}, rows, "source 2 is out of range: the graph has 2 vertices");
  refused_from({0, -1, 1}, rows, "source -1 is out of range: the graph has 2 vertices");
  refused_from({1, 0, 1}, d, "not 3 x 2");
  refused_from({1, 0, 1}, view(somewhere<int>(), 3, 3), "not 3 x 2");
  refused_from({1, 0, 1}, view(somewhere<int>(), 3, 2, 1), "the pitch");
  refused_from({1, 0, 1}, view(nullptr, 3, 2), "null pointer");

  const apsp::device_span<std::int64_t> few(somewhere<std::int64_t>(), 5);
  check_refused([&] { return apsp::device_matrix_view(few, 2, 3); });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_of_batches_come_first, Policy, required_policies) {
  using view = apsp::device_matrix_view<int>;
  const auto refused = [&](const view& graph, const view& distances, const std::string& words) {
    const std::vector graphs(3, graph);
    const std::vector results(3, distances);
    check_refused([&] { return apsp::floyd_warshall(Policy::policy(), graphs, results); },
                  "apsp: graph 0: " + words);
  };
  int* const memory = somewhere<int>();
  const view square(memory, 2, 2);
  refused({memory, 2, 3}, square, "a matrix used as a graph must be square");
  refused({nullptr, 2, 2}, square, "expected device memory, got a null pointer");
  refused(square, {memory, 2, 3}, "the distance matrix is 2 x 3");
  refused(square, {memory, 2, 2, 1}, "the pitch");
  refused(square, {nullptr, 2, 2}, "expected device memory, got a null pointer");
  const std::vector graphs(3, square);
  const std::vector results(2, square);
  check_refused([&] { return apsp::floyd_warshall(Policy::policy(), graphs, results); },
                "3 graphs, but 2 distance matrices");
}
static_assert(apsp::range_of_matrices<std::vector<apsp::device_matrix<int>>> &&
              apsp::range_of_matrices<const std::vector<apsp::device_matrix_view<int>>> &&
              !apsp::range_of_matrices<const std::vector<apsp::device_matrix<int>>> &&
              !apsp::range_of_matrices<std::vector<apsp::device_matrix_view<const int>>>);
static_assert(apsp::range_of_graphs<std::vector<apsp::device_csr_view<int, int, int>>> &&
              apsp::range_of_graphs<std::span<const apsp::device_matrix<int>>> &&
              !apsp::range_of_graphs<apsp::device_matrix<int>>);

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_over_semirings_come_first, Policy, required_policies) {
  const apsp::device_matrix_view<const float> graph(somewhere<float>(), 3, 3);
  const auto refused = [&](auto result, const std::string& words) {
    check_refused(
        [&] {
          return apsp::floyd_warshall(Policy::policy(), graph, result, apsp::max_min<float>{});
        },
        words);
  };
  refused(apsp::device_matrix_view<float>(somewhere<float>(), 3, 4), "not 3 x 3");
  apsp::device_matrix_view<float> values(somewhere<float>(), 3, 3);
  apsp::device_matrix_view<std::int32_t> missing(nullptr, 3, 3);
  check_refused(
      [&] {
        return apsp::repeated_squaring(Policy::policy(), graph, values, missing,
                                       apsp::min_max<float>{});
      },
      "null pointer");
  const auto closure_refused = [&](auto result, const std::string& words) {
    check_refused([&] { return apsp::transitive_closure(Policy::policy(), graph, result); }, words);
  };
  closure_refused(apsp::device_matrix_view<bool>(somewhere<bool>(), 3, 4), "not 3 x 3");
  closure_refused(apsp::device_matrix_view<bool>(nullptr, 3, 3), "null pointer");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_of_products_come_first, Policy, required_policies) {
  using view = apsp::device_matrix_view<const float>;
  using result_view = apsp::device_matrix_view<float>;
  auto* const memory = somewhere<float>();
  const auto refused = [&](const view& a, const view& b, result_view c, const std::string& words) {
    check_refused([&] { return apsp::min_plus_product(Policy::policy(), a, b, c); }, words);
  };
  const view a(memory, 3, 4);
  const view b(memory, 4, 5);
  const result_view c(memory, 3, 5);
  refused(a, view(memory, 3, 5), c, "does not fit");
  refused(a, view(memory, 4, 6), c, "does not fit");
  refused(view(memory, 4, 4), b, c, "does not fit");
  refused(a, view(memory, 4, 5, 4), c, "the pitch");
  refused(view(nullptr, 3, 4), b, c, "null pointer");
  refused(a, b, result_view(memory, 3, 5, 4), "the pitch");
  refused(a, b, result_view(nullptr, 3, 5), "null pointer");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_of_summaries_come_first, Policy, required_policies) {
  using view = apsp::device_matrix_view<const float>;
  const auto bins = apsp::histogram_bins<float>::of_width(0, 1, 4);
  const auto refused = [&](const view& m, const std::string& words) {
    check_refused([&] { return apsp::summarize_distances(Policy::policy(), m); }, words);
    check_refused([&] { return apsp::distance_histogram(Policy::policy(), m, bins); }, words);
  };
  refused(view(somewhere<float>(), 3, 4), "expected a square one");
  refused(view(somewhere<float>(), 3, 3, 2), "the pitch");
  refused(view(nullptr, 3, 3), "null pointer");
  const view two_rows(somewhere<float>(), 2, 3);
  for (const auto& sources : {std::vector{1}, std::vector{1, 3}}) {
    check_refused([&] { return apsp::summarize_distances(Policy::policy(), two_rows, sources); });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_of_mdspans_come_first, Policy, required_policies) {
  const auto refused = [&](const device_mdspan<float>& graph, const device_mdspan<float>& d,
                           const std::string& words) {
    check_refused([&] { return apsp::floyd_warshall(Policy::policy(), graph, d); }, words);
  };
  float* const data = somewhere<float>();
  const device_mdspan<float> square{data, 3, 3};
  refused(square, {data, 3, 2}, "not 3 x 3");
  refused({data, 3, 2}, square, "must be square");
  refused({data, 3, 3, 1, 3}, square, "row-major");
  refused(square, {data, 3, 3, 1, 3}, "row-major");
  refused(square, {data, 3, 3, 2}, "the pitch");
}

static_assert(apsp::result_row<fancy_array<int>&> && apsp::result_row<apsp::device_span<int>> &&
              !apsp::result_row<apsp::device_span<const int>>);

BOOST_AUTO_TEST_CASE_TEMPLATE(lengths_of_rows_come_first, Policy, required_policies) {
  const arc_list<int> g{2, {0}, {1}, {5}};
  const apsp::device_span<int> row(somewhere<int>(), 3);
  check_refused([&] { return apsp::bellman_ford(Policy::policy(), g.view(), 0, row); },
                "the range of distances has 3 entries, not 2");
}

BOOST_AUTO_TEST_CASE(streams_by_reference) {
  const auto stream = somewhere<CUstream_st>();
  BOOST_CHECK(apsp::cuda_tiled.on(stream_reference{stream}).stream() == stream);
  BOOST_CHECK(apsp::cuda_naive.on(stream).on(stream_reference{}).stream() == nullptr);
}

#ifndef APSP_TEST_ON_DEVICE

BOOST_AUTO_TEST_CASE(without_a_device) {
  apsp::device_matrix<float> none;
  BOOST_CHECK(none.data() == nullptr && none.rows() == 0 && none.device() == -1);
  apsp::matrix<float> entries(3, 3, 1.0F);
  try {
    apsp::device_matrix<float> d(entries);
    BOOST_CHECK_EQUAL(d.rows(), 3u);
    BOOST_CHECK(d.to_host() == entries);
    BOOST_CHECK(apsp::dijkstra(apsp::cuda_tiled, entries, d));
  } catch (const apsp::device_error& error) {
    // A call on data in device memory cannot fall back to the host.
    apsp::device_matrix_view<float> d(somewhere<float>(), 3, 3);
    const auto fails = [](auto call) { check_refused<apsp::device_error>([&] { return call(); }); };
    const auto tiled = apsp::cuda_tiled;
    const auto naive = apsp::cuda_naive;
    fails([&] { return apsp::floyd_warshall(tiled, entries, d); });
    fails([&] { return apsp::floyd_warshall(naive, d, entries); });
    const std::vector batch{d, apsp::device_matrix_view<float>(somewhere<float>() + 9, 3, 3)};
    fails([&] { return apsp::floyd_warshall(tiled, batch, batch); });
    for (const auto method : per_source_algorithms) {
      fails([&] { return run(method, tiled, entries, d); });
      fails([&] { return run(method, naive, d, entries); });
    }
    fails([&] { return apsp::all_pairs_shortest_paths(tiled, d, d); });
    fails([&] {
      return apsp::for_each_row(tiled, d, std::vector{0},
                                [](std::size_t, std::span<const float>) {});
    });
    fails([&] { return apsp::floyd_warshall(tiled, entries, d, apsp::max_min<float>{}); });
    fails([&] { return apsp::min_plus_product(tiled, d, d, d); });
    fails([&] { return apsp::semiring_product(naive, d, d, d, apsp::max_min<float>{}); });
    fails([&] { return apsp::summarize_distances(tiled, d); });
    device_mdspan<float> span{d.data(), 3, 3};
    const device_mdspan<int> numbers{somewhere<int>() + 9, 3, 3};
    fails([&] { return apsp::dijkstra(tiled, span, span, numbers); });
    fails([&] { return apsp::min_plus_product(tiled, span, span, span); });
    fails([&] { return apsp::summarize_distances(tiled, span); });
  }
}

#endif
