// Graphs with the batch baked in get it back, or say what is in the way.

#include "graph/rebatch.h"

#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/text.h"
#include "tests/reference/random_graph.h"

namespace tilewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Graph Parsed(const std::string& body) {
  auto graph = ParseGraph("graph \"g\" {\n" + body + "\n}");
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? *std::move(graph) : Graph();
}

// The shape of the last op once dim `dim` of the first is the batch, or why it
// cannot be.
std::string Separated(const std::string& body, int64_t dim = 0) {
  const Graph graph = Parsed(body);
  const BatchSeed seed = {0, dim};
  const auto separated = SeparateBatch(graph, std::span(&seed, 1));
  if (!separated.ok()) return Message(separated.status());
  EXPECT_EQ(PrintGraph(separated->Bind(graph.op(0).shape.size(dim))), PrintGraph(graph));
  return FormatShape(separated->ops().back().shape);
}

std::vector<BatchSeed> SeedsOf(const Graph& symbolic) {
  std::vector<BatchSeed> seeds;
  for (const Op& op : symbolic.ops()) {
    if (op.kind == OpKind::kParameter) seeds.push_back({op.id, 0});
  }
  return seeds;
}

// Sizes of random graphs are small too: many dims equal the batch by chance.
TEST(SeparateBatch, UndoesABinding) {
  for (uint32_t seed = 0; seed < 120; ++seed) {
    const Graph symbolic = reference::RandomGraph(seed, 8, seed % 2 == 1);
    for (const int64_t batch : {2, 3, 4, 32}) {
      const Graph bound = symbolic.Bind(batch);
      const auto separated = SeparateBatch(bound, SeedsOf(symbolic));
      ASSERT_TRUE(separated.ok()) << separated.status() << " seed " << seed << "\n"
                                  << PrintGraph(symbolic);
      ASSERT_EQ(PrintGraph(separated->Bind(batch)), PrintGraph(bound));
      ASSERT_EQ(PrintGraph(separated->Bind(7)), PrintGraph(symbolic.Bind(7))) << "seed " << seed;
    }
  }
}

// Ops that stretch what met a batch of 1 are new; all others are as they were.
TEST(SeparateBatch, UndoesABindingToOne) {
  for (uint32_t seed = 0; seed < 120; ++seed) {
    const Graph symbolic = reference::RandomGraph(seed, 8, seed % 2 == 1);
    const auto separated = SeparateBatch(symbolic.Bind(1), SeedsOf(symbolic));
    ASSERT_TRUE(separated.ok()) << separated.status() << " seed " << seed << "\n"
                                << PrintGraph(symbolic);
    ASSERT_EQ(separated->outputs().size(), symbolic.outputs().size());
    for (size_t i = 0; i < symbolic.outputs().size(); ++i) {
      const Op& found = separated->op(separated->outputs()[i].value);
      const Op& wanted = symbolic.op(symbolic.outputs()[i].value);
      ASSERT_EQ(found.name, wanted.name);
      if (!wanted.operands.empty()) {
        ASSERT_EQ(FormatShape(found.shape), FormatShape(wanted.shape))
            << found.name << " seed " << seed;
      }
    }
  }
}

TEST(GuessBatch, FindsTheInputsOfRandomGraphs) {
  for (uint32_t seed = 0; seed < 80; ++seed) {
    const Graph symbolic = reference::RandomGraph(seed, 8, seed % 2 == 1);
    for (const int64_t batch : {3, 17}) {
      const Graph bound = symbolic.Bind(batch);
      const auto guess = GuessBatch(bound);
      ASSERT_TRUE(guess.ok()) << guess.status() << " seed " << seed;
      ASSERT_EQ(guess->batch, batch) << "seed " << seed;
      const auto separated = SeparateBatch(bound, *guess);
      ASSERT_TRUE(separated.ok()) << separated.status();
      ASSERT_EQ(PrintGraph(separated->Bind(7)), PrintGraph(symbolic.Bind(7))) << "seed " << seed;
    }
  }
}

TEST(SeparateBatch, FollowsTheOpNotTheSize) {
  EXPECT_EQ(Separated(R"(
    x = f32[128,128] parameter()
    w = f32[128,128] variable()
    y = f32[128,128] dot(x, w), lhs_contract={1}, rhs_contract={0})"),
            "f32[N,128]");
}

TEST(SeparateBatch, TracksTheBatchInMergedDims) {
  const std::string merged = R"(
    x = f32[4,4,8] parameter()
    m = f32[16,8] reshape(x)
    t = f32[8,16] transpose(m), dims={1,0}
    f = f32[128] reshape(t)
)";
  EXPECT_EQ(Separated(merged + "s = f32[8,4,4] reshape(f)"), "f32[8,N,4]");
  EXPECT_EQ(Separated(merged + "s = f32[8,4,4] reshape(f)", 1), "f32[8,4,N]");
  EXPECT_EQ(Separated(merged + "s = f32[2,64] reshape(f)"), "f32[2,16N]");
}

TEST(SeparateBatch, ReachesConstantsAndOtherInputs) {
  const Graph graph = Parsed(R"(
    x = f32[6,5] parameter()
    z = f32[] constant(), value=2
    b = f32[6,5] broadcast(z)
    c = f32[6,5] constant(), value=3
    y = f32[6,5] parameter()
    s = f32[6,5] add(x, b)
    t = f32[6,5] multiply(c, y)
    r = f32[6,5] subtract(s, t)
    l = f32[] reduce(r), dims={0,1}
    n = f32[] constant(), value=0.03333333333333333
    m = f32[] multiply(l, n)
    output loss m)");
  const BatchSeed seed = {0, 0};
  const auto guess = FindBatch(graph, std::span(&seed, 1));
  ASSERT_TRUE(guess.ok()) << guess.status();
  const auto separated = SeparateBatch(graph, *guess);
  ASSERT_TRUE(separated.ok()) << separated.status();
  for (const OpId id : std::vector<OpId>{0, 2, 3, 4, 5, 6, 7}) {
    EXPECT_EQ(FormatShape(separated->op(id).shape), "f32[N,5]") << id;
  }
  EXPECT_THAT(guess->constants, ElementsAre(OpId(9)));
  EXPECT_EQ(ExplainReason(graph, guess->dims.front()), "x f32[6,5] dim 0: an input's batch");
  EXPECT_EQ(ExplainReason(graph, guess->dims.back()), "r f32[6,5] dim 0: is dim 0 of s in r");
}

TEST(SeparateBatch, KeepsWholeDimsOfSlicesAndGathers) {
  EXPECT_EQ(Separated(R"(
    x = f32[6,5,4] parameter()
    s = f32[6,2,4] slice(x), starts={0,1,0}, limits={6,3,4}, strides={1,1,1}
    i = s32[3] constant(), value=1
    g = f32[6,3,4] gather-slices(s, i), offset_dims={0,2}, collapsed_dims={1}, start_dims={1}, slice_sizes={6,1,4}, index_dim=1
    p = s32[] constant()
    d = f32[6,1,4] dynamic-slice(g, p, p), dims={0,1})"),
            "f32[N,1,4]");
}

TEST(SeparateBatch, FollowsTheGradientOfAKernel) {
  EXPECT_EQ(Separated(R"(
    x = f32[6,8,8,3] parameter()
    t = f32[3,8,8,6] transpose(x), dims={3,1,2,0}
    k = f32[8,8,3,2] variable()
    dy = f32[6,1,1,2] convolution(x, k), window={size=8x8}
    dk = f32[1,1,6,2] transpose(dy), dims={1,2,0,3}
    y = f32[3,8,8,2] convolution(t, dk), window={size=1x1})"),
            "f32[3,8,8,2]");
}

// Random numbers that a module counts out: the halves of what it needs apart.
constexpr char kCounted[] = R"(
    x = f32[6,8] parameter()
    key = u32[] parameter()
    all = u32[48] iota(), dims={0}
    low = u32[24] slice(all), starts={0}, limits={24}, strides={1}
    high = u32[24] slice(all), starts={24}, limits={48}, strides={1}
    keys = u32[24] broadcast(key)
    a = u32[24] xor(low, keys)
    b = u32[24] xor(high, a)
    both = u32[48] concatenate(a, b), dims={0}
    bits = u32[6,8] reshape(both)
    mask = f32[6,8] convert(bits)
    y = f32[6,8] multiply(x, mask)
    output result y)";

TEST(SeparateBatch, LaysOutCountedNumbersAsTheyAreUsed) {
  const Graph graph = Parsed(kCounted);
  const auto guess = GuessBatch(graph);
  ASSERT_TRUE(guess.ok()) << guess.status();
  const auto separated = SeparateBatch(graph, *guess);
  ASSERT_TRUE(separated.ok()) << separated.status();
  const auto shape = [&](OpId op) { return FormatShape(separated->op(op).shape); };
  EXPECT_EQ(shape(7), "u32[N,4]");
  EXPECT_EQ(separated->op(4).kind, OpKind::kIota);
  EXPECT_EQ(shape(8), "u32[N,8]");
  EXPECT_EQ(shape(11), "f32[N,8]");
  const Graph bound = separated->Bind(6);
  for (const Op& op : graph.ops()) {
    EXPECT_EQ(bound.op(op.id).name, op.name);
    EXPECT_EQ(bound.op(op.id).shape.elements(), op.shape.elements()) << op.name;
  }
}

TEST(SeparateBatch, LeavesCountedNumbersThatAreSeenElsewhere) {
  const Graph graph = Parsed(std::string(kCounted) + "\noutput result both");
  EXPECT_THAT(Message(GuessBatch(graph).status()),
              HasSubstr("the batch of 8 cannot be separated: low: slice"));
}

TEST(SeparateBatch, SaysWhichOpStopsIt) {
  EXPECT_THAT(Separated(R"(
    x = f32[32,8] parameter()
    y = f32[16,16] reshape(x), at="model.py:7")"),
              HasSubstr("the batch of 32 cannot be separated: model.py:7: y: "
                        "reshape f32[32,8] -> f32[16,16] spreads dim 0"));
  EXPECT_THAT(Separated(R"(
    x = f32[6,5] parameter()
    w = f32[6,5] variable()
    y = f32[6,5] add(x, w))"),
              HasSubstr("y: dim 0 of the variable w f32[6,5] is the batch, as "
                        "dim 0 of x f32[6,5]"));
  EXPECT_THAT(Separated(R"(
    x = f32[6,5] parameter()
    y = f32[3,5] slice(x), starts={0,0}, limits={3,5}, strides={1,1})"),
              HasSubstr("y: slice: found a slice of the batch dim"));
  EXPECT_THAT(Separated(R"(
    x = f32[6,5] parameter()
    y = f32[6,6] dot(x, x), lhs_contract={1}, rhs_contract={1}
    z = f32[36] reshape(y))"),
              HasSubstr("merges dims 0 and 1, which both hold the batch"));
  EXPECT_THAT(Separated(R"(
    x = f32[6,5] parameter()
    o = f32[1,5] constant()
    y = f32[7,5] concatenate(x, o), dims={0})"),
              HasSubstr("is no multiple of the batch, but dim 0 of x"));
}

// A batch of 1 could be either dim of the row; the first is one of the steps.
TEST(SeparateBatch, TheStepThatALoopWritesIsNoBatch) {
  const Graph graph = Parsed(R"(
    x = f32[1,2] parameter()
    i = s32[] parameter()
    all = f32[128,1,2] constant()
    carried = f32[128,1,2] optimization-barrier(all), loop=1, trip_count=128
    y = f32[1,2] tanh(x), loop=1, trip_count=128
    row = f32[1,1,2] reshape(y), loop=1, trip_count=128
    z = f32[128,1,2] dynamic-update-slice(carried, row, i), dims={0}, loop=1, trip_count=128)");
  const BatchSeed seed = {0, 0};
  const auto separated = SeparateBatch(graph, std::span(&seed, 1));
  ASSERT_TRUE(separated.ok()) << separated.status();
  EXPECT_EQ(FormatShape(separated->ops().back().shape), "f32[128,N,2]");
}

TEST(SeparateBatch, RefusesSeedsThatAreNone) {
  const Graph graph = Parsed("x = f32[6,5] parameter()\nw = f32[6] variable()");
  const auto refused = [&](OpId op, int64_t dim) {
    const BatchSeed seed = {op, dim};
    return Message(FindBatch(graph, std::span(&seed, 1)).status());
  };
  EXPECT_THAT(refused(0, 2), HasSubstr("found dim 2 of input x f32[6,5]"));
  EXPECT_THAT(refused(1, 0), HasSubstr("expected the batch in a dim of an"));
  EXPECT_THAT(refused(7, 0), HasSubstr("expected the batch in a dim of an"));
  EXPECT_THAT(Message(FindBatch(graph, {}).status()),
              HasSubstr("found no input that has the batch"));
  EXPECT_THAT(Message(GuessBatch(Parsed("x = f32[N] parameter()")).status()),
              HasSubstr("depend on the batch already"));
  // Inputs whose sizes have nothing in common.
  const Graph two = Parsed("x = f32[16,2] parameter()\ny = f32[7,2] parameter()");
  const std::vector<BatchSeed> seeds = {{0, 0}, {1, 0}};
  EXPECT_FALSE(FindBatch(two, seeds).ok());
}

// The op of that name once dim `dim` of the op `what` is `size` long, or why it
// cannot be.
std::string Resized(const std::string& body, OpId what, int64_t dim, int64_t size) {
  const Graph graph = Parsed(body);
  const auto resized = ResizeDim(graph, what, dim, size);
  if (!resized.ok()) return Message(resized.status());
  const auto back = ResizeDim(*resized, what, dim, graph.op(what).shape.size(dim));
  EXPECT_TRUE(back.ok()) << back.status();
  if (!back.ok()) return "";
  EXPECT_EQ(PrintGraph(*back), PrintGraph(graph));
  std::string shapes;
  for (const Op& op : resized->ops()) shapes += FormatShape(op.shape) + " ";
  return shapes;
}

TEST(ResizeDim, ChangesTheLayerAndTheOneThatReadsIt) {
  EXPECT_EQ(Resized(R"(
    x = f32[32,7] parameter()
    w = f32[7,600] variable()
    y = f32[32,600] dot(x, w), lhs_contract={1}, rhs_contract={0}
    r = f32[32,600] tanh(y)
    v = f32[600,10] variable()
    z = f32[32,10] dot(r, v), lhs_contract={1}, rhs_contract={0})",
                    1, 1, 640),
            "f32[32,7] f32[7,640] f32[32,640] f32[32,640] f32[640,10] "
            "f32[32,10] ");
}

TEST(ResizeDim, ScalesMergedDims) {
  EXPECT_EQ(Resized(R"(
    x = f32[4,7,7,3] parameter()
    k = f32[1,1,3,60] variable()
    c = f32[4,7,7,60] convolution(x, k), window={size=1x1}
    f = f32[4,2940] reshape(c)
    v = f32[2940,10] variable()
    z = f32[4,10] dot(f, v), lhs_contract={1}, rhs_contract={0})",
                    1, 3, 64),
            "f32[4,7,7,3] f32[1,1,3,64] f32[4,7,7,64] f32[4,3136] "
            "f32[3136,10] f32[4,10] ");
}

TEST(ResizeDim, LeavesTheInputsOfTheModelAlone) {
  EXPECT_THAT(Resized(R"(
    x = f32[32,7] parameter()
    w = f32[7,600] variable()
    y = f32[32,600] dot(x, w), lhs_contract={1}, rhs_contract={0})",
                      1, 0, 8),
              HasSubstr("dim 1 of the input x f32[32,7] would have to change"));
}

TEST(GuessBatch, PassesOverWeightsThatAreInputs) {
  const Graph graph = Parsed(R"(
    w1 = f32[64,16] parameter()
    w2 = f32[16,16] parameter()
    x = f32[16,64] parameter()
    labels = f32[16] parameter()
    h = f32[16,16] dot(x, w1), lhs_contract={1}, rhs_contract={0}
    y = f32[16,16] dot(h, w2), lhs_contract={1}, rhs_contract={0}
    l = f32[16] reduce(y), dims={1}
    e = f32[16] subtract(l, labels)
    output result e)");
  const auto guess = GuessBatch(graph);
  ASSERT_TRUE(guess.ok()) << guess.status();
  EXPECT_EQ(guess->batch, 16);
  EXPECT_THAT(guess->seeds, ElementsAre(BatchSeed{2, 0}));
}

TEST(GuessBatch, TakesEveryPartOfTheGraph) {
  const Graph graph = Parsed(R"(
    a = f32[8,4] parameter()
    b = f32[8,4] parameter()
    w = f32[8,4] parameter()
    x = f32[8] reduce(a), dims={1}
    y = f32[8] reduce(b), dims={1}
    z = f32[8,8] dot(a, w), lhs_contract={1}, rhs_contract={1}
    output result x
    output result y
    output result z)");
  const auto guess = GuessBatch(graph);
  ASSERT_TRUE(guess.ok()) << guess.status();
  EXPECT_THAT(guess->seeds, ElementsAre(BatchSeed{0, 0}, BatchSeed{1, 0}));
}

TEST(GuessBatch, TriesSecondDimsWhenStepsComeFirst) {
  const Graph graph = Parsed(R"(
    x = f32[7,4,6] parameter()
    t = f32[4,7,6] transpose(x), dims={1,0,2}
    u = f32[6,6] variable()
    y = f32[4,7,6] recurrent(t, u), cell=simple_rnn
    output result y)");
  const auto guess = GuessBatch(graph);
  ASSERT_TRUE(guess.ok()) << guess.status();
  EXPECT_EQ(guess->batch, 4);
  EXPECT_THAT(guess->seeds, ElementsAre(BatchSeed{0, 1}));
}

TEST(GuessBatch, TellsWhatStopsTheLikeliestInput) {
  EXPECT_THAT(Message(GuessBatch(Parsed(R"(
    x = f32[6,5] parameter()
    w = f32[6,5] variable()
    h = f32[6,5] tanh(x)
    y = f32[6,5] add(h, w))"))
                          .status()),
              HasSubstr("the batch of 6 cannot be separated: y: dim 0 of the "
                        "variable w"));
  EXPECT_THAT(Message(GuessBatch(Parsed(R"(
    v = f32[6] variable()
    w = f32[6,7] variable()
    s = f32[] parameter())"))
                          .status()),
              HasSubstr("found no input with dims, expected one that has the "
                        "batch: the largest of what goes in is w f32[6,7]"));
}

TEST(GuessBatch, IsLinearInTheGraph) {
  GraphBuilder b("deep");
  OpId x = b.Parameter(Shape::Of(DType::kF32, {32, 8}), "x");
  for (int i = 0; i < 10000; ++i) {
    x = b.Binary(OpKind::kAdd, b.Unary(OpKind::kTanh, x),
                 b.Constant(1, Shape::Of(DType::kF32, {32, 8})));
  }
  b.AddOutput(x, Output::Role::kResult);
  const Graph graph = *b.Build();
  const auto start = std::chrono::steady_clock::now();
  const auto guess = GuessBatch(graph);
  ASSERT_TRUE(guess.ok()) << guess.status();
  ASSERT_TRUE(SeparateBatch(graph, *guess).ok());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(guess->dims.size(), 30001u);
  EXPECT_LT(seconds.count(), 10);  // unoptimised, on a busy machine
}

}  // namespace
}  // namespace tilewise
