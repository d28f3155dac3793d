// What linting one program gave: all that a report says of it, without the
// model itself. This is what the cache keeps.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/too_small.h"
#include "estimator/estimate.h"
#include "lint/baseline.h"
#include "lint/suppression.h"
#include "session/facts.h"
#include "workload/workload.h"

namespace tilewise {

struct LintedProgram {
  RunSetting setting;
  // A program with a model has these, without what they hold of single kernels.
  std::optional<Timeline> timeline;
  std::optional<Estimate> estimate;

  std::vector<Diagnostic> findings;
  // What summaries among them stand for, by the summary's fingerprint.
  std::map<std::string, std::vector<Diagnostic>> folded;
  std::optional<Reachable> reachable;  // its indices are of `findings`
  std::vector<SuppressedFinding> suppressed;
  std::set<size_t> used_entries;  // of the configuration's `suppress`
  // A program with a model has these: see UnmatchedFixedDims().
  std::map<std::string, std::string> unmatched_fixed_dims;
  std::vector<Diagnostic> notes;
  std::vector<TooSmall> too_small;  // what rules saw and is no finding
  // Files beside them that the reading depends on, with the hashes of their
  // contents; empty: there is no such file.
  std::map<std::string, std::string> consulted;
  // The files have the texts of those that findings, suppressed ones or notes
  // are about.
  std::vector<SourceFile> files;
};

// The findings one by one: what a summary stands for in its place.
std::vector<const Diagnostic*> SingleFindings(const LintedProgram& program);

// Drops findings without `keep` and maps the indices of `reachable`.
void KeepFindings(LintedProgram& program, const std::vector<bool>& keep);

// Takes the findings out that `baseline` knows; `used` gets their fingerprints.
void FilterKnown(const Baseline& baseline, std::set<std::string>& used, LintedProgram& program);

// Empties the texts of files that nothing is said about.
void DropUnusedTexts(LintedProgram& program);

}  // namespace tilewise
