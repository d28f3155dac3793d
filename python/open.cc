// What is open, and what loops over it leave behind.

#include "python/open.h"

#include <algorithm>

#include <fmt/format.h>

#include "python/generator.h"

namespace tilewise::py {
namespace {

// Containers up to this size are kept item by item.
constexpr size_t kMaxKept = 64;

size_t SizeOf(const Object& object) {
  if (const auto* items = dynamic_cast<const Sequence*>(&object)) return items->items.size();
  if (const auto* dict = dynamic_cast<const Dict*>(&object)) return dict->entries.size();
  return 0;
}

bool Mentions(const Node* node, Symbol name) {
  if (node == nullptr) return false;
  if ((node->kind == NodeKind::kName || node->kind == NodeKind::kAttribute) && node->name == name) {
    return true;
  }
  return Mentions(node->a, name) || Mentions(node->b, name) || Mentions(node->c, name) ||
         Mentions(node->d, name) ||
         std::any_of(node->list.begin(), node->list.end(),
                     [name](const Node* each) { return Mentions(each, name); });
}

struct Assignments {
  bool plain = false, counted = false;
};

// Whether the statements give `name` a new value, and whether from its old one.
void FindAssignments(const Node* node, Symbol name, Assignments& found) {
  if (node == nullptr) return;
  if (node->kind == NodeKind::kAugmented && Mentions(node->a, name)) found.counted = true;
  if (node->kind == NodeKind::kAssign) {
    const bool to = std::any_of(node->list.begin(), node->list.end(),
                                [name](const Node* target) { return Mentions(target, name); });
    if (to) (Mentions(node->a, name) ? found.counted : found.plain) = true;
  }
  if (node->kind == NodeKind::kFor && Mentions(node->a, name)) found.plain = true;
  for (const Node* part : {node->a, node->b, node->c, node->d}) FindAssignments(part, name, found);
  for (const Node* part : node->list) FindAssignments(part, name, found);
}

bool IsNumber(const Value& value) {
  return value.tag == Value::Tag::kInt || value.tag == Value::Tag::kFloat;
}

// Whether code in this module acts for the program: tilewise's own does not,
// but for containers that it has in Python.
bool ActsForProgram(const Module* module) {
  if (module == nullptr || module->origin != Module::Origin::kOwn) return true;
  return module->names.Find(SymbolOf("__containers__")) != nullptr;
}

}  // namespace

Openness Interpreter::OpennessOf(const Value& value) {
  const Value& plain = Plain(value);
  if (const Sequence* items = plain.as<Sequence>()) return items->open;
  if (const Dict* dict = plain.as<Dict>()) return dict->open;
  if (const Unknown* unknown = plain.as<Unknown>()) return {unknown, false};
  if (const Iterator* items = plain.as<Iterator>()) return items->open();
  return {};
}

Value Interpreter::UnknownOf(const Openness& open, std::string_view what) {
  if (open.why == nullptr) return MakeUnknown(std::string(what));
  const std::string& reason = open.why->reason();
  if (reason.starts_with(what)) return New<Unknown>(open.why->cause);
  return New<Unknown>(fmt::format("{}: {}", what, reason), open.why->location());
}

Openness Interpreter::open_loop() const {
  for (auto run = open_runs_.rbegin(); run != open_runs_.rend(); ++run) {
    // The loop of a generator that waits is not one that runs.
    if ((*run)->waits()) continue;
    if ((*run)->open().uncounted()) return (*run)->open();
  }
  return {};
}

bool OpenRun::waits() const { return running_ != nullptr && running_->waits(); }

OpenRun::~OpenRun() {
  if (begun_) std::erase(in_.open_runs_, this);
}

void OpenRun::Begin() {
  begun_ = true;
  epoch_ = ++in_.epoch_;
  running_ = in_.running_;
  in_.open_runs_.push_back(this);
}

void OpenRun::Round(const Openness& open) {
  ++rounds_;
  open_.Join(open);
  if (!begun_ && open_) Begin();
}

void OpenRun::Save(Object& object) {
  if (object.epoch >= epoch_ || in_.running_ != running_) return;
  if (in_.frames_.empty() || !ActsForProgram(in_.frames_.back()->module)) return;
  Change change;
  change.object = &object;
  change.size = SizeOf(object);
  if (change.size <= kMaxKept) change.before.reset(object.Clone());
  in_.Step(2 + static_cast<int64_t>(std::min(change.size, kMaxKept) / 4));
  changes_.push_back(std::move(change));
}

Value OpenRun::NotKnown() { return in_.UnknownOf(open_, "what a loop counts"); }

bool OpenRun::Counted(const Value& before, const Value& after, Symbol name) const {
  if (!before.set() || !after.set() || before.Is(after)) return false;
  const std::string *text = TextOf(before), *other = TextOf(after);
  const bool texts = text != nullptr && other != nullptr;
  if (texts ? *text == *other : !(IsNumber(before) && IsNumber(after))) return false;
  if (open_.counted && !texts) {
    // The number grows by as many in each round.
    const auto from = AsInt(before), to = AsInt(after);
    if (from.has_value() && to.has_value() && (*to - *from) % std::max<int64_t>(1, rounds_) == 0) {
      return false;
    }
  }
  if (name == nullptr || body_ == nullptr) return true;
  Assignments found;
  FindAssignments(body_, name, found);
  return found.counted || !found.plain;
}

void OpenRun::MarkNames(Namespace& now, const Namespace& before) {
  for (const auto& [name, value] : before.items()) {
    Value* held = now.Find(name);
    if (held != nullptr && Counted(value, *held, name)) *held = NotKnown();
  }
}

void OpenRun::Mark(const Change& change) {
  switch (change.object->kind) {
    case Kind::kEnvironment: {
      auto& now = static_cast<Environment&>(*change.object);
      const auto& before = static_cast<const Environment&>(*change.before).values;
      for (size_t i = 0; i < now.values.size() && i < before.size(); ++i) {
        const Symbol name = i < now.info->slots.size() ? now.info->slots[i] : nullptr;
        if (Counted(before[i], now.values[i], name)) now.values[i] = NotKnown();
      }
      break;
    }
    case Kind::kInstance:
      MarkNames(static_cast<Instance&>(*change.object).attributes,
                static_cast<const Instance&>(*change.before).attributes);
      break;
    case Kind::kModule:
      MarkNames(static_cast<Module&>(*change.object).names,
                static_cast<const Module&>(*change.before).names);
      break;
    case Kind::kClass:
      MarkNames(static_cast<Class&>(*change.object).members,
                static_cast<const Class&>(*change.before).members);
      break;
    case Kind::kList: {
      auto& now = static_cast<Sequence&>(*change.object);
      if (now.items.size() != change.size) {
        now.open.Join(open_);
      } else if (change.before != nullptr) {
        const auto& before = static_cast<const Sequence&>(*change.before).items;
        for (size_t i = 0; i < before.size(); ++i) {
          if (Counted(before[i], now.items[i], nullptr)) now.items[i] = NotKnown();
        }
      }
      break;
    }
    case Kind::kDict:
    case Kind::kSet: {
      auto& now = static_cast<Dict&>(*change.object);
      if (now.entries.size() != change.size) now.open.Join({open_.why, false});
      if (change.before == nullptr) break;
      const auto& before = static_cast<const Dict&>(*change.before).entries;
      for (size_t i = 0; i < before.size() && i < now.entries.size(); ++i) {
        if (Counted(before[i].value, now.entries[i].value, nullptr)) {
          now.entries[i].value = NotKnown();
        }
      }
      break;
    }
    default:
      break;
  }
}

void OpenRun::End() {
  if (!begun_) return;
  std::erase(in_.open_runs_, this);
  begun_ = false;
  if (open_) {
    for (const Change& change : changes_) Mark(change);
  }
  changes_.clear();
}

}  // namespace tilewise::py
