// SPDX-License-Identifier: BSL-1.0
// Which tasks must be done before which others, and which depend on each other: the transitive
// closure of a graph without weights.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <iostream>
#include <vector>

int main() {
  // An arc leads from a task to a task that needs it.
  enum task : int { design, parse, check, optimise, emit, package, num_tasks };
  const std::vector<int> from{design, parse, check, optimise, check, optimise, emit};
  const std::vector<int> to{parse, check, optimise, check, emit, emit, package};
  const apsp::edge_list_view tasks(num_tasks, from, to);

  apsp::bit_matrix leads_to(num_tasks);
  if (!apsp::transitive_closure(apsp::omp, tasks, leads_to)) return 1;  // only if it is stopped

  std::cout << leads_to.count() << " of " << num_tasks * num_tasks << " pairs are joined\n";
  // The row of a task contains all tasks that have to wait for it, and the task itself by the empty
  // path.
  std::size_t waiting = 0;
  for (std::size_t v = 0; v < num_tasks; ++v) waiting += leads_to[design][v] ? 1 : 0;
  // Each of the two tasks reaches the other: a cycle.
  const bool circle = leads_to[check][optimise] && leads_to[optimise][check];
  std::cout << waiting - 1 << " tasks wait for the first one"
            << (circle ? ", and two for each other\n" : "\n");
  return waiting == num_tasks && circle && !leads_to[package][emit] ? 0 : 1;
}
