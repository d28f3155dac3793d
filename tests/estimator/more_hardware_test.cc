// More hardware never slows a step down, on random graphs and every chip: one
// number of the chip is made twice as good at a time.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"
#include "tests/reference/random_graph.h"

namespace tilewise {
namespace {

constexpr double kRounding = 1 + 1e-12;

struct Improvement {
  const char* name;
  void (*apply)(Chip&);
};

constexpr Improvement kImprovements[] = {
    {"HBM channels",
     [](Chip& chip) {
       chip.hbm_bandwidth.value *= 2;
       chip.hbm_channels.channels *= 2;
     }},
    {"HBM clock",
     [](Chip& chip) {
       chip.hbm_bandwidth.value *= 2;
       chip.hbm_channels.bytes_per_second.value *= 2;
     }},
    {"VMEM",
     [](Chip& chip) {
       chip.vmem = chip.vmem * 2;
       chip.vmem_window_budget = chip.vmem_window_budget * 2;
     }},
    {"VMEM between kernels", [](Chip& chip) { chip.vmem = chip.vmem * 2; }},
    {"CMEM", [](Chip& chip) { chip.cmem = chip.cmem * 2; }},
    {"CMEM bandwidth", [](Chip& chip) { chip.cmem_bandwidth.value *= 2; }},
    {"links", [](Chip& chip) { chip.ici_links *= 2; }},
    {"link bandwidth", [](Chip& chip) { chip.ici_link_bandwidth.value *= 2; }},
    {"hop latency", [](Chip& chip) { chip.ici_hop_latency = chip.ici_hop_latency * 0.5; }},
    {"MXUs", [](Chip& chip) { chip.mxus *= 2; }},
    {"MXU rows", [](Chip& chip) { chip.mxu_rows_per_cycle *= 2; }},
};

// These change what the compiler prefers, fusions and layouts included; only
// for a program that is lowered already do they never do harm.
constexpr Improvement kForGivenPrograms[] = {
    {"ALU slots", [](Chip& chip) { chip.vector_alu_slots *= 2; }},
    {"loads", [](Chip& chip) { chip.vector_loads_per_cycle *= 2; }},
    {"stores", [](Chip& chip) { chip.vector_stores_per_cycle *= 2; }},
    {"transcendentals", [](Chip& chip) { chip.transcendental_per_cycle *= 2; }},
    {"cross-lane", [](Chip& chip) { chip.cross_lane_cycles /= 2; }},
    {"clock", [](Chip& chip) { chip.clock_hz *= 2; }},
    {"latch", [](Chip& chip) { chip.latch_cycles /= 2; }},
    {"fill", [](Chip& chip) { chip.mxu_fill_cycles /= 2; }},
    {"DMA latency", [](Chip& chip) { chip.dma_latency = chip.dma_latency * 0.5; }},
    {"kernel overhead", [](Chip& chip) { chip.kernel_overhead = chip.kernel_overhead * 0.5; }},
    {"window overhead", [](Chip& chip) { chip.window_overhead = chip.window_overhead * 0.5; }},
};

class MoreHardware : public testing::TestWithParam<std::string> {
 protected:
  static Program Lowered(const Graph& graph, int64_t batch, const Target& target, bool training) {
    LowerOptions options;
    options.training = training;
    absl::StatusOr<Program> program = Lower(graph, batch, target, options);
    EXPECT_TRUE(program.ok()) << program.status();
    return *std::move(program);
  }

  Target Improved(const Improvement& improvement) const {
    Target target = target_;
    improvement.apply(target.chip);
    return target;
  }

  void ExpectNoneSlower(const Program& program, double before, const std::string& what) const {
    const auto check = [&](const Improvement& improvement) {
      const double now = SimulateStep(program, Improved(improvement)).step.value;
      EXPECT_LE(now, before * kRounding) << improvement.name << ", " << what;
    };
    std::for_each(std::begin(kImprovements), std::end(kImprovements), check);
    std::for_each(std::begin(kForGivenPrograms), std::end(kForGivenPrograms), check);
  }

  const Target target_ = *MakeTarget(GetParam(), 0, "");
};

INSTANTIATE_TEST_SUITE_P(All, MoreHardware, testing::ValuesIn(ChipNames()),
                         [](const auto& param) { return param.param; });

TEST_P(MoreHardware, NeverSlowsAGivenProgramDown) {
  for (uint32_t seed = 0; seed < 8; ++seed) {
    const Graph graph = reference::RandomClassifier(seed, 12);
    for (const int64_t batch : {8, 1024, 65536}) {
      const Program program = Lowered(graph, batch, target_, true);
      const double before = SimulateStep(program, target_).step.value;
      ExpectNoneSlower(program, before,
                       "seed " + std::to_string(seed) + ", batch " + std::to_string(batch));
    }
  }
}

TEST_P(MoreHardware, NeverSlowsTheStepDown) {
  for (uint32_t seed = 0; seed < 8; ++seed) {
    const Graph graph = reference::RandomClassifier(seed, 12);
    for (const int64_t batch : {1, 128, 8192, 65536}) {
      const bool training = batch % 128 == 0;
      const Program program = Lowered(graph, batch, target_, training);
      const double before = SimulateStep(program, target_).step.value;
      for (const Improvement& improvement : kImprovements) {
        const Target better = Improved(improvement);
        const Program other = Lowered(graph, batch, better, training);
        EXPECT_LE(SimulateStep(other, better).step.value, before * kRounding)
            << improvement.name << ", seed " << seed << ", batch " << batch;
      }
    }
  }
}

}  // namespace
}  // namespace tilewise
