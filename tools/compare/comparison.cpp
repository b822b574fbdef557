// SPDX-License-Identifier: BSL-1.0
#include "comparison.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/npy.hpp>
#include <apsp/path.hpp>
#include <apsp/policy.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../perf/common/checks.hpp"
#include "../../perf/common/machine.hpp"
#include "../../perf/common/timing.hpp"
#include "../../perf/rivals/boost_solvers.hpp"
#include "graph_source.hpp"
#include "progress.hpp"

namespace apsp_compare {

namespace {

// The rate of Boost.Graph on one core of a current server, on a graph in which all vertices reach
// each other. It is only used for estimates.
constexpr double boost_relaxations_per_second = 1.1e9;
// A solver that was not requested by name is skipped if it would take longer.
constexpr double longest_boost_seconds = 45;
constexpr double longest_seq_seconds = 600;
// Without --repeat, a solver is repeated up to this time, or up to this number of calls.
constexpr double enough_seconds = 1;
constexpr int enough_runs = 5;
// If other programs use more than this fraction of the threads, a note is printed.
constexpr double busy_share = 0.3;
constexpr std::size_t checked_sources = 64;

const std::string boost_name = "Boost.Graph";

template <class W>
std::string tolerance_text() {
  if constexpr (std::is_integral_v<W>) return "bit for bit";
  return fmt::format("within a relative {:g}", checks::tolerance<W>);
}

template <class W>
double largest_weight(const apsp_perf::csr_arrays<W>& g) {
  double largest = 0;
  for (const W w : g.weights) {
    if (w != apsp::unreachable<W>) largest = std::max(largest, std::abs(static_cast<double>(w)));
  }
  return largest;
}

/// Calls f with the policy called @p name, with the settings of the options.
template <class F>
auto with_policy(const std::string& name, const options& o, F f) {
  return apsp::with_policy(name, [&](auto policy) {
    if constexpr (requires { policy.device(o.device); }) {
      if (o.device >= 0) policy = policy.device(o.device);
      return f(policy.required(o.required));
    } else if constexpr (requires { policy.threads(o.threads); }) {
      return f(policy.threads(o.threads));
    } else {
      return f(policy);
    }
  });
}

/// Sorts by the places of names in @p order.
template <class T, class NameOf>
void sort_by(const std::vector<std::string>& order, std::vector<T>& values, NameOf name_of) {
  const auto place = [&](const T& value) {
    return std::find(order.begin(), order.end(), name_of(value));
  };
  std::stable_sort(values.begin(), values.end(),
                   [&](const T& a, const T& b) { return place(a) < place(b); });
}

/// Returns the policies with the fast ones first: their times are used to estimate the slow ones.
std::vector<std::string> in_running_order(std::vector<std::string> policies) {
  sort_by({"cuda_tiled", "omp", "cuda_naive", "seq"}, policies, std::identity());
  return policies;
}

/// Computes the ratios of medians of this run, and sorts the rows by the places of policies in @p
/// order.
void fill_in_ratios(std::vector<std::string> order, std::vector<row>& rows) {
  order.push_back(boost_name);
  sort_by(order, rows, [](const row& r) { return r.policy; });
  for (const row& base : rows) {
    if (base.policy != "seq" && base.policy != boost_name) continue;
    for (row& r : rows) {
      (base.policy == "seq" ? r.over_seq : r.over_boost) = base.median / r.median;
    }
  }
}

template <class W>
class comparison {
 public:
  comparison(const options& o, const apsp_perf::csr_arrays<W>& g)
      : options_(o),
        graph_(g),
        n_(g.num_vertices()),
        relaxations_(static_cast<double>(n_) * static_cast<double>(n_) * static_cast<double>(n_)),
        rounding_{checks::tolerance<W>, largest_weight(g)} {}

  outcome run() {
    found_.num_vertices = n_;
    found_.num_edges = graph_.num_edges();
    found_.weight_type = apsp_perf::weight_name<W>;
    found_.tolerance = tolerance_text<W>();
    for (const auto& [s, t] : options_.paths) {
      if (s >= n_ || t >= n_) {
        throw usage_error(fmt::format("--path {} {}: the vertices are 0 to {}", s, t,
                                      static_cast<std::ptrdiff_t>(n_) - 1));
      }
    }
    const double load = apsp_perf::load_of_others();
    if (load > busy_share * apsp_perf::hardware_threads()) {
      note(
          "the machine was busy when this began (load {:.1f} on {} threads): times are longer than "
          "they need be",
          load, apsp_perf::hardware_threads());
    }
    const std::vector<std::string> policies = choose_policies();
    allocate(policies.size());
    for (const auto& policy : in_running_order(policies)) {
      if (!run_policy(policy)) return std::move(found_);
    }
    run_boost();
    fill_in_ratios(policies, found_.rows);
    report_paths();
    write_distances();
    return std::move(found_);
  }

 private:
  using predecessor_matrix = apsp::matrix<std::int32_t>;

  template <class... Values>
  void note(fmt::format_string<Values...> format, Values&&... values) {
    found_.notes.push_back(fmt::format(format, std::forward<Values>(values)...));
  }

  // The policies of the table, in its order. Without --policies: those that can run on this
  // machine.
  std::vector<std::string> choose_policies() {
    if (!options_.policies.empty()) return options_.policies;
    std::vector<std::string> chosen{"seq", "omp"};
    for (const std::string policy : {"cuda_naive", "cuda_tiled"}) {
      const std::string reason = warm_up(policy);
      if (reason.empty()) {
        chosen.push_back(policy);
      } else {
        note("{} not run: {}", policy, reason);
      }
    }
    return chosen;
  }

  // Solves a graph of one vertex, so that the initialisation of the device is not measured. Returns
  // the reason if the policy does not run on its backend.
  std::string warm_up(const std::string& name) {
    apsp_perf::csr_arrays<W> single;
    single.end_row();
    apsp::matrix<W> distances(1);
    return with_policy(name, options_, [&](const auto& policy) {
      return apsp::floyd_warshall(policy, single.view(), distances).fallback_reason();
    });
  }

  void allocate(std::size_t num_policies) {
    const bool compares = num_policies > 1 || options_.boost != boost_choice::never;
    apsp_perf::require_memory(n_, sizeof(W) * ((compares ? 2 : 1) + (options_.explain ? 1 : 0)) +
                                      (options_.predecessors ? sizeof(std::int32_t) : 0));
    first_ = apsp::matrix<W>(n_);
    if (compares) other_ = apsp::matrix<W>(n_);
    if (options_.predecessors) predecessors_ = predecessor_matrix(n_);
  }

  std::optional<double> estimate(const std::string& policy) const {
    const int threads = options_.threads > 0
                            ? std::min(options_.threads, apsp_perf::hardware_threads())
                            : apsp_perf::hardware_threads();
    for (const auto& r : found_.rows) {
      if (policy == "seq" && r.ran_on == "omp") return r.median * threads;
    }
    return std::nullopt;
  }

  bool again(const std::vector<double>& seconds) const {
    if (seconds.empty()) return true;
    const auto runs = static_cast<int>(seconds.size());
    if (options_.repeat > 0) return runs < options_.repeat;
    return runs < enough_runs &&
           std::accumulate(seconds.begin(), seconds.end(), 0.0) < enough_seconds;
  }

  // Returns false if the graph has a negative cycle.
  bool run_policy(const std::string& name) {
    const auto expected = estimate(name);
    if (options_.policies.empty() && expected && *expected > longest_seq_seconds) {
      note("{} not run: it would take about {:.0f} s; ask for it with --policies", name, *expected);
      return true;
    }
    if (name.starts_with("cuda")) warm_up(name);
    apsp::matrix<W>& distances = found_.rows.empty() ? first_ : other_;
    row r;
    r.policy = name;
    while (again(r.seconds)) {
      const progress_line progress(name, expected);
      const auto [done, seconds] = with_policy(name, options_, [&](const auto& policy) {
        return timing::timed([&] {
          return options_.predecessors
                     ? apsp::floyd_warshall(policy, graph_.view(), distances, predecessors_)
                     : apsp::floyd_warshall(policy, graph_.view(), distances);
        });
      });
      r.seconds.push_back(seconds);
      r.ran_on = apsp::to_string(done.executed_on());
      r.fallback_reason = done.fallback_reason();
      found_.saturated = done.saturated();
      if (!done) {
        report_negative_cycle(done.negative_cycle());
        return false;
      }
    }
    finish(std::move(r), distances);
    if (options_.predecessors && !found_.saturated) check_predecessors(name, distances);
    if (options_.explain) explain(name);
    return true;
  }

  void explain(const std::string& name) {
    apsp::matrix<W> distances(n_);
    const auto [done, seconds] = with_policy(name, options_, [&](const auto& policy) {
      return timing::timed([&] {
        return options_.predecessors
                   ? apsp::all_pairs_shortest_paths(policy, graph_.view(), distances, predecessors_)
                   : apsp::all_pairs_shortest_paths(policy, graph_.view(), distances);
      });
    });
    found_.explanations.push_back({name, std::string(apsp::to_string(done.executed_on())),
                                   std::string(apsp::to_string(done.algorithm())), seconds,
                                   apsp::to_string(done.plan())});
    check_agreement(name + " by " + found_.explanations.back().algorithm, distances);
    if (options_.predecessors && !found_.saturated) check_predecessors(name, distances);
  }

  void check_predecessors(const std::string& name, const apsp::matrix<W>& distances) {
    for (std::size_t s = 0; s < n_; s += std::max<std::size_t>(1, n_ / checked_sources)) {
      const auto v =
          checks::first_wrong_predecessor(graph_, s, distances[s], predecessors_[s], rounding_);
      if (!v) continue;
      found_.differences.push_back(
          fmt::format("{}: from {} to {}: predecessor {} is on no shortest path", name, s, *v,
                      predecessors_(s, *v)));
      return;
    }
  }

  void run_boost() {
    if (options_.boost == boost_choice::never) return;
    const double expected = relaxations_ / boost_relaxations_per_second;
    if (options_.boost == boost_choice::if_quick && expected > longest_boost_seconds) {
      return note("{} not run: it would take up to {:.0f} s; --boost runs it", boost_name,
                  expected);
    }
    if constexpr (std::is_integral_v<W>) {
      const double longest = rounding_.scale * static_cast<double>(n_);
      if (longest >= static_cast<double>(std::numeric_limits<W>::max())) {
        return note("{} not run: its integer sums could wrap", boost_name);
      }
    }
    row r;
    r.policy = boost_name;
    r.ran_on = "one thread";
    while (again(r.seconds)) {
      const progress_line progress(boost_name, expected);
      r.seconds.push_back(boost_solvers::floyd_warshall(graph_, other_));
      if (r.seconds.back() < 0) {
        found_.differences.push_back(boost_name + " reports a negative cycle");
        return;
      }
    }
    if (options_.predecessors) {
      note("{} computes no predecessors; its time is without them", boost_name);
    }
    finish(std::move(r), other_);
  }

  void finish(row r, const apsp::matrix<W>& distances) {
    r.median = timing::median(r.seconds);
    r.relaxations_per_second = r.median > 0 ? relaxations_ / r.median : 0;
    if (!found_.rows.empty()) check_agreement(r.policy, distances);
    found_.rows.push_back(std::move(r));
  }

  // Describes the first pair of vertices with different distances.
  void check_agreement(const std::string& name, const apsp::matrix<W>& distances) {
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        if (rounding_.is_same(first_(i, j), distances(i, j))) continue;
        found_.differences.push_back(fmt::format("from {} to {}: {} has {}, {} has {}", i, j,
                                                 found_.rows.front().policy, first_(i, j), name,
                                                 distances(i, j)));
        return;
      }
    }
  }

  void report_paths() {
    for (const auto& [s, t] : options_.paths) {
      path_line line{s, t, apsp::path(predecessors_, s, t), ""};
      if (!line.vertices.empty()) line.length = fmt::format("{}", first_(s, t));
      found_.paths.push_back(std::move(line));
    }
  }

  void write_distances() {
    if (options_.distances_file.empty()) return;
    try {
      apsp::write_npy(options_.distances_file, first_);
    } catch (const apsp::file_error& error) {
      found_.unwritten.push_back(error.what());
    }
  }

  void report_negative_cycle(const std::vector<std::size_t>& walk) {
    using sum = std::conditional_t<std::is_integral_v<W>, std::int64_t, double>;
    sum length = 0;
    for (std::size_t i = 0; i + 1 < walk.size(); ++i) {
      W lightest = apsp::unreachable<W>;
      const auto end = static_cast<std::size_t>(graph_.offsets[walk[i] + 1]);
      for (auto k = static_cast<std::size_t>(graph_.offsets[walk[i]]); k < end; ++k) {
        if (std::cmp_equal(graph_.targets[k], walk[i + 1])) {
          lightest = std::min(lightest, graph_.weights[k]);
        }
      }
      length += static_cast<sum>(lightest);
    }
    found_.negative_cycle = closed_walk{walk, fmt::format("{}", length)};
  }

  const options& options_;
  const apsp_perf::csr_arrays<W>& graph_;
  std::size_t n_;
  double relaxations_;
  checks::rounding rounding_;
  outcome found_;
  apsp::matrix<W> first_;  ///< result of the first policy, the reference for the others
  apsp::matrix<W> other_;
  predecessor_matrix predecessors_;
};

}  // namespace

outcome compare(const options& o, const loaded_graph& g) {
  return std::visit(
      [&]<class W>(const apsp_perf::csr_arrays<W>& arrays) {
        return comparison<W>(o, arrays).run();
      },
      g.arrays);
}

}  // namespace apsp_compare
