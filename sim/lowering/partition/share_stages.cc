// The longest repeat of the graph is what the stages share; what stands before and
// after it runs on every core for its own examples.

#include "sim/lowering/partition/share_stages.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "graph/graph_builder.h"
#include "hardware/mesh.h"

namespace tilewise {
namespace {

// The first layer reads what others have from the layer before them, so a repeat may
// begin with the second.
bool IsFirstLayer(const Graph& forward, OpId begin, const Repeat& layers) {
  for (OpId id = begin; id < layers.begin; ++id) {
    const Op& op = forward.op(id);
    const Op& next = forward.op(id + layers.period);
    if (!SameWork(op, next)) return false;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const OpId from = op.operands[i], next_from = next.operands[i];
      const bool is_local = from >= begin && next_from == from + layers.period;
      const bool is_before = from < begin && (next_from == from || next_from >= begin);
      if (!is_local && !is_before) return false;
    }
  }
  return true;
}

absl::StatusOr<Repeat> FindLayers(const Graph& forward, int64_t stages) {
  Repeat layers;
  for (const Repeat& repeat : FindRepeats(forward, 2)) {
    if (repeat.end() - repeat.begin > layers.end() - layers.begin) layers = repeat;
  }
  const OpId first = layers.begin - layers.period;
  if (layers.count > 0 && first >= 0 && IsFirstLayer(forward, first, layers)) {
    layers.begin = first;
    ++layers.count;
  }
  if (layers.count > 0 && layers.count % stages == 0) return layers;
  return InvalidInput(layers.count == 0
                          ? fmt::format("found no layers that are alike, expected a multiple of {} "
                                        "for mesh axis stage",
                                        stages)
                          : fmt::format("found {} layers that are alike, expected a multiple of "
                                        "{} for mesh axis stage",
                                        layers.count, stages));
}

class Staging {
 public:
  Staging(const Graph& forward, const Repeat& layers, int64_t stages, int64_t groups)
      : forward_(forward),
        layers_(layers),
        stages_(stages),
        groups_(groups),
        own_ops_(layers.period * static_cast<int32_t>(layers.count / stages)),
        carried_(FindCarried(forward, layers, own_ops_)),
        builder_(forward.name()),
        shared_(forward.size(), kNoOp) {}

  absl::StatusOr<StagedGraph> Run() {
    staged_.layers = layers_;
    AddVariables();
    const int64_t rounds = groups_ * stages_ + stages_ - 1;
    for (int64_t round = 0; round < rounds; ++round) {
      EnterRound(round);
      RunLayers(round);
      const int64_t given_out = round + 2 - stages_;  // the last part of a group is through
      if (given_out >= stages_ && given_out % stages_ == 0) AfterLayers();
    }
    TW_ASSIGN_OR_RETURN(staged_.graph, builder_.Build());
    return std::move(staged_);
  }

 private:
  bool InLayers(OpId id) const { return id >= layers_.begin && id < layers_.end(); }
  // What the last layer of the whole graph makes is what the last of this core does.
  OpId OwnOf(OpId id) const { return id - (layers_.end() - layers_.begin - own_ops_); }

  OpId Add(Op op, std::vector<OpId> operands) {
    const OpId whole = op.id;
    op.origin = OpId(builder_.size());
    const OpId id = builder_.Clone(std::move(op), std::move(operands));
    staged_.origins.resize(id + 1, whole);
    return id;
  }

  // In front of the rounds, which all read them.
  void AddVariables() {
    for (const Op& op : forward_.ops()) {
      if (op.kind != OpKind::kVariable) continue;
      if (!InLayers(op.id)) {
        shared_[op.id] = Add(op, {});
      } else if (op.id < layers_.begin + own_ops_) {
        Op own = op;
        own.edit<VariableAttrs>().of_stage = true;
        shared_[op.id] = Add(std::move(own), {});
      }
    }
  }

  std::vector<OpId> Mapped(const Op& op) const {
    std::vector<OpId> operands;
    for (const OpId operand : op.operands) {
      operands.push_back(shared_[operand] != kNoOp ? shared_[operand] : now_[operand]);
    }
    return operands;
  }

  // What follows from no argument is made once.
  bool IsOfExamples(const Op& op) const {
    return op.kind == OpKind::kParameter ||
           std::any_of(op.operands.begin(), op.operands.end(),
                       [&](OpId operand) { return shared_[operand] == kNoOp; });
  }

  void BeforeLayers() {
    now_.assign(forward_.size(), kNoOp);
    for (OpId id = 0; id < layers_.begin; ++id) {
      const Op& op = forward_.op(id);
      if (shared_[id] != kNoOp) continue;
      const bool is_own = IsOfExamples(op);
      (is_own ? now_ : shared_)[id] = Add(op, Mapped(op));
    }
  }

  // What the first layer reads from before the layers and others read from the layer
  // before them, with the value of this core's last layer that stands for it.
  static std::vector<std::pair<OpId, OpId>> FindCarried(const Graph& forward, const Repeat& layers,
                                                        int32_t own_ops) {
    std::vector<std::pair<OpId, OpId>> carried;
    for (OpId id = layers.begin; id < layers.begin + layers.period; ++id) {
      const std::vector<OpId>& operands = forward.op(id).operands;
      const std::vector<OpId>& next = forward.op(id + layers.period).operands;
      for (size_t i = 0; i < operands.size(); ++i) {
        if (operands[i] >= layers.begin || operands[i] == next[i]) continue;
        const std::pair pair(operands[i], next[i] + own_ops - layers.period);
        if (std::find(carried.begin(), carried.end(), pair) == carried.end()) {
          carried.push_back(pair);
        }
      }
    }
    return carried;
  }

  // The first stage takes in one more part every stages-th round, which stands for a
  // select between it and what came from the core before.
  void EnterRound(int64_t round) {
    const std::vector<OpId> left = now_;
    const bool takes_in = round % stages_ == 0 && round / stages_ < groups_;
    if (takes_in) BeforeLayers();
    for (const auto& [before, made] : carried_) {
      if (round == 0) break;
      builder_.SetLocation(forward_.op(made).location);
      builder_.SetScope("stage");
      OpId value =
          builder_.CollectivePermute(left[made], 1, stages_, MeshAxisName(MeshAxis::kStage));
      if (takes_in) value = builder_.Binary(OpKind::kAdd, value, now_[before]);
      staged_.origins.resize(value + 1, made);
      now_[before] = value;
    }
  }

  void RunLayers(int64_t round) {
    const auto layers = static_cast<int32_t>(layers_.count / stages_);
    for (OpId id = layers_.begin; id < layers_.begin + own_ops_; ++id) {
      const Op& op = forward_.op(id);
      if (op.kind == OpKind::kVariable) continue;
      Op own = op;
      if (own.loop.id > 0) own.loop.id += static_cast<int32_t>(round) * layers;
      if (own.loop.layer > 0) own.loop.layer += static_cast<int32_t>(round) * layers;
      now_[id] = Add(std::move(own), Mapped(op));
    }
  }

  void AfterLayers() {
    for (OpId id = layers_.end() - layers_.period; id < layers_.end(); ++id) {
      now_[id] = now_[OwnOf(id)];
    }
    const auto more = static_cast<int32_t>(
        (groups_ * stages_ + stages_ - 1) * layers_.count / stages_ - layers_.count);
    for (OpId id = layers_.end(); id < static_cast<OpId>(forward_.size()); ++id) {
      const Op& op = forward_.op(id);
      if (op.kind == OpKind::kVariable) continue;
      Op own = op;
      if (own.loop.id > 0) own.loop.id += more;
      if (own.loop.first > 0) own.loop.first += more;
      now_[id] = Add(std::move(own), Mapped(op));
    }
    for (const Output& output : forward_.outputs()) {
      const auto at = [&](OpId id) { return shared_[id] != kNoOp ? shared_[id] : now_[id]; };
      const OpId value = at(output.value);
      if (value == kNoOp) continue;  // of a layer that another core has
      const OpId variable = output.variable == kNoOp ? kNoOp : shared_[output.variable];
      builder_.AddOutput(value, output.role, variable);
    }
  }

  const Graph& forward_;
  const Repeat layers_;
  const int64_t stages_;
  const int64_t groups_;  // of as many parts as there are stages
  const int32_t own_ops_;
  const std::vector<std::pair<OpId, OpId>> carried_;
  GraphBuilder builder_;
  StagedGraph staged_;
  // By op of the whole graph: what all rounds read; what the last part of the batch
  // to be taken in has, and the last round.
  std::vector<OpId> shared_, now_;
};

}  // namespace

absl::StatusOr<StagedGraph> ShareStages(const Graph& forward, int64_t stages,
                                        int64_t microbatches) {
  if (microbatches % stages != 0) {
    return InvalidInput(fmt::format("found {} microbatches, expected a multiple of the {} stages",
                                    microbatches, stages));
  }
  TW_ASSIGN_OR_RETURN(const Repeat layers, FindLayers(forward, stages));
  return Staging(forward, layers, stages, microbatches / stages).Run();
}

}  // namespace tilewise
