// SPDX-License-Identifier: BSL-1.0
#include "byte_streams.hpp"

#include <array>
#include <cerrno>
#include <ios>

#include "../../apsp/error.hpp"

namespace apsp::detail {

namespace {

using crc_table = std::array<std::uint32_t, 256>;

/// tables[k][b]: what byte b contributes k bytes later.
constexpr std::array<crc_table, 8> make_crc_tables() {
  std::array<crc_table, 8> tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t state = b;
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ ((state & 1) != 0 ? 0xedb8'8320u : 0);
    tables[0][b] = state;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t b = 0; b < 256; ++b) {
      const std::uint32_t before = tables[k - 1][b];
      tables[k][b] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}
constexpr std::array<crc_table, 8> crc_tables = make_crc_tables();

}  // namespace

// Eight bytes at a time, by eight tables. Source: Kounavis, Berry 2008 (slicing by 8).
void crc32::add(const char* bytes, std::size_t size) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return static_cast<unsigned char>(bytes[i]);
  };
  for (; size >= 8; bytes += 8, size -= 8) {
    const std::uint32_t low = state_ ^ (byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24);
    state_ = crc_tables[7][low & 0xff] ^ crc_tables[6][low >> 8 & 0xff] ^
             crc_tables[5][low >> 16 & 0xff] ^ crc_tables[4][low >> 24] ^ crc_tables[3][byte(4)] ^
             crc_tables[2][byte(5)] ^ crc_tables[1][byte(6)] ^ crc_tables[0][byte(7)];
  }
  for (; size > 0; ++bytes, --size) {
    state_ = (state_ >> 8) ^ crc_tables[0][(state_ ^ byte(0)) & 0xff];
  }
}

void byte_writer::write(const char* bytes, std::size_t size) {
  errno = 0;
  try {
    out_.write(bytes, static_cast<std::streamsize>(size));
  } catch (const std::ios_base::failure&) {
    // The stream is set to throw.
  }
  require_written();
  checksum_.add(bytes, size);
}

void byte_writer::finish() {
  write_value(checksum_.value());
  errno = 0;
  try {
    out_.flush();
  } catch (const std::ios_base::failure&) {
    // As above.
  }
  require_written();
}

void byte_writer::require_written() const {
  if (!out_) throw file_error(name_, 0, with_cause("cannot be written"));
}

std::size_t byte_reader::read_some(char* bytes, std::size_t size) {
  try {
    in_.read(bytes, static_cast<std::streamsize>(size));
  } catch (const std::ios_base::failure&) {
    // The stream is set to throw, perhaps at its end.
  }
  if (in_.bad()) fail("cannot be read");
  const auto count = static_cast<std::size_t>(in_.gcount());
  checksum_.add(bytes, count);
  num_read_ += count;
  return count;
}

void byte_reader::read(char* bytes, std::size_t size) {
  if (read_some(bytes, size) == size) return;
  fail("the file ends after " + std::to_string(num_read_) +
       (num_expected_ == 0 ? " bytes, in its header"
                           : " of " + std::to_string(num_expected_) + " bytes"));
}

void byte_reader::check() {
  const std::uint32_t expected = checksum_.value();
  const auto found = read_value<std::uint32_t>();
  if (found == expected) return;
  fail("the file is damaged: its checksum is " + std::to_string(found) +
       ", but that of its bytes " + std::to_string(expected));
}

void byte_reader::fail(const std::string& reason) const {
  throw file_error(name_, 0, reason);
}

}  // namespace apsp::detail
