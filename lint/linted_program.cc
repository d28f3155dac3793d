// Keeps indices true while findings go.

#include "lint/linted_program.h"

#include <algorithm>
#include <utility>

#include "advice/fold_findings.h"

namespace tilewise {
namespace {

void MapIndices(std::vector<int32_t>& indices, const std::vector<int32_t>& new_index) {
  std::vector<int32_t> mapped;
  mapped.reserve(indices.size());
  for (const int32_t index : indices) {
    const size_t at = index;
    if (at < new_index.size() && new_index[at] >= 0) {
      mapped.push_back(new_index[at]);
    }
  }
  indices = std::move(mapped);
}

// A summary of which some locations are known speaks of the others; what all of
// them gain is not said of a part.
void Narrow(LintedProgram& program, Diagnostic& summary) {
  const auto folded = program.folded.find(summary.fingerprint);
  const Severity severity = summary.severity;
  std::string fingerprint = std::move(summary.fingerprint);
  summary = SummaryOf(folded->second);
  summary.severity = severity;
  if (folded->second.size() == 1) {
    program.folded.erase(folded);
  } else {
    summary.fingerprint = std::move(fingerprint);
  }
}

}  // namespace

std::vector<const Diagnostic*> SingleFindings(const LintedProgram& program) {
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

void FilterKnown(const Baseline& baseline, std::set<std::string>& used, LintedProgram& program) {
  std::vector<bool> keep;
  keep.reserve(program.findings.size());
  for (Diagnostic& finding : program.findings) {
    const auto folded = program.folded.find(finding.fingerprint);
    if (folded == program.folded.end()) {
      keep.push_back(!baseline.Filter({finding}, used).empty());
      continue;
    }
    std::vector<Diagnostic>& places = folded->second;
    const size_t all = places.size();
    places = baseline.Filter(std::move(places), used);
    keep.push_back(!places.empty());
    if (!places.empty() && places.size() < all) Narrow(program, finding);
  }
  KeepFindings(program, keep);
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
