// SPDX-License-Identifier: BSL-1.0
#include "tile_size.hpp"

#include <cstddef>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif
#if defined(_SC_LEVEL1_DCACHE_SIZE) && defined(_SC_LEVEL2_CACHE_SIZE)
#define APSP_HAS_CACHE_SIZES
#endif

namespace apsp::inline v1::detail::host {

namespace {

#ifdef APSP_HAS_CACHE_SIZES
// A system that defines the name may still not know the size: it then returns 0 or -1.
std::size_t asked_for(int name, std::size_t otherwise) {
  const long bytes = sysconf(name);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : otherwise;
}
#endif

cache_sizes find_data_caches() {
  cache_sizes sizes{std::size_t{32} << 10, std::size_t{512} << 10};
#ifdef APSP_HAS_CACHE_SIZES
  sizes.level1 = asked_for(_SC_LEVEL1_DCACHE_SIZE, sizes.level1);
  sizes.level2 = asked_for(_SC_LEVEL2_CACHE_SIZE, sizes.level2);
#endif
  return sizes;
}

}  // namespace

const cache_sizes& data_caches() {
  static const cache_sizes sizes = find_data_caches();
  return sizes;
}

}  // namespace apsp::inline v1::detail::host
