// A rule fixture: a small input with its settings in the first line and a mark
// on every line where a finding must be.
//
//   # chip: v2  cores: 8  batch: 4096  infer
//   ds = ds.prefetch(2)  # want: IP002
//
// The rules under test are those of the default set, the one whose folder the
// file is in, and all that are wanted: a program that shows one rule is well
// written in every other respect, or says with a mark in which it is not.

#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "hardware/target.h"
#include "session/session.h"

namespace tilewise {

using Expected = std::multiset<std::pair<int, std::string>>;  // line, rule

struct Fixture {
  std::string path;
  std::string rule;  // of its folder
  std::string text;
  std::string chip = "v3";
  int64_t cores = 8;
  std::string mesh;  // "fsdp=16,tensor=2"
  SessionOptions options;
  Expected wanted;
};

// The line of the file on which a finding is: of a notebook's cell, whose
// source is written one line a line; of a node, the line with its name.
int LineOf(const Fixture& fixture, const Location& location);

// All files of tests/rules/fixtures, sorted.
std::vector<std::string> FixturePaths();
Fixture ReadFixture(const std::string& path);
absl::StatusOr<Workload> LoadFixture(const Fixture& fixture);
absl::StatusOr<Target> TargetOf(const Fixture& fixture);
std::vector<std::string> RulesUnderTest(const Fixture& fixture);

}  // namespace tilewise
