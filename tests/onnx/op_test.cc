// Small models of one op each: what they are made of in the graph, and that
// stated shapes are those that follow.

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontend/onnx/read_onnx.h"
#include "tests/onnx/model_text.h"

namespace tilewise {
namespace {

struct Case {
  std::string name, model, want;
};

std::vector<Case> Cases() {
  std::ifstream file(TILEWISE_SOURCE_DIR "/tests/onnx/op_cases.txt");
  std::vector<Case> cases;
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("#")) continue;
    if (line.starts_with("case ")) {
      cases.push_back({line.substr(5), "", ""});
    } else if (!cases.empty() && line.starts_with("want ")) {
      cases.back().want = line.substr(5);
    } else if (!cases.empty()) {
      cases.back().model += line + "\n";
    }
  }
  return cases;
}

// "f32[N,8] dot add": the shape of the first output, the ops that are no
// leaves.
std::string Found(const Graph& graph) {
  std::string found = FormatShape(graph.op(graph.outputs().front().value).shape);
  for (const Op& op : graph.ops()) {
    if (ClassOf(op.kind) == OpClass::kLeaf) continue;
    found += " " + std::string(OpName(op.kind));
  }
  return found;
}

TEST(OnnxOps, AreMadeOfTheOpsOfTheCases) {
  const std::vector<Case> cases = Cases();
  ASSERT_GT(cases.size(), 30U);
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const std::string bytes = ModelFromText(one.model).SerializeAsString();
    const InputFile file{"test.onnx", bytes};
    EXPECT_TRUE(LooksLikeOnnx(file));
    const absl::StatusOr<Workload> workload = ReadOnnx(file, {});
    if (!workload.ok()) {
      ADD_FAILURE() << Message(workload.status());
      continue;
    }
    EXPECT_EQ(Found(*workload->graph), one.want);
  }
}

// Trips of the loop that walks trees of these nodes; 0: no loop.
int64_t IterationsOfTrees(const std::string& attributes) {
  const std::string text =
      "opset 13 ai.onnx.ml 3\ninput x f32 N,4\n"
      "node ai.onnx.ml.TreeEnsembleRegressor x -> y " +
      attributes + "\noutput y\n";
  const std::string bytes = ModelFromText(text).SerializeAsString();
  const auto workload = ReadOnnx({"test.onnx", bytes}, {});
  if (!workload.ok()) return -1;
  int64_t trips = 0;
  for (const Op& op : workload->graph->ops()) {
    if (op.loop.id != 0) trips = op.loop.trip_count;
  }
  return trips;
}

TEST(OnnxTrees, AreWalkedAsFarDownAsTheDeepestGoes) {
  // One tree of a leaf, one of two decisions.
  EXPECT_EQ(IterationsOfTrees("nodes_treeids=[0,1,1,1,1,1] "
                              "nodes_nodeids=[0,0,1,2,3,4] "
                              "nodes_truenodeids=[0,1,0,3,0,0] "
                              "nodes_falsenodeids=[0,2,0,4,0,0] "
                              "nodes_modes=[\"LEAF\",\"BRANCH_LEQ\",\"LEAF\","
                              "\"BRANCH_LT\",\"LEAF\",\"LEAF\"]"),
            2);
}

TEST(OnnxTrees, ThatAreNoTreesAreOpaque) {
  // Two nodes below each other.
  EXPECT_EQ(IterationsOfTrees("nodes_treeids=[0,0] nodes_nodeids=[0,1] "
                              "nodes_truenodeids=[1,0] nodes_falsenodeids=[1,0] "
                              "nodes_modes=[\"BRANCH_LEQ\",\"BRANCH_LEQ\"]"),
            0);
  EXPECT_EQ(IterationsOfTrees("nodes_treeids=[0] nodes_nodeids=[0,1]"), 0);
}

}  // namespace
}  // namespace tilewise
