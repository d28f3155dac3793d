// The account of torchvision's models takes the step that torchvision's own source does.

#include <cmath>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

constexpr char kSources[] =
    TILEWISE_SOURCE_DIR "/build/library-sources/usr/lib/python3/dist-packages";

// Another copy on the machine would be read in the place of the account.
bool IsInstalled() {
  return std::filesystem::exists("/usr/lib/python3/dist-packages/torchvision/models");
}

struct Model {
  std::string name;  // in torchvision.models
  int size = 224;    // of its pictures
  std::string output = "made if torch.is_tensor(made) else made[0]";
};

void PrintTo(const Model& model, std::ostream* out) { *out << model.name; }

std::string Program(const Model& model) {
  return fmt::format(R"(import torch
import torchvision
model = torchvision.models.{0}
model.train()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for step in range(100):
    x = torch.randn(16, 3, {1}, {1})
    made = model(x)
    loss = ({2}).float().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
)",
                     model.name, model.size, model.output);
}

nlohmann::json Simulated(const std::string& file, const std::string& options) {
  const RunResult run = RunTilewise(
      fmt::format("simulate {} --no-config --chip v3-8 --format json {}", file, options));
  return nlohmann::json::parse(run.out, nullptr, false);
}

class TorchvisionModels : public testing::TestWithParam<Model> {};

TEST_P(TorchvisionModels, StepAsTheirOwnSourceDoes) {
  if (!std::filesystem::exists(kSources)) GTEST_SKIP() << "no sources: scripts/library-sources";
  if (IsInstalled()) GTEST_SKIP() << "torchvision is installed";
  const TemporaryFolder folder;
  const std::string file = folder.Write("train.py", Program(GetParam()));
  const nlohmann::json own = Simulated(file, "");
  const nlohmann::json source = Simulated(file, fmt::format("--python-path {}", kSources));
  ASSERT_TRUE(own.is_object() && source.is_object());
  EXPECT_EQ(own["memory"]["optimizer_state_bytes"], source["memory"]["optimizer_state_bytes"]);
  const double seconds = source["step"]["device_seconds"].get<double>();
  EXPECT_NEAR(own["step"]["device_seconds"].get<double>(), seconds, 0.01 * seconds);
}

const std::string kOut = "made['out']";

INSTANTIATE_TEST_SUITE_P(
    Families, TorchvisionModels,
    testing::Values(Model{"resnet18()"}, Model{"resnext50_32x4d(zero_init_residual=True)"},
                    Model{"vgg11_bn()"}, Model{"alexnet()"}, Model{"densenet121()"},
                    Model{"squeezenet1_0()"}, Model{"googlenet()"}, Model{"inception_v3()", 299},
                    Model{"mobilenet_v2()"}, Model{"mobilenet_v3_small()"},
                    Model{"efficientnet_b1()"}, Model{"efficientnet_v2_s()"},
                    Model{"mnasnet0_75()"}, Model{"shufflenet_v2_x1_0()"},
                    Model{"regnet_x_400mf()"}, Model{"regnet_y_800mf()"}, Model{"vit_b_32()"},
                    Model{"swin_t()"}, Model{"swin_v2_t()", 256}, Model{"convnext_tiny()"},
                    Model{"segmentation.fcn_resnet50()", 224, kOut},
                    Model{"segmentation.deeplabv3_resnet50(aux_loss=True)", 224, kOut},
                    Model{"segmentation.lraspp_mobilenet_v3_large()", 224, kOut}));

}  // namespace
}  // namespace tilewise
