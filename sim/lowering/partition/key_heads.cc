// Keys and values are followed back from attention to what makes them.

#include "sim/lowering/partition/key_heads.h"

#include <memory>
#include <set>

#include "sim/lowering/rewrite.h"

namespace tilewise {
namespace {

constexpr char kHeads[] = ".heads";
constexpr char kCopies[] = ".copies";

int64_t HeadsOf(const Shape& shape) { return shape.rank() == 4 ? shape.dims[2].factor : 1; }

// Returns the heads of the keys before they were repeated for the queries.
int64_t KeyHeadsOf(const Graph& graph, const Op& keys) {
  if (keys.kind != OpKind::kReshape) return HeadsOf(keys.shape);
  const Op& repeated = graph.operand(keys, 0);
  const bool repeats = repeated.kind == OpKind::kBroadcast &&
                       repeated.as<BroadcastAttrs>().dims == std::vector<int64_t>{0, 1, 2, 4};
  return HeadsOf(repeats ? graph.operand(repeated, 0).shape : keys.shape);
}

// Key heads that all attention has, and fewer than `cores`, which share out the
// queries of each; 0 if there are none.
int64_t SharedKeyHeads(const Graph& source, int64_t cores) {
  int64_t heads = 0;
  for (const Op& op : source.ops()) {
    if (op.kind != OpKind::kAttention) continue;
    const int64_t keys = KeyHeadsOf(source, source.operand(op, 1));
    const bool fits = keys < cores && cores % keys == 0 && HeadsOf(op.shape) % cores == 0 &&
                      (heads == 0 || heads == keys);
    if (!fits) return 0;
    heads = keys;
  }
  return heads;
}

// Names of variables from which keys and values are made by one matmul at
// most, caches included.
std::set<std::string> KeyVariables(const Graph& source) {
  std::set<std::string> names;
  std::set<OpId> seen;
  std::vector<OpId> open;
  for (const Op& op : source.ops()) {
    if (op.kind != OpKind::kAttention) continue;
    open.insert(open.end(), {op.operands[1], op.operands[2]});
  }
  while (!open.empty()) {
    const Op& op = source.op(open.back());
    open.pop_back();
    if (!seen.insert(op.id).second) continue;
    if (op.kind == OpKind::kVariable) names.insert(op.name);
    if (ClassOf(op.kind) != OpClass::kMxu) {
      open.insert(open.end(), op.operands.begin(), op.operands.end());
      continue;
    }
    for (const OpId id : op.operands) {
      const Op* weight = &source.op(id);
      while (weight->kind == OpKind::kConvert) {
        weight = &source.operand(*weight, 0);
      }
      if (weight->kind == OpKind::kVariable) names.insert(weight->name);
    }
  }
  return names;
}

}  // namespace

std::vector<SharedAxis> StagesOfTensor(const Graph& source, const SharedAxis& tensor) {
  const int64_t heads = SharedKeyHeads(source, tensor.parts);
  if (heads == 0) return {tensor};
  const auto names = std::make_shared<const std::set<std::string>>(KeyVariables(source));
  SharedAxis copies = {tensor.name + kCopies, tensor.parts / heads};
  copies.stores = [names](const Op* variable) {
    return variable == nullptr || !names->contains(variable->name);
  };
  if (heads == 1) {
    copies.name = tensor.name;
    return {copies};
  }
  return {{tensor.name + kHeads, heads}, copies};
}

absl::StatusOr<Graph> JoinStages(const Graph& graph, const SharedAxis& tensor) {
  Rewrite rewrite(graph);
  for (const Op& op : graph.ops()) {
    const bool is_collective = op.kind == OpKind::kAllReduce || op.kind == OpKind::kAllGather;
    const Op* inner = is_collective ? &graph.operand(op, 0) : nullptr;
    const bool joins = is_collective && inner->kind == op.kind &&
                       op.as<CollectiveAttrs>().axis == tensor.name + kHeads &&
                       inner->as<CollectiveAttrs>().axis == tensor.name + kCopies &&
                       inner->as<CollectiveAttrs>().dims == op.as<CollectiveAttrs>().dims &&
                       inner->as<CollectiveAttrs>().reducer == op.as<CollectiveAttrs>().reducer &&
                       graph.users(inner->id).size() == 1;
    if (!joins) {
      rewrite.Copy(op);
      continue;
    }
    Op joined = op;
    auto& whole = joined.edit<CollectiveAttrs>();
    whole.axis = tensor.name;
    whole.group_size = tensor.parts;
    rewrite.Replace(op, rewrite.builder().Clone(joined, {rewrite.at(inner->operands[0])}));
  }
  return rewrite.Finish();
}

}  // namespace tilewise
