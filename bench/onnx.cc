// Reading ONNX: a model of many small nodes, parsed here and by libprotobuf,
// and read into a graph.

#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "frontend/onnx/parse_model.h"
#include "frontend/onnx/read_onnx.h"

namespace tilewise {
namespace {

// A chain of `count` products and sums with one weight.
const std::string& Chain(int64_t count) {
  static const std::string bytes = [count] {
    onnx_format::ModelProto model;
    model.set_ir_version(8);
    model.add_opset_import()->set_version(17);
    onnx_format::GraphProto& graph = *model.mutable_graph();
    onnx_format::ValueInfoProto& input = *graph.add_input();
    input.set_name("input");
    auto* tensor = input.mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(onnx_format::TensorProto::FLOAT);
    tensor->mutable_shape()->add_dim()->set_dim_param("batch");
    tensor->mutable_shape()->add_dim()->set_dim_value(64);
    onnx_format::TensorProto& weight = *graph.add_initializer();
    weight.set_name("weight");
    weight.add_dims(64);
    weight.set_data_type(onnx_format::TensorProto::FLOAT);
    weight.set_raw_data(std::string(256, '\0'));
    std::string last = "input";
    for (int64_t i = 0; i < count; ++i) {
      onnx_format::NodeProto& node = *graph.add_node();
      node.set_op_type(i % 2 == 0 ? "Mul" : "Add");
      node.set_name(fmt::format("/model/layers.{}/mlp/Op_{}", i / 20, i));
      node.add_input(last);
      node.add_input("weight");
      last = node.name() + "_output_0";
      node.add_output(last);
    }
    graph.add_output()->set_name(last);
    return model.SerializeAsString();
  }();
  return bytes;
}

constexpr int64_t kNodes = 20000;

void ParseOnnx(benchmark::State& state) {
  const std::string& bytes = Chain(kNodes);
  for (auto _ : state) {
    benchmark::DoNotOptimize(onnx::ParseModel(bytes));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
BENCHMARK(ParseOnnx)->Unit(benchmark::kMillisecond);

void ParseOnnxByLibprotobuf(benchmark::State& state) {
  const std::string& bytes = Chain(kNodes);
  for (auto _ : state) {
    onnx_format::ModelProto model;
    benchmark::DoNotOptimize(model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
BENCHMARK(ParseOnnxByLibprotobuf)->Unit(benchmark::kMillisecond);

void ReadOnnxGraph(benchmark::State& state) {
  const std::string& bytes = Chain(kNodes);
  for (auto _ : state) {
    benchmark::DoNotOptimize(ReadOnnx({"chain.onnx", bytes}, {}));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
BENCHMARK(ReadOnnxGraph)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tilewise
