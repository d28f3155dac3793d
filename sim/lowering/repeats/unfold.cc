// Ops and kernels are copied in the order of the whole program. An operand in a
// layer next to the reader's is taken from the layer next to the copy's.

#include "sim/lowering/repeats/unfold.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "graph/graph_builder.h"
#include "graph/op_traits.h"
#include "sim/lowering/repeats/layer_positions.h"
#include "sim/lowering/repeats/whole_order.h"

namespace tilewise {
namespace {

std::vector<OpId> Sorted(std::vector<OpId> ids) {
  std::sort(ids.begin(), ids.end());
  return ids;
}

class Unfolding {
 public:
  Unfolding(const Program& program, const FoldedGraph& folded, const Graph& whole,
            const UnfoldPlan& plan)
      : from_(program),
        folded_(folded),
        whole_(whole),
        positions_(plan.positions),
        op_order_(plan.ops),
        kernel_order_(plan.kernels) {}

  absl::StatusOr<Program> Run() {
    NumberOps();
    Program program;
    program.batch_per_core = from_.batch_per_core;
    program.training = from_.training;
    program.passes = from_.passes;
    OpList ops;
    program.layouts.reserve(op_order_.size());
    for (const CopiedItem& item : op_order_) {
      ops.push_back(CopyOp(item));
      MakeNameUnique(ops.back());
      program.layouts.push_back(from_.layouts[item.index]);
    }
    TW_ASSIGN_OR_RETURN(std::vector<Output> outputs, CopyOutputs());
    program.kernels.reserve(kernel_order_.size());
    for (const CopiedItem& item : kernel_order_) {
      program.kernels.push_back(CopyKernel(item, static_cast<int32_t>(program.kernels.size())));
    }
    TW_RETURN_IF_ERROR(status_);
    TW_ASSIGN_OR_RETURN(program.graph, GraphBuilder::Assemble(from_.graph.name(), std::move(ops),
                                                              std::move(outputs)));
    return program;
  }

 private:
  void NumberOps() {
    new_ids_.resize(from_.graph.ops().size());
    for (size_t at = 0; at < op_order_.size(); ++at) {
      const CopiedItem& item = op_order_[at];
      std::vector<OpId>& ids = new_ids_[item.index];
      const size_t copy = item.copy;
      if (ids.size() <= copy) ids.resize(copy + 1, kNoOp);
      ids[copy] = static_cast<OpId>(at);
    }
  }

  OpId NewId(const CopiedItem& item) const { return new_ids_[item.index][item.copy]; }

  // What op `id` is to a reader at `reader`, copy `copy`.
  CopiedItem Seen(const LayerPosition& reader, int32_t copy, OpId id) {
    const LayerPosition& position = positions_.op(id);
    const bool is_relative = position.in(reader) && position.is_middle() &&
                             (reader.is_middle() || reader.layer > kTypicalLayer);
    if (!is_relative) {
      if (position.repeat >= 0 && position.is_typical() && !position.in(reader)) {
        Fail(id, "is used outside of its layers");
      }
      return {id.value(), 0};
    }
    const int32_t left_out = Copies(position);
    int32_t layer = position.layer;  // of the whole program
    if (reader.is_typical()) layer += copy;
    if (reader.layer > kTypicalLayer) layer += left_out;
    const int32_t kept = std::min(layer, std::max(kTypicalLayer, layer - left_out));
    return {positions_.OpAt(position.repeat, kept, position.rank).value(),
            kept == kTypicalLayer ? layer - kTypicalLayer : 0};
  }

  OpId Resolve(const LayerPosition& reader, int32_t copy, OpId id) {
    return NewId(Seen(reader, copy, id));
  }

  std::vector<OpId> Resolve(const LayerPosition& reader, int32_t copy,
                            const std::vector<OpId>& ids) {
    std::vector<OpId> resolved;
    resolved.reserve(ids.size());
    for (const OpId id : ids) resolved.push_back(Resolve(reader, copy, id));
    return resolved;
  }

  // An op of the whole source graph.
  OpId OriginOf(OpId origin, int32_t copy) const {
    if (origin == kNoOp) return kNoOp;
    return whole_.op(folded_.WholeId(origin, copy)).origin;
  }

  // Copies of a layer that is an iteration of a loop are other iterations. What
  // a layer makes for the iteration of another, as an input that it keeps on
  // the host, is not copied.
  EnclosingLoop LoopOf(const Op& old, int32_t copy) {
    if (!old.loop.is_one_trip()) return old.loop;
    if (old.origin == kNoOp || folded_.graph.op(old.origin).loop.id != std::abs(old.loop.id)) {
      Fail(old.id, "stands in the trip of another layer");
      return old.loop;
    }
    EnclosingLoop loop = whole_.op(folded_.WholeId(old.origin, copy)).loop;
    if (old.loop.id < 0) loop.id = -loop.id;
    return loop;
  }

  Op CopyOp(const CopiedItem& item) {
    const OpId old_id(item.index);
    const Op& old = from_.graph.op(old_id);
    const OpId id = NewId(item);
    Op op = {id,
             old.kind,
             old.shape,
             Resolve(positions_.op(old_id), item.copy, old.operands),
             old.attrs,
             old.name,
             old.location,
             old.phase,
             LoopOf(old, item.copy),
             OriginOf(old.origin, item.copy)};
    for (const OpId operand : op.operands) {
      if (operand >= id) Fail(old_id, "is used before it is made");
    }
    if (item.copy > 0) Rename(old, item.copy, op);
    return op;
  }

  // Names and locations that come from the source op become those of the source op
  // of the copy's layer.
  void Rename(const Op& old, int32_t copy, Op& op) {
    const std::string& here = folded_.graph.op(old.origin).name;
    const Op& source = whole_.op(folded_.WholeId(old.origin, copy));
    op.location = source.location;
    const auto rename = [&](std::string& text) {
      const size_t at = text.find(here);
      if (at == std::string::npos) {
        text += fmt::format("/{}", source.name);
      } else {
        text.replace(at, here.size(), source.name);
      }
    };
    rename(op.name);
    std::string* label = FindAttribute<std::string>(op, "label");
    if (label != nullptr && !label->empty()) rename(*label);
  }

  // Parts of an accumulated step number what has one name in their own way in each layer.
  void MakeNameUnique(Op& op) {
    for (int32_t n = 1; !names_.insert(op.name).second; ++n) {
      if (n > 1) op.name.resize(op.name.rfind('_'));
      op.name += fmt::format("_{}", n);
    }
  }

  absl::StatusOr<std::vector<Output>> CopyOutputs() {
    const std::vector<Output>& from = from_.graph.outputs();
    std::vector<LayerPosition> positions;
    positions.reserve(from.size());
    for (const Output& output : from) {
      positions.push_back(positions_.op(output.variable == kNoOp ? output.value : output.variable));
    }
    std::vector<Output> outputs;
    TW_ASSIGN_OR_RETURN(const auto order, WholeOrder(positions, folded_));
    for (const CopiedItem& item : order) {
      const size_t i = item.index;
      Output output = from[i];
      output.value = Resolve(positions[i], item.copy, output.value);
      if (output.variable != kNoOp) {
        output.variable = Resolve(positions[i], item.copy, output.variable);
      }
      outputs.push_back(output);
    }
    return outputs;
  }

  int32_t Copies(const LayerPosition& position) const {
    return folded_.repeats[position.repeat].left_out();
  }

  // Kernels are numbered in their order.
  static std::string NameOf(const std::string& old, int32_t number) {
    std::string name(old, 0, old.rfind('.'));
    name += '.';
    name += std::to_string(number);
    return name;
  }

  Kernel CopyKernel(const CopiedItem& item, int32_t number) {
    const size_t k = item.index;
    Kernel kernel = from_.kernels[k];
    const LayerPosition& position = positions_.kernel(k);
    kernel.name = NameOf(kernel.name, number);
    kernel.origin = OriginOf(kernel.origin, item.copy);
    ResolveInputs(position, item.copy, kernel);
    kernel.root = Resolve(position, item.copy, kernel.root);
    kernel.ops = Sorted(Resolve(position, item.copy, kernel.ops));
    kernel.outputs = Sorted(Resolve(position, item.copy, kernel.outputs));
    return kernel;
  }

  // A kernel may hold an op of the layer before, which reads from the one
  // before that: what an input is depends on the op that reads it.
  void ResolveInputs(const LayerPosition& position, int32_t copy, Kernel& kernel) {
    std::vector<std::pair<OpId, size_t>> inputs;  // with the index in `traffic`
    for (const OpId reader : kernel.ops) {
      const Op& op = from_.graph.op(reader);
      const CopiedItem seen = Seen(position, copy, reader);
      const OpId seen_id(seen.index);
      const Op& same = from_.graph.op(seen_id);
      for (size_t i = 0; i < op.operands.size(); ++i) {
        const auto at =
            std::lower_bound(kernel.inputs.begin(), kernel.inputs.end(), op.operands[i]);
        if (at == kernel.inputs.end() || *at != op.operands[i]) continue;
        inputs.emplace_back(Resolve(positions_.op(seen_id), seen.copy, same.operands[i]),
                            at - kernel.inputs.begin());
      }
    }
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    if (inputs.size() != kernel.inputs.size()) {
      return Fail(kernel.root, "reads other values than in the layers around");
    }
    const std::vector<InputTraffic> traffic = std::move(kernel.traffic);
    kernel.traffic.clear();
    for (size_t i = 0; i < inputs.size(); ++i) {
      kernel.inputs[i] = inputs[i].first;
      if (!traffic.empty()) kernel.traffic.push_back(traffic[inputs[i].second]);
    }
  }

  void Fail(OpId id, std::string_view what) {
    if (!status_.ok()) return;
    status_ = InvalidInput(fmt::format("{} {}", from_.graph.op(id).name, what));
  }

  const Program& from_;
  const FoldedGraph& folded_;
  const Graph& whole_;
  const LayerPositions& positions_;
  const std::vector<CopiedItem>&op_order_, &kernel_order_;
  std::vector<std::vector<OpId>> new_ids_;  // by folded op, by copy
  absl::flat_hash_set<std::string> names_;
  absl::Status status_;
};

}  // namespace

Repetitions UnfoldPlan::HowOften() const {
  Repetitions how_often{.ops = std::vector<int32_t>(positions.ops().size()),
                        .kernels = std::vector<int32_t>(positions.kernels().size())};
  for (const CopiedItem& item : ops) ++how_often.ops[item.index];
  for (const CopiedItem& item : kernels) ++how_often.kernels[item.index];
  return how_often;
}

absl::StatusOr<UnfoldPlan> PlanUnfolding(const Program& program, const FoldedGraph& folded) {
  UnfoldPlan plan;
  TW_ASSIGN_OR_RETURN(plan.positions, LayerPositions::Find(program, folded));
  TW_ASSIGN_OR_RETURN(plan.ops, WholeOrder(plan.positions.ops(), folded));
  TW_ASSIGN_OR_RETURN(plan.kernels, WholeOrder(plan.positions.kernels(), folded));
  return plan;
}

absl::StatusOr<Program> UnfoldRepeats(const Program& program, const FoldedGraph& folded,
                                      const Graph& whole, const UnfoldPlan& plan) {
  return Unfolding(program, folded, whole, plan).Run();
}

}  // namespace tilewise
