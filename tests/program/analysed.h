// A workload with its target and analysis, for tests that ask for facts.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "session/analysis.h"

namespace tilewise {

// On eight cores of `chip`. A text that cannot be read or analysed fails the
// test; `analysis` is null then.
struct Analysed {
  Workload workload;
  Target target;
  std::unique_ptr<Analysis> analysis;

  const Facts& facts() const { return analysis->facts(); }
  // The simulated program with one change.
  Outcome With(const Change& change) const;
};

std::unique_ptr<Analysed> AnalyseGraph(std::string_view text,
                                       const AnalysisOptions& options = {},
                                       const std::string& chip = "v3");
std::unique_ptr<Analysed> AnalyseProgram(std::string_view python,
                                         const AnalysisOptions& options = {},
                                         const std::string& chip = "v3");

}  // namespace tilewise
