// Operators: those of plain values, then what classes say.

#include <cmath>

#include <fmt/format.h>

#include "python/interpreter.h"
#include "python/unknowns.h"

namespace tilewise::py {
namespace {

struct SpecialNames {
  const char *own, *reflected, *in_place;
};

SpecialNames NamesOfOperator(Operator op) {
  switch (op) {
    case Operator::kAdd:
      return {"__add__", "__radd__", "__iadd__"};
    case Operator::kSubtract:
      return {"__sub__", "__rsub__", "__isub__"};
    case Operator::kMultiply:
      return {"__mul__", "__rmul__", "__imul__"};
    case Operator::kDivide:
      return {"__truediv__", "__rtruediv__", "__itruediv__"};
    case Operator::kFloorDivide:
      return {"__floordiv__", "__rfloordiv__", "__ifloordiv__"};
    case Operator::kModulo:
      return {"__mod__", "__rmod__", "__imod__"};
    case Operator::kPower:
      return {"__pow__", "__rpow__", "__ipow__"};
    case Operator::kMatMul:
      return {"__matmul__", "__rmatmul__", "__imatmul__"};
    case Operator::kAnd:
      return {"__and__", "__rand__", "__iand__"};
    case Operator::kOr:
      return {"__or__", "__ror__", "__ior__"};
    case Operator::kXor:
      return {"__xor__", "__rxor__", "__ixor__"};
    case Operator::kShiftLeft:
      return {"__lshift__", "__rlshift__", "__ilshift__"};
    case Operator::kShiftRight:
      return {"__rshift__", "__rrshift__", "__irshift__"};
    case Operator::kEqual:
      return {"__eq__", "__eq__", ""};
    case Operator::kNotEqual:
      return {"__ne__", "__ne__", ""};
    case Operator::kLess:
      return {"__lt__", "__gt__", ""};
    case Operator::kLessEqual:
      return {"__le__", "__ge__", ""};
    case Operator::kGreater:
      return {"__gt__", "__lt__", ""};
    case Operator::kGreaterEqual:
      return {"__ge__", "__le__", ""};
    default:
      return {"", "", ""};
  }
}

std::optional<Value> IntPower(int64_t base, int64_t exponent) {
  if (exponent < 0)
    return Value(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  int64_t result = 1;
  for (int64_t i = 0; i < exponent; ++i) {
    if (__builtin_mul_overflow(result, base, &result)) {
      return Value(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
    }
    if (result == 0 || (result == 1 && base == 1)) return Value(result);
    if (i > 200 && base != -1) break;
  }
  return Value(result);
}

int64_t FloorDivided(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

// Numbers too large for 64 bits go on as floats.
std::optional<Value> Integers(Operator op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
    case Operator::kAdd:
      if (__builtin_add_overflow(a, b, &result)) {
        return Value(static_cast<double>(a) + static_cast<double>(b));
      }
      return Value(result);
    case Operator::kSubtract:
      if (__builtin_sub_overflow(a, b, &result)) {
        return Value(static_cast<double>(a) - static_cast<double>(b));
      }
      return Value(result);
    case Operator::kMultiply:
      if (__builtin_mul_overflow(a, b, &result)) {
        return Value(static_cast<double>(a) * static_cast<double>(b));
      }
      return Value(result);
    case Operator::kDivide:
      return Value(static_cast<double>(a) / static_cast<double>(b));
    case Operator::kFloorDivide:
      if (b == -1) return Integers(Operator::kSubtract, 0, a);
      return Value(FloorDivided(a, b));
    case Operator::kModulo:
      return Value(b == -1 ? 0 : a - FloorDivided(a, b) * b);
    case Operator::kPower:
      return IntPower(a, b);
    case Operator::kAnd:
      return Value(a & b);
    case Operator::kOr:
      return Value(a | b);
    case Operator::kXor:
      return Value(a ^ b);
    case Operator::kShiftLeft:
      if (b > 62 || __builtin_mul_overflow(a, int64_t{1} << b, &result)) {
        constexpr int64_t kBeyondFloats = 5000;
        return Value(
            std::ldexp(static_cast<double>(a), static_cast<int>(std::min(b, kBeyondFloats))));
      }
      return Value(result);
    case Operator::kShiftRight:
      return Value(b > 62 ? (a < 0 ? int64_t{-1} : int64_t{0}) : a >> b);
    default:
      return std::nullopt;
  }
}

std::optional<Value> Reals(Operator op, double a, double b) {
  switch (op) {
    case Operator::kAdd:
      return Value(a + b);
    case Operator::kSubtract:
      return Value(a - b);
    case Operator::kMultiply:
      return Value(a * b);
    case Operator::kDivide:
      return Value(a / b);
    case Operator::kFloorDivide:
      return Value(std::floor(a / b));
    case Operator::kModulo: {
      const double rest = std::fmod(a, b);
      return Value(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
    }
    case Operator::kPower:
      return Value(std::pow(a, b));
    default:
      return std::nullopt;
  }
}

// a + b of texts, bytes, lists or tuples.
std::optional<Value> Concatenated(Interpreter& in, const Value& a, const Value& b) {
  const std::string *text_a = TextOf(a), *text_b = TextOf(b);
  if (text_a != nullptr && text_b != nullptr) {
    in.Step(static_cast<int64_t>(text_a->size() + text_b->size()) / 64);
    in.CheckRoom(static_cast<int64_t>(text_a->size() + text_b->size()));
    return in.Text(*text_a + *text_b);
  }
  const Bytes *bytes_a = a.as<Bytes>(), *bytes_b = b.as<Bytes>();
  if (bytes_a != nullptr && bytes_b != nullptr) return in.New<Bytes>(bytes_a->text + bytes_b->text);
  const Sequence *items_a = a.as<Sequence>(), *items_b = b.as<Sequence>();
  if (items_a != nullptr && items_b != nullptr && items_a->kind == items_b->kind) {
    in.CheckRoom(
        static_cast<int64_t>((items_a->items.size() + items_b->items.size()) * 3 * sizeof(Value)));
    std::vector<Value> items = items_a->items;
    items.insert(items.end(), items_b->items.begin(), items_b->items.end());
    in.Step(static_cast<int64_t>(items.size()) / 8);
    Sequence* joined = in.New<Sequence>(items_a->kind, std::move(items));
    joined->open = items_a->open;
    joined->open.Join(items_b->open);
    SetCount(*joined, JoinedCount(in, *items_a, *items_b));
    return joined;
  }
  return std::nullopt;
}

// object * times of a text, list or tuple.
std::optional<Value> Repeated(Interpreter& in, const Value& object, int64_t times) {
  constexpr int64_t kMaxItems = 10'000'000;
  if (const std::string* text = TextOf(object)) {
    if (times > kMaxItems / std::max<int64_t>(1, static_cast<int64_t>(text->size()))) {
      return in.MakeUnknown("a long text");
    }
    std::string result;
    for (int64_t i = 0; i < times; ++i) result += *text;
    return in.Text(std::move(result));
  }
  if (const Sequence* items = object.as<Sequence>()) {
    if (times > kMaxItems / std::max<int64_t>(1, static_cast<int64_t>(items->items.size()))) {
      return in.MakeUnknown("a list of more than ten million items");
    }
    std::vector<Value> result;
    for (int64_t i = 0; i < times; ++i) {
      result.insert(result.end(), items->items.begin(), items->items.end());
    }
    in.Step(static_cast<int64_t>(result.size()) / 8);
    Sequence* repeated = in.New<Sequence>(items->kind, std::move(result));
    repeated->open = items->open;
    return repeated;
  }
  return std::nullopt;
}

// The union, intersection or difference of two sets, or the union of two dicts.
std::optional<Value> CombinedDicts(Interpreter& in, Operator op, const Value& a, const Value& b) {
  const Dict *dict_a = a.as<Dict>(), *dict_b = b.as<Dict>();
  if (dict_a == nullptr || dict_b == nullptr || dict_a->kind != dict_b->kind) return std::nullopt;
  const bool is_of_sets = op == Operator::kAnd || op == Operator::kSubtract || op == Operator::kXor;
  if (op != Operator::kOr && !(is_of_sets && dict_a->kind == Kind::kSet)) return std::nullopt;
  Dict* result = in.New<Dict>(dict_a->kind);
  result->open = dict_a->open;
  result->open.Join(dict_b->open);
  for (const Dict::Entry& entry : std::vector<Dict::Entry>(dict_a->entries)) {
    if (!entry.live) continue;
    const bool there = in.FindItem(*const_cast<Dict*>(dict_b), entry.key) != nullptr;
    const bool keeps = op == Operator::kOr || (op == Operator::kAnd ? there : !there);
    if (keeps) in.SetItem(*result, entry.key, entry.value);
  }
  if (op == Operator::kOr || op == Operator::kXor) {
    for (const Dict::Entry& entry : std::vector<Dict::Entry>(dict_b->entries)) {
      if (!entry.live) continue;
      if (op == Operator::kXor && in.FindItem(*const_cast<Dict*>(dict_a), entry.key)) continue;
      in.SetItem(*result, entry.key, entry.value);
    }
  }
  return result;
}

}  // namespace

std::optional<Value> Interpreter::Arithmetic(Operator op, const Value& left, const Value& right) {
  const Value& a = Plain(left);
  const Value& b = Plain(right);
  const auto int_a = a.is_object() ? std::nullopt : AsInt(a);
  const auto int_b = b.is_object() ? std::nullopt : AsInt(b);
  const bool divides =
      op == Operator::kDivide || op == Operator::kFloorDivide || op == Operator::kModulo;
  if (int_a.has_value() && int_b.has_value()) {
    if (divides && *int_b == 0) {
      Raise("ZeroDivisionError",
            op == Operator::kDivide ? "division by zero" : "integer division or modulo by zero");
    }
    if ((op == Operator::kShiftLeft || op == Operator::kShiftRight) && *int_b < 0) {
      Raise("ValueError", "negative shift count");
    }
    if (a.tag == Value::Tag::kBool && b.tag == Value::Tag::kBool) {
      if (op == Operator::kAnd) return Value(a.truth && b.truth);
      if (op == Operator::kOr) return Value(a.truth || b.truth);
      if (op == Operator::kXor) return Value(a.truth != b.truth);
    }
    return Integers(op, *int_a, *int_b);
  }
  const auto real_a = a.is_object() ? std::nullopt : AsNumber(a);
  const auto real_b = b.is_object() ? std::nullopt : AsNumber(b);
  if (real_a.has_value() && real_b.has_value()) {
    if (divides && *real_b == 0) {
      Raise("ZeroDivisionError", op == Operator::kDivide        ? "float division by zero"
                                 : op == Operator::kFloorDivide ? "float floor division by zero"
                                                                : "float modulo");
    }
    return Reals(op, *real_a, *real_b);
  }
  if (op == Operator::kAdd) {
    if (std::optional<Value> joined = Concatenated(*this, a, b)) return joined;
  }
  if (op == Operator::kMultiply && (int_a.has_value() || int_b.has_value())) {
    const Value& object = int_a.has_value() ? b : a;
    const int64_t times = std::max<int64_t>(0, int_a.has_value() ? *int_a : *int_b);
    if (std::optional<Value> repeated = Repeated(*this, object, times)) return repeated;
  }
  if (op == Operator::kModulo && TextOf(a) != nullptr) {
    return CallMethod(a, "__mod__", {right});
  }
  // keys() and items() are lists here, and sets to operators.
  const bool of_sets = op == Operator::kSubtract || op == Operator::kAnd || op == Operator::kOr ||
                       op == Operator::kXor;
  if (of_sets && a.as<Sequence>() != nullptr && b.is_object() && !IsUnknown(b)) {
    return Binary(op, SetOf(a), b.as<Sequence>() != nullptr ? SetOf(b) : b);
  }
  if (of_sets && b.as<Sequence>() != nullptr && a.as<Dict>() != nullptr) {
    return Binary(op, a, SetOf(b));
  }
  if (std::optional<Value> combined = CombinedDicts(*this, op, a, b)) return combined;
  // Types joined in annotations: int | None.
  if (op == Operator::kOr && (a.as<Class>() != nullptr || b.as<Class>() != nullptr)) {
    const Value unions = FindAttribute(Import("typing"), Name("Union"));
    if (!unions.set() || IsUnknown(unions)) return MakeUnknown("a union of types");
    return Subscript(unions, Tuple({a, b.none() ? Value(types.none) : b}));
  }
  return std::nullopt;
}

Value Interpreter::SetOf(const Value& items) {
  Dict* set = New<Dict>(Kind::kSet);
  Openness open;
  for (const Value& item : Items(items, &open)) SetItem(*set, item, None());
  set->open.Join({open.why, false});
  return set;
}

std::optional<Value> Interpreter::Special(Operator op, const Value& a, const Value& b) {
  const SpecialNames names = NamesOfOperator(op);
  const Instance *left = a.as<Instance>(), *right = b.as<Instance>();
  const auto ask = [&](const Instance* self, const char* name, const Value& x,
                       const Value& y) -> std::optional<Value> {
    if (self == nullptr) return std::nullopt;
    const Value* method = self->type->Find(Name(name));
    if (method == nullptr || method->none()) return std::nullopt;
    const Value result = Call(*method, {x, y});
    if (result.tag == Value::Tag::kOther) return std::nullopt;
    return result;
  };
  const bool derived = left != nullptr && right != nullptr && left->type != right->type &&
                       right->type->Derives(left->type);
  if (derived) {
    if (auto result = ask(right, names.reflected, b, a)) return result;
  }
  if (auto result = ask(left, names.own, a, b)) return result;
  if (auto result = ask(right, names.reflected, b, a)) return result;
  return std::nullopt;
}

Value Interpreter::Binary(Operator op, const Value& a, const Value& b) {
  const bool objects = a.as<Instance>() != nullptr || b.as<Instance>() != nullptr;
  // A text formats whatever follows the %.
  const bool formats = op == Operator::kModulo && TextOf(a) != nullptr;
  if (objects && !formats) {
    if (const std::optional<Value> result = Special(op, a, b)) return *result;
  }
  if (IsUnknown(a) || IsUnknown(b)) {
    const std::optional<Value> counted = CountsCombined(*this, op, a, b);
    return counted.has_value() ? *counted : IsUnknown(a) ? a : b;
  }
  if (const std::optional<Value> result = Arithmetic(op, a, b)) return *result;
  const Instance *left = a.as<Instance>(), *right = b.as<Instance>();
  if ((left != nullptr && left->type->open) || (right != nullptr && right->type->open)) {
    return MakeUnknown("an operator of a class that is not known");
  }
  Raise("TypeError", fmt::format("unsupported operand types for {}: '{}' and '{}'",
                                 OperatorText(op), *TypeOf(a)->name, *TypeOf(b)->name));
}

Value Interpreter::InPlace(Operator op, const Value& a, const Value& b) {
  if (const Instance* left = a.as<Instance>()) {
    const char* name = NamesOfOperator(op).in_place;
    if (const Value* method = left->type->Find(Name(name))) {
      const Value result = Call(*method, {a, b});
      if (result.tag != Value::Tag::kOther) return result;
    }
  }
  if (op == Operator::kAdd && a.is_object() && a.object->kind == Kind::kList) {
    Sequence& list = *a.as<Sequence>();
    const Sequence* more = b.as<Sequence>();
    const Unknown* count = more == nullptr ? nullptr : JoinedCount(*this, list, *more);
    Touch(list);
    Openness open;
    const std::vector<Value> items = Items(b, &open);
    list.open.Join(open);
    Spend(static_cast<int64_t>(items.size() * sizeof(Value)));
    list.items.insert(list.items.end(), items.begin(), items.end());
    SetCount(list, count);
    return a;
  }
  if (op == Operator::kOr && a.is_object() && Dict::Is(a.object->kind) && b.as<Dict>() != nullptr) {
    Dict& dict = *a.as<Dict>();
    Touch(dict);
    dict.open.Join(b.as<Dict>()->open);
    for (const Dict::Entry& entry : std::vector<Dict::Entry>(b.as<Dict>()->entries)) {
      if (entry.live) SetItem(dict, entry.key, entry.value);
    }
    return a;
  }
  return Binary(op, a, b);
}

Value Interpreter::Unary(Operator op, const Value& value) {
  if (const Instance* instance = value.as<Instance>()) {
    const char* name = op == Operator::kNegate ? "__neg__"
                       : op == Operator::kPlus ? "__pos__"
                                               : "__invert__";
    if (const Value* method = instance->type->Find(Name(name))) return Call(*method, {value});
  }
  if (IsUnknown(value)) return value;
  const Value& plain = Plain(value);
  if (plain.tag == Value::Tag::kFloat && op != Operator::kInvert) {
    return op == Operator::kNegate ? Value(-plain.real) : plain;
  }
  if (const std::optional<int64_t> integer = AsInt(plain)) {
    if (op == Operator::kNegate) return *Integers(Operator::kSubtract, 0, *integer);
    return op == Operator::kPlus ? Value(*integer) : Value(~*integer);
  }
  Raise("TypeError",
        fmt::format("bad operand type for unary operator: '{}'", *TypeOf(value)->name));
}

}  // namespace tilewise::py
