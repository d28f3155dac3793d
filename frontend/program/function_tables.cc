// Follows what a callee of a map function may be, through the bindings of its names.

#include "frontend/program/function_tables.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace tilewise::program {
namespace {

using py::NodeKind;

constexpr int kMostHops = 8;
constexpr size_t kMostOfTable = 64;

bool IsCallable(const py::Value& value) {
  if (value.as<py::Function>() != nullptr || value.as<py::Method>() != nullptr) return true;
  if (value.as<py::Builtin>() != nullptr) return true;
  const py::Instance* instance = value.as<py::Instance>();
  return instance != nullptr && instance->type->Find(py::SymbolOf("__call__")) != nullptr;
}

// What a piece of code binds a name to.
struct Binding {
  const py::Node* value;
  int item = -1;            // of the tuple that the value is
  bool of_loop = false;     // each item of the value in turn
  bool is_default = false;  // of a parameter
};

class Bindings {
 public:
  explicit Bindings(py::Symbol name) : name_(name) {}

  std::vector<Binding> In(const py::Node* node) {
    Look(node);
    return std::move(found_);
  }

 private:
  void Look(const py::Node* node) {
    if (node == nullptr || ++steps_ > kMaxSteps) return;
    switch (node->kind) {
      case NodeKind::kAssign:
        for (const py::Node* target : node->list) Bind(target, {.value = node->a});
        break;
      case NodeKind::kFor:
      case NodeKind::kForClause:
        BindLoop(node->a, node->b);
        break;
      case NodeKind::kParameter:
        if (node->name == name_ && node->a != nullptr) {
          found_.push_back({.value = node->a, .is_default = true});
        }
        break;
      default:
        break;
    }
    for (const py::Node* part : {node->a, node->b, node->c, node->d}) Look(part);
    for (const py::Node* part : node->list) Look(part);
  }

  void Bind(const py::Node* target, Binding binding) {
    if (target->kind == NodeKind::kName && target->name == name_) found_.push_back(binding);
    if (target->kind != NodeKind::kTuple && target->kind != NodeKind::kList) return;
    for (size_t i = 0; i < target->list.size(); ++i) {
      binding.item = static_cast<int>(i);
      if (target->list[i]->kind == NodeKind::kName) Bind(target->list[i], binding);
    }
  }

  // for x in items; for i, x in enumerate(items); for x, y in zip(items, others).
  void BindLoop(const py::Node* target, const py::Node* items) {
    const auto calls = [&](std::string_view name) {
      return items->kind == NodeKind::kCall && items->a->kind == NodeKind::kName &&
             *items->a->name == name && !items->list.empty();
    };
    const bool parts = target->kind == NodeKind::kTuple;
    if (calls("enumerate") && parts && target->list.size() == 2) {
      return BindLoop(target->list[1], items->list[0]);
    }
    if (calls("zip") && parts && target->list.size() == items->list.size()) {
      for (size_t i = 0; i < target->list.size(); ++i) BindLoop(target->list[i], items->list[i]);
      return;
    }
    Bind(target, {.value = items, .of_loop = true});
  }

  static constexpr int64_t kMaxSteps = 20'000;
  const py::Symbol name_;
  std::vector<Binding> found_;
  int64_t steps_ = 0;
};

class Search {
 public:
  Search(const py::Value* self, TableCall& out) : self_(self), out_(out) {}

  void Callee(const py::Node* node, const py::Function& function, int hops = 0) {
    if (node == nullptr || hops > kMostHops) return;
    switch (node->kind) {
      case NodeKind::kName:
        return Name(node, function, hops);
      case NodeKind::kAttribute:
        if (const py::Value* value = ValueAt(node, function, self_)) Add(*value);
        return;
      case NodeKind::kSubscript:
        return Entry(node, function, hops);
      case NodeKind::kConditional:
        Callee(node->a, function, hops + 1);
        return Callee(node->c, function, hops + 1);
      case NodeKind::kCall:
        return Result(node, -1, function, hops);
      default:
        return;
    }
  }

 private:
  void Name(const py::Node* node, const py::Function& function, int hops) {
    const std::vector<Binding> bindings = Bindings(node->name).In(function.node);
    is_later_ = is_later_ || std::ranges::any_of(bindings, &Binding::is_default);
    for (const Binding& binding : bindings) {
      if (binding.is_default) {
        // A default with the parameter's own name is that of the code around it.
        const bool same =
            binding.value->kind == NodeKind::kName && binding.value->name == node->name;
        if (!same) Callee(binding.value, function, hops + 1);
      } else if (binding.of_loop) {
        // A list of tuples, or a table's items(), gives each entry's function.
        const bool of_table = binding.value->kind == NodeKind::kCall &&
                              binding.value->a->kind == NodeKind::kAttribute;
        const py::Node* table = of_table ? binding.value->a->a : binding.value;
        if (Items(table, function)) out_.each = !is_later_;
      } else if (binding.item >= 0) {
        Item(binding.value, binding.item, function, hops + 1);
      } else {
        Callee(binding.value, function, hops + 1);
      }
    }
    if (!bindings.empty()) return;
    if (const py::Value* value = ValueAt(node, function, self_)) Add(*value);
  }

  // One part of a tuple that is unpacked.
  void Item(const py::Node* value, int item, const py::Function& function, int hops) {
    const auto index = static_cast<size_t>(item);
    if (value->kind == NodeKind::kTuple && index < value->list.size()) {
      return Callee(value->list[index], function, hops);
    }
    if (value->kind == NodeKind::kCall) Result(value, item, function, hops);
  }

  // What a function of the program returns; random.choice(table); table.get(key).
  void Result(const py::Node* call, int item, const py::Function& function, int hops) {
    if (hops > kMostHops) return;
    const bool is_method = call->a->kind == NodeKind::kAttribute;
    if (is_method && *call->a->name == "choice" && !call->list.empty()) {
      Items(call->list[0], function);
      return;
    }
    if (is_method && *call->a->name == "get") {
      Items(call->a->a, function);
      return;
    }
    const py::Value* value = ValueAt(call->a, function, self_);
    const py::Function* called = value == nullptr ? nullptr : value->as<py::Function>();
    if (called == nullptr || called->module->origin != py::Module::Origin::kUser) return;
    if (called->node->kind != NodeKind::kFunction) return;
    std::vector<const py::Node*> returned;
    FindReturns(called->node->a, returned);
    for (const py::Node* result : returned) {
      if (item >= 0) {
        Item(result, item, *called, hops + 1);
      } else {
        Callee(result, *called, hops + 1);
      }
    }
  }

  static void FindReturns(const py::Node* node, std::vector<const py::Node*>& out) {
    if (node == nullptr || node->kind == NodeKind::kFunction || node->kind == NodeKind::kLambda) {
      return;
    }
    if (node->kind == NodeKind::kReturn) {
      if (node->a != nullptr) out.push_back(node->a);
      return;
    }
    for (const py::Node* part : {node->a, node->b, node->c, node->d}) FindReturns(part, out);
    for (const py::Node* part : node->list) FindReturns(part, out);
  }

  // table[key]: the entry of a key that is written, those of the keys that a loop goes over, or
  // all.
  void Entry(const py::Node* node, const py::Function& function, int hops) {
    const py::Value* table = ValueAt(node->a, function, self_);
    if (table == nullptr) {
      if (node->a->kind == NodeKind::kName) AddLiteral(node->a, function, hops);
      return;
    }
    const py::Dict* dict = table->as<py::Dict>();
    if (dict != nullptr && node->b->kind == NodeKind::kConstant)
      return AddKey(*dict, node->b->constant);
    if (dict != nullptr && node->b->kind == NodeKind::kName) {
      for (const Binding& key : Bindings(node->b->name).In(function.node)) {
        if (!key.of_loop || key.item >= 0) continue;
        const py::Value* keys = ValueAt(key.value, function, self_);
        const py::Sequence* list = keys == nullptr ? nullptr : keys->as<py::Sequence>();
        if (list == nullptr) continue;
        for (const py::Value& one : list->items) AddKey(*dict, one);
        out_.each = !is_later_;
        return;
      }
    }
    AddAll(*table);
  }

  // A table that the function itself writes.
  void AddLiteral(const py::Node* name, const py::Function& function, int hops) {
    for (const Binding& binding : Bindings(name->name).In(function.node)) {
      if (binding.of_loop || binding.item >= 0 || binding.is_default) continue;
      Written(binding.value, function, hops);
    }
  }

  void Written(const py::Node* table, const py::Function& function, int hops) {
    const bool is_list = table->kind == NodeKind::kList || table->kind == NodeKind::kTuple;
    if (!is_list && table->kind != NodeKind::kDict) return;
    for (const py::Node* item : table->list) {
      Callee(item->kind == NodeKind::kPair ? item->b : item, function, hops + 1);
    }
  }

  bool Items(const py::Node* items, const py::Function& function) {
    const size_t before = out_.functions.size();
    Written(items, function, 0);
    if (const py::Value* value = ValueAt(items, function, self_)) {
      AddAll(*value);
    } else if (items->kind == NodeKind::kName) {
      AddLiteral(items, function, 0);
    }
    return out_.functions.size() > before;
  }

  void AddKey(const py::Dict& dict, const py::Value& key) {
    const std::string* text = py::TextOf(key);
    for (const py::Dict::Entry& entry : dict.entries) {
      const std::string* own = py::TextOf(entry.key);
      const auto number = py::AsInt(key);
      const bool same = text != nullptr ? own != nullptr && *own == *text
                                        : number.has_value() && py::AsInt(entry.key) == number;
      if (entry.live && same) Add(entry.value);
    }
  }

  void AddAll(const py::Value& table) {
    if (const py::Dict* dict = table.as<py::Dict>()) {
      for (const py::Dict::Entry& entry : dict->entries) {
        if (entry.live) Add(entry.value);
      }
    } else if (const py::Sequence* list = table.as<py::Sequence>()) {
      for (const py::Value& item : list->items) Add(item);
    }
  }

  // An entry may be the function with its arguments: (function, low, high).
  void Add(const py::Value& value) {
    if (out_.functions.size() >= kMostOfTable) return;
    if (IsCallable(value)) {
      out_.functions.push_back(value);
    } else if (const py::Sequence* parts = value.as<py::Sequence>()) {
      const auto first = std::ranges::find_if(parts->items, IsCallable);
      if (first != parts->items.end()) out_.functions.push_back(*first);
    }
  }

  const py::Value* const self_;
  TableCall& out_;
  bool is_later_ = false;  // in a function that is made here and runs elsewhere
};

}  // namespace

const py::Value* OuterValue(const py::Node* name, const py::Function& function) {
  for (const py::Environment* names = function.closure; names != nullptr; names = names->outer) {
    const int64_t slot = names->info->Slot(name->name);
    if (slot >= 0 && names->values[slot].set()) return &names->values[slot];
  }
  return function.module->names.Find(name->name);
}

const py::Value* ValueAt(const py::Node* node, const py::Function& function,
                         const py::Value* self) {
  if (node->kind == NodeKind::kName) {
    const std::vector<py::Node*>& parameters = function.node->list;
    if (self != nullptr && !parameters.empty() && parameters.front()->name == node->name) {
      return self;
    }
    return OuterValue(node, function);
  }
  if (node->kind != NodeKind::kAttribute) return nullptr;
  const py::Value* of = ValueAt(node->a, function, self);
  if (of == nullptr) return nullptr;
  if (const py::Module* module = of->as<py::Module>()) return module->names.Find(node->name);
  const py::Instance* instance = of->as<py::Instance>();
  if (instance == nullptr) return nullptr;
  const py::Value* held = instance->attributes.Find(node->name);
  return held != nullptr ? held : instance->type->Find(node->name);
}

TableCall FunctionsOfTable(const py::Node* callee, const py::Function& function,
                           const py::Value* self) {
  TableCall found;
  Search(self, found).Callee(callee, function);
  return found;
}

}  // namespace tilewise::program
