// SavedModels, MetaGraphs and graphs of TensorFlow.js.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/tensorflow/read_tensorflow.h"
#include "frontend/tensorflow/tensorflow.pb.h"
#include "frontend/wire/text_to_wire.h"
#include "tests/tensorflow/graph_text.h"

namespace tilewise::tf {
namespace {

using testing::HasSubstr;

const char* const kFloat = "type: DT_FLOAT";

std::string Unary(std::string_view name, std::string_view op, std::string_view input) {
  return Node(name, op, {input}, Attr("T", kFloat));
}

std::string Signature(std::string_view name, std::string_view output) {
  return "signature_def { key: \"" + std::string(name) +
         "\" value { outputs { key: \"y\" value { name: \"" + std::string(output) +
         "\" dtype: DT_FLOAT } } } }\n";
}

TEST(SavedModel, TheDefaultSignatureIsTheStep) {
  const std::string text =
      "saved_model_schema_version: 1 meta_graphs { meta_info_def { tags: "
      "\"serve\" tensorflow_version: \"2.9.1\" } graph_def { " +
      Input("x", {-1, 4}) + Unary("a", "Tanh", "x") + Unary("b", "Exp", "x") + " } " +
      Signature("other", "a:0") + Signature("serving_default", "b:0") + " }";
  const auto workload = ReadSavedModel(InputFile{"saved_model.pbtxt", text}, {});
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_THAT(LinesOf(*workload), HasSubstr("output result b/exponential"));
  EXPECT_EQ(workload->producer, "tensorflow 2.9.1");
  EXPECT_EQ(workload->step, StepKind::kInference);
  // The binary form gives the same.
  const std::string wire = TextToWire(text, tensorflow::SavedModel::default_instance()).value();
  ASSERT_TRUE(LooksLikeSavedModel({"saved_model.pb", wire}));
  const auto binary = ReadSavedModel(InputFile{"saved_model.pb", wire}, {});
  ASSERT_TRUE(binary.ok()) << binary.status();
  EXPECT_EQ(LinesOf(*binary), LinesOf(*workload));
}

std::string Graph(std::string_view tags, int size, std::string_view output = "b:0") {
  return "meta_graphs { meta_info_def { " + std::string(tags) + " } graph_def { " +
         Input("x", {-1, size}) + Unary("b", "Exp", "x") + " } " +
         Signature("serving_default", output) + " }\n";
}

TEST(SavedModel, OfSeveralGraphsTheOneToServeOnATpuIsRead) {
  const std::string text = "saved_model_schema_version: 1\n" + Graph("tags: \"train\"", 3) +
                           Graph("tags: \"serve\" tags: \"gpu\"", 5) + Graph("tags: \"serve\"", 7);
  const auto any = ReadSavedModel({"saved_model.pbtxt", text}, {});
  ASSERT_TRUE(any.ok()) << any.status();
  EXPECT_THAT(LinesOf(*any), HasSubstr("f32[N,7]"));
  const auto tpu =
      ReadSavedModel({"saved_model.pbtxt", text + Graph("tags: \"serve\" tags: \"tpu\"", 9)}, {});
  ASSERT_TRUE(tpu.ok()) << tpu.status();
  EXPECT_THAT(LinesOf(*tpu), HasSubstr("f32[N,9]"));
  ASSERT_FALSE(tpu->notes.empty());
  EXPECT_EQ(tpu->notes.back().message, "the file has 4 graphs; the one tagged serve, tpu is read");
}

TEST(SavedModel, ASignatureOfWhatIsNotThereIsNoStep) {
  const std::string text =
      "saved_model_schema_version: 1\n" + Graph("tags: \"serve\"", 3, "nothing:3");
  const auto read = ReadSavedModel({"saved_model.pbtxt", text}, {});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_THAT(LinesOf(*read), HasSubstr("exponential"));
  ASSERT_FALSE(read->notes.empty());
  EXPECT_THAT(read->notes.back().message,
              HasSubstr("signature serving_default names nothing:3, which is "
                        "not in the graph"));
}

TEST(SavedModel, WithoutSignaturesTheLargestFunctionIsTheStep) {
  const std::string body = Node("r", "ReadVariableOp", {"v"}, Attr("dtype", kFloat)) +
                           Node("mm", "MatMul", {"a", "r:value:0"}, Attr("T", kFloat));
  const std::string function =
      Function("call", {"a: DT_FLOAT", "v: DT_RESOURCE"}, {"y: DT_FLOAT"},
               body + "arg_attr { key: 0 value { " +
                   Attr("_output_shapes", "list { " + ShapeText({-1, 4}) + " }") + " } }\n",
               {"y = mm:product:0"});
  const std::string text =
      "meta_graphs { graph_def { library { " + function +
      " } } object_graph_def { nodes { } nodes { variable { dtype: DT_FLOAT "
      "name: \"dense/kernel\" trainable: true " +
      ShapeText({4, 2}) + " } } concrete_functions { key: \"call\" value { bound_inputs: 1 } } } }";
  const auto workload = ReadSavedModel(InputFile{"saved_model.pbtxt", text}, {});
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_EQ(LinesOf(*workload),
            "a = f32[N,4] parameter()\n"
            "dense/kernel = f32[4,2] variable()\n"
            "mm/dot = f32[N,2] dot(a, dense/kernel), lhs_contract={1}, "
            "rhs_contract={0}\n"
            "output result mm/dot\n");
}

TEST(MetaGraph, CollectionsSayWhatIsTrained) {
  const std::string text =
      "graph_def { " + Input("x", {-1, 4}) +
      Node("w", "VariableV2", {},
           Attr("dtype", "type: DT_FLOAT_REF") + Attr("shape", ShapeText({4}))) +
      Node("m", "VariableV2", {},
           Attr("dtype", "type: DT_FLOAT_REF") + Attr("shape", ShapeText({4}))) +
      Node("a", "Mul", {"x", "w"}, Attr("T", kFloat)) +
      Node("b", "Mul", {"a", "m"}, Attr("T", kFloat)) +
      " } collection_def { key: \"variables\" value { bytes_list { value: "
      "\"\\n\\003w:0\" value: \"\\n\\003m:0\" } } } collection_def { key: "
      "\"trainable_variables\" value { bytes_list { value: \"\\n\\003w:0\" } } "
      "}";
  ASSERT_TRUE(LooksLikeMetaGraph({"a.meta", text}));
  const auto workload = ReadMetaGraph(InputFile{"a.meta", text}, {});
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_TRUE(workload->graph.has_value());
  for (const Op& op : workload->graph->ops()) {
    if (op.kind != OpKind::kVariable) continue;
    EXPECT_EQ(op.as<VariableAttrs>().trainable, op.name == "w") << op.name;
  }
}

TEST(TfjsGraph, JsonIsReadLikeAnyGraph) {
  const std::string text = R"({
    "format": "graph-model", "convertedBy": "TensorFlow.js Converter v1.7",
    "modelTopology": {"node": [
      {"name": "x", "op": "Placeholder", "attr": {"dtype": {"type": "DT_FLOAT"},
       "shape": {"shape": {"dim": [{"size": "-1"}, {"size": "4"}]}}}},
      {"name": "w", "op": "Const", "attr": {"dtype": {"type": "DT_FLOAT"},
       "value": {"tensor": {"dtype": "DT_FLOAT",
        "tensorShape": {"dim": [{"size": "4"}, {"size": "3"}]}}}}},
      {"name": "y", "op": "MatMul", "input": ["x", "w"],
       "attr": {"T": {"type": "DT_FLOAT"}}}]},
    "weightsManifest": []})";
  const auto workload = ReadTfjsGraph(InputFile{"model.json", text}, {});
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_EQ(LinesOf(*workload),
            "x = f32[N,4] parameter()\n"
            "w = f32[4,3] variable()\n"
            "y/dot = f32[N,3] dot(x, w), lhs_contract={1}, rhs_contract={0}\n"
            "output result y/dot\n");
}

TEST(TfjsGraph, JsonThatIsNoGraphIsAnError) {
  for (const char* text : {"{", "{}", R"({"modelTopology": {"node": [3]}})",
                           R"({"modelTopology": [[[[[[[[[[]]]]]]]]]]})"}) {
    EXPECT_FALSE(ReadTfjsGraph(InputFile{"model.json", text}, {}).ok()) << text;
  }
}

}  // namespace
}  // namespace tilewise::tf
