// SPDX-License-Identifier: BSL-1.0
// Any bytes with the right checksum must be refused with a file_error, or be a hierarchy that calls
// can use.
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/distance_summary.hpp>
#include <apsp/elimination.hpp>
#include <apsp/error.hpp>
#include <apsp/hierarchy_files.hpp>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>

namespace {

std::string with_checksum(std::string bytes) {
  std::uint32_t state = 0xffff'ffffu;
  for (const char c : bytes) {
    state ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) state = state >> 1 ^ (state % 2 != 0 ? 0xedb8'8320u : 0u);
  }
  for (int shift = 0; shift < 32; shift += 8) {
    bytes += static_cast<char>(static_cast<unsigned char>(~state >> shift & 0xffu));
  }
  return bytes;
}

template <class T>
void try_to_use(const std::string& bytes) {
  try {
    std::istringstream in(bytes);
    auto h = apsp::read_hierarchy<T>(in, "fuzz");
    const std::size_t n = h.num_vertices();
    apsp::matrix<T> distances(n);
    apsp::matrix<int> predecessors(n);
    static_cast<void>(apsp::elimination(apsp::seq, h, distances, predecessors));
    static_cast<void>(apsp::summarize_paths(apsp::seq, h));
    static_cast<void>(h.customize(apsp::seq, std::as_const(h)));
  } catch (const apsp::file_error&) {
  }
}

}  // namespace

// The first byte selects the type of the weights, and the checksum is added.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes = with_checksum(std::string(data + 1, data + size));
  switch (data[0] % 4) {
    case 0:
      try_to_use<float>(bytes);
      break;
    case 1:
      try_to_use<double>(bytes);
      break;
    case 2:
      try_to_use<std::int32_t>(bytes);
      break;
    default:
      try_to_use<std::int64_t>(bytes);
      break;
  }
  return 0;
}
