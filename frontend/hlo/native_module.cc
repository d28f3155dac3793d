// Makes a module of a graph.

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "frontend/hlo/native_kinds.h"
#include "frontend/hlo/print.h"
#include "frontend/hlo/text_cursor.h"
#include "graph/text.h"
#include "graph/text_names.h"

namespace tilewise::hlo {
namespace {

HloShape ShapeOf(const Shape& shape) {
  HloShape made;
  made.dtype = shape.dtype;
  made.dims = shape.sizes();
  return made;
}

// The initial value of a reduction, which changes no other.
double Neutral(Reducer reducer, DType dtype) {
  const bool is_float = IsFloat(dtype);
  const bool is_signed = dtype == DType::kS4 || dtype == DType::kS8 || dtype == DType::kS16 ||
                         dtype == DType::kS32 || dtype == DType::kS64;
  const int bits = dtype == DType::kPred ? 1 : static_cast<int>(BitWidth(dtype));
  switch (reducer) {
    case Reducer::kMax:
      if (is_float) return -HUGE_VAL;
      return is_signed ? -std::ldexp(1, bits - 1) : 0;
    case Reducer::kMin:
      if (is_float) return HUGE_VAL;
      return std::ldexp(1, is_signed ? bits - 1 : bits) - 1;
    case Reducer::kProduct:
      return 1;
    case Reducer::kAnd:
      return is_signed ? -1 : std::ldexp(1, bits) - 1;
    default:
      return 0;
  }
}

class ModuleMaker {
 public:
  explicit ModuleMaker(const Graph& graph) : graph_(graph) {
    module_.dialect = "hlo";
    entry_.name = "main";
  }

  Module Make() {
    module_.name = Keep(HloName(graph_.name()));
    for (const Op& op : graph_.ops()) {
      Op rest = op;
      AddOp(op, rest);
      Annotate(At(op.id), DetailsText(rest));
    }
    AddRoot();
    module_.entry = static_cast<int32_t>(module_.computations.size());
    module_.computations.push_back(std::move(entry_));
    return std::move(module_);
  }

 private:
  std::string_view Keep(std::string text) { return module_.texts.emplace_back(std::move(text)); }

  Instruction& At(OpId op) { return entry_.instructions[places_[op]]; }

  static std::string HloName(std::string_view name) {
    std::string made(name.empty() ? "_" : name);
    for (char& c : made) {
      if (!IsHloNameChar(c)) c = '_';
    }
    // A module's name stands without a mark, and may not look like a number.
    const bool word =
        (made[0] >= 'a' && made[0] <= 'z') || (made[0] >= 'A' && made[0] <= 'Z') || made[0] == '_';
    return word ? made : '_' + made;
  }

  // Takes out of `rest` what the instruction states.
  void AddOp(const Op& op, Op& rest) {
    Instruction instruction;
    instruction.shape = ShapeOf(op.shape);
    SetName(op, instruction);
    if (ToHlo(op, instruction, rest.attrs)) {
      for (const OpId operand : op.operands) {
        instruction.operands.push_back(places_[operand]);
      }
      if (op.kind == OpKind::kReduce) CompleteReduction(op, instruction);
      if (instruction.opcode == Opcode::kParameter) {
        instruction.index = static_cast<int64_t>(parameters_.size());
        parameters_.emplace(op.id, instruction.index);
      }
      if (op.kind == OpKind::kVariable) Put(instruction, kRole, "variable");
    } else {
      instruction.opcode = Opcode::kCustomCall;
      instruction.Extras().custom_call_target = Keep(fmt::format("tilewise.{}", OpName(op.kind)));
      for (const OpId operand : op.operands) {
        instruction.operands.push_back(places_[operand]);
      }
    }
    SetContext(op, rest, instruction);
    places_.push_back(static_cast<int32_t>(entry_.instructions.size()));
    entry_.instructions.push_back(std::move(instruction));
  }

  void SetName(const Op& op, Instruction& instruction) {
    std::string name = HloName(op.name);
    if (name != op.name) instruction.metadata.op_name = op.name;
    // Instructions whose ops' names come out alike get numbers.
    const std::string stem = name;
    for (int64_t* next = nullptr; !names_.try_emplace(name, 1).second;) {
      if (next == nullptr) next = &names_[stem];
      name = fmt::format("{}.{}", stem, (*next)++);
    }
    if (name != op.name) instruction.metadata.op_name = op.name;
    instruction.name = Keep(std::move(name));
  }

  void SetContext(const Op& op, Op& rest, Instruction& instruction) {
    const Location& at = op.location;
    if (at.known() && at.cell == 0 && at.line >= 0 && at.column >= 0) {
      instruction.metadata.source_file = at.file;
      instruction.metadata.source_line = at.line;
      instruction.metadata.source_column = at.column;
      rest.location = Location();
      rest.location.item = at.item;
    }
    if (op.loop == EnclosingLoop()) return;
    Put(instruction, "loop", std::to_string(op.loop.id));
    Put(instruction, "trip_count", std::to_string(op.loop.trip_count));
    rest.loop = EnclosingLoop();
  }

  void Put(Instruction& instruction, std::string_view key, std::string value) {
    instruction.Extras().frontend.emplace_back(key, Keep(std::move(value)));
  }

  void Annotate(Instruction& instruction, const std::string& text) {
    if (text.empty()) return;
    if (instruction.opcode == Opcode::kCustomCall) {
      instruction.Extras().backend_config = Keep(text);
    } else {
      Put(instruction, "tilewise_attributes", text);
    }
  }

  void CompleteReduction(const Op& op, Instruction& instruction) {
    Instruction initial;
    initial.name = Keep(fmt::format("tilewise_initial.{}", op.id));
    initial.opcode = Opcode::kConstant;
    initial.shape.dtype = op.shape.dtype;
    const double value = Neutral(op.as<ReduceAttrs>().reducer, op.shape.dtype);
    initial.literal->values = {value};
    initial.literal->splat = value;
    Put(initial, kRole, "auxiliary");
    instruction.operands.push_back(static_cast<int32_t>(entry_.instructions.size()));
    entry_.instructions.push_back(std::move(initial));
    instruction.called = {Region(op.as<ReduceAttrs>().reducer, op.shape.dtype)};
  }

  // The computation of two scalars that a reduction applies.
  int32_t Region(Reducer reducer, DType dtype) {
    const auto [known, is_new] =
        regions_.try_emplace({reducer, dtype}, module_.computations.size());
    if (!is_new) return known->second;
    Computation region;
    region.name =
        Keep(fmt::format("{}.{}", kReducerNames[static_cast<size_t>(reducer)], DTypeName(dtype)));
    for (int32_t i = 0; i < 3; ++i) {
      Instruction& instruction = region.instructions.emplace_back();
      instruction.name = i == 0 ? "a" : i == 1 ? "b" : "result";
      instruction.shape.dtype = dtype;
      instruction.opcode = i < 2 ? Opcode::kParameter : OpcodeOf(reducer);
      if (i < 2) {
        instruction.index = i;
      } else {
        instruction.operands = {0, 1};
      }
    }
    region.root = 2;
    module_.computations.push_back(std::move(region));
    return known->second;
  }

  void AddRoot() {
    Instruction root;
    root.name = "tilewise_outputs";
    root.opcode = Opcode::kTuple;
    root.shape.kind = HloShape::Kind::kTuple;
    std::string outputs;
    for (const Output& output : graph_.outputs()) {
      const auto number = static_cast<int64_t>(root.operands.size());
      root.operands.push_back(places_[output.value]);
      root.shape.elements.push_back(At(output.value).shape);
      if (!outputs.empty()) outputs += ';';
      outputs += fmt::format("{} {}", kRoleNames[static_cast<size_t>(output.role)], output.value);
      if (output.role != Output::Role::kState) continue;
      outputs += fmt::format(" of {}", output.variable);
      module_.aliases.push_back({{number}, parameters_.at(output.variable), {}});
    }
    Put(root, kRole, "auxiliary");
    entry_.root = static_cast<int32_t>(entry_.instructions.size());
    entry_.instructions.push_back(std::move(root));
    module_.frontend = {{"tilewise", "graph"},
                        {"tilewise_name", Keep(graph_.name())},
                        {"tilewise_outputs", Keep(std::move(outputs))}};
  }

  static constexpr std::string_view kRole = "tilewise_role";

  const Graph& graph_;
  Module module_;
  Computation entry_;
  std::vector<int32_t> places_;  // of ops in entry_
  std::map<OpId, int64_t> parameters_;
  std::map<std::pair<Reducer, DType>, int32_t> regions_;
  std::map<std::string, int64_t> names_;
};

}  // namespace

Module ModuleOf(const Graph& graph) {
  TW_CHECK(graph.is_static());
  return ModuleMaker(graph).Make();
}

}  // namespace tilewise::hlo
