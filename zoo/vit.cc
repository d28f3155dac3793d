// Vision transformer (Dosovitskiy et al. 2020): patches as tokens, a class
// token, norms before each half. Default: ViT-B/16.

#include <fmt/format.h>

#include "zoo/convolution_block.h"
#include "zoo/models.h"
#include "zoo/transformer_block.h"

namespace tilewise {
namespace {

constexpr ZooParameter kVitParameters[] = {
    ImageSize("224"),
    {"patch", "16", "height and width of a patch, a divisor of the image"},
    {"layers", "12", "transformer layers", {}, 1, 1024},
    {"d_model", "768", "features of a token"},
    {"heads", "12", "attention heads, a divisor of d_model", {}, 1, 1 << 14},
    {"d_ff", "3072", "units of the feed-forward networks"},
    kClasses,
    {"dropout", "0", "percent of what each half adds", {}, 0, 99},
    AttentionKind("reference"),
    ComputeType(),
    kWeightType,
};

// [batch, patches, feature] with the class token in front.
OpId MakeTokens(Net& net, OpId image, int64_t patch, int64_t d_model) {
  net.Layer("patches");
  Conv conv = Square(d_model, patch, patch, 0);
  const OpId grid = net.AddBias(Convolve(net, image, conv));
  const Shape shape = net.shape(grid);
  const Dim feature = shape.dims[3];
  const OpId patches = net.builder.Reshape(
      grid, {BatchDim(), {shape.dims[1].factor * shape.dims[2].factor, false}, feature});
  net.Layer("tokens");
  const OpId token = net.builder.Broadcast(net.Weight("class_token", {1, d_model}),
                                           {BatchDim(), {1, false}, feature}, {1, 2});
  const OpId tokens = net.builder.Concatenate({token, patches}, 1);
  return AddPositions(net, tokens, "positions");
}

absl::StatusOr<Graph> BuildVit(const ZooSpec& spec) {
  TW_RETURN_IF_ERROR(CheckDivides("patch", spec.Integer("patch"), spec.Integer("image")));
  TW_ASSIGN_OR_RETURN(Transformer shape, TransformerShape(spec));
  shape.attending.dropout = 0;
  const int64_t d_model = shape.d_model;
  Net net(spec);
  OpId x = MakeTokens(net, ImageInput(net, spec), spec.Integer("patch"), d_model);
  for (int64_t i = 0; i < spec.Integer("layers"); ++i) {
    x = PreNormLayer(net, fmt::format("layer{}", i + 1), x, shape);
  }
  net.Layer("last_norm");
  x = Normalise(net, x, Norm::kLayer);
  x = net.builder.Reshape(net.builder.SliceDim(x, 1, 0, 1), {BatchDim(), {d_model, false}});
  return net.Finish({Classify(net, x, spec.Integer("classes"))});
}

}  // namespace

ZooModel VitModel() { return {"vit", "vision transformer", kVitParameters, BuildVit}; }

}  // namespace tilewise
