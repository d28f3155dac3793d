// segmentation_models and classification_models of Keras: parameters as summaries
// and model tables publish them, and trainings.

#include <gmock/gmock.h>

#include "tests/frontend/program/read_text.h"

namespace tilewise::program {
namespace {

struct Network {
  const char* model;
  int64_t trainable = 0;  // 0: not published
  int64_t all = 0;        // with the statistics of norms
};

void PrintTo(const Network& network, std::ostream* out) { *out << network.model; }

class KerasSegmentation : public testing::TestWithParam<Network> {};

TEST_P(KerasSegmentation, HasThePublishedNumberOfParameters) {
  const Workload workload = ReadText(
      "import segmentation_models as sm\n"
      "from classification_models.tfkeras import Classifiers\n",
      GetParam().model, "224x224x3:f32");
  ASSERT_TRUE(workload.model_size.has_value()) << NotesOfText(workload);
  const ModelSize& size = *workload.model_size;
  if (GetParam().trainable != 0) {
    EXPECT_EQ(size.trainable, GetParam().trainable);
  }
  if (GetParam().all != 0) {
    EXPECT_EQ(size.trainable + size.other, GetParam().all);
  }
}

// The parameters of squeeze-and-excitation networks are those of PyTorch, whose weights they load.
INSTANTIATE_TEST_SUITE_P(
    Keras, KerasSegmentation,
    testing::Values(Network{"sm.Unet('resnet34')", 24438804, 24456154},
                    Network{"sm.Unet('vgg16')", 23748241, 23752273},
                    Network{"sm.Unet('mobilenetv2')", 0, 8047441},
                    Network{"Classifiers.get('seresnet50')[0]((224, 224, 3))", 28088024},
                    Network{"Classifiers.get('seresnext50')[0]((224, 224, 3))", 27559896}));

TEST(KerasSegmentationModels, LossesAddUpAndTrain) {
  const Workload workload = ReadText(R"(
import segmentation_models as sm, numpy as np
sm.set_framework("tf.keras")
x, y = np.zeros((96, 64, 64, 3), "float32"), np.zeros((96, 64, 64, 2), "float32")
x = sm.get_preprocessing("efficientnetb0")(x)
for make in (sm.FPN, sm.Linknet, sm.Unet):
    model = make("efficientnetb0", classes=2, activation="softmax", encoder_freeze=True)
loss = sm.losses.DiceLoss(class_weights=np.array([1, 2])) + (1 * sm.losses.CategoricalFocalLoss())
model.compile("Adam", loss, [sm.metrics.IOUScore(threshold=0.5), sm.metrics.FScore()])
model.fit(x, y, batch_size=24)
)");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_TRUE(workload.training->loss_known) << NotesOfText(workload);
  EXPECT_EQ(workload.declared_global_batch(), 24);
}

TEST(KerasSegmentationModels, APyramidOfPoolsFitsItsPicture) {
  const Workload workload =
      ReadText("import segmentation_models as sm\n",
               "sm.PSPNet('resnet18', input_shape=(192, 192, 3), classes=4)", "192x192x3:f32");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  const Op& mask = workload.graph->op(workload.graph->outputs()[0].value);
  EXPECT_EQ(FormatShape(mask.shape), "f32[N,192,192,4]");
}

}  // namespace
}  // namespace tilewise::program
