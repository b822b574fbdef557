// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../test/common/generators.hpp"

// The graphs that benchmarks are measured on are those of the tests.
namespace apsp_perf = apsp_test;
