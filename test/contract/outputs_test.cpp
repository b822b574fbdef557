// SPDX-License-Identifier: BSL-1.0
// Tests of all kinds of matrices for distances and predecessors.
#define BOOST_TEST_MODULE outputs
#include <boost/test/unit_test.hpp>

#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <array>
#include <boost/multi_array.hpp>
#include <boost/numeric/ublas/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <memory_resource>
#include <stdexcept>
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

#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

constexpr std::size_t n = 70;

// A minimal matrix, whose entries are not contiguous.
template <class T>
class scattered {
 public:
  scattered() : entries_(n * n) {}
  std::size_t rows() const { return n; }
  std::size_t cols() const { return n; }
  T& operator()(std::size_t i, std::size_t j) { return entries_[(i * 31 + j * n) % (n * n)]; }
  const T& operator()(std::size_t i, std::size_t j) const {
    return entries_[(i * 31 + j * n) % (n * n)];
  }

 private:
  std::vector<T> entries_;
};

// A matrix that returns proxies for its entries.
template <class T>
class inserting {
 public:
  std::size_t rows() const { return n; }
  std::size_t cols() const { return n; }
  T& operator()(std::size_t i, std::size_t j) { return entries_[{i, j}]; }

 private:
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
auto copied(M& m) {
  using T = apsp::matrix_value_t<M>;
  apsp::matrix<T> copy(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) copy[i][j] = apsp::matrix_entry(m, i, j);
  }
  return copy;
}

template <class With, class D, class P>
void check_output(D&& distances, P&& predecessors) {
  using T = typename With::weight;
  const auto g = random_graph<T>(n, 0.06, 1, 99, 17);
  BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), g.view(), distances));
  check_distances(g, copied(distances));
  BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), g.view(), distances, predecessors));
  check_distances(g, copied(distances));
  check_predecessors(g, copied(distances), copied(predecessors));
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(apsp_matrix, With, policies_and_weights) {
  using T = typename With::weight;
  check_output<With>(apsp::matrix<T>(n), apsp::matrix<int>(n));
  check_output<With>(apsp::matrix<T>(n), apsp::matrix<std::uint32_t>(n));
  check_output<With>(apsp::matrix<T>(n), apsp::matrix<std::size_t>(n));
  check_output<With>(apsp::matrix<T>(n), apsp::matrix<std::int16_t>(n));
}

// Parts of a larger matrix as results and as the graph. The gaps between the rows are not written.
BOOST_AUTO_TEST_CASE_TEMPLATE(matrix_views, With, policies_and_weights) {
  using T = typename With::weight;
  constexpr std::size_t pitch = n + 5;
  apsp::matrix<T> memory(n, pitch, T{7});
  std::vector<int> numbers(n * n);
  const apsp::matrix_view distances(memory.data(), n, n, pitch);
  check_output<With>(distances, apsp::matrix_view(numbers.data(), n, n));
  const apsp::matrix_view<const T> graph = distances;
  apsp::matrix<T> again(n);
  BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), graph, again));
  BOOST_CHECK(again == copied(distances));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = n; j < pitch; ++j) BOOST_REQUIRE(memory[i][j] == T{7});
  }
  static_assert(!apsp::result_matrix<apsp::matrix_view<const T>>);
  BOOST_CHECK_THROW(apsp::matrix_view(memory.data(), n, n, n - 1), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(ranges_of_rows, With, policies_and_weights) {
  using T = typename With::weight;
  check_output<With>(std::vector<std::vector<T>>(n, std::vector<T>(n)),
                     std::vector<std::vector<int>>(n, std::vector<int>(n)));
  check_output<With>(std::vector<std::deque<T>>(n, std::deque<T>(n)),
                     std::deque<std::vector<int>>(n, std::vector<int>(n)));
  std::pmr::monotonic_buffer_resource memory;
  check_output<With>(std::pmr::vector<std::pmr::vector<T>>(n, std::pmr::vector<T>(n), &memory),
                     std::pmr::vector<std::pmr::vector<int>>(n, std::pmr::vector<int>(n), &memory));
  const auto arrays = std::make_unique<std::array<std::array<T, n>, n>>();
  const auto numbers = std::make_unique<std::array<std::array<std::int64_t, n>, n>>();
  check_output<With>(*arrays, *numbers);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(built_in_arrays, With, policies_and_weights) {
  using T = typename With::weight;
  static T distances[n][n];
  static int predecessors[n][n];
  check_output<With>(distances, predecessors);

  // Pointers to rows have no shape that could be checked.
  std::vector<T*> rows;
  for (auto& row : distances) rows.push_back(row);
  T** pointers = rows.data();
  check_output<With>(pointers, predecessors);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(multi_arrays, With, policies_and_weights) {
  using T = typename With::weight;
  using distances = boost::multi_array<T, 2>;
  using predecessors = boost::multi_array<int, 2>;
  check_output<With>(distances(boost::extents[n][n]), predecessors(boost::extents[n][n]));
  check_output<With>(distances(boost::extents[n][n], boost::fortran_storage_order()),
                     predecessors(boost::extents[n][n], boost::fortran_storage_order()));
  std::vector<T> memory(n * n);
  boost::multi_array_ref<T, 2> reference(memory.data(), boost::extents[n][n]);
  check_output<With>(reference, predecessors(boost::extents[n][n]));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(shapes_by_data_members, With, policies_and_weights) {
  using T = typename With::weight;
  check_output<With>(armadillo_matrix<T>(n, n), armadillo_matrix<int>(n, n));
  check_output<With>(armadillo_subview<T>{n, n}, armadillo_subview<int>{n, n});
  // The result as a graph: solving again changes nothing.
  const auto g = random_graph<T>(n, 0.1, 1, 50, 4);
  armadillo_matrix<T> d(n, n);
  BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), g.view(), d));
  armadillo_subview<T> again{n, n};
  BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), std::as_const(d), again));
  BOOST_CHECK(copied(again) == copied(d));
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

BOOST_AUTO_TEST_CASE_TEMPLATE(call_indexed_matrices, With, policies_and_weights) {
  using T = typename With::weight;
  namespace ublas = boost::numeric::ublas;
  check_output<With>(ublas::matrix<T, ublas::row_major, std::vector<T>>(n, n),
                     ublas::matrix<int, ublas::column_major, std::vector<int>>(n, n));
  check_output<With>(scattered<T>(), scattered<int>());
  check_output<With>(inserting<T>(), inserting<int>());
}

#ifdef APSP_TEST_EIGEN
BOOST_AUTO_TEST_CASE_TEMPLATE(eigen_matrices, With, policies_and_weights) {
  using T = typename With::weight;
  using rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
  using numbers = Eigen::Matrix<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
  check_output<With>(rows(n, n), numbers(n, n));
  check_output<With>(columns(n, n), numbers(n, n));
  rows large(n + 9, n + 5);
  auto block = large.block(4, 3, n, n);
  check_output<With>(block, numbers(n, n));
  columns tall(n + 9, n + 5);
  auto column_block = tall.block(4, 3, n, n);
  check_output<With>(column_block, numbers(n, n));
  std::vector<T> memory(3 * n * n);
  Eigen::Map<rows, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>> sparse(
      memory.data(), n, n, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(3 * n, 3));
  check_output<With>(sparse, numbers(n, n));
}
#endif

#ifdef APSP_TEST_MDSPAN
BOOST_AUTO_TEST_CASE_TEMPLATE(mdspans, With, policies_and_weights) {
  using T = typename With::weight;
  namespace md = cuda::std;
  std::vector<T> memory(n * n);
  std::vector<int> numbers(n * n);
  using extents = md::dextents<std::size_t, 2>;
  check_output<With>(md::mdspan<T, extents>(memory.data(), n, n),
                     md::mdspan<int, extents>(numbers.data(), n, n));
  check_output<With>(md::mdspan<T, extents, md::layout_left>(memory.data(), n, n),
                     md::mdspan<int, extents, md::layout_left>(numbers.data(), n, n));
  std::vector<T> gaps(2 * n * n);
  const md::array<std::size_t, 2> strides{2 * n, 2};
  const md::layout_stride::mapping<extents> mapping(extents(n, n), strides);
  check_output<With>(md::mdspan<T, extents, md::layout_stride>(gaps.data(), mapping),
                     md::mdspan<int, extents>(numbers.data(), n, n));
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(saturation_in_any_layout, Policy, policies) {
  // The wider type used internally is converted entry by entry, also for a column-major matrix.
  std::vector<std::int32_t> s{0, 1}, t{1, 2};
  std::vector<std::int32_t> w{2'000'000'000, 2'000'000'000};
  boost::multi_array<std::int32_t, 2> d(boost::extents[3][3], boost::fortran_storage_order());
  const auto done = apsp::floyd_warshall(Policy::policy(), apsp::edge_list_view(3, s, t, w), d);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.saturated());
  BOOST_CHECK_EQUAL(d[0][1], 2'000'000'000);
  BOOST_CHECK_EQUAL(d[1][0], apsp::unreachable<std::int32_t>);
  BOOST_CHECK_EQUAL(d[0][2], apsp::unreachable<std::int32_t>);
}
