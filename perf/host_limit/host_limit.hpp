// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <vector>

#include "loops.hpp"

// What the loops of loops.hpp run like on this machine.
namespace host_limit {

/// Those that this processor has, the best one last.
std::vector<const limit_loops*> instruction_sets();

/// What the library chooses, with regard to APSP_INSTRUCTION_SET.
const limit_loops& chosen_instruction_set();

/// As many as apsp::omp uses.
int num_threads();

/// Relaxations per second of all threads together, each by its own time: unlike a solve they share
/// nothing out, so one that is held up must not count for all. Takes some 10 ms.
double measure(limit_loops::loop relax, int threads);

}  // namespace host_limit
