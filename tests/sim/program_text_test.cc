// Programs printed after every pass and read back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/text.h"
#include "sim/lowering/text.h"
#include "sim/simulate.h"
#include "tests/sim/lowered_program.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

void ExpectRoundTrip(const Program& program, const ProgramContext& context, const Target& target) {
  const std::string text = PrintProgram(program, context);
  ASSERT_TRUE(IsProgramText(text));
  const absl::StatusOr<ProgramText> parsed = ParseProgram(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(PrintProgram(parsed->program, parsed->context), text);
  EXPECT_EQ(SimulateStep(parsed->program, target).step, SimulateStep(program, target).step);
}

// Returns after how many passes it looked.
int ExpectRoundTripAfterEveryPass(const Graph& graph, const Target& target, bool training) {
  int passes = 0;
  LowerOptions options;
  options.training = training;
  const Graph source = graph.Bind(16);
  options.after_pass = [&](std::string_view pass, const Program& program) {
    SCOPED_TRACE(pass);
    ++passes;
    ExpectRoundTrip(program, ContextOf(pass, target, source), target);
  };
  LoweredProgram(graph, 16, target, options);
  return passes;
}

TEST(ProgramText, RoundTripsAfterEveryPassAndTakesTheSameTime) {
  for (const std::string& chip : ChipNames()) {
    const Target target = FoundTarget(chip);
    for (uint32_t seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(chip + " seed " + std::to_string(seed));
      const Graph graph = reference::RandomClassifier(seed, 10);
      const int passes = ExpectRoundTripAfterEveryPass(graph, target, seed % 2 == 0);
      EXPECT_EQ(passes, static_cast<int>(LoweringPasses().size()));
    }
  }
}

TEST(ProgramText, RoundTripsOnAMesh) {
  Mesh mesh;
  mesh.fsdp = 4;
  const Target target = FoundTarget("v4", 8, mesh);
  for (uint32_t seed = 0; seed < 4; ++seed) {
    ExpectRoundTripAfterEveryPass(reference::RandomClassifier(seed, 10), target, true);
  }
}

// Every field away from its default.
TEST(ProgramText, LosesNoField) {
  Program program;
  program.graph = *ParseGraph(
      "graph \"g\" {\n  \"a b\" = f32[8,128] parameter()\n"
      "  t = f32[8,128] tanh(\"a b\")\n  output result t\n}\n");
  program.layouts.assign(2, {{1, 0}, 4, 256});
  Kernel kernel;
  kernel.name = "fusion 1";
  kernel.kind = KernelKind::kCollective;
  kernel.root = 1;
  kernel.ops = {1};
  kernel.inputs = {0};
  kernel.outputs = {1};
  kernel.phase = Phase::kBackward;
  kernel.origin = 1;
  kernel.matrix.weight_tiles = 3;
  kernel.matrix.useful_flops = 0.1;
  kernel.vector.cross_lane = 1e300;
  kernel.on_chip_read = {7};
  kernel.dma_row_efficiency = 1.0 / 3;
  kernel.windows.buffers = 1;
  kernel.repeat = 5;
  kernel.collective = OpKind::kAllGather;
  kernel.mesh_axis = "data+fsdp";
  kernel.overlappable = true;
  program.kernels = {kernel};
  program.buffers = {{.value = 1,
                      .use = BufferUse::kOptimizerState,
                      .padded = {9},
                      .unpadded = {8},
                      .first = 1,
                      .last = 2,
                      .on_chip_until = 0,
                      .prefetched = true}};
  program.memory.peak = {11};
  program.batch_per_core = 3;
  program.training = false;
  ProgramContext context;
  context.source = program.graph;
  const std::string text = PrintProgram(program, context);
  const absl::StatusOr<ProgramText> parsed = ParseProgram(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(PrintProgram(parsed->program, parsed->context), text);
  const Kernel& read = parsed->program.kernels.at(0);
  EXPECT_EQ(read.name, "fusion 1");
  EXPECT_EQ(read.inputs, kernel.inputs);
  EXPECT_EQ(read.dma_row_efficiency, kernel.dma_row_efficiency);
  EXPECT_EQ(read.collective, OpKind::kAllGather);
  EXPECT_EQ(parsed->program.layouts, program.layouts);
  EXPECT_EQ(parsed->program.buffers.at(0).on_chip_until, 0);
  EXPECT_FALSE(parsed->program.training);
}

constexpr char kHead[] =
    "program, after=fuse\n"
    "graph \"g\" {\n  x = f32[8] parameter()\n  output result x\n}\n"
    "graph \"g\" {\n  x = f32[8] parameter()\n  output result x\n}\n";

std::string ErrorOf(const std::string& text) {
  const absl::StatusOr<ProgramText> parsed = ParseProgram(text);
  return parsed.ok() ? "" : std::string(Message(parsed.status()));
}

TEST(ProgramText, NamesLineAndFaultOfBadText) {
  const std::string head = kHead;
  EXPECT_THAT(ErrorOf(head), HasSubstr("expected a graph or memory"));
  EXPECT_EQ(ErrorOf(head + "memory\n"), "");
  EXPECT_THAT(ErrorOf(head + "kernel k, root=y\n"),
              HasSubstr("line 10: root: found y, expected an op"));
  EXPECT_THAT(ErrorOf(head + "kernel k, root=x, speed=9\n"), HasSubstr("found the field speed"));
  EXPECT_THAT(ErrorOf(head + "kernel k, root=x, repeat=-1\n"), HasSubstr("repeat: found -1"));
  EXPECT_THAT(ErrorOf(head + "layout x, order={1}, tile={1,128}\n"),
              HasSubstr("does not name each dim once"));
  EXPECT_THAT(ErrorOf("program, after=fuse\ngraph \"g\" {\n  x = f32[8]\n}\n"),
              HasSubstr("line 3"));
  EXPECT_THAT(ErrorOf("program, after=fuse\ngraph \"g\" {\n"),
              HasSubstr("found the end of the text"));
  EXPECT_THAT(ErrorOf(head + "kernel k, root=x\nmemory\n"),
              HasSubstr("found 0 layouts, expected 1"));
}

}  // namespace
}  // namespace tilewise
