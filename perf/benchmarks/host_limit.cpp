// SPDX-License-Identifier: BSL-1.0
// How many relaxations per second one core of this machine can do at most: c = min(c, a + b) on
// registers alone. The seq policy is measured beside it, and its counter share_of_limit says which
// part of that a whole solve reaches. Needs the vector extensions of GCC or Clang.
#include <benchmark/benchmark.h>

#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>

#include "../generators.hpp"
#include "../weight_types.hpp"
#include "benchmark_main.hpp"

namespace {

#if defined(__AVX512F__)
constexpr std::size_t vector_bytes = 64;
constexpr int num_vector_registers = 32;
#elif defined(__AVX__)
constexpr std::size_t vector_bytes = 32;
constexpr int num_vector_registers = 16;
#else
constexpr std::size_t vector_bytes = 16;
constexpr int num_vector_registers = 16;
#endif
// As in a tile kernel: rows x columns sums in registers, and one a per row and one b per column.
constexpr int rows = num_vector_registers == 32 ? 4 : 2;
constexpr int columns = 4;

// Makes the compiler believe that x has changed, or it would take the sums out of the loop.
template <class V>
inline void touch(V& x) {
#if defined(__x86_64__)
  asm volatile("" : "+v"(x));
#elif defined(__aarch64__)
  asm volatile("" : "+w"(x));
#else
  asm volatile("" : "+m"(x));
#endif
}

// The sums of one row; parameterised by the weight, since GCC drops the size of a vector that is an
// argument of a template.
template <class W>
struct sums {
  typedef W vector __attribute__((vector_size(vector_bytes)));
  vector x0, x1, x2, x3;
};

template <class V>
inline V smaller(V x, V y) {
  return x < y ? x : y;
}

// Written out entry by entry: GCC keeps an array in memory if its index is a variable, even one
// that unrolling removes.
template <class W, class V>
inline void relax_row(V& a, const sums<W>& b, sums<W>& c) {
  touch(a);
  c.x0 = smaller(a + b.x0, c.x0);
  c.x1 = smaller(a + b.x1, c.x1);
  c.x2 = smaller(a + b.x2, c.x2);
  c.x3 = smaller(a + b.x3, c.x3);
}

template <class W>
[[gnu::noinline]] void relax_in_registers(int steps, sums<W> (&result)[4]) {
  sums<W> c0 = result[0], c1 = result[1], c2 = result[2], c3 = result[3];
  const sums<W> b = c0;
  auto a0 = b.x0, a1 = b.x1, a2 = b.x2, a3 = b.x3;
  for (int step = 0; step < steps; ++step) {
    relax_row(a0, b, c0);
    relax_row(a1, b, c1);
    if constexpr (rows == 4) {
      relax_row(a2, b, c2);
      relax_row(a3, b, c3);
    }
  }
  result[0] = c0;
  result[1] = c1;
  result[2] = c2;
  result[3] = c3;
}

// Relaxations per second of seq are stated as a share of these.
std::map<std::string, double> limits;

template <class W>
void run_limit(benchmark::State& state, const std::string& type) {
  constexpr int steps = 100000;
  constexpr double per_iteration =
      static_cast<double>(steps) * rows * columns * (vector_bytes / sizeof(W));
  sums<W> c[4] = {};
  double seconds = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    relax_in_registers(steps, c);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    seconds += elapsed.count();
    state.SetIterationTime(elapsed.count());
  }
  state.counters["relaxations/s"] =
      benchmark::Counter(per_iteration, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["share_of_limit"] = 1;
  limits[type] = per_iteration * static_cast<double>(state.iterations()) / seconds;
}

template <class W>
void run_seq(benchmark::State& state, const std::string& type) {
  constexpr std::size_t n = 2048;
  constexpr double relaxations = static_cast<double>(n) * n * n;
  const auto graph = apsp_perf::fixed_degree_graph<W>(n, 8, 1000, 1);
  apsp::matrix<W> distances(n);
  double seconds = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    if (!apsp::floyd_warshall(apsp::seq, graph.view(), distances)) {
      state.SkipWithError("a negative cycle");
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    seconds += elapsed.count();
    state.SetIterationTime(elapsed.count());
  }
  state.counters["relaxations/s"] =
      benchmark::Counter(relaxations, benchmark::Counter::kIsIterationInvariantRate);
  const auto limit = limits.find(type);
  const double rate = relaxations * static_cast<double>(state.iterations()) / seconds;
  state.counters["share_of_limit"] = limit == limits.end() ? std::nan("") : rate / limit->second;
}

template <class W>
void register_type(const std::string& type) {
  const auto add = [&](const std::string& name, auto run) {
    benchmark::RegisterBenchmark((name + "/" + type).c_str(),
                                 [=](benchmark::State& state) { run(state, type); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  add("limit", run_limit<W>);
  add("seq", run_seq<W>);
}

}  // namespace

int main(int argc, char** argv) {
  return benchmark_main(argc, argv, [] {
    weight_types::for_each(
        []<class W>(std::type_identity<W>, const std::string& name) { register_type<W>(name); });
  });
}
