// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#ifdef APSP_WITH_NCCL
#include <nccl.h>
#endif

#include "../../apsp/error.hpp"
#include "../dense/divided/cuda/row_exchange.hpp"
#include "../device/memory.hpp"
#include "../device/staged_copies.hpp"
#include "agreement.hpp"
#include "communicator.hpp"

// The connection between the devices of several processes. Kept by the communicator from call to
// call.
namespace apsp::inline v1::detail::mpi {

/// Copies through host memory, by MPI: the device copies one piece while MPI sends another.
class host_link {
 public:
  explicit host_link(const communicator& everywhere)
      : everywhere_(everywhere), copies_(communicator::piece_bytes) {}

  /// All processes exchange all messages, also if a copy fails, which is then thrown.
  void broadcast(void* data, std::size_t bytes, int owner, CUstream_st* stream) {
    std::exception_ptr failure;
    const auto attempt = [&](auto f) {
      if (failure != nullptr) return;
      failure = failure_of(f);
    };
    const std::size_t num_pieces = communicator::num_pieces(bytes);
    const auto offset = [](std::size_t piece) { return piece * communicator::piece_bytes; };
    const auto size = [&](std::size_t piece) {
      return std::min(communicator::piece_bytes, bytes - offset(piece));
    };
    const auto at = [&](std::size_t piece) { return static_cast<char*>(data) + offset(piece); };
    const bool is_owner = owner == everywhere_.rank();
    const auto fetch = [&](std::size_t piece) {
      if (piece < num_pieces) {
        attempt([&] {
          copies_.to_buffer(piece % copies_.num_buffers, at(piece), size(piece), stream);
        });
      }
    };
    if (is_owner) fetch(0);
    for (std::size_t piece = 0; piece < num_pieces; ++piece) {
      const std::size_t buffer = piece % copies_.num_buffers;
      if (is_owner) fetch(piece + 1);
      attempt([&] { copies_.wait(buffer); });
      everywhere_.broadcast(copies_.buffer(buffer), size(piece), owner);
      if (!is_owner) attempt([&] { copies_.from_buffer(buffer, at(piece), size(piece), stream); });
    }
    if (failure != nullptr) std::rethrow_exception(failure);
  }

 private:
  const communicator& everywhere_;
  cuda::staged_copies copies_;
};

#ifdef APSP_WITH_NCCL
/// A communicator of NCCL.
class nccl_link {
 public:
  /// Collective. Every process has selected another device.
  explicit nccl_link(const communicator& everywhere) {
    ncclUniqueId id{};
    together(everywhere, [&] {
      if (everywhere.rank() == 0) check(ncclGetUniqueId(&id), "ncclGetUniqueId");
    });
    everywhere.broadcast(&id, sizeof id, 0);
    try {
      together(everywhere, [&] {
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
#if NCCL_VERSION_CODE >= 22700
        // The products need the multiprocessors.
        config.CTAPolicy = NCCL_CTA_POLICY_EFFICIENCY;
#endif
        check(ncclCommInitRankConfig(&link_, everywhere.size(), id, everywhere.rank(), &config),
              "ncclCommInitRankConfig");
      });
    } catch (...) {
      abort();
      throw;
    }
  }
  ~nccl_link() {
    if (link_ != nullptr) ncclCommDestroy(link_);
  }
  nccl_link(const nccl_link&) = delete;
  nccl_link& operator=(const nccl_link&) = delete;

  void broadcast(void* data, std::size_t bytes, int owner, CUstream_st* stream) {
    check(ncclBroadcast(data, data, bytes, ncclChar, owner, link_, stream), "ncclBroadcast");
  }
  /// Ends broadcasts that wait for a process that has failed.
  void abort() noexcept {
    if (link_ != nullptr) ncclCommAbort(std::exchange(link_, nullptr));
  }

 private:
  static void check(ncclResult_t status, const char* function) {
    if (status == ncclSuccess) return;
    throw device_error(std::string(function) + ": " + ncclGetErrorString(status));
  }

  ncclComm_t link_ = nullptr;
};
#endif

/// The link of the devices of all processes: NCCL, or host memory if the program is compiled
/// without NCCL or if two processes use the same device. One process has none.
class device_link {
 public:
  /// @param address  of the device of this process
  explicit device_link(std::string address) : address_(std::move(address)) {}

  /// To be called once, before anything else. Collective. The device of this process is selected.
  void connect(const communicator& everywhere) {
    if (everywhere.size() == 1) return;
#ifdef APSP_WITH_NCCL
    if (are_apart(everywhere, address_)) {
      nccl_ = std::make_unique<nccl_link>(everywhere);
      return;
    }
#endif
    together(everywhere, [&] { host_ = std::make_unique<host_link>(everywhere); });
  }

  /// Where the device is on the bus of its machine.
  const std::string& address() const { return address_; }

  void broadcast(void* data, std::size_t bytes, int owner, CUstream_st* stream) {
#ifdef APSP_WITH_NCCL
    if (nccl_ != nullptr) return nccl_->broadcast(data, bytes, owner, stream);
#endif
    if (host_ != nullptr) host_->broadcast(data, bytes, owner, stream);
  }
  void abort() noexcept {
#ifdef APSP_WITH_NCCL
    if (nccl_ != nullptr) nccl_->abort();
#endif
  }

 private:
#ifdef APSP_WITH_NCCL
  /// True if no two processes use the same device.
  static bool are_apart(const communicator& everywhere, const std::string& address) {
    constexpr std::size_t size = MPI_MAX_PROCESSOR_NAME + 64;
    std::array<char, size> mine{};
    int length = 0;
    MPI_Get_processor_name(mine.data(), &length);
    const auto used = static_cast<std::size_t>(length);
    std::copy_n(address.data(), std::min(address.size(), size - used - 1), mine.data() + used);
    std::vector<std::array<char, size>> all;
    together(everywhere, [&] { all.resize(static_cast<std::size_t>(everywhere.size())); });
    everywhere.gather(mine.data(), size, all.data());
    std::sort(all.begin(), all.end());
    return std::adjacent_find(all.begin(), all.end()) == all.end();
  }

  std::unique_ptr<nccl_link> nccl_;
#endif
  std::string address_;
  std::unique_ptr<host_link> host_;
};

/// What a `row_solver` needs of the other processes.
class device_exchange final : public cuda::row_exchange {
 public:
  /// Collective. Uses the link of the last call if the device is the same on all processes.
  device_exchange(const communicator& everywhere, int device) : everywhere_(everywhere) {
    const auto address = together(everywhere, [&] { return cuda::bus_address(device); });
    const auto kept = std::static_pointer_cast<device_link>(everywhere.kept());
    const bool is_new = kept == nullptr || kept->address() != address;
    if (everywhere.maximum(is_new) == 0) {
      link_ = kept;
      return;
    }
    everywhere.keep(nullptr);
    std::optional<cuda::device_selection> selection;
    together(everywhere, [&] {
      selection.emplace(device);
      link_ = std::make_shared<device_link>(address);
    });
    link_->connect(everywhere);
    everywhere.keep(link_);
  }

  std::size_t num_processes() const override {
    return static_cast<std::size_t>(everywhere_.size());
  }
  std::size_t rank() const override { return static_cast<std::size_t>(everywhere_.rank()); }

  bool all_go_on(bool stops, const std::exception_ptr& failure) override {
    std::array<std::uint64_t, 1> is_stopped{stops};
    try {
      agree_on_success(everywhere_, failure, is_stopped);
    } catch (...) {
      link_->abort();
      everywhere_.keep(nullptr);
      throw;
    }
    return is_stopped[0] == 0;
  }

  void broadcast(void* rows, std::size_t bytes, std::size_t owner, CUstream_st* stream) override {
    link_->broadcast(rows, bytes, static_cast<int>(owner), stream);
  }

 private:
  const communicator& everywhere_;
  std::shared_ptr<device_link> link_;
};

}  // namespace apsp::inline v1::detail::mpi
