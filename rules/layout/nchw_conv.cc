// Flags models that hold images with channels first where the device has to
// bring them into another order.

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "advice/saving.h"
#include "rules/layout/channels_first.h"
#include "rules/layout/move_cost.h"
#include "session/forward_values.h"

namespace tilewise::LY001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "LY001",
    .name = "nchw-conv",
    .fix = Applicability::kShow,
    .needs = {.model = true},
    .summary = "images with channels first are copied into another order",
    .doc = R"(
What: convolutions on [batch, channels, height, width] tensors, and flattens and
transposes of these that take at least 1 % of the step.
Why: the matrix unit wants channels and batch in the two tiled dims. The compiler
gives such tensors a layout with height and width outside, whatever the order of
their names, so the convolutions themselves cost the same. But a flatten, a
reshape or an input in the order of the names then needs every byte moved.
Remedy: data_format="channels_last"; kernels as height, width, in, out; and the
weights of a dense layer behind a flatten permuted in the same way.
Ignore: when the findings costs less than changing the checkpoint would.
Numbers: simulated time of the flattens and transposes of tensors of these
convolutions, of a compiled module also of its copies, forward and backward.
Silent where there are none, or where a flatten of channels last would cost as
much.
Sources: Cloud TPU performance guide, tensorflow/minigo#974.)",
    .thresholds = {{"min-share", 0.01, "share of the step that the copies take"}},
};

// A move that is there because of the order of the dims' names: a flatten, a
// transpose, or a copy that a compiler's dump has. What the lowering copies for
// other reasons it would copy with channels last too.
bool FollowsNames(const Program& program, const Op& root) {
  if (root.kind == OpKind::kBarrier) return program.compiled;
  if (root.kind == OpKind::kTranspose) return true;
  // Groups of channels and windows over them reshape in either order.
  return root.kind == OpKind::kReshape &&
         std::min(program.graph.operand(root, 0).shape.rank(), root.shape.rank()) <= 2;
}

MoveCost CopiesOf(const Facts& facts, const std::vector<bool>& image) {
  MoveCost copies;
  const Program& program = facts.model->program;
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const Op& root = program.graph.op(program.kernels[i].root);
    if (program.kernels[i].kind != KernelKind::kCopy || !FollowsNames(program, root)) continue;
    if (!image[root.id] && !image[root.operands[0]]) {
      continue;
    }
    copies.Add(MoveCostOfKernel(facts, i));
  }
  return copies;
}

// Merges channels and positions of an image into one dim.
bool Flattens(const Graph& graph, const Op& op, const std::vector<bool>& image) {
  return op.kind == OpKind::kReshape && op.shape.rank() == 2 && image[op.operands[0]] &&
         graph.operand(op, 0).shape.dims[0] == op.shape.dims[0];
}

// The same number of features, those of one position together: what flattening
// an image with channels last gives.
OpId FlattenChannelsLast(GraphBuilder& builder, const Op& op, std::span<const OpId> operands) {
  const OpId x = operands[0];
  std::vector<int64_t> order(builder.shape(x).dims.size());
  std::iota(order.begin(), order.end(), 0);
  std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  return builder.Reshape(builder.Transpose(x, std::move(order)), op.shape.dims);
}

Change ChannelsLast(const Facts& facts) {
  Change change;
  const std::vector<bool> image = ChannelsFirstImages(*facts.source);
  for (const Op& op : facts.source->ops()) {
    if (Flattens(*facts.source, op, image)) {
      change.replace[op.id] = FlattenChannelsLast;
    }
  }
  return change;
}

void Check(const Facts& facts, Sink& sink) {
  const Op* first = nullptr;
  int64_t count = 0;
  for (const Op& op : facts.source->ops()) {
    if (op.kind != OpKind::kConvolution || !op.as<ConvAttrs>().channels_first) continue;
    if (first == nullptr && op.location.known()) first = &op;
    ++count;
  }
  if (first == nullptr) return;
  const Program& program = facts.model->program;
  const MoveCost copies = CopiesOf(facts, ChannelsFirstImages(program.graph));
  if (copies.most_expensive == kNoOp) return;
  if (copies.time < facts.StepTime() * kLeastNamed) return;
  // Few features of many positions are flattened no cheaper with channels last.
  const Change change = ChannelsLast(facts);
  const std::optional<Saving> saving = change.empty() ? std::nullopt : SavingAlone(facts, change);
  const bool saves = !saving || saving->share_of_step > 0;
  const double least = sink.threshold("min-share");
  const Op& most_expensive = program.graph.op(copies.most_expensive);
  Finding& found = sink.ReportDim(
      first->id, 1,
      "{} {} channels first, and moving their images takes {} a step (simulated on {}), expected "
      "none: the most expensive brings {} to {}",
      count == 1 ? "a convolution" : fmt::format("{} convolutions", count),
      count == 1 ? "has" : "have", FormatSeconds(copies.time), facts.target.chip.name,
      LaidOut(program, most_expensive.operands[0]), LaidOut(program, most_expensive.id));
  found.cost = DeviceCost(facts, copies.time, copies.bytes);
  found.fix.text =
      "hold images with channels last (data_format=\"channels_last\"), kernels as height, width, "
      "in, out, and permute the weights behind a flatten";
  if (!saves) {
    found.too_small = kSavesNothing;
  } else if (copies.time < facts.StepTime() * least) {
    found.too_small = kLittleOfStep;
  }
  found.change = change;
  found.saving = saving;
}

}  // namespace

TW_RULE(LY001)

}  // namespace tilewise::LY001
