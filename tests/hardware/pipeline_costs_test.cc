// Look-ups in the table of measured pipeline costs.

#include "hardware/pipeline_costs.h"

#include <gtest/gtest.h>

#include "hardware/target.h"

namespace tilewise {
namespace {

TEST(FindOpCost, TakesCallsOperatorsAndClassesByTheirName) {
  const OpCost* jpeg = FindOpCost("tensorflow.io.decode_jpeg");
  ASSERT_NE(jpeg, nullptr);
  EXPECT_EQ(FindOpCost("DecodeJpeg"), jpeg);
  EXPECT_NE(FindOpCost("tensorflow.io.decode_png"), jpeg);
  EXPECT_EQ(FindOpCost("ParseExampleV2"), FindOpCost("tensorflow.io.parse_example"));
  EXPECT_EQ(FindOpCost("tensorflow.image.random_hue"), FindOpCost("tensorflow.image.adjust_hue"));
}

TEST(FindOpCost, PrefersTheLibrarysOwnAndKnowsWhatItDoesNotKnow) {
  EXPECT_NE(FindOpCost("PIL.Image.resize"), FindOpCost("tensorflow.image.resize"));
  EXPECT_EQ(FindOpCost("tensorflow_text.wordpiece_tokenize"), nullptr);
  EXPECT_EQ(FindOpCost("random_lighthue"), nullptr);
}

TEST(FindCpu, ReadsTheNameOutOfASentence) {
  const Cpu* cpu = FindCpu("GCP 16 vCPU, AMD EPYC 9B14 (Genoa)");
  ASSERT_NE(cpu, nullptr);
  EXPECT_EQ(cpu->name, "epyc-9b14");
  EXPECT_EQ(FindCpu("a workstation"), nullptr);
}

TEST(FindStore, TakesTheLongestName) {
  const Store* store = FindStore("Ceph on SSD over 10 Gb/s");
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(store->name, "ceph-ssd");
}

TEST(Host, AllBusyVcpusAreWorthFewerCoresThanThereAre) {
  const Host host = *FindHost("tpu-vm");
  EXPECT_LT(host.busy_cores(), static_cast<double>(host.vcpus) / 2);
  EXPECT_GT(host.busy_cores(), static_cast<double>(host.vcpus) / 3);
}

}  // namespace
}  // namespace tilewise
