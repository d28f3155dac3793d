// The channel model by hand-made accesses, and the reduced form against it.

#include "sim/hbm_channel.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/math.h"
#include "hardware/target.h"

namespace tilewise {
namespace {

// Round numbers: bursts of 1 ns, no refresh.
HbmChannels Simple() {
  HbmChannels hbm;
  hbm.bytes_per_second = {32e9};
  hbm.t_rcd = hbm.t_rp = {10e-9};
  hbm.t_ras = {30e-9};
  hbm.t_rrd = {2e-9};
  hbm.t_faw = {20e-9};
  hbm.turnaround = {8e-9};
  return hbm;
}

HbmDetail OneGroup() {
  return {.bank_groups = 1,
          .bursts_within_group = 1,
          .read_to_precharge = {},
          .write_to_precharge = {}};
}

double Nanoseconds(const std::vector<HbmAccess>& accesses) {
  return RunHbmChannel(Simple(), OneGroup(), accesses).value * 1e9;
}

TEST(RunHbmChannel, OpensARowOnce) {
  EXPECT_NEAR(Nanoseconds({{0, 0}}), 10 + 1, 1e-6);
  EXPECT_NEAR(Nanoseconds({{0, 0}, {0, 0}, {0, 0}}), 10 + 3, 1e-6);
}

TEST(RunHbmChannel, WaitsForTheRowCycleOfABank) {
  EXPECT_NEAR(Nanoseconds({{0, 0}, {0, 1}}), 30 + 10 + 10 + 1, 1e-6);
}

TEST(RunHbmChannel, OverlapsActivatesOfBanks) {
  EXPECT_NEAR(Nanoseconds({{0, 0}, {1, 0}}), 2 + 10 + 1, 1e-6);
  // The fifth waits for the window of four.
  EXPECT_NEAR(Nanoseconds({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}}), 20 + 10 + 1, 1e-6);
}

TEST(RunHbmChannel, TakesHitsBeforeOlderMisses) {
  // Row 1 would close row 0; the later hit on row 0 goes first.
  EXPECT_NEAR(Nanoseconds({{0, 0}, {0, 1}, {0, 0}}), 51, 1e-6);
}

TEST(RunHbmChannel, PaysForATurnOfTheBus) {
  EXPECT_NEAR(Nanoseconds({{0, 0}, {0, 0, true}}), 10 + 1 + 4 + 1, 1e-6);
}

TEST(RunHbmChannel, StopsForRefresh) {
  HbmChannels hbm = Simple();
  hbm.t_rfc = {100e-9};
  hbm.t_refi = {1000e-9};
  const std::vector<HbmAccess> row(1500, HbmAccess{0, 0});
  const double time = RunHbmChannel(hbm, OneGroup(), row).value * 1e9;
  EXPECT_NEAR(time, 1500 + 10 + (10 + 100 + 10), 2);
}

// Runs of `bytes` at random rows, each over as many banks as it has rows.
std::vector<HbmAccess> Runs(const HbmChannels& hbm, int64_t bytes, int64_t run, bool is_write,
                            uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<HbmAccess> accesses;
  for (int64_t sent = 0; sent < bytes; sent += run) {
    const auto first = static_cast<int64_t>(random() % 16);
    const auto row = static_cast<int64_t>(random() % 16384);
    for (int64_t at = 0; at < run; at += hbm.burst_bytes) {
      const int64_t bank = first + at / hbm.row_bytes;
      accesses.push_back({bank % hbm.banks, row + bank / hbm.banks, is_write});
    }
  }
  return accesses;
}

double ShareOfPeak(const HbmChannels& hbm, const std::vector<HbmAccess>& accesses) {
  const Seconds peak = hbm.burst_time() * static_cast<double>(accesses.size());
  return peak / RunHbmChannel(hbm, HbmDetail{}, accesses);
}

constexpr int64_t kMoved = 200'000;

class AnyChip : public ::testing::TestWithParam<const char*> {};

TEST_P(AnyChip, ReducedFormAgreesWithTheChannelOnRuns) {
  const HbmChannels hbm = FindChip(GetParam())->hbm_channels;
  for (int64_t run = 32; run <= 65536; run *= 2) {
    const double reduced = HbmEfficiency(hbm, static_cast<double>(run), 0);
    for (const bool is_write : {false, true}) {
      const double model = ShareOfPeak(hbm, Runs(hbm, kMoved, run, is_write, 1));
      EXPECT_NEAR(reduced / model, 1, 0.09)
          << "runs of " << run << (is_write ? " written " : " read ") << model;
    }
  }
}

TEST_P(AnyChip, ReducedFormAgreesWithTheChannelOnACopy) {
  const HbmChannels hbm = FindChip(GetParam())->hbm_channels;
  const std::vector<HbmAccess> reads = Runs(hbm, kMoved, 65536, false, 1);
  const std::vector<HbmAccess> writes = Runs(hbm, kMoved, 65536, true, 2);
  std::vector<HbmAccess> both;
  for (size_t i = 0; i < reads.size(); i += 16) {
    for (const auto* side : {&reads, &writes}) {
      const size_t end = std::min(i + 16, side->size());
      both.insert(both.end(), side->begin() + static_cast<std::ptrdiff_t>(i),
                  side->begin() + static_cast<std::ptrdiff_t>(end));
    }
  }
  const double model = ShareOfPeak(hbm, both);
  EXPECT_NEAR(HbmEfficiency(hbm, 65536, 1) / model, 1, 0.065) << model;
  EXPECT_LT(model, ShareOfPeak(hbm, reads));
}

INSTANTIATE_TEST_SUITE_P(Chips, AnyChip, ::testing::Values("v2", "v4", "v5p", "v6e", "v7x"),
                         [](const auto& chip) { return chip.param; });

}  // namespace
}  // namespace tilewise
