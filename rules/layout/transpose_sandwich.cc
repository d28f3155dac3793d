// Flags two transposes that undo each other around ops that do not care.

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advice/saving.h"
#include "rules/rule.h"

namespace tilewise::LY003 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "LY003",
    .name = "transpose-sandwich",
    .fix = Applicability::kShow,
    .needs = {.model = true},
    .summary = "a transpose is undone after elementwise ops or pooling",
    .doc = R"(
What: a transpose, then only elementwise ops or pooling, then the inverse
transpose; or two transposes in a row that compose to the identity.
Why: a transpose moves every byte through HBM and the cross-lane unit unless
the layout absorbs it. Elementwise ops give the same result in either order,
and pooling can take its window in the other order.
Remedy: drop both transposes, and give pooling the other data format.
Ignore: the rule is silent when the two take less than 1 % of the step: then the
lowering cancels the pair or turns it into a change of layout. Silent too where
pooling in the other order costs more than the transposes.
Numbers: the kernels of both transposes in all phases of the step; what the ops
between could fuse with without them comes on top.
Sources: Cloud TPU performance guide.)",
};

constexpr double kMinShare = 0.01;

bool AreInverse(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < b.size(); ++i) {
    const size_t through = b[i];
    if (through >= a.size() || a[through] != static_cast<int64_t>(i)) {
      return false;
    }
  }
  return true;
}

// Whether pooling of the transposed data can run in the original order: the
// batch must stay first, and the feature dim must be where one of the two data
// formats has it.
bool PoolsInEitherOrder(const Op& pool, const Op& transpose) {
  const std::vector<int64_t>& original = transpose.as<TransposeAttrs>().dims;
  const int64_t rank = pool.shape.rank();
  if (static_cast<int64_t>(original.size()) != rank || rank < 3) return false;
  const int64_t feature = pool.as<PoolAttrs>().channels_first ? 1 : rank - 1;
  const int64_t was = original[feature];
  return original[0] == 0 && (was == 1 || was == rank - 1);
}

bool IsElementwiseOnOneTensor(const Graph& graph, const Op& op) {
  if (ClassOf(op.kind) != OpClass::kElementwise) return false;
  // Only one of several operands may vary: constants broadcast in any order.
  int varying = 0;
  for (const OpId operand : op.operands) {
    OpId source = operand;
    while (graph.op(source).kind == OpKind::kBroadcast) {
      source = graph.op(source).operands[0];
    }
    if (graph.op(source).shape.rank() > 0) ++varying;
  }
  return varying <= 1;
}

// The operand that carries the data of an indifferent op.
OpId DataOperand(const Graph& graph, const Op& op) {
  for (const OpId operand : op.operands) {
    if (graph.op(operand).kind != OpKind::kBroadcast && graph.op(operand).shape.rank() > 0) {
      return operand;
    }
  }
  return kNoOp;
}

struct Sandwich {
  const Op* first = nullptr;
  std::vector<const Op*> between;  // last first
};

// Walks from the transpose that `last` undoes through ops with no other user.
std::optional<Sandwich> Opening(const Graph& graph, const Op& last) {
  Sandwich sandwich;
  for (OpId id = last.operands[0]; id != kNoOp;) {
    if (graph.users(id).size() != 1) return std::nullopt;
    const Op& op = graph.op(id);
    if (op.kind == OpKind::kTranspose) {
      if (!AreInverse(op.as<TransposeAttrs>().dims, last.as<TransposeAttrs>().dims))
        return std::nullopt;
      sandwich.first = &op;
      break;
    }
    const bool pools = op.kind == OpKind::kReduceWindow;
    if (!pools && !IsElementwiseOnOneTensor(graph, op)) return std::nullopt;
    sandwich.between.push_back(&op);
    id = DataOperand(graph, op);
  }
  if (sandwich.first == nullptr) return std::nullopt;
  const bool movable = std::ranges::all_of(sandwich.between, [&](const Op* op) {
    return op->kind != OpKind::kReduceWindow || PoolsInEitherOrder(*op, *sandwich.first);
  });
  if (!movable) return std::nullopt;
  return sandwich;
}

// What the op between makes of data in the original order. Its other operands
// are scalars that were broadcast.
OpId Elementwise(GraphBuilder& builder, const Op& op, std::span<const OpId> operands,
                 const Shape& data) {
  std::vector<OpId> inputs;
  inputs.reserve(operands.size());
  for (OpId operand : operands) {
    while (builder.op(operand).kind == OpKind::kBroadcast) {
      operand = builder.op(operand).operands[0];
    }
    const bool scalar = builder.shape(operand).rank() == 0;
    inputs.push_back(scalar ? builder.BroadcastTo(operand, data.dims) : operand);
  }
  Op moved = op;
  moved.shape.dims = data.dims;
  return builder.Clone(moved, std::move(inputs));
}

// The window in the original order of the dims that `order` had transposed.
OpId Pool(GraphBuilder& builder, const Op& op, OpId x, const std::vector<int64_t>& order) {
  const auto rank = static_cast<int64_t>(order.size());
  const bool first = op.as<PoolAttrs>().channels_first;
  std::vector<std::pair<int64_t, WindowDim>> spatial;
  spatial.reserve(op.as<PoolAttrs>().window.size());
  for (const WindowDim& dim : op.as<PoolAttrs>().window) {
    const size_t at = spatial.size() + (first ? 2 : 1);
    if (at >= order.size()) return kNoOp;
    spatial.emplace_back(order[at], dim);
  }
  std::ranges::sort(spatial, {}, &std::pair<int64_t, WindowDim>::first);
  std::vector<WindowDim> window;
  window.reserve(spatial.size());
  for (const auto& [dim, size] : spatial) window.push_back(size);
  const int64_t feature = order[first ? 1 : rank - 1];
  return builder.ReduceWindow(op.as<PoolAttrs>().reducer, x, std::move(window),
                              feature == 1 && rank > 2);
}

// Everything between in the original order, and no transpose.
Change WithoutTransposes(const Graph& graph, const Sandwich& sandwich, const Op& last) {
  const auto drop = [](GraphBuilder&, const Op&, std::span<const OpId> operands) {
    return operands[0];
  };
  Change change;
  change.replace[sandwich.first->id] = drop;
  change.replace[last.id] = drop;
  for (const Op* op : sandwich.between) {
    const OpId data = op->kind == OpKind::kReduceWindow ? op->operands[0] : DataOperand(graph, *op);
    const auto at =
        static_cast<size_t>(std::ranges::find(op->operands, data) - op->operands.begin());
    change.replace[op->id] = [at, order = sandwich.first->as<TransposeAttrs>().dims](
                                 GraphBuilder& builder, const Op& moved,
                                 std::span<const OpId> operands) {
      const OpId x = operands[at];
      if (moved.kind == OpKind::kReduceWindow) {
        return Pool(builder, moved, x, order);
      }
      return Elementwise(builder, moved, operands, builder.shape(x));
    };
  }
  return change;
}

std::string_view NameOf(const Op& op) {
  return op.location.item.empty() ? op.name : op.location.item;
}

// The ops between as the layers that the author wrote, in order.
std::string LayersOf(const Sandwich& sandwich) {
  std::vector<std::string_view> names;
  for (size_t i = sandwich.between.size(); i > 0; --i) {
    const std::string_view name = NameOf(*sandwich.between[i - 1]);
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

Bytes Traffic(const Facts& facts, OpId op) {
  Bytes total;
  for (const KernelId kernel : facts.model->KernelsOf(op)) {
    const Kernel& k = facts.model->program.kernels[kernel];
    total += k.hbm_read + k.hbm_write;
  }
  return total;
}

bool Pools(const Sandwich& sandwich) {
  return std::ranges::any_of(sandwich.between,
                             [](const Op* op) { return op->kind == OpKind::kReduceWindow; });
}

void Report(const Facts& facts, const Sandwich& sandwich, const Op& last, Seconds time, Bytes bytes,
            Sink& sink) {
  Change change = WithoutTransposes(*facts.source, sandwich, last);
  // A window over the channels wants another layout than the layers around it.
  const std::optional<Saving> saving = Pools(sandwich) ? SavingAlone(facts, change) : std::nullopt;
  if (saving && saving->time_per_step <= Seconds{}) return;
  const Op& first = *sandwich.first;
  const bool adjacent = sandwich.between.empty();
  Finding& found = sink.Report(
      first.location,
      "{} transposes {} and {} transposes it back{}, expected no transpose (simulated on {})",
      NameOf(first), FormatShape(first.shape), NameOf(last),
      adjacent ? "" : fmt::format(" after {}, which can run in either order", LayersOf(sandwich)),
      facts.target.chip.name);
  found.cost = DeviceCost(facts, time, bytes);
  if (time < facts.StepTime() * kMinShare) found.too_small = kLittleOfStep;
  found.change = std::move(change);
  found.saving = saving;
  found.fix.text = adjacent ? "drop both transposes"
                            : fmt::format("drop both transposes and run {} in the original order",
                                          LayersOf(sandwich));
}

void Check(const Facts& facts, Sink& sink) {
  for (const Op& last : facts.source->ops()) {
    if (last.kind != OpKind::kTranspose) continue;
    const std::optional<Sandwich> found = Opening(*facts.source, last);
    if (!found) continue;
    const OpId first = found->first->id;
    const Seconds time = facts.TimeOf(first) + facts.TimeOf(last.id);
    if (time < facts.StepTime() * kLeastNamed) continue;
    const Bytes bytes = Traffic(facts, first) + Traffic(facts, last.id);
    Report(facts, *found, last, time, bytes, sink);
  }
}

}  // namespace

TW_RULE(LY003)

}  // namespace tilewise::LY003
