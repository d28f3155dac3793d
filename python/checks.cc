// What a program does with what its command line or machine would give: checks
// that fail, tables of classes.

#include <algorithm>

#include <fmt/format.h>

#include "python/interpreter.h"

namespace tilewise::py {
namespace {

bool IsEmptyText(const Node* node) {
  const std::string* text = TextOf(node->constant);
  return node->kind == NodeKind::kConstant && text != nullptr && text->empty();
}

// Whether the condition can hold because something is not given: `not x`,
// `x is None`, `x == ""`, or one of several.
bool AsksForAbsent(const Node* condition) {
  switch (condition->kind) {
    case NodeKind::kNot:
      return condition->a->kind == NodeKind::kName || condition->a->kind == NodeKind::kAttribute ||
             condition->a->kind == NodeKind::kSubscript;
    case NodeKind::kAnd:
    case NodeKind::kOr:
      return AsksForAbsent(condition->a) || AsksForAbsent(condition->b);
    case NodeKind::kCompare: {
      if (condition->list.size() != 2) return false;
      const Node* other = condition->list[1];
      const bool none = other->kind == NodeKind::kConstant && other->constant.none();
      return (condition->ops[0] == Operator::kIs && none) ||
             (condition->ops[0] == Operator::kEqual && (none || IsEmptyText(other)));
    }
    default:
      return false;
  }
}

// Errors that say what a value must be; others are how programs end loops or
// answer a question.
bool RefusesValue(const Node* block) {
  if (block->kind != NodeKind::kBlock || block->list.size() != 1) return false;
  const Node* raise = block->list[0];
  if (raise->kind != NodeKind::kRaise || raise->a == nullptr) return false;
  const Node* type = raise->a->kind == NodeKind::kCall ? raise->a->a : raise->a;
  if (type->kind != NodeKind::kName) return false;
  const std::string& name = *type->name;
  return name == "ValueError" || name == "RuntimeError" || name == "AssertionError" ||
         name == "Exception";
}

}  // namespace

bool Interpreter::PassesOver() {
  if (!passes_checks || frame().module->origin != Module::Origin::kUser) return false;
  return std::none_of(frames_.begin(), frames_.end(), [](const Frame* each) {
    return each->tries > 0 && each->module != nullptr &&
           each->module->origin == Module::Origin::kUser;
  });
}

bool Interpreter::PassesAssertion(const Node* node) {
  if (!PassesOver()) return false;
  Note("RD002", LocationOf(frame()),
       fmt::format("the assertion does not hold as it is read here; it is passed over{}",
                   node->b == nullptr ? "" : ": " + Display(Eval(node->b))),
       Severity::kWarning);
  return true;
}

bool Interpreter::PassesGuard(const Node* node) {
  if (node->c != nullptr || !PassesOver() || !AsksForAbsent(node->a) || !RefusesValue(node->b)) {
    return false;
  }
  Note("RD002", LocationOf(frame()),
       "the program asks here for what is not given; it is read as if this did not end it",
       Severity::kWarning);
  return true;
}

Value Interpreter::FirstOfClasses(const Dict& dict, const Unknown& key) {
  if (!passes_checks || frame().module->origin != Module::Origin::kUser || dict.open) return {};
  const Dict::Entry* first = nullptr;
  for (const Dict::Entry& entry : dict.entries) {
    if (!entry.live) continue;
    if (TextOf(entry.key) == nullptr || entry.value.as<Class>() == nullptr) return {};
    if (first == nullptr) first = &entry;
  }
  if (first == nullptr) return {};
  Note("RD002", LocationOf(frame()),
       fmt::format("which of the classes here is wanted is not known ({}); '{}' is taken",
                   key.reason, *TextOf(first->key)),
       Severity::kWarning);
  return first->value;
}

}  // namespace tilewise::py
