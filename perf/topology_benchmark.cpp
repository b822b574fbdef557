// SPDX-License-Identifier: BSL-1.0
// Every algorithm under every policy on graphs of different shapes, next to Dijkstra's algorithm under
// omp, whose matrix all others must repeat. Also what rows without a matrix cost, and how soon a call
// ends that is asked to. Needs the standard library and apsp alone, since a machine with a device has
// often little else.
#include <algorithm>
#include <apsp/bellman_ford.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/error.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <apsp/unreachable.hpp>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <new>
#include <numeric>
#include <span>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "argument_values.hpp"
#include "generators.hpp"

using command_line::split;
using command_line::to_number;

namespace {

constexpr const char* usage = R"(usage: topology_benchmark [--rows | --stop] [options]
without --rows and --stop, a table of algorithms, policies and topologies:
  --sizes 1024,4677,16384     numbers of vertices
  --topologies a,b            some of random, gnp, ring, rmat, grid, complete (all)
  --algorithms a,b            some of dijkstra, bellman_ford, johnson, floyd_warshall (all)
  --policies a,b              some of seq, omp, cuda_naive, cuda_tiled (all)
  --strategies a,b            of bellman_ford under cuda_naive, some of scatter_and_check, by_edge,
                              by_incoming_edges, by_outgoing_edges (all)
  --types i32,f32,i64,f64     weight types (i32)
  --predecessors              every call with predecessors too
  --limit SECONDS             for all calls of an entry (10); what needs more is estimated from a part
  --reference-limit SECONDS   the same for dijkstra under omp (10 limits)
--rows: rows handed to a function, next to a matrix of them, on a grid
  --rows-side 512             of the grid
  --rows-sources 4096         spread evenly
--stop: from a request to stop to the return of the call
  --stop-size 32768           number of vertices
  --stop-after 0.1,0.2,0.4    seconds from the start of the call to the request
all:
  --repeat k                  calls after the one that warms up; the median counts (3)
  --seed s
  --gpu NAME --commit ID      for the file
  --csv FILE
)";

struct settings {
  bool rows = false;
  bool stop = false;
  std::vector<std::string> sizes{"1024", "4677", "16384"};
  std::vector<std::string> topologies{"random", "gnp", "ring", "rmat", "grid", "complete"};
  std::vector<std::string> algorithms{"dijkstra", "bellman_ford", "johnson", "floyd_warshall"};
  std::vector<std::string> policies{"seq", "omp", "cuda_naive", "cuda_tiled"};
  std::vector<std::string> strategies{"scatter_and_check", "by_edge", "by_incoming_edges",
                                      "by_outgoing_edges"};
  std::vector<std::string> types{"i32"};
  bool predecessors = false;
  double limit = 10;
  double reference_limit = 0;
  std::size_t rows_side = 512;
  std::size_t rows_sources = 4096;
  std::size_t stop_size = 32768;
  std::vector<std::string> stop_after{"0.1", "0.2", "0.4"};
  int repeat = 3;
  std::uint64_t seed = 1;
  std::string gpu;
  std::string commit;
  std::string csv;
};

settings parse(int argc, char** argv) {
  settings s;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--rows" || option == "--stop" || option == "--predecessors") {
      (option == "--rows" ? s.rows : option == "--stop" ? s.stop : s.predecessors) = true;
      continue;
    }
    if (i + 1 == argc) throw std::runtime_error(option + " is unknown or lacks a value");
    const std::string value = argv[++i];
    if (option == "--sizes")
      s.sizes = split(value);
    else if (option == "--topologies")
      s.topologies = split(value);
    else if (option == "--algorithms")
      s.algorithms = split(value);
    else if (option == "--policies")
      s.policies = split(value);
    else if (option == "--strategies")
      s.strategies = split(value);
    else if (option == "--types")
      s.types = split(value);
    else if (option == "--limit")
      s.limit = to_number<double>(value);
    else if (option == "--reference-limit")
      s.reference_limit = to_number<double>(value);
    else if (option == "--rows-side")
      s.rows_side = to_number<std::size_t>(value);
    else if (option == "--rows-sources")
      s.rows_sources = to_number<std::size_t>(value);
    else if (option == "--stop-size")
      s.stop_size = to_number<std::size_t>(value);
    else if (option == "--stop-after")
      s.stop_after = split(value);
    else if (option == "--repeat")
      s.repeat = std::max(1, to_number<int>(value));
    else if (option == "--seed")
      s.seed = to_number<std::uint64_t>(value);
    else if (option == "--gpu")
      s.gpu = value;
    else if (option == "--commit")
      s.commit = value;
    else if (option == "--csv")
      s.csv = value;
    else
      throw std::runtime_error(option + " is unknown");
  }
  if (s.rows && s.stop) throw std::runtime_error("--rows and --stop are two runs");
  if (s.reference_limit <= 0) s.reference_limit = 10 * s.limit;
  return s;
}

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

bool needs_device(apsp::backend b) {
  return b == apsp::backend::cuda_naive || b == apsp::backend::cuda_tiled;
}

using seconds = std::chrono::duration<double>;

template <class Action>
double seconds_of(Action action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return seconds(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

std::string text(double value, const char* format = "%.6g") {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

using vertex_list = std::vector<std::int32_t>;
using vertex_matrix = apsp::matrix<std::int32_t>;

// Those of a short list are in a list of a multiple of its length too, so parts of different sizes
// have rows in common.
vertex_list spread_sources(std::size_t n, std::size_t count) {
  vertex_list sources(count);
  for (std::size_t i = 0; i < count; ++i) sources[i] = static_cast<std::int32_t>(i * n / count);
  return sources;
}

// Without a list of sources it is all pairs.
template <class W>
struct problem {
  const apsp_perf::csr_arrays<W>& graph;
  const vertex_list* sources;
  apsp::matrix<W>& distances;
  vertex_matrix* predecessors;
};

template <class W, class Policy>
apsp::result solve(const Policy& policy, apsp::algorithm algorithm, const problem<W>& p) {
  const auto graph = p.graph.view();
  const auto per_source = [&](auto call) {
    if (p.sources != nullptr && p.predecessors != nullptr) {
      return call(*p.sources, p.distances, *p.predecessors);
    }
    if (p.sources != nullptr) return call(*p.sources, p.distances);
    if (p.predecessors != nullptr) return call(p.distances, *p.predecessors);
    return call(p.distances);
  };
  switch (algorithm) {
    case apsp::algorithm::dijkstra:
      return per_source([&](auto&... a) { return apsp::dijkstra(policy, graph, a...); });
    case apsp::algorithm::bellman_ford:
      return per_source([&](auto&... a) { return apsp::bellman_ford(policy, graph, a...); });
    case apsp::algorithm::johnson:
      return per_source([&](auto&... a) { return apsp::johnson(policy, graph, a...); });
    default:
      if (p.predecessors == nullptr) return apsp::floyd_warshall(policy, graph, p.distances);
      return apsp::floyd_warshall(policy, graph, p.distances, *p.predecessors);
  }
}

// What one line of the table is about.
struct entry {
  apsp::algorithm algorithm;
  apsp::backend policy;
  apsp::relaxations strategy = apsp::relaxations::scatter_and_check;
  std::string strategy_name{};

  std::string algorithm_name() const { return std::string(apsp::to_string(algorithm)); }
  std::string policy_name() const { return std::string(apsp::to_string(policy)); }
  bool is_reference() const {
    return algorithm == apsp::algorithm::dijkstra && policy == apsp::backend::omp;
  }
};

// The policies as one table, since their types differ.
template <class W>
using solver = std::function<apsp::result(const entry&, const problem<W>&)>;

template <class W>
solver<W> solver_for(apsp::backend policy) {
  switch (policy) {
    case apsp::backend::seq:
      return [](const entry& e, const problem<W>& p) { return solve(apsp::seq, e.algorithm, p); };
    case apsp::backend::omp:
      return [](const entry& e, const problem<W>& p) { return solve(apsp::omp, e.algorithm, p); };
    case apsp::backend::cuda_naive:
      return [](const entry& e, const problem<W>& p) {
        return solve(apsp::cuda_naive.required().relax({e.strategy}), e.algorithm, p);
      };
    default:
      return [](const entry& e, const problem<W>& p) {
        return solve(apsp::cuda_tiled.required(), e.algorithm, p);
      };
  }
}

template <class W>
double time_call(const entry& e, const problem<W>& p) {
  const solver<W> call = solver_for<W>(e.policy);
  return seconds_of([&] {
    const apsp::result done = call(e, p);
    if (!done) throw std::runtime_error("a negative cycle in a graph that has none");
    if (done.executed_on() != e.policy) throw std::runtime_error("it fell back");
  });
}

// Why no device can be used; empty if one can.
std::string why_no_device() {
  const apsp_perf::csr_arrays<std::int32_t> g =
      apsp_perf::ring_graph<std::int32_t>(2, apsp_perf::ring_kind::directed, 1, 1);
  apsp::matrix<std::int32_t> distances(2);
  try {
    static_cast<void>(apsp::floyd_warshall(apsp::cuda_tiled.required(), g.view(), distances));
  } catch (const apsp::device_error& error) {
    return error.what();
  }
  return "";
}

// Weights are integers in [1, n] under every type.
template <class W>
apsp_perf::csr_arrays<W> make_graph(const std::string& topology, std::size_t n,
                                    std::uint64_t seed) {
  constexpr std::size_t degree = 4;
  if (n < 2) throw std::runtime_error("a graph has at least two vertices here");
  apsp_perf::require_vertex_count(n);
  const auto largest_weight = static_cast<std::int32_t>(n);
  if (topology == "random") {
    return apsp_perf::fixed_degree_graph<W>(n, degree, largest_weight, seed);
  }
  if (topology == "gnp") {
    const double p = static_cast<double>(degree) / static_cast<double>(n - 1);
    return apsp_perf::gnp_graph<W>(n, std::min(1.0, p), largest_weight, seed);
  }
  if (topology == "ring") {
    return apsp_perf::ring_graph<W>(n, apsp_perf::ring_kind::both_ways, largest_weight, seed);
  }
  if (topology == "rmat") return apsp_perf::rmat_graph<W>(n, degree, largest_weight, seed);
  if (topology == "grid") {
    // The largest square or nearly one of at most n vertices.
    const auto rows = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
    return apsp_perf::grid_graph<W>(rows, n / rows, largest_weight, seed);
  }
  if (topology == "complete") return apsp_perf::complete_graph<W>(n, largest_weight, seed);
  throw std::runtime_error("topology " + topology + " is unknown");
}

// The arcs between the first vertices: work for an algorithm that has no sources to choose from.
template <class W>
apsp_perf::csr_arrays<W> first_vertices(const apsp_perf::csr_arrays<W>& g, std::size_t count) {
  apsp_perf::csr_arrays<W> part;
  for (std::size_t u = 0; u < count; ++u) {
    const auto end = static_cast<std::size_t>(g.offsets[u + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets[u]); k < end; ++k) {
      const auto v = static_cast<std::size_t>(g.targets[k]);
      if (v < count) part.add(v, g.weights[k]);
    }
    part.end_row();
  }
  return part;
}

// Integers bit for bit; floats up to rounding, since the order of additions is the solver's own.
template <class W>
bool same_distance(W a, W b) {
  if constexpr (std::is_integral_v<W>) {
    return a == b;
  } else {
    constexpr W tolerance = sizeof(W) == 4 ? W(1e-4) : W(1e-11);
    return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
  }
}

template <class W>
bool same_row(const W* a, const W* b, std::size_t n) {
  return std::equal(a, a + n, b, [](W x, W y) { return same_distance(x, y); });
}

// A predecessor is right if an arc leads from it whose weight is the rest of the distance.
template <class W>
bool right_predecessors(const apsp_perf::csr_arrays<W>& g, std::size_t source, const W* distances,
                        const std::int32_t* predecessors) {
  const std::size_t n = g.num_vertices();
  std::vector<char> right(n);
  for (std::size_t u = 0; u < n; ++u) {
    if (distances[u] == apsp::unreachable<W>) continue;
    const auto end = static_cast<std::size_t>(g.offsets[u + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets[u]); k < end; ++k) {
      const auto v = static_cast<std::size_t>(g.targets[k]);
      if (!std::cmp_equal(predecessors[v], u)) continue;
      // A distance that has none left before infinity is not on a shortest path.
      if (distances[v] < distances[u]) continue;
      const W rest = static_cast<W>(distances[v] - distances[u]);
      const bool tight =
          std::is_integral_v<W>
              ? rest == g.weights[k]
              : same_distance(static_cast<W>(distances[u] + g.weights[k]), distances[v]);
      if (tight) right[v] = 1;
    }
  }
  for (std::size_t v = 0; v < n; ++v) {
    const bool has_none = predecessors[v] == apsp::no_predecessor<std::int32_t>;
    if (v == source || distances[v] == apsp::unreachable<W> ? !has_none : right[v] == 0) {
      return false;
    }
  }
  return true;
}

// Rows of distances that are taken for right.
template <class W>
struct reference_rows {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  apsp::matrix<W> distances;
  std::vector<std::size_t> row_of;

  bool empty() const { return row_of.empty(); }
  void set(apsp::matrix<W> rows, const vertex_list& sources, std::size_t n) {
    distances = std::move(rows);
    row_of.assign(n, none);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      row_of[static_cast<std::size_t>(sources[i])] = i;
    }
  }
};

enum class verdict { not_checked, right, wrong };

const char* to_text(verdict v) {
  return v == verdict::right ? "yes" : v == verdict::wrong ? "NO" : "not";
}

template <class W>
verdict check(const reference_rows<W>& reference, const apsp_perf::csr_arrays<W>& g,
              const vertex_list& sources, const apsp::matrix<W>& distances,
              const vertex_matrix* predecessors) {
  constexpr std::size_t rows_of_predecessors = 8;
  const std::size_t n = g.num_vertices();
  std::size_t compared = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::size_t row = reference.row_of[static_cast<std::size_t>(sources[i])];
    if (row == reference_rows<W>::none) continue;
    if (!same_row(reference.distances[row], distances[i], n)) return verdict::wrong;
    ++compared;
  }
  if (predecessors != nullptr) {
    const std::size_t count = std::min(rows_of_predecessors, sources.size());
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = k * sources.size() / count;
      const auto source = static_cast<std::size_t>(sources[i]);
      if (!right_predecessors(g, source, distances[i], (*predecessors)[i])) return verdict::wrong;
    }
  }
  return compared == 0 ? verdict::not_checked : verdict::right;
}

// An estimate is never put where the time of a whole call stands.
struct measurement {
  double seconds = 0;
  bool estimated = false;
  std::size_t sources = 0;
  int repeats = 0;
  verdict checked = verdict::not_checked;
};

// All entries of one graph.
template <class W>
class graph_benchmark {
 public:
  graph_benchmark(const apsp_perf::csr_arrays<W>& graph, const settings& s)
      : graph_(graph), settings_(s), n_(graph.num_vertices()) {}

  measurement measure(const entry& e, bool with_predecessors) {
    const bool has_sources = e.algorithm != apsp::algorithm::floyd_warshall;
    const double limit = e.is_reference() ? settings_.reference_limit : settings_.limit;
    // The part grows until the whole is known to fit, or the part itself is all that fits.
    const double power = has_sources ? 1 : 3;
    const std::size_t growth = has_sources ? 4 : 2;
    const double growth_of_time = std::pow(static_cast<double>(growth), power);
    std::size_t size = std::min(n_, first_size(e));
    // What a first call loads and allocates is nobody's share.
    double elapsed = run_part(e, with_predecessors, size, false).seconds;
    if (2 * elapsed < limit) elapsed = run_part(e, with_predecessors, size, false).seconds;
    // A call has a share that does not grow, so two parts are needed to know what a third would take.
    double before = elapsed;
    bool first = true;
    while (size < n_) {
      const double expected = elapsed * scale(size, power);
      if (2 * expected <= limit) break;
      const double larger = elapsed + growth_of_time * std::max(0.0, elapsed - before);
      const bool fits = first ? elapsed <= limit : 2 * larger <= limit;
      if (!fits) return estimate(e, with_predecessors, size, power);
      first = false;
      size = std::min(n_, growth * size);
      before = std::exchange(elapsed, run_part(e, with_predecessors, size, false).seconds);
    }
    return run_whole(e, with_predecessors, limit, elapsed * scale(size, power));
  }

 private:
  // The smallest part whose time says something of the whole: every host thread, and on a device a
  // good number of blocks, has something to do.
  static std::size_t first_size(const entry& e) {
    if (e.algorithm == apsp::algorithm::floyd_warshall) return 512;
    if (e.policy == apsp::backend::seq) return 1;
    if (e.policy == apsp::backend::omp) {
      return std::bit_ceil(std::size_t{std::max(1U, std::thread::hardware_concurrency())});
    }
    if (e.policy == apsp::backend::cuda_naive && e.algorithm == apsp::algorithm::bellman_ford) {
      return 1;
    }
    return 32;
  }

  double scale(std::size_t size, double power) const {
    return std::pow(static_cast<double>(n_) / static_cast<double>(size), power);
  }

  measurement run_part(const entry& e, bool with_predecessors, std::size_t size, bool checked) {
    if (e.algorithm == apsp::algorithm::floyd_warshall) {
      return run_vertices(e, with_predecessors, size, checked);
    }
    const vertex_list sources = spread_sources(n_, size);
    apsp::matrix<W> distances(size, n_, static_cast<W>(-1));
    vertex_matrix predecessors;
    if (with_predecessors) predecessors = vertex_matrix(size, n_, -2);
    vertex_matrix* const last_hops = with_predecessors ? &predecessors : nullptr;
    measurement done;
    done.seconds = time_call<W>(e, {graph_, &sources, distances, last_hops});
    if (!checked) return done;
    if (reference_.empty()) reference_.set(distances, sources, n_);
    done.checked = check(reference_, graph_, sources, distances, last_hops);
    return done;
  }

  measurement run_vertices(const entry& e, bool with_predecessors, std::size_t size, bool checked) {
    const apsp_perf::csr_arrays<W> part = first_vertices(graph_, size);
    apsp::matrix<W> distances(size, size, static_cast<W>(-1));
    vertex_matrix predecessors;
    if (with_predecessors) predecessors = vertex_matrix(size, size, -2);
    vertex_matrix* const last_hops = with_predecessors ? &predecessors : nullptr;
    measurement done;
    done.seconds = time_call<W>(e, {part, nullptr, distances, last_hops});
    if (!checked) return done;
    reference_rows<W> expected;
    const vertex_list sources = spread_sources(size, std::min<std::size_t>(size, 64));
    apsp::matrix<W> rows(sources.size(), size);
    const entry by_dijkstra{apsp::algorithm::dijkstra, apsp::backend::omp};
    time_call<W>(by_dijkstra, {part, &sources, rows, nullptr});
    expected.set(std::move(rows), sources, size);
    vertex_list all(size);
    std::iota(all.begin(), all.end(), 0);
    done.checked = check(expected, part, all, distances, last_hops);
    return done;
  }

  measurement estimate(const entry& e, bool with_predecessors, std::size_t size, double power) {
    measurement done = run_part(e, with_predecessors, size, true);
    done.seconds *= scale(size, power);
    done.estimated = true;
    done.sources = size;
    done.repeats = 1;
    return done;
  }

  measurement run_whole(const entry& e, bool with_predecessors, double limit, double expected) {
    vertex_list all(n_);
    std::iota(all.begin(), all.end(), 0);
    if (distances_.rows() != n_) distances_ = apsp::matrix<W>(n_);
    if (with_predecessors && predecessors_.rows() != n_) predecessors_ = vertex_matrix(n_);
    vertex_matrix* const last_hops = with_predecessors ? &predecessors_ : nullptr;
    const problem<W> p{graph_, nullptr, distances_, last_hops};
    measurement done;
    const double fitting = std::min(limit / std::max(expected, 1e-9) - 1, 1e6);
    done.repeats = std::clamp(static_cast<int>(fitting), 1, settings_.repeat);
    std::vector<double> times;
    for (int run = 0; run <= done.repeats; ++run) {
      // Nothing of an earlier result may be left to be taken for this one's.
      if (run == done.repeats) {
        std::fill(distances_.begin(), distances_.end(), static_cast<W>(-1));
        std::fill(predecessors_.begin(), predecessors_.end(), -2);
      }
      const double elapsed = time_call<W>(e, p);
      if (run > 0) times.push_back(elapsed);
    }
    done.seconds = median(times);
    done.sources = n_;
    if (reference_.empty()) reference_.set(distances_, all, n_);
    done.checked = check(reference_, graph_, all, distances_, last_hops);
    return done;
  }

  const apsp_perf::csr_arrays<W>& graph_;
  const settings& settings_;
  std::size_t n_;
  apsp::matrix<W> distances_;
  vertex_matrix predecessors_;
  reference_rows<W> reference_;
};

// "580.159.04" of the line that the driver's module shows; empty without one.
std::string driver_version() {
  std::ifstream in("/proc/driver/nvidia/version");
  std::string line;
  std::getline(in, line);
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word.find_first_not_of("0123456789.") == std::string::npos &&
        word.find('.') != std::string::npos) {
      return word;
    }
  }
  return "";
}

// Where lines go besides standard output.
class csv_file {
 public:
  csv_file(const settings& s, int argc, char** argv) {
    if (s.csv.empty()) return;
    file_.open(s.csv);
    if (!file_) throw std::runtime_error(s.csv + " cannot be written");
    const std::string driver = driver_version();
    file_ << "# GPU " << (s.gpu.empty() ? "unnamed" : s.gpu) << ", driver "
          << (driver.empty() ? "none" : driver) << "; commit "
          << (s.commit.empty() ? "unnamed" : s.commit) << "; "
          << std::thread::hardware_concurrency() << " host cores\n# topology_benchmark";
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      // Where the file was first written says nothing about what is in it.
      if (word == "--csv") {
        ++i;
        continue;
      }
      const bool quoted = word.find(' ') != std::string::npos;
      file_ << (quoted ? " '" : " ") << word << (quoted ? "'" : "");
    }
    file_ << '\n';
  }

  void line(const std::vector<std::string>& fields) {
    if (!file_.is_open()) return;
    for (std::size_t i = 0; i < fields.size(); ++i) file_ << (i == 0 ? "" : ",") << fields[i];
    file_ << std::endl;
  }

 private:
  std::ofstream file_;
};

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
    csv_.line({"topology", "n", "m", "type", "algorithm", "policy", "strategy", "predecessors",
               "sources", "repeats", "estimated", "seconds", "estimated_seconds", "speedup",
               "estimated_speedup", "checked"});
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
    csv_.line({head.topology, std::to_string(head.n), std::to_string(head.m), head.type,
               e.algorithm_name(), e.policy_name(), e.strategy_name,
               head.with_predecessors ? "1" : "0", std::to_string(m.sources),
               std::to_string(m.repeats), m.estimated ? from : "no",
               m.estimated ? "" : text(m.seconds), m.estimated ? text(m.seconds) : "",
               estimated_speedup ? "" : text(speedup), estimated_speedup ? text(speedup) : "",
               to_text(m.checked)});
    if (m.checked == verdict::wrong) all_right_ = false;
  }

  const settings& settings_;
  csv_file& csv_;
  std::vector<entry> entries_;
  bool all_right_ = true;
};

bool run_table(const settings& s, csv_file& csv, bool has_device) {
  table lines(s, csv, has_device);
  for (const auto& type : s.types) {
    for (const auto& size : s.sizes) {
      const auto n = to_number<std::size_t>(size);
      for (const auto& topology : s.topologies) {
        if (type == "f32")
          lines.run<float>(topology, type, n);
        else if (type == "f64")
          lines.run<double>(topology, type, n);
        else if (type == "i32")
          lines.run<std::int32_t>(topology, type, n);
        else if (type == "i64")
          lines.run<std::int64_t>(topology, type, n);
        else
          throw std::runtime_error("type " + type + " is unknown");
      }
    }
  }
  return lines.all_right();
}

// Tells rows apart in which two entries are exchanged.
std::uint64_t checksum(std::span<const std::int32_t> row) {
  std::uint64_t sum = 0;
  for (std::size_t v = 0; v < row.size(); ++v) {
    sum += static_cast<std::uint64_t>(row[v]) * (2 * std::uint64_t{v} + 1);
  }
  return sum;
}

bool run_rows(const settings& s, csv_file& csv, bool has_device) {
  using namespace apsp::literals;
  using row_function = std::function<void(std::size_t, std::span<const std::int32_t>)>;
  const std::size_t n = s.rows_side * s.rows_side;
  apsp_perf::require_vertex_count(n);
  const auto graph = apsp_perf::grid_graph<std::int32_t>(s.rows_side, s.rows_side,
                                                         static_cast<std::int32_t>(n), s.seed);
  const vertex_list sources = spread_sources(n, std::min(n, s.rows_sources));
  apsp::matrix<std::int32_t> distances(sources.size(), n);
  const problem<std::int32_t> p{graph, &sources, distances, nullptr};
  const auto unlimited = apsp::cuda_tiled.required();
  const auto limited = unlimited.memory_limit(4_GiB);
  const auto rows = [&](const row_function& f) {
    return has_device ? apsp::for_each_row(limited, graph.view(), sources, f)
                      : apsp::for_each_row(apsp::omp, graph.view(), sources, f);
  };
  std::vector<std::uint64_t> sums(n);
  std::size_t num_rows = 0;
  const row_function look = [&](std::size_t source, std::span<const std::int32_t> row) {
    num_rows += row[source] == 0 ? 1 : 0;
  };
  const row_function add_up = [&](std::size_t source, std::span<const std::int32_t> row) {
    num_rows += 1;
    sums[source] = checksum(row);
  };

  struct variant {
    std::string name;
    std::function<apsp::result()> call;
    bool gives_rows;
    std::vector<double> times{};
  };
  // Without a device the algorithm is the one that for_each_row runs there.
  std::vector<variant> variants;
  if (has_device) {
    const auto algorithm = apsp::algorithm::bellman_ford;
    variants.push_back(
        {"matrix", [&, algorithm] { return solve(unlimited, algorithm, p); }, false});
    variants.push_back(
        {"matrix_4GiB", [&, algorithm] { return solve(limited, algorithm, p); }, false});
  } else {
    const auto algorithm = apsp::algorithm::dijkstra;
    variants.push_back(
        {"matrix", [&, algorithm] { return solve(apsp::omp, algorithm, p); }, false});
  }
  const std::string suffix = has_device ? "_4GiB" : "";
  variants.push_back({"rows" + suffix, [&] { return rows(look); }, true});
  variants.push_back({"rows_added_up" + suffix, [&] { return rows(add_up); }, true});

  bool right = true;
  // One after the other in every round, so that all meet the same machine; the first round warms up.
  for (int round = 0; round <= s.repeat; ++round) {
    for (variant& v : variants) {
      num_rows = 0;
      const double elapsed = seconds_of([&] {
        if (!v.call()) throw std::runtime_error("a negative cycle in a graph that has none");
      });
      if (round > 0) v.times.push_back(elapsed);
      if (v.gives_rows && num_rows != sources.size()) right = false;
    }
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::uint64_t of_matrix = checksum({distances[i], n});
    if (sums[static_cast<std::size_t>(sources[i])] != of_matrix) right = false;
  }

  csv.line({"topology", "n", "m", "type", "policy", "output", "sources", "repeats", "seconds",
            "sources_per_second", "speed_over_matrix", "checked"});
  std::printf("grid of %zu x %zu, %zu vertices, %zu arcs, %zu sources, %s\n", s.rows_side,
              s.rows_side, n, graph.num_edges(), sources.size(), has_device ? "cuda_tiled" : "omp");
  std::printf("%-20s %10s %10s %9s %s\n", "output", "seconds", "sources/s", "x matrix", "checked");
  const double of_matrix = median(variants.front().times);
  for (const variant& v : variants) {
    const double time = median(v.times);
    const double rate = static_cast<double>(sources.size()) / time;
    const char* const checked = to_text(right ? verdict::right : verdict::wrong);
    std::printf("%-20s %10.4f %10.1f %9.3f %s\n", v.name.c_str(), time, rate, of_matrix / time,
                checked);
    csv.line({"grid", std::to_string(n), std::to_string(graph.num_edges()), "i32",
              has_device ? "cuda_tiled" : "omp", v.name, std::to_string(sources.size()),
              std::to_string(s.repeat), text(time), text(rate), text(of_matrix / time), checked});
  }
  return right;
}

void run_stop(const settings& s, csv_file& csv, bool has_device) {
  const std::string& topology = s.topologies.front();
  const auto graph = make_graph<std::int32_t>(topology, s.stop_size, s.seed);
  const std::size_t n = graph.num_vertices();
  apsp::matrix<std::int32_t> distances(n);
  const problem<std::int32_t> p{graph, nullptr, distances, nullptr};
  csv.line({"topology", "n", "m", "type", "algorithm", "policy", "requested_after_seconds",
            "outcome", "seconds_to_return"});
  std::printf("%s, %zu vertices, %zu arcs\n", topology.c_str(), n, graph.num_edges());
  std::printf("%-14s %-10s %13s %14s\n", "algorithm", "policy", "requested (s)", "return (ms)");
  const entry entries[] = {{apsp::algorithm::bellman_ford, apsp::backend::cuda_tiled},
                           {apsp::algorithm::dijkstra, apsp::backend::cuda_tiled},
                           {apsp::algorithm::floyd_warshall, apsp::backend::cuda_tiled},
                           {apsp::algorithm::bellman_ford, apsp::backend::omp},
                           {apsp::algorithm::dijkstra, apsp::backend::omp},
                           {apsp::algorithm::floyd_warshall, apsp::backend::omp}};
  // The first delay comes twice, since the first call warms up.
  std::vector<double> delays{0};
  for (const auto& delay : s.stop_after) delays.push_back(to_number<double>(delay));
  if (delays.size() > 1) delays.front() = delays[1];
  for (const entry& e : entries) {
    if (needs_device(e.policy) && !has_device) continue;
    for (std::size_t k = 0; k < delays.size(); ++k) {
      using clock = std::chrono::steady_clock;
      std::stop_source stop;
      clock::time_point requested;
      std::thread asker([&] {
        std::this_thread::sleep_for(seconds(delays[k]));
        requested = clock::now();
        stop.request_stop();
      });
      bool stopped = false;
      clock::time_point returned;
      std::exception_ptr failure;
      try {
        const apsp::result done =
            needs_device(e.policy)
                ? solve(apsp::cuda_tiled.required().stop(stop.get_token()), e.algorithm, p)
                : solve(apsp::omp.stop(stop.get_token()), e.algorithm, p);
        returned = clock::now();
        stopped = done.stopped();
      } catch (...) {
        failure = std::current_exception();
      }
      asker.join();
      if (failure) std::rethrow_exception(failure);
      if (k == 0) continue;
      const double to_return = seconds(returned - requested).count();
      // A call that was done by then has no time to its return.
      const std::string shown = stopped ? text(to_return * 1e3, "%.3f") : "ended before";
      std::printf("%-14s %-10s %13g %14s\n", e.algorithm_name().c_str(), e.policy_name().c_str(),
                  delays[k], shown.c_str());
      std::fflush(stdout);
      csv.line({topology, std::to_string(n), std::to_string(graph.num_edges()), "i32",
                e.algorithm_name(), e.policy_name(), text(delays[k]),
                stopped ? "stopped" : "ended_before", stopped ? text(to_return) : ""});
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 1 && std::string(argv[1]) == "--help") {
      std::cout << usage;
      return 0;
    }
    const settings s = parse(argc, argv);
    const std::string no_device = why_no_device();
    if (!no_device.empty()) {
      std::cout << "cuda_naive and cuda_tiled are left out: " << no_device << std::endl;
    }
    csv_file csv(s, argc, argv);
    bool right = true;
    if (s.rows)
      right = run_rows(s, csv, no_device.empty());
    else if (s.stop)
      run_stop(s, csv, no_device.empty());
    else
      right = run_table(s, csv, no_device.empty());
    if (!right) {
      std::cerr << "topology_benchmark: a result is wrong\n";
      return 1;
    }
  } catch (const std::exception& e) {
    std::cerr << "topology_benchmark: " << e.what() << "\n";
    return 2;
  }
}
