// SPDX-License-Identifier: BSL-1.0
// Tests of all kinds of matrices for distances and predecessors, and of all kinds of lists of
// sources.
#define BOOST_TEST_MODULE outputs
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/bellman_ford.hpp>
#include <apsp/boost_graph.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <apsp/semiring.hpp>
#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/grid_graph.hpp>
#include <boost/multi_array.hpp>
#include <boost/numeric/ublas/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <ranges>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#define APSP_TEST_EIGEN
#endif
#if __has_include(<cuda/std/mdspan>)
#include <cuda/std/mdspan>
#define APSP_TEST_MDSPAN
#endif
// Clang before 16 cannot compile the views of libstdc++.
#if !defined(__clang__) || __clang_major__ >= 16
#define APSP_TEST_VIEWS
#endif

#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

using weight = std::int32_t;
#if defined(APSP_TEST_ON_DEVICE) && !defined(APSP_LONG_TESTS)
using types = std::tuple<weight, float>;
#else
using types = std::tuple<weight, float, double, std::int64_t>;
#endif
using policies_and_types = with_policies<with, types>;

constexpr std::size_t n = 70;
// Numbers of rows, also as template arguments.
constexpr std::integral_constant<std::size_t, n> all_rows;
constexpr std::integral_constant<std::size_t, 5> some_rows;

const arc_list<weight>& sample() {
  static const auto g = random_graph<weight>(n, 0.06, 1, 99, 17);
  return g;
}
// With negative weights, rows are finished by another method.
const arc_list<weight>& negative_sample() {
  static const auto g = negative_graph<weight>(n, 0.06, 18);
  return g;
}

const std::vector<std::size_t>& from() {
  static const std::vector<std::size_t> sources{69, 3, 0, 3, 42};
  return sources;
}

// A minimal matrix, whose entries are not contiguous.
template <class T>
class scattered {
 public:
  explicit scattered(std::size_t rows) : rows_(rows), entries_(n * n) {}
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return n; }
  T& operator()(std::size_t i, std::size_t j) { return entries_[(i * 31 + j * n) % (n * n)]; }
  const T& operator()(std::size_t i, std::size_t j) const {
    return entries_[(i * 31 + j * n) % (n * n)];
  }

 private:
  std::size_t rows_;
  std::vector<T> entries_;
};

// A matrix that returns proxies for its entries.
template <class T>
class inserting {
 public:
  explicit inserting(std::size_t rows) : rows_(rows) {}
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return n; }
  T& operator()(std::size_t i, std::size_t j) { return entries_[{i, j}]; }

 private:
  std::size_t rows_;
  std::map<std::pair<std::size_t, std::size_t>, T> entries_;
};

// Matrices with the interface of Armadillo: one in memory, and one that is an expression.
template <class T>
struct armadillo_matrix {
  armadillo_matrix(std::size_t rows, std::size_t columns)
      : n_rows(rows), n_cols(columns), entries(rows * columns) {}
  T* memptr() { return entries.data(); }
  const T* memptr() const { return entries.data(); }
  T& operator[](std::size_t k) { return entries[k]; }
  const T& operator[](std::size_t k) const { return entries[k]; }
  T& operator()(std::size_t i, std::size_t j) { return entries[j * n_rows + i]; }
  const T& operator()(std::size_t i, std::size_t j) const { return entries[j * n_rows + i]; }

  const std::size_t n_rows;
  const std::size_t n_cols;
  std::vector<T> entries;
};
template <class T>
struct armadillo_subview {
  T& operator()(std::size_t i, std::size_t j) { return whole(i + 1, j + 2); }
  const T& operator()(std::size_t i, std::size_t j) const { return whole(i + 1, j + 2); }

  const std::size_t n_rows;
  const std::size_t n_cols;
  armadillo_matrix<T> whole{n_rows + 2, n_cols + 2};
};

// Returns entry (i, j) of any matrix of the test, for checks that use m[i][j].
template <class M>
auto copied(M& m, std::size_t rows) {
  apsp::matrix<apsp::matrix_value_t<M>> copy(rows, n);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < n; ++j) copy[i][j] = apsp::matrix_entry(m, i, j);
  }
  return copy;
}

// Solves for all pairs.
template <class With, class D, class P>
void check_square(D&& distances, P&& predecessors) {
  using T = typename With::weight;
  const auto g = converted<T>(sample());
  BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), g.view(), distances));
  check_distances(g, copied(distances, n));
  BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), g.view(), distances, predecessors));
  check_distances(g, copied(distances, n));
  check_predecessors(g, copied(distances, n), copied(predecessors, n));
}

// Solves from some sources.
template <class Policy, class D, class P>
void check_rectangle(D&& distances, P&& predecessors) {
  for (const auto* g : {&sample(), &negative_sample()}) {
    const auto expected = oracle_rows(*g, from());
    BOOST_REQUIRE(expected.has_value());
    const auto lightest = lightest_arcs(*g);
    using T = apsp::matrix_value_t<D>;
    const auto check = [&] {
      const auto d = copied(distances, some_rows);
      apsp::matrix<weight> numbers(some_rows, n);
      std::transform(d.begin(), d.end(), numbers.begin(), [](T x) {
        return x == apsp::unreachable<T> ? apsp::unreachable<weight> : static_cast<weight>(x);
      });
      check_rows<weight>(*expected, numbers);
      return numbers;
    };
    BOOST_REQUIRE(apsp::johnson(Policy::policy(), g->view(), from(), distances));
    check();
    BOOST_REQUIRE(apsp::johnson(Policy::policy(), g->view(), from(), distances, predecessors));
    check_trees<weight>(lightest, from(), check(), copied(predecessors, some_rows));
  }
}

// Solves into the matrices make(rows) of distances and predecessors.
template <class With, class Make>
void check_output(Make make) {
  auto [distances, predecessors] = make(all_rows);
  check_square<With>(distances, predecessors);
  if constexpr (std::is_same_v<typename With::weight, weight>) {
    auto [some_distances, some_predecessors] = make(some_rows);
    check_rectangle<With>(some_distances, some_predecessors);
  }
}

template <class Policy, class Graph, class Sources>
void check_sources(const Graph& g, Sources&& sources, const std::vector<std::size_t>& numbers,
                   const arc_list<weight>& arcs = sample()) {
  const auto expected = oracle_rows(arcs, numbers);
  BOOST_REQUIRE(expected.has_value());
  apsp::matrix<weight> distances(numbers.size(), arcs.n, -7);
  BOOST_REQUIRE(apsp::johnson(Policy::policy(), g, std::forward<Sources>(sources), distances));
  check_rows<weight>(*expected, distances);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(apsp_matrices, With, policies_and_types) {
  using T = typename With::weight;
  const auto check = [](auto index) {
    check_output<With>([](std::size_t rows) {
      return std::pair(apsp::matrix<T>(rows, n), apsp::matrix<decltype(index)>(rows, n));
    });
  };
  check(int{});
  check(std::uint32_t{});
  check(std::size_t{});
  check(std::int16_t{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(apsp_matrices_of_another_type, Policy, policies) {
  constexpr std::size_t rows = some_rows;
  check_rectangle<Policy>(apsp::matrix<std::int64_t>(rows, n), apsp::matrix<std::int64_t>(rows, n));
  check_rectangle<Policy>(apsp::matrix<float>(rows, n), apsp::matrix<std::int8_t>(rows, n));
  check_rectangle<Policy>(apsp::matrix<double>(rows, n), apsp::matrix<std::size_t>(rows, n));
}

// Parts of a larger matrix as results and as the graph. The gaps between the rows are not written.
BOOST_AUTO_TEST_CASE_TEMPLATE(matrix_views, With, policies_and_types) {
  using T = typename With::weight;
  constexpr std::size_t pitch = n + 5;
  apsp::matrix<T> memory(n, pitch, T{7});
  std::vector<int> numbers(n * n);
  const apsp::matrix_view distances(memory.data(), n, n, pitch);
  check_square<With>(distances, apsp::matrix_view(numbers.data(), n, n));
  const apsp::matrix_view<const T> graph = distances;
  apsp::matrix<T> again(n);
  BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), graph, again));
  BOOST_CHECK(again == copied(distances, n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = n; j < pitch; ++j) BOOST_REQUIRE(memory[i][j] == T{7});
  }
  static_assert(!apsp::result_matrix<apsp::matrix_view<const T>>);
  BOOST_CHECK_THROW(apsp::matrix_view(memory.data(), n, n, n - 1), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(ranges_of_rows, With, policies_and_types) {
  using T = typename With::weight;
  using index = std::int64_t;
  check_output<With>([](std::size_t rows) {
    return std::pair(std::vector(rows, std::vector<T>(n)), std::vector(rows, std::vector<int>(n)));
  });
  check_output<With>([](std::size_t rows) {
    return std::pair(std::vector(rows, std::deque<T>(n)), std::deque(rows, std::vector<int>(n)));
  });
  std::pmr::monotonic_buffer_resource memory;
  check_output<With>([&](std::size_t rows) {
    return std::pair(
        std::pmr::vector<std::pmr::vector<T>>(rows, std::pmr::vector<T>(n), &memory),
        std::pmr::vector<std::pmr::vector<int>>(rows, std::pmr::vector<int>(n), &memory));
  });
  check_output<With>([](auto rows) {
    return std::pair(std::array<std::array<T, n>, rows>{},
                     std::array<std::array<index, n>, rows>{});
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(built_in_arrays, With, policies_and_types) {
  const auto check = [](auto rows, auto check_call) {
    static typename With::weight distances[rows][n];
    static int predecessors[rows][n];
    check_call(distances, predecessors);
    // Pointers to rows have no shape that could be checked.
    std::vector<typename With::weight*> starts;
    for (auto& row : distances) starts.push_back(row);
    auto** pointers = starts.data();
    check_call(pointers, predecessors);
  };
  check(all_rows, [](auto& d, auto& p) { check_square<With>(d, p); });
  if constexpr (std::is_same_v<typename With::weight, weight>) {
    check(some_rows, [](auto& d, auto& p) { check_rectangle<With>(d, p); });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(multi_arrays, With, policies_and_types) {
  using T = typename With::weight;
  using distances = boost::multi_array<T, 2>;
  using predecessors = boost::multi_array<int, 2>;
  check_output<With>([](std::size_t rows) {
    const auto shape = boost::extents[rows][n];
    return std::pair(distances(shape), predecessors(shape));
  });
  check_output<With>([](std::size_t rows) {
    const auto shape = boost::extents[rows][n];
    const boost::fortran_storage_order by_columns;
    return std::pair(distances(shape, by_columns), predecessors(shape, by_columns));
  });
  std::vector<T> memory(n * n);
  check_output<With>([&](std::size_t rows) {
    const auto shape = boost::extents[rows][n];
    return std::pair(boost::multi_array_ref<T, 2>(memory.data(), shape), predecessors(shape));
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_by_data_members, With, policies_and_types) {
  using T = typename With::weight;
  check_output<With>([](std::size_t rows) {
    return std::pair(armadillo_matrix<T>(rows, n), armadillo_matrix<int>(rows, n));
  });
  check_output<With>([](std::size_t rows) {
    return std::pair(armadillo_subview<T>{rows, n}, armadillo_subview<int>{rows, n});
  });
  // The result as a graph: solving again changes nothing.
  const auto g = random_graph<T>(n, 0.1, 1, 50, 4);
  armadillo_matrix<T> d(n, n);
  BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), g.view(), d));
  armadillo_subview<T> again{n, n};
  BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), std::as_const(d), again));
  BOOST_CHECK(copied(again, n) == copied(d, n));
  armadillo_matrix<T> third(n, n);
  BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), std::as_const(again), third));
  BOOST_CHECK(third.entries == d.entries);

  armadillo_matrix<T> narrow(n, n - 1);
  armadillo_subview<int> low{n - 1, n};
  BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(With::policy(), g.view(), narrow)),
                    std::invalid_argument);
  BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(With::policy(), g.view(), d, low)),
                    std::invalid_argument);
  BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(With::policy(), narrow, d)),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(call_indexed_matrices, With, policies_and_types) {
  using T = typename With::weight;
  namespace ublas = boost::numeric::ublas;
  check_output<With>([](std::size_t rows) {
    return std::pair(ublas::matrix<T, ublas::row_major, std::vector<T>>(rows, n),
                     ublas::matrix<int, ublas::column_major, std::vector<int>>(rows, n));
  });
  check_output<With>(
      [](std::size_t rows) { return std::pair(scattered<T>(rows), scattered<int>(rows)); });
  check_output<With>(
      [](std::size_t rows) { return std::pair(inserting<T>(rows), inserting<int>(rows)); });
}

#ifdef APSP_TEST_EIGEN
BOOST_AUTO_TEST_CASE_TEMPLATE(eigen_matrices, With, policies_and_types) {
  using T = typename With::weight;
  using by_rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using by_columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
  using numbers = Eigen::Matrix<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
  const auto check = [](auto distances) {
    check_output<With>(
        [&](std::size_t rows) { return std::pair(distances(rows), numbers(rows, n)); });
  };
  check([](std::size_t rows) { return by_rows(rows, n); });
  check([](std::size_t rows) { return by_columns(rows, n); });
  by_rows large(n + 9, n + 5);
  check([&](std::size_t rows) { return large.block(4, 3, rows, n); });
  by_columns tall(n + 9, n + 5);
  check([&](std::size_t rows) { return tall.block(4, 3, rows, n); });
  std::vector<T> memory(3 * n * n);
  using strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  check([&](std::size_t rows) {
    return Eigen::Map<by_rows, 0, strides>(memory.data(), rows, n, strides(3 * n, 3));
  });
}
#endif

#ifdef APSP_TEST_MDSPAN
BOOST_AUTO_TEST_CASE_TEMPLATE(mdspans, With, policies_and_types) {
  using T = typename With::weight;
  namespace md = cuda::std;
  std::vector<T> memory(2 * n * n);
  std::vector<int> numbers(n * n);
  using extents = md::dextents<std::size_t, 2>;
  check_output<With>([&](std::size_t rows) {
    return std::pair(md::mdspan<T, extents>(memory.data(), rows, n),
                     md::mdspan<int, extents>(numbers.data(), rows, n));
  });
  check_output<With>([&](std::size_t rows) {
    return std::pair(md::mdspan<T, extents, md::layout_left>(memory.data(), rows, n),
                     md::mdspan<int, extents, md::layout_left>(numbers.data(), rows, n));
  });
  check_output<With>([&](std::size_t rows) {
    const md::array<std::size_t, 2> strides{2 * n, 2};
    const md::layout_stride::mapping<extents> mapping(extents(rows, n), strides);
    return std::pair(md::mdspan<T, extents, md::layout_stride>(memory.data(), mapping),
                     md::mdspan<int, extents>(numbers.data(), rows, n));
  });
}
#endif

// The wider type used internally is converted entry by entry, also for a column-major matrix.
BOOST_AUTO_TEST_CASE_TEMPLATE(saturation_in_any_layout, Policy, policies) {
  const auto g = make_graph<weight>(3, {{0, 1, 2'000'000'000}, {1, 2, 2'000'000'000}});
  const auto check = [&](std::size_t rows, auto solve) {
    boost::multi_array<weight, 2> d(boost::extents[rows][3], boost::fortran_storage_order());
    const apsp::result done = solve(d);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.saturated());
    BOOST_CHECK_EQUAL(d[0][1], 2'000'000'000);
    BOOST_CHECK_EQUAL(d[1][2], 2'000'000'000);
    BOOST_CHECK_EQUAL(d[1][0], apsp::unreachable<weight>);
    BOOST_CHECK_EQUAL(d[0][2], apsp::unreachable<weight>);
  };
  check(3, [&](auto& d) { return apsp::floyd_warshall(Policy::policy(), g.view(), d); });
  check(2, [&](auto& d) {
    return apsp::johnson(Policy::policy(), g.view(), std::vector<int>{0, 1}, d);
  });
}

// Lists of sources.

BOOST_AUTO_TEST_CASE_TEMPLATE(sources_as_numbers, Policy, policies) {
  const auto g = sample().view();
  using numbers = std::vector<std::size_t>;
  check_sources<Policy>(g, std::vector<int>{5, 0, 69, 5}, {5, 0, 69, 5});
  check_sources<Policy>(g, std::vector<std::uint8_t>{69, 1}, {69, 1});
  check_sources<Policy>(g, std::vector<std::int64_t>{}, {});
  const std::vector<unsigned> constant{7, 6};
  check_sources<Policy>(g, constant, {7, 6});
  check_sources<Policy>(g, std::span(constant).subspan(1), {6});
  check_sources<Policy>(g, std::initializer_list<int>{4, 4, 2}, {4, 4, 2});
  const int built_in[] = {9, 8, 7};
  check_sources<Policy>(g, built_in, {9, 8, 7});
  check_sources<Policy>(g, std::array<std::size_t, 2>{1, 0}, {1, 0});
  check_sources<Policy>(g, std::list<int>{3, 1, 2}, {3, 1, 2});
  check_sources<Policy>(g, std::set<long>{30, 10, 20}, {10, 20, 30});
  std::vector<int> changeable{11};
  check_sources<Policy>(g, changeable, {11});
  numbers every = all_vertices(n);
  check_sources<Policy>(g, every, every);
#ifdef APSP_TEST_VIEWS
  check_sources<Policy>(g, std::views::iota(10, 14), {10, 11, 12, 13});
  // A range that can be traversed only once, and is not const-iterable.
  const auto even = [](int v) { return v % 2 == 0; };
  check_sources<Policy>(g, std::views::iota(60, 66) | std::views::filter(even), {60, 62, 64});
  auto filtered = every | std::views::filter([](std::size_t v) { return v % 30 == 7; });
  check_sources<Policy>(g, filtered, {7, 37, 67});
  std::istringstream text("12 13 5");
  check_sources<Policy>(g, std::ranges::istream_view<int>(text), {12, 13, 5});
#endif
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sources_as_vertices_of_a_graph, Policy, policies) {
  using length = boost::property<boost::edge_weight_t, weight>;
  const auto build = [](auto& g) {
    using graph = std::remove_cvref_t<decltype(g)>;
    std::vector<typename boost::graph_traits<graph>::vertex_descriptor> vertex;
    for (std::size_t v = 0; v < n; ++v) vertex.push_back(add_vertex(g));
    for (std::size_t k = 0; k < sample().size(); ++k) {
      add_edge(vertex[sample().from(k)], vertex[sample().to(k)], sample().weights[k], g);
    }
    return vertex;
  };
  {
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, length> g;
    const auto vertex = build(g);
    check_sources<Policy>(g, std::vector{vertex[8], vertex[0], vertex[8]}, {8, 0, 8});
    check_sources<Policy>(g, std::vector<int>{8, 0}, {8, 0});
    check_sources<Policy>(apsp::weighted(g, get(boost::edge_weight, g)), std::vector{vertex[8]},
                          {8});
    const auto all = vertices(g);
    check_sources<Policy>(g, std::vector(all.first, all.second), all_vertices(n));
    check_sources<Policy>(g, all, all_vertices(n));
    check_sources<Policy>(g, vertices(g), all_vertices(n));
    std::vector<weight> row(n);
    BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), g, vertex[8], row));
    BOOST_CHECK_EQUAL(row[8], 0);

    // Rows and columns use the numbers of the caller, while a source is a vertex of g.
    std::vector<std::size_t> turned(n);
    arc_list<weight> arcs{n, {}, {}, sample().weights};
    for (std::size_t v = 0; v < n; ++v) turned[v] = n - 1 - v;
    for (std::size_t k = 0; k < sample().size(); ++k) {
      arcs.sources.push_back(static_cast<std::int32_t>(n) - 1 - sample().sources[k]);
      arcs.targets.push_back(static_cast<std::int32_t>(n) - 1 - sample().targets[k]);
    }
    const auto map = boost::make_iterator_property_map(turned.begin(), get(boost::vertex_index, g));
    const auto renumbered = apsp::boost_graph(g, map);
    check_sources<Policy>(renumbered, std::vector{vertex[8], vertex[69]}, {61, 0}, arcs);
  }
  {
    // Vertices that are not numbers.
    boost::adjacency_list<boost::vecS, boost::listS, boost::directedS, boost::no_property, length>
        g;
    const auto vertex = build(g);
    check_sources<Policy>(g, std::vector{vertex[8], vertex[0], vertex[8]}, {8, 0, 8});
    check_sources<Policy>(g, std::vector<int>{8, 0}, {8, 0});
    std::map<void*, std::size_t> numbers;
    for (std::size_t v = 0; v < n; ++v) numbers[vertex[v]] = v;
    check_sources<Policy>(g, vertices(g), all_vertices(n));
    std::vector<weight> row(n);
    BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), g, vertex[8], row));
    BOOST_CHECK_EQUAL(row[8], 0);
    const auto numbered = apsp::boost_graph(g, boost::make_assoc_property_map(numbers));
    check_sources<Policy>(numbered, std::vector{vertex[69], vertex[1]}, {69, 1});
    const auto reversed = apsp::reversed(g);
    arc_list<weight> turned{n, sample().targets, sample().sources, sample().weights};
    check_sources<Policy>(reversed, std::vector{vertex[69], vertex[1]}, {69, 1}, turned);
  }
}

// A row of a single source, in whatever holds entries one after another.
BOOST_AUTO_TEST_CASE_TEMPLATE(single_sources, Policy, policies) {
  const auto g = sample().view();
  const auto lightest = lightest_arcs(sample());
  const auto check = [&](auto&& d, auto&& p) {
    const auto check_row = [&](const apsp::result& done, bool with_predecessors) {
      BOOST_REQUIRE(done);
      const std::vector<std::size_t> source{42};
      apsp::matrix<weight> found(1, n);
      apsp::matrix<int> hops(1, n);
      for (std::size_t v = 0; v < n; ++v) {
        found[0][v] = std::exchange((&d[0])[v], -7);
        hops[0][v] = static_cast<int>((&p[0])[v]);
      }
      check_rows<weight>(*oracle_rows(sample(), source), found);
      if (with_predecessors) check_trees<weight>(lightest, source, found, hops);
    };
    check_row(apsp::dijkstra(Policy::policy(), g, 42, d), false);
    check_row(apsp::dijkstra(Policy::policy(), g, 42u, d, p), true);
    check_row(apsp::bellman_ford(Policy::policy(), g, std::uint8_t{42}, d), false);
    check_row(apsp::bellman_ford(Policy::policy(), g, std::int64_t{42}, d, p), true);
  };
  check(std::vector<weight>(n), std::vector<int>(n));
  check(std::vector<weight>(n), std::vector<std::uint64_t>(n));
  std::vector<weight> memory(3 * n);
  std::array<std::int16_t, n> hops{};
  check(std::span(memory).subspan(n, n), hops);
  BOOST_CHECK(memory[n - 1] == 0 && memory[2 * n] == 0);
  weight built_in[n];
  check(built_in, hops);
#ifdef APSP_TEST_EIGEN
  check(Eigen::Matrix<weight, Eigen::Dynamic, 1>(n), Eigen::VectorXi(n));
  check(Eigen::Matrix<weight, 1, Eigen::Dynamic>(n), std::vector<int>(n));
  static_assert(!apsp::result_row<Eigen::MatrixXi>);
#endif
  static_assert(!apsp::result_row<const std::vector<int>&>);
  static_assert(!apsp::result_row<std::vector<bool>&>);
  static_assert(!apsp::result_row<apsp::matrix<int>&>);

  std::vector<double> widths(n);
  apsp::matrix<double> expected(1, n);
  const apsp::max_min<double> widest;
  BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), g, std::array{42}, expected, widest));
  BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), g, 42, widths, widest));
  BOOST_CHECK(std::equal(widths.begin(), widths.end(), expected.begin()));
  std::vector<int> before(n);
  widths.assign(n, 0);
  BOOST_REQUIRE(apsp::bellman_ford(Policy::policy(), g, 42, widths, before, widest));
  BOOST_CHECK(std::equal(widths.begin(), widths.end(), expected.begin()));
  BOOST_CHECK(apsp::path(before, 42, 42) == std::vector<std::size_t>{42});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(single_sources_that_are_refused, Policy, policies) {
  const auto g = sample().view();
  std::vector<weight> d(n, 42);
  std::vector<int> p(n, 42);
  std::vector<weight> shorter(n - 1);
  check_refused([&] { return apsp::dijkstra(Policy::policy(), g, 0, shorter); },
                "apsp: the range of distances has 69 entries, not 70, one for each vertex");
  check_refused([&] { return apsp::bellman_ford(Policy::policy(), g, 0, d, shorter); },
                "apsp: the range of predecessors has 69 entries, not 70");
  for (const int source : {-1, 70}) {
    check_refused([&] { return apsp::dijkstra(Policy::policy(), g, source, d, p); },
                  "apsp: source " + std::to_string(source) + " is out of range");
  }
  check_refused([&] { return apsp::dijkstra(Policy::policy(), g, 0, d, d); },
                "must not share memory");
  BOOST_CHECK(d == std::vector<weight>(n, 42) && p == std::vector<int>(n, 42));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sources_of_a_model_of_the_users, Policy, policies) {
  using board = boost::grid_graph<2>;
  const board g(boost::array<std::size_t, 2>{{6, 7}});
  const auto check = [&](const auto& corners) {
    apsp::matrix<int> d(2, 42);
    BOOST_REQUIRE(apsp::dijkstra(
        Policy::policy(), apsp::unweighted(apsp::boost_graph(g, get(boost::vertex_index, g))),
        corners, d));
    for (std::size_t v = 0; v < 42; ++v) {
      BOOST_CHECK_EQUAL(d[0][v], static_cast<int>(v % 6 + v / 6));
      BOOST_CHECK_EQUAL(d[1][v], static_cast<int>(5 - v % 6 + 6 - v / 6));
    }
  };
  using vertex = board::vertex_descriptor;
  check(std::list<vertex>{{{0, 0}}, {{5, 6}}});
  // The vertex type is an array here, and a list of such vertices is not a matrix.
  check(std::vector<vertex>{{{0, 0}}, {{5, 6}}});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(vertices_that_are_none, Policy, policies) {
  using length = boost::property<boost::edge_weight_t, weight>;
  const auto refused = [](const auto& g, const auto& sources) {
    apsp::matrix<weight> d(std::size(sources), 3, 42);
    BOOST_CHECK_THROW(static_cast<void>(apsp::dijkstra(Policy::policy(), g, sources, d)),
                      std::invalid_argument);
    BOOST_CHECK(std::all_of(d.begin(), d.end(), [](weight x) { return x == 42; }));
  };
  using list = boost::adjacency_list<boost::vecS, boost::listS, boost::directedS,
                                     boost::no_property, length>;
  list g;
  list other;
  for (int v = 0; v < 3; ++v) add_vertex(g);
  const auto stranger = add_vertex(other);
  refused(g, std::vector{*vertices(g).first, stranger});
  refused(g, std::vector{list::null_vertex()});
  refused(g, std::vector<int>{3});

  using numbered =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, length>;
  const numbered h(3);
  const std::vector<std::size_t> numbers{2, 0, 1};
  const auto map = boost::make_iterator_property_map(numbers.begin(), get(boost::vertex_index, h));
  refused(h, std::vector<int>{0, 3});
  refused(h, std::vector<int>{-1});
  refused(apsp::boost_graph(h, map), std::vector<int>{0, 3});
  refused(apsp::boost_graph(h, map), std::vector{numbered::null_vertex()});
}

#ifdef APSP_TEST_EIGEN
// An Eigen vector has rows and columns, but is a list of vertices.
BOOST_AUTO_TEST_CASE_TEMPLATE(eigen_sources, Policy, policies) {
  const auto& g = sample();
  const std::vector<int> list{5, 0, 69, 5};
  apsp::matrix<weight> expected(list.size(), n);
  BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), g.view(), list, expected));
  Eigen::VectorXi column(4);
  column << 5, 0, 69, 5;
  const Eigen::RowVectorXi row = column.transpose();
  const auto check = [&](const auto& sources) {
    apsp::matrix<weight> d(list.size(), n);
    apsp::matrix<int> p(list.size(), n);
    BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), g.view(), sources, d));
    BOOST_CHECK(d == expected);
    BOOST_REQUIRE(apsp::johnson(Policy::policy(), g.view(), sources, d, p));
    BOOST_CHECK(d == expected);
  };
  check(column);
  check(row);
  check(column.head(4));
  static_assert(!apsp::vertex_range<Eigen::MatrixXi, decltype(g.view())>);
}
#endif

// Paths from rectangular predecessors, and from a single row of them.
BOOST_AUTO_TEST_CASE(paths_of_some_sources) {
  const auto g = random_graph<int>(60, 0.05, 1, 99, 71);
  const auto lightest = lightest_arcs(g);
  const std::vector<int> sources{17, 3, 17};
  apsp::matrix<int> d(3, g.n);
  apsp::matrix<int> p(3, g.n);
  BOOST_REQUIRE(apsp::dijkstra(apsp::seq, g.view(), sources, d, p));
  const auto check = [&](const std::vector<std::size_t>& vertices, std::size_t s, std::size_t t,
                         int distance) {
    if (distance == apsp::unreachable<int>) {
      BOOST_CHECK(vertices.empty());
      return;
    }
    BOOST_REQUIRE(!vertices.empty());
    BOOST_CHECK(vertices.front() == s && vertices.back() == t);
    std::int64_t length = 0;
    for (std::size_t i = 0; i + 1 < vertices.size(); ++i) {
      length += lightest[vertices[i]][vertices[i + 1]];
    }
    BOOST_CHECK_EQUAL(length, distance);
  };
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto s = static_cast<std::size_t>(sources[i]);
    for (std::size_t t = 0; t < g.n; ++t) {
      check(apsp::path(p, i, s, t), s, t, d[i][t]);
      check(apsp::path(std::span<const int>(p[i], g.n), s, t), s, t, d[i][t]);
    }
  }
  BOOST_CHECK_THROW(apsp::path(p, 3, 17, 0), std::out_of_range);
  BOOST_CHECK_THROW(apsp::path(p, 0, 17, g.n), std::out_of_range);
  // Row 0 belongs to the first source, not to vertex 0.
  BOOST_CHECK_EXCEPTION(apsp::path(p, 0, 1), std::invalid_argument, [](const auto& error) {
    return std::string_view(error.what()).find("path(predecessors, row, s, t)") !=
           std::string_view::npos;
  });
  const std::vector<std::vector<int>> ragged{{-1, 0}, {1}};
  BOOST_CHECK_THROW(apsp::path(ragged, 0, 1), std::invalid_argument);
  BOOST_CHECK_THROW(apsp::path(std::vector<int>{1, 0}, 2, 0), std::out_of_range);
  // Vertices 1 and 2 form a cycle that does not contain vertex 0.
  BOOST_CHECK_THROW(apsp::path(std::vector<int>{-1, 2, 1}, 0, 1), std::invalid_argument);
}
