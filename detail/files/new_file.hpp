// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "../../apsp/config.hpp"
#include "open_file.hpp"

namespace apsp::inline v1::detail {

/// A file that takes the place of another one, or of none, when it is complete. Until then it is
/// written beside it, in the same directory, and what was there is as it was. Unless it is put in
/// place, it leaves nothing behind, also if the process ends, on file systems that have files
/// without names; on others a process that is killed leaves a file named .apsp-*. The new file has
/// the permissions of the old one.
///
/// What has no contents, such as a pipe or a terminal, is written to directly.
class APSP_EXPORT new_file {
 public:
  /// @throws file_error if the file cannot be created, or there is one that may not be written.
  explicit new_file(const std::filesystem::path& file);
  ~new_file();
  new_file(const new_file&) = delete;
  new_file& operator=(const new_file&) = delete;

  /// The name that it will have, without symbolic links.
  const std::filesystem::path& name() const { return file_.name(); }
  const open_file& file() const { return file_; }

  /// Appends bytes.
  /// @throws file_error if they cannot be written; this also holds for the functions below.
  void write(const void* bytes, std::size_t size);
  /// Puts it in place. If it takes that of another file, all of it is on the disk before.
  void put_in_place();
  /// Puts it in place, and returns when all of it and its name are on the disk.
  void put_in_place_on_disk();
  /// Puts it in place unless there is a file.
  /// @return false if there is one.
  bool put_in_place_of_none();

 private:
  void create(unsigned permissions);
  /// Gives it a name of its own if it has none.
  void name_it();
  void write_buffered();

  open_file file_;
  std::filesystem::path own_name_;  ///< until it is in place; empty: none
  bool is_unnamed_ = false;         ///< It is a file, and has no name yet.
  bool is_direct_ = false;          ///< It is not a regular file.
  bool replaces_ = false;           ///< There was a file when it was created.
  std::vector<char> buffer_;
  std::uint64_t written_ = 0;
};

}  // namespace apsp::inline v1::detail
