// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "distance_table.hpp"
#include "distances_of_pairs.hpp"
#include "distances_within.hpp"
#include "for_each_path.hpp"
#include "k_nearest_sources.hpp"
#include "nearest_sources.hpp"

// Queries for some of the distances of a graph, answered by the per-source algorithms.
