// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <vector>

#include "loops.hpp"

// Measures the loops of loops.hpp on this machine.
namespace host_limit {

/// The instruction sets of this processor, the best one last.
std::vector<const limit_loops*> instruction_sets();

/// The instruction set that the library selects, with regard to APSP_INSTRUCTION_SET.
const limit_loops& chosen_instruction_set();

/// The number of threads of apsp::omp.
int num_threads();

/// Returns the relaxations per second of all threads together, the sum of their own rates. Unlike in a solve,
/// there is no shared work, so a delayed thread must not affect the others. Takes about 10 ms.
double measure(limit_loops::loop relax, int threads);

}  // namespace host_limit
