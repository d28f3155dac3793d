// Parameters and outputs of the graph, and what kind of step the module is.

#include "frontend/hlo/build_graph.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "frontend/hlo/arguments.h"
#include "frontend/hlo/native_graph.h"
#include "frontend/hlo/record_facts.h"
#include "frontend/hlo/shapes.h"
#include "frontend/hlo/trained.h"
#include "frontend/hlo/translation.h"

namespace tilewise::hlo {
namespace {

// The order of dims in memory in which the program gets an array; of a compiled
// module the layouts of all values are taken over.
ParameterAttrs StatedOrder(const Translation& t, const HloShape& shape) {
  if (shape.dims.size() < 2 || t.compiled()) return {};
  std::vector<int64_t> dims = MajorToMinor(shape);
  std::reverse(dims.begin(), dims.end());
  return {std::move(dims)};
}

// The op of each argument.
absl::StatusOr<std::vector<OpId>> MakeArguments(Translation& t,
                                                const std::vector<Argument>& arguments) {
  std::vector<OpId> ops;
  ops.reserve(arguments.size());
  for (const Argument& argument : arguments) {
    t.Begin(argument.name, t.Place(*argument.parameter));
    const bool is_input = argument.role == ArgumentRole::kInput;
    Attributes attrs = StatedOrder(t, *argument.shape);
    if (!is_input) attrs = VariableAttrs{IsFloat(argument.shape->dtype)};
    ops.push_back(t.emit().Add(is_input ? OpKind::kParameter : OpKind::kVariable, {},
                               std::move(attrs), GraphShape(*argument.shape)));
    const absl::Status status = t.emit().TakeStatus();
    if (!status.ok()) {
      return Annotate(InvalidInput(Message(status)), FormatLocation(t.Place(*argument.parameter)));
    }
    RecordArgument(*argument.parameter, *argument.shape, ops.back(), t.facts());
  }
  return ops;
}

// The tree of a parameter, its arrays taken from `ops` in order.
Value ParameterTree(const HloShape& shape, const std::vector<OpId>& ops, size_t& next) {
  if (shape.kind == HloShape::Kind::kTuple) {
    std::vector<Value> elements;
    elements.reserve(shape.elements.size());
    for (const HloShape& element : shape.elements) {
      elements.push_back(ParameterTree(element, ops, next));
    }
    return Value::Tuple(std::move(elements));
  }
  if (HoldsNothing(shape)) return {};
  return ops[next++];
}

// Returns the value of each parameter by its number.
std::vector<Value> ParameterValues(const Module& module, const std::vector<OpId>& ops) {
  std::map<int64_t, const HloShape*> shapes;
  const Computation& entry = module.computations[module.entry];
  for (const Instruction& i : entry.instructions) {
    if (i.opcode == Opcode::kParameter && i.index >= 0) {
      shapes.try_emplace(i.index, &i.shape);
    }
  }
  std::vector<Value> values;
  size_t next = 0;
  for (const auto& [number, shape] : shapes) {
    // Numbers that are left out have no value.
    constexpr int64_t kMostParameters = 10'000'000;
    if (number > kMostParameters) break;
    values.resize(number);
    values.push_back(ParameterTree(*shape, ops, next));
  }
  return values;
}

struct Outputs {
  GraphBuilder& builder;
  const std::vector<OpId>& ops;
  // The key is the index in the result, the value the argument that it
  // overwrites.
  std::map<std::vector<int64_t>, size_t> state;

  void Add(const Value& value, std::vector<int64_t>& index) {
    for (size_t i = 0; i < value.elements().size(); ++i) {
      index.push_back(static_cast<int64_t>(i));
      Add(value.elements()[i], index);
      index.pop_back();
    }
    if (!value.is_op()) return;
    const auto at = state.find(index);
    if (at == state.end()) {
      builder.AddOutput(value.op(), Output::Role::kResult);
      return;
    }
    const OpId variable = ops[at->second];
    // State that is handed on as it is.
    if (variable == value.op()) return;
    const bool fits = builder.shape(variable) == builder.shape(value.op());
    builder.AddOutput(value.op(), fits ? Output::Role::kState : Output::Role::kResult,
                      fits ? variable : kNoOp);
  }
};

void AddOutputs(Translation& t, const Value& root, const std::vector<Argument>& arguments,
                const std::vector<OpId>& ops) {
  Outputs outputs = {t.emit(), ops, {}};
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].role != ArgumentRole::kState) continue;
    outputs.state.try_emplace(arguments[i].output, i);
  }
  std::vector<int64_t> index;
  outputs.Add(root, index);
  for (const OpId op : t.results()) {
    t.emit().AddOutput(op, Output::Role::kResult);
  }
}

void AddDonors(const Module& module, const std::vector<Argument>& arguments,
               const std::vector<OpId>& ops, ModuleFacts& facts) {
  for (const auto& [parameter, index] : module.donors) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].parameter->index == parameter && arguments[i].index == index) {
        facts.donated.push_back(ops[i]);
      }
    }
  }
}

std::map<std::string, int64_t> CountOps(const Module& module) {
  std::map<std::string, int64_t> counts;
  std::vector<int64_t> by_opcode(static_cast<size_t>(Opcode::kUnknown) + 1);
  for (const Computation& computation : module.computations) {
    for (const Instruction& i : computation.instructions) {
      if (i.opcode == Opcode::kUnknown) {
        ++counts[std::string(i.more().opcode_text)];
      } else {
        ++by_opcode[static_cast<size_t>(i.opcode)];
      }
    }
  }
  for (size_t i = 0; i + 1 < by_opcode.size(); ++i) {
    if (by_opcode[i] == 0) continue;
    counts[std::string(OpcodeName(static_cast<Opcode>(i)))] += by_opcode[i];
  }
  return counts;
}

// A module that is to be partitioned still has the sizes of all devices.
void NoteSharding(Translation& t, const Module& module) {
  if (module.num_partitions <= 1) return;
  const Computation& entry = module.computations[module.entry];
  const bool sharded = std::any_of(
      entry.instructions.begin(), entry.instructions.end(),
      [](const Instruction& i) { return i.more().sharding->kind == Sharding::Kind::kTiled; });
  if (!sharded) return;
  t.Note("RD003", "ignored-part",
         fmt::format("the module is not partitioned yet: its sizes are those "
                     "of all {} devices, and its shardings are not applied",
                     module.num_partitions));
}

// Builds the workload of a module that tilewise printed.
absl::StatusOr<Workload> NativeWorkload(const Module& module, const std::string& path) {
  absl::StatusOr<Graph> graph = BuildNativeGraph(module);
  if (!graph.ok()) return Annotate(graph.status(), path);
  Workload workload;
  workload.name = path;
  workload.layers = graph->size();
  workload.source_ops = CountOps(module);
  workload.step = StepOf(module, *graph);
  workload.graph = *std::move(graph);
  return workload;
}

}  // namespace

absl::StatusOr<Workload> BuildWorkload(const Module& module, const std::string& path) {
  const size_t entry = module.entry;
  if (module.entry < 0 || entry >= module.computations.size() ||
      module.computations[entry].instructions.empty() ||
      static_cast<size_t>(module.computations[entry].root) >=
          module.computations[entry].instructions.size()) {
    return InvalidInput(fmt::format("{}: found no instructions in the entry computation", path));
  }
  if (IsNativeModule(module)) return NativeWorkload(module, path);
  Translation t(module, path);
  const std::vector<Argument> arguments = FindArguments(module);
  TW_ASSIGN_OR_RETURN(const std::vector<OpId> ops, MakeArguments(t, arguments));
  TW_ASSIGN_OR_RETURN(const Value root, t.Run(ParameterValues(module, ops)));
  AddOutputs(t, root, arguments, ops);
  NoteSharding(t, module);
  AddDonors(module, arguments, ops, t.facts());
  CloseFacts(module, t.facts());
  Workload workload;
  workload.name = path;
  workload.layers = t.instructions();
  workload.opaque_layers = t.unknown();
  workload.source_ops = CountOps(module);
  workload.compilation = t.TakeCompilation();
  workload.notes = t.TakeNotes();
  workload.module = std::move(t.facts());
  TW_ASSIGN_OR_RETURN(Graph graph, t.emit().Build());
  workload.step = StepOf(module, graph);
  TW_ASSIGN_OR_RETURN(workload.graph, MarkTrainable(std::move(graph), workload.step));
  return workload;
}

}  // namespace tilewise::hlo
