// The parts of a SARIF log (OASIS, SARIF 2.1.0). Sections of the standard are
// named where the code follows one.

#pragma once

#include <string>
#include <vector>

#include "report/file_lines.h"
#include "report/json_sections.h"

namespace tilewise {

// GitHub shows the first 5,000 results of a run.
inline constexpr size_t kSarifResults = 5000;

// The id that relative paths are based on.
inline constexpr std::string_view kSourceRoot = "SRCROOT";

// "note", "warning", "error".
std::string_view SarifLevel(Severity severity);

// What places are made from.
struct SarifSources {
  const FileLines& lines;
  std::string root;  // RenderOptions::root
};

Json SarifArtifact(std::string_view file, const SarifSources& sources);
// A place in a file, in UTF-16 code units where the file was read as text. An
// op of a file without lines is a logical location at line 1, as GitHub wants
// one; a place in a notebook is its cell as a logical location, at the line of
// the JSON.
Json SarifLocation(const Location& location, const SarifSources& sources);

// Descriptors of the rules of `results`, by id.
Json SarifRules(const std::vector<const Diagnostic*>& results);

// `rule_index`: in the list of SarifRules.
Json SarifResult(const Diagnostic& finding, const std::string& fingerprint, size_t rule_index,
                 const SarifSources& sources);

// The fix as replacements; nothing when it is no text, is in a notebook, whose
// cells are no text of the file, or its file was not read as text.
std::optional<Json> SarifFix(const Fix& fix, const SarifSources& sources);

}  // namespace tilewise
