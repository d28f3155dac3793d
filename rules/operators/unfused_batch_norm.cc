// Flags batch normalisation written out of its parts.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "rules/operators/call_shapes.h"
#include "rules/operators/source_calls.h"
#include "rules/operators/written_norm.h"
#include "session/rewrite_graph.h"
#include "sim/lowering/layout.h"

namespace tilewise::OP003 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP003",
    .name = "unfused-batch-norm",
    .severity = Severity::kWarning,
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .summary = "batch normalisation is written out of moments and arithmetic",
    .no_saving = "which ops of the graph the call makes is not known",
    .doc = R"(
What: a mean, a variance about it and the division by its root over the batch,
as ops of the graph; or tf.nn.moments or tf.nn.batch_normalization in the
source, instead of the BatchNormalization layer or the fused op.
Why: the variance about the mean needs the finished mean, so the parts sweep the
activations once more than the fused op, which sums values and squares at once.
Remedy: tf.keras.layers.BatchNormalization, or
tf.compat.v1.nn.fused_batch_norm. Its epsilon and its variance estimate differ
slightly, so numbers change.
Ignore: normalisation of small vectors, and preprocessing.
Numbers: that sweep, in closed form: the padded activations once through HBM at
its nameplate bandwidth. Findings under 1 % of the step are dropped, and so is
tf.nn.batch_normalization on given statistics, which fuses like the fused op.
Without a model, or where it does not say the shape of a call's tensor, the cost
is not known.
Sources: Cloud TPU performance guide.)",
};

constexpr std::array<std::string_view, 2> kNormalises = {"nn.batch_normalization",
                                                         "nn.batch_norm_with_global_normalization"};

const SourceCall* NormalisesIn(const SourceFacts& source, const std::string& function,
                               const std::string& file) {
  for (const SourceCall& call : source.calls) {
    if (call.function != function || call.location.file != file) continue;
    for (const std::string_view name : kNormalises) {
      if (IsCallOf(call, name)) return &call;
    }
  }
  return nullptr;
}

bool HasRsqrt(const SourceFacts& source, const SourceCall& moments) {
  for (const SourceCall& call : source.calls) {
    if (call.function != moments.function) continue;
    if (call.location.file != moments.location.file) continue;
    if (IsCallOf(call, "math.rsqrt") || IsCallOf(call, "rsqrt")) return true;
  }
  return false;
}

constexpr std::string_view kAdvice =
    "use tf.keras.layers.BatchNormalization, or "
    "tf.compat.v1.nn.fused_batch_norm, and compare accuracy";

bool TakesMoments(const SourceFacts& source, const SourceCall& call) {
  return std::ranges::any_of(source.calls, [&](const SourceCall& other) {
    return !other.in_dataset_function && other.location.file == call.location.file &&
           IsCallOf(other, "nn.moments");
  });
}

// Reading x once more, for the variance about the finished mean. The backward
// passes of both forms sweep alike: the framework stops the gradient of the
// mean inside the variance.
Seconds TimeOfSweep(const Facts& facts, const Shape& x) {
  const Chip& chip = facts.target.chip;
  return PaddedBytes(x, DefaultLayout(x, chip), chip) / chip.hbm_bandwidth;
}

// Over all places where the model runs the call; none when they are not known.
std::optional<Seconds> CostOfCall(const Facts& facts, const SourceCall& call) {
  const bool sweeps = TakesMoments(facts.workload.facts, call);
  std::optional<Seconds> total;
  for (const Shape& x : OperandShapes(facts, call)) {
    total = total.value_or(Seconds{}) + (sweeps ? TimeOfSweep(facts, x) : Seconds{});
  }
  return total;
}

void ReportCall(const Facts& facts, const SourceCall& call, Sink& sink) {
  const std::optional<Seconds> cost = CostOfCall(facts, call);
  if (cost && !facts.WorthSaying(*cost, Bytes{})) return;
  Diagnostic& found =
      sink.Report(call.location,
                  fmt::format("{} normalises in separate ops, expected the fused batch "
                              "normalisation{}",
                              call.name, cost ? ", which sweeps the activations once less" : ""));
  if (cost) {
    SetDeviceCost(facts, *cost, found.cost);
  } else {
    found.cost.unknown = WhyNoShape(facts, "the tensor it normalises");
  }
  found.fix.text = kAdvice;
}

void CheckCalls(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  for (const SourceCall& call : source.calls) {
    if (call.in_dataset_function) continue;
    for (const std::string_view name : kNormalises) {
      if (IsCallOf(call, name)) ReportCall(facts, call, sink);
    }
    // Moments count alone only when the division is written out beside them.
    if (IsCallOf(call, "nn.moments") && HasRsqrt(source, call) &&
        NormalisesIn(source, call.function, call.location.file) == nullptr) {
      ReportCall(facts, call, sink);
    }
  }
}

// The sum of squared distances from the mean as the fused op gets it, in the
// sweep that sums x: sum of squares less square of the sum / count.
Replacement OneSweep(const WrittenNorm& norm) {
  return [norm](GraphBuilder& builder, const Op& op, std::span<const OpId> operands) {
    const OpId x = builder.Convert(StandsFor(builder, norm.x), op.shape.dtype);
    const OpId sum = builder.Convert(StandsFor(builder, norm.mean_sum), op.shape.dtype);
    const Shape& all = builder.shape(operands[0]);
    const double count =
        static_cast<double>(all.elements()) / static_cast<double>(op.shape.elements());
    const OpId squares = builder.Reduce(Reducer::kSum, builder.Binary(OpKind::kMultiply, x, x),
                                        op.as<ReduceAttrs>().dims);
    const OpId square = builder.Binary(OpKind::kMultiply, sum, sum);
    return builder.Binary(OpKind::kSubtract, squares,
                          builder.BinaryScalar(OpKind::kMultiply, square, 1 / count));
  };
}

void CheckGraph(const Facts& facts, Sink& sink) {
  for (const WrittenNorm& norm : FindWrittenNorms(*facts.source)) {
    const Shape& x = facts.source->op(norm.x).shape;
    const Seconds cost = TimeOfSweep(facts, x);
    if (!facts.WorthSaying(cost, Bytes{})) continue;
    Seconds statistics;
    for (const OpId op : norm.ops) statistics += facts.TimeOf(op);
    Finding& found = sink.Report(
        facts.source->op(norm.root).location,
        fmt::format("batch normalisation of {} is written out: its mean and "
                    "variance take {} of the step as {} ops, expected the "
                    "fused op, which sweeps the activations once less",
                    FormatShape(x), FormatPercent(statistics / facts.StepTime()), norm.ops.size()));
    SetDeviceCost(facts, cost, found.cost);
    found.change.replace[norm.variance_sum] = OneSweep(norm);
    found.fix.text = kAdvice;
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model != nullptr) {
    CheckGraph(facts, sink);
  }
  CheckCalls(facts, sink);
}

}  // namespace

TW_RULE(OP003)

}  // namespace tilewise::OP003
