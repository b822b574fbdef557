// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <vector>

#include "../apsp/config.hpp"
#include "../apsp/error.hpp"
#include "../detail/values/weight_types.hpp"
#include "csr_graph.hpp"

// Readers of graph files. What they have in common:
//
//  - A file that is not exactly what its format says is refused with a `file_error` that names the
//    line; nothing is guessed or repaired. No other exception is thrown, save `std::bad_alloc`.
//  - Vertices are numbered from 0 in the result. An undirected edge becomes two arcs, an undirected
//    self-loop one. Parallel edges, self-loops and zero weights are kept.
//  - A weight must be a finite number in the range of @p W. With an integer @p W it is read exactly:
//    "2.0" and "2e3" are integers and "2.5" is an error. So is the largest integer, which means
//    "no edge" in this library. With a floating-point @p W it is rounded to the nearest value, but
//    not to infinity, and to zero only if it is zero.
//  - Numbers are read alike in every locale. Lines end in "\n" or "\r\n"; the last end may be
//    missing.
//  - A file may declare at most 2^31 - 1 vertices, and at most 2^24 if it has fewer bytes than that
//    many vertices: a small file cannot make its reader allocate without bounds.
//
// Each reader takes a path, or a stream and the name of it to use in errors. The text is read
// whole; memory is a small multiple of it. Complexity: linear in the length of the text, unless
// said.
namespace apsp {

/// A weight type that files are read with: `float`, `double`, `std::int32_t` or `std::int64_t`.
template <class W>
concept file_weight = detail::has_compiled_kernels<W>;

/// A directed graph of the 9th DIMACS Challenge (.gr): "c" comments, one line "p sp n m", then m
/// lines "a source target weight" with vertices from 1.
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_dimacs(const std::filesystem::path& file);
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_dimacs(std::istream& in, const std::string& name);

/// A square sparse matrix in Matrix Market format (.mtx): the entry in row i and column j is the
/// arc from i to j. `coordinate` matrices that are `real`, `integer` or `pattern` (every entry then
/// weighs 1), and `general` or `symmetric` (entries on or below the diagonal, each an undirected
/// edge) are read; others are refused. A stored zero is an edge.
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_matrix_market(const std::filesystem::path& file);
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_matrix_market(std::istream& in, const std::string& name);

/// An undirected graph in METIS format (.graph, .metis): a line "n m [fmt [ncon]]", then a line of
/// neighbours per vertex, numbered from 1; an empty line with its line end is an isolated vertex, a
/// line that starts with "%" is none. Edges weigh 1, or the integers that follow the neighbours if `fmt` ends in 1.
/// Vertex weights and sizes are checked to be there, and skipped. Every edge must be listed at both
/// of its ends with one weight; self-loops are refused.
/// Complexity: m log(largest degree), for the check that the lists agree.
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_metis(const std::filesystem::path& file);
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_metis(std::istream& in, const std::string& name);

/// What an edge list does not say by itself.
struct edge_list_options {
  /// Each line is one arc; otherwise an edge, that is an arc each way (a self-loop is one arc).
  bool directed = true;
  /// Number the ids that occur 0, 1, ... in ascending order, as files of SNAP need. Otherwise the
  /// ids are the vertices, and there are as many vertices as the largest id and one.
  bool renumber = false;
  /// The file starts with the numbers of vertices and of edges, on one line or two, as files of the
  /// algs4 book do. Both are checked.
  bool header = false;
  /// If not null, receives the id in the file of each vertex.
  std::vector<std::int64_t>* ids = nullptr;
};

/// An edge list: a line "source target" or "source target weight" per edge, separated by blanks or
/// a comma. Ids are integers from 0. Either all lines have a weight or none has; edges then
/// weigh 1. Empty lines and lines that start with "#" or "%" are skipped. Complexity: linear; with
/// `renumber` and ids far larger than the file, m log m.
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_edge_list(const std::filesystem::path& file,
                                        const edge_list_options& options = {});
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_edge_list(std::istream& in, const std::string& name,
                                        const edge_list_options& options = {});

/// Any of these files, by the extension of its name, in lower or upper case: .gr; .mtx; .graph,
/// .metis; .txt, .el, .wel, .edges, .csv, .tsv (edge lists, to which alone @p options apply).
/// @throws file_error for any other extension; it names the known ones.
template <file_weight W = double>
APSP_EXPORT csr_graph<W> read_graph(const std::filesystem::path& file,
                                    const edge_list_options& options = {});

}  // namespace apsp
