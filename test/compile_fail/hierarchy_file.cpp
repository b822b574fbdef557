// SPDX-License-Identifier: BSL-1.0
// A hierarchy with weights for which files have no type.
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/hierarchy_files.hpp>

#ifdef APSP_TEST_RIGHT
using weight = double;
#else
using weight = long double;
#endif

void keep(const apsp::contraction_hierarchy<weight>& h) {
  apsp::write_hierarchy("roads", h);
}
