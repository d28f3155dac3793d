// Fixes on programs made up by hand: a "rule" finds words, its fix replaces
// them.

#include "lint/apply_fixes.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/read_file.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kFile[] = "train.py";

// What the made-up rule looks for and puts in its place.
struct Word {
  std::string rule;
  std::string found;
  std::string replacement;
  Applicability applicability = Applicability::kSafe;
};

LintedProgram Lint(const std::string& text, const std::vector<Word>& words) {
  LintedProgram program;
  program.files = {{.path = kFile, .text = text, .cells = {}}};
  if (text.find("((") != std::string::npos) {
    program.notes.push_back({.message = "syntax error; read as far as it goes"});
  }
  for (const Word& word : words) {
    int index = 0;
    for (size_t at = text.find(word.found); at != std::string::npos;
         at = text.find(word.found, at + 1)) {
      Diagnostic finding;
      finding.rule = word.rule;
      finding.message = word.found;
      finding.location = {.file = kFile, .line = static_cast<int>(at)};
      finding.fingerprint = word.rule + std::to_string(index++);
      finding.fix.applicability = word.applicability;
      const auto begin = static_cast<int64_t>(at);
      finding.fix.edits = {
          {.span = {kFile, 0, begin, begin + static_cast<int64_t>(word.found.size())},
           .replacement = word.replacement}};
      program.findings.push_back(finding);
    }
  }
  return program;
}

FixResult Fix(const std::string& text, const std::vector<Word>& words, bool unsafe = false) {
  const Relint relint = [&](const FileTexts& texts) -> absl::StatusOr<LintedProgram> {
    if (texts.at(kFile).find("unreadable") != std::string::npos) {
      return absl::InvalidArgumentError("found no python");
    }
    return Lint(texts.at(kFile), words);
  };
  return FixProgram(Lint(text, words), {{kFile, text}}, unsafe, relint);
}

TEST(FixProgram, MakesAllFixesThatDoNotCollideInOnePass) {
  const FixResult result = Fix("bad x bad y", {{"IP001", "bad", "good"}});
  EXPECT_EQ(result.texts.at(kFile), "good x good y");
  EXPECT_THAT(result.fixed, SizeIs(2));
  EXPECT_THAT(result.program.findings, IsEmpty());
  EXPECT_THAT(result.refused, IsEmpty());
}

TEST(CountFixed, CountsWhatWasReportedAndCouldBeFixed) {
  // The second fix is of what the first one brought up.
  const std::vector<Word> words = {{"DI001", "odd", "few"}, {"AL002", "few", "many"}};
  const auto reported = Lint("odd x odd", words).findings;
  const FixResult result = Fix("odd x odd", words);
  EXPECT_EQ(result.texts.at(kFile), "many x many");
  EXPECT_THAT(result.fixed, SizeIs(4));
  EXPECT_EQ(CountFixed(reported, result.program.findings, false), 2);
  EXPECT_EQ(CountFixed(reported, reported, false), 0);
  // What stays is not counted; nor is what could not be fixed.
  EXPECT_EQ(CountFixed(reported, {reported[0]}, false), 1);
  auto shown = reported;
  shown[1].fix.applicability = Applicability::kShow;
  EXPECT_EQ(CountFixed(shown, {}, false), 1);
}

TEST(FixProgram, UnsafeFixesWaitForLeave) {
  const std::vector<Word> words = {{"OP001", "max", "average", Applicability::kUnsafe}};
  EXPECT_EQ(Fix("max", words).texts.at(kFile), "max");
  EXPECT_EQ(Fix("max", words, true).texts.at(kFile), "average");
}

TEST(FixProgram, FixesThatAreOnlyShownAreNeverMade) {
  const std::vector<Word> words = {{"OP001", "max", "average", Applicability::kShow}};
  EXPECT_EQ(Fix("max", words, true).texts.at(kFile), "max");
}

TEST(FixProgram, OfTwoThatCollideTheSecondHasItsTurnInTheNextPass) {
  const FixResult result = Fix("abc", {{"IP001", "ab", "xb"}, {"IP002", "bc", "bz"}});
  EXPECT_EQ(result.texts.at(kFile), "xbz");
  EXPECT_THAT(result.fixed, SizeIs(2));
}

TEST(FixProgram, TakesBackWhatBreaksTheSyntaxAndKeepsTheRest) {
  const FixResult result = Fix("a b", {{"IP001", "a", "(("}, {"IP002", "b", "c"}});
  EXPECT_EQ(result.texts.at(kFile), "a c");
  ASSERT_THAT(result.refused, SizeIs(1));
  EXPECT_EQ(result.refused[0].finding.rule, "IP001");
  EXPECT_THAT(result.refused[0].reason, HasSubstr("syntax error"));
}

TEST(FixProgram, TakesBackWhatCannotBeReadAgain) {
  const FixResult result = Fix("a", {{"IP001", "a", "unreadable"}});
  EXPECT_EQ(result.texts.at(kFile), "a");
  ASSERT_THAT(result.refused, SizeIs(1));
  EXPECT_THAT(result.refused[0].reason, HasSubstr("found no python"));
}

TEST(FixProgram, TakesBackWhatBringsTheFindingBack) {
  const FixResult result = Fix("a", {{"IP001", "a", "b a"}});
  EXPECT_EQ(result.texts.at(kFile), "a");
  ASSERT_THAT(result.refused, SizeIs(1));
  EXPECT_THAT(result.refused[0].reason,
              HasSubstr("IP001 still had 1 finding afterwards, expected 0"));
}

TEST(FixProgram, FixesThatUndoEachOtherEnd) {
  const FixResult result = Fix("a", {{"IP001", "a", "b"}, {"IP002", "b", "a"}});
  EXPECT_TRUE(result.stopped);
}

TEST(FixProgram, AFixWithSeveralEditsIsMadeWholeOrNotAtAll) {
  LintedProgram program = Lint("ab", {});
  Diagnostic two;
  two.rule = "IP001";
  two.fingerprint = "1";
  two.fix.applicability = Applicability::kSafe;
  two.fix.edits = {{.span = {kFile, 0, 0, 1}, .replacement = "x"},
                   {.span = {"other.py", 0, 0, 1}, .replacement = "y"}};
  program.findings = {two};
  const FixResult result =
      FixProgram(program, {{kFile, "ab"}}, false,
                 [](const FileTexts&) -> absl::StatusOr<LintedProgram> { return LintedProgram{}; });
  EXPECT_EQ(result.texts.at(kFile), "ab");
  ASSERT_THAT(result.refused, SizeIs(1));
  EXPECT_THAT(result.refused[0].reason, HasSubstr("not given"));
}

TEST(ChooseFixes, TheLargerSavingGoesFirst) {
  std::vector<Diagnostic> findings =
      Lint("abc", {{"IP001", "ab", "x"}, {"IP002", "bc", "y"}}).findings;
  EXPECT_THAT(ChooseFixes(findings, false, {}), ElementsAre(0u));
  findings[1].saving = Saving{.time_per_step = Seconds{1}};
  EXPECT_THAT(ChooseFixes(findings, false, {}), ElementsAre(1u));
}

TEST(EditBytes, KeepsMarkAndLineEnds) {
  const SourceFile file = {.path = kFile, .text = "a\r\nb\r\n", .cells = {}};
  const auto result = EditBytes(file,
                                "\xEF\xBB\xBF"
                                "a\r\nb\r\n",
                                {{.span = {kFile, 0, 3, 4}, .replacement = "x\ny\r\nz"}});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result,
            "\xEF\xBB\xBF"
            "a\r\nx\r\ny\r\nz\r\n");
}

TEST(EditBytes, RefusesBytesThatAreNotTheTextThatWasLinted) {
  const SourceFile file = {.path = kFile, .text = "a", .cells = {}};
  EXPECT_FALSE(EditBytes(file, "b", {{.span = {kFile, 0, 0, 1}, .replacement = "x"}}).ok());
}

std::string ReadText(const std::string& path) {
  return ReadRegularFile(path, 1 << 20).value_or("?");
}

TEST(WriteFixedFiles, KeepsModeAndLinks) {
  const TemporaryFolder folder;
  const std::string real = folder.Write("real.py", "old");
  fs::permissions(real, fs::perms(0750));
  const std::string link = folder.path("link.py");
  fs::create_symlink("real.py", link);
  const absl::Status written = WriteFixedFiles({{link, "old"}}, {{link, "new"}});
  ASSERT_TRUE(written.ok()) << written;
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(ReadText(real), "new");
  EXPECT_EQ(fs::status(real).permissions(), fs::perms(0750));
  // Nothing is left behind.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path("")), {}), 2);
}

TEST(WriteFixedFiles, WritesNothingWhenAFileChangedMeanwhile) {
  const TemporaryFolder folder;
  const std::string a = folder.Write("a.py", "a"), b = folder.Write("b.py", "!");
  const absl::Status written = WriteFixedFiles({{a, "a"}, {b, "b"}}, {{a, "A"}, {b, "B"}});
  EXPECT_THAT(std::string(written.message()), HasSubstr("changed since"));
  EXPECT_EQ(ReadText(a), "a");
  EXPECT_EQ(ReadText(b), "!");
}

TEST(WriteFixedFiles, AReadOnlyFileStaysAsItIs) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everything";
  const TemporaryFolder folder;
  const std::string a = folder.Write("a.py", "a");
  fs::permissions(a, fs::perms(0444));
  EXPECT_FALSE(WriteFixedFiles({{a, "a"}}, {{a, "A"}}).ok());
  EXPECT_EQ(ReadText(a), "a");
}

}  // namespace
}  // namespace tilewise
