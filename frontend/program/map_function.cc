// The walk over the bodies of functions. Names of the program's functions are
// followed by their values, those of libraries by the imports of their file.

#include "frontend/program/map_function.h"

#include <algorithm>
#include <utility>

#include "frontend/program/branches.h"
#include "frontend/program/call_names.h"
#include "frontend/program/function_scope.h"
#include "frontend/program/function_tables.h"
#include "frontend/program/held_functions.h"
#include "frontend/program/import_names.h"
#include "pipeline/chain.h"
#include "workload/blocks.h"

namespace tilewise::program {
namespace {

using py::NodeKind;
using python::CanonicalName;
using python::Under;

constexpr int kMaxNesting = 16;
constexpr size_t kMaxCalls = 2000;

std::string_view LastPart(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

// x["image"], which picks a part of a structure, and x[..., None], which keeps
// all of a tensor.
bool ByName(const py::Node* index) {
  if (index->kind == NodeKind::kTuple) {
    return std::all_of(index->list.begin(), index->list.end(), ByName);
  }
  if (index->kind == NodeKind::kConstant) {
    return py::TextOf(index->constant) != nullptr || index->constant.none() ||
           index->constant.tag == py::Value::Tag::kEllipsis;
  }
  const bool named = index->kind == NodeKind::kName || index->kind == NodeKind::kAttribute;
  return named && *index->name == "newaxis";
}

}  // namespace

class MapFunctions::Reader {
 public:
  Reader(MapFunctions& all, MapFunction& out) : all_(all), out_(out) {}

  void Count(std::string_view name, bool aside = false) {
    if (out_.calls.size() < kMaxCalls) {
      out_.calls.emplace_back(name);
      out_.elements_after.push_back(aside || scope_.aside ? MapFunction::kAside : 0);
      ++out_.nodes;
    }
    out_.random = out_.random || IsRandom(name);
    out_.stateful = out_.stateful || IsStateful(name);
    out_.decodes = out_.decodes || Decodes(name);
  }

  // A partial, before its function is read.
  void Take(const py::Instance& partial) { partial_ = &partial; }

  // What a function of an own module calls: its name, then theirs.
  void CountStated(const py::Sequence& stated) {
    for (const py::Value& item : stated.items) {
      const std::string* name = py::TextOf(item);
      if (name == nullptr) continue;
      if (out_.name.empty()) {
        out_.name = *name;
      } else {
        Count(*name);
      }
    }
    out_.resolved = true;
    out_.nodes = static_cast<int64_t>(out_.calls.size());
  }

  // A callee, or the function given to map itself.
  void ReadValue(const py::Value& value, const std::string& written, int nesting) {
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
    if (instance != nullptr && !IsOwn(instance->type->module)) {
      const py::Value* call = instance->type->Find(py::SymbolOf("__call__"));
      if (call != nullptr) return ReadBound(*call, &value, written, nesting + 1);
    }
    Count(written);
  }

 private:
  // A function of a class, whose first parameter is `self`.
  void ReadBound(const py::Value& value, const py::Value* self, const std::string& written,
                 int nesting) {
    const py::Function* function = value.as<py::Function>();
    if (function == nullptr || IsOwn(function->module)) return ReadValue(value, written, nesting);
    ReadFunction(*function, self, nesting);
  }

  void ReadLayer(const py::Instance& instance, const std::string& written, int nesting) {
    const py::Value* layers = instance.attributes.Find(py::SymbolOf("_steps"));
    const py::Sequence* items = layers == nullptr ? nullptr : layers->as<py::Sequence>();
    if (IsOwn(instance.type->module) && items != nullptr) {
      for (const py::Value& layer : items->items) ReadValue(layer, written, nesting + 1);
      return;
    }
    Count(IsOwn(instance.type->module) ? "tensorflow.keras.layers." + *instance.type->name
                                       : written);
  }

  void ReadFunction(const py::Function& function, const py::Value* self, int nesting) {
    if (nesting > kMaxNesting || !visited_.insert(function.node).second) return;
    FunctionScope inner(SmallOf(function, self));
    inner.self = self;
    if (scope_.call != nullptr) {
      inner.small.BindParameters(function, self != nullptr, *scope_.call, scope_.small);
    }
    inner.known = scope_.known;
    inner.known.Enter(function, self, scope_.call, partial_);
    partial_ = nullptr;
    std::swap(scope_, inner);
    const py::Node* body = function.node->a;
    if (function.module->file == all_.program_ && body != nullptr) {
      all_.bodies_.emplace(function.node->cell, body->begin);
    }
    Walk(body, function, nesting);
    for (const py::Node* parameter : function.node->list) Walk(parameter->a, function, nesting);
    std::swap(scope_, inner);
  }

  SmallValues SmallOf(const py::Function& function, const py::Value* self) const {
    return {[this, &function](const py::Node* callee) { return ImportedName(callee, function); },
            [&function, self](const py::Node* node) {
              const bool local =
                  node->kind == NodeKind::kName &&
                  (node->where == py::Node::Where::kLocal || IsParameter(function, node->name));
              const py::Value* value = local ? nullptr : ValueAt(node, function, self);
              return value != nullptr && IsFewNumbers(*value);
            }};
  }

  void Walk(const py::Node* node, const py::Function& function, int nesting) {
    if (node == nullptr || ++steps_ > kMaxSteps) return;
    switch (node->kind) {
      case NodeKind::kCall:
        if (ReadBranches(node, function, nesting)) return;
        ReadCall(node, function, nesting);
        break;
      case NodeKind::kAugmented:
      case NodeKind::kBinary:
      case NodeKind::kUnary:
      case NodeKind::kCompare:
        CountOperator(node);
        break;
      case NodeKind::kFor:
        scope_.small.Bind(node->a, scope_.small.Holds(node->b));
        scope_.known.Forget(node->a);
        break;
      case NodeKind::kIf:
        return WalkIf(node, node->a, node->b, node->c, function, nesting);
      case NodeKind::kConditional:
        return WalkIf(node, node->b, node->a, node->c, function, nesting);
      case NodeKind::kReturn:
      case NodeKind::kRaise:
        Walk(node->a, function, nesting);
        scope_.ended = true;
        return;
      case NodeKind::kSubscript:
        if (!ByName(node->b)) out_.indexes = true;
        break;
      case NodeKind::kGlobal:
      case NodeKind::kNonlocal:
        out_.stateful = true;
        break;
      default:
        break;
    }
    const bool was_ended = scope_.ended;
    for (const py::Node* part : {node->a, node->b, node->c, node->d}) {
      Walk(part, function, nesting);
    }
    for (const py::Node* part : node->list) {
      if (node->kind == NodeKind::kBlock && scope_.ended) return;
      Walk(part, function, nesting);
    }
    if (node->kind != NodeKind::kBlock && node->kind != NodeKind::kWith) scope_.ended = was_ended;
    if (node->kind == NodeKind::kAugmented) scope_.known.Forget(node->a);
    if (node->kind != NodeKind::kAssign) return;
    for (const py::Node* target : node->list) {
      scope_.small.Bind(target, scope_.small.Holds(node->a));
      scope_.known.Forget(target);
    }
  }

  // The branch that runs, where that is known; of two, else, what is typical of them.
  void WalkIf(const py::Node* node, const py::Node* condition, const py::Node* yes,
              const py::Node* no, const py::Function& function, int nesting) {
    Walk(condition, function, nesting);
    const std::optional<bool> holds = scope_.known.Holds(condition);
    if (holds) return Walk(*holds ? yes : no, function, nesting);
    if (no == nullptr || nesting > kMaxNesting) {
      Walk(yes, function, nesting);
      scope_.ended = false;  // what follows may run
      return;
    }
    bool ended = true;
    std::vector<MapFunction> read;
    for (const py::Node* branch : {yes, no}) {
      read.push_back(Apart([&](Reader& reader) {
        reader.Walk(branch, function, nesting + 1);
        ended = ended && reader.scope_.ended;
      }));
    }
    Add(read);
    scope_.ended = ended && node->kind == NodeKind::kIf;
  }

  // Reads what self.name(..) calls, where that is known of the object.
  bool ReadMember(const py::Node* callee, const py::Function& function, int nesting) {
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
      if (IsLibrary(*held)) return false;
      ReadValue(*held, written, nesting + 1);
      return true;
    }
    const py::Value* method = instance->type->Find(callee->name);
    if (method == nullptr || method->as<py::Function>() == nullptr) return false;
    ReadBound(*method, scope_.self, written, nesting + 1);
    return true;
  }

  // Reads the functions of a table that the code around the call takes its callee from: each where
  // they run in turn, otherwise what is typical of them: a condition around the call picks one.
  bool ReadTable(const py::Node* callee, const py::Function& function, int nesting) {
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

  // The package and the name of a library's function; "" of one of the program.
  static std::string LibraryName(const py::Value& value) {
    const py::Function* function = value.as<py::Function>();
    if (function == nullptr || !IsOwn(function->module)) {
      return "";
    }
    const std::string_view module = function->module->name;
    return std::string(module.substr(0, module.find('.'))) + "." + *function->name;
  }

  void ReadCall(const py::Node* call, const py::Function& function, int nesting) {
    const py::Node* const outer_call = std::exchange(scope_.call, call);
    const bool outer_aside = std::exchange(scope_.aside, scope_.small.Holds(call));
    ReadCallee(call->a, function, nesting);
    scope_.aside = outer_aside;
    scope_.call = outer_call;
  }

  void CountOperator(const py::Node* node) {
    const bool augmented = node->kind == NodeKind::kAugmented;
    SmallValues& values = scope_.small;
    const bool small =
        augmented ? values.Holds(node->a) && values.Holds(node->b) : values.Holds(node);
    if (augmented) values.Bind(node->a, small);
    if (!small) ++out_.nodes;
  }

  void ReadCallee(const py::Node* callee, const py::Function& function, int nesting) {
    const py::Node* root = callee;
    while (root->kind == NodeKind::kAttribute) root = root->a;
    const std::string written = Written(callee);
    if (ReadMember(callee, function, nesting) || ReadTable(callee, function, nesting)) return;
    if (root->kind != NodeKind::kName || IsParameter(function, root->name)) {
      const bool method = callee->kind == NodeKind::kAttribute;
      return Count(method ? "." + *callee->name : written);
    }
    const py::Value* value = OuterValue(root, function);
    if (value == nullptr && root == callee) return Count("builtins." + *root->name);
    const python::Aliases& aliases = all_.texts_.AliasesOf(function.module->file);
    const auto alias = aliases.find(*root->name);
    const std::string rest = written.substr(root->name->size());
    const bool library =
        value == nullptr || value->as<py::Module>() != nullptr || IsLibrary(*value);
    if (value != nullptr && value->as<py::Module>() != nullptr && !IsOwn(value->as<py::Module>())) {
      const py::Value* member = ValueAt(callee, function, scope_.self);
      const bool read = member != nullptr && !IsLibrary(*member) && root != callee;
      if (read) return ReadValue(*member, written, nesting + 1);
    }
    if (library && alias != aliases.end()) return Count(CanonicalName(alias->second + rest));
    if (value != nullptr && root == callee) return ReadValue(*value, written, nesting);
    Count(written);
  }

  // The full name of a library's function; "" of anything else.
  std::string ImportedName(const py::Node* callee, const py::Function& function) const {
    const std::string written = Written(callee);
    const python::Aliases& aliases = all_.texts_.AliasesOf(function.module->file);
    const auto alias = aliases.find(written.substr(0, written.find('.')));
    return alias == aliases.end()
               ? ""
               : CanonicalName(alias->second + written.substr(alias->first.size()));
  }

  // One of the functions runs for an element: what is typical of them is the work.
  bool ReadBranches(const py::Node* call, const py::Function& function, int nesting) {
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
    for (const py::Node* branch : branches) read.push_back(ReadBranch(branch, function, nesting));
    if (chooses) out_.random = true;
    Add(read);
    for (const py::Node* other : others) Walk(other, function, nesting);
    return true;
  }

  // Sorts an argument's functions from what else it holds.
  void FindBranches(const py::Node* node, const py::Function& function,
                    std::vector<const py::Node*>& branches, std::vector<const py::Node*>& others) {
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

  // Whether a name is that of a function, of the program or of a library.
  bool IsFunction(const py::Node* node, const py::Function& function) const {
    if (node->kind == NodeKind::kAttribute) return !ImportedName(node, function).empty();
    if (node->kind != NodeKind::kName || IsParameter(function, node->name)) return false;
    const py::Value* value = OuterValue(node, function);
    return value != nullptr && (value->as<py::Function>() != nullptr ||
                                value->as<py::Builtin>() != nullptr || Inner(*value) != nullptr);
  }

  // What `reads` finds, by itself.
  template <typename Reads>
  MapFunction Apart(Reads reads) {
    MapFunction read;
    Reader reader(all_, read);
    reader.scope_ = scope_;
    reader.scope_.call = nullptr;
    reader.visited_ = visited_;
    reader.steps_ = steps_;
    reads(reader);
    steps_ = reader.steps_;
    return read;
  }

  MapFunction ReadBranch(const py::Node* branch, const py::Function& function, int nesting) {
    return Apart([&](Reader& reader) {
      reader.scope_.in_branch = true;
      if (branch->kind == NodeKind::kLambda) return reader.Walk(branch->a, function, nesting + 1);
      const bool is_partial = branch->kind == NodeKind::kCall;
      reader.ReadCallee(is_partial ? branch->list.front() : branch, function, nesting + 1);
    });
  }

  void Add(const std::vector<MapFunction>& branches) {
    const bool decoded = std::ranges::any_of(out_.calls, DecodesImage);
    const MapFunction& typical = TypicalBranch(branches, decoded);
    for (size_t i = 0; i < typical.calls.size(); ++i) {
      Count(typical.calls[i], typical.elements_after[i] == MapFunction::kAside);
    }
    out_.nodes += typical.nodes - static_cast<int64_t>(typical.calls.size());
    for (const MapFunction& branch : branches) {
      out_.random = out_.random || branch.random;
      out_.stateful = out_.stateful || branch.stateful;
      out_.decodes = out_.decodes || branch.decodes;
      out_.indexes = out_.indexes || branch.indexes;
    }
  }

  static bool IsLibrary(const py::Value& value) {
    if (const py::Function* function = value.as<py::Function>()) {
      return IsOwn(function->module) && Inner(value) == nullptr;
    }
    if (const py::Class* type = value.as<py::Class>()) return IsOwn(type->module);
    return py::IsUnknown(value) || value.as<py::Builtin>() != nullptr;
  }

  static constexpr int64_t kMaxSteps = 200'000;
  MapFunctions& all_;
  MapFunction& out_;
  int64_t steps_ = 0;
  FunctionScope scope_{{[](const py::Node*) { return ""; }, [](const py::Node*) { return false; }}};
  const py::Instance* partial_ = nullptr;  // whose function is read next
  std::set<const py::Node*> visited_;
};

MapFunction MapFunctions::Read(const py::Value& value, python::Node written,
                               const std::string& file) {
  MapFunction result;
  Reader reader(*this, result);
  if (const py::Sequence* stated = value.as<py::Sequence>()) {
    reader.CountStated(*stated);
    return result;
  }
  const std::string name = written ? python::DottedName(written, texts_.AliasesOf(file)) : "";
  const py::Value* made = &value;
  while (made->as<py::Instance>() != nullptr && !IsLayer(*made->as<py::Instance>()) &&
         Inner(*made) != nullptr) {
    reader.Take(*made->as<py::Instance>());
    made = Inner(*made);
  }
  const py::Value* const called = made;
  if (const py::Method* method = made->as<py::Method>()) made = &method->function;
  const py::Function* function = made->as<py::Function>();
  if (function != nullptr && !IsOwn(function->module)) {
    result.name = function->node->kind == NodeKind::kLambda ? "" : *function->name;
    result.resolved = true;
    reader.ReadValue(*called, result.name, 0);
    return result;
  }
  if (const py::Instance* instance = made->as<py::Instance>()) {
    const py::Value* call = instance->type->Find(py::SymbolOf("__call__"));
    if (!IsLayer(*instance) && (IsOwn(instance->type->module) || call == nullptr)) return result;
    result.resolved = true;
    if (IsLayer(*instance)) {
      reader.ReadValue(*made, name, 0);
    } else {
      result.name = *instance->type->name;
      reader.ReadValue(*call, result.name, 0);
    }
    return result;
  }
  const bool library =
      function != nullptr || made->as<py::Class>() != nullptr || made->as<py::Builtin>() != nullptr;
  if (!library) return result;
  if (Inner(*made) != nullptr && Inner(*made)->as<py::Function>() != nullptr &&
      !IsOwn(Inner(*made)->as<py::Function>()->module)) {
    return Read(*Inner(*made), written, file);
  }
  // A library's function, by the name that the call has for it.
  result.name = std::string(LastPart(name));
  result.resolved = Contains(name, ".");
  if (result.resolved) reader.Count(CanonicalName(name));
  return result;
}

}  // namespace tilewise::program
