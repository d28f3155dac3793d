// Calls: arguments are evaluated, then the callee decides: a function of the
// script is followed, a library name or method is offered to each family that
// may know it.

#include <fmt/format.h>

#include "frontend/python/array_calls.h"
#include "frontend/python/builtin_calls.h"
#include "frontend/python/dataset_calls.h"
#include "frontend/python/estimator_calls.h"
#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"
#include "frontend/python/keras_models.h"

namespace tilewise::python {
namespace {

using Family = std::optional<Value> (*)(Interpreter&, const Call&);

constexpr Family kPathFamilies[] = {
    CallBuiltin,        CallFlagMaker,   CallTrainAndEvaluate, CallKnownDataset, CallDatasetSource,
    CallTransformation, CallFramework,   CallKerasModel,       CallKerasLayer,   CallOnTensors,
    CallArray,          CallObjectMaker,
};
constexpr Family kMethodFamilies[] = {
    CallStrategy,        CallParserMethod,  CallNamedDatasetMethod,
    CallEstimatorMethod, CallDatasetMethod, CallModelMethod,
    CallTraining,        CallArrayMethod,   CallContainerMethod,
};

const Value* First(const Arguments& arguments) {
  return arguments.positional.empty() ? nullptr : &arguments.positional[0];
}

// config.replace(batch_size=64) of a data class: a copy with other fields.
std::optional<Value> Replace(Interpreter& in, const Call& call) {
  const Object* object = call.self->ref<Object>();
  if (call.name != "replace" || object == nullptr || object->type == nullptr) {
    return std::nullopt;
  }
  Object* copy = in.arena.New(*object);
  for (const auto& [name, value] : call.arguments.keyword) {
    copy->attributes[name] = value;
  }
  return Value{copy};
}

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
        result.positional.insert(result.positional.end(), items->begin(), items->end());
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
  Charge(4);
  const Node callee = node.field("function");
  Call call;
  call.node = node;
  call.text = std::string(callee.text().substr(0, 200));
  call.location = callee.is("attribute") ? callee.field("attribute").location() : callee.location();
  Value target;
  if (callee.is("attribute")) {
    const Value object = Eval(callee.field("object"));
    const std::string name(callee.field("attribute").text());
    target = object.unknown() != nullptr ? Value{arena.New(Method{object, name})}
                                         : Attribute(object, name, callee);
  } else if (callee.text() == "super") {
    return Super(node);
  } else {
    target = Eval(callee);
  }
  call.arguments = EvalArguments(node.field("arguments"), call.open);
  call.arguments.open = call.open;
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
    if (auto copy = Replace(*this, call)) return *copy;
    if (const Unknown* self = method->self.unknown()) {
      // params.get("train") asks for the same part each time.
      return call.name == "get" && First(call.arguments) != nullptr
                 ? PartOf(*self, "[] " + ConstantText(*First(call.arguments)))
                 : MadeFrom(*self);
    }
  }
  if (const Function* function = callee.ref<Function>()) {
    if (!function->library.empty()) {
      Arguments arguments = function->bound;
      arguments.positional.insert(arguments.positional.end(), call.arguments.positional.begin(),
                                  call.arguments.positional.end());
      arguments.keyword.insert(arguments.keyword.begin(), call.arguments.keyword.begin(),
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
    const Value* method = object->type == nullptr ? nullptr : object->type->Find("__call__");
    if (method != nullptr && method->ref<Function>() != nullptr) {
      Arguments arguments = call.arguments;
      arguments.positional.insert(arguments.positional.begin(), callee);
      return CallFunction(*method->ref<Function>(), arguments, call.node);
    }
  }
  if (callee.unknown() != nullptr) return MadeFrom(*callee.unknown());
  return MakeUnknown(fmt::format("{}() is not followed", call.text), call.node);
}

Value Interpreter::DispatchPath(const Path& path, Call& call) {
  call.name = CanonicalName(path.name);
  for (const Family family : kPathFamilies) {
    if (auto result = family(*this, call)) return *result;
  }
  // min(n, 10) is not known because n is not: that says more.
  const bool pure = Under(call.name, "builtins") || Under(call.name, "math");
  for (const Value& argument : call.arguments.positional) {
    const Unknown* unknown = argument.unknown();
    if (unknown != nullptr && pure) return MadeFrom(*unknown);
  }
  return MakeUnknown(fmt::format("{}() is not followed", call.text), call.node);
}

// super(): an object whose methods are those of the bases, bound to self.
Value Interpreter::Super(Node node) {
  const Frame& frame = frames.back();
  const std::vector<Node> parameters =
      frame.method ? frame.method.field("parameters").children() : std::vector<Node>{};
  const Value* self = frame.owner == nullptr || parameters.empty()
                          ? nullptr
                          : frame.names->Find(std::string(parameters[0].text()));
  if (self == nullptr) return MakeUnknown("super() is not followed", node);
  Object* object = arena.New(Object{});
  object->path = "builtins.super";
  object->base_of = frame.owner;
  object->attributes["__self__"] = *self;
  return {object};
}

namespace {

// The annotated names of a class body, bases first, take the arguments in
// order: what @dataclass, NamedTuple and the like do.
void SetFields(const Class& type, const Arguments& arguments, Object& object) {
  for (const auto& [name, value] : arguments.keyword) {
    object.attributes[name] = value;
  }
  size_t position = 0;
  for (const Node& statement : type.node.field("body").children()) {
    if (position >= arguments.positional.size()) return;
    const std::vector<Node> parts = statement.children();
    const bool field = statement.is("expression_statement") && !parts.empty() &&
                       parts[0].is("assignment") && parts[0].field("type");
    if (!field) continue;
    object.attributes[std::string(parts[0].field("left").text())] =
        arguments.positional[position++];
  }
}

}  // namespace

Value Interpreter::Construct(const Class& type, Call& call) {
  if (type.Extends("Layer")) return MakeLayer(*this, type.name, call);
  // What __new__ returns is the result, when it is no instance of the class.
  const Value* maker = type.Find("__new__");
  if (maker != nullptr && maker->ref<Function>() != nullptr) {
    Arguments arguments = call.arguments;
    arguments.positional.insert(arguments.positional.begin(), type.value);
    Value made = CallFunction(*maker->ref<Function>(), arguments, call.node);
    if (made.ref<Dataset>() != nullptr || made.ref<Model>() != nullptr) {
      return made;
    }
  }
  Object* object = arena.New(Object{});
  object->path = "script." + type.name;
  object->type = &type;
  object->arguments = call.arguments;
  object->location = call.location;
  Value self{object};
  const Value* init = type.Find("__init__");
  if (init != nullptr && init->ref<Function>() != nullptr) {
    Arguments arguments = call.arguments;
    arguments.positional.insert(arguments.positional.begin(), self);
    CallFunction(*init->ref<Function>(), arguments, call.node);
  } else {
    SetFields(type, call.arguments, *object);
  }
  return self;
}

Value Interpreter::CallInDataset(const Value& callee, const Arguments& arguments, Node at) {
  const bool before = in_dataset_function;
  in_dataset_function = true;
  Call call;
  call.node = at;
  call.text = std::string(at.text().substr(0, 80));
  call.location = at.location();
  call.arguments = arguments;
  Value result = CallValue(callee, std::move(call));
  in_dataset_function = before;
  return result;
}

}  // namespace tilewise::python
