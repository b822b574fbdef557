// SPDX-License-Identifier: BSL-1.0
// A sparse matrix as a dense graph.
#include <apsp/apsp.hpp>
#include <boost/numeric/ublas/matrix.hpp>
#include <boost/numeric/ublas/matrix_sparse.hpp>

namespace ublas = boost::numeric::ublas;
#ifdef APSP_TEST_RIGHT
using graph = ublas::matrix<double>;
#else
using graph = ublas::compressed_matrix<double>;
#endif

bool solve(const graph& g, apsp::matrix<double>& distances) {
  return bool(apsp::floyd_warshall(apsp::seq, g, distances));
}
