// SPDX-License-Identifier: BSL-1.0
// Matrices in .npy files: every byte that is written, matrices as results and as graphs, and the
// files that are refused.
#define BOOST_TEST_MODULE mapped_matrix
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/dijkstra.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/mapped_matrix.hpp>
#include <apsp/matrix.hpp>
#include <apsp/npy.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "../common/files.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

/// A file whose header has this dictionary, and a size that is a multiple of 64 and @p more bytes.
std::string npy(const std::string& dictionary, const std::string& entries, int version = 1,
                std::size_t more = 0) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  const std::size_t before = bytes.size() + (version == 1 ? 2 : 4) + 1;
  std::string text = dictionary;
  text.append((64 + more - (before + text.size()) % 64) % 64, ' ');
  text += '\n';
  for (int b = 0; b < (version == 1 ? 2 : 4); ++b) {
    bytes += static_cast<char>(text.size() >> (8 * b) & 0xff);
  }
  return bytes + text + entries;
}

std::string dictionary(const std::string& type, const std::string& shape) {
  return "{'descr': " + type + ", 'fortran_order': False, 'shape': " + shape + ", }";
}

template <class T>
std::string as_bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// Writes matrices of several shapes and checks every byte of the files.
template <class T>
void check_written(const std::string& type) {
  const auto file = temporary("m.npy");
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{2, 3}, {1, 1}, {0, 0}, {0, 5}, {17, 1}, {123, 45}}) {
    apsp::matrix<T> m(rows, columns);
    int next = 0;
    for (T& entry : m) entry = static_cast<T>(++next);
    const std::string expected =
        npy(dictionary("'" + type + "'",
                       "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")"),
            {reinterpret_cast<const char*>(m.data()), rows * columns * sizeof(T)});
    apsp::write_npy(file, m);
    BOOST_CHECK(text_of(file) == expected);
    apsp::write_npy(file, m.data(), rows, columns);
    BOOST_CHECK(text_of(file) == expected);
  }
  std::filesystem::remove(file);
}

template <class T>
using read_only = apsp::mapped_matrix<const T>;

}  // namespace

BOOST_AUTO_TEST_CASE(files_for_numpy) {
  check_written<float>("<f4");
  check_written<double>("<f8");
  check_written<std::int32_t>("<i4");
  check_written<std::int64_t>("<i8");
  check_written<std::uint16_t>("<u2");
  check_written<std::int8_t>("|i1");
  check_written<bool>("|b1");

  // A contiguous matrix is written at once, any other matrix row by row.
  const auto file = temporary("rows.npy");
  apsp::write_npy(file, std::vector<std::vector<std::uint8_t>>{{'a', 'b'}, {'c', 'd'}, {'e', 'f'}});
  BOOST_CHECK(text_of(file) == npy(dictionary("'|u1'", "(3, 2)"), "abcdef"));
  std::filesystem::remove(file);
  const std::vector<std::vector<int>> ragged{{1, 2}, {3}};
  refused([&] { apsp::write_npy(file, ragged); }, 0, "unequal length");
  BOOST_CHECK(!std::filesystem::exists(file));

  const apsp::matrix<float> m(1000);
  refused([&] { apsp::write_npy("/no/such/folder/m.npy", m); }, 0, "cannot be opened");
  refused([&] { apsp::write_npy(std::filesystem::temp_directory_path(), m); }, 0,
          "cannot be opened");
  if (std::filesystem::exists("/dev/full")) {
    refused([&] { apsp::write_npy("/dev/full", m); }, 0, "cannot be written");
    refused([&] { apsp::write_npy("/dev/full", m.data(), 1, 1); }, 0, "cannot be written");
  }
}

BOOST_AUTO_TEST_CASE(a_new_file_has_entries_of_zero) {
  const auto file = temporary("new.npy");
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{0, 0}, {0, 7}, {1, 1}, {3, 5}, {100, 129}}) {
    apsp::mapped_matrix<double> m(file, rows, columns);
    BOOST_CHECK(m.rows() == rows && m.cols() == columns);
    BOOST_CHECK(std::all_of(m.begin(), m.end(), [](double x) { return x == 0; }));
    apsp::matrix<double> same(rows, columns);
    double next = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) m(i, j) = same[i][j] = next += 1.5;
    }
    m.flush();
    const auto other = temporary("other.npy");
    apsp::write_npy(other, same);
    BOOST_CHECK(text_of(file) == text_of(other));
    std::filesystem::remove(other);
  }
  std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(results_and_graphs, T, weight_types) {
  const auto arcs = random_graph<T>(130, 0.05, 1, 100, 3);
  const auto file = temporary("distances.npy");
  {
    apsp::mapped_matrix<T> distances(file, arcs.n);
    BOOST_REQUIRE(apsp::floyd_warshall(apsp::omp, arcs.view(), distances));
    check_distances(arcs, distances);
    apsp::mapped_matrix<T> moved(std::move(distances));
    check_distances(arcs, moved);
    BOOST_CHECK_EQUAL(distances.rows(), 0u);
  }
  // As a graph that is only read, its distances are the same.
  const read_only<T> graph(file);
  apsp::matrix<T> again(arcs.n);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, graph, again));
  check_distances(arcs, again);
  const std::string before = text_of(file);
  BOOST_CHECK(before.size() > arcs.n * arcs.n * sizeof(T));

  // In place, after an arc to everywhere.
  apsp::mapped_matrix<T> both(file);
  both[0][7] = T{};
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::omp, both, both));
  auto with_arc = arcs;
  with_arc.add(0, 7, T{});
  check_distances(with_arc, both);
  BOOST_CHECK(text_of(file) != before);

  // Rows of sources, and predecessors.
  const std::vector<std::size_t> sources{5, 0, 129};
  apsp::mapped_matrix<std::int32_t> predecessors(temporary("predecessors.npy"), 3, arcs.n);
  apsp::mapped_matrix<T> rows(file, 3, arcs.n);
  BOOST_REQUIRE(apsp::dijkstra(apsp::omp, arcs.view(), sources, rows, predecessors));
  check_rows<T>(*oracle_rows(arcs, sources), rows);
  check_trees<T>(lightest_arcs(arcs), sources, rows, predecessors);
  std::filesystem::remove(temporary("predecessors.npy"));
  std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE(headers_that_numpy_writes) {
  const auto file = temporary("header.npy");
  const std::string entries = as_bytes<float>({1, 2, 3, 4, 5, 6});
  for (const int version : {1, 2, 3}) {
    for (const char* dictionary :
         {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }                 ",
          "{\"shape\": (2,3), \"descr\": \"<f4\", \"fortran_order\": False}"}) {
      put(file, npy(dictionary, entries, version));
      const read_only<float> m(file);
      BOOST_CHECK(m.rows() == 2 && m.cols() == 3 && m[1][2] == 6 && m(0, 1) == 2);
    }
  }
  // A single row or column has both orders.
  put(file, npy("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 6), }", entries));
  BOOST_CHECK(read_only<float>(file)[0][5] == 6);
  std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE(files_that_are_refused) {
  const auto file = temporary("refused.npy");
  const std::string entries = as_bytes<float>({1, 2, 3, 4, 5, 6});
  const auto refuses = [&](const std::string& bytes, const std::string& words) {
    put(file, bytes);
    check_refused<apsp::file_error>([&] { const read_only<float> m(file); }, words);
  };
  const std::string good = dictionary("'<f4'", "(2, 3)");
  refuses("", "does not begin with");
  refuses("1 2 3 and more text than a header has", "does not begin with");
  refuses(npy(good, entries, 4), "got 4");
  refuses(npy(good, entries).substr(0, 40), "got a part of one");
  refuses(npy(good, entries, 1, 2), "multiple of 4 bytes, got 130");
  refuses(npy(good, entries).substr(0, npy(good, entries).size() - 1), "2 x 3 entries, got 5");
  refuses(npy(dictionary("'<f8'", "(2, 3)"), entries), "type <f4, got '<f8'");
  refuses(npy(dictionary("'>f4'", "(2, 3)"), entries), "type <f4, got '>f4'");
  refuses(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", entries),
          "column-major");
  for (const char* shape : {"(6,)", "()", "(1, 2, 3)", "(2, -3)", "(2, 99999999999999999999)"}) {
    refuses(npy(dictionary("'<f4'", shape), entries), "matrix of two dimensions");
  }
  // The product of these does not fit.
  refuses(npy(dictionary("'<f4'", "(4294967296, 4294967296)"), entries), "entries, got 6");
  refuses(npy(dictionary("[('a', '<f4')]", "(2, 3)"), entries), "matrix of two dimensions");
  refuses(npy("no dictionary", entries), "matrix of two dimensions");
  std::filesystem::remove(file);
  check_refused<apsp::file_error>([&] { const read_only<float> m(file); }, "cannot be opened");
  check_refused<apsp::file_error>(
      [&] { const apsp::mapped_matrix<float> m(file / "none" / "m.npy", 3); }, "cannot be opened");
  BOOST_CHECK_THROW(
      apsp::mapped_matrix<float>(file, (std::numeric_limits<std::size_t>::max)() / 8, 4),
      std::bad_array_new_length);
  BOOST_CHECK(!std::filesystem::exists(file));
  // More than any disk has.
  check_refused<apsp::file_error>(
      [&] { const apsp::mapped_matrix<double> m(file, std::size_t{1} << 29); }, "on the disk");
  std::filesystem::remove(file);
}
