// str(), repr() and format() of values.

#include <fmt/format.h>

#include "python/interpreter.h"
#include "python/text.h"

namespace tilewise::py {
namespace {

// Containers of more than so many characters are cut.
constexpr size_t kMaxShown = 100'000;

std::string RepresentSequence(Interpreter& in, const Sequence& sequence) {
  std::string text = sequence.tuple() ? "(" : "[";
  if (sequence.view != nullptr) text = std::string(sequence.view) + "([";
  for (size_t i = 0; i < sequence.items.size() && text.size() < kMaxShown; ++i) {
    if (i > 0) text += ", ";
    text += in.Represent(Value(sequence.items[i]));
  }
  if (sequence.tuple() && sequence.items.size() == 1) text += ",";
  if (sequence.open.uncounted()) text += sequence.items.empty() ? "..." : ", ...";
  if (sequence.view != nullptr) return text + "])";
  return text + (sequence.tuple() ? ")" : "]");
}

std::string RepresentDict(Interpreter& in, const Dict& dict) {
  const bool set = dict.kind == Kind::kSet;
  if (set && dict.live == 0) return dict.frozen ? "frozenset()" : "set()";
  std::string text = "{";
  // The entries are visited by number and copied: __repr__ of the program may
  // change the dict.
  for (size_t i = 0; i < dict.entries.size() && text.size() <= kMaxShown; ++i) {
    const Dict::Entry entry = dict.entries[i];
    if (!entry.live) continue;
    if (text.size() > 1) text += ", ";
    text += in.Represent(entry.key);
    if (!set) text += ": " + in.Represent(entry.value);
  }
  text += "}";
  return dict.frozen ? "frozenset(" + text + ")" : text;
}

// Represents an instance by the program's __repr__ if there is one.
std::string RepresentInstance(Interpreter& in, const Value& value) {
  const Instance* instance = value.as<Instance>();
  if (const Value* method = instance->type->Find(in.Name("__repr__"))) {
    const Value text = in.Call(*method, {value});
    if (const std::string* shown = TextOf(text)) return *shown;
    return "<unknown>";
  }
  if (instance->type->Derives(in.ExceptionType("BaseException"))) {
    const Value* args = instance->attributes.Find(in.Name("args"));
    const Sequence* items = args == nullptr ? nullptr : args->as<Sequence>();
    std::string shown = items == nullptr ? "()" : in.Represent(*args);
    if (items != nullptr && items->items.size() == 1) {
      shown = "(" + in.Represent(items->items[0]) + ")";
    }
    return *instance->type->name + shown;
  }
  if (instance->base.set()) return in.Represent(instance->base);
  const std::string module =
      instance->type->module == nullptr ? "" : instance->type->module->name + ".";
  return fmt::format("<{}{} object>", module, *instance->type->name);
}

}  // namespace

std::string Interpreter::Represent(const Value& value) {
  Step();
  switch (value.tag) {
    case Value::Tag::kUnset:
    case Value::Tag::kNone:
      return "None";
    case Value::Tag::kBool:
      return value.truth ? "True" : "False";
    case Value::Tag::kInt:
      return fmt::format("{}", value.integer);
    case Value::Tag::kFloat:
      return FloatText(value.real);
    case Value::Tag::kEllipsis:
      return "Ellipsis";
    case Value::Tag::kOther:
      return "NotImplemented";
    case Value::Tag::kObject:
      break;
  }
  CheckDepth();
  switch (value.object->kind) {
    case Kind::kStr:
      return QuotedText(value.as<Str>()->text);
    case Kind::kBytes:
      return "b" + QuotedText(value.as<Bytes>()->text, true);
    case Kind::kList:
    case Kind::kTuple:
      return RepresentSequence(*this, *value.as<Sequence>());
    case Kind::kDict:
    case Kind::kSet:
      return RepresentDict(*this, *value.as<Dict>());
    case Kind::kRange: {
      const Range* range = value.as<Range>();
      if (range->step == 1) return fmt::format("range({}, {})", range->start, range->stop);
      return fmt::format("range({}, {}, {})", range->start, range->stop, range->step);
    }
    case Kind::kSlice: {
      const Slice* slice = value.as<Slice>();
      return fmt::format("slice({}, {}, {})", Represent(slice->start), Represent(slice->stop),
                         Represent(slice->step));
    }
    case Kind::kClass: {
      const Class* type = value.as<Class>();
      const std::string module = type->module == nullptr ? "" : type->module->name + ".";
      return fmt::format("<class '{}{}'>", module, *type->name);
    }
    case Kind::kFunction:
      return fmt::format("<function {}>", value.as<Function>()->Qualified());
    case Kind::kBuiltin:
      return fmt::format("<built-in function {}>", *value.as<Builtin>()->name);
    case Kind::kMethod:
      return fmt::format("<bound method of {}>", *TypeOf(value.as<Method>()->self)->name);
    case Kind::kModule:
      return fmt::format("<module '{}'>", value.as<Module>()->name);
    case Kind::kUnknown:
      return fmt::format("<unknown: {}>", value.as<Unknown>()->reason());
    case Kind::kInstance:
      return RepresentInstance(*this, value);
    default:
      return fmt::format("<{} object>", *TypeOf(value)->name);
  }
}

std::string Interpreter::Display(const Value& value) {
  if (const std::string* text = TextOf(value)) return *text;
  const Instance* instance = value.as<Instance>();
  if (instance == nullptr) return Represent(value);
  if (const Value* method = instance->type->Find(Name("__str__"))) {
    const Value text = Call(*method, {value});
    if (const std::string* shown = TextOf(text)) return *shown;
    return "<unknown>";
  }
  if (instance->type->Derives(ExceptionType("BaseException"))) {
    const Value* args = instance->attributes.Find(Name("args"));
    const Sequence* items = args == nullptr ? nullptr : args->as<Sequence>();
    if (items == nullptr || items->items.empty()) return "";
    if (items->items.size() > 1) return Represent(*args);
    if (instance->type->Derives(ExceptionType("KeyError"))) return Represent(items->items[0]);
    return Display(items->items[0]);
  }
  if (instance->base.set() && instance->type->Find(Name("__repr__")) == nullptr) {
    return Display(instance->base);
  }
  return Represent(value);
}

Value Interpreter::Format(const Value& value, const std::string& specifier) {
  if (IsUnknown(value)) return value;
  if (const Instance* instance = value.as<Instance>()) {
    if (const Value* method = instance->type->Find(Name("__format__"))) {
      return Call(*method, {value, Text(specifier)});
    }
    if (instance->base.set() && !specifier.empty()) return Format(instance->base, specifier);
  }
  if (specifier.empty()) return Text(Display(value));
  std::optional<std::string> text;
  if (value.tag == Value::Tag::kInt || value.tag == Value::Tag::kBool) {
    text = FormatInt(*AsInt(value), specifier);
  } else if (value.tag == Value::Tag::kFloat) {
    text = FormatFloat(value.real, specifier);
  } else {
    text = FormatText(Display(value), specifier);
  }
  if (!text.has_value()) {
    Raise("ValueError", fmt::format("format '{}' does not fit a value of type '{}'", specifier,
                                    *TypeOf(value)->name));
  }
  return Text(*std::move(text));
}

}  // namespace tilewise::py
