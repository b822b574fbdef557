// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "config.hpp"
#include "memory_source.hpp"
#include "stop_token.hpp"

#include "../detail/values/not_a_number.hpp"
// CUDA's stream type, declared so that programs without CUDA headers can name it.
struct CUstream_st;

namespace apsp::inline v1 {

/// The implementation that runs an algorithm.
enum class backend { seq, omp, cuda_naive, cuda_tiled };

/// The name of @p b in code: "seq", "omp", "cuda_naive" or "cuda_tiled".
constexpr std::string_view to_string(backend b) {
  switch (b) {
    case backend::seq:
      return "seq";
    case backend::omp:
      return "omp";
    case backend::cuda_naive:
      return "cuda_naive";
    case backend::cuda_tiled:
      return "cuda_tiled";
  }
  return "unknown";
}

/// Receives progress: the number of completed steps and the total number of steps. A step is a
/// source for the per-source algorithms and a pivot for Floyd–Warshall. It is called by one thread
/// at a time, which is not always the calling thread. If it throws, it is not called again, and the
/// exception propagates out of the call.
using progress_callback = std::function<void(std::size_t done, std::size_t total)>;

/// The files of a call that is to survive the end of its process.
struct checkpoint_settings {
  std::filesystem::path file;             ///< Is written; empty: none.
  std::chrono::duration<double> every{};  ///< From the beginning of one to the next.
  std::filesystem::path resumed_file;     ///< Is read; empty: none.

  bool are_set() const { return !file.empty() || !resumed_file.empty(); }
};

/// No observer; the default until `progress`, `stop`, `checkpoint` or `resume` is set. It allows
/// the plain policies to be constants.
struct unobserved {};

/// Observes a call: receives progress, can request a stop and keeps checkpoints.
struct observer {
  progress_callback progress;
  stop_token stop;
  checkpoint_settings checkpoints;
};

/// The settings common to all policies. Each setter returns a modified copy.
template <class Policy, class Observer>
class policy_settings {
 public:
  /// A copy that leaves vertices at distances above @p limit unreachable, and does less work if
  /// possible. A limit beyond the range of the distance type has no effect: distances outside that
  /// range are `saturated()`.
  /// @throws std::invalid_argument if @p limit is negative or NaN.
  [[nodiscard]] constexpr Policy cutoff(long double limit) const {
    // As double, because nvcc has no device functions for long double.
    if (limit < 0 || detail::is_nan(static_cast<double>(limit))) {
      throw std::invalid_argument("apsp: the cutoff must not be negative or NaN");
    }
    Policy changed = self();
    changed.cutoff_ = limit;
    return changed;
  }
  /// A copy that reports progress to @p callback.
  [[nodiscard]] auto progress(const progress_callback& callback) const {
    auto changed = self().observed();
    changed.observer_.progress = callback;
    return changed;
  }
  /// A copy that ends soon after a stop is requested; `result::stopped()` is then true.
  [[nodiscard]] auto stop(const stop_token& token) const {
    auto changed = self().observed();
    changed.observer_.stop = token;
    return changed;
  }

  /// A copy that writes checkpoints, from which a call with `resume` goes on after the end of this
  /// process. For `floyd_warshall` with data in host memory, on several processes only under `seq`
  /// and `omp`; other calls refuse it with `std::invalid_argument`. See docs/scale.md.
  ///
  /// If the distances are the `mapped_matrix` of @p file, its entries are relaxed in place and
  /// nothing is copied: a checkpoint flushes them to the disk. Otherwise rows are copied.
  ///
  /// Two files are written. @p file is a .npy file with the n x n entries of the distance matrix,
  /// as `mapped_matrix` and NumPy read it. Its room on the disk is reserved before the solve
  /// begins. @p file with ".pivot" appended is a text that says how far the entries have come;
  /// without it they are no checkpoint. A call without `resume` of the same file replaces both,
  /// unless its arguments are refused or the disk has no room for another matrix.
  ///
  /// A call holds the file until it returns. Meanwhile other calls that would write it or `resume`
  /// it, in this process or another one, throw file_error.
  ///
  /// Rows are copied between blocks of pivots, for at most a tenth of the time or one MiB per
  /// block. A last checkpoint of all pivots is written before the call returns; if a stop was
  /// requested, of the pivots that are complete. The files remain.
  /// @param file   not the file of the graph. If this process has mapped it for writing, the
  ///               distances must be that matrix, of a type with room for twice the longest path
  ///               that n arcs can have (four times with negative weights), without a cutoff; other
  ///               calls are refused.
  /// @param every  the least time between the beginnings of two checkpoints; 0: as often as
  ///               possible.
  /// @throws std::invalid_argument if @p file is empty, or @p every is negative or NaN. Calls throw
  ///         file_error if a file is held by another call, or cannot be written: before the solve
  ///         begins, or later if the disk fails.
  template <class Rep, class Period>
  [[nodiscard]] auto checkpoint(const std::filesystem::path& file,
                                const std::chrono::duration<Rep, Period>& every) const {
    const std::chrono::duration<double> seconds(every);
    if (file.empty()) throw std::invalid_argument("apsp: expected the name of a file, got none");
    if (!(seconds.count() >= 0)) {
      throw std::invalid_argument(
          "apsp: expected a time between checkpoints of at least 0 s, got " +
          std::to_string(seconds.count()) + " s");
    }
    auto changed = self().observed();
    changed.observer_.checkpoints.file = file;
    changed.observer_.checkpoints.every = seconds;
    return changed;
  }
  /// A copy that goes on from the checkpoint in @p file, or starts from the beginning if there is
  /// no checkpoint yet. The file may be that of `checkpoint`. The policy and the number of threads
  /// may differ from those of the call that wrote it. For the same calls as `checkpoint`. If the
  /// distances are the `mapped_matrix` of @p file, the call goes on in it.
  /// @throws std::invalid_argument if @p file is empty. Calls throw it if the checkpoint is that of
  ///         another graph, semiring, type of distances or number of vertices, and file_error if a
  ///         file is damaged, cannot be read, or is written by another call; the results are
  ///         untouched then.
  [[nodiscard]] auto resume(const std::filesystem::path& file) const {
    if (file.empty()) throw std::invalid_argument("apsp: expected the name of a file, got none");
    auto changed = self().observed();
    changed.observer_.checkpoints.resumed_file = file;
    return changed;
  }

  /// A copy whose predecessors describe a shortest path with the fewest edges. Each row of
  /// predecessors then takes a search of O(n + m) on the host; without predecessors there is no
  /// effect. Over semirings other than `min_plus`, only paths whose prefixes are also best paths
  /// are compared.
  [[nodiscard]] constexpr Policy prefer_fewest_edges(bool value = true) const {
    Policy changed = self();
    changed.prefers_fewest_edges_ = value;
    return changed;
  }

  /// A copy that solves undirected graphs like any others if @p value is false. By default
  /// `floyd_warshall` and `repeated_squaring` relax half of a large matrix that is found to be
  /// symmetric, if no weight is negative and no predecessors are wanted. `floyd_warshall` does so
  /// too for predecessors of a sparse graph with positive weights. See `result::used_symmetry()`.
  [[nodiscard]] constexpr Policy use_symmetry(bool value = true) const {
    Policy changed = self();
    changed.uses_symmetry_ = value;
    return changed;
  }

  /// The cutoff, if one is set.
  constexpr std::optional<long double> cutoff() const { return cutoff_; }
  /// True if shortest paths with the fewest edges are preferred.
  constexpr bool prefers_fewest_edges() const { return prefers_fewest_edges_; }
  /// True if the symmetry of undirected graphs may be used.
  constexpr bool uses_symmetry() const { return uses_symmetry_; }
  constexpr const Observer& attached_observer() const { return observer_; }

 protected:
  constexpr policy_settings() = default;
  template <class OtherPolicy, class OtherObserver>
  explicit policy_settings(const policy_settings<OtherPolicy, OtherObserver>& other)
      : cutoff_(other.cutoff_),
        prefers_fewest_edges_(other.prefers_fewest_edges_),
        uses_symmetry_(other.uses_symmetry_) {
    if constexpr (std::is_same_v<Observer, OtherObserver>) observer_ = other.observer_;
  }

 private:
  template <class, class>
  friend class policy_settings;

  constexpr const Policy& self() const { return static_cast<const Policy&>(*this); }

  std::optional<long double> cutoff_;
  bool prefers_fewest_edges_ = false;
  bool uses_symmetry_ = true;
  Observer observer_;  // nvcc 13.0 fails on classes derived from one with [[no_unique_address]]
};

/// One host thread.
template <class Observer>
class basic_seq_policy : public policy_settings<basic_seq_policy<Observer>, Observer> {
  using settings = policy_settings<basic_seq_policy, Observer>;

 public:
  static constexpr backend requested = backend::seq;

  constexpr basic_seq_policy() = default;
  /// This policy with an `observer`.
  basic_seq_policy<observer> observed() const { return basic_seq_policy<observer>(*this); }

 private:
  template <class>
  friend class basic_seq_policy;
  template <class Other>
  explicit basic_seq_policy(const basic_seq_policy<Other>& other) : settings(other) {}
};

/// Host threads, by OpenMP.
template <class Observer>
class basic_omp_policy : public policy_settings<basic_omp_policy<Observer>, Observer> {
  using settings = policy_settings<basic_omp_policy, Observer>;

 public:
  static constexpr backend requested = backend::omp;

  constexpr basic_omp_policy() = default;
  /// This policy with an `observer`.
  basic_omp_policy<observer> observed() const { return basic_omp_policy<observer>(*this); }

  /// A copy that runs on @p count threads; 0 leaves the number to OpenMP.
  /// @throws std::invalid_argument if @p count is negative.
  [[nodiscard]] constexpr basic_omp_policy threads(int count) const {
    if (count < 0) throw std::invalid_argument("apsp: the number of threads must not be negative");
    basic_omp_policy changed = *this;
    changed.threads_ = count;
    return changed;
  }
  constexpr int threads() const { return threads_; }

 private:
  template <class>
  friend class basic_omp_policy;
  template <class Other>
  explicit basic_omp_policy(const basic_omp_policy<Other>& other)
      : settings(other), threads_(other.threads_) {}

  int threads_ = 0;
};

/// How `cuda_naive` distributes the relaxations of Bellman–Ford over threads.
enum class relaxations {
  /// One thread per changed vertex writes new distances by atomic minimum; a second kernel compares
  /// them with the old ones. Source: Harish and Narayanan 2007.
  scatter_and_check,
  /// A few edges per thread, from arrays of sources, targets and weights.
  by_edge,
  /// One thread per vertex reads its incoming edges: no atomics.
  by_incoming_edges,
  /// One thread per vertex relaxes its outgoing edges by atomic minimum.
  by_outgoing_edges
};

/// The relaxation strategy of `cuda_naive`.
struct relaxation_strategy {
  relaxations kind = relaxations::scatter_and_check;
  /// The number of edges that one thread relaxes, for `by_edge`.
  int edges_per_thread = 4;
};

/// Selects all CUDA devices of the machine: `cuda_tiled.devices(apsp::all_devices)`.
struct all_devices_t {
  explicit all_devices_t() = default;
};
inline constexpr all_devices_t all_devices{};

/// The numbers of the CUDA devices of a policy.
class device_list {
 public:
  static constexpr std::size_t most = 16;

  /// None: the current device of the calling thread.
  constexpr device_list() = default;
  /// @throws std::invalid_argument unless there are 1 to `most` numbers, none negative.
  explicit constexpr device_list(std::span<const int> numbers) : size_(numbers.size()) {
    if (numbers.empty() || numbers.size() > most) {
      throw std::invalid_argument("apsp: expected 1 to " + std::to_string(most) + " devices, got " +
                                  std::to_string(numbers.size()));
    }
    for (std::size_t i = 0; i < size_; ++i) {
      if (numbers[i] < 0) {
        throw std::invalid_argument("apsp: the device number must not be negative");
      }
      numbers_[i] = numbers[i];
    }
  }
  explicit constexpr device_list(all_devices_t) : is_all_(true) {}

  /// True for all devices of the machine; the list is then empty.
  constexpr bool is_all() const { return is_all_; }
  /// How many numbers are listed; they are in the order in which they were given.
  constexpr std::size_t size() const { return size_; }
  constexpr int operator[](std::size_t i) const { return numbers_[i]; }
  constexpr const int* begin() const { return numbers_.data(); }
  constexpr const int* end() const { return numbers_.data() + size_; }

 private:
  std::array<int, most> numbers_{};
  std::size_t size_ = 0;
  bool is_all_ = false;
};

/// One or several CUDA devices. If one of them is not usable, or there is no kernel for the weight
/// type, the call runs under `omp` instead, and `result::executed_on()` reports it.
template <backend Requested, class Observer = unobserved>
class cuda_policy : public policy_settings<cuda_policy<Requested, Observer>, Observer> {
  using settings = policy_settings<cuda_policy, Observer>;

 public:
  static constexpr backend requested = Requested;

  constexpr cuda_policy() = default;
  /// This policy with an `observer`.
  cuda_policy<Requested, observer> observed() const {
    return cuda_policy<Requested, observer>(*this);
  }

  /// A copy that runs on device number @p index. By default it is the current device of the calling
  /// thread.
  [[nodiscard]] constexpr cuda_policy device(int index) const { return devices({index}); }
  /// A copy that runs on these devices; a device that is listed twice takes two shares.
  ///
  /// `dijkstra`, `bellman_ford`, `johnson` and what else is solved source by source deals the
  /// sources out to them, and each has a copy of the graph; batches deal out the graphs. Under
  /// `cuda_tiled`, `floyd_warshall` with results in host memory divides the rows of the matrix
  /// among them. All else runs on the first one. Integers have the same distances on any number of
  /// devices. `memory_limit` is that of each; there can be no stream and no memory resource.
  /// @throws std::invalid_argument if there is no number, a negative one, or more than
  /// `device_list::most`.
  [[nodiscard]] constexpr cuda_policy devices(std::span<const int> numbers) const {
    cuda_policy changed = *this;
    changed.devices_ = device_list(numbers);
    return changed;
  }
  [[nodiscard]] constexpr cuda_policy devices(std::initializer_list<int> numbers) const {
    return devices(std::span<const int>(numbers.begin(), numbers.size()));
  }
  /// All devices of the machine.
  [[nodiscard]] constexpr cuda_policy devices(all_devices_t all) const {
    cuda_policy changed = *this;
    changed.devices_ = device_list(all);
    return changed;
  }
  /// A copy that orders its work on @p stream, a `cudaStream_t` of that device. Null selects a
  /// stream private to the call, not the default stream, unless the graph or the results are in
  /// device memory: then it selects the default stream. Calls refuse a stream under capture with
  /// `std::invalid_argument`.
  [[nodiscard]] constexpr cuda_policy on(CUstream_st* stream) const {
    cuda_policy changed = *this;
    changed.stream_ = stream;
    return changed;
  }
  /// As above, for an object whose `get()` returns such a stream, such as `cuda::stream_ref`.
  template <class Stream>
    requires requires(const Stream& stream) {
      { stream.get() } -> std::convertible_to<CUstream_st*>;
    }
  [[nodiscard]] constexpr cuda_policy on(const Stream& stream) const {
    return on(static_cast<CUstream_st*>(stream.get()));
  }
  /// A copy that throws `device_error` instead of falling back to the host.
  [[nodiscard]] constexpr cuda_policy required(bool value = true) const {
    cuda_policy changed = *this;
    changed.required_ = value;
    return changed;
  }
  /// A copy that uses at most @p bytes of memory of each device: the per-source algorithms then
  /// solve fewer sources at once, the rows of a dense matrix pass through the device (see
  /// `in_core`), and a call that needs more throws `device_error`. 0 means that only the free
  /// memory limits the call.
  [[nodiscard]] constexpr cuda_policy memory_limit(std::size_t bytes) const {
    cuda_policy changed = *this;
    changed.memory_limit_ = bytes;
    return changed;
  }
  /// A copy that takes device memory from @p resource, in the order of the stream that is passed to
  /// it, which may be one of the library. The resource must exist until the call returns, and may
  /// be called from several threads at a time. A call cannot ask how much memory it has, and counts
  /// on `memory_limit`, or else on what is free on the device. If it throws `std::bad_alloc`, the
  /// call throws `device_error`; other exceptions of `allocate` propagate, and `deallocate` must
  /// not throw. Calls with several devices refuse it with `std::invalid_argument`. Copies of dense
  /// graphs that overlap results of a batch, and what NCCL allocates, do not come from it.
  template <device_memory_resource Resource>
  [[nodiscard]] constexpr cuda_policy memory(Resource& resource) const {
    cuda_policy changed = *this;
    changed.memory_ = memory_source(resource);
    return changed;
  }
  /// A copy that throws `device_error` if a matrix does not fit into device memory. By default
  /// `floyd_warshall` under `cuda_tiled` with results in host memory then goes out of core: rows
  /// pass through the device while others are relaxed, and `result::out_of_core()` is true.
  /// Predecessors are then found only for sparse graphs whose weights are positive.
  [[nodiscard]] constexpr cuda_policy in_core(bool value = true) const {
    cuda_policy changed = *this;
    changed.in_core_ = value;
    return changed;
  }
  /// A copy that distributes relaxations by @p strategy, to compare strategies.
  /// @throws std::invalid_argument if the number of edges per thread is less than one.
  [[nodiscard]] constexpr cuda_policy relax(relaxation_strategy strategy) const
    requires(Requested == backend::cuda_naive)
  {
    if (strategy.edges_per_thread < 1) {
      throw std::invalid_argument("apsp: the number of edges per thread must be at least 1");
    }
    cuda_policy changed = *this;
    changed.strategy_ = strategy;
    return changed;
  }

  /// The number of the first device, or -1 for the current device of the calling thread.
  constexpr int device() const { return devices_.size() == 0 ? -1 : devices_[0]; }
  constexpr const device_list& devices() const { return devices_; }
  constexpr CUstream_st* stream() const { return stream_; }
  constexpr bool is_required() const { return required_; }
  constexpr std::size_t memory_limit() const { return memory_limit_; }
  /// The memory resource, if one is set.
  constexpr const memory_source& memory() const { return memory_; }
  constexpr bool is_in_core() const { return in_core_; }
  constexpr relaxation_strategy strategy() const { return strategy_; }

 private:
  template <backend, class>
  friend class cuda_policy;
  template <class Other>
  explicit cuda_policy(const cuda_policy<Requested, Other>& other)
      : settings(other),
        devices_(other.devices_),
        stream_(other.stream_),
        required_(other.required_),
        memory_limit_(other.memory_limit_),
        memory_(other.memory_),
        in_core_(other.in_core_),
        strategy_(other.strategy_) {}

  device_list devices_;
  CUstream_st* stream_ = nullptr;
  bool required_ = false;
  std::size_t memory_limit_ = 0;
  memory_source memory_;
  bool in_core_ = false;
  relaxation_strategy strategy_;
};

using seq_policy = basic_seq_policy<unobserved>;
using omp_policy = basic_omp_policy<unobserved>;
using cuda_naive_policy = cuda_policy<backend::cuda_naive>;
using cuda_tiled_policy = cuda_policy<backend::cuda_tiled>;

inline constexpr seq_policy seq{};
inline constexpr omp_policy omp{};
/// The simplest kernels, without tiles or shared memory: the baseline for `cuda_tiled`.
inline constexpr cuda_naive_policy cuda_naive{};
/// Tiles in registers and shared memory; many sources at once.
inline constexpr cuda_tiled_policy cuda_tiled{};

template <class T>
inline constexpr bool is_execution_policy = false;
template <class Observer>
inline constexpr bool is_execution_policy<basic_seq_policy<Observer>> = true;
template <class Observer>
inline constexpr bool is_execution_policy<basic_omp_policy<Observer>> = true;
template <backend B, class Observer>
inline constexpr bool is_execution_policy<cuda_policy<B, Observer>> = true;

/// An execution policy: `seq`, `omp`, `cuda_naive`, `cuda_tiled`, or a copy returned by their
/// setters.
template <class T>
concept execution_policy = is_execution_policy<std::remove_cvref_t<T>>;

/// The names that `with_policy` accepts.
inline constexpr std::array<std::string_view, 4> policy_names{"seq", "omp", "cuda_naive",
                                                              "cuda_tiled"};

/// Calls @p f with the policy of that name and returns its result: for a policy that is chosen when
/// the program runs. f is a generic function of a policy, and returns the same type for all of
/// them; it can modify the policy, for example by `cutoff`.
///
/// @param name  one of `policy_names`.
/// @throws std::invalid_argument if no policy has that name; the message lists the names.
template <class F>
decltype(auto) with_policy(std::string_view name, F&& f) {
  if (name == to_string(seq.requested)) return f(seq);
  if (name == to_string(omp.requested)) return f(omp);
  if (name == to_string(cuda_naive.requested)) return f(cuda_naive);
  if (name == to_string(cuda_tiled.requested)) return f(cuda_tiled);
  std::string expected;
  for (const std::string_view known : policy_names) {
    if (!expected.empty()) expected += known == policy_names.back() ? " or " : ", ";
    expected += known;
  }
  throw std::invalid_argument("apsp: no policy is named '" + std::string(name) + "'; expected " +
                              expected);
}

/// Literals for memory sizes, such as `8_GiB`.
namespace literals {
constexpr std::size_t operator""_KiB(unsigned long long count) {
  return static_cast<std::size_t>(count) << 10;
}
constexpr std::size_t operator""_MiB(unsigned long long count) {
  return static_cast<std::size_t>(count) << 20;
}
constexpr std::size_t operator""_GiB(unsigned long long count) {
  return static_cast<std::size_t>(count) << 30;
}
}  // namespace literals

}  // namespace apsp::inline v1
