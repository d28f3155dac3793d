// Comments first, the nearest ones before those of the whole file, then entries
// of the configuration. What was used is kept by word, so that one word of a
// list can be found unused.

#include "lint/suppression.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "lint/fingerprint.h"
#include "lint/suppression_scope.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

bool Reaches(const ScopedComment& scoped, const Location& place) {
  if (scoped.place.file != place.file) return false;
  if (scoped.comment.verb == CommentVerb::kIgnoreFile) return true;
  return scoped.place.cell == place.cell && scoped.Covers(place.line);
}

// Whether the comment names the rule, or no rule; what names it is used.
bool Use(UsedComment& comment, std::string_view id) {
  const std::vector<CommentWord>& words = comment.scoped.comment.words;
  if (words.empty()) {
    comment.used[0] = true;
    return true;
  }
  for (size_t i = 0; i < words.size(); ++i) {
    if (!WordMeans(words[i].text, id)) continue;
    comment.used[i] = true;
    return true;
  }
  return false;
}

// A glob may mean the node or a scope that it is in.
bool NodeMatches(const std::string& glob, const Diagnostic& finding) {
  if (glob.empty()) return true;
  if (MatchesNode(glob, finding.location.item)) return true;
  if (!finding.op_line) return false;
  const std::string& text = finding.op_line->text;
  return MatchesNode(glob, text.substr(0, text.find(": ")));
}

}  // namespace

Suppressor::Suppressor(std::span<const SourceFile> files, const LintConfig& config,
                       const RuleConfig& rules, const std::map<std::string, CommentStyle>& styles)
    : files_(files), config_(config), rules_(rules) {
  for (const SourceFile& file : files) {
    std::optional<CommentStyle> style = CommentStyleOf(file.path);
    const auto given = styles.find(file.path);
    if (given != styles.end()) style = given->second;
    if (!style) continue;
    AddComments(file.text, *style, file.path, 0);
    for (size_t i = 0; i < file.cells.size(); ++i) {
      AddComments(file.cells[i], *style, file.path, static_cast<int32_t>(i) + 1);
    }
  }
  // Narrow before wide: a comment of the whole file is asked after those of
  // lines.
  std::ranges::stable_sort(comments_, {},
                           [](const UsedComment& comment) { return comment.scoped.comment.verb; });
}

void Suppressor::AddComments(std::string_view text, CommentStyle style, const std::string& path,
                             int32_t cell) {
  for (ScopedComment& scoped : FindSuppressionComments(text, style, path, cell)) {
    const size_t words = std::max<size_t>(1, scoped.comment.words.size());
    comments_.push_back({std::move(scoped), std::vector<bool>(words)});
  }
}

// The rules of a finding's own file, which may be another than the one that the
// program's were chosen for.
const RuleConfig& Suppressor::RulesAt(const std::string& file) {
  if (config_.per_path.empty()) return rules_;
  const auto known = by_file_.find(file);
  if (known != by_file_.end()) return known->second;
  absl::StatusOr<RuleConfig> rules = RulesFor(config_, rules_.overrides, file);
  return by_file_.emplace(file, rules.ok() ? *std::move(rules) : rules_).first->second;
}

// A rule that another one speaks for is not silenced, but what is said of it is
// no longer unused. `blanket`: by comments without words too.
bool Suppressor::FindComment(const Diagnostic& finding, bool blanket) {
  for (UsedComment& comment : comments_) {
    const SuppressionComment& said = comment.scoped.comment;
    if (!said.problem.empty() || (said.words.empty() && !blanket)) continue;
    if (!Reaches(comment.scoped, finding.location)) continue;
    if (!said.words.empty()) {
      for (const std::string& related : finding.related) Use(comment, related);
    }
    if (!Use(comment, finding.rule)) continue;
    result_.suppressed.push_back(
        {.finding = finding, .reason = said.reason, .in_source = true, .by = comment.scoped.place});
    return true;
  }
  return false;
}

bool Suppressor::FindEntry(const Diagnostic& finding) {
  for (size_t i = 0; i < config_.suppress.size(); ++i) {
    const ConfigSuppression& entry = config_.suppress[i];
    if (!WordMeans(entry.rule, finding.rule)) continue;
    if (!NodeMatches(entry.node, finding)) continue;
    if (!entry.path.empty() && !MatchesPath({entry.path}, entry.base, finding.location.file)) {
      continue;
    }
    result_.used_entries.insert(i);
    result_.suppressed.push_back(
        {.finding = finding, .reason = entry.reason, .in_source = false, .by = entry.from});
    return true;
  }
  return false;
}

bool Suppressor::Accepts(const Diagnostic& finding) {
  const RuleConfig& rules = RulesAt(finding.location.file);
  if (!Selects(rules.selection, finding.rule)) return true;
  return FindComment(finding, true) || FindEntry(finding);
}

// SU001.. are wanted and silenced like others, but not by a comment that names
// no rule.
void Suppressor::AddOwn(bool model_seen) {
  std::vector<Diagnostic> own = SuppressionFindings(comments_, model_seen, rules_);
  std::ranges::stable_sort(own, ReportsBefore);
  for (Diagnostic& finding : own) {
    const RuleConfig& rules = RulesAt(finding.location.file);
    if (!Selects(rules.selection, finding.rule)) continue;
    if (FindComment(finding, false) || FindEntry(finding)) continue;
    result_.findings.push_back(std::move(finding));
  }
}

// Together, so that equals among all of them have numbers of their own. What a
// summary stands for is named one by one, as it would be without the summary.
void Suppressor::NameAll(std::map<size_t, std::vector<Diagnostic>> folded) {
  std::vector<Diagnostic*> all;
  for (size_t i = 0; i < result_.findings.size(); ++i) {
    const auto places = folded.find(i);
    if (places == folded.end()) {
      all.push_back(&result_.findings[i]);
      continue;
    }
    for (Diagnostic& place : places->second) all.push_back(&place);
  }
  for (SuppressedFinding& silent : result_.suppressed) {
    all.push_back(&silent.finding);
  }
  AddFingerprints(all, files_, config_.root);
  for (auto& [index, places] : folded) {
    Diagnostic& summary = result_.findings[index];
    summary.fingerprint = SummaryFingerprint(summary.rule, places, config_.root);
    result_.folded[summary.fingerprint] = std::move(places);
  }
}

void Suppressor::SetSeverity(Diagnostic& finding) {
  const RuleConfig& rules = RulesAt(finding.location.file);
  const auto severity = rules.settings.severities.find(finding.rule);
  if (severity == rules.settings.severities.end()) return;
  finding.severity = severity->second;
}

Suppressed Suppressor::Finish(RuleRun left, bool model_seen) {
  result_.findings = std::move(left.findings);
  if (!config_.per_path.empty()) {
    for (Diagnostic& finding : result_.findings) SetSeverity(finding);
    for (auto& [index, places] : left.folded) {
      for (Diagnostic& place : places) SetSeverity(place);
    }
  }
  AddOwn(model_seen);
  NameAll(std::move(left.folded));
  return std::move(result_);
}

bool LintedFiles::Has(const std::vector<std::string>& globs, const std::string& base) const {
  return std::ranges::any_of(
      files, [&](const std::string& file) { return MatchesPath(globs, base, file); });
}

bool LintedFiles::Covers(const std::string& folder) const {
  const fs::path inner = fs::weakly_canonical(fs::absolute(folder));
  return std::ranges::any_of(walked, [&](const std::string& outer) {
    const fs::path below = inner.lexically_relative(fs::weakly_canonical(fs::absolute(outer)));
    return !below.empty() && *below.begin() != "..";
  });
}

std::vector<Diagnostic> UnusedEntries(const LintConfig& config, const RuleConfig& rules,
                                      const std::set<size_t>& used, const LintedFiles& linted) {
  std::vector<Diagnostic> findings;
  if (!Selects(rules.selection, kUnusedSuppression)) return findings;
  for (size_t i = 0; i < config.suppress.size(); ++i) {
    const ConfigSuppression& entry = config.suppress[i];
    if (used.contains(i) || !RunsAny(entry.rule, true, rules)) continue;
    const bool any_file = entry.path.empty() || linted.Has({entry.path}, entry.base);
    if (!any_file && !linted.Covers(entry.base)) continue;
    const std::string what = any_file
                                 ? fmt::format("this entry silences no finding of {}", entry.rule)
                                 : fmt::format("the path '{}' of this entry means no linted file",
                                               ShownGlob(entry.path, entry.base));
    findings.push_back(SuppressionFinding(
        kUnusedSuppression, rules, entry.from, what,
        any_file ? "remove the entry" : "correct the path, or remove the entry"));
  }
  AddFingerprints(findings, {}, config.root);
  return findings;
}

}  // namespace tilewise
