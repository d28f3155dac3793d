// Variables, constants and notes of the graph that is being built.

#include "frontend/tensorflow/ops/graph_state.h"

#include <utility>

#include <fmt/format.h>

#include "workload/reader_note.h"

namespace tilewise::tf {
namespace {

constexpr int64_t kMaxNotes = 20;  // of one id

}  // namespace

GraphState::GraphState(std::string name, const NodeLocations& node_locations,
                       const GraphDef& graph_def)
    : builder(std::move(name)), graph(graph_def), places(node_locations) {
  builder.ReserveNames(graph.nodes.size());
}

void GraphState::At(std::string_view node, const LoopScope& scope) {
  item = node;
  loop = scope;
  builder.SetLocation(LocationOf(node));
  builder.SetScope(item);
  builder.SetLoop(scope.place);
}

int32_t GraphState::Variable(std::string_view name, std::optional<Shape> shape, bool trainable) {
  const auto [found, added] =
      variable_index_.try_emplace(std::string(name), static_cast<int32_t>(variables.size()));
  if (added) {
    VariableState variable;
    variable.name = name;
    variable.trainable = trainable;
    variables.push_back(std::move(variable));
  }
  VariableState& variable = variables[found->second];
  if (!variable.shape) variable.shape = std::move(shape);
  return found->second;
}

OpId GraphState::ReadVariable(int32_t index, const std::optional<Shape>& fallback) {
  VariableState& variable = variables[index];
  if (variable.variable != kNoOp) return variable.variable;
  if (!variable.shape) variable.shape = fallback;
  if (!variable.shape) {
    builder.Fail(
        fmt::format("the shape of variable '{}' is not in the file, expected one", variable.name));
    return kNoOp;
  }
  const bool trainable = variable.trainable && IsFloat(variable.shape->dtype);
  variable.variable = Weight(*variable.shape, variable.name, trainable);
  read_.push_back(index);
  return variable.variable;
}

void GraphState::AddWeight(const std::shared_ptr<const KnownValue>& value, std::string_view name) {
  made_[value.get()] = {value, std::string(name), kNoOp};
}

OpId GraphState::Materialize(const std::shared_ptr<const KnownValue>& value) {
  const auto found = made_.find(value.get());
  if (found != made_.end() && found->second.op != kNoOp) {
    return found->second.op;
  }
  Made made{value, {}, kNoOp};
  if (found != made_.end()) made.name = found->second.name;
  if (made.name.empty()) {
    builder.SetLoop({});
    made.op = tilewise::Materialize(builder, *value);
    builder.SetLoop(loop.place);
  } else {
    made.op = Weight(Shape::Of(value->dtype, value->dims), made.name, true);
    facts.constants.push_back({made.op, kNoOp});
  }
  const OpId op = made.op;
  made_[value.get()] = std::move(made);
  materialized_.push_back(value.get());
  return op;
}

void GraphState::RollBack(const GraphBuilder::Mark& mark) {
  const auto is_gone = [&](OpId op) { return op == kNoOp || op >= mark.ops; };
  for (; !materialized_.empty(); materialized_.pop_back()) {
    OpId& op = made_[materialized_.back()].op;
    if (!is_gone(op)) break;
    op = kNoOp;
  }
  for (; !read_.empty(); read_.pop_back()) {
    OpId& op = variables[read_.back()].variable;
    if (!is_gone(op)) break;
    op = kNoOp;
  }
  while (!facts.constants.empty() && is_gone(facts.constants.back().op)) {
    facts.constants.pop_back();
  }
  builder.RollBack(mark);
}

template <typename Make>
OpId GraphState::Leaf(std::string_view name, Make make) {
  const std::string user = item;
  const LoopScope around = loop;
  At(name, {});
  builder.SetScope({});
  const OpId op = make();
  At(user, around);
  return op;
}

OpId GraphState::Parameter(Shape shape, std::string_view name) {
  return Leaf(name, [&] { return builder.Parameter(std::move(shape), name); });
}

OpId GraphState::Weight(Shape shape, std::string_view name, bool trainable) {
  // It is of the graph, whichever function reads it first.
  const std::string_view reader = std::exchange(function, {});
  const OpId op = Leaf(name, [&] { return builder.Variable(std::move(shape), name, trainable); });
  function = reader;
  return op;
}

void GraphState::Note(std::string_view id, std::string_view name, std::string message) {
  if (++note_counts_[std::string(id)] > kMaxNotes) return;
  Location place;
  place.file = places.file();
  if (!item.empty()) place = LocationOf(item);
  notes.push_back(NoteAt(id, name, std::move(place), std::move(message)));
}

void GraphState::CloseNotes() {
  for (const auto& [id, count] : note_counts_) {
    if (count <= kMaxNotes) continue;
    notes.push_back(NoteOnFile(id, "more-notes", places.file(),
                               fmt::format("{} more notes of this kind", count - kMaxNotes)));
  }
}

}  // namespace tilewise::tf
