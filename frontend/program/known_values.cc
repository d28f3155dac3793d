// Conditions are told where plain values decide them: None, numbers, texts.

#include "frontend/program/known_values.h"

#include <algorithm>
#include <string>

#include "frontend/program/function_tables.h"

namespace tilewise::program {
namespace {

using py::NodeKind;
using py::Operator;

// Nothing is known of a tensor, or of an object of the program.
std::optional<bool> TruthOf(const py::Value& value) {
  if (py::IsUnknown(value) || !value.set()) return std::nullopt;
  if (value.none()) return false;
  if (const std::string* text = py::TextOf(value)) return !text->empty();
  if (const auto number = py::AsNumber(value)) return *number != 0;
  if (const py::Sequence* list = value.as<py::Sequence>()) return !list->items.empty();
  return value.as<py::Function>() != nullptr ? std::optional<bool>(true) : std::nullopt;
}

std::optional<bool> AreEqual(const py::Value& a, const py::Value& b) {
  if (py::IsUnknown(a) || py::IsUnknown(b)) return std::nullopt;
  if (a.none() || b.none()) return a.none() && b.none();
  const std::string *text = py::TextOf(a), *other = py::TextOf(b);
  if (text != nullptr && other != nullptr) return *text == *other;
  const auto number = py::AsNumber(a), compared = py::AsNumber(b);
  if (number && compared) return *number == *compared;
  const bool plain = (text != nullptr || number) && (other != nullptr || compared);
  return plain ? std::optional<bool>(false) : std::nullopt;
}

std::optional<bool> IsIn(const py::Value& value, const py::Value& of) {
  const py::Sequence* list = of.as<py::Sequence>();
  if (list == nullptr) return std::nullopt;
  bool all_known = true;
  for (const py::Value& item : list->items) {
    const std::optional<bool> same = AreEqual(value, item);
    if (same.value_or(false)) return true;
    all_known = all_known && same.has_value();
  }
  return all_known ? std::optional<bool>(false) : std::nullopt;
}

std::optional<bool> Not(std::optional<bool> holds) {
  return holds ? std::optional<bool>(!*holds) : std::nullopt;
}

std::optional<bool> Compare(Operator op, const py::Value& a, const py::Value& b) {
  const auto left = py::AsNumber(a), right = py::AsNumber(b);
  const bool numbers = left && right;
  switch (op) {
    case Operator::kEqual:
    case Operator::kIs:
      return AreEqual(a, b);
    case Operator::kNotEqual:
    case Operator::kIsNot:
      return Not(AreEqual(a, b));
    case Operator::kIn:
      return IsIn(a, b);
    case Operator::kNotIn:
      return Not(IsIn(a, b));
    case Operator::kLess:
      return numbers ? std::optional<bool>(*left < *right) : std::nullopt;
    case Operator::kLessEqual:
      return numbers ? std::optional<bool>(*left <= *right) : std::nullopt;
    case Operator::kGreater:
      return numbers ? std::optional<bool>(*left > *right) : std::nullopt;
    case Operator::kGreaterEqual:
      return numbers ? std::optional<bool>(*left >= *right) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// What a partial gives to a parameter, by name or by place; null: nothing.
const py::Value* GivenByPartial(const py::Instance& partial, py::Symbol parameter, size_t place) {
  const py::Value* keywords = partial.attributes.Find(py::SymbolOf("keywords"));
  if (const py::Dict* dict = keywords == nullptr ? nullptr : keywords->as<py::Dict>()) {
    for (const py::Dict::Entry& entry : dict->entries) {
      const std::string* name = entry.live ? py::TextOf(entry.key) : nullptr;
      if (name != nullptr && *name == *parameter) return &entry.value;
    }
  }
  const py::Value* args = partial.attributes.Find(py::SymbolOf("args"));
  const py::Sequence* list = args == nullptr ? nullptr : args->as<py::Sequence>();
  return list != nullptr && place < list->items.size() ? &list->items[place] : nullptr;
}

}  // namespace

const py::Value* KnownValues::Of(const py::Node* node) const {
  if (node == nullptr) return nullptr;
  if (node->kind == NodeKind::kConstant) return &node->constant;
  if (function_ == nullptr) return nullptr;
  if (node->kind == NodeKind::kName) {
    const auto given = parameters_.find(node->name);
    if (given != parameters_.end()) return given->second;
    if (node->where == py::Node::Where::kLocal) return nullptr;
  }
  if (node->kind != NodeKind::kName && node->kind != NodeKind::kAttribute) return nullptr;
  const py::Value* value = ValueAt(node, *function_, self_);
  return value == nullptr || py::IsUnknown(*value) ? nullptr : value;
}

std::optional<bool> KnownValues::HoldsComparison(const py::Node* node) const {
  if (node->ops.size() != 1 || node->list.size() != 2) return std::nullopt;
  const py::Value* a = Of(node->list[0]);
  const py::Value* b = Of(node->list[1]);
  return a == nullptr || b == nullptr ? std::nullopt : Compare(node->ops[0], *a, *b);
}

std::optional<bool> KnownValues::Holds(const py::Node* node) const {
  if (node == nullptr) return std::nullopt;
  if (node->kind == NodeKind::kNot) return Not(Holds(node->a));
  if (node->kind == NodeKind::kAnd || node->kind == NodeKind::kOr) {
    const bool decides = node->kind == NodeKind::kOr;
    const std::optional<bool> a = Holds(node->a), b = Holds(node->b);
    if (a == decides || b == decides) return decides;
    return a && b ? std::optional<bool>(!decides) : std::nullopt;
  }
  if (node->kind == NodeKind::kCompare) return HoldsComparison(node);
  const py::Value* value = Of(node);
  return value == nullptr ? std::nullopt : TruthOf(*value);
}

void KnownValues::Enter(const py::Function& function, const py::Value* self, const py::Node* call,
                        const py::Instance* partial) {
  KnownValues inner;
  inner.function_ = &function;
  inner.self_ = self;
  const std::vector<py::Node*>& parameters = function.node->list;
  const size_t first = self != nullptr ? 1 : 0;
  for (size_t i = first; i < parameters.size(); ++i) {
    const py::Value* given = nullptr;
    const py::Node* argument = nullptr;
    for (size_t k = 0; call != nullptr && k < call->list.size(); ++k) {
      const py::Node* one = call->list[k];
      const bool keyword = one->kind == NodeKind::kKeyword;
      if (keyword ? one->name == parameters[i]->name : k + first == i) {
        argument = keyword ? one->a : one;
      }
    }
    if (argument != nullptr) given = Of(argument);
    if (argument == nullptr && partial != nullptr) {
      given = GivenByPartial(*partial, parameters[i]->name, i - first);
    }
    // A call that is not seen may give what has a default.
    if (argument == nullptr && given == nullptr && (call != nullptr || partial != nullptr)) {
      given = inner.Of(parameters[i]->a);
    }
    inner.parameters_[parameters[i]->name] = given;
  }
  *this = std::move(inner);
}

void KnownValues::Forget(const py::Node* target) {
  if (target == nullptr) return;
  if (target->kind == NodeKind::kName) parameters_[target->name] = nullptr;
  for (const py::Node* part : target->list) {
    if (target->kind == NodeKind::kTuple || target->kind == NodeKind::kList) Forget(part);
  }
}

}  // namespace tilewise::program
