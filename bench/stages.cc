// Times each stage from file to answer, on ResNet-50, on a graph of 10,000 ops
// and on a decoder of many equal layers. Figures of one run:
// docs/performance.md.

#include <string>

#include <benchmark/benchmark.h>

#include "base/check.h"
#include "bench/models.h"
#include "estimator/estimate.h"
#include "frontend/keras/read_json.h"
#include "hardware/target.h"
#include "rules/rule.h"
#include "session/session.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"
#include "tuner/tuner.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

constexpr int kChainBlocks = 1430;  // about 10,000 forward ops
constexpr int64_t kBatchPerCore = 128;

// As Keras builds it: f32, the stride in the first 1x1 convolution.
constexpr char kResNet50[] = "zoo:resnet50,variant=v1,dtype=f32";

// The shapes of Llama 3.1 405 B.
constexpr char kDecoder[] =
    "zoo:decoder,layers=126,d_model=16384,heads=128,kv_heads=8,head_dim=128,"
    "d_ff=53248,vocab=128256,seq=8192,gated=1";

Workload Read(const std::string& text) {
  absl::StatusOr<Workload> workload = ReadKerasJson({"model.json", text}, LoadOptions{});
  TW_CHECK(workload.ok());
  return *std::move(workload);
}

Workload Build(std::string_view spec) {
  absl::StatusOr<Workload> workload = LoadZoo(spec);
  TW_CHECK(workload.ok());
  return *std::move(workload);
}

Workload Model(int64_t which) {
  return which == 0 ? Build(kResNet50) : Read(ConvChainJson(kChainBlocks));
}

Target V3() {
  absl::StatusOr<Target> target = MakeTarget("v3", 8, "");
  TW_CHECK(target.ok());
  return *std::move(target);
}

Program LowerModel(const Workload& workload, const Target& target) {
  absl::StatusOr<Program> program = Lower(*workload.graph, kBatchPerCore, target, LowerOptions{});
  TW_CHECK(program.ok());
  return *std::move(program);
}

// The step that the decoder's figures are for: one sequence per core.
Program LowerDecoder(const Workload& workload, const Target& target) {
  absl::StatusOr<Program> program = Lower(*workload.graph, 1, target, LowerOptions{});
  TW_CHECK(program.ok());
  return *std::move(program);
}

void Label(benchmark::State& state) {
  state.SetLabel(state.range(0) == 0 ? "resnet50" : "10,000 ops");
}

void BM_Zoo(benchmark::State& state) {
  int64_t ops = 0;
  for (auto _ : state) ops = Build(kResNet50).graph->size();
  state.counters["forward_ops"] = static_cast<double>(ops);
  state.SetLabel("resnet50");
}

void BM_Load(benchmark::State& state) {
  const std::string text = ConvChainJson(kChainBlocks);
  int64_t ops = 0;
  for (auto _ : state) ops = Read(text).graph->size();
  state.counters["forward_ops"] = static_cast<double>(ops);
  state.SetLabel("10,000 ops");
}

void BM_Lower(benchmark::State& state) {
  const Workload workload = Model(state.range(0));
  const Target target = V3();
  size_t kernels = 0;
  for (auto _ : state) kernels = LowerModel(workload, target).kernels.size();
  state.counters["kernels"] = static_cast<double>(kernels);
  Label(state);
}

void BM_LowerAndSimulate(benchmark::State& state) {
  const Workload workload = Model(state.range(0));
  const Target target = V3();
  for (auto _ : state) {
    const Program program = LowerModel(workload, target);
    benchmark::DoNotOptimize(SimulateStep(program, target).step);
  }
  Label(state);
}

void BM_DecoderLowerAndSimulate(benchmark::State& state) {
  const Workload workload = Build(kDecoder);
  const Target target = V3();
  size_t kernels = 0;
  for (auto _ : state) {
    const Program program = LowerDecoder(workload, target);
    kernels = program.kernels.size();
    benchmark::DoNotOptimize(SimulateStep(program, target).step);
  }
  state.counters["forward_ops"] = static_cast<double>(workload.graph->size());
  state.counters["kernels"] = static_cast<double>(kernels);
  state.SetLabel("126 layers");
}

void BM_Simulate(benchmark::State& state) {
  const Target target = V3();
  const Program program = LowerModel(Model(state.range(0)), target);
  for (auto _ : state) {
    benchmark::DoNotOptimize(SimulateStep(program, target).step);
  }
  Label(state);
}

void BM_Estimate(benchmark::State& state) {
  const Target target = V3();
  const Program program = LowerModel(Model(state.range(0)), target);
  for (auto _ : state) {
    benchmark::DoNotOptimize(EstimateProgram(program, target).step);
  }
  Label(state);
}

// Lower, simulate, run all rules and simulate what their fixes save.
void BM_Lint(benchmark::State& state) {
  const Workload workload = Model(state.range(0));
  const Target target = V3();
  size_t findings = 0;
  for (auto _ : state) {
    SessionOptions options;
    options.global_batch = kBatchPerCore * target.cores;
    auto session = MakeSession(workload, target, options);
    TW_CHECK(session.ok());
    findings = RunRules((*session)->facts(), RuleSelection{}, RunOptions{}).findings.size();
  }
  state.counters["findings"] = static_cast<double>(findings);
  Label(state);
}

void BM_Tune(benchmark::State& state) {
  const Workload workload = Model(state.range(0));
  const Target target = V3();
  size_t trials = 0;
  for (auto _ : state) {
    const Session session(workload, target, {.examples_per_epoch = 50000});
    auto tuning = Tune(session, SearchSpace{}, Progress{});
    TW_CHECK(tuning.ok());
    trials = tuning->curve.size();
  }
  state.counters["batches"] = static_cast<double>(trials);
  Label(state);
}

BENCHMARK(BM_Zoo)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Load)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Lower)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_LowerAndSimulate)->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_DecoderLowerAndSimulate)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Simulate)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Estimate)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Lint)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Tune)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tilewise
