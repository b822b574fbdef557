// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <apsp/accessibility.hpp>
#include <stdexcept>
#include <vector>

#include "binding.hpp"

namespace apsp_python {
namespace {

/// @param decay  a `distance_decay`, or a function that the library calls
template <class T, class Decay>
report accessibility(const any_graph<T>& graph, const vertices& sources,
                     const array_2d<const double>& amounts, Decay decay,
                     const array_2d<double>& sums, const settings& how) {
  return report_of(run(how, [&](const settings& now) {
    return with_policy_of(now, [&](const auto& policy) {
      return with_prepared(graph, [&](const auto& searched) {
        return apsp::accessibility(
            policy, searched, span_of(sources),
            apsp::matrix_view<const double>(amounts.data(), amounts.shape(0), amounts.shape(1)),
            decay, apsp::matrix_view<double>(sums.data(), sums.shape(0), sums.shape(1)));
      });
    });
  }));
}

/// A function of Python that returns the shares at some distances.
template <class T>
using share_function = std::function<array<const double>(array<T>)>;

template <class T>
report accessibility_by(const any_graph<T>& graph, const vertices& sources,
                        const array_2d<const double>& amounts, const share_function<T>& shares_at,
                        const array_2d<double>& sums, const settings& how) {
  // The function may keep the array, so it is given a copy.
  const auto decay = [&](std::span<const T> distances, std::span<double> shares) {
    const nb::gil_scoped_acquire for_python_objects;
    const array<const double> found =
        shares_at(array_of(std::vector<T>(distances.begin(), distances.end())));
    if (found.size() != shares.size()) {
      throw std::invalid_argument("apsp: expected a share for each distance");
    }
    std::copy_n(found.data(), found.size(), shares.begin());
  };
  return accessibility(graph, sources, amounts, decay, sums, how);
}

void bind_decays(nb::module_& m) {
  nb::class_<apsp::distance_decay>(m, "Decay", "How much an amount counts at a distance.");
  m.def(
      "decay_within",
      [](const std::vector<limit>& cutoffs) {
        std::vector<long double> values;
        for (const limit& cutoff : cutoffs) values.push_back(value_of(cutoff));
        return apsp::within(std::move(values));
      },
      "cutoffs"_a);
  m.def("decay_exponential", &apsp::exponential, "rate"_a);
  m.def("decay_power", &apsp::power, "exponent"_a, "nearest"_a);
  m.def(
      "decay_linear", [](const limit& cutoff) { return apsp::linear(value_of(cutoff)); },
      "cutoff"_a);
  m.def("decay_gaussian", &apsp::gaussian, "deviation"_a);
}

}  // namespace

void bind_accessibility(nb::module_& m) {
  bind_decays(m);
  for_each_type([&]<class T> {
    m.def("accessibility", accessibility<T, apsp::distance_decay>, "graph"_a, "sources"_a,
          "amounts"_a.noconvert(), "decay"_a, "sums"_a.noconvert(), "settings"_a,
          "Writes a sum for each source, column of amounts and cutoff; returns what the call "
          "reports.");
    m.def("accessibility_by", accessibility_by<T>, "graph"_a, "sources"_a, "amounts"_a.noconvert(),
          "shares_at"_a, "sums"_a.noconvert(), "settings"_a,
          "The same with a function that returns a share for each of some distances.");
  });
}

}  // namespace apsp_python
