// Attributes of files that the HDF5 library wrote, in all layouts of the format
// that have no heap of attributes, and of damaged ones.

#include "frontend/files/hdf5_attributes.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status.h"
#include "tests/frontend/hdf5_writer.h"

namespace tilewise {
namespace {

constexpr std::array<std::string_view, 2> kNames = {"model_config", "other"};

std::string ModelConfig(const std::string& bytes) {
  const auto attributes = RootAttributes(bytes, kNames);
  if (!attributes.ok()) return "error: " + Message(attributes.status());
  const auto found = attributes->find("model_config");
  return found == attributes->end() ? "none" : found->second;
}

TEST(RootAttributes, ReadsTextsOfEveryVersionOfTheFormat) {
  const std::string text = R"({"class_name": "Sequential"})";
  for (const Hdf5Text kind : {Hdf5Text::kVariable, Hdf5Text::kFixed}) {
    for (const bool newest : {false, true}) {
      for (const size_t block : {0, 512, 2048}) {
        const std::string bytes =
            WriteHdf5({{"keras_version", "2.9"}, {"model_config", text}}, {kind, newest, block});
        EXPECT_EQ(ModelConfig(bytes), text)
            << static_cast<int>(kind) << " " << newest << " " << block;
      }
    }
  }
}

TEST(RootAttributes, FollowsHeadersThatContinueElsewhere) {
  std::vector<std::pair<std::string, std::string>> attributes;
  for (int i = 0; i < 7; ++i) {
    attributes.emplace_back("a" + std::to_string(i), std::string(300, 'x'));
  }
  attributes.emplace_back("model_config", std::string(3000, 'm'));
  EXPECT_EQ(ModelConfig(WriteHdf5(attributes, {Hdf5Text::kFixed})), std::string(3000, 'm'));
}

TEST(RootAttributes, ReadsATextOfManyKilobytes) {
  const std::string text(500'000, 'm');
  EXPECT_EQ(ModelConfig(WriteHdf5({{"model_config", text}})), text);
}

TEST(RootAttributes, LeavesOutOtherAttributes) {
  EXPECT_EQ(ModelConfig(WriteHdf5({{"layer_names", "x"}})), "none");
}

TEST(RootAttributes, SaysWhereAHeapOfAttributesIsNotRead) {
  std::vector<std::pair<std::string, std::string>> attributes;
  for (int i = 0; i < 12; ++i) {
    attributes.emplace_back("a" + std::to_string(i), "x");
  }
  EXPECT_THAT(ModelConfig(WriteHdf5(attributes, {Hdf5Text::kFixed, true})),
              testing::HasSubstr("up to eight attributes"));
}

TEST(RootAttributes, EndsWithAMessageWhereverAFileIsCut) {
  const std::string bytes = WriteHdf5({{"model_config", "{\"a\": 1}"}});
  int errors = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto cut = RootAttributes(bytes.substr(0, size), kNames);
    errors += cut.ok() ? 0 : 1;
  }
  EXPECT_GT(errors, 100);
}

TEST(RootAttributes, SurvivesEveryByteBeingAnother) {
  for (const bool newest : {false, true}) {
    std::string bytes = WriteHdf5({{"model_config", "{}"}}, {Hdf5Text::kVariable, newest});
    bytes.resize(std::min<size_t>(bytes.size(), 4096));
    int errors = 0;
    for (size_t i = 0; i < bytes.size(); ++i) {
      const char kept = bytes[i];
      for (const char other : {'\xFF', '\0', '\x10', '\x80'}) {
        bytes[i] = other;
        errors += RootAttributes(bytes, kNames).ok() ? 0 : 1;
      }
      bytes[i] = kept;
    }
    EXPECT_GT(errors, 0);
  }
}

}  // namespace
}  // namespace tilewise
