// Whole models: control flow, functions, weights, the batch, versions of forms,
// and files that are none.

#include "frontend/onnx/read_onnx.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/onnx/model_text.h"

namespace tilewise {
namespace {

using onnx_format::AttributeProto;
using onnx_format::GraphProto;
using onnx_format::ModelProto;
using onnx_format::NodeProto;
using testing::HasSubstr;

absl::StatusOr<Workload> Read(const ModelProto& model, const LoadOptions& options = {}) {
  const std::string bytes = model.SerializeAsString();
  return ReadOnnx({"test.onnx", bytes}, options);
}

absl::StatusOr<Workload> Read(std::string_view text, const LoadOptions& options = {}) {
  return Read(ModelFromText(text), options);
}

std::string ErrorOf(const absl::StatusOr<Workload>& workload) {
  return workload.ok() ? "no error" : Message(workload.status());
}

int64_t Count(const Graph& graph, OpKind kind) {
  int64_t count = 0;
  for (const Op& op : graph.ops()) count += op.kind == kind ? 1 : 0;
  return count;
}

const Op* First(const Graph& graph, OpKind kind) {
  for (const Op& op : graph.ops()) {
    if (op.kind == kind) return &op;
  }
  return nullptr;
}

std::string NotesOf(const Workload& workload) {
  std::string all;
  for (const Diagnostic& note : workload.notes) {
    all += note.rule + " " + note.message + "\n";
  }
  return all;
}

// The body of a loop or branch: the graph of a model in text.
void SetGraph(NodeProto& node, const std::string& name, std::string_view text) {
  AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(AttributeProto::GRAPH);
  *attribute.mutable_g() = ModelFromText(text).graph();
}

constexpr char kDense[] = R"(
input x f32 N,4
weight w f32 4,8
node MatMul x w -> y
output y)";

TEST(ReadOnnx, TellsWhatTheModelIs) {
  ModelProto model = ModelFromText(kDense);
  model.set_producer_name("maker");
  model.set_producer_version("1.2");
  const auto workload = Read(model);
  ASSERT_TRUE(workload.ok()) << ErrorOf(workload);
  EXPECT_EQ(workload->format, "onnx");
  EXPECT_EQ(workload->producer, "maker 1.2");
  EXPECT_EQ(workload->step, StepKind::kInference);
  EXPECT_EQ(workload->layers, 1);
  EXPECT_EQ(workload->source_ops.at("MatMul"), 1);
  EXPECT_EQ(workload->graph->trainable_parameters(), 32);
  EXPECT_EQ(First(*workload->graph, OpKind::kDot)->location.item, "y");
}

TEST(ReadOnnx, ReadsTheTextForm) {
  const std::string text = ModelFromText(kDense).DebugString();
  const InputFile file{"test.textproto", text};
  EXPECT_TRUE(LooksLikeOnnx(file));
  const auto workload = ReadOnnx(file, {});
  ASSERT_TRUE(workload.ok()) << ErrorOf(workload);
  EXPECT_EQ(Count(*workload->graph, OpKind::kDot), 1);
}

TEST(ReadOnnx, IsNotTakenInByOtherFiles) {
  for (const std::string& bytes : {std::string(), std::string("{\"a\": 1}"), std::string("graph"),
                                   std::string("\x08\x01\x12\x02hi"),
                                   // A tensor: dims, type, int64 data.
                                   std::string("\x08\x02\x10\x07\x3a\x02\x01\x02")}) {
    EXPECT_FALSE(LooksLikeOnnx({"file", bytes})) << bytes;
  }
}

TEST(ReadOnnx, TakesTheDimThatIsNamedBatch) {
  const auto workload = Read(R"(
input x f32 time,batch,4
node Relu x -> y
output y)");
  ASSERT_TRUE(workload.ok()) << ErrorOf(workload);
  const Op* x = First(*workload->graph, OpKind::kParameter);
  EXPECT_EQ(FormatShape(x->shape), "f32[128,N,4]");
  EXPECT_THAT(NotesOf(*workload), HasSubstr("dim time of input x"));
}

TEST(ReadOnnx, TakesANumberWhereTheModelNeedsOne) {
  const auto workload = Read(R"(
ints starts 1
ints ends 3
input x f32 ?,4
node Slice x starts ends -> y
output y)");
  ASSERT_TRUE(workload.ok()) << ErrorOf(workload);
  EXPECT_TRUE(workload->graph->is_static());
  EXPECT_THAT(NotesOf(*workload), HasSubstr("not as the batch"));
}

// The file counts the keys before a query's own.
TEST(ReadOnnx, LocalAttentionHasASlidingWindow) {
  const auto workload = Read(R"(
opset 13 com.microsoft 1
input q f32 N,6,16
input k f32 N,6,8
input v f32 N,6,8
node com.microsoft.GroupQueryAttention q k v -> y num_heads=4 kv_num_heads=2 local_window_size=3
output y)");
  ASSERT_TRUE(workload.ok()) << ErrorOf(workload);
  const Op* attention = First(*workload->graph, OpKind::kAttention);
  ASSERT_NE(attention, nullptr) << NotesOf(*workload);
  EXPECT_TRUE(attention->as<AttentionAttrs>().causal);
  EXPECT_EQ(attention->as<AttentionAttrs>().sliding_window, 4);
}

TEST(ReadOnnx, InputsUsedAsWeightsAreVariables) {
  const auto workload = Read(R"(
input x f32 N,3,8,8
input c.weight f32 16,3,3,3
input c.bias f32 16
node Conv x c.weight c.bias -> y
output y)");
  ASSERT_TRUE(workload.ok()) << ErrorOf(workload);
  EXPECT_EQ(Count(*workload->graph, OpKind::kParameter), 1);
  EXPECT_EQ(workload->graph->trainable_parameters(), 16 * 27 + 16);
}

TEST(ReadOnnx, AModelThatIsToTrainTrainsItsBatchNorms) {
  constexpr char kModel[] = R"(
input x f32 N,8,4,4
weight s f32 8
weight b f32 8
weight m f32 8
weight v f32 8
node BatchNormalization x s b m v -> y
output y)";
  LoadOptions options;
  const auto as_it_is = Read(kModel, options);
  options.training = true;
  const auto trained = Read(kModel, options);
  ASSERT_TRUE(as_it_is.ok() && trained.ok()) << ErrorOf(trained);
  EXPECT_EQ(Count(*as_it_is->graph, OpKind::kBatchNormInference), 1);
  EXPECT_EQ(Count(*trained->graph, OpKind::kBatchNormTraining), 1);
  EXPECT_EQ(trained->step, StepKind::kTraining);
  EXPECT_EQ(trained->graph->trainable_parameters(), 16);
}

TEST(ReadOnnx, StatedShapesThatDoNotFollowAreNoted) {
  const auto workload = Read(R"(
input x f32 N,4
node Relu x -> z
state z f32 N,5
node Relu z -> y
output y)");
  ASSERT_TRUE(workload.ok()) << ErrorOf(workload);
  EXPECT_THAT(NotesOf(*workload), HasSubstr("RD004 z of Relu is f32[N,4], the file states"));
}

TEST(ReadOnnx, ALoopIsInTheGraphOnce) {
  ModelProto model = ModelFromText(R"(
ints trips 5
input x f32 2,4
weight w f32 4,4
node Loop trips - x -> y
output y)");
  SetGraph(*model.mutable_graph()->mutable_node(0), "body", R"(
input i s64
input go pred
input h f32 2,4
node MatMul h w -> next
node Identity go -> on
output on
output next)");
  const auto workload = Read(model);
  ASSERT_TRUE(workload.ok()) << ErrorOf(workload);
  const Op* dot = First(*workload->graph, OpKind::kDot);
  ASSERT_NE(dot, nullptr);
  EXPECT_EQ(dot->loop.trip_count, 5);
  EXPECT_EQ(Count(*workload->graph, OpKind::kDot), 1);
  EXPECT_EQ(workload->graph->op(dot->operands[0]).kind, OpKind::kBarrier);
}

TEST(ReadOnnx, AScanWritesARowOnEachIteration) {
  ModelProto model = ModelFromText(R"(
input h f32 4
input x f32 7,4
node Scan h x -> last rows num_scan_inputs=1
output rows)");
  SetGraph(*model.mutable_graph()->mutable_node(0), "body", R"(
input s f32 4
input row f32 4
node Add s row -> next
node Identity next -> out
output next
output out)");
  const auto workload = Read(model);
  ASSERT_TRUE(workload.ok()) << ErrorOf(workload);
  const Graph& graph = *workload->graph;
  EXPECT_EQ(FormatShape(graph.op(graph.outputs()[0].value).shape), "f32[7,4]");
  EXPECT_EQ(First(graph, OpKind::kAdd)->loop.trip_count, 7);
  EXPECT_EQ(Count(graph, OpKind::kDynamicSlice), 1);
  EXPECT_EQ(Count(graph, OpKind::kDynamicUpdateSlice), 1);
}

TEST(ReadOnnx, TheBranchThatDoesMoreIsTaken) {
  ModelProto model = ModelFromText(R"(
input c pred
input x f32 N,4
weight w f32 4,4
node If c -> y
output y)");
  NodeProto& node = *model.mutable_graph()->mutable_node(0);
  SetGraph(node, "then_branch", "node Relu x -> a\noutput a");
  SetGraph(node, "else_branch", "node MatMul x w -> b\noutput b");
  const auto workload = Read(model);
  ASSERT_TRUE(workload.ok()) << ErrorOf(workload);
  EXPECT_EQ(Count(*workload->graph, OpKind::kDot), 1);
  EXPECT_THAT(NotesOf(*workload), HasSubstr("the else branch is taken"));
}

// f(a, b) = Relu(MatMul(a, b)), called twice.
ModelProto ModelWithFunction() {
  ModelProto model = ModelFromText(R"(
input x f32 N,4
weight w f32 4,4
node my.Layer x w -> h
node my.Layer h w -> y
output y)");
  auto& function = *model.add_functions();
  function.set_name("Layer");
  function.set_domain("my");
  function.add_input("a");
  function.add_input("b");
  function.add_output("r");
  const GraphProto body = ModelFromText("node MatMul a b -> p\nnode Relu p -> r").graph();
  *function.mutable_node() = body.node();
  return model;
}

TEST(ReadOnnx, FunctionsStandInThePlaceOfTheirCalls) {
  const auto workload = Read(ModelWithFunction());
  ASSERT_TRUE(workload.ok()) << ErrorOf(workload);
  EXPECT_EQ(Count(*workload->graph, OpKind::kDot), 2);
  EXPECT_TRUE(workload->opaque_layers.empty());
}

TEST(ReadOnnx, AFunctionThatCallsItselfIsAnError) {
  ModelProto model = ModelWithFunction();
  NodeProto& node = *model.mutable_functions(0)->mutable_node(0);
  node.set_op_type("Layer");
  node.set_domain("my");
  EXPECT_THAT(ErrorOf(Read(model)), HasSubstr("nested deeper"));
}

TEST(ReadOnnx, FunctionsThatDoubleAtEachCallAreAnError) {
  ModelProto model = ModelFromText("input x f32 4\nnode f.F40 x -> y\noutput y");
  for (int i = 0; i <= 40; ++i) {
    auto& function = *model.add_functions();
    function.set_name("F" + std::to_string(i));
    function.set_domain("f");
    function.add_input("a");
    function.add_output("b");
    for (int call = 0; call < 2; ++call) {
      NodeProto& node = *function.add_node();
      node.set_op_type(i == 0 ? "Identity" : "F" + std::to_string(i - 1));
      if (i > 0) node.set_domain("f");
      node.add_input(call == 0 ? "a" : "m");
      node.add_output(call == 0 ? "m" : "b");
    }
  }
  EXPECT_THAT(ErrorOf(Read(model)), HasSubstr("found more than"));
}

TEST(ReadOnnx, UnknownOpsWithoutShapesAreErrors) {
  const std::string error = ErrorOf(Read(R"(
input x f32 N,4
node my.Strange x -> y
output y)"));
  EXPECT_THAT(error, HasSubstr("test.onnx"));
  EXPECT_THAT(error, HasSubstr("Strange"));
  EXPECT_THAT(error, HasSubstr("does not state the shape of its result y"));
}

TEST(ReadOnnx, AnInputWithoutAShapeIsSaidToBeTakenAsANumber) {
  ModelProto model = ModelFromText("input x f32 4\nnode Relu x -> y\noutput y");
  model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  const auto read = Read(model);
  ASSERT_TRUE(read.ok()) << ErrorOf(read);
  ASSERT_FALSE(read->notes.empty());
  EXPECT_THAT(read->notes.front().message, HasSubstr("the shape of input x is not in the file"));
}

TEST(ReadOnnx, ANameThatTwoNodesMakeIsAnError) {
  EXPECT_THAT(ErrorOf(Read("input x f32 4\nnode Relu x -> y\nnode Neg x -> y\n"
                           "output y")),
              HasSubstr("found y, which another node makes"));
}

TEST(ReadOnnx, NamesThatNothingMakesAreErrors) {
  EXPECT_THAT(ErrorOf(Read("input x f32 4\nnode Add x z -> y\noutput y")),
              HasSubstr("operand z, which nothing makes"));
  EXPECT_THAT(ErrorOf(Read("input x f32 4\noutput y")),
              HasSubstr("output y of the graph, which nothing makes"));
}

TEST(ReadOnnx, NodesInAnyOrderAreReadButCyclesAreErrors) {
  const auto sorted = Read(R"(
input x f32 4
node Relu a -> y
node Neg x -> a
output y)");
  EXPECT_TRUE(sorted.ok()) << ErrorOf(sorted);
  EXPECT_THAT(ErrorOf(Read(R"(
input x f32 4
node Add x b -> a
node Relu a -> b
output b)")),
              HasSubstr("a cycle"));
}

TEST(ReadOnnx, DimsOutOfRangeAreErrors) {
  EXPECT_THAT(ErrorOf(Read("weight w f32 -3\nnode Relu w -> y\noutput y")),
              HasSubstr("found dims -3"));
  EXPECT_THAT(ErrorOf(Read("weight w f32 4000000000,4000000000,8\n"
                           "node Relu w -> y\noutput y")),
              HasSubstr("elements"));
}

TEST(ReadOnnx, GraphsNestedWithoutEndAreErrors) {
  // A graph in an attribute of a node, a thousand times: written inside out.
  std::string graph;
  const auto wrapped = [](char tag, const std::string& bytes) {
    std::string field(1, tag);
    for (size_t n = bytes.size();; n >>= 7) {
      field += static_cast<char>((n & 0x7f) | (n > 0x7f ? 0x80 : 0));
      if (n <= 0x7f) break;
    }
    return field + bytes;
  };
  for (int i = 0; i < 1000; ++i) {
    graph = wrapped('\x0a', wrapped('\x2a', wrapped('\x32', graph)));
  }
  const std::string model = "\x08\x08" + wrapped('\x3a', graph);
  EXPECT_THAT(ErrorOf(ReadOnnx({"deep.onnx", model}, {})), HasSubstr("nested deeper than"));
}

TEST(ReadOnnx, EveryTruncationIsReadOrAnError) {
  ModelProto model = ModelWithFunction();
  const std::string bytes = model.SerializeAsString();
  int errors = 0;
  for (size_t length = 0; length < bytes.size(); ++length) {
    const std::string part = bytes.substr(0, length);
    const auto workload = ReadOnnx({"cut.onnx", part}, {});
    if (workload.ok()) continue;
    ++errors;
    EXPECT_THAT(Message(workload.status()), HasSubstr("cut.onnx"));
  }
  EXPECT_GT(errors, 100);
}

TEST(ReadOnnx, ChangedBytesNeverStopTheProgram) {
  const std::string bytes = ModelWithFunction().SerializeAsString();
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (const int change : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ change);
      (void)ReadOnnx({"changed.onnx", changed}, {});
    }
  }
}

// A state of zeros that an exporter wrote out, too large to be read as numbers.
TEST(OnnxWeights, InitialStatesOfZerosAreLeftOut) {
  ModelProto model = ModelFromText(R"(
input x f32 7,48,40
weight w f32 1,900,40
weight r f32 1,900,300
node Constant -> h0
node GRU x w r - - h0 -> y - hidden_size=300
output y)");
  AttributeProto& value = *model.mutable_graph()->mutable_node(0)->add_attribute();
  value.set_name("value");
  value.set_type(AttributeProto::TENSOR);
  onnx_format::TensorProto& zeros = *value.mutable_t();
  zeros.set_data_type(onnx_format::TensorProto::FLOAT);
  for (const int64_t dim : {1, 48, 300}) zeros.add_dims(dim);
  std::string raw(size_t{4} * 48 * 300, '\0');
  zeros.set_raw_data(raw);
  const auto of_zeros = Read(model);
  ASSERT_TRUE(of_zeros.ok()) << of_zeros.status();
  EXPECT_EQ(Count(*of_zeros->graph, OpKind::kDot), 1);
  raw[40000] = 1;
  zeros.set_raw_data(raw);
  const auto of_others = Read(model);
  ASSERT_TRUE(of_others.ok()) << of_others.status();
  EXPECT_EQ(Count(*of_others->graph, OpKind::kDot), 2);
}

}  // namespace
}  // namespace tilewise
