// What is known of a step before its kernels have an order bounds what comes of it, and steps that
// differ in the chip alone share what the passes on the graph made.

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "estimator/estimate.h"
#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "sim/lowering/partitioned_steps.h"
#include "sim/lowering/text.h"
#include "sim/simulate.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

constexpr std::string_view kDecoder =
    "zoo:decoder,layers=10,d_model=256,heads=4,kv_heads=2,head_dim=64,d_ff=512,vocab=1000,seq=128";

struct Setting {
  std::string chip;
  Mesh mesh;
  Remat remat = Remat::kNone;
};

std::vector<Setting> Settings() {
  std::vector<Setting> settings;
  for (const char* chip : {"v2", "v3", "v4", "v5e", "v5p", "v6e", "v7x"}) {
    for (const Remat remat : {Remat::kNone, Remat::kDots, Remat::kFull}) {
      settings.push_back({chip, {}, remat});
      settings.push_back({chip, {.fsdp = 8}, remat});
      settings.push_back({chip, {.fsdp = 4, .tensor = 2}, remat});
    }
  }
  return settings;
}

LowerOptions OptionsOf(const Setting& setting) {
  LowerOptions options;
  options.spec.remat = setting.remat;
  return options;
}

TEST(GivenUp, LeastNeedsBoundTheStepAndItsPeak) {
  for (const std::string_view spec :
       {kDecoder, std::string_view("zoo:bert,layers=9,seq=64"), std::string_view("zoo:resnet50")}) {
    const auto workload = LoadZoo(spec);
    ASSERT_TRUE(workload.ok()) << workload.status();
    for (const Setting& setting : Settings()) {
      SCOPED_TRACE(fmt::format("{} {} {}", spec, setting.chip, RematName(setting.remat)));
      const auto target = MakeTarget(setting.chip, 8, "", setting.mesh);
      ASSERT_TRUE(target.ok()) << target.status();
      LowerOptions options = OptionsOf(setting);
      LeastNeeds least;
      options.is_worth_it = [&](const Program& program, const Repetitions& how_often) {
        least = LeastNeedsOf(program, how_often, *target);
        return true;
      };
      const auto program = Lower(*workload->graph, 4, *target, options);
      ASSERT_TRUE(program.ok()) << program.status();
      EXPECT_GT(least.step, Seconds{});
      EXPECT_LE(least.step, SimulateStep(*program, *target).step);
      EXPECT_LE(least.hbm, program->memory.peak);
    }
  }
}

TEST(GivenUp, ALoweringEndsWhereItIsNotWorthIt) {
  const auto workload = LoadZoo(kDecoder);
  const auto target = MakeTarget("v5e", 8, "");
  LowerOptions options;
  options.is_worth_it = [](const Program&, const Repetitions&) { return false; };
  const auto program = Lower(*workload->graph, 4, *target, options);
  EXPECT_TRUE(IsGivenUp(program.status())) << program.status();
}

TEST(PartitionedSteps, AreTheSameForEveryChip) {
  const auto workload = LoadZoo(kDecoder);
  PartitionedSteps shared;
  for (const Setting& setting : Settings()) {
    SCOPED_TRACE(fmt::format("{} {}", setting.chip, RematName(setting.remat)));
    const auto target = MakeTarget(setting.chip, 8, "", setting.mesh);
    LowerOptions options = OptionsOf(setting);
    const auto alone = Lower(*workload->graph, 4, *target, options);
    options.partitioned = &shared;
    const auto together = Lower(*workload->graph, 4, *target, options);
    ASSERT_TRUE(alone.ok() && together.ok());
    const auto print = [&](const Program& program) {
      return PrintProgram(program, ContextOf("schedule", *target, workload->graph->Bind(4)));
    };
    EXPECT_EQ(print(*alone), print(*together));
  }
}

}  // namespace
}  // namespace tilewise
