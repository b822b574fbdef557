// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

#include "../apsp/config.hpp"

namespace apsp::detail {

/// The entries of a .npy file in memory: a matrix in row-major order. Can be moved but not copied.
class APSP_EXPORT mapped_npy {
 public:
  mapped_npy() noexcept = default;
  /// Creates the file, or replaces it, with entries of zero. Reserves the room on the disk.
  /// @param header  as `npy_header` writes it for that shape
  mapped_npy(const std::filesystem::path& file, const std::string& header, std::size_t rows,
             std::size_t columns, std::size_t entry_bytes);
  /// Opens a file.
  /// @param type  of the entries, in NumPy's notation
  mapped_npy(const std::filesystem::path& file, const std::string& type, std::size_t entry_bytes,
             bool is_writable);
  mapped_npy(mapped_npy&& other) noexcept { swap(other); }
  mapped_npy& operator=(mapped_npy&& other) noexcept {
    mapped_npy moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~mapped_npy();

  void swap(mapped_npy& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    std::swap(entries_, other.entries_);
    std::swap(rows_, other.rows_);
    std::swap(columns_, other.columns_);
    file_.swap(other.file_);
  }

  void* entries() const noexcept { return entries_; }
  std::size_t rows() const noexcept { return rows_; }
  std::size_t columns() const noexcept { return columns_; }

  /// Waits until all that has been written is on the disk.
  void flush() const;

 private:
  void map(int descriptor, bool is_writable, std::size_t header_bytes);

  std::filesystem::path file_;
  void* memory_ = nullptr;  ///< the whole file
  std::size_t size_ = 0;    ///< its bytes
  void* entries_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
};

}  // namespace apsp::detail
