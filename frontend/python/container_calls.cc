// Methods of lists, dictionaries and text.

#include "frontend/python/builtin_calls.h"
#include "frontend/python/interpreter.h"
#include "frontend/python/text_calls.h"

namespace tilewise::python {
namespace {

std::optional<Value> ListMethod(Interpreter& in, List& list, const Call& call) {
  const Value* first = call.first_argument();
  in.Charge(1);
  if (call.name == "append" && first != nullptr) {
    list.items.push_back(*first);
    return Value{None{}};
  }
  if (call.name == "extend" && first != nullptr) {
    const auto items = in.Iterate(*first, call.node);
    if (!items.has_value()) {
      list.open = true;
      return std::nullopt;
    }
    list.items.insert(list.items.end(), items->begin(), items->end());
    return Value{None{}};
  }
  if (call.name == "pop" && !list.items.empty() && first == nullptr) {
    const Value last = list.items.back();
    list.items.pop_back();
    return last;
  }
  if (call.name == "copy") return in.MakeList(list.items);
  return std::nullopt;
}

std::optional<Value> DictMethod(Interpreter& in, const Dict& dict, const Call& call) {
  if (call.name == "get" && call.first_argument() != nullptr) {
    if (const Unknown* key = call.first_argument()->unknown()) return in.MadeFrom(*key);
    const std::string* key = call.first_argument()->as<std::string>();
    const Value* found = key == nullptr ? nullptr : dict.Find(*key);
    if (found != nullptr) return *found;
    if (call.arguments.positional.size() > 1) {
      return call.arguments.positional[1];
    }
    return Value{None{}};
  }
  std::vector<Value> result;
  for (const auto& [key, value] : dict.items) {
    if (call.name == "keys") result.push_back(key);
    if (call.name == "values") result.push_back(value);
    if (call.name == "items") result.push_back(in.MakeTuple({key, value}));
  }
  if (call.name == "keys" || call.name == "values" || call.name == "items") {
    return in.MakeList(std::move(result));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Value> CallContainerMethod(Interpreter& in, const Call& call) {
  if (List* list = call.self->ref<List>()) return ListMethod(in, *list, call);
  if (const Dict* dict = call.self->ref<Dict>()) {
    return DictMethod(in, *dict, call);
  }
  if (const std::string* text = call.self->as<std::string>()) {
    return CallTextMethod(in, *text, call);
  }
  return std::nullopt;
}

}  // namespace tilewise::python
