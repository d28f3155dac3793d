// Tables of measurements: comma-separated text with a header line.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tilewise {

class Csv {
 public:
  static absl::StatusOr<Csv> Read(const std::string& path);

  size_t rows() const { return rows_.size(); }
  // Empty when there is no such column or the row is short.
  std::string Cell(size_t row, std::string_view column) const;
  // 0 when the cell is not a number.
  double Number(size_t row, std::string_view column) const;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tilewise
