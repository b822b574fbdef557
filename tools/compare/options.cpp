// SPDX-License-Identifier: BSL-1.0
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <apsp/policy.hpp>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "../../perf/common/machine.hpp"

namespace apsp_compare {

namespace {

constexpr const char* description =
    "Solves all-pairs shortest paths on one graph under every policy that can run here, checks "
    "that\n"
    "the results agree, and prints how fast each was. Vertices are numbered from 0.";

constexpr const char* examples = R"(Examples:
  apsp-compare rome99.gr                        a file: DIMACS .gr, Matrix Market .mtx, METIS
                                                .graph, or an edge list
  apsp-compare --gnp 2000 0.01                  a random graph: 2000 vertices, arcs with 1 %
  apsp-compare --grid 40 50 --path 0 1999       a grid, and a shortest path through it
  apsp-compare rome99.gr --policies omp,cuda_tiled --required --repeat 5
  apsp-compare rome99.gr --policies omp --no-boost --distances d.npy --json run.json

Exit status:
  0  all results agree
  1  results differ
  2  an error: one line on stderr says which
  3  the graph has a negative cycle: it is printed)";

constexpr std::int32_t default_largest_weight = 100;

// Converts a number that is given among real numbers, as in --gnp 2000 0.01.
std::int64_t to_count(double value, double smallest, const std::string& what) {
  if (!(value >= smallest && value <= 2147483647.0) || value != std::floor(value)) {
    throw usage_error(what + " is not an integer from " + std::to_string(std::lround(smallest)) +
                      " to 2147483647");
  }
  return static_cast<std::int64_t>(value);
}

std::int32_t to_largest_weight(const std::vector<double>& values, const std::string& option) {
  if (values.size() < 3) return default_largest_weight;
  return static_cast<std::int32_t>(to_count(values[2], 1, option + ": w_max"));
}

std::vector<std::string> to_policies(const std::string& list) {
  const auto& known = apsp::policy_names;
  std::vector<std::string> policies;
  for (std::size_t begin = 0, end = 0; begin <= list.size(); begin = end + 1) {
    end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw usage_error("--policies: '" + name +
                        "' is not one of seq, omp, cuda_naive, cuda_tiled");
    }
    if (std::find(policies.begin(), policies.end(), name) == policies.end()) {
      policies.push_back(name);
    }
  }
  return policies;
}

// CLI11 accepts negative and too large numbers for an unsigned type, and converts them to other
// numbers.
std::string why_no_whole_number(const std::string& word) {
  std::uint64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  const bool right = stop == end && error == std::errc();
  return right ? "" : "'" + word + "' is not an integer from 0 to 2^64 - 1";
}

// CLI11 takes hexadecimal and binary numbers, too.
std::string why_no_decimal_number(const std::string& word) {
  double value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  const bool right = stop == end && error == std::errc() && std::isfinite(value);
  return right ? "" : "'" + word + "' is not a decimal number";
}

/// True if what is written to both is written to one file. Devices may be given twice.
bool are_one_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code error;
  if (std::filesystem::exists(a, error) && !std::filesystem::is_regular_file(a, error))
    return false;
  const auto place_of = [&](const std::filesystem::path& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, error), error);
  };
  return place_of(a) == place_of(b);
}

std::string why_no_output_file(const std::string& name) {
  const std::filesystem::path file = name;
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code error;
  if (!file.has_filename() || std::filesystem::is_directory(file, error)) {
    return "'" + name + "' is not the name of a file";
  }
  if (!std::filesystem::is_directory(folder, error)) return name + ": there is no such folder";
  return "";
}

/// What the command line gives, before it is checked.
struct given_options {
  options o;
  std::vector<double> gnp;
  std::vector<double> grid;
  std::string policies;
  bool with_boost = false;
  bool without_boost = false;
};

CLI::Validator whole_number() {
  return {&why_no_whole_number, ""};
}
CLI::Validator decimal_number() {
  return {&why_no_decimal_number, ""};
}

CLI::Option* add_flag(CLI::App& app, const char* name, bool& flag, const char* text) {
  return app.add_flag(name, flag, text)->disable_flag_override();
}

void add_graph_options(CLI::App& app, given_options& given) {
  options& o = given.o;
  auto* file = app.add_option("file", o.file, "The graph to read")->option_text(" ");
  const std::array of_edge_lists{
      add_flag(app, "--undirected", o.undirected, "An edge list: every line is an edge both ways"),
      add_flag(app, "--renumber", o.renumber, "An edge list: number the vertices without gaps"),
      add_flag(app, "--header", o.header,
               "An edge list: the numbers of vertices and edges come first")};
  auto* gnp = app.add_option("--gnp", given.gnp,
                             "Generate a random graph: each of the n(n-1) arcs with "
                             "probability p, weights 1 to w_max (100)")
                  ->expected(2, 3)
                  ->check(decimal_number())
                  ->option_text("n p [w_max]");
  auto* grid = app.add_option("--grid", given.grid,
                              "Generate a grid whose neighbours are joined both ways, "
                              "weights 1 to w_max (100)")
                   ->expected(2, 3)
                   ->check(decimal_number())
                   ->option_text("rows cols [w_max]");
  file->excludes(gnp)->excludes(grid);
  gnp->excludes(grid);
  for (auto* const flag : of_edge_lists) flag->excludes(gnp)->excludes(grid);
  app.add_option("--seed", o.seed, "Seed of the generators (1); the same graph on every machine")
      ->check(whole_number())
      ->option_text("s");
}

void add_call_options(CLI::App& app, given_options& given) {
  options& o = given.o;
  app.add_option("--policies", given.policies,
                 "Some of seq, omp, cuda_naive, cuda_tiled; default: all that can run here")
      ->option_text("a,b,..");
  add_flag(app, "--required", o.required, "A missing device is an error; nothing falls back");
  app.add_option("--type", o.type,
                 "Type of weights and distances; default: i32 or i64 if all weights are integers, "
                 "otherwise f64")
      ->check(CLI::IsMember({"f32", "f64", "i32", "i64"}).description(""))
      ->option_text("f32|f64|i32|i64");
  app.add_option("--threads", o.threads, "Threads of omp; default: as OpenMP gives")
      ->check(decimal_number())
      ->check(CLI::Range(1, 65536).description(""))
      ->option_text("k");
  app.add_option("--device", o.device, "Number of the CUDA device")
      ->check(decimal_number())
      ->check(CLI::Range(0, 65535).description(""))
      ->option_text("d");
  app.add_option("--repeat", o.repeat,
                 "Solve k times and print the median; default: up to 5 times within a second")
      ->check(decimal_number())
      ->check(CLI::Range(1, 1000000).description(""))
      ->option_text("k");
  auto* boost =
      add_flag(app, "--boost", given.with_boost, "Run Boost.Graph's floyd_warshall however long");
  add_flag(app, "--no-boost", given.without_boost,
           "Do not run it; default: run it where it takes less than about 45 s")
      ->excludes(boost)
      ->option_text(" ");
  add_flag(app, "--predecessors", o.predecessors, "Compute predecessors too, and check them");
  add_flag(app, "--explain", o.explain,
           "Also call all_pairs_shortest_paths with each policy, and print what it chose from");
}

void add_output_options(CLI::App& app, given_options& given) {
  options& o = given.o;
  const CLI::Validator output_file(&why_no_output_file, "");
  app.add_option("--path", o.paths, "Print a shortest path from s to t; may be given repeatedly")
      ->allow_extra_args(false)
      ->check(whole_number())
      ->option_text("s t");
  app.add_option("--distances", o.distances_file, "Write the distances as a NumPy array")
      ->check(output_file)
      ->option_text("out.npy");
  app.add_option("--json", o.json_file, "Write machine, compiler, command and rows")
      ->check(output_file)
      ->option_text("out.json");
}

void set_graph(given_options& given) {
  options& o = given.o;
  const std::vector<double>& gnp = given.gnp;
  const std::vector<double>& grid = given.grid;
  if (!gnp.empty()) {
    if (!(gnp[1] >= 0 && gnp[1] <= 1)) throw usage_error("--gnp: p is not between 0 and 1");
    o.gnp = gnp_request{static_cast<std::size_t>(to_count(gnp[0], 0, "--gnp: n")), gnp[1],
                        to_largest_weight(gnp, "--gnp")};
  }
  if (!grid.empty()) {
    o.grid = grid_request{static_cast<std::size_t>(to_count(grid[0], 0, "--grid: rows")),
                          static_cast<std::size_t>(to_count(grid[1], 0, "--grid: cols")),
                          to_largest_weight(grid, "--grid")};
  }
  if (o.file.empty() && !o.gnp && !o.grid) {
    throw usage_error("give a graph: a file, --gnp or --grid (--help shows examples)");
  }
}

void check_output_files(const options& o) {
  if (!o.distances_file.empty() && !o.json_file.empty() &&
      are_one_file(o.distances_file, o.json_file)) {
    throw usage_error("--distances and --json name one file, '" + o.json_file + "'");
  }
  for (const std::string& written : {o.distances_file, o.json_file}) {
    if (!written.empty() && !o.file.empty() && are_one_file(written, o.file)) {
      throw usage_error("the graph '" + o.file + "' would be overwritten with results");
    }
  }
}

}  // namespace

std::optional<options> parse_command_line(int argc, char** argv) {
  given_options given;
  CLI::App app{description, "apsp-compare"};
  app.footer(examples);
  app.get_formatter()->column_width(30);
  app.set_version_flag("--version", apsp_perf::version_text());
  add_graph_options(app, given);
  add_call_options(app, given);
  add_output_options(app, given);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) throw usage_error(e.what());
    app.exit(e);
    if (!std::cout.flush()) throw std::runtime_error("standard output cannot be written");
    return std::nullopt;
  }

  options& o = given.o;
  set_graph(given);
  check_output_files(o);
  if (app.count("--policies") != 0) o.policies = to_policies(given.policies);
  if (given.with_boost) o.boost = boost_choice::always;
  if (given.without_boost) o.boost = boost_choice::never;
  // A path is reconstructed from predecessors.
  if (!o.paths.empty()) o.predecessors = true;
  o.command = apsp_perf::command_text(argv[0], argc, argv);
  return o;
}

}  // namespace apsp_compare
