// SPDX-License-Identifier: BSL-1.0
// Tests of the file readers: accepted files, the lines and reasons of errors, and weights.
#define BOOST_TEST_MODULE files
#include <boost/test/unit_test.hpp>

#include <apsp/error.hpp>
#include <apsp/files.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <limits>
#include <map>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "../common/data.hpp"
#include "../common/files.hpp"

using namespace apsp_test;

namespace {

template <class W>
using arcs = std::vector<std::tuple<int, int, W>>;

template <class W>
arcs<W> arcs_of(const apsp::csr_graph<W>& g) {
  arcs<W> all;
  for (std::size_t u = 0; u < g.num_vertices(); ++u) {
    for (auto k = g.offsets()[u]; k < g.offsets()[u + 1]; ++k) {
      const auto place = static_cast<std::size_t>(k);
      all.emplace_back(static_cast<int>(u), g.targets()[place], g.weights()[place]);
    }
  }
  return all;
}

template <class W = double>
apsp::csr_graph<W> dimacs(const std::string& text) {
  std::istringstream in(text);
  return apsp::read_dimacs<W>(in, "test.gr");
}
template <class W = double>
apsp::csr_graph<W> matrix_market(const std::string& text) {
  std::istringstream in(text);
  return apsp::read_matrix_market<W>(in, "test.mtx");
}
template <class W = double>
apsp::csr_graph<W> metis(const std::string& text) {
  std::istringstream in(text);
  return apsp::read_metis<W>(in, "test.graph");
}
template <class W = double>
apsp::csr_graph<W> edge_list(const std::string& text, const apsp::edge_list_options& options = {}) {
  std::istringstream in(text);
  return apsp::read_edge_list<W>(in, "test.txt", options);
}

// Returns the weight of an arc that is on line 2.
template <class W>
W weight_of(const std::string& written) {
  std::istringstream in("p sp 2 1\na 1 2 " + written + "\n");
  return apsp::read_dimacs<W>(in, "test.gr").weights()[0];
}

const std::string mtx = "%%MatrixMarket matrix coordinate ";

}  // namespace

BOOST_AUTO_TEST_CASE(graphs_from_arcs) {
  using arc = apsp::csr_graph<float>::arc;
  const std::vector<arc> listed{{2, 0, 1.0F}, {0, 1, 2.0F}, {2, 0, 3.0F}, {2, 2, 0.0F}};
  const apsp::csr_graph<float> g(4, listed);
  BOOST_CHECK_EQUAL(g.num_vertices(), 4u);
  BOOST_CHECK_EQUAL(g.num_edges(), 4u);
  BOOST_CHECK_EQUAL(g.offsets().size(), 5u);
  // The arcs of vertex 2 stay in the order in which they were given.
  BOOST_CHECK((arcs_of(g) == arcs<float>{{0, 1, 2}, {2, 0, 1}, {2, 0, 3}, {2, 2, 0}}));
  BOOST_CHECK(g == apsp::csr_graph<float>(4, listed));
  BOOST_CHECK_EQUAL(apsp::csr_graph<float>().num_vertices(), 0u);
  for (const arc& bad : {arc{0, 4, 1}, arc{4, 0, 1}, arc{-1, 0, 1}, arc{0, -1, 1}}) {
    BOOST_CHECK_THROW(apsp::csr_graph<float>(4, {&bad, 1}), std::invalid_argument);
  }
}

BOOST_AUTO_TEST_CASE(dimacs_files) {
  const auto g = dimacs<int>("c a comment\np sp 3 4\n\na 1 2 5\r\na 2 3 -7\na 1 2 4\na 3 3 0");
  BOOST_CHECK_EQUAL(g.num_vertices(), 3u);
  BOOST_CHECK((arcs_of(g) == arcs<int>{{0, 1, 5}, {0, 1, 4}, {1, 2, -7}, {2, 2, 0}}));
  BOOST_CHECK_EQUAL(dimacs("p sp 0 0\n").num_vertices(), 0u);
  BOOST_CHECK((arcs_of(dimacs("p\tsp 2  1\n a 1 2 0.5 \n")) == arcs<double>{{0, 1, 0.5}}));
  BOOST_CHECK_EQUAL(dimacs("\xEF\xBB\xBFp sp 2 0\n").num_vertices(), 2u);
  BOOST_CHECK_EQUAL(dimacs("p sp 16777216 0\n").num_vertices(), 16777216u);

  refused([] { dimacs(""); }, 1, "the line 'p sp n m' is missing");
  refused([] { dimacs("c only\n"); }, 2, "the line 'p sp n m' is missing");
  refused([] { dimacs("a 1 2 3\np sp 3 1\n"); }, 1, "the line 'p sp n m' before the first arc");
  refused([] { dimacs("p sp 3 1\np sp 3 1\na 1 2 3\n"); }, 2, "second problem line");
  refused([] { dimacs("p max 3 1\n"); }, 1, "'sp', found 'max'");
  refused([] { dimacs("p sp 3\n"); }, 1, "the number of arcs is missing");
  refused([] { dimacs("p sp x 1\n"); }, 1, "'x' is not an integer");
  refused([] { dimacs("p sp 3.0 1\n"); }, 1, "'3.0' is not an integer");
  refused([] { dimacs("p sp -3 1\n"); }, 1, "-3 is negative");
  refused([] { dimacs("p sp 3 -1\n"); }, 1, "-1 is negative");
  refused([] { dimacs("p sp 3 1 1\n"); }, 1, "end of the line, found '1'");
  refused([] { dimacs("p sp 3 1\na 0 2 3\n"); }, 2,
          "source 0 is out of range: vertices are 1 to 3");
  refused([] { dimacs("p sp 3 1\na 1 4 3\n"); }, 2,
          "target 4 is out of range: vertices are 1 to 3");
  refused([] { dimacs("p sp 0 1\na 1 1 3\n"); }, 2, "the graph has no vertices");
  refused([] { dimacs("p sp 3 1\na 1 99999999999999999999 3\n"); }, 2, "out of the range");
  refused([] { dimacs("p sp 3 1\na 1 2\n"); }, 2, "a weight is missing");
  refused([] { dimacs("p sp 3 1\na\n"); }, 2, "a source is missing");
  refused([] { dimacs("p sp 3 1\na 1 2 x\n"); }, 2, "weight 'x' is not a number");
  refused([] { dimacs("p sp 3 1\na 1 2 3 4\n"); }, 2, "end of the line, found '4'");
  refused([] { dimacs("p sp 3 1\nc\na 1 2 3\na 1 2 3\n"); }, 4,
          "declares 1 arcs, but there are more");
  refused([] { dimacs("p sp 3 2\na 1 2 3"); }, 2, "the file ends after 1 of 2 arcs");
  refused([] { dimacs("p sp 3 2\na 1 2 3\n"); }, 3, "the file ends after 1 of 2 arcs");
  refused([] { dimacs("p sp 3 1\nb 1 2 3\n"); }, 2, "found 'b'");
  refused([] { dimacs("p sp 3 1\nab 1 2 3\n"); }, 2, "found 'ab'");
  refused([] { dimacs("p sp 3 1\ra 1 2 3\n"); }, 1, "'1?a' is not an integer");
  refused([] { dimacs(std::string("p sp 3 1\na 1 2 \0\n", 17)); }, 2, "NUL");
  refused([] { dimacs(std::string("c\n\n\0", 4)); }, 3, "NUL");
}

BOOST_AUTO_TEST_CASE(sizes_that_no_memory_holds) {
  refused([] { dimacs("p sp 16777217 0\n"); }, 1,
          "at most 16777216 vertices in a file of 16 bytes");
  refused([] { dimacs("p sp 2147483647 0\n"); }, 1, "at most 16777216 vertices");
  refused([] { dimacs("p sp 2147483648 0\n"); }, 1, "2^31 - 1");
  refused([] { dimacs("p sp 1000000000000000 0\n"); }, 1, "2^31 - 1");
  refused([] { dimacs("p sp 99999999999999999999999 0\n"); }, 1, "out of the range");
  // No file has so many arcs. The error is reported before memory for them is allocated.
  refused([] { dimacs("p sp 3 9223372036854775807\n"); }, 2, "after 0 of 9223372036854775807");
  refused([] { matrix_market(mtx + "real general\n3 3 9223372036854775807\n"); }, 3, "after 0 of");
  refused([] { metis("2 9223372036854775807\n2\n1\n"); }, 1, "but 1 are listed");
  refused([] { metis("2147483647 1\n2\n1\n"); }, 1, "at most 16777216 vertices");
  refused([] { metis("16777216 1\n2\n1\n"); }, 4, "the lines of 2 of 16777216 vertices");
  refused([] { metis("2 1 10 9223372036854775807\n2\n1\n"); }, 2, "a vertex weight is");
  refused([] { metis("2 1 110 9223372036854775807\n2\n1\n"); }, 2, "a vertex weight is");
}

BOOST_AUTO_TEST_CASE(matrix_market_files) {
  const auto g =
      matrix_market<int>(mtx + "integer general\n% comment\n\n3 3 3\n1 2 5\n3 1 0\n2 2 7");
  BOOST_CHECK((arcs_of(g) == arcs<int>{{0, 1, 5}, {1, 1, 7}, {2, 0, 0}}));
  const auto s = matrix_market<int>(mtx + "pattern symmetric\r\n3 3 2\r\n2 1\r\n3 3\r\n");
  BOOST_CHECK((arcs_of(s) == arcs<int>{{0, 1, 1}, {1, 0, 1}, {2, 2, 1}}));
  const auto r = matrix_market("%%matrixmarket MATRIX Coordinate Real General\n2 2 1\n1 2 -.5e1\n");
  BOOST_CHECK((arcs_of(r) == arcs<double>{{0, 1, -5.0}}));
  BOOST_CHECK((arcs_of(matrix_market<int>(mtx + "real general\n2 2 1\n1 2 5.0e+00\n")) ==
               arcs<int>{{0, 1, 5}}));
  const arcs<int> whole{{0, 1, 7}};
  for (const char* text : {"integer general\n % indented\n\t%\n  2 2 1\n \t% here, too\n   1 2 7\n",
                           "unsigned-integer general\n%\n2 2 1\n1 2 7\n",
                           "Unsigned-Integer general\n2 2 1\n1 2 +7\n"}) {
    BOOST_CHECK(arcs_of(matrix_market<int>(mtx + text)) == whole);
  }

  refused([] { matrix_market(""); }, 1, "%%MatrixMarket");
  refused([] { matrix_market("3 3 1\n1 2 3\n"); }, 1, "%%MatrixMarket");
  refused([] { matrix_market("%%MatrixMarket\n"); }, 1, "the object is missing");
  refused([] { matrix_market(mtx + "real\n3 3 0\n"); }, 1, "the symmetry is missing");
  refused([] { matrix_market(mtx + "real general x\n"); }, 1, "end of the line, found 'x'");
  refused([] { matrix_market(mtx + "complex general\n"); }, 1, "field 'complex' is not supported");
  refused([] { matrix_market(mtx + "real skew-symmetric\n"); }, 1, "'skew-symmetric'");
  refused([] { matrix_market(mtx + "real hermitian\n"); }, 1, "'hermitian'");
  refused([] { matrix_market("%%MatrixMarket matrix array real general\n"); }, 1, "'array'");
  refused([] { matrix_market("%%MatrixMarket vector coordinate real general\n"); }, 1, "'vector'");
  refused([] { matrix_market(mtx + "real general\n"); }, 2, "line of sizes is missing");
  refused([] { matrix_market(mtx + "real general\n3 4 0\n"); }, 2, "square matrix, found 3 x 4");
  refused([] { matrix_market(mtx + "real general\n3 3 1\n1 4 1\n"); }, 3,
          "column 4 is out of range");
  refused([] { matrix_market(mtx + "real general\n3 3 1\n0 1 1\n"); }, 3, "row 0 is out of range");
  refused([] { matrix_market(mtx + "real general\n3 3 1\n1 2\n"); }, 3, "a weight is missing");
  refused([] { matrix_market(mtx + "integer general\n3 3 1\n1 2 1.5\n"); }, 3,
          "'1.5' is not an int");
  refused([] { matrix_market(mtx + "unsigned-integer general\n3 3 1\n1 2 1.5\n"); }, 3,
          "'1.5' is not an int");
  refused([] { matrix_market(mtx + "unsigned-integer general\n3 3 1\n1 2 -1\n"); }, 3,
          "'-1' has a sign, but the file declares unsigned integers");
  refused([] { matrix_market(mtx + "unsigned general\n"); }, 1,
          "field 'unsigned' is not supported");
  refused([] { matrix_market(mtx + "pattern general\n3 3 1\n1 2 3\n"); }, 3,
          "end of the line, found '3'");
  refused([] { matrix_market(mtx + "pattern general\n3 3 2\n1 2\n"); }, 4, "after 1 of 2 entries");
  refused([] { matrix_market(mtx + "pattern general\n3 3 1\n1 2\n1 3\n"); }, 4,
          "declares 1 entries, but there are more");
  refused([] { matrix_market(mtx + "real symmetric\n3 3 1\n1 2 3\n"); }, 3,
          "diagonal of a symmetric matrix, found row 1, column 2");
}

BOOST_AUTO_TEST_CASE(metis_files) {
  const auto g = metis<int>("% comment\n4 2\n2 3\n1\n% comment\n1\n\n");
  BOOST_CHECK_EQUAL(g.num_vertices(), 4u);  // the last one is isolated
  BOOST_CHECK((arcs_of(g) == arcs<int>{{0, 1, 1}, {0, 2, 1}, {1, 0, 1}, {2, 0, 1}}));
  BOOST_CHECK_EQUAL(metis("3 1\n2\n1\n\n").num_vertices(), 3u);
  BOOST_CHECK((arcs_of(metis<int>("3 1\n\n3\n2")) == arcs<int>{{1, 2, 1}, {2, 1, 1}}));
  const arcs<int> heavy{{0, 1, 7}, {1, 0, 7}};
  for (const char* text :
       {"2 1 1\n2 7\n1 7\n", "2 1 001\n2 7\n1 7\n", "2 1 11\n5 2 7\n6 1 7\n",
        "2 1 011 2\n5 5 2 7\n6 6 1 7\n", "2 1 111 1\n1 5 2 7\n1 6 1 7\n", "2 1 1 0\n2 7\n1 7\n",
        "2 1 011 0\n5 2 7\n6 1 7\n", " % indented\n2 1 1\n2 7\n\t%\n1 7.0\n"}) {
    BOOST_CHECK(arcs_of(metis<int>(text)) == heavy);
  }
  const arcs<int> light{{0, 1, 1}, {1, 0, 1}};
  for (const char* text : {"2 1 0\n2\n1\n", "2 1 000\n2\n1\n\n%\n", "2 1 10\n5 2\n6 1\n",
                           "2 1 010 3\n5 5 5 2\n6 6 6 1\n", "2 1 100\r\n5 2\r\n6 1\r\n"}) {
    BOOST_CHECK(arcs_of(metis<int>(text)) == light);
  }
  BOOST_CHECK((arcs_of(metis("2 1 1\n2 0.5\n1 0.5\n")) == arcs<double>{{0, 1, 0.5}, {1, 0, 0.5}}));
  // Parallel edges are listed in a different order at the other end.
  BOOST_CHECK_EQUAL(metis<int>("2 2 1\n2 7 2 8\n1 8 1 7\n").num_edges(), 4u);
  BOOST_CHECK_EQUAL(metis("0 0\n").num_vertices(), 0u);

  refused([] { metis("% nothing\n"); }, 2, "the line 'n m' is missing");
  refused([] { metis("2\n"); }, 1, "the number of edges is missing");
  refused([] { metis("2 1 2\n"); }, 1, "0 or 1 for fmt, found");
  refused([] { metis("2 1 0001\n"); }, 1, "0 or 1 for fmt, found");
  refused([] { metis("2 1 1 1\n"); }, 1, "ncon is 1, but fmt declares no vertex weights");
  refused([] { metis("2 1 10 -1\n"); }, 1, "ncon -1 is negative");
  refused([] { metis("2 1 10 1 1\n"); }, 1, "end of the line, found '1'");
  refused([] { metis("3 1\n2\n1"); }, 3, "the lines of 2 of 3 vertices");
  refused([] { metis("3 1\n2\n1\n"); }, 4, "the lines of 2 of 3 vertices");
  refused([] { metis("1 0"); }, 1, "the lines of 0 of 1 vertices");
  refused([] { metis("1 0\n"); }, 2, "the lines of 0 of 1 vertices");
  refused([] { metis("2 1\n2\n1\n1\n"); }, 4, "declares 2 vertices, but there are more lines");
  refused([] { metis("2 1\n3\n1\n"); }, 2, "neighbour 3 is out of range");
  refused([] { metis("2 1\n2 x\n1\n"); }, 2, "neighbour 'x' is not an integer");
  refused([] { metis("2 1\n1\n1\n"); }, 2, "vertex 1 lists itself");
  refused([] { metis("%\n2 2\n2\n1\n"); }, 2, "declares 2 edges, but 1 are listed");
  refused([] { metis("2 0\n2\n1\n"); }, 1, "declares 0 edges, but 1 are listed");
  refused([] { metis("3 1\n2\n\n2\n"); }, 2, "vertex 1 lists vertex 2, which does not list it");
  refused([] { metis("3 1\n\n1\n2 1\n"); }, 3, "vertex 2 lists vertex 1, which does not list it");
  refused([] { metis("2 1 1\n2 7\n1 8\n"); }, 2, "with the same weight");
  refused([] { metis("2 1 1\n2\n1 8\n"); }, 2, "a weight is missing");
  refused([] { metis<int>("2 1 1\n2 0.5\n1 0.5\n"); }, 2, "'0.5' is not an integer");
  refused([] { metis("2 1 10\n5 2\n\n"); }, 3, "a vertex weight is missing");
}

BOOST_AUTO_TEST_CASE(edge_list_files) {
  const auto g = edge_list<int>("# comment\n0 1\n% comment\n2,0\n\n1\t1\n");
  BOOST_CHECK((arcs_of(g) == arcs<int>{{0, 1, 1}, {1, 1, 1}, {2, 0, 1}}));
  const auto w = edge_list("0 1 0.5\n 3 , 1 , 2\r\n0,2,1e2");
  BOOST_CHECK_EQUAL(w.num_vertices(), 4u);
  BOOST_CHECK((arcs_of(w) == arcs<double>{{0, 1, 0.5}, {0, 2, 100}, {3, 1, 2.0}}));
  BOOST_CHECK_EQUAL(edge_list("").num_vertices(), 0u);
  BOOST_CHECK((arcs_of(edge_list<int>("0 1 3\n1 1 2\n", {.directed = false})) ==
               arcs<int>{{0, 1, 3}, {1, 0, 3}, {1, 1, 2}}));

  refused([] { edge_list("0 1\n0 1 2\n"); }, 2, "found a weight, but the first edge has none");
  refused([] { edge_list("0 1 2\n0 1\n"); }, 2,
          "the weight is missing, but the first edge has one");
  refused([] { edge_list("0\n"); }, 1, "a target is missing");
  refused([] { edge_list("source,target\n"); }, 1, "'source' is not an integer");
  refused([] { edge_list("0 1.5\n"); }, 1, "'1.5' is not an integer");
  refused([] { edge_list("-1 1\n"); }, 1, "-1 is negative");
  refused([] { edge_list("0 1 2 3\n"); }, 1, "end of the line, found '3'");
  for (const char* bad : {"0 1\n0,,1\n", "0 1\n,0,1\n", "0 1\n ,0,1\n", "0 1\n0,1,\n", "0 1\n0;1\n",
                          "0 1\n0 1 #\n", "0 1\n0\v1\n"}) {
    refused([&] { edge_list(bad); }, 2, "");
  }
  refused([] { edge_list("0 1\n0 2147483648\n"); }, 2, "id 2147483648 is too large");
  refused([] { edge_list("0 2000000000\n"); }, 1, "at most 16777215 unless ids are renumbered");
}

BOOST_AUTO_TEST_CASE(edge_lists_renumbered) {
  std::vector<std::int64_t> ids;
  const apsp::edge_list_options renumber{.renumber = true, .ids = &ids};
  const arcs<int> expected{{0, 1, 1}, {1, 1, 1}, {2, 0, 1}};
  BOOST_CHECK(arcs_of(edge_list<int>("70 5\n5 30\n30 30\n", renumber)) == expected);
  BOOST_CHECK((ids == std::vector<std::int64_t>{5, 30, 70}));
  // These ids are too large for a table.
  BOOST_CHECK(arcs_of(edge_list<int>("9223372036854775807 5\n5 7000000000\n"
                                     "7000000000 7000000000\n",
                                     renumber)) == expected);
  BOOST_CHECK((ids == std::vector<std::int64_t>{5, 7000000000, 9223372036854775807}));
  BOOST_CHECK_EQUAL(edge_list("", renumber).num_vertices(), 0u);
  BOOST_CHECK(ids.empty());
  edge_list("1 3\n", {.ids = &ids});
  BOOST_CHECK((ids == std::vector<std::int64_t>{0, 1, 2, 3}));
  refused([&] { edge_list("0 1\n-1 0\n", renumber); }, 2, "-1 is negative");
  refused([&] { edge_list("0 1\n0 9223372036854775808\n", renumber); }, 2, "out of the range");
}

BOOST_AUTO_TEST_CASE(edge_lists_with_a_header) {
  apsp::edge_list_options header{.header = true};
  BOOST_CHECK_EQUAL(edge_list("5\n1\n0 1 2\n", header).num_vertices(), 5u);
  BOOST_CHECK_EQUAL(edge_list("# algs4\n5 1\n0 1 2\n", header).num_vertices(), 5u);
  refused([&] { edge_list("2 1\n0 2\n", header); }, 2, "vertex 2 is out of range");
  refused([&] { edge_list("2 2\n0 1\n", header); }, 3, "after 1 of 2 edges");
  refused([&] { edge_list("2 1\n0 1\n1 0\n", header); }, 3, "declares 1 edges, but there are more");
  refused([&] { edge_list("", header); }, 1, "the number of vertices is missing");
  refused([&] { edge_list("7\n", header); }, 2, "the number of edges is missing");
  // The second number of the header is missing, and the first edge does not replace it.
  refused([&] { edge_list("2\n0 1 0.5\n", header); }, 2, "end of the line, found '1 0.5'");
  header.renumber = true;
  BOOST_CHECK_EQUAL(edge_list("2 1\n10 20\n", header).num_vertices(), 2u);
  refused([&] { edge_list("3 1\n10 20\n", header); }, 3, "3 vertices, but 2 different ids");
}

BOOST_AUTO_TEST_CASE(files_by_name) {
  const auto write = [](const std::string& name, const std::string& text) {
    std::ofstream(temporary(name)) << text;
    return temporary(name);
  };
  const std::map<std::string, std::string> files{{"a.gr", "p sp 2 1\na 1 2 1\n"},
                                                 {"a.mtx", mtx + "pattern general\n2 2 1\n1 2\n"},
                                                 {"a.graph", "2 1\n2\n1\n"},
                                                 {"a.metis", "2 1\n2\n1\n"},
                                                 {"a.txt", "0 1\n"},
                                                 {"a.el", "0 1\n"},
                                                 {"a.wel", "0 1 1\n"},
                                                 {"a.edges", "0 1\n"},
                                                 {"a.csv", "0,1\n"},
                                                 {"a.TSV", "0\t1\n"}};
  for (const auto& [name, text] : files) {
    const auto file = write(name, text);
    const auto g = apsp::read_graph<int>(file);
    BOOST_CHECK_EQUAL(g.num_vertices(), 2u);
    BOOST_CHECK_EQUAL(g.num_edges(), name == "a.graph" || name == "a.metis" ? 2u : 1u);
    std::filesystem::remove(file);
  }
  refused([] { apsp::read_graph("graph.docx"); }, 0, "extension '.docx': expected one of .gr");
  refused([] { apsp::read_graph("graph"); }, 0, "no file name extension: expected one of .gr");
  refused([] { apsp::read_graph("no_such_file.gr"); }, 0, "no such file");
  refused([] { apsp::read_dimacs("no_such_folder/file.gr"); }, 0, "no such file");
  const auto folder = temporary("folder.gr");
  std::filesystem::create_directory(folder);
  refused([&] { apsp::read_graph(folder); }, 0, "directory");
  std::filesystem::remove(folder);
}

// A sparse file occupies no disk space, whatever its size.
BOOST_AUTO_TEST_CASE(a_file_larger_than_memory) {
  bool tried = false;
  for (const std::filesystem::path& folder :
       {std::filesystem::temp_directory_path(), std::filesystem::path("/dev/shm")}) {
    const auto file = folder / "apsp_files_test_sparse.txt";
    std::ofstream(file) << "0 1\n";
    std::error_code error;
    std::filesystem::resize_file(file, std::numeric_limits<std::int64_t>::max(), error);
    if (!error) {
      tried = true;
      BOOST_CHECK_THROW(apsp::read_graph(file), std::bad_alloc);
    }
    std::filesystem::remove(file, error);
  }
  if (!tried) BOOST_TEST_MESSAGE("skipped: no file system here has files of 2^63 - 1 bytes");
}

BOOST_AUTO_TEST_CASE(streams) {
  std::istringstream in("0 1\n");
  in.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
  BOOST_CHECK_EQUAL(apsp::read_edge_list(in, "a stream").num_edges(), 1u);
  std::ifstream missing("no_such_file.txt");
  refused([&] { apsp::read_edge_list(missing, "a stream"); }, 0, "cannot be read");
  try {
    std::istringstream bad("0\n");
    apsp::read_edge_list(bad, "a stream");
  } catch (const apsp::file_error& error) {
    BOOST_CHECK_EQUAL(error.what(), "a stream:1: a target is missing at the end of the line");
    BOOST_CHECK_EQUAL(error.file().string(), "a stream");
  }
}

namespace {

void check_real_file(const std::filesystem::path& file, std::size_t n, std::size_t arcs,
                     const apsp::edge_list_options& options = {}) {
  if (!std::filesystem::exists(file)) {
    BOOST_TEST_MESSAGE("skipped: no " << file);
    return;
  }
  const auto g = apsp::read_graph(file, options);
  BOOST_CHECK_EQUAL(g.num_vertices(), n);
  BOOST_CHECK_EQUAL(g.num_edges(), arcs);
}

}  // namespace

BOOST_AUTO_TEST_CASE(real_files) {
  const auto data = data_directory();
  check_real_file(data / "dimacs9-rome99/rome99.gr", 3353, 8870);
  check_real_file(data / "metis-networks/power.graph", 4941, 2 * 6594);
  check_real_file(data / "snap-wiki-vote/wiki-Vote.txt", 7115, 103689, {.renumber = true});
  check_real_file(data / "mtx-suitesparse/jagmesh7.mtx", 1138, 7450);
  check_real_file(data / "mtx-suitesparse/west0067.mtx", 67, 294);
  check_real_file(data / "algs4-ewd/mediumEWD.txt", 250, 2546, {.header = true});
  check_real_file(data / "cugraph-csv/karate_multi_edge.csv", 34, 160);
  // These files are in Debian's package libmetis-dev.
  const std::filesystem::path metis_examples = "/usr/share/doc/libmetis-dev/examples/graphs";
  check_real_file(metis_examples / "4elt.graph", 7434, 2 * 43031);
  check_real_file(metis_examples / "mdual.graph", 258569, 2 * 513132);
}

// Weights are read exactly or refused.

BOOST_AUTO_TEST_CASE(floating_point_weights) {
  const auto weight = [](const std::string& w) { return weight_of<double>(w); };
  BOOST_CHECK_EQUAL(weight("1e-3"), 0.001);
  BOOST_CHECK_EQUAL(weight("+2.5"), 2.5);
  BOOST_CHECK_EQUAL(weight("-.5E+1"), -5.0);
  BOOST_CHECK_EQUAL(weight("3."), 3.0);
  BOOST_CHECK_EQUAL(weight("-0"), 0.0);
  BOOST_CHECK_EQUAL(weight("0e99999"), 0.0);
  BOOST_CHECK_EQUAL(weight("0.1000000000000000055511151231257827"), 0.1);
  BOOST_CHECK_EQUAL(weight("5e-324"), std::numeric_limits<double>::denorm_min());
  BOOST_CHECK_EQUAL(weight("1.7976931348623157e308"), std::numeric_limits<double>::max());
  for (const char* bad : {"nan", "inf", "-inf", "infinity", "-nan"}) {
    refused([&] { weight(bad); }, 2, "weight '" + std::string(bad) + "' is not finite");
  }
  for (const char* bad : {"1e400", "-1e400", "1e-400", "1e99999999999999999999"}) {
    refused([&] { weight(bad); }, 2, "weight '" + std::string(bad) + "' is out of the range");
  }
  for (const char* bad : {"0x10", "1,5", "--1", "+-1", "-+1", "++1", "+", "-", ".", "e5", "1e",
                          "1d5", "1_000", "+inf", "1.2.3"}) {
    refused([&] { weight(bad); }, 2, "weight '" + std::string(bad) + "' is not a number");
  }
  refused([] { weight_of<float>("1e39"); }, 2, "out of the range");
  refused([] { weight_of<float>("1e-60"); }, 2, "out of the range");
  // Rounding to double first would give 1.
  BOOST_CHECK_EQUAL(weight_of<float>("1.00000005960464477540"), 1.00000011920928955F);
}

BOOST_AUTO_TEST_CASE(integer_weights) {
  const auto small = [](const std::string& w) { return weight_of<std::int32_t>(w); };
  for (const char* twelve : {"12", "+12", "12.", "12.000", "1.2e1", "0.0012e+4", "1200E-2"}) {
    BOOST_CHECK_EQUAL(small(twelve), 12);
    BOOST_CHECK_EQUAL(weight_of<std::int64_t>(twelve), 12);
  }
  for (const char* zero : {"0", "-0", "0.0", ".0", "0e999999999999999999999", "0e-5"}) {
    BOOST_CHECK_EQUAL(small(zero), 0);
  }
  BOOST_CHECK_EQUAL(small("-2147483648"), std::numeric_limits<std::int32_t>::lowest());
  BOOST_CHECK_EQUAL(small("2147483646"), 2147483646);
  BOOST_CHECK_EQUAL(small("21474836.46e2"), 2147483646);
  for (const char* bad :
       {"0.5", "-1.5", "1e-1", "12.5e0", "1.00000000000000000000001", "1e-999999999999999999999"}) {
    refused([&] { small(bad); }, 2, "weight '" + std::string(bad) + "' is not an integer");
  }
  // As a weight, the largest integer means that there is no edge.
  for (const char* bad : {"2147483647", "2147483647.0", "2147483648", "-2147483649", "3e9", "1e400",
                          "-1e999999999999999999999"}) {
    refused([&] { small(bad); }, 2, "weight '" + std::string(bad) + "' is out of the range");
  }
  for (const char* bad : {"nan", "inf", "x", "1e", "1e+", "1e+-2", "1.e.", ".", "-", "0x1F"}) {
    refused([&] { small(bad); }, 2, "weight '" + std::string(bad) + "' is not a number");
  }
  // A double would round these integers.
  BOOST_CHECK_EQUAL(weight_of<std::int64_t>("9007199254740993"), 9007199254740993);
  BOOST_CHECK_EQUAL(weight_of<std::int64_t>("9007199254740993.0"), 9007199254740993);
  BOOST_CHECK_EQUAL(weight_of<std::int64_t>("922337203685477580.6e1"), 9223372036854775806);
  BOOST_CHECK_EQUAL(weight_of<std::int64_t>("-9223372036854775808"),
                    std::numeric_limits<std::int64_t>::lowest());
  refused([] { weight_of<std::int64_t>("9223372036854775807"); }, 2, "out of the range");
  refused([] { weight_of<std::int64_t>("92233720368547758080e0"); }, 2, "out of the range");
}
