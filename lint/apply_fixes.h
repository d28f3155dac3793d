// Applies the fixes of one program until none is left that helps.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "edit/files.h"
#include "lint/linted_program.h"

namespace tilewise {

// Whether a finding has edits that may be made: of a safe fix, or of an unsafe
// one too.
bool CanBeFixed(const Diagnostic& finding, bool unsafe);

// Indices of findings whose edits can be made together, none of which is in
// `refused`: of two that collide the one with the larger saving is taken, then
// the one that stands first. A fix is taken as a whole or not at all.
std::vector<size_t> ChooseFixes(const std::vector<Diagnostic>& findings, bool unsafe,
                                const std::vector<Diagnostic>& refused);

// Lints the program as it would be with these texts in the place of its files.
using Relint = std::function<absl::StatusOr<LintedProgram>(const FileTexts& texts)>;

struct RefusedFix {
  Diagnostic finding;
  std::string reason;  // "the file could not be read afterwards: ..."
};

struct FixResult {
  FileTexts texts;        // of all files, changed or not
  LintedProgram program;  // linted with them: what remains
  std::vector<Diagnostic> fixed;
  std::vector<RefusedFix> refused;  // made and taken back
  // The last pass changed something too: fixes keep giving new ones.
  bool stopped = false;
};

inline constexpr int kMostFixPasses = 10;
inline constexpr size_t kLargestFixedFile = size_t{256} << 20;

// `program`: what was found with `texts`. After each pass the program is linted
// again; edits after which it cannot be read, has more syntax errors, or has
// as many findings of the rule as before are taken back, each fix on its own.
FixResult FixProgram(LintedProgram program, FileTexts texts, bool unsafe, const Relint& relint);

// How many of the findings that were reported, and that can be fixed, are gone:
// by rule, as one that was edited has another fingerprint. What only other
// fixes brought up is not counted.
int64_t CountFixed(const std::vector<Diagnostic>& reported, const std::vector<Diagnostic>& left,
                   bool unsafe);

// Replaces the files whose texts changed. Errors, before anything is written: a
// file that no longer holds what `before` says, a link out of the checkout that
// it lies in (an edit would change what nobody named); later: what cannot be written,
// then the files written so far are put back.
absl::Status WriteFixedFiles(const FileTexts& before, const FileTexts& after);

}  // namespace tilewise
