// A condition on a row of a table, as the user writes it: "m<=1024".

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "accuracy/csv.h"
#include "base/status.h"

namespace tilewise {

struct RowCondition {
  enum class Relation : uint8_t { kLess, kAtMost, kEqual, kNot, kAtLeast, kMore };
  std::string column;
  Relation relation = Relation::kEqual;
  std::string value;  // a number where the relation is one of order

  // Numbers are compared as such, other cells as text. Errors: the table has no
  // such column; a cell that is no number where the relation is one of order.
  absl::StatusOr<bool> Holds(const Csv& csv, size_t row) const;
};

// COLUMN, one of < <= = != >= >, VALUE. Errors: no such form; a relation of
// order to what is no number.
absl::StatusOr<RowCondition> ParseRowCondition(std::string_view text);

}  // namespace tilewise
