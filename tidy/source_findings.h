// What the rules find in a source that clang-tidy has parsed.

#pragma once

#include <string>
#include <vector>

#include <clang/AST/ASTContext.h>

#include "base/diagnostic.h"
#include "base/status.h"
#include "rules/rule.h"

namespace tilewise::tidy {

// Rules that text alone gives evidence for, by id.
std::vector<const Rule*> SourceRules();

struct Question {
  std::vector<std::string> rules;  // ids
  std::string chip;                // empty: of the configuration, else the default one
};

// Findings in the main file of the tree, by place: those that neither a comment nor an entry of the
// project's .tilewise.yaml accepts. Errors: a configuration that cannot be read, an unknown chip.
absl::StatusOr<std::vector<Diagnostic>> FindingsIn(clang::ASTContext& context,
                                                   const Question& question);

}  // namespace tilewise::tidy
