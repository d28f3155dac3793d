// Two dense layers that TensorFlow's C++ API trains: a graph of ops, its gradients and updates.
//   tilewise advise examples/tensorflow_cc/digits.cc

#include <vector>

#include "tensorflow/cc/client/client_session.h"
#include "tensorflow/cc/framework/gradients.h"
#include "tensorflow/cc/ops/standard_ops.h"
#include "tensorflow/core/framework/tensor.h"

using namespace tensorflow;
using namespace tensorflow::ops;

constexpr int kBatch = 128;
constexpr int kHidden = 250;

int main() {
  const Scope scope = Scope::NewRootScope();
  auto x = Placeholder(scope.WithOpName("x"), DT_FLOAT);
  auto y = Placeholder(scope.WithOpName("y"), DT_FLOAT);
  auto w1 = Variable(scope.WithOpName("w1"), {784, kHidden}, DT_FLOAT);
  auto b1 = Variable(scope.WithOpName("b1"), {kHidden}, DT_FLOAT);
  auto w2 = Variable(scope.WithOpName("w2"), {kHidden, 10}, DT_FLOAT);
  auto hidden = Relu(scope, Add(scope, MatMul(scope, x, w1), b1));
  auto logits = MatMul(scope, hidden, w2);
  auto loss = ReduceMean(scope, SoftmaxCrossEntropyWithLogits(scope, logits, y).loss, {0});

  std::vector<Output> gradients;
  TF_CHECK_OK(AddSymbolicGradients(scope, {loss}, {w1, b1, w2}, &gradients));
  auto rate = Const(scope, 0.01f);
  auto update_w1 = ApplyGradientDescent(scope, w1, rate, gradients[0]);
  auto update_b1 = ApplyGradientDescent(scope, b1, rate, gradients[1]);
  auto update_w2 = ApplyGradientDescent(scope, w2, rate, gradients[2]);

  ClientSession session(scope);
  TF_CHECK_OK(session.Run({Assign(scope, w1, RandomNormal(scope, {784, kHidden}, DT_FLOAT)),
                           Assign(scope, b1, Fill(scope, {kHidden}, 0.0f)),
                           Assign(scope, w2, RandomNormal(scope, {kHidden, 10}, DT_FLOAT))},
                          nullptr));
  Tensor images(DT_FLOAT, TensorShape({kBatch, 784}));
  Tensor labels(DT_FLOAT, TensorShape({kBatch, 10}));
  for (int step = 0; step < 1000; ++step) {
    TF_CHECK_OK(
        session.Run({{x, images}, {y, labels}}, {update_w1, update_b1, update_w2}, nullptr));
  }
}
