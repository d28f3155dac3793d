// Flags batch normalisation written out of its parts.

#include <algorithm>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "rules/operators/source.h"
#include "session/rewrite_graph.h"
#include "sim/lowering/layout.h"

namespace tilewise::OP003 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP003",
    .name = "unfused-batch-norm",
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
Ignore: normalisation of small vectors, preprocessing, and statistics that cores
share. Where the cost is not known the finding is info.
Numbers: that sweep, in closed form: the padded activations once through HBM at
its nameplate bandwidth. Findings under 1 % of the step are dropped, and so is
tf.nn.batch_normalization on given statistics, which fuses like the fused op.
Without a model, or where it does not say the shape of a call's tensor, the cost
is not known.
Sources: Cloud TPU performance guide.)",
};

// A mean, a variance about it and the division by its root, over the batch and
// all dims but one.
struct WrittenNorm {
  OpId x = kNoOp;
  OpId root = kNoOp;
  OpId mean_sum = kNoOp;      // over x
  OpId variance_sum = kNoOp;  // over the squared distances from the mean
  std::vector<OpId> ops;      // of the statistics and the root, ascending
};

constexpr size_t kMostNormOps = 32;  // of one normalisation; bounds the walk

bool IsRoot(const Op& op) { return op.kind == OpKind::kRsqrt || op.kind == OpKind::kSqrt; }

// Sums over the batch and all dims but one.
bool SumsPerFeature(const Graph& graph, const Op& op) {
  if (op.kind != OpKind::kReduce || op.as<ReduceAttrs>().reducer != Reducer::kSum) {
    return false;
  }
  const std::vector<int64_t>& dims = op.as<ReduceAttrs>().dims;
  const int64_t rank = graph.operand(op, 0).shape.rank();
  return rank >= 2 && static_cast<int64_t>(dims.size()) == rank - 1 &&
         std::ranges::find(dims, 0) != dims.end();
}

// Elementwise and broadcast ops between two values.
bool IsGlue(const Op& op) {
  return ClassOf(op.kind) == OpClass::kElementwise || op.kind == OpKind::kBroadcast ||
         op.kind == OpKind::kReshape || op.kind == OpKind::kConstant;
}

OpId WithoutConversion(const Graph& graph, OpId id) {
  while (graph.op(id).kind == OpKind::kConvert) id = graph.op(id).operands[0];
  return id;
}

// The sums per feature that `from` is made of through glue, and the ops on the
// way, ascending; at most kMostNormOps.
std::vector<OpId> DownFromSums(const Graph& graph, OpId from) {
  std::vector<OpId> ops = {from};
  for (size_t i = 0; i < ops.size() && ops.size() <= kMostNormOps; ++i) {
    if (SumsPerFeature(graph, graph.op(ops[i]))) continue;
    for (const OpId operand : graph.op(ops[i]).operands) {
      const Op& op = graph.op(operand);
      if (!IsGlue(op) && !SumsPerFeature(graph, op)) continue;
      if (std::ranges::find(ops, operand) == ops.end()) ops.push_back(operand);
    }
  }
  std::ranges::sort(ops);
  return ops;
}

// The only sum per feature among `ops`; none when there is another number.
const Op* OnlySum(const Graph& graph, const std::vector<OpId>& ops) {
  const Op* sum = nullptr;
  for (const OpId id : ops) {
    if (!SumsPerFeature(graph, graph.op(id))) continue;
    if (sum != nullptr) return nullptr;
    sum = &graph.op(id);
  }
  return sum;
}

// The difference that `square` is the square of; null otherwise.
const Op* SquaredDifference(const Graph& graph, OpId square) {
  const Op& op = graph.op(WithoutConversion(graph, square));
  const bool squares = op.kind == OpKind::kMultiply && op.operands[0] == op.operands[1];
  if (!squares) return nullptr;
  const Op& difference = graph.op(WithoutConversion(graph, op.operands[0]));
  return difference.kind == OpKind::kSubtract ? &difference : nullptr;
}

std::optional<WrittenNorm> NormOf(const Graph& graph, OpId root) {
  WrittenNorm norm;
  norm.root = root;
  norm.ops = DownFromSums(graph, root);
  const Op* variance = OnlySum(graph, norm.ops);
  if (variance == nullptr) return std::nullopt;
  const Op* distance = SquaredDifference(graph, variance->operands[0]);
  if (distance == nullptr) return std::nullopt;
  norm.x = WithoutConversion(graph, distance->operands[0]);
  const std::vector<OpId> centre = DownFromSums(graph, distance->operands[1]);
  const Op* mean = OnlySum(graph, centre);
  if (mean == nullptr || mean->as<ReduceAttrs>().dims != variance->as<ReduceAttrs>().dims ||
      WithoutConversion(graph, mean->operands[0]) != norm.x) {
    return std::nullopt;
  }
  norm.mean_sum = mean->id;
  norm.variance_sum = variance->id;
  norm.ops.insert(norm.ops.end(), centre.begin(), centre.end());
  norm.ops.push_back(distance->id);
  norm.ops.push_back(WithoutConversion(graph, variance->operands[0]));
  std::ranges::sort(norm.ops);
  norm.ops.erase(std::unique(norm.ops.begin(), norm.ops.end()), norm.ops.end());
  return norm;
}

// Returns the norms in the order of their roots. The variance as mean of squares less square of the
// mean is not one of them: it needs one sweep, as the fused op does. A normalisation within each
// example (layer, instance, group norm) is none either.
std::vector<WrittenNorm> FindWrittenNorms(const Graph& graph) {
  std::vector<WrittenNorm> norms;
  for (const Op& op : graph.ops()) {
    if (!IsRoot(op)) continue;
    if (auto norm = NormOf(graph, op.id)) norms.push_back(*std::move(norm));
  }
  return norms;
}

constexpr std::string_view kNormalises[] = {"nn.batch_normalization",
                                            "nn.batch_norm_with_global_normalization"};

bool NormalisesIn(const SourceFacts& source, const SourceCall& moments) {
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return call.function == moments.function && call.location.file == moments.location.file &&
           IsCallOfOne(call, kNormalises);
  });
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
    "use tf.keras.layers.BatchNormalization, or tf.compat.v1.nn.fused_batch_norm, and compare "
    "accuracy";

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

// Returns the cost over all locations where the model runs the call; none when they are not known.
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
  Diagnostic& found = sink.Report(
      call.location, "{} normalises in separate ops, expected the fused batch normalisation{}",
      call.name, cost ? ", which sweeps the activations once less" : "");
  found.cost = CostOfCall(facts, cost, "the tensor it normalises");
  // Statistics that several cores share are computed so, too.
  if (!cost) found.severity = Severity::kInfo;
  found.fix.text = kAdvice;
}

void CheckCalls(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  for (const SourceCall& call : source.calls) {
    if (call.in_dataset_function || IsFollowed(facts, call)) continue;
    if (IsCallOfOne(call, kNormalises)) ReportCall(facts, call, sink);
    // Moments count alone only when the division is written out with them.
    if (IsCallOf(call, "nn.moments") && HasRsqrt(source, call) && !NormalisesIn(source, call)) {
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
        "batch normalisation of {} is written out: its mean and variance take {} of the step as {} "
        "ops, expected the fused op, which sweeps the activations once less",
        FormatShape(x), FormatPercent(statistics / facts.StepTime()), norm.ops.size());
    found.cost = DeviceCost(facts, cost);
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
