// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../apsp/files.hpp"
#include "scanner.hpp"
#include "text.hpp"

namespace apsp::inline v1 {

namespace {

constexpr std::string_view matrix_market_comment_marks = "%";

enum class matrix_field { real, integer, unsigned_integer, pattern };

struct matrix_market_header {
  matrix_field field;
  bool symmetric;
};

[[noreturn]] void refuse(const detail::scanner& in, std::string_view what, std::string_view word,
                         std::string_view known) {
  in.fail(std::string(what) + " " + detail::quoted(word) + " is not supported: expected " +
          std::string(known));
}

// Reads "%%MatrixMarket matrix coordinate FIELD SYMMETRY", in upper or lower case.
matrix_market_header scan_header(detail::scanner& in) {
  if (!in.next_line() || in.at_line_end() ||
      detail::lower_case(in.token("the banner")) != "%%matrixmarket") {
    in.fail("expected a first line that starts with '%%MatrixMarket'");
  }
  const std::string object = detail::lower_case(in.token("the object"));
  if (object != "matrix") refuse(in, "object", object, "'matrix'");
  const std::string format = detail::lower_case(in.token("the format"));
  if (format != "coordinate") refuse(in, "format", format, "'coordinate'");
  const std::string field = detail::lower_case(in.token("the field"));
  const std::string symmetry = detail::lower_case(in.token("the symmetry"));
  in.expect_line_end();

  matrix_market_header header{};
  if (field == "real") {
    header.field = matrix_field::real;
  } else if (field == "integer") {
    header.field = matrix_field::integer;
  } else if (field == "unsigned-integer") {  // an extension that SciPy writes
    header.field = matrix_field::unsigned_integer;
  } else if (field == "pattern") {
    header.field = matrix_field::pattern;
  } else {
    refuse(in, "field", field, "'real', 'integer', 'unsigned-integer' or 'pattern'");
  }
  if (symmetry != "general" && symmetry != "symmetric") {
    refuse(in, "symmetry", symmetry, "'general' or 'symmetric'");
  }
  header.symmetric = symmetry == "symmetric";
  return header;
}

template <class W>
W scan_value(detail::scanner& in, matrix_field field) {
  switch (field) {
    case matrix_field::real:
      return in.weight<W>();
    case matrix_field::integer:
      return in.weight<W>(detail::weight_field::integer);
    case matrix_field::unsigned_integer:
      return in.weight<W>(detail::weight_field::unsigned_integer);
    default:
      return W(1);
  }
}

template <class W>
csr_graph<W> parse_matrix_market(std::string_view text, const std::filesystem::path& name) {
  detail::scanner in(text, name);
  const matrix_market_header header = scan_header(in);

  if (!in.next_filled_line(matrix_market_comment_marks)) in.fail("the line of sizes is missing");
  const std::size_t n = in.num_vertices();
  const std::int64_t num_columns = in.count("the number of columns");
  const std::int64_t num_entries = in.count("the number of entries");
  in.expect_line_end();
  if (!std::cmp_equal(n, num_columns)) {
    in.fail("expected a square matrix, found " + std::to_string(n) + " x " +
            std::to_string(num_columns));
  }

  std::vector<typename csr_graph<W>::arc> arcs;
  arcs.reserve((header.symmetric ? 2 : 1) * in.plausible_count(num_entries));
  std::int64_t entries_read = 0;
  for (; in.next_filled_line(matrix_market_comment_marks); ++entries_read) {
    if (entries_read == num_entries) {
      in.fail("the line of sizes declares " + std::to_string(num_entries) +
              " entries, but there are more");
    }
    const std::int32_t row = in.vertex("a row", n, 1);
    const std::int32_t column = in.vertex("a column", n, 1);
    if (header.symmetric && row < column) {
      in.fail("expected entries on or below the diagonal of a symmetric matrix, found row " +
              std::to_string(row + 1) + ", column " + std::to_string(column + 1));
    }
    const W weight = scan_value<W>(in, header.field);
    in.expect_line_end();
    arcs.push_back({row, column, weight});
    if (header.symmetric && row != column) arcs.push_back({column, row, weight});
  }
  if (entries_read != num_entries) {
    in.fail("the file ends after " + std::to_string(entries_read) + " of " +
            std::to_string(num_entries) + " entries");
  }
  return {n, arcs};
}

}  // namespace

template <file_weight W>
csr_graph<W> read_matrix_market(const std::filesystem::path& file) {
  return parse_matrix_market<W>(detail::read_text(file), file);
}

template <file_weight W>
csr_graph<W> read_matrix_market(std::istream& in, const std::string& name) {
  return parse_matrix_market<W>(detail::read_text(in, name), name);
}

#define APSP_READ_MATRIX_MARKET(W)                                           \
  template csr_graph<W> read_matrix_market<W>(const std::filesystem::path&); \
  template csr_graph<W> read_matrix_market<W>(std::istream&, const std::string&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_READ_MATRIX_MARKET)
#undef APSP_READ_MATRIX_MARKET

}  // namespace apsp::inline v1
