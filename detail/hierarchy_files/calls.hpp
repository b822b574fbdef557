// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <istream>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../../apsp/result.hpp"
#include "../elimination/calls.hpp"
#include "../elimination/coded_hierarchy.hpp"
#include "../elimination/elimination_tree.hpp"
#include "../elimination/hierarchy.hpp"
#include "../files/new_file.hpp"
#include "../graph/adjacency.hpp"
#include "../values/distance_code.hpp"
#include "../values/int128.hpp"
#include "../values/not_a_number.hpp"
#include "../values/weight.hpp"
#include "byte_streams.hpp"
#include "format.hpp"

// Hierarchies in files. What can be derived is not stored, so that it cannot be wrong: of the tree,
// the order, the supernodes and their upper neighbors are enough.
namespace apsp::inline v1::detail {

template <class T>
constexpr stored_type stored_type_of_weights() {
  static_assert(has_stored_weights<T>,
                "apsp: a hierarchy in a file has weights of a built-in arithmetic type of 1 to 8 "
                "bytes");
  return stored_type_of<T>();
}

/// @throws std::invalid_argument if calls would not use the hierarchy, or its sums have no type in
///         files.
template <class T>
void check_to_write(const kept_hierarchy<T>& kept, const result& status) {
  check_not_empty(kept);
  const std::string call = "apsp::write_hierarchy: expected a hierarchy whose status is true, ";
  if (!status.negative_cycle().empty()) {
    throw std::invalid_argument(call + "found one of a graph with a negative cycle");
  }
  if (!status) throw std::invalid_argument(call + "found one whose preparation was stopped");
  if (!kept.graph) return;
  std::visit(
      []<class C>(const coded_hierarchy<C>&) {
        if constexpr (!has_stored_sums<C>) {
          throw std::invalid_argument(
              "apsp::write_hierarchy: expected sums within the range of double, found weights "
              "whose sums may exceed it");
        }
      },
      *kept.graph);
}

template <class T>
void write_kept_hierarchy(byte_writer out, const kept_hierarchy<T>& kept) {
  const elimination_tree& tree = *kept.tree;
  hierarchy_header header{stored_type_of_weights<T>(), {}};
  header.num_vertices = tree.num_vertices();
  header.num_edges = kept.arcs.targets.size();
  header.num_supernodes = tree.num_supernodes();
  header.num_upper = tree.upper.size();
  if (kept.graph) {
    std::visit(
        [&]<class C>(const coded_hierarchy<C>& made) {
          header.sums = stored_type_of<C>();
          header.num_up = made.graph.up.size();
          header.num_down = made.graph.down.size();
        },
        *kept.graph);
  }
  write_header(out, header);
  write_tree(out, tree);
  out.write_values(kept.arcs.offsets);
  out.write_values(kept.arcs.targets);
  out.write_values(kept.arcs.weights);
  if (kept.graph) {
    std::visit(
        [&]<class C>(const coded_hierarchy<C>& made) {
          if constexpr (has_stored_sums<C>) {
            out.write_values(made.graph.up_offsets);
            out.write_values(made.graph.up);
            out.write_values(made.graph.down_offsets);
            out.write_values(made.graph.down);
          }
        },
        *kept.graph);
  }
  out.finish();
}

template <class T>
void write_kept_hierarchy(std::ostream& stream, const std::filesystem::path& name,
                          const kept_hierarchy<T>& kept, const result& status) {
  check_to_write(kept, status);
  write_kept_hierarchy(byte_writer(to_stream(stream, name)), kept);
  flush_stream(stream, name);
}

/// In a file, which replaces another one when it is complete.
template <class T>
void write_kept_hierarchy(const std::filesystem::path& file, const kept_hierarchy<T>& kept,
                          const result& status) {
  check_to_write(kept, status);
  new_file out(file);
  write_kept_hierarchy(
      byte_writer([&](const char* bytes, std::size_t size) { out.write(bytes, size); }), kept);
  out.put_in_place();
}

/// The arcs of the graph: such as `make_adjacency` returns, with entries in the fronts of the tree.
/// @return the range of their weights.
template <class T>
weight_range<T> check_arcs(const adjacency<T>& arcs, const elimination_tree& tree,
                           const byte_reader& in) {
  check_offsets(arcs.offsets, arcs.targets.size(), "arcs of vertices", in);
  const std::size_t n = tree.num_vertices();
  weight_range<T> range;
  range.num_edges = arcs.targets.size();
  for_each_arc_of(arcs.view(), [&](std::size_t u, std::size_t v, const T& w) {
    const auto fail = [&](const std::string& reason) {
      in.fail("expected " + reason + ", found the arc " + std::to_string(u) + " -> " +
              std::to_string(static_cast<std::int32_t>(v)));
    };
    if (v >= n) fail("targets from 0 to " + std::to_string(n - 1));
    if (u == v) fail("arcs between two vertices");
    if (is_nan(w) || is_infinite(w) || equals_unreachable(w)) {
      fail("finite weights of the arcs of the graph");
    }
    if (w < range.smallest) range.smallest = w;
    if (range.largest < w) range.largest = w;
  });
  if (const auto found = find_arc_without_entry(tree, arcs.view(), 1)) {
    in.fail("expected arcs for which the supernodes have places, found the arc " +
            std::to_string(found->first) + " -> " + std::to_string(found->second));
  }
  return range;
}

/// Arcs of sweeps: each leads between a place and a place above it in the front of its supernode,
/// and those of a place lead to different ones.
template <class C>
void check_sweep_arcs(const std::vector<std::int64_t>& offsets,
                      const std::vector<sweep_arc<C>>& arcs, const elimination_tree& tree,
                      bool negative, const char* name, const byte_reader& in) {
  check_offsets(offsets, arcs.size(), name, in);
  // By depth: the last supernode with this place in its front, and the last place with an arc
  // there.
  std::vector<std::int32_t> in_front_of(static_cast<std::size_t>(tree.height), -1);
  std::vector<std::int32_t> last_place(static_cast<std::size_t>(tree.height), -1);
  for (std::size_t s = 0; s < tree.num_supernodes(); ++s) {
    const auto mark = [&](std::size_t place) {
      in_front_of[static_cast<std::size_t>(tree.depths[place])] = static_cast<std::int32_t>(s);
    };
    for (const std::int32_t place : tree.upper_of(s)) mark(static_cast<std::size_t>(place));
    for (std::size_t p = tree.first_place(s); p < tree.first_place(s + 1); ++p) {
      for (auto a = offsets[p]; a < offsets[p + 1]; ++a) {
        const sweep_arc<C>& arc = arcs[static_cast<std::size_t>(a)];
        const auto fail = [&](const std::string& reason) {
          in.fail("expected " + reason + " in the " + name + ", found another one at place " +
                  std::to_string(p));
        };
        if (arc.depth < 0 || arc.depth >= tree.depths[p] ||
            in_front_of[static_cast<std::size_t>(arc.depth)] != static_cast<std::int32_t>(s)) {
          fail("depths of places above in the same front");
        }
        const auto here = static_cast<std::int32_t>(p);
        if (std::exchange(last_place[static_cast<std::size_t>(arc.depth)], here) == here) {
          fail("different depths for each place");
        }
        if (!negative && arc.weight < C{}) fail("weights that are not negative");
        if constexpr (std::is_floating_point_v<C>) {
          if (is_nan(arc.weight) || is_infinite(arc.weight)) fail("finite weights");
        } else {
          // So many bits hold a sum of 2^31 weights of 64 bits.
          constexpr int128 most = int128{1} << 95;
          if (arc.weight > most || arc.weight < -most) fail("weights of at most 2^95");
        }
      }
      mark(p);
    }
  }
}

/// A code in which the lengths of paths of a graph with such weights do not wrap; nothing if C is
/// too narrow.
template <class C, class T>
std::optional<distance_code<C>> find_code(const hierarchy<C>& graph,
                                          const weight_range<T>& weights) {
  if (auto code = choose_code<C>(graph.tree->num_vertices(), weights)) return code;
  if constexpr (std::is_integral_v<T>) {
    return choose_code_for_span<C>(longest_path(graph), weights.smallest < T{});
  }
  return std::nullopt;
}

/// The arcs of sweeps must have lengths that paths of the graph can have, so that sums stay in the
/// range of their code.
template <class C, class T>
void check_lengths(const coded_hierarchy<C>& made, const adjacency<T>& arcs,
                   const weight_range<T>& weights, const byte_reader& in) {
  using sum = walk_sum_t<T>;
  const auto require = [&](bool holds) {
    if (!holds) in.fail("expected arcs of sweeps as long as paths of the graph, found others");
  };
  if constexpr (is_coded_integer<C>) {
    for (const auto* direction : {&made.graph.up, &made.graph.down}) {
      for (const auto& arc : *direction) require(arc.weight < made.code.unreachable_from);
    }
  }
  if (!(weights.smallest < T{})) return;
  const std::vector<sum> least = least_lengths<sum>(made.graph);
  sum least_of_all{};
  for (const sum& length : least) least_of_all = std::min(least_of_all, length);
  if constexpr (is_coded_integer<C>) {
    require(least_of_all >= sum{made.code.unreachable_from} - sum{made.code.unreachable});
    const auto length_to = [&](std::size_t v) {
      return least[static_cast<std::size_t>(made.graph.tree->places[v])];
    };
    for_each_arc_of(arcs.view(), [&](std::size_t u, std::size_t v, const T& w) {
      require(length_to(v) <= length_to(u) + sum{w});
    });
  } else {
    require(least_of_all >= static_cast<sum>(std::numeric_limits<C>::lowest()));
  }
}

/// What sweeps read; `check_sweeps` does the rest, once the checksum is known to be right.
template <class C>
coded_hierarchy<C> read_sweeps(byte_reader& in, const hierarchy_header& header) {
  coded_hierarchy<C> made{};
  made.graph.up_offsets = in.read_values<std::int64_t>(header.num_vertices + 1);
  made.graph.up = in.read_values<sweep_arc<C>>(header.num_up);
  made.graph.down_offsets = in.read_values<std::int64_t>(header.num_vertices + 1);
  made.graph.down = in.read_values<sweep_arc<C>>(header.num_down);
  return made;
}

template <class C, class T>
void check_sweeps(coded_hierarchy<C>& made, const kept_hierarchy<T>& kept, const byte_reader& in) {
  const bool negative = kept.weights.smallest < T{};
  hierarchy<C>& graph = made.graph;
  graph.tree = kept.tree;
  check_sweep_arcs(graph.up_offsets, graph.up, *graph.tree, negative, "arcs up", in);
  check_sweep_arcs(graph.down_offsets, graph.down, *graph.tree, negative, "arcs down", in);
  const auto code = find_code<C>(graph, kept.weights);
  if (!code) {
    in.fail("expected sums in a type that holds the lengths of all paths, found " +
            type_name(stored_type_of<C>()));
  }
  made.code = *code;
  check_lengths(made, kept.arcs, kept.weights, in);
}

/// Calls f(C{}) with the type of sums that has this name.
/// @throws file_error if a hierarchy with weights of type T has no such sums.
template <class T, class F>
void with_type_of_sums(const stored_type& type, const byte_reader& in, F f) {
  const bool found = [&]<class... C>(std::type_identity<std::variant<coded_hierarchy<C>...>>) {
    const auto is_called = [&]<class Sum>(std::type_identity<Sum>) {
      if constexpr (has_stored_sums<Sum>) {
        if (stored_type_of<Sum>() == type) {
          f(Sum{});
          return true;
        }
      }
      return false;
    };
    return (is_called(std::type_identity<C>{}) || ...);
  }(std::type_identity<weighted_hierarchy<T>>{});
  if (!found) {
    in.fail("expected sums of a type for weights that are " + type_name(stored_type_of<T>()) +
            ", found " + type_name(type));
  }
}

template <class T>
kept_hierarchy<T> read_kept_hierarchy(byte_reader& in) {
  const hierarchy_header header = read_header(in, stored_type_of_weights<T>());
  elimination_tree tree = read_tree(in, header);
  kept_hierarchy<T> kept;
  kept.arcs.offsets = in.read_values<std::int64_t>(header.num_vertices + 1);
  kept.arcs.targets = in.read_values<std::int32_t>(header.num_edges);
  kept.arcs.weights = in.read_values<T>(header.num_edges);
  if (header.sums.size != 0) {
    with_type_of_sums<T>(header.sums, in,
                         [&]<class C>(C) { kept.graph = read_sweeps<C>(in, header); });
  }
  in.check();

  complete(tree, in);
  kept.tree = std::make_shared<const elimination_tree>(std::move(tree));
  kept.weights = check_arcs(kept.arcs, *kept.tree, in);
  if (kept.graph) std::visit([&](auto& made) { check_sweeps(made, kept, in); }, *kept.graph);
  return kept;
}

/// @throws file_error also if the stream cannot be read to begin with.
template <class T>
kept_hierarchy<T> read_kept_hierarchy(std::istream& stream, const std::filesystem::path& name) {
  byte_reader in(stream, name);
  if (!stream) in.fail("cannot be read");
  return read_kept_hierarchy<T>(in);
}

/// From a file that has nothing else.
template <class T>
kept_hierarchy<T> read_kept_hierarchy(const std::filesystem::path& file) {
  std::ifstream stream = open_to_read(file);
  byte_reader in(stream, file);
  kept_hierarchy<T> kept = read_kept_hierarchy<T>(in);
  require_end(stream, in);
  return kept;
}

}  // namespace apsp::inline v1::detail
