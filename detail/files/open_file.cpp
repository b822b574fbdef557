// SPDX-License-Identifier: BSL-1.0
#include "open_file.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <vector>

#include "../../apsp/error.hpp"
#include "system_calls.hpp"

namespace apsp::inline v1::detail {

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
  const auto directory = directory_of(file);
  if (!system_calls::flush_directory(directory)) {
    throw file_error(directory, 0, with_cause("cannot be written"));
  }
}

open_file::open_file(std::filesystem::path name, int flags, const std::string& failure)
    : name_(std::move(name)), number_(system_calls::open(name_, flags)) {
  if (number_ < 0) fail(failure);
}

open_file::~open_file() {
  if (number_ >= 0) system_calls::close(number_);
}

void open_file::write(const void* bytes, std::size_t size) const {
  const auto* from = static_cast<const char*>(bytes);
  while (size != 0) {
    const std::ptrdiff_t written = system_calls::write(number_, from, size);
    if (written < 0) fail("cannot be written");
    from += written;
    size -= static_cast<std::size_t>(written);
  }
}

void open_file::write_at(std::uint64_t offset, const void* bytes, std::size_t size) const {
  // This would end the process with a signal.
  if (system_calls::is_beyond_limit(offset + size)) {
    errno = EFBIG;
    fail("cannot be written");
  }
  const auto* from = static_cast<const char*>(bytes);
  while (size != 0) {
    const std::ptrdiff_t written = system_calls::write_at(number_, offset, from, size);
    if (written < 0) fail("cannot be written");
    from += written;
    size -= static_cast<std::size_t>(written);
    offset += static_cast<std::uint64_t>(written);
  }
}

void open_file::reserve(std::uint64_t size) const {
  const std::string failure = "expected room for " + std::to_string(size) + " bytes on the disk";
  constexpr auto most = static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)());
  errno = 0;
  if (size > most || system_calls::is_beyond_limit(size)) {
    errno = EFBIG;
  } else if (!system_calls::may_have_room(number_, size)) {
    errno = ENOSPC;  // Asked for before any is taken, so that the disk is not full for a moment.
  } else {
    errno = size == 0 ? 0 : system_calls::allocate(number_, size);
    if (errno == 0) return;
    if (errno == EOPNOTSUPP || errno == ENOSYS) {
      // What has been written has room.
      const system_calls::file_status status = system_calls::status_of(number_);
      if (status.kind == system_calls::file_kind::none) fail(failure);
      const std::vector<char> zeros(std::size_t{1} << 20);
      for (std::uint64_t at = status.size; at < size;) {
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
  if (!system_calls::flush(number_)) fail("cannot be written");
}

void open_file::close() {
  if (number_ < 0) return;
  if (!system_calls::close(std::exchange(number_, -1))) fail("cannot be written");
}

void open_file::fail(const std::string& failure) const {
  throw file_error(name_, 0, with_cause(failure));
}

}  // namespace apsp::inline v1::detail
