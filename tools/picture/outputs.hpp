// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

#include "measures.hpp"
#include "scene.hpp"

namespace apsp_picture {

/// The picture of a terrain: its vertices as squares, shaded by a light from the upper left.
std::string svg_of_terrain(const scene& s, const measures& m);

/// The picture of a graph in the plane: its edges as lines.
std::string svg_of_map(const scene& s, const measures& m);

/// The surface of a scene as text in the Polygon File Format, with a colour and the eccentricity
/// for each vertex, the triangles, and the longest shortest path as edges.
std::string ply_of_surface(const scene& s, const measures& m);

}  // namespace apsp_picture
