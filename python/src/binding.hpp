// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <apsp/result.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "call.hpp"

// What the bindings have in common.
namespace apsp_python {

namespace nb = nanobind;
using namespace nb::literals;

template <class T>
using array = nb::ndarray<T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using array_2d = nb::ndarray<T, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
/// A limit of distances. Integers of 64 bits do not pass through a double.
using limit = std::variant<std::int64_t, double>;
inline long double value_of(const limit& given) {
  return std::visit([](auto value) { return static_cast<long double>(value); }, given);
}
/// Numbers of vertices.
using vertices = array<const std::int64_t>;

template <class T>
std::span<T> span_of(const array<T>& given) {
  return {given.data(), given.size()};
}

/// An array with the memory of the vector.
template <class T>
array<T> array_of(std::vector<T> values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* const first = kept->data();
  const std::size_t size = kept->size();
  const nb::capsule owner(kept.release(),
                          [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return array<T>(first, {size}, owner);
}

using report = nb::typed<nb::dict, nb::str, nb::any>;
/// What a call reports besides its results.
report report_of(const apsp::result& done);

/// Calls f() on a thread while this one looks for signals, and requests a stop if there is one.
/// @throws nb::python_error what the handler of the signal raised, when f has returned.
void call_interruptibly(std::stop_source& stop, const std::function<void()>& f);

/// A call that `stop_all` stops, and waits for, while this object exists. To be constructed with
/// the GIL, and destroyed with it by a thread that goes on to use Python.
class running_call {
 public:
  /// @throws std::runtime_error in another thread than the one in which the interpreter ends.
  explicit running_call(std::stop_source& stop);
  ~running_call();
  running_call(const running_call&) = delete;
  running_call& operator=(const running_call&) = delete;

 private:
  std::stop_source* stop_;
};
/// Stops all calls of all threads, and waits until they have ended. Only this thread can begin
/// others after it.
void stop_all();
/// @throws std::runtime_error which says that the interpreter ends.
[[noreturn]] void throw_ending();

/// To be called in a child of fork, which has none of the other threads of its parent: what they
/// held or were to do is abandoned.
void abandon_parent();
/// The number of forks between the first process and this one.
int generation();

/// Returns f(settings), with settings by which Ctrl-C stops it if it is long. Other threads run
/// meanwhile.
template <class F>
auto run(settings how, F f) {
  std::stop_source stop;
  const running_call running(stop);
  how.stop = stop.get_token();
  std::optional<std::invoke_result_t<F, const settings&>> done;
  const auto call = [&] { done.emplace(f(std::as_const(how))); };
  if (how.is_long) {
    call_interruptibly(stop, call);
  } else {
    const nb::gil_scoped_release others_run;
    call();
  }
  if (stop.stop_requested()) throw_ending();
  return *std::move(done);
}

/// Binds for each type of the distances.
template <class F>
void for_each_type(F bind) {
  bind.template operator()<double>();
  bind.template operator()<float>();
  bind.template operator()<std::int32_t>();
  bind.template operator()<std::int64_t>();
}

void bind_accessibility(nb::module_& m);
void bind_batch(nb::module_& m);
void bind_betweenness(nb::module_& m);
void bind_carry(nb::module_& m);
void bind_closure(nb::module_& m);
void bind_device(nb::module_& m);
void bind_files(nb::module_& m);
void bind_hierarchies(nb::module_& m);
void bind_queries(nb::module_& m);
void bind_rows(nb::module_& m);
void bind_semirings(nb::module_& m);
void bind_solve(nb::module_& m);
void bind_summary(nb::module_& m);

}  // namespace apsp_python
