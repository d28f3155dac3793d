// Keeps indices true while findings go.

#include "lint/linted_program.h"

#include <algorithm>
#include <utility>

namespace tilewise {
namespace {

void MapIndices(std::vector<int32_t>& indices,
                const std::vector<int32_t>& new_index) {
  std::vector<int32_t> mapped;
  mapped.reserve(indices.size());
  for (const int32_t index : indices) {
    const auto at = static_cast<size_t>(index);
    if (at < new_index.size() && new_index[at] >= 0) {
      mapped.push_back(new_index[at]);
    }
  }
  indices = std::move(mapped);
}

}  // namespace

std::vector<const Diagnostic*> PlacesOf(const LintedProgram& program) {
  std::vector<const Diagnostic*> places;
  places.reserve(program.findings.size());
  for (const Diagnostic& finding : program.findings) {
    const auto folded = program.folded.find(finding.fingerprint);
    if (folded == program.folded.end()) {
      places.push_back(&finding);
      continue;
    }
    for (const Diagnostic& place : folded->second) places.push_back(&place);
  }
  return places;
}

void KeepFindings(LintedProgram& program, const std::vector<bool>& keep) {
  std::vector<int32_t> new_index(program.findings.size(), -1);
  std::vector<Diagnostic> kept;
  for (size_t i = 0; i < program.findings.size(); ++i) {
    if (!keep[i]) {
      program.folded.erase(program.findings[i].fingerprint);
      continue;
    }
    new_index[i] = static_cast<int32_t>(kept.size());
    kept.push_back(std::move(program.findings[i]));
  }
  program.findings = std::move(kept);
  if (!program.reachable) return;
  MapIndices(program.reachable->safe_fixes, new_index);
  MapIndices(program.reachable->all_fixes, new_index);
}

void DropUnusedTexts(LintedProgram& program) {
  std::set<std::string> used;
  for (const Diagnostic& finding : program.findings) {
    used.insert(finding.location.file);
    for (const TextEdit& edit : finding.fix.edits) used.insert(edit.span.file);
  }
  for (const SuppressedFinding& silent : program.suppressed) {
    used.insert(silent.finding.location.file);
  }
  for (const Diagnostic& note : program.notes) used.insert(note.location.file);
  for (SourceFile& file : program.files) {
    if (used.contains(file.path)) continue;
    file.text.clear();
    file.cells.clear();
  }
}

}  // namespace tilewise
