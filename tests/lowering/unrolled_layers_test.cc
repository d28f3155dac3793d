// Loops over layers: every iteration is written out with weights of its own, and values stay.

#include "graph/unrolled_layers.h"

#include "graph/stacked_weights.h"
#include "tests/lowering/step_graphs.h"

namespace tilewise {
namespace {

#define LOOP ", loop=1, trip_count=3\n"

OpId Named(const Graph& graph, std::string_view name) {
  for (const Op& op : graph.ops()) {
    if (op.name == name) return op.id;
  }
  return kNoOp;
}

// Three layers as they are traced: once, on what the one before leaves.
Graph Traced(const std::string& row, const std::string& output) {
  return ParsedGraph(
      "x = f32[2,2] parameter()\n"
      "w = f32[3,2,2] variable()\n"
      "zero = s32[] constant(), value=0\n"
      "i = s32[] optimization-barrier(zero)" LOOP "c = f32[2,2] optimization-barrier(x)" LOOP +
      row +
      "m = f32[2,2] reshape(r)" LOOP
      "d = f32[2,2] dot(c, m), lhs_contract={1}, rhs_contract={0}" LOOP +
      output);
}

constexpr char kRow[] = "r = f32[1,2,2] dynamic-slice(w, i), dims={0}" LOOP;

Graph Unrolled(const Graph& traced, const char* last) {
  LayerLoop loop;
  loop.id = 1;
  loop.trips = 3;
  loop.begin = Named(traced, "i");
  loop.last = Named(traced, last);
  loop.carried = {{Named(traced, "c"), Named(traced, "d")}};
  auto unrolled = UnrollLayers(traced, {loop});
  EXPECT_TRUE(unrolled.ok()) << unrolled.status();
  return std::move(unrolled->graph);
}

// The same layers one after the other; `order` has their rows.
Graph Written(const std::string& order, const std::string& output) {
  std::string text = "x = f32[2,2] parameter()\nw = f32[3,2,2] variable()\n";
  std::string value = "x";
  for (const char row : order) {
    const std::string n(1, row);
    text += "r" + n + " = f32[1,2,2] slice(w), starts={" + n + ",0,0}, limits={" +
            std::string(1, static_cast<char>(row + 1)) + ",2,2}, strides={1,1,1}\n";
    text += "m" + n + " = f32[2,2] reshape(r" + n + ")\n";
    text += "d" + n + " = f32[2,2] dot(" + value + ", m" + n +
            "), lhs_contract={1}, rhs_contract={0}\n";
    value = "d" + n;
  }
  return ParsedGraph(text + output);
}

TEST(UnrolledLayers, ReadWhatTheOneBeforeLeaves) {
  const Graph graph = Unrolled(Traced(kRow, "output result d"), "d");
  ExpectSameValues(Written("012", "output result d2"), graph, 2);
}

TEST(UnrolledLayers, RunBackwardsWhereTheirRowsDo) {
  const std::string row = "two = s32[] constant(), value=2" LOOP "j = s32[] subtract(two, i)" LOOP
                          "r = f32[1,2,2] dynamic-slice(w, j), dims={0}" LOOP;
  ExpectSameValues(Written("210", "output result d0"),
                   Unrolled(Traced(row, "output result d"), "d"), 2);
}

TEST(UnrolledLayers, RowsThatTheyWriteAreJoined) {
  const Graph graph = Unrolled(
      Traced(kRow,
             "none = f32[] constant(), value=0\n"
             "b = f32[3,2,2] broadcast(none)\n"
             "rows = f32[3,2,2] optimization-barrier(b)" LOOP "u = f32[1,2,2] reshape(d)" LOOP
             "y = f32[3,2,2] dynamic-update-slice(rows, u, i), dims={0}" LOOP "output result y"),
      "y");
  ExpectSameValues(Written("012",
                           "u0 = f32[1,2,2] reshape(d0)\nu1 = f32[1,2,2] reshape(d1)\n"
                           "u2 = f32[1,2,2] reshape(d2)\n"
                           "y = f32[3,2,2] concatenate(u0, u1, u2), dims={0}\noutput result y"),
                   graph, 2);
}

TEST(UnrolledLayers, OneWhoseNextValueIsNotKnownStaysALoop) {
  const Graph traced = Traced(kRow, "output result d");
  LayerLoop loop = {1, 3, Named(traced, "i"), Named(traced, "d"), {{Named(traced, "c"), kNoOp}}};
  EXPECT_EQ(UnrollLayers(traced, {loop})->graph.size(), traced.size());
}

TEST(UnrolledLayers, ALoopOfVeryManyIterationsStaysALoop) {
  const Graph traced = Traced(kRow, "output result d");
  LayerLoop loop = {1, 100'000, Named(traced, "i"), Named(traced, "d"), {}};
  loop.carried = {{Named(traced, "c"), Named(traced, "d")}};
  EXPECT_EQ(UnrollLayers(traced, {loop})->graph.size(), traced.size());
}

TEST(SplitStacks, EachIterationHasAVariableOfItsOwn) {
  const Graph graph = *SplitStacks(Unrolled(Traced(kRow, "output result d"), "d"));
  EXPECT_EQ(CountKind(graph, OpKind::kVariable), 3);
  EXPECT_EQ(CountKind(graph, OpKind::kSlice), 0);
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kVariable) continue;
    EXPECT_EQ(FormatShape(op.shape), "f32[2,2]");
    EXPECT_TRUE(op.loop.is_one_trip());
  }
  EXPECT_TRUE(VerifyGraph(graph).ok());
}

TEST(SplitStacks, CastsAndTransposesOfAStackAreThoseOfItsRows) {
  const std::string body =
      "x = f32[2,5] parameter()\n"
      "w = f32[5,3,4] variable()\n"
      "t = f32[3,4,5] transpose(w), dims={1,2,0}\n"
      "h = bf16[3,4,5] convert(t)\n";
  std::string rows, sum;
  for (const std::string n : {"0", "1", "2"}) {
    const std::string place =
        ", loop=" + std::to_string(std::stoi(n) + 1) + ", trip_count=1, first_trip=1\n";
    rows += "r" + n + " = bf16[1,4,5] slice(h), starts={" + n + ",0,0}, limits={" +
            std::to_string(std::stoi(n) + 1) + ",4,5}, strides={1,1,1}" + place;
  }
  const Graph graph = *SplitStacks(ParsedGraph(
      body + rows + "y = bf16[3,4,5] concatenate(r0, r1, r2), dims={0}\noutput result y"));
  EXPECT_EQ(CountKind(graph, OpKind::kVariable), 3);
  EXPECT_EQ(CountKind(graph, OpKind::kTranspose), 3);
  EXPECT_EQ(CountKind(graph, OpKind::kConvert), 3);
  for (const Op& op : graph.ops()) {
    const std::string shape = FormatShape(op.shape);
    EXPECT_TRUE(op.kind != OpKind::kVariable || shape == "f32[5,4]") << shape;
    EXPECT_TRUE(op.kind != OpKind::kConvert || shape == "bf16[4,5]") << shape;
  }
  EXPECT_TRUE(VerifyGraph(graph).ok());
}

TEST(SplitStacks, AStackThatIsReadAsAWholeStays) {
  const Graph graph = *SplitStacks(
      ParsedGraph("w = f32[2,4] variable()\n"
                  "r = f32[1,4] slice(w), starts={0,0}, limits={1,4}, strides={1,1}, loop=1, "
                  "trip_count=1, first_trip=1\n"
                  "s = f32[4] reduce(w), dims={0}\noutput result r\noutput result s"));
  EXPECT_EQ(CountKind(graph, OpKind::kVariable), 1);
}

}  // namespace
}  // namespace tilewise
