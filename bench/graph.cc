// Times what every reader does for each op: adding it to a builder, and the
// whole graph's index; and finding the batch of a graph that was bound.

#include <string>

#include <benchmark/benchmark.h>

#include "base/check.h"
#include "graph/graph_builder.h"
#include "graph/rebatch.h"

namespace tilewise {
namespace {

// A chain of `ops` additions, each named and placed like a node of a file.
void AddChain(GraphBuilder& b, int64_t ops) {
  OpId x = b.Parameter(Shape::Of(DType::kF32, {32, 1024}), "x");
  Location location{.file = "model.pb"};
  for (int64_t i = 0; i < ops; ++i) {
    location.item = "model/layer_" + std::to_string(i);
    b.SetScope(location.item);
    b.SetLocation(location);
    x = b.Binary(OpKind::kAdd, x, 0);
  }
  b.AddOutput(x, Output::Role::kResult);
}

Graph Chain(int64_t ops) {
  GraphBuilder b("chain");
  AddChain(b, ops);
  absl::StatusOr<Graph> graph = b.Build();
  TW_CHECK(graph.ok());
  return *std::move(graph);
}

void BM_BuildGraph(benchmark::State& state) {
  for (auto _ : state) {
    const Graph graph = Chain(state.range(0));
    benchmark::DoNotOptimize(graph.size());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["bytes_per_op"] = static_cast<double>(sizeof(Op));
}
BENCHMARK(BM_BuildGraph)->Arg(100'000)->Unit(benchmark::kMillisecond);

void BM_GuessBatch(benchmark::State& state) {
  const Graph graph = Chain(state.range(0));
  for (auto _ : state) {
    const absl::StatusOr<BatchGuess> guess = GuessBatch(graph);
    TW_CHECK(guess.ok());
    benchmark::DoNotOptimize(guess->dims.size());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_GuessBatch)->Arg(100000)->Unit(benchmark::kMillisecond);

void BM_SeparateBatch(benchmark::State& state) {
  const Graph graph = Chain(state.range(0));
  const absl::StatusOr<BatchGuess> guess = GuessBatch(graph);
  TW_CHECK(guess.ok());
  for (auto _ : state) {
    const absl::StatusOr<Graph> separated = SeparateBatch(graph, *guess);
    TW_CHECK(separated.ok());
    benchmark::DoNotOptimize(separated->size());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_SeparateBatch)->Arg(100000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tilewise
