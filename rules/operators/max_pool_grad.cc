// Flags max pooling in training when its gradient costs a visible share.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "edit/cpp.h"
#include "edit/layer.h"
#include "library/windows.h"
#include "rules/cpp/written_layers.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::OP001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP001",
    .name = "max-pool-grad",
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .needs = {.model = true, .training = true, .or_cpp = true},
    .summary = "the gradient of max pooling searches every window again",
    .doc = R"(
What: a max pooling layer whose gradient takes at least 1 % of the step. In C++ of
which no model was read: max pooling in a program that trains, or in modules of
which the source does not say that they only infer (information).
Why: the gradient is a select-and-scatter: it finds the maximum of each window
again and scatters one value into it, on the vector unit, with the forward
input read once more. Average pooling spreads the gradient without a search.
Remedy: AveragePooling2D, or stride 2 in the convolution before it. The model
changes, so compare accuracy.
Ignore: inference, and models whose accuracy depends on max pooling.
Sources: Cloud TPU performance guide and function notes.)",
};

constexpr double kMinShare = 0.01;

Seconds GradientTime(const Facts& facts, OpId op) {
  Seconds total;
  for (const KernelId i : facts.model->KernelsOf(op)) {
    const Kernel& kernel = facts.model->program.kernels[i];
    if (kernel.phase == Phase::kBackward) {
      total += facts.model->spans[i].duration;
    }
  }
  return total;
}

std::string WindowText(const Op& op) {
  std::string text;
  for (const WindowDim& dim : op.as<PoolAttrs>().window) {
    text += fmt::format("{}{}", text.empty() ? "" : " x ", dim.size);
  }
  return text;
}

// The mean of each window; what lies in its padding counts as zero.
OpId MeanOfWindows(GraphBuilder& builder, const Op& op, std::span<const OpId> operands) {
  return AveragePool(builder, operands[0], op.as<PoolAttrs>().window,
                     op.as<PoolAttrs>().channels_first,
                     /*count_padding=*/true);
}

constexpr std::string_view kPools =
    "torch.nn.MaxPool1d|torch.nn.MaxPool2d|torch.nn.MaxPool3d|torch.max_pool1d|torch.max_pool2d|"
    "torch.max_pool3d|torch.nn.functional.max_pool1d|torch.nn.functional.max_pool2d|"
    "torch.nn.functional.max_pool3d|tensorflow.nn.max_pool|xla.SelectAndScatter";

// `max_pool2d(x, MaxPool2dOptions(2))` with Avg in the place of Max. Dilated windows, and values
// that are given by their position behind the padding, have no counterpart.
std::vector<TextEdit> AverageInCpp(const Workload& workload, const SourceCall& call) {
  const std::string name(CppTextOf(workload, call.name_span));
  const std::string_view arguments = CppTextOf(workload, call.arguments_span);
  const bool function = name.starts_with("max_pool");
  if ((!function && !name.starts_with("MaxPool")) || Contains(arguments, "dilation")) return {};
  if (function && call.arguments.size() > 4) return {};
  std::vector<TextEdit> edits =
      ReplaceCpp(workload, call.name_span, (function ? "avg" : "Avg") + name.substr(3));
  const size_t options = arguments.find("MaxPool");
  if (options == std::string_view::npos) return edits;
  if (Contains(arguments.substr(options + 1), "MaxPool")) return {};
  Span word = call.arguments_span;
  word.begin += static_cast<int64_t>(options);
  word.end = word.begin + 3;
  edits.push_back({word, "Avg"});
  return edits;
}

// Whether the call is of an op that scatters, with windows that the source does not fix: of a
// library that builds what others ask for, where nothing can be chosen.
bool BuildsForOthers(const SourceCall& call) {
  constexpr size_t kWindow = 2;
  return call.name == "xla.SelectAndScatter" &&
         (call.arguments.size() <= kWindow || call.arguments[kWindow].sizes.empty());
}

// What they give has no gradient, whatever they are given.
constexpr std::string_view kWithoutGradient =
    "gt|ge|lt|le|eq|ne|greater|greater_equal|less|less_equal|equal|not_equal|detach|argmax|"
    "stop_gradient|StopGradient";

bool Takes(const SourceCall& call, const std::vector<std::string>& names) {
  return HaveCommon(call.receiver_names, names) ||
         std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
           return HaveCommon(argument.names, names);
         });
}

bool IsPartOf(const SourceFacts& facts, const SourceCall& call, const SourceCall& outer) {
  int32_t at = call.outer;
  while (at >= 0 && &facts.calls[at] != &outer) at = facts.calls[at].outer;
  return at >= 0;
}

// Whether all that reads the result only compares it: keep = pooled == heat.
bool IsOnlyCompared(const SourceFacts& facts, const SourceCall& pool) {
  const int32_t function = FunctionAround(facts, pool.context);
  std::vector<const SourceCall*> users, comparisons;
  for (const SourceCall& call : facts.calls) {
    if (&call == &pool || FunctionAround(facts, call.context) != function) continue;
    if (!Takes(call, pool.results)) continue;
    users.push_back(&call);
    if (IsOneOfWords(LastName(call.name), kWithoutGradient)) comparisons.push_back(&call);
  }
  const bool computes = std::ranges::any_of(facts.assignments, [&](const auto& assignment) {
    if (assignment.call >= 0 || !HaveCommon(assignment.names, pool.results)) return false;
    if (FunctionAround(facts, assignment.context) != function) return false;
    return std::ranges::none_of(comparisons, [&](const SourceCall* comparison) {
      return comparison->location.line == assignment.location.line;
    });
  });
  return !users.empty() && !computes && std::ranges::all_of(users, [&](const SourceCall* user) {
    return std::ranges::any_of(comparisons, [&](const SourceCall* comparison) {
      return comparison == user || IsPartOf(facts, *comparison, *user);
    });
  });
}

// Whether the function has turned gradients off before the call.
bool IsUnderGuard(const SourceFacts& facts, const SourceCall& pool) {
  return std::ranges::any_of(facts.calls, [&](const SourceCall& call) {
    const bool guards = call.name == "torch.NoGradGuard" || call.name == "torch.InferenceMode" ||
                        call.name == "torch.AutoGradMode";
    return guards && call.location < pool.location &&
           FunctionAround(facts, call.context) == FunctionAround(facts, pool.context) &&
           IsInside(facts, pool.context, call.context);
  });
}

// Whether nothing flows back through the pooling: max_pool2d(x) > 0.1 is a mask.
bool HasNoGradient(const SourceFacts& facts, const SourceCall& pool) {
  for (int32_t at = pool.outer; at >= 0; at = facts.calls[at].outer) {
    if (IsOneOfWords(LastName(facts.calls[at].name), kWithoutGradient)) return true;
  }
  return IsUnderGuard(facts, pool) || (!pool.results.empty() && IsOnlyCompared(facts, pool));
}

void CheckCalls(const Facts& facts, Sink& sink) {
  if (!MayTrain(facts)) return;
  Location last;
  for (const SourceCall& call : facts.workload.facts.calls) {
    if (!IsOneOfWords(call.name, kPools) || call.arguments.empty()) continue;
    if (BuildsForOthers(call) || HasNoGradient(facts.workload.facts, call)) continue;
    if (call.location.file == last.file && call.location.line == last.line) continue;
    last = call.location;
    Finding& found =
        sink.Report(call.location,
                    "the gradient of {} searches each window again, expected average pooling or a "
                    "stride in what trains",
                    LastName(call.name));
    found.severity = Severity::kInfo;
    found.cost.unknown = kNoStepInCpp;
    found.no_change = kNoStepInCpp;
    found.fix.edits = AverageInCpp(facts.workload, call);
    found.fix.text =
        "replace it by average pooling, or by stride 2 in the convolution before it, and compare "
        "accuracy";
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model == nullptr) return CheckCalls(facts, sink);
  for (const Op& op : facts.source->ops()) {
    if (op.kind != OpKind::kReduceWindow) continue;
    if (op.as<PoolAttrs>().reducer != Reducer::kMax) continue;
    const Seconds gradient = GradientTime(facts, op.id);
    const double share = gradient / facts.StepTime();
    if (share < kLeastNamed) continue;
    Finding& found = sink.Report(
        op.location,
        "the gradient of {} max pooling takes {} a step (simulated on {}), expected under {} of it",
        WindowText(op), FormatSeconds(gradient), facts.target.chip.name, FormatPercent(kMinShare));
    found.cost = DeviceCost(facts, gradient);
    if (share < kMinShare) {
      found.too_small = kLittleOfStep;
      continue;
    }
    found.change.replace[op.id] = MeanOfWindows;
    found.fix.edits = PoolByAverage(facts.workload, op.location);
    found.fix.text =
        "replace it by average pooling, or by stride 2 in the convolution before it, and compare "
        "accuracy";
  }
}

}  // namespace

TW_RULE(OP001)

}  // namespace tilewise::OP001
