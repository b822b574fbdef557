// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <vector>

#include "../detail/values/weight_types.hpp"
#include "config.hpp"
#include "csr_graph.hpp"
#include "error.hpp"

// Readers of graph files. Common rules:
//
//  - A file that does not conform exactly to its format is rejected with a `file_error` that names
//    the line; nothing is guessed or repaired. No other exception is thrown, except
//    `std::bad_alloc`.
//  - Vertices are numbered from 0 in the result. An undirected edge becomes two arcs, an undirected
//    self-loop one. Parallel edges, self-loops and zero weights are kept.
//  - A weight must be a finite number in the range of @p W. With an integer @p W it is read
//    exactly: "2.0" and "2e3" are integers and "2.5" is an error. The largest integer, which means
//    "no edge" in this library, is also an error. With a floating-point @p W the weight is rounded
//    to the nearest value, but never to infinity, and to zero only if it is zero.
//  - Numbers are read independently of the locale. Lines end in "\n" or "\r\n"; the last line end
//    may be missing.
//  - A file may declare at most 2^31 - 1 vertices, and at most 2^24 if it has fewer bytes than
//    declared vertices, so that a small file cannot cause unbounded allocation.
//
// Each reader takes a path, or a stream and a name for it in error messages. The text is read as a
// whole; memory is a small multiple of its size. Complexity: linear in the length of the text,
// unless stated otherwise.
namespace apsp::inline v1 {

/// A weight type that the readers support: `float`, `double`, `std::int32_t` or `std::int64_t`.
template <class W>
concept file_weight = detail::has_compiled_kernels<W>;

/// Reads a directed graph of the 9th DIMACS Challenge (.gr): "c" comments, one line "p sp n m",
/// then m lines "a source target weight" with vertices numbered from 1.
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_dimacs(const std::filesystem::path& file);
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_dimacs(std::istream& in, const std::string& name);

/// Reads a square sparse matrix in Matrix Market format (.mtx): the entry in row i and column j is
/// the arc from i to j. Supported are `coordinate` matrices that are `real`, `integer`,
/// `unsigned-integer` or `pattern` (every entry then has weight 1), and `general` or `symmetric`
/// (entries on or below the diagonal, each an undirected edge); others are rejected. A stored zero
/// is an edge.
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_matrix_market(const std::filesystem::path& file);
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_matrix_market(std::istream& in, const std::string& name);

/// Reads an undirected graph in METIS format (.graph, .metis): a line "n m [fmt [ncon]]", then one
/// line of neighbours per vertex, numbered from 1. An empty line with its line end is an isolated
/// vertex; a line that starts with "%" is skipped. Edges have weight 1, or the numbers that follow
/// the neighbours if `fmt` ends in 1. Vertex weights and sizes must be present if declared, and are
/// skipped. Every edge must be listed at both ends with the same weight; self-loops are rejected.
/// Complexity: m log(largest degree), to check that the lists agree.
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_metis(const std::filesystem::path& file);
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_metis(std::istream& in, const std::string& name);

/// Options that an edge list file does not contain.
struct edge_list_options {
  /// If true, each line is one arc; otherwise it is an undirected edge, that is, one arc in each
  /// direction (a self-loop is one arc).
  bool directed = true;
  /// If true, the ids in the file are numbered 0, 1, ... in ascending order, as SNAP files require.
  /// Otherwise the ids are the vertices, and the number of vertices is the largest id plus one.
  bool renumber = false;
  /// If true, the file starts with the numbers of vertices and edges, on one or two lines, as in
  /// the files of the algs4 book. Both are checked.
  bool header = false;
  /// If not null, receives the id in the file of each vertex.
  std::vector<std::int64_t>* ids = nullptr;
};

/// Reads an edge list: one line "source target" or "source target weight" per edge, separated by
/// blanks or a comma. Ids are integers from 0. Either all lines have a weight or none has; without
/// weights, edges have weight 1. Empty lines and lines that start with "#" or "%" are skipped.
/// Complexity: linear; with `renumber` and ids far larger than the file, m log m.
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_edge_list(const std::filesystem::path& file,
                                        const edge_list_options& options = {});
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_edge_list(std::istream& in, const std::string& name,
                                        const edge_list_options& options = {});

/// Reads any of these files, chosen by the file name extension, in lower or upper case: .gr; .mtx;
/// .graph, .metis; .txt, .el, .wel, .edges, .csv, .tsv (edge lists, the only files to which @p
/// options apply).
/// @throws file_error for any other extension; the message lists the known ones.
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_graph(const std::filesystem::path& file,
                                    const edge_list_options& options = {});

}  // namespace apsp::inline v1
