// The closed forms against what SCALE-Sim prints.

#include "sim/systolic.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

using ::testing::HasSubstr;

constexpr SystolicArray kArray = {128, 128};

SystolicTime TimeOf(const MatmulShape& product, Dataflow dataflow,
                    const SystolicArray& array = kArray) {
  const auto time = TimeOnArray(product, array, dataflow);
  EXPECT_TRUE(time.ok()) << time.status();
  return time.ok() ? *time : SystolicTime{};
}

// SCALE-Sim v2 and v3 on one 128x128 array. Its last case it cannot run: the
// formula's value. m, n, k as there: M x K x N.
TEST(TimeOnArray, EqualsScaleSim) {
  struct Case {
    MatmulShape shape;
    int64_t weight, output;
  };
  const Case cases[] = {
      {{.m = 128, .n = 128, .k = 128}, 510, 382},
      {{.m = 512, .n = 512, .k = 64}, 3'576, 5'088},
      {{.m = 1000, .n = 1000, .k = 1000}, 88'448, 80'256},
      {{.m = 1024, .n = 1024, .k = 1024}, 89'984, 81'792},
      {{.m = 4096, .n = 1024, .k = 1024}, 286'592, 327'168},
      {{.m = 8192, .n = 1024, .k = 8192}, 4'389'888, 4'324'352},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(TimeOf(c.shape, Dataflow::kWeight).cycles, c.weight);
    EXPECT_EQ(TimeOf(c.shape, Dataflow::kOutput).cycles, c.output);
  }
  EXPECT_EQ(TimeOf(cases[0].shape, Dataflow::kWeight).tool_cycles(), 509);
}

TEST(TimeOnArray, UtilisationIsTheShareOfAllMultiplies) {
  const MatmulShape square = {1024, 1024, 1024};
  EXPECT_NEAR(TimeOf(square, Dataflow::kWeight).utilisation, 0.728, 5e-4);
  EXPECT_NEAR(TimeOf(square, Dataflow::kOutput).utilisation, 0.801, 5e-4);
  EXPECT_EQ(TimeOf(square, Dataflow::kWeight).mapping_efficiency, 1);
  EXPECT_EQ(TimeOf({512, 512, 64}, Dataflow::kWeight).mapping_efficiency, 0.5);
}

TEST(TimeOnArray, InputStationaryIsWeightStationaryOfTheTransposedProduct) {
  const SystolicArray array = {32, 64};
  const SystolicTime is = TimeOf({300, 70, 90}, Dataflow::kInput, array);
  const SystolicTime ws = TimeOf({70, 300, 90}, Dataflow::kWeight, array);
  EXPECT_EQ(is.cycles, ws.cycles);
  EXPECT_EQ(is.cycles, 3 * 5 * (70 + 64 + 64 - 2));
}

// SCALE-Sim lists, for every cycle of a fold, what each edge of the array asks
// for (scalesim/compute/systolic_compute_is.py of v2): the three lists are one
// length, and there is one fold for each block of depth and of rows.
TEST(TimeOnArray, InputStationaryHasTheRowsOfScaleSimsDemands) {
  const SystolicArray array = {32, 64};
  for (const MatmulShape& product : {MatmulShape{300, 70, 90}, MatmulShape{64, 1, 33},
                                     MatmulShape{1, 1000, 1}, MatmulShape{65, 17, 32}}) {
    const int64_t r = array.rows, c = array.columns, t = product.n;
    const int64_t inputs = r + (r + c + t - 2);  // pushed in, then a gap
    const int64_t skew = r - 1;                  // rows start one by one
    const int64_t weights = r + t + (c - 1) + skew;
    const int64_t results = (2 * r - 1) + t + (c - 1);  // columns, one by one
    ASSERT_EQ(inputs, weights);
    ASSERT_EQ(inputs, results);
    const int64_t folds = ((product.k + r - 1) / r) * ((product.m + c - 1) / c);
    const SystolicTime time = TimeOf(product, Dataflow::kInput, array);
    EXPECT_EQ(time.folds, folds);
    EXPECT_EQ(time.cycles, folds * inputs);
  }
}

// One square convolution of SCALE-Sim's own ResNet-50 table.
struct Convolution {
  int64_t size, kernel, in, out, stride;
};

// Its outputs are rounded up, unpadded.
MatmulShape ProductOf(const Convolution& conv) {
  const int64_t side = (conv.size - conv.kernel + conv.stride + conv.stride - 1) / conv.stride;
  return {side * side, conv.out, conv.kernel * conv.kernel * conv.in};
}

// The stages of He et al. with the stride in the first 1x1; 54 layers.
std::vector<Convolution> Resnet50() {
  struct Stage {
    int64_t size, width, blocks, stride;
  };
  constexpr Stage kStages[] = {{56, 64, 3, 1}, {28, 128, 4, 2}, {14, 256, 6, 2}, {7, 512, 3, 2}};
  std::vector<Convolution> layers = {{224, 7, 3, 64, 2}};
  int64_t in = 64;
  for (const Stage& stage : kStages) {
    const int64_t width = stage.width;
    for (int64_t block = 0; block < stage.blocks; ++block) {
      const int64_t stride = block == 0 ? stage.stride : 1;
      layers.push_back({stage.size * stride, 1, in, width, stride});
      layers.push_back({stage.size, 3, width, width, 1});
      layers.push_back({stage.size, 1, width, 4 * width, 1});
      if (block == 0) {
        layers.push_back({stage.size * stride, 1, in, 4 * width, stride});
      }
      in = 4 * width;
    }
  }
  layers.push_back({1, 1, in, 1000, 1});
  return layers;
}

TEST(TimeOnArray, EqualsScaleSimOnItsResnet50) {
  int64_t weight = 0, output = 0;
  const std::vector<Convolution> layers = Resnet50();
  ASSERT_EQ(layers.size(), 54u);
  for (const Convolution& layer : layers) {
    weight += TimeOf(ProductOf(layer), Dataflow::kWeight).cycles;
    output += TimeOf(ProductOf(layer), Dataflow::kOutput).cycles;
  }
  EXPECT_EQ(weight, 876'886);
  EXPECT_EQ(output, 611'615);
}

TEST(TimeOnArray, RefusesWhatHasNoTime) {
  EXPECT_FALSE(TimeOnArray({0, 1, 1}, kArray, Dataflow::kWeight).ok());
  EXPECT_FALSE(TimeOnArray({1, 1, 1}, {0, 128}, Dataflow::kWeight).ok());
  const int64_t huge = int64_t{1} << 45;
  EXPECT_THAT(TimeOnArray({huge, huge, huge}, {1, 1}, Dataflow::kWeight).status().ToString(),
              HasSubstr("expected at most 2^63 cycles"));
}

TEST(Dataflow, NamesAreReadBack) {
  for (const Dataflow dataflow : {Dataflow::kWeight, Dataflow::kOutput, Dataflow::kInput}) {
    EXPECT_EQ(ParseDataflow(DataflowName(dataflow)), dataflow);
  }
  EXPECT_FALSE(ParseDataflow("rs").has_value());
}

}  // namespace
}  // namespace tilewise
