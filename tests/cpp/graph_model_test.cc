// Graphs that TensorFlow's C++ API builds and runs.

#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cpp/model_reading.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

constexpr char kHeaders[] = R"(#include "tensorflow/cc/client/client_session.h"
#include "tensorflow/cc/framework/gradients.h"
#include "tensorflow/cc/ops/standard_ops.h"
#include "tensorflow/core/public/session.h"
using namespace tensorflow;
using namespace tensorflow::ops;
)";

std::string FileText(const std::string& path) {
  std::ifstream in(std::string(TILEWISE_SOURCE_DIR "/") + path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(GraphModel, TrainsTheWeightsThatAnUpdateIsRunFor) {
  const Workload w = Read(FileText("examples/tensorflow_cc/digits.cc"));
  ASSERT_TRUE(w.graph.has_value()) << Notes(w);
  EXPECT_EQ(Parameters(w), 784 * 250 + 250 + 250 * 10) << Notes(w);
  EXPECT_EQ(CountOf(w, OpKind::kDot), 2);
  ASSERT_TRUE(w.training.has_value());
  EXPECT_EQ(w.training->optimizer, OptimizerKind::kSgd);
}

TEST(GraphModel, TakesTheBatchOfTheTensorThatIsFed) {
  const Workload w = Read(FileText("examples/tensorflow_cc/digits.cc"));
  ASSERT_TRUE(w.graph.has_value()) << Notes(w);
  for (const Op& op : w.graph->ops()) {
    if (op.kind != OpKind::kDot) continue;
    EXPECT_TRUE(op.shape.dims[0].per_batch);
  }
}

TEST(GraphModel, ComputesWhatASessionFetchesByName) {
  const Workload w = Read(std::string(kHeaders) + R"(int main() {
  Scope root = Scope::NewRootScope();
  auto a = Const(root, {{3.f, 2.f}, {-1.f, 0.f}});
  auto x = Placeholder(root.WithOpName("x"), DT_FLOAT);
  auto y = MatMul(root.WithOpName("y"), a, x);
  Sqrt(root.WithOpName("unused"), y);
  GraphDef def;
  root.ToGraphDef(&def);
  Session* session;
  NewSession(SessionOptions(), &session);
  session->Create(def);
  Tensor fed(DT_FLOAT, TensorShape({2, 64}));
  std::vector<Tensor> outputs;
  session->Run({{"x", fed}}, {"y:0"}, {}, &outputs);
})");
  ASSERT_TRUE(w.graph.has_value()) << Notes(w);
  EXPECT_EQ(CountOf(w, OpKind::kDot), 1) << Notes(w);
}

TEST(GraphModel, ReadsTheGraphThatAFunctionBuilds) {
  const Workload w = Read(std::string(kHeaders) + R"(GraphDef Build() {
  Scope root = Scope::NewRootScope();
  auto x = Placeholder(root, DT_FLOAT, Placeholder::Shape({32, 28, 28, 1}));
  auto w = Variable(root, {3, 3, 1, 64}, DT_FLOAT);
  auto y = Conv2D(root, x, w, {1, 2, 2, 1}, "SAME");
  GraphDef def;
  root.ToGraphDef(&def);
  return def;
})");
  EXPECT_EQ(CountOf(w, OpKind::kConvolution), 1) << Notes(w);
  EXPECT_THAT(Notes(w), HasSubstr("Build() is called by nothing here"));
}

TEST(GraphModel, RunsWhatAGraphDefBuilderMakes) {
  const Workload w = Read(FileText("examples/tensorflow_cc/builder.cc"));
  ASSERT_TRUE(w.graph.has_value()) << Notes(w);
  EXPECT_EQ(CountOf(w, OpKind::kDot), 1) << Notes(w);
  EXPECT_EQ(CountOf(w, OpKind::kMaximum), 1) << Notes(w);
}

TEST(GraphModel, NamesTheFileThatHoldsTheGraph) {
  const Workload w = Read(std::string(kHeaders) + R"(int main() {
  GraphDef def;
  ReadBinaryProto(Env::Default(), "net.pb", &def);
  Session* session = NewSession(SessionOptions());
  session->Create(def);
})");
  EXPECT_THAT(Notes(w), HasSubstr("is in the file net.pb"));
}

}  // namespace
}  // namespace tilewise
