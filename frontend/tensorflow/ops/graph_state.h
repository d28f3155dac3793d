// The graph that is being built, and what is known of it as a whole: variables,
// constants that became ops, the loop around, notes.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/diagnostic.h"
#include "frontend/tensorflow/graph_def.h"
#include "frontend/tensorflow/node_locations.h"
#include "frontend/tensorflow/ops/op_context.h"
#include "workload/module_facts.h"

namespace tilewise::tf {

// What is on the host, of that shape where it is known; strings have no type
// here.
inline Value OnHost(std::optional<std::vector<Dim>> dims) {
  std::optional<Shape> shape;
  if (dims) shape.emplace(DType::kU8, *std::move(dims));
  return Value::Host(std::move(shape));
}

// The loop around the node at hand.
struct LoopScope {
  EnclosingLoop place;
  int64_t trip_count = 1;  // of the innermost loop
};

class GraphState {
 public:
  // `places` outlives it.
  GraphState(std::string name, const NodeLocations& places, const GraphDef& graph);

  GraphBuilder builder;
  const GraphDef& graph;
  const NodeLocations& places;
  std::vector<VariableState> variables;
  std::vector<Diagnostic> notes;
  ModuleFacts facts;
  std::map<std::string, int64_t> opaque;  // ops without arithmetic, by name
  LoopScope loop;
  int32_t loops = 0;  // the last number that a loop has
  // What stands for the batch where the file has it open: a number when other
  // sizes of the graph were made for one.
  Dim batch = BatchDim();
  // The node at hand; ops made for it get this location.
  std::string item;
  // The function whose body is evaluated; empty: the graph itself.
  std::string_view function;

  // Returns where a node of that function stands.
  Location LocationOf(std::string_view node) const { return places.Of(node, function); }
  // Sets item, names and loop for the ops of a node.
  void At(std::string_view node, const LoopScope& scope);

  // The variable of that name, made when there is none yet.
  int32_t Variable(std::string_view name, std::optional<Shape> shape, bool trainable);
  // The op of a variable as the step starts; `fallback` is its shape when the
  // file gives none. kNoOp: no shape is known; the builder then fails.
  OpId ReadVariable(int32_t variable, const std::optional<Shape>& fallback);

  // A constant of the model rather than one of shape arithmetic: what becomes a
  // trainable variable when it is used as a tensor.
  void AddWeight(const std::shared_ptr<const KnownValue>& value, std::string_view name);
  // The op of a known value, made once.
  OpId Materialize(const std::shared_ptr<const KnownValue>& value);

  // The builder as it was, and what was materialized or read since is not made
  // yet.
  void RollBack(const GraphBuilder::Mark& mark);

  // A leaf made outside of all loops.
  OpId Parameter(Shape shape, std::string_view name);
  OpId Weight(Shape shape, std::string_view name, bool trainable);

  // Adds a note. A few notes of one kind are kept at most; all are counted.
  void Note(std::string_view id, std::string_view name, std::string message);
  // Adds a note for those that were not kept.
  void CloseNotes();

 private:
  struct Made {
    std::shared_ptr<const KnownValue> value;  // keeps the address in use
    std::string name;                         // of a weight; else empty
    OpId op = kNoOp;
  };
  // Leaves belong to no loop; their names and locations are their own, not
  // those of the node that uses them.
  template <typename Make>
  OpId Leaf(std::string_view name, Make make);

  absl::flat_hash_map<std::string, int32_t> variable_index_;
  absl::flat_hash_map<const KnownValue*, Made> made_;
  std::vector<const KnownValue*> materialized_;  // in order
  std::vector<int32_t> read_;                    // variables, in order
  std::map<std::string, int64_t> note_counts_;
};

}  // namespace tilewise::tf
