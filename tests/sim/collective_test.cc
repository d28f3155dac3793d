// Collectives over a slice, against published ones.

#include "sim/collective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hardware/target.h"
#include "sim/lowering/kernels/dma_rate.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TorusAxes, AreAsEqualAsTheChipCountAllows) {
  const Chip flat = *FindChip("v6e");
  EXPECT_THAT(TorusAxes(1, flat), IsEmpty());
  EXPECT_THAT(TorusAxes(4, flat), ElementsAre(2, 2));
  EXPECT_THAT(TorusAxes(8, flat), ElementsAre(4, 2));
  EXPECT_THAT(TorusAxes(256, flat), ElementsAre(16, 16));
  EXPECT_THAT(TorusAxes(4, *FindChip("v4")), ElementsAre(2, 2));
}

TEST(TorusAxes, OfBlocksThatCloseAreMultiplesOfThem) {
  const Chip chip = *FindChip("v4");
  EXPECT_THAT(TorusAxes(64, chip), ElementsAre(4, 4, 4));
  EXPECT_THAT(TorusAxes(128, chip), ElementsAre(8, 4, 4));
  EXPECT_THAT(TorusAxes(192, chip), ElementsAre(12, 4, 4));
  EXPECT_THAT(TorusAxes(512, chip), ElementsAre(8, 8, 8));
  EXPECT_THAT(TorusAxes(96, chip), ElementsAre(6, 4, 4));
}

TEST(AllReduceTime, CrossesNoLinkOnOneChip) {
  Chip chip = *FindChip("v3");
  chip.core_link_bandwidth = {};
  const Seconds one_core = AllReduceTime({1'000'000'000}, 1, chip);
  const Seconds one_chip = AllReduceTime({1'000'000'000}, 2, chip);
  EXPECT_EQ(one_core, Seconds{});
  EXPECT_NEAR(one_chip.value, 2e9 / StreamRate(chip, 1), 1e-6);
}

TEST(AllReduceTime, SendsHalfOfTheBytesTwiceBetweenCoresWithHbmOfTheirOwn) {
  Chip chip = *FindChip("v3");
  chip.core_link_bandwidth = {50e9};
  EXPECT_NEAR(AllReduceTime({1'000'000'000}, 2, chip).value, 1e9 / 50e9, 1e-9);
}

TEST(AllReduceTime, SendsOneAndAHalfTimesTheBytesOverTwoLinksOfFourChips) {
  const Chip chip = *FindChip("v4");
  const Seconds time = AllReduceTime({1'000'000'000}, 4, chip);
  EXPECT_NEAR(time.value, 1.5e9 / (2 * 45e9), 1e-4);
}

TEST(AllReduceTime, UsesBothDirectionsOfAClosedAxis) {
  Chip chip = *FindChip("v5e");
  const Seconds open = AllReduceTime({1'000'000'000}, 64, chip);
  chip.torus_wrap_chips = 8;
  const Seconds closed = AllReduceTime({1'000'000'000}, 64, chip);
  EXPECT_NEAR(open / closed, 2, 0.01);
}

Target TargetOf(std::string_view chip, const Mesh& mesh) {
  const auto target = MakeTarget(chip, 0, "", mesh);
  EXPECT_TRUE(target.ok()) << target.status();
  return target.ok() ? *target : Target();
}

Seconds TimeOf(OpKind kind, Bytes bytes, const Target& target, std::string_view axis) {
  return CollectiveTime(kind, bytes, FindGroup(target, axis), target.chip);
}

// But for the share of the links that all-reduces reach.
TEST(CollectiveTime, GatherIsHalfOfAnAllReduce) {
  Target target = TargetOf("v5p", {.fsdp = 64, .tensor = 8});
  target.chip.all_reduce_efficiency = 1;
  for (const std::string_view axis : {"fsdp", "tensor", ""}) {
    const Bytes bytes = {100'000'000};
    EXPECT_DOUBLE_EQ(TimeOf(OpKind::kAllReduce, bytes, target, axis).value,
                     2 * TimeOf(OpKind::kAllGather, bytes, target, axis).value);
  }
}

// 8 x 8 x 8 chips: tensor lies along one axis of the torus, fsdp along two.
TEST(CollectiveTime, ScatterGoesAlongOneAxisAfterTheOther) {
  Target target = TargetOf("v5p", {.fsdp = 64, .tensor = 8});
  target.chip.reduce_scatter_efficiency = 1;
  const Bytes bytes = {10'000'000'000'000};
  const auto ratio = [&](std::string_view axis) {
    return TimeOf(OpKind::kReduceScatter, bytes, target, axis) /
           TimeOf(OpKind::kAllGather, bytes, target, axis);
  };
  EXPECT_NEAR(ratio("tensor"), 1, 1e-9);
  EXPECT_NEAR(ratio("fsdp"), 2, 1e-4);
  EXPECT_NEAR(ratio(""), 3, 1e-4);
  target.chip.reduce_scatter_efficiency = 1.6;  // no more than all links
  EXPECT_NEAR(ratio("tensor"), 1, 1e-9);
  EXPECT_NEAR(ratio("fsdp"), 2 / 1.6, 1e-4);
}

// Published profiles of MaxText, in microseconds.
TEST(CollectiveTime, FourChipsOfV5pAreAsProfiled) {
  const Target target = TargetOf("v5p", {.fsdp = 4});
  const auto micros = [&](OpKind kind, int64_t bytes) {
    const Chip& chip = target.chip;
    const Seconds fixed = chip.kernel_overhead + chip.collective_overhead;
    return (TimeOf(kind, {bytes}, target, "fsdp") + fixed).value * 1e6;
  };
  EXPECT_NEAR(micros(OpKind::kAllGather, 8192), 4.2, 0.1);
  EXPECT_NEAR(micros(OpKind::kAllGather, 16'777'216), 75.2, 6);
  EXPECT_NEAR(micros(OpKind::kAllGather, 131'072'000), 600, 12);
  EXPECT_NEAR(micros(OpKind::kAllGather, 268'435'456), 1225, 25);
  EXPECT_NEAR(micros(OpKind::kReduceScatter, 131'072'000), 993, 20);
  EXPECT_NEAR(micros(OpKind::kAllReduce, 622'329'856), 6728, 130);
}

// JAX scaling book: an all-to-all on a ring takes a quarter of an all-gather.
TEST(CollectiveTime, AllToAllTakesAQuarterOfAGather) {
  const Target target = TargetOf("v5p", {.data = 64, .tensor = 8});
  const Bytes whole = {8'000'000'000};
  const Seconds gather = TimeOf(OpKind::kAllGather, whole, target, "tensor");
  const Seconds shuffle = TimeOf(OpKind::kAllToAll, {whole.value / 8}, target, "tensor");
  EXPECT_NEAR(shuffle / gather, 0.25 * 8 / 7, 0.01);
}

TEST(CollectiveTime, PermuteCrossesOneLink) {
  const Target target = TargetOf("v5e", {.data = 16});
  EXPECT_NEAR(TimeOf(OpKind::kCollectivePermute, {45'000'000}, target, "data").value, 1e-3 + 1e-6,
              1e-9);
}

TEST(CollectiveTime, LatencyCountsEveryHop) {
  const Target target = TargetOf("v5e", {.data = 256});
  EXPECT_NEAR(TimeOf(OpKind::kAllGather, {1}, target, "data").value, 16e-6, 1e-9);
}

TEST(CollectiveTime, SlicesSendTheirPartOverTheNetwork) {
  const Target inside = TargetOf("v6e", {.data = 256});
  const Target across = TargetOf("v6e", {.data = 512, .slices = 2});
  const Bytes bytes = {int64_t{1} << 30};
  const Seconds added = TimeOf(OpKind::kReduceScatter, bytes, across, "") -
                        TimeOf(OpKind::kReduceScatter, bytes, inside, "");
  const double part = static_cast<double>(bytes.value) / 256 / 2;
  EXPECT_NEAR(added.value, part / across.chip.dcn_bandwidth.value + across.chip.dcn_latency.value,
              1e-9);
}

// Groups on the two cores of a chip share its links.
TEST(CollectiveTime, GroupsOnOneChipShareItsLinks) {
  const Target alone = TargetOf("v7x", {.data = 8});
  const Target shared = TargetOf("v7x", {.data = 4, .tensor = 2});
  const Bytes bytes = {1'000'000'000};
  const Seconds one = TimeOf(OpKind::kAllGather, bytes, alone, "data");
  const Seconds two = TimeOf(OpKind::kAllGather, bytes, shared, "data");
  EXPECT_GT(two.value, 1.8 * one.value);
}

// Time of a collective kernel, overhead included.
double KernelMicroseconds(OpKind kind, int64_t bytes, const Target& target) {
  Kernel kernel;
  kernel.kind = KernelKind::kCollective;
  kernel.collective = kind;
  kernel.collective_bytes = {bytes};
  kernel.participants = target.cores;
  return Interconnect(target).Time(kernel).duration.value * 1e6;
}

// Ironwood microbenchmarks: time from the bandwidth that each chip receives,
// three quarters of eight arrays of f32 on a 2x2 slice.
TEST(PublishedAllGather, V7xTwoByTwo) {
  const Target target = TargetOf("v7x", {.data = 8});
  const struct {
    int64_t elements;
    double gigabytes_per_second;
  } rows[] = {{65'536, 71.8},
              {262'144, 129.2},
              {1'048'576, 161.9},
              {4'194'304, 174.8},
              {16'777'216, 178.8}};
  for (const auto& row : rows) {
    const double array = static_cast<double>(row.elements) * 4;
    const double measured = array * 6 / row.gigabytes_per_second / 1e3;
    const double found = KernelMicroseconds(OpKind::kAllGather, row.elements * 4 * 8, target);
    RecordProperty(std::to_string(row.elements), std::to_string(found));
    EXPECT_NEAR(found / measured, 1, 0.07) << row.elements;
  }
}

// JAX scaling book, profiling chapter: 1.13 ms over two neighbours on v2.
TEST(PublishedReduceScatter, V2TwoWays) {
  Target target = TargetOf("v2", {.data = 4, .tensor = 2});
  target.chip.cores_per_chip = 1;  // one core of each chip took part
  EXPECT_NEAR(TimeOf(OpKind::kReduceScatter, {134'217'728}, target, "tensor").value, 1.13e-3,
              0.08e-3);
}

// The shares of the links that v6e's sums get were told by different runs.
TEST(PublishedReduceScatter, V6eIsWhatTheAllReduceHasBesideItsGather) {
  const Target target = TargetOf("v6e", {.fsdp = 256});
  const Bytes bytes = {606'076'928};
  const auto time = [&](OpKind kind) { return TimeOf(kind, bytes, target, "fsdp").value; };
  EXPECT_NEAR(time(OpKind::kReduceScatter) + time(OpKind::kAllGather), time(OpKind::kAllReduce),
              0.02 * time(OpKind::kAllReduce));
}

}  // namespace
}  // namespace tilewise
