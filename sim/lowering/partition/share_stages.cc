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

// `parts`: of the layers, each of as many.
absl::StatusOr<Repeat> FindLayers(const Graph& forward, int64_t parts) {
  Repeat layers;
  for (const Repeat& repeat : FindRepeats(forward, 2)) {
    if (repeat.end() - repeat.begin > layers.end() - layers.begin) layers = repeat;
  }
  const OpId first = layers.begin - layers.period;
  if (layers.count > 0 && first >= 0 && IsFirstLayer(forward, first, layers)) {
    layers.begin = first;
    ++layers.count;
  }
  if (layers.count > 0 && layers.count % parts == 0) return layers;
  return InvalidInput(layers.count == 0
                          ? fmt::format("found no layers that are alike, expected a multiple of {} "
                                        "for mesh axis stage",
                                        parts)
                          : fmt::format("found {} layers that are alike, expected a multiple of "
                                        "{} for mesh axis stage",
                                        layers.count, parts));
}

class Staging {
 public:
  Staging(const Graph& forward, const Repeat& layers, const StageSchedule& schedule)
      : forward_(forward),
        layers_(layers),
        schedule_(schedule),
        group_layers_(static_cast<int32_t>(layers.count / schedule.stages / schedule.repeats)),
        own_ops_(layers.period * group_layers_ * static_cast<int32_t>(schedule.repeats)),
        carried_(FindCarried(forward, layers)),
        builder_(forward.name()),
        shared_(forward.size(), kNoOp) {}

  absl::StatusOr<StagedGraph> Run() {
    staged_.layers = layers_;
    AddVariables();
    const int64_t stages = schedule_.stages;
    const int64_t before = (schedule_.repeats - 1) * schedule_.microbatches;
    for (int64_t round = 0; round < schedule_.rounds(); ++round) {
      EnterRound(round);
      RunLayers(round);
      // The parts leave the last stage together, as many as there are stages.
      const int64_t given_out = round + 2 - stages - before;
      if (given_out >= stages && given_out % stages == 0) AfterLayers();
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

  // What the first layer reads from before the layers, with the value of the first layer
  // that stands for it in the second.
  static std::vector<std::pair<OpId, OpId>> FindCarried(const Graph& forward,
                                                        const Repeat& layers) {
    std::vector<std::pair<OpId, OpId>> carried;
    for (OpId id = layers.begin; id < layers.begin + layers.period; ++id) {
      const std::vector<OpId>& operands = forward.op(id).operands;
      const std::vector<OpId>& next = forward.op(id + layers.period).operands;
      for (size_t i = 0; i < operands.size(); ++i) {
        if (operands[i] >= layers.begin || operands[i] == next[i]) continue;
        const std::pair pair(operands[i], next[i]);
        if (std::find(carried.begin(), carried.end(), pair) == carried.end()) {
          carried.push_back(pair);
        }
      }
    }
    return carried;
  }

  // The group of layers that the first stage is at.
  int64_t GroupIn(int64_t round) const {
    return std::min(round / schedule_.microbatches, schedule_.repeats - 1);
  }

  // The first stage takes in one more part every stages-th round, or one that waits for
  // its next group, which stands for a select between it and what came from the core
  // before.
  void EnterRound(int64_t round) {
    const std::vector<OpId> left = now_;
    const int64_t stages = schedule_.stages, microbatches = schedule_.microbatches;
    const bool takes_in = round % stages == 0 && round < microbatches;
    if (takes_in) BeforeLayers();
    arrived_.emplace_back();
    if (round == 0) return;
    const int64_t group = GroupIn(round);
    const auto made_by = [&](OpId first, int64_t layer) {
      return first + static_cast<int32_t>(layer) * layers_.period;
    };
    for (size_t i = 0; i < carried_.size(); ++i) {
      const auto& [before, first] = carried_[i];
      const OpId made = made_by(first, (GroupIn(round - 1) + 1) * group_layers_ - 1);
      const OpId read = group == 0 ? before : made_by(first, group * group_layers_ - 1);
      builder_.SetLocation(forward_.op(made).location);
      builder_.SetScope("stage");
      OpId value =
          builder_.CollectivePermute(left[made], 1, stages, MeshAxisName(MeshAxis::kStage));
      arrived_.back().push_back(value);
      const bool waited = group > 0 && microbatches > stages && round < Waiting();
      if (takes_in) value = builder_.Binary(OpKind::kAdd, value, now_[before]);
      if (waited) {
        value = builder_.Binary(OpKind::kAdd, value, arrived_[round - microbatches + stages][i]);
      }
      staged_.origins.resize(value + 1, made);
      now_[read] = value;
    }
  }

  // The rounds in which the first stage still has parts.
  int64_t Waiting() const { return schedule_.repeats * schedule_.microbatches; }

  void RunLayers(int64_t round) {
    const auto group = static_cast<int32_t>(GroupIn(round));
    const int32_t later = (static_cast<int32_t>(round) - group) * group_layers_;
    const OpId begin = layers_.begin + group * group_layers_ * layers_.period;
    for (OpId id = begin; id < begin + group_layers_ * layers_.period; ++id) {
      const Op& op = forward_.op(id);
      if (op.kind == OpKind::kVariable) continue;
      Op own = op;
      if (own.loop.id > 0) own.loop.id += later;
      if (own.loop.layer > 0) own.loop.layer += later;
      now_[id] = Add(std::move(own), Mapped(op));
    }
  }

  void AfterLayers() {
    for (OpId id = layers_.end() - layers_.period; id < layers_.end(); ++id) {
      now_[id] = now_[OwnOf(id)];
    }
    const auto more =
        static_cast<int32_t>(schedule_.rounds() * group_layers_ - int64_t{layers_.count});
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
  const StageSchedule schedule_;
  const int32_t group_layers_;
  const int32_t own_ops_;
  const std::vector<std::pair<OpId, OpId>> carried_;
  GraphBuilder builder_;
  StagedGraph staged_;
  // By op of the whole graph: what all rounds read; what the last part of the batch
  // to be taken in has, and the last round.
  std::vector<OpId> shared_, now_;
  std::vector<std::vector<OpId>> arrived_;  // by round: what `carried_` is then
};

}  // namespace

absl::StatusOr<StagedGraph> ShareStages(const Graph& forward, const StageSchedule& schedule) {
  const int64_t stages = schedule.stages;
  if (schedule.microbatches % stages != 0) {
    return InvalidInput(fmt::format("found {} microbatches, expected a multiple of the {} stages",
                                    schedule.microbatches, stages));
  }
  TW_ASSIGN_OR_RETURN(const Repeat layers, FindLayers(forward, stages * schedule.repeats));
  return Staging(forward, layers, schedule).Run();
}

}  // namespace tilewise
