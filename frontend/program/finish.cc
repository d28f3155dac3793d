// What a step needs of a trace, as a graph of its own: weights with their dims
// in the order that their uses want, then the batch set apart from the other
// sizes.

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/math.h"
#include "frontend/program/tracer.h"
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
    for (const Value& weight : request.trained.value_or(std::vector<Value>())) {
      if (Tracer::IsWeight(weight)) trained_[weight.variable] = true;
    }
  }

  absl::StatusOr<TracedStep> Run() {
    FindNeeded();
    FindOrders();
    CopyNeeded();
    AddOutputs();
    if (!out_.ok()) return out_.status();
    TW_ASSIGN_OR_RETURN(step_.graph, out_.Build());
    if (step_.graph.outputs().empty()) {
      return InvalidInput("found no value that the device computes, expected a loss or a result");
    }
    step_.source_ops.insert(trace_.source_ops_.begin(), trace_.source_ops_.end());
    step_.opaque_ops.insert(trace_.opaque_ops_.begin(), trace_.opaque_ops_.end());
    step_.notes = trace_.notes_;
    step_.training = request_.training;
    if (request_.training) step_.step = StepKind::kTraining;
    SeparateTheBatch();
    Count();
    return std::move(step_);
  }

 private:
  const onnx::Weight& weight(int32_t index) const { return trace_.weights_[index]; }
  bool IsTrained(int32_t index) const { return weight(index).trainable && trained_[index]; }

  void Need(const Value& value) {
    if (value.kind == Value::Kind::kOp) needed_[value.op] = true;
    if (!Tracer::IsWeight(value)) return;
    for (const auto& [form, id] : weight(value.variable).made) {
      if (form == onnx::WeightForm{}) needed_[id] = true;
    }
  }

  // Values that stay as they are when weights get other orders.
  std::vector<Value> Wanted() const {
    std::vector<Value> wanted = request_.results;
    if (request_.loss) wanted.push_back(*request_.loss);
    for (const auto& [state, value] : request_.states) {
      wanted.push_back(state);
      wanted.push_back(value);
    }
    return wanted;
  }

  void FindNeeded() {
    for (const Value& value : Wanted()) Need(value);
    for (OpId id(from_.size() - 1); id >= 0; --id) {
      if (!needed_[id]) continue;
      for (const OpId operand : from_.op(id).operands) needed_[operand] = true;
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
      if (!needed_[id]) continue;
      const tilewise::Op& op = from_.op(id);
      if (op.kind == OpKind::kVariable && weight_of_[id] >= 0) {
        CopyWeight(op, weight_of_[id]);
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
    copy.origin = OpId(out_.size());
    if (reordered) copy.shape.dims = out_.shape(operands[0]).dims;
    return out_.Clone(copy, std::move(operands));
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
      out_.AddOutput(loss, Output::Role::kLoss);
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
    if (seeds.empty()) return;
    absl::StatusOr<BatchGuess> found = FindBatch(step_.graph, seeds);
    std::string reason;
    if (!found.ok()) {
      reason = Message(found.status());
      found = GuessBatch(step_.graph);
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
