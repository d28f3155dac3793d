// Known findings: written, read, filtered, pruned.

#include "lint/baseline.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

BaselineEntry Entry(const std::string& fingerprint, const std::string& path,
                    const std::string& rule = "IP002") {
  return {.fingerprint = fingerprint,
          .rule = rule,
          .path = path,
          .subject = "ds.batch(8)",
          .message = "found #"};
}

Diagnostic Finding(const std::string& fingerprint) {
  Diagnostic finding;
  finding.rule = "IP002";
  finding.fingerprint = fingerprint;
  return finding;
}

bool Always(std::string_view) { return true; }

TEST(Baseline, ReadsWhatItWrites) {
  const Baseline written(
      {Entry("b", "b.py"), Entry("a", "a.py"), Entry("c", "a.py", "AL001"), Entry("a", "a.py")});
  const auto read = Baseline::Parse(written.Render("0.1.0"), "x.json");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->entries(), written.entries());
  ASSERT_EQ(read->entries().size(), 3u);
  EXPECT_EQ(read->entries()[0].rule, "AL001");
}

TEST(Baseline, HasOneLineForEachEntry) {
  const std::string text = Baseline({Entry("a", "a.py"), Entry("b", "b.py")}).Render("0.1.0");
  EXPECT_EQ(text,
            "{\n  \"version\": 2,\n  \"tilewise\": \"0.1.0\",\n"
            "  \"findings\": [\n"
            "    {\"rule\": \"IP002\", \"path\": \"a.py\", \"subject\": "
            "\"ds.batch(8)\", \"message\": \"found #\", \"fingerprint\": "
            "\"a\"},\n"
            "    {\"rule\": \"IP002\", \"path\": \"b.py\", \"subject\": "
            "\"ds.batch(8)\", \"message\": \"found #\", \"fingerprint\": "
            "\"b\"}\n  ]\n}\n");
  EXPECT_TRUE(Baseline::Parse(Baseline().Render("0"), "x").ok());
}

TEST(Baseline, EntriesHoldNoFigures) {
  Diagnostic finding = Finding("f");
  finding.location = {.file = "/p/a/m.json", .item = "conv1"};
  finding.message = "12.5 us of 4,096 (3.1 %), v3";
  const BaselineEntry entry = BaselineEntryOf(finding, {}, "/p");
  EXPECT_EQ(entry.message, "# us of # (# %), v#");
  EXPECT_EQ(entry.path, "a/m.json");
  EXPECT_EQ(entry.subject, "conv1");
}

TEST(Baseline, KnownFindingsAreSilent) {
  const Baseline baseline({Entry("a", "a.py"), Entry("b", "b.py")});
  std::set<std::string> used;
  const auto left = baseline.Filter({Finding("a"), Finding("new")}, used);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].fingerprint, "new");
  EXPECT_THAT(used, ElementsAre("a"));
}

TEST(Baseline, StaleAreThoseOfLintedFilesAndRulesThatRan) {
  const TemporaryFolder folder;
  folder.Write("a.py", "");
  folder.Write("other.py", "");
  const Baseline baseline({Entry("used", "a.py"), Entry("stale", "a.py"),
                           Entry("not linted", "other.py"), Entry("gone", "gone.py"),
                           Entry("not run", "a.py", "AL001")});
  std::string root = folder.path("");
  root.pop_back();
  const std::vector<std::string> linted = {folder.path("a.py")};
  const auto stale = baseline.Stale(
      {"used"}, linted, [](std::string_view rule) { return rule == "IP002"; }, root);
  ASSERT_EQ(stale.size(), 2u);
  EXPECT_EQ(stale[0].fingerprint, "stale");
  EXPECT_EQ(stale[1].fingerprint, "gone");
  EXPECT_EQ(baseline.Without(stale).entries().size(), 3u);
  EXPECT_THAT(baseline.Without(stale).Stale({"used", "not run"}, linted, Always, root), IsEmpty());
}

TEST(Baseline, StaleEntriesAreNamedWithTheWayOut) {
  const std::vector<BaselineEntry> stale = {Entry("a", "a.py")};
  const std::string message = Message(StaleError("known.json", stale));
  EXPECT_THAT(message, HasSubstr("known.json: found 1 entry"));
  EXPECT_THAT(message, HasSubstr("IP002 a.py 'ds.batch(8)'"));
  EXPECT_THAT(message, HasSubstr("--prune-baseline"));
  const std::vector<BaselineEntry> many(9, Entry("a", "a.py"));
  EXPECT_THAT(Message(StaleError("k", many)), HasSubstr("and 4 more"));
}

TEST(Baseline, DamagedFilesEndInAMessage) {
  const auto error = [](const std::string& text) {
    const auto read = Baseline::Parse(text, "b.json");
    EXPECT_FALSE(read.ok()) << text;
    return Message(read.status());
  };
  EXPECT_THAT(error(""), HasSubstr("b.json: found no JSON"));
  EXPECT_THAT(error("[]"), HasSubstr("found no baseline"));
  EXPECT_THAT(error("{\"version\": 1, \"findings\": []}"),
              HasSubstr("found a baseline of version 1, whose fingerprints are "
                        "others, expected version 2; write it anew with "
                        "--write-baseline b.json"));
  EXPECT_THAT(error("{\"version\": 2, \"findings\": [3]}"), HasSubstr("entry 1 that is no object"));
  EXPECT_THAT(error("{\"version\": 2, \"findings\": [{\"rule\": 3}]}"),
              HasSubstr("without the text 'fingerprint'"));
  EXPECT_THAT(Message(Baseline::Load("/nowhere/b.json").status()), HasSubstr("--write-baseline"));
}

TEST(Baseline, IsWrittenWhole) {
  const TemporaryFolder folder;
  const std::string path = folder.path("known.json");
  const Baseline baseline({Entry("a", "a.py")});
  ASSERT_TRUE(baseline.Write(path, "0.1.0").ok());
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), baseline.Render("0.1.0"));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  const absl::Status status = baseline.Write("/nowhere/known.json", "0.1.0");
  EXPECT_THAT(Message(status), HasSubstr("cannot write /nowhere/known.json"));
}

}  // namespace
}  // namespace tilewise
