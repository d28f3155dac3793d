// The trace as Perfetto reads it: valid JSON, named tracks, blocks that do not
// cut each other, nothing outside of its step.

#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graph/text.h"
#include "report/renderers.h"
#include "sim/simulate.h"

namespace tilewise {
namespace {

using Json = nlohmann::json;

constexpr char kModel[] = R"(graph "m" {
  x = f32[N,256] parameter()
  w = f32[256,512] variable()
  d = f32[N,512] dot(x, w), lhs_contract={1}, rhs_contract={0}, item="dense"
  t = f32[N,512] tanh(d), item="dense"
  v = f32[512,128] variable()
  e = f32[N,128] dot(t, v), lhs_contract={1}, rhs_contract={0}, item="head"
  output result e
})";

Report Simulated(int64_t steps_per_execution, bool with_loop) {
  const absl::StatusOr<Graph> graph = ParseGraph(kModel);
  EXPECT_TRUE(graph.ok()) << graph.status();
  const absl::StatusOr<Target> target = MakeTarget("v3", 8, "");
  EXPECT_TRUE(target.ok()) << target.status();
  absl::StatusOr<Program> program = Lower(*graph, 512, *target, {});
  EXPECT_TRUE(program.ok()) << program.status();
  Report report;
  report.workload = "m \xFF";
  report.steps_per_execution = steps_per_execution;
  report.timeline = SimulateStep(*program, *target);
  report.program = *std::move(program);
  if (with_loop) {
    LoopInput input;
    input.step = &*report.timeline;
    input.global_batch = 4096;
    input.steps_per_execution = steps_per_execution;
    input.bytes_per_example = {1024};
    report.loop = SimulateLoop(input, *target);
  }
  AddLosses(graph->Bind(512), *target, report);
  return report;
}

// Without a loop.
Report SimulatedOn(const Mesh& mesh, const std::string& model) {
  const absl::StatusOr<Graph> graph = ParseGraph(model);
  EXPECT_TRUE(graph.ok()) << graph.status();
  const absl::StatusOr<Target> target = MakeTarget("v5p", 0, "", mesh);
  EXPECT_TRUE(target.ok()) << target.status();
  absl::StatusOr<Program> program = Lower(*graph, 4096, *target, {});
  EXPECT_TRUE(program.ok()) << program.status();
  Report report;
  report.timeline = SimulateStep(*program, *target);
  report.program = *std::move(program);
  AddLosses(graph->Bind(4096), *target, report);
  return report;
}

std::vector<Json> Events(const Report& report, const std::string& kind) {
  const Json trace = Json::parse(RenderTrace(report), nullptr, false);
  EXPECT_FALSE(trace.is_discarded());
  std::vector<Json> events;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == kind) events.push_back(event);
  }
  return events;
}

std::vector<Json> Blocks(const Report& report, int process, int thread) {
  std::vector<Json> blocks;
  for (const Json& event : Events(report, "X")) {
    if (event["pid"] == process && event["tid"] == thread) {
      blocks.push_back(event);
    }
  }
  return blocks;
}

TEST(Trace, NamesEveryTrackThatHasBlocks) {
  const Report report = Simulated(4, true);
  std::set<std::pair<int, int>> named;
  for (const Json& event : Events(report, "M")) {
    if (event["name"] == "thread_name") {
      named.emplace(event["pid"], event["tid"]);
    }
  }
  EXPECT_EQ(named.size(), 13u);
  for (const Json& event : Events(report, "X")) {
    EXPECT_TRUE(named.contains({event["pid"], event["tid"]}));
    EXPECT_GT(event["dur"].get<double>(), 0);
  }
}

TEST(Trace, BlocksOfATrackDoNotCutEachOther) {
  for (const bool with_loop : {true, false}) {
    std::map<std::pair<int, int>, double> ends;
    for (const Json& event : Events(Simulated(4, with_loop), "X")) {
      double& end = ends[{event["pid"], event["tid"]}];
      EXPECT_GE(event["ts"].get<double>(), end - 1e-3) << event;
      end = event["ts"].get<double>() + event["dur"].get<double>();
    }
  }
}

// Four products whose weights fsdp gathers ahead, while tensor cores exchange
// what they made.
TEST(Trace, DrawsExchangesSideBySideOnTracksOfTheirOwn) {
  std::string text = "graph \"m\" {\n  x0 = f32[N,2048] parameter()\n";
  for (int i = 0; i < 4; ++i) {
    text += fmt::format(
        "  w{0} = f32[2048,8192] variable()\n"
        "  a{0} = f32[N,8192] dot(x{0}, w{0}), lhs_contract={{1}}, "
        "rhs_contract={{0}}\n"
        "  v{0} = f32[8192,2048] variable()\n"
        "  x{1} = f32[N,2048] dot(a{0}, v{0}), lhs_contract={{1}}, "
        "rhs_contract={{0}}\n",
        i, i + 1);
  }
  const Report report =
      SimulatedOn({.data = 1, .fsdp = 64, .tensor = 8}, text + "  output result x4\n}");
  EXPECT_GT(Blocks(report, 1, 16).size(), 0u);
  EXPECT_GT(Blocks(report, 1, 17).size(), 0u);
  std::map<int, double> ends;
  for (const Json& event : Events(report, "X")) {
    double& end = ends[event["tid"]];
    EXPECT_GE(event["ts"].get<double>(), end - 1e-3) << event;
    end = event["ts"].get<double>() + event["dur"].get<double>();
  }
}

TEST(Trace, HasABlockForEveryKernelOfEveryStep) {
  const Report report = Simulated(4, true);
  size_t kernels = 0, collectives = 0;
  for (const Kernel& kernel : report.program->kernels) {
    (kernel.kind == KernelKind::kCollective ? collectives : kernels) += 1;
  }
  ASSERT_GT(collectives, 0u);
  // Of each of the four steps of two executions.
  EXPECT_EQ(Blocks(report, 1, 12).size(), 8 * kernels);
  EXPECT_EQ(Blocks(report, 1, 16).size(), 8 * collectives);
  EXPECT_EQ(Blocks(report, 1, 13).size() > 0, true);
  const double begin = report.loop->exposed_host.value * 1e6;
  const Json last = Blocks(report, 1, 12)[kernels - 1];
  EXPECT_GE(Blocks(report, 1, 12).front()["ts"].get<double>(), begin - 1e-3);
  EXPECT_LE(last["ts"].get<double>() + last["dur"].get<double>(),
            begin + report.timeline->step.value * 1e6 + 1e-3);
}

TEST(Trace, DrawsTheLoopOfTwoExecutions) {
  EXPECT_EQ(Blocks(Simulated(4, true), 1, 11).size(), 8u);
  const std::vector<Json> many = Blocks(Simulated(1000, true), 1, 11);
  EXPECT_EQ(many.size(), 130u);
  EXPECT_EQ(many.back()["name"], "936 more steps");
}

TEST(Trace, CountsHbmUpToThePeakAndMxuUpToAll) {
  const Report report = Simulated(1, true);
  int64_t largest = 0;
  for (const Json& event : Events(report, "C")) {
    if (event["name"] == "HBM in use") {
      largest = std::max(largest, event["args"]["bytes"].get<int64_t>());
    } else {
      EXPECT_LE(event["args"]["percent"].get<double>(), 100.001);
    }
  }
  EXPECT_LE(largest, report.program->memory.peak.value);
  EXPECT_GT(largest, report.program->memory.variables.value);
}

TEST(Trace, IsTheSameEachTime) {
  EXPECT_EQ(RenderTrace(Simulated(4, true)), RenderTrace(Simulated(4, true)));
}

}  // namespace
}  // namespace tilewise
