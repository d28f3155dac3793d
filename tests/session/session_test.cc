// What a session says of one point, whoever asks and in whatever order.

#include "session/session.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "graph/text.h"
#include "tuner/tuner.h"

namespace tilewise {
namespace {

// No framework is named, as in a model's file alone.
Workload OneLayer() {
  absl::StatusOr<Graph> graph = ParseGraph(R"(graph "one" {
    x = f32[N,784] parameter()
    w = f32[784,512] variable()
    y = f32[N,512] dot(x, w), lhs_contract={1}, rhs_contract={0}
    output result y
  })");
  EXPECT_TRUE(graph.ok()) << graph.status();
  Workload workload;
  workload.graph = *std::move(graph);
  workload.files.push_back({.path = "one.json"});
  return workload;
}

const Target kTarget = *MakeTarget("v2", 8, "");

TEST(Session, SaysThatABatchDoesNotReachAllShards) {
  const Workload workload = OneLayer();
  const auto notes = [&](int64_t batch) {
    return Session(workload, kTarget, {.global_batch = batch}).notes();
  };
  EXPECT_TRUE(notes(8).empty());
  ASSERT_EQ(notes(4).size(), 1u);
  EXPECT_NE(notes(4)[0].message.find("a global batch of 4 for 8 shards"), std::string::npos);
}

TEST(Session, AHigherClockIsThatOfTheCoreAlone) {
  const Workload workload = OneLayer();
  const Target usual = *MakeTarget("v7x", 8, "");
  ASSERT_GT(usual.chip.top_clock_hz, usual.chip.clock_hz);
  const auto clock = [&](int32_t state) {
    SessionOptions options;
    options.xla_flags.clock_state = state;
    const Session session(workload, usual, options);
    EXPECT_EQ(session.target().chip.hbm_bandwidth, usual.chip.hbm_bandwidth);
    return session.target().chip.clock_hz;
  };
  EXPECT_EQ(clock(XlaFlags::kUsualClock), usual.chip.clock_hz);
  EXPECT_EQ(clock(XlaFlags::kTopClock), usual.chip.top_clock_hz);
  EXPECT_NEAR(clock(5), (usual.chip.clock_hz + usual.chip.top_clock_hz) / 2, 1);
}

TEST(Session, TheTunersOwnPointIsThatOfTheFacts) {
  const Workload workload = OneLayer();
  for (const int64_t batch : {1000, 1024}) {
    const Session session(
        workload, kTarget,
        {.global_batch = batch, .steps_per_execution = 781, .examples_per_epoch = 60000});
    const absl::StatusOr<Tuning> tuning = Tune(session, {}, {});
    ASSERT_TRUE(tuning.ok()) << tuning.status();
    ASSERT_TRUE(tuning->current.has_value());
    const LoopTimeline& loop = *session.facts().loop;
    EXPECT_EQ(tuning->current->loop.step, loop.step);
    EXPECT_EQ(tuning->current->loop.epoch, loop.epoch);
    EXPECT_EQ(tuning->current->global_batch, batch);
    EXPECT_EQ(tuning->current->device_step, session.facts().StepTime());
  }
}

TEST(Session, ANewSessionAtABatchSaysWhatAnotherSaysOfIt) {
  const Workload workload = OneLayer();
  const Session at_1024(workload, kTarget, {.global_batch = 1024});
  const Session at_4096(workload, kTarget, {.global_batch = 4096});
  const absl::StatusOr<StepTotals> totals = at_1024.StepAt(512);
  ASSERT_TRUE(totals.ok()) << totals.status();
  const Facts& facts = at_4096.facts();
  EXPECT_EQ(facts.batch_per_core, 512);
  EXPECT_EQ(totals->timeline.step, facts.StepTime());
  EXPECT_EQ(totals->peak, facts.model->program.memory.peak);
  EXPECT_EQ(at_1024.AtBatch(512)->timeline.step, facts.StepTime());
  const LoopTimeline loop = at_1024.Loop(totals->timeline, 4096, 1);
  EXPECT_EQ(loop.step, facts.loop->step);
}

TEST(Session, AChangeOfTheBatchIsThatBatch) {
  const Workload workload = OneLayer();
  const Session session(workload, kTarget, {.global_batch = 1024});
  Change change;
  change.batch_per_core = 512;
  change.steps_per_execution = 10;
  const Change* const one = &change;
  const absl::StatusOr<Outcome> outcome = session.OutcomeOf({&one, 1});
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  const Session there(workload, kTarget, {.global_batch = 4096, .steps_per_execution = 10});
  EXPECT_EQ(outcome->step, there.facts().StepTime());
  EXPECT_EQ(outcome->wall_step, there.facts().loop->step);
}

TEST(Session, AnswersThreadsAtOnce) {
  const Workload workload = OneLayer();
  const Session session(workload, kTarget, {.global_batch = 1024});
  std::vector<Seconds> steps(8);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < steps.size(); ++i) {
    threads.emplace_back([&, i] {
      steps[i] =
          i % 2 == 0 ? session.AtBatch(256)->timeline.step : session.StepAt(256)->timeline.step;
      session.facts();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Seconds step : steps) EXPECT_EQ(step, steps[0]);
}

TEST(Session, AModelThatCannotBeLoweredLeavesANote) {
  absl::StatusOr<Graph> graph = ParseGraph(R"(graph "max" {
    x = f32[N,8] parameter()
    w = f32[8] variable()
    b = f32[N,8] broadcast(w), dims={1}
    s = f32[N,8] multiply(x, b)
    y = f32[N,8] cumulative(s), dims={1}, reducer=max
    output result y
  })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  Workload workload;
  workload.graph = *std::move(graph);
  const Session session(workload, kTarget, {.global_batch = 8});
  EXPECT_EQ(session.facts().model, nullptr);
  ASSERT_EQ(session.notes().size(), 1u);
  EXPECT_EQ(session.notes()[0].rule, "RD004");
  EXPECT_FALSE(session.StepAt(1).ok());
}

}  // namespace
}  // namespace tilewise
