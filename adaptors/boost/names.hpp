// SPDX-License-Identifier: BSL-1.0
#pragma once

// Names of the Boost Graph Library, which moves from namespace boost to boost::graph in steps. The
// adaptors take every name from here, so that they compile wherever a version of Boost has it.
namespace boost::graph {}

namespace apsp::detail::bgl {

// So that the using-declarations below are valid before any graph class is declared.
namespace always_declared {
void edge();
void edges();
void num_vertices();
void out_edges();
void source();
void target();
void vertices();
}  // namespace always_declared

/// The functions of models in both namespaces. `using functions::vertices; vertices(g)` finds them
/// there, as Boost's own algorithms do, or by argument-dependent lookup.
namespace functions {
using namespace boost;
using namespace boost::graph;
using namespace always_declared;
}  // namespace functions

}  // namespace apsp::detail::bgl
