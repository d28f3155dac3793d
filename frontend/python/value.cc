// Questions of values.

#include "frontend/python/value.h"

namespace tilewise::python {

int64_t Range::size() const {
  if (step > 0) return start < stop ? (stop - start - 1) / step + 1 : 0;
  if (step < 0) return start > stop ? (start - stop - 1) / -step + 1 : 0;
  return 0;
}

const Value* Dict::Find(std::string_view key) const {
  for (const auto& [name, value] : items) {
    const std::string* text = name.as<std::string>();
    if (text != nullptr && *text == key) return &value;
  }
  return nullptr;
}

const Value* Arguments::Keyword(std::string_view name) const {
  for (const auto& [key, value] : keyword) {
    if (key == name) return &value;
  }
  return nullptr;
}

const Value* Arguments::Get(size_t position, std::string_view name) const {
  if (position < positional.size()) return &positional[position];
  return Keyword(name);
}

namespace {
// Deeper inheritance is taken for a cycle (class C(C) in a loop).
constexpr int kMaxBases = 32;
}  // namespace

const Value* Class::Find(const std::string& member, int depth) const {
  const auto found = members.find(member);
  if (found != members.end()) return &found->second;
  if (depth > kMaxBases) return nullptr;
  for (const Value& base : bases) {
    const Class* type = base.ref<Class>();
    if (type == nullptr) continue;
    if (const Value* v = type->Find(member, depth + 1)) return v;
  }
  return nullptr;
}

bool Class::Extends(std::string_view base_name, int depth) const {
  if (depth > kMaxBases) return false;
  for (const Value& base : bases) {
    if (const Path* path = base.as<Path>()) {
      if (LastPart(path->name) == base_name) return true;
    }
    const Class* type = base.ref<Class>();
    if (type != nullptr && type->Extends(base_name, depth + 1)) return true;
  }
  return false;
}

std::optional<int64_t> AsInt(const Value& value) {
  if (const int64_t* i = value.as<int64_t>()) return *i;
  if (const bool* b = value.as<bool>()) return *b ? 1 : 0;
  return std::nullopt;
}

std::optional<double> AsNumber(const Value& value) {
  if (const double* d = value.as<double>()) return *d;
  if (const std::optional<int64_t> i = AsInt(value)) {
    return static_cast<double>(*i);
  }
  return std::nullopt;
}

std::optional<bool> Truth(const Value& value) {
  if (value.unknown() != nullptr) return std::nullopt;
  if (value.none()) return false;
  if (const std::optional<double> number = AsNumber(value)) {
    return *number != 0;
  }
  if (const std::string* text = value.as<std::string>()) return !text->empty();
  if (const List* list = value.ref<List>()) return !list->items.empty();
  if (const Dict* dict = value.ref<Dict>()) return !dict->items.empty();
  if (const Range* range = value.as<Range>()) return range->size() > 0;
  if (value.as<Path>() != nullptr || value.ref<Array>() != nullptr ||
      value.ref<Method>() != nullptr || value.as<KerasTensor>() != nullptr) {
    return std::nullopt;
  }
  return true;
}

const std::vector<Value>* Items(const Value& value) {
  const List* list = value.ref<List>();
  return list == nullptr ? nullptr : &list->items;
}

std::string_view LastPart(std::string_view dotted) {
  const size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? dotted : dotted.substr(dot + 1);
}

std::string_view TypeName(const Value& value) {
  constexpr std::string_view kNames[] = {
      "None",   "bool",         "int",    "float",   "str",
      "range",  "library name", "tensor", "layer",   "value that is not known",
      "list",   "dict",         "array",  "dataset", "model",
      "object", "function",     "class",  "method"};
  return kNames[value.data.index()];
}

}  // namespace tilewise::python
