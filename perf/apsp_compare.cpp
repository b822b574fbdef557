// SPDX-License-Identifier: BSL-1.0
// apsp-compare: one graph, every policy, one table.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <variant>

#include "compare/comparison.hpp"
#include "compare/graph_source.hpp"
#include "compare/options.hpp"
#include "compare/report.hpp"

namespace {

using namespace apsp_compare;

int run(int argc, char** argv) {
  const auto o = parse_command_line(argc, argv);
  if (!o) return exit_code::agree;
  const loaded_graph graph = load_graph(*o);
  const graph_summary summary{graph.name, graph.why_type};
  const outcome found =
      std::visit([&](const auto& arrays) { return compare(*o, arrays); }, graph.arrays);
  print_report(*o, summary, found);
  if (!o->json_file.empty()) write_json(*o, summary, found);
  if (found.negative_cycle) return exit_code::negative_cycle;
  return found.differences.empty() ? exit_code::agree : exit_code::differ;
}

int fail(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  fmt::print(stderr, "apsp-compare: {}\n", message);
  return exit_code::error;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return fail("out of memory: the matrices of this graph do not fit");
  } catch (const std::exception& e) {
    return fail(e.what());
  }
}
