// SPDX-License-Identifier: BSL-1.0
#include <apsp/error.hpp>
#include <apsp/policy.hpp>
#include <cstddef>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "../device_program.hpp"
#include "../generators.hpp"
#include "graph_benchmark.hpp"
#include "graphs.hpp"
#include "problem.hpp"
#include "runs.hpp"

namespace topology {
namespace {

template <class T>
struct name_of {
  const char* name;
  T value;
};

template <class T, std::size_t N>
T named(const name_of<T> (&known)[N], const std::string& name, const std::string& what) {
  for (const auto& candidate : known) {
    if (name == candidate.name) return candidate.value;
  }
  throw std::runtime_error(what + " " + name + " is unknown");
}

constexpr name_of<apsp::algorithm> algorithm_names[] = {
    {"dijkstra", apsp::algorithm::dijkstra},
    {"bellman_ford", apsp::algorithm::bellman_ford},
    {"johnson", apsp::algorithm::johnson},
    {"floyd_warshall", apsp::algorithm::floyd_warshall}};

constexpr name_of<apsp::backend> policy_names[] = {{"seq", apsp::backend::seq},
                                                   {"omp", apsp::backend::omp},
                                                   {"cuda_naive", apsp::backend::cuda_naive},
                                                   {"cuda_tiled", apsp::backend::cuda_tiled}};

constexpr name_of<apsp::relaxations> strategy_names[] = {
    {"scatter_and_check", apsp::relaxations::scatter_and_check},
    {"by_edge", apsp::relaxations::by_edge},
    {"by_incoming_edges", apsp::relaxations::by_incoming_edges},
    {"by_outgoing_edges", apsp::relaxations::by_outgoing_edges}};

std::vector<entry> chosen_entries(const settings& s, bool has_device) {
  std::vector<entry> entries{{apsp::algorithm::dijkstra, apsp::backend::omp}};
  for (const auto& algorithm_name : s.algorithms) {
    const auto algorithm = named(algorithm_names, algorithm_name, "algorithm");
    for (const auto& policy_name : s.policies) {
      const entry e{algorithm, named(policy_names, policy_name, "policy")};
      if (needs_device(e.policy) && !has_device) continue;
      if (e.is_reference()) continue;  // the first one already
      if (algorithm == apsp::algorithm::bellman_ford && e.policy == apsp::backend::cuda_naive) {
        for (const auto& name : s.strategies) {
          entries.push_back({algorithm, e.policy, named(strategy_names, name, "strategy"), name});
        }
      } else {
        entries.push_back(e);
      }
    }
  }
  return entries;
}

class table {
 public:
  table(const settings& s, csv_file& csv, bool has_device)
      : settings_(s), csv_(csv), entries_(chosen_entries(s, has_device)) {
    csv_.line("topology", "n", "m", "type", "algorithm", "policy", "strategy", "predecessors",
              "sources", "repeats", "estimated", "seconds", "estimated_seconds", "speedup",
              "estimated_speedup", "checked");
    std::printf("%-8s %6s %10s %4s %-14s %-10s %-17s %4s %7s %10s %9s %s\n", "topology", "n", "m",
                "type", "algorithm", "policy", "strategy", "pred", "sources", "seconds", "x omp",
                "checked");
  }

  template <class W>
  void run(const std::string& topology, const std::string& type, std::size_t size) {
    const apsp_perf::csr_arrays<W> graph = make_graph<W>(topology, size, settings_.seed);
    graph_benchmark<W> bench(graph, settings_);
    for (const bool with_predecessors : {false, true}) {
      if (with_predecessors && !settings_.predecessors) continue;
      measurement reference;
      for (const entry& e : entries_) {
        const line_head head{topology, graph.num_vertices(), graph.num_edges(), type,
                             with_predecessors};
        try {
          const measurement m = bench.measure(e, with_predecessors);
          // Whatever comes next is compared with it.
          if (e.is_reference()) reference = m;
          print(head, e, m, reference);
        } catch (const apsp::device_error& error) {
          left_out(head, e, error.what());
        } catch (const std::bad_alloc&) {
          if (e.is_reference()) throw;
          left_out(head, e, "no memory");
        }
      }
    }
  }

  bool all_right() const { return all_right_; }

 private:
  struct line_head {
    std::string topology;
    std::size_t n;
    std::size_t m;
    std::string type;
    bool with_predecessors;
  };

  static void left_out(const line_head& head, const entry& e, const char* why) {
    std::printf("%-8s %6zu %10zu %4s %-14s %-10s %-17s left out: %s\n", head.topology.c_str(),
                head.n, head.m, head.type.c_str(), e.algorithm_name().c_str(),
                e.policy_name().c_str(), e.strategy_name.c_str(), why);
    std::fflush(stdout);
  }

  void print(const line_head& head, const entry& e, const measurement& m,
             const measurement& reference) {
    const double speedup = reference.seconds / m.seconds;
    const bool estimated_speedup = m.estimated || reference.estimated;
    const std::string seconds_text = (m.estimated ? "~" : "") + text(m.seconds, "%.4g");
    const std::string speedup_text = (estimated_speedup ? "~" : "") + text(speedup, "%.3g");
    std::printf("%-8s %6zu %10zu %4s %-14s %-10s %-17s %4d %7zu %10s %9s %s\n",
                head.topology.c_str(), head.n, head.m, head.type.c_str(),
                e.algorithm_name().c_str(), e.policy_name().c_str(), e.strategy_name.c_str(),
                head.with_predecessors ? 1 : 0, m.sources, seconds_text.c_str(),
                speedup_text.c_str(), to_text(m.checked));
    std::fflush(stdout);
    const std::string from =
        e.algorithm == apsp::algorithm::floyd_warshall ? "from_vertices" : "from_sources";
    csv_.line(head.topology, head.n, head.m, head.type, e.algorithm_name(), e.policy_name(),
              e.strategy_name, head.with_predecessors ? "1" : "0", m.sources, m.repeats,
              m.estimated ? from : "no", m.estimated ? "" : text(m.seconds),
              m.estimated ? text(m.seconds) : "", estimated_speedup ? "" : text(speedup),
              estimated_speedup ? text(speedup) : "", to_text(m.checked));
    if (m.checked == verdict::wrong) all_right_ = false;
  }

  const settings& settings_;
  csv_file& csv_;
  std::vector<entry> entries_;
  bool all_right_ = true;
};

}  // namespace

bool run_table(const settings& s, csv_file& csv, bool has_device) {
  table lines(s, csv, has_device);
  device_program::for_each_type_and_size(
      s.types, s.sizes,
      [&]<class W>(std::type_identity<W>, const std::string& type, std::size_t n) {
        for (const auto& topology : s.topologies) lines.run<W>(topology, type, n);
      });
  return lines.all_right();
}

}  // namespace topology
