// What a transfer's runs and its mix of reads and writes leave of the bandwidth
// of HBM, and the numbers of a chip that follow from others.

#include "hardware/hbm.h"

#include <gtest/gtest.h>

#include "hardware/target.h"

namespace tilewise {
namespace {

HbmChannels ChannelsOf(std::string_view chip) { return FindChip(chip)->hbm_channels; }

TEST(HbmEfficiency, IsOneWhenNothingIsKnown) { EXPECT_EQ(HbmEfficiency(HbmChannels{}, 32, 1), 1); }

TEST(HbmEfficiency, LosesOnlyRefreshWhenStreamingOneWay) {
  EXPECT_NEAR(HbmEfficiency(ChannelsOf("v4"), 1 << 20, 0), 1 - 350.0 / 2000, 1e-12);
  EXPECT_NEAR(HbmEfficiency(ChannelsOf("v6e"), 1 << 20, 0), 1, 1e-12);
}

TEST(HbmEfficiency, LosesTurnaroundsWhenReadsAndWritesMix) {
  const HbmChannels v6e = ChannelsOf("v6e");
  const double turn = 17 / (2 * 64 * 1.25);  // of 64 bursts each way
  EXPECT_NEAR(HbmEfficiency(v6e, 1 << 20, 1), 1 / (1 + turn), 1e-3);
  EXPECT_GT(HbmEfficiency(v6e, 1 << 20, 0.5), HbmEfficiency(v6e, 1 << 20, 1));
}

TEST(HbmEfficiency, FallsWithShortRuns) {
  for (const std::string& chip : ChipNames()) {
    const HbmChannels hbm = ChannelsOf(chip);
    double longer = HbmEfficiency(hbm, 4096, 0);
    for (int64_t run = 2048; run >= 32; run /= 2) {
      const double efficiency = HbmEfficiency(hbm, static_cast<double>(run), 0);
      EXPECT_LE(efficiency, longer) << chip << " " << run;
      longer = efficiency;
    }
    EXPECT_LT(longer, 0.75) << chip;
  }
}

TEST(HbmEfficiency, CountsWholeBurstsOnly) {
  const HbmChannels v4 = ChannelsOf("v4");
  EXPECT_NEAR(HbmEfficiency(v4, 4097, 0) / HbmEfficiency(v4, 4096, 0), 4097.0 / 4128, 1e-12);
}

TEST(Chip, ChannelsAddUpToTheBandwidth) {
  for (const std::string& name : ChipNames()) {
    const Chip chip = *FindChip(name);
    EXPECT_DOUBLE_EQ(
        chip.hbm_channels.bytes_per_second.value * static_cast<double>(chip.hbm_channels.channels),
        chip.hbm_bandwidth.value)
        << name;
  }
}

TEST(Chip, HasThePublishedPeakOfNarrowTypes) {
  const auto peak = [](const char* chip, int64_t bits, bool integer) {
    return FindChip(chip)->peak_flops(bits, integer) / 1e12;
  };
  EXPECT_NEAR(peak("v5e", 8, true), 393, 1);
  EXPECT_NEAR(peak("v5e", 4, true), 788, 2);
  EXPECT_NEAR(peak("v6e", 8, true), 1836, 1);
  EXPECT_NEAR(peak("v7x", 8, false), 1992, 1);
  EXPECT_EQ(peak("v7x", 8, true), peak("v7x", 16, false));  // runs converted
  EXPECT_EQ(peak("v2", 8, true), peak("v2", 32, false));
}

TEST(Chip, KeepsWholeValuesInTheMemoryThatWindowsLeave) {
  EXPECT_EQ(FindChip("v4")->promotion_room(), Bytes{128 << 20});
  EXPECT_EQ(FindChip("v3")->promotion_room(), Bytes{0});
  EXPECT_EQ(FindChip("v5e")->promotion_room(), Bytes{98 << 20});
}

}  // namespace
}  // namespace tilewise
