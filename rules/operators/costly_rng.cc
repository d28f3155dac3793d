// Flags random numbers of expensive distributions in every step.

#include <algorithm>
#include <array>

#include "rules/operators/source.h"
#include "session/time_alone.h"

namespace tilewise::OP007 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP007",
    .name = "costly-rng",
    .set = RuleSet::kPreview,
    .changes_numerics = true,
    .needs = {.or_cpp = true},
    .summary = "categorical or normal random numbers are drawn in the step",
    .no_saving = "which ops of the graph the call makes is not known",
    .doc = R"(
What: categorical sampling (warning) or normal random numbers (info) in every
step: at least 1 % of the simulated step, or named in a function that runs in
the step.
Why: uniform and Bernoulli numbers come straight from the generator. A normal
one goes through an inverse error function; a categorical draw makes one Gumbel
number per class and searches for the largest.
Remedy: uniform or Bernoulli numbers where the model allows; draw once and
reuse; or draw on the host.
Numbers: of an op of the graph, its simulated kernels; of a call in the source,
the simulated time of the numbers by themselves, when the source or the model
has their shape.
Ignore: initial values of weights, which run once.
Sources: Cloud TPU performance guide and function notes.)",
};

constexpr double kMinShare = 0.01;

struct CostlyCall {
  std::string_view name;
  bool categorical;
};
constexpr std::array kCalls = {
    CostlyCall{"xla.RngNormal", false},
    CostlyCall{"random.categorical", true},
    CostlyCall{"random.stateless_categorical", true},
    CostlyCall{"random.multinomial", true},
    CostlyCall{"multinomial", true},
    CostlyCall{"random.normal", false},
    CostlyCall{"random_normal", false},
    CostlyCall{"random.stateless_normal", false},
    CostlyCall{"random.truncated_normal", false},
    CostlyCall{"truncated_normal", false},
    CostlyCall{"random.stateless_truncated_normal", false},
};

std::string_view Kind(bool categorical) {
  return categorical ? "categorical samples" : "normal random numbers";
}

// What stands in for the numbers: uniform ones, or indices from the host.
OpId CheapNumbers(GraphBuilder& builder, const Op& op, std::span<const OpId> /*operands*/) {
  if (op.kind == OpKind::kRngNormal) {
    return builder.Rng(OpKind::kRngUniform, op.shape);
  }
  return builder.Parameter(op.shape, "drawn");
}

std::string_view Advice(bool categorical) {
  return categorical
             ? "draw on the host, or once for several steps"
             : "use uniform or Bernoulli numbers where the model allows, or draw on the host";
}

std::optional<Seconds> TimeOfNumbers(const Facts& facts, const Shape& shape, bool categorical) {
  return TimeAlone(facts.target, [&](GraphBuilder& b) {
    return categorical ? b.RngCategorical(b.Parameter(shape, "logits"))
                       : b.Rng(OpKind::kRngNormal, shape);
  });
}

void CheckModel(const Facts& facts, Sink& sink) {
  for (const Op& op : facts.source->ops()) {
    const bool categorical = op.kind == OpKind::kRngCategorical;
    if (!categorical && op.kind != OpKind::kRngNormal) continue;
    // Drawn within another kernel, they take the time that they take alone.
    const Seconds alone = TimeOfNumbers(facts, op.shape, categorical).value_or(Seconds{});
    const Seconds time = std::max(facts.TimeOf(op.id), alone);
    const double share = time / facts.StepTime();
    if (share < kMinShare) continue;
    Finding& found = sink.Report(op.location, "{} of {} take {} of the step, expected under {}",
                                 Kind(categorical), FormatShape(op.shape), FormatPercent(share),
                                 FormatPercent(kMinShare));
    if (!categorical) found.severity = Severity::kInfo;
    found.cost = DeviceCost(facts, time);
    found.change.replace[op.id] = CheapNumbers;
    found.fix.text = Advice(categorical);
  }
}

// Returns the time over all locations where the model runs the call; none when
// one is not known.
std::optional<Seconds> TimeOfCall(const Facts& facts, const SourceCall& call, bool categorical) {
  if (facts.model == nullptr) return std::nullopt;
  std::optional<Seconds> total;
  for (const Shape& shape : categorical ? OperandShapes(facts, call) : AskedShapes(facts, call)) {
    const auto time = TimeOfNumbers(facts, shape, categorical);
    if (!time) return std::nullopt;
    total = total.value_or(Seconds{}) + *time;
  }
  return total;
}

void ReportCall(const Facts& facts, const SourceCall& call, bool categorical, Sink& sink) {
  const std::optional<Seconds> time = TimeOfCall(facts, call, categorical);
  if (time && !facts.WorthSaying(*time, Bytes{})) return;
  Diagnostic& found = sink.Report(
      call.location,
      "{} draws {} in {}, expected uniform or Bernoulli numbers in code that runs in every step",
      call.name, Kind(categorical), CallerOf(call));
  if (!categorical) found.severity = Severity::kInfo;
  found.cost = CostOfCall(facts, time, categorical ? "its logits" : "what it draws");
  found.fix.text = Advice(categorical);
}

void CheckCalls(const Facts& facts, Sink& sink) {
  for (const SourceCall& call : facts.workload.facts.calls) {
    const auto* costly = std::ranges::find_if(kCalls, [&](const CostlyCall& row) {
      return IsCallOf(call, row.name) || (row.name.starts_with("xla.") && call.name == row.name);
    });
    if (costly == kCalls.end() || !RunsInStep(facts, call) || IsFollowed(facts, call)) {
      continue;
    }
    ReportCall(facts, call, costly->categorical, sink);
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model != nullptr) {
    CheckModel(facts, sink);
  }
  CheckCalls(facts, sink);
}

}  // namespace

TW_RULE(OP007)

}  // namespace tilewise::OP007
