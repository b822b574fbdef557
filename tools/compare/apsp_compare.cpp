// SPDX-License-Identifier: BSL-1.0
// apsp-compare: compares all policies on one graph in a table.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <unistd.h>
#endif

#include "comparison.hpp"
#include "graph_source.hpp"
#include "options.hpp"

namespace {

using namespace apsp_compare;

int run(int argc, char** argv) {
  const auto o = parse_command_line(argc, argv);
  if (!o) return exit_code::agree;
  const loaded_graph graph = load_graph(*o);
  outcome found = compare(*o, graph);
  // Each output is attempted, even if another one cannot be written.
  const auto attempt = [&found](auto write) {
    try {
      write();
    } catch (const std::exception& e) {
      found.unwritten.push_back(e.what());
    }
  };
  if (!o->json_file.empty()) attempt([&] { write_json(*o, graph, found); });
  attempt([&] { print_report(*o, graph, found); });
  if (!found.unwritten.empty()) {
    std::string all;
    for (const std::string& message : found.unwritten) all += (all.empty() ? "" : "; ") + message;
    throw std::runtime_error(all);
  }
  if (found.negative_cycle) return exit_code::negative_cycle;
  return found.differences.empty() ? exit_code::agree : exit_code::differ;
}

int fail(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  // The exit status reports the error even if stderr cannot be written.
  std::fputs(("apsp-compare: " + message + "\n").c_str(), stderr);
  return exit_code::error;
}

// If a standard stream is closed, a file would be opened under its number, and receive its output.
// This function opens these numbers so that writing to them fails.
void occupy_closed_streams() {
#if defined(__unix__) || defined(__APPLE__)
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) == -1) static_cast<void>(open("/dev/null", O_RDONLY));
  }
#endif
}

}  // namespace

int main(int argc, char** argv) {
  occupy_closed_streams();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return fail("out of memory: the matrices of this graph do not fit");
  } catch (const std::exception& e) {
    return fail(e.what());
  }
}
