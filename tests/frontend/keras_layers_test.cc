// Every layer class: configuration in, shape of its result out.

#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/keras/call_order.h"
#include "frontend/keras/keras_model.h"
#include "frontend/keras/layer_arguments.h"

namespace tilewise {
namespace {

using nlohmann::json;
using testing::HasSubstr;

absl::StatusOr<KerasGraph> BuildOne(const std::string& class_name, const std::string& config,
                                    const std::string& input_shape, bool training = false) {
  KerasModel model;
  model.name = "one";
  KerasLayer layer;
  layer.class_name = CanonicalLayerClass(class_name);
  layer.name = "layer";
  layer.config = json::parse(config);
  ModernizeLayer(layer.class_name, layer.config);
  layer.config["batch_input_shape"] = json::parse(input_shape);
  model.layers.push_back(layer);
  ChainSequential(model);
  return BuildKerasGraph(model, training);
}

std::string ResultShape(const absl::StatusOr<KerasGraph>& built) {
  if (!built.ok()) return Message(built.status());
  if (!built->opaque.empty()) return "opaque";
  const Graph& graph = built->graph;
  return FormatShape(graph.op(graph.outputs()[0].value).shape);
}

int64_t Parameters(const KerasGraph& built) {
  int64_t total = 0;
  for (const Op& op : built.graph.ops()) {
    if (op.kind == OpKind::kVariable) total += op.shape.elements();
  }
  return total;
}

struct ShapeCase {
  const char* class_name;
  const char* config;
  const char* input;
  const char* result;
};

void PrintTo(const ShapeCase& c, std::ostream* out) { *out << c.class_name; }

class LayerShape : public testing::TestWithParam<ShapeCase> {};

TEST_P(LayerShape, IsAsKerasInfersIt) {
  const ShapeCase& c = GetParam();
  EXPECT_EQ(ResultShape(BuildOne(c.class_name, c.config, c.input, false)), c.result)
      << c.class_name << " " << c.config;
  EXPECT_EQ(ResultShape(BuildOne(c.class_name, c.config, c.input, true)), c.result)
      << c.class_name << " in training";
}

const ShapeCase kShapes[] = {
    {"Dense", R"({"units":10})", "[null,64]", "f32[N,10]"},
    {"Dense", R"({"units":10})", "[null,7,64]", "f32[N,7,10]"},
    {"Dense", R"({"output_dim":10,"bias":false})", "[null,64]", "f32[N,10]"},
    {"EinsumDense",
     R"({"equation":"abc,cde->abde","output_shape":[null,4,8],
         "bias_axes":"de"})",
     "[null,7,32]", "f32[N,7,4,8]"},
    {"Conv1D", R"({"filters":8,"kernel_size":3,"padding":"causal"})", "[null,20,4]", "f32[N,20,8]"},
    {"Conv2D", R"({"filters":8,"kernel_size":[3,3]})", "[null,32,30,3]", "f32[N,30,28,8]"},
    {"Conv2D", R"({"filters":8,"kernel_size":3,"padding":"same","strides":2})", "[null,33,32,3]",
     "f32[N,17,16,8]"},
    {"Conv2D", R"({"filters":8,"kernel_size":3,"dilation_rate":2})", "[null,32,32,3]",
     "f32[N,28,28,8]"},
    {"Conv2D", R"({"filters":8,"kernel_size":3,"groups":2})", "[null,9,9,4]", "f32[N,7,7,8]"},
    {"Conv2D", R"({"filters":8,"kernel_size":3,"data_format":"channels_first"})", "[null,3,32,32]",
     "f32[N,8,30,30]"},
    {"Convolution2D",
     R"({"nb_filter":8,"nb_row":3,"nb_col":5,"subsample":[2,1],
         "border_mode":"same","dim_ordering":"th"})",
     "[null,3,32,32]", "f32[N,8,16,32]"},
    {"Conv3D", R"({"filters":8,"kernel_size":3})", "[null,8,9,10,3]", "f32[N,6,7,8,8]"},
    {"DepthwiseConv1D", R"({"kernel_size":3})", "[null,32,3]", "f32[N,30,3]"},
    {"DepthwiseConv2D", R"({"kernel_size":3,"depth_multiplier":2})", "[null,32,32,3]",
     "f32[N,30,30,6]"},
    {"SeparableConv1D", R"({"filters":8,"kernel_size":3})", "[null,32,3]", "f32[N,30,8]"},
    {"SeparableConv2D", R"({"filters":8,"kernel_size":3,"padding":"same"})", "[null,32,32,3]",
     "f32[N,32,32,8]"},
    {"Conv2DTranspose", R"({"filters":8,"kernel_size":3,"strides":2,"padding":"same"})",
     "[null,16,16,3]", "f32[N,32,32,8]"},
    {"Conv2DTranspose", R"({"filters":8,"kernel_size":2,"strides":3})", "[null,5,5,3]",
     "f32[N,15,15,8]"},
    {"Conv2DTranspose", R"({"filters":8,"kernel_size":5,"strides":2})", "[null,5,5,3]",
     "f32[N,13,13,8]"},
    {"Conv2DTranspose",
     R"({"filters":8,"kernel_size":3,"strides":2,"padding":"same",
         "output_padding":1})",
     "[null,16,16,3]", "f32[N,32,32,8]"},
    {"Conv1DTranspose", R"({"filters":8,"kernel_size":3,"strides":2})", "[null,5,3]",
     "f32[N,11,8]"},
    {"Conv3DTranspose", R"({"filters":8,"kernel_size":2,"strides":2})", "[null,2,3,4,3]",
     "f32[N,4,6,8,8]"},
    {"MaxPooling1D", R"({})", "[null,21,3]", "f32[N,10,3]"},
    {"MaxPool2D", R"({"pool_size":3,"strides":2,"padding":"same"})", "[null,32,32,3]",
     "f32[N,16,16,3]"},
    {"MaxPooling3D", R"({})", "[null,4,5,6,3]", "f32[N,2,2,3,3]"},
    {"AveragePooling1D", R"({"pool_size":4})", "[null,20,3]", "f32[N,5,3]"},
    {"AvgPool2D", R"({"pool_size":2,"padding":"same"})", "[null,7,7,3]", "f32[N,4,4,3]"},
    {"AveragePooling2D", R"({"padding":"same","data_format":"channels_first"})", "[null,3,7,7]",
     "f32[N,3,4,4]"},
    {"AveragePooling3D", R"({})", "[null,4,4,4,3]", "f32[N,2,2,2,3]"},
    {"GlobalMaxPooling1D", R"({})", "[null,20,3]", "f32[N,3]"},
    {"GlobalMaxPooling2D", R"({"keepdims":true})", "[null,7,7,3]", "f32[N,1,1,3]"},
    {"GlobalAvgPool2D", R"({})", "[null,7,7,3]", "f32[N,3]"},
    {"GlobalAveragePooling2D", R"({"data_format":"channels_first"})", "[null,3,7,7]", "f32[N,3]"},
    {"GlobalAveragePooling3D", R"({})", "[null,7,7,7,3]", "f32[N,3]"},
    {"BatchNormalization", R"({})", "[null,7,7,3]", "f32[N,7,7,3]"},
    {"BatchNormalization", R"({"axis":[1],"scale":false})", "[null,3,7,7]", "f32[N,3,7,7]"},
    {"LayerNormalization", R"({"axis":[2]})", "[null,7,8]", "f32[N,7,8]"},
    {"LayerNormalization", R"({"axis":[1,2]})", "[null,7,8]", "f32[N,7,8]"},
    {"GroupNormalization", R"({"groups":4})", "[null,7,7,8]", "f32[N,7,7,8]"},
    {"UnitNormalization", R"({})", "[null,7,8]", "f32[N,7,8]"},
    {"Dropout", R"({"rate":0.5})", "[null,8]", "f32[N,8]"},
    {"SpatialDropout1D", R"({"rate":0.5})", "[null,7,8]", "f32[N,7,8]"},
    {"SpatialDropout2D", R"({"rate":0.5})", "[null,7,7,8]", "f32[N,7,7,8]"},
    {"SpatialDropout3D", R"({"rate":0.5})", "[null,2,2,2,8]", "f32[N,2,2,2,8]"},
    {"GaussianNoise", R"({"stddev":0.1})", "[null,8]", "f32[N,8]"},
    {"GaussianDropout", R"({"rate":0.1})", "[null,8]", "f32[N,8]"},
    {"AlphaDropout", R"({"rate":0.1})", "[null,8]", "f32[N,8]"},
    {"ActivityRegularization", R"({"l2":0.1})", "[null,8]", "f32[N,8]"},
    {"ReLU", R"({"max_value":6,"negative_slope":0.1})", "[null,8]", "f32[N,8]"},
    {"LeakyReLU", R"({"alpha":0.1})", "[null,8]", "f32[N,8]"},
    {"PReLU", R"({"shared_axes":[1,2]})", "[null,7,7,8]", "f32[N,7,7,8]"},
    {"ELU", R"({"alpha":0.5})", "[null,8]", "f32[N,8]"},
    {"ThresholdedReLU", R"({})", "[null,8]", "f32[N,8]"},
    {"Softmax", R"({"axis":-1})", "[null,8]", "f32[N,8]"},
    {"Flatten", R"({})", "[null,7,7,8]", "f32[N,392]"},
    {"Flatten", R"({"data_format":"channels_first"})", "[null,8,7,7]", "f32[N,392]"},
    {"Reshape", R"({"target_shape":[-1,8]})", "[null,7,16]", "f32[N,14,8]"},
    {"Permute", R"({"dims":[2,1]})", "[null,7,16]", "f32[N,16,7]"},
    {"RepeatVector", R"({"n":5})", "[null,7]", "f32[N,5,7]"},
    {"Masking", R"({"mask_value":0.0})", "[null,5,7]", "f32[N,5,7]"},
    {"ZeroPadding1D", R"({"padding":[1,2]})", "[null,5,7]", "f32[N,8,7]"},
    {"ZeroPadding2D", R"({"padding":[3,3]})", "[null,5,7,2]", "f32[N,11,13,2]"},
    {"ZeroPadding2D", R"({"padding":[[0,1],[2,3]]})", "[null,5,7,2]", "f32[N,6,12,2]"},
    {"ZeroPadding3D", R"({"padding":1})", "[null,5,5,5,2]", "f32[N,7,7,7,2]"},
    {"Cropping1D", R"({"cropping":1})", "[null,5,7]", "f32[N,3,7]"},
    {"Cropping2D", R"({"cropping":[[0,1],[2,3]]})", "[null,8,9,2]", "f32[N,7,4,2]"},
    {"Cropping3D", R"({"cropping":1})", "[null,5,5,5,2]", "f32[N,3,3,3,2]"},
    {"UpSampling1D", R"({"length":3})", "[null,5,7]", "f32[N,15,7]"},
    {"UpSampling2D", R"({"size":[2,3]})", "[null,5,7,2]", "f32[N,10,21,2]"},
    {"UpSampling3D", R"({})", "[null,2,3,4,2]", "f32[N,4,6,8,2]"},
    {"UpSampling2D", R"({"interpolation":"bilinear"})", "[null,5,7,2]", "f32[N,10,14,2]"},
    {"Resizing", R"({"height":4,"width":9})", "[null,8,8,3]", "f32[N,4,9,3]"},
    {"AdaptiveAveragePooling2D", R"({"output_size":4})", "[null,8,12,3]", "f32[N,4,4,3]"},
    {"AdaptiveMaxPooling1D", R"({"output_size":[5]})", "[null,20,3]", "f32[N,5,3]"},
    {"RMSNormalization", R"({"axis":-1})", "[null,7,8]", "f32[N,7,8]"},
    {"CategoryEncoding", R"({"num_tokens":9})", "[null,5]", "f32[N,9]"},
    {"CategoryEncoding", R"({"num_tokens":9,"output_mode":"one_hot"})", "[null,5]", "f32[N,5,9]"},
    {"RNN",
     R"({"return_sequences":true,"cell":{"class_name":"StackedRNNCells",
         "config":{"cells":[{"class_name":"LSTMCell","config":{"units":4}},
                            {"class_name":"GRUCell","config":{"units":6}}]}}})",
     "[null,7,8]", "f32[N,7,6]"},
    {"Embedding", R"({"input_dim":100,"output_dim":16})", "[null,7]", "f32[N,7,16]"},
    {"LSTM", R"({"units":16})", "[null,7,8]", "f32[N,16]"},
    {"ConvLSTM2D", R"({"filters":8,"kernel_size":3})", "[null,5,12,12,3]", "f32[N,10,10,8]"},
    {"ConvLSTM2D",
     R"({"filters":8,"kernel_size":3,"strides":2,"padding":"same",
         "return_sequences":true,"go_backwards":true,"dropout":0.5})",
     "[null,5,12,12,3]", "f32[N,5,6,6,8]"},
    {"ConvLSTM2D",
     R"({"filters":8,"kernel_size":[3,2],"data_format":"channels_first",
         "use_bias":false})",
     "[null,5,3,12,12]", "f32[N,8,10,11]"},
    {"ConvLSTM1D", R"({"filters":8,"kernel_size":3})", "[null,5,12,3]", "f32[N,10,8]"},
    {"ConvLSTM3D", R"({"filters":8,"kernel_size":3})", "[null,5,6,6,6,3]", "f32[N,4,4,4,8]"},
    {"Bidirectional",
     R"({"layer":{"class_name":"ConvLSTM2D","config":{"filters":8,
         "kernel_size":3,"return_sequences":true}}})",
     "[null,5,12,12,3]", "f32[N,5,10,10,16]"},
    {"Discretization", R"({"bin_boundaries":[0,1.5]})", "[null,5]", "s32[N,5]"},
    {"Discretization", R"({"bin_boundaries":[0,1],"output_mode":"one_hot"})", "[null,5]",
     "f32[N,5,3]"},
    {"Discretization", R"({"num_bins":4,"output_mode":"count"})", "[null,5]", "f32[N,4]"},
    {"Discretization", R"({"num_bins":1})", "[null,5]", "s32[N,5]"},
    {"LSTM", R"({"output_dim":16,"return_sequences":true,"go_backwards":1})", "[null,7,8]",
     "f32[N,7,16]"},
    {"CuDNNGRU", R"({"units":16})", "[null,7,8]", "f32[N,16]"},
    {"SimpleRNN", R"({"units":16,"dropout":0.2})", "[null,7,8]", "f32[N,16]"},
    {"RNN", R"({"cell":{"class_name":"LSTMCell","config":{"units":4}}})", "[null,7,8]", "f32[N,4]"},
    {"Bidirectional", R"({"layer":{"class_name":"LSTM","config":{"units":16}}})", "[null,7,8]",
     "f32[N,32]"},
    {"Bidirectional",
     R"({"merge_mode":"sum","layer":{"class_name":"GRU",
         "config":{"units":16,"return_sequences":true}}})",
     "[null,7,8]", "f32[N,7,16]"},
    {"TimeDistributed",
     R"({"layer":{"class_name":"Convolution2D","config":
         {"nb_filter":4,"nb_row":3,"nb_col":3}}})",
     "[null,5,9,9,2]", "f32[N,5,7,7,4]"},
    {"MultiHeadAttention", R"({"num_heads":4,"key_dim":8})", "[null,7,32]", "f32[N,7,32]"},
    {"GroupedQueryAttention", R"({"head_dim":8,"num_query_heads":6,"num_key_value_heads":2})",
     "[null,7,32]", "f32[N,7,32]"},
    {"Rescaling", R"({"scale":0.0039,"offset":-1})", "[null,8,8,3]", "f32[N,8,8,3]"},
    {"Normalization", R"({})", "[null,8,8,3]", "f32[N,8,8,3]"},
    {"CenterCrop", R"({"height":4,"width":6})", "[null,8,8,3]", "f32[N,4,6,3]"},
    {"RandomCrop", R"({"height":4,"width":6})", "[null,8,8,3]", "f32[N,4,6,3]"},
    {"RandomFlip", R"({"mode":"horizontal"})", "[null,8,8,3]", "f32[N,8,8,3]"},
    {"Solarization", R"({"addition_factor":0.1})", "[null,8,8,3]", "f32[N,8,8,3]"},
    {"RandomContrast", R"({"factor":0.1})", "[null,8,8,3]", "f32[N,8,8,3]"},
    {"RandomBrightness", R"({"factor":0.1})", "[null,8,8,3]", "f32[N,8,8,3]"},
};
INSTANTIATE_TEST_SUITE_P(All, LayerShape, testing::ValuesIn(kShapes));

class ActivationName : public testing::TestWithParam<const char*> {};

TEST_P(ActivationName, KeepsTheShape) {
  const std::string config = std::string(R"({"activation":")") + GetParam() + R"("})";
  EXPECT_EQ(ResultShape(BuildOne("Activation", config, "[null,8]")), "f32[N,8]");
}
INSTANTIATE_TEST_SUITE_P(All, ActivationName,
                         testing::Values("relu", "relu6", "leaky_relu", "elu", "selu", "gelu",
                                         "swish", "silu", "softmax", "softplus", "softsign",
                                         "sigmoid", "hard_sigmoid", "tanh", "exponential", "linear",
                                         "mish", "log_softmax", "hard_silu", "log_sigmoid"));

TEST(LayerWeights, AreCountedAsKerasCounts) {
  struct {
    const char* class_name;
    const char* config;
    const char* input;
    int64_t parameters;
  } cases[] = {
      {"Dense", R"({"units":10})", "[null,64]", 650},
      {"Conv2D", R"({"filters":8,"kernel_size":3})", "[null,9,9,3]", 224},
      {"DepthwiseConv2D", R"({"kernel_size":3,"depth_multiplier":2})", "[null,9,9,3]", 60},
      {"SeparableConv2D", R"({"filters":8,"kernel_size":3})", "[null,9,9,3]", 27 + 24 + 8},
      {"Conv2DTranspose", R"({"filters":8,"kernel_size":3})", "[null,9,9,3]", 224},
      {"BatchNormalization", R"({})", "[null,9,9,3]", 12},
      {"BatchNormalization", R"({"scale":false})", "[null,9,9,3]", 9},
      {"LSTM", R"({"units":16})", "[null,7,8]", 4 * (16 * (8 + 16) + 16)},
      {"ConvLSTM2D", R"({"filters":8,"kernel_size":3})", "[null,5,12,12,3]",
       4 * (9 * 8 * (3 + 8) + 8)},
      {"GRU", R"({"units":16,"reset_after":true})", "[null,7,8]", 3 * (16 * (8 + 16) + 32)},
      {"Bidirectional", R"({"layer":{"class_name":"LSTM","config":{"units":16}}})", "[null,7,8]",
       2 * 4 * (16 * (8 + 16) + 16)},
      {"MultiHeadAttention", R"({"num_heads":4,"key_dim":8})", "[null,7,32]", 4 * (32 * 32 + 32)},
      {"GroupQueryAttention", R"({"head_dim":8,"num_query_heads":6,"num_key_value_heads":2})",
       "[null,7,32]", 2 * 32 * 48 + 48 + 32 + 2 * (32 * 16 + 16)},
      {"PReLU", R"({})", "[null,7,8]", 56},
      {"Embedding", R"({"input_dim":100,"output_dim":16})", "[null,7]", 1600},
  };
  for (const auto& c : cases) {
    const auto built = BuildOne(c.class_name, c.config, c.input);
    ASSERT_TRUE(built.ok()) << built.status();
    EXPECT_EQ(Parameters(*built), c.parameters) << c.class_name;
  }
}

TEST(DTypePolicy, MixedComputesInSixteenBitsAndKeepsWeightsInThirtyTwo) {
  const char* const policies[] = {
      R"({"units":4,"dtype":"mixed_bfloat16"})",
      R"({"units":4,"dtype":{"class_name":"Policy",
          "config":{"name":"mixed_bfloat16"}}})",
      R"({"units":4,"dtype":{"module":"keras","class_name":"DTypePolicy",
          "config":{"name":"mixed_bfloat16"},"registered_name":null}})",
  };
  for (const char* config : policies) {
    const auto built = BuildOne("Dense", config, "[null,8]");
    EXPECT_EQ(ResultShape(built), "bf16[N,4]");
    for (const Op& op : built->graph.ops()) {
      if (op.kind == OpKind::kVariable) {
        EXPECT_EQ(op.shape.dtype, DType::kF32) << op.name;
      }
    }
  }
}

TEST(Dropout, ActsOnlyInTraining) {
  const auto count = [](bool training) {
    const auto built = BuildOne("Dropout", R"({"rate":0.5})", "[null,8]", training);
    int random = 0;
    for (const Op& op : built->graph.ops()) {
      random += op.kind == OpKind::kRngUniform ? 1 : 0;
    }
    return random;
  };
  EXPECT_EQ(count(false), 0);
  EXPECT_EQ(count(true), 1);
}

TEST(BatchNormalization, UsesBatchStatisticsInTrainingUnlessFrozen) {
  const auto uses = [](const char* config, bool training) {
    const auto built = BuildOne("BatchNormalization", config, "[null,8]", training);
    for (const Op& op : built->graph.ops()) {
      if (op.kind == OpKind::kBatchNormTraining) return true;
    }
    return false;
  };
  EXPECT_TRUE(uses("{}", true));
  EXPECT_FALSE(uses("{}", false));
  EXPECT_FALSE(uses(R"({"trainable":false})", true));
}

TEST(UnknownLayer, IsNotedAndCounted) {
  const auto built = BuildOne("CapsuleRouting", "{}", "[null,8,9]");
  ASSERT_TRUE(built.ok()) << built.status();
  EXPECT_EQ(built->opaque.at("CapsuleRouting"), 1);
  ASSERT_EQ(built->notes.size(), 1u);
  EXPECT_EQ(built->notes[0].rule, "RD001");
  EXPECT_EQ(built->notes[0].location.item, "layer");
  EXPECT_THAT(built->notes[0].message, HasSubstr("CapsuleRouting"));
}

TEST(UnknownLayer, OpenSizesAreNoted) {
  const auto built = BuildOne("LSTM", R"({"units":4})", "[null,null,8]");
  ASSERT_TRUE(built.ok()) << built.status();
  ASSERT_EQ(built->notes.size(), 1u);
  EXPECT_EQ(built->notes[0].rule, "RD002");
  EXPECT_THAT(built->notes[0].message, HasSubstr("128 for dimension 1"));
}

struct WrongCase {
  const char* class_name;
  const char* config;
  const char* input;
  const char* message;
};

void PrintTo(const WrongCase& c, std::ostream* out) { *out << c.class_name; }

class WrongLayer : public testing::TestWithParam<WrongCase> {};

TEST_P(WrongLayer, IsAnErrorThatNamesIt) {
  const WrongCase& c = GetParam();
  const auto built = BuildOne(c.class_name, c.config, c.input);
  ASSERT_FALSE(built.ok()) << c.config;
  EXPECT_THAT(Message(built.status()), HasSubstr(c.message));
  EXPECT_THAT(Message(built.status()), HasSubstr("layer"));
}

const WrongCase kWrong[] = {
    {"Conv2D", R"({"filters":"many","kernel_size":3})", "[null,9,9,3]",
     "filters is a string, expected a positive integer"},
    {"Conv2D", R"({"kernel_size":3})", "[null,9,9,3]", "filters is missing"},
    {"Conv2D", R"({"filters":1e12,"kernel_size":3})", "[null,9,9,3]", "filters is 1000000000000"},
    {"Conv2D", R"({"filters":2147483647,"kernel_size":2147483647})", "[null,9,9,3]", "expected"},
    {"Conv2D", R"({"filters":8,"kernel_size":[3,3,3]})", "[null,9,9,3]",
     "kernel_size is a list of 3, expected 2 positive integers"},
    {"Conv2D", R"({"filters":8,"kernel_size":3,"padding":"full"})", "[null,9,9,3]",
     "padding is \"full\""},
    {"Conv2D", R"({"filters":8,"kernel_size":30})", "[null,9,9,3]", "fit"},
    {"Conv2D", R"({"filters":8,"kernel_size":3})", "[null,9]", "expected 4 dimensions"},
    {"Conv2D", R"({"filters":8,"kernel_size":3,"activation":7})", "[null,9,9,3]",
     "activation is 7, expected a name"},
    {"Dense", R"({"units":0})", "[null,9]", "units is 0"},
    {"Dense", R"({"units":2.5})", "[null,9]", "units is 2.5"},
    {"Dense", R"({"units":[]})", "[null,9]", "units is a list of 0"},
    {"Dense", R"({"units":4})", "[null,0]", "input dimension 1 is 0"},
    {"Dense", R"({"units":4})", "\"wide\"", "input shape is a string"},
    {"Dense", R"({"units":4})", "[null,4000000000]", "4000000000"},
    {"Reshape", R"({"target_shape":[5,5]})", "[null,9]", "target_shape"},
    {"Reshape", R"({"target_shape":[-1,-1]})", "[null,9]", "target_shape"},
    {"Permute", R"({"dims":[1,1]})", "[null,9,9]", "layer"},
    {"Cropping1D", R"({"cropping":5})", "[null,9,3]", "takes 10 of 9"},
    {"ZeroPadding2D", R"({"padding":[[1],[2]]})", "[null,9,9,3]", "padding is a list of 2"},
    {"LSTM", R"({"units":4})", "[null,9]", "expected 3 dimensions"},
    {"LSTM", R"({"units":4})", "[null,9]",
     "the file does not say what shape this layer of class LSTM gives"},
    {"ConvLSTM2D", R"({"filters":4,"kernel_size":3})", "[null,9,9,3]", "expected 5 dimensions"},
    {"Discretization", "{}", "[null,9]", "num_bins is missing"},
    {"Bidirectional", R"({"layer":4})", "[null,9,9]", "layer is 4"},
    {"TimeDistributed", R"({})", "[null,9,9]", "layer is missing"},
    {"Flatten", R"({"data_format":"sideways"})", "[null,9,9]", "sideways"},
    {"UpSampling2D", R"({"size":2147483647})", "[null,99999,9999,3]", "layer"},
};
INSTANTIATE_TEST_SUITE_P(All, WrongLayer, testing::ValuesIn(kWrong));

class FailedLayer : public testing::TestWithParam<WrongCase> {};

// `message`: the result, and the cause in the note.
TEST_P(FailedLayer, IsOpaqueWhereItsShapeIsKnown) {
  const WrongCase& c = GetParam();
  const auto built = BuildOne(c.class_name, c.config, c.input);
  ASSERT_TRUE(built.ok()) << built.status();
  EXPECT_EQ(built->opaque.at(c.class_name), 1);
  const Graph& graph = built->graph;
  EXPECT_EQ(graph.op(graph.outputs()[0].value).kind, OpKind::kOpaque);
  ASSERT_EQ(built->notes.size(), 1U);
  EXPECT_EQ(built->notes[0].rule, "RD001");
  EXPECT_THAT(built->notes[0].message, HasSubstr(c.message));
}

const WrongCase kFailed[] = {
    {"Dense", R"({"units":4,"use_bias":"no"})", "[null,9]",
     "layer class Dense cannot be built for layer layer: use_bias is a string, expected true or "
     "false; its time and weights are missing from all results, and it is taken to give f32[N,4]"},
    {"Dense", R"({"units":4,"dtype":[]})", "[null,9]", "dtype is a list of 0"},
    {"BatchNormalization", R"({"axis":7})", "[null,9]", "axis is 7"},
    {"GroupNormalization", R"({"groups":5})", "[null,9,8]", "groups is 5"},
    {"Dropout", R"({"rate":2})", "[null,9]", "rate"},
};
INSTANTIATE_TEST_SUITE_P(All, FailedLayer, testing::ValuesIn(kFailed));

TEST(ConvLstm, HasAConvolutionOfInputAndStateForEachGateOnEachStep) {
  const auto built = BuildOne("ConvLSTM2D", R"({"filters":8,"kernel_size":3})", "[null,5,12,12,3]");
  ASSERT_TRUE(built.ok()) << built.status();
  int convolutions = 0;
  for (const Op& op : built->graph.ops()) {
    if (op.kind != OpKind::kConvolution) continue;
    ++convolutions;
    EXPECT_EQ(op.loop.trip_count, 5);
    EXPECT_EQ(FormatShape(op.shape), "f32[N,10,10,8]");
  }
  EXPECT_EQ(convolutions, 8);
}

TEST(LayerArguments, GivePositionalNamesInOrder) {
  EXPECT_EQ(PositionalArguments("Dense")[0], "units");
  EXPECT_EQ(PositionalArguments("Conv2D")[3], "padding");
  EXPECT_TRUE(PositionalArguments("Nonsense").empty());
  EXPECT_TRUE(IsKerasLayer("Add"));
  EXPECT_FALSE(IsKerasLayer("Convolution2D"));
  EXPECT_EQ(CanonicalLayerClass("Convolution2D"), "Conv2D");
  EXPECT_EQ(CanonicalLayerClass("MyLayer"), "MyLayer");
}

// Each makes two of what it holds: 2^40 recurrent layers.
TEST(KerasLayers, NestedBidirectionalLayersFillTheGraph) {
  json config = json::parse(R"({"units": 1, "return_sequences": true})");
  std::string name = "LSTM";
  for (int i = 0; i < 40; ++i) {
    config = {{"merge_mode", "sum"}, {"layer", {{"class_name", name}, {"config", config}}}};
    name = "Bidirectional";
  }
  EXPECT_THAT(ResultShape(BuildOne(name, config.dump(), "[null, 4, 1]")),
              HasSubstr("more than 200,000 ops"));
}

}  // namespace
}  // namespace tilewise
