// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <apsp/mpi.hpp>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include "failing_allocations.hpp"

// Helpers of the tests that are run on several processes.
namespace apsp_test {

inline auto everywhere() {
  return apsp::across(MPI_COMM_WORLD, apsp::omp);
}
inline bool is_last(const auto& policy) {
  return policy.rank() + 1 == policy.num_processes();
}

inline bool is_same_everywhere(long long value) {
  std::array<long long, 2> most{value, -value};
  MPI_Allreduce(MPI_IN_PLACE, most.data(), 2, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
  return most[0] == -most[1];
}

/// The rows of a matrix that are here.
template <class T>
apsp::distributed_matrix<T> shared_out(const auto& policy, const apsp::matrix<T>& whole) {
  apsp::distributed_matrix<T> m(policy, whole.rows(), whole.cols());
  for (const std::size_t i : m.rows()) {
    std::copy_n(whole[i], whole.cols(), m.part()[i - m.rows().first]);
  }
  return m;
}

/// Compares the part of this process with that of a whole matrix, bit for bit.
template <class T, class Matrix>
void check_bits(const apsp::distributed_matrix<T>& part, const Matrix& whole) {
  if (part.columns().empty()) return;
  for (const std::size_t i : part.rows()) {
    const bool are_equal =
        std::memcmp(part.part()[i - part.rows().first], &whole[i][part.columns().first],
                    part.columns().size() * sizeof(T)) == 0;
    BOOST_CHECK_MESSAGE(are_equal, "row " << i << " of " << part.num_rows());
    if (!are_equal) return;
  }
}

/// The exception of a call on this process; empty if there is none.
template <class Error, class F>
std::string message_of(F f) {
  try {
    static_cast<void>(f());
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}
inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct failure : std::runtime_error {
  failure() : std::runtime_error("not today") {}
};

/// Checks that a call throws Error on the last process and `distributed_error` on all others.
template <class Error, class Call>
void check_failure_of_last(Call call) {
  const auto policy = everywhere();
  const int last = policy.num_processes() - 1;
  bool is_reported = false;
  try {
    static_cast<void>(call());
  } catch (const Error&) {
    is_reported = policy.rank() == last;
  } catch (const apsp::distributed_error& error) {
    is_reported = policy.rank() != last && error.rank() == last;
  }
  BOOST_TEST(is_reported);
}

/// Calls call() repeatedly on all processes, and lets one allocation of the last one fail each time.
template <class Call>
void check_every_failure_of_one_process(Call call) {
#ifdef APSP_LONG_TESTS
  constexpr std::int64_t step = 1;
#else
  constexpr std::int64_t step = 25;
#endif
  const auto policy = everywhere();
  const int last = policy.num_processes() - 1;
  int is_found = 1;
  long long num_thrown = 0;
  for (std::int64_t number = 0; is_found != 0; number += step) {
    bool has_thrown = false;
    const auto attempt = [&] {
      try {
        call();
      } catch (const std::bad_alloc&) {
        has_thrown = policy.rank() == last;
      } catch (const apsp::distributed_error& error) {
        has_thrown = policy.rank() != last && error.rank() == last;
      }
    };
    if (policy.rank() == last) {
      is_found = allocations::fail_in(number, failures::one, attempt) ? 1 : 0;
    } else {
      attempt();
    }
    BOOST_REQUIRE(is_same_everywhere(has_thrown));
    num_thrown += has_thrown;
    MPI_Bcast(&is_found, 1, MPI_INT, last, MPI_COMM_WORLD);
  }
  BOOST_TEST(num_thrown > 0);
}

}  // namespace apsp_test
