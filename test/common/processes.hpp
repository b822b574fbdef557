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
#include <stop_token>
#include <vector>

#include "failing_allocations.hpp"
#include "messages.hpp"

// Helpers of the tests that are run on several processes.
namespace apsp_test {

/// MPI during all test cases.
struct mpi_session {
  mpi_session() { MPI_Init(nullptr, nullptr); }
  ~mpi_session() { MPI_Finalize(); }
};

inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
inline int world_size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// Calls f(grid) for every grid of the processes.
template <class F>
void for_each_grid(F f) {
  for (int columns = 1; columns <= world_size(); ++columns) {
    if (world_size() % columns == 0) f(apsp::process_grid{world_size() / columns, columns});
  }
}
/// A grid of one row of processes.
inline auto in_one_row() {
  return apsp::across(MPI_COMM_WORLD, apsp::omp, apsp::process_grid{1, world_size()});
}

inline std::vector<std::size_t> list_of(const apsp::index_range& rows) {
  return {rows.begin(), rows.end()};
}

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

struct failure : std::runtime_error {
  failure() : std::runtime_error("not today") {}
};

/// A policy whose callback throws `failure` on the last process, from a number of steps on.
template <class Policy>
auto failing_on_last(const Policy& one_process, std::size_t num_steps = 0) {
  const bool is_here = world_rank() + 1 == world_size();
  return apsp::across(MPI_COMM_WORLD,
                      one_process.progress([is_here, num_steps](std::size_t done, std::size_t) {
                        if (is_here && done >= num_steps) throw failure();
                      }));
}

/// A stop that the last process requests at its first report.
class stop_of_last {
 public:
  template <class Policy>
  auto policy(const Policy& one_process, apsp::process_grid grid = {world_size(), 1}) {
    const auto stop = [this](std::size_t done, std::size_t) {
      last_done_ = done;
      if (world_rank() + 1 == world_size()) source_.request_stop();
    };
    return apsp::across(MPI_COMM_WORLD, one_process.stop(source_.get_token()).progress(stop), grid);
  }
  /// The steps that were reported last.
  std::size_t last_done() const { return last_done_; }

 private:
  std::stop_source source_;
  std::size_t last_done_ = 0;
};

/// Checks that a call throws Error on the process with that rank and `distributed_error` on all
/// others.
/// @param words  what the messages say.
template <class Error, class Call>
void check_failure_of(int rank, Call call, const std::string& words = "") {
  bool is_reported = false;
  try {
    static_cast<void>(call());
  } catch (const Error& error) {
    is_reported = world_rank() == rank && contains(error.what(), words);
  } catch (const apsp::distributed_error& error) {
    is_reported = world_rank() != rank && error.rank() == rank && contains(error.what(), words);
  }
  BOOST_CHECK_MESSAGE(is_reported, "process " << world_rank() << ", " << words);
}
template <class Error, class Call>
void check_failure_of_last(Call call, const std::string& words = "") {
  check_failure_of<Error>(world_size() - 1, call, words);
}

/// Calls call() repeatedly on all processes, and lets one allocation of the last one fail each
/// time.
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
