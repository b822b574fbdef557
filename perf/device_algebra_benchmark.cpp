// SPDX-License-Identifier: BSL-1.0
// Whole calls of the dense algorithms over semirings on one device, timed and checked: products,
// repeated squaring and Floyd–Warshall. Entries of every result are computed once more here, so that a
// wrong result cannot pass as a fast one. Needs the standard library and apsp alone.
#include <algorithm>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/product.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "command_line.hpp"
#include "csv_file.hpp"
#include "device_program.hpp"
#include "generators.hpp"
#include "timing.hpp"

namespace {

constexpr const char* usage = R"(usage: device_algebra_benchmark [options]
  --operations a,b     some of product, repeated_squaring, floyd_warshall (the first two)
  --sizes 1024,4096    rows and columns of all matrices
  --semirings a,b      some of min_plus, max_min, min_max, max_times (min_plus)
  --types f32,i32      weight types: f32, f64, i32, i64 (f32)
  --policies a,b       some of cuda_tiled, cuda_naive, seq, omp (cuda_tiled,cuda_naive)
  --negative           some weights of min_plus are negative
  --repeat k           calls after the one that warms up; the median counts (3)
  --gpu NAME --csv FILE
)";

struct settings {
  std::vector<std::string> operations{"product", "repeated_squaring"};
  std::vector<std::string> sizes{"1024", "4096"};
  std::vector<std::string> semirings{"min_plus"};
  std::vector<std::string> types{"f32"};
  std::vector<std::string> policies{"cuda_tiled", "cuda_naive"};
  bool negative = false;
  int repeat = 3;
  std::string gpu;
  std::string csv;
};

settings parse(int argc, char** argv) {
  settings s;
  command_line::read(argc, argv,
                     {{"--operations", s.operations},
                      {"--sizes", s.sizes},
                      {"--semirings", s.semirings},
                      {"--types", s.types},
                      {"--policies", s.policies},
                      {"--negative", s.negative},
                      {"--repeat", s.repeat, 1},
                      {"--gpu", s.gpu},
                      {"--csv", s.csv}});
  return s;
}

/// A dense matrix of weights that S admits, whole numbers or 0 and 1, so that nothing is rounded.
template <class S, class T = typename S::value_type>
apsp::matrix<T> random_matrix(std::size_t n, bool negative, std::uint64_t seed) {
  apsp_perf::random_numbers random(seed);
  apsp::matrix<T> m(n);
  for (T& x : m) {
    if constexpr (std::is_same_v<S, apsp::max_times<T>>) {
      x = static_cast<T>(random(0, 1));
    } else {
      x = static_cast<T>(random(negative ? -999 : 1, 999));
    }
  }
  return m;
}

template <class S, class T = typename S::value_type>
void check_product(const apsp::matrix<T>& a, const apsp::matrix<T>& b, const apsp::matrix<T>& c) {
  const std::size_t n = a.rows();
  apsp_perf::random_numbers random(n);
  for (int sample = 0; sample < 100; ++sample) {
    const std::size_t i = random.index(n);
    const std::size_t j = random.index(n);
    T expected = S::zero;
    for (std::size_t k = 0; k < n; ++k) {
      expected = S::plus(expected, S::times(a[i][k], b[k][j]));
    }
    if (c[i][j] != expected) throw std::runtime_error("a wrong entry of a product");
  }
}

/// An entry of a closure is the best of its weight and of all detours by one vertex.
template <class S, class T = typename S::value_type>
void check_closure(const apsp::matrix<T>& weights, const apsp::matrix<T>& d) {
  const std::size_t n = d.rows();
  apsp_perf::random_numbers random(n);
  for (int sample = 0; sample < 100; ++sample) {
    const std::size_t u = random.index(n);
    const std::size_t v = random.index(n);
    T expected = u == v ? T(S::one) : T(S::zero);
    for (std::size_t k = 0; k < n; ++k) {
      if (k != v) expected = S::plus(expected, S::times(d[u][k], weights[k][v]));
    }
    if (d[u][v] != expected) throw std::runtime_error("a wrong entry of a closure");
  }
}

class benchmark {
 public:
  explicit benchmark(const settings& s) : settings_(s), csv_(s.csv) {
    csv_.line("gpu,operation,n,semiring,type,policy,seconds,fastest_seconds");
    std::printf("%-18s %6s %-9s %4s %-10s %10s %10s\n", "operation", "n", "semiring", "type",
                "policy", "seconds", "fastest");
  }

  template <class S>
  void run(const std::string& semiring, const std::string& type, std::size_t n) {
    using T = typename S::value_type;
    const auto a = random_matrix<S>(n, settings_.negative, 1);
    const auto b = random_matrix<S>(n, settings_.negative, 2);
    apsp::matrix<T> c(n);
    for (const auto& operation : settings_.operations) {
      // A closure needs a graph without negative cycles.
      const auto weights =
          settings_.negative && operation != "product" ? random_matrix<S>(n, false, 1) : a;
      for (const auto& policy : settings_.policies) {
        const timing::call_seconds seconds = timing::of_calls(settings_.repeat, [&] {
          std::fill(c.begin(), c.end(), static_cast<T>(S::zero));
          return time_call<S>(operation, policy, operation == "product" ? a : weights, b, c);
        });
        if (operation == "product") {
          check_product<S>(a, b, c);
        } else {
          check_closure<S>(weights, c);
        }
        print(operation, n, semiring, type, policy, seconds);
      }
    }
  }

 private:
  template <class S, class M>
  static double time_call(const std::string& operation, const std::string& name, const M& a,
                          const M& b, M& c) {
    return device_program::with_policy(name, -1, [&](const auto& policy) {
      const auto [done, seconds] = timing::timed([&] {
        if (operation == "product") return apsp::semiring_product(policy, a, b, c, S{});
        if (operation == "repeated_squaring") return apsp::repeated_squaring(policy, a, c, S{});
        return apsp::floyd_warshall(policy, a, c, S{});
      });
      device_program::require_solved(done, name);
      return seconds;
    });
  }

  void print(const std::string& operation, std::size_t n, const std::string& semiring,
             const std::string& type, const std::string& policy,
             const timing::call_seconds& seconds) {
    std::printf("%-18s %6zu %-9s %4s %-10s %10.5f %10.5f\n", operation.c_str(), n, semiring.c_str(),
                type.c_str(), policy.c_str(), seconds.median, seconds.fastest);
    std::fflush(stdout);
    csv_.line(csv_file::quoted(settings_.gpu), operation, n, semiring, type, policy, seconds.median,
              seconds.fastest);
  }

  settings settings_;
  csv_file csv_;
};

template <class T>
void run_semiring(benchmark& bench, const std::string& semiring, const std::string& type,
                  std::size_t n) {
  if (semiring == "min_plus") return bench.run<apsp::min_plus<T>>(semiring, type, n);
  if (semiring == "max_min") return bench.run<apsp::max_min<T>>(semiring, type, n);
  if (semiring == "min_max") return bench.run<apsp::min_max<T>>(semiring, type, n);
  if (semiring == "max_times") return bench.run<apsp::max_times<T>>(semiring, type, n);
  throw std::runtime_error("semiring " + semiring + " is unknown");
}

}  // namespace

int main(int argc, char** argv) {
  return command_line::run_program("device_algebra_benchmark", usage, argc, argv, [&] {
    const settings s = parse(argc, argv);
    benchmark bench(s);
    for (const auto& semiring : s.semirings) {
      device_program::for_each_type_and_size(
          s.types, s.sizes,
          [&]<class T>(std::type_identity<T>, const std::string& type, std::size_t n) {
            run_semiring<T>(bench, semiring, type, n);
          });
    }
    return 0;
  });
}
