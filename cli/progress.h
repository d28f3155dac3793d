// Shows on a terminal's standard error how far long work has come; in a pipe
// it shows nothing.

#pragma once

#include <string>

#include "tuner/tuner.h"

namespace tilewise {

class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ~ProgressLine();  // clears the line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Valid as long as this object; empty when there is no terminal.
  Progress callback();

 private:
  std::string what_;
  bool shown_ = false;
  bool terminal_ = false;
};

}  // namespace tilewise
