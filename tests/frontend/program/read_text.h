// A program as text, read as a file that lies nowhere, for tests of packages.

#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {

inline Workload ReadText(const std::string& text, const std::string& model = "",
                         const std::string& input = "") {
  ProgramOptions options;
  options.model = model;
  options.inputs = input;
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {{text, 0}}, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

inline std::string NotesOfText(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

}  // namespace tilewise::program
