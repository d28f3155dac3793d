// Functions of the script: parameters are bound as Python binds them, then the
// body is followed.

#include <fmt/format.h>

#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

constexpr size_t kMaxCallDepth = 64;

std::string NameOfParameter(Node parameter) {
  if (parameter.is("identifier")) return std::string(parameter.text());
  if (const Node name = parameter.field("name")) {
    return std::string(name.text());
  }
  const std::vector<Node> parts = parameter.children();
  return parts.empty() ? "" : std::string(parts.front().text());
}

// What super() finds: the member of the first base of the script that has it.
const Value* BaseMember(const Object& super, const std::string& name) {
  if (super.base_of == nullptr) return nullptr;
  for (const Value& base : super.base_of->bases) {
    const Class* type = base.ref<Class>();
    const Value* found = type == nullptr ? nullptr : type->Find(name);
    if (found != nullptr) return found;
  }
  return nullptr;
}

Value BoundSelf(const Object& instance, const Value& object) {
  const auto self = instance.attributes.find("__self__");
  return self == instance.attributes.end() ? object : self->second;
}

// The class of the script that annotates a parameter, or null.
const Class* AnnotatedClass(const Function& function, Node parameter) {
  const std::vector<Node> type = parameter.field("type").children();
  if (type.size() != 1 || !type[0].is("identifier")) return nullptr;
  const Value* value = function.closure->Find(std::string(type[0].text()));
  return value == nullptr ? nullptr : value->ref<Class>();
}

bool Yields(Node node) {
  if (node.is("yield")) return true;
  if (node.is("lambda") || node.is("class_definition")) return false;
  for (const Node& child : node.children()) {
    if (!child.is("function_definition") && Yields(child)) return true;
  }
  return false;
}

}  // namespace

// Bodies are searched once, however often they are called.
bool Interpreter::IsGenerator(Node body) {
  const auto [at, is_new] = generators_.try_emplace({body.tree(), body.raw().id}, false);
  if (is_new) at->second = Yields(body);
  return at->second;
}

bool Interpreter::BindParameters(const Function& function, const Arguments& arguments, Node at,
                                 Environment& names) {
  std::vector<Value> positional = function.bound.positional;
  if (function.self.has_value()) {
    positional.insert(positional.begin(), *function.self);
  }
  positional.insert(positional.end(), arguments.positional.begin(), arguments.positional.end());
  size_t used = 0;
  for (const Node& parameter : function.node.field("parameters").children()) {
    const std::string name = NameOfParameter(parameter);
    const std::string_view text = parameter.text();
    if (text.starts_with("**")) {
      Dict* rest = arena.New(Dict{});
      for (const auto& [key, value] : arguments.keyword) {
        rest->items.emplace_back(Value{key}, value);
      }
      names.Set(name, {rest});
      continue;
    }
    if (text.starts_with("*")) {
      if (text.size() > 1) {
        names.Set(name, MakeTuple({positional.begin() + static_cast<std::ptrdiff_t>(
                                                            std::min(used, positional.size())),
                                   positional.end()}));
      }
      used = positional.size();
      continue;
    }
    const Value* keyword = arguments.Keyword(name);
    if (keyword == nullptr) keyword = function.bound.Keyword(name);
    const auto fallback = function.defaults.find(name);
    if (used < positional.size()) {
      names.Set(name, positional[used++]);
    } else if (keyword != nullptr) {
      names.Set(name, *keyword);
    } else if (arguments.open) {
      names.Set(name, MakeUnknown(fmt::format("parameter `{}` of {}(), which an "
                                              "argument with a star may give",
                                              name, function.name),
                                  parameter));
    } else if (fallback != function.defaults.end()) {
      names.Set(name, fallback->second);
    } else if (const Class* type = AnnotatedClass(function, parameter)) {
      names.Set(name, SelfOf(*type));
    } else {
      names.Set(name, MakeUnknown(fmt::format("parameter `{}` of {}(), which has no "
                                              "known value",
                                              name, function.name),
                                  parameter));
    }
  }
  (void)at;
  return true;
}

Value Interpreter::CallFunction(const Function& function, const Arguments& arguments, Node at) {
  MarkCalled(function);
  Charge(10);
  if (frames.size() >= kMaxCallDepth) {
    return MakeUnknown("calls are nested too deep", at);
  }
  Frame frame;
  frame.names = NewEnvironment(function.closure);
  frame.function = function.name;
  frame.owner = function.owner;
  frame.method = function.node;
  frames.push_back(frame);
  BindParameters(function, arguments, at, *frames.back().names);
  const Node body = function.node.field("body");
  if (function.node.is("lambda")) {
    Value result = Eval(body);
    frames.pop_back();
    return result;
  }
  const Flow flow = ExecBlock(body);
  const std::optional<Value> returned = frames.back().returned;
  frames.pop_back();
  if (IsGenerator(body)) {
    return MakeUnknown(fmt::format("{}() is a Python generator", function.name), at);
  }
  if (flow == Flow::kRaise) return MakeUnknown("the call raises", at);
  if (flow == Flow::kStop) return MakeUnknown("reading stopped in it", at);
  return returned.value_or(Value{None{}});
}

Value Interpreter::Attribute(const Value& object, const std::string& name, Node at) {
  if (auto flag = FlagAttribute(*this, object, name, at)) return *flag;
  if (const Path* path = object.as<Path>()) {
    if (path->name == "math" && name == "pi") return {3.141592653589793};
    if (path->name == "numpy" && name == "newaxis") return {None{}};
    return {Path{path->name + "." + name}};
  }
  if (name == "num_replicas_in_sync") return {replicas};
  if (name == "num_input_pipelines") return {int64_t{1}};
  if (object.unknown() != nullptr) return PartOf(*object.unknown(), name);
  if (Object* instance = object.ref<Object>()) {
    const auto held = instance->attributes.find(name);
    if (held != instance->attributes.end()) return held->second;
    const Value* member =
        instance->type == nullptr ? BaseMember(*instance, name) : instance->type->Find(name);
    if (member != nullptr && member->ref<Function>() != nullptr) {
      Function bound = *member->ref<Function>();
      if (!bound.is_static) bound.self = BoundSelf(*instance, object);
      if (bound.is_property) return CallFunction(bound, {}, at);
      return {arena.New(std::move(bound))};
    }
    if (member != nullptr) return *member;
    // Groups of options come into being when they are named.
    if (LastPart(instance->path) == "Options") {
      Object group;
      group.path = instance->path;
      instance->attributes[name] = {arena.New(std::move(group))};
      return instance->attributes[name];
    }
  }
  if (const Class* type = object.ref<Class>()) {
    const Value* member = type->Find(name);
    const Function* method = member == nullptr ? nullptr : member->ref<Function>();
    if (method != nullptr && method->is_class) {
      Function bound = *method;
      bound.self = object;
      return {arena.New(std::move(bound))};
    }
    if (member != nullptr) return *member;
  }
  if (const Array* array = object.ref<Array>()) {
    if (name == "shape") {
      std::vector<Value> dims;
      for (const int64_t dim : array->dims) {
        dims.push_back(dim >= 0 ? Value{dim} : MakeUnknown("the dim is not known", at));
      }
      return MakeTuple(std::move(dims));
    }
    if (name == "ndim") return {static_cast<int64_t>(array->dims.size())};
    if (name == "dtype" && !array->dtype.empty()) return {array->dtype};
  }
  if (const KerasTensor* tensor = object.as<KerasTensor>(); tensor != nullptr && name == "shape") {
    const auto shape = TensorShape(*this, *tensor);
    if (!shape.has_value()) {
      return MakeUnknown("the shape of the tensor is not known", at);
    }
    std::vector<Value> dims;
    for (const int64_t dim : *shape) {
      dims.push_back(dim >= 0 ? Value{dim} : Value{None{}});
    }
    return MakeTuple(std::move(dims));
  }
  if (Model* model = object.ref<Model>()) {
    if (name == "trainable_variables" || name == "trainable_weights") {
      model->gradients = at.location();
    }
    const bool inputs = name == "inputs" || name == "input";
    if (inputs || name == "outputs" || name == "output") {
      if (!model->unresolved.empty()) {
        return MakeUnknown(fmt::format("model {} is not known: {}", model->name, model->unresolved),
                           at);
      }
      const std::vector<KerasTensor>& from = inputs ? model->inputs : model->outputs;
      std::vector<Value> tensors;
      tensors.reserve(from.size());
      for (const KerasTensor& tensor : from) tensors.push_back({tensor});
      if (!name.ends_with('s') && tensors.size() == 1) return tensors[0];
      if (!tensors.empty()) return MakeList(std::move(tensors));
    }
  }
  return {arena.New(Method{object, name})};
}

}  // namespace tilewise::python
