// A table of measurements, read: what kind it is, its points, and what stands
// in where they do not say.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "accuracy/point.h"
#include "accuracy/predict.h"
#include "accuracy/published.h"
#include "base/status.h"

namespace tilewise {

struct MeasuredSet {
  std::string name;  // the file's, without folder and extension
  std::string kind;
  SetDefaults published;  // of that name, else the first of that kind
  size_t rows = 0;
  std::vector<Point> points;  // one a row, in file order
};

// `path` stands in messages and names the set. Errors: text that is no table,
// or a table that has the form of no kind; with the line.
absl::StatusOr<MeasuredSet> ReadMeasuredSet(const std::string& path, std::string_view text);

// The user's, else the set's own. A set's host belongs to its chip: with a chip
// of the user it is left open.
Machine MachineFor(const Machine& user, const SetDefaults& set);

}  // namespace tilewise
