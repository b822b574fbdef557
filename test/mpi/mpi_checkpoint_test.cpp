// SPDX-License-Identifier: BSL-1.0
// `checkpoint` and `resume` on several processes. The program is run by mpiexec with several
// numbers of processes, which have the files in the directory for temporary files; jobs that are
// killed are started by mpi_killed_jobs_test.sh.
#define BOOST_TEST_MODULE mpi_checkpoint
#include <sys/resource.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/apsp.hpp>
#include <apsp/mapped_matrix.hpp>
#include <apsp/mpi.hpp>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>

#include "../common/checkpoints.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/processes.hpp"
#include "../common/semirings.hpp"

using namespace apsp_test;
using namespace std::chrono_literals;

namespace {

BOOST_TEST_GLOBAL_FIXTURE(mpi_session);

/// A directory of all processes for the files of one test case. Collective.
class shared_directory {
 public:
  shared_directory() {
    auto number = static_cast<long long>(getpid());
    MPI_Bcast(&number, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    path_ = std::filesystem::temp_directory_path() /
            ("apsp_mpi_checkpoint_test_" + std::to_string(number));
    if (world_rank() == 0) {
      std::filesystem::remove_all(path_);
      std::filesystem::create_directories(path_);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~shared_directory() {
    // Other processes may not come here after a failure.
    if (std::uncaught_exceptions() != 0) return;
    MPI_Barrier(MPI_COMM_WORLD);
    std::error_code unknown;
    if (world_rank() == 0) std::filesystem::remove_all(path_, unknown);
  }
  shared_directory(const shared_directory&) = delete;
  shared_directory& operator=(const shared_directory&) = delete;

  std::filesystem::path file() const { return path_ / "distances.npy"; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Writes a file on one process. Collective.
void put_on_one(const std::filesystem::path& file, const std::string& text) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) put(file, text);
  MPI_Barrier(MPI_COMM_WORLD);
}
/// Solves the first half, so that a checkpoint of it remains. `solve` takes a policy of one
/// process.
template <class Solve>
void solve_half(const std::filesystem::path& file, bool requests_stop, Solve solve,
                std::chrono::hours every = 1h) {
  std::stop_source half_done;
  const auto stop = [&](std::size_t done, std::size_t total) {
    if (requests_stop && done < total && 2 * done >= total) half_done.request_stop();
  };
  const apsp::result stopped =
      solve(apsp::omp.checkpoint(file, every).progress(stop).stop(half_done.get_token()));
  BOOST_REQUIRE(stopped.stopped());
}

// Five steps of pivots, and not a multiple of one.
constexpr std::size_t n = 600;

template <class T = std::int32_t>
const arc_list<T>& sample() {
  static const auto g = random_graph<T>(n, 0.01, 1, 40, 17);
  return g;
}
/// What the call on one process finds.
template <class T, class Semiring = apsp::min_plus<T>>
apsp::matrix<T> solved_alone(const arc_list<T>& g, const Semiring& over = {}) {
  apsp::matrix<T> d(g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, g.view(), d, over));
  return d;
}
template <class T>
const apsp::matrix<T>& expected() {
  static const auto distances = solved_alone(sample<T>());
  return distances;
}

/// Compares a part with the distances: integers bit for bit, others up to rounding.
template <class T>
void check_part(const apsp::distributed_matrix<T>& d, const apsp::matrix<T>& all) {
  if constexpr (std::is_integral_v<T>) {
    check_bits(d, all);
  } else {
    for (const std::size_t u : d.rows()) {
      for (const std::size_t v : d.columns()) {
        const T got = d.part()[u - d.rows().first][v - d.columns().first];
        const bool is_right = all[u][v] == apsp::unreachable<T>
                                  ? got == all[u][v]
                                  : same_distance<T>(got, static_cast<wide_t<T>>(all[u][v]));
        BOOST_REQUIRE_MESSAGE(is_right, "distance (" << u << ", " << v << ")");
      }
    }
  }
}

/// Solves the sample on all processes, with a policy of one process.
template <class Policy>
void solve_sample(const Policy& one_process) {
  const auto policy = apsp::across(MPI_COMM_WORLD, one_process);
  apsp::distributed_matrix<std::int32_t> d(policy, n);
  BOOST_REQUIRE(apsp::floyd_warshall(policy, sample().view(), d));
  check_bits(d, expected<std::int32_t>());
}

/// The first processes of all.
class group {
 public:
  explicit group(int size) : is_here_(world_rank() < size) {
    MPI_Comm_split(MPI_COMM_WORLD, is_here_ ? 0 : MPI_UNDEFINED, world_rank(), &processes_);
  }
  ~group() {
    if (processes_ != MPI_COMM_NULL) MPI_Comm_free(&processes_);
  }
  group(const group&) = delete;
  group& operator=(const group&) = delete;

  bool is_here() const { return is_here_; }
  MPI_Comm processes() const { return processes_; }

 private:
  bool is_here_;
  MPI_Comm processes_ = MPI_COMM_NULL;
};

/// Calls solve(policy) and check(result, distances) on @p size processes; 0: the call on one
/// process.
template <class T, class Check>
void solve_on(int size, const auto& policy, const arc_list<T>& g, Check check) {
  if (size == 0) {
    if (world_rank() != 0) return;
    apsp::matrix<T> d(g.n);
    const apsp::result done = apsp::floyd_warshall(policy, g.view(), d);
    const auto alone = apsp::across(MPI_COMM_SELF, apsp::seq);
    check(done, shared_out(alone, d));
    return;
  }
  const group some(size);
  if (!some.is_here()) return;
  const auto everywhere = apsp::across(some.processes(), policy);
  apsp::distributed_matrix<T> d(everywhere, g.n);
  const apsp::result done = apsp::floyd_warshall(everywhere, g.view(), d);
  check(done, d);
}

using numbers = std::tuple<float, std::int32_t, std::int64_t, std::uint16_t>;

/// Solves one half on some processes and the rest on others.
template <class T>
void check_resumed(int before, int after) {
  const shared_directory files;
  const auto file = files.file();
  const auto& g = sample<T>();
  solve_half(file, world_rank() == 0, [&](const auto& policy) {
    apsp::result stopped(apsp::backend::omp, apsp::algorithm::floyd_warshall);
    stopped.set_stopped();
    solve_on(before, policy, g, [&](const apsp::result& done, const auto&) { stopped = done; });
    return stopped;
  });
  MPI_Barrier(MPI_COMM_WORLD);
  const std::size_t pivot = pivot_of(file);
  BOOST_REQUIRE(pivot >= n / 4 && pivot < n);
  MPI_Barrier(MPI_COMM_WORLD);
  first_report first;
  solve_on(after, apsp::omp.checkpoint(file, 0s).resume(file).progress(first.callback()), g,
           [&](const apsp::result& done, const apsp::distributed_matrix<T>& d) {
             BOOST_REQUIRE(done);
             BOOST_TEST(!done.saturated());
             check_part(d, expected<T>());
             // A call on one process begins with a whole tile.
             BOOST_REQUIRE(first.done());
             BOOST_TEST((after == 0 ? *first.done() <= pivot : *first.done() == pivot));
           });
  MPI_Barrier(MPI_COMM_WORLD);
  BOOST_TEST(pivot_of(file) == n);
  {
    const apsp::mapped_matrix<const T> written(file);
    BOOST_REQUIRE(written.rows() == n && written.cols() == n);
    const auto alone = apsp::across(MPI_COMM_SELF, apsp::seq);
    apsp::matrix<T> copy(n);
    std::copy(written.begin(), written.end(), copy.begin());
    check_part(shared_out(alone, copy), expected<T>());
  }
  // A complete checkpoint is the result.
  first_report again;
  solve_on(before, apsp::seq.resume(file).progress(again.callback()), g,
           [&](const apsp::result& done, const apsp::distributed_matrix<T>& d) {
             BOOST_REQUIRE(done);
             BOOST_TEST(again.done().value() == n);
             check_part(d, expected<T>());
           });
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(other_numbers_of_processes_resume, T, numbers) {
  const int size = world_size();
  for (int before = 0; before <= size; ++before) {
    BOOST_TEST_CONTEXT("from " << before << " processes") {
      check_resumed<T>(before, (before + 1) % (size + 1));
      if (size - before != (before + 1) % (size + 1)) check_resumed<T>(before, size - before);
    }
  }
}

namespace {

/// Solves one half in one grid and the rest in another one, and compares with the call on one
/// process.
template <class S>
void check_grids(const arc_list<typename S::value_type>& g, const S& over) {
  using T = typename S::value_type;
  const auto all = solved_alone(g, over);
  for_each_grid([&](const apsp::process_grid& before) {
    for_each_grid([&](const apsp::process_grid& after) {
      const shared_directory files;
      const auto file = files.file();
      solve_half(
          file, is_last(everywhere()),
          [&](const auto& policy) {
            const auto in_grid = apsp::across(MPI_COMM_WORLD, policy, before);
            apsp::distributed_matrix<T> d(in_grid, g.n);
            return apsp::floyd_warshall(in_grid, g.view(), d, over);
          },
          0h);
      const auto in_grid =
          apsp::across(MPI_COMM_WORLD, apsp::seq.checkpoint(file, 0s).resume(file), after);
      apsp::distributed_matrix<T> d(in_grid, g.n);
      BOOST_REQUIRE(apsp::floyd_warshall(in_grid, g.view(), d, over));
      check_part(d, all);
      BOOST_TEST(pivot_of(file) == g.n);
    });
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(other_grids_resume) {
  check_grids(sample(), apsp::min_plus<std::int32_t>{});
  check_grids(negative_graph<std::int64_t>(300, 0.02, 4), apsp::min_plus<std::int64_t>{});
  check_grids(random_graph<float>(300, 0.02, 1, 1000, 14), apsp::max_min<float>{});
  // A semiring without kernels, and without a name in the files.
  check_grids(random_graph<std::uint32_t>(300, 0.02, 1, 1000, 14), kinds_of_traffic{});
}

BOOST_AUTO_TEST_CASE(small_graphs) {
  const shared_directory files;
  for (const std::size_t size : {0, 1, 2, 5, 128, 129, 257}) {
    const auto file = files.path() / (std::to_string(size) + ".npy");
    const auto g = random_graph<std::int64_t>(size, 0.1, 1, 99, 3);
    const auto all = solved_alone(g);
    for_each_grid([&](const apsp::process_grid& grid) {
      const auto policy =
          apsp::across(MPI_COMM_WORLD, apsp::omp.checkpoint(file, 0s).resume(file), grid);
      apsp::distributed_matrix<std::int64_t> d(policy, size);
      BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), d));
      check_bits(d, all);
    });
  }
}

BOOST_AUTO_TEST_CASE(labels_are_not_ahead) {
  const shared_directory files;
  const auto file = files.file();
  std::size_t last_pivot = 0;
  bool are_true = true;
  const auto watch = [&](std::size_t done, std::size_t) {
    const std::size_t pivot = pivot_of(file);
    are_true = are_true && pivot <= done && pivot >= last_pivot;
    last_pivot = pivot;
    std::this_thread::sleep_for(5ms);
  };
  // Without resume there is no label before the first checkpoint.
  for (int call = 0; call < 2; ++call) {
    last_pivot = 0;
    solve_sample(apsp::omp.checkpoint(file, 0s).progress(watch));
    BOOST_TEST(are_true);
    BOOST_TEST(pivot_of(file) == n);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  // From one file to another. The first one stays as it is.
  const auto other = files.path() / "other.npy";
  const std::string label = text_of(label_of(file));
  solve_sample(apsp::omp.resume(file).checkpoint(other, 1h));
  BOOST_TEST(text_of(label_of(other)) == label);
  BOOST_TEST(text_of(label_of(file)) == label);
  BOOST_TEST((text_of(other) == text_of(file)));
  // Nothing but the four files is left.
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(files.path()),
                           std::filesystem::directory_iterator()) == 4);
}

BOOST_AUTO_TEST_CASE(rounding_that_is_solved_again) {
  const shared_directory files;
  const auto file = files.file();
  auto g = make_graph<float>(200, {{0, 100, 0.1F}, {100, 199, 0.2F}, {199, 0, -0.3F}});
  for (std::size_t v = 0; v + 1 < g.n; ++v) g.add(v, v + 1, 0.7F);
  const auto all = solved_alone(g);
  const auto policy = apsp::across(MPI_COMM_WORLD, apsp::omp.checkpoint(file, 0s).resume(file));
  apsp::distributed_matrix<float> d(policy, g.n);
  for (int call = 0; call < 2; ++call) {
    const auto done = apsp::floyd_warshall(policy, g.view(), d);
    BOOST_REQUIRE(done);
    BOOST_TEST((done.algorithm() == apsp::algorithm::johnson));
    check_part(d, all);
    BOOST_TEST(pivot_of(file) == g.n);
  }
  auto with_cycle = negative_graph<int>(n, 0.01, 4);
  with_cycle.add(3, 4, 1000);
  with_cycle.add(4, 3, -1001);
  apsp::distributed_matrix<int> cycle_d(policy, n);
  const auto other = files.path() / "cycle.npy";
  const auto with_other =
      apsp::across(MPI_COMM_WORLD, apsp::omp.checkpoint(other, 0s).resume(other));
  for (int call = 0; call < 2; ++call) {
    const auto done = apsp::floyd_warshall(with_other, with_cycle.view(), cycle_d);
    BOOST_REQUIRE(!done);
    check_negative_cycle(with_cycle, done.negative_cycle());
  }
}

namespace {

/// A checkpoint of a sample that is solved to one half.
struct half_solved {
  half_solved() : file(files.file()) {
    solve_half(file, world_rank() == 0, [&](const auto& policy) {
      const auto in_all = apsp::across(MPI_COMM_WORLD, policy);
      apsp::distributed_matrix<std::int32_t> d(in_all, n);
      return apsp::floyd_warshall(in_all, sample().view(), d);
    });
    label = text_of(label_of(file));
    rows = text_of(file);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  void check_kept() const {
    BOOST_TEST(text_of(label_of(file)) == label);
    BOOST_TEST((text_of(file) == rows));
  }

  shared_directory files;
  std::filesystem::path file;
  std::string label;
  std::string rows;
};

template <class T>
void fill(apsp::distributed_matrix<T>& d, T value) {
  const auto part = d.part();
  std::fill_n(part.data(), part.rows() * part.cols(), value);
}
template <class T>
bool is_filled(const apsp::distributed_matrix<T>& d, T value) {
  const auto part = d.part();
  return std::all_of(part.data(), part.data() + part.rows() * part.cols(),
                     [&](T entry) { return entry == value; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_of_other_calls_are_refused) {
  const half_solved half_done;
  const auto& file = half_done.file;
  const auto& g = sample();
  const auto policy = apsp::across(MPI_COMM_WORLD, apsp::seq.checkpoint(file, 0s).resume(file));
  const auto mismatch = [&](const auto& graph, const auto& over, const std::string& words) {
    using T = typename std::remove_cvref_t<decltype(over)>::value_type;
    apsp::distributed_matrix<T> d(policy, graph.n);
    fill(d, T{7});
    check_refused([&] { return apsp::floyd_warshall(policy, graph.view(), d, over); }, words);
    BOOST_TEST(is_filled(d, T{7}));
    MPI_Barrier(MPI_COMM_WORLD);
    half_done.check_kept();
    MPI_Barrier(MPI_COMM_WORLD);
  };
  const apsp::min_plus<std::int32_t> sums;
  mismatch(random_graph<std::int32_t>(n - 1, 0.01, 1, 9, 17), sums, "vertices 599, as this call");
  mismatch(sample<float>(), apsp::min_plus<float>{}, "type <f4, as this call has, got <i4");
  mismatch(g, apsp::min_max<std::int32_t>{}, "semiring min_max, as this call has, got min_plus");
  auto other = g;
  ++other.weights[other.size() / 2];
  mismatch(other, sums, "graph ");

  const auto damaged = [&](const std::string& words) {
    apsp::distributed_matrix<std::int32_t> d(policy, n);
    fill(d, 7);
    check_refused<apsp::file_error>([&] { return apsp::floyd_warshall(policy, g.view(), d); },
                                    words);
    BOOST_TEST(is_filled(d, 7));
    put_on_one(label_of(file), half_done.label);
    put_on_one(file, half_done.rows);
  };
  put_on_one(label_of(file), half_done.label.substr(0, half_done.label.size() - 4));
  damaged("expected");
  put_on_one(file, half_done.rows.substr(0, half_done.rows.size() - 1));
  damaged("bytes, got");
  put_on_one(file, "");
  damaged("expected the .npy header of 600 x 600 entries of type <i4");

  // Nothing has been confused.
  solve_sample(apsp::seq.checkpoint(file, 0s).resume(file));
}

BOOST_AUTO_TEST_CASE(files_must_be_the_same_everywhere) {
  const half_solved half_done;
  const auto& g = sample();
  const auto refuses = [&](const auto& one_process) {
    const auto policy = apsp::across(MPI_COMM_WORLD, one_process);
    apsp::distributed_matrix<std::int32_t> d(policy, n);
    check_refused([&] { return apsp::floyd_warshall(policy, g.view(), d); },
                  "the file of checkpoint or resume");
  };
  if (world_size() > 1) {
    const auto own = half_done.files.path() / std::to_string(world_rank());
    refuses(apsp::omp.checkpoint(own, 0s));
    refuses(apsp::omp.resume(own));
    const auto observed = apsp::omp.progress([](std::size_t, std::size_t) {});
    refuses(world_rank() == 0 ? observed.checkpoint(half_done.file, 0s) : observed);
    refuses(world_rank() == 0 ? observed.checkpoint(half_done.file, 0s)
                              : observed.resume(half_done.file));
  }
  half_done.check_kept();
}

// Each process of a call holds its files, so that others are refused as long as one of them lives.
BOOST_AUTO_TEST_CASE(other_calls_are_refused_meanwhile) {
  const half_solved half_done;
  const auto& g = sample();
  int num_checks = 0;
  const auto others = [&](std::size_t, std::size_t) {
    if (num_checks++ != 0) return;
    apsp::matrix<std::int32_t> d(n);
    const auto& file = half_done.file;
    const std::string why = "held by a call";
    for (const auto& policy :
         {apsp::seq.checkpoint(file, 0s), apsp::seq.checkpoint(file, 0s).resume(file)}) {
      check_refused<apsp::file_error>([&] { return apsp::floyd_warshall(policy, g.view(), d); },
                                      why);
    }
    check_refused<apsp::file_error>([&] { const apsp::mapped_matrix<std::int32_t> m(file, n); },
                                    why);
  };
  for (const bool resumes : {true, false}) {
    num_checks = 0;
    const auto one_process = apsp::omp.checkpoint(half_done.file, 1h).progress(others);
    solve_sample(resumes ? one_process.resume(half_done.file) : one_process);
    BOOST_TEST(num_checks > 0);
    BOOST_TEST(pivot_of(half_done.file) == n);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_one_process_has_mapped) {
  const half_solved half_done;
  const auto& g = sample();
  {
    std::optional<apsp::mapped_matrix<std::int32_t>> mapped;
    if (is_last(everywhere())) mapped.emplace(half_done.file);
    for (const auto& one_process :
         {apsp::seq.checkpoint(half_done.file, 0s), apsp::seq.resume(half_done.file)}) {
      const auto policy = apsp::across(MPI_COMM_WORLD, one_process);
      apsp::distributed_matrix<std::int32_t> d(policy, n);
      check_failure_of_last<std::invalid_argument>(
          [&] { return apsp::floyd_warshall(policy, g.view(), d); });
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  half_done.check_kept();
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_written) {
  const shared_directory files;
  const auto& g = sample();
  const auto plain = everywhere();
  apsp::distributed_matrix<std::int32_t> d(plain, n);
  // Fails on the process with that rank, and is reported on the others.
  const auto fails = [&](int rank, const auto& one_process, const std::string& words) {
    const auto policy = apsp::across(MPI_COMM_WORLD, one_process);
    check_failure_of<apsp::file_error>(
        rank, [&] { return apsp::floyd_warshall(policy, g.view(), d); }, words);
  };
  fill(d, 7);
  fails(0, apsp::omp.checkpoint(files.path() / "missing" / "d.npy", 0s),
        "cannot be opened for writing");
  fails(0, apsp::omp.checkpoint(files.path(), 0s), "cannot be opened for writing");
  BOOST_TEST(is_filled(d, 7));

  // The disk of one process fails during the solve, and at its end.
  const int last = plain.num_processes() - 1;
  struct rlimit limit {};
  BOOST_REQUIRE_EQUAL(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const auto full = files.path() / "full.npy";
  for (const auto every : {0h, 1h}) {
    const auto limit_size = [&](std::size_t done, std::size_t total) {
      if (plain.rank() != last || done < total / 2) return;
      struct rlimit small = limit;
      small.rlim_cur = 1000;
      setrlimit(RLIMIT_FSIZE, &small);
    };
    fails(last, apsp::omp.checkpoint(full, every).progress(limit_size), "cannot be written");
    BOOST_REQUIRE_EQUAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
  }

  // The label cannot be written.
  const auto gone = files.path() / "gone";
  if (plain.rank() == 0) std::filesystem::create_directory(gone);
  const auto remove = [&](std::size_t, std::size_t) {
    if (plain.rank() == 0) std::filesystem::remove_all(gone);
  };
  fails(0, apsp::seq.checkpoint(gone / "d.npy", 0s).progress(remove),
        "cannot be opened for writing");

  // A progress callback that throws ends the call, too.
  const auto policy = failing_on_last(apsp::omp.checkpoint(full, 0s), n / 2);
  check_failure_of_last<failure>([&] { return apsp::floyd_warshall(policy, g.view(), d); });

  // What is left of a failed call can be resumed.
  solve_sample(apsp::omp.checkpoint(full, 0s).resume(full));
}

BOOST_AUTO_TEST_CASE(memory_that_one_process_lacks) {
  const shared_directory files;
  const auto file = files.file();
  const auto g = random_graph<std::int32_t>(300, 0.02, 1, 100, 8);
  const auto all = solved_alone(g);
  const auto policy = apsp::across(MPI_COMM_WORLD, apsp::seq.checkpoint(file, 0s).resume(file));
  apsp::distributed_matrix<std::int32_t> d(policy, g.n);
  check_every_failure_of_one_process([&] {
    std::error_code unknown;
    if (policy.rank() == 0) std::filesystem::remove(file.string() + ".pivot", unknown);
    MPI_Barrier(MPI_COMM_WORLD);
    BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), d));
  });
  BOOST_REQUIRE(apsp::floyd_warshall(policy, g.view(), d));
  check_bits(d, all);
}

BOOST_AUTO_TEST_CASE(other_calls_are_refused) {
  const half_solved half_done;
  const auto g = random_graph<std::int32_t>(50, 0.2, 1, 9, 3);
  const auto refuse = [&](const auto& one_process, auto call) {
    const auto policy = apsp::across(MPI_COMM_WORLD, one_process);
    apsp::distributed_matrix<std::int32_t> d(policy, g.n);
    check_refused([&] { return call(policy, d); }, "are for floyd_warshall of one graph");
  };
  const auto view = g.view();
  const auto other_calls = [&](const auto& one) {
    refuse(one, [&](const auto& policy, auto& d) { return apsp::dijkstra(policy, view, d); });
    refuse(one, [&](const auto& with, auto& d) { return apsp::repeated_squaring(with, view, d); });
    refuse(one, [&](const auto& policy, auto& d) {
      return apsp::all_pairs_shortest_paths(policy, view, d);
    });
    refuse(one, [&](const auto& with, auto& d) { return apsp::min_plus_product(with, d, d, d); });
    refuse(one, [&](const auto& policy, auto&) {
      apsp::distributed_bit_matrix bits(policy, g.n);
      return apsp::transitive_closure(policy, view, bits);
    });
  };
  const auto in_row = apsp::across(MPI_COMM_WORLD, apsp::omp.resume(half_done.file),
                                   apsp::process_grid{1, world_size()});
  apsp::distributed_matrix<std::int32_t> columns(in_row, g.n);
  check_refused([&] { return apsp::all_pairs_shortest_paths(in_row, g.view(), columns); });
  other_calls(apsp::seq.checkpoint(half_done.file, 0s));
  other_calls(apsp::omp.resume(half_done.file));
  // Rows that are on devices cannot be copied.
  for (const auto& on_device :
       {apsp::cuda_tiled.checkpoint(half_done.file, 0s), apsp::cuda_tiled.resume(half_done.file)}) {
    refuse(on_device,
           [&](const auto& with, auto& d) { return apsp::floyd_warshall(with, view, d); });
  }
  MPI_Barrier(MPI_COMM_WORLD);
  half_done.check_kept();

  // The file has entries of the type of the distances.
  const auto policy = apsp::across(MPI_COMM_WORLD, apsp::seq.checkpoint(half_done.file, 0s));
  const auto refuse_type = [&]<class T>(T, const std::string& words) {
    const auto converted_graph = converted<T>(g);
    apsp::distributed_matrix<T> d(policy, g.n);
    check_refused([&] { return apsp::floyd_warshall(policy, converted_graph.view(), d); }, words);
  };
  refuse_type(std::uint8_t{}, "expected one that holds the length of every path, got |u1");
  refuse_type(0.0L, "of 1 to 8 bytes, got another type");
  MPI_Barrier(MPI_COMM_WORLD);
  half_done.check_kept();
}

// Run by mpi_killed_jobs_test.sh alone: -- FILE [PIVOT]. Solves with checkpoints, and goes on from
// the last one. With a pivot each process kills itself soon after it; otherwise the distances are
// checked.
BOOST_AUTO_TEST_CASE(job_that_is_killed, *boost::unit_test::disabled()) {
  const auto& suite = boost::unit_test::framework::master_test_suite();
  BOOST_REQUIRE(suite.argc == 2 || suite.argc == 4);
  const std::filesystem::path file = suite.argv[1];
  const std::optional<std::size_t> last_pivot =
      suite.argc == 4 ? std::optional<std::size_t>(std::stoul(suite.argv[2])) : std::nullopt;
  const std::chrono::microseconds delay(suite.argc == 4 ? std::stoul(suite.argv[3]) : 0);
  const auto g = killed_graph();
  first_report first;
  const auto report = first.callback();
  std::thread killer;
  const auto watch = [&](std::size_t done, std::size_t total) {
    report(done, total);
    if (last_pivot && done >= *last_pivot && !killer.joinable()) {
      killer = std::thread([delay] {
        std::this_thread::sleep_for(delay);
        ::kill(::getpid(), SIGKILL);
      });
    }
    std::this_thread::sleep_for(5ms);
  };
  const std::size_t pivot = pivot_of(file);
  const auto policy =
      apsp::across(MPI_COMM_WORLD, apsp::omp.checkpoint(file, 0s).resume(file).progress(watch));
  if (last_pivot == 0) watch(0, killed_n);
  apsp::distributed_matrix<std::int32_t> d(policy, killed_n);
  const auto done = apsp::floyd_warshall(policy, g.view(), d);
  if (killer.joinable()) killer.join();
  BOOST_REQUIRE(done);
  check_bits(d, solved_alone(g));
  if (pivot != 0) BOOST_TEST(first.done().value() == pivot);
  if (policy.rank() == 0) {
    std::printf("\nfrom pivot %zu of %zu\n", pivot, killed_n);
    std::fflush(stdout);
  }
}
