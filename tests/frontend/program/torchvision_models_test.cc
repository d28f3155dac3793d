// Models of torchvision on a machine without it: parameters as its documentation publishes them
// (pytorch.org/vision), the parts that programs change, and what is said not to be known.

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;

Workload Read(const std::string& text, const std::string& model,
              const std::string& inputs = "3x224x224:f32") {
  ProgramOptions options;
  options.model = model;
  options.inputs = inputs;
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {{text, 0}}, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

int64_t Trainable(const Workload& workload) {
  return workload.model_size.has_value() ? workload.model_size->trainable : -1;
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

constexpr char kImports[] = "import torch\nfrom torch import nn\nfrom torchvision import models\n";

struct Published {
  std::string expression;
  int64_t parameters = 0;
  std::string input = "3x224x224:f32";
};

void PrintTo(const Published& model, std::ostream* out) { *out << model.expression; }

class TorchvisionCounts : public testing::TestWithParam<Published> {};

TEST_P(TorchvisionCounts, AreThePublishedOnes) {
  const Published& model = GetParam();
  const Workload workload = Read(kImports, "models." + model.expression, model.input);
  EXPECT_EQ(Trainable(workload), model.parameters) << Notes(workload);
  EXPECT_TRUE(workload.graph.has_value());
}

INSTANTIATE_TEST_SUITE_P(
    Published, TorchvisionCounts,
    testing::Values(
        Published{"resnet50(weights='DEFAULT')", 25557032}, Published{"vgg16()", 138357544},
        Published{"alexnet(pretrained=True)", 61100840}, Published{"densenet121()", 7978856},
        Published{"squeezenet1_1()", 1235496}, Published{"googlenet(pretrained=True)", 6624904},
        Published{"inception_v3()", 27161264, "3x299x299:f32"},
        Published{"mobilenet_v2()", 3504872}, Published{"mobilenet_v3_large()", 5483032},
        Published{"efficientnet_b0()", 5288548}, Published{"efficientnet_v2_s()", 21458488},
        Published{"mnasnet1_0()", 4383312}, Published{"shufflenet_v2_x1_0()", 2278604},
        Published{"regnet_y_400mf()", 4344144}, Published{"vit_b_16()", 86567656},
        Published{"swin_t()", 28288354}, Published{"swin_v2_t()", 28351570, "3x256x256:f32"},
        Published{"convnext_tiny()", 28589128},
        Published{"get_model('fcn_resnet50', weights='DEFAULT')", 35322218}));

TEST(TorchvisionModels, HeadsAreReplacedByTheirNames) {
  const Workload workload = Read(std::string(kImports) + R"(
net = models.get_model("vit_b_16", weights=models.ViT_B_16_Weights.DEFAULT)
net.heads.head = nn.Linear(net.heads.head.in_features, 10)
)",
                                 "net");
  EXPECT_EQ(Trainable(workload), 86567656 - 769 * 990) << Notes(workload);
}

TEST(TorchvisionModels, OfTheHubAreTheSame) {
  const Workload workload = Read(std::string(kImports) + R"(
net = torch.hub.load("pytorch/vision:v0.10.0", "resnet18", pretrained=True)
)",
                                 "net");
  EXPECT_EQ(Trainable(workload), 11689512) << Notes(workload);
}

TEST(TorchvisionModels, AreListedWithThoseOfSegmentation) {
  const Workload workload =
      Read(kImports, "models.resnet18(num_classes=len(models.list_models()))");
  EXPECT_EQ(Trainable(workload), 11689512 - 513 * (1000 - 85)) << Notes(workload);
}

TEST(TorchvisionModels, AreWhatEfficientNetsOfTimmAreMadeOf) {
  const Workload workload = Read("import timm\n", "timm.create_model('tf_efficientnet_b0_ns')");
  EXPECT_EQ(Trainable(workload), 5288548) << Notes(workload);
}

TEST(TorchvisionModels, ExtractedFeaturesLeaveOutWhatStandsBehind) {
  const Workload workload = Read(std::string(kImports) + R"(
from torchvision.models.feature_extraction import create_feature_extractor
net = create_feature_extractor(models.resnet18(), {"layer4": "out"})
)",
                                 "net");
  EXPECT_EQ(Trainable(workload), 11689512 - 513 * 1000) << Notes(workload);
}

TEST(TorchvisionModels, OfDetectionAreSaidNotToBeKnown) {
  const Workload workload = Read(std::string(kImports) + R"(
net = models.detection.fasterrcnn_resnet50_fpn(weights="DEFAULT")
)",
                                 "net");
  EXPECT_FALSE(workload.graph.has_value());
  EXPECT_THAT(Notes(workload), HasSubstr("torchvision.models.detection.fasterrcnn_resnet50_fpn"));
}

}  // namespace
}  // namespace tilewise::program
