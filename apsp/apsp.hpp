// SPDX-License-Identifier: BSL-1.0
#pragma once

// Everything but what needs another library: <apsp/boost_graph.hpp> comes on its own.
#include "bellman_ford.hpp"
#include "csr.hpp"
#include "dense.hpp"
#include "dijkstra.hpp"
#include "edge_list.hpp"
#include "error.hpp"
#include "files.hpp"
#include "floyd_warshall.hpp"
#include "for_each_row.hpp"
#include "graph.hpp"
#include "johnson.hpp"
#include "matrix.hpp"
#include "matrix_traits.hpp"
#include "npy.hpp"
#include "path.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "unreachable.hpp"
#include "vertex_range.hpp"
#include "weighted.hpp"
