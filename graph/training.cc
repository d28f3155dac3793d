// The training step: forward pass and loss, gradients, one update. With
// accumulation, forward and backward passes over parts of the batch follow each
// other, and the sums of their gradients are used.

#include "graph/training.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graph/backward.h"
#include "graph/graph_builder.h"
#include "graph/loss.h"
#include "graph/moments.h"
#include "graph/optimizer.h"
#include "graph/written_softmax.h"

namespace tilewise {
namespace {

// Whether the model says itself what is to become small.
bool HasOwnLoss(const Graph& forward) {
  const std::vector<Output>& outputs = forward.outputs();
  return std::any_of(outputs.begin(), outputs.end(),
                     [](const Output& output) { return output.role == Output::Role::kLoss; });
}

class TrainingExpansion {
 public:
  // `part` is the forward pass over one of `spec.accumulation_steps` parts; `shared` says of each
  // of its parameters, in their order, whether all parts have the same.
  TrainingExpansion(const Graph& part, const TrainingSpec& spec, int64_t replicas,
                    const std::vector<bool>& shared)
      : part_(part),
        spec_(spec),
        replicas_(replicas),
        b_(part.name()),
        map_(part.size(), kNoOp),
        sums_(map_.size(), kNoOp),
        states_(map_.size(), kNoOp),
        shared_(map_.size(), false) {
    size_t parameters = 0;
    for (const Op& op : part.ops()) {
      if (op.kind != OpKind::kParameter) continue;
      shared_[op.id] = parameters < shared.size() && shared[parameters];
      ++parameters;
    }
    b_.ReserveNames(8 * part.size());
    has_own_loss_ = HasOwnLoss(part);
    for (const Op& op : part.ops()) last_loop_ = std::max(last_loop_, op.loop.id);
    if (spec.remat != Remat::kNone) blocks_ = FindRematBlocks(part);
    FindTiles();
  }

  absl::StatusOr<Graph> Run() {
    std::vector<OpId> losses;
    for (int64_t i = 0; i < spec_.accumulation_steps; ++i) {
      TW_ASSIGN_OR_RETURN(const OpId loss, RunPart(i));
      losses.push_back(loss);
    }
    b_.AddOutput(Mean(losses), Output::Role::kLoss);
    KeepResults();
    for (const Op& op : part_.ops()) {
      const OpId state = states_[op.id];
      if (state == kNoOp) continue;
      b_.AddOutput(state, Output::Role::kState, variables_[op.id]);
    }
    for (const Op& op : part_.ops()) {
      const OpId sum = sums_[op.id];
      if (sum == kNoOp) continue;
      AddOptimizerUpdate(b_, spec_, variables_[op.id], is_accumulated() ? Carried(op, sum) : sum);
    }
    return b_.Build();
  }

 private:
  bool is_accumulated() const { return spec_.accumulation_steps > 1; }

  absl::StatusOr<OpId> RunPart(int64_t number) {
    part_number_ = static_cast<int32_t>(number);
    CopyForward(number);
    b_.SetScope("");
    const OpId loss = AddLosses(number);
    if (!b_.ok()) return b_.status();
    TrackStates();
    const double weight = 1 / static_cast<double>(replicas_ * spec_.accumulation_steps);
    TW_ASSIGN_OR_RETURN(const std::vector<OpId> gradients, AddGradients(b_, loss, weight, Plan()));
    // The first variable's gradient is the last to be known.
    for (OpId id(part_.size() - 1); id >= 0; --id) {
      const Op& op = part_.op(id);
      if (op.kind != OpKind::kVariable) continue;
      Accumulate(op.id, gradients[variables_[op.id]]);
    }
    return loss;
  }

  // Variables are the same in every part, but what is made of them (casts,
  // gathers) is made in each; those that an earlier part gave a new value have
  // that one. Tiles come later.
  void CopyForward(int64_t number) {
    if (number == 0) variables_.assign(map_.size(), kNoOp);
    for (const Op& op : part_.ops()) {
      if (of_tile_[op.id]) continue;
      OpId& to = map_[op.id];
      if (op.kind == OpKind::kVariable && number > 0) {
        const OpId state = states_[op.id];
        to = state == kNoOp ? OfThisPart(op) : state;
      } else if (shared_[op.id] && number > 0) {
        continue;
      } else if (op.kind == OpKind::kParameter && is_accumulated() && !shared_[op.id]) {
        to = PartOfParameter(op, number);
      } else {
        to = Copy(op);
      }
      if (op.kind == OpKind::kVariable && number == 0) {
        variables_[op.id] = to;
      }
    }
  }

  OpId OfThisPart(const Op& variable) {
    const OpId own = variables_[variable.id];
    if (newest_sum_ == kNoOp || !variable.as<VariableAttrs>().trainable) return own;
    b_.SetPhase(Phase::kForward);
    b_.SetOrigin(variable.origin);
    b_.SetLocation(variable.location);
    b_.SetScope(variable.name);
    return b_.Barrier(own, {newest_sum_});
  }

  // Dim 0 of `part` is that of all parts together in `whole`. A part starts
  // when the gradients of the one before are there.
  OpId Part(OpId whole, const Shape& part, int64_t number) {
    const int64_t size = part.size(0);
    if (newest_sum_ != kNoOp) whole = b_.Barrier(whole, {newest_sum_});
    return b_.SliceDim(whole, 0, number * size, (number + 1) * size);
  }

  Shape Whole(const Shape& part) const {
    Shape whole = part;
    whole.dims[0].factor *= spec_.accumulation_steps;
    return whole;
  }

  OpId PartOfParameter(const Op& op, int64_t number) {
    if (number == 0) {
      Op whole = op;
      whole.shape = Whole(op.shape);
      wholes_.push_back({op.id, b_.Clone(whole, {})});
    }
    for (const auto& [id, whole] : wholes_) {
      if (id != op.id) continue;
      b_.SetPhase(Phase::kForward);
      b_.SetOrigin(op.origin);
      b_.SetLocation(op.location);
      b_.SetScope(op.name);
      return Part(whole, op.shape, number);
    }
    return kNoOp;
  }

  // The first part makes the labels of the whole batch.
  LabelSource Labels(int64_t number) {
    if (!is_accumulated()) return {};
    return [this, number](const Shape& shape) {
      if (number == 0) labels_.push_back(b_.Parameter(Whole(shape), "labels"));
      return Part(labels_[labels_used_++], shape, number);
    };
  }

  // Each part of the batch has loops of its own.
  OpId Copy(const Op& op) {
    std::vector<OpId> operands;
    for (const OpId id : op.operands) operands.push_back(map_[id]);
    if (op.loop.id == 0 || part_number_ == 0) return b_.Clone(op, std::move(operands));
    Op copy = op;
    const int32_t shift = part_number_ * last_loop_;
    copy.loop.id += shift;
    if (copy.loop.first != 0) copy.loop.first += shift;
    return b_.Clone(std::move(copy), std::move(operands));
  }

  // Returns the ops of part_, ascending, that make the tile: its matmul, what only that one moves
  // data for, and what follows it.
  std::vector<OpId> OpsOfTile(const Output& tile) const {
    std::vector<OpId> ops;
    AddOpsOfTile(tile.value, false, ops);
    std::sort(ops.begin(), ops.end());
    return ops;
  }

  void AddOpsOfTile(OpId id, bool before_product, std::vector<OpId>& ops) const {
    const Op& op = part_.op(id);
    const OpClass its_class = ClassOf(op.kind);
    if (before_product && its_class != OpClass::kData) return;
    ops.push_back(id);
    before_product = before_product || its_class == OpClass::kMxu;
    for (const OpId operand : op.operands) {
      const bool is_leaf = part_.op(operand).operands.empty();
      if (is_leaf || part_.users(operand).size() > 1) continue;
      AddOpsOfTile(operand, before_product, ops);
    }
  }

  void FindTiles() {
    of_tile_.assign(map_.size(), false);
    for (const Output& output : part_.outputs()) {
      if (output.role != Output::Role::kTile) continue;
      ++tiles_;
      for (const OpId id : OpsOfTile(output)) of_tile_[id] = true;
    }
  }

  // A tile and its loss: what depends on the tile among the ops from `first`.
  RematBlock TileBlock(OpId first, OpId loss) const {
    RematBlock block;
    block.is_tile = true;
    const auto is_inside = [&](OpId id) {
      return std::binary_search(block.ops.begin(), block.ops.end(), id);
    };
    for (OpId id = first; id <= loss; ++id) {
      const Op& op = b_.op(id);
      if (op.phase != Phase::kLoss ||
          std::any_of(op.operands.begin(), op.operands.end(), is_inside)) {
        block.ops.push_back(id);
      }
    }
    return block;
  }

  OpId LossOf(Output output, int64_t number) {
    const bool is_tile = output.role == Output::Role::kTile;
    const OpId first(b_.size());
    if (is_tile) {
      for (const OpId id : OpsOfTile(output)) {
        map_[id] = Copy(part_.op(id));
      }
    }
    output.value = map_[output.value];
    b_.SetLoop(is_tile ? b_.op(output.value).loop : EnclosingLoop());
    const OpId loss =
        AddLoss(b_, output, spec_, Labels(number), is_tile ? static_cast<double>(tiles_) : 1);
    b_.SetLoop({});
    if (is_tile && loss != kNoOp) {
      tile_blocks_.push_back(TileBlock(first, loss));
    }
    return loss;
  }

  // What the forward pass computes itself: the sum of its elements, in f32.
  OpId OwnLossOf(const Output& output) {
    const OpId loss = map_[output.value];
    b_.SetPhase(Phase::kLoss);
    b_.SetOrigin(part_.op(output.value).origin);
    b_.SetLocation(part_.op(output.value).location);
    std::vector<int64_t> dims(b_.shape(loss).dims.size());
    std::iota(dims.begin(), dims.end(), 0);
    const OpId wide = b_.Convert(loss, DType::kF32);
    return dims.empty() ? wide : b_.Reduce(Reducer::kSum, wide, std::move(dims));
  }

  OpId AddLosses(int64_t number) {
    tile_blocks_.clear();
    labels_used_ = 0;
    OpId total = kNoOp;
    for (const Output& output : part_.outputs()) {
      if (has_own_loss_ && output.role != Output::Role::kLoss) continue;
      const OpId loss = has_own_loss_ ? OwnLossOf(output) : LossOf(output, number);
      if (loss == kNoOp) continue;
      total = total == kNoOp ? loss : b_.Binary(OpKind::kAdd, total, loss);
    }
    if (total == kNoOp) {
      b_.Fail("found no floating-point result to train on, expected at least one");
    }
    return total;
  }

  // Keeps the results where the model has a loss of its own: they are what the step gives the host,
  // metrics.
  void KeepResults() {
    if (!has_own_loss_ || is_accumulated()) return;
    for (const Output& output : part_.outputs()) {
      if (output.is_result()) b_.AddOutput(map_[output.value], Output::Role::kResult);
    }
  }

  // New values of variables that the forward pass itself makes.
  void TrackStates() {
    for (const Output& output : part_.outputs()) {
      if (output.role != Output::Role::kState) continue;
      states_[output.variable] = map_[output.value];
    }
    for (const Op& op : part_.ops()) {
      if (op.kind != OpKind::kBatchNormTraining || op.operands.size() < 5) {
        continue;
      }
      const Op norm = b_.op(map_[op.id]);
      b_.SetPhase(Phase::kForward);
      b_.SetOrigin(op.origin);
      b_.SetLocation(op.location);
      b_.SetScope(op.name);
      const MovingMoments moved = TrackMoments(b_, norm);
      states_[op.operands[3]] = moved.mean;
      states_[op.operands[4]] = moved.variance;
    }
  }

  RematPlan Plan() const {
    RematPlan plan;
    plan.policy = spec_.remat_policy();
    for (const RematBlock& block : blocks_) {
      RematBlock mapped;
      for (const OpId id : block.ops) {
        if (!of_tile_[id]) mapped.ops.push_back(map_[id]);
      }
      if (!mapped.ops.empty()) plan.blocks.push_back(std::move(mapped));
    }
    plan.blocks.insert(plan.blocks.end(), tile_blocks_.begin(), tile_blocks_.end());
    return plan;
  }

  void Accumulate(OpId variable, OpId gradient) {
    if (gradient == kNoOp) return;
    OpId& sum = sums_[variable];
    if (!is_accumulated()) {
      sum = spec_.gradient_type ? Narrowed(variable, gradient) : gradient;
      return;
    }
    if (sum != kNoOp) sum = Carried(part_.op(variable), sum);
    EnterAccumulation(part_.op(variable));
    const OpId wide = b_.Convert(gradient, DType::kF32);
    sum = sum == kNoOp ? wide : b_.Binary(OpKind::kAdd, sum, wide);
    newest_sum_ = sum;
  }

  void EnterAccumulation(const Op& variable) {
    b_.SetPhase(Phase::kBackward);
    b_.SetScope("accumulate/" + variable.name);
    b_.SetOrigin(variable.origin);
    b_.SetLocation(variable.location);
  }

  // A part ends with its sums: none is left to be made with a later one, or with the update.
  OpId Carried(const Op& variable, OpId sum) {
    EnterAccumulation(variable);
    return b_.Barrier(sum, {});
  }

  // Narrows a gradient to the type in which the optimizer gets it, where that is narrower.
  OpId Narrowed(OpId variable, OpId gradient) {
    const DType type = b_.shape(gradient).dtype;
    if (!IsFloat(type) || BitWidth(*spec_.gradient_type) >= BitWidth(type)) return gradient;
    const Op& of = b_.op(gradient);
    b_.SetPhase(Phase::kBackward);
    b_.SetLoop(of.loop);
    b_.SetOrigin(of.origin);
    b_.SetLocation(of.location);
    b_.SetScope("gradient/" + part_.op(variable).name);
    const OpId narrow = b_.Convert(gradient, *spec_.gradient_type);
    b_.SetLoop({});
    return narrow;
  }

  OpId Mean(const std::vector<OpId>& losses) {
    OpId sum = losses[0];
    if (losses.size() == 1) return sum;
    b_.SetPhase(Phase::kLoss);
    b_.SetScope("loss");
    for (size_t i = 1; i < losses.size(); ++i) {
      sum = b_.Binary(OpKind::kAdd, sum, losses[i]);
    }
    return b_.BinaryScalar(OpKind::kMultiply, sum, 1 / static_cast<double>(losses.size()));
  }

  const Graph& part_;
  const TrainingSpec& spec_;
  int64_t replicas_;
  bool has_own_loss_ = false;
  GraphBuilder b_;
  std::vector<RematBlock> blocks_;
  int32_t part_number_ = 0;
  int32_t last_loop_ = 0;      // of part_
  std::vector<bool> of_tile_;  // by op of part_: see OpsOfTile
  int64_t tiles_ = 0;
  std::vector<RematBlock> tile_blocks_;  // of the current part
  // These are, for each op of part_ in the step: its value in the current part; variables; sums of
  // their gradients; new values made by forward passes.
  std::vector<OpId> map_, variables_, sums_, states_;
  std::vector<bool> shared_;
  std::vector<std::pair<OpId, OpId>> wholes_;  // parameter -> whole batch
  std::vector<OpId> labels_;                   // of the whole batch
  size_t labels_used_ = 0;
  OpId newest_sum_ = kNoOp;
};

int64_t BatchDims(const Shape& shape) {
  return std::ranges::count_if(shape.dims, [](const Dim& dim) { return dim.per_batch; });
}

absl::Status CheckBatchFirst(const Op& op) {
  const int64_t per_batch = BatchDims(op.shape);
  if (per_batch == 1 && op.shape.dims[0].per_batch) return absl::OkStatus();
  const std::string place = FormatLocation(op.location);
  return InvalidInput(
      fmt::format("{}{}{}: found {}, expected the batch as first dim, to accumulate "
                  "gradients over parts of it",
                  place, place.empty() ? "" : ": ", op.name, FormatShape(op.shape)));
}

absl::StatusOr<Graph> Expand(const Graph& part, const TrainingSpec& spec, int64_t replicas,
                             const std::vector<bool>& shared = {}) {
  const std::optional<Graph> found = WithSoftmaxes(part);
  return TrainingExpansion(found ? *found : part, spec, replicas, shared).Run();
}

}  // namespace

absl::StatusOr<Graph> ExpandTraining(const Graph& forward, const TrainingSpec& spec,
                                     int64_t replicas) {
  TW_CHECK(forward.is_static() && replicas >= 1);
  if (spec.accumulation_steps != 1) {
    return InvalidInput(
        fmt::format("found {} accumulation steps of a model of fixed batch, expected 1",
                    spec.accumulation_steps));
  }
  return Expand(forward, spec, replicas);
}

absl::StatusOr<Graph> ExpandTrainingOf(const Graph& forward, int64_t batch,
                                       const TrainingSpec& spec, int64_t replicas) {
  TW_CHECK(replicas >= 1);
  const int64_t steps = spec.accumulation_steps;
  if (steps == 1 || forward.is_static()) {
    return ExpandTraining(forward.Bind(batch), spec, replicas);
  }
  if (steps < 1 || batch % steps != 0) {
    return InvalidInput(
        fmt::format("found {} accumulation steps of a batch of {} per core, expected a "
                    "divisor",
                    steps, batch));
  }
  std::vector<bool> shared;
  for (const Op& op : forward.ops()) {
    if (op.kind != OpKind::kParameter) continue;
    // An input without the batch, as a mask, is the same for each part.
    shared.push_back(BatchDims(op.shape) == 0);
    if (!shared.back()) TW_RETURN_IF_ERROR(CheckBatchFirst(op));
  }
  const bool has_own_loss = HasOwnLoss(forward);
  for (const Output& output : forward.outputs()) {
    const Op& result = forward.op(output.value);
    const bool counts = !has_own_loss && output.is_result() && IsFloat(result.shape.dtype);
    if (counts) TW_RETURN_IF_ERROR(CheckBatchFirst(result));
  }
  return Expand(forward.Bind(batch / steps), spec, replicas, shared);
}

}  // namespace tilewise
