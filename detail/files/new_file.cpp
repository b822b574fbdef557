// SPDX-License-Identifier: BSL-1.0
#include "new_file.hpp"

#include <fcntl.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <utility>

#include "../../apsp/error.hpp"
#include "system_calls.hpp"

namespace apsp::inline v1::detail {

namespace {

constexpr std::size_t buffered_bytes = std::size_t{1} << 16;

/// A name in the directory of @p file that no other file of this process has.
std::filesystem::path name_beside(const std::filesystem::path& file) {
  static std::atomic<unsigned> count = 0;
  return directory_of(file) / (".apsp-" + std::to_string(system_calls::number_of_this_process()) +
                               "-" + std::to_string(count.fetch_add(1, std::memory_order_relaxed)));
}

}  // namespace

new_file::new_file(const std::filesystem::path& file) {
  const std::filesystem::path name = resolved(file);
  file_ = open_file(name, -1);
  const auto fail = [&](int cause) {
    errno = cause;
    throw file_error(file, 0, with_cause("cannot be opened for writing"));
  };
  const system_calls::file_status old = system_calls::status_of(name);
  if (old.kind == system_calls::file_kind::none) {
    if (errno != ENOENT) fail(errno);
    create(system_calls::readable_by_all);
    return;
  }
  if (old.kind == system_calls::file_kind::directory) fail(EISDIR);
  if (old.kind == system_calls::file_kind::other) {
    is_direct_ = true;
    file_ = open_file(name, O_WRONLY, "cannot be opened for writing");
    return;
  }
  if (!system_calls::may_be_written(name)) fail(errno);
  replaces_ = true;
  create(old.permissions);
  system_calls::take_owner(file_.number(), old);
}

new_file::~new_file() {
  if (!own_name_.empty()) system_calls::remove(own_name_);
}

void new_file::create(unsigned permissions) {
  const std::filesystem::path name = file_.name();
  int number = system_calls::open_unnamed(directory_of(name), permissions);
  if (number >= 0) {
    file_ = open_file(name, number);
    is_unnamed_ = true;
    return;
  }
  do {
    own_name_ = name_beside(name);
    number = system_calls::open(own_name_, O_CREAT | O_EXCL | O_RDWR, permissions);
  } while (number < 0 && errno == EEXIST);
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
  std::filesystem::path name = name_beside(file_.name());
  while (!system_calls::move_to_new(file_.number(), {}, name)) {
    if (errno != EEXIST) throw file_error(file_.name(), 0, with_cause("cannot be written"));
    name = name_beside(file_.name());
  }
  is_unnamed_ = false;
  own_name_ = std::move(name);
}

void new_file::put_in_place() {
  write_buffered();
  if (is_direct_) return;
  if (replaces_) file_.flush();
  name_it();
  if (!system_calls::replace(file_.number(), own_name_, file_.name())) {
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
  if (!system_calls::move_to_new(file_.number(), own_name_, file_.name())) {
    if (errno == EEXIST) return false;
    throw file_error(file_.name(), 0, with_cause("cannot be written"));
  }
  is_unnamed_ = false;
  own_name_.clear();
  return true;
}

}  // namespace apsp::inline v1::detail
