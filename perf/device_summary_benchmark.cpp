// SPDX-License-Identifier: BSL-1.0
// Summaries and histograms of a distance matrix in host memory, on one device and on the host: whole
// calls, timed and checked against seq. Needs the standard library and apsp alone, since a machine with a
// device has often little else.
#include <algorithm>
#include <apsp/distance_summary.hpp>
#include <apsp/matrix.hpp>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "argument_values.hpp"
#include "generators.hpp"

using command_line::split;
using command_line::to_number;

namespace {

constexpr const char* usage = R"(usage: device_summary_benchmark [options]
  --sizes 16384               numbers of vertices
  --types f32,f64,i32,i64     types of the distances (f32,i32)
  --policies a,b              some of cuda_tiled, cuda_naive, seq, omp (cuda_tiled,omp)
  --reductions a,b            some of summary, histogram (both)
  --repeat k                  calls after the one that warms up; the median counts (5)
  --device d --seed s
  --gpu NAME                  for the file
  --csv FILE
)";

struct settings {
  std::vector<std::string> sizes{"16384"};
  std::vector<std::string> types{"f32", "i32"};
  std::vector<std::string> policies{"cuda_tiled", "omp"};
  std::vector<std::string> reductions{"summary", "histogram"};
  int repeat = 5;
  int device = -1;
  std::uint64_t seed = 1;
  std::string gpu;
  std::string csv;
};

settings parse(int argc, char** argv) {
  settings s;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (i + 1 == argc) throw std::runtime_error(option + " is unknown or lacks a value");
    const std::string value = argv[++i];
    if (option == "--sizes")
      s.sizes = split(value);
    else if (option == "--types")
      s.types = split(value);
    else if (option == "--policies")
      s.policies = split(value);
    else if (option == "--reductions")
      s.reductions = split(value);
    else if (option == "--repeat")
      s.repeat = std::max(1, to_number<int>(value));
    else if (option == "--device")
      s.device = to_number<int>(value);
    else if (option == "--seed")
      s.seed = to_number<std::uint64_t>(value);
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
void with_policy(const std::string& name, int device, F f) {
  const auto required = [&](auto policy) {
    return device < 0 ? policy.required() : policy.required().device(device);
  };
  if (name == "cuda_tiled") return f(required(apsp::cuda_tiled));
  if (name == "cuda_naive") return f(required(apsp::cuda_naive));
  if (name == "omp") return f(apsp::omp);
  if (name == "seq") return f(apsp::seq);
  throw std::runtime_error("policy " + name + " is unknown");
}

void require(bool is_right) {
  if (!is_right) throw std::runtime_error("a result differs from that of seq");
}

template <class T>
void check(const apsp::distance_summary<T>& got, const apsp::distance_summary<T>& expected) {
  for (std::size_t i = 0; i < expected.sources().size(); ++i) {
    const auto& a = got[i];
    const auto& b = expected[i];
    require(a.eccentricity == b.eccentricity && a.farthest == b.farthest &&
            a.num_reached == b.num_reached);
    // Distances are whole numbers, so their sums are exact in every type.
    require(a.sum == b.sum);
    require(std::abs(a.inverse_sum - b.inverse_sum) <= 1e-12 * b.inverse_sum);
  }
}

void check(const apsp::distance_counts& got, const apsp::distance_counts& expected) {
  require(got.counts == expected.counts && got.below == expected.below &&
          got.above == expected.above && got.unreachable == expected.unreachable);
}

class benchmark {
 public:
  explicit benchmark(const settings& s) : settings_(s) {
    if (!s.csv.empty()) {
      csv_.open(s.csv);
      if (!csv_) throw std::runtime_error(s.csv + " cannot be written");
      csv_ << "gpu,n,type,policy,reduction,seconds,fastest_seconds,gigabytes_per_second\n";
    }
    std::printf("%8s %5s %-11s %-10s %10s %10s %8s\n", "n", "type", "policy", "reduction",
                "seconds", "fastest", "GB/s");
  }

  template <class T>
  void run_type(const std::string& type, std::size_t n) {
    constexpr std::int32_t largest_distance = 1000;
    apsp_perf::random_numbers random(settings_.seed);
    apsp::matrix<T> distances(n);
    for (T& d : distances) {
      const std::int32_t w = random.weight(largest_distance);
      d = w % 12 == 0 ? apsp::unreachable<T> : static_cast<T>(w);
    }
    const auto bins = apsp::histogram_bins<T>::of_width(0, 10, 100);
    for (const auto& reduction : settings_.reductions) {
      if (reduction == "summary") {
        run(type, n, sizeof(T), reduction, [&](const auto& policy) {
          auto summary = apsp::summarize_distances(policy, distances);
          return std::pair(summary.status().executed_on(), std::move(summary));
        });
      } else if (reduction == "histogram") {
        run(type, n, sizeof(T), reduction, [&](const auto& policy) {
          auto counts = apsp::distance_histogram(policy, distances, bins);
          return std::pair(counts.status.executed_on(), std::move(counts));
        });
      } else {
        throw std::runtime_error("reduction " + reduction + " is unknown");
      }
    }
  }

 private:
  // reduce(policy) gives where it ran and what it found.
  template <class Reduce>
  void run(const std::string& type, std::size_t n, std::size_t entry_bytes,
           const std::string& reduction, Reduce reduce) {
    const auto expected = reduce(apsp::seq).second;
    for (const auto& name : settings_.policies) {
      with_policy(name, settings_.device, [&](const auto& policy) {
        std::vector<double> seconds;
        for (int call = 0; call <= settings_.repeat; ++call) {
          const auto start = std::chrono::steady_clock::now();
          const auto [executed_on, got] = reduce(policy);
          const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
          if (apsp::to_string(executed_on) != name) throw std::runtime_error("it fell back");
          check(got, expected);
          if (call > 0) seconds.push_back(elapsed.count());
        }
        print(n, type, name, reduction, static_cast<double>(n * n * entry_bytes), seconds);
      });
    }
  }

  void print(std::size_t n, const std::string& type, const std::string& policy,
             const std::string& reduction, double bytes, std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[seconds.size() / 2];
    const double rate = bytes / median / 1e9;
    std::printf("%8zu %5s %-11s %-10s %10.5f %10.5f %8.2f\n", n, type.c_str(), policy.c_str(),
                reduction.c_str(), median, seconds.front(), rate);
    std::fflush(stdout);
    if (csv_.is_open()) {
      csv_ << '"' << settings_.gpu << "\"," << n << ',' << type << ',' << policy << ',' << reduction
           << ',' << median << ',' << seconds.front() << ',' << rate << std::endl;
    }
  }

  settings settings_;
  std::ofstream csv_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 1 && std::string(argv[1]) == "--help") {
      std::cout << usage;
      return 0;
    }
    const settings s = parse(argc, argv);
    benchmark bench(s);
    for (const auto& type : s.types) {
      for (const auto& size : s.sizes) {
        const std::size_t n = to_number<std::size_t>(size);
        if (type == "f32")
          bench.run_type<float>(type, n);
        else if (type == "f64")
          bench.run_type<double>(type, n);
        else if (type == "i32")
          bench.run_type<std::int32_t>(type, n);
        else if (type == "i64")
          bench.run_type<std::int64_t>(type, n);
        else
          throw std::runtime_error("type " + type + " is unknown");
      }
    }
  } catch (const std::exception& e) {
    std::cerr << "device_summary_benchmark: " << e.what() << "\n";
    return 2;
  }
}
