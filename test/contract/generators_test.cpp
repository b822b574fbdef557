// SPDX-License-Identifier: BSL-1.0
// Tests that the generators return the same graphs on all machines, with the properties of their
// kind.
#define BOOST_TEST_MODULE generators
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"

using namespace apsp_test;

namespace {

using graph = csr_arrays<std::int32_t>;

// FNV-1a hash of all arrays.
std::uint64_t checksum(const graph& g) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) {
      hash = (hash ^ ((number >> (8 * byte)) & 0xff)) * 0x100000001b3;
    }
  };
  for (const auto x : g.offsets) add(static_cast<std::uint64_t>(x));
  for (const auto x : g.targets) add(static_cast<std::uint64_t>(x));
  for (const auto x : g.weights) add(static_cast<std::uint64_t>(x));
  return hash;
}

template <class F>
void for_each_arc(const graph& g, F f) {
  for (std::size_t u = 0; u < g.num_vertices(); ++u) {
    for (auto k = static_cast<std::size_t>(g.offsets[u]);
         k < static_cast<std::size_t>(g.offsets[u + 1]); ++k) {
      f(u, static_cast<std::size_t>(g.targets[k]), g.weights[k]);
    }
  }
}

std::size_t out_degree(const graph& g, std::size_t u) {
  return static_cast<std::size_t>(g.offsets[u + 1] - g.offsets[u]);
}

void check_well_formed(const graph& g, std::size_t n, std::int32_t largest_weight) {
  BOOST_REQUIRE_EQUAL(g.num_vertices(), n);
  BOOST_REQUIRE_EQUAL(g.offsets.front(), 0);
  BOOST_REQUIRE_EQUAL(g.offsets.back(), static_cast<std::int64_t>(g.targets.size()));
  BOOST_REQUIRE(std::is_sorted(g.offsets.begin(), g.offsets.end()));
  BOOST_REQUIRE_EQUAL(g.targets.size(), g.weights.size());
  for (const auto v : g.targets) {
    BOOST_REQUIRE(v >= 0);
    BOOST_REQUIRE(static_cast<std::size_t>(v) < n);
  }
  for (const auto w : g.weights) BOOST_REQUIRE(w >= 1 && w <= largest_weight);
}

// Checks that there are no self-loops and no parallel arcs.
void check_simple(const graph& g) {
  for_each_arc(g, [](std::size_t u, std::size_t v, std::int32_t) { BOOST_REQUIRE(u != v); });
  for (std::size_t u = 0; u < g.num_vertices(); ++u) {
    const auto row = g.targets.begin() + g.offsets[u];
    std::vector<std::int32_t> sorted(row, row + static_cast<std::ptrdiff_t>(out_degree(g, u)));
    std::sort(sorted.begin(), sorted.end());
    BOOST_REQUIRE(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  }
}

// Checks that every arc has a reverse arc of the same weight.
void check_symmetric(const graph& g) {
  std::map<std::pair<std::size_t, std::size_t>, std::int32_t> weights;
  for_each_arc(g, [&](std::size_t u, std::size_t v, std::int32_t w) { weights[{u, v}] = w; });
  for (const auto& [arc, w] : weights) {
    const auto back = weights.find({arc.second, arc.first});
    BOOST_REQUIRE(back != weights.end());
    BOOST_REQUIRE_EQUAL(back->second, w);
  }
}

double mean(const std::vector<std::int32_t>& numbers) {
  double sum = 0;
  for (const auto x : numbers) sum += x;
  return sum / static_cast<double>(numbers.size());
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_to_the_bit) {
  const auto check = [](const char* name, const graph& g, std::uint64_t expected) {
    BOOST_CHECK_MESSAGE(checksum(g) == expected,
                        name << ", seed = 42: 0x" << std::hex << checksum(g));
  };
  check("gnp 0.01", gnp_graph<std::int32_t>(300, 0.01, 1000, 42), 0x74b799f17c747f86);
  check("gnp 0.5", gnp_graph<std::int32_t>(100, 0.5, 1000, 42), 0x71e4edf95e9a3042);
  check("fixed degree", fixed_degree_graph<std::int32_t>(300, 8, 1000, 42), 0xe4acfbea031bfba0);
  check("rmat", rmat_graph<std::int32_t>(300, 8, 1000, 42), 0x8f0dac49c65e504b);
  check("directed ring", ring_graph<std::int32_t>(300, ring_kind::directed, 1000, 42),
        0x9a0622150f777f94);
  check("ring both ways", ring_graph<std::int32_t>(300, ring_kind::both_ways, 1000, 42),
        0x224f395f6cbde7bb);
  check("complete", complete_graph<std::int32_t>(50, 1000, 42), 0x907826bf8661beb3);
  check("grid", grid_graph<std::int32_t>(15, 20, 1000, 42), 0x27407dd9f0330529);
}

BOOST_AUTO_TEST_CASE(seeds_differ) {
  BOOST_CHECK(checksum(gnp_graph<std::int32_t>(100, 0.1, 9, 1)) !=
              checksum(gnp_graph<std::int32_t>(100, 0.1, 9, 2)));
  BOOST_CHECK(checksum(rmat_graph<std::int32_t>(100, 4, 9, 1)) !=
              checksum(rmat_graph<std::int32_t>(100, 4, 9, 2)));
  BOOST_CHECK(checksum(grid_graph<std::int32_t>(9, 9, 99, 1)) !=
              checksum(grid_graph<std::int32_t>(9, 9, 99, 2)));
}

BOOST_AUTO_TEST_CASE(weights_of_any_type_are_the_same_numbers) {
  const auto integers = fixed_degree_graph<std::int32_t>(50, 4, 1000, 3);
  const auto floats = fixed_degree_graph<float>(50, 4, 1000, 3);
  BOOST_CHECK(integers.targets == floats.targets);
  BOOST_CHECK(std::equal(integers.weights.begin(), integers.weights.end(), floats.weights.begin(),
                         floats.weights.end(),
                         [](std::int32_t a, float b) { return static_cast<float>(a) == b; }));
}

BOOST_AUTO_TEST_CASE(numbers_are_uniform) {
  random_numbers random(1);
  std::vector<int> seen(7);
  for (int i = 0; i < 70000; ++i) ++seen[random.index(7)];
  for (const int count : seen) BOOST_CHECK_MESSAGE(std::abs(count - 10000) < 500, count);
  // Two thirds of the range: a plain remainder would be in the lower half twice as often.
  const std::uint64_t n = (std::uint64_t{1} << 63) + (std::uint64_t{1} << 61);
  int low = 0;
  for (int i = 0; i < 10000; ++i) low += random.below(n) < n / 2 ? 1 : 0;
  BOOST_CHECK_MESSAGE(std::abs(low - 5000) < 250, low);
  for (int i = 0; i < 100; ++i) {
    const auto x = random(-3, 3);
    BOOST_CHECK(x >= -3 && x <= 3);
    BOOST_CHECK_EQUAL(random.weight(1), 1);
    BOOST_CHECK(random.chance(1.0));
    BOOST_CHECK(!random.chance(0.0));
  }
}

BOOST_AUTO_TEST_CASE(skips_are_geometric) {
  for (const double p : {0.9, 0.5, 0.1, 0.003}) {
    BOOST_TEST_CONTEXT("p = " << p << ", seed = 5") {
      random_numbers random(5);
      const geometric_skips skips(p);
      constexpr int count = 20000;
      double sum = 0;
      int zeros = 0;
      int ones = 0;
      for (int i = 0; i < count; ++i) {
        const auto skip = skips(random);
        sum += static_cast<double>(skip);
        zeros += skip == 0 ? 1 : 0;
        ones += skip == 1 ? 1 : 0;
      }
      // Five standard deviations.
      const double deviation = std::sqrt((1 - p) / count) / p;
      BOOST_CHECK_SMALL(sum / count - (1 - p) / p, 5 * deviation);
      BOOST_CHECK_SMALL(zeros - count * p, 5 * std::sqrt(count * p * (1 - p)));
      BOOST_CHECK_SMALL(ones - count * p * (1 - p), 5 * std::sqrt(count * p));
    }
  }
}

BOOST_AUTO_TEST_CASE(gnp) {
  for (const std::size_t n : {0u, 1u, 2u, 3u, 100u, 700u}) {
    for (const double p : {0.0, 0.001, 0.1, 0.5, 1.0}) {
      BOOST_TEST_CONTEXT("n = " << n << ", p = " << p << ", seed = 7") {
        const auto g = gnp_graph<std::int32_t>(n, p, 1000, 7);
        check_well_formed(g, n, 1000);
        check_simple(g);
        const double pairs = static_cast<double>(n) * (n == 0 ? 0.0 : static_cast<double>(n - 1));
        BOOST_CHECK_SMALL(static_cast<double>(g.num_edges()) - p * pairs,
                          5 * std::sqrt(pairs * p * (1 - p)) + 0.5);
        if (n == 700 && p >= 0.1) {
          BOOST_CHECK_SMALL(mean(g.weights) - 500.5, 10.0);
          BOOST_CHECK_EQUAL(*std::min_element(g.weights.begin(), g.weights.end()), 1);
          BOOST_CHECK_EQUAL(*std::max_element(g.weights.begin(), g.weights.end()), 1000);
        }
      }
    }
  }
  // The pairs are too many to be visited one by one.
  const auto sparse = gnp_graph<std::int32_t>(1'000'000, 1e-8, 9, 1);
  check_well_formed(sparse, 1'000'000, 9);
  BOOST_CHECK_MESSAGE(sparse.num_edges() > 9500 && sparse.num_edges() < 10500, sparse.num_edges());
}

BOOST_AUTO_TEST_CASE(fixed_degree) {
  for (const std::size_t n : {0u, 1u, 97u}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = 8") {
      const auto g = fixed_degree_graph<std::int32_t>(n, 5, 10, 8);
      check_well_formed(g, n, 10);
      for (std::size_t u = 0; u < n; ++u) BOOST_REQUIRE_EQUAL(out_degree(g, u), 5u);
    }
  }
}

BOOST_AUTO_TEST_CASE(rmat) {
  for (const std::size_t n : {0u, 1u, 2u, 3u, 1000u, 1024u, 1025u}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = 9") {
      const auto g = rmat_graph<std::int32_t>(n, 8, 100, 9);
      check_well_formed(g, n, 100);
      BOOST_CHECK_EQUAL(g.num_edges(), 8 * n);
      if (n < 1000) continue;
      // There are few vertices of high degree, and most degrees are below the mean.
      std::vector<std::size_t> degrees;
      for (std::size_t u = 0; u < n; ++u) degrees.push_back(out_degree(g, u));
      std::sort(degrees.begin(), degrees.end());
      BOOST_CHECK_GE(degrees.back(), 80u);
      BOOST_CHECK_LE(degrees[n / 2], 5u);
      BOOST_CHECK_EQUAL(degrees.front(), 0u);
    }
  }
  // For a power of two no arc is rejected, so the quadrants have the specified probabilities.
  const auto g = rmat_graph<std::int32_t>(1 << 12, 10, 1, 10);
  std::size_t quarters[2][2] = {};
  for_each_arc(g,
               [&](std::size_t u, std::size_t v, std::int32_t) { ++quarters[u >> 11][v >> 11]; });
  const auto share = [&](int i, int j) {
    return static_cast<double>(quarters[i][j]) / static_cast<double>(g.num_edges());
  };
  BOOST_CHECK_SMALL(share(0, 0) - 0.57, 0.015);
  BOOST_CHECK_SMALL(share(0, 1) - 0.19, 0.015);
  BOOST_CHECK_SMALL(share(1, 0) - 0.19, 0.015);
  BOOST_CHECK_SMALL(share(1, 1) - 0.05, 0.015);
}

BOOST_AUTO_TEST_CASE(ring) {
  for (const std::size_t n : {0u, 1u, 2u, 3u, 100u}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = 11") {
      const auto one_way = ring_graph<std::int32_t>(n, ring_kind::directed, 50, 11);
      check_well_formed(one_way, n, 50);
      for_each_arc(one_way, [&](std::size_t u, std::size_t v, std::int32_t) {
        BOOST_REQUIRE_EQUAL(v, (u + 1) % n);
      });
      BOOST_CHECK_EQUAL(one_way.num_edges(), n);
      const auto both = ring_graph<std::int32_t>(n, ring_kind::both_ways, 50, 11);
      check_well_formed(both, n, 50);
      BOOST_CHECK_EQUAL(both.num_edges(), 2 * n);
      if (n >= 3) {
        check_simple(both);
        check_symmetric(both);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(complete) {
  for (const std::size_t n : {0u, 1u, 2u, 40u}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = 12") {
      const auto g = complete_graph<std::int32_t>(n, 50, 12);
      check_well_formed(g, n, 50);
      check_simple(g);
      BOOST_CHECK_EQUAL(g.num_edges(), n == 0 ? 0 : n * (n - 1));
    }
  }
}

BOOST_AUTO_TEST_CASE(roads) {
  for (const std::size_t n : {1, 2, 3, 4, 11, 12, 13, 300, 1000}) {
    const auto g = road_graph<std::int32_t>(n, 50, 14);
    check_well_formed(g, n, 50);
    BOOST_CHECK(g.num_edges() % 2 == 0);
    BOOST_CHECK(g.num_edges() >= 2 * (n - 1));
    BOOST_CHECK(g.num_edges() <= 5 * n / 2);
    std::multimap<std::pair<std::size_t, std::size_t>, std::int32_t> back;
    for_each_arc(g, [&](std::size_t u, std::size_t v, std::int32_t w) {
      BOOST_REQUIRE(u != v);
      back.emplace(std::pair(v, u), w);
    });
    for_each_arc(g, [&](std::size_t u, std::size_t v, std::int32_t w) {
      const auto found = back.find(std::pair(u, v));
      BOOST_REQUIRE(found != back.end() && found->second == w);
    });
    // Connected.
    std::vector<std::size_t> reached{0};
    std::vector<char> is_seen(n, 0);
    is_seen[0] = 1;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (auto a = g.offsets[reached[i]]; a < g.offsets[reached[i] + 1]; ++a) {
        const auto v = static_cast<std::size_t>(g.targets[static_cast<std::size_t>(a)]);
        if (is_seen[v] == 0) reached.push_back(v);
        is_seen[v] = 1;
      }
    }
    BOOST_CHECK_EQUAL(reached.size(), n);
  }
}

BOOST_AUTO_TEST_CASE(grid) {
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{0, 0}, {1, 1}, {1, 9}, {9, 1}, {13, 17}}) {
    BOOST_TEST_CONTEXT(rows << " x " << columns << ", seed = 13") {
      const auto g = grid_graph<std::int32_t>(rows, columns, 10000, 13);
      check_well_formed(g, rows * columns, 10000);
      check_simple(g);
      check_symmetric(g);
      const std::size_t neighbours = rows == 0 ? 0 : rows * (columns - 1) + columns * (rows - 1);
      BOOST_CHECK_EQUAL(g.num_edges(), 2 * neighbours);
      const std::size_t width = columns;
      for_each_arc(g, [&](std::size_t u, std::size_t v, std::int32_t w) {
        const std::size_t low = std::min(u, v);
        const std::size_t high = std::max(u, v);
        BOOST_REQUIRE(high - low == width || (high - low == 1 && high % width != 0));
        // Neighbours are at least half the spacing apart, and the longest road has length 10000.
        BOOST_REQUIRE_GE(w, 10000 * 500 / 1582 / 2);
      });
      if (rows == 13) BOOST_CHECK_GE(*std::max_element(g.weights.begin(), g.weights.end()), 6000);
    }
  }
  check_well_formed(grid_graph<std::int32_t>(5, 5, 1, 1), 25, 1);
  check_well_formed(grid_graph<std::int32_t>(5, 5, 2147483647, 1), 25, 2147483647);
}

BOOST_AUTO_TEST_CASE(arcs_of_rows) {
  const auto g = fixed_degree_graph<std::int32_t>(20, 3, 9, 14);
  const auto arcs = to_arcs<double>(g);
  BOOST_REQUIRE_EQUAL(arcs.size(), g.num_edges());
  std::size_t k = 0;
  for_each_arc(g, [&](std::size_t u, std::size_t v, std::int32_t w) {
    BOOST_CHECK_EQUAL(arcs.sources[k], static_cast<std::int32_t>(u));
    BOOST_CHECK_EQUAL(arcs.targets[k], static_cast<std::int32_t>(v));
    BOOST_CHECK_EQUAL(arcs.weights[k], w);
    ++k;
  });
}

BOOST_AUTO_TEST_CASE(too_many_vertices) {
  BOOST_CHECK_THROW(gnp_graph<float>(std::size_t{1} << 31, 0.0, 1, 1), std::length_error);
  BOOST_CHECK_THROW(grid_graph<float>(1 << 16, 1 << 16, 1, 1), std::length_error);
}
