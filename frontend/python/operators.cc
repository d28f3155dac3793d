// Binary operators: arithmetic as Python does it (floor division, 64-bit
// integers without silent wrap), and what they do to text and lists.

#include <cmath>

#include <fmt/format.h>

#include "frontend/python/array_calls.h"
#include "frontend/python/interpreter.h"
#include "frontend/python/text_calls.h"

namespace tilewise::python {
namespace {

constexpr int64_t kMaxRepeated = 100'000;
constexpr int64_t kMaxRepeatedText = 1 << 20;

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

std::optional<Value> NumberResult(std::string_view op, const Value& a, const Value& b) {
  const std::optional<int64_t> x = AsInt(a), y = AsInt(b);
  if (x.has_value() && y.has_value()) return IntegerResult(op, *x, *y);
  const std::optional<double> u = AsNumber(a), v = AsNumber(b);
  if (u.has_value() && v.has_value()) return RealResult(op, *u, *v);
  return std::nullopt;
}

// list + list, list * n, str + str, str * n.
std::optional<Value> SequenceResult(Interpreter& in, std::string_view op, const Value& a,
                                    const Value& b) {
  const std::string *s = a.as<std::string>(), *t = b.as<std::string>();
  const std::optional<int64_t> n = AsInt(b);
  if (s != nullptr && t != nullptr && op == "+" &&
      static_cast<int64_t>(s->size() + t->size()) < kMaxRepeatedText) {
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
             (*n <= 0 || *n <= kMaxRepeated / (static_cast<int64_t>(x->size()) + 1))) {
    items.clear();
    for (int64_t i = 0; i < *n; ++i) {
      items.insert(items.end(), x->begin(), x->end());
    }
  } else {
    return std::nullopt;
  }
  return a.ref<List>()->tuple ? in.MakeTuple(std::move(items)) : in.MakeList(std::move(items));
}

}  // namespace

Value Interpreter::Binary(std::string_view op, const Value& a, const Value& b, Node at) {
  if (auto r = TensorOperator(*this, op, a, b, at)) return *r;
  if (auto r = NumberResult(op, a, b)) return *r;
  if (auto r = SequenceResult(*this, op, a, b)) return *r;
  if (auto r = ArrayOperator(*this, op, a, b)) return *r;
  for (const Value* side : {&a, &b}) {
    if (side->unknown() != nullptr) return MadeFrom(*side->unknown());
  }
  return MakeUnknown(fmt::format("`{}` is not followed", at.excerpt()), at);
}

}  // namespace tilewise::python
