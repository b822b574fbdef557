// SPDX-License-Identifier: BSL-1.0
#include "settings.hpp"

#include <stdexcept>

#include "../command_line.hpp"

namespace topology {

const char* const usage = R"(usage: topology_benchmark [--rows | --stop] [options]
without --rows and --stop, a table of algorithms, policies and topologies:
  --sizes 1024,4677,16384     numbers of vertices
  --topologies a,b            some of random, gnp, ring, rmat, grid, complete (all)
  --algorithms a,b            some of dijkstra, bellman_ford, johnson, floyd_warshall (all)
  --policies a,b              some of seq, omp, cuda_naive, cuda_tiled (all)
  --strategies a,b            of bellman_ford under cuda_naive, some of scatter_and_check, by_edge,
                              by_incoming_edges, by_outgoing_edges (all)
  --types i32,f32,i64,f64     weight types (i32)
  --predecessors              every call with predecessors too
  --limit SECONDS             for all calls of an entry (10); what needs more is estimated from a part
  --reference-limit SECONDS   the same for dijkstra under omp (10 limits)
--rows: rows handed to a function, next to a matrix of them, on a grid
  --rows-side 512             of the grid
  --rows-sources 4096         spread evenly
--stop: from a request to stop to the return of the call
  --stop-size 32768           number of vertices
  --stop-after 0.1,0.2,0.4    seconds from the start of the call to the request
all:
  --repeat k                  calls after the one that warms up; the median counts (3)
  --seed s
  --gpu NAME --commit ID      for the file
  --csv FILE
)";

settings parse(int argc, char** argv) {
  settings s;
  command_line::read(argc, argv,
                     {{"--rows", s.rows},
                      {"--stop", s.stop},
                      {"--predecessors", s.predecessors},
                      {"--sizes", s.sizes},
                      {"--topologies", s.topologies},
                      {"--algorithms", s.algorithms},
                      {"--policies", s.policies},
                      {"--strategies", s.strategies},
                      {"--types", s.types},
                      {"--limit", s.limit},
                      {"--reference-limit", s.reference_limit},
                      {"--rows-side", s.rows_side},
                      {"--rows-sources", s.rows_sources},
                      {"--stop-size", s.stop_size},
                      {"--stop-after", s.stop_after},
                      {"--repeat", s.repeat, 1},
                      {"--seed", s.seed},
                      {"--gpu", s.gpu},
                      {"--commit", s.commit},
                      {"--csv", s.csv}});
  if (s.rows && s.stop) throw std::runtime_error("--rows and --stop are two runs");
  if (s.reference_limit <= 0) s.reference_limit = 10 * s.limit;
  return s;
}

}  // namespace topology
