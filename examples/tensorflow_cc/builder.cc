// A dense layer of a graph that a GraphDefBuilder makes, run by the names of its nodes.
//   tilewise inspect examples/tensorflow_cc/builder.cc

#include <memory>
#include <vector>

#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/graph/graph_def_builder.h"
#include "tensorflow/core/public/session.h"

using namespace tensorflow;

constexpr int kBatch = 64;

int main() {
  GraphDefBuilder builder;
  Node* x = ops::SourceOp("Placeholder", builder.opts().WithName("x").WithAttr("dtype", DT_FLOAT));
  Node* weights =
      ops::SourceOp("Placeholder", builder.opts().WithName("weights").WithAttr("dtype", DT_FLOAT));
  Node* product = ops::BinaryOp("MatMul", x, weights, builder.opts().WithName("product"));
  ops::UnaryOp("Relu", product, builder.opts().WithName("hidden"));

  GraphDef graph;
  TF_CHECK_OK(builder.ToGraphDef(&graph));
  std::unique_ptr<Session> session(NewSession(SessionOptions()));
  TF_CHECK_OK(session->Create(graph));

  Tensor images(DT_FLOAT, TensorShape({kBatch, 784}));
  Tensor matrix(DT_FLOAT, TensorShape({784, 250}));
  std::vector<Tensor> outputs;
  TF_CHECK_OK(session->Run({{"x", images}, {"weights", matrix}}, {"hidden:0"}, {}, &outputs));
}
