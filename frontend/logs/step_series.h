// Times of steps, whatever printed them, and which of them tell how long a step
// takes once the program is compiled.

#pragma once

#include <map>
#include <string>

#include "workload/run_log.h"

namespace tilewise {

class StepSeries {
 public:
  explicit StepSeries(std::string writer) { series_.writer = std::move(writer); }

  LoggedSteps& series() { return series_; }
  bool empty() const { return series_.lines.empty(); }
  void Add(LoggedStep line);
  // What the series says. A first line far above the others holds compilation,
  // one among the first far below was not waited for.
  LoggedSteps Finish();

 private:
  LoggedSteps series_;
};

// This keeps the series of the writers that one reader knows.
class StepSeriesByWriter {
 public:
  StepSeries& Of(const std::string& writer);
  void Finish(RunLog& log);

 private:
  std::map<std::string, StepSeries> all_;
};

}  // namespace tilewise
