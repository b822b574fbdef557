// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/bit_matrix.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "generators.hpp"

// Bit matrices and their expected contents.
namespace apsp_test {

using bytes = std::vector<std::vector<char>>;

/// Checks every entry, and that the bits after the last column are 0.
inline void check_bits(const bytes& expected, const apsp::bit_matrix& bits) {
  std::size_t count = 0;
  for (std::size_t u = 0; u < expected.size(); ++u) {
    for (std::size_t v = 0; v < expected[u].size(); ++v) {
      count += static_cast<std::size_t>(expected[u][v]);
      if (bits[u][v] != (expected[u][v] != 0)) {
        BOOST_ERROR("entry (" << u << ", " << v << ") is " << bits[u][v]);
        return;
      }
    }
  }
  BOOST_CHECK_EQUAL(bits.count(), count);
}

/// Returns a matrix of arbitrary bits.
inline apsp::bit_matrix used_bits(std::size_t rows, std::size_t columns) {
  apsp::bit_matrix bits(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) bits.set(i, j, (i * 7 + j) % 3 == 0);
  }
  return bits;
}

/// Returns a matrix in which each bit is set with probability @p p.
inline apsp::bit_matrix random_bits(std::size_t rows, std::size_t columns, double p,
                                    std::uint64_t seed) {
  random_numbers random(seed);
  apsp::bit_matrix bits(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) bits.set(i, j, random.chance(p));
  }
  return bits;
}

}  // namespace apsp_test
