// Their documentation. Nothing is checked here: who silences findings knows
// what was silenced.

#include "rules/suppression_rules.h"

#include <array>

namespace tilewise {
namespace {

void CheckNothing(const Facts& facts, Sink& sink) {
  (void)facts;
  (void)sink;
}

constexpr Rule kUnused = {{.id = "SU001",
                           .name = "unused-suppression",
                           .severity = Severity::kInfo,
                           .fix = Applicability::kSafe,
                           .summary = "a suppression silences nothing",
                           .doc = R"(
What: a comment '# tilewise: ignore[..]', ignore-file[..] or disable[..], or an
entry of 'suppress' in .tilewise.yaml, for which nothing was found. It is not
said of rules that did not run, nor of rules that need a model where none could
be read.
Why: what was silenced has been repaired or has moved; the next finding at this
line would be silenced unseen.
Remedy: remove the rule from the comment, or the comment; --fix does it.
Ignore: files that are linted for several chips, of which only some have the
finding.
Sources: ruff's unused-noqa, ESLint's --report-unused-disable-directives.)"},
                          CheckNothing};

constexpr Rule kUnknown = {{.id = "SU002",
                            .name = "unknown-suppression",
                            .severity = Severity::kWarning,
                            .fix = Applicability::kNone,
                            .summary = "a suppression names no rule, or cannot be read",
                            .doc = R"(
What: a comment that starts with 'tilewise:' and names a rule that does not
exist, has a word other than ignore, ignore-file, disable and enable, or has no
closing bracket.
Why: it silences nothing, and whoever wrote it expects that it does.
Remedy: write it as '# tilewise: ignore[IP002] reason' with ids, names or
families that 'tilewise list rules' shows.
Ignore: never; a comment that is meant for people starts with another word.
Sources: ruff's invalid-rule-code.)"},
                           CheckNothing};

constexpr Rule kBlanket = {{.id = "SU003",
                            .name = "blanket-suppression",
                            .severity = Severity::kInfo,
                            .fix = Applicability::kNone,
                            .summary = "a suppression silences every rule",
                            .doc = R"(
What: '# tilewise: ignore' without rules in brackets.
Why: it silences also what nobody has looked at yet, rules of later versions
included.
Remedy: name the rules: '# tilewise: ignore[IP002] reason'.
Ignore: generated files.
Sources: pygrep-hooks' blanket-noqa.)"},
                           CheckNothing};

constexpr std::array<const Rule*, 3> kSuppressionRules = {&kUnused, &kUnknown, &kBlanket};

}  // namespace

std::span<const Rule* const> SuppressionRules() { return kSuppressionRules; }

std::vector<const Rule*> ListedRules() {
  std::vector<const Rule*> rules(AllRules().begin(), AllRules().end());
  rules.insert(rules.end(), kSuppressionRules.begin(), kSuppressionRules.end());
  return rules;
}

}  // namespace tilewise
