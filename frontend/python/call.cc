// Calls: arguments are evaluated, then the callee decides: a function of the
// script is followed, a library name or method is offered to each family that
// may know it.

#include <fmt/format.h>

#include "frontend/python/array_calls.h"
#include "frontend/python/builtin_calls.h"
#include "frontend/python/dataset_calls.h"
#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"
#include "frontend/python/keras_models.h"

namespace tilewise::python {
namespace {

using Family = std::optional<Value> (*)(Interpreter&, const Call&);

constexpr Family kPathFamilies[] = {
    CallBuiltin,   CallKnownDataset, CallDatasetSource, CallTransformation,
    CallFramework, CallKerasModel,   CallKerasLayer,    CallOnTensors,
    CallArray,     CallObjectMaker,
};
constexpr Family kMethodFamilies[] = {
    CallStrategy, CallDatasetMethod, CallModelMethod,
    CallTraining, CallArrayMethod,   CallContainerMethod,
};

}  // namespace

Node Call::argument_node(size_t position, std::string_view keyword) const {
  size_t at = 0;
  for (const Node& child : node.field("arguments").children()) {
    if (child.is("keyword_argument")) {
      if (child.field("name").text() == keyword) return child.field("value");
    } else if (at++ == position) {
      return child;
    }
  }
  return node;
}

Arguments Interpreter::EvalArguments(Node list, bool& open) {
  Arguments result;
  if (list.is("generator_expression")) {
    result.positional.push_back(Eval(list));
    return result;
  }
  for (const Node& child : list.children()) {
    if (child.is("keyword_argument")) {
      result.keyword.emplace_back(std::string(child.field("name").text()),
                                  Eval(child.field("value")));
    } else if (child.is("list_splat")) {
      const auto items = Iterate(Eval(child.children().front()), child);
      open = open || !items.has_value();
      if (items.has_value()) {
        result.positional.insert(result.positional.end(), items->begin(),
                                 items->end());
      }
    } else if (child.is("dictionary_splat")) {
      const Dict* dict = Eval(child.children().front()).ref<Dict>();
      open = open || dict == nullptr;
      if (dict == nullptr) continue;
      for (const auto& [key, value] : dict->items) {
        if (const std::string* name = key.as<std::string>()) {
          result.keyword.emplace_back(*name, value);
        }
      }
    } else {
      result.positional.push_back(Eval(child));
    }
    if (!Charge(static_cast<int64_t>(result.positional.size()) / 64)) break;
  }
  return result;
}

Value Interpreter::EvalCall(Node node) {
  const Node callee = node.field("function");
  Call call;
  call.node = node;
  call.text = std::string(callee.text().substr(0, 200));
  call.location = callee.is("attribute") ? callee.field("attribute").location()
                                         : callee.location();
  Value target;
  if (callee.is("attribute")) {
    const Value object = Eval(callee.field("object"));
    const std::string name(callee.field("attribute").text());
    target = object.unknown() != nullptr
                 ? Value{arena.New(Method{object, name})}
                 : Attribute(object, name, callee);
  } else if (callee.text() == "super") {
    return MakeUnknown("super() is not followed", node);
  } else {
    target = Eval(callee);
  }
  call.arguments = EvalArguments(node.field("arguments"), call.open);
  return CallValue(target, std::move(call));
}

Value Interpreter::CallValue(const Value& callee, Call call) {
  if (const Path* path = callee.as<Path>()) return DispatchPath(*path, call);
  if (const Method* method = callee.ref<Method>()) {
    call.self = &method->self;
    call.name = method->name;
    for (const Family family : kMethodFamilies) {
      if (auto result = family(*this, call)) return *result;
    }
    if (method->self.unknown() != nullptr) return method->self;
  }
  if (const Function* function = callee.ref<Function>()) {
    if (!function->library.empty()) {
      Arguments arguments = function->bound;
      arguments.positional.insert(arguments.positional.end(),
                                  call.arguments.positional.begin(),
                                  call.arguments.positional.end());
      arguments.keyword.insert(arguments.keyword.begin(),
                               call.arguments.keyword.begin(),
                               call.arguments.keyword.end());
      call.arguments = std::move(arguments);
      return DispatchPath(Path{function->library}, call);
    }
    return CallFunction(*function, call.arguments, call.node);
  }
  if (Class* type = callee.ref<Class>()) return Construct(*type, call);
  if (const LayerRef* layer = callee.as<LayerRef>()) {
    return ApplyLayer(*this, layer->layer, call);
  }
  if (Model* model = callee.ref<Model>()) {
    return ApplyModel(*this, *model, call);
  }
  if (Object* object = callee.ref<Object>()) {
    const Value* method =
        object->type == nullptr ? nullptr : object->type->Find("__call__");
    if (method != nullptr && method->ref<Function>() != nullptr) {
      Arguments arguments = call.arguments;
      arguments.positional.insert(arguments.positional.begin(), callee);
      return CallFunction(*method->ref<Function>(), arguments, call.node);
    }
  }
  if (callee.unknown() != nullptr) return callee;
  return MakeUnknown(fmt::format("{}() is not followed", call.text), call.node);
}

Value Interpreter::DispatchPath(const Path& path, Call& call) {
  call.name = CanonicalName(path.name);
  for (const Family family : kPathFamilies) {
    if (auto result = family(*this, call)) return *result;
  }
  return MakeUnknown(fmt::format("{}() is not followed", call.text), call.node);
}

Value Interpreter::Construct(Class& type, Call& call) {
  if (type.Extends("Layer")) return MakeLayer(*this, type.name, call);
  Object* object = arena.New(Object{});
  object->path = "script." + type.name;
  object->type = &type;
  object->arguments = call.arguments;
  object->location = call.location;
  const Value self{object};
  const Value* init = type.Find("__init__");
  if (init != nullptr && init->ref<Function>() != nullptr) {
    Arguments arguments = call.arguments;
    arguments.positional.insert(arguments.positional.begin(), self);
    CallFunction(*init->ref<Function>(), arguments, call.node);
  }
  return self;
}

Value Interpreter::CallInDataset(const Value& callee,
                                 const Arguments& arguments, Node at) {
  const bool before = in_dataset_function;
  in_dataset_function = true;
  Call call;
  call.node = at;
  call.text = std::string(at.text().substr(0, 80));
  call.location = at.location();
  call.arguments = arguments;
  const Value result = CallValue(callee, std::move(call));
  in_dataset_function = before;
  return result;
}

}  // namespace tilewise::python
