// `diff` as users run it: two models, two revisions of a repository, a program
// and the log of its run.

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

constexpr const char* kLog =
    "completed step: 0, seconds: 30.1, TFLOP/s/device: 1.0, loss: 5.1\n"
    "completed step: 1, seconds: 0.02, TFLOP/s/device: 900.0, loss: 5.0\n"
    "completed step: 2, seconds: {0}, TFLOP/s/device: 20.0, loss: 4.9\n"
    "completed step: 3, seconds: {0}, TFLOP/s/device: 20.0, loss: 4.8\n";

TEST(Diff, ALargerModelIsSlowerAndItsBudgetExceeded) {
  const RunResult run =
      RunTilewise("diff zoo:resnet,depth=50 zoo:resnet,depth=101 --budget step=+3%,hbm=+64GiB");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("slower"));
  EXPECT_THAT(run.out, HasSubstr("step=+3%: exceeded"));
  EXPECT_THAT(run.out, HasSubstr("hbm=+64GiB: kept"));
}

TEST(Diff, TheSameModelIsTheSame) {
  const RunResult run = RunTilewise("diff zoo:resnet,depth=50 zoo:resnet,depth=50");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("the step takes the same time"));
}

TEST(Diff, OneModelIsComparedUnderOptionsOfEachSide) {
  const RunResult run = RunTilewise(
      "diff zoo:resnet,depth=50 --batch-per-core 32 --old '--chip v3' --new '--chip v4' "
      "--format json");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json json = Json::parse(run.out);
  EXPECT_EQ(json["before"]["name"], "zoo:resnet,depth=50 with --chip v3");
  EXPECT_THAT(json["after"]["target"].get<std::string>(), HasSubstr("v4"));
  EXPECT_LT(json["figures"][0]["ratio"].get<double>(), 1);
}

TEST(Diff, OptionsOfASideHoldNoFiles) {
  const RunResult run = RunTilewise("diff zoo:mlp --new other.py");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("expected options alone"));
}

TEST(Diff, TwoLogsAreComparedByTheirSteadySteps) {
  const TemporaryFolder folder;
  const std::string old = folder.Write("old.log", fmt::format(kLog, 2.0));
  const std::string now = folder.Write("new.log", fmt::format(kLog, 1.0));
  const RunResult run = RunTilewise("diff --format json " + old + " " + now);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json json = Json::parse(run.out);
  EXPECT_EQ(json["before"]["kind"], "log");
  EXPECT_DOUBLE_EQ(json["figures"][0]["ratio"].get<double>(), 0.5);
}

// A TPU with a matmul of 1 ms in each of ten steps, and `wait` us of input between.
std::string TraceWithInput(int wait) {
  std::string events = R"j({"traceEvents":[
    {"ph":"M","pid":3,"name":"process_name","args":{"name":"/device:TPU:0"}},
    {"ph":"M","pid":3,"tid":2,"name":"thread_name","args":{"name":"XLA Modules"}},
    {"ph":"M","pid":3,"tid":3,"name":"thread_name","args":{"name":"XLA Ops"}},
    {"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}})j";
  for (int i = 0; i < 10; ++i) {
    const int at = 1000 + i * (1000 + wait);
    events += fmt::format(
        R"j(,{{"ph":"X","pid":3,"tid":2,"ts":{0},"dur":1000,"name":"jit_f(7)"}}
           ,{{"ph":"X","pid":3,"tid":3,"ts":{0},"dur":1000,"name":"dot.1"}}
           ,{{"ph":"X","pid":701,"tid":1,"ts":{1},"dur":{2},"name":"IteratorGetNext"}})j",
        at, at + 1000, wait);
  }
  return events + "]}";
}

TEST(Diff, OfTwoProfilesNamesWhatTheDeviceWaitedFor) {
  const TemporaryFolder folder;
  const std::string old = folder.Write("old.json", TraceWithInput(3000));
  const std::string now = folder.Write("new.json", TraceWithInput(200));
  const RunResult run = RunTilewise("diff " + old + " " + now);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, testing::ContainsRegex("waiting for input +2.70 ms +180 us +-2.52 ms"));
}

TEST(Diff, OfAProgramAndItsProfileListsOnlyWhatBothHave) {
  const TemporaryFolder folder;
  const std::string trace = folder.Write("run.json", TraceWithInput(200));
  const RunResult run = RunTilewise("diff zoo:mlp --chip v4 " + trace);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("none")));
  EXPECT_THAT(run.out, HasSubstr("'tilewise profile TRACE PROGRAM'"));
}

class DiffOfRevisions : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("git --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no git";
    Write("sizes.py", "WIDTH = 128\n");
    Write("train.py", R"(
import keras
from sizes import WIDTH
model = keras.Sequential([keras.layers.Input((64,)), keras.layers.Dense(WIDTH),
                          keras.layers.Dense(4096), keras.layers.Dense(10)])
model.compile(optimizer="sgd", loss="mse")
import numpy as np
model.fit(np.zeros((4096, 64)), np.zeros((4096, 10)), batch_size=256)
)");
    Git("init -q -b main");
    Git("add -A");
    Commit("first");
    Write("sizes.py", "WIDTH = 8192\n");
    Git("add -A");
    Commit("second");
    Write("sizes.py", "WIDTH = 128\n");
  }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }
  std::string path(const std::string& name) const { return folder_.path(name); }
  void Git(const std::string& words) const {
    ASSERT_EQ(std::system(fmt::format("git -C {} {} > /dev/null 2>&1", path("."), words).c_str()),
              0)
        << words;
  }
  void Commit(const std::string& message) const {
    Git("-c user.name=a -c user.email=a@b.c commit -q -m " + message);
  }

  const TemporaryFolder folder_;
};

TEST_F(DiffOfRevisions, ModulesAreReadAsTheyWereAtEach) {
  const RunResult run = RunTilewise("diff HEAD~1..HEAD --format json " + path("train.py"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json json = Json::parse(run.out);
  EXPECT_GT(json["figures"][1]["ratio"].get<double>(), 2);
  EXPECT_THAT(run.out, Not(HasSubstr("tilewise-")));  // the folder of a revision
}

TEST_F(DiffOfRevisions, ARevisionAloneIsComparedWithTheWorkTree) {
  const RunResult run = RunTilewise("diff HEAD --format json " + path("train.py"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_LT(Json::parse(run.out)["figures"][1]["ratio"].get<double>(), 0.5);
}

TEST_F(DiffOfRevisions, TheWorkTreeIsNotTouched) {
  const RunResult run = RunTilewise("diff HEAD~1...HEAD " + path("train.py"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  std::ifstream stream(path("sizes.py"));
  std::string line;
  std::getline(stream, line);
  EXPECT_EQ(line, "WIDTH = 128");
}

TEST_F(DiffOfRevisions, WhatGitDoesNotKnowIsOneMessage) {
  const RunResult run = RunTilewise("diff nothing..HEAD " + path("train.py"));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("found 'nothing', expected a revision"));
  const RunResult file = RunTilewise("diff HEAD~1..HEAD " + path("absent.py"));
  EXPECT_EQ(file.exit_code, 2);
  EXPECT_THAT(file.err, HasSubstr("there is no such file at HEAD"));
}

TEST(Diff, OneFileIsNotEnough) {
  const RunResult run = RunTilewise("diff zoo:resnet,depth=50");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("expected OLD NEW"));
}

}  // namespace
}  // namespace tilewise
