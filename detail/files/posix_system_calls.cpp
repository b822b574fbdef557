// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <sstream>

#ifdef __linux__
#include <sys/sysmacros.h>
#endif

#include "system_calls.hpp"

namespace apsp::inline v1::detail::system_calls {

namespace {

/// Calls f, which returns -1 and sets errno if it fails, again if a signal interrupts it.
template <class F>
auto uninterrupted(F f) {
  decltype(f()) done{};
  do {
    done = f();
  } while (done < 0 && errno == EINTR);
  return done;
}

file_status status_in(const struct stat& found) {
  file_status status;
  status.kind = S_ISREG(found.st_mode)   ? file_kind::regular
                : S_ISDIR(found.st_mode) ? file_kind::directory
                                         : file_kind::other;
  status.permissions = found.st_mode & 0777;
  status.owner = found.st_uid;
  status.group = found.st_gid;
  status.size = static_cast<std::uint64_t>(found.st_size);
  status.device = static_cast<std::uint64_t>(found.st_dev);
  status.index = static_cast<std::uint64_t>(found.st_ino);
  return status;
}

/// A path to an open file, also to one without a name.
std::string name_of_number(int number) {
  return "/proc/self/fd/" + std::to_string(number);
}

}  // namespace

file_status status_of(const std::filesystem::path& file) {
  struct stat found {};
  return ::stat(file.c_str(), &found) == 0 ? status_in(found) : file_status();
}

file_status status_of(int number) {
  struct stat found {};
  return ::fstat(number, &found) == 0 ? status_in(found) : file_status();
}

bool may_be_written(const std::filesystem::path& file) {
  return ::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) == 0;
}

int open(const std::filesystem::path& file, int flags, unsigned permissions) {
  return uninterrupted([&] { return ::open(file.c_str(), flags | O_CLOEXEC, permissions); });
}

int open_unnamed([[maybe_unused]] const std::filesystem::path& directory,
                 [[maybe_unused]] unsigned permissions) {
#ifdef O_TMPFILE
  const int number = open(directory, O_TMPFILE | O_RDWR, permissions);
  // It gets a name by this one.
  if (number < 0 || ::access(name_of_number(number).c_str(), F_OK) == 0) return number;
  ::close(number);
#endif
  return -1;
}

int duplicate(int number) {
  return ::fcntl(number, F_DUPFD_CLOEXEC, 0);
}

bool close(int number) {
  // The number is free even if that reports an interruption.
  return ::close(number) == 0 || errno == EINTR;
}

std::ptrdiff_t read_at(int number, std::uint64_t offset, void* bytes, std::size_t size) {
  auto* const to = static_cast<char*>(bytes);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = uninterrupted(
        [&] { return ::pread(number, to + done, size - done, static_cast<off_t>(offset + done)); });
    if (count < 0) return -1;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return static_cast<std::ptrdiff_t>(done);
}

std::ptrdiff_t write(int number, const void* bytes, std::size_t size) {
  return uninterrupted([&] { return ::write(number, bytes, size); });
}

std::ptrdiff_t write_at(int number, std::uint64_t offset, const void* bytes, std::size_t size) {
  return uninterrupted([&] { return ::pwrite(number, bytes, size, static_cast<off_t>(offset)); });
}

bool flush(int number) {
  return uninterrupted([&] { return ::fsync(number); }) == 0;
}

bool flush_directory(const std::filesystem::path& directory) {
  const int number = open(directory, O_RDONLY | O_DIRECTORY);
  if (number < 0) return false;
  // Some file systems cannot flush directories.
  const bool is_flushed = flush(number) || errno == EINVAL;
  const int cause = errno;
  ::close(number);
  errno = cause;
  return is_flushed;
}

bool is_beyond_limit(std::uint64_t size) {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  return size > limit.rlim_cur;
}

bool may_have_room(int number, std::uint64_t size) {
  struct statvfs disk {};
  if (::fstatvfs(number, &disk) != 0 || disk.f_blocks == 0 || disk.f_frsize == 0) return true;
  return size / disk.f_frsize <= disk.f_bfree;
}

int allocate([[maybe_unused]] int number, [[maybe_unused]] std::uint64_t size) {
#if defined(__APPLE__)
  return EOPNOTSUPP;
#else
  int failure = 0;
  do {
    failure = ::posix_fallocate(number, 0, static_cast<off_t>(size));
  } while (failure == EINTR);
  return failure;
#endif
}

void take_owner(int number, const file_status& old) {
  // Others than the owner may not be allowed to set these, nor may file systems have them.
  if (::fchown(number, old.owner, old.group) != 0) errno = 0;
  if (::fchmod(number, static_cast<mode_t>(old.permissions)) != 0) errno = 0;
}

bool move_to_new(int number, const std::filesystem::path& from, const std::filesystem::path& to) {
  const std::string source = from.empty() ? name_of_number(number) : from.string();
  if (::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    return false;
  }
  if (!from.empty()) ::unlink(from.c_str());
  return true;
}

bool replace(int /*number*/, const std::filesystem::path& from, const std::filesystem::path& to) {
  return std::rename(from.c_str(), to.c_str()) == 0;
}

bool remove(const std::filesystem::path& file) {
  return ::unlink(file.c_str()) == 0;
}

bool lock(int number, bool is_alone) {
  const int operation = (is_alone ? LOCK_EX : LOCK_SH) | LOCK_NB;
  return uninterrupted([&] { return ::flock(number, operation); }) == 0;
}

void unlock(int number) {
  ::flock(number, LOCK_UN);
}

std::string holder_of([[maybe_unused]] int number) {
#ifdef __linux__
  struct stat status {};
  if (::fstat(number, &status) != 0) return {};
  // Lines such as "1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF"; the device is hexadecimal.
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string place;
    std::string kind;
    std::string strength;
    std::string access;
    long process = 0;
    unsigned major_number = 0;
    unsigned minor_number = 0;
    ino_t inode = 0;
    char colon = 0;
    words >> place >> kind >> strength >> access >> process >> std::hex >> major_number >> colon >>
        minor_number >> colon >> std::dec >> inode;
    if (!words || kind != "FLOCK" || process <= 0 || inode != status.st_ino) continue;
    if (major_number != major(status.st_dev) || minor_number != minor(status.st_dev)) continue;
    return process == ::getpid() ? "in this process" : "in process " + std::to_string(process);
  }
#endif
  return {};
}

void* map(int number, std::size_t size, bool is_writable) {
  const int access = is_writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void* const memory = ::mmap(nullptr, size, access, MAP_SHARED, number, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

bool flush_mapped(void* memory, std::size_t size) {
  return ::msync(memory, size, MS_SYNC) == 0;
}

void unmap(void* memory, std::size_t size) {
  ::munmap(memory, size);
}

unsigned long number_of_this_process() {
  return static_cast<unsigned long>(::getpid());
}

}  // namespace apsp::inline v1::detail::system_calls
