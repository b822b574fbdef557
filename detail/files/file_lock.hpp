// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <filesystem>

#include "../../apsp/config.hpp"
#include "new_file.hpp"
#include "open_file.hpp"

namespace apsp::inline v1::detail {

/// Whether one holder of a lock excludes all others, or only those that hold it alone.
enum class lock_mode { shared, alone };

/// Holds a file, so that no other call holds it, in this process or another one on any machine. The
/// system releases it when the process ends. On file systems without locks nothing is excluded. Can
/// be moved but not copied.
class APSP_EXPORT file_lock {
 public:
  /// Holds nothing.
  file_lock() noexcept = default;
  /// Holds a file that is not in place yet.
  explicit file_lock(const new_file& file);
  /// Holds the file with this name; nothing if there is no regular file.
  /// @throws file_error if another call holds it, with the number of its process if it is known, or
  ///         it cannot be opened.
  file_lock(const std::filesystem::path& file, lock_mode mode);
  file_lock(file_lock&&) noexcept = default;
  file_lock& operator=(file_lock&& other) noexcept {
    release();
    file_ = std::move(other.file_);
    return *this;
  }
  ~file_lock() { release(); }

  bool holds_file() const { return file_.is_open(); }
  /// Holds the file with others from now on.
  /// @throws file_error if another call holds it alone meanwhile.
  void share();

 private:
  void take(lock_mode mode) const;
  void release() noexcept;

  open_file file_;
};

}  // namespace apsp::inline v1::detail
