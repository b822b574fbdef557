// SPDX-License-Identifier: BSL-1.0
// All benchmark cases, named family/policy/type/problem/size. Google Benchmark selects, runs and
// reports them; goals.py evaluates the goals.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "../common/device_program.hpp"
#include "../common/machine.hpp"
#include "../limits/device_limit.hpp"
#include "../limits/host_limit.hpp"
#include "cases.hpp"

namespace {

void add_options(CLI::App& app) {
  bench::settings& s = bench::options();
  app.add_option("--sizes", s.sizes, "Numbers of vertices, in the place of the families' own")
      ->delimiter(',')
      ->check(CLI::Range(std::size_t{2}, std::size_t{1} << 20))
      ->option_text("N,...");
  app.add_option("--types", s.types, "Some of f32, f64, i32, i64 (all)")
      ->delimiter(',')
      ->check(CLI::IsMember({"f32", "f64", "i32", "i64"}))
      ->option_text("TYPE,...");
  app.add_option("--sources", s.sources,
                 "Solve from K sources where an algorithm has sources (all)")
      ->option_text("K");
  app.add_option(
         "--files", s.files,
         "Graphs for the cases hierarchy/..., betweenness/... and choice/...: DIMACS, Matrix "
         "Market, METIS")
      ->delimiter(',')
      ->check(CLI::ExistingFile)
      ->option_text("FILE,...");
  app.add_option("--repeat", s.repeat, "Calls of a case after the one that warms up (5)")
      ->check(CLI::Range(1, 1000))
      ->option_text("K");
  app.add_option("--limit", s.limit, "Seconds for them, but one is made in any case (60)")
      ->check(CLI::PositiveNumber)
      ->option_text("SECONDS");
  app.add_option("--check", s.check, "Rows of a result to compare with Boost.Graph's (4)")
      ->option_text("K");
  app.add_option("--ghz", s.ghz, "Clock of the device under load, for the counter per_clk_per_sm")
      ->option_text("GHZ");
  app.add_option("--seed", s.seed, "Of the random graphs (1)")->option_text("SEED");
  app.allow_extras();
  app.footer(
      "and those of Google Benchmark:\n"
      "  --benchmark_filter=REGEX    which cases to run; all of them by 'all'\n"
      "  --benchmark_list_tests=true print their names alone\n"
      "  --benchmark_out=FILE        JSON, which goals.py reads\n"
      "  --benchmark_repetitions=K --benchmark_enable_random_interleaving=true");
}

void describe(const std::string& command) {
  const std::string gpu = device_limit::device_name();
  const auto or_none = [](const std::string& text) { return text.empty() ? "none" : text; };
  benchmark::AddCustomContext("command", command);
  benchmark::AddCustomContext("processor", apsp_perf::processor_name());
  benchmark::AddCustomContext("instruction set",
                              host_limit::chosen_instruction_set().instruction_set);
  benchmark::AddCustomContext("gpu", or_none(gpu));
  benchmark::AddCustomContext("driver", gpu.empty() ? "none" : device_program::driver_version());
  benchmark::AddCustomContext("commit", or_none(apsp_perf::commit_name()));
  benchmark::AddCustomContext("compiler", apsp_perf::compiler_name());
}

/// Passes to Google Benchmark the arguments that CLI11 does not know; it stores pointers into @p
/// extras.
/// @throws std::runtime_error if an argument does not select cases.
void initialize(std::vector<std::string>& extras) {
  const auto has = [&](const char* option) {
    return std::any_of(extras.begin(), extras.end(),
                       [&](const std::string& extra) { return extra.starts_with(option); });
  };
  if (!has("--benchmark_filter") && !has("--benchmark_list_tests")) {
    throw std::runtime_error(
        "--benchmark_filter=REGEX is to choose cases, or all; "
        "--benchmark_list_tests=true prints their names");
  }
  // A case makes its calls itself.
  extras.insert(extras.begin(), {"apsp-bench", "--benchmark_min_time=0"});
  std::vector<char*> arguments;
  for (std::string& extra : extras) arguments.push_back(extra.data());
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data());
  if (count > 1) throw std::runtime_error(std::string(arguments[1]) + " is unknown");
}

int run(std::vector<std::string> extras, const std::string& command) {
  initialize(extras);
  const std::string no_device = device_program::why_no_device();
  bench::options().has_device = no_device.empty();
  if (!no_device.empty()) {
    fmt::print(stderr, "the cases of cuda_* are left out: {}\n", no_device);
  }
  describe(command);
  bench::add_all_pairs();
  bench::add_algebra();
  bench::add_calls();
  bench::add_closures();
  bench::add_batches();
  bench::add_summaries();
  bench::add_adaptors();
  bench::add_rows();
  bench::add_hierarchies();
  bench::add_choices();
  bench::add_queries();
  bench::add_centralities();
  bench::add_scale();
  bench::add_limits();
  const std::size_t matched = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return matched == 0 ? 2 : bench::has_failed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Times of whole calls of every algorithm, checked", "apsp-bench"};
  add_options(app);
  try {
    app.parse(argc, argv);
    return run(app.remaining(),
               apsp_perf::command_text("apsp-bench", argc, argv, {"--benchmark_out"}));
  } catch (const CLI::ParseError& e) {
    return app.exit(e);
  } catch (const std::exception& e) {
    fmt::print(stderr, "apsp-bench: {}\n", e.what());
    return 2;
  }
}
