// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "../../apsp/process_grid.hpp"
#include "../matrix/part.hpp"
#include "agreement.hpp"
#include "communicator.hpp"

namespace apsp::inline v1::detail::mpi {

/// The processes of a call, in rows and columns. Parts of the rows of a matrix belong to the
/// process rows, and parts of its columns to the process columns.
class grid {
 public:
  /// Collective. Without a shape all processes are in one column.
  /// @throws std::invalid_argument on all processes if the shape differs between them, or if it is
  /// not one of all processes; and as the constructor of `communicator` does.
  grid(MPI_Comm given, const std::optional<process_grid>& shape)
      : everywhere_(given),
        shape_(agreed_shape(everywhere_, shape)),
        row_(everywhere_, everywhere_.rank() / shape_.columns),
        column_(everywhere_, everywhere_.rank() % shape_.columns) {}

  const communicator& everywhere() const { return everywhere_; }
  /// The processes of the row of this one; ranks are the numbers of process columns.
  const communicator& row() const { return row_; }
  /// The processes of the column of this one; ranks are the numbers of process rows.
  const communicator& column() const { return column_; }
  const process_grid& shape() const { return shape_; }

  index_part rows_of(std::size_t num_rows, std::size_t process_row) const {
    return part_of(num_rows, static_cast<std::size_t>(shape_.rows), process_row);
  }
  index_part columns_of(std::size_t num_columns, std::size_t process_column) const {
    return part_of(num_columns, static_cast<std::size_t>(shape_.columns), process_column);
  }
  /// The part of a matrix that belongs to this process.
  matrix_part own_part(std::size_t num_rows, std::size_t num_columns) const {
    return {rows_of(num_rows, static_cast<std::size_t>(column_.rank())),
            columns_of(num_columns, static_cast<std::size_t>(row_.rank()))};
  }

 private:
  static process_grid agreed_shape(const communicator& everywhere,
                                   const std::optional<process_grid>& asked) {
    const process_grid shape = asked.value_or(process_grid{everywhere.size(), 1});
    agree_on_arguments(everywhere, [&](shared_arguments& arguments) {
      arguments.set(argument::grid, std::uint64_t{static_cast<std::uint32_t>(shape.rows)} << 30 ^
                                        static_cast<std::uint32_t>(shape.columns));
      if (shape.rows < 1 || shape.columns < 1 ||
          std::int64_t{shape.rows} * shape.columns != everywhere.size()) {
        throw std::invalid_argument("apsp::across: expected a process grid of " +
                                    std::to_string(everywhere.size()) + " processes, got " +
                                    std::to_string(shape.rows) + " x " +
                                    std::to_string(shape.columns));
      }
    });
    return shape;
  }

  communicator everywhere_;
  process_grid shape_;
  communicator row_;
  communicator column_;
};

}  // namespace apsp::inline v1::detail::mpi
