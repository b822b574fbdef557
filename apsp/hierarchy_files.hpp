// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <filesystem>
#include <istream>
#include <ostream>
#include <string>

#include "../detail/hierarchy_files/calls.hpp"
#include "contraction_hierarchy.hpp"
#include "error.hpp"
#include "policy.hpp"
#include "result.hpp"

// Hierarchies in files, so that a graph is prepared by one program and used by others.
// docs/files.md has the format. Weights are of a built-in arithmetic type of 1 to 8 bytes.
namespace apsp::inline v1 {

/// Writes a hierarchy to a file, with its order, its graph and the arcs of its sweeps.
///
/// @throws std::invalid_argument if `h.status()` is false, or if sums of weights of type `double`
///         may exceed its range. Nothing is written then.
/// @throws file_error if the file cannot be written. What was there remains, since the new file
///         takes its place when it is complete; the disk needs room for both.
/// Complexity: linear in the numbers of vertices, arcs and upper neighbors.
template <class T>
void write_hierarchy(const std::filesystem::path& file, const contraction_hierarchy<T>& h) {
  detail::write_kept_hierarchy(file, graph_adaptor<contraction_hierarchy<T>>::kept(h), h.status());
}
/// As above, to a binary stream, which is flushed. @p name is that of the stream in messages.
template <class T>
void write_hierarchy(std::ostream& out, const std::string& name,
                     const contraction_hierarchy<T>& h) {
  detail::write_kept_hierarchy(out, name, graph_adaptor<contraction_hierarchy<T>>::kept(h),
                               h.status());
}

/// Reads a hierarchy that `write_hierarchy` has written, on any machine. Calls with it return the
/// same results, bit for bit, and `customize` gives it other weights.
///
/// @tparam T  the type of its weights, which is that of the hierarchy in the file.
/// @throws file_error if the file cannot be read, has other weights, or is not exactly what
///         `write_hierarchy` writes. Its checksum and all numbers that calls use as indices are
///         checked; the lengths of its arcs cannot be, so a file that was made to deceive may cause
///         wrong distances. Memory is a small multiple of the bytes that have been read.
/// Complexity: O(n + a log a) for n vertices and a arcs and upper neighbors.
template <class T>
contraction_hierarchy<T> read_hierarchy(const std::filesystem::path& file) {
  return graph_adaptor<contraction_hierarchy<T>>::from_kept(
      detail::read_kept_hierarchy<T>(file), result(backend::seq, algorithm::elimination));
}
/// As above, from a binary stream: no byte beyond the hierarchy is read. @p name is that of the
/// stream in messages.
template <class T>
contraction_hierarchy<T> read_hierarchy(std::istream& in, const std::string& name) {
  return graph_adaptor<contraction_hierarchy<T>>::from_kept(
      detail::read_kept_hierarchy<T>(in, name), result(backend::seq, algorithm::elimination));
}

}  // namespace apsp::inline v1
