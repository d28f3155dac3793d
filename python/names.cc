// Names and targets of assignments.

#include <algorithm>

#include <fmt/format.h>

#include "python/interpreter.h"

namespace tilewise::py {
namespace {

Environment* EnvironmentAt(Environment* names, int depth) {
  for (; depth > 0 && names != nullptr; --depth) names = names->outer;
  return names;
}

}  // namespace

Value Interpreter::Load(const Node* node) {
  Frame& frame = *frames_.back();
  switch (node->where) {
    case Node::Where::kClass:
      if (frame.body != nullptr) {
        if (const Value* found = frame.body->Find(node->name)) return *found;
      }
      if (node->depth < 0) break;
      [[fallthrough]];
    case Node::Where::kLocal:
    case Node::Where::kOuter: {
      const Environment* names = EnvironmentAt(frame.names, node->depth);
      if (names != nullptr && names->values[node->slot].set()) return names->values[node->slot];
      Raise("UnboundLocalError", fmt::format("name '{}' has no value yet", *node->name));
    }
    case Node::Where::kGlobal:
      break;
  }
  if (const Value* found = FindGlobal(*frame.module, node->name)) return *found;
  if (*node->name == "__file__" && !frame.module->file.empty()) return Text(frame.module->file);
  if (*node->name == "__class__" && frame.owner != nullptr) return frame.owner;
  const bool tried = std::any_of(frames_.begin(), frames_.end(), [](const Frame* each) {
    return each->tries > 0 && each->module != nullptr &&
           each->module->origin == Module::Origin::kUser;
  });
  if (frame.module->origin == Module::Origin::kUser && !tried) {
    const Value value = host_.UndefinedName(*this, node->name);
    if (value.set()) return value;
  }
  Raise("NameError", fmt::format("name '{}' is not defined", *node->name));
}

void Interpreter::Store(const Node* node, Symbol name, const Value& value) {
  Frame& frame = *frames_.back();
  if (frame.module->origin == Module::Origin::kUser) {
    if (Instance* instance = value.as<Instance>()) host_.Named(name, *instance);
  }
  switch (node->where) {
    case Node::Where::kClass:
      if (frame.body != nullptr) {
        frame.body->Set(name, value);
        return;
      }
      break;
    case Node::Where::kLocal:
    case Node::Where::kOuter: {
      Environment* names = EnvironmentAt(frame.names, node->depth);
      if (names == nullptr) return;
      Touch(*names);
      names->values[node->slot] = value;
      return;
    }
    case Node::Where::kGlobal:
      break;
  }
  Touch(*frame.module);
  frame.module->names.Set(name, value);
}

Value Interpreter::Assumed(Symbol name, const Value& value) {
  if (assumed.empty() || frame().module->origin != Module::Origin::kUser) return value;
  const auto given = assumed.find(name);
  if (given == assumed.end()) return value;
  given->second.used = true;
  return given->second.value;
}

void Interpreter::Assign(const Node* target, const Value& value) {
  switch (target->kind) {
    case NodeKind::kName:
      Store(target, target->name, Assumed(target->name, value));
      return;
    case NodeKind::kAttribute:
      SetAttribute(Eval(target->a), target->name, Assumed(target->name, value));
      return;
    case NodeKind::kSubscript: {
      const Value object = Eval(target->a);
      SetSubscript(object, Eval(target->b), value);
      return;
    }
    case NodeKind::kTuple:
    case NodeKind::kList:
      Unpack(target->list, value);
      return;
    case NodeKind::kStar:
      Assign(target->a, value);
      return;
    default:
      return;
  }
}

void Interpreter::Unpack(const std::vector<Node*>& targets, const Value& value) {
  if (IsUnknown(value)) {
    for (const Node* target : targets) Assign(target, value);
    return;
  }
  Openness open;
  std::vector<Value> items = Items(value, &open);
  size_t star = targets.size();
  for (size_t i = 0; i < targets.size(); ++i) {
    if (targets[i]->kind == NodeKind::kStar) star = i;
  }
  const bool fits =
      star == targets.size() ? items.size() == targets.size() : items.size() + 1 >= targets.size();
  if (!fits && open.uncounted()) {
    const Value more = UnknownOf(open, "an item");
    for (size_t i = 0; i < targets.size(); ++i) {
      if (targets[i]->kind == NodeKind::kStar) {
        Assign(targets[i], List(std::move(items), open));
      } else {
        Assign(targets[i], items.empty() ? more : items[std::min(i, items.size() - 1)]);
      }
    }
    return;
  }
  if (!fits) {
    const size_t wanted = targets.size() - (star == targets.size() ? 0 : 1);
    if (items.size() > wanted) {
      Raise("ValueError", fmt::format("too many values to unpack (expected {})", wanted));
    }
    Raise("ValueError",
          fmt::format("not enough values to unpack (expected {}{}, got {})",
                      star == targets.size() ? "" : "at least ", wanted, items.size()));
  }
  for (size_t i = 0; i < star; ++i) Assign(targets[i], items[i]);
  if (star == targets.size()) return;
  const size_t after = targets.size() - star - 1;
  const auto begin = items.begin() + static_cast<std::ptrdiff_t>(star);
  const auto end = items.end() - static_cast<std::ptrdiff_t>(after);
  Assign(targets[star]->a, List({begin, end}, open));
  for (size_t i = 0; i < after; ++i) {
    Assign(targets[star + 1 + i], items[items.size() - after + i]);
  }
}

}  // namespace tilewise::py
