// Findings that the user accepts: comments in the source, entries of the
// configuration. What silences nothing is a finding itself (SU001..).

#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "lint/config.h"
#include "lint/config_rules.h"
#include "lint/suppression_comment.h"
#include "rules/rule.h"
#include "workload/workload.h"

namespace tilewise {

inline constexpr std::string_view kUnusedSuppression = "SU001";

struct UsedComment {
  ScopedComment scoped;
  std::vector<bool> used;  // by word; one for a comment without words
};

// Whether `word` (an id, name, family or ALL) means the rule of that id.
bool WordMeans(std::string_view word, std::string_view id);

// Whether a rule that `word` means ran and could speak: rules other than those
// of input code and scripts need a model.
bool RunsAny(std::string_view word, bool model_seen, const RuleConfig& rules);

// Returns the findings of the rules that are selected, in no order.
std::vector<Diagnostic> SuppressionFindings(const std::vector<UsedComment>& comments,
                                            bool model_seen, const RuleConfig& rules);

// A finding of the rule with its configured severity.
Diagnostic SuppressionFinding(std::string_view id, const RuleConfig& rules, const Location& place,
                              std::string message, std::string fix);

// A finding that is not reported, and why.
struct SuppressedFinding {
  Diagnostic finding;
  std::string reason;      // the user's words; may be empty
  bool in_source = false;  // a comment; else an entry of the configuration
  Location by;             // of the comment or entry
};

struct Suppressed {
  // What is left, in the order given, then SU001.. by location. Severities that
  // `per-path` sets for a finding's own file are set.
  std::vector<Diagnostic> findings;
  // What summaries among them stand for, by the summary's fingerprint.
  std::map<std::string, std::vector<Diagnostic>> folded;
  std::vector<SuppressedFinding> suppressed;
  std::set<size_t> used_entries;  // of config.suppress
};

// Suppresses findings of one program. Everything that it is given outlives it.
class Suppressor {
 public:
  // `files`: those of the program, with their texts. `styles`: how comments are
  // written where the name of a file does not tell.
  Suppressor(std::span<const SourceFile> files, const LintConfig& config, const RuleConfig& rules,
             const std::map<std::string, CommentStyle>& styles = {});

  // Whether a comment or an entry silences the finding, or `per-path` ignores
  // its rule in its own file. To be asked once for each finding, before any is
  // folded with others.
  bool Accepts(const Diagnostic& finding);

  // Ends the work: gives all findings their fingerprints and adds SU001...
  // `left`: those that were not accepted, and what summaries among them stand
  // for. `model_seen`: the program's model was simulated; without one a comment
  // is not called unused when its rule needs a model.
  Suppressed Finish(RuleRun left, bool model_seen);

 private:
  const RuleConfig& RulesAt(const std::string& file);
  bool FindComment(const Diagnostic& finding, bool blanket);
  bool FindEntry(const Diagnostic& finding);
  void AddOwn(bool model_seen);
  void SetSeverity(Diagnostic& finding);
  void AddComments(std::string_view text, CommentStyle style, const std::string& path,
                   int32_t cell);
  void NameAll(std::map<size_t, std::vector<Diagnostic>> folded);

  std::span<const SourceFile> files_;
  const LintConfig& config_;
  const RuleConfig& rules_;
  std::vector<UsedComment> comments_;
  std::map<std::string, RuleConfig> by_file_;
  Suppressed result_;
};

// What a run looked at, of the files of one configuration.
struct LintedFiles {
  std::vector<std::string> files;
  // Folders with all that is in them: what is not there is nowhere.
  std::vector<std::string> walked = {};

  // Whether one of the files is meant, as MatchesPath() has it.
  bool Has(const std::vector<std::string>& globs, const std::string& base) const;
  // Whether everything in `folder` was looked at.
  bool Covers(const std::string& folder) const;
};

// SU001 for each entry of config.suppress that silenced nothing in any program
// of the run and whose path means one of the linted files; or none, although
// all files that it could mean were linted.
std::vector<Diagnostic> UnusedEntries(const LintConfig& config, const RuleConfig& rules,
                                      const std::set<size_t>& used, const LintedFiles& linted);

}  // namespace tilewise
