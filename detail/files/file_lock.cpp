// SPDX-License-Identifier: BSL-1.0
#include "file_lock.hpp"

#include <fcntl.h>

#include <cerrno>
#include <string>

#include "../../apsp/error.hpp"
#include "system_calls.hpp"

namespace apsp::inline v1::detail {

file_lock::file_lock(const new_file& file) {
  const int number = system_calls::duplicate(file.file().number());
  file_ = open_file(file.name(), number);
  if (number < 0) throw file_error(file.name(), 0, with_cause("cannot be opened for writing"));
  take(lock_mode::alone);
}

file_lock::file_lock(const std::filesystem::path& file, lock_mode mode) {
  for (;;) {
    // What is not a file is refused by what follows, and opening a pipe would wait.
    if (system_calls::status_of(file).kind != system_calls::file_kind::regular) {
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
    const system_calls::file_status held = system_calls::status_of(file_.number());
    if (held.kind == system_calls::file_kind::none) {
      throw file_error(file, 0, with_cause("cannot be opened"));
    }
    const system_calls::file_status found = system_calls::status_of(file);
    if (found.kind != system_calls::file_kind::none && found.is_same_file(held)) return;
  }
}

void file_lock::share() {
  if (holds_file()) take(lock_mode::shared);
}

void file_lock::take(lock_mode mode) const {
  if (system_calls::lock(file_.number(), mode == lock_mode::alone)) return;
  // Other errors say that the file system has no locks.
  if (errno != EWOULDBLOCK) return;
  const std::string holder = system_calls::holder_of(file_.number());
  throw file_error(
      file_.name(), 0,
      "expected a file that no other call writes as a checkpoint or reads, got one that "
      "is held by a call" +
          (holder.empty() ? std::string() : " " + holder));
}

void file_lock::release() noexcept {
  // Children of this process may have the descriptor, too.
  if (holds_file()) system_calls::unlock(file_.number());
}

}  // namespace apsp::inline v1::detail
