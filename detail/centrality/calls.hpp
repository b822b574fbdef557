// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "betweenness.hpp"
#include "count_paths.hpp"
#include "tight_predecessors.hpp"

// Numbers of shortest paths, betweenness and all predecessors.
