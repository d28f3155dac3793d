// Flags dots and convolutions whose dims fill the matrix unit's array badly.

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advice/change_in_files.h"
#include "advice/nearest_width.h"
#include "base/math.h"
#include "rules/rule.h"
#include "session/matrix_use.h"

namespace tilewise::AL005 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "AL005",
    .name = "mxu-underfill",
    .changes_numerics = true,
    .needs = {.model = true},
    .summary = "a dot or convolution leaves most of the matrix unit empty",
    .no_saving = "a wider layer computes more, so its time is no measure",
    .doc = R"(
What: the dims of a dot or convolution, rounded up to the side of the matrix
unit (128, or 256 on the newest chips), leave less than 70 % of it working.
Why: the array multiplies whole tiles of side x side; rows and columns without
data cost the same time. A convolution contracts its input features tap by
tap, so 32 input features use 32 of 128 rows. The gradient of the weights
contracts examples x positions, so few of them are short in the same way.
Remedy: make the named dim a multiple of the side, or move the work to where
the dims are large: wider layers later, space-to-depth before a stem on three
channels, merged heads, two small matmuls batched into one, a larger batch.
Ignore: when the layer is bound by memory anyway; the cost shown then is small.
Name widths that the task or a checkpoint fixes in fixed-dims.
The rule is silent where the dims are full and the fill is low for another
reason: a batch per core below 8 (AL002), windows that reach into the padding of
images of a few pixels, matmuls of several passes.
Numbers: useful over padded FLOPs of the layer's forward and backward kernels;
the time is what full tiles would save where nothing else hides it.
Sources: scaling book (padding to the array), XLA issue pytorch/xla#1989.)",
};

constexpr int64_t kFold = 2;

// The input that `value` is, but for elementwise ops on it; null otherwise.
const Op* InputBehind(const Graph& graph, OpId value) {
  const Op* op = &graph.op(value);
  while (ClassOf(op->kind) == OpClass::kElementwise && !op->operands.empty()) {
    op = &graph.operand(*op, 0);
  }
  return op->kind == OpKind::kParameter ? op : nullptr;
}

bool CanFold(const Graph& graph, const Op& conv) {
  const auto& attrs = conv.as<ConvAttrs>();
  const Shape& x = graph.operand(conv, 0).shape;
  if (attrs.groups != 1 || attrs.window.size() != 2 || x.rank() != 4) {
    return false;
  }
  const int64_t spatial = attrs.channels_first ? 2 : 1;
  for (int64_t i = 0; i < 2; ++i) {
    const WindowDim& dim = attrs.window[i];
    if (dim.stride % kFold != 0 || dim.dilation != 1) return false;
    if (dim.base_dilation != 1 || x.size(spatial + i) % kFold != 0) {
      return false;
    }
  }
  return InputBehind(graph, conv.operands[0]) != nullptr;
}

OpId Folded(GraphBuilder& builder, const Op& conv, std::span<const OpId> operands) {
  const bool first = conv.as<ConvAttrs>().channels_first;
  const size_t spatial = first ? 2 : 1;
  const size_t feature = first ? 1 : 3;
  Shape x = builder.shape(operands[0]);
  const Shape kernel = builder.shape(operands[1]);
  std::vector<WindowDim> window = conv.as<ConvAttrs>().window;
  std::vector<int64_t> sizes;
  sizes.reserve(window.size() + 2);
  for (size_t i = 0; i < window.size(); ++i) {
    WindowDim& dim = window[i];
    int64_t& pixels = x.dims[spatial + i].factor;
    pixels /= kFold;
    dim.size = CeilDiv(dim.size + 1, kFold);
    dim.stride /= kFold;
    dim.pad_low = CeilDiv(dim.pad_low, kFold);
    // The padding keeps as many output positions as before.
    const int64_t positions = conv.shape.dims[spatial + i].factor;
    dim.pad_high = (positions - 1) * dim.stride + dim.size - pixels - dim.pad_low;
    sizes.push_back(dim.size);
  }
  x.dims[feature].factor *= kFold * kFold;
  sizes.push_back(x.dims[feature].factor);
  sizes.push_back(conv.shape.dims[feature].factor);
  const OpId weights = builder.Variable(Shape::Of(kernel.dtype, sizes), "kernel", true);
  return builder.Convolution(builder.Parameter(x, "folded"), weights, std::move(window), 1, first,
                             conv.as<ConvAttrs>().precision_passes);
}

// The host hands over 2 x 2 pixels as one with four times the channels, and
// `conv`, of an even stride, takes half the stride and about half the window.
// Empty when the convolution is not one that reads an input of the model in
// two spatial dims of even size and stride, elementwise ops between them aside.
Change FoldedStem(const Graph& graph, const Op& conv) {
  Change change;
  if (conv.kind == OpKind::kConvolution && CanFold(graph, conv)) {
    change.replace[conv.id] = Folded;
  }
  return change;
}

constexpr double kEnough = 0.7;
constexpr double kMinFlops = 0.05;  // of the step
constexpr double kMinShare = 0.01;  // of the step, avoidable
// Advising the full width is silly from this far away.
constexpr int64_t kFarFromFull = 4;

bool IsDepthwise(const Graph& graph, const Op& op) {
  return op.kind == OpKind::kConvolution && op.as<ConvAttrs>().groups > 1 &&
         graph.operand(op, 1).shape.size(graph.operand(op, 1).shape.rank() - 2) == 1;
}

// The dims that fill less than `enough` of their padded size.
std::string DimsBelow(const std::vector<MatrixDim>& dims, double enough) {
  std::string text;
  for (const MatrixDim& dim : dims) {
    if (dim.fill() >= enough) continue;
    text += fmt::format("{}{} {} occupy {} of {}", text.empty() ? "" : ", ", FormatCount(dim.size),
                        dim.name, FormatCount(dim.size), FormatCount(dim.padded));
  }
  return text;
}

std::string ShortDims(const std::vector<MatrixDim>& dims) {
  const std::string worst = DimsBelow(dims, kEnough);
  return worst.empty() ? DimsBelow(dims, 1) : worst;
}

// What the dims alone let the matrix unit do. The rest of a low fill has other
// causes: few examples (AL002), window taps that lie in the padding of a small
// image, matmuls of several passes.
double FillOfDims(const std::vector<MatrixDim>& dims) {
  double fill = 1;
  for (const MatrixDim& dim : dims) fill *= dim.fill();
  return fill;
}

// Few input features of an image: colours.
bool ReadsColours(const Op& op, const std::vector<MatrixDim>& dims) {
  const auto worst = std::ranges::min_element(dims, {}, &MatrixDim::fill);
  const bool image = op.kind == OpKind::kConvolution && op.shape.rank() == 4;
  return image && worst->size <= 4 && worst == dims.begin();
}

// Another size of the short dim; none where several dims make it up, or none is
// free.
std::optional<NewWidth> BetterWidth(const Facts& facts, const Op& op,
                                    const std::vector<MatrixDim>& dims) {
  const auto worst = std::ranges::min_element(dims, {}, &MatrixDim::fill);
  if (worst->value == kNoOp || ReadsColours(op, dims)) return std::nullopt;
  return FreeWidth(facts, worst->value, worst->dim, facts.target.chip.mxu_side);
}

// What the advice does to the model; nothing where several dims make up the
// short one.
Change ChangeOf(const Facts& facts, const Op& op, const std::vector<MatrixDim>& dims,
                const std::optional<NewWidth>& width) {
  if (ReadsColours(op, dims)) return FoldedStem(*facts.source, op);
  Change change;
  const auto worst = std::ranges::min_element(dims, {}, &MatrixDim::fill);
  if (worst->name.starts_with("rows")) {
    const int64_t examples = facts.batch_per_core * worst->padded;
    if (worst->size > 0 && examples % worst->size == 0 && !facts.batch_assumed) {
      change.batch_per_core = examples / worst->size;
    }
    return change;
  }
  // A wider layer computes more: its time is no measure of what is gained.
  if (width && width->size < worst->size) change.widths.push_back(*width);
  return change;
}

// Whether the user named the short dim as one that cannot change.
bool IsFixed(const Facts& facts, const std::vector<MatrixDim>& dims) {
  const auto worst = std::ranges::min_element(dims, {}, &MatrixDim::fill);
  return worst->value != kNoOp && IsHeld(facts, worst->value, worst->dim);
}

std::string Advice(const Facts& facts, const Op& op, const std::vector<MatrixDim>& dims) {
  const int64_t side = facts.target.chip.mxu_side;
  const auto worst = std::ranges::min_element(dims, {}, &MatrixDim::fill);
  if (ReadsColours(op, dims)) {
    return fmt::format(
        "fold 2 x 2 pixels into channels on the host (space-to-depth): {} input features become "
        "{}, with a quarter of the pixels",
        worst->size, 4 * worst->size);
  }
  if (worst->name.starts_with("rows")) {
    return fmt::format(
        "use a larger batch per core: up to {} {} take the matrix unit no longer than {}",
        FormatCount(worst->padded), worst->name, FormatCount(worst->size));
  }
  if (IsFixed(facts, dims)) {
    return fmt::format(
        "the {} are fixed: merge this layer with a neighbour, or batch two small matmuls into one",
        worst->name);
  }
  if (worst->size * kFarFromFull < worst->padded) {
    return fmt::format(
        "widen it or merge it with a neighbour: up to {} {} take the matrix unit no longer than {}",
        FormatCount(worst->padded), worst->name, FormatCount(worst->size));
  }
  const int64_t width = NearestWidth(worst->size, side).value_or(worst->padded);
  return fmt::format(
      "use {} {} instead of {} if the model allows, or merge this layer with a neighbour",
      FormatCount(width), worst->name, FormatCount(worst->size));
}

void CheckOp(const Facts& facts, const MatrixUse& step, const Op& op, Sink& sink) {
  const MatrixUse use = MatrixUseOf(facts, op.id);
  if (use.padded_flops <= 0 || use.fill() >= kEnough) return;
  const double flops =
      std::max(use.useful_flops / step.useful_flops, use.padded_flops / step.padded_flops);
  if (flops < kMinFlops) return;
  if (use.avoidable < facts.StepTime() * kLeastNamed) return;
  const std::vector<MatrixDim> dims =
      ArrayDims(*facts.source, op, facts.target.chip, facts.training);
  if (FillOfDims(dims) >= kEnough) return;
  Finding& found =
      sink.Report(op.location, "{} fills {} of the {} x {} matrix unit, expected {} or more: {}",
                  OpName(op.kind), FormatPercent(use.fill()), facts.target.chip.mxu_side,
                  facts.target.chip.mxu_side, FormatPercent(kEnough), ShortDims(dims));
  found.cost = DeviceCost(facts, use.avoidable);
  found.cost.flops = use.padded_flops - use.useful_flops;
  if (use.avoidable < facts.StepTime() * kMinShare) {
    found.too_small = kLittleOfStep;
    return;
  }
  if (IsFixed(facts, dims)) found.severity = Severity::kInfo;
  found.fix.text = Advice(facts, op, dims);
  const std::optional<NewWidth> width = BetterWidth(facts, op, dims);
  found.change = ChangeOf(facts, op, dims, width);
  // Another width is the author's choice: without a change that saves time this is for information.
  if (found.change.empty()) found.severity = Severity::kInfo;
  if (!width) return;
  Change wanted;
  wanted.widths.push_back(*width);
  const std::string written = WriteChange(facts, wanted, found);
  if (!written.empty()) found.fix.text = written + ": " + found.fix.text;
}

void Check(const Facts& facts, Sink& sink) {
  const MatrixUse step = MatrixUseOfStep(facts);
  if (step.useful_flops <= 0) return;
  for (const Op& op : facts.source->ops()) {
    if (ClassOf(op.kind) != OpClass::kMxu) continue;
    if (IsDepthwise(*facts.source, op)) continue;  // OP002 speaks
    CheckOp(facts, step, op, sink);
  }
}

}  // namespace

TW_RULE(AL005)

}  // namespace tilewise::AL005
