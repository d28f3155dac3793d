// Graph text: what is written reads back, and errors name their line.

#include "graph/text.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "tests/reference/random_graph.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

std::string ParseError(const std::string& text) {
  const auto graph = ParseGraph(text);
  return graph.ok() ? "no error" : Message(graph.status());
}

void ExpectSameOp(const Op& a, const Op& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.kind, b.kind) << a.name;
  EXPECT_EQ(a.shape, b.shape) << a.name;
  EXPECT_EQ(a.operands, b.operands) << a.name;
  EXPECT_EQ(a.attrs, b.attrs) << a.name;
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.location, b.location) << a.name;
  EXPECT_EQ(a.phase, b.phase) << a.name;
  EXPECT_EQ(a.origin, b.origin) << a.name;
}

void ExpectRoundTrip(const Graph& graph) {
  const std::string text = PrintGraph(graph);
  const auto read = ParseGraph(text);
  ASSERT_TRUE(read.ok()) << read.status() << "\n" << text;
  EXPECT_EQ(read->name(), graph.name());
  EXPECT_EQ(read->outputs(), graph.outputs());
  ASSERT_EQ(read->size(), graph.size());
  for (OpId id = 0; id < graph.size(); ++id) {
    ExpectSameOp(read->op(id), graph.op(id));
  }
  EXPECT_EQ(PrintGraph(*read), text);
}

TEST(GraphText, PrintsOneOpALine) {
  const auto graph = ParseGraph(R"(
// A comment before the graph.
graph "mlp" {
  x = f32[N,784] parameter()
  w = f32[784,128] variable(), trainable=false

  d = f32[N,128] dot(x, w), lhs_contract={1}, rhs_contract={0}  // a note
  output result d
  output tile d
  output state w of w
}
)");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(PrintGraph(*graph), R"(graph "mlp" {
  x = f32[N,784] parameter()
  w = f32[784,128] variable(), trainable=false
  d = f32[N,128] dot(x, w), lhs_contract={1}, rhs_contract={0}
  output result d
  output tile d
  output state w of w
}
)");
}

TEST(GraphText, ReadsWindows) {
  const auto graph = ParseGraph(R"(graph "g" {
  x = f32[N,8,8,3] parameter()
  p = f32[N,4,3,3] reduce-window(x), reducer=max, window={size=3x3 stride=2x2 pad=1_1x0_0}
})");
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<WindowDim>& window = graph->op(1).as<PoolAttrs>().window;
  EXPECT_EQ(window[0], (WindowDim{.size = 3, .stride = 2, .pad_low = 1, .pad_high = 1}));
  EXPECT_EQ(window[1], (WindowDim{.size = 3, .stride = 2}));
  EXPECT_EQ(graph->op(1).as<PoolAttrs>().reducer, Reducer::kMax);
  ExpectRoundTrip(*graph);
}

TEST(GraphText, ReadsQuantisedAndWideProducts) {
  const auto graph = ParseGraph(R"(graph "g" {
  x = s8[4,8] parameter()
  a = s32[4,4] dot(x, x), lhs_contract={1}, rhs_contract={1}, wide=true
  y = bf16[4,8] parameter()
  b = bf16[4,4] dot(y, y), lhs_contract={1}, rhs_contract={1}, quantized=s8
})");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->op(1).shape.dtype, DType::kS32);
  EXPECT_EQ(graph->op(3).as<DotAttrs>().quantized, DType::kS8);
  ExpectRoundTrip(*graph);
}

TEST(GraphText, KeepsNamesOfAnyBytes) {
  GraphBuilder b("a \"quoted\"\n\\ name");
  const Shape shape(DType::kF32, {BatchDim()});
  for (const char* name :
       {"my layer/x", "a//b", "\"", "}", "output", "", "x:0", "größe", "\\n", "line\nbreak"}) {
    b.Parameter(shape, name);
  }
  ExpectRoundTrip(*b.Build());
}

TEST(GraphText, KeepsPlacesOfAnyForm) {
  GraphBuilder b("g");
  const Shape shape(DType::kF32, {BatchDim()});
  for (const Location& location :
       std::vector<Location>{{.file = "m.py", .line = 3, .column = 1},
                             {.file = "m.py", .line = 3},
                             {.file = "m.py"},
                             {.file = "book.ipynb", .line = 3, .column = 1, .cell = 2},
                             {.file = "book.ipynb", .cell = 2},
                             {.file = "C:\\m.py", .line = 3},
                             {.file = "odd:3"},
                             {.file = "odd:cell 3:4:5"},
                             {.file = "m.json", .item = "conv \"1\""},
                             {.item = "only an item"}}) {
    b.SetLocation(location);
    b.Parameter(shape, "x");
  }
  ExpectRoundTrip(*b.Build());
}

TEST(GraphText, KeepsNumbersExactly) {
  GraphBuilder b("g");
  for (const double value : {0.1, -1e-300, 1.0 / 3, std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(), 3.0}) {
    b.Constant(value, Shape::Of(DType::kF32, {2}));
  }
  ExpectRoundTrip(*b.Build());
}

TEST(GraphText, KeepsPhaseAndOrigin) {
  GraphBuilder b("g");
  b.SetPhase(Phase::kUpdate);
  b.SetOrigin(12);
  const OpId x = b.Parameter(Shape::Of(DType::kF32, {2}), "x");
  Op copy = b.op(x);
  copy.origin = kNoOp;
  b.Clone(copy, {});
  ExpectRoundTrip(*b.Build());
}

TEST(GraphText, KeepsEveryAttributeOfRandomGraphs) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const Graph graph = reference::RandomGraph(seed, 8, seed % 2 == 1);
    ExpectRoundTrip(graph);
    ExpectRoundTrip(graph.Bind(4));
  }
}

TEST(GraphText, KeepsAttributesOfKindsThatModelsRarelyUse) {
  const auto graph = ParseGraph(R"(graph "g" {
  q = bf16[N,7,8,16] parameter()
  a = bf16[N,7,8,16] attention(q, q, q), causal=true, flash=true, scale=0.25
  f = f32[N,8,7] flash-attention(q, q, q), precision_passes=3, result=1
  x = f8e4m3fn[4,8] parameter()
  s = f8e4m3fn[4,8] sort(x), dims={0}, descending=true
  t = s32[4,3] top-k(x), k=3, result=1
  c = f8e4m3fn[4,8] cumulative(x), dims={1}, reverse=true, reducer=max
  r = f8e4m3fn[4,8] collective-permute(x), group_size=4, shift=-1, axis="ring"
  b = f8e4m3fn[4,8] optimization-barrier(x, t)
  w = s4[8] variable(), trainable=false
  i = s32[2,5] parameter()
  g = f8e4m3fn[2,2,8,5] gather-slices(x, i), offset_dims={0,2}, start_dims={0}, slice_sizes={2,8}, index_dim=2
  h = f8e4m3fn[5,1] gather-slices(x, i), offset_dims={1}, collapsed_dims={1}, start_dims={1,0}, slice_sizes={1,1}
  u = f8e4m3fn[4,3] parameter()
  p = s32[4,3] parameter()
  z = f8e4m3fn[4,8] scatter-slices(x, p, u), collapsed_dims={1}, start_dims={1}, operand_batch={0}, indices_batch={0}, index_dim=2, assign=true, loop=3, trip_count=12
  m = s32[4] arg-reduce(x), dims={1}, reducer=min, loop=-3, trip_count=12
  y = u8[4,8] bitcast-convert(x)
  o = u8[8] reduce(y), dims={0}, reducer=xor
  e = f32[2] parameter()
  d = c64[2] complex(e, e)
  a2 = f32[2] abs(d)
  v = f32[1,4,2] parameter()
  n = f32[1,4,2] reduce-window(v), window={size=2 pad=-1_-1 base_dilation=2}, reducer=other
})");
  ASSERT_TRUE(graph.ok()) << graph.status();
  ExpectRoundTrip(*graph);
}

TEST(GraphText, NamesTheLineOfAnError) {
  EXPECT_EQ(ParseError("graph \"g\" {\n  x = f32[2] parameter()\n"
                       "  y = f32[3] tanh(x)\n}"),
            "line 3: tanh: found f32[3], expected f32[2]");
  EXPECT_EQ(ParseError("graph \"g\" {\n  y = f32[3] tanh(x)\n}"),
            "line 2: found x, expected an op of an earlier line");
  EXPECT_EQ(ParseError("graph \"g\" {\n  x = f32[3] tenh()\n}"),
            "line 2: found \"tenh\", expected an op kind");
  EXPECT_EQ(ParseError("graph \"g\" {\n  x = f33[3] parameter()\n}"),
            "line 2: found \"f33\", expected an element type");
  EXPECT_EQ(ParseError("graph \"g\" {\n  x = f32[3] parameter(), stride=2\n}"),
            "line 2: found \"stride\", expected the name of an attribute");
  EXPECT_EQ(ParseError("graph \"g\" {\n  x = f32[3] parameter(), dims={0}\n}"),
            "line 2: found \"dims\", expected the name of an attribute");
}

TEST(GraphText, OneNameIsOneOp) {
  EXPECT_EQ(ParseError("graph \"g\" {\n  x = f32[2] parameter()\n"
                       "  x = f32[2] parameter()\n}"),
            "line 3: x is already defined on line 2");
  EXPECT_EQ(ParseError("graph \"g\" {\n  x = f32[2] tanh(x)\n}"), "line 2: x is its own operand");
}

TEST(GraphText, CutOffTextIsAnError) {
  EXPECT_EQ(ParseError(""), "line 0: found no text, expected graph");
  EXPECT_THAT(ParseError("graph \"g\" {\n  x = f32[2] parameter()"),
              HasSubstr("line 2: found the end of the text, expected }"));
  EXPECT_THAT(ParseError("graph \"g"), HasSubstr("a string without end"));
}

TEST(GraphText, EveryPrefixOfATextIsReadOrRefused) {
  const std::string text = PrintGraph(reference::RandomGraph(3, 6));
  for (size_t length = 0; length < text.size(); ++length) {
    const bool complete = length + 1 == text.size();  // without the last \n
    EXPECT_EQ(ParseGraph(text.substr(0, length)).ok(), complete) << length;
  }
}

}  // namespace
}  // namespace tilewise
