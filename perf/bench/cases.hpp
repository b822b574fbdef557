// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "../device_program.hpp"
#include "../timing.hpp"

// The cases of apsp-bench: Google Benchmark chooses, runs and reports them.
namespace bench {

/// What the program is asked for, beside Google Benchmark's own options.
struct settings {
  std::vector<std::size_t> sizes;  ///< numbers of vertices, or empty: each family's own
  std::vector<std::string> types{"f32", "f64", "i32", "i64"};
  std::size_t sources = 0;  ///< to solve from where an algorithm has sources, or 0: all
  int repeat = 5;           ///< timed calls of a case, after one that warms up
  double limit = 60;        ///< seconds for them; one is made whatever it takes
  std::size_t check = 4;    ///< rows of a result that are compared with Boost.Graph's
  double ghz = 0;           ///< clock of the device under load, or 0
  std::uint64_t seed = 1;   ///< of the random graphs
  bool has_device = false;  ///< found out by the program
};
/// The same for all cases.
settings& options();

/// The sizes that were asked for, or these.
std::vector<std::size_t> sizes_or(std::vector<std::size_t> own);
/// Without those of a device if there is none.
std::vector<std::string> policies();
inline bool has_type(const std::string& type) {
  const auto& types = options().types;
  return std::find(types.begin(), types.end(), type) != types.end();
}

/// What a case is compared with: the counter @p counter of a case is the time of the case called @p name
/// for the same work divided by its own, if both ran in this program.
struct rival {
  std::string counter;
  std::string name;
};

/// What the calls of a case took.
struct outcome {
  std::vector<double> seconds{};
  std::map<std::string, double> counters{};
  std::string unit{};  ///< of the work, such as "relaxations"
  double work = 1;     ///< of one call
};

/// How the calls of a case are made.
struct calls {
  std::function<double()> call;  ///< gives its own seconds
  std::string unit{};
  double work = 1;
  bool is_warm = false;  ///< The first call need not be one that warms up.
  /// Before each call, not timed.
  std::function<void()> prepare = [] {};
  /// Relaxations per second on registers, or nothing; asked for right before and right after each call.
  std::function<double()> limit{};
};

/// Makes one call that warms up and then as many as the settings say.
outcome measure(const calls& c);

/// Registers a case. What @p run throws is its error, and makes the program's exit status 1.
void add(const std::string& name, const std::vector<rival>& rivals, std::function<outcome()> run);
/// True once a case has failed.
bool has_failed();

/// The seconds of @p solve(policy), which gives an apsp::result, under the policy called @p name.
template <class Solve>
double seconds_of_solve(const std::string& name, Solve solve) {
  return device_program::with_policy(name, [&](const auto& policy) {
    const auto [done, seconds] = timing::timed([&] { return solve(policy); });
    device_program::require_solved(done, name);
    return seconds;
  });
}

inline void require(bool is_right, const char* otherwise) {
  if (!is_right) throw std::runtime_error(otherwise);
}

struct kept_problem {
  std::string key;
  std::shared_ptr<void> problem;
};
kept_problem& last_problem();

/// The problem called @p key, made by @p make unless it is the one that was asked for last: cases that
/// follow each other share it, and no other one takes memory.
template <class Make>
auto& shared_problem(const std::string& key, Make make) {
  using problem = decltype(make());
  kept_problem& last = last_problem();
  if (last.key != key) {
    last = {};  // Before the next one: both may need too much memory.
    last = {key, std::make_shared<problem>(make())};
  }
  return *static_cast<problem*>(last.problem.get());
}

}  // namespace bench
