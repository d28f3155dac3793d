// The machine files: complete, sourced, found by name, and clear when wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hardware/default_chip.h"
#include "hardware/embedded_data.h"
#include "hardware/target.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string TextOf(std::string_view name) {
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (file.name == name) return std::string(file.text);
  }
  ADD_FAILURE() << "no embedded " << name;
  return "";
}

// Writes chip v3 with one text replaced, and reads it back.
absl::StatusOr<Chip> Changed(const std::string& from, const std::string& to) {
  std::string text = TextOf("chip_v3.txtpb");
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  text.replace(at, from.size(), to);
  const TemporaryFolder folder;
  return FindChip(folder.Write("changed.txtpb", text));
}

struct NamedTarget {
  const char* name;
  const char* chip;
  int64_t cores;
};

TEST(MakeTarget, TakesSlicesByTheNamesTheyAreSoldBy) {
  for (const NamedTarget& named :
       {NamedTarget{"v2-8", "v2", 8}, NamedTarget{"TPUv3", "v3", 8}, NamedTarget{"v4-32", "v4", 16},
        NamedTarget{"v5litepod-16", "v5e", 16}, NamedTarget{"v5p-128", "v5p", 64},
        NamedTarget{"TPU v5 lite", "v5e", 8}, NamedTarget{"tpu7x-128", "v7x", 128},
        NamedTarget{"v6e-256", "v6e", 256}}) {
    const absl::StatusOr<Target> target = MakeTarget(named.name, 0, "");
    ASSERT_TRUE(target.ok()) << target.status();
    EXPECT_EQ(target->chip.name, named.chip) << named.name;
    EXPECT_EQ(target->cores, named.cores) << named.name;
  }
}

TEST(MakeTarget, NamesTheSliceByItsTensorCores) {
  EXPECT_THAT(MakeTarget("v5p", 64, "")->description(), HasSubstr("v5p-128 (64 chips"));
  EXPECT_THAT(MakeTarget("v3", 32, "")->description(), HasSubstr("v3-32 (32 cores"));
}

TEST(MakeTarget, SlicesThatContradictThemselvesAreErrors) {
  EXPECT_THAT(MakeTarget("v4-3", 0, "").status().message(), HasSubstr("expected a multiple of 2"));
  EXPECT_THAT(MakeTarget("v3-8", 16, "").status().message(),
              HasSubstr("of 8 cores in all, and 16 cores"));
  EXPECT_THAT(MakeTarget("v9-8", 0, "").status().message(), HasSubstr("found chip 'v9-8'"));
}

TEST(ChipNames, AreInOrderOfGeneration) {
  EXPECT_THAT(ChipNames(), ElementsAre("v2", "v3", "v4", "v5e", "v5p", "v6e", "v7x"));
  EXPECT_THAT(HostNames(), ElementsAre("colab", "tpu-node", "tpu-vm"));
}

TEST(DefaultChipName, IsOneOfTheEmbeddedChips) {
  EXPECT_THAT(ChipNames(), Contains(DefaultChipName()));
}

TEST(FindChip, HasThePublishedPeakOfEveryChip) {
  const std::pair<const char*, double> peaks[] = {
      {"v2", 23e12},   {"v3", 61.5e12}, {"v4", 275e12},  {"v5e", 197e12},
      {"v5p", 459e12}, {"v6e", 918e12}, {"v7x", 996e12},
  };
  for (const auto& [name, peak] : peaks) {
    EXPECT_NEAR(FindChip(name)->peak_flops() / peak, 1, 0.01) << name;
  }
}

TEST(FindChip, LeavesOutTheReservedMemory) {
  EXPECT_EQ(FormatBytes(FindChip("v2")->usable_hbm()), "7.48 GiB");
  EXPECT_EQ(FormatBytes(FindChip("v5e")->usable_hbm()), "15.8 GiB");
}

TEST(FindChip, KnowsAliases) {
  EXPECT_EQ(FindChip("v7")->name, "v7x");
  EXPECT_EQ(FindChip("trillium")->name, "v6e");
  EXPECT_EQ(FindHost("colab-tf1")->name, "colab");
}

TEST(FindHost, SaysWhatARuntimesLoopAndCompilerDo) {
  const Host node = *FindHost("tpu-node");
  const HostRuntime& estimator = node.runtime("tpu-estimator");
  ASSERT_TRUE(estimator.exposed_share.has_value());
  EXPECT_GT(*estimator.exposed_share, 0);
  EXPECT_LT(*estimator.exposed_share, 1);
  EXPECT_FALSE(estimator.compiler.fuses_updates);
  EXPECT_FALSE(estimator.compiler.combines_all_reduces);
  EXPECT_EQ(node.runtime("keras-tf1").exposed_share, 1.0);
  const HostRuntime& keras = node.runtime("keras");
  EXPECT_FALSE(keras.exposed_share.has_value());
  EXPECT_TRUE(keras.compiler.fuses_updates);
  EXPECT_TRUE(keras.compiler.combines_all_reduces);
}

TEST(FindChip, NamesTheKnownAndTheNearest) {
  const std::string message = Message(FindChip("trilium").status());
  EXPECT_THAT(message, AllOf(HasSubstr("'trilium'"), HasSubstr("v2, v3, v4"),
                             HasSubstr("did you mean 'trillium'?")));
}

TEST(FindChip, SaysWhereAFileIsWrong) {
  EXPECT_THAT(Message(Changed("mxu_side {", "mxu_size {").status()),
              AllOf(HasSubstr("changed.txtpb:"), HasSubstr("mxu_size")));
  EXPECT_THAT(Message(Changed("mxu_side {", "# {").status()), HasSubstr("found no mxu_side"));
  EXPECT_THAT(Message(Changed("value: 940", "value: 0").status()),
              HasSubstr("found clock_mhz 0, expected a number above 0"));
  EXPECT_FALSE(Changed("kind: DATA_SHEET", "").ok());
  EXPECT_FALSE(FindChip("/nonexistent/chip.txtpb").ok());
}

TEST(ChipNumbers, CarryTheirSource) {
  for (const std::string& name : ChipNames()) {
    const auto numbers = ChipNumbers(name);
    ASSERT_TRUE(numbers.ok());
    EXPECT_GT(numbers->size(), 30u);
    for (const SourcedNumber& number : *numbers) {
      EXPECT_GT(number.source.size(), 15u) << name << " " << number.field;
    }
  }
  for (const std::string& name : HostNames()) {
    EXPECT_GT(HostNumbers(name)->size(), 15u) << name;
  }
}

TEST(MakeTarget, TakesTheChipsDefaults) {
  const absl::StatusOr<Target> target = MakeTarget("v3", 0, "");
  ASSERT_TRUE(target.ok());
  EXPECT_EQ(target->description(), "v3-8 (8 cores of TPU v3, tpu-vm host)");
  EXPECT_FALSE(MakeTarget("v3", -1, "").ok());
  EXPECT_FALSE(MakeTarget("v3", 8, "laptop").ok());
}

// Notebooks are lent one machine; slices of several are driven from the machines themselves.
TEST(MakeTarget, TakesTheHostThatTheSliceComesWith) {
  EXPECT_EQ(MakeTarget("v2", 0, "")->description(), "v2-8 (8 cores of TPU v2, colab host)");
  EXPECT_EQ(MakeTarget("v2", 256, "")->description(),
            "v2-256 (256 cores of TPU v2, 32 tpu-vm hosts)");
  EXPECT_EQ(MakeTarget("v2", 32, "colab")->host.name, "colab");
}

// v5e machines of 1, 4 and 8 chips; slices of more are on machines of 4.
TEST(MakeTarget, TakesTheMachineThatTheChipsAreSoldWith) {
  const std::pair<const char*, int64_t> vcpus[] = {
      {"v5e-1", 24}, {"v5e-4", 112}, {"v5e-8", 224}, {"v5e-16", 112}, {"v3-8", 96}};
  for (const auto& [slice, expected] : vcpus) {
    EXPECT_EQ(MakeTarget(slice, 0, "")->host.vcpus, expected) << slice;
  }
  EXPECT_EQ(FormatBytes(MakeTarget("v5e-1", 0, "")->host.ram), "44.7 GiB");
  EXPECT_EQ(MakeTarget("v5e-1", 0, "colab")->host.vcpus, 2);
}

TEST(MakeTarget, TakesWholeChips) {
  EXPECT_TRUE(MakeTarget("v3", 1, "").ok());
  EXPECT_FALSE(MakeTarget("v3", 7, "").ok());
  EXPECT_TRUE(MakeTarget("v5e", 7, "").ok());
}

}  // namespace
}  // namespace tilewise
