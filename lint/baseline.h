// A file of known findings: they are not reported, new ones are.

#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "workload/workload.h"

namespace tilewise {

// One known finding. All but the fingerprint is for people.
struct BaselineEntry {
  std::string fingerprint;
  std::string rule;     // "IP002"
  std::string path;     // relative to the root of the configuration
  std::string subject;  // text of the line, or op with its shape
  std::string message;  // with # for each number

  bool operator==(const BaselineEntry&) const = default;
};

// The entry of a finding that has its fingerprint.
BaselineEntry BaselineEntryOf(const Diagnostic& finding, std::span<const SourceFile> files,
                              const std::string& root);

class Baseline {
 public:
  Baseline() = default;
  explicit Baseline(std::vector<BaselineEntry> entries);

  // Errors: unreadable, not JSON, another version, entries without what they
  // need; with file and location.
  static absl::StatusOr<Baseline> Load(const std::string& path);
  static absl::StatusOr<Baseline> Parse(std::string_view text, const std::string& path);
  // JSON, one entry a line, sorted by path, rule, subject, fingerprint: small
  // diffs. `version`: of tilewise.
  std::string Render(std::string_view version) const;
  // Writes the file beside `path` and renames it, so that a reader never sees
  // half of it.
  absl::Status Write(const std::string& path, std::string_view version) const;

  // The findings that are not known. The fingerprints of those that are, are
  // added to `used`.
  std::vector<Diagnostic> Filter(std::vector<Diagnostic> findings,
                                 std::set<std::string>& used) const;

  // Entries that no finding of the run had (`used`: of all programs), of files
  // that were linted or are gone, and of rules that ran. Other entries say
  // nothing about this run.
  std::vector<BaselineEntry> Stale(const std::set<std::string>& used,
                                   std::span<const std::string> linted,
                                   const std::function<bool(std::string_view rule)>& ran,
                                   const std::string& root) const;
  // Returns the baseline without these entries.
  Baseline Without(std::span<const BaselineEntry> stale) const;

  const std::vector<BaselineEntry>& entries() const { return entries_; }

 private:
  std::vector<BaselineEntry> entries_;  // sorted
  std::set<std::string> fingerprints_;  // of them
};

// "known.json: 2 entries are stale, ...": what to do about entries that are not
// found any more.
absl::Status StaleError(const std::string& path, std::span<const BaselineEntry> stale);

}  // namespace tilewise
