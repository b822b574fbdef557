// SPDX-License-Identifier: BSL-1.0
#include "format.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "../../apsp/error.hpp"
#include "../files/quoted.hpp"

namespace apsp::inline v1::detail {

namespace {

using namespace std::string_view_literals;

// The first byte is no character of a text, and the last one is changed by programs that transfer
// texts.
constexpr std::string_view magic =
    "\x93"
    "APSPCH\n"sv;
constexpr std::uint32_t version = 1;
constexpr std::uint64_t most_vertices = 0x7fff'ffff;
// So that the size of the file fits in 64 bits.
constexpr std::uint64_t most_entries = std::uint64_t{1} << 48;

std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

/// In NumPy's notation: byte order, kind, size; four characters, the last ones 0.
using type_text = std::array<char, 4>;

type_text encoded(const stored_type& type) {
  if (type.size == 0) return {};
  const auto digit = [](int d) { return static_cast<char>('0' + d); };
  if (type.size < 10) return {'<', type.kind, digit(type.size), 0};
  return {'<', type.kind, digit(type.size / 10), digit(type.size % 10)};
}

/// One of the types that files have.
stored_type read_type(byte_reader& in, const char* name) {
  type_text found;
  in.read(found.data(), found.size());
  for (const char kind : {'f', 'i', 'u'}) {
    for (const unsigned size : {1u, 2u, 4u, 8u, 16u}) {
      const stored_type type{kind, static_cast<unsigned char>(size)};
      if (encoded(type) == found) return type;
    }
  }
  if (found == type_text{}) return {};
  in.fail("expected a type such as <f4 for the " + std::string(name) + ", found " +
          detail::quoted({found.data(), found.size()}));
}

std::string list_name(const char* name, std::size_t i) {
  return std::string(name) + " " + std::to_string(i);
}

}  // namespace

std::string type_name(const stored_type& type) {
  if (type.size == 0) return "none";
  const char* const kind = type.kind == 'f'   ? "-bit floating-point numbers"
                           : type.kind == 'i' ? "-bit integers"
                                              : "-bit unsigned integers";
  return std::to_string(8 * int{type.size}) + kind;
}

void write_header(byte_writer& out, const hierarchy_header& header) {
  out.write(magic.data(), magic.size());
  out.write_value(version);
  for (const stored_type& type : {header.weights, header.sums}) {
    const type_text text = encoded(type);
    out.write(text.data(), text.size());
  }
  for (const std::uint64_t size : {header.num_vertices, header.num_edges, header.num_supernodes,
                                   header.num_upper, header.num_up, header.num_down}) {
    out.write_value(size);
  }
}

hierarchy_header read_header(byte_reader& in, const stored_type& weights) {
  std::array<char, magic.size()> first;
  const std::size_t num_first = in.read_some(first.data(), first.size());
  if (std::string_view(first.data(), num_first) != magic) {
    in.fail("expected a hierarchy, written by write_hierarchy; the file begins otherwise");
  }
  if (const auto found = in.read_value<std::uint32_t>(); found != version) {
    in.fail("expected version " + std::to_string(version) + " of the format, found version " +
            std::to_string(found));
  }
  hierarchy_header header;
  header.weights = read_type(in, "weights");
  header.sums = read_type(in, "sums");
  if (header.weights != weights) {
    in.fail("expected weights that are " + type_name(weights) + ", found " +
            type_name(header.weights));
  }
  const auto read_size = [&](const char* name, std::uint64_t most) {
    const auto size = in.read_value<std::uint64_t>();
    if (size > most) {
      in.fail("expected at most " + std::to_string(most) + " " + name + ", found " +
              std::to_string(size));
    }
    return size;
  };
  header.num_vertices = read_size("vertices", most_vertices);
  header.num_edges = read_size("arcs", most_entries);
  header.num_supernodes = read_size("supernodes", header.num_vertices);
  header.num_upper = read_size("upper neighbors", most_entries);
  header.num_up = read_size("arcs up", header.sums.size == 0 ? 0 : most_entries);
  header.num_down = read_size("arcs down", header.sums.size == 0 ? 0 : most_entries);

  constexpr std::uint64_t index = sizeof(std::int32_t);
  constexpr std::uint64_t offset = sizeof(std::int64_t);
  const std::uint64_t lists = header.sums.size == 0 ? 1 : 3;
  in.expect(magic.size() + sizeof version + 2 * sizeof(type_text) + 6 * sizeof(std::uint64_t) +
            index * (header.num_vertices + header.num_supernodes + 1 + header.num_upper) +
            offset * (header.num_supernodes + 1 + lists * (header.num_vertices + 1)) +
            (index + header.weights.size) * header.num_edges +
            (index + header.sums.size) * (header.num_up + header.num_down) + sizeof(std::uint32_t));
  return header;
}

void write_tree(byte_writer& out, const elimination_tree& tree) {
  out.write_values(tree.vertices);
  out.write_values(tree.first);
  out.write_values(tree.upper_offsets);
  out.write_values(tree.upper);
}

elimination_tree read_tree(byte_reader& in, const hierarchy_header& header) {
  elimination_tree tree;
  tree.vertices = in.read_values<std::int32_t>(header.num_vertices);
  tree.first = in.read_values<std::int32_t>(header.num_supernodes + 1);
  tree.upper_offsets = in.read_values<std::int64_t>(header.num_supernodes + 1);
  tree.upper = in.read_values<std::int32_t>(header.num_upper);
  return tree;
}

namespace {

/// The vertices must be a permutation.
void find_places(elimination_tree& tree, const byte_reader& in) {
  const std::size_t n = tree.num_vertices();
  tree.places.assign(n, -1);
  for (std::size_t p = 0; p < n; ++p) {
    const std::int32_t v = tree.vertices[p];
    if (v < 0 || at(v) >= n) {
      in.fail("expected vertices from 0 to " + std::to_string(n - 1) + " in the order, found " +
              std::to_string(v));
    }
    if (tree.places[at(v)] >= 0) in.fail("vertex " + std::to_string(v) + " is in the order twice");
    tree.places[at(v)] = static_cast<std::int32_t>(p);
  }
}

void check_supernodes(const elimination_tree& tree, const byte_reader& in) {
  const auto& first = tree.first;
  const auto n = static_cast<std::int32_t>(tree.num_vertices());
  if (first.front() != 0 || first.back() != n) {
    in.fail("expected supernodes from place 0 to " + std::to_string(n) + ", found " +
            std::to_string(first.front()) + " to " + std::to_string(first.back()));
  }
  for (std::size_t s = 0; s < tree.num_supernodes(); ++s) {
    if (first[s] < first[s + 1]) continue;
    in.fail("expected " + list_name("supernode", s + 1) + " after place " +
            std::to_string(first[s]) + ", found " + std::to_string(first[s + 1]));
  }
}

}  // namespace

void complete(elimination_tree& tree, const byte_reader& in) {
  const std::size_t n = tree.num_vertices();
  find_places(tree, in);
  check_supernodes(tree, in);
  check_offsets(tree.upper_offsets, tree.upper.size(), "upper neighbors of supernodes", in);
  tree.parents.resize(n);
  tree.depths.resize(n);
  tree.supernode_parents.resize(tree.num_supernodes());
  std::vector<std::int32_t> supernodes(n);
  std::vector<std::int32_t> way;  // From the root to the place before.
  for (std::size_t s = 0; s < tree.num_supernodes(); ++s) {
    const auto upper = tree.upper_of(s);
    const std::int32_t begin = tree.first[s];
    for (std::size_t i = 0; i < upper.size(); ++i) {
      const std::int32_t least = i == 0 ? 0 : upper[i - 1] + 1;
      if (upper[i] >= least && upper[i] < begin) continue;
      in.fail("expected upper neighbors from " + std::to_string(least) + " to " +
              std::to_string(begin - 1) + " in " + list_name("supernode", s) + ", found " +
              std::to_string(upper[i]));
    }
    // The last neighbor is eliminated first after the supernode.
    const std::int32_t parent = upper.empty() ? -1 : upper.back();
    while (!way.empty() && way.back() != parent) way.pop_back();
    if (parent >= 0 && way.empty()) {
      in.fail("expected the parent of " + list_name("supernode", s) +
              " on the way from the root to place " + std::to_string(begin - 1) + ", found place " +
              std::to_string(parent));
    }
    const std::int32_t above = parent < 0 ? -1 : supernodes[at(parent)];
    if (above >= 0) {
      const auto upper_above = tree.upper_of(at(above));
      for (const std::int32_t place : upper) {
        if (place >= tree.first[at(above)] ||
            std::binary_search(upper_above.begin(), upper_above.end(), place)) {
          continue;
        }
        in.fail(list_name("supernode", s) + " has the upper neighbor " + std::to_string(place) +
                ", which is not in the front of its parent, " + list_name("supernode", at(above)));
      }
    }
    tree.supernode_parents[s] = above;
    for (std::int32_t p = begin; p < tree.first[s + 1]; ++p) {
      tree.parents[at(p)] = p == begin ? parent : p - 1;
      tree.depths[at(p)] = static_cast<std::int32_t>(way.size());
      supernodes[at(p)] = static_cast<std::int32_t>(s);
      way.push_back(p);
    }
    tree.height = std::max(tree.height, static_cast<std::int32_t>(way.size()));
  }
}

void check_offsets(std::span<const std::int64_t> offsets, std::size_t end, const char* name,
                   const byte_reader& in) {
  if (offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(end)) {
    in.fail("expected " + std::string(name) + " from 0 to " + std::to_string(end) + ", found " +
            std::to_string(offsets.front()) + " to " + std::to_string(offsets.back()));
  }
  const auto falls = std::is_sorted_until(offsets.begin(), offsets.end());
  if (falls == offsets.end()) return;
  in.fail("expected ascending offsets of the " + std::string(name) + ", found " +
          std::to_string(*falls) + " after " + std::to_string(*(falls - 1)));
}

std::ifstream open_to_read(const std::filesystem::path& file) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw file_error(file, 0, "no such file");
  }
  if (std::filesystem::is_directory(status)) {
    throw file_error(file, 0, "expected a file, found a directory");
  }
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw file_error(file, 0, with_cause("cannot be opened"));
  return in;
}

void require_end(std::istream& in, const byte_reader& bytes) {
  if (in.peek() != std::istream::traits_type::eof()) {
    bytes.fail("expected the end of the file after the checksum, found more bytes");
  }
}

}  // namespace apsp::inline v1::detail
