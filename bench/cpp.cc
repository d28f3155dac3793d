// Reading C++ sources: a LibTorch program with the short declarations that stand in for LibTorch,
// and with its own headers. scripts/cpp-speed compares with the compiler.

#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "frontend/load.h"

namespace tilewise {
namespace {

constexpr char kSource[] = TILEWISE_SOURCE_DIR "/examples/libtorch/digits.cpp";

void Read(benchmark::State& state, const std::vector<std::string>& flags) {
  LoadOptions options;
  options.program.arguments = flags;
  for (auto _ : state) {
    const absl::StatusOr<Workload> workload = LoadFiles({kSource}, options);
    if (!workload.ok() || !workload->graph) {
      state.SkipWithError("the source cannot be read");
      return;
    }
    benchmark::DoNotOptimize(workload->graph->ops().size());
  }
}

void BM_ReadCppWithStandIns(benchmark::State& state) { Read(state, {}); }
BENCHMARK(BM_ReadCppWithStandIns)->Unit(benchmark::kMillisecond);

void BM_ReadCppWithLibTorch(benchmark::State& state) {
  const std::string folder = TILEWISE_LIBTORCH;
  if (folder.empty()) {
    state.SkipWithError("no headers of LibTorch; scripts/setup unpacks them");
    return;
  }
  Read(state, {"-std=c++17", "-isystem", folder, "-isystem", folder + "/torch/csrc/api/include"});
}
BENCHMARK(BM_ReadCppWithLibTorch)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tilewise
