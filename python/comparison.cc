// Truth, equality, order and membership.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "python/interpreter.h"
#include "python/unknowns.h"

namespace tilewise::py {
namespace {

std::optional<bool> Ordered(Operator op, int order) {
  switch (op) {
    case Operator::kLess:
      return order < 0;
    case Operator::kLessEqual:
      return order <= 0;
    case Operator::kGreater:
      return order > 0;
    case Operator::kGreaterEqual:
      return order >= 0;
    default:
      return std::nullopt;
  }
}

}  // namespace

const char* OperatorText(Operator op) {
  switch (op) {
    case Operator::kAdd:
      return "+";
    case Operator::kSubtract:
      return "-";
    case Operator::kMultiply:
      return "*";
    case Operator::kDivide:
      return "/";
    case Operator::kFloorDivide:
      return "//";
    case Operator::kModulo:
      return "%";
    case Operator::kPower:
      return "**";
    case Operator::kMatMul:
      return "@";
    case Operator::kAnd:
      return "&";
    case Operator::kOr:
      return "|";
    case Operator::kXor:
      return "^";
    case Operator::kShiftLeft:
      return "<<";
    case Operator::kShiftRight:
      return ">>";
    case Operator::kLess:
      return "<";
    case Operator::kLessEqual:
      return "<=";
    case Operator::kGreater:
      return ">";
    case Operator::kGreaterEqual:
      return ">=";
    default:
      return "?";
  }
}

std::optional<bool> Interpreter::Truth(const Value& value) {
  switch (value.tag) {
    case Value::Tag::kUnset:
    case Value::Tag::kNone:
      return false;
    case Value::Tag::kBool:
      return value.truth;
    case Value::Tag::kInt:
      return value.integer != 0;
    case Value::Tag::kFloat:
      return value.real != 0;
    case Value::Tag::kEllipsis:
    case Value::Tag::kOther:
      return true;
    case Value::Tag::kObject:
      break;
  }
  switch (value.object->kind) {
    case Kind::kStr:
      return !value.as<Str>()->text.empty();
    case Kind::kBytes:
      return !value.as<Bytes>()->text.empty();
    case Kind::kList:
    case Kind::kTuple:
      if (!value.as<Sequence>()->items.empty()) return true;
      if (value.as<Sequence>()->open.uncounted()) return std::nullopt;
      return false;
    case Kind::kDict:
    case Kind::kSet:
      if (value.as<Dict>()->live > 0) return true;
      if (value.as<Dict>()->open) return std::nullopt;
      return false;
    case Kind::kRange:
      return value.as<Range>()->size() > 0;
    case Kind::kUnknown:
      if (LeastOf(*value.as<Unknown>()).value_or(0) > 0) return true;
      return assumptions_.Holds(*value.as<Unknown>());
    case Kind::kInstance: {
      const Instance* instance = value.as<Instance>();
      if (const Value* method = instance->type->Find(Name("__bool__"))) {
        return Truth(Call(*method, {value}));
      }
      if (const Value* method = instance->type->Find(Name("__len__"))) {
        return Truth(Call(*method, {value}));
      }
      return instance->base.set() ? Truth(instance->base) : std::optional<bool>(true);
    }
    default:
      return true;
  }
}

std::optional<bool> Interpreter::Equal(const Value& a, const Value& b) {
  if (a.as<Instance>() != nullptr || b.as<Instance>() != nullptr) {
    if (const std::optional<Value> result = Special(Operator::kEqual, a, b)) return Truth(*result);
  }
  if (IsUnknown(a) || IsUnknown(b)) return std::nullopt;
  const Value& x = Plain(a);
  const Value& y = Plain(b);
  if (x.Is(y)) return x.tag != Value::Tag::kFloat || x.real == y.real;
  if (!x.is_object() || !y.is_object()) {
    if (x.is_object() || y.is_object()) return false;
    const auto p = AsNumber(x), q = AsNumber(y);
    return p.has_value() && q.has_value() && *p == *q;
  }
  if (const Str* text = x.as<Str>()) {
    const Str* other = y.as<Str>();
    return other != nullptr && text->text == other->text;
  }
  if (const Bytes* text = x.as<Bytes>()) {
    const Bytes* other = y.as<Bytes>();
    return other != nullptr && text->text == other->text;
  }
  CheckDepth();
  // Keys are equal to a set of them.
  const auto is_view = [](const Value& v) { return v.as<Sequence>() && v.as<Sequence>()->view; };
  const auto is_set = [&](const Value& v) { return v.object->kind == Kind::kSet || is_view(v); };
  if ((is_view(x) || is_view(y)) && is_set(x) && is_set(y)) {
    return Equal(x.object->kind == Kind::kSet ? x : SetOf(x),
                 y.object->kind == Kind::kSet ? y : SetOf(y));
  }
  if (x.object->kind != y.object->kind) return false;
  if (const Sequence* items = x.as<Sequence>()) {
    const Sequence* others = y.as<Sequence>();
    if (items->open || others->open) return std::nullopt;
    if (items->items.size() != others->items.size()) return false;
    bool open = false;
    // Copies: __eq__ of the program may change the lists.
    for (size_t i = 0; i < std::min(items->items.size(), others->items.size()); ++i) {
      if (i % 16 == 0) Step();
      const Value one = items->items[i], another = others->items[i];
      const std::optional<bool> same = Equal(one, another);
      if (same.has_value() && !*same) return false;
      open = open || !same.has_value();
    }
    if (open) return std::nullopt;
    return true;
  }
  if (Dict* dict = x.as<Dict>()) {
    Dict* other = y.as<Dict>();
    if (dict->open || other->open) return std::nullopt;
    if (dict->live != other->live) return false;
    for (size_t i = 0; i < dict->entries.size(); ++i) {
      const Dict::Entry entry = dict->entries[i];
      if (!entry.live) continue;
      const Value* found = FindItem(*other, entry.key);
      if (found == nullptr) return false;
      const Value held = *found;
      const std::optional<bool> same = Equal(entry.value, held);
      if (!same.value_or(false)) return same;
    }
    return true;
  }
  if (const Range* range = x.as<Range>()) {
    const Range* other = y.as<Range>();
    return range->start == other->start && range->stop == other->stop && range->step == other->step;
  }
  if (const Slice* slice = x.as<Slice>()) {
    const Slice* other = y.as<Slice>();
    return Equal(slice->start, other->start).value_or(false) &&
           Equal(slice->stop, other->stop).value_or(false) &&
           Equal(slice->step, other->step).value_or(false);
  }
  if (const Method* method = x.as<Method>()) {
    const Method* other = y.as<Method>();
    return method->function.Is(other->function) && method->self.Is(other->self);
  }
  return false;
}

std::optional<bool> Interpreter::Contains(const Value& container, const Value& item) {
  if (const Instance* instance = container.as<Instance>()) {
    if (const Value* method = instance->type->Find(Name("__contains__"))) {
      return Truth(Call(*method, {container, item}));
    }
    if (instance->base.set()) return Contains(instance->base, item);
  }
  if (Class* type = container.as<Class>()) {
    Arguments arguments;
    arguments.positional = {item};
    if (auto result = CallHook(*type, "__tilewise_class_contains__", arguments)) {
      return Truth(*result);
    }
  }
  if (IsUnknown(container)) return std::nullopt;
  if (Dict* dict = container.as<Dict>()) {
    if (IsUnknown(item)) return std::nullopt;
    if (FindItem(*dict, item) != nullptr) return true;
    if (dict->open) return std::nullopt;
    return false;
  }
  if (const std::string* text = TextOf(container)) {
    const std::string* part = TextOf(item);
    if (part == nullptr) {
      if (IsUnknown(item)) return std::nullopt;
      Raise("TypeError", "'in <string>' requires string as left operand");
    }
    Step(static_cast<int64_t>(text->size() / 256));
    return text->find(*part) != std::string::npos;
  }
  if (const Range* range = container.as<Range>()) {
    const std::optional<int64_t> number = AsInt(item);
    if (!number.has_value()) return false;
    const __int128 distance = static_cast<__int128>(*number) - range->start;
    const bool within = range->step > 0 ? *number >= range->start && *number < range->stop
                                        : *number <= range->start && *number > range->stop;
    return within && distance % range->step == 0;
  }
  Openness more;
  const std::vector<Value> items = Items(container, &more);
  bool open = static_cast<bool>(more);
  Step(static_cast<int64_t>(items.size() / 16));
  for (const Value& each : items) {
    const std::optional<bool> same = each.Is(item) ? std::optional<bool>(true) : Equal(each, item);
    if (same.value_or(false)) return true;
    open = open || !same.has_value();
  }
  if (open) return std::nullopt;
  return false;
}

namespace {

// `x is y`, or `x is not y` where `wanted` is false.
Value CompareIdentity(Interpreter& in, bool wanted, const Value& a, const Value& b) {
  // What is not known may be None, but is no other object that is known.
  if (IsUnknown(a) != IsUnknown(b)) {
    return IsUnknown(a) ? a : b;
  }
  if (a.Is(b)) return Value(wanted);
  const std::string *text = TextOf(a), *other = TextOf(b);
  if (text != nullptr && other != nullptr && *text == *other) return Value(wanted);
  if (a.is_object() && b.is_object() && a.object->kind == Kind::kMethod &&
      in.Equal(a, b).value_or(false)) {
    return Value(!wanted);
  }
  return Value(!wanted);
}

// The order of two lists or tuples whose items are all known.
Value CompareItems(Interpreter& in, Operator op, const Sequence& items, const Sequence& others) {
  const size_t common = std::min(items.items.size(), others.items.size());
  for (size_t i = 0; i < common && i < items.items.size() && i < others.items.size(); ++i) {
    const Value one = items.items[i], another = others.items[i];
    const std::optional<bool> same = in.Equal(one, another);
    if (!same.has_value()) return in.MakeUnknown("the order of two values");
    if (!*same) return in.Compare(op, one, another);
  }
  const auto size = static_cast<int64_t>(items.items.size());
  const auto other_size = static_cast<int64_t>(others.items.size());
  return Value(*Ordered(op, size < other_size ? -1 : size > other_size ? 1 : 0));
}

// Whether a set is a subset or a superset of another.
Value CompareSets(Interpreter& in, Operator op, Dict& set, Dict& other) {
  if (set.open || other.open) {
    return in.UnknownOf(set.open ? set.open : other.open, "whether a set holds another");
  }
  const bool up = op == Operator::kLess || op == Operator::kLessEqual;
  Dict& small = up ? set : other;
  Dict& large = up ? other : set;
  for (size_t i = 0; i < small.entries.size(); ++i) {
    const Dict::Entry entry = small.entries[i];
    if (entry.live && in.FindItem(large, entry.key) == nullptr) return Value(false);
  }
  const bool strict = op == Operator::kLess || op == Operator::kGreater;
  return Value(!strict || small.live < large.live);
}

}  // namespace

Value Interpreter::Compare(Operator op, const Value& a, const Value& b) {
  if (a.is_object()) CheckDepth();
  if (IsUnknown(a) != IsUnknown(b)) {
    if (const auto holds = CountCompared(op, a, b)) return Value(*holds);
  }
  switch (op) {
    case Operator::kIs:
    case Operator::kIsNot:
      return CompareIdentity(*this, op == Operator::kIs, a, b);
    case Operator::kIn:
    case Operator::kNotIn: {
      const std::optional<bool> holds = Contains(b, a);
      if (!holds.has_value()) {
        if (IsUnknown(b)) return b;
        return UnknownOf(OpennessOf(b), "whether an item is there");
      }
      return Value(*holds == (op == Operator::kIn));
    }
    case Operator::kEqual:
    case Operator::kNotEqual: {
      if (a.as<Instance>() != nullptr || b.as<Instance>() != nullptr) {
        if (const std::optional<Value> result = Special(op, a, b)) return *result;
      }
      const std::optional<bool> same = Equal(a, b);
      if (same.has_value()) return Value(*same == (op == Operator::kEqual));
      return IsUnknown(a) ? a : IsUnknown(b) ? b : MakeUnknown("whether two values are equal");
    }
    default:
      break;
  }
  if (a.as<Instance>() != nullptr || b.as<Instance>() != nullptr) {
    if (const std::optional<Value> result = Special(op, a, b)) return *result;
  }
  if (IsUnknown(a)) return a;
  if (IsUnknown(b)) return b;
  const Value& x = Plain(a);
  const Value& y = Plain(b);
  const auto p = AsNumber(x), q = AsNumber(y);
  if (p.has_value() && q.has_value()) {
    if (std::isnan(*p) || std::isnan(*q)) return Value(false);
    return Value(*Ordered(op, *p < *q ? -1 : *p > *q ? 1 : 0));
  }
  const std::string *text = TextOf(x), *other = TextOf(y);
  if (text != nullptr && other != nullptr) return Value(*Ordered(op, text->compare(*other)));
  const Sequence *items = x.as<Sequence>(), *others = y.as<Sequence>();
  if (items != nullptr && others != nullptr && items->view != nullptr && others->view != nullptr) {
    return Compare(op, SetOf(x), SetOf(y));
  }
  if (items != nullptr && others != nullptr && (items->open || others->open)) {
    return UnknownOf(items->open ? items->open : others->open, "the order of two lists");
  }
  if (items != nullptr && others != nullptr) {
    return CompareItems(*this, op, *items, *others);
  }
  const auto as_set = [&](const Value& v, const Value& beside) {
    const bool one = v.as<Sequence>() != nullptr && beside.as<Dict>() != nullptr;
    return one ? SetOf(v).as<Dict>() : v.as<Dict>();
  };
  Dict *set = as_set(x, y), *other_set = as_set(y, x);
  if (set != nullptr && other_set != nullptr && set->kind == Kind::kSet) {
    return CompareSets(*this, op, *set, *other_set);
  }
  Raise("TypeError", fmt::format("'{}' not supported between instances of '{}' and '{}'",
                                 OperatorText(op), *TypeOf(a)->name, *TypeOf(b)->name));
}

}  // namespace tilewise::py
