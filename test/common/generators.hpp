// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../common/generators.hpp"

// The graphs of the tests.
namespace apsp_test {
using namespace apsp_common;
}  // namespace apsp_test
