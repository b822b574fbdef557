// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scene.hpp"

namespace apsp_picture {

/// What a picture shows of all shortest paths of a graph.
struct measures {
  std::string name = "eccentricity";   ///< of the values, as an identifier
  std::string label = "eccentricity";  ///< of the values, for readers
  std::string mark = "centre";         ///< what the marked vertex is called
  std::vector<double> values;          ///< one per vertex
  /// One per arc, for the lines of a map; if empty, the mean of the values of the ends.
  std::vector<double> values_of_arcs;
  /// Vertices that reach the usual number of others: that of the most vertices, and among several
  /// such numbers the largest. Only these have a colour, and one of them is the centre. The
  /// eccentricity of a vertex that reaches few others is small for that reason; in a road map, such
  /// vertices lie behind roads of one direction.
  std::vector<bool> is_drawn;
  std::size_t num_drawn = 0;
  double least = 0;        ///< of their values, or of those of arcs
  double largest = 0;      ///< the same
  std::size_t centre = 0;  ///< the first of them with the least eccentricity, or the largest value
  double path_length = 0;  ///< the diameter of the graph
  std::vector<std::size_t> longest_path;  ///< the vertices of a shortest path of this length
};

/// @param policy   one of `apsp::policy_names`.
/// @param threads  of `omp`; 0 stands for OpenMP's default.
measures measure(const scene& s, const std::string& policy, int threads);

/// The number of vertices within a distance from each vertex, itself included. All vertices are
/// drawn, there is no path, and the first vertex of the largest number is marked.
measures count_within(const scene& s, double distance, const std::string& policy, int threads);

/// The betweenness of each vertex, as a share of all pairs of others. Vertices and marks are as of
/// `count_within`.
/// @param of_arcs  colours are those of the arcs: the share of all pairs whose shortest paths lead
///                 from one end to the other, in either direction, over any of parallel arcs.
measures score_betweenness(const scene& s, bool of_arcs, const std::string& policy, int threads);

}  // namespace apsp_picture
