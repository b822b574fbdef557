// SPDX-License-Identifier: BSL-1.0
#pragma once

// Files that have too little room, and what must remain of those that were there.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>

#ifdef __linux__
#include <sys/mount.h>
#endif

#include "files.hpp"

namespace apsp_test {

/// An empty directory for the files of one test case.
class test_directory {
 public:
  explicit test_directory(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("apsp_" + name + "_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~test_directory() {
    std::error_code unknown;
    std::filesystem::remove_all(path_, unknown);
  }
  test_directory(const test_directory&) = delete;
  test_directory& operator=(const test_directory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The names and the bytes of all files of a directory.
inline std::map<std::string, std::string> contents_of(const std::filesystem::path& directory) {
  std::map<std::string, std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    found[entry.path().filename().string()] = text_of(entry.path());
  }
  return found;
}

/// A file system of its own in a directory, with room for so many bytes. Only root can mount one.
class small_disk {
 public:
  small_disk(const std::filesystem::path& directory, std::size_t bytes) : path_(directory) {
#ifdef __linux__
    const std::string options = "size=" + std::to_string(bytes);
    is_mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", 0, options.c_str()) == 0;
#else
    static_cast<void>(bytes);
#endif
    if (!is_mounted_) BOOST_TEST_MESSAGE("no file system can be mounted here");
  }
  ~small_disk() {
#ifdef __linux__
    if (is_mounted_) ::umount2(path_.c_str(), MNT_DETACH);
#endif
  }
  small_disk(const small_disk&) = delete;
  small_disk& operator=(const small_disk&) = delete;

  bool is_mounted() const { return is_mounted_; }
  std::uint64_t free_bytes() const {
    struct statvfs disk {};
    BOOST_REQUIRE_EQUAL(::statvfs(path_.c_str(), &disk), 0);
    return std::uint64_t{disk.f_bfree} * disk.f_frsize;
  }

 private:
  std::filesystem::path path_;
  bool is_mounted_ = false;
};

/// Limits the size of the files that this process writes.
class file_size_limit {
 public:
  explicit file_size_limit(std::size_t bytes) {
    BOOST_REQUIRE_EQUAL(::getrlimit(RLIMIT_FSIZE, &before_), 0);
    struct rlimit small = before_;
    small.rlim_cur = bytes;
    BOOST_REQUIRE_EQUAL(::setrlimit(RLIMIT_FSIZE, &small), 0);
  }
  ~file_size_limit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  file_size_limit(const file_size_limit&) = delete;
  file_size_limit& operator=(const file_size_limit&) = delete;

 private:
  struct rlimit before_ {};
};

}  // namespace apsp_test
