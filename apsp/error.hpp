// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include "config.hpp"

namespace apsp::inline v1 {

/// A CUDA device cannot run the call: there is no device, it has no kernel for the weight type, its
/// memory is insufficient, or a CUDA call failed.
class APSP_EXPORT device_error : public std::runtime_error {
 public:
  explicit device_error(const std::string& what) : std::runtime_error(what) {}

  /// Device memory is insufficient: @p bytes_needed by the call, @p bytes_free on the device.
  device_error(std::size_t bytes_needed, std::size_t bytes_free)
      : std::runtime_error("out of device memory: " + std::to_string(bytes_needed) +
                           " bytes needed, " + std::to_string(bytes_free) + " bytes free"),
        bytes_needed_(bytes_needed),
        bytes_free_(bytes_free) {}
  /// @p cause, with a message that begins with @p where.
  device_error(const std::string& where, const device_error& cause)
      : std::runtime_error(where + ": " + cause.what()),
        bytes_needed_(cause.bytes_needed_),
        bytes_free_(cause.bytes_free_) {}

  /// Bytes of device memory that the call needs; 0 if the cause was not memory.
  std::size_t bytes_needed() const noexcept { return bytes_needed_; }
  /// Bytes of device memory that were free; 0 if the cause was not memory.
  std::size_t bytes_free() const noexcept { return bytes_free_; }

 private:
  std::size_t bytes_needed_ = 0;
  std::size_t bytes_free_ = 0;
};

/// A call across several processes failed on another process, or a function of MPI failed. See
/// apsp/mpi.hpp.
class APSP_EXPORT distributed_error : public std::runtime_error {
 public:
  /// @param rank    the process that failed, in the communicator of the call.
  /// @param reason  what its exception said.
  distributed_error(int rank, const std::string& reason)
      : std::runtime_error("apsp: process " + std::to_string(rank) + ": " + reason), rank_(rank) {}

  /// The rank of the process that failed, in the communicator of the call.
  int rank() const noexcept { return rank_; }

 private:
  int rank_;
};

/// A graph file does not conform to its format, or cannot be read or written.
class APSP_EXPORT file_error : public std::runtime_error {
 public:
  /// @param line  1-based line of the error, or 0 if the error concerns the file as a whole.
  file_error(const std::filesystem::path& file, std::size_t line, const std::string& reason)
      : std::runtime_error(message(file, line, reason)),
        file_(file),
        line_(line),
        reason_(reason) {}

  const std::filesystem::path& file() const noexcept { return file_; }
  std::size_t line() const noexcept { return line_; }
  const std::string& reason() const noexcept { return reason_; }

 private:
  static std::string message(const std::filesystem::path& file, std::size_t line,
                             const std::string& reason) {
    std::string text = file.string();
    if (line != 0) text.append(1, ':').append(std::to_string(line));
    return text.append(": ").append(reason);
  }

  std::filesystem::path file_;
  std::size_t line_;
  std::string reason_;
};

namespace detail {

/// A failure to open, read or write a file, with the cause in `errno` unless that is 0.
inline std::string with_cause(const std::string& failure) {
  return errno == 0 ? failure : failure + ": " + std::generic_category().message(errno);
}

}  // namespace detail

}  // namespace apsp::inline v1
