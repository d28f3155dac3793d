// Tables of measurements: comma-separated text with a header line. Fields may
// stand in double quotes, which then may hold commas, doubled quotes and line
// breaks.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tilewise {

class Csv {
 public:
  // `name` stands in messages. Errors: no header, a column twice, a row that
  // has another number of cells than the header, more than kMostRows rows, an
  // open quote; with the line.
  static absl::StatusOr<Csv> Parse(const std::string& name, std::string_view text);

  static constexpr size_t kMostRows = 1'000'000;

  const std::string& name() const { return name_; }
  size_t rows() const { return rows_.size(); }
  const std::vector<std::string>& columns() const { return columns_; }
  bool Has(std::string_view column) const;
  // Returns an empty cell when there is no such column. Spaces around it are
  // gone.
  const std::string& Cell(size_t row, std::string_view column) const;

  // Errors name the file, the line and the column: not a number, or below
  // `least` (Integer only, and above 2^53).
  absl::StatusOr<double> Number(size_t row, std::string_view column) const;
  absl::StatusOr<int64_t> Integer(size_t row, std::string_view column, int64_t least) const;

  // 1-based line on which a row starts.
  int64_t line(size_t row) const { return lines_[row]; }
  absl::Status Error(size_t row, std::string_view column, std::string_view expected) const;

 private:
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<int64_t> lines_;
};

// The whole of `text` as a number; none if it is anything else or not finite.
std::optional<double> ParseNumber(std::string_view text);

}  // namespace tilewise
