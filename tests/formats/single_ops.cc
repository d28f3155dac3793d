// One op each, on tensors that are large enough for its work to show.

#include <fmt/format.h>

#include "tests/formats/cases.h"
#include "tests/formats/functions.h"

namespace tilewise::formats {
namespace {

struct Line {
  const char* name;
  const char* text;
  const char* zoo = "";
};

constexpr Line kLines[] = {
    // Reductions.
    {"reduce_sum", "x = input 256,1024; y = reduce_sum x axis=2"},
    {"reduce_sum_keep", "x = input 256,1024; y = reduce_sum x axis=2 keep=1"},
    {"reduce_sum_middle", "x = input 256,1024; y = reduce_sum x axis=1"},
    {"reduce_mean", "x = input 256,1024; y = reduce_mean x axis=2"},
    {"reduce_max", "x = input 256,1024; y = reduce_max x axis=2"},
    {"reduce_min", "x = input 256,1024; y = reduce_min x axis=2"},
    {"reduce_prod", "x = input 256,1024; y = reduce_prod x axis=2"},
    {"reduce_logsumexp", "x = input 256,1024; y = reduce_logsumexp x axis=2"},
    {"argmax", "x = input 256,1024; y = argmax x axis=2"},
    {"argmin", "x = input 256,1024; y = argmin x axis=2"},
    {"cumsum", "x = input 256,1024; y = cumsum x axis=1"},
    {"softmax", "x = input 256,1024; y = softmax x axis=2"},
    {"log_softmax", "x = input 256,1024; y = log_softmax x axis=2"},

    // Normalisations.
    {"batch_norm", "x = input 56,56,64; y = batch_norm x"},
    {"batch_norm_vectors", "x = input 1024; y = batch_norm x"},
    {"layer_norm", "x = input 256,1024; y = layer_norm x"},
    {"group_norm", "x = input 56,56,64; y = group_norm x groups=8"},

    // Products.
    {"dense", "x = input 1024; y = dense x units=512"},
    {"dense_without_bias", "x = input 1024; y = dense x units=512 bias=0"},
    {"dense_of_sequences", "x = input 128,512; y = dense x units=256"},
    {"matmul", "x = input 256,512; y = input 512,128; z = matmul x y"},
    {"matmul_of_heads", "x = input 4,128,64; y = input 4,64,128; z = matmul x y"},
    {"matmul_transposed", "x = input 256,64; y = input 256,64; z = matmul x y transpose=1"},
    {"attention", "x = input 128,256; y = attention x heads=4 depth=64"},

    // Convolutions and pools.
    {"conv1d", "x = input 256,64; y = conv x filters=128 kernel=5"},
    {"conv2d", "x = input 56,56,64; y = conv x filters=128 kernel=3"},
    {"conv2d_same",
     "x = input 56,56,64; y = conv x filters=64 kernel=3 "
     "padding=same"},
    {"conv2d_strided",
     "x = input 56,56,64; y = conv x filters=64 kernel=3 "
     "strides=2 padding=same"},
    {"conv2d_dilated", "x = input 56,56,64; y = conv x filters=64 kernel=3 dilation=2"},
    {"conv2d_grouped", "x = input 56,56,64; y = conv x filters=64 kernel=3 groups=4"},
    {"conv2d_pointwise", "x = input 56,56,64; y = conv x filters=256 kernel=1"},
    {"conv3d", "x = input 8,28,28,16; y = conv x filters=32 kernel=3"},
    {"depthwise", "x = input 56,56,128; y = depthwise x kernel=3 padding=same"},
    {"depthwise_twofold", "x = input 56,56,64; y = depthwise x kernel=3 multiplier=2"},
    {"conv_transpose",
     "x = input 28,28,64; y = conv_transpose x filters=32 kernel=4 strides=2 "
     "padding=same"},
    {"conv_transpose_valid",
     "x = input 28,28,64; y = conv_transpose x filters=32 kernel=2 strides=2"},
    {"max_pool", "x = input 56,56,64; y = max_pool x size=2"},
    {"max_pool_same", "x = input 57,57,64; y = max_pool x size=3 strides=2 padding=same"},
    {"max_pool1d", "x = input 256,128; y = max_pool x size=2"},
    {"max_pool3d", "x = input 8,28,28,32; y = max_pool x size=2"},
    {"avg_pool", "x = input 56,56,64; y = avg_pool x size=2"},
    {"avg_pool_same", "x = input 57,57,64; y = avg_pool x size=3 strides=2 padding=same"},
    {"global_avg", "x = input 28,28,256; y = global_avg x"},
    {"global_max", "x = input 28,28,256; y = global_max x"},
    {"global_avg1d", "x = input 256,256; y = global_avg x"},

    // Elements moved.
    {"concat", "x = input 128,512; y = input 128,256; z = concat x y"},
    {"concat_middle", "x = input 128,512; y = input 64,512; z = concat x y axis=1"},
    {"slice", "x = input 256,1024; y = slice x starts=64,128 sizes=128,512"},
    {"reshape", "x = input 256,1024; y = reshape x to=1024,256"},
    {"flatten", "x = input 28,28,64; y = flatten x"},
    {"transpose", "x = input 256,1024; y = transpose x perm=0,2,1"},
    {"transpose_heads", "x = input 128,8,64; y = transpose x perm=0,2,1,3"},
    {"tile", "x = input 64,256; y = tile x times=1,4,1"},
    {"zero_pad", "x = input 56,56,64; y = zero_pad x size=2"},
    {"zero_pad1d", "x = input 256,256; y = zero_pad x size=4"},
    {"crop", "x = input 56,56,64; y = crop x size=4"},
    {"upsample", "x = input 28,28,64; y = upsample x size=2"},
    {"resize_bilinear", "x = input 28,28,64; y = resize x size=2"},

    // Indices, order, types.
    {"embedding", "x = input 128 type=s32; y = embedding x rows=10000 width=256"},
    {"one_hot", "x = input 128 type=s32; y = one_hot x depth=1000"},
    {"top_k", "x = input 1024; y = top_k x k=8"},
    {"sort", "x = input 1024; y = sort x"},
    {"cast_to_integers", "x = input 256,1024; y = cast x to=s32"},
    {"cast_to_floats", "x = input 256,1024 type=s32; y = cast x to=f32"},

    // Recurrent layers.
    {"lstm", "x = input 64,128; y = lstm x units=256"},
    {"lstm_sequences", "x = input 64,128; y = lstm x units=256 sequences=1"},
    {"gru", "x = input 64,128; y = gru x units=256"},
    {"simple_rnn", "x = input 64,128; y = simple_rnn x units=256"},
};

std::string FunctionText(const Function& function) {
  if (function.name == "select") {
    return "p = input 256,1024 type=pred; x = input 256,1024; y = input "
           "256,1024; z = select p x y";
  }
  if (function.operands == 1) {
    return fmt::format("x = input 256,1024; y = {} x", function.name);
  }
  return fmt::format("x = input 256,1024; y = input 256,1024; z = {} x y", function.name);
}

}  // namespace

std::vector<Case> SingleOps() {
  std::vector<Case> cases;
  for (const Function& function : Functions()) {
    cases.push_back({std::string(function.name), FunctionText(function)});
  }
  for (const Line& line : kLines) {
    cases.push_back({line.name, line.text, line.zoo});
  }
  return cases;
}

std::string Trained(const Case& op) {
  const Model model = ParseModel(op.name, op.text);
  if (model.output().type != "f32") return "";
  std::string text;
  for (const Layer& layer : model.layers) {
    if (layer.op != "input" || layer.result.name != "x") continue;
    if (layer.result.type != "f32") return "";
    const Dims example(layer.result.dims.begin() + 1, layer.result.dims.end());
    text = op.text;
    const std::string input = "x = input " + Joined(example);
    text.replace(text.find(input), input.size(),
                 fmt::format("x0 = input {}; x = dense x0 units={}", Joined(example),
                             layer.result.features()));
  }
  return text;
}

}  // namespace tilewise::formats
