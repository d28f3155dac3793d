// `tune --study` as users run it: killed, resumed, with a full disk; and
// `study`, which shows what was kept.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"
#include "tests/support/checked_by_python.h"

namespace tilewise {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

// Some hundred candidates of a small program.
constexpr const char* kSearch =
    "tune zoo:mlp --chip v3 --search batch=8..640:8 --search precision --exhaustive --format json ";

std::string WithStudy(const std::string& path) { return kSearch + ("--study " + path); }

// The answer, and how many trials came from the study.
std::pair<Json, int64_t> AnswerOf(const RunResult& run) {
  EXPECT_EQ(run.exit_code, 0) << run.err;
  Json json = Json::parse(run.out, nullptr, false);
  Json& effort = json["tuning"]["effort"];
  const int64_t recalled = effort.value("recalled_count", int64_t{-1});
  effort.erase("recalled_count");
  return {json, recalled};
}

int64_t Trials(const std::string& path) {
  const RunResult run = RunTilewise("study list --format json " + path);
  if (run.exit_code != 0) return 0;
  const Json studies = Json::parse(run.out)["studies"];
  return studies.empty() ? 0 : studies[0]["trials"].get<int64_t>();
}

TEST(StudyCommand, ASearchThatIsKilledAtAnyMomentGoesOnWhereItWas) {
  const TemporaryFolder folder;
  const Json whole = AnswerOf(RunTilewise(kSearch)).first;
  const auto begin = std::chrono::steady_clock::now();
  const Json kept = AnswerOf(RunTilewise(WithStudy(folder.path("whole.db")))).first;
  const std::chrono::duration<double> needed = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(kept, whole);
  const int64_t candidates = Trials(folder.path("whole.db"));
  std::mt19937 engine(17);
  std::uniform_real_distribution<double> part(0.05, 1.05);
  int interrupted = 0;
  for (int i = 0; i < 50; ++i) {
    const std::string path = folder.path(fmt::format("{}.db", i));
    const std::string kill = fmt::format("timeout -s KILL {:.4f}", part(engine) * needed.count());
    RunTilewise(WithStudy(path), kill);
    const int64_t done = Trials(path);
    interrupted += done > 0 && done < candidates ? 1 : 0;
    const auto [resumed, recalled] = AnswerOf(RunTilewise(WithStudy(path)));
    EXPECT_EQ(resumed, whole) << "killed with " << done << " trials";
    EXPECT_EQ(recalled, done) << "none is repeated";
    EXPECT_EQ(Trials(path), candidates) << "none is lost, none is there twice";
  }
  EXPECT_GT(interrupted, 0) << "no moment was amid the search";
}

TEST(StudyCommand, AFullDiskIsSaidAndWhatWasWrittenIsKept) {
  const TemporaryFolder folder;
  const std::string path = folder.path("study.db");
  // In blocks of 512 bytes.
  const RunResult full = RunTilewise(WithStudy(path), "trap '' XFSZ; ulimit -f 200;");
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_THAT(full.err, AllOf(StartsWith("tilewise: error: " + path),
                              HasSubstr("there is no room to write")));
  const int64_t done = Trials(path);
  EXPECT_GT(done, 0);
  const auto [answer, recalled] = AnswerOf(RunTilewise(WithStudy(path)));
  EXPECT_EQ(recalled, done);
  EXPECT_EQ(answer, AnswerOf(RunTilewise(kSearch)).first);
}

class KeptStudies : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    for (const char* chip : {"v3", "v5e"}) {
      RunTilewise(fmt::format("tune zoo:mlp --chip {} --study {}", chip, path()));
    }
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string path() { return folder_->path("studies.db"); }
  static Json JsonFrom(const std::string& arguments) {
    const RunResult run = RunTilewise("study " + arguments + " --format json");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return Json::parse(run.out, nullptr, false);
  }
  static std::string NameOf(size_t index) {
    return JsonFrom("list " + path())["studies"][index]["study"];
  }

  static TemporaryFolder* folder_;
};
TemporaryFolder* KeptStudies::folder_ = nullptr;

TEST_F(KeptStudies, AreListedWithTheirBest) {
  const Json studies = JsonFrom("list " + path())["studies"];
  ASSERT_EQ(studies.size(), 2u);
  for (const Json& study : studies) {
    EXPECT_EQ(study["state"], "finished");
    EXPECT_GT(study["trials"], 0);
    EXPECT_GT(study["examples_per_second"], 0);
  }
  EXPECT_THAT(RunTilewise("study list " + path()).out, AllOf(HasSubstr("v3-8"), HasSubstr("mlp")));
}

TEST_F(KeptStudies, AreShownWithTheirCurve) {
  const Json shown = JsonFrom("show " + path() + " " + NameOf(1));
  EXPECT_EQ(shown["studies"].size(), 1u);
  EXPECT_GT(shown["curve"].size(), 3u);
  EXPECT_EQ(shown["curve"][0]["study"], NameOf(1));
  EXPECT_EQ(JsonFrom("show " + path())["studies"].size(), 1u) << "the latest";
}

TEST_F(KeptStudies, AreExportedAsCsvAndJson) {
  const std::string csv = RunTilewise("study export " + path()).out;
  EXPECT_THAT(csv, StartsWith("study,program,target,machine,changes,batch_per_core,"));
  const Json trials = JsonFrom("export " + path())["trials"];
  EXPECT_EQ(std::ranges::count(csv, '\n'), static_cast<int64_t>(trials.size()) + 1);
  EXPECT_TRUE(trials[0]["batch_per_core"].is_number());
}

TEST_F(KeptStudies, AreCompared) {
  const Json rows = JsonFrom("compare " + path())["comparison"];
  const auto rate = std::ranges::find_if(
      rows, [](const Json& row) { return row["figure"] == "examples per second"; });
  ASSERT_NE(rate, rows.end());
  const double first = (*rate)["first"], second = (*rate)["second"];
  EXPECT_NEAR((*rate)["second_over_first"], second / first, 1e-9);
  EXPECT_THAT(RunTilewise("study compare " + path() + " " + NameOf(0)).err,
              HasSubstr("found 1 study, expected two or more"));
}

TEST_F(KeptStudies, MoreThanTwoAreComparedWithTheFirst) {
  const std::string names = " " + NameOf(0) + " " + NameOf(1) + " " + NameOf(0);
  for (const Json& row : JsonFrom("compare " + path() + names)["comparison"]) {
    EXPECT_EQ(row["third"], row["first"]) << row;
    if (row["figure"] == "step") {
      EXPECT_NEAR(row["third_over_first"], 1, 1e-9);
    }
  }
}

TEST_F(KeptStudies, FollowTheirSchema) {
  if (!HasSchemaValidator()) GTEST_SKIP() << "no python3-jsonschema";
  for (const char* action : {"list", "show", "export", "compare"}) {
    EXPECT_TRUE(FollowsSchema(JsonFrom(action + (" " + path())).dump(),
                              TILEWISE_SOURCE_DIR "/docs/schema/study.schema.json"))
        << action;
  }
}

TEST_F(KeptStudies, WordsThatMeanNothingAreErrors) {
  EXPECT_THAT(RunTilewise("study lst " + path()).err, HasSubstr("did you mean 'list'"));
  EXPECT_THAT(RunTilewise("study show " + path() + " zzz").err, HasSubstr("found no study 'zzz'"));
  EXPECT_THAT(RunTilewise("study list " + folder_->path("none.db")).err,
              HasSubstr("there is no such file"));
  EXPECT_THAT(RunTilewise("study list " + folder_->Write("text", "no database, but text")).err,
              HasSubstr("found a file that is no database"));
}

}  // namespace
}  // namespace tilewise
