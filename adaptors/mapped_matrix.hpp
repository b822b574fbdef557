// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "../apsp/config.hpp"
#include "../detail/files/file_lock.hpp"
#include "../detail/files/new_file.hpp"

namespace apsp::inline v1::detail {

/// The memory of a file that is mapped for writing.
struct mapped_range {
  std::byte* memory;  ///< the whole file
  std::size_t size;   ///< its bytes
  std::byte* entries;
};

/// Where objects of `mapped_npy` in this process have mapped @p file for writing. The file counts,
/// not its name.
std::vector<mapped_range> writable_mappings_of(const std::filesystem::path& file);
/// Waits until what has been written to that memory is on the disk.
/// @param file  for messages
/// @throws file_error if that fails.
void flush_mapping(const mapped_range& mapping, const std::filesystem::path& file);

/// The text that makes a .npy file a checkpoint. Its name does not depend on symbolic links.
std::filesystem::path label_of(const std::filesystem::path& file);
/// Removes it if there is one, and waits until that is on the disk.
/// @throws file_error if that fails.
void remove_label(const std::filesystem::path& file);
/// Puts a matrix in place, in a file of which no label says that it is a checkpoint.
/// @param made    has the size of the matrix, and no header yet
/// @param header  as `npy_header` writes it
/// @param old     holds what it replaces, or nothing; it is then held here if there is something
/// @return what holds the new file.
/// @throws file_error if the old file is held by another call, which is then as it was, or if that
/// fails.
file_lock put_matrix_in_place(new_file& made, const std::string& header, file_lock old);

/// The entries of a .npy file in memory: a matrix in row-major order. Can be moved but not copied.
class APSP_EXPORT mapped_npy {
 public:
  mapped_npy() noexcept = default;
  /// Creates the file, or puts a new one in its place, with entries of zero. Reserves the room on
  /// the disk. The file is no longer a checkpoint. If that fails, the old file is as it was.
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
  ~mapped_npy() { unmap(); }

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
  void unmap() noexcept;
  mapped_range range() const noexcept;

  std::filesystem::path file_;
  void* memory_ = nullptr;  ///< the whole file
  std::size_t size_ = 0;    ///< its bytes
  void* entries_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
};

}  // namespace apsp::inline v1::detail
