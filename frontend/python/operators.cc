// Operators: arithmetic as Python does it (floor division, 64-bit integers
// without silent wrap), comparisons, and, or, not, indexing and slicing.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "frontend/python/array_calls.h"
#include "frontend/python/interpreter.h"
#include "frontend/python/text_calls.h"

namespace tilewise::python {
namespace {

constexpr int64_t kMaxItems = 100'000;
constexpr int64_t kMaxText = 1 << 20;

std::optional<int64_t> Power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  if (exponent > 62 && (base > 1 || base < -1)) return std::nullopt;
  if (exponent > 62) exponent = 62 + exponent % 2;  // 0, 1, -1
  for (int64_t i = 0; i < exponent; ++i) {
    if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
  }
  return result;
}

// Nothing on overflow, division by zero, or an operator of another kind.
std::optional<Value> IntegerResult(std::string_view op, int64_t a, int64_t b) {
  int64_t r = 0;
  if (op == "+" && !__builtin_add_overflow(a, b, &r)) return Value{r};
  if (op == "-" && !__builtin_sub_overflow(a, b, &r)) return Value{r};
  if (op == "*" && !__builtin_mul_overflow(a, b, &r)) return Value{r};
  const bool divides = b != 0 && !(a == INT64_MIN && b == -1);
  if (op == "/" && b != 0) {
    return Value{static_cast<double>(a) / static_cast<double>(b)};
  }
  if (op == "//" && divides) {
    return Value{a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0)};
  }
  if (op == "%" && divides) {
    const int64_t m = a % b;
    return Value{m != 0 && (m < 0) != (b < 0) ? m + b : m};
  }
  if (op == "**") {
    if (b < 0) return Value{std::pow(static_cast<double>(a), b)};
    const std::optional<int64_t> power = Power(a, b);
    if (power.has_value()) return Value{*power};
  }
  if (op == "<<" && a >= 0 && b >= 0 && b < 62 && a < (int64_t{1} << (62 - b)))
    return Value{a << b};
  if (op == ">>" && b >= 0 && b < 63) return Value{a >> b};
  if (op == "&") return Value{a & b};
  if (op == "|") return Value{a | b};
  if (op == "^") return Value{a ^ b};
  return std::nullopt;
}

std::optional<Value> RealResult(std::string_view op, double a, double b) {
  if (op == "+") return Value{a + b};
  if (op == "-") return Value{a - b};
  if (op == "*") return Value{a * b};
  if (op == "/" && b != 0) return Value{a / b};
  if (op == "//" && b != 0) return Value{std::floor(a / b)};
  if (op == "%" && b != 0) return Value{a - b * std::floor(a / b)};
  if (op == "**") return Value{std::pow(a, b)};
  return std::nullopt;
}

std::optional<Value> NumberResult(std::string_view op, const Value& a,
                                  const Value& b) {
  const std::optional<int64_t> x = AsInt(a), y = AsInt(b);
  if (x.has_value() && y.has_value()) return IntegerResult(op, *x, *y);
  const std::optional<double> u = AsNumber(a), v = AsNumber(b);
  if (u.has_value() && v.has_value()) return RealResult(op, *u, *v);
  return std::nullopt;
}

// list + list, list * n, str + str, str * n.
std::optional<Value> SequenceResult(Interpreter& in, std::string_view op,
                                    const Value& a, const Value& b) {
  const std::string *s = a.as<std::string>(), *t = b.as<std::string>();
  const std::optional<int64_t> n = AsInt(b);
  if (s != nullptr && t != nullptr && op == "+" &&
      static_cast<int64_t>(s->size() + t->size()) < kMaxText) {
    in.Charge(static_cast<int64_t>(s->size()) / 64);
    return Value{*s + *t};
  }
  if (s != nullptr && op == "%") return FormatPercent(in, *s, b);
  const std::vector<Value>*x = Items(a), *y = Items(b);
  if (x == nullptr) return std::nullopt;
  std::vector<Value> items = *x;
  if (y != nullptr && op == "+") {
    items.insert(items.end(), y->begin(), y->end());
  } else if (n.has_value() && op == "*" &&
             (*n <= 0 ||
              *n <= kMaxItems / (static_cast<int64_t>(x->size()) + 1))) {
    items.clear();
    for (int64_t i = 0; i < *n; ++i) {
      items.insert(items.end(), x->begin(), x->end());
    }
  } else {
    return std::nullopt;
  }
  return a.ref<List>()->tuple ? in.MakeTuple(std::move(items))
                              : in.MakeList(std::move(items));
}

std::optional<bool> Same(const Value& a, const Value& b) {
  const std::optional<double> x = AsNumber(a), y = AsNumber(b);
  if (x.has_value() && y.has_value()) return *x == *y;
  const std::string *s = a.as<std::string>(), *t = b.as<std::string>();
  if (s != nullptr && t != nullptr) return *s == *t;
  if (a.unknown() != nullptr || b.unknown() != nullptr) return std::nullopt;
  if (a.as<Path>() != nullptr || b.as<Path>() != nullptr ||
      a.ref<Method>() != nullptr || b.ref<Method>() != nullptr) {
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

std::optional<bool> Compare(std::string_view op, const Value& a,
                            const Value& b) {
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

Value Interpreter::Binary(std::string_view op, const Value& a, const Value& b,
                          Node at) {
  if (auto r = TensorOperator(*this, op, a, b, at)) return *r;
  if (auto r = NumberResult(op, a, b)) return *r;
  if (auto r = SequenceResult(*this, op, a, b)) return *r;
  if (auto r = ArrayOperator(*this, op, a, b)) return *r;
  if (a.unknown() != nullptr) return a;
  if (b.unknown() != nullptr) return b;
  return MakeUnknown(
      fmt::format("`{}` is not followed", at.text().substr(0, 60)), at);
}

Value Interpreter::EvalComparison(Node node) {
  const std::vector<Node> operands = node.children();
  std::vector<std::string> operators;
  for (const std::string_view op : node.operators()) {
    // "not in" and "is not" may come as two tokens.
    const bool joins =
        !operators.empty() && ((operators.back() == "not" && op == "in") ||
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
      return MakeUnknown(
          fmt::format("`{}` cannot be told", node.text().substr(0, 60)), node);
    }
    if (!*holds) return {false};
    left = right;
  }
  return {true};
}

Value Interpreter::EvalBoolean(Node node) {
  const bool is_and = node.field("operator").text() == "and";
  const Value left = Eval(node.field("left"));
  const std::optional<bool> truth = Truth(left);
  if (truth.has_value()) {
    return *truth == is_and ? Eval(node.field("right")) : left;
  }
  const Value right = Eval(node.field("right"));
  const std::optional<bool> other = Truth(right);
  if (other.has_value() && *other != is_and && AsNumber(right)) return right;
  return MakeUnknown(
      fmt::format("`{}` cannot be told", node.text().substr(0, 60)), node);
}

Value Interpreter::EvalUnary(Node node) {
  const Value value = Eval(node.field("argument"));
  if (node.is("not_operator")) {
    const std::optional<bool> truth = Truth(value);
    return truth.has_value() ? Value{!*truth}
                             : MakeUnknown("it cannot be told", node);
  }
  const std::string_view op = node.field("operator").text();
  if (op == "+" && AsNumber(value).has_value()) return value;
  if (op == "-") {
    if (value.ref<Array>() != nullptr) {
      return value;
    }
    return Binary("-", {int64_t{0}}, value, node);
  }
  if (op == "~" && AsInt(value).has_value()) return {~*AsInt(value)};
  return value.unknown() != nullptr ? value
                                    : MakeUnknown("it is not followed", node);
}

Value Interpreter::Subscript(const Value& object, Node node) {
  std::vector<Node> subscripts = node.children();
  subscripts.erase(subscripts.begin());
  if (subscripts.empty()) return MakeUnknown("it cannot be parsed", node);
  if (const Array* array = object.ref<Array>()) {
    if (auto r = ArraySubscript(*this, *array, subscripts)) return *r;
    return MakeUnknown("its shape after indexing is not followed", node);
  }
  if (subscripts[0].is("slice")) return Slice(object, subscripts[0]);
  const Value key = Eval(subscripts[0]);
  if (const Dict* dict = object.ref<Dict>()) {
    const std::string* text = key.as<std::string>();
    if (text != nullptr) {
      if (const Value* found = dict->Find(*text)) return *found;
    }
    for (const auto& [held, value] : dict->items) {
      if (text == nullptr && Same(held, key).value_or(false)) return value;
    }
    return MakeUnknown(
        fmt::format("the dictionary has no `{}`", subscripts[0].text()), node);
  }
  const std::vector<Value>* items = Items(object);
  std::optional<int64_t> index = AsInt(key);
  if (items != nullptr && index.has_value()) {
    const auto size = static_cast<int64_t>(items->size());
    if (*index < 0) *index += size;
    if (*index >= 0 && *index < size) {
      return (*items)[static_cast<size_t>(*index)];
    }
    return MakeUnknown(
        fmt::format("index {} is outside a list of {}", *index, size), node);
  }
  if (object.unknown() != nullptr) return object;
  return MakeUnknown(
      fmt::format("`{}` is not followed", node.text().substr(0, 60)), node);
}

Value Interpreter::Slice(const Value& object, Node slice) {
  const std::vector<Value>* items = Items(object);
  if (items == nullptr) {
    return object.unknown() != nullptr
               ? object
               : MakeUnknown("the slice is not followed", slice);
  }
  // Bounds stand between colons; a missing one is None.
  std::vector<Value> bounds(3, Value{None{}});
  size_t at = 0;
  const uint32_t parts = ts_node_child_count(slice.raw());
  for (uint32_t i = 0; i < parts && at < 3; ++i) {
    const Node part(ts_node_child(slice.raw(), i), slice.tree());
    if (part.is(":")) {
      ++at;
    } else {
      bounds[at] = Eval(part);
    }
  }
  for (const Value& bound : bounds) {
    if (!bound.none() && !AsInt(bound).has_value()) {
      return MakeUnknown("the slice bounds are not known", slice);
    }
  }
  const auto size = static_cast<int64_t>(items->size());
  const int64_t step = bounds[2].none() ? 1 : *AsInt(bounds[2]);
  if (step == 0) return MakeUnknown("the slice step is 0", slice);
  const auto bound = [&](const Value& value, int64_t missing) {
    if (value.none()) return missing;
    int64_t i = *AsInt(value);
    if (i < 0) i += size;
    return std::clamp<int64_t>(i, step < 0 ? -1 : 0,
                               step < 0 ? size - 1 : size);
  };
  const int64_t first = bound(bounds[0], step < 0 ? size - 1 : 0);
  const int64_t last = bound(bounds[1], step < 0 ? -1 : size);
  std::vector<Value> result;
  const Range range{first, last, step};
  const int64_t count =
      step > size || -step > size ? (range.size() > 0 ? 1 : 0) : range.size();
  for (int64_t i = 0; i < count; ++i) {
    result.push_back((*items)[static_cast<size_t>(first + i * step)]);
  }
  return object.ref<List>()->tuple ? MakeTuple(std::move(result))
                                   : MakeList(std::move(result));
}

}  // namespace tilewise::python
