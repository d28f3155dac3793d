// Names of findings that outlive unrelated edits, for baselines and for the
// services that follow findings from run to run.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "workload/workload.h"

namespace tilewise {

// FNV-1a, 64 bits.
uint64_t Fnv1a(std::string_view bytes);

// `file` as fingerprints and baselines spell it: relative to the absolute
// folder `root` with "/" between the parts; as it is when it lies outside.
std::string RelativePath(std::string_view file, const std::string& root);

// What the finding is about, in words that survive moved lines and renamed
// neighbours: the text of its line without blanks and comments; for graphs the
// op's path, shape and kind.
std::string SubjectOf(const Diagnostic& finding, std::span<const SourceFile> files);

// Fills in `fingerprint`: 16 hexadecimal digits of the FNV-1a hash of rule,
// relative path, subject and, among equals, the number in order of location.
// Findings keep their order.
void AddFingerprints(std::vector<Diagnostic>& findings, std::span<const SourceFile> files,
                     const std::string& root);
void AddFingerprints(std::span<Diagnostic* const> findings, std::span<const SourceFile> files,
                     const std::string& root);

// Returns the fingerprint of the summary of a rule's cheaper findings in one
// program: it is the same whatever they are, as long as its first file is.
std::string SummaryFingerprint(std::string_view rule, std::span<const Diagnostic> places,
                               const std::string& root);

}  // namespace tilewise
