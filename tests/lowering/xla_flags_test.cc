// Which flags of XLA are heard.

#include "sim/lowering/xla_flags.h"

#include <string>

#include <gtest/gtest.h>

namespace tilewise {
namespace {

bool Gathers(std::string_view text) {
  const absl::StatusOr<XlaFlags> flags = ParseXlaFlags(text);
  EXPECT_TRUE(flags.ok()) << flags.status();
  return flags.ok() && flags->gathers_in_pieces;
}

std::string ErrorOf(std::string_view text) {
  return std::string(ParseXlaFlags(text).status().message());
}

TEST(XlaFlags, AreReadAmongOthersAsScriptsHaveThem) {
  EXPECT_FALSE(Gathers(""));
  EXPECT_TRUE(Gathers("--xla_tpu_decompose_all_gather_einsum=true"));
  EXPECT_TRUE(
      Gathers("--xla_tpu_rwb_fusion=false \n"
              "--xla_tpu_decompose_all_gather_einsum "
              "--xla_enable_async_all_gather=true"));
  EXPECT_FALSE(Gathers("--xla_tpu_decompose_all_gather_einsum=false"));
  EXPECT_FALSE(Gathers("--xla_tpu_decompose_all_gather_einsum_too=true"));
}

TEST(XlaFlags, SayWhetherSparseCoresSumToParts) {
  EXPECT_FALSE(ParseXlaFlags("")->scatters_on_sparse_cores);
  EXPECT_TRUE(ParseXlaFlags("--xla_tpu_enable_sparse_core_collective_offload_reduce_scatter=true")
                  ->scatters_on_sparse_cores);
}

TEST(XlaFlags, SayWhetherGathersStayGathers) {
  EXPECT_FALSE(ParseXlaFlags("")->prefers_gathers);
  EXPECT_TRUE(ParseXlaFlags("--xla_tpu_prefer_async_allgather_to_allreduce=true")->prefers_gathers);
}

TEST(XlaFlags, SayWhatCrossesTheIterationsOfALoop) {
  const auto flags = ParseXlaFlags(
      "--xla_lhs_prioritize_async_depth_over_stall=ENABLED "
      "--xla_tpu_enable_ag_backward_pipelining=true");
  ASSERT_TRUE(flags.ok()) << flags.status();
  EXPECT_TRUE(flags->copies_across_trips);
  EXPECT_TRUE(flags->slice_gathers_across_trips);
}

TEST(XlaFlags, SayWhatTheSchedulerDoesWhereMemoryIsShort) {
  const auto early = [](std::string_view text) {
    const auto flags = ParseXlaFlags(text);
    EXPECT_TRUE(flags.ok()) << flags.status();
    return flags.ok() && flags->ends_values_early();
  };
  EXPECT_FALSE(early("--xla_tpu_scheduler_percent_shared_memory_limit=100"));
  EXPECT_TRUE(early("--xla_tpu_enable_scheduler_memory_pressure_tracking=true"));
  EXPECT_FALSE(
      early("--xla_tpu_enable_scheduler_memory_pressure_tracking=true "
            "--xla_tpu_scheduler_percent_shared_memory_limit=150"));
  EXPECT_EQ(ErrorOf("--xla_tpu_scheduler_percent_shared_memory_limit=all"),
            "found --xla_tpu_scheduler_percent_shared_memory_limit=all, expected a whole number "
            "from 1 to 100000");
}

TEST(XlaFlags, SayWhetherSparseCoresSumGradients) {
  EXPECT_TRUE(ParseXlaFlags("--xla_tpu_enable_sparse_core_collective_offload_all_reduce=true")
                  ->sums_on_sparse_cores);
}

TEST(XlaFlags, SayWhetherTheSchedulerWorksLayerByLayer) {
  EXPECT_TRUE(
      ParseXlaFlags("--xla_tpu_enable_latency_hiding_layer_scheduler=true")->schedules_by_layer);
  EXPECT_FALSE(ParseXlaFlags("--xla_tpu_enable_latency_hiding_scheduler=true")->schedules_by_layer);
}

TEST(XlaFlags, SayWhetherBarriersGoOrLeaveItOpen) {
  const auto removes = [](const std::string& value) {
    return ParseXlaFlags("--xla_tpu_aggressive_opt_barrier_removal=" + value)->removes_barriers;
  };
  EXPECT_EQ(removes("ENABLED"), true);
  EXPECT_EQ(removes("false"), false);
  EXPECT_EQ(removes("AUTO"), std::nullopt);
  EXPECT_EQ(ParseXlaFlags("")->removes_barriers, std::nullopt);
}

TEST(XlaFlags, SayWhichMatmulsRunAroundARing) {
  const auto flags = ParseXlaFlags(
      "--xla_tpu_all_gather_collective_matmul_mode=auto "
      "--xla_tpu_reduce_scatter_collective_matmul_mode=NONE "
      "--xla_jf_spmd_threshold_for_windowed_einsum_mib=128");
  ASSERT_TRUE(flags.ok()) << flags.status();
  EXPECT_TRUE(flags->gathers_around_ring);
  EXPECT_FALSE(flags->scatters_around_ring);
  EXPECT_EQ(flags->least_ring_mib, 128);
}

TEST(XlaFlags, LeaveTheCompilersChoiceToIt) {
  const auto flags = ParseXlaFlags("--xla_tpu_enable_latency_hiding_layer_scheduler=auto");
  ASSERT_TRUE(flags.ok()) << flags.status();
  EXPECT_FALSE(flags->schedules_by_layer);
}

TEST(XlaFlags, SayWhatClockTheCoreHas) {
  EXPECT_EQ(ParseXlaFlags("")->clock_state, XlaFlags::kUsualClock);
  EXPECT_EQ(ParseXlaFlags("--xla_tpu_dvfs_p_state=7")->clock_state, 7);
  EXPECT_EQ(ErrorOf("--xla_tpu_dvfs_p_state=9"),
            "found --xla_tpu_dvfs_p_state=9, expected a whole number from 0 to 7");
}

TEST(XlaFlags, LastSettingCounts) {
  EXPECT_FALSE(
      Gathers("--xla_tpu_decompose_all_gather_einsum=true "
              "--xla_tpu_decompose_all_gather_einsum=false"));
}

TEST(XlaFlags, NameAValueThatTheyCannotHave) {
  EXPECT_EQ(ErrorOf("--xla_tpu_decompose_all_gather_einsum=maybe"),
            "found --xla_tpu_decompose_all_gather_einsum=maybe, expected true "
            "or false");
  EXPECT_EQ(ErrorOf("--xla_tpu_rwb_fusion=maybe"), "");
}

TEST(XlaFlags, NameAWordThatIsNone) {
  EXPECT_EQ(ErrorOf("xla_tpu_decompose_all_gather_einsum=true"),
            "found 'xla_tpu_decompose_all_gather_einsum=true', expected flags "
            "of XLA, each with its --");
}

}  // namespace
}  // namespace tilewise
