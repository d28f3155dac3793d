// Indexing and slicing of lists, dictionaries and arrays.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/python/array_calls.h"
#include "frontend/python/comparison.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {

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
    return MakeUnknown(fmt::format("the dictionary has no `{}`", subscripts[0].text()), node);
  }
  const std::vector<Value>* items = Items(object);
  std::optional<int64_t> index = AsInt(key);
  if (items != nullptr && index.has_value()) {
    const auto size = static_cast<int64_t>(items->size());
    if (*index < 0) *index += size;
    if (*index >= 0 && *index < size) {
      return (*items)[*index];
    }
    return MakeUnknown(fmt::format("index {} is outside a list of {}", *index, size), node);
  }
  if (const Unknown* unknown = object.unknown()) {
    const std::string constant = ConstantText(key);
    return constant.empty() ? MadeFrom(*unknown) : PartOf(*unknown, "[] " + constant);
  }
  return MakeUnknown(fmt::format("`{}` is not followed", node.excerpt()), node);
}

Value Interpreter::Slice(const Value& object, Node slice) {
  const std::vector<Value>* items = Items(object);
  if (items == nullptr) {
    return object.unknown() != nullptr ? MadeFrom(*object.unknown())
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
    return std::clamp<int64_t>(i, step < 0 ? -1 : 0, step < 0 ? size - 1 : size);
  };
  const int64_t first = bound(bounds[0], step < 0 ? size - 1 : 0);
  const int64_t last = bound(bounds[1], step < 0 ? -1 : size);
  std::vector<Value> result;
  const Range range{first, last, step};
  const int64_t count = step > size || -step > size ? (range.size() > 0 ? 1 : 0) : range.size();
  for (int64_t i = 0; i < count; ++i) {
    result.push_back((*items)[first + i * step]);
  }
  return object.ref<List>()->tuple ? MakeTuple(std::move(result)) : MakeList(std::move(result));
}

}  // namespace tilewise::python
