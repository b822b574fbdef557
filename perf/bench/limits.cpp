// SPDX-License-Identifier: BSL-1.0
// Cases limit/instruction set/type/threads:k and limit/device/name: relaxations on registers only.
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "../limits/device_limit.hpp"
#include "../limits/host_limit.hpp"
#include "cases.hpp"

namespace bench {

namespace {

// @p measure_rate returns relaxations per second.
template <class Measure>
void add_limit(const std::string& name, Measure measure_rate) {
  constexpr int times = 15;
  add("limit/" + name, {}, [=] {
    outcome o;
    std::vector<double> rates;
    for (int i = 0; i < times; ++i) {
      o.seconds.push_back(timing::seconds_of([&] { rates.push_back(measure_rate()); }));
    }
    o.counters["relaxations/s"] = timing::upper_median(rates);
    return o;
  });
}

}  // namespace

void add_limits() {
  apsp_perf::for_each_weight_type([]<class W>(std::type_identity<W>, const std::string& type) {
    for (const host_limit::loops* set : host_limit::instruction_sets()) {
      for (const int threads : std::set{1, host_limit::num_threads()}) {
        add_limit(set->instruction_set + ('/' + type) + "/threads:" + std::to_string(threads),
                  [=] { return host_limit::measure(set->of<W>(), threads); });
      }
    }
  });
  for (const std::string& name : device_limit::names()) {
    add_limit("device/" + name, [=] { return device_limit::measure(name); });
  }
}

}  // namespace bench
