// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../apsp/files.hpp"
#include "scanner.hpp"
#include "text.hpp"

namespace apsp::inline v1 {

namespace {

constexpr std::string_view dimacs_comment_marks = "c";

struct dimacs_problem {
  std::size_t num_vertices;
  std::int64_t num_arcs;
};

// Reads the rest of the line "p sp n m".
dimacs_problem scan_problem(detail::scanner& in) {
  const std::string_view kind = in.token("the kind of problem");
  if (kind != "sp") in.fail("expected the problem kind 'sp', found " + detail::quoted(kind));
  dimacs_problem problem{};
  problem.num_vertices = in.num_vertices();
  problem.num_arcs = in.count("the number of arcs");
  in.expect_line_end();
  return problem;
}

template <class W>
csr_graph<W> parse_dimacs(std::string_view text, const std::filesystem::path& name) {
  detail::scanner in(text, name);
  std::optional<dimacs_problem> problem;
  std::vector<typename csr_graph<W>::arc> arcs;

  while (in.next_filled_line(dimacs_comment_marks)) {
    const std::string_view kind = in.token("the kind of line");
    if (kind == "a") {
      if (!problem) in.fail("expected the line 'p sp n m' before the first arc");
      if (std::cmp_equal(arcs.size(), problem->num_arcs)) {
        in.fail("the problem line declares " + std::to_string(problem->num_arcs) +
                " arcs, but there are more");
      }
      const std::int32_t source = in.vertex("a source", problem->num_vertices, 1);
      const std::int32_t target = in.vertex("a target", problem->num_vertices, 1);
      arcs.push_back({source, target, in.weight<W>()});
      in.expect_line_end();
    } else if (kind == "p") {
      if (problem) in.fail("expected one problem line, found a second problem line");
      problem = scan_problem(in);
      arcs.reserve(in.plausible_count(problem->num_arcs));
    } else {
      in.fail("expected a line that starts with 'c', 'p' or 'a', found " + detail::quoted(kind));
    }
  }
  if (!problem) in.fail("the line 'p sp n m' is missing");
  if (!std::cmp_equal(arcs.size(), problem->num_arcs)) {
    in.fail("the file ends after " + std::to_string(arcs.size()) + " of " +
            std::to_string(problem->num_arcs) + " arcs");
  }
  return {problem->num_vertices, arcs};
}

}  // namespace

template <file_weight W>
csr_graph<W> read_dimacs(const std::filesystem::path& file) {
  return parse_dimacs<W>(detail::read_text(file), file);
}

template <file_weight W>
csr_graph<W> read_dimacs(std::istream& in, const std::string& name) {
  return parse_dimacs<W>(detail::read_text(in, name), name);
}

#define APSP_READ_DIMACS(W)                                           \
  template csr_graph<W> read_dimacs<W>(const std::filesystem::path&); \
  template csr_graph<W> read_dimacs<W>(std::istream&, const std::string&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_READ_DIMACS)
#undef APSP_READ_DIMACS

}  // namespace apsp::inline v1
