// SPDX-License-Identifier: BSL-1.0
// Tests of `checkpoint` and `resume`: processes that are killed, files that do not match, and calls
// that keep no checkpoints.
#define BOOST_TEST_MODULE checkpoint
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/apsp.hpp>
#include <apsp/mapped_matrix.hpp>
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "../common/changed_graphs.hpp"
#include "../common/checkpoints.hpp"
#include "../common/files.hpp"
#include "../common/graphs.hpp"
#include "../common/limited_files.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"
#include "../common/semirings.hpp"

extern char** environ;

using namespace apsp_test;
using namespace std::chrono_literals;

namespace {

/// A directory for the files of one test case.
struct directory : test_directory {
  explicit directory(const std::string& name) : test_directory("checkpoint_" + name) {}
  std::filesystem::path file() const { return path() / "distances.npy"; }
};

/// A copy of a policy whose devices hold a part of a matrix of `n` rows and `int32_t`, and solve it
/// in several passes: a call can stop between them only.
template <class Policy>
auto in_passes(const Policy& policy, std::size_t n) {
  if constexpr (requires { policy.memory_limit(1); }) {
    return policy.memory_limit(n * n * sizeof(std::int32_t) * 4 / 5);
  } else {
    return policy;
  }
}

/// Solves the first part of a graph, so that a checkpoint of it remains.
template <class Policy, class Graph, class D,
          class Semiring = apsp::min_plus<typename D::value_type>>
void solve_part(const Policy& policy, const std::filesystem::path& file, const Graph& g,
                std::size_t n, D& d, const Semiring& over = {}) {
  apsp::stop_source half;
  const auto stop = [&](std::size_t done, std::size_t total) {
    if (done < total && 2 * done >= total) half.request_stop();
  };
  const auto stopped = apsp::floyd_warshall(
      in_passes(policy, n).checkpoint(file, 1h).progress(stop).stop(half.get_token()), g, d, over);
  BOOST_REQUIRE(stopped.stopped());
  // The last block may be left out: a thread may have had a part of the next one to do. Devices may
  // leave out two passes.
  BOOST_REQUIRE_GE(pivot_of(file), stopped.out_of_core() ? 1 : n / 4);
  BOOST_REQUIRE_LT(pivot_of(file), n);
}

/// Where a checkpoint comes from.
enum class kept { by_copy, in_place };

/// Calls f(results) with the matrix of the checkpoint or a new one, which is in the file or in
/// other memory.
template <class T, class F>
void with_results(kept how, const std::filesystem::path& file, std::size_t size, F f) {
  if (how == kept::by_copy) {
    apsp::matrix<T> d(size);
    f(d);
  } else if (std::filesystem::exists(label_of(file))) {
    apsp::mapped_matrix<T> d(file);
    f(d);
  } else {
    apsp::mapped_matrix<T> d(file, size);
    f(d);
  }
}
template <class F>
void with_both_kinds(F f) {
  BOOST_TEST_CONTEXT("by copy") {
    f(kept::by_copy);
  }
  BOOST_TEST_CONTEXT("in place") {
    f(kept::in_place);
  }
}

// Several tiles of the widest kernels, and not a multiple of any tile.
constexpr std::size_t n = 1111;

template <class T = std::int32_t>
const arc_list<T>& sample() {
  static const auto g = random_graph<T>(n, 0.005, 1, 40, 17);
  return g;
}
template <class D>
void check_sample(const D& d) {
  using T = typename D::value_type;
  static const auto expected = *oracle_distances(sample<T>());
  check_rows<T>(expected, d);
}

using int_matrix = apsp::matrix<std::int32_t>;
/// A matrix in a file, or what a file has.
using mapped_ints = apsp::mapped_matrix<std::int32_t>;
using written_ints = apsp::mapped_matrix<const std::int32_t>;

/// What a call without checkpoints finds.
template <class T, class Semiring = apsp::min_plus<T>>
apsp::matrix<T> solved_at_once(const arc_list<T>& g, const Semiring& over = {}) {
  apsp::matrix<T> d(g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, g.view(), d, over));
  return d;
}

/// Solves `killed_graph` with checkpoints as often as possible, and goes on from the last one.
template <class F>
void solve_killed(int threads, const std::filesystem::path& file, kept how,
                  const apsp::progress_callback& progress, F check) {
  const auto g = killed_graph();
  with_results<std::int32_t>(how, file, killed_n, [&](auto& d) {
    const auto solve = [&](const auto& policy) {
      return apsp::floyd_warshall(policy.checkpoint(file, 0s).resume(file).progress(progress),
                                  g.view(), d);
    };
    BOOST_REQUIRE(threads == 1 ? solve(apsp::seq) : solve(apsp::omp.threads(threads)));
    check(d);
  });
}

/// Solves the sample, and checks from which pivot on if it is given.
template <class Policy, class D>
void solve_sample(const Policy& policy, D& d,
                  std::optional<std::size_t> first_pivot = std::nullopt) {
  using T = typename D::value_type;
  first_report first;
  const auto done = apsp::floyd_warshall(policy.progress(first.callback()), sample<T>().view(), d);
  BOOST_REQUIRE(done && !done.saturated());
  if (first_pivot) BOOST_CHECK_EQUAL(first.done().value(), *first_pivot);
  check_sample(d);
}

/// Starts this program again to run a test case.
pid_t start(const std::string& test_case, const std::string& threads,
            const std::filesystem::path& file, const std::string& how) {
  const std::string program = "/proc/self/exe";
  std::vector<std::string> words{program, "--run_test=" + test_case, "--", threads, file.string(),
                                 how};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&silent, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  BOOST_REQUIRE_EQUAL(
      posix_spawn(&process, program.c_str(), &silent, nullptr, arguments.data(), environ), 0);
  posix_spawn_file_actions_destroy(&silent);
  return process;
}
/// Starts this program again to solve that graph.
pid_t start_solving(int threads, const std::filesystem::path& file, kept how) {
  return start("process_that_is_killed", std::to_string(threads), file,
               how == kept::in_place ? "in_place" : "by_copy");
}
int status_of(pid_t process) {
  int status = 0;
  BOOST_REQUIRE_EQUAL(waitpid(process, &status, 0), process);
  return status;
}

/// The lines of a label with the last one, whose value is the CRC-32 of the others, bit by bit.
std::string with_checksum(const std::string& lines) {
  std::uint32_t state = 0xffff'ffff;
  for (const char c : lines) {
    state ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ ((state & 1) != 0 ? 0xedb8'8320u : 0);
  }
  std::ostringstream text;
  text << lines << "checksum " << std::hex << ~state << '\n';
  return text.str();
}

bool is_printable(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

template <class D, class T>
void check_untouched(const D& d, T value) {
  BOOST_CHECK(std::ranges::count(d, value) == static_cast<std::ptrdiff_t>(d.rows() * d.cols()));
}
template <class D>
void check_close(const apsp::matrix<double>& expected, const D& sums) {
  BOOST_CHECK(std::ranges::equal(expected, sums, [](double x, double sum) {
    return same_distance<double>(sum, static_cast<wide_t<double>>(x));
  }));
}

}  // namespace

// Run by the next test case alone.
BOOST_AUTO_TEST_CASE(process_that_is_killed, *boost::unit_test::disabled()) {
  const auto& suite = boost::unit_test::framework::master_test_suite();
  BOOST_REQUIRE_EQUAL(suite.argc, 4);
  const kept how = suite.argv[3] == std::string("in_place") ? kept::in_place : kept::by_copy;
  solve_killed(std::stoi(suite.argv[1]), suite.argv[2], how, {}, [](const auto&) {});
}

namespace {

void check_killed_processes(const std::filesystem::path& file, kept how) {
  const auto rows = *oracle_distances(killed_graph());
  const auto seed = static_cast<std::uint64_t>(std::random_device{}());
  BOOST_TEST_MESSAGE("seed " << seed);
  random_numbers random(seed);

  // How long a process takes that is not killed; the first one loads the program.
  std::array<std::int64_t, 2> longest{};
  for (const int threads : {1, 2, 1, 2}) {
    std::filesystem::remove(label_of(file));
    const auto begin = std::chrono::steady_clock::now();
    BOOST_REQUIRE_EQUAL(status_of(start_solving(threads, file, how)), 0);
    longest[static_cast<std::size_t>(threads - 1)] =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                              begin)
            .count();
    BOOST_CHECK_EQUAL(pivot_of(file), killed_n);
  }

  constexpr int num_rounds = 20;
  constexpr int fewest_resumed = 5;
  int num_resumed = 0;
  int num_complete = 0;
  // More rounds if other work on the machine delays the processes.
  int round = 0;
  for (; round < num_rounds || (num_resumed < fewest_resumed && round < 10 * num_rounds); ++round) {
    std::filesystem::remove(label_of(file));
    // In a third of the rounds a process that has resumed is killed, too.
    const int kills = round % 3 == 0 ? 2 : 1;
    for (int kill = 0; kill < kills; ++kill) {
      const int threads = static_cast<int>(random(1, 2));
      const std::int64_t most = longest[static_cast<std::size_t>(threads - 1)];
      const pid_t process = start_solving(threads, file, how);
      std::this_thread::sleep_for(std::chrono::microseconds(random(most / 4, most * 9 / 10)));
      ::kill(process, SIGKILL);
      static_cast<void>(status_of(process));
    }
    const std::size_t pivot = pivot_of(file);
    if (pivot == killed_n) {
      ++num_complete;
    } else if (pivot != 0) {
      ++num_resumed;
    }
    first_report first;
    BOOST_TEST_CONTEXT("seed " << seed << ", round " << round << ", resumed at pivot " << pivot) {
      solve_killed(static_cast<int>(random(1, 2)), file, how, first.callback(),
                   [&](const auto& d) { check_rows<std::int32_t>(rows, d); });
    }
    if (pivot != 0) BOOST_CHECK_EQUAL(first.done().value(), pivot);
  }
  BOOST_TEST_MESSAGE(num_resumed << " of " << round << " resumed at a pivot, " << num_complete
                                 << " were complete");
  BOOST_CHECK_GE(num_resumed, fewest_resumed);
}

}  // namespace

BOOST_AUTO_TEST_CASE(killed_processes_can_be_resumed) {
  const directory temporary_files("killed");
  check_killed_processes(temporary_files.file(), kept::by_copy);
}

BOOST_AUTO_TEST_CASE(killed_processes_can_be_resumed_in_place) {
  const directory temporary_files("killed_in_place");
  check_killed_processes(temporary_files.file(), kept::in_place);
}

namespace {

template <class T>
void check_resumed(kept how) {
  const directory temporary_files("stopped");
  const auto file = temporary_files.file();
  const auto& g = sample<T>();
  with_results<T>(how, file, n,
                  [&](auto& d) { solve_part(apsp::omp.threads(2), file, g.view(), n, d); });
  const std::size_t pivot = pivot_of(file);
  // What is in the file can be resumed in any memory.
  apsp::matrix<T> copy(n);
  solve_sample(apsp::omp.resume(file), copy, pivot);
  with_results<T>(how, file, n, [&](auto& d) {
    solve_sample(apsp::seq.checkpoint(file, 0s).resume(file), d, pivot);
    BOOST_CHECK_EQUAL(pivot_of(file), n);
    // A complete checkpoint is the result.
    const apsp::mapped_matrix<const T> written(file);
    BOOST_REQUIRE(written.rows() == n && written.cols() == n);
    BOOST_CHECK(std::ranges::equal(written, d));
  });
  // Nothing but the two files is left.
  BOOST_CHECK_EQUAL(contents_of(temporary_files.path()).size(), 2u);
  solve_sample(apsp::omp.resume(file), copy, n);
  with_results<T>(how, file, n, [&](auto& d) {
    solve_sample(apsp::omp.checkpoint(file, 0s).resume(file), d, n);
    BOOST_CHECK(std::ranges::equal(copy, d));
    // From the beginning: there is no label before the first checkpoint in place.
    const auto is_unlabelled = [&](std::size_t reported, std::size_t) {
      if (how == kept::in_place && reported < n) {
        BOOST_REQUIRE(!std::filesystem::exists(label_of(file)));
      }
    };
    BOOST_REQUIRE(
        apsp::floyd_warshall(apsp::seq.checkpoint(file, 1h).progress(is_unlabelled), g.view(), d));
    check_sample(d);
    BOOST_CHECK_EQUAL(pivot_of(file), n);
  });
}

}  // namespace

using numbers = std::tuple<float, double, std::int32_t, std::int64_t, std::uint16_t, std::uint32_t>;

BOOST_AUTO_TEST_CASE_TEMPLATE(stopped_calls_can_be_resumed, T, numbers) {
  check_resumed<T>(kept::by_copy);
}

using numbers_in_place = std::tuple<float, double, std::int32_t, std::int64_t, std::uint32_t>;

BOOST_AUTO_TEST_CASE_TEMPLATE(a_mapped_matrix_is_its_own_checkpoint, T, numbers_in_place) {
  check_resumed<T>(kept::in_place);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_policy_resumes, Policy, policies) {
  const auto& g = sample();
  with_both_kinds([&](kept how) {
    const directory temporary_files("policies");
    const auto file = temporary_files.file();
    with_results<std::int32_t>(
        how, file, n, [&](auto& d) { solve_part(Policy::policy(), file, g.view(), n, d); });
    with_results<std::int32_t>(how, file, n, [&](auto& d) {
      const auto policy = Policy::policy().resume(file).checkpoint(file, 0s);
      int_matrix p(n);
      BOOST_REQUIRE(how == kept::by_copy ? apsp::floyd_warshall(policy, g.view(), d)
                                         : apsp::floyd_warshall(policy, g.view(), d, p));
      check_sample(d);
      if (how == kept::in_place) check_predecessors(g, d, p);
      BOOST_CHECK_EQUAL(pivot_of(file), n);
    });
  });
}

BOOST_AUTO_TEST_CASE(the_first_call_starts_from_the_beginning) {
  const directory temporary_files("first");
  const auto file = temporary_files.file();
  int_matrix d(n);
  solve_sample(apsp::seq.checkpoint(file, 10min).resume(file), d);
  BOOST_CHECK_EQUAL(pivot_of(file), n);
  // Nothing but the two files is left.
  BOOST_CHECK_EQUAL(contents_of(temporary_files.path()).size(), 2u);

  // Without `resume` the files are replaced, also by those of another graph.
  const auto other = random_graph<std::int32_t>(20, 0.2, 1, 9, 3);
  int_matrix small(20);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq.checkpoint(file, 10min), other.view(), small));
  check_distances(other, small);
  BOOST_CHECK_EQUAL(pivot_of(file), 20u);

  // From one file to another.
  const auto next = temporary_files.path() / "next.npy";
  small = apsp::matrix<std::int32_t>(20);
  BOOST_REQUIRE(
      apsp::floyd_warshall(apsp::seq.resume(file).checkpoint(next, 0s), other.view(), small));
  check_distances(other, small);
  BOOST_CHECK_EQUAL(text_of(label_of(next)), text_of(label_of(file)));
  BOOST_CHECK(text_of(next) == text_of(file));
}

BOOST_AUTO_TEST_CASE(small_graphs) {
  with_both_kinds([](kept how) {
    const directory temporary_files("small");
    for (const std::size_t size : {0u, 1u, 2u, 64u, 257u}) {
      const auto file = temporary_files.path() / (std::to_string(size) + ".npy");
      const auto g = random_graph<std::int64_t>(size, 0.1, 1, 99, 3);
      with_results<std::int64_t>(how, file, size, [&](auto& d) {
        for (int call = 0; call < 2; ++call) {
          // In place the second call finds the result.
          if (how == kept::by_copy) std::fill(d.begin(), d.end(), std::int64_t{7});
          BOOST_REQUIRE(
              apsp::floyd_warshall(apsp::omp.checkpoint(file, 0s).resume(file), g.view(), d));
          check_distances(g, d);
        }
      });
      BOOST_CHECK_EQUAL(apsp::mapped_matrix<const std::int64_t>(file).rows(), size);
    }
  });
}

BOOST_AUTO_TEST_CASE(negative_weights_and_other_graphs) {
  const directory temporary_files("negative");
  const auto file = temporary_files.file();
  const auto g = negative_graph<std::int32_t>(n, 0.01, 4);
  int_matrix d(n);
  solve_part(apsp::seq, file, g.view(), n, d);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq.resume(file), g.view(), d));
  const auto plain = solved_at_once(g);
  BOOST_CHECK(std::ranges::equal(plain, d));

  // The order and the form of the arcs do not matter.
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq.resume(file), dense_form(g), d));
  BOOST_CHECK(std::ranges::equal(plain, d));

  auto with_cycle = g;
  with_cycle.add(3, 4, 1000);
  with_cycle.add(4, 3, -1001);
  std::filesystem::remove(label_of(file));
  solve_part(apsp::seq, file, with_cycle.view(), n, d);
  const auto done = apsp::floyd_warshall(apsp::seq.resume(file), with_cycle.view(), d);
  BOOST_REQUIRE(!done);
  check_negative_cycle(with_cycle, done.negative_cycle());

  // Cycles of length 0 that are negative because of rounding: the graph is reweighted.
  const auto rounded = negative_graph<double>(n, 0.01, 4, 0.1);
  apsp::matrix<double> sums(n);
  solve_part(apsp::seq, file, rounded.view(), n, sums);
  BOOST_REQUIRE(
      apsp::floyd_warshall(apsp::seq.checkpoint(file, 0s).resume(file), rounded.view(), sums));
  const auto plain_sums = solved_at_once(rounded);
  check_close(plain_sums, sums);
}

namespace {

/// A checkpoint of a sample that is solved to one half.
struct half_solved {
  explicit half_solved(const std::string& name)
      : temporary_files(name), file(temporary_files.file()) {
    int_matrix d(n);
    solve_part(apsp::seq, file, sample().view(), n, d);
    label = text_of(label_of(file));
    rows = text_of(file);
  }
  void check_kept() const {
    BOOST_CHECK_EQUAL(text_of(label_of(file)), label);
    BOOST_CHECK(text_of(file) == rows);
  }

  directory temporary_files;
  std::filesystem::path file;
  std::string label;
  std::string rows;
};

}  // namespace

BOOST_AUTO_TEST_CASE(results_of_any_kind) {
  const half_solved half("results");
  const auto& file = half.file;
  const std::string& label = half.label;
  const std::string& rows = half.rows;
  const auto& g = sample();
  int_matrix d(n);

  // Predecessors of sparse graphs are found from the distances.
  int_matrix p(n);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::omp.resume(file), g.view(), d, p));
  check_sample(d);
  check_predecessors(g, d, p);

  // The file has rows, whatever the order of the result.
  struct columns {
    std::vector<std::int32_t> entries;
    std::int32_t& operator()(std::size_t i, std::size_t j) { return entries[j * n + i]; }
  };
  columns by_columns{std::vector<std::int32_t>(n * n)};
  BOOST_REQUIRE(
      apsp::floyd_warshall(apsp::seq.resume(file).checkpoint(file, 0s), g.view(), by_columns));
  const written_ints written(file);
  BOOST_CHECK(std::ranges::equal(written, d));
  for_each_pair(n, [&](auto i, auto j) { BOOST_REQUIRE_EQUAL(by_columns(i, j), d[i][j]); });

  // The cutoff is applied to the results, not to the entries of the file.
  put(file, rows);
  put(label_of(file), label);
  int_matrix near(n);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq.cutoff(30).resume(file), g.view(), near));
  for_each_pair(n, [&](auto i, auto j) {
    BOOST_REQUIRE_EQUAL(near[i][j], d[i][j] > 30 ? apsp::unreachable<std::int32_t> : d[i][j]);
  });

  // Undirected graphs are solved like others.
  const auto both_ways = undirected(g);
  solve_part(apsp::seq, file, both_ways.view(), n, d);
  const auto done = apsp::floyd_warshall(apsp::seq.resume(file), both_ways.view(), d);
  BOOST_REQUIRE(done && !done.used_symmetry());
  check_distances(both_ways, d);
}

BOOST_AUTO_TEST_CASE(other_semirings) {
  const directory temporary_files("semirings");
  const auto file = temporary_files.file();
  const auto check = [&](const auto& over) {
    using semiring = std::remove_cvref_t<decltype(over)>;
    using T = typename semiring::value_type;
    const auto g = converted<T>(sample<std::uint16_t>());
    const auto plain = solved_at_once(g, over);
    apsp::matrix<T> d(n);
    solve_part(apsp::seq, file, g.view(), n, d, over);
    BOOST_REQUIRE(apsp::floyd_warshall(apsp::omp.resume(file), g.view(), d, over));
    BOOST_CHECK(std::ranges::equal(plain, d));
  };
  check(apsp::max_min<float>{});
  check(apsp::min_max<std::int32_t>{});
  BOOST_CHECK(contains(text_of(label_of(file)), "semiring min_max\n"));
  check(kinds_of_traffic{});
  BOOST_CHECK(contains(text_of(label_of(file)), "semiring user-defined\n"));
}

BOOST_AUTO_TEST_CASE(files_of_other_calls_are_refused) {
  const half_solved half("refused");
  const auto& file = half.file;
  const std::string& label = half.label;
  const std::string& rows = half.rows;
  const auto& g = sample();
  const auto resuming = apsp::seq.checkpoint(file, 0s).resume(file);

  const auto mismatch = [&](const auto& graph, const auto& over, const std::string& words) {
    using T = typename std::remove_cvref_t<decltype(over)>::value_type;
    apsp::matrix<T> results(graph.n, graph.n, T{7});
    check_refused([&] { return apsp::floyd_warshall(resuming, graph.view(), results, over); },
                  words);
    check_untouched(results, T{7});
    half.check_kept();
  };
  const apsp::min_plus<std::int32_t> sums;
  mismatch(random_graph<std::int32_t>(n - 1, 0.005, 1, 99, 17), sums,
           "vertices 1110, as this call has, got 1111");
  mismatch(sample<float>(), apsp::min_plus<float>{}, "type <f4, as this call has, got <i4");
  mismatch(g, apsp::min_max<std::int32_t>{}, "semiring min_max, as this call has, got min_plus");
  auto other = g;
  ++other.weights[other.size() / 2];
  mismatch(other, sums, "graph ");
  auto moved = g;
  std::swap(moved.sources[9], moved.targets[9]);
  mismatch(moved, sums, "graph ");

  int_matrix results(n, n, 7);
  const auto solve = [&] { return apsp::floyd_warshall(resuming, g.view(), results); };
  const auto damaged = [&](std::size_t line, const std::string& words) {
    refused(solve, line, words);
    check_untouched(results, 7);
    put(label_of(file), label);
    put(file, rows);
  };
  put(label_of(file), "");
  damaged(1, "expected 'apsp-checkpoint' and its value, got ''");
  put(label_of(file), "vertices 5\n");
  damaged(1, "got 'vertices 5'");
  for (const std::size_t size : {label.size() - 1, label.size() - 7, label.size() / 2}) {
    put(label_of(file), label.substr(0, size));
    check_refused<apsp::file_error>(solve);
    check_untouched(results, 7);
  }
  const std::string beginning = label.substr(0, label.find("pivot "));
  for (const char* const pivot : {"", "-1", "1112", "12x", "99999999999999999999999"}) {
    put(label_of(file), with_checksum(beginning + "pivot " + pivot + "\n"));
    damaged(7, "expected a pivot from 0 to 1111");
  }
  // Every character is protected, also the digits of the pivot.
  BOOST_REQUIRE_EQUAL(label, with_checksum(label.substr(0, label.find("checksum "))));
  for (std::size_t i = 0; i < label.size(); ++i) {
    for (const int change : {1, 0x80}) {
      std::string changed = label;
      changed[i] = static_cast<char>(changed[i] ^ change);
      put(label_of(file), changed);
      const auto why = message_of<apsp::file_error>(solve);
      BOOST_CHECK_MESSAGE(!why.empty() && is_printable(why), "character " << i << ": " << why);
    }
  }
  check_untouched(results, 7);
  put(label_of(file), "apsp-checkpoint 1\n" + label.substr(label.find('\n') + 1));
  damaged(1, "expected version 2 of the format, got '1'");
  put(label_of(file), "apsp-checkpoint \x1b[2J\n");
  damaged(1, "got '?[2J'");
  put(file, rows.substr(0, rows.size() - 1));
  damaged(0, "expected " + std::to_string(rows.size()) + " bytes, got " +
                 std::to_string(rows.size() - 1));
  put(file, "");
  damaged(0, "expected the .npy header of 1111 x 1111 entries of type <i4");
  std::filesystem::remove(file);
  damaged(0, "cannot be opened");

  solve_sample(resuming, results);
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_written) {
  const directory temporary_files("unwritable");
  const auto& g = sample();
  int_matrix d(n, n, 7);
  first_report first;
  const auto refuse = [&](const std::filesystem::path& file, const std::string& words,
                          const apsp::progress_callback& progress) {
    const auto policy = apsp::omp.checkpoint(file, 0s).progress(progress);
    refused([&] { return apsp::floyd_warshall(policy, g.view(), d); }, 0, words);
  };
  const auto report = first.callback();
  refuse(temporary_files.path() / "missing" / "d.npy", "cannot be opened for writing", report);
  refuse(temporary_files.path(), "cannot be opened for writing", report);
  // A name that is too long for the label alone.
  refuse(temporary_files.path() / std::string(250, 'a'), "", report);

  // No room on the disk.
  constexpr std::size_t small = 100000;
  const auto full = temporary_files.path() / "full.npy";
  {
    const file_size_limit limit(small);
    refuse(full, "room", report);
    BOOST_CHECK(!std::filesystem::exists(full));
  }
  BOOST_CHECK(!first.done());
  check_untouched(d, 7);

  // A failure during the solve ends it.
  std::optional<file_size_limit> limit;
  const auto limit_size = [&](std::size_t done, std::size_t) {
    if (done > n / 2 && !limit) limit.emplace(small);
  };
  refuse(full, "cannot be written", limit_size);
  limit.reset();
  const auto gone = temporary_files.path() / "gone";
  std::filesystem::create_directory(gone);
  const auto remove = [&](std::size_t, std::size_t) { std::filesystem::remove_all(gone); };
  refuse(gone / "d.npy", "cannot be opened for writing", remove);

  // What is left of a failed call can be resumed.
  solve_sample(apsp::omp.checkpoint(full, 0s).resume(full), d);
}

// A call without `resume` would replace them.
BOOST_AUTO_TEST_CASE(a_checkpoint_remains_if_there_is_no_room_for_another_one) {
  const test_directory files("checkpoint_without_room");
  const auto file = files.path() / "distances.npy";
  const auto check_refused_call = [&](const auto& g, std::size_t size) {
    const auto before = contents_of(files.path());
    int_matrix d(size, size, 7);
    refused([&] { return apsp::floyd_warshall(apsp::seq.checkpoint(file, 0s), g.view(), d); }, 0,
            "expected room for");
    check_untouched(d, 7);
    BOOST_CHECK(contents_of(files.path()) == before);
  };
  const auto keep_small = [&] {
    const auto g = random_graph<std::int32_t>(50, 0.2, 1, 9, 3);
    int_matrix d(50);
    BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq.checkpoint(file, 0s), g.view(), d));
    BOOST_REQUIRE_EQUAL(pivot_of(file), 50u);
  };
  {
    keep_small();
    const file_size_limit limit(100'000);
    check_refused_call(sample(), n);
  }
  std::filesystem::remove(file);
  std::filesystem::remove(label_of(file));
  const small_disk disk(files.path(), std::size_t{1} << 20);
  if (!disk.is_mounted()) return;
  keep_small();
  const auto free = disk.free_bytes();
  check_refused_call(sample(), n);
  BOOST_CHECK_EQUAL(disk.free_bytes(), free);
}

namespace {

/// Checks that no other call may write or read the checkpoint in that file, but for `resume` if the
/// file is only read.
/// @param words  what the messages say
void check_held(const std::filesystem::path& file, bool is_read_alone, const std::string& words) {
  const auto& g = sample();
  const auto before = contents_of(file.parent_path());
  int_matrix d(n, n, 7);
  const auto solve = [&](const auto& policy) {
    return [&d, &g, policy] { return apsp::floyd_warshall(policy, g.view(), d); };
  };
  check_refused<apsp::file_error>(solve(apsp::seq.checkpoint(file, 0s)), words);
  check_refused<apsp::file_error>(solve(apsp::omp.checkpoint(file, 0s).resume(file)), words);
  check_refused<apsp::file_error>([&] { const mapped_ints m(file, n); }, words);
  if (is_read_alone) {
    BOOST_REQUIRE(solve(apsp::seq.resume(file))());
    check_sample(d);
  } else {
    check_refused<apsp::file_error>(solve(apsp::seq.resume(file)), words);
    check_untouched(d, 7);
  }
  BOOST_CHECK(contents_of(file.parent_path()) == before);
}

/// What messages say of the process that holds a file. The system tells it by the device of the
/// file, which is another one on some file systems.
std::string holder_in(const std::filesystem::path& file, const std::string& process) {
  struct stat status {};
  BOOST_REQUIRE_EQUAL(::stat(file.c_str(), &status), 0);
  const bool is_known = std::filesystem::exists("/proc/locks") && (status.st_dev >> 8) != 0;
  return is_known ? "held by a call in " + process : "held by a call";
}

}  // namespace

// Run by the next test case alone.
BOOST_AUTO_TEST_CASE(process_that_finds_a_held_file, *boost::unit_test::disabled()) {
  const auto& suite = boost::unit_test::framework::master_test_suite();
  BOOST_REQUIRE_EQUAL(suite.argc, 4);
  const std::filesystem::path file = suite.argv[2];
  check_held(file, suite.argv[3] == std::string("read"),
             holder_in(file, "process " + std::to_string(::getppid())));
}

BOOST_AUTO_TEST_CASE(one_call_at_a_time_holds_a_checkpoint) {
  const half_solved half("held");
  const auto& g = sample();
  const auto check = [&](const auto& policy, const std::filesystem::path& file, auto& d,
                         bool is_read_alone) {
    int num_checks = 0;
    const auto others = [&](std::size_t, std::size_t) {
      if (num_checks++ != 0) return;
      check_held(file, is_read_alone, holder_in(file, "this process"));
      BOOST_CHECK_EQUAL(status_of(start("process_that_finds_a_held_file", "1", file,
                                        is_read_alone ? "read" : "written")),
                        0);
    };
    BOOST_REQUIRE(apsp::floyd_warshall(policy.progress(others), g.view(), d));
    BOOST_CHECK_GE(num_checks, 1);
    check_sample(d);
  };
  int_matrix d(n);
  check(apsp::seq.resume(half.file), half.file, d, true);
  check(apsp::seq.checkpoint(half.file, 1h).resume(half.file), half.file, d, false);
  BOOST_CHECK_EQUAL(pivot_of(half.file), n);
  // From one file to another, which is new.
  const auto other = half.temporary_files.path() / "other.npy";
  check(apsp::seq.checkpoint(other, 1h).resume(half.file), other, d, false);
  BOOST_CHECK_EQUAL(pivot_of(other), n);
  check(apsp::seq.checkpoint(other, 1h), other, d, false);
  BOOST_CHECK_EQUAL(pivot_of(other), n);
  // In place.
  mapped_ints own(other, n);
  check(apsp::seq.checkpoint(other, 1h), other, own, false);
  check(apsp::seq.resume(other), other, own, false);
  // Nothing is held after the calls, nor after one that has failed, and no other file is left.
  const auto failing = [](std::size_t, std::size_t) { throw std::range_error("stop"); };
  check_refused<std::range_error>([&] {
    return apsp::floyd_warshall(apsp::seq.checkpoint(half.file, 0s).progress(failing), g.view(), d);
  });
  BOOST_REQUIRE(
      apsp::floyd_warshall(apsp::omp.checkpoint(half.file, 0s).resume(half.file), g.view(), d));
  BOOST_CHECK_EQUAL(contents_of(half.temporary_files.path()).size(), 4u);
}

// Processes that are started at about the same time and killed; the last one goes on.
BOOST_AUTO_TEST_CASE(two_processes_on_one_file) {
  const directory temporary_files("two");
  const auto file = temporary_files.file();
  const auto plain = solved_at_once(killed_graph());
  const auto seed = static_cast<std::uint64_t>(std::random_device{}());
  BOOST_TEST_MESSAGE("seed " << seed);
  random_numbers random(seed);
  constexpr int num_rounds = 8;
  for (int round = 0; round < num_rounds; ++round) {
    std::filesystem::remove(file);
    std::filesystem::remove(label_of(file));
    const pid_t first = start_solving(1, file, kept::by_copy);
    std::this_thread::sleep_for(std::chrono::milliseconds(random(0, 150)));
    const pid_t second = start_solving(2, file, kept::by_copy);
    std::this_thread::sleep_for(std::chrono::milliseconds(random(50, 400)));
    for (const pid_t process : {first, second}) {
      ::kill(process, SIGKILL);
      static_cast<void>(status_of(process));
    }
    const std::size_t pivot = pivot_of(file);
    solve_killed(1, file, kept::by_copy, {}, [&](const auto& d) {
      BOOST_REQUIRE_MESSAGE(std::ranges::equal(d, plain),
                            "seed " << seed << ", round " << round << ", from pivot " << pivot);
    });
  }
}

BOOST_AUTO_TEST_CASE(pages_reach_the_disk_at_different_times) {
  const directory temporary_files("pages");
  const auto file = temporary_files.file();
  const auto g = negative_graph<std::int32_t>(n, 0.01, 4);
  const auto rows = *oracle_distances(g);
  // What a disk may have: the label of a checkpoint, and every page as it was then or later.
  struct snapshot {
    std::string label;
    std::string bytes;
  };
  std::vector<snapshot> snapshots;
  {
    mapped_ints d(file, n);
    const auto take = [&](std::size_t, std::size_t) {
      std::string label = text_of(label_of(file));
      snapshots.push_back({std::move(label), text_of(file)});
    };
    BOOST_REQUIRE(apsp::floyd_warshall(apsp::omp.checkpoint(file, 0s).progress(take), g.view(), d));
    take(n, n);
    check_rows<std::int32_t>(rows, d);
  }
  const auto seed = static_cast<std::uint64_t>(std::random_device{}());
  BOOST_TEST_MESSAGE("seed " << seed);
  random_numbers random(seed);
  constexpr std::size_t page = 4096;
  int num_resumed = 0;
  for (int round = 0; round < 20; ++round) {
    const std::size_t first = random.index(snapshots.size());
    if (snapshots[first].label.empty()) continue;
    std::string bytes = snapshots[first].bytes;
    for (std::size_t begin = 0; begin < bytes.size(); begin += page) {
      const std::string& later = snapshots[first + random.index(snapshots.size() - first)].bytes;
      bytes.replace(begin, page, later, begin, page);
    }
    put(file, bytes);
    put(label_of(file), snapshots[first].label);
    ++num_resumed;
    mapped_ints d(file);
    BOOST_REQUIRE(apsp::floyd_warshall(apsp::omp.checkpoint(file, 0s).resume(file), g.view(), d));
    check_rows<std::int32_t>(rows, d);
  }
  BOOST_TEST_MESSAGE(num_resumed << " of 20 had a label");
}

BOOST_AUTO_TEST_CASE(names_of_one_file) {
  const directory temporary_files("names");
  const auto file = temporary_files.file();
  const auto link = temporary_files.path() / "link.npy";
  std::filesystem::create_symlink(file.filename(), link);
  const auto detour =
      temporary_files.path() / ".." / temporary_files.path().filename() / "." / file.filename();
  const auto& g = sample();
  mapped_ints d(file, n);
  solve_part(apsp::omp, link, g.view(), n, d);
  const std::size_t pivot = pivot_of(file);
  BOOST_CHECK(!std::filesystem::exists(link.string() + ".pivot"));
  solve_sample(apsp::omp.resume(detour).checkpoint(link, 0s), d, pivot);
  BOOST_CHECK_EQUAL(pivot_of(file), n);

  // The label is that of the file, whatever the name under which a new call begins.
  const auto other = random_graph<std::int32_t>(n, 0.005, 1, 40, 18);
  solve_part(apsp::omp, detour, other.view(), n, d);
  check_refused([&] { return apsp::floyd_warshall(apsp::omp.resume(file), g.view(), d); },
                "graph ");
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::omp.resume(link), other.view(), d));
  check_distances(other, d);

  // So it is for copies.
  int_matrix copy(n);
  const auto copied = temporary_files.path() / "copied.npy";
  const auto link_to_copied = temporary_files.path() / "link_to_copied.npy";
  solve_part(apsp::seq, copied, g.view(), n, copy);
  std::filesystem::create_symlink(copied, link_to_copied);
  solve_sample(apsp::seq.resume(link_to_copied), copy, pivot_of(copied));
}

BOOST_AUTO_TEST_CASE(a_new_file_is_no_checkpoint) {
  const half_solved half("new");
  const auto& g = sample();
  mapped_ints d(half.file, n);
  BOOST_CHECK(!std::filesystem::exists(label_of(half.file)));
  first_report first;
  BOOST_REQUIRE(apsp::floyd_warshall(
      apsp::seq.resume(half.file).checkpoint(half.file, 0s).progress(first.callback()), g.view(),
      d));
  BOOST_CHECK_LT(first.done().value(), n / 2);
  check_sample(d);
}

BOOST_AUTO_TEST_CASE(from_and_to_a_mapped_matrix) {
  const half_solved half("from");
  const auto& g = sample();
  const std::size_t pivot = pivot_of(half.file);
  const auto own = half.temporary_files.path() / "own.npy";
  const auto other = half.temporary_files.path() / "other.npy";
  mapped_ints d(own, n);
  // From another file.
  solve_sample(apsp::seq.resume(half.file).checkpoint(own, 0s), d, pivot);
  BOOST_CHECK_EQUAL(pivot_of(own), n);
  half.check_kept();
  // Resumed alone: the label remains, and is true.
  solve_part(apsp::omp, own, g.view(), n, d);
  const std::string label = text_of(label_of(own));
  solve_sample(apsp::seq.resume(own), d, pivot_of(own));
  BOOST_CHECK_EQUAL(text_of(label_of(own)), label);
  solve_sample(apsp::omp.resume(own), d, pivot_of(own));
  // To another file.
  solve_sample(apsp::omp.resume(own).checkpoint(other, 0s), d, pivot_of(own));
  BOOST_CHECK_EQUAL(pivot_of(other), n);
  BOOST_CHECK_EQUAL(text_of(label_of(own)), label);
  const written_ints copied(other);
  BOOST_CHECK(std::ranges::equal(copied, d));
  // A view of all of the file is that matrix, and files that are only read do not matter.
  const written_ints reader(own);
  apsp::matrix_view<std::int32_t> view(d.data(), n, n);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::omp.resume(own).checkpoint(own, 0s), g.view(), view));
  check_sample(d);
  BOOST_CHECK_EQUAL(pivot_of(own), n);
  // Other semirings.
  const auto over = apsp::max_min<std::int32_t>{};
  solve_part(apsp::omp, own, g.view(), n, d, over);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::omp.resume(own).checkpoint(own, 0s), g.view(), d, over));
  BOOST_CHECK(std::ranges::equal(solved_at_once(g, over), d));
}

BOOST_AUTO_TEST_CASE(negative_weights_in_a_mapped_matrix) {
  const directory temporary_files("own_negative");
  const auto file = temporary_files.file();
  auto g = negative_graph<std::int32_t>(n, 0.002, 4);  // some vertices are not reached
  {
    mapped_ints d(file, n);
    solve_part(apsp::omp, file, g.view(), n, d);
    BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq.resume(file), g.view(), d));
    check_distances(g, d);
    g.add(3, 4, 1000);
    g.add(4, 3, -1001);
    solve_part(apsp::omp, file, g.view(), n, d);
    const auto done =
        apsp::floyd_warshall(apsp::seq.checkpoint(file, 0s).resume(file), g.view(), d);
    BOOST_REQUIRE(!done);
    check_negative_cycle(g, done.negative_cycle());
    BOOST_CHECK_EQUAL(pivot_of(file), n);
    const auto again = apsp::floyd_warshall(apsp::omp.resume(file), g.view(), d);
    BOOST_REQUIRE(!again);
    check_negative_cycle(g, again.negative_cycle());
  }
  // The second solve because of rounding begins with other entries, so there is no checkpoint.
  const auto rounded = negative_graph<double>(n, 0.1, 4, 0.1);
  const auto plain = solved_at_once(rounded);
  const auto half = temporary_files.path() / "half.npy";
  apsp::matrix<double> copy(n);
  solve_part(apsp::omp, half, rounded.view(), n, copy);
  for (const bool writes : {true, false}) {
    std::filesystem::copy_file(half, file, std::filesystem::copy_options::overwrite_existing);
    put(label_of(file), text_of(label_of(half)));
    apsp::mapped_matrix<double> sums(file);
    const auto done = writes ? apsp::floyd_warshall(apsp::omp.checkpoint(file, 0s).resume(file),
                                                    rounded.view(), sums)
                             : apsp::floyd_warshall(apsp::omp.resume(file), rounded.view(), sums);
    BOOST_REQUIRE(done);
    BOOST_REQUIRE(done.algorithm() == apsp::algorithm::johnson);
    BOOST_CHECK(!std::filesystem::exists(label_of(file)));
    check_close(plain, sums);
  }
}

BOOST_AUTO_TEST_CASE(other_results_in_a_mapped_file_are_refused) {
  const directory temporary_files("own_refused");
  const auto file = temporary_files.file();
  const auto& g = sample();
  mapped_ints d(file, n);
  solve_part(apsp::omp, file, g.view(), n, d);
  const std::string label = text_of(label_of(file));
  const std::string bytes = text_of(file);
  const auto check_kept = [&] {
    BOOST_CHECK_EQUAL(text_of(label_of(file)), label);
    BOOST_CHECK(text_of(file) == bytes);
  };
  const auto resuming = apsp::omp.checkpoint(file, 0s).resume(file);
  const std::string why = "is the file of a mapped_matrix";
  const auto refuse = [&](auto call) {
    for (const auto& policy : {apsp::omp.checkpoint(file, 0s), apsp::omp.resume(file), resuming}) {
      check_refused([&] { return call(policy); }, why);
      check_kept();
    }
  };
  const auto view = g.view();
  int_matrix elsewhere(n, n, 7);
  refuse([&](const auto& policy) { return apsp::floyd_warshall(policy, view, elsewhere); });
  refuse([&](const auto& policy) { return apsp::floyd_warshall(policy, view, elsewhere, d); });
  check_untouched(elsewhere, 7);
  refuse([&](const auto& policy) { return apsp::floyd_warshall(policy.cutoff(30), view, d); });
  struct columns {
    std::int32_t* entries;
    std::int32_t& operator()(std::size_t i, std::size_t j) const { return entries[j * n + i]; }
  };
  columns by_columns{d.data()};
  refuse([&](const auto& policy) { return apsp::floyd_warshall(policy, view, by_columns); });
  // Only a part of the file, also one that begins with its first row.
  const auto half = random_graph<std::int32_t>(n / 2, 0.01, 1, 9, 3);
  apsp::matrix_view<std::int32_t> corner(d.data(), n / 2, n / 2, n);
  refuse([&](const auto& policy) { return apsp::floyd_warshall(policy, half.view(), corner); });
  apsp::matrix_view<std::int32_t> beginning(d.data(), n / 2, n / 2);
  refuse([&](const auto& policy) { return apsp::floyd_warshall(policy, half.view(), beginning); });
  apsp::matrix_view<std::uint32_t> other_type(reinterpret_cast<std::uint32_t*>(d.data()), n, n);
  const auto other = converted<std::uint32_t>(g);
  refuse(
      [&](const auto& policy) { return apsp::floyd_warshall(policy, other.view(), other_type); });
  // Another graph, and a label that is none.
  auto changed = g;
  ++changed.weights[changed.size() / 2];
  check_refused([&] { return apsp::floyd_warshall(resuming, changed.view(), d); }, "graph ");
  check_kept();
  put(label_of(file), label.substr(0, label.size() / 2));
  check_refused<apsp::file_error>([&] { return apsp::floyd_warshall(resuming, view, d); });
  BOOST_CHECK(text_of(file) == bytes);
  put(label_of(file), label);
  BOOST_REQUIRE(apsp::floyd_warshall(resuming, view, d));
  check_sample(d);

  // Types that are not the type of the computation.
  const auto refuse_new = [&](const char* name, const auto& graph, auto& result) {
    const auto policy = apsp::seq.checkpoint(temporary_files.path() / name, 0s);
    check_refused([&] { return apsp::floyd_warshall(policy, graph.view(), result); }, why);
    check_untouched(result, typename std::remove_cvref_t<decltype(result)>::value_type{});
  };
  apsp::mapped_matrix<std::uint16_t> shorts(temporary_files.path() / "narrow.npy", n);
  refuse_new("narrow.npy", sample<std::uint16_t>(), shorts);
  // Paths that need a proof that they fit.
  const auto heavy = random_graph<std::int32_t>(n, 0.005, 900'000, 1'000'000, 3);
  mapped_ints sums(temporary_files.path() / "wide.npy", n);
  refuse_new("wide.npy", heavy, sums);
  int_matrix copy(n);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq.checkpoint(temporary_files.path() / "copy.npy", 0s),
                                     heavy.view(), copy));
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, heavy.view(), sums));
  BOOST_CHECK(std::ranges::equal(sums, copy));
}

BOOST_AUTO_TEST_CASE(settings_are_checked) {
  check_refused([&] { return apsp::seq.checkpoint("", 1s); });
  check_refused([&] { return apsp::seq.resume(""); });
  check_refused([] { return apsp::omp.checkpoint("d", -1s); }, "of at least 0 s, got -1");
  check_refused([&] {
    return apsp::cuda_tiled.checkpoint(
        "d", std::chrono::duration<double>(std::numeric_limits<double>::quiet_NaN()));
  });
  const auto policy = apsp::omp.threads(3).checkpoint("d", 90s).cutoff(4).resume("e");
  static_assert(apsp::execution_policy<decltype(policy)>);
  BOOST_CHECK(policy.threads() == 3 && policy.cutoff() == 4);
  const auto& settings = policy.attached_observer().checkpoints;
  BOOST_CHECK(settings.file == "d" && settings.resumed_file == "e" && settings.every == 90s);
  BOOST_CHECK(apsp::cuda_tiled.checkpoint("d", std::chrono::hours::max()).resume("d").device() ==
              -1);
}

BOOST_AUTO_TEST_CASE(other_calls_are_refused) {
  // Without files, and with an old checkpoint, which remains.
  const half_solved half("others");
  const auto file = half.temporary_files.path() / "new.npy";
  const auto g = random_graph<std::int32_t>(50, 0.2, 1, 9, 3);
  int_matrix d(50, 50, 7), p(50, 50, 7);
  const auto check_kept = [&] {
    check_untouched(d, 7);
    check_untouched(p, 7);
    BOOST_CHECK(!std::filesystem::exists(label_of(file)));
    half.check_kept();
  };
  const auto refuse = [&](auto call,
                          const std::string& words = "are for floyd_warshall of one graph") {
    for (const auto& policy : {apsp::seq.checkpoint(file, 0s), apsp::seq.resume(file),
                               apsp::seq.checkpoint(half.file, 0s)}) {
      check_refused([&] { return call(policy); }, words);
    }
    check_kept();
  };
  const auto refuse_with_every_policy = [&](auto call, const std::string& words) {
    refuse(call, words);
    check_refused([&] { return call(apsp::omp.checkpoint(half.file, 0s)); }, words);
    check_refused([&] { return call(apsp::cuda_tiled.checkpoint(half.file, 0s)); }, words);
    check_kept();
  };
  const auto view = g.view();
  refuse_with_every_policy([&](const auto& policy) { return apsp::dijkstra(policy, view, d); },
                           "are for floyd_warshall of one graph");
  refuse([&](const auto& policy) { return apsp::bellman_ford(policy, view, d); });
  refuse([&](const auto& policy) { return apsp::johnson(policy, view, d); });
  refuse([&](const auto& policy) { return apsp::repeated_squaring(policy, view, d); });
  refuse([&](const auto& policy) { return apsp::all_pairs_shortest_paths(policy, view, d); });
  refuse([&](const auto& policy) { return apsp::transitive_closure(policy, view, d); });
  refuse([&](const auto& policy) { return apsp::min_plus_product(policy, d, d, p); });
  refuse([&](const auto& policy) { return apsp::summarize_paths<std::int32_t>(policy, view); });
  refuse([&](const auto& policy) {
    return apsp::for_each_row(policy, view, all_vertices(50),
                              [](std::size_t, std::span<const std::int32_t>) {});
  });
  apsp::bit_matrix bits(50);
  refuse(
      [&](const auto& policy) { return apsp::floyd_warshall(policy, view, bits, apsp::or_and{}); });
  check_refused([&] { return apsp::repeated_squaring(apsp::omp.resume(file), view, d); },
                "are for floyd_warshall of one graph");
  check_refused([&] { return apsp::repeated_squaring(apsp::cuda_tiled.resume(file), view, d); },
                "are for floyd_warshall of one graph");
  const std::vector graphs{view};
  std::vector<apsp::matrix<std::int32_t>> many(1, d);
  refuse([&](const auto& policy) { return apsp::floyd_warshall(policy, graphs, many); });

  // Predecessors that are recorded during the solve are not in the file.
  refuse_with_every_policy(
      [&](const auto& policy) { return apsp::floyd_warshall(policy, view, d, p); },
      "finds predecessors only for sparse graphs");
  // The file has entries of the type of the distances.
  auto heavy = converted<std::uint8_t>(g);
  apsp::matrix<std::uint8_t> narrow(50, 50, 7);
  refuse_with_every_policy(
      [&](const auto& policy) { return apsp::floyd_warshall(policy, heavy.view(), narrow); },
      "expected one that holds the length of every path, got |u1");
  check_untouched(narrow, std::uint8_t{7});
  const arc_list<long double> wide = converted<long double>(g);
  apsp::matrix<long double> sums(50, 50, 7);
  refuse([&](const auto& policy) { return apsp::floyd_warshall(policy, wide.view(), sums); },
         "of 1 to 8 bytes, got another type");
  check_untouched(sums, 7.0L);

  // A call that is stopped at once leaves an old checkpoint, too.
  BOOST_CHECK(
      apsp::floyd_warshall(apsp::omp.checkpoint(half.file, 0s).stop(requested_stop()), view, d)
          .stopped());
  BOOST_CHECK_EQUAL(text_of(label_of(half.file)), half.label);
}
