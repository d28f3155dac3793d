// The interpreter's life: modules in order, then functions nobody called; its
// budget, notes and makers of values.

#include "frontend/python/interpreter.h"

#include <fmt/format.h>

#include "frontend/python/dataset_calls.h"

namespace tilewise::python {
namespace {

// A statement costs 20 units, an expression 1, a call 5: about 100,000
// statements, in a build without optimisation less than 5 s.
constexpr int64_t kBudget = 4'000'000;
constexpr int64_t kMaxItems = 100'000;

// Names of what a body calls or passes on: "f" of f(x), map(f), self.f().
void CollectCallees(Node node, std::set<std::string, std::less<>>& names) {
  if (node.is("call")) {
    const Node callee = node.field("function");
    const Node name = callee.is("attribute") ? callee.field("attribute") : callee;
    if (name.is("identifier")) names.emplace(name.text());
    for (const Node& argument : node.field("arguments").children()) {
      const Node value = argument.is("keyword_argument") ? argument.field("value") : argument;
      const Node last = value.is("attribute") ? value.field("attribute") : value;
      if (last.is("identifier")) names.emplace(last.text());
    }
  }
  for (const Node& child : node.children()) CollectCallees(child, names);
}

}  // namespace

Interpreter::Interpreter(int64_t replica_count) : replicas(replica_count), budget_(kBudget) {
  frames.push_back({NewEnvironment(nullptr), "", {}});
}

void Interpreter::Run(const SyntaxTree& tree) {
  if (ExecBlock(tree.root()) == Flow::kStop) {
    Note("RD002", {tree.path(), 0, 0, tree.cell(), ""},
         "the script runs for more than about 100,000 statements; reading "
         "stopped there",
         Severity::kWarning);
  }
}

// What nothing calls is run first; what only such functions call comes after,
// if it is still not called then.
void Interpreter::RunUncalledFunctions() {
  std::set<std::string, std::less<>> mentioned;
  for (const Function* function : functions_) {
    std::set<std::string, std::less<>> names;
    CollectCallees(function->node.field("body"), names);
    names.erase(function->name);
    mentioned.merge(names);
  }
  for (const bool roots : {true, false}) {
    for (size_t i = 0; i < functions_.size(); ++i) {
      const Function& function = *functions_[i];
      const std::pair<const void*, const void*> id = {function.node.tree(), function.node.raw().id};
      if (called_.contains(id) || dataset_functions.contains(id)) continue;
      if (roots && mentioned.contains(function.name)) continue;
      Arguments arguments;
      if (function.owner != nullptr && !function.is_static) {
        arguments.positional.push_back(SelfOf(*function.owner));
        if (called_.contains(id)) continue;  // by the constructor
      }
      CallFunction(function, arguments, function.node);
    }
  }
}

// An instance as good as any, for methods that the script itself never calls:
// one made without arguments.
Value Interpreter::SelfOf(const Class& type) {
  const auto known = instances_.find(&type);
  if (known != instances_.end()) return known->second;
  if (type.Extends("Layer") || type.Extends("Model") || type.Find("__new__") != nullptr) {
    return MakeUnknown(fmt::format("an instance of {}", type.name), type.node);
  }
  // While it is being made, for classes that name themselves.
  instances_[&type] = MakeUnknown(fmt::format("an instance of {}", type.name), type.node);
  Call call;
  call.node = type.node;
  call.location = type.node.location();
  call.text = type.name;
  Value self = Construct(type, call);
  instances_[&type] = self;
  return self;
}

Environment* Interpreter::NewEnvironment(Environment* outer) {
  environments_.emplace_back(outer);
  return &environments_.back();
}

void Interpreter::MarkCalled(const Function& function) {
  called_.emplace(function.node.tree(), function.node.raw().id);
}

bool Interpreter::Charge(int64_t units) {
  budget_ -= units;
  return budget_ > 0;
}

size_t Interpreter::built() const { return datasets.size() + keras.size(); }

Value Interpreter::MakeUnknown(std::string reason, Node at) {
  return {static_cast<const Unknown*>(
      arena.New(Unknown{std::move(reason), at.location(), {}, {}, {}}))};
}

Value Interpreter::PartOf(const Unknown& whole, const std::string& part) {
  Charge(1);
  Value& held = parts_[{&whole, part}];
  if (held.unknown() == nullptr) held = MadeFrom(whole);
  return held;
}

Value Interpreter::MadeFrom(const Unknown& value) {
  return {
      static_cast<const Unknown*>(arena.New(Unknown{value.reason, value.location, {}, {}, {}}))};
}

Value Interpreter::MakeList(std::vector<Value> items) {
  Charge(static_cast<int64_t>(items.size()));
  return {arena.New(List{false, std::move(items)})};
}

Value Interpreter::MakeTuple(std::vector<Value> items) {
  Charge(static_cast<int64_t>(items.size()));
  return {arena.New(List{true, std::move(items)})};
}

Value Interpreter::MakeArray(std::string dtype, std::vector<int64_t> dims) {
  return {arena.New(Array{std::move(dtype), std::move(dims)})};
}

Value Interpreter::MakeObject(std::string path, const Call& call) {
  Object object;
  object.path = std::move(path);
  object.arguments = call.arguments;
  object.location = call.location;
  return {arena.New(std::move(object))};
}

void Interpreter::Note(std::string_view rule, const Location& at, std::string message,
                       Severity severity) {
  if (in_dataset_function) return;
  if (!noted_.emplace(at, message).second) return;
  Diagnostic note;
  note.rule = std::string(rule);
  note.name = rule == "RD003" ? "ignored-part" : "cannot-resolve";
  note.severity = severity;
  note.location = at;
  note.message = std::move(message);
  notes.push_back(std::move(note));
}

void Interpreter::NoteUnknown(std::string_view what, const Value& value, Node at,
                              std::string_view consequence) {
  const Unknown* unknown = value.unknown();
  const std::string reason =
      unknown != nullptr ? fmt::format("{}, line {}", unknown->reason, unknown->location.line)
                         : fmt::format("found a {}", TypeName(value));
  Note("RD002", at.location(),
       fmt::format("cannot resolve {} ({}); {}", what, reason, consequence));
}

std::optional<std::vector<Value>> Interpreter::Iterate(const Value& value, Node at) {
  if (const std::vector<Value>* items = Items(value)) {
    if (value.ref<List>()->open) return std::nullopt;
    Charge(static_cast<int64_t>(items->size()));
    return *items;
  }
  if (const Range* range = value.as<Range>()) {
    if (range->size() > kMaxItems || range->step == 0) return std::nullopt;
    std::vector<Value> items;
    for (int64_t i = 0; i < range->size(); ++i) {
      items.push_back({range->start + i * range->step});
    }
    Charge(range->size());
    return items;
  }
  if (const Dict* dict = value.ref<Dict>()) {
    std::vector<Value> items;
    for (const auto& [key, held] : dict->items) items.push_back(key);
    return items;
  }
  if (Dataset* dataset = value.ref<Dataset>()) {
    iterated.push_back(dataset);
    return std::vector<Value>{dataset->element};
  }
  if (const Array* array = value.ref<Array>()) {
    if (array->dims.empty()) return std::nullopt;
    return std::vector<Value>{DropLeadingDim(*this, value)};
  }
  (void)at;
  return std::nullopt;
}

}  // namespace tilewise::python
