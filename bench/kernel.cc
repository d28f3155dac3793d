// Times one matrix product from fused ops to simulated seconds: its work, its
// tiles and its time. Figures of one run: docs/performance.md.

#include <algorithm>
#include <string_view>

#include <benchmark/benchmark.h>

#include "base/check.h"
#include "graph/graph_builder.h"
#include "hardware/target.h"
#include "sim/kernel_time.h"
#include "sim/lowering/lower.h"

namespace tilewise {
namespace {

Graph Product(int64_t m, int64_t n, int64_t k) {
  GraphBuilder b("product");
  const OpId x = b.Parameter(Shape::Of(DType::kBF16, {m, k}), "x");
  const OpId y = b.Parameter(Shape::Of(DType::kBF16, {k, n}), "y");
  b.AddOutput(b.Dot(x, y, {{}, {}, {1}, {0}}), Output::Role::kResult);
  absl::StatusOr<Graph> graph = b.Build();
  TW_CHECK(graph.ok());
  return *std::move(graph);
}

const Pass& FindPass(std::string_view name) {
  const auto passes = LoweringPasses();
  const auto pass =
      std::find_if(passes.begin(), passes.end(), [&](const Pass& p) { return p.name == name; });
  TW_CHECK(pass != passes.end());
  return *pass;
}

// Between iterations, the kernel gets back what it was after `fuse`.
void BM_Product(benchmark::State& state) {
  const Graph graph = Product(4096, 4096, 4096);
  absl::StatusOr<Target> target = MakeTarget("v3", 8, "");
  TW_CHECK(target.ok());
  LowerOptions options;
  options.training = false;
  Program program;
  options.after_pass = [&](std::string_view pass, const Program& made) {
    if (pass == "fuse") program = made;
  };
  TW_CHECK(Lower(graph, 1, *target, options).ok());
  TW_CHECK(program.kernels.size() == 1);
  const LoweringContext context{*target, options, graph, graph};
  const Pass& lower_ops = FindPass("lower_ops");
  const Pass& choose_tiles = FindPass("choose_tiles");
  const Kernel fused = program.kernels[0];
  for (auto _ : state) {
    program.kernels[0] = fused;
    TW_CHECK(lower_ops.run(program, context).ok());
    TW_CHECK(choose_tiles.run(program, context).ok());
    benchmark::DoNotOptimize(TimeKernel(program.kernels[0], target->chip));
  }
  state.SetLabel("bf16 4096 x 4096 x 4096");
}

BENCHMARK(BM_Product)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tilewise
