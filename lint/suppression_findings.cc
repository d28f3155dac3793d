// A comment is judged by the words of it that ran: what was not looked for is
// not called unused.

#include "lint/suppression_findings.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/nearest_name.h"
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
  return std::ranges::none_of(std::initializer_list<std::string_view>{"IP", "HL", "DY"},
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

  void LookAtWords(const ScopedComment& scoped) {
    for (const CommentWord& word : scoped.comment.words) {
      if (IsKnownWord(word.text)) continue;
      Add(kUnknown, scoped.place,
          fmt::format("found rule '{}', expected an id, name or family that "
                      "'tilewise list rules' shows{}",
                      word.text.substr(0, 64), DidYouMean(word.text, RuleWords())),
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
        fmt::format("this {} silences every rule, expected the rules that are "
                    "accepted here",
                    verb),
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

  // All of it. The `enable` of a range is reported once the range is gone.
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
};

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

}  // namespace tilewise
