// SPDX-License-Identifier: BSL-1.0
#pragma once

// Graphs and results in `thrust::device_vector`: nothing but its members is asked of a vector, so this
// header needs no Thrust, and other arrays that say where they lie by a fancy pointer do as well.
//
//   thrust::device_vector<int> offsets, targets;
//   thrust::device_vector<float> weights, distances(n * n);
//   apsp::floyd_warshall(apsp::cuda_tiled.on(stream),
//                        apsp::device_csr_view(offsets, targets, weights),
//                        apsp::device_matrix_view(distances, n, n));
#include "device_graph.hpp"
#include "device_matrix.hpp"
#include "device_memory.hpp"
