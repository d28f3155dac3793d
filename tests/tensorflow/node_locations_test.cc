// Lines of the user's program from GraphDebugInfo.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/tensorflow/read_tensorflow.h"
#include "frontend/tensorflow/tensorflow.pb.h"
#include "frontend/wire/text_to_wire.h"
#include "tests/tensorflow/graph_text.h"

namespace tilewise::tf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string Unary(std::string_view name, std::string_view op, std::string_view input) {
  return Node(name, op, {input}, Attr("T", "type: DT_FLOAT"));
}

const char* const kFiles =
    "files: \"/home/u/train.py\" "
    "files: \"/usr/lib/python3/dist-packages/keras/layers.py\" "
    "files: \"/home/u/model.py\" ";

std::string Model(const std::string& debug_info) {
  return Input("x", {-1, 4}) + Unary("y", "Exp", "x") + "debug_info { " + kFiles + debug_info +
         " }";
}

// Where the last op of the graph stands.
std::string LocationOfResult(const std::string& text) {
  const absl::StatusOr<Workload> workload = ReadText(text);
  if (!workload.ok()) return Message(workload.status());
  return FormatLocation(workload->graph->ops().back().location);
}

TEST(NodeLocations, ANodeStandsAtTheInnermostFrameThatIsTheUsers) {
  // The first writer began with the innermost frame.
  EXPECT_EQ(LocationOfResult(Model("traces { key: \"y@\" value { file_line_cols { "
                                   "file_index: 1 line: 5 } file_line_cols { "
                                   "file_index: 2 line: 17 col: 3 } "
                                   "file_line_cols { line: 40 } } }")),
            "/home/u/model.py:17:3");
  // Where frames name their functions, the innermost is the last.
  EXPECT_EQ(LocationOfResult(Model("traces { key: \"y\" value { file_line_cols { line: 40 func: "
                                   "\"main\" } file_line_cols { file_index: 2 line: 17 func: "
                                   "\"call\" } file_line_cols { file_index: 1 line: 5 func: "
                                   "\"exp\" } } }")),
            "/home/u/model.py:17");
  EXPECT_EQ(
      LocationOfResult(Model("frames_by_id { key: 7 value { file_index: 1 line: 5 } } "
                             "frames_by_id { key: 8 value { file_index: 0 line: 40 } } "
                             "frames_by_id { key: 9 value { file_index: 2 line: 18 } } "
                             "traces_by_id { key: 3 value { frame_id: 8 frame_id: 9 frame_id: 7 "
                             "} } name_to_trace_id { key: \"y@\" value: 3 }")),
      "/home/u/model.py:18");
}

TEST(NodeLocations, WithoutAFrameOfTheUserItIsTheNameInTheFile) {
  for (const char* trace :
       {"", "file_line_cols { file_index: 1 line: 5 }", "file_line_cols { file_index: 9 line: 5 }",
        "file_line_cols { file_index: -1 line: 5 }", "file_line_cols { file_index: 0 line: -5 }",
        "frame_id: 4"}) {
    const std::string info = "traces { key: \"y@\" value { " + std::string(trace) + " } }";
    EXPECT_EQ(LocationOfResult(Model(info)), "g.pbtxt: y") << trace;
  }
  EXPECT_EQ(LocationOfResult(Model("name_to_trace_id { key: \"y@\" value: 3 } traces { key: "
                                   "\"y@other\" value { file_line_cols { line: 4 } } }")),
            "g.pbtxt: y");
}

TEST(NodeLocations, NodesOfAFunctionAreNamedWithIt) {
  const std::string text =
      Input("x", {-1, 4}) +
      Node("call", "PartitionedCall", {"x"},
           Calls("f", "inner") + Attr("Tin", "list { type: DT_FLOAT }") +
               Attr("Tout", "list { type: DT_FLOAT }")) +
      Unary("z", "Tanh", "call") + "library {\n" +
      Function("inner", {"a: DT_FLOAT"}, {"r: DT_FLOAT"}, Unary("y", "Exp", "a"), {"r = y:y:0"}) +
      "}\n debug_info { " + kFiles +
      "traces { key: \"y@inner\" value { file_line_cols { line: 3 } } } "
      "traces { key: \"z@\" value { file_line_cols { line: 9 } } } }";
  const absl::StatusOr<Workload> workload = ReadText(text);
  ASSERT_TRUE(workload.ok()) << workload.status();
  std::vector<std::string> places;
  for (const Op& op : workload->graph->ops()) {
    places.push_back(FormatLocation(op.location));
  }
  EXPECT_THAT(places, ElementsAre("g.pbtxt: x", "/home/u/train.py:3", "/home/u/train.py:9"));
}

TEST(NodeLocations, StagesOfAPipelineHaveThemToo) {
  const auto workload =
      ReadText(Int("zero", 0) + Int("ten", 10) + Int("one", 1) +
               Node("range", "RangeDataset", {"zero", "ten", "one"}) +
               Node("shuffle", "ShuffleDataset", {"range", "ten", "one", "one"}) + "debug_info { " +
               kFiles + "traces { key: \"shuffle@\" value { file_line_cols { line: 21 } } } }");
  ASSERT_TRUE(workload.ok()) << workload.status();
  ASSERT_EQ(workload->pipelines.size(), 1);
  EXPECT_EQ(FormatLocation(workload->pipelines[0].stages[1].location), "/home/u/train.py:21");
}

TEST(NodeLocations, WhatIsBesideASavedModelIsReadAndDamageIsNoted) {
  const std::string model = "saved_model_schema_version: 1 meta_graphs { graph_def { " +
                            Input("x", {-1, 4}) + Unary("y", "Exp", "x") + " } }";
  const std::string info =
      TextToWire(
          std::string(kFiles) + "traces { key: \"y@\" value { file_line_cols { line: 6 } } }",
          tensorflow::GraphDebugInfo::default_instance())
          .value();
  const auto read = ReadSavedModel({"saved_model.pbtxt", model, info}, {});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(FormatLocation(read->graph->ops().back().location), "/home/u/train.py:6");
  EXPECT_THAT(read->notes, testing::IsEmpty());
  // Cut anywhere, the model is read all the same.
  for (size_t size = 1; size < info.size(); ++size) {
    const auto cut =
        ReadSavedModel({"saved_model.pbtxt", model, std::string_view(info).substr(0, size)}, {});
    ASSERT_TRUE(cut.ok()) << cut.status();
    if (cut->notes.empty()) continue;  // cut between two fields
    EXPECT_THAT(cut->notes[0].message, HasSubstr("found a malformed or cut off GraphDebugInfo"));
    EXPECT_EQ(FormatLocation(cut->graph->ops().back().location), "saved_model.pbtxt: y");
  }
}

}  // namespace
}  // namespace tilewise::tf
