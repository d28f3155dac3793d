// Which content is whose.

#include "frontend/tensorflow/sniff.h"

#include <gtest/gtest.h>

#include "frontend/tensorflow/read_tensorflow.h"
#include "frontend/tensorflow/tensorflow.pb.h"
#include "frontend/wire/text_to_wire.h"
#include "tests/tensorflow/graph_text.h"

namespace tilewise::tf {
namespace {

FileKind KindOf(const std::string& bytes) { return Sniff(bytes).kind; }

template <typename Message>
std::string Wire(const std::string& text) {
  return TextToWire(text, Message::default_instance()).value();
}

const char* const kNode = "node { name: \"x\" op: \"NoOp\" }";

TEST(Sniff, TellsBinaryFormsByTheirFields) {
  EXPECT_EQ(KindOf(Wire<tensorflow::GraphDef>(kNode)), FileKind::kGraphDef);
  const std::string meta = "graph_def { " + std::string(kNode) + " }";
  EXPECT_EQ(KindOf(Wire<tensorflow::MetaGraphDef>("meta_info_def { tensorflow_version: \"2.1\" } " +
                                                  meta)),
            FileKind::kMetaGraph);
  EXPECT_EQ(KindOf(Wire<tensorflow::SavedModel>("saved_model_schema_version: 1 meta_graphs { " +
                                                meta + " }")),
            FileKind::kSavedModel);
  EXPECT_EQ(
      KindOf(Wire<tensorflow::GraphDef>("library { " + Function("f", {}, {}, kNode, {}) + " }")),
      FileKind::kGraphDef);
}

TEST(Sniff, TellsTextFormsByTheirFirstField) {
  EXPECT_EQ(KindOf(std::string("# a comment\n\r\n") + kNode), FileKind::kGraphDef);
  EXPECT_EQ(KindOf("\xef\xbb\xbfnode: <\n name: 'x' op: 'NoOp' >"), FileKind::kGraphDef);
  EXPECT_EQ(KindOf("library { function { signature { } } }"), FileKind::kGraphDef);
  EXPECT_EQ(KindOf("meta_info_def { }"), FileKind::kMetaGraph);
  EXPECT_EQ(KindOf("saved_model_schema_version: 1"), FileKind::kSavedModel);
  EXPECT_EQ(KindOf("function { signature { name: \"f\" } }"), FileKind::kFunctionLibrary);
}

TEST(Sniff, LeavesOtherFormatsAlone) {
  // The first fields of an HloProto: its module's name, entry, computations.
  const std::string computation = "\x1a\x06\x0a\x04main";
  std::string module = "\x0a\x01m\x12\x06main.1" + computation;
  EXPECT_EQ(KindOf(std::string("\x0a") + static_cast<char>(module.size()) + module),
            FileKind::kNone);
  EXPECT_EQ(KindOf("hlo_module { name: \"m\" }"), FileKind::kNone);
  EXPECT_EQ(KindOf("HloModule m"), FileKind::kNone);
  EXPECT_EQ(KindOf("ir_version: 7 graph { node { op_type: \"Add\" } }"), FileKind::kNone);
  EXPECT_EQ(KindOf(""), FileKind::kNone);
  EXPECT_EQ(KindOf("node"), FileKind::kNone);
}

TEST(Sniff, TellsNodesFromLayersInJson) {
  EXPECT_TRUE(LooksLikeJsGraph(R"({"format": "graph-model", "modelTopology": {"node": []}})"));
  EXPECT_TRUE(LooksLikeJsGraph(R"({"modelTopology": {"node": [{"name": "x", "op": "NoOp"}]}})"));
  EXPECT_FALSE(LooksLikeJsGraph(R"({"modelTopology": {"model_config": {"class_name": "Model"}}})"));
  EXPECT_FALSE(LooksLikeJsGraph("[1]"));
}

}  // namespace
}  // namespace tilewise::tf
