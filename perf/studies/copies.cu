// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../timing.hpp"
#include "arc_solver.cuh"
#include "measure.hpp"
#include "one_source.hpp"

namespace studies {

namespace {

constexpr std::size_t most_streams = 8;
constexpr std::size_t num_pieces = 16;
constexpr arc_shares shares{};

void wait(const stream& on) {
  STUDIES_CUDA_CHECK(cudaStreamSynchronize(on.get()));
}

class copy_calls {
 public:
  copy_calls(const one_source_problem& p, const settings& s, report& out)
      : problem_(p),
        settings_(s),
        out_(out),
        solver_(p.graph.num_vertices(), p.graph.num_edges()),
        pageable_(arcs_of(p.graph)),
        pinned_(make_pinned_array<std::int32_t>(pageable_.size())),
        row_(1, p.graph.num_vertices()),
        mark_(make_event(cudaEventDisableTiming)) {
    std::copy(pageable_.begin(), pageable_.end(), pinned_.get());
    for (std::size_t i = 0; i < most_streams; ++i) streams_.push_back(make_stream());
  }

  void add_transfers() {
    add_copy("graph to the device (pageable)", pageable_.data());
    add_copy("graph to the device (pinned)", pinned_.get());
    const stream& on = streams_[0];
    line l = line_of("transfers", "search");
    time_calls(l, settings_, [&] { return timing::seconds_of([&] { search(); }); });
    l.checked = check();
    out_.add(l);

    l = line_of("transfers", "row to the host");
    time_calls(l, settings_, [&] {
      return timing::seconds_of([&] {
        solver_.copy_row(row_.data(), on.get());
        wait(on);
      });
    });
    l.checked = problem_.known.check({static_cast<std::int32_t>(problem_.source)}, row_);
    out_.add(l);
  }

  void add_streams() {
    for (const bool is_pinned : {false, true}) {
      const std::string memory = is_pinned ? "pinned" : "pageable";
      const std::int32_t* const arcs = is_pinned ? pinned_.get() : pageable_.data();
      add_whole(memory + ": whole", arcs, 1, 1);
      for (std::size_t count = 1; count <= most_streams; count *= 2) {
        const std::string streams = std::to_string(count) + (count == 1 ? " stream" : " streams");
        add_whole(memory + ": pieces on " + streams, arcs, count, num_pieces);
      }
    }
  }

 private:
  line line_of(const std::string& part, const std::string& label) const {
    line l = problem_.about;
    l.x = std::to_string(l.n);
    l.part = part;
    l.label = label;
    return l;
  }

  void search() {
    solver_.start(problem_.source, streams_[0].get());
    solver_.finish(shares, streams_[0].get());
  }
  verdict check() const {
    return solver_.check(problem_.known, problem_.source, streams_[0].get());
  }

  void add_copy(const std::string& label, const std::int32_t* arcs) {
    const stream& on = streams_[0];
    line l = line_of("transfers", label);
    solver_.clear_arcs();
    time_calls(l, settings_, [&] {
      return timing::seconds_of([&] {
        solver_.copy_arcs(arcs, solver_.all_arcs(), on.get());
        wait(on);
      });
    });
    search();
    l.checked = check();
    out_.add(l);
  }

  void add_whole(const std::string& label, const std::int32_t* arcs, std::size_t stream_count,
                 std::size_t piece_count) {
    line l = line_of("streams", label);
    time_calls(l, settings_, [&] {
      solver_.clear_arcs();
      const double elapsed =
          timing::seconds_of([&] { copy_and_search(arcs, stream_count, piece_count); });
      join(l.checked, check());
      return elapsed;
    });
    out_.add(l);
  }

  /// In the first round, a piece is relaxed on the stream that has copied it, while the following pieces are
  /// copied. The other rounds run on the first stream.
  void copy_and_search(const std::int32_t* arcs, std::size_t stream_count,
                       std::size_t piece_count) {
    const stream& first = streams_[0];
    solver_.start(problem_.source, first.get());
    for (std::size_t i = 1; i < stream_count; ++i) begin_after(streams_[i], first);
    const std::size_t num_arcs = solver_.all_arcs().count;
    for (std::size_t piece = 0; piece < piece_count; ++piece) {
      const std::size_t begin = piece * num_arcs / piece_count;
      const std::size_t end = (piece + 1) * num_arcs / piece_count;
      const stream& on = streams_[piece % stream_count];
      solver_.copy_arcs(arcs, {begin, end - begin}, on.get());
      solver_.relax({begin, end - begin}, shares, on.get());
    }
    for (std::size_t i = 1; i < stream_count; ++i) begin_after(first, streams_[i]);
    solver_.finish(shares, first.get());
  }

  /// Makes subsequent work on @p later wait for the current work on @p earlier.
  void begin_after(const stream& later, const stream& earlier) const {
    STUDIES_CUDA_CHECK(cudaEventRecord(mark_.get(), earlier.get()));
    STUDIES_CUDA_CHECK(cudaStreamWaitEvent(later.get(), mark_.get()));
  }

  const one_source_problem& problem_;
  const settings& settings_;
  report& out_;
  arc_solver solver_;
  std::vector<std::int32_t> pageable_;
  pinned_array<std::int32_t> pinned_;
  apsp::matrix<std::int32_t> row_;
  event mark_;
  std::vector<stream> streams_;
};

}  // namespace

void add_copies(const one_source_problem& p, const settings& s, report& out) {
  copy_calls calls(p, s, out);
  calls.add_transfers();
  calls.add_streams();
}

}  // namespace studies
