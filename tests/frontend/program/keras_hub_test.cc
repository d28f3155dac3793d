// Models of KerasHub (KerasNLP) by their presets: parameters as its own list of
// presets publishes them, and trainings on texts.

#include <gmock/gmock.h>

#include "tests/frontend/program/read_text.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;

struct Preset {
  const char* name;
  int64_t parameters;
};

void PrintTo(const Preset& preset, std::ostream* out) { *out << preset.name; }

class KerasHubPresets : public testing::TestWithParam<Preset> {};

TEST_P(KerasHubPresets, HaveThePublishedNumberOfParameters) {
  const Workload workload =
      ReadText("import keras_hub\nmodel = keras_hub.models.Backbone.from_preset(\"" +
                   std::string(GetParam().name) + "\")\n",
               "model");
  ASSERT_TRUE(workload.model_size.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, GetParam().parameters);
}

INSTANTIATE_TEST_SUITE_P(
    KerasHub, KerasHubPresets,
    testing::Values(
        Preset{"bert_tiny_en_uncased", 4385920}, Preset{"bert_small_en_uncased", 28763648},
        Preset{"bert_medium_en_uncased", 41373184}, Preset{"bert_base_en_uncased", 109482240},
        Preset{"bert_base_en", 108310272}, Preset{"bert_base_zh", 102267648},
        Preset{"bert_base_multi", 177853440}, Preset{"bert_large_en_uncased", 335141888},
        Preset{"bert_large_en", 333579264}, Preset{"all_minilm_l6_v2_en", 22713216},
        Preset{"bge_small_en", 33360000}, Preset{"roberta_base_en", 124052736},
        Preset{"roberta_large_en", 354307072}, Preset{"xlm_roberta_base_multi", 277450752},
        Preset{"xlm_roberta_large_multi", 558837760},
        Preset{"distil_bert_base_en_uncased", 66362880}, Preset{"distil_bert_base_en", 65190912},
        Preset{"distil_bert_base_multi", 134734080}, Preset{"albert_base_en_uncased", 11683584},
        Preset{"albert_large_en_uncased", 17683968},
        Preset{"albert_extra_large_en_uncased", 58724864},
        Preset{"albert_extra_extra_large_en_uncased", 222595584},
        Preset{"deberta_v3_extra_small_en", 70682112}, Preset{"deberta_v3_small_en", 141304320},
        Preset{"deberta_v3_base_en", 183831552}, Preset{"deberta_v3_large_en", 434012160},
        Preset{"deberta_v3_base_multi", 278218752}, Preset{"gpt2_base_en", 124439808},
        Preset{"gpt2_medium_en", 354823168}, Preset{"gpt2_large_en", 774030080},
        Preset{"gpt2_extra_large_en", 1557611200}, Preset{"gemma_2b_en", 2506172416},
        Preset{"gemma_7b_en", 8537680896}, Preset{"gemma2_2b_en", 2614341888},
        Preset{"gemma2_9b_en", 9241705984}, Preset{"gemma2_27b_en", 27227128320},
        Preset{"gemma3_270m", 268098176}, Preset{"gemma3_1b", 999885952},
        Preset{"gemma3_4b_text", 3880099328}, Preset{"gemma3_12b_text", 11765788416},
        Preset{"gemma3_27b_text", 27009002240}, Preset{"llama2_7b_en", 6738415616},
        Preset{"llama3_8b_en", 8030261248}, Preset{"llama3.2_1b", 1498482688},
        Preset{"llama3.2_3b", 3606752256}, Preset{"mistral_7b_en", 7241732096},
        Preset{"mistral_0.3_7b_en", 7248023552}));

TEST(KerasHub, LoraTrainsWhatIsBesideTheKernels) {
  const Workload workload = ReadText(R"(
import keras_nlp
lm = keras_nlp.models.GemmaCausalLM.from_preset("gemma_2b_en")
lm.backbone.enable_lora(rank=4)
lm.preprocessor.sequence_length = 256
lm.fit(["text " + str(i) for i in range(1000)], batch_size=2, epochs=3)
)");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 1363968);
  EXPECT_EQ(workload.model_size->trainable + workload.model_size->other, 2507536384);
  EXPECT_TRUE(workload.training->loss_known);
  EXPECT_EQ(workload.declared_global_batch(), 2);
  EXPECT_EQ(workload.host_loop.epochs.value, 3);
  for (const Op& op : workload.graph->ops()) {
    if (op.kind == OpKind::kParameter) {
      EXPECT_EQ(op.shape.dims[1].factor, 256);
    }
  }
}

TEST(KerasHub, AClassifierTakesTextsOfADataSet) {
  const Workload workload = ReadText(R"(
import keras_hub, tensorflow_datasets as tfds
data = tfds.load("imdb_reviews", split="train", as_supervised=True, batch_size=24)
model = keras_hub.models.TextClassifier.from_preset("distil_bert_base_en_uncased", num_classes=2)
model.preprocessor.sequence_length = 160
model.fit(data)
)");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 66362880 + 768 * 768 + 768 + 768 * 2 + 2);
  EXPECT_EQ(workload.declared_global_batch(), 24);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kAdam);
}

TEST(KerasHub, AFrozenBackboneIsNotTrained) {
  const Workload workload = ReadText(R"(
import keras_hub, numpy
model = keras_hub.models.BertTextClassifier.from_preset(
    "bert_tiny_en_uncased", num_classes=3, preprocessor=None)
model.backbone.trainable = False
ids = numpy.ones((64, 32), "int32")
model.fit({"token_ids": ids, "segment_ids": ids, "padding_mask": ids}, numpy.ones((64,)))
)");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 128 * 3 + 3);
}

TEST(KerasHub, MaskedTokensAreScoredWithTheEmbeddings) {
  const Workload workload = ReadText(R"(
import keras_hub
model = keras_hub.models.BertMaskedLM.from_preset("bert_tiny_en_uncased")
model.fit(["a b c"] * 640, batch_size=64)
)");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_THAT(NotesOfText(workload), HasSubstr("padded to its default, 512"));
  EXPECT_EQ(workload.model_size->trainable, 4385920 + 128 * 128 + 3 * 128 + 30522);
}

TEST(KerasHub, WhatIsNotKnownOfAPresetIsSaid) {
  const Workload workload = ReadText(R"(
import keras_hub
model = keras_hub.models.CausalLM.from_preset("gemma9_900b")
model.fit(["a"] * 8)
)");
  EXPECT_FALSE(workload.training.has_value());
  EXPECT_THAT(NotesOfText(workload), HasSubstr("the sizes of the preset gemma9_900b of keras_hub"));
}

TEST(KerasHub, LayoutsSplitWeightsOverTheMesh) {
  const Workload workload = ReadText(R"(
import keras, keras_hub
mesh = keras.distribution.DeviceMesh((2, 4), ("batch", "model"))
layouts = keras_hub.models.GemmaBackbone.get_layout_map(mesh)
keras.distribution.set_distribution(keras.distribution.ModelParallel(
    layout_map=layouts, batch_dim_name="batch"))
lm = keras_hub.models.GemmaCausalLM.from_preset("gemma3_270m", preprocessor=None)
import numpy
ids = numpy.ones((64, 32), "int32")
lm.fit({"token_ids": ids, "padding_mask": ids}, ids, batch_size=8)
)");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  ASSERT_TRUE(workload.mesh.has_value());
  EXPECT_EQ(workload.mesh->fsdp, 2);
  EXPECT_EQ(workload.mesh->tensor, 4);
}

TEST(KerasCv, LayersKeepTheSizeOfPictures) {
  const Workload workload = ReadText(R"(
import keras_cv
import tensorflow as tf
from tensorflow import keras
policy = keras_cv.layers.RandAugment.get_standard_policy(value_range=(0, 255), magnitude=0.75)
augment = keras_cv.layers.Augmenter([
    keras_cv.layers.RandomCropAndResize((24, 24), crop_area_factor=(0.8, 1.0)),
    keras_cv.layers.RandomAugmentationPipeline(policy + [keras_cv.layers.GridMask()], 3),
    keras_cv.layers.RandAugment(value_range=(0, 255)), keras_cv.layers.CutMix()])
data = tf.data.Dataset.from_tensor_slices({
    "images": tf.zeros((640, 32, 32, 3)), "labels": tf.zeros((640, 5))}).batch(64)
data = data.map(lambda x: augment(x, training=True)).map(lambda x: (x["images"], x["labels"]))
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(5)])
model.compile("sgd", "categorical_crossentropy")
model.fit(data)
)");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 24 * 24 * 3 * 5 + 5) << NotesOfText(workload);
  EXPECT_EQ(workload.declared_global_batch(), 64);
}

TEST(KerasCv, ItsModelsAreSaidToBeUnknown) {
  const Workload workload = ReadText(R"(
import keras_cv, keras, numpy as np
model = keras_cv.models.ImageClassifier(keras_cv.models.ResNet50Backbone(), num_classes=10)
model.compile("sgd", "categorical_crossentropy")
model.fit(np.zeros((64, 32, 32, 3)), np.zeros((64, 10)))
)");
  EXPECT_FALSE(workload.graph.has_value());
  EXPECT_THAT(NotesOfText(workload),
              HasSubstr("the model keras_cv.models.ResNet50Backbone is not known"));
}

}  // namespace
}  // namespace tilewise::program
