// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace apsp::inline v1 {

/// What `count_paths` and `betweenness` take for shortest paths.
struct path_count_options {
  /// Two lengths of floating-point type count as equal if they differ by at most this, relative to
  /// the distance, or to the length of the parts in which two paths differ; at least 0. With 0 they
  /// must be equal bit for bit, as sums from the source on: the distances are then computed by
  /// Dijkstra's algorithm, or that of Bellman and Ford. Weights of type `float` are added up in
  /// `double`. Integers are always compared exactly.
  double tolerance = 1e-12;
  /// Paths over different arcs between the same vertices count as one. By default each of several
  /// parallel arcs of the same weight is on a path of its own.
  bool merge_parallel = false;
};

/// The conventions of `betweenness`.
struct betweenness_options {
  double tolerance = 1e-12;     ///< As in `path_count_options`.
  bool merge_parallel = false;  ///< The same.
  /// Each pair of vertices counts once, whatever its direction: the scores are halved. For
  /// undirected graphs.
  bool halved = false;
  /// Scores are relative to the number of pairs: divided by (n - 1) (n - 2), or by n (n - 1) with
  /// `endpoints` and for arcs; of pairs that count once, by half of that.
  bool normalized = false;
  /// Paths lead through their ends as well.
  bool endpoints = false;
  /// From k sources, scores are multiplied by n / k, as an estimate of those from all.
  bool scaled_to_all = false;
};

}  // namespace apsp::inline v1
