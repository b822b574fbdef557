// SPDX-License-Identifier: BSL-1.0
#pragma once

// Everything for Boost.Graph: its six graph classes as graphs of the library, `boost_graph` for all
// other models, and Boost.Graph's own functions with a policy as the first parameter. Each of these
// headers can be included alone, which compiles faster.
#include "boost/adjacency_list.hpp"
#include "boost/adjacency_matrix.hpp"
#include "boost/compressed_sparse_row_graph.hpp"
#include "boost/drop_in.hpp"
#include "boost/filtered_graph.hpp"
#include "boost/graph.hpp"
#include "boost/reverse_graph.hpp"
#include "boost/subgraph.hpp"
