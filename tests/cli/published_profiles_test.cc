// Profiles whose numbers are published and whose files are not here: the same
// programs, simulated, against what their authors say.

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

struct Published {
  std::string command;
  double seconds;                    // of a step on the device
  std::optional<double> bytes = {};  // of HBM at the peak
};

TEST(PublishedProfiles, LieWithinTheRangesOfTheirSimulation) {
  const std::vector<Published> rows = {
      // ResNet-50 in Keras, XProf's demo of a Cloud TPU.
      {"zoo:resnet50,dtype=f32 --chip v2-8 --batch 1024", 0.3138},
      // The up-projection of the scaling book's Transformer block, by core.
      {"zoo:gemm,m=8192,k=8192,n=16384,dtype=bf16 --chip v2", 0.096},
      // DeepSeek2-16b in MaxText's guide on logs and metrics.
      {"zoo:decoder,layers=27,d_model=2048,heads=16,kv_heads=16,head_dim=128,d_ff=10944,"
       "vocab=102400,experts=64,top_k=6,capacity=0,shared_experts=2,dense_layers=1,"
       "expert_ff=1408,latent=512,seq=2048,dtype=bf16 --chip v5p --mesh fsdp=4 "
       "--batch-per-core 24 --remat full --optimizer adamw",
       5.667, 100.4e9},
  };
  for (const Published& row : rows) {
    SCOPED_TRACE(row.command);
    const RunResult run = RunTilewise("simulate --format json " + row.command);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_GE(row.seconds, json["step"]["device_seconds_low"].get<double>());
    EXPECT_LE(row.seconds, json["step"]["device_seconds_high"].get<double>());
    if (!row.bytes) continue;
    EXPECT_GE(*row.bytes, json["memory"]["hbm_peak_low_bytes"].get<double>());
    EXPECT_LE(*row.bytes, json["memory"]["hbm_peak_high_bytes"].get<double>());
  }
}

}  // namespace
}  // namespace tilewise
