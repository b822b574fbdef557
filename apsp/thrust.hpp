// SPDX-License-Identifier: BSL-1.0
#pragma once

// Graphs and results in `thrust::device_vector`. Only members of the vector are used, so this
// header does not need Thrust, and other arrays with a fancy pointer to device memory also work.
//
//   thrust::device_vector<int> offsets, targets;
//   thrust::device_vector<float> weights, distances(n * n);
//   apsp::floyd_warshall(apsp::cuda_tiled.on(stream),
//                        apsp::device_csr_view(offsets, targets, weights),
//                        apsp::device_matrix_view(distances, n, n));
#include "device_graph.hpp"
#include "device_matrix.hpp"
#include "device_memory.hpp"
