// Python's own functions.

#include "frontend/python/builtin_calls.h"

#include <algorithm>

#include "frontend/python/dataset_calls.h"
#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"
#include "frontend/python/number_calls.h"

namespace tilewise::python {
namespace {

using Handler = std::optional<Value> (*)(Interpreter&, const Call&);

std::optional<Value> Len(Interpreter&, const Call& call) {
  const Value* value = call.first_argument();
  if (value == nullptr) return std::nullopt;
  if (const std::string* text = value->as<std::string>()) {
    return Value{static_cast<int64_t>(text->size())};
  }
  if (const Dict* dict = value->ref<Dict>()) {
    return Value{static_cast<int64_t>(dict->items.size())};
  }
  if (const std::vector<Value>* items = Items(*value)) {
    if (value->ref<List>()->open) return std::nullopt;
    return Value{static_cast<int64_t>(items->size())};
  }
  const std::optional<int64_t> dim = LeadingDim(*value);
  if (!dim.has_value()) return std::nullopt;
  return Value{*dim};
}

std::optional<Value> MakeRange(Interpreter&, const Call& call) {
  std::vector<int64_t> bounds;
  for (const Value& value : call.arguments.positional) {
    const std::optional<int64_t> bound = AsInt(value);
    if (!bound.has_value()) return std::nullopt;
    bounds.push_back(*bound);
  }
  // Far bounds would overflow when counted; such loops are not followed.
  for (const int64_t bound : bounds) {
    if (bound > (int64_t{1} << 60) || bound < -(int64_t{1} << 60)) return {};
  }
  if (bounds.size() == 1) return Value{Range{0, bounds[0], 1}};
  if (bounds.size() == 2) return Value{Range{bounds[0], bounds[1], 1}};
  if (bounds.size() == 3 && bounds[2] != 0) {
    return Value{Range{bounds[0], bounds[1], bounds[2]}};
  }
  return std::nullopt;
}

std::optional<Value> ToList(Interpreter& in, const Call& call) {
  if (call.first_argument() == nullptr) return in.MakeList({});
  if (call.first_argument()->ref<Dataset>() != nullptr) return std::nullopt;
  auto items = in.Iterate(*call.first_argument(), call.node);
  if (!items.has_value()) return std::nullopt;
  return call.name == "builtins.tuple" ? in.MakeTuple(std::move(*items))
                                       : in.MakeList(std::move(*items));
}

std::optional<Value> Reversed(Interpreter& in, const Call& call) {
  if (call.first_argument() == nullptr) return std::nullopt;
  auto items = in.Iterate(*call.first_argument(), call.node);
  if (!items.has_value()) return std::nullopt;
  std::reverse(items->begin(), items->end());
  return in.MakeList(std::move(*items));
}

std::optional<Value> MakeDict(Interpreter& in, const Call& call) {
  if (call.first_argument() != nullptr && call.first_argument()->ref<Dict>() == nullptr) return {};
  Dict* dict =
      in.arena.New(call.first_argument() == nullptr ? Dict{} : *call.first_argument()->ref<Dict>());
  for (const auto& [key, value] : call.arguments.keyword) {
    dict->items.emplace_back(Value{key}, value);
  }
  return Value{dict};
}

std::optional<Value> ZipItems(Interpreter& in, const Call& call) {
  std::vector<std::vector<Value>> columns;
  size_t rows = SIZE_MAX;
  for (const Value& value : call.arguments.positional) {
    auto items = in.Iterate(value, call.node);
    if (!items.has_value()) return std::nullopt;
    rows = std::min(rows, items->size());
    columns.push_back(std::move(*items));
  }
  std::vector<Value> result;
  for (size_t i = 0; i < rows && !columns.empty(); ++i) {
    std::vector<Value> row;
    for (const std::vector<Value>& column : columns) row.push_back(column[i]);
    result.push_back(in.MakeTuple(std::move(row)));
  }
  return in.MakeList(std::move(result));
}

std::optional<Value> Enumerate(Interpreter& in, const Call& call) {
  if (call.first_argument() == nullptr) return std::nullopt;
  const auto items = in.Iterate(*call.first_argument(), call.node);
  if (!items.has_value()) return std::nullopt;
  const Value* start = call.arguments.Get(1, "start");
  int64_t index = start == nullptr ? 0 : AsInt(*start).value_or(0);
  // A dataset has more elements than the one that stands for them.
  const bool sample = Items(*call.first_argument()) == nullptr;
  std::vector<Value> result;
  for (const Value& item : *items) {
    const Value number =
        sample ? in.MakeUnknown("the index of a loop over a dataset", call.node) : Value{index};
    result.push_back(in.MakeTuple({number, item}));
    ++index;
  }
  return in.MakeList(std::move(result));
}

std::optional<Value> Partial(Interpreter& in, const Call& call) {
  if (call.first_argument() == nullptr) return std::nullopt;
  Function function;
  if (const Function* base = call.first_argument()->ref<Function>()) {
    function = *base;
  } else if (const Path* path = call.first_argument()->as<Path>()) {
    function.library = path->name;
  } else {
    return std::nullopt;
  }
  const std::vector<Value>& given = call.arguments.positional;
  function.bound.positional.insert(function.bound.positional.end(), given.begin() + 1, given.end());
  function.bound.keyword.insert(function.bound.keyword.begin(), call.arguments.keyword.begin(),
                                call.arguments.keyword.end());
  return Value{in.arena.New(std::move(function))};
}

// iter(x), tqdm(x), set(x), tf.function(f): x itself, as far as followed.
std::optional<Value> Same(Interpreter&, const Call& call) {
  if (call.first_argument() == nullptr) return std::nullopt;
  return *call.first_argument();
}

std::optional<Value> Next(Interpreter&, const Call& call) {
  const Value* value = call.first_argument();
  const Dataset* dataset = value == nullptr ? nullptr : value->ref<Dataset>();
  if (dataset == nullptr) return std::nullopt;
  return dataset->element;
}

std::optional<Value> IsInstance(Interpreter& in, const Call& call) {
  if (call.arguments.positional.size() != 2) return std::nullopt;
  const Value& value = call.arguments.positional[0];
  const Path* type = call.arguments.positional[1].as<Path>();
  if (type == nullptr || value.unknown() != nullptr) return std::nullopt;
  (void)in;
  const std::string_view name = LastPart(type->name);
  if (name == "str") return Value{value.as<std::string>() != nullptr};
  if (name == "int") return Value{AsInt(value).has_value()};
  if (name == "float") return Value{value.as<double>() != nullptr};
  const List* list = value.ref<List>();
  if (name == "list") return Value{list != nullptr && !list->tuple};
  if (name == "tuple") return Value{list != nullptr && list->tuple};
  if (name == "dict") return Value{value.ref<Dict>() != nullptr};
  return std::nullopt;
}

constexpr std::pair<std::string_view, Handler> kBuiltins[] = {
    {"builtins.len", Len},
    {"builtins.range", MakeRange},
    {"builtins.list", ToList},
    {"builtins.tuple", ToList},
    {"builtins.reversed", Reversed},
    {"builtins.dict", MakeDict},
    {"builtins.zip", ZipItems},
    {"builtins.enumerate", Enumerate},
    {"functools.partial", Partial},
    {"builtins.iter", Same},
    {"builtins.set", Same},
    {"builtins.sorted", Same},
    {"tqdm.tqdm", Same},
    {"tqdm.auto.tqdm", Same},
    {"tqdm.notebook.tqdm", Same},
    {"tensorflow.function", Same},
    {"builtins.next", Next},
    {"tensorflow.range", MakeRange},
    {"builtins.isinstance", IsInstance},
};

}  // namespace

std::optional<Value> CallBuiltin(Interpreter& in, const Call& call) {
  for (const auto& [name, handler] : kBuiltins) {
    if (call.name == name) return handler(in, call);
  }
  return CallNumberFunction(in, call);
}

}  // namespace tilewise::python
