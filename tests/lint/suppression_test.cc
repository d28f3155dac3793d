// Comments and entries that silence findings, and what is said of those that
// do not.

#include "lint/suppression.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/suppression_comment.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Diagnostic Finding(const std::string& rule, int line, const std::string& file = "t.py",
                   int cell = 0) {
  Diagnostic finding;
  finding.rule = rule;
  finding.location = {.file = file, .line = line, .column = 1, .cell = cell};
  return finding;
}

struct Linted {
  std::string text;
  std::string path = "t.py";
  std::vector<std::string> cells = {};
  std::string config = "";
  RuleOverrides overrides = {};
  bool model_seen = true;

  Suppressed Of(std::vector<Diagnostic> findings) const {
    auto parsed = ParseConfig(config, "/p/.tilewise.yaml");
    EXPECT_TRUE(parsed.ok()) << parsed.status();
    auto rules = RulesFor(*parsed, overrides, path);
    EXPECT_TRUE(rules.ok()) << rules.status();
    const SourceFile file = {.path = path, .text = text, .cells = cells};
    Suppressor suppressor(std::span(&file, 1), *parsed, *rules);
    std::erase_if(findings, [&](const Diagnostic& finding) { return suppressor.Accepts(finding); });
    RuleRun run;
    run.findings = std::move(findings);
    return suppressor.Finish(std::move(run), model_seen);
  }
};

// "IP002:3" of each finding that is left.
std::vector<std::string> Left(const Suppressed& result) {
  std::vector<std::string> left;
  for (const Diagnostic& finding : result.findings) {
    left.push_back(fmt::format("{}:{}", finding.rule, finding.location.line));
  }
  return left;
}

// The text of the file after the first finding's edits.
std::string Fixed(const std::string& text, const Diagnostic& finding) {
  std::string fixed = text;
  for (const TextEdit& edit : finding.fix.edits) {
    fixed.replace(edit.span.begin, edit.span.end - edit.span.begin, edit.replacement);
  }
  return fixed;
}

TEST(SuppressionComment, IsReadInItsParts) {
  const std::string text = "# noqa  # tilewise: ignore[IP002, AL] why not # x";
  const auto comment = ParseSuppressionComment(text, 100);
  ASSERT_TRUE(comment.has_value());
  EXPECT_EQ(comment->verb, CommentVerb::kIgnore);
  ASSERT_EQ(comment->words.size(), 2u);
  EXPECT_EQ(comment->words[1].text, "AL");
  EXPECT_EQ(comment->words[0].begin, 127);
  EXPECT_EQ(comment->reason, "why not");
  EXPECT_EQ(comment->begin, 108);
  EXPECT_EQ(comment->problem, "");
}

TEST(SuppressionComment, OtherCommentsAreForPeople) {
  for (const char* text :
       {"# tilewise is great", "# see tilewise: docs", "#", "# ignore[IP002]", "// todo"}) {
    EXPECT_FALSE(ParseSuppressionComment(text, 0).has_value()) << text;
  }
}

TEST(SuppressionComment, MistakesAreNamed) {
  const auto problem = [](const char* text) {
    const auto comment = ParseSuppressionComment(text, 0);
    return comment ? comment->problem : "no comment";
  };
  EXPECT_THAT(problem("# tilewise: ignor[IP002]"), HasSubstr("did you mean 'ignore'?"));
  EXPECT_THAT(problem("# tilewise: ignore[IP002"), HasSubstr("without ']'"));
  EXPECT_THAT(problem("# tilewise: ignore[]"), HasSubstr("no rule"));
  const std::string many =
      fmt::format("# tilewise: ignore[{}]", fmt::join(std::vector<std::string>(1'001, "A"), ","));
  EXPECT_THAT(problem(many.c_str()), HasSubstr("more than 1000 rules"));
  EXPECT_EQ(problem("//tilewise:ignore[IP002]"), "");
}

TEST(Suppress, AtTheEndOfTheLine) {
  const Linted run{.text = "a\nb  # tilewise: ignore[IP002] as agreed\nc\n"};
  const Suppressed result = run.Of({Finding("IP002", 2), Finding("IP002", 3)});
  EXPECT_THAT(Left(result), ElementsAre("IP002:3"));
  ASSERT_EQ(result.suppressed.size(), 1u);
  EXPECT_EQ(result.suppressed[0].reason, "as agreed");
  EXPECT_TRUE(result.suppressed[0].in_source);
  EXPECT_EQ(result.suppressed[0].by.column, 4);
}

TEST(Suppress, AloneOnTheLineAbove) {
  const Linted run{.text = "# tilewise: ignore[IP002]\n\n# why\na\nb\n"};
  EXPECT_THAT(Left(run.Of({Finding("IP002", 4), Finding("IP002", 5)})), ElementsAre("IP002:5"));
}

TEST(Suppress, ByNameFamilyAndSeveral) {
  const Linted run{.text = "a  # tilewise: ignore[prefetch-not-last, AL, DY002]"};
  EXPECT_THAT(Left(run.Of({Finding("IP002", 1), Finding("AL005", 1), Finding("DY002", 1),
                           Finding("HL001", 1)})),
              ElementsAre("HL001:1"));
}

TEST(Suppress, OnTheFirstOrLastLineOfAStatement) {
  for (const char* text : {"ds = (ds  # tilewise: ignore[IP002]\n  .map(f)\n  .batch(8))\n",
                           "ds = (ds\n  .map(f)\n  .batch(8))  # tilewise: ignore[IP002]\n",
                           "# tilewise: ignore[IP002]\nds = (ds.map(f))\n",
                           "ds = (ds\n  .map(f)  # tilewise: ignore[IP002]\n  .batch(8))\n",
                           "ds = (ds\n  # tilewise: ignore[IP002]\n  .map(f)\n  .batch(8))\n"}) {
    const int line = std::string(text).find("\n  # ") != std::string::npos ? 3 : 2;
    EXPECT_THAT(Left(Linted{.text = text}.Of({Finding("IP002", line)})), IsEmpty()) << text;
  }
  // In the middle it counts for its line alone.
  EXPECT_THAT(Left(Linted{.text = "ds = (ds\n  .map(f)  # tilewise: ignore[IP002]\n"
                                  "  .batch(8))\n"}
                       .Of({Finding("IP002", 3), Finding("IP002", 2)})),
              ElementsAre("IP002:3"));
}

TEST(Suppress, OnTheLineThatClosesTheCall) {
  const Linted run{.text =
                       "ds = (ds\n  .map(\n    f\n  )  # tilewise: "
                       "ignore[IP003]\n  .batch(8))\n"};
  EXPECT_THAT(Left(run.Of({Finding("IP003", 2)})), IsEmpty());
}

TEST(Suppress, InAWholeFileAndInARange) {
  EXPECT_THAT(Left(Linted{.text = "a\n# tilewise: ignore-file[IP002] generated\n"}.Of(
                  {Finding("IP002", 1), Finding("IP002", 0)})),
              IsEmpty());
  const Linted range{.text =
                         "a\n# tilewise: disable[AL]\nb\n"
                         "# tilewise: enable[AL]\nc\n"};
  EXPECT_THAT(Left(range.Of({Finding("AL001", 1), Finding("AL001", 3), Finding("AL001", 5)})),
              ElementsAre("AL001:1", "AL001:5"));
}

TEST(Suppress, CellsOfANotebookAreTextsOfTheirOwn) {
  const Linted run{
      .text = "", .path = "n.ipynb", .cells = {"a\n", "a  # tilewise: ignore[IP002]\n"}};
  EXPECT_THAT(Left(run.Of({Finding("IP002", 1, "n.ipynb", 1), Finding("IP002", 1, "n.ipynb", 2)})),
              ElementsAre("IP002:1"));
}

TEST(Suppress, OfOtherFilesAndInStringsNothingIsSilenced) {
  EXPECT_THAT(Left(Linted{.text = "a  # tilewise: ignore[IP002]\n"}.Of(
                  {Finding("IP002", 1, "other.py"), Finding("IP002", 1)})),
              ElementsAre("IP002:1"));
  EXPECT_THAT(Left(Linted{.text = "'# tilewise: ignore[IP002]'\n"}.Of({Finding("IP002", 1)})),
              ElementsAre("IP002:1"));
}

TEST(Suppress, UnusedCommentsAreFoundAndRemoved) {
  const std::string text = "a = 1  # tilewise: ignore[IP002] why\n";
  const Suppressed result = Linted{.text = text}.Of({});
  ASSERT_THAT(Left(result), ElementsAre("SU001:1"));
  const Diagnostic& finding = result.findings[0];
  EXPECT_EQ(finding.fix.applicability, Applicability::kSafe);
  EXPECT_EQ(Fixed(text, finding), "a = 1\n");
  EXPECT_EQ(finding.fingerprint.size(), 16u);
}

TEST(Suppress, AnUnusedCommentOnItsOwnLineGoesWithIt) {
  const std::string text = "a\n  # tilewise: ignore[IP002]\nb\n";
  EXPECT_EQ(Fixed(text, Linted{.text = text}.Of({}).findings.at(0)), "a\nb\n");
  const std::string mixed = "a  # tilewise: ignore[IP002]  # noqa\n";
  EXPECT_EQ(Fixed(mixed, Linted{.text = mixed}.Of({}).findings.at(0)), "a  # noqa\n");
}

TEST(Suppress, OneUnusedRuleOfSeveralIsTakenOut) {
  const std::string text = "a  # tilewise: ignore[IP003, IP002,HL001] why\n";
  const Suppressed result = Linted{.text = text}.Of({Finding("IP002", 1)});
  ASSERT_THAT(Left(result), ElementsAre("SU001:1"));
  EXPECT_THAT(result.findings[0].message, HasSubstr("IP003, HL001"));
  EXPECT_EQ(Fixed(text, result.findings[0]), "a  # tilewise: ignore[IP002] why\n");
}

TEST(Suppress, WhatDidNotRunIsNotCalledUnused) {
  const std::string text = "a  # tilewise: ignore[IP002]\n";
  EXPECT_THAT(Left(Linted{.text = text, .overrides = {.select = {"AL", "SU"}}}.Of({})), IsEmpty());
  const std::string model = "a  # tilewise: ignore[AL005]\n";
  EXPECT_THAT(Left(Linted{.text = model, .model_seen = false}.Of({})), IsEmpty());
  EXPECT_THAT(Left(Linted{.text = model}.Of({})), ElementsAre("SU001:1"));
}

TEST(Suppress, ARuleThatAnotherSpeaksForIsNotUnused) {
  Diagnostic finding = Finding("OP002", 1);
  finding.related = {"AL005"};
  EXPECT_THAT(Left(Linted{.text = "a  # tilewise: ignore[AL005]\n"}.Of({finding})),
              ElementsAre("OP002:1"));
}

TEST(Suppress, UnknownRulesAndMistakesAreFound) {
  const Suppressed result =
      Linted{.text = "a  # tilewise: ignore[IP02]\nb  # tilewise: ignre[IP002]\n"}.Of(
          {Finding("IP002", 2)});
  EXPECT_THAT(Left(result), ElementsAre("IP002:2", "SU002:1", "SU002:2"));
  EXPECT_THAT(result.findings[1].message, HasSubstr("did you mean"));
}

TEST(Suppress, CommentsWithoutRulesSilenceAllAndAreSaidToBeTooWide) {
  const Suppressed used = Linted{.text = "a  # tilewise: ignore\n"}.Of({Finding("HL001", 1)});
  EXPECT_THAT(Left(used), ElementsAre("SU003:1"));
  EXPECT_THAT(Left(Linted{.text = "a  # tilewise: ignore\n"}.Of({})), ElementsAre("SU001:1"));
}

TEST(Suppress, EnableOfNothingIsUnused) {
  EXPECT_THAT(Left(Linted{.text = "a\n# tilewise: enable[IP002]\n"}.Of({})),
              ElementsAre("SU001:2"));
}

TEST(Suppress, WhatIsSaidOfSuppressionsCanBeSilencedAndIgnored) {
  EXPECT_THAT(Left(Linted{.text = "# tilewise: ignore-file[SU001]\n"
                                  "a  # tilewise: ignore[IP002]\n"}
                       .Of({})),
              IsEmpty());
  EXPECT_THAT(
      Left(Linted{.text = "a  # tilewise: ignore[IP002]\n", .overrides = {.ignore = {"SU001"}}}.Of(
          {})),
      IsEmpty());
}

TEST(Suppress, EntriesOfTheConfigurationNameNodes) {
  const Linted run{.text = "",
                   .path = "/p/m.onnx",
                   .config =
                       "suppress:\n"
                       "  - {rule: OP001, path: '*.onnx', node: 'enc/*', "
                       "reason: frozen}\n"
                       "  - {rule: AL, node: other}\n"};
  Diagnostic inside = Finding("OP001", 0, "/p/m.onnx");
  inside.location.item = "enc/a/pool";
  Diagnostic outside = inside;
  outside.location.item = "dec/pool";
  const Suppressed result = run.Of({inside, outside});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].location.item, "dec/pool");
  EXPECT_EQ(result.suppressed[0].reason, "frozen");
  EXPECT_FALSE(result.suppressed[0].in_source);
  EXPECT_THAT(result.used_entries, ElementsAre(0u));

  const auto config = ParseConfig(run.config, "/p/.tilewise.yaml");
  const auto rules = RulesFor(*config, {}, "");
  const LintedFiles linted = {.files = {"/p/m.onnx"}};
  const auto unused = UnusedEntries(*config, *rules, result.used_entries, linted);
  ASSERT_EQ(unused.size(), 1u);
  EXPECT_EQ(unused[0].location.line, 3);
  LintedFiles other = {.files = {"/p/t.py"}};
  EXPECT_THAT(UnusedEntries(*config, *rules, {1}, other), IsEmpty());
  other.walked = {"/p/sub"};
  EXPECT_THAT(UnusedEntries(*config, *rules, {1}, other), IsEmpty());
  other.walked = {"/p"};
  const auto nowhere = UnusedEntries(*config, *rules, {1}, other);
  ASSERT_EQ(nowhere.size(), 1u);
  EXPECT_EQ(nowhere[0].message, "the path '*.onnx' of this entry means no linted file");
}

TEST(Suppress, PerPathIsAskedForEachFindingsOwnFile) {
  const Linted run{.text = "",
                   .path = "/p/t.py",
                   .config =
                       "per-path:\n  - paths: ['*.json']\n"
                       "    ignore: [AL001]\n    severity: {AL005: error}\n"};
  const Suppressed result =
      run.Of({Finding("AL001", 1, "/p/t.py"), Finding("AL001", 1, "/p/m.json"),
              Finding("AL005", 2, "/p/m.json")});
  EXPECT_THAT(Left(result), ElementsAre("AL001:1", "AL005:2"));
  EXPECT_EQ(result.findings[1].severity, Severity::kError);
}

}  // namespace
}  // namespace tilewise
