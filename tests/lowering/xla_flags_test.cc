// Which flags of XLA are heard.

#include "sim/lowering/xla_flags.h"

#include <gtest/gtest.h>

namespace tilewise {
namespace {

bool Gathers(std::string_view flags) {
  LowerOptions options;
  ReadXlaFlags(flags, options);
  return options.gathers_in_pieces;
}

TEST(XlaFlags, AreReadAmongOthersAsScriptsHaveThem) {
  EXPECT_FALSE(Gathers(""));
  EXPECT_TRUE(Gathers("--xla_tpu_decompose_all_gather_einsum=true"));
  EXPECT_TRUE(
      Gathers("--xla_tpu_rwb_fusion=false  "
              "--xla_tpu_decompose_all_gather_einsum "
              "--xla_enable_async_all_gather=true"));
  EXPECT_FALSE(Gathers("--xla_tpu_decompose_all_gather_einsum=false"));
  EXPECT_FALSE(Gathers("--xla_tpu_decompose_all_gather_einsum_too=true"));
}

TEST(XlaFlags, LastSettingCounts) {
  EXPECT_FALSE(
      Gathers("--xla_tpu_decompose_all_gather_einsum=true "
              "--xla_tpu_decompose_all_gather_einsum=false"));
}

}  // namespace
}  // namespace tilewise
