// Decoding on several cores: more bandwidth never slows it down, though orders
// of dims are chosen anew.

#include <string>

#include <gtest/gtest.h>

#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

constexpr char kDecoder[] =
    "zoo:decoder,layers=2,d_model=512,heads=32,kv_heads=4,head_dim=64,"
    "d_ff=1024,vocab=1024,seq=1,cached=512,slots=32,kind=reference,dtype=bf16";

double StepOn(const Graph& graph, const Target& target) {
  LowerOptions options;
  options.training = false;
  const absl::StatusOr<Program> program = Lower(graph, 32, target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? SimulateStep(*program, target).step.value : 0;
}

class DecodingOn : public testing::TestWithParam<std::string> {};

TEST_P(DecodingOn, TwiceTheBandwidthIsNotSlower) {
  const auto workload = LoadZoo(kDecoder, false);
  ASSERT_TRUE(workload.ok()) << workload.status();
  for (const int64_t tensor : {4, 8, 16}) {
    const auto target = MakeTarget(GetParam(), 0, "", {.data = 1, .tensor = tensor});
    ASSERT_TRUE(target.ok()) << target.status();
    const double before = StepOn(*workload->graph, *target);
    Target better = *target;
    better.chip.hbm_bandwidth.value *= 2;
    better.chip.hbm_channels.bytes_per_second.value *= 2;
    EXPECT_LE(StepOn(*workload->graph, better), before) << tensor;
  }
}

INSTANTIATE_TEST_SUITE_P(All, DecodingOn, testing::ValuesIn(ChipNames()),
                         [](const auto& chip) { return chip.param; });

}  // namespace
}  // namespace tilewise
