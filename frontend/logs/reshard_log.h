// Warnings of XLA's partitioner that it gathers an array whole on every device.

#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "base/location.h"
#include "workload/compiler_report.h"

namespace tilewise {

inline constexpr std::string_view kWholeReshardSign = "nvoluntary full rematerialization";

// Takes the lines of a log in order. Warnings of one location in the program,
// or that name none and have the same shardings, are counted as one.
class ReshardLog {
 public:
  void Take(std::string_view text, const Location& place);
  std::vector<WholeReshard> Finish() { return std::move(found_); }

 private:
  std::vector<WholeReshard> found_;
};

}  // namespace tilewise
