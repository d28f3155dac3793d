// Attributes of objects.

#include <algorithm>

#include <fmt/format.h>

#include "python/expecting.h"
#include "python/interpreter.h"
#include "python/unknowns.h"

namespace tilewise::py {
Class* Interpreter::TypeOf(const Value& value) {
  switch (value.tag) {
    case Value::Tag::kNone:
    case Value::Tag::kUnset:
      return types.none;
    case Value::Tag::kBool:
      return types.boolean;
    case Value::Tag::kInt:
      return types.integer;
    case Value::Tag::kFloat:
      return types.real;
    case Value::Tag::kEllipsis:
      return types.ellipsis;
    case Value::Tag::kOther:
      return types.not_implemented;
    case Value::Tag::kObject:
      break;
  }
  switch (value.object->kind) {
    case Kind::kStr:
      return types.text;
    case Kind::kBytes:
      return types.bytes;
    case Kind::kList:
      return types.list;
    case Kind::kTuple:
      return types.tuple;
    case Kind::kDict:
      return types.dict;
    case Kind::kSet:
      return static_cast<Dict*>(value.object)->frozen ? types.frozen_set : types.set;
    case Kind::kSlice:
      return types.slice;
    case Kind::kRange:
      return types.range;
    case Kind::kIterator:
      return types.generator;
    case Kind::kFunction:
      return types.function;
    case Kind::kMethod:
      return types.method;
    case Kind::kBuiltin:
      return types.builtin;
    case Kind::kClass: {
      const Class* type = static_cast<Class*>(value.object);
      if (Class* meta = type->metaclass.as<Class>()) return meta;
      return types.type;
    }
    case Kind::kInstance:
      return static_cast<Instance*>(value.object)->type;
    case Kind::kModule:
      return types.module;
    case Kind::kProperty:
      return types.property;
    case Kind::kStaticMethod:
      return types.static_method;
    case Kind::kClassMethod:
      return types.class_method;
    case Kind::kSuper:
      return types.super;
    default:
      return types.unknown;
  }
}

bool Interpreter::IsInstance(const Value& value, const Class* type) {
  if (type == types.object) return true;
  return TypeOf(value)->Derives(type);
}

// What a member of a class is when it is asked of an instance.
Value Interpreter::BindMember(const Value& member, const Value& self, Class* type) {
  if (!member.is_object()) return member;
  switch (member.object->kind) {
    case Kind::kFunction:
      return self.set() ? Value(New<Method>(member, self)) : member;
    case Kind::kBuiltin: {
      const Builtin* builtin = member.as<Builtin>();
      return builtin->method && self.set() ? Value(New<Method>(member, self)) : member;
    }
    case Kind::kStaticMethod:
      return member.as<Wrapped>()->function;
    case Kind::kClassMethod:
      return New<Method>(member.as<Wrapped>()->function, type);
    case Kind::kProperty: {
      if (!self.set()) return member;
      return Call(member.as<Property>()->get, {self});
    }
    case Kind::kInstance: {
      const Value* get = member.as<Instance>()->type->Find(Name("__get__"));
      if (get == nullptr) return member;
      return Call(*get, {member, self.set() ? self : None(), Value(type)});
    }
    default:
      return member;
  }
}

Value Interpreter::InstanceAttribute(Instance& instance, const Value& self, Symbol name) {
  const Value* member = instance.type->Find(name);
  const Property* property = member == nullptr ? nullptr : member->as<Property>();
  if (property != nullptr && !property->cached) return Call(property->get, {self});
  // A member that takes assignments comes before the instance's own.
  const Instance* descriptor = member == nullptr ? nullptr : member->as<Instance>();
  if (descriptor != nullptr && descriptor->type->Find(Name("__set__")) != nullptr) {
    return BindMember(*member, self, instance.type);
  }
  if (const Value* own = FindOwn(instance, name)) return *own;
  if (property != nullptr) {
    const Value made = Call(property->get, {self});
    SetName(instance, instance.attributes, name, made);
    return made;
  }
  if (member != nullptr) return BindMember(*member, self, instance.type);
  const std::string& text = *name;
  if (text == "__class__") return instance.type;
  if (text == "__dict__") return NamesOf(self);
  if (instance.base.set()) return FindAttribute(instance.base, name);
  return {};
}

Value Interpreter::ClassAttribute(Class& type, Symbol name) {
  const std::string& text = *name;
  // A class is called by its own name, whatever its instances or its bases are called.
  const bool names = text == "__name__" || text == "__qualname__";
  if (const Value* member = names ? type.members.Find(name) : type.Find(name)) {
    if (!names || member->as<Property>() == nullptr) return BindMember(*member, {}, &type);
  }
  if (text == "__name__") return Text(*type.name);
  if (text == "__qualname__") return Text(*type.name);
  if (text == "__module__") return Text(type.module == nullptr ? "builtins" : type.module->name);
  if (text == "__base__") return type.bases.empty() ? None() : Value(type.bases[0]);
  if (text == "__bases__") return Tuple({type.bases.begin(), type.bases.end()});
  if (text == "__mro__") return Tuple({type.order.begin(), type.order.end()});
  if (text == "__class__") return TypeOf(&type);
  if (text == "__doc__") return None();
  if (text == "__dict__") return NamesOf(&type);
  if (const Class* meta = type.metaclass.as<Class>()) {
    if (const Value* member = meta->Find(name)) {
      return BindMember(*member, &type, const_cast<Class*>(meta));
    }
  }
  if (const Value* member = types.defaults->members.Find(name)) return *member;
  // Methods that every class has.
  if (const Value* member = types.type->Find(name)) return BindMember(*member, &type, types.type);
  return {};
}

Value Interpreter::ModuleAttribute(Module& module, Symbol name) {
  if (const Value* found = FindName(module, name)) return *found;
  if (*name == "__dict__") return NamesOf(&module);
  if (*name == "__file__") return Text(module.file);
  return {};
}

// What PEP 562 has modules answer for names that they do not have.
Value Interpreter::AskModule(Module& module, Symbol name) {
  const Value* hook = module.names.Find(Name("__getattr__"));
  // An object that the module has put in its own place: sys.modules[__name__] = LazyModule(..).
  const Value* other = hook != nullptr ? nullptr : FindItem(*module_table_, Text(module.name));
  if (hook == nullptr && (other == nullptr || other->as<Instance>() == nullptr)) return {};
  // What answers imports what it is asked for, which comes back here where it is not there.
  const Symbol question = Name(module.name + "." + *name);
  if (!asked_.insert(question).second) return {};
  std::optional<Value> raised;
  Value found;
  try {
    const Expecting expecting(*this);
    found = hook != nullptr ? Call(*hook, {Text(*name)}) : FindAttribute(*other, name);
  } catch (const Raised& exception) {
    raised = exception.exception;
  }
  asked_.erase(question);
  if (!raised.has_value()) return found;
  const bool absent = IsInstance(*raised, ExceptionType("AttributeError"));
  const bool answers = hook == nullptr || module.origin == Module::Origin::kOwn;
  if (absent && answers) return {};
  throw Raised{*raised};
}

// What an annotation says, evaluated where the function was made.
Value Interpreter::Annotation(const Function& function, const Node* node) {
  Frame frame;
  frame.names = function.closure;
  frame.module = function.module;
  frame.owner = function.owner;
  frame.at = function.node;
  const Frame* const own = frames_.empty() ? nullptr : frames_.back();
  try {
    const Entered entered(*this, frame);
    const Expecting expecting(*this);
    return Eval(node);
  } catch (const Raised&) {
    ReturnTo(own);
  }
  return MakeUnknown("an annotation");
}

// The text that a function begins with, or None.
static Value DocumentOf(const Node* function) {
  if (function == nullptr || function->kind != NodeKind::kFunction) return None();
  const std::vector<Node*>& body = function->a->list;
  if (body.empty() || body[0]->kind != NodeKind::kExpression) return None();
  const Node* text = body[0]->a;
  const bool document = text->kind == NodeKind::kConstant && TextOf(text->constant) != nullptr;
  return document ? text->constant : None();
}

Value Interpreter::FunctionAttribute(Function& function, Symbol name) {
  if (const Value* found = function.attributes.Find(name)) return *found;
  const std::string& text = *name;
  if (text == "__name__") return Text(*function.name);
  if (text == "__qualname__") return Text(function.Qualified());
  if (text == "__module__") return Text(function.module->name);
  if (text == "__doc__") return DocumentOf(function.node);
  if (text == "__wrapped__") return {};
  if (text == "__dict__") return NamesOf(&function);
  if (text == "__annotations__" || text == "__kwdefaults__") {
    Dict* dict = New<Dict>();
    if (text == "__annotations__" && function.node != nullptr) {
      for (const Node* parameter : function.node->list) {
        if (parameter->b == nullptr) continue;
        SetItem(*dict, Text(*parameter->name), Annotation(function, parameter->b));
      }
      if (function.node->kind == NodeKind::kFunction && function.node->c != nullptr) {
        SetItem(*dict, Text("return"), Annotation(function, function.node->c));
      }
      SetName(function, function.attributes, name, dict);
    }
    for (size_t i = 0; text == "__kwdefaults__" && i < function.defaults.size(); ++i) {
      const Node* parameter = function.node->list[i];
      if (parameter->parameter == ParameterKind::kKeywordOnly && function.defaults[i].set()) {
        SetItem(*dict, Text(*parameter->name), function.defaults[i]);
      }
    }
    if (text == "__kwdefaults__" && dict->live == 0) return None();
    return dict;
  }
  if (text == "__defaults__") {
    std::vector<Value> defaults;
    for (size_t i = 0; i < function.defaults.size(); ++i) {
      const bool keyword = function.node->list[i]->parameter == ParameterKind::kKeywordOnly;
      if (function.defaults[i].set() && !keyword) defaults.push_back(function.defaults[i]);
    }
    return defaults.empty() ? None() : Tuple(std::move(defaults));
  }
  if (text == "__get__") return {};
  return {};
}

Value Interpreter::SuperAttribute(Super& super, Symbol name) {
  const std::vector<Class*>& order = super.type->order;
  auto at = std::find(order.begin(), order.end(), super.after);
  if (at != order.end()) ++at;
  for (; at != order.end(); ++at) {
    if (const Value* member = (*at)->members.Find(name)) {
      const Value self = super.self.as<Class>() != nullptr ? Value() : super.self;
      return BindMember(*member, self, super.type);
    }
  }
  const Instance* instance = super.self.as<Instance>();
  if (instance != nullptr && instance->base.set()) {
    const Value found = FindAttribute(instance->base, name);
    if (found.set()) return found;
  }
  if (super.type->open) return MakeUnknown("a base class that is not known");
  const Value* member = types.defaults->members.Find(name);
  return member == nullptr ? Value() : BindMember(*member, super.self, types.defaults);
}

// What is looked up in a module: its own names, its submodules, and what the host
// knows of it.
Value Interpreter::FindModuleAttribute(Module& module, Symbol name) {
  const Value found = ModuleAttribute(module, name);
  if (found.set()) return found;
  const std::string dotted = module.name + "." + *name;
  const bool known = host_.KnowsModule(dotted);
  if (known || (!module.path.empty() && module.origin != Module::Origin::kOwn)) {
    if (Module* inner = LoadModule(dotted, &module)) {
      const Value* held = FindName(module, name);
      return held == nullptr ? Value(inner) : *held;
    }
  }
  if (!module.deferred.empty()) {
    // A version needs no run of the whole package.
    if (name->starts_with("__")) return MakeUnknown(fmt::format("{} of a package", *name));
    RunDeferred(module);
    return FindAttribute(&module, name);
  }
  if (const Value answer = AskModule(module, name); answer.set()) return answer;
  if (*name == "__class__") return TypeOf(&module);
  if (!module.path.empty() && !known) {
    if (Module* inner = LoadModule(dotted, &module)) return inner;
  }
  if (module.origin == Module::Origin::kOwn) {
    return New<Unknown>(fmt::format("{}.{} is not among what tilewise knows", module.name, *name),
                        UserLocation());
  }
  return {};
}

Value Interpreter::FindAttribute(const Value& object, Symbol name) {
  Step();
  if (object.is_object()) {
    switch (object.object->kind) {
      case Kind::kUnknown:
        return PartOfUnknown(*this, *object.as<Unknown>(), name);
      case Kind::kInstance: {
        Instance& instance = *object.as<Instance>();
        const Value found = InstanceAttribute(instance, object, name);
        if (found.set()) return found;
        if (const Value* hook = instance.type->Find(Name("__getattr__"))) {
          return Call(*hook, {object, Text(*name)});
        }
        if (instance.type->open) return MakeUnknown("an attribute of a base that is not known");
        break;
      }
      case Kind::kClass: {
        Class& type = *object.as<Class>();
        const Value found = ClassAttribute(type, name);
        if (found.set()) return found;
        if (type.open) return MakeUnknown("an attribute of a base that is not known");
        break;
      }
      case Kind::kModule:
        return FindModuleAttribute(*object.as<Module>(), name);
      case Kind::kFunction: {
        const Value found = FunctionAttribute(*object.as<Function>(), name);
        if (found.set()) return found;
        break;
      }
      case Kind::kMethod: {
        const Method* method = object.as<Method>();
        if (*name == "__self__") return method->self;
        if (*name == "__func__") return method->function;
        return FindAttribute(method->function, name);
      }
      case Kind::kSuper: {
        const Value found = SuperAttribute(*object.as<Super>(), name);
        if (found.set()) return found;
        break;
      }
      case Kind::kBuiltin:
        if (*name == "__name__" || *name == "__qualname__") {
          return Text(*object.as<Builtin>()->name);
        }
        break;
      default:
        break;
    }
  }
  Class* type = TypeOf(object);
  if (const Value* member = type->Find(name)) return BindMember(*member, object, type);
  if (*name == "__class__") return type;
  if (*name == "__doc__") return None();
  if (const Value* member = types.defaults->members.Find(name)) {
    return BindMember(*member, object, types.defaults);
  }
  return {};
}

Value Interpreter::Attribute(const Value& object, Symbol name) {
  const Value found = FindAttribute(object, name);
  if (found.set()) return found;
  if (const Module* module = object.as<Module>()) {
    Raise("AttributeError", fmt::format("module '{}' has no attribute '{}'", module->name, *name));
  }
  if (Value unknown = NotModelled(object, name); unknown.set()) return unknown;
  const Class* type = object.as<Class>();
  if (type != nullptr) {
    Raise("AttributeError",
          fmt::format("type object '{}' has no attribute '{}'", *type->name, *name));
  }
  Raise("AttributeError",
        fmt::format("'{}' object has no attribute '{}'", *TypeOf(object)->name, *name));
}

void Interpreter::SetAttribute(const Value& object, Symbol name, const Value& value) {
  if (!object.is_object()) {
    Raise("AttributeError",
          fmt::format("'{}' object has no attribute '{}'", *TypeOf(object)->name, *name));
  }
  switch (object.object->kind) {
    case Kind::kInstance: {
      Instance& instance = *object.as<Instance>();
      const Value* plain = types.object->members.Find(Name("__setattr__"));
      if (const Value* hook = instance.type->Find(Name("__setattr__"));
          hook != nullptr && (plain == nullptr || !hook->Is(*plain))) {
        Call(*hook, {object, Text(*name), value});
        return;
      }
      const Value* member = instance.type->Find(name);
      if (const Property* property = member == nullptr ? nullptr : member->as<Property>();
          property != nullptr && !property->cached) {
        if (!property->set.set()) {
          Raise("AttributeError", fmt::format("can't set attribute '{}'", *name));
        }
        Call(property->set, {object, value});
        return;
      }
      if (const Instance* held = member == nullptr ? nullptr : member->as<Instance>()) {
        if (const Value* hook = held->type->Find(Name("__set__"))) {
          Call(*hook, {*member, object, value});
          return;
        }
      }
      SetOwn(instance, name, value);
      return;
    }
    case Kind::kClass: {
      Class& type = *object.as<Class>();
      SetName(type, type.members, name, value);
      return;
    }
    case Kind::kModule: {
      Module& module = *object.as<Module>();
      SetName(module, module.names, name, value);
      return;
    }
    case Kind::kFunction: {
      Function& function = *object.as<Function>();
      SetName(function, function.attributes, name, value);
      return;
    }
    case Kind::kMethod:
      SetAttribute(object.as<Method>()->function, name, value);
      return;
    case Kind::kUnknown:
    case Kind::kBuiltin:
    case Kind::kProperty:
      return;
    default:
      Raise("AttributeError",
            fmt::format("'{}' object has no attribute '{}'", *TypeOf(object)->name, *name));
  }
}

void Interpreter::DeleteAttribute(const Value& object, Symbol name) {
  if (Instance* instance = object.as<Instance>()) {
    if (const Value* hook = instance->type->Find(Name("__delattr__"));
        hook != nullptr && hook->as<Function>() != nullptr) {
      Call(*hook, {object, Text(*name)});
      return;
    }
    const Value* member = instance->type->Find(name);
    if (const Property* property = member == nullptr ? nullptr : member->as<Property>();
        property != nullptr && property->remove.set()) {
      Call(property->remove, {object});
      return;
    }
    if (EraseOwn(*instance, name) || instance->type->open) return;
  } else if (Class* type = object.as<Class>()) {
    Touch(*type);
    if (type->members.Erase(name) || type->open) return;
  } else if (Module* module = object.as<Module>()) {
    if (EraseName(*module, name)) return;
  } else if (IsUnknown(object)) {
    return;
  }
  Raise("AttributeError", fmt::format("there is no attribute '{}'", *name));
}

}  // namespace tilewise::py
