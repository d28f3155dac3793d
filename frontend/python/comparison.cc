// Comparisons, and, or, not. What cannot be told keeps its relation to the
// operands, so that a decision about one holds for the other.

#include "frontend/python/comparison.h"

#include <fmt/format.h>

#include "frontend/python/array_calls.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {

std::optional<bool> Same(const Value& a, const Value& b) {
  const std::optional<double> x = AsNumber(a), y = AsNumber(b);
  if (x.has_value() && y.has_value()) return *x == *y;
  const std::string *s = a.as<std::string>(), *t = b.as<std::string>();
  if (s != nullptr && t != nullptr) return *s == *t;
  if (a.unknown() != nullptr || b.unknown() != nullptr) return std::nullopt;
  if (a.as<Path>() != nullptr || b.as<Path>() != nullptr || a.ref<Method>() != nullptr ||
      b.ref<Method>() != nullptr) {
    return std::nullopt;
  }
  if (a.none() || b.none()) return a.none() && b.none();
  if (a.data.index() != b.data.index()) return false;
  const std::vector<Value>*u = Items(a), *v = Items(b);
  if (u == nullptr || v == nullptr) return std::nullopt;
  if (u->size() != v->size()) return false;
  for (size_t i = 0; i < u->size(); ++i) {
    if (Items((*u)[i]) != nullptr) return std::nullopt;
    const std::optional<bool> same = Same((*u)[i], (*v)[i]);
    if (!same.value_or(false)) return same;
  }
  return true;
}

namespace {

std::optional<bool> Contains(const Value& needle, const Value& hay) {
  const std::string *s = needle.as<std::string>(), *t = hay.as<std::string>();
  if (s != nullptr && t != nullptr) {
    return t->find(*s) != std::string::npos;
  }
  if (const Dict* dict = hay.ref<Dict>(); dict != nullptr && s != nullptr) {
    return dict->Find(*s) != nullptr;
  }
  const std::vector<Value>* items = Items(hay);
  if (items == nullptr) return std::nullopt;
  bool known = true;
  for (const Value& item : *items) {
    const std::optional<bool> same = Same(needle, item);
    if (same.value_or(false)) return true;
    known = known && same.has_value();
  }
  return known ? std::optional<bool>(false) : std::nullopt;
}

std::optional<bool> Compare(std::string_view op, const Value& a, const Value& b) {
  if (op == "==" || op == "is") return Same(a, b);
  if (op == "!=" || op == "is not" || op == "in" || op == "not in") {
    const bool inside = op == "in" || op == "not in";
    const std::optional<bool> yes = inside ? Contains(a, b) : Same(a, b);
    if (!yes.has_value()) return yes;
    return op == "in" ? *yes : !*yes;
  }
  const std::optional<double> x = AsNumber(a), y = AsNumber(b);
  if (!x.has_value() || !y.has_value()) return std::nullopt;
  if (op == "<") return *x < *y;
  if (op == "<=") return *x <= *y;
  if (op == ">") return *x > *y;
  if (op == ">=") return *x >= *y;
  return std::nullopt;
}

}  // namespace

Value Interpreter::EvalComparison(Node node) {
  const std::vector<Node> operands = node.children();
  std::vector<std::string> operators;
  for (const std::string_view op : node.operators()) {
    // "not in" and "is not" may come as two tokens.
    const bool joins = !operators.empty() && ((operators.back() == "not" && op == "in") ||
                                              (operators.back() == "is" && op == "not"));
    if (joins) {
      operators.back() += fmt::format(" {}", op);
    } else {
      operators.emplace_back(op);
    }
  }
  Value left = Eval(operands.front());
  for (size_t i = 0; i < operators.size() && i + 1 < operands.size(); ++i) {
    const Value right = Eval(operands[i + 1]);
    const std::optional<bool> holds = Compare(operators[i], left, right);
    if (!holds.has_value()) {
      if (auto r = ArrayOperator(*this, operators[i], left, right)) return *r;
      const bool same = operators[i] == "==" || operators[i] == "is";
      const bool other = operators[i] == "!=" || operators[i] == "is not";
      if (operators.size() == 1 && (same || other)) {
        const Value equal = Equality(left, right, node);
        return same ? equal : Negation(equal, node);
      }
      return MakeUnknown(fmt::format("`{}` cannot be told", node.excerpt()), node);
    }
    if (!*holds) return {false};
    left = right;
  }
  return {true};
}

Value Interpreter::EvalBoolean(Node node) {
  const bool is_and = node.field("operator").text() == "and";
  const Value left = Eval(node.field("left"));
  const std::optional<bool> truth = Holds(left);
  if (truth.has_value()) {
    return *truth == is_and ? Eval(node.field("right")) : left;
  }
  const Value right = Eval(node.field("right"));
  const std::optional<bool> other = Holds(right);
  if (other.has_value() && *other != is_and && AsNumber(right)) return right;
  Unknown both;
  both.reason = fmt::format("`{}` cannot be told", node.excerpt());
  both.location = node.location();
  if (left.unknown() != nullptr && right.unknown() != nullptr) {
    both.relation = is_and ? Unknown::Relation::kAll : Unknown::Relation::kAny;
    both.of = {left.unknown(), right.unknown()};
  }
  return {static_cast<const Unknown*>(arena.New(std::move(both)))};
}

Value Interpreter::Equality(const Value& a, const Value& b, Node at) {
  if (const std::optional<bool> same = Same(a, b)) return {*same};
  const bool left = a.unknown() != nullptr;
  const Unknown* unknown = left ? a.unknown() : b.unknown();
  Unknown equal;
  equal.reason = fmt::format("`{}` cannot be told", at.excerpt());
  equal.location = at.location();
  equal.constant = ConstantText(left ? b : a);
  if (unknown != nullptr && !equal.constant.empty()) {
    equal.relation = Unknown::Relation::kEquals;
    equal.of = {unknown};
  }
  const Unknown* held = arena.New(std::move(equal));
  if (const std::optional<bool> truth = assumptions.Holds(*held)) {
    return {*truth};
  }
  return {held};
}

Value Interpreter::Negation(const Value& value, Node at) {
  if (const std::optional<bool> truth = Holds(value)) return {!*truth};
  Unknown negated;
  negated.reason = "it cannot be told";
  negated.location = at.location();
  if (value.unknown() != nullptr) {
    negated.relation = Unknown::Relation::kNot;
    negated.of = {value.unknown()};
  }
  return {static_cast<const Unknown*>(arena.New(std::move(negated)))};
}

Value Interpreter::EvalUnary(Node node) {
  const Value value = Eval(node.field("argument"));
  if (node.is("not_operator")) return Negation(value, node);
  const std::string_view op = node.field("operator").text();
  if (op == "+" && AsNumber(value).has_value()) return value;
  if (op == "-") {
    if (value.ref<Array>() != nullptr) {
      return value;
    }
    return Binary("-", {int64_t{0}}, value, node);
  }
  if (op == "~" && AsInt(value).has_value()) return {~*AsInt(value)};
  return value.unknown() != nullptr ? MadeFrom(*value.unknown())
                                    : MakeUnknown("it is not followed", node);
}

}  // namespace tilewise::python
