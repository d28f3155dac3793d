// What the rules say of a program, less what its author accepts.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/subject.h"
#include "lint/config.h"
#include "lint/config_rules.h"
#include "lint/suppression.h"

namespace tilewise {

struct ProgramFindings {
  Suppressed left;
  // None without a simulated model; its indices are of `left.findings`.
  std::optional<Reachable> reachable;
};

// `paths`: the files of the program; those that have comments for tilewise get
// their texts in `files`. `texts`: see ReadInputs.
ProgramFindings FindingsOf(const Subject& subject, const std::vector<std::string>& paths,
                           const std::map<std::string, std::string>* texts,
                           const LintConfig& config, const RuleConfig& rules,
                           std::vector<SourceFile>& files);

}  // namespace tilewise
