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
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/device_program.hpp"
#include "../common/timing.hpp"

// The cases of apsp-bench: Google Benchmark selects, runs and reports them.
namespace bench {

/// The options of the program besides those of Google Benchmark.
struct settings {
  std::vector<std::size_t> sizes;  ///< numbers of vertices, or empty: the defaults of each family
  std::vector<std::string> types{"f32", "f64", "i32", "i64"};
  std::vector<std::string> files{};  ///< graphs of the cases hierarchy/... and others
  std::size_t sources = 0;  ///< number of sources of algorithms that have sources, or 0: all
  int repeat = 5;           ///< timed calls of a case, after a warm-up call
  double limit = 60;        ///< maximum seconds of these; at least one call is timed
  std::size_t check = 4;    ///< number of rows compared with those of Boost.Graph
  double ghz = 0;           ///< clock of the device under load, or 0
  std::uint64_t seed = 1;   ///< seed of the random graphs
  bool has_device = false;  ///< determined by the program
};
/// The options, shared by all cases.
inline settings& options() {
  static settings s;
  return s;
}

/// Returns the sizes from the command line, or otherwise these.
std::vector<std::size_t> sizes_or(std::vector<std::size_t> own);
/// Returns the policies, without those of a device if there is none.
std::vector<std::string> policies();
/// Returns 1, 2, 4 and so on, up to the number of devices.
std::vector<std::size_t> device_counts();
inline bool has_type(const std::string& type) {
  const auto& types = options().types;
  return std::find(types.begin(), types.end(), type) != types.end();
}
/// Calls @p f(std::type_identity<W>{}, name) for each selected type W of weights.
template <class F>
void for_each_type(F f) {
  apsp_perf::for_each_weight_type([&]<class W>(std::type_identity<W> w, const std::string& type) {
    if (has_type(type)) f(w, type);
  });
}

/// A case to compare with. The counter @p counter is the time of the case @p name for the same work
/// divided by the time of this case, if both ran in this program.
struct rival {
  std::string counter;
  std::string name;
};

/// The measurements of a case.
struct outcome {
  std::vector<double> seconds{};
  std::map<std::string, double> counters{};
  std::string unit{};  ///< unit of the work, such as "relaxations"
  double work = 1;     ///< work of one call
};

/// The calls of a case.
struct calls {
  std::function<double()> call;  ///< returns its seconds
  std::string unit{};
  double work = 1;
  bool is_warm = false;  ///< no warm-up call is needed
  /// Runs before each call, and is not timed.
  std::function<void()> prepare = [] {};
  /// Measures relaxations per second on registers, or is empty; called right before and right after
  /// each call.
  std::function<double()> limit{};
};

/// Makes one warm-up call and then as many as the settings specify.
outcome measure(const calls& c);

/// Registers a case. An exception of @p run is its error, and makes the program's exit status 1.
void add(const std::string& name, const std::vector<rival>& rivals, std::function<outcome()> run);
inline bool has_failed = false;  ///< a case has failed

using device_program::seconds_of_solve;

inline void require(bool is_right, const char* otherwise) {
  if (!is_right) throw std::runtime_error(otherwise);
}

/// The families of cases. The source of each one defines the names of its cases.
void add_all_pairs();
void add_algebra();
void add_calls();
void add_closures();
void add_batches();
void add_summaries();
void add_adaptors();
void add_rows();
void add_hierarchies();
void add_centralities();
void add_choices();
void add_queries();
void add_scale();
void add_limits();

/// The last problem of shared_problem() and its key.
inline std::pair<std::string, std::shared_ptr<void>> last_problem;

/// Returns the problem called @p key, made by @p make unless it is the last one: consecutive cases
/// share it, and only one is in memory.
template <class Make>
auto& shared_problem(const std::string& key, Make make) {
  using problem = decltype(make());
  if (last_problem.first != key) {
    last_problem = {};  // First frees the previous one: both may need too much memory.
    last_problem = {key, std::make_shared<problem>(make())};
  }
  return *static_cast<problem*>(last_problem.second.get());
}

}  // namespace bench
