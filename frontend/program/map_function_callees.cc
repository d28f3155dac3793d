// What the calls in functions of maps run.

#include <algorithm>
#include <tuple>
#include <utility>

#include "frontend/program/branches.h"
#include "frontend/program/call_names.h"
#include "frontend/program/function_tables.h"
#include "frontend/program/held_data.h"
#include "frontend/program/held_functions.h"
#include "frontend/program/import_names.h"
#include "frontend/program/map_function_reader.h"
#include "pipeline/chain.h"
#include "workload/blocks.h"

namespace tilewise::program {
namespace {

using py::NodeKind;
using python::CanonicalName;

// The package and the name of a library's function; "" of one of the program.
std::string LibraryName(const py::Value& value) {
  const py::Function* function = value.as<py::Function>();
  if (function == nullptr || !IsOwn(function->module)) {
    return "";
  }
  const std::string_view module = function->module->name;
  return std::string(module.substr(0, module.find('.'))) + "." + *function->name;
}

bool IsLibrary(const py::Value& value) {
  if (const py::Function* function = value.as<py::Function>()) {
    return IsOwn(function->module) && Inner(value) == nullptr;
  }
  if (const py::Class* type = value.as<py::Class>()) return IsOwn(type->module);
  return py::IsUnknown(value) || value.as<py::Builtin>() != nullptr;
}

}  // namespace

void MapFunctions::Reader::ReadValue(const py::Value& value, const std::string& written,
                                     int nesting) {
  if (nesting > kMaxNesting) return;
  if (const py::Method* method = value.as<py::Method>()) {
    return ReadBound(method->function, &method->self, written, nesting + 1);
  }
  if (const py::Function* function = value.as<py::Function>()) {
    if (!IsOwn(function->module)) return ReadFunction(*function, nullptr, nesting + 1);
  }
  const py::Instance* instance = value.as<py::Instance>();
  if (instance != nullptr && IsLayer(*instance)) return ReadLayer(*instance, written, nesting);
  if (const py::Value* inner = Inner(value)) {
    if (instance != nullptr) partial_ = instance;
    return ReadValue(*inner, written, nesting + 1);
  }
  if (instance != nullptr && IsOwn(instance->type->module)) {
    return ReadLibraryObject(*instance, nesting);
  }
  if (instance != nullptr) {
    const py::Value* call = instance->type->Find(py::SymbolOf("__call__"));
    if (call != nullptr) return ReadBound(*call, &value, written, nesting + 1);
  }
  if (!CountStatedCalls(value)) Count(written);
}

bool MapFunctions::Reader::CountStatedCalls(const py::Value& value) {
  const std::vector<std::string> calls = StatedCalls(value);
  for (const std::string& call : calls) Count(call);
  return !calls.empty();
}

void MapFunctions::Reader::ReadLibraryObject(const py::Instance& object, int nesting) {
  const std::vector<py::Value> parts = PartsOf(object);
  if (parts.empty()) return Count(LibraryClassName(*object.type));
  if (!RunsOnePart(object)) {
    for (const py::Value& part : parts) ReadValue(part, "", nesting + 1);
    return;
  }
  std::vector<MapFunction> read;
  read.reserve(parts.size());
  for (const py::Value& part : parts) {
    read.push_back(Apart([&](Reader& reader) { reader.ReadValue(part, "", nesting + 1); }));
  }
  Add(read);
}

void MapFunctions::Reader::ReadItem(const py::Value& data, int nesting) {
  const py::Instance* instance = data.as<py::Instance>();
  if (instance == nullptr || nesting > kMaxNesting) return;
  for (const char* name : {"__getitem__", "__iter__"}) {
    const py::Value* method = instance->type->Find(py::SymbolOf(name));
    const py::Function* function = method == nullptr ? nullptr : method->as<py::Function>();
    if (function == nullptr || IsOwn(function->module)) continue;
    of_item_ = true;
    return ReadBound(*method, &data, "", nesting + 1);
  }
  ReadLibraryItem(*instance, nesting);
}

void MapFunctions::Reader::ReadLibraryItem(const py::Instance& data, int nesting) {
  const py::Node* const call = std::exchange(scope_.call, nullptr);  // which gives an index alone
  const py::Value* loader = data.attributes.Find(py::SymbolOf("loader"));
  const bool own_loader = loader != nullptr && loader->is_object() && !IsLibrary(*loader);
  if (own_loader) {
    ReadValue(*loader, "", nesting + 1);
  } else {
    CountStatedCalls(py::Value(data.type));
  }
  if (const py::Value* under = DataUnder(data)) ReadItem(*under, nesting + 1);
  for (const py::Value& step : StepsOf(data)) ReadValue(step, "", nesting + 1);
  scope_.call = call;
}

bool MapFunctions::Reader::ReadGiven(const GivenFunction& given, int nesting) {
  if (nesting > kMaxNesting || given.written == nullptr) return false;
  const py::Node* node = given.written;
  const auto as = [&](const py::Node* other) {
    GivenFunction changed = given;
    changed.written = other;
    return changed;
  };
  if (node->kind == NodeKind::kLambda) {
    const auto outer = std::tuple(scope_.self, scope_.given, around_);
    std::tie(scope_.self, scope_.given, around_) =
        std::tuple(given.self, given.given, given.around);
    Walk(node->a, *given.around, nesting + 1);
    std::tie(scope_.self, scope_.given, around_) = outer;
    return true;
  }
  if (node->kind == NodeKind::kCall) {
    const bool partial = ImportedName(node->a, *given.around) == "functools.partial";
    return partial && !node->list.empty() && ReadGiven(as(node->list.front()), nesting + 1);
  }
  if (node->kind == NodeKind::kName) {
    if (given.given != nullptr) {
      const auto outer = given.given->find(node->name);
      if (outer != given.given->end()) return ReadGiven(outer->second, nesting + 1);
    }
    if (IsParameter(*given.around, node->name)) return false;
    // The body of a function within is read where it stands.
    if (Defines(*given.around, node->name)) return true;
    if (const py::Node* bound = BoundOnce(*given.around, node->name)) {
      return ReadGiven(as(bound), nesting + 1);
    }
  }
  const py::Value* value = ValueAt(node, *given.around, given.self);
  if (value == nullptr || IsLibrary(*value)) {
    const std::string name = ImportedName(node, *given.around);
    if (!name.empty()) Count(name);
    return !name.empty();
  }
  if (value->as<py::Function>() == nullptr && value->as<py::Method>() == nullptr &&
      value->as<py::Instance>() == nullptr) {
    return false;
  }
  const py::Node* const call = std::exchange(scope_.call, nullptr);
  ReadValue(*value, Written(node), nesting + 1);
  scope_.call = call;
  return true;
}

void MapFunctions::Reader::ReadArgument(const py::Node* call, const py::Function& function,
                                        int nesting) {
  const std::string name = ImportedName(call->a, function);
  const std::string_view last = tilewise::LastName(name);
  if (!IsPythonCall(name) && !IsOneOfWords(last, "map_fn|vectorized_map")) return;
  for (size_t i = 0; i < call->list.size(); ++i) {
    const py::Node* argument = call->list[i];
    const bool keyword = argument->kind == NodeKind::kKeyword;
    if (keyword ? !IsOneOfWords(*argument->name, "func|fn") : i > 0) continue;
    const py::Node* runs = keyword ? argument->a : argument;
    if (runs->kind == NodeKind::kLambda) return;  // its body was read with the arguments
    ReadGiven({runs, &function, scope_.self, scope_.given}, nesting + 1);
    return;
  }
}

void MapFunctions::Reader::ReadStep(const py::Value& step, int nesting) {
  const py::Instance* instance = step.as<py::Instance>();
  if (instance == nullptr) return ReadValue(step, LibraryName(step), nesting + 1);
  const py::Value* function = ItemFunctionOf(*instance);
  if (function != nullptr) {
    const bool held = IsOwn(instance->type->module);
    return ReadBound(*function, held ? nullptr : &step, "", nesting + 1);
  }
  if (Inner(step) != nullptr) ReadValue(step, "", nesting + 1);
}

bool MapFunctions::Reader::ReadSuper(const py::Node* callee, const py::Function& function,
                                     int nesting) {
  const py::Node* of = callee->kind == NodeKind::kAttribute ? callee->a : nullptr;
  const bool is_super = of != nullptr && of->kind == NodeKind::kCall &&
                        of->a->kind == NodeKind::kName && *of->a->name == "super";
  const py::Instance* self = scope_.self == nullptr ? nullptr : scope_.self->as<py::Instance>();
  if (!is_super || self == nullptr || function.owner == nullptr) return false;
  auto type = std::ranges::find(self->type->order, function.owner);
  if (type == self->type->order.end()) return false;
  for (++type; type != self->type->order.end(); ++type) {
    const py::Value* method = (*type)->members.Find(callee->name);
    if (method == nullptr) continue;
    const py::Function* found = method->as<py::Function>();
    if (found != nullptr && !IsOwn(found->module)) {
      ReadFunction(*found, scope_.self, nesting + 1);
    } else if (IsOneOfWords(*callee->name, "__getitem__|__iter__|__next__")) {
      ReadLibraryItem(*self, nesting + 1);
    }
    return true;
  }
  return false;
}

void MapFunctions::Reader::ReadBound(const py::Value& value, const py::Value* self,
                                     const std::string& written, int nesting) {
  const py::Function* function = value.as<py::Function>();
  if (function == nullptr || IsOwn(function->module)) return ReadValue(value, written, nesting);
  ReadFunction(*function, self, nesting);
}

void MapFunctions::Reader::ReadLayer(const py::Instance& instance, const std::string& written,
                                     int nesting) {
  const py::Value* layers = instance.attributes.Find(py::SymbolOf("_steps"));
  const py::Sequence* items = layers == nullptr ? nullptr : layers->as<py::Sequence>();
  if (IsOwn(instance.type->module) && items != nullptr) {
    for (const py::Value& layer : items->items) ReadValue(layer, written, nesting + 1);
    return;
  }
  Count(IsOwn(instance.type->module) ? "tensorflow.keras.layers." + *instance.type->name : written);
}

bool MapFunctions::Reader::ReadMember(const py::Node* callee, const py::Function& function,
                                      int nesting) {
  const std::vector<py::Node*>& parameters = function.node->list;
  const py::Node* of = callee->kind == NodeKind::kAttribute ? callee->a : nullptr;
  if (scope_.self == nullptr || of == nullptr || of->kind != NodeKind::kName ||
      parameters.empty() || parameters.front()->name != of->name) {
    return false;
  }
  const py::Instance* instance = scope_.self->as<py::Instance>();
  if (instance == nullptr) return false;
  const std::string written = Written(callee);
  if (const py::Value* held = instance->attributes.Find(callee->name)) {
    if (IsLibrary(*held)) return CountStatedCalls(*held);
    ReadValue(*held, written, nesting + 1);
    return true;
  }
  const py::Value* method = instance->type->Find(callee->name);
  if (method == nullptr || method->as<py::Function>() == nullptr) return false;
  ReadBound(*method, scope_.self, written, nesting + 1);
  return true;
}

bool MapFunctions::Reader::ReadTable(const py::Node* callee, const py::Function& function,
                                     int nesting) {
  const bool may = callee->kind == NodeKind::kSubscript ||
                   (callee->kind == NodeKind::kName && OuterValue(callee, function) == nullptr);
  if (!may || nesting > kMaxNesting) return false;
  const TableCall table = FunctionsOfTable(callee, function, scope_.self);
  if (table.functions.empty()) return false;
  const bool each = table.each && !scope_.in_branch;
  std::vector<MapFunction> read;
  for (const py::Value& value : table.functions) {
    read.push_back(
        Apart([&](Reader& reader) { reader.ReadValue(value, LibraryName(value), nesting + 1); }));
    if (each) Add({read.back()});
  }
  if (!each) Add(read);
  return true;
}

void MapFunctions::Reader::ReadCall(const py::Node* call, const py::Function& function,
                                    int nesting) {
  const py::Node* const outer_call = std::exchange(scope_.call, call);
  const bool outer_aside = std::exchange(scope_.aside, scope_.small.Holds(call));
  ReadCallee(call->a, function, nesting);
  ReadArgument(call, function, nesting);
  scope_.aside = outer_aside;
  scope_.call = outer_call;
}

void MapFunctions::Reader::ReadCallee(const py::Node* callee, const py::Function& function,
                                      int nesting) {
  const py::Node* root = callee;
  while (root->kind == NodeKind::kAttribute) root = root->a;
  const std::string written = Written(callee);
  if (ReadMember(callee, function, nesting) || ReadSuper(callee, function, nesting)) return;
  if (callee->kind == NodeKind::kName && scope_.given != nullptr) {
    const auto given = scope_.given->find(callee->name);
    if (given != scope_.given->end() && ReadGiven(given->second, nesting + 1)) return;
  }
  if (ReadTable(callee, function, nesting)) return;
  if (root->kind != NodeKind::kName || IsParameter(function, root->name)) {
    const bool method = callee->kind == NodeKind::kAttribute;
    return Count(method ? "." + *callee->name : written);
  }
  const py::Value* value = OuterValue(root, function);
  if (value == nullptr && root == callee) return Count("builtins." + *root->name);
  if (value != nullptr && root == callee && CountStatedCalls(*value)) return;
  const python::Aliases& aliases = all_.texts_.AliasesOf(function.module->file);
  const auto alias = aliases.find(*root->name);
  const std::string rest = written.substr(root->name->size());
  const bool library = value == nullptr || value->as<py::Module>() != nullptr || IsLibrary(*value);
  if (value != nullptr && value->as<py::Module>() != nullptr && !IsOwn(value->as<py::Module>())) {
    const py::Value* member = ValueAt(callee, function, scope_.self);
    const bool read = member != nullptr && !IsLibrary(*member) && root != callee;
    if (read) return ReadValue(*member, written, nesting + 1);
  }
  if (library && alias != aliases.end()) return Count(CanonicalName(alias->second + rest));
  // A method of a value that the function itself made.
  if (value == nullptr && root != callee) return Count("." + *callee->name);
  if (value != nullptr && root == callee) return ReadValue(*value, written, nesting);
  Count(written);
}

std::string MapFunctions::Reader::ImportedName(const py::Node* callee,
                                               const py::Function& function) const {
  const std::string written = Written(callee);
  const python::Aliases& aliases = all_.texts_.AliasesOf(function.module->file);
  const auto alias = aliases.find(written.substr(0, written.find('.')));
  return alias == aliases.end()
             ? ""
             : CanonicalName(alias->second + written.substr(alias->first.size()));
}

bool MapFunctions::Reader::ReadBranches(const py::Node* call, const py::Function& function,
                                        int nesting) {
  const std::string name = ImportedName(call->a, function);
  const std::optional<int> condition = ConditionOfBranches(name);
  const bool chooses = ChoosesOne(name);
  if (nesting > kMaxNesting || (!condition && !chooses)) return false;
  std::vector<const py::Node*> branches, others;
  for (size_t i = 0; i < call->list.size(); ++i) {
    const bool decides = condition && static_cast<int>(i) == *condition;
    FindBranches(call->list[i], function, decides ? others : branches, others);
  }
  if (branches.size() < 2) return false;
  std::vector<MapFunction> read;
  read.reserve(branches.size());
  for (const py::Node* branch : branches) read.push_back(ReadBranch(branch, function, nesting));
  if (chooses) out_.random = true;
  Add(read);
  for (const py::Node* other : others) Walk(other, function, nesting);
  return true;
}

void MapFunctions::Reader::FindBranches(const py::Node* node, const py::Function& function,
                                        std::vector<const py::Node*>& branches,
                                        std::vector<const py::Node*>& others) {
  switch (node->kind) {
    case NodeKind::kLambda:
      branches.push_back(node);
      return;
    case NodeKind::kKeyword:
    case NodeKind::kStar:
      return FindBranches(node->a, function, branches, others);
    case NodeKind::kPair:
      return FindBranches(node->b, function, branches, others);
    case NodeKind::kDict:
    case NodeKind::kList:
    case NodeKind::kTuple:
      for (const py::Node* item : node->list) FindBranches(item, function, branches, others);
      return;
    case NodeKind::kCall: {
      const bool is_partial = ImportedName(node->a, function) == "functools.partial";
      (is_partial && !node->list.empty() ? branches : others).push_back(node);
      return;
    }
    default:
      (IsFunction(node, function) ? branches : others).push_back(node);
  }
}

bool MapFunctions::Reader::IsFunction(const py::Node* node, const py::Function& function) const {
  if (node->kind == NodeKind::kAttribute) return !ImportedName(node, function).empty();
  if (node->kind != NodeKind::kName || IsParameter(function, node->name)) return false;
  const py::Value* value = OuterValue(node, function);
  return value != nullptr && (value->as<py::Function>() != nullptr ||
                              value->as<py::Builtin>() != nullptr || Inner(*value) != nullptr);
}

MapFunction MapFunctions::Reader::ReadBranch(const py::Node* branch, const py::Function& function,
                                             int nesting) {
  return Apart([&](Reader& reader) {
    reader.scope_.in_branch = true;
    if (branch->kind == NodeKind::kLambda) return reader.Walk(branch->a, function, nesting + 1);
    const bool is_partial = branch->kind == NodeKind::kCall;
    reader.ReadCallee(is_partial ? branch->list.front() : branch, function, nesting + 1);
  });
}

}  // namespace tilewise::program
