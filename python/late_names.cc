// Which statements of a module wait until a name is asked for, and how they run then.

#include "python/late_names.h"

#include <algorithm>
#include <exception>
#include <utility>

#include <absl/container/flat_hash_set.h>

#include "python/interpreter.h"

namespace tilewise::py {
namespace {

bool IsDunder(Symbol name) { return name->starts_with("__"); }

// `root` of `root.a[b].c`; null: it begins with something else.
const Node* RootOf(const Node* node) {
  while (node->kind == NodeKind::kAttribute || node->kind == NodeKind::kSubscript) node = node->a;
  return node->kind == NodeKind::kName ? node : nullptr;
}

class LateFinder {
 public:
  explicit LateFinder(const Code& code) : code_(code) {}

  LateNames Find() {
    for (const Node* statement : code_.body->list) CountBound(statement);
    int32_t order = 0;
    for (const Node* statement : code_.body->list) Place({statement, order++});
    return std::move(late_);
  }

 private:
  void Count(Symbol name) {
    if (name != nullptr) ++bound_[name];
  }
  void CountTarget(const Node* target) {
    if (target == nullptr) return;
    if (target->kind == NodeKind::kName) Count(target->name);
    for (const Node* item : target->list) CountTarget(item);
    if (target->kind == NodeKind::kStar) CountTarget(target->a);
  }
  static Symbol BoundBy(const Node* item) {
    if (item->other != nullptr) return item->other;
    return item->names.empty() ? item->name : item->names[0];
  }
  // How often each name is bound or deleted outside of functions and classes.
  void CountBound(const Node* node) {
    switch (node->kind) {
      case NodeKind::kFunction:
      case NodeKind::kClass:
        Count(node->name);
        return;
      case NodeKind::kImported:
        Count(BoundBy(node));
        return;
      case NodeKind::kAssign:
      case NodeKind::kDelete:
        for (const Node* target : node->list) CountTarget(target);
        break;
      case NodeKind::kAugmented:
      case NodeKind::kAnnotated:
      case NodeKind::kFor:
      case NodeKind::kNamed:
        CountTarget(node->a);
        break;
      case NodeKind::kWithItem:
        CountTarget(node->b);
        break;
      case NodeKind::kHandler:
        Count(node->name);
        break;
      default:
        break;
    }
    for (const Node* child : {node->a, node->b, node->c, node->d}) {
      if (child != nullptr) CountBound(child);
    }
    for (const Node* child : node->list) {
      if (child != nullptr) CountBound(child);
    }
  }

  bool Waits(Symbol name) const { return bound_.at(name) == 1 && !IsDunder(name); }
  // The names of a target, when they are all bound nowhere else.
  bool NamesOf(const Node* target, std::vector<Symbol>& names) const {
    if (target->kind == NodeKind::kName) {
      names.push_back(target->name);
      return Waits(target->name);
    }
    if (target->kind != NodeKind::kTuple) return false;
    return std::all_of(target->list.begin(), target->list.end(),
                       [&](const Node* item) { return NamesOf(item, names); });
  }

  void Add(LateNames::Statement statement, const Node* item, const std::vector<Symbol>& names) {
    const auto number = static_cast<uint32_t>(late_.units.size());
    LateNames::Unit& unit = late_.units.emplace_back();
    unit.statements = {statement};
    unit.item = item;
    for (const Symbol name : names) {
      unit.names.push_back(static_cast<uint32_t>(late_.names.size()));
      late_.names.push_back(name);
      late_.unit_of[name] = number;
    }
  }

  bool PlaceDefinition(LateNames::Statement statement) {
    const Node* node = statement.node;
    switch (node->kind) {
      case NodeKind::kFunction:
      case NodeKind::kClass:
        if (!Waits(node->name)) return false;
        Add(statement, nullptr, {node->name});
        return true;
      case NodeKind::kImport:
      case NodeKind::kImportFrom: {
        if (node->conversion == '*') return false;
        const bool all = std::all_of(node->list.begin(), node->list.end(),
                                     [&](const Node* item) { return Waits(BoundBy(item)); });
        for (const Node* item : node->list) {
          if (all) Add(statement, item, {BoundBy(item)});
        }
        return all;
      }
      case NodeKind::kAssign: {
        std::vector<Symbol> names;
        const bool all = std::all_of(node->list.begin(), node->list.end(),
                                     [&](const Node* target) { return NamesOf(target, names); });
        if (all) Add(statement, nullptr, names);
        return all;
      }
      default:
        return false;
    }
  }

  // The name that a statement completes, when that is all that it is for:
  // `name.attribute = value`, `name.update(more)`, `setattr(name, more)`, and
  // loops over such statements. Null: it does something else.
  const Node* Completed(const Node* node) const {
    if (node->kind == NodeKind::kAssign) {
      const Node* root = nullptr;
      for (const Node* target : node->list) {
        const Node* of = target->kind == NodeKind::kName ? nullptr : RootOf(target);
        if (of == nullptr || (root != nullptr && of->name != root->name)) return nullptr;
        root = of;
      }
      return root;
    }
    if (node->kind == NodeKind::kExpression && node->a->kind == NodeKind::kCall) {
      const Node* call = node->a;
      const Node* root = call->a->kind == NodeKind::kAttribute ? RootOf(call->a) : nullptr;
      if (UnitOf(root) != nullptr) return root;
      if (call->list.empty() || call->list[0]->kind != NodeKind::kName) return nullptr;
      return IsClass(call->list[0]) ? call->list[0] : nullptr;
    }
    if (node->kind != NodeKind::kFor) return nullptr;
    const Node* root = nullptr;
    for (const Node* statement : node->c->list) {
      const bool plain = statement->kind == NodeKind::kAssign &&
                         std::all_of(statement->list.begin(), statement->list.end(), IsPlain);
      if (plain) continue;
      const Node* of = Completed(statement);
      if (of == nullptr || (root != nullptr && of->name != root->name)) return nullptr;
      root = of;
    }
    return root;
  }
  static bool IsPlain(const Node* target) {
    if (target->kind == NodeKind::kName) return true;
    return target->kind == NodeKind::kTuple &&
           std::all_of(target->list.begin(), target->list.end(), IsPlain);
  }
  const LateNames::Unit* UnitOf(const Node* name) const {
    if (name == nullptr) return nullptr;
    const auto at = late_.unit_of.find(name->name);
    if (at == late_.unit_of.end() || late_.units[at->second].item != nullptr) return nullptr;
    return &late_.units[at->second];
  }
  bool IsClass(const Node* name) const {
    const LateNames::Unit* unit = UnitOf(name);
    return unit != nullptr && unit->statements[0].node->kind == NodeKind::kClass;
  }
  template <typename Visit>
  static void ForEachName(const Node* node, const Visit& visit) {
    if (node->kind == NodeKind::kName) visit(node->name);
    for (const Node* child : {node->a, node->b, node->c, node->d}) {
      if (child != nullptr) ForEachName(child, visit);
    }
    for (const Node* child : node->list) {
      if (child != nullptr) ForEachName(child, visit);
    }
  }
  void Mention(const Node* node) {
    ForEachName(node, [&](Symbol name) { mentioned_.insert(name); });
  }
  // Whether a statement that completes a name reads a value that is made of it:
  // whoever asks for that value first would find the name half complete.
  bool ReadsWhatIsMadeOf(Symbol of, const Node* statement) const {
    bool found = false;
    ForEachName(statement, [&](Symbol name) {
      const auto at = name == of ? late_.unit_of.end() : late_.unit_of.find(name);
      if (at == late_.unit_of.end()) return;
      const LateNames::Unit& unit = late_.units[at->second];
      if (unit.statements[0].node->kind != NodeKind::kAssign) return;
      ForEachName(unit.statements[0].node, [&](Symbol read) { found = found || read == of; });
    });
    return found;
  }

  void Place(LateNames::Statement statement) {
    const Node* node = statement.node;
    if (node->kind == NodeKind::kExpression && node->a->kind == NodeKind::kConstant) return;
    if (PlaceDefinition(statement)) return;
    const Node* of = Completed(node);
    // What uses a name when the module is loaded has it as complete as it is there.
    if (UnitOf(of) != nullptr && !mentioned_.contains(of->name) &&
        !ReadsWhatIsMadeOf(of->name, node)) {
      late_.units[late_.unit_of[of->name]].statements.push_back(statement);
      return;
    }
    Mention(node);
    late_.at_load.push_back(statement);
  }

  const Code& code_;
  LateNames late_;
  absl::flat_hash_map<Symbol, int> bound_;
  absl::flat_hash_set<Symbol> mentioned_;  // by statements that run when the module is loaded
};

}  // namespace

LateNames FindLateNames(const Code& code) { return LateFinder(code).Find(); }

void Interpreter::RunOwn(Module& module, const Code& code) {
  if (code.late == nullptr) code.late = std::make_shared<const LateNames>(FindLateNames(code));
  const LateNames& late = *code.late;
  module.late = std::make_shared<LateState>();
  LateState& state = *module.late;
  state.code = &code;
  state.late = &late;
  state.stages.resize(late.units.size());
  state.values.resize(late.names.size());
  Frame frame;
  frame.module = &module;
  frame.at = code.body;
  const Entered entered(*this, frame);
  SetDocument(module, code);
  for (const LateNames::Statement& statement : late.at_load) {
    state.running = statement.order;
    Exec(statement.node);
  }
  state.running = LateState::kWhole;
}

const Value* Interpreter::FindName(Module& module, Symbol name) {
  const Value* found = module.names.Find(name);
  return found != nullptr || module.late == nullptr ? found : FindLate(module, name);
}

// What a name means in code of the module: its own, or the builtin.
const Value* Interpreter::FindGlobal(Module& module, Symbol name) {
  const Value* found = module.names.Find(name);
  const bool whole = module.late == nullptr || module.late->running == LateState::kWhole;
  if (found != nullptr && whole) return found;
  const Value* builtin = builtins_->names.Find(name);
  // A builtin's name means that until the statement which gives it another value.
  if (builtin != nullptr && DefinedLater(module, name)) return builtin;
  if (found == nullptr && module.late != nullptr) found = FindLate(module, name);
  return found != nullptr ? found : builtin;
}

const Value* Interpreter::FindLate(Module& module, Symbol name) {
  LateState& state = *module.late;
  const auto at = state.late->unit_of.find(name);
  if (at == state.late->unit_of.end()) return nullptr;
  const LateNames::Unit& unit = state.late->units[at->second];
  switch (state.stages[at->second]) {
    case LateState::Stage::kRunning:
      return nullptr;
    case LateState::Stage::kWaiting:
      RunLate(module, at->second);
      break;
    case LateState::Stage::kDone:
      // The way of a branch on which it got its value was taken back.
      for (const uint32_t held : unit.names) {
        if (state.late->names[held] == name && state.values[held].set()) {
          module.names.Set(name, state.values[held]);
        }
      }
      break;
  }
  return module.names.Find(name);
}

namespace {

// A value for as long as a definition runs: it runs as if it had when its module
// was loaded, outside of the branches and loops that asked for it.
template <typename T>
class Meanwhile {
 public:
  Meanwhile(T& place, T value) : place_(place), before_(std::exchange(place, std::move(value))) {}
  ~Meanwhile() { place_ = std::move(before_); }
  Meanwhile(const Meanwhile&) = delete;
  Meanwhile& operator=(const Meanwhile&) = delete;

 private:
  T& place_;
  T before_;
};

}  // namespace

void Interpreter::RunLate(Module& module, uint32_t number) {
  LateState& state = *module.late;
  const LateNames::Unit& unit = state.late->units[number];
  // One statement may give several names values, of which some have got others since.
  std::vector<std::pair<Symbol, Value>> kept;
  for (const uint32_t at : unit.names) {
    const Symbol name = state.late->names[at];
    if (const Value* held = module.names.Find(name)) kept.emplace_back(name, *held);
  }
  state.stages[number] = LateState::Stage::kRunning;
  try {
    WithRoom([&] { RunUnit(module, number); });
  } catch (...) {
    state.stages[number] = LateState::Stage::kWaiting;
    throw;
  }
  for (const auto& [name, value] : kept) module.names.Set(name, value);
  for (const uint32_t at : unit.names) {
    if (const Value* made = module.names.Find(state.late->names[at])) state.values[at] = *made;
  }
  state.stages[number] = LateState::Stage::kDone;
}

void Interpreter::RunUnit(Module& module, uint32_t number) {
  LateState& state = *module.late;
  const LateNames::Unit& unit = state.late->units[number];
  const Meanwhile branches(branches_, {});
  const Meanwhile open_runs(open_runs_, {});
  const Meanwhile<uint32_t> epoch(epoch_, 0);
  const Meanwhile<int> undecided(undecided_, 0);
  const Meanwhile<int32_t> running(state.running, 0);
  Frame frame;
  frame.module = &module;
  frame.at = state.code->body;
  const Entered entered(*this, frame);
  for (const LateNames::Statement& statement : unit.statements) {
    state.running = statement.order;
    if (unit.item == nullptr) {
      Exec(statement.node);
      continue;
    }
    frame.at = statement.node;
    if (statement.node->kind == NodeKind::kImport) {
      ExecImport(statement.node, unit.item);
    } else {
      ExecImportFrom(statement.node, unit.item);
    }
  }
}

bool Interpreter::DefinedLater(const Module& module, Symbol name) {
  if (module.late == nullptr) return false;
  const LateState& state = *module.late;
  const auto at = state.late->unit_of.find(name);
  return at != state.late->unit_of.end() &&
         state.late->units[at->second].statements[0].order >= state.running;
}

void Interpreter::DefineAll(Module& module) {
  if (module.late == nullptr) return;
  const std::shared_ptr<LateState> state = module.late;
  for (uint32_t number = 0; number < state->stages.size(); ++number) {
    const LateNames::Unit& unit = state->late->units[number];
    if (unit.statements[0].order >= state->running) break;
    for (const uint32_t at : unit.names) FindName(module, state->late->names[at]);
  }
}

bool Interpreter::EraseName(Module& module, Symbol name) {
  FindName(module, name);
  Touch(module);
  if (module.late != nullptr) {
    for (size_t at = 0; at < module.late->values.size(); ++at) {
      if (module.late->late->names[at] == name) module.late->values[at] = Value();
    }
  }
  return module.names.Erase(name);
}

}  // namespace tilewise::py
