// SPDX-License-Identifier: BSL-1.0
#include <vector>

#include "read_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = []<class W>(std::istream& in, unsigned options) {
    std::vector<std::int64_t> ids;
    const auto g = apsp::read_edge_list<W>(in, "fuzz",
                                           {.directed = (options & 1) == 0,
                                            .renumber = (options & 2) != 0,
                                            .header = (options & 4) != 0,
                                            .ids = &ids});
    apsp_fuzz::require(ids.size() == g.num_vertices() && std::is_sorted(ids.begin(), ids.end()));
    return g;
  };
  return apsp_fuzz::try_to_read(read, data, size);
}
