// SPDX-License-Identifier: BSL-1.0
#include "open_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <vector>

#include "../../apsp/error.hpp"

namespace apsp::inline v1::detail {

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

/// A write beyond the limit for the size of a file would send SIGXFSZ, which ends the process.
bool is_beyond_limit(std::uint64_t size) {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  return size > limit.rlim_cur;
}

/// False if the disk certainly has less room. Asked before any is taken, so that it is not full for
/// a moment.
bool may_have_room(int file, std::uint64_t size) {
  struct statvfs disk {};
  if (::fstatvfs(file, &disk) != 0 || disk.f_blocks == 0 || disk.f_frsize == 0) return true;
  return size / disk.f_frsize <= disk.f_bfree;
}

/// @return 0, or the number of an error.
int allocate(int file, std::uint64_t size) {
#if defined(__APPLE__)
  static_cast<void>(file);
  static_cast<void>(size);
  return EOPNOTSUPP;
#else
  int failure = 0;
  do {
    failure = ::posix_fallocate(file, 0, static_cast<off_t>(size));
  } while (failure == EINTR);
  return failure;
#endif
}

}  // namespace

std::filesystem::path resolved(const std::filesystem::path& file) {
  std::filesystem::path name = file;
  // A link to a file that does not exist remains in the canonical name.
  constexpr int most_links = 40;
  for (int links = 0; links < most_links; ++links) {
    std::error_code failure;
    auto found = std::filesystem::weakly_canonical(name, failure);
    if (failure) return file;
    if (!std::filesystem::is_symlink(std::filesystem::symlink_status(found, failure))) return found;
    const auto target = std::filesystem::read_symlink(found, failure);
    if (failure) return file;
    name = found.parent_path() / target;
  }
  return file;
}

std::filesystem::path directory_of(const std::filesystem::path& file) {
  auto directory = file.parent_path();
  return directory.empty() ? "." : directory;
}

void flush_directory_of(const std::filesystem::path& file) {
  const open_file directory(directory_of(file), O_RDONLY | O_DIRECTORY, "cannot be opened");
  // Some file systems cannot flush directories.
  if (::fsync(directory.number()) != 0 && errno != EINVAL) {
    throw file_error(directory.name(), 0, with_cause("cannot be written"));
  }
}

open_file::open_file(std::filesystem::path name, int flags, const std::string& failure)
    : name_(std::move(name)) {
  constexpr mode_t readable_by_all = 0666;
  number_ =
      uninterrupted([&] { return ::open(name_.c_str(), flags | O_CLOEXEC, readable_by_all); });
  if (number_ < 0) fail(failure);
}

open_file::~open_file() {
  if (number_ >= 0) ::close(number_);
}

void open_file::write(const void* bytes, std::size_t size) const {
  const auto* from = static_cast<const char*>(bytes);
  while (size != 0) {
    const ssize_t written = uninterrupted([&] { return ::write(number_, from, size); });
    if (written < 0) fail("cannot be written");
    from += written;
    size -= static_cast<std::size_t>(written);
  }
}

void open_file::write_at(std::uint64_t offset, const void* bytes, std::size_t size) const {
  if (is_beyond_limit(offset + size)) {
    errno = EFBIG;
    fail("cannot be written");
  }
  const auto* from = static_cast<const char*>(bytes);
  while (size != 0) {
    const ssize_t written =
        uninterrupted([&] { return ::pwrite(number_, from, size, static_cast<off_t>(offset)); });
    if (written < 0) fail("cannot be written");
    from += written;
    size -= static_cast<std::size_t>(written);
    offset += static_cast<std::uint64_t>(written);
  }
}

void open_file::reserve(std::uint64_t size) const {
  const std::string failure = "expected room for " + std::to_string(size) + " bytes on the disk";
  constexpr auto most = static_cast<std::uint64_t>((std::numeric_limits<off_t>::max)());
  errno = 0;
  if (size > most || is_beyond_limit(size)) {
    errno = EFBIG;
  } else if (!may_have_room(number_, size)) {
    errno = ENOSPC;
  } else {
    errno = size == 0 ? 0 : allocate(number_, size);
    if (errno == 0) return;
    if (errno == EOPNOTSUPP || errno == ENOSYS) {
      // What has been written has room.
      struct stat status {};
      if (::fstat(number_, &status) != 0) fail(failure);
      const std::vector<char> zeros(std::size_t{1} << 20);
      for (auto at = static_cast<std::uint64_t>(status.st_size); at < size;) {
        const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(zeros.size(), size - at));
        write_at(at, zeros.data(), now);
        at += now;
      }
      return;
    }
  }
  fail(failure);
}

void open_file::flush() const {
  if (uninterrupted([&] { return ::fsync(number_); }) != 0) fail("cannot be written");
}

void open_file::close() {
  if (number_ < 0) return;
  // The descriptor is closed even if that reports an interruption.
  if (::close(std::exchange(number_, -1)) != 0 && errno != EINTR) fail("cannot be written");
}

void open_file::fail(const std::string& failure) const {
  throw file_error(name_, 0, with_cause(failure));
}

}  // namespace apsp::inline v1::detail
