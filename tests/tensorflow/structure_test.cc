// What of a graph becomes ops: reachable nodes, inlined functions, branches
// taken, loops put in once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tensorflow/graph_text.h"

namespace tilewise::tf {
namespace {

using testing::HasSubstr;
using testing::Not;

const char* const kFloat = "type: DT_FLOAT";

std::string Unary(std::string_view name, std::string_view op, std::string_view input) {
  return Node(name, op, {input}, Attr("T", kFloat));
}

std::string Library(const std::string& functions) { return "library {\n" + functions + "}\n"; }

TEST(Structure, NodesInAnyOrderBecomeOpsAndDeadOnesDoNot) {
  EXPECT_EQ(GraphLines(Unary("y", "Tanh", "x") + Node("i", "NoOp", {"^dead"}) +
                       Variable("dead", {7}) + Input("x", {-1, 4})),
            "x = f32[N,4] parameter()\n"
            "y/tanh = f32[N,4] tanh(x)\n"
            "output result y/tanh\n");
}

TEST(Structure, OpsKeepTheOrderOfTheFileWhereOperandsLetThem) {
  EXPECT_EQ(GraphLines(Input("x", {4}) + Unary("q", "Neg", "x") + Unary("k", "Exp", "x") +
                       Unary("v", "Abs", "x") + Node("kq", "Mul", {"k", "q"}, Attr("T", kFloat)) +
                       Node("out", "Add", {"kq", "v"}, Attr("T", kFloat))),
            "x = f32[4] parameter()\n"
            "q/negate = f32[4] negate(x)\n"
            "k/exponential = f32[4] exponential(x)\n"
            "v/abs = f32[4] abs(x)\n"
            "kq/multiply = f32[4] multiply(k/exponential, q/negate)\n"
            "out/add = f32[4] add(kq/multiply, v/abs)\n"
            "output result out/add\n");
}

TEST(Structure, CallsAreInlined) {
  const std::string body = Node("read", "ReadVariableOp", {"v"}, Attr("dtype", kFloat)) +
                           Node("mm", "MatMul", {"a", "read:value:0"}, Attr("T", kFloat));
  EXPECT_EQ(GraphLines(Input("x", {-1, 4}) + Variable("w", {4, 8}) +
                       Node("call", "StatefulPartitionedCall", {"x", "w"}, Calls("f", "layer")) +
                       Unary("out", "Identity", "call") +
                       Library(Function("layer", {"a: DT_FLOAT", "v: DT_RESOURCE"}, {"y: DT_FLOAT"},
                                        body, {"y = mm:product:0"}))),
            "x = f32[N,4] parameter()\n"
            "w = f32[4,8] variable()\n"
            "mm/dot = f32[N,8] dot(x, w), lhs_contract={1}, rhs_contract={0}\n"
            "output result mm/dot\n");
}

TEST(Structure, AttributesOfABodyComeFromItsCall) {
  const std::string body =
      Node("cast", "Cast", {"a"}, Attr("SrcT", kFloat) + Attr("DstT", "placeholder: \"To\""));
  EXPECT_THAT(
      GraphLines(
          Input("x", {2}) + Node("call", "Half", {"x"}, Attr("To", "type: DT_HALF")) +
          Library(Function("Half", {"a: DT_FLOAT"}, {"y: DT_HALF"}, body, {"y = cast:y:0"}))),
      HasSubstr("f16[2] convert(x)"));
}

TEST(Structure, FunctionsThatCallThemselvesAreAnError) {
  const std::string body = Node("again", "Loop", {"a"});
  EXPECT_THAT(GraphLines(Input("x", {2}) + Node("call", "Loop", {"x"}) +
                         Library(Function("Loop", {"a: DT_FLOAT"}, {"y: DT_FLOAT"}, body,
                                          {"y = again:y:0"}))),
              HasSubstr("function 'Loop' is called 65 calls deep"));
}

TEST(Structure, OfAConditionTheBranchWithMostWorkIsTaken) {
  const std::string functions =
      Function("t", {"a: DT_FLOAT"}, {"y: DT_FLOAT"},
               Node("mm", "MatMul", {"a", "a"}, Attr("T", kFloat) + Attr("transpose_b", "b: true")),
               {"y = mm:product:0"}) +
      Function("e", {"a: DT_FLOAT"}, {"y: DT_FLOAT"}, Unary("n", "Neg", "a"), {"y = n:y:0"});
  const std::string branch = Calls("then_branch", "t") + Calls("else_branch", "e");
  const std::string predicate =
      Node("i", "Placeholder", {}, Attr("dtype", "type: DT_INT32") + Attr("shape", ShapeText({})));
  const auto workload =
      ReadText("versions { producer: 100 }\n" + Input("x", {4, 4}) + predicate +
               Node("if", "StatelessIf", {"i", "x"}, branch) + Library(functions));
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_THAT(LinesOf(*workload), HasSubstr("mm/dot"));
  EXPECT_THAT(LinesOf(*workload), Not(HasSubstr("negate")));
  ASSERT_FALSE(workload->notes.empty());
  EXPECT_THAT(workload->notes[0].message, HasSubstr("most work"));
  // Known: no.
  EXPECT_THAT(GraphLines(Input("x", {4, 4}) + Int("i", 0) + Node("if", "If", {"i", "x"}, branch) +
                         Library(functions)),
              HasSubstr("negate"));
}

// while (i < 10) { i += 1; v = tanh(v) } from i = 0.
std::string WhileGraph(const std::string& start) {
  const std::string condition = Int("n", 10) + Node("less", "Less", {"i", "n:output:0"});
  const std::string body =
      Int("one", 1) + Node("next", "AddV2", {"i", "one:output:0"}, Attr("T", "type: DT_INT32")) +
      Unary("tanh", "Tanh", "v");
  return Input("x", {-1, 4}) + start +
         Node("loop", "StatelessWhile", {"zero", "x"}, Calls("cond", "c") + Calls("body", "b")) +
         Unary("out", "Identity", "loop:1") +
         Library(Function("c", {"i: DT_INT32", "v: DT_FLOAT"}, {"r: DT_BOOL"}, condition,
                          {"r = less:z:0"}) +
                 Function("b", {"i: DT_INT32", "v: DT_FLOAT"}, {"i2: DT_INT32", "v2: DT_FLOAT"},
                          body, {"i2 = next:z:0", "v2 = tanh:y:0"}));
}

TEST(Structure, LoopsArePutInOnceWithTheirIterations) {
  EXPECT_THAT(GraphLines(WhileGraph(Int("zero", 0))),
              HasSubstr("tanh/tanh = f32[N,4] "
                        "tanh(loop/optimization-barrier_1), loop=1, "
                        "trip_count=10\noutput result tanh/tanh"));
  EXPECT_THAT(GraphLines(WhileGraph(Int("zero", 7))), HasSubstr("trip_count=3"));
}

TEST(Structure, LoopsThatNeverRunHandOnWhatEnters) {
  EXPECT_EQ(GraphLines(WhileGraph(Int("zero", 10))), "x = f32[N,4] parameter()\noutput result x\n");
}

TEST(Structure, LoopsWithoutAKnownLimitRunOnceAndSaySo) {
  const auto workload =
      ReadText(WhileGraph(Node("zero", "Placeholder", {},
                               Attr("dtype", "type: DT_INT32") + Attr("shape", ShapeText({}))) +
                          "versions { producer: 100 }\n"));
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_THAT(LinesOf(*workload), HasSubstr("loop=1"));
  ASSERT_EQ(workload->notes.size(), 1);
  EXPECT_EQ(workload->notes[0].rule, "RD002");
  EXPECT_EQ(workload->notes[0].location.item, "loop");
}

// The same loop as frames of TensorFlow 1.
std::string FrameGraph() {
  const std::string frame = Attr("frame_name", "s: \"f\"");
  const std::string constant = frame + Attr("is_constant", "b: true");
  const std::string integer = Attr("T", "type: DT_INT32");
  return Input("x", {-1, 4}) + Int("zero", 0) + Int("ten", 10) + Int("one", 1) +
         Node("e_i", "Enter", {"zero"}, frame) + Node("e_v", "Enter", {"x"}, frame) +
         Node("e_n", "Enter", {"ten"}, constant) + Node("m_i", "Merge", {"e_i", "n_i"}) +
         Node("m_v", "Merge", {"e_v", "n_v"}) + Node("less", "Less", {"m_i", "e_n"}, integer) +
         Node("cond", "LoopCond", {"less"}) + Node("s_i", "Switch", {"m_i", "cond"}) +
         Node("s_v", "Switch", {"m_v", "cond"}) + Node("add", "Add", {"s_i:1", "one"}, integer) +
         Unary("tanh", "Tanh", "s_v:1") + Node("n_i", "NextIteration", {"add"}) +
         Node("n_v", "NextIteration", {"tanh"}) + Node("exit_v", "Exit", {"s_v"}) +
         Unary("out", "Identity", "exit_v");
}

TEST(Structure, FramesAreLoops) {
  EXPECT_THAT(GraphLines(FrameGraph()),
              HasSubstr("tanh/tanh = f32[N,4] tanh(m_v/optimization-barrier), "
                        "loop=1, trip_count=10\noutput result tanh/tanh"));
}

TEST(Structure, OfASwitchTheBranchOfTheKnownPredicateIsTaken) {
  const auto graph = [](bool known) {
    return Input("x", {2, 4}) +
           Node("p", "Const", {},
                Attr("dtype", "type: DT_BOOL") +
                    Attr("value", known ? "tensor { dtype: DT_BOOL "
                                          "tensor_shape {} bool_val: true }"
                                        : "tensor { dtype: DT_BOOL "
                                          "tensor_shape {} bool_val: false }")) +
           Node("s", "Switch", {"x", "p"}) + Unary("a", "Neg", "s:0") + Unary("b", "Exp", "s:1") +
           Node("m", "Merge", {"a", "b"}) + Unary("out", "Tanh", "m");
  };
  EXPECT_THAT(GraphLines(graph(true)), HasSubstr("tanh(b/exponential)"));
  EXPECT_THAT(GraphLines(graph(false)), HasSubstr("tanh(a/negate)"));
}

TEST(Structure, CyclesOutsideOfLoopsNameTheirNodes) {
  const std::string cycle =
      Node("a", "Add", {"b", "b"}, Attr("T", kFloat)) + Unary("b", "Tanh", "a");
  EXPECT_THAT(GraphLines(cycle + Unary("c", "Exp", "b")),
              HasSubstr("node 'a': nodes form a cycle: b -> a -> b, expected "
                        "no node to need its own result but through "
                        "NextIteration"));
  // No node is a result.
  EXPECT_THAT(GraphLines(cycle), HasSubstr("nodes form a cycle: a -> b -> a"));
}

TEST(Structure, LongCyclesNameTheirFirstNodes) {
  std::string ring = Unary("n0", "Tanh", "n19");
  for (int i = 1; i < 20; ++i) {
    ring += Unary("n" + std::to_string(i), "Tanh", "n" + std::to_string(i - 1));
  }
  EXPECT_THAT(GraphLines(ring), HasSubstr(" -> ... (12 more) -> n"));
}

TEST(Structure, InputsThatAreNotThereNameTheNode) {
  EXPECT_THAT(GraphLines(Unary("y", "Tanh", "nowhere:1")),
              HasSubstr("node 'y' reads 'nowhere:1', which is not in the "
                        "graph"));
}

TEST(Structure, TwoNodesOfOneNameAreAnError) {
  EXPECT_THAT(GraphLines(Input("x", {1}) + Input("x", {1})),
              HasSubstr("found two nodes called 'x'"));
}

TEST(Structure, UnknownOpsAreOpaqueOfTheRecordedShape) {
  const auto workload = ReadText(
      Input("x", {-1, 4}) +
      Node("y", "MyOp", {"x"},
           Attr("T", kFloat) + Attr("_output_shapes", "list { " + ShapeText({-1, 3}) + " }")));
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_THAT(LinesOf(*workload), HasSubstr("f32[N,3] opaque(x)"));
  EXPECT_EQ(workload->opaque_layers.at("MyOp"), 1);
  EXPECT_EQ(workload->notes.at(0).rule, "RD001");
}

TEST(Structure, ShapesThatDisagreeAreNoted) {
  const auto workload = ReadText(
      Input("x", {-1, 4}) +
      Node("y", "Tanh", {"x"},
           Attr("T", kFloat) + Attr("_output_shapes", "list { " + ShapeText({-1, 5}) + " }")));
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_EQ(workload->notes.size(), 1);
  EXPECT_EQ(workload->notes[0].rule, "RD004");
  EXPECT_EQ(workload->notes[0].message, "result 0 of Tanh is f32[N,4], the file says [?,5]");
}

TEST(Structure, InputsWithoutAShapeGetItFromTheirUse) {
  const std::string input = Node("x", "Placeholder", {}, Attr("dtype", kFloat));
  EXPECT_THAT(GraphLines(input + Variable("w", {784, 10}) +
                         Node("r", "ReadVariableOp", {"w"}, Attr("dtype", kFloat)) +
                         Node("y", "MatMul", {"x", "r"}, Attr("T", kFloat))),
              HasSubstr("x = f32[N,784] parameter()"));
}

TEST(Structure, BatchesThatWereBakedInAreTaken) {
  const auto workload = ReadText(Input("x", {-1, 4}) + Input("h", {32, 4}) +
                                 Node("y", "Mul", {"x", "h"}, Attr("T", kFloat)));
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_THAT(LinesOf(*workload), HasSubstr("x = f32[32,4] parameter()"));
  EXPECT_THAT(workload->notes.at(0).message, HasSubstr("batch of 32"));
}

}  // namespace
}  // namespace tilewise::tf
