// What a step needs of a trace, as a graph of its own: weights with their dims
// in the order that their uses want, then the batch set apart from the other
// sizes.

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/math.h"
#include "frontend/program/tracer.h"
#include "graph/input_parts.h"
#include "graph/stacked_weights.h"
#include "graph/unrolled_layers.h"
#include "workload/coverage.h"
#include "workload/reader_note.h"

namespace tilewise::program {

class StepBuilder {
 public:
  StepBuilder(const Tracer& trace, const StepRequest& request)
      : trace_(trace),
        request_(request),
        from_(trace.builder_),
        out_(trace.name_),
        weight_of_(from_.size(), -1),
        needed_(from_.size(), false),
        map_(from_.size(), kNoOp),
        made_(trace.weights_.size(), kNoOp),
        trained_(trace.weights_.size(), !request.trained) {
    for (size_t i = 0; i < trace.weights_.size(); ++i) {
      for (const auto& [form, id] : trace.weights_[i].made) weight_of_[id] = static_cast<int>(i);
    }
    MarkWeights(request.trained.value_or(std::vector<Value>()), trained_);
    for (const OtherLoss& other : request.others) MarkWeights(other.trained, trained_);
  }

  absl::StatusOr<TracedStep> Run() {
    FindNeeded();
    FindOrders();
    CopyNeeded();
    for (const OtherLoss& other : request_.others) CopyPass(other.loss, other.trained);
    if (!request_.others.empty()) CopyPass(*request_.loss, *request_.trained);
    AddOutputs();
    if (!out_.ok()) return out_.status();
    TW_ASSIGN_OR_RETURN(step_.graph, out_.Build());
    TW_RETURN_IF_ERROR(WriteOutLayers());
    if (step_.graph.outputs().empty()) {
      return InvalidInput("found no value that the device computes, expected a loss or a result");
    }
    step_.source_ops.insert(trace_.source_ops_.begin(), trace_.source_ops_.end());
    step_.opaque_ops.insert(trace_.opaque_ops_.begin(), trace_.opaque_ops_.end());
    step_.notes = trace_.notes_;
    step_.training = request_.training;
    if (request_.training) step_.step = StepKind::kTraining;
    SeparateTheBatch();
    TW_ASSIGN_OR_RETURN(step_.graph, SplitStacks(std::move(step_.graph)));
    Count();
    return std::move(step_);
  }

 private:
  const onnx::Weight& weight(int32_t index) const { return trace_.weights_[index]; }
  bool IsTrained(int32_t index) const { return weight(index).trainable && trained_[index]; }

  static void MarkWeights(const std::vector<Value>& weights, std::vector<bool>& marked) {
    for (const Value& weight : weights) {
      if (Tracer::IsWeight(weight)) marked[weight.variable] = true;
    }
  }

  void Need(const Value& value, std::vector<bool>& needed) const {
    if (value.kind == Value::Kind::kOp) needed[value.op] = true;
    if (!Tracer::IsWeight(value)) return;
    for (const auto& [form, id] : weight(value.variable).made) {
      if (form == onnx::WeightForm{}) needed[id] = true;
    }
  }
  void NeedOperands(std::vector<bool>& needed) const {
    for (OpId id(from_.size() - 1); id >= 0; --id) {
      if (!needed[id] || trace_.taken_as_inputs_.contains(id)) continue;
      for (const OpId operand : from_.op(id).operands) needed[operand] = true;
    }
  }

  // Values that stay as they are when weights get other orders.
  std::vector<Value> Wanted() const {
    std::vector<Value> wanted = request_.results;
    if (request_.loss) wanted.push_back(*request_.loss);
    for (const OtherLoss& other : request_.others) wanted.push_back(other.loss);
    for (const auto& [state, value] : request_.states) {
      wanted.push_back(state);
      wanted.push_back(value);
    }
    return wanted;
  }

  // What an iteration leaves is needed when the next one reads it.
  bool NeedCarried() {
    bool found = false;
    for (const Tracer::OpenLoop& loop : trace_.closed_) {
      for (const auto& [inside, next] : loop.carried) {
        if (inside == kNoOp || next == kNoOp || !needed_[inside] || needed_[next]) continue;
        needed_[next] = found = true;
      }
    }
    return found;
  }

  void FindNeeded() {
    for (const Value& value : Wanted()) Need(value, needed_);
    NeedOperands(needed_);
    while (NeedCarried()) NeedOperands(needed_);
    reads_.assign(from_.size(), false);
    if (request_.others.empty()) return;
    for (OpId id = 0; id < from_.size(); ++id) {
      const std::vector<OpId>& operands = from_.op(id).operands;
      reads_[id] = std::any_of(operands.begin(), operands.end(), [&](OpId operand) {
        return reads_[operand] || weight_of_[operand] >= 0;
      });
    }
  }

  using Order = std::vector<int64_t>;

  // The order that all uses of `id`, maybe in another type, want it in; nullopt
  // when they differ.
  std::optional<Order> OrderOf(OpId id) const {
    if (fixed_[id] || users_[id].empty()) return std::nullopt;
    std::optional<Order> order;
    for (const OpId user : users_[id]) {
      const tilewise::Op& op = from_.op(user);
      std::optional<Order> wanted;
      if (op.kind == OpKind::kTranspose) wanted = op.as<TransposeAttrs>().dims;
      if (op.kind == OpKind::kConvert) wanted = OrderOf(user);
      if (!wanted || (order && *order != *wanted)) return std::nullopt;
      order = std::move(wanted);
    }
    return order;
  }

  void FindOrders() {
    users_.resize(from_.size());
    fixed_.assign(from_.size(), false);
    for (OpId id = 0; id < from_.size(); ++id) {
      if (!needed_[id]) continue;
      for (const OpId operand : from_.op(id).operands) users_[operand].push_back(id);
    }
    for (const Value& value : Wanted()) {
      if (value.kind == Value::Kind::kOp) fixed_[value.op] = true;
      if (!Tracer::IsWeight(value)) continue;
      for (const auto& [form, id] : weight(value.variable).made) fixed_[id] = true;
    }
  }

  void CopyWeight(const tilewise::Op& op, int32_t index) {
    tilewise::Op copy = op;
    copy.name = weight(index).name.empty() ? "weight" : weight(index).name;
    copy.location = trace_.weight_places_[index];
    copy.attrs = VariableAttrs{IsTrained(index)};
    if (const std::optional<Order> order = OrderOf(op.id)) {
      Reorder(copy, *order);
      SkipTransposes(op.id);
    }
    copy.origin = OpId(out_.size());
    made_[index] = map_[op.id] = out_.Clone(copy, {});
  }

  static void Reorder(tilewise::Op& op, const Order& order) {
    const std::vector<Dim> dims = op.shape.dims;
    for (size_t i = 0; i < order.size(); ++i) op.shape.dims[i] = dims[order[i]];
  }

  // The transposes behind `id` are what it is already.
  void SkipTransposes(OpId id) {
    for (const OpId user : users_[id]) {
      if (from_.op(user).kind == OpKind::kTranspose) {
        skipped_[user] = true;
      } else {
        reordered_[user] = true;
        SkipTransposes(user);
      }
    }
  }

  void CopyNeeded() {
    skipped_.assign(from_.size(), false);
    reordered_.assign(from_.size(), false);
    for (OpId id = 0; id < from_.size(); ++id) {
      if (!needed_[id] || reads_[id]) continue;
      const tilewise::Op& op = from_.op(id);
      if (op.kind == OpKind::kVariable && weight_of_[id] >= 0) {
        CopyWeight(op, weight_of_[id]);
      } else if (trace_.taken_as_inputs_.contains(id)) {
        out_.SetLocation(op.location);
        map_[id] = out_.Parameter(op.shape, op.name);
      } else if (skipped_[id]) {
        map_[id] = map_[op.operands[0]];
      } else {
        std::vector<OpId> operands;
        operands.reserve(op.operands.size());
        for (const OpId operand : op.operands) operands.push_back(map_[operand]);
        map_[id] = Copied(op, std::move(operands), reordered_[id]);
      }
    }
  }

  OpId Copied(const tilewise::Op& op, std::vector<OpId> operands, bool reordered) {
    tilewise::Op copy = op;
    if (pass_ > 1 && op.loop.id != 0) {
      const int32_t shift = (pass_ - 1) * trace_.loop_count_;  // loops of its own
      copy.loop.id += shift;
      if (copy.loop.first != 0) copy.loop.first += shift;
    }
    copy.origin = OpId(out_.size());
    if (reordered) copy.shape.dims = out_.shape(operands[0]).dims;
    return out_.Clone(copy, std::move(operands));
  }

  // What reads weights, for a pass that trains some of them: what comes of others alone has no
  // gradient in it. What two passes compute alike is there once.
  void CopyPass(const Value& loss, const std::vector<Value>& trained) {
    std::vector<bool> trains(trace_.weights_.size(), false), needed(from_.size(), false);
    MarkWeights(trained, trains);
    ++pass_;
    if (pass_ > static_cast<int>(request_.others.size())) {
      for (const Value& value : request_.results) Need(value, needed);
      for (const auto& [state, value] : request_.states) Need(value, needed);
    }
    Need(loss, needed);
    NeedOperands(needed);
    std::vector<bool> active(from_.size(), false);  // it comes of what the pass trains
    for (OpId id = 0; id < from_.size(); ++id) {
      if (weight_of_[id] >= 0) active[id] = trains[weight_of_[id]];
      if (!needed[id] || !reads_[id]) continue;
      const std::vector<OpId>& operands = from_.op(id).operands;
      active[id] = std::any_of(operands.begin(), operands.end(),
                               [&](OpId operand) { return active[operand]; });
      std::vector<OpId> seen;
      seen.reserve(operands.size());
      for (const OpId operand : operands) {
        const OpId value = Newest(operand, id);
        seen.push_back(active[id] && !active[operand] ? WithoutGradient(operand, value) : value);
      }
      const auto [at, is_new] = copies_.try_emplace({id, seen}, kNoOp);
      if (is_new) {
        at->second = skipped_[id] ? seen[0] : Copied(from_.op(id), seen, reordered_[id]);
      }
      map_[id] = at->second;
    }
    losses_.push_back(OpOf(loss));
  }

  // The value of `operand` that `user` reads: of a weight, that after the updates before.
  OpId Newest(OpId operand, OpId user) {
    const OpId value = map_[operand];
    const int index = weight_of_[operand];
    if (index < 0 || !IsTrained(index)) return value;
    const auto updates = std::count_if(
        request_.updates.begin(), request_.updates.end(), [&](const UpdateInStep& update) {
          return update.from <= user &&
                 std::any_of(update.weights.begin(), update.weights.end(),
                             [&](const Value& each) { return each.variable == index; });
        });
    if (updates == 0) return value;
    const auto [at, is_new] = updated_.try_emplace({value, updates}, kNoOp);
    if (is_new) at->second = out_.Barrier(value, {});
    return at->second;
  }

  // `value` of the trace's `id`, cut off from the weights that it is made of.
  OpId WithoutGradient(OpId id, OpId value) {
    const int index = weight_of_[id];
    const bool has_gradient = index >= 0 ? IsTrained(index) : reads_[id];
    if (!has_gradient || !IsFloat(out_.shape(value).dtype)) return value;
    const auto [at, is_new] = cut_.try_emplace(value, kNoOp);
    if (is_new) at->second = ThroughItsBits(value);
    return at->second;
  }

  // Its bits as integers and back: integers have no gradient.
  OpId ThroughItsBits(OpId x) {
    const Shape real = out_.shape(x);
    Shape bits = real;
    switch (BitWidth(real.dtype)) {
      case 8:
        bits.dtype = DType::kS8;
        break;
      case 16:
        bits.dtype = DType::kS16;
        break;
      case 32:
        bits.dtype = DType::kS32;
        break;
      default:
        bits.dtype = DType::kS64;
    }
    return out_.BitcastConvert(out_.BitcastConvert(x, bits), real);
  }

  // The op of a value in the step; kNoOp when it is nothing of the device.
  OpId OpOf(const Value& value) {
    out_.SetLocation(trace_.location_);
    if (value.kind == Value::Kind::kOp) return map_[value.op];
    if (value.known() && !value.is_empty()) return Materialize(out_, *value.known());
    if (!Tracer::IsWeight(value)) return kNoOp;
    OpId& made = made_[value.variable];
    if (made == kNoOp) {
      const onnx::Weight& made_now = weight(value.variable);
      out_.SetLocation(trace_.weight_places_[value.variable]);
      made = out_.Variable(made_now.shape, made_now.name, IsTrained(value.variable));
    }
    return made;
  }

  void AddOutputs() {
    if (request_.loss) {
      const OpId loss = OpOf(*request_.loss);
      if (loss == kNoOp || !IsFloat(out_.shape(loss).dtype)) {
        return out_.Fail(fmt::format(
            "found a loss of {}, expected numbers",
            loss == kNoOp ? "nothing that is computed" : FormatShape(out_.shape(loss))));
      }
      if (losses_.empty()) losses_.push_back(loss);
      for (const OpId each : losses_) out_.AddOutput(each, Output::Role::kLoss);
    }
    std::vector<OpId> added;
    for (const Value& value : request_.results) {
      const OpId result = OpOf(value);
      if (result == kNoOp || std::find(added.begin(), added.end(), result) != added.end()) continue;
      added.push_back(result);
      out_.AddOutput(result, Output::Role::kResult);
    }
    for (const auto& [state, value] : request_.states) {
      const OpId variable = OpOf(state), next = OpOf(value);
      if (variable == kNoOp || next == kNoOp || variable == next || !Tracer::IsWeight(state)) {
        continue;
      }
      if (out_.shape(variable) != out_.shape(next)) continue;
      out_.AddOutput(next, Output::Role::kState, variable);
    }
  }

  absl::Status WriteOutLayers() {
    if (!request_.others.empty()) return absl::OkStatus();
    std::vector<LayerLoop> loops;
    for (const Tracer::OpenLoop& traced : trace_.closed_) {
      if (map_[traced.counter] == kNoOp) continue;
      LayerLoop& loop = loops.emplace_back();
      loop.id = traced.place.id;
      loop.trips = traced.trips;
      loop.begin = map_[traced.counter];
      for (OpId id = traced.counter; id <= traced.last; ++id) {
        loop.last = std::max(loop.last, map_[id]);
      }
      for (const auto& [inside, next] : traced.carried) {
        if (inside == kNoOp || map_[inside] == kNoOp) continue;
        loop.carried.emplace_back(map_[inside], next == kNoOp ? kNoOp : map_[next]);
      }
    }
    TW_ASSIGN_OR_RETURN(UnrolledLayers layers, UnrollLayers(step_.graph, loops));
    step_.graph = std::move(layers.graph);
    if (layers.ids.empty()) return absl::OkStatus();
    for (OpId& id : map_) id = id == kNoOp ? kNoOp : layers.ids[id];
    return absl::OkStatus();
  }

  void NoteBatch(std::string message) {
    step_.notes.push_back(NoteAt("RD002", "cannot-resolve", trace_.location_, std::move(message)));
  }

  static int64_t SmallestOf(const Graph& graph, const std::vector<BatchSeed>& seeds) {
    int64_t batch = kMaxElements;
    for (const BatchSeed& seed : seeds) {
      batch = std::min(batch, graph.op(seed.parameter).shape.size(seed.dim));
    }
    return batch;
  }

  void SeparateTheBatch() {
    std::vector<BatchSeed> seeds;
    for (const BatchSeed& seed : trace_.seeds_) {
      if (!needed_[seed.parameter]) continue;
      const OpId id = map_[seed.parameter];
      // An input that has become a constant has no batch.
      const bool input = id >= 0 && id < step_.graph.size() &&
                         step_.graph.op(id).kind == OpKind::kParameter &&
                         seed.dim < step_.graph.op(id).shape.rank();
      if (input) seeds.push_back({id, seed.dim});
    }
    const bool rows = seeds.empty() && request_.loss.has_value();
    if (rows) seeds = RowsOfInputs(step_.graph);
    if (seeds.empty()) return;
    absl::StatusOr<BatchGuess> found = FindBatch(step_.graph, seeds);
    const int64_t parts = request_.training ? request_.training->accumulation_steps : 1;
    if (!found.ok() && parts > 1) {
      if (std::optional<BatchOfPart> part = FindBatchOfPart(step_.graph, parts)) {
        step_.graph = std::move(part->graph);
        found = std::move(part->batch);
      }
    }
    std::string reason = rows ? "all inputs have as many rows" : "";
    if (!found.ok()) {
      reason = Message(found.status());
      if (!rows) found = GuessBatch(step_.graph);
    } else if (trace_.weights_.empty() && found->holds_it_twice()) {
      // The inputs of a program without weights of its own may be weights.
      absl::StatusOr<BatchGuess> guess = GuessBatch(step_.graph);
      if (guess.ok() && !guess->holds_it_twice()) {
        found = std::move(guess);
        reason = "with dim 0 of every input, a tensor would have it twice";
      }
    }
    absl::StatusOr<Graph> separated =
        found.ok() ? SeparateBatch(step_.graph, *found) : absl::StatusOr<Graph>(found.status());
    if (!separated.ok()) {
      NoteBatch(fmt::format(
          "the batch of {} cannot be told from the other sizes, and stays as it "
          "is: {}",
          SmallestOf(step_.graph, seeds), reason.empty() ? Message(separated.status()) : reason));
      return;
    }
    if (!reason.empty()) {
      const BatchSeed& first = found->seeds.front();
      NoteBatch(fmt::format("the batch is taken to be dim {} of input {}: {}", first.dim,
                            step_.graph.op(first.parameter).name, reason));
    }
    step_.batch = found->batch;
    step_.graph = *std::move(separated);
  }

  void Count() {
    ModelCounts& counts = step_.counts;
    std::vector<int32_t> indices;
    if (request_.weights) {
      for (const Value& value : *request_.weights) {
        if (Tracer::IsWeight(value)) indices.push_back(value.variable);
      }
      std::sort(indices.begin(), indices.end());
      indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    } else {
      indices.resize(trace_.weights_.size());
      std::iota(indices.begin(), indices.end(), 0);
    }
    for (const int32_t index : indices) {
      const int64_t elements = weight(index).shape.elements();
      (IsTrained(index) ? counts.trainable : counts.other) += elements;
      if (made_[index] == kNoOp) counts.unused.push_back(weight(index).name);
    }
    counts.macs_of_one = step_.batch.has_value();
    const Graph one = step_.graph.Bind(1);
    double macs = 0;
    for (const tilewise::Op& op : one.ops()) macs += CountMultiplyAdds(one, op);
    counts.macs = static_cast<int64_t>(macs);
  }

  const Tracer& trace_;
  const StepRequest& request_;
  const GraphBuilder& from_;
  GraphBuilder out_;
  TracedStep step_;
  std::vector<int> weight_of_;  // by op of the trace; -1: no weight
  std::vector<bool> needed_;    // the same, and so on
  std::vector<OpId> map_;
  std::vector<std::vector<OpId>> users_;  // those that are needed
  std::vector<bool> fixed_, skipped_, reordered_;
  std::vector<OpId> made_;     // by weight: its op in the step
  std::vector<bool> trained_;  // the same
  std::vector<bool> reads_;    // by op of the trace: it reads weights, and passes differ in it
  std::vector<OpId> losses_;   // of the passes, where there are several
  int pass_ = 0;
  // Weights of the step after so many updates, and its values that are cut off.
  std::map<std::pair<OpId, int64_t>, OpId> updated_;
  std::map<OpId, OpId> cut_;
  std::map<std::pair<OpId, std::vector<OpId>>, OpId> copies_;  // of ops of the trace
};

absl::StatusOr<TracedStep> Tracer::Finish(const StepRequest& request) const {
  return StepBuilder(*this, request).Run();
}

void TracedStep::MoveInto(Workload& workload) && {
  workload.graph = std::move(graph);
  workload.step = step;
  workload.training = std::move(training);
  workload.model_size = ModelSize{counts.trainable, counts.other, std::nullopt};
  if (counts.macs_of_one) workload.model_size->multiply_adds = counts.macs;
  workload.layers = 0;
  for (const auto& [name, count] : source_ops) workload.layers += count;
  workload.source_ops = std::move(source_ops);
  workload.opaque_layers = std::move(opaque_ops);
  workload.notes.insert(workload.notes.end(), std::make_move_iterator(notes.begin()),
                        std::make_move_iterator(notes.end()));
}

}  // namespace tilewise::program
