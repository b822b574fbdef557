// SPDX-License-Identifier: BSL-1.0
// Published experiments on all-pairs shortest paths, repeated on this machine: every solver of the library
// and Boost.Graph, on the same graphs and in the same run. studies/study.py adds SciPy's solvers and draws
// the plots.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>

#include "device_program.hpp"
#include "studies/report.hpp"
#include "studies/studies.hpp"

namespace {

struct named_study {
  const char* name;
  const char* about;
  void (*run)(const studies::settings&, studies::report&, bool has_device);
  bool goes_by_vertices = false;  ///< sizes are the only parameter
};

constexpr named_study all_studies[] = {
    {"repeated_squaring",
     "Repeated squaring by one thread, naive kernels and tiles, n = 32 to 16384",
     studies::study_repeated_squaring, true},
    {"floyd_warshall", "Naive Floyd-Warshall against one thread, n = 1000 to what memory holds",
     studies::study_floyd_warshall, true},
    {"dijkstra", "Dijkstra from all sources, a thread or a block per source, n = 256 to 16384",
     studies::study_dijkstra},
    {"bellman_ford", "Bellman-Ford from all sources: vertices, arcs, weights, topologies, paths",
     studies::study_bellman_ford},
    {"single_source", "Bellman-Ford from one source of a complete graph; copies and streams",
     studies::study_single_source}};

int run(const named_study& study, const studies::settings& s, const std::string& command) {
  studies::report out(study.name, s, command);
  const std::string no_device = device_program::why_no_device();
  if (!no_device.empty()) out.note("cuda_naive and cuda_tiled are left out: " + no_device);
  study.run(s, out, no_device.empty());
  if (out.is_empty())
    throw std::runtime_error("nothing to measure has that in its name: " + s.only);
  if (!out.all_right()) fmt::print(stderr, "study: a result is wrong\n");
  return out.all_right() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  studies::settings s;
  CLI::App app{"Published experiments on all-pairs shortest paths, run again on this machine",
               "study"};
  app.require_subcommand(1);
  app.fallthrough();
  app.add_flag("--quick", s.quick, "Small sizes alone: to see that all runs");
  app.add_option("--limit", s.limit, "Seconds that a line may take; longer ones are estimated (10)")
      ->check(CLI::PositiveNumber)
      ->option_text("SECONDS");
  app.add_option("--repeat", s.repeat, "Calls after the one that warms up, at most (5)")
      ->check(CLI::Range(1, 1000))
      ->option_text("K");
  app.add_option("--seed", s.seed, "Of the random graphs (1)")->option_text("SEED");
  app.add_option("--csv", s.csv, "Write the lines to a file, too")->option_text("FILE");
  app.add_option("--graphs", s.graphs, "Write the graphs for studies/study.py into a folder")
      ->option_text("FOLDER");
  for (const auto& study : all_studies) {
    CLI::App* const command = app.add_subcommand(study.name, study.about);
    if (!study.goes_by_vertices) continue;
    command->add_option("--sizes", s.sizes, "Numbers of vertices, in the place of the study's own")
        ->delimiter(',')
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 20))
        ->option_text("N,...");
    command->add_option("--only", s.only, "Measure nothing but what has this in its name")
        ->option_text("TEXT");
  }
  try {
    app.parse(argc, argv);
    for (const auto& study : all_studies) {
      if (app.got_subcommand(study.name)) {
        return run(study, s, device_program::call_text("study", argc, argv));
      }
    }
  } catch (const CLI::ParseError& e) {
    return app.exit(e);
  } catch (const std::exception& e) {
    fmt::print(stderr, "study: {}\n", e.what());
    return 2;
  }
  return 2;
}
