// SPDX-License-Identifier: BSL-1.0
// A complete program in one .cu file: a semiring, its kernels, and a call. It finds the connection
// of two stations with the fewest trains and, among these, the fastest.
#include <apsp/cuda_kernels.cuh>
#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <cstdint>
#include <cstdio>
#include <vector>

struct trains_then_minutes {
  struct value_type {
    std::int32_t trains;
    std::int32_t minutes;
    APSP_HOST_DEVICE friend bool operator==(const value_type& a, const value_type& b) {
      return a.trains == b.trains && a.minutes == b.minutes;
    }
  };
  static constexpr bool is_selective = true;          // the sum of two paths is one of them
  static constexpr bool cycles_never_improve = true;  // a round trip never improves a path
  static constexpr bool has_cuda_kernels = true;      // below

  value_type zero{1000000000, 0};  // no path
  value_type one{0, 0};            // the empty path

  static constexpr bool admits(const value_type& w) {
    return w.trains >= 0 && w.minutes >= 0 && w.trains < 1000 && w.minutes < 100000;
  }
  APSP_HOST_DEVICE value_type plus(const value_type& a, const value_type& b) const {
    if (a.trains != b.trains) return b.trains < a.trains ? b : a;
    return b.minutes < a.minutes ? b : a;
  }
  APSP_HOST_DEVICE value_type times(const value_type& a, const value_type& b) const {
    if (a == zero || b == zero) return zero;
    return {a.trains + b.trains, a.minutes + b.minutes};
  }
};
APSP_INSTANTIATE_CUDA_KERNELS(trains_then_minutes)

int main() {
  using ride = trains_then_minutes::value_type;
  const std::vector<int> from{0, 1, 0, 2, 3, 1};
  const std::vector<int> to{1, 3, 2, 3, 4, 4};
  const std::vector<ride> rides{{1, 20}, {1, 25}, {1, 40}, {1, 10}, {1, 15}, {1, 90}};
  const apsp::edge_list_view network(5, from, to, rides);

  apsp::matrix<ride> best(5);
  const apsp::result done =
      apsp::floyd_warshall(apsp::cuda_tiled, network, best, trains_then_minutes{});
  if (!done) return 1;
  std::printf("%s: by %d trains in %d minutes\n", to_string(done.executed_on()).data(),
              best[0][4].trains, best[0][4].minutes);
  return best[0][4] == ride{2, 110} && best[0][3] == ride{2, 45} ? 0 : 1;
}
