// Flags vocabularies that are no multiple of the lanes.

#include <map>

#include <fmt/format.h>

#include "advice/change_in_files.h"
#include "advice/nearest_width.h"
#include "base/math.h"
#include "rules/rule.h"
#include "session/forward_values.h"
#include "session/matrix_use.h"

namespace tilewise::AL006 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "AL006",
    .name = "ragged-vocab-head",
    .set = RuleSet::kPreview,
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .needs = {.model = true},
    .summary = "a vocabulary or class count is no multiple of the lanes",
    .no_saving =
        "the vocabulary is whole on every core, and the step has no term for the masks of cut "
        "tiles",
    .doc = R"(
What: an embedding with at least 1,000 rows, or a last dense layer with at least
1,000 outputs, whose number is no multiple of 128, where the ops on it take at
least 1 % of the step. Info when the padding alone costs less than 1 %.
Why: logits are the largest tensor of a language model and their minor dim is the
vocabulary: every row ends in a cut tile that has to be masked in the softmax,
its sum and its gradient. A number such as 8,201 also cannot be divided among
the cores of a sharded model.
Remedy: round the number up; the classes that are added are never a target, and
a large negative bias or mask keeps them out of the softmax. Tied weights are
changed once, for both uses.
Ignore: a checkpoint with fixed rows that cannot be padded on loading: name them
in fixed-dims. A table
that is only looked up is reported where the mesh divides it.
Numbers: simulated time of the ops on the weight; padding is padded over useful
FLOPs of the dot, and padded less real bytes of the weight. The saving is that of
a vocabulary which the mesh divides.
Sources: tensor2tensor#1382 (8201), Cloud TPU performance guide.)",
    .thresholds = {{"min-rows", 1000, "rows of a table, or classes, from which it is said"},
                   {"min-share", 0.01, "share of the step that the ops on it take"}},
};

struct Vocabulary {
  int64_t dim = 0;  // of the variable
  const Op* embedding = nullptr;
  const Op* head = nullptr;
  Seconds time;
  Seconds padding;  // of the head's matrix work
};

// The key is the variable.
using Vocabularies = std::map<OpId, Vocabulary>;

void AddEmbedding(const Facts& facts, const Op& gather, Vocabularies& all) {
  const WeightDim weight = WeightDimOf(*facts.source, gather.operands[0], 0);
  if (weight.variable == kNoOp) return;
  if (facts.source->op(weight.variable).shape.rank() != 2) return;
  Vocabulary& found = all[weight.variable];
  found.dim = weight.dim;
  found.embedding = &gather;
  found.time += facts.TimeOf(gather.id);
}

void AddHead(const Facts& facts, const Op& dot, Vocabularies& all) {
  const DotDims& dims = dot.as<DotAttrs>();
  if (!dims.rhs_batch.empty() || dims.rhs_contract.size() != 1) return;
  const Shape& rhs = facts.source->operand(dot, 1).shape;
  if (rhs.rank() != 2) return;
  const int64_t free = 1 - dims.rhs_contract[0];
  const WeightDim weight = WeightDimOf(*facts.source, dot.operands[1], free);
  if (weight.variable == kNoOp) return;
  // A tied table is a head whatever follows.
  const bool tied = all.contains(weight.variable);
  if (!tied && !IsLastMatrixOp(*facts.source, dot.id)) return;
  Vocabulary& found = all[weight.variable];
  if (found.embedding != nullptr && found.dim != weight.dim) return;
  found.dim = weight.dim;
  found.head = &dot;
  found.time += facts.TimeOf(dot.id);
  const MatrixUse use = MatrixUseOf(facts, dot.id);
  if (use.padded_flops <= 0) return;
  const int64_t size = rhs.size(free);
  const double fill =
      static_cast<double>(size) / static_cast<double>(RoundUp(size, facts.target.chip.lanes));
  found.padding += use.time * (1 - fill);
}

bool IsTable(const Op& op) {
  if (op.kind == OpKind::kGather) return true;
  return op.kind == OpKind::kGatherSlices &&
         op.as<SlicesAttrs>().start_dims == std::vector<int64_t>{0};
}

bool IsDivided(const Facts& facts) {
  return facts.target.extent(MeshAxis::kTensor) > 1 || facts.target.extent(MeshAxis::kFsdp) > 1 ||
         facts.target.extent(MeshAxis::kExpert) > 1;
}

// Rows that are only looked up lie one above the other: their number pads
// nothing until they are divided among cores.
bool OnlyLookedUp(const Facts& facts, const Vocabulary& found) {
  return found.head == nullptr && !IsDivided(facts);
}

std::string UseText(const Vocabulary& found) {
  if (found.embedding == nullptr) return "outputs of the last layer";
  return found.head == nullptr ? "rows of the embedding"
                               : "rows of the embedding that the last layer shares";
}

void Report(const Facts& facts, OpId variable, const Vocabulary& found, Sink& sink) {
  const Chip& chip = facts.target.chip;
  const Op& weight = facts.source->op(variable);
  const Op& op = found.head != nullptr ? *found.head : *found.embedding;
  const int64_t size = weight.shape.size(found.dim);
  const int64_t padded = RoundUp(size, chip.lanes);
  Finding& finding = sink.ReportDim(
      op.id, found.head != nullptr ? op.shape.rank() - 1 : -1,
      "{} has {} {}, expected a multiple of {}; the ops on it take {} a step (simulated on {})",
      weight.name, FormatCount(size), UseText(found), chip.lanes,
      FormatPercent(found.time / facts.StepTime()), chip.name);
  finding.cost = DeviceCost(facts, found.padding,
                            Bytes{weight.shape.unpadded_bytes().value / size * (padded - size)});
  if (found.padding < facts.StepTime() * sink.threshold("min-share")) {
    finding.severity = Severity::kInfo;
  }
  finding.fix.text =
      fmt::format("pad the vocabulary to {}{} and mask the logits of the {} classes that are added",
                  FormatCount(padded),
                  found.head != nullptr && found.embedding != nullptr
                      ? ", in the embedding and the last layer alike,"
                      : "",
                  FormatCount(padded - size));
  finding.change.widths.push_back({variable, found.dim, padded});
  WriteChange(facts, finding.change, finding);
  if (!IsDivided(facts)) finding.change = {};
}

void Check(const Facts& facts, Sink& sink) {
  Vocabularies all;
  for (const Op& op : facts.source->ops()) {
    if (IsTable(op)) AddEmbedding(facts, op, all);
  }
  for (const Op& op : facts.source->ops()) {
    if (op.kind == OpKind::kDot) AddHead(facts, op, all);
  }
  for (const auto& [variable, found] : all) {
    const Op* op = found.head != nullptr ? found.head : found.embedding;
    if (op == nullptr || !op->location.known()) continue;
    if (OnlyLookedUp(facts, found)) continue;
    const int64_t size = facts.source->op(variable).shape.size(found.dim);
    if (static_cast<double>(size) < sink.threshold("min-rows")) continue;
    if (size % facts.target.chip.lanes == 0) continue;
    if (IsHeld(facts, variable, found.dim)) continue;
    if (found.time < facts.StepTime() * sink.threshold("min-share")) continue;
    Report(facts, variable, found, sink);
  }
}

}  // namespace

TW_RULE(AL006)

}  // namespace tilewise::AL006
