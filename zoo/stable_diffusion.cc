// The U-Net of Stable Diffusion 2 (Rombach et al. 2022): residual blocks that
// are told the time of the noise, transformers that attend to the text.
// Latents, the text's states and the time's features are inputs, so that
// neither the image encoder nor the text encoder runs. Default: v2-base, 866 M
// parameters, trained on the mean squared error.

#include <vector>

#include <fmt/format.h>

#include "zoo/convolution_block.h"
#include "zoo/models.h"
#include "zoo/transformer_block.h"

namespace tilewise {
namespace {

constexpr ZooParameter kStableDiffusionParameters[] = {
    {"latent", "64", "height and width of the latents, a multiple of 8", {}, 8, 1 << 12},
    {"channels", "4", "features of the latents"},
    {"filters",
     "320",
     "of the first level; the others have 2, 4 and 4 times as many",
     {},
     32,
     4096},
    {"head_dim", "64", "features of a head", {}, 1, 1024},
    {"text", "77", "tokens of the text", {}, 1, 1 << 14},
    {"text_features", "1024", "features of a token of the text"},
    {"groups", "32", "of group norms, a divisor of the filters", {}, 1, 1024},
    AttentionKind("flash"),
    ComputeType(),
    kWeightType,
};

constexpr int64_t kLevels = 4;
constexpr int64_t kBlocks = 2;  // of a level on the way down; one more up
constexpr int64_t kMultiples[kLevels] = {1, 2, 4, 4};

// What all blocks share.
struct Unet {
  Net& net;
  OpId time = kNoOp;  // activated
  OpId text = kNoOp;
  int64_t groups = 32, head_dim = 64;
  bool flash = true;
};

OpId Silu(Net& net, OpId x) { return ActivateNamed(net, "silu", x); }

OpId NormSilu(const Unet& unet, const std::string& layer, OpId x) {
  unet.net.Layer(layer);
  return Silu(unet.net, GroupNorm(unet.net, x, unet.groups));
}

OpId Conv3(Net& net, const std::string& layer, OpId x, int64_t filters, int64_t stride = 1) {
  net.Layer(layer);
  return net.AddBias(Convolve(net, x, Square(filters, 3, stride)));
}

OpId ResidualBlock(const Unet& unet, const std::string& at, OpId x, int64_t filters) {
  Net& net = unet.net;
  OpId y = Conv3(net, at + "/conv1", NormSilu(unet, at + "/norm1", x), filters);
  net.Layer(at + "/time");
  const OpId time = net.Dense(unet.time, filters, true);
  y = net.Add(y, net.builder.Broadcast(time, net.shape(y).dims, {0, 3}));
  y = Conv3(net, at + "/conv2", NormSilu(unet, at + "/norm2", y), filters);
  if (net.last_dim(x) != filters) {
    net.Layer(at + "/shortcut");
    x = net.AddBias(Convolve(net, x, Square(filters, 1)));
  }
  net.Layer(at + "/add");
  return net.Add(x, y);
}

// (x W1) * gelu(x W2), then back.
OpId GatedNetwork(Net& net, const std::string& at, OpId x) {
  const int64_t features = net.last_dim(x);
  net.Layer(at + "/gate");
  const OpId gate = ActivateNamed(net, "gelu", net.Dense(x, 4 * features, true));
  net.Layer(at + "/up");
  const OpId y = net.builder.Binary(OpKind::kMultiply, net.Dense(x, 4 * features, true), gate);
  net.Layer(at + "/down");
  return net.Dense(y, features, true);
}

// Self-attention over the positions of the map, attention to the text, and a
// feed-forward network.
OpId TransformerBlock(const Unet& unet, const std::string& at, OpId map) {
  Net& net = unet.net;
  const Shape shape = net.shape(map);
  const int64_t features = net.last_dim(map);
  const Transformer layer = {.d_model = features,
                             .heads = features / unet.head_dim,
                             .kv_heads = features / unet.head_dim,
                             .head_dim = unet.head_dim,
                             .bias = false,
                             .attending = {.flash = unet.flash}};
  net.Layer(at + "/in");
  const std::vector<Dim> tokens = {
      BatchDim(), {shape.dims[1].factor * shape.dims[2].factor, false}, shape.dims[3]};
  OpId x = net.builder.Reshape(GroupNorm(net, map, unet.groups), tokens);
  x = net.Dense(x, features, true);
  x = AddNormed(net, at + "/norm1", x, layer,
                [&](OpId y) { return SelfAttention(net, at + "/self", y, layer); });
  x = AddNormed(net, at + "/norm2", x, layer,
                [&](OpId y) { return CrossAttention(net, at + "/text", y, unet.text, layer); });
  x = AddNormed(net, at + "/norm3", x, layer, [&](OpId y) { return GatedNetwork(net, at, y); });
  net.Layer(at + "/out");
  x = net.builder.Reshape(net.Dense(x, features, true), shape.dims);
  return net.Add(map, x);
}

// Each pixel four times.
OpId Enlarge(Net& net, OpId x) {
  const Shape shape = net.shape(x);
  const Dim two = {2, false};
  const OpId spread = net.builder.Broadcast(
      x, {shape.dims[0], shape.dims[1], two, shape.dims[2], two, shape.dims[3]}, {0, 1, 3, 5});
  std::vector<Dim> dims = shape.dims;
  dims[1].factor *= 2;
  dims[2].factor *= 2;
  return net.builder.Reshape(spread, dims);
}

OpId Down(const Unet& unet, OpId x, int64_t filters, std::vector<OpId>& skips) {
  for (int64_t level = 0; level < kLevels; ++level) {
    const std::string name = fmt::format("down{}", level + 1);
    for (int64_t i = 0; i < kBlocks; ++i) {
      const std::string at = fmt::format("{}/block{}", name, i + 1);
      x = ResidualBlock(unet, at, x, filters * kMultiples[level]);
      if (level + 1 < kLevels) x = TransformerBlock(unet, at + "/attention", x);
      skips.push_back(x);
    }
    if (level + 1 == kLevels) break;
    x = Conv3(unet.net, name + "/halve", x, unet.net.last_dim(x), 2);
    skips.push_back(x);
  }
  return x;
}

OpId Up(const Unet& unet, OpId x, int64_t filters, std::vector<OpId>& skips) {
  Net& net = unet.net;
  for (int64_t level = kLevels - 1; level >= 0; --level) {
    const std::string name = fmt::format("up{}", level + 1);
    for (int64_t i = 0; i <= kBlocks; ++i) {
      const std::string at = fmt::format("{}/block{}", name, i + 1);
      x = net.builder.Concatenate({x, skips.back()}, 3);
      skips.pop_back();
      x = ResidualBlock(unet, at, x, filters * kMultiples[level]);
      if (level + 1 < kLevels) x = TransformerBlock(unet, at + "/attention", x);
    }
    if (level == 0) break;
    net.Layer(name + "/double");
    x = Conv3(net, name + "/double", Enlarge(net, x), net.last_dim(x));
  }
  return x;
}

absl::StatusOr<Graph> BuildStableDiffusion(const ZooSpec& spec) {
  const int64_t filters = spec.Integer("filters");
  const int64_t latent = spec.Integer("latent");
  const int64_t channels = spec.Integer("channels");
  TW_RETURN_IF_ERROR(CheckDivides("groups", spec.Integer("groups"), filters));
  TW_RETURN_IF_ERROR(CheckDivides("head_dim", spec.Integer("head_dim"), filters));
  if (latent % 8 != 0) {
    return InvalidInput(
        fmt::format("parameter 'latent': found {}, expected a multiple of 8", latent));
  }
  Net net(spec);
  const OpId image = net.Input("latents", {latent, latent, channels});
  const OpId text = net.Input("text", {spec.Integer("text"), spec.Integer("text_features")});
  const OpId time = net.Input("time", {filters});
  net.Layer("time");
  const OpId first = Silu(net, net.Dense(time, 4 * filters, true, "kernel1"));
  const OpId second = Silu(net, net.Dense(first, 4 * filters, true, "kernel2"));
  const Unet unet = {.net = net,
                     .time = second,
                     .text = text,
                     .groups = spec.Integer("groups"),
                     .head_dim = spec.Integer("head_dim"),
                     .flash = spec.Word("kind") == "flash"};
  OpId x = Conv3(net, "in", image, filters);
  std::vector<OpId> skips = {x};
  x = Down(unet, x, filters, skips);
  const int64_t widest = filters * kMultiples[kLevels - 1];
  x = ResidualBlock(unet, "middle/block1", x, widest);
  x = TransformerBlock(unet, "middle/attention", x);
  x = ResidualBlock(unet, "middle/block2", x, widest);
  x = Up(unet, x, filters, skips);
  x = Conv3(net, "out", NormSilu(unet, "out_norm", x), channels);
  return net.Finish({net.builder.Convert(x, DType::kF32)});
}

}  // namespace

ZooModel StableDiffusionModel() {
  return {.name = "stable_diffusion",
          .summary = "noise of latent images, told a text",
          .parameters = kStableDiffusionParameters,
          .build = BuildStableDiffusion,
          .loss = LossKind::kMeanSquaredError};
}

}  // namespace tilewise
