// Loops of TensorFlow 1. The body is put in once, and its ops know how often
// they run.

#include <utility>

#include <fmt/format.h>

#include "absl/container/flat_hash_map.h"
#include "frontend/tensorflow/evaluator.h"
#include "frontend/tensorflow/trip_count.h"
#include "library/trip_count.h"

namespace tilewise::tf {
namespace {

constexpr int kMaxLoopDepth = 64;

}  // namespace

LoopScope Evaluator::EnterLoop(const LoopScope& outer, int64_t trips) {
  LoopScope scope;
  scope.trip_count = trips;
  scope.place = LoopWithin(outer.place, ++state_.loops, trips);
  return scope;
}

Value Evaluator::Carry(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kOp:
      return Value::Of(state_.builder.Barrier(value.op, {}));
    case Value::Kind::kKnown:
      if (value.known()->size() == 0) return value;
      return Value::Of(state_.builder.Barrier(state_.Materialize(value.known()), {}));
    case Value::Kind::kList: {
      if (value.list()->stacked == kNoOp) return value;
      TensorList list = *value.list();
      list.stacked = state_.builder.Barrier(list.stacked, {});
      return Value::Of(std::move(list));
    }
    default:
      return value;
  }
}

void Evaluator::NoteIterations(std::string_view node, bool found, bool bound) {
  state_.item = node;
  if (!found) {
    state_.Note("RD002", "cannot-resolve",
                fmt::format("how often loop {} runs is not known before it "
                            "runs; 1 trip is taken",
                            node));
  } else if (bound) {
    state_.Note("RD002", "cannot-resolve",
                fmt::format("loop {} may end before its limit; all iterations up to "
                            "it are taken",
                            node));
  }
}

// One loop of TensorFlow 1 while it is evaluated.
class Evaluator::FrameRun {
 public:
  FrameRun(Evaluator& evaluator, Instance& in, const LoopFrame& frame, const LoopScope& outer)
      : evaluator_(evaluator), in_(in), index_(in.index()), frame_(frame), outer_(outer) {}

  absl::Status Go(int32_t exit) {
    for (const int32_t enter : frame_.enters) {
      if (!in_.done(enter)) in_.Set(enter, Entering(enter));
    }
    TW_RETURN_IF_ERROR(FindVariants());
    const LoopQuery query = Query();
    std::optional<TripCount> count;
    if (frame_.condition >= 0) {
      count = FindIterations(index_, {frame_.condition, 0}, query);
    }
    TW_RETURN_IF_ERROR(status_);
    evaluator_.NoteIterations(index_.node(exit).name, count.has_value(), count && count->is_bound);
    const int64_t trips = count ? count->trip_count : 1;
    if (trips > 0) TW_RETURN_IF_ERROR(Body(trips));
    for (const int32_t left : frame_.exits) {
      const auto found = by_switch_.find(index_.inputs(left)[0].node);
      if (found == by_switch_.end() || in_.done(left)) continue;
      in_.Set(left, Leaving(found->second, count, query));
    }
    if (!in_.done(exit)) in_.Set(exit, Value{});
    return absl::OkStatus();
  }

 private:
  const LoopFrame::Variable& Variable(int k) const { return frame_.variables[k]; }

  Value Entering(int32_t enter) const {
    const std::span<const Edge> inputs = index_.inputs(enter);
    return inputs.empty() ? Value{} : in_.Get(inputs[0]);
  }

  // Whether an edge is variable k in the body.
  bool IsVariable(int k, Edge edge) const {
    const auto found = by_switch_.find(edge.node);
    return edge.output == 1 && found != by_switch_.end() && found->second == k;
  }

  // Tells variables that the body changes from those it only hands on; the
  // latter are known.
  absl::Status FindVariants() {
    const auto count = static_cast<int>(frame_.variables.size());
    updates_.reserve(frame_.variables.size());
    for (int k = 0; k < count; ++k) {
      for (const int32_t test : Variable(k).switches) by_switch_[test] = k;
    }
    for (int k = 0; k < count; ++k) {
      const std::span<const Edge> next = index_.inputs(Variable(k).next);
      updates_.push_back(next.empty() ? Edge{} : next[0]);
      if (updates_.back().node < 0) {
        return InvalidInput(fmt::format("node '{}' has no operand in the graph",
                                        index_.node(Variable(k).next).name));
      }
      if (IsVariable(k, ThroughIdentities(index_, updates_.back()))) {
        in_.Set(Variable(k).merge, Entering(Variable(k).enter));
      } else {
        variant_[Variable(k).merge] = k;
      }
    }
    return absl::OkStatus();
  }

  LoopQuery Query() {
    LoopQuery query;
    query.variable = [this](Edge edge) {
      const auto found = variant_.find(ThroughIdentities(index_, edge).node);
      return found == variant_.end() ? -1 : found->second;
    };
    query.invariant = [this](Edge edge) -> std::optional<double> {
      if (edge.node < 0 || DependsOn(index_, edge, variant_)) {
        return std::nullopt;
      }
      status_ = evaluator_.Run(in_, std::span(&edge.node, 1), outer_);
      return status_.ok() ? NumberOf(in_.Get(edge)) : std::nullopt;
    };
    query.initial = [this](int k) { return NumberOf(Entering(Variable(k).enter)); };
    query.step = [this](int k) {
      return StepOf(
          index_, updates_[k], [this, k](Edge edge) { return IsVariable(k, edge); },
          [this](Edge edge) -> std::optional<double> {
            const auto constant = ConstantAt(index_, edge);
            const Edge from = ThroughIdentities(index_, edge);
            if (constant || from.node < 0 || !in_.done(from.node)) {
              return constant;
            }
            return NumberOf(in_.Get(from));
          });
    };
    return query;
  }

  absl::Status Body(int64_t trips) {
    const LoopScope inner = evaluator_.EnterLoop(outer_, trips);
    std::vector<int32_t> roots = frame_.pushes;
    roots.reserve(roots.size() + updates_.size());
    for (const LoopFrame::Variable& variable : frame_.variables) {
      if (!variant_.contains(variable.merge)) continue;
      evaluator_.state_.At(index_.node(variable.merge).name, inner);
      in_.Set(variable.merge, evaluator_.Carry(Entering(variable.enter)));
    }
    for (const Edge& update : updates_) roots.push_back(update.node);
    return evaluator_.Run(in_, roots, inner);
  }

  // The value of variable k after the loop.
  Value Leaving(int k, const std::optional<TripCount>& count, const LoopQuery& query) const {
    const bool never = count && count->trip_count == 0;
    if (never || !variant_.contains(Variable(k).merge)) {
      return Entering(Variable(k).enter);
    }
    // A counter's is known when the iterations are.
    const std::optional<double> initial = query.initial(k);
    const std::optional<double> step = query.step(k);
    if (count && !count->is_bound && initial && step) {
      return Value::Of(KnownScalar(*initial + *step * static_cast<double>(count->trip_count),
                                   Entering(Variable(k).enter).known()->dtype));
    }
    return in_.Get(updates_[k]);
  }

  Evaluator& evaluator_;
  Instance& in_;
  const GraphIndex& index_;
  const LoopFrame& frame_;
  const LoopScope outer_;
  absl::flat_hash_map<int32_t, int> variant_;    // by Merge
  absl::flat_hash_map<int32_t, int> by_switch_;  // variables by their Switch
  std::vector<Edge> updates_;                    // of each variable, at the end of the body
  absl::Status status_;
};

absl::Status Evaluator::RunFrame(Instance& in, int32_t exit, const LoopScope& loop) {
  const GraphIndex& index = in.index();
  const LoopFrame* frame = FramesOf(index).Of(exit);
  if (frame == nullptr) {
    in.Set(exit, in.Get(index.inputs(exit).empty() ? Edge{} : index.inputs(exit)[0]));
    return absl::OkStatus();
  }
  if (++frame_depth_ > kMaxLoopDepth) {
    return InvalidInput(
        fmt::format("loops are nested {} deep at node '{}'", frame_depth_, index.node(exit).name));
  }
  TW_RETURN_IF_ERROR(FrameRun(*this, in, *frame, loop).Go(exit));
  --frame_depth_;
  return absl::OkStatus();
}

}  // namespace tilewise::tf
