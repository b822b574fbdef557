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
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "argument_values.hpp"
#include "generators.hpp"

using command_line::split;
using command_line::to_number;

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
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--negative") {
      s.negative = true;
      continue;
    }
    if (i + 1 == argc) throw std::runtime_error(option + " is unknown or lacks a value");
    const std::string value = argv[++i];
    if (option == "--operations")
      s.operations = split(value);
    else if (option == "--sizes")
      s.sizes = split(value);
    else if (option == "--semirings")
      s.semirings = split(value);
    else if (option == "--types")
      s.types = split(value);
    else if (option == "--policies")
      s.policies = split(value);
    else if (option == "--repeat")
      s.repeat = std::max(1, to_number<int>(value));
    else if (option == "--gpu")
      s.gpu = value;
    else if (option == "--csv")
      s.csv = value;
    else
      throw std::runtime_error(option + " is unknown");
  }
  return s;
}

template <class F>
auto with_policy(const std::string& name, F f) {
  if (name == "cuda_tiled") return f(apsp::cuda_tiled.required());
  if (name == "cuda_naive") return f(apsp::cuda_naive.required());
  if (name == "omp") return f(apsp::omp);
  if (name == "seq") return f(apsp::seq);
  throw std::runtime_error("policy " + name + " is unknown");
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
  explicit benchmark(const settings& s) : settings_(s) {
    if (!s.csv.empty()) {
      csv_.open(s.csv);
      if (!csv_) throw std::runtime_error(s.csv + " cannot be written");
      csv_ << "gpu,operation,n,semiring,type,policy,seconds,fastest_seconds\n";
    }
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
        std::vector<double> seconds;
        for (int call = 0; call <= settings_.repeat; ++call) {
          std::fill(c.begin(), c.end(), static_cast<T>(S::zero));
          const double elapsed = with_policy(policy, [&](const auto& p) {
            const auto start = std::chrono::steady_clock::now();
            const apsp::result done =
                operation == "product"             ? apsp::semiring_product(p, a, b, c, S{})
                : operation == "repeated_squaring" ? apsp::repeated_squaring(p, weights, c, S{})
                                                   : apsp::floyd_warshall(p, weights, c, S{});
            const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
            if (!done) throw std::runtime_error("a negative cycle in a graph that has none");
            if (apsp::to_string(done.executed_on()) != policy) {
              throw std::runtime_error("it fell back");
            }
            return time.count();
          });
          if (call > 0) seconds.push_back(elapsed);
        }
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
  void print(const std::string& operation, std::size_t n, const std::string& semiring,
             const std::string& type, const std::string& policy, std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[seconds.size() / 2];
    std::printf("%-18s %6zu %-9s %4s %-10s %10.5f %10.5f\n", operation.c_str(), n, semiring.c_str(),
                type.c_str(), policy.c_str(), median, seconds.front());
    std::fflush(stdout);
    if (csv_.is_open()) {
      csv_ << '"' << settings_.gpu << "\"," << operation << ',' << n << ',' << semiring << ','
           << type << ',' << policy << ',' << median << ',' << seconds.front() << std::endl;
    }
  }

  settings settings_;
  std::ofstream csv_;
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

void run_type(benchmark& bench, const std::string& semiring, const std::string& type,
              std::size_t n) {
  if (type == "f32") return run_semiring<float>(bench, semiring, type, n);
  if (type == "f64") return run_semiring<double>(bench, semiring, type, n);
  if (type == "i32") return run_semiring<std::int32_t>(bench, semiring, type, n);
  if (type == "i64") return run_semiring<std::int64_t>(bench, semiring, type, n);
  throw std::runtime_error("type " + type + " is unknown");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 1 && std::string(argv[1]) == "--help") {
      std::cout << usage;
      return 0;
    }
    const settings s = parse(argc, argv);
    benchmark bench(s);
    for (const auto& semiring : s.semirings) {
      for (const auto& type : s.types) {
        for (const auto& size : s.sizes) {
          run_type(bench, semiring, type, to_number<std::size_t>(size));
        }
      }
    }
  } catch (const std::exception& e) {
    std::cerr << "device_algebra_benchmark: " << e.what() << "\n";
    return 2;
  }
}
