// Comments first, the nearest ones before those of the whole file, then entries
// of the configuration. What was used is kept by word, so that one word of a
// list can be found unused. A comment is judged by the words of it
// that ran: what was not looked for is not called unused.

#include "lint/suppression.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/paths.h"
#include "lint/fingerprint.h"
#include "lint/glob.h"
#include "lint/suppression_comment.h"
#include "rules/rule.h"

namespace tilewise {
namespace {

constexpr std::string_view kUnknown = "SU002";
constexpr std::string_view kBlanket = "SU003";

bool IsFamily(std::string_view word) { return word.size() == 2; }

bool IsKnownWord(std::string_view word) {
  if (word == "ALL" || word == "SU" || FindRule(word) != nullptr) {
    return true;
  }
  return IsFamily(word) && std::ranges::any_of(AllRules(), [word](const Rule* rule) {
           return rule->info.id.starts_with(word);
         });
}

bool NeedsModel(std::string_view id) {
  return std::ranges::none_of(std::initializer_list<std::string_view>{"IP", "HL", "DY", "CX"},
                              [id](std::string_view family) { return id.starts_with(family); });
}

std::string_view VerbName(CommentVerb verb) {
  switch (verb) {
    case CommentVerb::kIgnore:
      return "ignore";
    case CommentVerb::kIgnoreFile:
      return "ignore-file";
    case CommentVerb::kDisable:
      return "disable";
    case CommentVerb::kEnable:
      return "enable";
  }
  return "";
}

TextEdit EditOf(const ScopedComment& scoped, int64_t begin, int64_t end, std::string replacement) {
  return {
      .span = {.file = scoped.place.file, .cell = scoped.place.cell, .begin = begin, .end = end},
      .replacement = std::move(replacement)};
}

TextEdit RemoveComment(const ScopedComment& scoped) {
  return EditOf(scoped, scoped.remove_begin, scoped.remove_end, "");
}

// The words between the brackets without those that are unused.
TextEdit RemoveWords(const UsedComment& comment, const std::vector<bool>& unused) {
  const std::vector<CommentWord>& words = comment.scoped.comment.words;
  std::string kept;
  for (size_t i = 0; i < words.size(); ++i) {
    if (unused[i]) continue;
    kept += (kept.empty() ? "" : ", ") + words[i].text;
  }
  return EditOf(comment.scoped, words.front().begin, words.back().end, kept);
}

class Judge {
 public:
  Judge(bool model_seen, const RuleConfig& rules) : model_seen_(model_seen), rules_(rules) {}

  void Look(const UsedComment& comment) {
    const ScopedComment& scoped = comment.scoped;
    if (scoped.comment.of_clang_tidy) return;  // clang-tidy says what is unused
    if (!scoped.comment.problem.empty()) {
      Add(kUnknown, scoped.place, scoped.comment.problem,
          "write it as tilewise: ignore[RULE] reason");
      return;
    }
    LookAtWords(scoped);
    if (scoped.comment.verb == CommentVerb::kEnable) return LookAtEnd(scoped);
    if (scoped.comment.words.empty()) return LookAtBlanket(comment);
    LookAtUse(comment);
  }

  std::vector<Diagnostic> Take() { return std::move(findings_); }

 private:
  Diagnostic* Add(std::string_view id, const Location& place, std::string message,
                  std::string fix) {
    if (!Selects(rules_.selection, id)) return nullptr;
    findings_.push_back(SuppressionFinding(id, rules_, place, std::move(message), std::move(fix)));
    return &findings_.back();
  }

  // Only the first unknown words are named: each is compared with every rule.
  std::string Suggestion(std::string_view word) {
    constexpr int kMaxSuggestions = 100;
    return suggestions_++ < kMaxSuggestions ? DidYouMean(word, RuleWords()) : "";
  }

  void LookAtWords(const ScopedComment& scoped) {
    for (const CommentWord& word : scoped.comment.words) {
      if (IsKnownWord(word.text)) continue;
      Add(kUnknown, scoped.place,
          fmt::format("found rule '{}', expected an id, name or family that "
                      "'tilewise list rules' shows{}",
                      word.text.substr(0, 64), Suggestion(word.text)),
          "name the rule that is meant, or remove it");
    }
  }

  void LookAtEnd(const ScopedComment& scoped) {
    if (scoped.ends_something) return;
    Diagnostic* finding =
        Add(kUnusedSuppression, scoped.place, "this comment enables what nothing above it disables",
            "remove the comment");
    if (finding != nullptr) finding->fix.edits = {RemoveComment(scoped)};
  }

  void LookAtBlanket(const UsedComment& comment) {
    const ScopedComment& scoped = comment.scoped;
    const std::string_view verb = VerbName(scoped.comment.verb);
    if (!comment.used.front() && model_seen_ && rules_.selection.select.empty()) {
      Unused(comment, fmt::format("this {} silences nothing", verb));
      return;
    }
    Add(kBlanket, scoped.place,
        fmt::format("this {} silences every rule, expected the rules that are accepted here", verb),
        fmt::format("name the rules: tilewise: {}[RULE] reason", verb));
  }

  void LookAtUse(const UsedComment& comment) {
    const std::vector<CommentWord>& words = comment.scoped.comment.words;
    std::vector<bool> unused(words.size());
    std::string names;
    for (size_t i = 0; i < words.size(); ++i) {
      unused[i] = !comment.used[i] && IsKnownWord(words[i].text) &&
                  RunsAny(words[i].text, model_seen_, rules_);
      if (!unused[i]) continue;
      names += (names.empty() ? "" : ", ") + words[i].text;
    }
    if (names.empty()) return;
    const std::string message = fmt::format("this {} silences no finding of {}",
                                            VerbName(comment.scoped.comment.verb), names);
    if (std::ranges::all_of(unused, [](bool one) { return one; })) {
      Unused(comment, message);
      return;
    }
    Diagnostic* finding = Add(kUnusedSuppression, comment.scoped.place, message,
                              fmt::format("remove {} from the comment", names));
    if (finding != nullptr) {
      finding->fix.edits = {RemoveWords(comment, unused)};
    }
  }

  // Reports all of a comment. The `enable` of a range is reported once the
  // range is gone.
  void Unused(const UsedComment& comment, std::string message) {
    Diagnostic* finding =
        Add(kUnusedSuppression, comment.scoped.place, std::move(message), "remove the comment");
    if (finding != nullptr) {
      finding->fix.edits = {RemoveComment(comment.scoped)};
    }
  }

  bool model_seen_;
  const RuleConfig& rules_;
  std::vector<Diagnostic> findings_;
  int suggestions_ = 0;
};

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

bool WordMeans(std::string_view word, std::string_view id) {
  if (word == "ALL" || word == id) return true;
  if (IsFamily(word)) return id.starts_with(word);
  const Rule* rule = FindRule(word);
  return rule != nullptr && rule->info.id == id;
}

bool RunsAny(std::string_view word, bool model_seen, const RuleConfig& rules) {
  return std::ranges::any_of(AllRules(), [&](const Rule* rule) {
    const std::string_view id = rule->info.id;
    return WordMeans(word, id) && (model_seen || !NeedsModel(id)) && Selects(rules.selection, id);
  });
}

std::vector<Diagnostic> SuppressionFindings(const std::vector<UsedComment>& comments,
                                            bool model_seen, const RuleConfig& rules) {
  Judge judge(model_seen, rules);
  for (const UsedComment& comment : comments) judge.Look(comment);
  return judge.Take();
}

Diagnostic SuppressionFinding(std::string_view id, const RuleConfig& rules, const Location& place,
                              std::string message, std::string fix) {
  const RuleInfo& info = FindRule(id)->info;
  Diagnostic finding;
  finding.rule = info.id;
  finding.name = info.name;
  const auto severity = rules.settings.severities.find(id);
  finding.severity = severity == rules.settings.severities.end() ? info.severity : severity->second;
  finding.location = place;
  finding.message = std::move(message);
  finding.cost.unknown = "it is about what is reported, not about the program";
  finding.fix.applicability = info.fix;
  finding.fix.text = std::move(fix);
  return finding;
}

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
  // The order is narrow before wide: a comment of the whole file is asked after
  // those of lines.
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
  const fs::path inner = RealPath(folder);
  return std::ranges::any_of(walked, [&](const std::string& outer) {
    const fs::path below = inner.lexically_relative(RealPath(outer));
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
