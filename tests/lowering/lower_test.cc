// The pass list as a whole: order, records, what may be disabled, and what is
// refused.

#include "sim/lowering/lower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/text.h"
#include "sim/lowering/verify.h"

namespace tilewise {
namespace {

Target SomeTarget() {
  auto target = MakeTarget("v3", 8, "");
  EXPECT_TRUE(target.ok()) << target.status();
  return *target;
}

Graph Dense() {
  return *ParseGraph(R"(graph "dense" {
  x = f32[N,16] parameter()
  w = f32[16,10] variable()
  d = f32[N,10] dot(x, w), lhs_contract={1}, rhs_contract={0}
  y = f32[N,10] softmax(d), dims={1}
  output result y
})");
}

TEST(Lower, RunsEveryPassInOrderAndRecordsIt) {
  LowerOptions options;
  std::vector<std::string> seen;
  options.after_pass = [&](std::string_view pass, const Program& program) {
    seen.emplace_back(pass);
    EXPECT_TRUE(VerifyGraph(program.graph).ok());
  };
  const auto program = Lower(Dense(), 32, SomeTarget(), options);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_THAT(
      seen, testing::ElementsAre("expand_training", "decompose", "simplify", "partition",
                                 "quantize", "assign_layouts", "fuse", "lower_ops", "choose_tiles",
                                 "place_buffers", "schedule", "rematerialize"));
  ASSERT_EQ(program->passes.size(), seen.size());
  EXPECT_EQ(program->passes.back().ops, program->graph.size());
  EXPECT_EQ(program->batch_per_core, 32);
}

TEST(Lower, SkipsOptionalPassesThatAreDisabled) {
  LowerOptions options;
  options.disabled_passes = {"simplify", "fuse", "schedule"};
  const auto program = Lower(Dense(), 32, SomeTarget(), options);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->passes.size(), 9u);
}

TEST(Lower, RefusesToDisableOtherPasses) {
  LowerOptions options;
  options.disabled_passes = {"partition"};
  EXPECT_EQ(Message(Lower(Dense(), 32, SomeTarget(), options).status()),
            "found mandatory pass 'partition' to disable, expected one of "
            "simplify, quantize, fuse, schedule, rematerialize");
  options.disabled_passes = {"nonsense"};
  EXPECT_EQ(Message(Lower(Dense(), 32, SomeTarget(), options).status()),
            "found unknown pass 'nonsense' to disable, expected one of "
            "simplify, quantize, fuse, schedule, rematerialize");
}

TEST(Lower, RefusesBatchesThatDoNotFitTheNumbers) {
  const LowerOptions options;
  EXPECT_FALSE(Lower(Dense(), 0, SomeTarget(), options).ok());
  EXPECT_FALSE(Lower(Dense(), int64_t{1} << 50, SomeTarget(), options).ok());
}

TEST(Lower, InferenceHasNoGradients) {
  LowerOptions options;
  options.training = false;
  const auto program = Lower(Dense(), 32, SomeTarget(), options);
  ASSERT_TRUE(program.ok()) << program.status();
  for (const Op& op : program->graph.ops()) {
    EXPECT_EQ(op.phase, Phase::kForward) << op.name;
  }
}

TEST(VerifyGraph, NamesAnOpWhoseShapeDoesNotFollow) {
  Op op;
  op.kind = OpKind::kTanh;
  op.name = "broken";
  op.shape = Shape::Of(DType::kF32, {3});
  GraphBuilder builder("g");
  const OpId x = builder.Parameter(Shape::Of(DType::kF32, {2}), "x");
  builder.Clone(op, {x});
  const Graph graph = *builder.Build();
  EXPECT_EQ(Message(VerifyGraph(graph)), "op broken has f32[3], expected f32[2]");
}

}  // namespace
}  // namespace tilewise
