// SPDX-License-Identifier: BSL-1.0
// Tests graphs with published or independently computed answers: small cases from the tests of
// other libraries, and real graphs with known properties. Skipped if the data are missing.
#define BOOST_TEST_MODULE known_answers
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/csr.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/files.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "../common/data.hpp"
#include "../common/graphs.hpp"
#include "../common/methods.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;
using nlohmann::json;

namespace {

bool data_missing(const std::string& file) {
  if (std::filesystem::exists(data_directory() / file)) return false;
  BOOST_TEST_MESSAGE("skipped: no " << file << " in '" << data_directory().string() << "'");
  return true;
}

json read_json(const std::string& file) {
  std::ifstream in(data_directory() / file);
  return json::parse(in);
}

template <class T>
arc_list<T> case_graph(const json& c) {
  arc_list<T> g{c["n"].get<std::size_t>(), {}, {}, {}};
  for (const auto& e : c["edges"]) {
    const auto u = e[0].get<std::size_t>();
    const auto v = e[1].get<std::size_t>();
    const auto w = e[2].get<T>();
    if (c["directed"].get<bool>()) {
      g.add(u, v, w);
    } else {
      g.add_undirected(u, v, w);
    }
  }
  return g;
}

bool has_fractions(const json& c) {
  for (const auto& e : c["edges"]) {
    if (e[2].is_number_float() && e[2].get<double>() != std::floor(e[2].get<double>())) return true;
  }
  return false;
}

template <class T>
void check_expected(const json& expected, std::size_t n, const apsp::matrix<T>& d) {
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v) {
      const auto wide =
          expected[u][v].is_null() ? wide_unreachable<T> : expected[u][v].template get<wide_t<T>>();
      BOOST_CHECK_MESSAGE(same_distance<T>(d[u][v], wide),
                          "(" << u << ", " << v << ") is " << d[u][v] << ", not " << wide);
    }
  }
}

template <class With>
void check_case(const json& c) {
  using T = typename With::weight;
  const auto g = case_graph<T>(c);
  const bool negative =
      std::any_of(g.weights.begin(), g.weights.end(), [](T w) { return w < T{}; });
  for (const auto method : all_algorithms) {
    BOOST_TEST_CONTEXT(to_string(method)) {
      apsp::matrix<T> d(g.n);
      apsp::matrix<std::int32_t> p(g.n);
      if (negative && method == apsp::algorithm::dijkstra) {
        BOOST_CHECK_THROW(static_cast<void>(run(method, With::policy(), g.view(), d, p)),
                          std::invalid_argument);
        continue;
      }
      const auto done = run_all_pairs(method, With::policy(), g.view(), d, p);
      if (c["expect"].contains("negative_cycle")) {
        BOOST_CHECK(!done);
        check_negative_cycle(g, done.negative_cycle());
        continue;
      }
      BOOST_REQUIRE(done);
      check_expected(c["expect"]["distances"], g.n, d);
      check_trees<T>(lightest_arcs(g), all_vertices(g.n), d, p);
      check_predecessors(g, d, p);
    }
  }
}

// Reads the complete graph of distances between cities: lines with a name, then the distances to
// the preceding cities, the last one first.
arc_list<std::int32_t> read_miles(const std::filesystem::path& file) {
  arc_list<std::int32_t> g;
  const std::string command = "gzip -dc '" + file.string() + "'";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::size_t earlier = 0;
  char line[4096];
  while (pipe && std::fgets(line, sizeof line, pipe.get()) != nullptr) {
    if (line[0] == '*') continue;
    if (std::isalpha(static_cast<unsigned char>(line[0])) != 0) {
      earlier = g.n++;
      continue;
    }
    char* next = line;
    for (;;) {
      char* end = nullptr;
      const long miles = std::strtol(next, &end, 10);
      if (end == next) break;
      next = end;
      g.add_undirected(g.n - 1, --earlier, static_cast<std::int32_t>(miles));
    }
  }
  return g;
}

template <class T>
apsp::csr_graph<T> read_known(const std::string& name, const std::filesystem::path& file) {
  if (name == "wiki-Vote") {
    apsp::edge_list_options options;
    options.renumber = true;
    return apsp::read_edge_list<T>(file, options);
  }
  if (name.find("EWD") != std::string::npos) {
    apsp::edge_list_options options;
    options.header = true;
    return apsp::read_edge_list<T>(file, options);
  }
  return apsp::read_graph<T>(file);
}

// Compares exactly for integers, and with a tolerance for floating-point sums of many distances.
template <class T>
bool close(double got, double expected) {
  const double tolerance = std::is_integral_v<T> ? 0 : (sizeof(T) == 4 ? 1e-4 : 1e-9);
  return std::abs(got - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

// Compares the rows of distances, as they arrive, to known properties of the graph.
template <class T>
class facts_check {
 public:
  explicit facts_check(const json& facts) : facts_(facts) {
    // A graph with a negative cycle has no distances.
    if (!facts.contains("triples")) return;
    for (const auto& triple : facts["triples"]) {
      triples_[triple[0].get<std::size_t>()].push_back(triple);
    }
  }

  void add(std::size_t source, std::span<const T> row) {
    for (const T x : row) {
      if (x == apsp::unreachable<T>) continue;
      ++reachable_;
      sum_ += static_cast<double>(x);
      largest_ = std::max(largest_, static_cast<double>(x));
    }
    const auto known = triples_.find(source);
    if (known == triples_.end()) return;
    for (const json& triple : known->second) {
      const T x = row[triple[1].get<std::size_t>()];
      if (triple[2].is_null()) {
        BOOST_CHECK(x == apsp::unreachable<T>);
      } else {
        BOOST_CHECK_MESSAGE(close<T>(static_cast<double>(x), triple[2].get<double>()),
                            triple << " is " << x);
      }
    }
  }

  /// Must be called after the last row.
  void finish() const {
    BOOST_CHECK_EQUAL(reachable_, facts_["reachable_pairs"].get<std::size_t>());
    BOOST_CHECK_MESSAGE(close<T>(sum_, facts_["sum_finite_distances"].get<double>()), sum_);
    BOOST_CHECK_MESSAGE(close<T>(largest_, facts_["max_finite_distance"].get<double>()), largest_);
  }

 private:
  const json& facts_;
  std::map<std::size_t, std::vector<json>> triples_;
  std::size_t reachable_ = 0;
  double sum_ = 0;
  double largest_ = 0;
};

template <class T, class Policy, class Graph>
void check_facts(const Policy& policy, const Graph& g, std::size_t n, const json& facts) {
  BOOST_REQUIRE_EQUAL(n, facts["n"].get<std::size_t>());
  apsp::matrix<T> d(n);
  const auto done = apsp::floyd_warshall(policy, g, d);
  if (facts["negative_cycle"].get<bool>()) {
    BOOST_CHECK(!done);
    BOOST_CHECK(done.negative_cycle().size() >= 2);
    return;
  }
  BOOST_REQUIRE(done);
  facts_check<T> check(facts);
  for (std::size_t u = 0; u < n; ++u) check.add(u, {d[u], n});
  check.finish();
}

// Solves by rows, and by each algorithm from the sources of the sampled distances.
template <class T, class Policy, class Graph>
void check_facts_per_source(const Policy& policy, const Graph& g, std::size_t n,
                            const json& facts) {
  const bool cycle = facts["negative_cycle"].get<bool>();
  std::size_t calls = 0;
  facts_check<T> check(facts);
  const std::function<void(std::size_t, std::span<const T>)> take = [&](std::size_t source,
                                                                        std::span<const T> row) {
    ++calls;
    check.add(source, row);
  };
  // Solves from every source if that takes only seconds.
  if (static_cast<double>(n) * facts["arcs"].get<double>() < 1e8) {
    const auto done = apsp::for_each_row(policy, g, all_vertices(n), take);
    BOOST_CHECK_EQUAL(static_cast<bool>(done), !cycle);
    BOOST_CHECK_EQUAL(calls, cycle ? 0 : n);
    if (cycle) {
      BOOST_CHECK(done.negative_cycle().size() >= 2);
    } else {
      check.finish();
    }
  }
  if (cycle) {
    apsp::matrix<T> d(n);
    for (const auto method : algorithms_for_negative_weights) {
      BOOST_CHECK(run(method, policy, g, d).negative_cycle().size() >= 2);
    }
    return;
  }

  std::set<std::size_t> sources;
  for (const auto& triple : facts["triples"]) sources.insert(triple[0].get<std::size_t>());
  apsp::matrix<T> d(sources.size(), n);
  for (const auto method : per_source_algorithms) {
    if (facts["negative_weights"].get<int>() != 0 && method == apsp::algorithm::dijkstra) continue;
    BOOST_TEST_CONTEXT(to_string(method)) {
      BOOST_REQUIRE(run(method, policy, g, sources, d));
      std::size_t row = 0;
      facts_check<T> sampled(facts);
      for (const std::size_t s : sources) sampled.add(s, {d[row++], n});
    }
  }
}

template <class Policy>
constexpr bool takes_large_graphs() {
  constexpr bool on_host = std::is_same_v<Policy, seq> || std::is_same_v<Policy, omp_3_threads>;
  if constexpr (std::is_same_v<Policy, omp> || on_host) {
    return !on_host;
  } else {
    return Policy::policy().is_required();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(small_cases, With, policies_and_fewer_weights) {
  if (data_missing("cases.json")) return;
  const auto cases = read_json("cases.json");
  BOOST_CHECK_EQUAL(cases.size(), 90u);
  for (const auto& c : cases) {
    if (std::is_integral_v<typename With::weight> && has_fractions(c)) continue;
    BOOST_TEST_CONTEXT(c["id"]) {
      check_case<With>(c);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(real_graphs, Policy, policies) {
  if (data_missing("facts.json")) return;
  const auto facts = read_json("facts.json");
  // With a sanitizer the large graphs take minutes.
  const std::size_t largest = std::getenv("APSP_TEST_SMALL") != nullptr ? 1500 : 100'000;
  for (const auto& item : facts.items()) {
    const std::string name = item.key();
    const json& known = item.value();
    BOOST_TEST_CONTEXT(name) {
      const auto file = data_directory() / known["file"].get<std::string>();
      const auto n = known["n"].get<std::size_t>();
      // One core needs half a minute for the largest graph, so one host policy is enough.
      if (n > largest || (n > 4000 && !takes_large_graphs<Policy>())) continue;
      if (name == "knuth-miles") {
        const auto g = read_miles(file);
        check_facts<std::int32_t>(Policy::policy(), g.view(), g.n, known);
        check_facts_per_source<std::int32_t>(Policy::policy(), g.view(), g.n, known);
      } else if (known["weights"] == "float") {
        const auto g = read_known<double>(name, file);
        check_facts<double>(Policy::policy(), g, g.num_vertices(), known);
        check_facts<float>(Policy::policy(), g, g.num_vertices(), known);
        check_facts_per_source<double>(Policy::policy(), g, g.num_vertices(), known);
      } else {
        const auto g = read_known<std::int32_t>(name, file);
        BOOST_CHECK_EQUAL(g.num_edges(), known["arcs"].get<std::size_t>());
        check_facts<std::int32_t>(Policy::policy(), g, g.num_vertices(), known);
        check_facts_per_source<std::int32_t>(Policy::policy(), g, g.num_vertices(), known);
        if (n < 2000) check_facts<std::int64_t>(Policy::policy(), g, g.num_vertices(), known);
      }
    }
  }
}
