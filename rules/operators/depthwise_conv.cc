// Flags depthwise convolutions that take far more time than their FLOPs say.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advice/saving.h"
#include "rules/cpp/written_layers.h"
#include "rules/rule.h"
#include "session/matrix_use.h"
#include "session/rewrite_graph.h"
#include "workload/blocks.h"

namespace tilewise::OP002 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP002",
    .name = "depthwise-or-separable-conv",
    .changes_numerics = true,
    .needs = {.model = true, .or_cpp = true},
    .summary = "a depthwise convolution takes more time than its FLOPs",
    .no_saving = "no regular convolution that could stand in its place is faster",
    .doc = R"(
What: the depthwise convolutions of a model (also inside separable ones) that
learns take at least 30 % of the step's time together, or a single one 5 %, and
less than half of that in their share of the FLOPs. They are one finding at the
most expensive one, with the others named.
In C++ of which no model was read: convolutions that are written with groups of
fewer input channels than the matrix unit has rows (information).
Why: it has one input channel per group, so there is nothing to contract over:
the matrix unit works one row deep, or the work goes to the vector unit.
Remedy: in early stages use one regular 3x3 convolution in place of the 1x1
expansion and the depthwise one (a fused block); it has more FLOPs and less time.
Ignore: when the simulated share is small: compilers handle many cases well, so
this rule asks the simulator, not the layer's name.
Sources: Cloud TPU function notes, AlexeyAB/darknet#4914.)",
};

constexpr size_t kMostBetween = 48;  // between the two; bounds the walk

bool IsBetween(const Op& op) {
  switch (op.kind) {
    case OpKind::kBroadcast:
    case OpKind::kReshape:
    case OpKind::kBatchNormTraining:
    case OpKind::kBatchNormInference:
      return true;
    default:
      return ClassOf(op.kind) == OpClass::kElementwise || op.kind == OpKind::kConstant ||
             op.kind == OpKind::kVariable;
  }
}

// The only convolution that `value` is made of through ops that may stand
// between; null when there is another number of them, or other ops.
const Op* OnlyConvolutionBehind(const Graph& graph, OpId value) {
  std::vector<OpId> seen = {value};
  const Op* only = nullptr;
  for (size_t i = 0; i < seen.size(); ++i) {
    const Op& op = graph.op(seen[i]);
    if (op.kind == OpKind::kConvolution) {
      if (only != nullptr) return nullptr;
      only = &op;
      continue;
    }
    if (!IsBetween(op) || seen.size() > kMostBetween) return nullptr;
    for (const OpId operand : op.operands) {
      if (std::ranges::find(seen, operand) == seen.end()) {
        seen.push_back(operand);
      }
    }
  }
  return only;
}

bool IsPointwise(const Op& op) {
  return op.as<ConvAttrs>().groups == 1 &&
         std::ranges::all_of(op.as<ConvAttrs>().window,
                             [](const WindowDim& dim) { return dim.size == 1 && dim.stride == 1; });
}

// The 1x1 convolution that reads what `depthwise` made.
const Op* ProjectionOf(const Graph& graph, const Op& depthwise) {
  for (OpId id = depthwise.id + 1; id < graph.size(); ++id) {
    const Op& op = graph.op(id);
    if (op.kind != OpKind::kConvolution) continue;
    const Op* behind = OnlyConvolutionBehind(graph, op.operands[0]);
    if (behind != nullptr && behind->id == depthwise.id) {
      return IsPointwise(op) ? &op : nullptr;
    }
  }
  return nullptr;
}

DType StoredType(const Graph& graph, OpId weight) {
  while (graph.op(weight).kind == OpKind::kConvert) {
    weight = graph.op(weight).operands[0];
  }
  return graph.op(weight).shape.dtype;
}

// A convolution with the window of `depthwise` on what `input` became, that
// gives as many features as the op it replaces.
Replacement Regular(const Graph& graph, const Op& depthwise, OpId input) {
  const DType stored = StoredType(graph, depthwise.operands[1]);
  return [attrs = depthwise.as<ConvAttrs>(), input, stored](GraphBuilder& builder, const Op& op,
                                                            std::span<const OpId> /*operands*/) {
    const OpId x = StandsFor(builder, input);
    const Shape from = builder.shape(x);
    const size_t feature = attrs.channels_first ? 1 : op.shape.dims.size() - 1;
    std::vector<int64_t> sizes;
    sizes.reserve(attrs.window.size() + 2);
    for (const WindowDim& dim : attrs.window) sizes.push_back(dim.size);
    sizes.push_back(from.dims[feature].factor);
    sizes.push_back(op.shape.dims[feature].factor);
    const OpId kernel = builder.Variable(Shape::Of(stored, sizes), "kernel", true);
    return builder.Convolution(x, builder.Convert(kernel, from.dtype), attrs.window, 1,
                               attrs.channels_first, attrs.precision_passes);
  };
}

// Replaces the 1x1 expansion before the depthwise convolution `depthwise` and that one, or else
// that one and the 1x1 projection behind it, by a convolution of the same window on all input
// features. Only elementwise ops and normalisations may stand between the two; those between them
// go too. Empty when there is no such pair.
Change FusedBlock(const Graph& graph, const Op& depthwise) {
  Change change;
  const Op* expansion = OnlyConvolutionBehind(graph, depthwise.operands[0]);
  if (expansion != nullptr && IsPointwise(*expansion)) {
    change.replace[depthwise.id] = Regular(graph, depthwise, expansion->operands[0]);
    return change;
  }
  const Op* projection = ProjectionOf(graph, depthwise);
  if (projection != nullptr) {
    change.replace[projection->id] = Regular(graph, depthwise, depthwise.operands[0]);
  }
  return change;
}

constexpr double kMinShare = 0.05;
constexpr double kTimeOverFlops = 2;
// This share of the step, for all of a model's, is a reason to choose another model.
constexpr double kMinShareOfModel = 0.3;

// Depthwise convolutions that one finding is about.
struct Depthwise {
  std::vector<const Op*> ops;
  Seconds time;
  double share = 0;         // of the step's time
  double flops = 0;         // of the step's FLOPs
  double matrix_flops = 0;  // of those that the matrix unit does

  void Add(const Depthwise& other) {
    ops.insert(ops.end(), other.ops.begin(), other.ops.end());
    time += other.time;
    share += other.share;
    flops += other.flops;
    matrix_flops += other.matrix_flops;
  }
  bool IsSlow() const { return share >= kLeastNamed && share >= kTimeOverFlops * matrix_flops; }
};

bool IsDepthwise(const Graph& graph, const Op& op) {
  if (op.kind != OpKind::kConvolution || op.as<ConvAttrs>().groups <= 1) return false;
  const Shape& kernel = graph.operand(op, 1).shape;
  return kernel.size(kernel.rank() - 2) == 1;  // channels per group
}

// Regular convolutions in the place of those where that is faster by itself.
Change FusedBlocks(const Facts& facts, const Depthwise& of) {
  Change all;
  for (const Op* op : of.ops) {
    Change block = FusedBlock(*facts.source, *op);
    for (auto& [id, replacement] : block.replace) {
      all.replace.try_emplace(id, std::move(replacement));
    }
  }
  return all;
}

// Returns the FLOPs of the kernel's own arithmetic, on whichever unit it runs, in all of the step.
double FlopsOf(const Facts& facts, const Op& op) {
  const Shape& kernel = facts.source->operand(op, 1).shape;
  const int64_t features = std::max<int64_t>(1, kernel.size(kernel.rank() - 1));
  const double taps = static_cast<double>(kernel.elements()) / static_cast<double>(features);
  constexpr double kForwardAndTwoGradients = 3;
  return 2 * taps * static_cast<double>(op.shape.elements()) *
         (facts.training ? kForwardAndTwoGradients : 1);
}

std::string WhatText(const Depthwise& of) {
  const std::string channels = FormatCount(of.ops[0]->as<ConvAttrs>().groups);
  if (of.ops.size() == 1)
    return fmt::format("depthwise convolution of {} channels takes", channels);
  return fmt::format("{} depthwise convolutions together take", of.ops.size());
}

// The most expensive of them, with their parts of the step.
std::string LayersText(const Facts& facts, const Depthwise& of) {
  constexpr size_t kNamed = 4;
  if (of.ops.size() == 1) return "";
  std::string text;
  for (size_t i = 0; i < std::min(kNamed, of.ops.size()); ++i) {
    const Op& op = *of.ops[i];
    const std::string& item = op.location.item;
    text += fmt::format("{}{} {}", i == 0 ? ": " : ", ", item.empty() ? op.name : item,
                        FormatPercent(facts.ShareOf(op.id)));
  }
  if (of.ops.size() > kNamed) text += fmt::format(" and {} more", of.ops.size() - kNamed);
  return text;
}

// Regular convolutions in all locations, or in the most expensive half or quarter of them, where
// channels are few and images large: whichever saves most.
std::optional<Saving> BestBlocks(const Facts& facts, Depthwise of, Change& best) {
  std::optional<Saving> most;
  for (int tries = 0; tries < 3 && !of.ops.empty(); ++tries) {
    Change block = FusedBlocks(facts, of);
    const auto saving = block.empty() ? std::nullopt : SavingAlone(facts, block);
    if (saving && saving->time_per_step > (most ? most->time_per_step : Seconds{})) {
      most = saving;
      best = std::move(block);
    }
    of.ops.resize(of.ops.size() / 2);
  }
  return most;
}

// Whether any of them learns: the layers of a frozen model are not chosen anew.
bool Trains(const Facts& facts, const Depthwise& of) {
  if (!facts.training) return true;
  return std::ranges::any_of(of.ops, [&](const Op* op) {
    const Op* weight = &facts.source->operand(*op, 1);
    while (weight->kind == OpKind::kConvert) weight = &facts.source->operand(*weight, 0);
    return weight->kind != OpKind::kVariable || weight->as<VariableAttrs>().trainable;
  });
}

void Report(const Facts& facts, Depthwise of, Sink& sink) {
  std::ranges::stable_sort(of.ops, std::ranges::greater(),
                           [&](const Op* op) { return facts.TimeOf(op->id); });
  Change block;
  const bool is_small = of.share < kMinShare;
  const auto saving = is_small ? std::nullopt : BestBlocks(facts, of, block);
  // One that is cheaper than what would replace it is as it should be; many of them still take
  // the time that their FLOPs do not tell.
  if (!saving && of.ops.size() == 1 && !FusedBlocks(facts, of).empty()) return;
  const bool several = of.ops.size() > 1;
  if (several && !Trains(facts, of)) return;
  Finding& found = sink.Report(
      of.ops[0]->location,
      "{} {} of the device step for {} of its FLOPs, expected the shares to be alike{}",
      WhatText(of), FormatPercent(of.share), FormatPercent(of.flops), LayersText(facts, of));
  found.cost = DeviceCost(facts, of.time);
  if (is_small || (several && of.share < kMinShareOfModel)) {
    found.too_small = is_small ? kLittleOfStep : kOtherModel;
    return;
  }
  found.change = std::move(block);
  found.saving = saving;
  if (found.change.empty()) {
    found.fix.text =
        "choose a model whose early stages have regular convolutions, as no such convolution in "
        "the "
        "place of one of these is faster; a depthwise convolution does not use the matrix unit, so "
        "that fewer FLOPs are not less time";
    return;
  }
  found.fix.text =
      "use a regular convolution of the same window for the expansion and depthwise pair, at "
      "least in the early stages, where channels are few; fewer FLOPs are not less time here, as a "
      "depthwise convolution does not use the matrix unit";
}

// The position of feature_group_count among the arguments of XLA's functions.
struct GroupArgument {
  std::string_view function;
  size_t position;
};
constexpr GroupArgument kGroupArguments[] = {{"xla.Conv", 4},
                                             {"xla.ConvWithGeneralPadding", 4},
                                             {"xla.ConvWithGeneralDimensions", 5},
                                             {"xla.ConvGeneral", 5},
                                             {"xla.ConvGeneralDilated", 7}};

// "32 groups of 1 channel", "one group for each channel"; empty: it has one group, or how many is
// not known.
std::string GroupsOf(const SourceCall& call, int64_t rows) {
  if (call.name == "tensorflow.nn.depthwise_conv2d") return "one group for each channel";
  for (const GroupArgument& row : kGroupArguments) {
    if (call.name != row.function || call.arguments.size() <= row.position) continue;
    const SourceArgument& written = call.arguments[row.position];
    const int64_t groups = KnownNumber(&written, 0);
    if (groups > 0) return groups > 1 ? fmt::format("{} groups", groups) : "";
    // A number that is not known is told by its name alone.
    const std::string_view name = LastName(written.name);
    if (!Mentions(name, "channel") && !Mentions(name, "depth") && !Mentions(name, "features"))
      return "";
    return fmt::format("as many groups as {}, which by the name is one for each channel", name);
  }
  const SourceArgument* groups = ArgumentOf(call.arguments, "groups");
  if (groups == nullptr || call.arguments.size() < 2) return "";
  const int64_t number = KnownNumber(groups, 0);
  const int64_t channels = KnownNumber(&call.arguments[0], 0);
  // `Conv2dOptions(width, width, 3).groups(width)`, whatever the width is.
  if (!groups->name.empty() && groups->text == call.arguments[0].text) {
    return "one group for each channel";
  }
  if (number < 2 || channels == 0 || channels / number >= rows) return "";
  return fmt::format("{} groups of {} channel{}", number, channels / number,
                     channels / number == 1 ? "" : "s");
}

void CheckCalls(const Facts& facts, Sink& sink) {
  for (const SourceCall& call : facts.workload.facts.calls) {
    const std::string groups = GroupsOf(call, facts.target.chip.lanes);
    if (groups.empty() || !Mentions(call.name, "conv")) continue;
    Finding& found = sink.Report(
        call.location,
        "{} has {}, and contracts over the channels of a group alone, expected a full convolution "
        "where that is faster",
        LastName(call.name), groups);
    found.severity = Severity::kInfo;
    found.cost.unknown = kNoStepInCpp;
    found.no_change = kNoStepInCpp;
    found.fix.text =
        "in early stages use one regular convolution in the place of the 1x1 expansion and this "
        "one, and compare times";
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model == nullptr) return CheckCalls(facts, sink);
  const double matrix_flops = MatrixUseOfStep(facts).useful_flops;
  double all_flops = matrix_flops;
  for (const Op& op : facts.source->ops()) {
    if (!IsDepthwise(*facts.source, op)) continue;
    all_flops += FlopsOf(facts, op) - MatrixUseOf(facts, op.id).useful_flops;
  }
  Depthwise all;
  for (const Op& op : facts.source->ops()) {
    if (!IsDepthwise(*facts.source, op)) continue;
    Depthwise one;
    one.ops = {&op};
    one.time = facts.TimeOf(op.id);
    one.share = facts.ShareOf(op.id);
    one.flops = all_flops > 0 ? FlopsOf(facts, op) / all_flops : 0;
    if (matrix_flops > 0) {
      one.matrix_flops = MatrixUseOf(facts, op.id).useful_flops / matrix_flops;
    }
    all.Add(one);
  }
  if (all.IsSlow()) Report(facts, all, sink);
}

}  // namespace

TW_RULE(OP002)

}  // namespace tilewise::OP002
