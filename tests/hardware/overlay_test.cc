// Chips that say only in what they differ from another.

#include "hardware/overlay.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hardware/target.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string ErrorOf(const std::string& text) {
  const TemporaryFolder folder;
  return Message(FindChip(folder.Write("wrong.txtpb", text)).status());
}

constexpr char kSlower[] =
    "base: \"v4\"\n"
    "kernel_overhead_us { value: 2.5 kind: FITTED source: \"my runs\" }\n";

TEST(Overlay, ChangesWhatItNamesAndNothingElse) {
  const TemporaryFolder folder;
  const absl::StatusOr<Chip> chip = FindChip(folder.Write("slower.txtpb", kSlower));
  ASSERT_TRUE(chip.ok()) << chip.status();
  const Chip base = *FindChip("v4");
  EXPECT_DOUBLE_EQ(chip->kernel_overhead.value, 2.5e-6);
  EXPECT_EQ(chip->clock_hz, base.clock_hz);
  EXPECT_EQ(chip->default_host, base.default_host);
  EXPECT_EQ(chip->name, "slower");
  EXPECT_THAT(chip->description, HasSubstr("slower.txtpb"));
}

TEST(Overlay, IsATargetAndListsItsSources) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("slower.txtpb", kSlower);
  EXPECT_TRUE(MakeTarget(path, 4, "").ok());
  const auto numbers = ChipNumbers(path);
  ASSERT_TRUE(numbers.ok());
  const auto found = std::find_if(numbers->begin(), numbers->end(), [](const auto& number) {
    return number.field == "kernel_overhead_us";
  });
  ASSERT_NE(found, numbers->end());
  EXPECT_EQ(found->source, "fitted: my runs");
}

TEST(Overlay, ErrorsNameTheLine) {
  EXPECT_THAT(ErrorOf("base: \"v4\"\nmxu_size { value: 1 }\n"),
              AllOf(HasSubstr("wrong.txtpb:2:"), HasSubstr("mxu_size")));
  EXPECT_THAT(
      ErrorOf("base: \"v4\"\n\nhbm_efficiency { value: 1.5 kind: "
              "FITTED source: \"x\" }\n"),
      AllOf(HasSubstr("wrong.txtpb:3:"), HasSubstr("found hbm_efficiency 1.5, expected a share")));
  EXPECT_THAT(ErrorOf("base: \"v44\"\n"),
              AllOf(HasSubstr("wrong.txtpb: base"), HasSubstr("'v44'")));
  EXPECT_THAT(ErrorOf("base: \"other.txtpb\"\n"), HasSubstr("a chip that comes with tilewise"));
  EXPECT_THAT(ErrorOf("name: \"mine\"\n"), HasSubstr("found no"));
}

TEST(FittableConstants, AreThoseThatNoDataSheetGives) {
  const auto constants = FittableConstants("v4");
  ASSERT_TRUE(constants.ok());
  EXPECT_GT(constants->size(), 5u);
  for (const FittableConstant& constant : *constants) {
    EXPECT_LT(constant.least, constant.most) << constant.field;
    EXPECT_THAT(constant.kind, ::testing::AnyOf("fitted", "assumed"));
    EXPECT_NE(constant.field, "clock_mhz");
    EXPECT_NE(constant.field, "hbm_gb_per_s");
  }
}

TEST(OverlayText, IsReadBackAsTheChangedChip) {
  const std::vector<ChangedConstant> changes = {
      {"kernel_overhead_us", 0.75, "fitted on \"my\" rows"},
      {"dma_latency_us", 0.4, "fitted on my rows"}};
  const auto text = OverlayText("v4", changes);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("base: \"v4\""));
  EXPECT_THAT(*text, Not(HasSubstr("clock_mhz")));
  const TemporaryFolder folder;
  const std::string path = folder.Write("mine.txtpb", *text);
  const absl::StatusOr<Chip> chip = FindChip(path);
  ASSERT_TRUE(chip.ok()) << chip.status();
  const Chip expected = *FindChipWith("v4", changes);
  EXPECT_EQ(chip->kernel_overhead, expected.kernel_overhead);
  EXPECT_EQ(chip->dma_latency, expected.dma_latency);
  EXPECT_EQ(*BaseChipName(path), "v4");
}

TEST(OverlayText, OfAnOverlayKeepsItsOwnNumbers) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("slower.txtpb", kSlower);
  const auto text =
      OverlayText(path, std::vector<ChangedConstant>{{"dma_latency_us", 0.4, "fitted on my rows"}});
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text,
              AllOf(HasSubstr("base: \"v4\""), HasSubstr("my runs"), HasSubstr("dma_latency_us")));
}

TEST(FindChipWith, RefusesWhatMayNotBeFitted) {
  const std::vector<ChangedConstant> clock = {{"clock_mhz", 2000, "wish"}};
  EXPECT_FALSE(FindChipWith("v4", clock).ok());
  const std::vector<ChangedConstant> share = {{"hbm_efficiency", 2, "wish"}};
  EXPECT_FALSE(FindChipWith("v4", share).ok());
}

TEST(Overlay, OfAHostStandsBesideItsChip) {
  const TemporaryFolder folder;
  const std::vector<ChangedConstant> changes = {
      {.field = "per_step_ms", .value = 7, .source = "a profile"}};
  const absl::StatusOr<std::string> host = HostOverlayText("tpu-vm", "jax-loop", changes);
  ASSERT_TRUE(host.ok()) << host.status();
  folder.Write("mine-host.txtpb", *host);
  const absl::StatusOr<std::string> chip =
      OverlayText("v4", {},
                  {.range = ErrorRange{.low = 0.9, .high = 1.1, .rows = 8},
                   .source = "a profile",
                   .host = "mine-host.txtpb"});
  ASSERT_TRUE(chip.ok()) << chip.status();
  const absl::StatusOr<Target> target = MakeTarget(folder.Write("mine.txtpb", *chip), 0, "");
  ASSERT_TRUE(target.ok()) << target.status();
  EXPECT_EQ(target->host.name, "mine-host");
  EXPECT_DOUBLE_EQ(target->host.runtime("jax-loop").per_step.value, 7e-3);
  // What the file does not name is as in the base.
  const Host base = *FindHost("tpu-vm");
  EXPECT_EQ(target->host.runtime("jax-loop").exposed_share, base.runtime("jax-loop").exposed_share);
  EXPECT_EQ(target->host.runtimes.size(), base.runtimes.size());
  ASSERT_TRUE(target->chip.measured_range);
  EXPECT_TRUE(target->chip.measured_range->of_this_machine);
  EXPECT_DOUBLE_EQ(target->chip.measured_range->high, 1.1);
}

TEST(Overlay, OfAHostNamesWhatIsNoConstant) {
  const std::vector<ChangedConstant> changes = {{.field = "vcpus", .value = 7, .source = "x"}};
  EXPECT_THAT(Message(HostOverlayText("tpu-vm", "jax-loop", changes).status()),
              HasSubstr("found constant 'vcpus'"));
}

}  // namespace
}  // namespace tilewise
