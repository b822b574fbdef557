// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/files.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

// The test of a reader for libFuzzer: for any bytes it must return a valid graph or throw a
// file_error. Two bits of the first byte select the weight type, the others the options of the
// reader.
namespace apsp_fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

template <class W>
void require_well_formed(const apsp::csr_graph<W>& g) {
  const auto offsets = g.offsets();
  require(offsets.size() == g.num_vertices() + 1 && offsets.front() == 0);
  require(std::is_sorted(offsets.begin(), offsets.end()));
  require(static_cast<std::size_t>(offsets.back()) == g.targets().size());
  require(g.weights().size() == g.targets().size());
  for (const std::int32_t v : g.targets()) {
    require(v >= 0 && static_cast<std::size_t>(v) < g.num_vertices());
  }
  for (const W w : g.weights()) require(std::isfinite(static_cast<double>(w)));
}

/// @param read  `read.template operator()<W>(stream, options)` reads a graph.
template <class Read>
int try_to_read(Read read, const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::istringstream in(std::string(data + 1, data + size));
  const auto try_weights = [&]<class W>() {
    try {
      require_well_formed<W>(read.template operator()<W>(in, static_cast<unsigned>(data[0]) >> 2));
    } catch (const apsp::file_error&) {
    }
  };
  switch (data[0] % 4) {
    case 0:
      try_weights.template operator()<float>();
      break;
    case 1:
      try_weights.template operator()<double>();
      break;
    case 2:
      try_weights.template operator()<std::int32_t>();
      break;
    default:
      try_weights.template operator()<std::int64_t>();
      break;
  }
  return 0;
}

}  // namespace apsp_fuzz
