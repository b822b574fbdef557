// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "../../../apsp/config.hpp"
#include "../../../apsp/policy.hpp"
#include "../../matrix/part.hpp"

namespace apsp::inline v1::detail {

/// What the files of a checkpoint belong to.
struct checkpoint_subject {
  std::size_t num_vertices;
  std::size_t entry_bytes;
  std::string type;        ///< of the entries, in NumPy's notation
  std::string npy_header;  ///< of a matrix of them
  std::string semiring;
  std::uint64_t graph_hash;
};

/// Copies row u of the matrix to the entries of a file, or from them; on several processes, the
/// columns of it that are here.
struct checkpoint_rows {
  std::function<void(std::size_t u, std::byte* to)> encode;
  std::function<void(std::size_t u, const std::byte* from)> decode;
  /// The entries of all rows, one after the other, if they are relaxed in the memory of the result
  /// and are at all times what `decode` reads; otherwise null.
  std::byte* in_place;
};

/// The share of one of the processes of a call. All of them have the same files on a file system
/// that they share, and call the functions of `matrix_checkpoint` at the same time.
struct checkpoint_share {
  /// What this process reads and writes: other entries than all others.
  matrix_part part;
  /// True on one of the processes: the one that creates the files, and decides when a checkpoint
  /// begins.
  bool is_first;
  /// The largest number of all processes. Throws on all of them if one gives a failure. Null if
  /// there is one process.
  std::function<std::uint64_t(std::uint64_t mine, const std::exception_ptr& failure)> largest;

  /// All of a matrix.
  static checkpoint_share whole(std::size_t n) { return {{{0, n}, {0, n}}, true, nullptr}; }
};

/// The files of a call of Floyd–Warshall that can be resumed: a matrix, and a label that says over
/// how many pivots all of its entries are relaxed.
///
/// Rows are copied while the solve goes on, so those of a file are relaxed over different numbers
/// of pivots, all at least that of the label. This is no fault: over an idempotent semiring an
/// entry is always the value of real paths, so relaxing it over a pivot again does not worsen it.
/// For the same reason the rows of a checkpoint may be overwritten by those of the next one while
/// the old label holds. A label is replaced only when the rows that it describes are on the disk.
///
/// For the same reason a matrix that is relaxed in the memory of the file itself needs no copy: its
/// pages are flushed instead, at any time after they are relaxed over the pivots of the label.
///
/// On several processes a label is replaced when the entries of all of them are on the disk.
/// Whatever fails on one of them is thrown on all.
///
/// Not to be shared between threads.
class APSP_EXPORT matrix_checkpoint {
 public:
  matrix_checkpoint();
  ~matrix_checkpoint();
  matrix_checkpoint(const matrix_checkpoint&) = delete;
  matrix_checkpoint& operator=(const matrix_checkpoint&) = delete;

  /// Checks the files and changes none. To be called once, before anything else.
  /// @throws std::invalid_argument if the checkpoint to resume is not that of @p subject(), or a
  ///         file is mapped for writing and its memory is not @p rows.
  /// @throws file_error if a file cannot be read, or is damaged.
  void open(const checkpoint_settings& settings, const std::function<checkpoint_subject()>& subject,
            const checkpoint_rows& rows, const checkpoint_share& share);
  /// The rows are already relaxed over the pivots before this one; 0 if nothing is resumed.
  std::size_t first_pivot() const;
  /// Opens the file that is written, and reserves its room. Then reads the rows of the checkpoint
  /// that is resumed. To be called once, when nothing but a failure can end the call any more, and
  /// before the rows are written.
  /// @return false if nothing is resumed: the rows are to be filled.
  /// @throws file_error if a file cannot be read or written.
  bool read_rows();

  /// True if the rows are in the memory of the file that is written, so that none are copied.
  bool is_in_place() const;
  /// False if `copy_rows` would do nothing now.
  bool is_due() const;
  /// Copies some rows to the file if a checkpoint is due, and labels it in the background once all
  /// of them are copied. No thread may change the rows meanwhile. If they are in the memory of the
  /// file, it is flushed in the background.
  /// @param pivots  All rows are relaxed over the pivots before this one; it may be less than
  ///                `first_pivot()`. If it is 0, nothing is copied.
  /// @throws file_error if something cannot be written, also what was written in the background.
  void copy_rows(std::size_t pivots);
  /// Makes a checkpoint of the matrix as it is, and returns when it is on the disk.
  void finish(std::size_t pivots);
  /// To be called before the rows are changed otherwise than by relaxing them: a file whose memory
  /// they are in is no longer a checkpoint.
  void release_rows();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace apsp::inline v1::detail
