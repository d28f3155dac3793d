// What the rules say of a program, less what its author accepts.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/load.h"
#include "cli/options/rule_options.h"
#include "lint/suppression.h"

namespace tilewise {

struct Findings {
  Suppressed left;
  // There is none without a simulated model; its indices are of
  // `left.findings`.
  std::optional<Reachable> reachable;
  // These are the files of the workload, with the texts of all that have
  // comments for tilewise: readers of graphs keep none.
  std::vector<SourceFile> files;
  // What was seen and is too little to be a finding.
  std::vector<TooSmall> too_small;
};

// `rules`: those of RulesFor for the program's first file. `texts`: as Load
// took them. `savings`: what each fix gains is simulated.
Findings RunRules(const Session& session, const ModelOptions& model, const RuleConfig& rules,
                  const FileTexts* texts = nullptr, bool savings = true);

// RD006, which names all of it; nothing: there is none.
std::optional<Diagnostic> NoteOnTooSmall(const std::vector<TooSmall>& too_small,
                                         const std::string& file);

// Words of --fixed-dims that mean nothing in the model, as UnmatchedFixedDims()
// has them: most often a slip of the pen, so it is said. It changes neither
// findings nor exit code.
std::map<std::string, std::string> UnmatchedDims(const std::vector<std::string>& fixed_dims,
                                                 const Session& session);

// One of them in words; `from`: where it was written.
std::string UnmatchedDimInWords(const std::string& from, const std::string& word,
                                const std::string& hint);

}  // namespace tilewise
