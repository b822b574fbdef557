// SPDX-License-Identifier: BSL-1.0
#include "pieces.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "../host/parallel_for.hpp"
#include "../host/stop_check.hpp"

namespace apsp::inline v1::detail {

namespace {

using index = std::int32_t;

std::size_t at(index i) {
  return static_cast<std::size_t>(i);
}

/// Vertices in pieces of equal size.
struct pieces {
  static constexpr std::size_t size = std::size_t{1} << 13;

  std::span<const index> of(std::size_t piece) const {
    const std::size_t begin = piece * size;
    return {vertices.data() + begin, std::min(size, vertices.size() - begin)};
  }
  std::size_t count() const { return (vertices.size() + size - 1) / size; }
  std::size_t piece_of(index v) const { return at(numbers[at(v)]) / size; }
  /// The number of a vertex in its piece.
  index number_of(index v) const { return static_cast<index>(at(numbers[at(v)]) % size); }

  std::vector<index> vertices;  ///< By piece.
  std::vector<index> numbers;   ///< The position of each vertex in `vertices`.
};

/// Pieces grow by breadth-first searches, from a vertex that is in none until they are full.
pieces grow_pieces(const neighbor_lists& neighbors, const monitor* watch) {
  const std::size_t n = neighbors.num_vertices();
  pieces grown{{}, std::vector<index>(n, -1)};
  grown.vertices.reserve(n);
  host::stop_poll poll(watch);
  const auto add = [&](index v) {
    if (grown.numbers[at(v)] >= 0) return;
    grown.numbers[at(v)] = static_cast<index>(grown.vertices.size());
    grown.vertices.push_back(v);
  };
  for (std::size_t start = 0; grown.vertices.size() < n;) {
    const std::size_t end = std::min(grown.vertices.size() + pieces::size, n);
    for (std::size_t next = grown.vertices.size(); grown.vertices.size() < end;) {
      if (next == grown.vertices.size()) {
        while (grown.numbers[start] >= 0) ++start;
        add(static_cast<index>(start));
        continue;
      }
      const std::span<const index> list = neighbors.of(at(grown.vertices[next++]));
      poll.after(list.size());
      for (std::size_t k = 0; k < list.size() && grown.vertices.size() < end; ++k) add(list[k]);
    }
  }
  return grown;
}

/// A piece as a graph of its own, whose vertices are numbered as in the piece.
struct piece_graph {
  neighbor_lists inside;
  neighbor_lists outside;  ///< The neighbors in other pieces, numbered as in the whole graph.

  bool stays(std::size_t v) const { return !outside.of(v).empty(); }
};

piece_graph cut_out(const neighbor_lists& neighbors, const pieces& all, std::size_t piece) {
  piece_graph made;
  made.inside.offsets.reserve(pieces::size + 1);
  made.outside.offsets.reserve(pieces::size + 1);
  made.inside.offsets.push_back(0);
  made.outside.offsets.push_back(0);
  for (const index v : all.of(piece)) {
    for (const index u : neighbors.of(at(v))) {
      if (all.piece_of(u) == piece) {
        made.inside.vertices.push_back(all.number_of(u));
      } else {
        made.outside.vertices.push_back(u);
      }
    }
    for (neighbor_lists* lists : {&made.inside, &made.outside}) {
      lists->offsets.push_back(static_cast<std::int64_t>(lists->vertices.size()));
    }
  }
  return made;
}

/// A piece after the elimination of vertices without neighbors outside. The order names vertices of
/// the whole graph.
struct reduced_piece {
  reduced_graph graph;
  order_work work;
};

/// @param vertices  of the piece.
reduced_piece eliminate_inside(const piece_graph& piece, std::span<const index> vertices,
                               const monitor* watch) {
  // Larger degrees wait until the pieces are one graph again, of which the least degree counts.
  constexpr index largest_degree = 8;
  std::vector<char> stays(vertices.size());
  for (std::size_t v = 0; v < stays.size(); ++v) stays[v] = piece.stays(v) ? 1 : 0;
  reduced_piece made{eliminate_low_degrees(piece.inside, stays, watch), {}};
  reduced_graph& reduced = made.graph;
  made.work.relaxations =
      relaxations_of_low_degree * static_cast<double>(reduced.order.vertices.size());
  for (std::size_t i = 0; i < reduced.remaining.size(); ++i) {
    stays[i] = piece.stays(at(reduced.remaining[i])) ? 1 : 0;
  }
  quotient_graph rest(reduced, std::span(stays).first(reduced.remaining.size()), watch);
  rest.eliminate_up_to(largest_degree);
  rest.leave(reduced);
  made.work.relaxations += rest.work().relaxations;
  made.work.entries += rest.work().entries;
  for (index& v : reduced.order.vertices) v = vertices[at(v)];
  for (vertex_run& run : reduced.order.later) run.first = vertices[at(run.first)];
  return made;
}

/// Puts the reduced pieces into one graph.
class joined_pieces {
 public:
  joined_pieces(const pieces& all, std::span<const piece_graph> graphs,
                std::span<const reduced_piece> reduced)
      : all_(all), graphs_(graphs), reduced_(reduced), begins_(all.count() + 1) {
    for (std::size_t i = 0; i < all.count(); ++i) {
      const reduced_graph& graph = reduced[i].graph;
      position end = begins_[i];
      end.vertices += graph.order.vertices.size();
      end.groups += graph.order.group_ends.size();
      end.later += graph.order.later.size();
      end.remaining += graph.remaining.size();
      // Vertices with neighbors in other pieces remain.
      end.arcs += graph.neighbors.vertices.size() + graphs[i].outside.vertices.size();
      begins_[i + 1] = end;
    }
  }

  reduced_graph join(const host::workers& by) {
    const position& end = begins_.back();
    made_.order.vertices.resize(end.vertices);
    made_.order.group_ends.resize(end.groups);
    made_.order.later_ends.resize(end.groups);
    made_.order.later.resize(end.later);
    made_.remaining.resize(end.remaining);
    made_.neighbors.offsets.resize(end.remaining + 1);
    made_.neighbors.vertices.resize(end.arcs);
    numbers_.resize(all_.vertices.size());
    const auto in_all = [&](auto f) { host::parallel_for(all_.count(), by.threads, f, 1); };
    in_all([&](std::size_t i) { number_remaining(i); });
    in_all([&](std::size_t i) {
      copy_order(i);
      copy_neighbors(i);
    });
    return std::move(made_);
  }

 private:
  struct position {
    std::size_t vertices = 0;
    std::size_t groups = 0;
    std::size_t later = 0;
    std::size_t remaining = 0;
    std::size_t arcs = 0;
  };

  void number_remaining(std::size_t i) {
    std::size_t number = begins_[i].remaining;
    for (const index v : reduced_[i].graph.remaining) {
      const index vertex = all_.of(i)[at(v)];
      made_.remaining[number] = vertex;
      numbers_[at(vertex)] = static_cast<index>(number++);
    }
  }
  void copy_order(std::size_t i) {
    const grouped_order& order = reduced_[i].graph.order;
    const position& begin = begins_[i];
    std::copy(order.vertices.begin(), order.vertices.end(),
              made_.order.vertices.begin() + static_cast<std::ptrdiff_t>(begin.vertices));
    std::copy(order.later.begin(), order.later.end(),
              made_.order.later.begin() + static_cast<std::ptrdiff_t>(begin.later));
    for (std::size_t g = 0; g < order.group_ends.size(); ++g) {
      made_.order.group_ends[begin.groups + g] =
          static_cast<index>(begin.vertices) + order.group_ends[g];
      made_.order.later_ends[begin.groups + g] =
          static_cast<std::int64_t>(begin.later) + order.later_ends[g];
    }
  }
  void copy_neighbors(std::size_t i) {
    const reduced_graph& graph = reduced_[i].graph;
    const std::size_t first = begins_[i].remaining;
    std::size_t arcs = begins_[i].arcs;
    for (std::size_t k = 0; k < graph.remaining.size(); ++k) {
      for (const index u : graph.neighbors.of(k)) {
        made_.neighbors.vertices[arcs++] = static_cast<index>(first) + u;
      }
      for (const index u : graphs_[i].outside.of(at(graph.remaining[k]))) {
        made_.neighbors.vertices[arcs++] = numbers_[at(u)];
      }
      made_.neighbors.offsets[first + k + 1] = static_cast<std::int64_t>(arcs);
    }
  }

  const pieces& all_;
  std::span<const piece_graph> graphs_;
  std::span<const reduced_piece> reduced_;
  std::vector<position> begins_;
  std::vector<index> numbers_;  ///< Of the vertices that remain.
  reduced_graph made_;
};

/// True if eliminating vertices in pieces is probably most of the work.
bool is_divisible(const neighbor_lists& neighbors) {
  constexpr std::size_t fewest = 3 * pieces::size;
  // Of roads a piece has few neighbors, and small degrees; of meshes in three dimensions neither.
  constexpr std::size_t most_neighbors_each = 4;
  const std::size_t n = neighbors.num_vertices();
  if (n < fewest || neighbors.vertices.size() > most_neighbors_each * n) return false;
  const double most_neighbors = largest_degree_in_order(n);
  for (std::size_t v = 0; v < n; ++v) {
    if (static_cast<double>(neighbors.of(v).size()) > most_neighbors) return false;
  }
  return true;
}

}  // namespace

std::optional<reduced_graph> eliminate_in_pieces(const neighbor_lists& neighbors,
                                                 const host::workers& by, order_work& work) {
  if (!is_divisible(neighbors)) return std::nullopt;
  const pieces all = grow_pieces(neighbors, by.watch);
  const auto in_all = [&](auto f) { host::parallel_for(all.count(), by.threads, f, 1); };
  std::vector<piece_graph> graphs(all.count());
  in_all([&](std::size_t i) { graphs[i] = cut_out(neighbors, all, i); });
  std::size_t num_arcs_between = 0;
  for (const piece_graph& graph : graphs) num_arcs_between += graph.outside.vertices.size();
  if (num_arcs_between > neighbors.vertices.size() / 8) return std::nullopt;
  std::vector<reduced_piece> reduced(all.count());
  in_all([&](std::size_t i) { reduced[i] = eliminate_inside(graphs[i], all.of(i), by.watch); });
  for (const reduced_piece& piece : reduced) {
    work.relaxations += piece.work.relaxations;
    work.entries += piece.work.entries;
  }
  return joined_pieces(all, graphs, reduced).join(by);
}

void append(const grouped_order& rest, std::span<const index> remaining, grouped_order& order) {
  const auto num_before = static_cast<index>(order.vertices.size());
  const auto later_before = static_cast<std::int64_t>(order.later.size());
  for (const index v : rest.vertices) order.vertices.push_back(remaining[at(v)]);
  if (!rest.has_groups()) {
    order.group_ends.clear();
    order.later_ends.clear();
    order.later.clear();
    return;
  }
  for (const index group_end : rest.group_ends) order.group_ends.push_back(num_before + group_end);
  for (const std::int64_t end : rest.later_ends) order.later_ends.push_back(later_before + end);
  for (const vertex_run& run : rest.later) {
    order.later.push_back({remaining[at(run.first)], run.count});
  }
}

}  // namespace apsp::inline v1::detail
