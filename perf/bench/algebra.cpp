// SPDX-License-Identifier: BSL-1.0
// Cases product, repeated_squaring and floyd_warshall/policy/type/matrix:semiring/n: dense matrices
// over semirings, with products of SuiteSparse:GraphBLAS. No value is rounded, so all solvers must
// agree bit for bit.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/machine.hpp"
#include "cases.hpp"
#ifdef APSP_PERF_HAS_GRAPHBLAS
#include "../rivals/graphblas_rival.hpp"
#endif

namespace bench {

namespace {

template <class T>
struct matrices {
  apsp::matrix<T> a;
  apsp::matrix<T> b;
  apsp::matrix<T> c;
};

/// Returns a valid value of S: an integer, or a power of two if values are multiplied.
template <class S, class T = typename S::value_type>
T random_value(apsp_perf::random_numbers& random, bool some_negative) {
  constexpr std::int32_t heaviest = 999;
  if constexpr (!std::is_same_v<S, apsp::max_times<T>>) {
    return static_cast<T>(random(some_negative ? -heaviest : 1, heaviest));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(random(0, 1));
  } else {
    return static_cast<T>(std::ldexp(1.0, static_cast<int>(random(-9, 0))));
  }
}

template <class S, class T = typename S::value_type>
matrices<T> make_matrices(std::size_t n, bool some_negative) {
  apsp_perf::require_memory(n, 3 * sizeof(T));
  apsp_perf::random_numbers random(options().seed);
  matrices<T> m{apsp::matrix<T>(n), apsp::matrix<T>(n), apsp::matrix<T>(n)};
  for (T& x : m.a) x = random_value<S>(random, some_negative);
  for (T& x : m.b) x = random_value<S>(random, some_negative);
  return m;
}

/// Checks entries of a product by computing them again. An entry of a closure must be the best of
/// its weight and all paths through one other vertex.
template <class S, class T = typename S::value_type>
void check(const matrices<T>& m, bool is_product) {
  const std::size_t n = m.c.rows();
  const apsp::matrix<T>& left = is_product ? m.a : m.c;
  const apsp::matrix<T>& right = is_product ? m.b : m.a;
  apsp_perf::random_numbers random(n);
  for (int sample = 0; sample < 100; ++sample) {
    const std::size_t i = random.index(n);
    const std::size_t j = random.index(n);
    T expected = !is_product && i == j ? T(S::one) : T(S::zero);
    for (std::size_t k = 0; k < n; ++k) {
      if (is_product || k != j) expected = S::plus(expected, S::times(left[i][k], right[k][j]));
    }
    require(m.c[i][j] == expected, "a wrong entry");
  }
}

double cube(std::size_t n) {
  const double size = static_cast<double>(n);
  return size * size * size;
}

template <class S, class T = typename S::value_type>
outcome run(const std::string& operation, const std::string& policy_name, matrices<T>& m) {
  const outcome o =
      measure({.call =
                   [&] {
                     return seconds_of_solve(policy_name, [&](const auto& policy) {
                       if (operation == "product")
                         return apsp::semiring_product(policy, m.a, m.b, m.c, S{});
                       if (operation == "repeated_squaring") {
                         return apsp::repeated_squaring(policy, m.a, m.c, S{});
                       }
                       return apsp::floyd_warshall(policy, m.a, m.c, S{});
                     });
                   },
               .unit = "relaxations",
               .work = cube(m.c.rows()),
               .prepare = [&] { std::fill(m.c.begin(), m.c.end(), static_cast<T>(S::zero)); }});
  check<S>(m, operation == "product");
  return o;
}

#ifdef APSP_PERF_HAS_GRAPHBLAS
outcome run_graphblas(apsp_perf::graphblas_form form, matrices<float>& m) {
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  apsp_perf::graphblas_product rival(m.a, m.b, form, threads);
  const outcome o = measure(
      {.call = [&] { return rival.multiply(); }, .unit = "relaxations", .work = cube(m.c.rows())});
  m.c = rival.take_result();
  check<apsp::min_plus<float>>(m, true);
  return o;
}
#endif

template <class S>
void add_semiring(const std::string& type, const std::string& semiring, bool some_negative) {
  using T = typename S::value_type;
  for (const std::size_t n : sizes_or({512, 1024, 2048, 4096})) {
    const auto name = [&](const std::string& operation, const std::string& policy,
                          const std::string& of_semiring) {
      return operation + '/' + policy + '/' + type + "/matrix:" + of_semiring + '/' +
             std::to_string(n);
    };
    const auto matrices_of_case = [=]() -> matrices<T>& {
      return shared_problem("matrix/" + type + '/' + semiring + '/' + std::to_string(n),
                            [&] { return make_matrices<S>(n, some_negative); });
    };
    std::vector<rival> of_graphblas;
#ifdef APSP_PERF_HAS_GRAPHBLAS
    if constexpr (std::is_same_v<S, apsp::min_plus<float>>) {
      using form = apsp_perf::graphblas_form;
      for (const auto& [policy, kind] :
           {std::pair{"graphblas", form::product},
            std::pair{"graphblas_accumulate", form::accumulate},
            std::pair{"graphblas_accumulate_sparse", form::accumulate_sparse}}) {
        const std::string of_rival = name("product", policy, semiring);
        of_graphblas.push_back({std::string("x_") + policy, of_rival});
        add(of_rival, {}, [=, kind = kind] { return run_graphblas(kind, matrices_of_case()); });
      }
    }
#endif
    for (const char* operation : {"floyd_warshall", "repeated_squaring", "product"}) {
      // A closure needs a graph without negative cycles.
      if (some_negative && operation != std::string("product")) continue;
      for (const std::string& policy : policies()) {
        std::vector<rival> rivals{{"x_floyd_warshall", name("floyd_warshall", policy, semiring)},
                                  {"x_min_plus", name(operation, policy, "min_plus")},
                                  {"x_naive", name(operation, "cuda_naive", semiring)}};
        if (operation == std::string("product")) {
          rivals.insert(rivals.end(), of_graphblas.begin(), of_graphblas.end());
        }
        add(name(operation, policy, semiring), rivals,
            [=] { return run<S>(operation, policy, matrices_of_case()); });
      }
    }
  }
}

}  // namespace

void add_algebra() {
  for_each_type([]<class W>(std::type_identity<W>, const std::string& type) {
    add_semiring<apsp::min_plus<W>>(type, "min_plus", false);
    add_semiring<apsp::min_plus<W>>(type, "min_plus_negative", true);
    add_semiring<apsp::max_min<W>>(type, "max_min", false);
    add_semiring<apsp::min_max<W>>(type, "min_max", false);
    add_semiring<apsp::max_times<W>>(type, "max_times", false);
  });
}

}  // namespace bench
