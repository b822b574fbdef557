// SPDX-License-Identifier: BSL-1.0
#include <apsp/config.hpp>

namespace apsp {

inline int new_name() {
  return 1;
}
APSP_DEPRECATED("use new_name") inline int old_name() {
  return new_name();
}

}  // namespace apsp

int call() {
#ifdef APSP_TEST_RIGHT
  return apsp::new_name();
#else
  return apsp::old_name();
#endif
}
