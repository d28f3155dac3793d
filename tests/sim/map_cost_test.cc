// Functions of maps by the ops that they call.

#include "sim/map_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hardware/target.h"

namespace tilewise {
namespace {

Stage MapOf(std::vector<std::string> calls, const std::string& dtype, int64_t numbers) {
  Stage stage;
  stage.kind = StageKind::kMap;
  stage.function.resolved = true;
  stage.function.nodes = static_cast<int64_t>(calls.size());
  stage.function.decodes = !calls.empty() && calls.front().find("decode") != std::string::npos;
  stage.function.calls = std::move(calls);
  stage.element = {{Leaf{.dtype = dtype, .dims = {numbers}}}};
  return stage;
}

constexpr int64_t kNumbers = 600'000;

MapCost CostOf(const Stage& stage, double bytes_in = 126e3) {
  MapElement element;
  element.bytes_in = bytes_in;
  element.bytes_out = 600e3;
  element.bytes_in_known = true;
  return CostMapFunction(stage, element, *FindHost("tpu-vm"));
}

TEST(CostMapFunction, JpegPngAndRawBytesDecodeAtTheirOwnCosts) {
  const auto time = [](const char* call) { return CostOf(MapOf({call}, "uint8", kNumbers)).work; };
  const Seconds jpeg = time("tensorflow.io.decode_jpeg");
  const Seconds png = time("tensorflow.io.decode_png");
  const Seconds raw = time("tensorflow.io.decode_raw");
  EXPECT_NEAR(jpeg.value, 1.2 * 1.63e-3, 1e-4);
  EXPECT_GT(png, jpeg);
  EXPECT_LT(raw.value, jpeg.value / 10);
}

TEST(CostCalls, NameEachCallOfKnownCostWithItsPart) {
  const Stage stage = MapOf({"tensorflow.io.decode_jpeg", "nobody.knows", "tensorflow.image.rot90"},
                            "uint8", kNumbers);
  const MapCalls map =
      CostCalls(stage, {.bytes_in = 126e3, .bytes_in_known = true}, *FindHost("tpu-vm"));
  ASSERT_FALSE(map.calls.empty());
  EXPECT_EQ(map.calls.front().name, "tensorflow.io.decode_jpeg");
  Seconds sum;
  for (const MapCalls::Call& call : map.calls) {
    EXPECT_NE(call.name, "nobody.knows");
    sum += call.work;
  }
  EXPECT_LT(sum, map.work);
  EXPECT_GT(map.calls.front().work.value, 0.5 * map.work.value);
}

TEST(CostMapFunction, TheTypeOfTheResultDoesNotChangeTheDecoder) {
  const Seconds bytes = CostOf(MapOf({"tensorflow.io.decode_jpeg"}, "uint8", kNumbers)).work;
  const Seconds floats = CostOf(MapOf({"tensorflow.io.decode_jpeg"}, "float32", kNumbers)).work;
  EXPECT_EQ(bytes, floats);
}

TEST(CostMapFunction, ASecondDecoderReadsWhatTheFirstOneRead) {
  const auto time = [](std::vector<std::string> calls) {
    return CostOf(MapOf(std::move(calls), "float32", 150'528)).work;
  };
  const Seconds one = time({"tensorflow.io.decode_and_crop_jpeg"});
  const Seconds two =
      time({"tensorflow.io.decode_and_crop_jpeg", "tensorflow.io.decode_and_crop_jpeg"});
  EXPECT_LT(two.value, 2.1 * one.value);
}

TEST(CostMapFunction, AMethodOfAPictureOfPillowIsNotFree) {
  const auto time = [](std::vector<std::string> calls) {
    Stage stage = MapOf(std::move(calls), "uint8", 150'528);
    stage.function.decodes = true;
    const MapCost cost = CostOf(stage);
    EXPECT_TRUE(cost.unknown_ops.empty());
    return cost.work;
  };
  EXPECT_GT(time({"PIL.Image.open", ".resize"}).value, 1.1 * time({"PIL.Image.open"}).value);
  EXPECT_LT(time({"PIL.Image.open", ".convert"}).value, 1.01 * time({"PIL.Image.open"}).value);
}

TEST(CostMapFunction, OpsAfterAResizeWorkOnItsResult) {
  const auto time = [](std::vector<std::string> calls) {
    return CostOf(MapOf(std::move(calls), "float32", 150'528)).work;
  };
  const Seconds late =
      time({"tensorflow.io.decode_jpeg", "tensorflow.image.resize", "tensorflow.image.random_hue"});
  const Seconds early =
      time({"tensorflow.io.decode_jpeg", "tensorflow.image.random_hue", "tensorflow.image.resize"});
  EXPECT_GT(early.value, 1.5 * late.value);
}

TEST(CostMapFunction, SaysWhichOpsHaveNoKnownCostAndChargesThem) {
  const MapCost with = CostOf(MapOf({"tensorflow.cast", "tensorflow_text.tokenize"}, "int32", 512));
  const MapCost without = CostOf(MapOf({"tensorflow.cast"}, "int32", 512));
  EXPECT_THAT(with.unknown_ops, testing::ElementsAre("tensorflow_text.tokenize"));
  EXPECT_TRUE(without.unknown_ops.empty());
  EXPECT_GT(with.work, without.work);
}

TEST(CostMapFunction, FilesOpenedInAFunctionWaitForTheStore) {
  EXPECT_GT(CostOf(MapOf({"tensorflow.io.read_file"}, "string", 1)).file.value, 0.02);
  EXPECT_EQ(CostOf(MapOf({"tensorflow.cast"}, "float32", 1)).file, Seconds{});
}

}  // namespace
}  // namespace tilewise
