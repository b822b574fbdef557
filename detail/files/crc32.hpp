// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../apsp/config.hpp"

namespace apsp::inline v1::detail {

/// CRC-32 of bytes that come in pieces, as in zip and PNG files (ISO 3309).
class APSP_EXPORT crc32 {
 public:
  void add(const char* bytes, std::size_t size);
  std::uint32_t value() const { return ~state_; }

 private:
  std::uint32_t state_ = 0xffff'ffffu;
};

}  // namespace apsp::inline v1::detail
