// SPDX-License-Identifier: BSL-1.0
#include "read_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = []<class W>(std::istream& in, unsigned) {
    return apsp::read_matrix_market<W>(in, "fuzz");
  };
  return apsp_fuzz::try_to_read(read, data, size);
}
