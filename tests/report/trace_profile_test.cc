// The trace of a simulated step, read as a profile: the same numbers.

#include <gtest/gtest.h>

#include "graph/text.h"
#include "profile/analysis/analysis.h"
#include "profile/read_profile.h"
#include "report/renderers.h"
#include "sim/simulate.h"

namespace tilewise {
namespace {

constexpr char kTwoLayers[] = R"(graph "m" {
  x = f32[N,1024] parameter()
  w = f32[1024,2048] variable()
  d = f32[N,2048] dot(x, w), lhs_contract={1}, rhs_contract={0}, item="dense"
  t = f32[N,2048] tanh(d), item="dense"
  v = f32[2048,512] variable()
  e = f32[N,512] dot(t, v), lhs_contract={1}, rhs_contract={0}, item="head"
  output result e
})";

TEST(TraceAsProfile, HasTheSimulatedNumbers) {
  const absl::StatusOr<Graph> graph = ParseGraph(kTwoLayers);
  ASSERT_TRUE(graph.ok()) << graph.status();
  const absl::StatusOr<Target> target = MakeTarget("v3", 8, "");
  ASSERT_TRUE(target.ok()) << target.status();
  absl::StatusOr<Program> program = Lower(*graph, 512, *target, {});
  ASSERT_TRUE(program.ok()) << program.status();
  Report report;
  report.chip = "v3";
  report.steps_per_execution = 4;
  report.timeline = SimulateStep(*program, *target);
  report.program = *std::move(program);
  LoopInput input;
  input.step = &*report.timeline;
  input.global_batch = 4096;
  input.steps_per_execution = 4;
  input.bytes_per_example = {4096};
  report.loop = SimulateLoop(input, *target);
  AddLosses(graph->Bind(512), *target, report);

  const absl::StatusOr<Profile> profile = ReadProfileBytes(RenderTrace(report), "step.json");
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_TRUE(profile->simulated);
  EXPECT_EQ(profile->flows.size(), 8u);
  const ProfileAnalysis analysis = Analyse(*profile);
  EXPECT_EQ(analysis.steps.device.count, 8);
  const double step = report.loop->step.value;
  EXPECT_NEAR(analysis.steps.wall.mean.value, step, 1e-3 * step);
  const double exposed =
      (report.timeline->exposed_collective + report.timeline->exposed_host_copy).value;
  double waiting = 0;
  for (const StepPartTime& part : analysis.parts) {
    if (part.kind != StepPartKind::kMatmul && part.kind != StepPartKind::kCompute &&
        part.kind != StepPartKind::kCopy) {
      waiting += part.time.value;
    }
  }
  EXPECT_NEAR(waiting, report.loop->exposed_host.value + exposed, 0.02 * step);
  ASSERT_TRUE(analysis.mxu_use.has_value());
  EXPECT_NEAR(*analysis.mxu_use, report.loop->mxu_use, 0.02 * report.loop->mxu_use + 1e-4);
  EXPECT_EQ(profile->memory.at(0).allocator, "HBM in use");
}

}  // namespace
}  // namespace tilewise
