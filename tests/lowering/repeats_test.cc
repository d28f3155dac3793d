// Layers that are alike are lowered once; nobody sees a difference.

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/text.h"
#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "sim/lowering/repeats/fold.h"
#include "sim/lowering/text.h"

namespace tilewise {
namespace {

// A norm, two products and a residual; the mask is shared.
std::string Layer(int i) {
  return fmt::format(R"(
  g{0} = f32[256] variable()
  o{0} = f32[256] variable()
  n{0} = f32[N,256] layer-norm(x{0}, g{0}, o{0}), dims={{1}}, epsilon=0.001
  w{0} = f32[256,512] variable()
  h{0} = f32[N,512] dot(n{0}, w{0}), lhs_contract={{1}}, rhs_contract={{0}}
  a{0} = f32[N,512] tanh(h{0})
  m{0} = f32[N,512] multiply(a{0}, mask)
  v{0} = f32[512,256] variable()
  d{0} = f32[N,256] dot(m{0}, v{0}), lhs_contract={{1}}, rhs_contract={{0}}
  x{1} = f32[N,256] add(x{0}, d{0})
)",
                     i, i + 1);
}

Graph Layers(int count, const std::string& odd_layer = "") {
  std::string text = R"(
graph "layers" {
  data = f32[N,64] parameter()
  mask1 = f32[512] variable(), trainable=false
  mask = f32[N,512] broadcast(mask1), dims={1}
  we = f32[64,256] variable()
  x0 = f32[N,256] dot(data, we), lhs_contract={1}, rhs_contract={0}
)";
  for (int i = 0; i < count; ++i) {
    text += Layer(i);
    if (i == count / 2) text += odd_layer;
  }
  text += fmt::format(R"(
  wl = f32[256,10] variable()
  y = f32[N,10] dot(x{}, wl), lhs_contract={{1}}, rhs_contract={{0}}
  output result y
}})",
                      count);
  auto graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

TEST(FindRepeats, SeesLayersWithWhatTheyShare) {
  const std::vector<Repeat> repeats = FindRepeats(Layers(9), 8);
  ASSERT_EQ(repeats.size(), 1u);
  EXPECT_EQ(repeats[0].period, 10);
  EXPECT_GE(repeats[0].count, 8);
}

TEST(FindRepeats, NoneAmongFewLayersOrAcrossAnOddOne) {
  EXPECT_TRUE(FindRepeats(Layers(7), 8).empty());
  EXPECT_TRUE(FindRepeats(Layers(9, "  odd = f32[N,256] exponential(x1)\n"), 8).empty());
}

TEST(FoldRepeats, KeepsTheGraphButForLayersLeftOut) {
  const Graph whole = Layers(20);
  const auto folded = FoldRepeats(whole);
  ASSERT_TRUE(folded.ok());
  ASSERT_EQ(folded->repeats.size(), 1u);
  const int32_t left_out = folded->repeats[0].left_out();
  EXPECT_GE(left_out, 12);
  EXPECT_EQ(folded->graph.size(), whole.size() - left_out * 10);
  for (const Op& op : folded->graph.ops()) {
    EXPECT_EQ(op.name, whole.op(folded->WholeId(op.id)).name);
  }
}

// Lowers with and without folding. Layers that come out unlike each other,
// which `may_differ`, are lowered again as they are.
void ExpectSame(const Graph& graph, const Target& target, LowerOptions options = {},
                bool may_differ = false) {
  const auto folded = Lower(graph, 32, target, options);
  ASSERT_TRUE(folded.ok()) << folded.status();
  options.fold_repeats = false;
  const auto whole = Lower(graph, 32, target, options);
  ASSERT_TRUE(whole.ok()) << whole.status();
  if (!may_differ) {
    EXPECT_LT(2 * folded->passes[0].ops, whole->passes[0].ops);
  }
  const auto print = [&](const Program& program) {
    return PrintProgram(program, ContextOf("schedule", target, graph.Bind(32)));
  };
  EXPECT_EQ(print(*folded), print(*whole));
}

Target MakeTargetOf(const char* chip) {
  auto target = MakeTarget(chip, 8, "");
  EXPECT_TRUE(target.ok());
  return *std::move(target);
}

TEST(Lower, FoldedLayersGiveTheSameProgram) {
  LowerOptions options;
  ExpectSame(Layers(20), MakeTargetOf("v2"), options);
  options.spec.optimizer = OptimizerKind::kLamb;
  ExpectSame(Layers(20), MakeTargetOf("v5e"), options);
}

TEST(Lower, FoldedLayersThatAreRecomputedGiveTheSameProgram) {
  for (const Remat remat : {Remat::kFull, Remat::kDots}) {
    LowerOptions options;
    options.spec.remat = remat;
    ExpectSame(Layers(20), MakeTargetOf("v4"), options);
  }
}

TEST(Lower, FoldedLayersGiveTheSameProgramOnAMesh) {
  Target target = MakeTargetOf("v4");
  target.mesh = {.data = 2, .fsdp = 4};
  ExpectSame(Layers(20), target);
}

TEST(Lower, FoldedPartsOfABatchGiveTheSameProgram) {
  LowerOptions options;
  options.spec.accumulation_steps = 2;
  ExpectSame(Layers(20), MakeTargetOf("v3"), options, true);
}

// Ops of one name are numbered, by part of the batch and in each layer in its own way.
TEST(Lower, LayersWhoseNamesAreNumberedInTheirOwnWayAreFoldedInParts) {
  std::string text = PrintGraph(Layers(20));
  for (int i = 0; i < 20; ++i) {
    if (i == 3) continue;
    for (const char* end : {" =", ","}) {
      const std::string old = fmt::format("m{}{}", i, end);
      for (size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + 1)) {
        if (text[at - 1] == ' ' || text[at - 1] == '(') {
          text.replace(at, old.size(), fmt::format("a{}_1{}", i, end));
        }
      }
    }
  }
  const auto graph = ParseGraph(text);
  ASSERT_TRUE(graph.ok()) << graph.status();
  LowerOptions options;
  options.spec.accumulation_steps = 2;
  const auto folded = Lower(*graph, 256, MakeTargetOf("v3"), options);
  options.fold_repeats = false;
  const auto whole = Lower(*graph, 256, MakeTargetOf("v3"), options);
  ASSERT_TRUE(folded.ok() && whole.ok());
  EXPECT_LT(2 * folded->passes[0].ops, whole->passes[0].ops);
  EXPECT_EQ(folded->graph.size(), whole->graph.size());
  EXPECT_EQ(folded->kernels.size(), whole->kernels.size());
}

TEST(Lower, InferenceOfFoldedLayersIsTheSameProgram) {
  LowerOptions options;
  options.training = false;
  ExpectSame(Layers(20), MakeTargetOf("v5e"), options);
}

}  // namespace
}  // namespace tilewise
