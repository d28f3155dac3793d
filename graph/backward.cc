// Carries the gradient of the loss from the last op to the first, along the
// paths that lead to trainable variables. A block that is not kept is computed
// again when its first gradient is due, from its inputs behind a barrier that
// waits for that gradient, so that merging of equal ops leaves both alone. What
// is in host memory is sent for one block ahead, so that the copy overlaps
// the gradients of the block after it.

#include "graph/backward.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "graph/gradient.h"

namespace tilewise {
namespace {

bool IsTrainable(const Op& op) {
  return op.kind == OpKind::kVariable && op.as<VariableAttrs>().trainable &&
         IsFloat(op.shape.dtype);
}

class Backward {
 public:
  Backward(GraphBuilder& builder, const RematPlan& plan) : b_(builder), plan_(plan) {}

  absl::StatusOr<std::vector<OpId>> Run(OpId loss, double seed) {
    FindWanted();
    gradients_.assign(wanted_.size(), kNoOp);
    again_.assign(wanted_.size(), kNoOp);
    b_.SetPhase(Phase::kBackward);
    b_.SetScope("gradient");
    gradients_[loss] = b_.Scalar(seed, DType::kF32);
    size_t block = plan_.blocks.size();
    if (block > 0) Fetch(plan_.blocks[block - 1], loss);
    for (OpId id = loss; id >= 0; --id) {
      if (block > 0 && id == plan_.blocks[block - 1].result()) {
        --block;
        Recompute(plan_.blocks[block], block > 0 ? &plan_.blocks[block - 1] : nullptr);
      }
      if (!wanted_[id] || gradients_[id] == kNoOp) continue;
      if (b_.op(id).operands.empty()) continue;
      if (IsCarried(b_.op(id), training_)) {
        carried_.push_back(gradients_[id]);
      }
      TW_RETURN_IF_ERROR(DifferentiateOp(Op(b_.op(id))));
    }
    b_.SetLoop({});
    KeepCarried();
    if (!b_.ok()) return b_.status();
    return std::move(gradients_);
  }

 private:
  // What enters a loop whose iterations train something carries their gradients
  // from iteration to iteration.
  bool IsCarried(const Op& op, const std::set<int32_t>& training) const {
    return op.kind == OpKind::kBarrier && training.contains(op.loop.id) &&
           op.loop != b_.op(op.operands[0]).loop;
  }

  void FindWanted() {
    MarkWanted({});
    for (OpId id = 0; id < b_.size(); ++id) {
      if (wanted_[id] && b_.op(id).loop.trip_count > 1) {
        training_.insert(b_.op(id).loop.id);
      }
    }
    if (!training_.empty()) MarkWanted(training_);
  }

  // The iteration before needs them, which is not in the graph: what is trained
  // is not there until they are.
  void KeepCarried() {
    if (carried_.empty()) return;
    for (OpId id = 0; id < std::ssize(gradients_); ++id) {
      OpId& gradient = gradients_[id];
      if (gradient == kNoOp || !IsTrainable(b_.op(id))) continue;
      gradient = b_.Barrier(gradient, carried_);
      return;
    }
  }

  // Only what lies on a path from a trainable variable needs a gradient.
  void MarkWanted(const std::set<int32_t>& training) {
    wanted_.assign(b_.size(), false);
    has_data_.assign(b_.size(), false);
    of_ids_.assign(b_.size(), false);
    for (OpId id = 0; id < b_.size(); ++id) {
      const Op& op = b_.op(id);
      bool wanted = IsTrainable(op) || IsCarried(op, training);
      bool has_data = op.kind == OpKind::kParameter || ClassOf(op.kind) == OpClass::kRandom;
      for (const OpId operand : op.operands) {
        wanted = wanted || wanted_[operand];
        has_data = has_data || has_data_[operand];
      }
      const DType dtype = op.shape.dtype;
      wanted_[id] = wanted && (IsFloat(dtype) || IsComplex(dtype));
      has_data_[id] = has_data;
      of_ids_[id] = IsMadeOfIds(op);
    }
  }

  // Masks and one-hot rows: made of integers and constants element by element.
  // They are made again where they are used rather than kept.
  bool IsMadeOfIds(const Op& op) const {
    if (op.kind == OpKind::kConstant || op.kind == OpKind::kIota) return true;
    if (op.kind == OpKind::kParameter) return !IsFloat(op.shape.dtype);
    return (ClassOf(op.kind) == OpClass::kElementwise || op.kind == OpKind::kBroadcast) &&
           std::all_of(op.operands.begin(), op.operands.end(),
                       [&](OpId operand) { return of_ids_[operand]; });
  }

  // `id`, made of integers, anew for the gradients of `dy`.
  OpId MadeAgain(OpId id, OpId dy) {
    if (!has_data_[id]) return id;
    const Op op = b_.op(id);
    const bool is_given = op.kind == OpKind::kParameter;
    const auto [at, is_new] = fences_.try_emplace({id, dy}, kNoOp);
    if (is_new && is_given) {
      at->second = b_.Barrier(id, {dy});
    } else if (is_new) {
      Op copy = op;
      for (OpId& operand : copy.operands) operand = MadeAgain(operand, dy);
      EnterContextOf(op, "recompute/" + op.name);
      copy.phase = Phase::kBackward;
      copy.loop = GradientLoop(op.loop);
      copy.name = "recompute/" + op.name;
      at->second = b_.Clone(copy, copy.operands);
    }
    if (!is_given) StandIn(at->second, id);
    return at->second;
  }

  // `made` stands for `id` in gradients.
  void StandIn(OpId made, OpId id) {
    if (made == kNoOp) return;
    again_[id] = made;
    if (made >= std::ssize(wanted_)) wanted_.resize(made + 1, false);
    wanted_[made] = wanted_[id];
  }

  // The copy of `id`, kept for a block in `loop`, that waits in host memory.
  OpId OnHost(OpId id, EnclosingLoop loop) {
    const auto [at, is_new] = on_host_.try_emplace(id, kNoOp);
    if (is_new) {
      EnterContextOf(b_.op(id), "offload/" + b_.op(id).name);
      b_.SetPhase(Phase::kForward);
      b_.SetLoop(loop);
      at->second = b_.CopyToHost(id);
    }
    return at->second;
  }

  void FetchOne(OpId id, EnclosingLoop loop, OpId after) {
    const auto [at, is_new] = fetched_.try_emplace(id, kNoOp);
    if (!is_new) return;
    const OpId host = OnHost(id, loop);
    EnterContextOf(b_.op(id), "fetch/" + b_.op(id).name);
    b_.SetLoop(GradientLoop(loop));
    at->second = b_.CopyFromHost(host, {after});
  }

  // Sends for what `block` needs from host memory when `after` is computed.
  void Fetch(const RematBlock& block, OpId after) {
    const std::vector<bool> inside = Inside(block);
    for (const OpId id : block.ops) {
      const Op op = b_.op(id);
      if (plan_.ActionOn(block, op) == RematAction::kOffload) {
        FetchOne(id, op.loop, after);
      }
      if (block.is_tile || !plan_.policy.OffloadsBlockInputs()) continue;
      for (const OpId operand : op.operands) {
        if (!inside[operand] && IsInput(operand) && !of_ids_[operand]) {
          FetchOne(operand, op.loop, after);
        }
      }
    }
  }

  static std::vector<bool> Inside(const RematBlock& block) {
    std::vector<bool> inside(block.result() + 1, false);
    for (const OpId id : block.ops) inside[id] = true;
    return inside;
  }

  // `before` is the block whose gradients come next, or null.
  void Recompute(const RematBlock& block, const RematBlock* before) {
    const OpId dy = gradients_[block.result()];
    if (dy == kNoOp) return;
    const std::map<OpId, OpId> fetched = std::exchange(fetched_, {});
    if (before != nullptr) Fetch(*before, dy);
    const std::vector<bool> inside = Inside(block);
    for (const OpId id : block.ops) {
      const Op op = b_.op(id);
      EnterContextOf(op, "recompute/" + op.name);
      if (const auto host = fetched.find(id); host != fetched.end()) {
        StandIn(b_.Barrier(host->second, {dy}), id);
        continue;
      }
      if (plan_.ActionOn(block, op) == RematAction::kSave) {
        StandIn(b_.Barrier(id, {dy}), id);
        continue;
      }
      std::vector<OpId> operands;
      for (const OpId operand : op.operands) {
        if (inside[operand]) {
          operands.push_back(again_[operand]);
          continue;
        }
        if (IsInput(operand) && of_ids_[operand]) {
          operands.push_back(MadeAgain(operand, dy));
          continue;
        }
        if (IsCastWeight(operand)) {
          operands.push_back(CastAgain(operand, dy));
          continue;
        }
        const auto host = fetched.find(operand);
        const OpId there = host == fetched.end() ? operand : host->second;
        operands.push_back(Fenced(operand, there, dy));
      }
      CloneInto(op, std::move(operands));
    }
  }

  // A weight in the type that a layer computes in.
  bool IsCastWeight(OpId id) const {
    const Op& op = b_.op(id);
    return op.kind == OpKind::kConvert && b_.op(op.operands[0]).kind == OpKind::kVariable;
  }

  // The layer casts it, so that its second run does so again.
  OpId CastAgain(OpId id, OpId dy) {
    const auto [at, is_new] = fences_.try_emplace({id, dy}, kNoOp);
    if (is_new) {
      const Op op = b_.op(id);
      EnterContextOf(op, "recompute/" + op.name);
      Op copy = op;
      copy.phase = Phase::kBackward;
      copy.loop = GradientLoop(op.loop);
      copy.name = "recompute/" + op.name;
      at->second = b_.Clone(copy, {b_.Barrier(op.operands[0], {dy})});
    }
    StandIn(at->second, id);
    return at->second;
  }

  // Leaves stay in memory anyway.
  bool IsInput(OpId id) const { return !b_.op(id).operands.empty() && has_data_[id]; }

  // A block's input, to be read again from where it is.
  OpId Fenced(OpId input, OpId there, OpId dy) {
    if (!IsInput(input)) return input;
    const auto [at, is_new] = fences_.try_emplace({input, dy}, kNoOp);
    if (is_new) at->second = b_.Barrier(there, {dy});
    StandIn(at->second, input);
    return at->second;
  }

  void CloneInto(const Op& op, std::vector<OpId> operands) {
    Op copy = op;
    copy.phase = Phase::kBackward;
    copy.loop = GradientLoop(op.loop);
    copy.name = "recompute/" + op.name;
    if (ClassOf(op.kind) == OpClass::kRandom && copy.as<RandomAttrs>().label.empty()) {
      copy.edit<RandomAttrs>().label = op.name;  // the same numbers again
    }
    StandIn(b_.Clone(copy, std::move(operands)), op.id);
  }

  void EnterContextOf(const Op& op, const std::string& scope) {
    b_.SetPhase(Phase::kBackward);
    b_.SetLoop(GradientLoop(op.loop));
    b_.SetOrigin(op.origin);
    b_.SetLocation(op.location);
    b_.SetScope(scope);
  }

  // The op as gradients see it: what was computed again in its place.
  Op SeenByGradient(const Op& op) const {
    Op seen = op;
    if (again_[op.id] == kNoOp) return seen;
    seen.id = again_[op.id];
    seen.phase = Phase::kBackward;
    seen.loop = GradientLoop(op.loop);
    for (OpId& operand : seen.operands) {
      const OpId again = again_[operand];
      if (again != kNoOp) operand = again;
    }
    return seen;
  }

  // Whether gradients read the forward pass's result, maybe behind a barrier,
  // not that of a second run.
  bool IsOfForward(const Op& op) const {
    const OpId again = again_[op.id];
    return again == kNoOp || b_.op(again).kind != op.kind;
  }

  // The parts are the only real functions of a complex number that have a gradient.
  bool TakesComplex(const Op& op) const {
    if (op.kind == OpKind::kReal || op.kind == OpKind::kImag) return false;
    return !IsComplex(op.shape.dtype) &&
           std::any_of(op.operands.begin(), op.operands.end(),
                       [&](OpId id) { return IsComplex(b_.shape(id).dtype); });
  }

  absl::Status DifferentiateOp(const Op& op) {
    const GradientFunction function = FindGradient(op);
    if (function == nullptr || TakesComplex(op)) {
      const std::string place = FormatLocation(op.location);
      return absl::UnimplementedError(
          fmt::format("{}{}{}: found {} on the path to a trainable variable, expected an "
                      "op with a gradient",
                      place, place.empty() ? "" : ": ", op.name, OpName(op.kind)));
    }
    EnterContextOf(op, "gradient/" + op.name);
    const Op seen = SeenByGradient(op);
    const GradientCall call = {b_, seen, IsOfForward(op) ? op : seen, gradients_[op.id], wanted_};
    const Gradients gradients = function(call);
    TW_CHECK(gradients.size() == op.operands.size());
    for (size_t i = 0; i < gradients.size(); ++i) {
      if (gradients[i] != kNoOp && call.wants(i)) {
        Accumulate(op.operands[i], gradients[i]);
      }
    }
    return b_.status();
  }

  void Accumulate(OpId value, OpId gradient) {
    OpId& sum = gradients_[value];
    sum = sum == kNoOp ? gradient : b_.Binary(OpKind::kAdd, sum, gradient);
  }

  GraphBuilder& b_;
  const RematPlan& plan_;
  std::set<int32_t> training_;                    // loops whose iterations train something
  std::vector<OpId> carried_;                     // gradients of what enters them
  std::vector<bool> wanted_;                      // by id, of stand-ins too
  std::vector<bool> has_data_;                    // by id up to the loss: not of weights alone
  std::vector<bool> of_ids_;                      // the same: see IsMadeOfIds
  std::vector<OpId> gradients_;                   // by id up to the loss; kNoOp: none so far
  std::vector<OpId> again_;                       // the same; what stands for the op, if any
  std::map<std::pair<OpId, OpId>, OpId> fences_;  // by value and gradient
  std::map<OpId, OpId> on_host_;                  // by value: its copy to the host
  std::map<OpId, OpId> fetched_;                  // by value: its copy back, for the next block
};

}  // namespace

absl::StatusOr<std::vector<OpId>> AddGradients(GraphBuilder& builder, OpId loss, double seed,
                                               const RematPlan& plan) {
  return Backward(builder, plan).Run(loss, seed);
}

}  // namespace tilewise
