// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../adaptors/boost/compressed_sparse_row_graph.hpp"
