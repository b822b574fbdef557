// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "../../apsp/config.hpp"

// Files by their descriptors. All functions throw file_error, with the cause that the system
// reports.
namespace apsp::inline v1::detail {

/// The name of a file without symbolic links, also if the file does not exist.
APSP_EXPORT std::filesystem::path resolved(const std::filesystem::path& file);
/// The directory that has the file.
APSP_EXPORT std::filesystem::path directory_of(const std::filesystem::path& file);
/// Waits until the names of the files in the directory of @p file are on the disk.
APSP_EXPORT void flush_directory_of(const std::filesystem::path& file);

/// An open file. Can be moved but not copied.
class APSP_EXPORT open_file {
 public:
  /// No file.
  open_file() noexcept = default;
  /// @param flags    as for open(2)
  /// @param failure  what the error says if that fails
  open_file(std::filesystem::path name, int flags, const std::string& failure);
  /// Takes over a descriptor.
  open_file(std::filesystem::path name, int number) : name_(std::move(name)), number_(number) {}
  open_file(open_file&& other) noexcept { swap(other); }
  open_file& operator=(open_file&& other) noexcept {
    open_file moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~open_file();

  void swap(open_file& other) noexcept {
    name_.swap(other.name_);
    std::swap(number_, other.number_);
  }

  const std::filesystem::path& name() const { return name_; }
  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

  /// Writes at the place where the last write ended.
  void write(const void* bytes, std::size_t size) const;
  /// Writes at that place of a regular file. The limit of the process for the size of a file is an
  /// error, and no signal.
  void write_at(std::uint64_t offset, const void* bytes, std::size_t size) const;
  /// Makes a regular file as large as that, if it is smaller, and has room for all of it on the
  /// disk, so that later writes, also those to its memory, do not lack it.
  void reserve(std::uint64_t size) const;
  /// Waits until what was written is on the disk.
  void flush() const;
  /// Some file systems report here that what was written is lost.
  void close();

 private:
  [[noreturn]] void fail(const std::string& failure) const;

  std::filesystem::path name_;
  int number_ = -1;
};

}  // namespace apsp::inline v1::detail
