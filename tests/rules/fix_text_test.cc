// What fix texts and messages say, where a wrong word would mislead.

#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/load.h"
#include "rules/rule.h"
#include "tests/program/fixture.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

std::vector<Diagnostic> Findings(const Workload& workload, const Fixture& fixture,
                                 const std::string& rule) {
  const auto target = TargetOf(fixture);
  EXPECT_TRUE(target.ok()) << target.status();
  if (!target.ok()) return {};
  const auto session = MakeSession(workload, *target, fixture.options);
  EXPECT_TRUE(session.ok()) << session.status();
  if (!session.ok()) return {};
  RuleSelection selection;
  selection.select = {rule};
  return RunRules((*session)->facts(), selection);
}

// Of a notebook with an import cell and this one.
std::vector<Diagnostic> InNotebook(const std::string& line, const std::string& rule) {
  const TemporaryFolder folder;
  const std::string text = R"({"nbformat": 4, "cells": [
{"cell_type": "code", "source": ["import tensorflow as tf"]},
{"cell_type": "code", "source": [")" +
                           line + R"("]}]})";
  const auto workload = LoadFiles({folder.Write("fix_text.ipynb", text)}, {});
  EXPECT_TRUE(workload.ok()) << workload.status();
  if (!workload.ok()) return {};
  return Findings(*workload, Fixture{}, rule);
}

TEST(FixText, NamesTheCellOfANotebooksLine) {
  const std::string source = "d = tf.data.Dataset.range(100)";
  const auto random = InNotebook(source + ".shuffle(100).cache().batch(10)", "IP008");
  ASSERT_EQ(random.size(), 1u);
  EXPECT_EQ(random[0].fix.text, "move cache before shuffle at line 1 of cell 2");
  const auto repeated = InNotebook(source + ".repeat().shuffle(100)", "IP010");
  ASSERT_EQ(repeated.size(), 1u);
  EXPECT_EQ(repeated[0].fix.text, "move shuffle before repeat at line 1 of cell 2");
  const auto batched = InNotebook(source + ".batch(10).cache()", "IP009");
  ASSERT_EQ(batched.size(), 1u);
  EXPECT_EQ(batched[0].fix.text,
            "move cache before batch at line 1 of cell 2, and end in prefetch");
}

TEST(FixText, SaysWhetherAMapTakesItemsOrBatches) {
  const std::string source = "d = tf.data.Dataset.range(100)";
  const std::string map = ".map(lambda x: x + 1)";
  const auto message = [&](const std::string& chain) {
    const auto found = InNotebook(source + chain, "IP003");
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? "" : found[0].message;
  };
  EXPECT_THAT(message(map + ".batch(10)"), HasSubstr("one item at a time"));
  EXPECT_THAT(message(".batch(10)" + map), HasSubstr("one batch at a time"));
  EXPECT_THAT(message(".batch(10).unbatch()" + map), HasSubstr("one item at a time"));
}

TEST(FixText, NeverAdvisesTheSizeThatIsThere) {
  const std::regex advice("use ([0-9,]+) .* instead of ([0-9,]+)");
  int seen = 0;
  for (const std::string& path : FixturePaths()) {
    const Fixture fixture = ReadFixture(path);
    if (fixture.rule != "AL005") continue;
    const auto workload = LoadFixture(fixture);
    ASSERT_TRUE(workload.ok()) << workload.status();
    for (const Diagnostic& found : Findings(*workload, fixture, "AL005")) {
      std::smatch match;
      ++seen;
      if (!std::regex_search(found.fix.text, match, advice)) continue;
      EXPECT_NE(match[1], match[2]) << found.fix.text;
    }
  }
  EXPECT_GT(seen, 0);
}

TEST(FixText, AdvisesAnotherBatchWhereAModuleHasItWrittenIn) {
  const Fixture fixture = ReadFixture(TILEWISE_SOURCE_DIR
                                      "/tests/rules/fixtures/AL001/"
                                      "bad_written_batch.graph");
  const auto workload = LoadFixture(fixture);
  ASSERT_TRUE(workload.ok()) << workload.status();
  const auto found = Findings(*workload, fixture, "AL001");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].fix.text,
            "write the model out again with a batch of 16 per core: 12 take as "
            "much HBM");
}

TEST(FixText, AdvisesALargerBatchWhereTheRowsAreShort) {
  const Fixture fixture = ReadFixture(TILEWISE_SOURCE_DIR
                                      "/tests/rules/fixtures/AL005/"
                                      "bad_few_rows.graph");
  const auto workload = LoadFixture(fixture);
  ASSERT_TRUE(workload.ok()) << workload.status();
  const auto found = Findings(*workload, fixture, "AL005");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].message, HasSubstr("rows (examples x positions) occupy "
                                          "32 of 128"));
  EXPECT_THAT(found[0].fix.text, HasSubstr("larger batch per core"));
}

}  // namespace
}  // namespace tilewise
