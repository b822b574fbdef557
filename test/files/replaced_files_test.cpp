// SPDX-License-Identifier: BSL-1.0
// Tests of files that are replaced: what was there is as it was unless a call succeeds, also if the
// disk is full or the process is killed, and what is mapped stays valid.
#define BOOST_TEST_MODULE replaced_files
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/mapped_matrix.hpp>
#include <apsp/matrix.hpp>
#include <apsp/npy.hpp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "../common/files.hpp"
#include "../common/limited_files.hpp"

using namespace apsp_test;

namespace {

/// A matrix that calls f when its middle row is read.
template <class F>
struct interrupted {
  std::size_t n;
  F f;

  std::size_t rows() const { return n; }
  std::size_t cols() const { return n; }
  float operator()(std::size_t i, std::size_t j) const {
    if (i == n / 2 && j == 0) f();
    return static_cast<float>(i * n + j);
  }
};
template <class F>
interrupted(std::size_t, F) -> interrupted<F>;

/// A matrix that is in a file.
apsp::matrix<float> some_matrix(std::size_t n, float first) {
  apsp::matrix<float> m(n);
  for (float& entry : m) entry = first++;
  return m;
}

/// Checks that a call throws file_error, and that the files of the directory are as they were.
template <class Call>
void check_kept(const std::filesystem::path& directory, const std::string& reason, Call call) {
  const auto before = contents_of(directory);
  refused(call, 0, reason);
  BOOST_CHECK(contents_of(directory) == before);
}

// Larger than the room that is left.
constexpr std::size_t large = 1000;

void check_without_room(const std::filesystem::path& directory) {
  const auto file = directory / "m.npy";
  const auto m = some_matrix(large, 1);
  for (const bool is_there : {false, true}) {
    if (is_there) apsp::write_npy(file, some_matrix(10, 5));
    check_kept(directory, "expected room for 4000128 bytes on the disk: ", [&] {
      const apsp::mapped_matrix<float> created(file, large);
    });
    check_kept(directory, "cannot be written: ", [&] { apsp::write_npy(file, m); });
    check_kept(directory, "cannot be written: ", [&] {
      apsp::write_npy(file, interrupted{large, [] {}});
    });
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_limit_for_the_size_of_files) {
  const test_directory files("limited");
  // The limit sends a signal, too, which would end this process.
  const file_size_limit limit(1'000'000);
  check_without_room(files.path());
  apsp::mapped_matrix<float> small(files.path() / "m.npy", 100);
  BOOST_CHECK_EQUAL(small.rows(), 100u);
}

BOOST_AUTO_TEST_CASE(a_full_disk) {
  const test_directory files("full");
  const small_disk disk(files.path(), std::size_t{1} << 20);
  if (!disk.is_mounted()) return;
  check_without_room(files.path());
  const auto free = disk.free_bytes();
  check_without_room(files.path());
  BOOST_CHECK_EQUAL(disk.free_bytes(), free);
  // There is room for the old matrix, but not for two of that size: both are on the disk for a
  // moment.
  const auto file = files.path() / "m.npy";
  {
    const apsp::mapped_matrix<float> fits(file, 400);
    check_kept(files.path(), "on the disk",
               [&] { const apsp::mapped_matrix<float> second(file, 400); });
    std::filesystem::remove(file);
  }
  // The room of what is still mapped becomes free.
  apsp::mapped_matrix<float> again(file, 400);
  std::fill(again.begin(), again.end(), 1.0F);
  again.flush();
}

BOOST_AUTO_TEST_CASE(exceptions_and_killed_processes) {
  const test_directory files("killed");
  const auto file = files.path() / "m.npy";
  for (const bool is_there : {false, true}) {
    if (is_there) apsp::write_npy(file, some_matrix(30, 5));
    const auto before = contents_of(files.path());
    BOOST_CHECK_THROW(apsp::write_npy(file, interrupted{large, [] { throw std::range_error(""); }}),
                      std::range_error);
    BOOST_CHECK(contents_of(files.path()) == before);
#ifdef __linux__
    const pid_t child = ::fork();
    if (child == 0) {
      apsp::write_npy(file, interrupted{large, [] { ::kill(::getpid(), SIGKILL); }});
      ::_exit(0);
    }
    int status = 0;
    BOOST_REQUIRE_EQUAL(::waitpid(child, &status, 0), child);
    BOOST_REQUIRE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    BOOST_CHECK(contents_of(files.path()) == before);
#endif
  }
}

BOOST_AUTO_TEST_CASE(mapped_matrices_stay_valid) {
  const test_directory files("mapped");
  const auto file = files.path() / "m.npy";
  apsp::mapped_matrix<float> first(file, large);
  const auto entries = some_matrix(large, 1);
  std::copy(entries.begin(), entries.end(), first.begin());
  const auto check_first = [&] {
    BOOST_CHECK(std::equal(first.begin(), first.end(), entries.begin()));
  };
  apsp::mapped_matrix<float> second(file, 3);
  second[2][2] = 7;
  check_first();
  apsp::write_npy(file, some_matrix(2, 40));
  check_first();
  BOOST_CHECK_EQUAL(second[2][2], 7);
  BOOST_CHECK_EQUAL(apsp::mapped_matrix<const float>(file)[1][1], 43);
  first[0][0] = 9;  // has no name any more
  BOOST_CHECK_EQUAL(apsp::mapped_matrix<const float>(file)[0][0], 40);
}

BOOST_AUTO_TEST_CASE(names_and_permissions) {
  const test_directory files("names");
  const auto file = files.path() / "m.npy";
  const auto link = files.path() / "link.npy";
  const auto permissions_of = [&] {
    struct stat status {};
    BOOST_REQUIRE_EQUAL(::stat(file.c_str(), &status), 0);
    return status.st_mode & 0777;
  };
  const auto write_both = [&](const std::filesystem::path& name) {
    apsp::write_npy(name, some_matrix(3, 1));
    const apsp::mapped_matrix<float> created(name, 5);
  };
  // A link to a file that does not exist yet.
  std::filesystem::create_symlink("m.npy", link);
  write_both(link);
  BOOST_CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(file)));
  BOOST_REQUIRE_EQUAL(::chmod(file.c_str(), 0640), 0);
  write_both(link);
  BOOST_CHECK_EQUAL(permissions_of(), 0640u);
  BOOST_CHECK(std::filesystem::is_symlink(link));
  BOOST_CHECK_EQUAL(apsp::mapped_matrix<const float>(file).rows(), 5u);
  BOOST_CHECK_EQUAL(contents_of(files.path()).size(), 2u);
  // The file of another name keeps its entries.
  const auto other = files.path() / "other.npy";
  std::filesystem::create_hard_link(file, other);
  apsp::write_npy(file, some_matrix(3, 1));
  BOOST_CHECK_EQUAL(apsp::mapped_matrix<const float>(other).rows(), 5u);

  const auto folder = files.path() / "folder.npy";
  std::filesystem::create_directory(folder);
  refused([&] { write_both(folder); }, 0, "cannot be opened for writing: ");
  refused([&] { write_both(files.path() / "none" / "m.npy"); }, 0,
          "cannot be opened for writing: ");
  refused([&] { write_both(files.path() / std::string(300, 'a')); }, 0,
          "cannot be opened for writing: ");
  if (::geteuid() == 0) return;  // It may write all files.
  BOOST_REQUIRE_EQUAL(::chmod(file.c_str(), 0440), 0);
  check_kept(files.path(), "cannot be opened for writing: ", [&] { write_both(file); });
}
