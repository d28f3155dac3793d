// Finds the parameters of a module and tells what they are from how they are
// used.

#include "frontend/hlo/arguments.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "frontend/hlo/argument_uses.h"
#include "frontend/hlo/shapes.h"

namespace tilewise::hlo {
namespace {

const Computation& Entry(const Module& module) { return module.computations[module.entry]; }

void AppendArrays(const Instruction& parameter, const HloShape& shape, std::vector<int64_t>& index,
                  std::vector<Argument>& out) {
  if (shape.kind == HloShape::Kind::kTuple) {
    for (size_t i = 0; i < shape.elements.size(); ++i) {
      index.push_back(static_cast<int64_t>(i));
      AppendArrays(parameter, shape.elements[i], index, out);
      index.pop_back();
    }
    return;
  }
  if (HoldsNothing(shape)) return;
  Argument argument;
  argument.parameter = &parameter;
  argument.index = index;
  argument.shape = &shape;
  argument.name = parameter.name;
  for (const int64_t i : index) argument.name += fmt::format(".{}", i);
  out.push_back(std::move(argument));
}

bool NameSays(const Argument& argument, std::initializer_list<std::string_view> words) {
  for (const std::string_view text :
       {argument.parameter->metadata.op_name, argument.parameter->name}) {
    for (const std::string_view word : words) {
      if (text.find(word) != std::string_view::npos) return true;
    }
  }
  return false;
}

bool NamesWeight(const Argument& argument) {
  return NameSays(argument,
                  {"param", "weight", "kernel", "bias", "scale", "embedding", "gamma", "beta"}) &&
         !NameSays(argument, {"parameter", "Parameter"});
}

bool NamesInput(const Argument& argument) {
  return NameSays(argument, {"input", "image", "token", "label", "data[", "batch["});
}

bool IsStatic(const HloShape& shape) {
  return std::all_of(shape.dims.begin(), shape.dims.end(), [](int64_t size) { return size >= 0; });
}

bool CanBeWeight(const Argument& argument) {
  const HloShape& shape = *argument.shape;
  return IsFloat(shape.dtype) && !shape.dims.empty() && IsStatic(shape);
}

// The first array of at least `rank` dims among those that are not written over
// a parameter. `index` is where `shape` is in the result.
const HloShape* FirstArray(const HloShape& shape, size_t rank, std::vector<int64_t>& index,
                           const std::set<std::vector<int64_t>>& state) {
  if (shape.kind == HloShape::Kind::kArray) {
    return shape.dims.size() < rank || state.contains(index) ? nullptr : &shape;
  }
  for (size_t i = 0; i < shape.elements.size(); ++i) {
    index.push_back(static_cast<int64_t>(i));
    const HloShape* found = FirstArray(shape.elements[i], rank, index, state);
    index.pop_back();
    if (found != nullptr) return found;
  }
  return nullptr;
}

// Size of the batch: the first dim of data, else of a result, those with
// several dims first. Nothing when no array says.
std::optional<int64_t> BatchSize(const Module& module, const std::vector<Argument>& arguments,
                                 const std::vector<bool>& known) {
  const Computation& entry = Entry(module);
  const HloShape& result = entry.instructions[entry.root].shape;
  std::set<std::vector<int64_t>> state;
  for (const Alias& alias : module.aliases) state.insert(alias.output);
  for (const size_t rank : {2, 1}) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      const HloShape& shape = *arguments[i].shape;
      const bool is_data = known[i] && arguments[i].role == ArgumentRole::kInput;
      if (is_data && shape.dims.size() >= rank) return shape.dims[0];
    }
    std::vector<int64_t> index;
    const HloShape* array = FirstArray(result, rank, index, state);
    if (array != nullptr) return array->dims[0];
  }
  return std::nullopt;
}

void MarkState(const Module& module, std::vector<Argument>& arguments) {
  std::map<std::pair<int64_t, std::vector<int64_t>>, Argument*> by_place;
  for (Argument& argument : arguments) {
    by_place.try_emplace({argument.parameter->index, argument.index}, &argument);
  }
  for (const Alias& alias : module.aliases) {
    const auto at = by_place.find({alias.parameter, alias.index});
    if (at == by_place.end() || !IsStatic(*at->second->shape)) continue;
    at->second->role = ArgumentRole::kState;
    at->second->output = alias.output;
  }
}

// When no array is known to be data, those are that matmuls read on their left
// side: weights stand on the right.
void TakeLeftSides(const std::map<const Instruction*, ArgumentUse>& uses,
                   std::vector<Argument>& arguments, std::vector<bool>& known) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (known[i] && arguments[i].role == ArgumentRole::kInput &&
        !arguments[i].shape->dims.empty()) {
      return;
    }
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto use = uses.find(arguments[i].parameter);
    const bool is_left = use != uses.end() && use->second.is_left;
    if (known[i] || !is_left || arguments[i].shape->dims.size() < 2) continue;
    arguments[i].role = ArgumentRole::kInput;
    known[i] = true;
  }
}

// Keeps what is named like data when nothing is data, else the largest of what
// is not named a weight.
void KeepSomeInput(std::vector<Argument>& arguments) {
  Argument* largest = nullptr;
  for (Argument& argument : arguments) {
    if (argument.role == ArgumentRole::kInput && !argument.shape->dims.empty()) {
      return;
    }
  }
  bool named = false;
  for (Argument& argument : arguments) {
    if (argument.role != ArgumentRole::kWeight) continue;
    if (NamesInput(argument)) {
      argument.role = ArgumentRole::kInput;
      named = true;
    }
    if (NamesWeight(argument)) continue;
    if (largest == nullptr || argument.shape->dims.size() > largest->shape->dims.size()) {
      largest = &argument;
    }
  }
  if (!named && largest != nullptr) largest->role = ArgumentRole::kInput;
}

}  // namespace

std::vector<Argument> FindArguments(const Module& module) {
  std::vector<const Instruction*> parameters;
  for (const Instruction& i : Entry(module).instructions) {
    if (i.opcode == Opcode::kParameter) parameters.push_back(&i);
  }
  std::stable_sort(parameters.begin(), parameters.end(),
                   [](const Instruction* a, const Instruction* b) { return a->index < b->index; });
  std::vector<Argument> arguments;
  std::vector<int64_t> index;
  for (const Instruction* parameter : parameters) {
    AppendArrays(*parameter, parameter->shape, index, arguments);
  }
  MarkState(module, arguments);
  const std::map<const Instruction*, ArgumentUse> uses = FindArgumentUses(module);
  std::vector<bool> known(arguments.size(), true);
  for (size_t i = 0; i < arguments.size(); ++i) {
    Argument& argument = arguments[i];
    if (argument.role == ArgumentRole::kState) continue;
    const auto use = uses.find(argument.parameter);
    if (!CanBeWeight(argument)) continue;
    if (use != uses.end() && use->second.role) {
      argument.role = *use->second.role;
    } else if (NamesWeight(argument) != NamesInput(argument)) {
      argument.role = NamesWeight(argument) ? ArgumentRole::kWeight : ArgumentRole::kInput;
    } else {
      known[i] = false;
    }
  }
  TakeLeftSides(uses, arguments, known);
  const std::optional<int64_t> batch = BatchSize(module, arguments, known);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (known[i]) continue;
    const std::vector<int64_t>& dims = arguments[i].shape->dims;
    const bool is_data = dims.size() > 1 && batch && dims[0] == *batch;
    arguments[i].role = is_data ? ArgumentRole::kInput : ArgumentRole::kWeight;
  }
  KeepSomeInput(arguments);
  return arguments;
}

}  // namespace tilewise::hlo
