// What goes in comes out, and nothing else does.

#include "lint/cache.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/content_hash.h"
#include "base/read_file.h"
#include "lint/program_json.h"
#include "lint/write_file.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

Diagnostic FullFinding() {
  Diagnostic finding;
  finding.rule = "IP002";
  finding.name = "prefetch-not-last";
  finding.severity = Severity::kError;
  finding.location = {"a \"b\".py", 3, 4, 1, "item"};
  finding.message = "found µ\n";
  finding.cost = {.time_per_step = Seconds{0.1 + 0.2},
                  .share_of_step = 1.0 / 3,
                  .of_wall_step = true,
                  .bytes = Bytes{int64_t{1} << 60},
                  .flops = 1e300,
                  .once_per_run = Seconds{5e-324},
                  .unknown = "why"};
  finding.fix = {.applicability = Applicability::kUnsafe,
                 .text = "do it",
                 .edits = {{{"a.py", 1, 2, 3}, "x"}, {{"b.py", 0, 0, 0}, ""}},
                 .changes_numerics = true};
  finding.saving = Saving{.time_per_step = Seconds{-0.0},
                          .share_of_step = -1e-9,
                          .of_wall_step = true,
                          .hbm = Bytes{-7}};
  finding.related = {"IP001", "IP003"};
  finding.op_line = OpLine{.text = "conv", .begin = 1, .end = 2};
  finding.fingerprint = "0123456789abcdef";
  return finding;
}

LintedProgram FullProgram() {
  LintedProgram program;
  program.setting.workload = "train.py";
  program.setting.target = "v3";
  program.setting.cores = 8;
  program.setting.batch_per_core = 128;
  program.setting.global_batch = 1024;
  program.setting.steps_per_execution = 32;
  program.setting.training = false;
  program.setting.batch_assumed = true;
  program.setting.layers = 53;
  program.setting.costed_share = 0.7;
  program.timeline.emplace();
  program.timeline->step = Seconds{0.0123};
  program.estimate.emplace();
  program.estimate->step = Seconds{0.0011};
  program.findings = {FullFinding(), Diagnostic{}};
  program.folded["0123456789abcdef"] = {FullFinding(), Diagnostic{}};
  program.reachable.emplace();
  program.reachable->safe.peak = Bytes{9};
  program.reachable->all_fixes = {1, 0};
  program.reachable->not_simulated = 4;
  program.suppressed = {{.finding = FullFinding(),
                         .reason = "because",
                         .in_source = true,
                         .by = {"a.py", 9, 0, 0, ""}}};
  program.used_entries = {0, 7};
  program.notes = {FullFinding()};
  program.files = {{.path = "a.py", .text = "x\r\n", .cells = {"1", "2"}}};
  return program;
}

TEST(ProgramJson, GivesBackEveryField) {
  const auto text = WriteProgramJson(FullProgram());
  ASSERT_TRUE(text.has_value());
  const auto read = ReadProgramJson(*text);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(WriteProgramJson(*read), text);
  const Diagnostic& finding = read->findings.at(0);
  const Diagnostic full = FullFinding();
  EXPECT_EQ(finding.location, full.location);
  EXPECT_EQ(finding.message, full.message);
  EXPECT_EQ(finding.cost.time_per_step, full.cost.time_per_step);
  EXPECT_EQ(finding.cost.once_per_run, full.cost.once_per_run);
  EXPECT_EQ(finding.cost.bytes, full.cost.bytes);
  EXPECT_EQ(finding.fix.edits.at(0).span, full.fix.edits[0].span);
  EXPECT_TRUE(finding.fix.changes_numerics);
  EXPECT_EQ(finding.saving->hbm, Bytes{-7});
  EXPECT_EQ(finding.related, full.related);
  EXPECT_EQ(finding.op_line->text, "conv");
  EXPECT_FALSE(read->findings.at(1).saving.has_value());
  EXPECT_EQ(read->reachable->all_fixes, (std::vector<int32_t>{1, 0}));
  EXPECT_EQ(read->suppressed.at(0).by.line, 9);
  EXPECT_EQ(read->files.at(0).cells.size(), 2u);
  EXPECT_EQ(read->timeline->step, Seconds{0.0123});
  EXPECT_EQ(read->estimate->step, Seconds{0.0011});
  EXPECT_FALSE(read->setting.training);
  ASSERT_EQ(read->folded.size(), 1u);
  EXPECT_EQ(read->folded.begin()->second.at(0).location, full.location);
}

TEST(LintedProgram, PlacesAreThoseThatASummaryStandsFor) {
  LintedProgram program;
  program.findings.resize(2);
  program.findings[1].fingerprint = "summary";
  program.folded["summary"].resize(3);
  EXPECT_EQ(SingleFindings(program).size(), 4u);
  KeepFindings(program, {true, false});
  EXPECT_EQ(SingleFindings(program).size(), 1u);
  EXPECT_TRUE(program.folded.empty());
}

TEST(ProgramJson, RefusesWhatItDidNotWrite) {
  const std::string text = WriteProgramJson(FullProgram()).value_or("");
  for (size_t cut = 0; cut < text.size(); cut += 13) {
    EXPECT_FALSE(ReadProgramJson(text.substr(0, cut)).has_value()) << cut;
  }
  for (const std::string other :
       {"{}", "[]", "null", "[\"tilewise program 1\"]", "[\"tilewise program 0\", 1]"}) {
    EXPECT_FALSE(ReadProgramJson(other).has_value()) << other;
  }
}

TEST(ProgramJson, TextThatIsNoUtf8IsNotKept) {
  LintedProgram program;
  program.setting.workload = "\xff";
  EXPECT_FALSE(WriteProgramJson(program).has_value());
}

class ResultCacheTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(ResultCacheTest, FindsWhatWasKept) {
  {
    ResultCache cache(folder_.path("cache"), "1.0");
    EXPECT_FALSE(cache.Find("k").has_value());
    cache.Keep("k", FullProgram());
    cache.Finish();
  }
  const ResultCache cache(folder_.path("cache"), "1.0");
  EXPECT_TRUE(cache.Find("k").has_value());
  EXPECT_FALSE(cache.Find("other").has_value());
  EXPECT_FALSE(ResultCache(folder_.path("cache"), "1.1").Find("k").has_value());
  EXPECT_TRUE(fs::exists(folder_.path("cache/CACHEDIR.TAG")));
  EXPECT_TRUE(fs::exists(folder_.path("cache/.gitignore")));
}

TEST_F(ResultCacheTest, CorruptAndForeignEntriesAreNotThere) {
  ResultCache cache(folder_.path("cache"), "1.0");
  cache.Keep("k", FullProgram());
  cache.Keep("other", LintedProgram{});
  const std::string path = [&] {
    ResultCache only(folder_.path("one"), "1.0");
    only.Keep("k", FullProgram());
    for (const auto& entry : fs::directory_iterator(folder_.path("one"))) {
      if (entry.path().extension() == ".json") {
        return folder_.path("cache") + "/" + entry.path().filename().string();
      }
    }
    return std::string();
  }();
  ASSERT_TRUE(fs::exists(path));
  const std::string whole = ReadRegularFile(path, 1 << 20).value_or("");
  for (const std::string& damaged :
       {std::string(), whole.substr(0, whole.size() / 2),
        "1.0 other\n" + whole.substr(whole.find('\n') + 1), std::string("garbage")}) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
    EXPECT_FALSE(cache.Find("k").has_value());
  }
  EXPECT_TRUE(cache.Find("other").has_value());
}

TEST_F(ResultCacheTest, AFolderThatCannotBeMadeKeepsNothing) {
  folder_.Write("file", "x");
  ResultCache cache(folder_.path("file/cache"), "1.0");
  cache.Keep("k", FullProgram());
  EXPECT_FALSE(cache.Find("k").has_value());
  cache.Finish();
}

TEST_F(ResultCacheTest, TheOldestEntriesGoFirst) {
  for (int i = 0; i < 5; ++i) {
    const std::string name = std::string(31, 'e') + std::to_string(i) + ".json";
    const std::string path = folder_.Write(name, "tilewise entry " + std::string(85, 'x'));
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(10 - i));
  }
  const auto is_there = [&](int i) {
    return fs::exists(folder_.path(std::string(31, 'e') + std::to_string(i) + ".json"));
  };
  TrimCache(folder_.path(""), 3, 1000);
  EXPECT_FALSE(is_there(1));
  EXPECT_TRUE(is_there(2));
  TrimCache(folder_.path(""), 100, 150);
  EXPECT_FALSE(is_there(3));
  EXPECT_TRUE(is_there(4));
}

TEST_F(ResultCacheTest, FilesOfOthersStay) {
  const std::string named = std::string(32, 'a') + ".json";
  folder_.Write(named, "{}");
  folder_.Write("package.json", "tilewise entry ");
  TrimCache(folder_.path(""), 0, 0);
  EXPECT_TRUE(fs::exists(folder_.path(named)));
  EXPECT_TRUE(fs::exists(folder_.path("package.json")));
}

TEST_F(ResultCacheTest, AFolderInUseBecomesNoCache) {
  folder_.Write(".gitignore", "x");
  folder_.Write("CACHEDIR.TAG", "of another program");
  ResultCache cache(folder_.path(""), "1.0");
  EXPECT_FALSE(cache.usable());
  EXPECT_EQ(ReadRegularFile(folder_.path(".gitignore"), 9).value_or(""), "x");
}

TEST_F(ResultCacheTest, AChangedEntryIsNone) {
  ResultCache cache(folder_.path("cache"), "1.0");
  cache.Keep("k", FullProgram());
  ASSERT_TRUE(cache.Find("k").has_value());
  for (const auto& entry : fs::directory_iterator(folder_.path("cache"))) {
    if (entry.path().extension() != ".json") continue;
    std::string text = ReadRegularFile(entry.path().string(), 1 << 20).value_or("");
    text[text.size() / 2] ^= 1;
    folder_.Write("cache/" + entry.path().filename().string(), text);
  }
  EXPECT_FALSE(cache.Find("k").has_value());
}

TEST_F(ResultCacheTest, ManyWritersLeaveWholeEntries) {
  constexpr int kWriters = 4;
  std::vector<std::thread> writers;
  writers.reserve(kWriters);
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([this] {
      ResultCache cache(folder_.path("cache"), "1.0");
      for (int round = 0; round < 50; ++round) {
        cache.Keep("k", FullProgram());
        const auto found = cache.Find("k");
        EXPECT_TRUE(found && found->setting.workload == "train.py");
      }
      cache.Finish();
    });
  }
  for (std::thread& writer : writers) writer.join();
}

constexpr int64_t kLater = int64_t{1} << 62;

TEST(FileStates, NoticeContentAndRememberIt) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("a.py", "one");
  FileStates states;
  const auto one = states.HashOf(path, kLater);
  ASSERT_TRUE(one.ok()) << one.status();
  ASSERT_TRUE(states.Save(folder.path("states")).ok());
  FileStates loaded;
  loaded.Load(folder.path("states"));
  EXPECT_EQ(*loaded.HashOf(path, kLater), *one);
  folder.Write("a.py", "two");
  EXPECT_NE(*loaded.HashOf(path, kLater), *one);
  folder.Write("a.py", "one");
  EXPECT_EQ(*loaded.HashOf(path, kLater), *one);
  EXPECT_FALSE(states.HashOf(folder.path("none"), kLater).ok());
}

TEST(FileStates, AFileThatHasJustChangedIsReadAgain) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("a.py", "one");
  FileStates states;
  ASSERT_TRUE(states.HashOf(path, 0).ok());  // "now" is before the change
  ASSERT_TRUE(states.Save(folder.path("states")).ok());
  EXPECT_FALSE(fs::exists(folder.path("states")));  // nothing to remember
}

TEST(FileStates, GarbageIsDropped) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("a.py", "one");
  FileStates fresh;
  const auto expected = fresh.HashOf(path, kLater);
  for (const std::string text : {"", "garbage", "tilewise file states 1\n1 2\n\n x x x x x\n"}) {
    folder.Write("states", text);
    FileStates states;
    states.Load(folder.path("states"));
    EXPECT_EQ(*states.HashOf(path, kLater), *expected);
  }
}

TEST(FileStates, AFolderChangesWithItsFiles) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path("saved/variables"));
  folder.Write("saved/saved_model.pb", "m");
  FileStates states;
  const auto before = states.HashOf(folder.path("saved"), kLater);
  folder.Write("saved/variables/v", "1");
  EXPECT_NE(*states.HashOf(folder.path("saved"), kLater), *before);
}

TEST(ContentHash, TellsTextsApart) {
  std::set<std::string> seen;
  std::string text;
  for (int i = 0; i < 300; ++i, text += '\0') {
    EXPECT_TRUE(seen.insert(ContentHash().Add(text).Hex()).second);
  }
  EXPECT_NE(ContentHash().Add("ab").Add("c").Hex(), ContentHash().Add("a").Add("bc").Hex());
  EXPECT_EQ(ContentHash().Add("ab").Hex(), ContentHash().Add("ab").Hex());
}

}  // namespace
}  // namespace tilewise
