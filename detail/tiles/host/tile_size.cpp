// SPDX-License-Identifier: BSL-1.0
#include "tile_size.hpp"

#include <cstddef>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace apsp::inline v1::detail::host {

namespace {

// A system that defines the name may still not know the size: it then returns 0 or -1.
[[maybe_unused]] std::size_t asked_for(int name, std::size_t otherwise) {
#if __has_include(<unistd.h>)
  const long bytes = sysconf(name);
  if (bytes > 0) return static_cast<std::size_t>(bytes);
#else
  static_cast<void>(name);
#endif
  return otherwise;
}

cache_sizes find_data_caches() {
  cache_sizes sizes{std::size_t{32} << 10, std::size_t{512} << 10};
#if defined(_SC_LEVEL1_DCACHE_SIZE) && defined(_SC_LEVEL2_CACHE_SIZE)
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
