// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Graphs whose vertices have positions.
namespace apsp_picture {

struct point {
  double x = 0;
  double y = 0;
  double z = 0;
};

/// A graph to draw. Arc k goes from `from[k]` to `to[k]` and has weight `weights[k]`.
struct scene {
  std::string name;
  std::vector<point> points;  ///< one per vertex
  std::vector<std::int32_t> from;
  std::vector<std::int32_t> to;
  std::vector<double> weights;
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< of a surface; otherwise empty
  std::size_t rows = 0;                                ///< of a terrain; otherwise 0
  std::size_t columns = 0;                             ///< of a terrain; otherwise 0
};

/// A height field of rows x columns vertices at distances of 1, each joined to its eight
/// neighbours; the weight of an edge is its length in space. The heights are sums of lattices of
/// random numbers, each half as wide as the one before and less high, and depend only on the
/// arguments.
/// @param relief  the difference between the largest and the smallest height, divided by the longer
///                side.
scene make_terrain(std::size_t rows, std::size_t columns, double relief, std::uint64_t seed);

/// The surface of a horn: a tube along a spiral that widens towards its end, where it is open. The
/// weight of an edge is its length.
scene make_horn();

/// Reads the vertices (v) and faces (f) of a Wavefront OBJ file; other lines are skipped, and faces
/// of more than three vertices are split. The edges are those of the faces, and their weights are
/// their lengths.
/// @throws apsp::file_error if the file cannot be read, is malformed, or has no faces.
scene read_obj(const std::filesystem::path& file);

/// Reads a graph (.gr) and the coordinates of its vertices (.co) of the 9th DIMACS Challenge.
/// @param degrees  the coordinates are longitudes and latitudes in millionths of a degree, and are
///                 projected so that the scale is the same in both directions in the middle of the
///                 map.
/// @throws apsp::file_error if a file cannot be read or is malformed, a weight is negative, or the
///         files differ in their number of vertices.
scene read_roads(const std::filesystem::path& graph, const std::filesystem::path& coordinates,
                 bool degrees);

}  // namespace apsp_picture
