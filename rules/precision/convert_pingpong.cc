// Flags 16-bit values that are widened, worked on and narrowed again with the
// wide form written to memory in between.

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "rules/rule.h"
#include "session/forward_values.h"

namespace tilewise::PR004 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "PR004",
    .name = "convert-pingpong",
    .fix = Applicability::kShow,
    .changes_numerics = true,
    .needs = {.model = true},
    .summary = "a 16-bit value goes through HBM in 32 bits and back",
    .doc = R"(
What: a convert from a 16-bit type to float32, elementwise ops or reductions, and
a convert back, where the 32-bit values in between are written to HBM; or a
widened copy of a 16-bit value that is written for several ops to read.
Why: a convert inside a fusion is free. Where the fusion ends before the value is
narrow again, a tensor of twice the size is written and read, in the forward pass
and often in the gradient.
Remedy: compute in the narrow type what does not need the digits; give reductions
an accumulation type (dtype=) instead of converting their operand; convert once,
where the value is used, instead of keeping a wide copy.
Ignore: the loss, the statistics of a normalisation and sums inside a dot, which
are float32 by design and are not reported.
Numbers: half of the padded bytes of the 32-bit values between the two converts
that kernels write and read, at the chip's bandwidth.
Sources: xprof static patterns.)",
    .thresholds = {{"min-share", 0.01, "share of the step that moving the wider half takes"}},
};

constexpr size_t kMaxOps = 64;     // between the two converts
constexpr int64_t kOneReader = 2;  // moves of a value: written, read

bool IsHalf(DType dtype) { return IsFloat(dtype) && BitWidth(dtype) == 16; }

bool Widens(const Graph& graph, const Op& op) {
  return op.kind == OpKind::kConvert && op.shape.dtype == DType::kF32 &&
         IsHalf(graph.operand(op, 0).shape.dtype) && op.shape.elements() > 1;
}

bool Narrows(const Op& op) { return op.kind == OpKind::kConvert && IsHalf(op.shape.dtype); }

bool MayBeNarrow(const Op& op) {
  const OpClass its_class = ClassOf(op.kind);
  return its_class == OpClass::kElementwise || its_class == OpClass::kData ||
         its_class == OpClass::kReduce;
}

bool LeavesGraph(const Graph& graph, OpId id) {
  return std::ranges::any_of(graph.outputs(),
                             [id](const Output& output) { return output.value == id; });
}

// The ops between `widening` and converts back, none of them when something
// else needs the wide value: then it is wide by design.
std::optional<std::vector<OpId>> Between(const Graph& graph, const Op& widening) {
  std::vector<OpId> ops = {widening.id};
  for (size_t i = 0; i < ops.size(); ++i) {
    if (LeavesGraph(graph, ops[i]) || graph.users(ops[i]).empty()) {
      return std::nullopt;
    }
    for (const OpId id : graph.users(ops[i])) {
      const Op& user = graph.op(id);
      if (Narrows(user) || std::ranges::find(ops, id) != ops.end()) continue;
      if (!MayBeNarrow(user) || ops.size() == kMaxOps) return std::nullopt;
      if (user.shape.dtype == DType::kPred) continue;
      if (user.shape.dtype != DType::kF32) return std::nullopt;
      ops.push_back(id);
    }
  }
  return ops;
}

// A loss, softmax or normalisation that is float32 by design.
bool FeedsComposite(const Graph& graph, const Op& widening) {
  return std::ranges::any_of(graph.users(widening.id), [&](OpId user) {
    return ClassOf(graph.op(user).kind) == OpClass::kComposite;
  });
}

struct Stored {
  Bytes moved;        // of wide values, per step
  int64_t moves = 0;  // of the largest
  OpId largest = kNoOp;
};

// Finds wide values that kernels write or read and that stand for `ops`.
Stored StoredWide(const Facts& facts, const std::vector<OpId>& ops, int64_t elements) {
  Stored stored;
  Bytes most;
  const Program& program = facts.model->program;
  std::vector<OpId> candidates;
  for (const Op& op : program.graph.ops()) {
    if (op.shape.dtype != DType::kF32 || op.shape.elements() < elements) {
      continue;
    }
    if (std::ranges::find(ops, op.origin) == ops.end()) continue;
    if (IsArgument(op)) continue;
    const Bytes bytes = StoredBytes(program, op.id, facts.target.chip);
    const int64_t moves = MovesOf(program, op.id);
    const Bytes moved = bytes * moves;
    stored.moved += moved;
    if (moved <= most) continue;
    most = moved;
    stored.moves = moves;
    stored.largest = op.id;
  }
  return stored;
}

OpId Narrowed(GraphBuilder& builder, OpId x, DType narrow) {
  return builder.shape(x).dtype == DType::kF32 ? builder.Convert(x, narrow) : x;
}

// The same op in the narrow type, with converts around it that meet those of
// its neighbours and go.
Replacement InType(DType narrow) {
  return [narrow](GraphBuilder& builder, const Op& op, std::span<const OpId> operands) {
    std::vector<OpId> narrowed;
    narrowed.reserve(operands.size());
    for (const OpId x : operands) {
      narrowed.push_back(Narrowed(builder, x, narrow));
    }
    Op same = op;
    same.shape.dtype = narrow;
    return builder.Convert(builder.Clone(same, std::move(narrowed)), DType::kF32);
  };
}

void Report(const Facts& facts, const Op& widening, const std::vector<OpId>& ops,
            const Stored& stored, Sink& sink) {
  const Graph& graph = *facts.source;
  const Op& narrow = graph.operand(widening, 0);
  const Bytes wasted = {stored.moved.value / 2};
  const Seconds time = wasted / facts.target.chip.hbm_bandwidth;
  const bool alone = ops.size() == 1;
  Finding& found = sink.ReportOp(
      widening.id,
      "{} is widened to f32 and {}{} is written to HBM ({} a step, simulated on {}), expected {}",
      FormatShape(narrow.shape),
      alone ? "the wide copy, " : "narrowed again behind further ops, and ",
      FormatShape(facts.model->program.graph.op(stored.largest).shape), FormatBytes(stored.moved),
      facts.target.chip.name,
      alone ? "a convert where the value is used"
            : fmt::format("{} values in between", DTypeName(narrow.shape.dtype)));
  found.cost = DeviceCost(facts, time, wasted);
  found.fix.text = alone ? "convert where the value is used, or use it as it is"
                         : fmt::format(
                               "compute the {} ops between the converts in {}, with float32 only "
                               "inside reductions (dtype=)",
                               ops.size() - 1, DTypeName(narrow.shape.dtype));
  for (const OpId id : ops) {
    if (id == widening.id) continue;
    found.change.replace[id] = InType(narrow.shape.dtype);
  }
}

void Check(const Facts& facts, Sink& sink) {
  const Graph& graph = *facts.source;
  std::vector<bool> said(graph.size(), false);
  for (const Op& op : graph.ops()) {
    if (!Widens(graph, op) || !op.location.known()) continue;
    if (said[op.id]) continue;
    const std::optional<std::vector<OpId>> between = Between(graph, op);
    const bool by_design = LeavesGraph(graph, op.id) || FeedsComposite(graph, op);
    if (!between && by_design) continue;
    const std::vector<OpId> ops = between.value_or(std::vector<OpId>{op.id});
    const Stored stored = StoredWide(facts, ops, op.shape.elements());
    if (stored.largest == kNoOp) continue;
    // A copy written for one reader is that reader's convert.
    if (!between && stored.moves <= kOneReader) continue;
    const Seconds time = Bytes{stored.moved.value / 2} / facts.target.chip.hbm_bandwidth;
    if (time < facts.StepTime() * sink.threshold("min-share")) continue;
    for (const OpId id : ops) said[id] = true;
    Report(facts, op, ops, stored, sink);
  }
}

}  // namespace

TW_RULE(PR004)

}  // namespace tilewise::PR004
