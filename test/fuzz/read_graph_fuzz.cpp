// SPDX-License-Identifier: BSL-1.0
// For libFuzzer: every reader, on any bytes, either returns a well-formed graph or throws a
// file_error. The first byte chooses the reader and its options, the second the weight type.
//
//   clang++ -std=c++20 -g -O1 -I. -fsanitize=fuzzer,address,undefined \
//       test/fuzz/read_graph_fuzz.cpp adaptors/files/*.cpp -o read_graph_fuzz
#include <algorithm>
#include <apsp/files.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

template <class W>
apsp::csr_graph<W> read(std::istream& in, std::uint8_t choice) {
  switch (choice % 4) {
    case 0:
      return apsp::read_dimacs<W>(in, "fuzz");
    case 1:
      return apsp::read_matrix_market<W>(in, "fuzz");
    case 2:
      return apsp::read_metis<W>(in, "fuzz");
    default: {
      std::vector<std::int64_t> ids;
      const apsp::edge_list_options options{.directed = (choice & 4) == 0,
                                            .renumber = (choice & 8) != 0,
                                            .header = (choice & 16) != 0,
                                            .ids = &ids};
      const auto g = apsp::read_edge_list<W>(in, "fuzz", options);
      require(ids.size() == g.num_vertices() && std::is_sorted(ids.begin(), ids.end()));
      return g;
    }
  }
}

template <class W>
void try_to_read(std::uint8_t choice, const std::string& text) {
  std::istringstream in(text);
  try {
    const apsp::csr_graph<W> g = read<W>(in, choice);
    const auto offsets = g.offsets();
    require(offsets.front() == 0 && std::is_sorted(offsets.begin(), offsets.end()));
    require(static_cast<std::size_t>(offsets.back()) == g.targets().size());
    for (const std::int32_t v : g.targets()) {
      require(v >= 0 && static_cast<std::size_t>(v) < g.num_vertices());
    }
    for (const W w : g.weights()) require(std::isfinite(static_cast<double>(w)));
  } catch (const apsp::file_error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string text(data + 2, data + size);
  switch (data[1] % 4) {
    case 0:
      try_to_read<float>(data[0], text);
      break;
    case 1:
      try_to_read<double>(data[0], text);
      break;
    case 2:
      try_to_read<std::int32_t>(data[0], text);
      break;
    default:
      try_to_read<std::int64_t>(data[0], text);
      break;
  }
  return 0;
}
