// Times each stage from file to answer, on a model of ResNet-50's size and on
// a graph of 10,000 ops. Figures of one run: docs/performance.md.

#include <string>

#include <benchmark/benchmark.h>

#include "base/check.h"
#include "bench/models.h"
#include "estimator/estimate.h"
#include "frontend/keras/read_json.h"
#include "hardware/target.h"
#include "rules/analysis.h"
#include "rules/rule.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"
#include "tuner/tuner.h"

namespace tilewise {
namespace {

constexpr int kChainBlocks = 1430;  // about 10,000 forward ops
constexpr int64_t kBatchPerCore = 128;

std::string Model(int64_t which) {
  return which == 0 ? ResNet50Json() : ConvChainJson(kChainBlocks);
}

Workload Load(const std::string& text) {
  absl::StatusOr<Workload> workload =
      ReadKerasJson("model.json", text, LoadOptions{});
  TW_CHECK(workload.ok());
  return *std::move(workload);
}

Target V3() {
  absl::StatusOr<Target> target = MakeTarget("v3", 8, "");
  TW_CHECK(target.ok());
  return *std::move(target);
}

Program LowerModel(const Workload& workload, const Target& target) {
  absl::StatusOr<Program> program =
      Lower(*workload.graph, kBatchPerCore, target, LowerOptions{});
  TW_CHECK(program.ok());
  return *std::move(program);
}

void Label(benchmark::State& state) {
  state.SetLabel(state.range(0) == 0 ? "resnet50" : "10,000 ops");
}

void BM_Load(benchmark::State& state) {
  const std::string text = Model(state.range(0));
  int64_t ops = 0;
  for (auto _ : state) ops = Load(text).graph->size();
  state.counters["forward_ops"] = static_cast<double>(ops);
  Label(state);
}

void BM_Lower(benchmark::State& state) {
  const Workload workload = Load(Model(state.range(0)));
  const Target target = V3();
  size_t kernels = 0;
  for (auto _ : state) kernels = LowerModel(workload, target).kernels.size();
  state.counters["kernels"] = static_cast<double>(kernels);
  Label(state);
}

void BM_Simulate(benchmark::State& state) {
  const Target target = V3();
  const Program program = LowerModel(Load(Model(state.range(0))), target);
  for (auto _ : state) {
    benchmark::DoNotOptimize(SimulateStep(program, target).step);
  }
  Label(state);
}

void BM_Estimate(benchmark::State& state) {
  const Target target = V3();
  const Program program = LowerModel(Load(Model(state.range(0))), target);
  for (auto _ : state) {
    benchmark::DoNotOptimize(EstimateProgram(program, target).step);
  }
  Label(state);
}

// Lower, simulate and run all rules.
void BM_Lint(benchmark::State& state) {
  const Workload workload = Load(Model(state.range(0)));
  const Target target = V3();
  size_t findings = 0;
  for (auto _ : state) {
    AnalysisOptions options;
    options.global_batch = kBatchPerCore * target.cores;
    auto analysis = Analyze(workload, target, options);
    TW_CHECK(analysis.ok());
    findings = RunRules((*analysis)->facts(), RuleSelection{}).size();
  }
  state.counters["findings"] = static_cast<double>(findings);
  Label(state);
}

void BM_Tune(benchmark::State& state) {
  const Workload workload = Load(Model(state.range(0)));
  const Target target = V3();
  size_t trials = 0;
  for (auto _ : state) {
    SearchSpace space;
    space.examples_per_epoch = 50000;
    auto tuning = Tune(workload, space, target, LowerOptions{}, Progress{});
    TW_CHECK(tuning.ok());
    trials = tuning->curve.size();
  }
  state.counters["batches"] = static_cast<double>(trials);
  Label(state);
}

BENCHMARK(BM_Load)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Lower)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Simulate)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Estimate)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Lint)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Tune)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tilewise
