// segmentation_models_pytorch: parameters of encoders as torchvision, timm and the
// library publish them, and trainings.

#include <gmock/gmock.h>

#include "tests/frontend/program/read_text.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;

struct Network {
  const char* model;
  int64_t trainable;
};

void PrintTo(const Network& network, std::ostream* out) { *out << network.model; }

class TorchSegmentation : public testing::TestWithParam<Network> {};

TEST_P(TorchSegmentation, HasThePublishedNumberOfParameters) {
  const Workload workload = ReadText("import torch\nimport segmentation_models_pytorch as smp\n",
                                     GetParam().model, "3x64x64:f32");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  ASSERT_TRUE(workload.model_size.has_value());
  EXPECT_EQ(workload.model_size->trainable, GetParam().trainable);
}

// The published number of a classifier's parameters without its last layer.
constexpr int64_t Headless(int64_t parameters, int64_t features) {
  return parameters - features * 1000 - 1000;
}

// The parameters of a convolution without bias and of its norm.
constexpr int64_t Normed(int64_t before, int64_t after, int64_t window = 9) {
  return before * after * window + 2 * after;
}

// The decoder of a Unet: two convolutions for each step; one more gives the mask.
constexpr int64_t UnetOf(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e) {
  return Normed(a + b, 256) + Normed(256, 256) + Normed(256 + c, 128) + Normed(128, 128) +
         Normed(128 + d, 64) + Normed(64, 64) + Normed(64 + e, 32) + Normed(32, 32) +
         Normed(32, 16) + Normed(16, 16) + 16 * 9 + 1;
}

INSTANTIATE_TEST_SUITE_P(
    Torch, TorchSegmentation,
    testing::Values(Network{"smp.Unet()", 24436369},
                    Network{"smp.Unet('resnet50')",
                            Headless(25557032, 2048) + UnetOf(2048, 1024, 512, 256, 64)},
                    Network{"smp.Unet('se_resnext50_32x4d')",
                            Headless(27559896, 2048) + UnetOf(2048, 1024, 512, 256, 64)},
                    Network{"smp.Unet('densenet121')",
                            Headless(7978856, 1024) + UnetOf(1024, 1024, 512, 256, 64)},
                    Network{"smp.Unet('mobilenet_v2')",
                            Headless(3504872, 1280) + UnetOf(1280, 96, 32, 24, 16)},
                    Network{"smp.Unet('efficientnet-b0')",
                            Headless(5288548, 1280) + UnetOf(320, 112, 40, 24, 32)},
                    Network{"smp.Unet('timm-efficientnet-b3')",
                            Headless(12233232, 1536) + UnetOf(384, 136, 48, 32, 40)}));

TEST(TorchSegmentationModels, EachDecoderGivesAMaskOfThePicturesSize) {
  for (const std::string name : {"Unet", "UnetPlusPlus", "MAnet", "Linknet", "FPN", "PSPNet",
                                 "DeepLabV3", "DeepLabV3Plus", "PAN"}) {
    const Workload workload =
        ReadText("import torch\nimport segmentation_models_pytorch as smp\n",
                 "smp." + name + "('resnet18', in_channels=4, classes=5)", "4x128x128:f32");
    ASSERT_TRUE(workload.graph.has_value()) << name << NotesOfText(workload);
    const Op& mask = workload.graph->op(workload.graph->outputs()[0].value);
    EXPECT_EQ(FormatShape(mask.shape), "f32[N,5,128,128]") << name;
  }
}

TEST(TorchSegmentationModels, EpochsTrain) {
  const Workload workload = ReadText(R"(
import torch
import segmentation_models_pytorch as smp
model = smp.FPN("resnet18", classes=1, activation="sigmoid")
loss = smp.utils.losses.DiceLoss() + smp.utils.losses.BCELoss()
optimizer = torch.optim.Adam([dict(params=model.parameters(), lr=0.0001)])
epoch = smp.utils.train.TrainEpoch(model, loss=loss, metrics=[smp.utils.metrics.IoU(0.5)],
                                   optimizer=optimizer, device="cuda")
rows = [(torch.zeros(3, 64, 64), torch.zeros(1, 64, 64))] * 96
for i in range(4):
    logs = epoch.run(torch.utils.data.DataLoader(rows, batch_size=12))
    if logs["iou_score"] > 0 and logs["dice_loss + bce_loss"] > 0:
        torch.save(model, "best.pth")
)");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kAdam);
  EXPECT_EQ(workload.declared_global_batch(), 12);
}

TEST(TorchSegmentationModels, LossesTakeClassesOfPlaces) {
  for (const std::string loss :
       {"DiceLoss('multiclass', ignore_index=3)", "JaccardLoss('multiclass')",
        "FocalLoss('multiclass')", "TverskyLoss('multiclass', alpha=0.3)",
        "LovaszLoss('multiclass')", "SoftCrossEntropyLoss(smooth_factor=0.1)"}) {
    const Workload workload = ReadText(R"(
import torch
import segmentation_models_pytorch as smp
model = smp.Unet("resnet18", encoder_depth=4, decoder_channels=(64, 32, 16, 8), classes=4)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
x, y = torch.zeros(8, 3, 32, 32), torch.zeros(8, 32, 32, dtype=torch.long)
smp.losses.)" + loss + R"((model(x), y).backward()
optimizer.step()
)");
    EXPECT_TRUE(workload.training.has_value()) << loss << NotesOfText(workload);
  }
}

TEST(TorchSegmentationModels, AnEncoderThatIsNotKnownIsSaid) {
  const Workload workload = ReadText(R"(
import torch
import segmentation_models_pytorch as smp
model = smp.Unet("xception")
model(torch.zeros(2, 3, 64, 64)).mean().backward()
)");
  EXPECT_FALSE(workload.training.has_value());
  EXPECT_THAT(NotesOfText(workload),
              HasSubstr("the encoder xception of segmentation_models_pytorch"));
}

}  // namespace
}  // namespace tilewise::program
