// Models of equal layers are lowered the same whether those are folded or not.

#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "sim/lowering/text.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

struct Case {
  const char* spec;
  const char* chip;
  Remat remat;
  Mesh mesh = {};
  std::vector<RematTensor> tensors = {};
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.spec; }

// Kernels may be numbered in another order than they are issued in.
std::string WithoutNumbers(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("kernel ")) {
      const size_t end = line.find(',');
      const size_t number = line.rfind('.', end);
      line.erase(number, end - number);
    }
    result += line + "\n";
  }
  return result;
}

class RepeatedLayers : public testing::TestWithParam<Case> {};

TEST_P(RepeatedLayers, AreLoweredOnce) {
  const auto workload = LoadZoo(GetParam().spec);
  ASSERT_TRUE(workload.ok()) << workload.status();
  const auto target = MakeTarget(GetParam().chip, 8, "", GetParam().mesh);
  ASSERT_TRUE(target.ok());
  const auto lowered = [&](bool fold) {
    LowerOptions options;
    options.spec.remat = GetParam().remat;
    options.spec.remat_tensors = GetParam().tensors;
    options.fold_repeats = fold;
    auto program = Lower(*workload->graph, 2, *target, options);
    EXPECT_TRUE(program.ok()) << program.status();
    return *std::move(program);
  };
  const Program folded = lowered(true);
  const Program whole = lowered(false);
  // What comes from the host is sent for two layers ahead: not folded.
  if (GetParam().tensors.empty()) {
    EXPECT_LT(folded.passes[0].ops, whole.passes[0].ops);
  }
  const auto print = [&](const Program& program) {
    return WithoutNumbers(
        PrintProgram(program, ContextOf("schedule", *target, workload->graph->Bind(2))));
  };
  EXPECT_EQ(print(folded), print(whole));
}

INSTANTIATE_TEST_SUITE_P(
    Zoo, RepeatedLayers,
    testing::Values(Case{"zoo:bert,layers=10,seq=64", "v3", Remat::kNone},
                    Case{"zoo:bert,layers=10,seq=64", "v4", Remat::kDots},
                    Case{"zoo:vit,layers=9", "v5e", Remat::kNone},
                    Case{"zoo:mlp,layers=20,nodes=256", "v2", Remat::kNone},
                    Case{"zoo:decoder,layers=10,d_model=256,heads=4,kv_heads=2,head_dim=64,"
                         "d_ff=512,vocab=1000,seq=128",
                         "v5p", Remat::kFull},
                    Case{"zoo:decoder,layers=12,d_model=256,heads=4,kv_heads=4,head_dim=64,"
                         "d_ff=512,vocab=1000,seq=128,experts=4",
                         "v4", Remat::kNone},
                    Case{"zoo:decoder,layers=12,d_model=256,heads=4,kv_heads=4,head_dim=64,"
                         "d_ff=512,vocab=1000,seq=128,vocab_tiles=8",
                         "v6e", Remat::kFull},
                    Case{"zoo:decoder,layers=30,d_model=256,heads=4,kv_heads=2,head_dim=64,"
                         "d_ff=512,vocab=1000,seq=128,sliding_window=16,global_every=3,"
                         "global_head_dim=128,global_kv_heads=1,global_values=keys,"
                         "qk_norm=1,result_norm=1",
                         "v7", Remat::kFull},
                    Case{"zoo:decoder,layers=12,d_model=256,heads=4,kv_heads=4,head_dim=64,"
                         "d_ff=512,vocab=1000,seq=128,bias=1",
                         "v6e",
                         Remat::kFull,
                         {.data = 1, .fsdp = 8}},
                    Case{"zoo:decoder,layers=10,d_model=512,heads=4,kv_heads=2,head_dim="
                         "128,d_ff=1024,vocab=1024,seq=128,experts=4,kind=reference",
                         "v5e",
                         Remat::kFull,
                         {.data = 1, .fsdp = 8}},
                    Case{"zoo:decoder,layers=12,d_model=512,heads=4,kv_heads=2,head_dim="
                         "128,d_ff=1024,vocab=1024,seq=128,gated=0,activation=gelu,norm="
                         "layer,positions=learned,bias=1,tied=1",
                         "v5p",
                         Remat::kDots,
                         {.data = 1, .fsdp = 4, .tensor = 2}},
                    Case{"zoo:decoder,layers=11,d_model=512,heads=4,kv_heads=2,head_dim="
                         "128,d_ff=1024,vocab=1024,seq=128",
                         "v6e",
                         Remat::kFull,
                         {.data = 2, .fsdp = 2, .tensor = 2}},
                    Case{"zoo:decoder,layers=9,d_model=512,heads=8,kv_heads=8,head_dim="
                         "128,d_ff=1024,vocab=1024,seq=128,experts=4",
                         "v5e",
                         Remat::kNone,
                         {.data = 1, .tensor = 8}},
                    Case{"zoo:decoder,layers=10,d_model=512,heads=4,kv_heads=2,head_dim="
                         "128,d_ff=1024,vocab=1024,seq=128",
                         "v6e",
                         Remat::kFull,
                         {.data = 1, .fsdp = 8},
                         {{"query_proj", true}, {"out_proj", true}}}));

// Peak of a decoder whose links are the bottleneck, as each core has few
// tokens.
Bytes PeakOfLayers(int layers) {
  const auto workload =
      LoadZoo(fmt::format("zoo:decoder,layers={},d_model=1024,heads=8,kv_heads=8,"
                          "head_dim=128,d_ff=4096,vocab=1024,seq=128,bias=1",
                          layers));
  EXPECT_TRUE(workload.ok()) << workload.status();
  const auto target = MakeTarget("v5e", 0, "", {.data = 1, .fsdp = 64});
  EXPECT_TRUE(target.ok()) << target.status();
  LowerOptions options;
  options.spec.optimizer = OptimizerKind::kAdam;
  options.spec.remat = Remat::kFull;
  const auto program = Lower(*workload->graph, 1, *target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  return program->memory.peak;
}

TEST(RepeatedLayersOnFsdp, HoldFewGatheredWeightsAtATime) {
  // A layer has 16 Mi weights: 32 MiB gathered, 3.5 MiB of a core's own with
  // the optimizer's.
  EXPECT_LT(PeakOfLayers(20) - PeakOfLayers(10), Bytes{10 * 8 << 20});
}

}  // namespace
}  // namespace tilewise
