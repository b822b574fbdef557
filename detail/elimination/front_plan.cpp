// SPDX-License-Identifier: BSL-1.0
#include "front_plan.hpp"

#include <algorithm>
#include <utility>

namespace apsp::inline v1::detail {

namespace {

/// Work of a supernode apart from relaxations, in relaxations.
constexpr double own_work = 200;

std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

void divide_work(const elimination_tree& tree, int num_threads, front_plan& plan) {
  const std::size_t count = tree.num_supernodes();
  if (num_threads == 1) {
    if (count != 0) plan.subtrees.push_back({0, count});
    return;
  }
  std::vector<double> work(count);
  std::vector<std::size_t> end(count);
  double total = 0;
  for (std::size_t s = count; s-- > 0;) {
    work[s] += tree.front_work(s) + own_work;
    end[s] = std::max(end[s], s + 1);
    if (const std::int32_t parent = tree.supernode_parents[s]; parent >= 0) {
      work[at(parent)] += work[s];
      end[at(parent)] = std::max(end[at(parent)], end[s]);
    } else {
      total += work[s];
    }
  }
  const double most = total / (4 * num_threads);
  double work_of_last = 0;
  for (std::size_t s = 0; s < count;) {
    if (work[s] > most) {
      plan.top.push_back(s++);
      continue;
    }
    // Small subtrees that are next to each other are taken together.
    if (!plan.subtrees.empty() && plan.subtrees.back().end == s && work_of_last + work[s] <= most) {
      plan.subtrees.back().end = end[s];
      work_of_last += work[s];
    } else {
      plan.subtrees.push_back({s, end[s]});
      work_of_last = work[s];
    }
    s = end[s];
  }
}

}  // namespace

front_plan plan_fronts(const elimination_tree& tree, int num_threads) {
  const std::size_t count = tree.num_supernodes();
  front_plan plan;
  plan.entry_offsets.assign(count + 1, 0);
  plan.first_child.assign(count, -1);
  plan.next_sibling.assign(count, -1);
  plan.num_children.assign(count, 0);
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t pivots = tree.num_pivots(s);
    const std::size_t size = tree.front_size(s);
    plan.entry_offsets[s + 1] = plan.entry_offsets[s] + pivots * size + (size - pivots) * pivots;
  }
  for (std::size_t s = count; s-- > 0;) {
    if (const std::int32_t parent = tree.supernode_parents[s]; parent >= 0) {
      plan.next_sibling[s] =
          std::exchange(plan.first_child[at(parent)], static_cast<std::int32_t>(s));
      ++plan.num_children[at(parent)];
    }
  }
  divide_work(tree, num_threads, plan);
  return plan;
}

}  // namespace apsp::inline v1::detail
