// SPDX-License-Identifier: BSL-1.0
// One table of goals: how fast calls of floyd_warshall are, what the machine does at most, measured in the
// same run, and whether the goal is met. A device is measured on data in its own memory, and beside that with
// data of the host's. Needs no library but apsp at run time, since a machine
// with a device has often little else.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "compare/machine.hpp"
#include "csv_file.hpp"
#include "device_limit/device_limit.hpp"
#include "device_program.hpp"
#include "goals/goal.hpp"
#include "goals/measurement.hpp"

namespace {

using goals::goal;
using goals::measurement;

struct settings {
  bool list = false;
  std::string only;
  goals::how_to_measure how;
  std::string commit = apsp_compare::commit_name();
  std::string csv;
};

void add_options(CLI::App& app, settings& s) {
  app.add_flag("--list", s.list, "Print the names of the lines and measure nothing");
  app.add_option("--only", s.only, "Only lines in whose names this regular expression is found")
      ->option_text("REGEX");
  app.add_option("--smaller", s.how.divisor,
                 "Divide all numbers of vertices by K, for a quick run without goals")
      ->check(CLI::Range(1, 32))
      ->option_text("K");
  app.add_option("--repeat", s.how.repeat, "Calls after the one that warms up, at least (5)")
      ->check(CLI::Range(1, 1000))
      ->option_text("K");
  app.add_option("--check", s.how.check, "Rows of a result to prove right (8)")->option_text("K");
  app.add_option("--commit", s.commit, "For the file; else that of the configured source tree")
      ->option_text("ID");
  app.add_option("--csv", s.csv, "Write the lines to a file, too")->option_text("FILE");
}

std::vector<goal> chosen_goals(const std::string& only) {
  std::vector<goal> chosen = goals::all_goals();
  try {
    const std::regex wanted(only);
    std::erase_if(chosen, [&](const goal& g) { return !std::regex_search(g.name, wanted); });
  } catch (const std::regex_error&) {
    throw std::runtime_error("--only: '" + only + "' is not a regular expression");
  }
  if (chosen.empty()) throw std::runtime_error("--only: no name of a line matches '" + only + "'");
  return chosen;
}

// Device lines never fall back, so without a device they are left out.
void leave_out_device_lines(std::vector<goal>& chosen) {
  if (std::none_of(chosen.begin(), chosen.end(), [](const goal& g) { return g.is_for_device(); })) {
    return;
  }
  const std::string why = device_program::why_no_device();
  if (why.empty()) return;
  fmt::print("the lines of cuda_tiled are left out: {}\n", why);
  std::erase_if(chosen, [](const goal& g) { return g.is_for_device(); });
}

std::string machine_text() {
  return fmt::format("{}, {} hardware threads, load of others {:.1f}",
                     apsp_compare::processor_name(), apsp_compare::hardware_threads(),
                     apsp_compare::load_of_others());
}

std::string rate_text(double rate) {
  return rate >= 1e12 ? fmt::format("{:.2f} T/s", rate / 1e12)
                      : fmt::format("{:.1f} G/s", rate / 1e9);
}

std::string share_text(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

class table {
 public:
  table(const settings& s, int argc, char** argv) : has_goals_(s.how.divisor == 1), csv_(s.csv) {
    const std::string machine = machine_text();
    const std::string gpu = device_limit::device_name();
    csv_.comment(machine + "; GPU " + (gpu.empty() ? "none" : gpu) + ", driver " +
                 (gpu.empty() ? "none" : device_program::driver_version()) + "; commit " +
                 (s.commit.empty() ? "unnamed" : s.commit) + "; " + apsp_compare::compiler_name());
    csv_.comment(device_program::call_text("goal_table", argc, argv));
    csv_.line(
        "name,type,weights,n,policy,calls,seconds,seconds_alone,relaxations_per_second,limit,"
        "share_of_limit,goal_relaxations_per_second,goal_share,goal_with_transfers,met");
    fmt::print("{}\n", machine);
    if (!gpu.empty()) fmt::print("{}, driver {}\n", gpu, device_program::driver_version());
    fmt::print("\n{:<5} {:<9} {:>6} {:<11} {:>13} {:>12} {:>9} {:>9} {:>17} {:>4}\n", "type",
               "weights", "n", "policy", "relaxations/s", "limit", "of limit", "transfers", "goal",
               "met");
    std::fflush(stdout);
  }

  void add(const goal& g, const measurement& m) {
    const double with_transfers = m.seconds_alone > 0 ? m.seconds / m.seconds_alone : 0;
    const bool is_met = m.rate >= g.rate && m.share >= g.share &&
                        (g.with_transfers == 0 || with_transfers <= g.with_transfers);
    std::string goal_text = g.rate > 0 ? rate_text(g.rate) : share_text(g.share);
    if (g.with_transfers > 0) goal_text += fmt::format(", {:.2f} x", g.with_transfers);
    fmt::print("{:<5} {:<9} {:>6} {:<11} {:>13} {:>12} {:>9} {:>9} {:>17} {:>4}\n", g.type,
               goals::to_string(g.weights), m.num_vertices, g.policy, rate_text(m.rate),
               rate_text(m.limit), share_text(m.share),
               with_transfers > 0 ? fmt::format("{:.2f} x", with_transfers) : "-",
               has_goals_ ? goal_text : "-", has_goals_ ? to_text(is_met) : "-");
    std::fflush(stdout);
    csv_.line(g.name, g.type, goals::to_string(g.weights), m.num_vertices, g.policy, m.calls,
              m.seconds, m.seconds_alone > 0 ? fmt::format("{:g}", m.seconds_alone) : "", m.rate,
              m.limit, m.share, field(g.rate), field(g.share), field(g.with_transfers),
              has_goals_ ? to_text(is_met) : "");
  }

 private:
  static const char* to_text(bool is_met) { return is_met ? "yes" : "no"; }
  // Empty where there is no such goal.
  std::string field(double value) const {
    return has_goals_ && value > 0 ? fmt::format("{:g}", value) : "";
  }

  bool has_goals_;  // They are for the full sizes.
  csv_file csv_;
};

int run(const settings& s, int argc, char** argv) {
  std::vector<goal> chosen = chosen_goals(s.only);
  if (s.list) {
    for (const goal& g : chosen) fmt::print("{}\n", g.name);
    return 0;
  }
  leave_out_device_lines(chosen);
  if (chosen.empty()) return 0;
  table lines(s, argc, argv);
  for (const goal& g : chosen) {
    try {
      lines.add(g, goals::measure_calls(g, s.how));
    } catch (const std::exception& e) {
      throw std::runtime_error(g.name + ": " + e.what());
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  settings s;
  CLI::App app{"Speeds of floyd_warshall next to what this machine does at most, and to goals",
               "goal_table"};
  add_options(app, s);
  try {
    app.parse(argc, argv);
    return run(s, argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e);
  } catch (const std::exception& e) {
    fmt::print(stderr, "goal_table: {}\n", e.what());
    return 2;
  }
}
