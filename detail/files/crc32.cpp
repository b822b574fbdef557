// SPDX-License-Identifier: BSL-1.0
#include "crc32.hpp"

#include <array>

namespace apsp::inline v1::detail {

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

}  // namespace apsp::inline v1::detail
