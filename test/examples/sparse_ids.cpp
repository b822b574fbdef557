// SPDX-License-Identifier: BSL-1.0
// A graph whose vertices have sparse ids, such as those of OpenStreetMap: lists of sources contain
// ids, and results, which contain vertex numbers, are mapped back.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

class Streets {
 public:
  struct Street {
    std::int64_t from;
    std::int64_t to;
    float metres;
  };

  explicit Streets(std::vector<Street> streets) : streets_(std::move(streets)) {
    for (const Street& s : streets_) {
      for (const std::int64_t id : {s.from, s.to}) {
        if (numbers_.try_emplace(id, ids_.size()).second) ids_.push_back(id);
      }
    }
  }

  const std::vector<Street>& streets() const { return streets_; }
  /// The ids in the order of the vertex numbers.
  const std::vector<std::int64_t>& ids() const { return ids_; }
  /// The vertex number of an id; that of no vertex if the map does not have it.
  std::size_t number_of(std::int64_t id) const {
    const auto found = numbers_.find(id);
    return found == numbers_.end() ? std::numeric_limits<std::size_t>::max() : found->second;
  }

 private:
  std::vector<Street> streets_;
  std::vector<std::int64_t> ids_;
  std::unordered_map<std::int64_t, std::size_t> numbers_;
};

template <>
struct apsp::graph_adaptor<Streets> {
  using weight_type = float;
  // Integers in lists of vertices are ids, whatever their values.
  static constexpr bool vertices_are_ids = true;

  static std::size_t num_vertices(const Streets& g) { return g.ids().size(); }
  template <class F>
  static void for_each_edge(const Streets& g, F f) {
    for (const auto& s : g.streets()) f(g.number_of(s.from), g.number_of(s.to), s.metres);
  }
  static auto vertex_numbers(const Streets& g) {
    return [&g](std::int64_t id) { return g.number_of(id); };
  }
  static const std::vector<std::int64_t>& vertices_by_number(const Streets& g) { return g.ids(); }
};

int main() {
  const Streets town({{4711000815, 240109189, 120},
                      {240109189, 3, 80},
                      {3, 9007199254740993, 200},
                      {240109189, 9007199254740993, 310}});

  // The nearest of two fire stations for every crossing.
  const std::vector<std::int64_t> stations{4711000815, 3};
  const std::size_t n = town.ids().size();
  std::vector<float> metres(n);
  std::vector<int> nearest(n), predecessors(n);
  if (!apsp::nearest_sources(apsp::omp, town, stations, metres, nearest, predecessors)) return 1;

  // Results contain vertex numbers.
  const auto number = apsp::numbers_by_vertex(town);
  const auto ids = apsp::vertices_by_number(town);
  const std::size_t fire = number(9007199254740993);
  const auto station = static_cast<std::size_t>(nearest[fire]);
  std::cout << "from station " << ids[station] << ", " << metres[fire] << " m, by";
  for (const std::size_t v : apsp::path(predecessors, station, fire)) std::cout << ' ' << ids[v];
  std::cout << '\n';
  return ids[station] == 3 && metres[fire] == 200 ? 0 : 1;
}
