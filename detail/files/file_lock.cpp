// SPDX-License-Identifier: BSL-1.0
#include "file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <string>

#ifdef __linux__
#include <sys/sysmacros.h>
#endif

#include "../../apsp/error.hpp"

namespace apsp::inline v1::detail {

namespace {

/// The process that holds a lock on an open file, for a message; empty if that is not known.
std::string holder_of(int file) {
#ifdef __linux__
  struct stat status {};
  if (::fstat(file, &status) != 0) return {};
  // Lines such as "1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF"; the device is hexadecimal.
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number;
    std::string kind;
    std::string strength;
    std::string access;
    long process = 0;
    unsigned major_number = 0;
    unsigned minor_number = 0;
    ino_t inode = 0;
    char colon = 0;
    words >> number >> kind >> strength >> access >> process >> std::hex >> major_number >> colon >>
        minor_number >> colon >> std::dec >> inode;
    if (!words || kind != "FLOCK" || process <= 0 || inode != status.st_ino) continue;
    if (major_number != major(status.st_dev) || minor_number != minor(status.st_dev)) continue;
    return process == ::getpid() ? "in this process" : "in process " + std::to_string(process);
  }
#else
  static_cast<void>(file);
#endif
  return {};
}

}  // namespace

file_lock::file_lock(const new_file& file) {
  const int number = ::fcntl(file.file().number(), F_DUPFD_CLOEXEC, 0);
  file_ = open_file(file.name(), number);
  if (number < 0) throw file_error(file.name(), 0, with_cause("cannot be opened for writing"));
  take(lock_mode::alone);
}

file_lock::file_lock(const std::filesystem::path& file, lock_mode mode) {
  for (;;) {
    struct stat status {};
    // What is not a file is refused by what follows, and opening a pipe would wait.
    if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
      file_ = open_file();
      return;
    }
    const bool is_alone = mode == lock_mode::alone;
    try {
      file_ = open_file(file, is_alone ? O_RDWR : O_RDONLY,
                        is_alone ? "cannot be opened for writing" : "cannot be opened");
    } catch (const file_error&) {
      if (errno == ENOENT) continue;
      throw;
    }
    take(mode);
    // The file may have been replaced before it was held.
    struct stat held {};
    if (::fstat(file_.number(), &held) != 0) {
      throw file_error(file, 0, with_cause("cannot be opened"));
    }
    if (::stat(file.c_str(), &status) == 0 && status.st_dev == held.st_dev &&
        status.st_ino == held.st_ino) {
      return;
    }
  }
}

void file_lock::share() {
  if (holds_file()) take(lock_mode::shared);
}

void file_lock::take(lock_mode mode) const {
  int done = 0;
  do {
    done = ::flock(file_.number(), (mode == lock_mode::alone ? LOCK_EX : LOCK_SH) | LOCK_NB);
  } while (done != 0 && errno == EINTR);
  // Other errors say that the file system has no locks.
  if (done == 0 || errno != EWOULDBLOCK) return;
  const std::string holder = holder_of(file_.number());
  throw file_error(
      file_.name(), 0,
      "expected a file that no other call writes as a checkpoint or reads, got one that "
      "is held by a call" +
          (holder.empty() ? std::string() : " " + holder));
}

void file_lock::release() noexcept {
  // Children of this process may have the descriptor, too.
  if (holds_file()) ::flock(file_.number(), LOCK_UN);
}

}  // namespace apsp::inline v1::detail
