// A workload with its target and session, for tests that ask for facts.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "session/session.h"

namespace tilewise {

// On eight cores of `chip`. A text that cannot be read or analysed fails the
// test; `session` is null then.
struct Analysed {
  Workload workload;
  Target target;
  std::unique_ptr<const Session> session;

  const Facts& facts() const { return session->facts(); }
  // The simulated program with one change.
  Outcome With(const Change& change) const;
};

std::unique_ptr<Analysed> AnalyseGraph(std::string_view text, const SessionOptions& options = {},
                                       const std::string& chip = "v3");
std::unique_ptr<Analysed> AnalyseProgram(std::string_view python,
                                         const SessionOptions& options = {},
                                         const std::string& chip = "v3");

}  // namespace tilewise
