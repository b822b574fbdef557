// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../apsp/error.hpp"

namespace apsp::inline v1::detail::mpi {

/// A duplicate of the caller's communicator, so that no message of the library can be taken for one
/// of the caller, or a group of its processes. All functions but the accessors throw
/// `distributed_error` if MPI reports an error.
class communicator {
 public:
  /// Collective.
  /// @throws std::logic_error if MPI is not initialised or already finalised; std::invalid_argument
  /// for a null communicator or one between two groups.
  explicit communicator(MPI_Comm given) {
    int is_initialized = 0;
    int is_finalized = 0;
    MPI_Initialized(&is_initialized);
    MPI_Finalized(&is_finalized);
    if (is_initialized == 0) {
      throw std::logic_error("apsp::across: MPI is not initialised; call MPI_Init first");
    }
    if (is_finalized != 0) {
      throw std::logic_error("apsp::across: MPI is already finalised; call before MPI_Finalize");
    }
    if (given == MPI_COMM_NULL) {
      throw std::invalid_argument("apsp::across: the communicator is MPI_COMM_NULL");
    }
    int joins_two_groups = 0;
    check(MPI_Comm_test_inter(given, &joins_two_groups), "MPI_Comm_test_inter");
    if (joins_two_groups != 0) {
      throw std::invalid_argument(
          "apsp::across: an intercommunicator joins two groups of processes");
    }
    check(MPI_Comm_dup(given, &own_), "MPI_Comm_dup");
    inquire();
  }
  /// The processes of @p all that give the same number of a group, in the same order. Collective.
  communicator(const communicator& all, int group) {
    check(MPI_Comm_split(all.own_, group, all.rank(), &own_), "MPI_Comm_split");
    inquire();
  }
  communicator(const communicator&) = delete;
  communicator& operator=(const communicator&) = delete;
  ~communicator() {
    kept_.reset();
    int is_finalized = 0;
    MPI_Finalized(&is_finalized);
    if (is_finalized == 0) MPI_Comm_free(&own_);
  }

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// The largest value of each entry over all processes.
  void maximize(std::span<std::uint64_t> values) const {
    check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T,
                        MPI_MAX, own_),
          "MPI_Allreduce");
  }
  std::uint64_t maximum(std::uint64_t value) const {
    maximize({&value, 1});
    return value;
  }

  /// The @p bytes of every process, in their order.
  void gather(const void* mine, std::size_t bytes, void* all) const {
    check(MPI_Allgather(mine, static_cast<int>(bytes), MPI_BYTE, all, static_cast<int>(bytes),
                        MPI_BYTE, own_),
          "MPI_Allgather");
  }
  void broadcast(void* data, std::size_t bytes, int root) const {
    for_each_piece(data, bytes, [&](void* piece, int size) {
      check(MPI_Bcast(piece, size, MPI_BYTE, root, own_), "MPI_Bcast");
    });
  }
  void send(const void* data, std::size_t bytes, int to) const {
    for_each_piece(const_cast<void*>(data), bytes, [&](void* piece, int size) {
      check(MPI_Send(piece, size, MPI_BYTE, to, tag, own_), "MPI_Send");
    });
  }
  void receive(void* data, std::size_t bytes, int from) const {
    for_each_piece(data, bytes, [&](void* piece, int size) {
      check(MPI_Recv(piece, size, MPI_BYTE, from, tag, own_, MPI_STATUS_IGNORE), "MPI_Recv");
    });
  }

  /// Starts a broadcast and adds its requests.
  void start_broadcast(void* data, std::size_t bytes, int root,
                       std::vector<MPI_Request>& requests) const {
    for_each_piece(data, bytes, [&](void* piece, int size) {
      requests.push_back(MPI_REQUEST_NULL);
      check(MPI_Ibcast(piece, size, MPI_BYTE, root, own_, &requests.back()), "MPI_Ibcast");
    });
  }
  /// Lets MPI make progress.
  void test(std::vector<MPI_Request>& requests) const {
    int are_done = 0;
    check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &are_done,
                      MPI_STATUSES_IGNORE),
          "MPI_Testall");
  }
  void wait(std::vector<MPI_Request>& requests) const {
    check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
          "MPI_Waitall");
    requests.clear();
  }

  /// What a call keeps for the next one; null at first.
  const std::shared_ptr<void>& kept() const { return kept_; }
  void keep(std::shared_ptr<void> link) const { kept_ = std::move(link); }

  /// Counts of MPI are of type int. Pieces of this size also let a chain of processes pass them on.
  static constexpr std::size_t piece_bytes = std::size_t{32} << 20;
  /// The most messages that @p bytes are sent in.
  static constexpr std::size_t num_pieces(std::size_t bytes) {
    return (bytes + piece_bytes - 1) / piece_bytes;
  }

 private:
  static constexpr int tag = 0;

  void inquire() {
    MPI_Comm_set_errhandler(own_, MPI_ERRORS_RETURN);
    check(MPI_Comm_rank(own_, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(own_, &size_), "MPI_Comm_size");
  }

  template <class F>
  static void for_each_piece(void* data, std::size_t bytes, F f) {
    for (std::size_t begin = 0; begin < bytes; begin += piece_bytes) {
      f(static_cast<char*>(data) + begin, static_cast<int>(std::min(piece_bytes, bytes - begin)));
    }
  }

  void check(int error, std::string_view function) const {
    if (error == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(error, text, &length);
    throw distributed_error(
        rank_, std::string(function) + ": " + std::string(text, static_cast<std::size_t>(length)));
  }

  MPI_Comm own_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  mutable std::shared_ptr<void> kept_;
};

}  // namespace apsp::inline v1::detail::mpi
