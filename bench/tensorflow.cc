// Reading GraphDefs: bytes per second of the wire reader, of libprotobuf on the
// same bytes for comparison, and of the whole way to a workload.

#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <protozero/pbf_writer.hpp>

#include "frontend/tensorflow/read_graph.h"
#include "frontend/tensorflow/read_tensorflow.h"
#include "frontend/tensorflow/tensorflow.pb.h"

namespace tilewise {
namespace {

// A node with the attributes that TensorFlow writes.
tensorflow::NodeDef MakeNode(const std::string& name, const char* op) {
  tensorflow::NodeDef node;
  node.set_name(name);
  node.set_op(op);
  (*node.mutable_attr())["T"].set_type(tensorflow::DT_FLOAT);
  auto* shape = (*node.mutable_attr())["_output_shapes"].mutable_list()->add_shape();
  shape->add_dim()->set_size(-1);
  shape->add_dim()->set_size(64);
  return node;
}

// A chain of activations. Node by node: a whole message would leave the process
// with memory that what is measured finds ready.
std::string MakeGraph(int nodes) {
  std::string bytes;
  protozero::pbf_writer graph(bytes);
  const auto add = [&](const tensorflow::NodeDef& node) {
    graph.add_message(tensorflow::GraphDef::kNodeFieldNumber, node.SerializeAsString());
  };
  tensorflow::NodeDef input = MakeNode("x", "Placeholder");
  (*input.mutable_attr())["dtype"].set_type(tensorflow::DT_FLOAT);
  auto* dims = (*input.mutable_attr())["shape"].mutable_shape();
  dims->add_dim()->set_size(-1);
  dims->add_dim()->set_size(64);
  add(input);
  std::string last = "x";
  for (int i = 1; i < nodes; ++i) {
    std::string name = fmt::format("model/encoder/layer_{}/activation_{}", i / 100, i % 100);
    tensorflow::NodeDef node = MakeNode(name, i % 2 == 0 ? "Tanh" : "Identity");
    node.add_input(last);
    add(node);
    last = std::move(name);
  }
  return bytes;
}

void BM_ReadGraph(benchmark::State& state) {
  const std::string bytes = MakeGraph(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    tf::GraphDef graph;
    const absl::Status read = tf::ReadGraph(bytes, "GraphDef", graph);
    if (!read.ok()) state.SkipWithError("not read");
    benchmark::DoNotOptimize(graph.nodes.data());
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes.size()) * state.iterations());
}
BENCHMARK(BM_ReadGraph)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void BM_ParseWithLibprotobuf(benchmark::State& state) {
  const std::string bytes = MakeGraph(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    tensorflow::GraphDef graph;
    if (!graph.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
      state.SkipWithError("not parsed");
    }
    benchmark::DoNotOptimize(graph.node_size());
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes.size()) * state.iterations());
}
BENCHMARK(BM_ParseWithLibprotobuf)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void BM_LoadGraphDef(benchmark::State& state) {
  const std::string bytes = MakeGraph(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const auto workload = ReadGraphDef(InputFile{"graph.pb", bytes}, {});
    if (!workload.ok()) state.SkipWithError("not read");
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes.size()) * state.iterations());
}
BENCHMARK(BM_LoadGraphDef)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tilewise
