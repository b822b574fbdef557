// SPDX-License-Identifier: BSL-1.0
// Summaries and histograms of a distance matrix in host memory, on one device and on the host: whole
// calls, timed and checked against seq. Needs the standard library and apsp alone, since a machine with a
// device has often little else.
#include <apsp/distance_summary.hpp>
#include <apsp/matrix.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "csv_file.hpp"
#include "device_program.hpp"
#include "generators.hpp"
#include "timing.hpp"

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
  command_line::read(argc, argv,
                     {{"--sizes", s.sizes},
                      {"--types", s.types},
                      {"--policies", s.policies},
                      {"--reductions", s.reductions},
                      {"--repeat", s.repeat, 1},
                      {"--device", s.device},
                      {"--seed", s.seed},
                      {"--gpu", s.gpu},
                      {"--csv", s.csv}});
  return s;
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
  explicit benchmark(const settings& s) : settings_(s), csv_(s.csv) {
    csv_.line("gpu,n,type,policy,reduction,seconds,fastest_seconds,gigabytes_per_second");
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
      device_program::with_policy(name, settings_.device, [&](const auto& policy) {
        const timing::call_seconds seconds = timing::of_calls(settings_.repeat, [&] {
          const auto [found, elapsed] = timing::timed([&] { return reduce(policy); });
          const auto& [executed_on, got] = found;
          device_program::require_policy(executed_on, name);
          check(got, expected);
          return elapsed;
        });
        print(n, type, name, reduction, static_cast<double>(n * n * entry_bytes), seconds);
      });
    }
  }

  void print(std::size_t n, const std::string& type, const std::string& policy,
             const std::string& reduction, double bytes, const timing::call_seconds& seconds) {
    const double rate = bytes / seconds.median / 1e9;
    std::printf("%8zu %5s %-11s %-10s %10.5f %10.5f %8.2f\n", n, type.c_str(), policy.c_str(),
                reduction.c_str(), seconds.median, seconds.fastest, rate);
    std::fflush(stdout);
    csv_.line(csv_file::quoted(settings_.gpu), n, type, policy, reduction, seconds.median,
              seconds.fastest, rate);
  }

  settings settings_;
  csv_file csv_;
};

}  // namespace

int main(int argc, char** argv) {
  return command_line::run_program("device_summary_benchmark", usage, argc, argv, [&] {
    const settings s = parse(argc, argv);
    benchmark bench(s);
    device_program::for_each_type_and_size(
        s.types, s.sizes,
        [&]<class T>(std::type_identity<T>, const std::string& type, std::size_t n) {
          bench.run_type<T>(type, n);
        });
    return 0;
  });
}
