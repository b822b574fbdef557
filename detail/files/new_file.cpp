// SPDX-License-Identifier: BSL-1.0
#include "new_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include "../../apsp/error.hpp"

namespace apsp::inline v1::detail {

namespace {

constexpr std::size_t buffered_bytes = std::size_t{1} << 16;

/// A name in the directory of @p file that no other file of this process has.
std::filesystem::path name_beside(const std::filesystem::path& file) {
  static std::atomic<unsigned> count = 0;
  return directory_of(file) / (".apsp-" + std::to_string(::getpid()) + "-" +
                               std::to_string(count.fetch_add(1, std::memory_order_relaxed)));
}

/// The file without a name that has this descriptor.
std::string name_of_descriptor(int number) {
  return "/proc/self/fd/" + std::to_string(number);
}

}  // namespace

new_file::new_file(const std::filesystem::path& file) {
  const std::filesystem::path name = resolved(file);
  file_ = open_file(name, -1);
  const auto fail = [&](int cause) {
    errno = cause;
    throw file_error(file, 0, with_cause("cannot be opened for writing"));
  };
  constexpr unsigned readable_by_all = 0666;
  struct stat old {};
  if (::stat(name.c_str(), &old) != 0) {
    if (errno != ENOENT) fail(errno);
    create(readable_by_all);
    return;
  }
  if (S_ISDIR(old.st_mode)) fail(EISDIR);
  if (!S_ISREG(old.st_mode)) {
    is_direct_ = true;
    file_ = open_file(name, O_WRONLY, "cannot be opened for writing");
    return;
  }
  if (::faccessat(AT_FDCWD, name.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
  replaces_ = true;
  const mode_t permissions = old.st_mode & 0777;
  create(permissions);
  // Others than the owner may not be allowed to set these, nor may file systems have them.
  if (::fchown(file_.number(), old.st_uid, old.st_gid) != 0) errno = 0;
  if (::fchmod(file_.number(), permissions) != 0) errno = 0;
}

new_file::~new_file() {
  if (!own_name_.empty()) ::unlink(own_name_.c_str());
}

void new_file::create(unsigned permissions) {
  const std::filesystem::path name = file_.name();
  const auto directory = directory_of(name);
  int number = -1;
#ifdef O_TMPFILE
  do {
    number = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, permissions);
  } while (number < 0 && errno == EINTR);
  if (number >= 0) {
    file_ = open_file(name, number);
    // A file without a name gets one by this.
    is_unnamed_ = ::access(name_of_descriptor(number).c_str(), F_OK) == 0;
    if (is_unnamed_) return;
  }
#endif
  do {
    own_name_ = name_beside(name);
    number = ::open(own_name_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, permissions);
  } while (number < 0 && (errno == EINTR || errno == EEXIST));
  if (number < 0) {
    own_name_.clear();
    throw file_error(name, 0, with_cause("cannot be opened for writing"));
  }
  file_ = open_file(name, number);
}

void new_file::write(const void* bytes, std::size_t size) {
  if (buffer_.size() + size > buffered_bytes) write_buffered();
  if (size >= buffered_bytes) {
    if (is_direct_) {
      file_.write(bytes, size);
    } else {
      file_.write_at(written_, bytes, size);
    }
    written_ += size;
    return;
  }
  const auto* const from = static_cast<const char*>(bytes);
  buffer_.insert(buffer_.end(), from, from + size);
}

void new_file::write_buffered() {
  if (buffer_.empty()) return;
  if (is_direct_) {
    file_.write(buffer_.data(), buffer_.size());
  } else {
    file_.write_at(written_, buffer_.data(), buffer_.size());
  }
  written_ += buffer_.size();
  buffer_.clear();
}

void new_file::name_it() {
  if (!is_unnamed_) return;
  const std::string number = name_of_descriptor(file_.number());
  std::filesystem::path name;
  int done = 0;
  do {
    name = name_beside(file_.name());
    done = ::linkat(AT_FDCWD, number.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
  } while (done != 0 && errno == EEXIST);
  if (done != 0) throw file_error(file_.name(), 0, with_cause("cannot be written"));
  is_unnamed_ = false;
  own_name_ = std::move(name);
}

void new_file::put_in_place() {
  write_buffered();
  if (is_direct_) return;
  if (replaces_) file_.flush();
  name_it();
  if (std::rename(own_name_.c_str(), file_.name().c_str()) != 0) {
    throw file_error(file_.name(), 0, with_cause("cannot be written"));
  }
  own_name_.clear();
}

void new_file::put_in_place_on_disk() {
  write_buffered();
  file_.flush();
  replaces_ = false;
  put_in_place();
  flush_directory_of(file_.name());
}

bool new_file::put_in_place_of_none() {
  write_buffered();
  if (is_direct_) return true;
  const std::string source = is_unnamed_ ? name_of_descriptor(file_.number()) : own_name_.string();
  const char* const target = file_.name().c_str();
  if (::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, target, AT_SYMLINK_FOLLOW) != 0) {
    if (errno == EEXIST) return false;
    throw file_error(file_.name(), 0, with_cause("cannot be written"));
  }
  is_unnamed_ = false;
  if (!own_name_.empty()) {
    ::unlink(own_name_.c_str());
    own_name_.clear();
  }
  return true;
}

}  // namespace apsp::inline v1::detail
