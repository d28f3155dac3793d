// One element of a dataset: arrays in tuples and dictionaries, their bytes, and
// what batching does to them.

#include <set>

#include "base/math.h"
#include "frontend/python/dataset_calls.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {

int64_t DTypeBytes(std::string_view dtype) {
  constexpr std::pair<std::string_view, int64_t> kBytes[] = {
      {"bool", 1},    {"uint8", 1},    {"int8", 1},    {"float16", 2}, {"uint16", 2},
      {"int16", 2},   {"bfloat16", 2}, {"float32", 4}, {"int32", 4},   {"uint32", 4},
      {"float64", 8}, {"int64", 8},    {"uint64", 8},
  };
  for (const auto& [name, bytes] : kBytes) {
    if (name == dtype) return bytes;
  }
  return 0;
}

std::optional<Bytes> ElementBytes(const Value& element, int levels) {
  if (const Array* array = element.ref<Array>()) {
    int64_t bytes = DTypeBytes(array->dtype);
    if (bytes == 0) return std::nullopt;
    for (size_t i = levels; i < array->dims.size(); ++i) {
      if (array->dims[i] < 0) return std::nullopt;
      const std::optional<int64_t> product = CheckedMul(bytes, array->dims[i]);
      if (!product.has_value()) return std::nullopt;
      bytes = *product;
    }
    return Bytes{bytes};
  }
  // What TensorFlow makes of constants: bool, int32, float32.
  if (element.as<bool>() != nullptr) return Bytes{1};
  if (AsNumber(element).has_value()) return Bytes{4};
  std::vector<Value> parts;
  if (const std::vector<Value>* items = Items(element)) {
    parts = *items;
  } else if (const Dict* dict = element.ref<Dict>()) {
    for (const auto& [key, value] : dict->items) parts.push_back(value);
  } else {
    return std::nullopt;
  }
  Bytes total;
  for (const Value& part : parts) {
    const std::optional<Bytes> bytes = ElementBytes(part, levels);
    if (!bytes.has_value() || bytes->value > kMaxElements) return std::nullopt;
    total += *bytes;
  }
  return total;
}

namespace {

// Structures of data are shallow; a list that holds itself is not data.
constexpr int kMaxNesting = 8;

template <typename Change>
Value ChangeArrays(Interpreter& in, const Value& value, const Change& change, int nesting = 0) {
  if (nesting > kMaxNesting || !in.Charge(1)) return value;
  if (const Array* array = value.ref<Array>()) {
    return {in.arena.New(change(*array))};
  }
  if (const List* list = value.ref<List>()) {
    std::vector<Value> items;
    for (const Value& item : list->items) {
      items.push_back(ChangeArrays(in, item, change, nesting + 1));
    }
    return list->tuple ? in.MakeTuple(std::move(items)) : in.MakeList(std::move(items));
  }
  if (const Dict* dict = value.ref<Dict>()) {
    Dict* result = in.arena.New(Dict{});
    for (const auto& [key, item] : dict->items) {
      result->items.emplace_back(key, ChangeArrays(in, item, change, nesting + 1));
    }
    return {result};
  }
  return value;
}

}  // namespace

Value DropLeadingDim(Interpreter& in, const Value& value) {
  return ChangeArrays(in, value, [](const Array& array) {
    Array result = array;
    if (!result.dims.empty()) result.dims.erase(result.dims.begin());
    return result;
  });
}

Value AddLeadingDim(Interpreter& in, const Value& value, int64_t dim) {
  return ChangeArrays(in, value, [dim](const Array& array) {
    Array result = array;
    result.dims.insert(result.dims.begin(), dim);
    return result;
  });
}

std::optional<int64_t> LeadingDim(const Value& value) {
  if (const Array* array = value.ref<Array>()) {
    if (array->dims.empty() || array->dims[0] < 0) return std::nullopt;
    return array->dims[0];
  }
  if (const List* list = value.ref<List>(); list != nullptr && list->tuple) {
    for (const Value& item : list->items) {
      const std::optional<int64_t> dim = LeadingDim(item);
      if (dim.has_value()) return dim;
    }
    return std::nullopt;
  }
  if (const List* list = value.ref<List>()) {
    return static_cast<int64_t>(list->items.size());
  }
  if (const Dict* dict = value.ref<Dict>(); dict && !dict->items.empty()) {
    return LeadingDim(dict->items[0].second);
  }
  if (const Range* range = value.as<Range>()) return range->size();
  return std::nullopt;
}

}  // namespace tilewise::python
