// SPDX-License-Identifier: BSL-1.0
// Boost.Test's framework and `main`, compiled once for all test programs, and the rule that a
// device suite is skipped without a device.
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <boost/test/included/unit_test.hpp>
#include <cstdio>
#include <cstdlib>

namespace {

struct device_check {
  device_check() {
#ifdef APSP_TEST_ON_DEVICE
    // The exit status that CTest interprets as a skipped test.
    constexpr int skipped = 77;
    try {
      const apsp::matrix<float> graph(1);
      apsp::matrix<float> distances(1);
      static_cast<void>(apsp::floyd_warshall(apsp::cuda_tiled.required(), graph, distances));
    } catch (const apsp::device_error& error) {
      std::printf("skipped: %s\n", error.what());
      std::fflush(stdout);
      std::_Exit(skipped);
    }
#endif
  }
};

BOOST_TEST_GLOBAL_FIXTURE(device_check);

}  // namespace
