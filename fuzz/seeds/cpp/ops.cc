// A seed for the reader of C++ sources.
#include "tensorflow/cc/ops/standard_ops.h"
namespace ops = tensorflow::ops;
using namespace tensorflow;
int main() {
  Scope root = Scope::NewRootScope();
  auto t = ops::Tile(root, a, {1, 2});  // "quoted \" text"
  auto r = tensorflow::ops::RandomUniform(root, {R"(x)"}, DT_FLOAT);
}
