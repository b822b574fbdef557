// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/config.hpp"
#include "../elimination/hierarchy.hpp"
#include "../files/crc32.hpp"

// Numbers in binary files: the least significant byte comes first, whatever the machine.
namespace apsp::inline v1::detail {

/// Bytes of a value in a file.
template <class X>
inline constexpr std::size_t stored_size = sizeof(X);
template <class C>
inline constexpr std::size_t stored_size<sweep_arc<C>> = sizeof(std::int32_t) + sizeof(C);

template <class X>
void store(const X& x, char* to) {
  std::memcpy(to, &x, sizeof x);
  if constexpr (std::endian::native == std::endian::big) std::reverse(to, to + sizeof x);
}
template <class C>
void store(const sweep_arc<C>& arc, char* to) {
  store(arc.depth, to);
  store(arc.weight, to + sizeof arc.depth);
}

template <class X>
void restore(const char* from, X& x) {
  char bytes[sizeof x];
  std::memcpy(bytes, from, sizeof x);
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes, bytes + sizeof x);
  std::memcpy(&x, bytes, sizeof x);
}
template <class C>
void restore(const char* from, sweep_arc<C>& arc) {
  restore(from, arc.depth);
  restore(from + sizeof arc.depth, arc.weight);
}

/// Bytes that are converted at once.
inline constexpr std::size_t stored_block = std::size_t{1} << 16;

/// Where bytes are written. Throws file_error if that fails.
using byte_sink = std::function<void(const char* bytes, std::size_t size)>;

/// A sink that writes to a stream.
/// @param name  of the stream, for messages.
APSP_EXPORT byte_sink to_stream(std::ostream& out, std::filesystem::path name);
/// @throws file_error if the stream cannot be flushed.
APSP_EXPORT void flush_stream(std::ostream& out, const std::filesystem::path& name);

/// Writes numbers.
class APSP_EXPORT byte_writer {
 public:
  explicit byte_writer(byte_sink out) : out_(std::move(out)), buffer_(stored_block) {}

  /// @throws file_error if the bytes cannot be written; this also holds for the functions below.
  void write(const char* bytes, std::size_t size);
  template <class X>
  void write_value(const X& x) {
    char bytes[stored_size<X>];
    store(x, bytes);
    write(bytes, sizeof bytes);
  }
  template <class X>
  void write_values(const std::vector<X>& values) {
    constexpr std::size_t most = stored_block / stored_size<X>;
    for (std::size_t first = 0; first < values.size();) {
      const std::size_t count = std::min(most, values.size() - first);
      for (std::size_t i = 0; i < count; ++i) {
        store(values[first + i], buffer_.data() + i * stored_size<X>);
      }
      write(buffer_.data(), count * stored_size<X>);
      first += count;
    }
  }
  /// Writes the checksum of all bytes before it.
  void finish();

 private:
  byte_sink out_;
  std::vector<char> buffer_;
  crc32 checksum_;
};

/// Reads numbers from a stream, and no byte beyond them.
class APSP_EXPORT byte_reader {
 public:
  /// @param name  of the stream, for messages.
  byte_reader(std::istream& in, std::filesystem::path name)
      : in_(in), name_(std::move(name)), buffer_(stored_block) {}

  /// The size of the whole, once it is known, for messages.
  void expect(std::uint64_t num_bytes) { num_expected_ = num_bytes; }

  /// Reads up to @p size bytes.
  /// @throws file_error if the stream cannot be read; this also holds for the functions below.
  std::size_t read_some(char* bytes, std::size_t size);
  /// @throws file_error also if the stream ends before.
  void read(char* bytes, std::size_t size);
  template <class X>
  X read_value() {
    char bytes[stored_size<X>];
    read(bytes, sizeof bytes);
    X x;
    restore(bytes, x);
    return x;
  }
  /// The memory is at most a small multiple of what has been read.
  template <class X>
  std::vector<X> read_values(std::uint64_t count) {
    constexpr std::size_t most = stored_block / stored_size<X>;
    std::vector<X> values;
    while (values.size() < count) {
      const std::size_t first = values.size();
      const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(most, count - first));
      read(buffer_.data(), now * stored_size<X>);
      if (values.capacity() < first + now) {
        values.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(count, 2 * first + now)));
      }
      values.resize(first + now);
      for (std::size_t i = 0; i < now; ++i) {
        restore(buffer_.data() + i * stored_size<X>, values[first + i]);
      }
    }
    return values;
  }
  /// Reads a checksum.
  /// @throws file_error also if it is not that of all bytes before it.
  void check();

  /// @throws file_error with that reason.
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  std::istream& in_;
  std::filesystem::path name_;
  std::vector<char> buffer_;
  crc32 checksum_;
  std::uint64_t num_read_ = 0;
  std::uint64_t num_expected_ = 0;
};

}  // namespace apsp::inline v1::detail
