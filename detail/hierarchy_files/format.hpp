// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <istream>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "../../apsp/config.hpp"
#include "../elimination/elimination_tree.hpp"
#include "../values/distance_code.hpp"
#include "../values/int128.hpp"
#include "byte_streams.hpp"

// The parts of a file of a hierarchy that do not depend on its types. docs/files.md has the format.
namespace apsp::inline v1::detail {

/// A type of numbers in a file: 'f', 'i' or 'u' and the size in bytes; size 0 for none.
struct stored_type {
  char kind = 0;
  unsigned char size = 0;

  friend bool operator==(const stored_type&, const stored_type&) = default;
};

/// In words, for messages.
APSP_EXPORT std::string type_name(const stored_type& type);

template <class T>
constexpr stored_type stored_type_of() {
  const char kind = std::is_floating_point_v<T>                        ? 'f'
                    : std::is_signed_v<T> || std::is_same_v<T, int128> ? 'i'
                                                                       : 'u';
  return {kind, static_cast<unsigned char>(sizeof(T))};
}

/// True for the types of weights that files have.
template <class T>
inline constexpr bool has_stored_weights =
    std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8;
/// True for the types of sums that files have. The layout of other types depends on the machine.
template <class C>
inline constexpr bool has_stored_sums = is_coded_integer<C> || sizeof(C) <= 8;

struct hierarchy_header {
  stored_type weights;
  stored_type sums;  ///< Of the arcs that sweeps read; size 0 if there are no sweeps.
  std::uint64_t num_vertices = 0;
  std::uint64_t num_edges = 0;
  std::uint64_t num_supernodes = 0;
  std::uint64_t num_upper = 0;  ///< Upper neighbors of all supernodes.
  std::uint64_t num_up = 0;     ///< Arcs that lead up.
  std::uint64_t num_down = 0;
};

APSP_EXPORT void write_header(byte_writer& out, const hierarchy_header& header);
/// @throws file_error if it is not the header of a hierarchy whose weights are @p weights.
APSP_EXPORT hierarchy_header read_header(byte_reader& in, const stored_type& weights);

APSP_EXPORT void write_tree(byte_writer& out, const elimination_tree& tree);
/// Reads what determines the tree. `complete` does the rest, once the checksum is known to be
/// right.
APSP_EXPORT elimination_tree read_tree(byte_reader& in, const hierarchy_header& header);
/// @throws file_error if that is not a tree with supernodes.
APSP_EXPORT void complete(elimination_tree& tree, const byte_reader& in);

/// @throws file_error unless the offsets ascend from 0 to @p end. @p name is that of the lists.
APSP_EXPORT void check_offsets(std::span<const std::int64_t> offsets, std::size_t end,
                               const char* name, const byte_reader& in);

/// The stream of a file.
/// @throws file_error if the file cannot be opened.
APSP_EXPORT std::ifstream open_to_read(const std::filesystem::path& file);
/// @throws file_error unless the stream is at its end.
APSP_EXPORT void require_end(std::istream& in, const byte_reader& bytes);

}  // namespace apsp::inline v1::detail
