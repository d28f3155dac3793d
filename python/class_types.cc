// object, type, property, staticmethod, classmethod, super, and generators'
// methods.

#include <fmt/format.h>

#include "python/class_hooks.h"
#include "python/generator.h"
#include "python/native.h"

namespace tilewise::py {
namespace class_functions {
namespace {

Value MakeObject(Interpreter& in, Arguments&) { return in.New<Instance>(in.types.object); }
Value NewObject(Interpreter& in, Arguments& arguments) {
  Class* type = Taken(in, arguments)[0].as<Class>();
  if (type == nullptr) in.Raise("TypeError", "object.__new__(X): X is not a type");
  Instance* instance = in.New<Instance>(type);
  if (type->Derives(in.types.dict)) instance->base = in.New<Dict>();
  if (type->Derives(in.types.list)) instance->base = in.List({});
  for (Class* base : {in.types.integer, in.types.real, in.types.text}) {
    if (!type->Derives(base)) continue;
    Arguments rest;
    rest.positional.assign(arguments.positional.begin() + 1, arguments.positional.end());
    instance->base = base->make(in, rest);
  }
  return instance;
}
Value DoNothing(Interpreter&, Arguments&) { return None(); }

Value SetAttr(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  Instance* instance = taken[0].as<Instance>();
  const std::string* name = TextOf(taken[1]);
  if (instance == nullptr || name == nullptr) {
    if (name != nullptr) in.SetAttribute(taken[0], in.Name(*name), taken[2]);
    return None();
  }
  const Symbol symbol = in.Name(*name);
  const Value* member = instance->type->Find(symbol);
  const Property* property = member == nullptr ? nullptr : member->as<Property>();
  if (property != nullptr && property->set.set()) {
    in.Call(property->set, {taken[0], taken[2]});
  } else {
    in.SetOwn(*instance, symbol, taken[2]);
  }
  return None();
}
Value DelAttr(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  Instance* instance = taken[0].as<Instance>();
  const std::string* name = TextOf(taken[1]);
  if (instance == nullptr || name == nullptr) return None();
  in.EraseOwn(*instance, in.Name(*name));
  return None();
}
Value GetAttr(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const std::string* name = TextOf(taken[1]);
  if (name == nullptr) return taken[1];
  Instance* instance = taken[0].as<Instance>();
  const Symbol symbol = in.Name(*name);
  if (instance != nullptr) {
    if (const Value* own = in.FindOwn(*instance, symbol)) return *own;
    if (instance->type->Find(symbol) != nullptr) return in.Attribute(taken[0], symbol);
    in.Raise("AttributeError",
             fmt::format("'{}' object has no attribute '{}'", *instance->type->name, *name));
  }
  return in.Attribute(taken[0], symbol);
}
Value ReprOf(Interpreter& in, Arguments& arguments) {
  const Value& value = Taken(in, arguments)[0];
  const Instance* instance = value.as<Instance>();
  if (instance == nullptr) return in.Text(in.Represent(value));
  if (instance->base.set()) return in.Text(in.Represent(instance->base));
  return in.Text(fmt::format("<{} object>", *in.TypeOf(Taken(in, arguments)[0])->name));
}

Value TextOfObject(Interpreter& in, Arguments& arguments) {
  const Value& value = Taken(in, arguments)[0];
  const Instance* instance = value.as<Instance>();
  if (instance != nullptr && instance->base.set()) return in.Text(in.Display(instance->base));
  const bool own = instance != nullptr && instance->type->Find(in.Name("__str__")) != nullptr;
  return in.Text(own ? in.Represent(value) : in.Display(value));
}
Value HashOf(Interpreter& in, Arguments& arguments) {
  const Value& value = Taken(in, arguments)[0];
  const Instance* instance = value.as<Instance>();
  const uint64_t hash = instance != nullptr && !instance->base.set()
                            ? reinterpret_cast<uint64_t>(value.object) >> 4
                            : in.Hash(instance == nullptr ? value : instance->base);
  return Value(static_cast<int64_t>(hash & 0x7fffffffffffffff));
}
Value SameObject(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const auto plain = [](const Value& value) {
    const Instance* instance = value.as<Instance>();
    return instance != nullptr && instance->base.set() ? instance->base : value;
  };
  const Value a = plain(taken[0]), b = plain(taken[1]);
  if (a.Is(b)) return Value(true);
  if (a.as<Instance>() != nullptr || b.as<Instance>() != nullptr) return NotImplemented();
  const std::optional<bool> same = in.Equal(a, b);
  return same.has_value() ? Value(*same) : in.MakeUnknown("whether two values are equal");
}
Value OtherObject(Interpreter& in, Arguments& arguments) {
  const Value same = SameObject(in, arguments);
  return same.tag == Value::Tag::kBool ? Value(!same.truth) : same;
}
Value FormatOf(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const std::string* specifier = TextOf(taken[1]);
  return in.Format(in.Text(in.Display(taken[0])), specifier == nullptr ? "" : *specifier);
}
Value DirOf(Interpreter& in, Arguments& arguments) {
  return in.Call(*in.builtins()->names.Find(in.Name("dir")), {Taken(in, arguments)[0]});
}

// type(x), type(name, bases, members).
Value MakeType(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (taken.size() == 1) {
    if (IsUnknown(taken[0])) return taken[0];
    return in.TypeOf(taken[0]);
  }
  const std::string* name = TextOf(taken[0]);
  if (name == nullptr) return in.MakeUnknown("a class made by type()");
  Namespace members;
  if (const Dict* dict = taken[2].as<Dict>()) {
    for (const Dict::Entry& entry : dict->entries) {
      if (entry.live && TextOf(entry.key) != nullptr) {
        members.Set(in.Name(*TextOf(entry.key)), entry.value);
      }
    }
  }
  Class* made = in.MakeClass(in.Name(*name), in.Items(taken[1]), std::move(members), {},
                             in.frame().module, in.frame().at);
  return CallClassHooks(in, *made, {}, in.frame().at);
}
// type.__call__(cls, ...): what a metaclass' super().__call__ does.
Value CallType(Interpreter& in, Arguments& arguments) {
  const Value type = Taken(in, arguments)[0];
  Class* made = type.as<Class>();
  if (made == nullptr) return in.MakeUnknown("an instance");
  arguments.positional.erase(arguments.positional.begin());
  const Value meta = made->metaclass;
  made->metaclass = Value();
  const Value result = in.Call(type, arguments);
  made->metaclass = meta;
  return result;
}
Value Order(Interpreter& in, Arguments& arguments) {
  const Class* type = Taken(in, arguments)[0].as<Class>();
  if (type == nullptr) return in.List({});
  return in.List({type->order.begin(), type->order.end()});
}
Value Subclasses(Interpreter& in, Arguments&) { return in.List({}); }

struct PropertyParts {
  Value get, set, remove;
};
// The property, also where the object is of a class that is made from it.
PropertyParts PartsOf(Interpreter& in, const Value& value) {
  if (const Property* property = value.as<Property>()) {
    return {property->get, property->set, property->remove};
  }
  PropertyParts parts;
  const Instance* instance = value.as<Instance>();
  if (instance == nullptr) return parts;
  const auto part = [&](const char* name) {
    const Value* held = instance->attributes.Find(in.Name(name));
    return held == nullptr || held->none() ? Value() : *held;
  };
  return {part("fget"), part("fset"), part("fdel")};
}
Value PropertyOf(Interpreter& in, const Value& like, const PropertyParts& parts) {
  const auto held = [](const Value& part) { return part.set() ? part : None(); };
  if (const Instance* instance = like.as<Instance>()) {
    return in.Call(instance->type, {held(parts.get), held(parts.set), held(parts.remove)});
  }
  Property* property = in.New<Property>(held(parts.get));
  property->set = parts.set;
  property->remove = parts.remove;
  return property;
}
PropertyParts GivenParts(const Taken& taken, size_t first) {
  PropertyParts parts{taken.Or(first, "fget", None()), {}, {}};
  if (taken.Has(first + 1, "fset")) parts.set = taken.Get(first + 1, "fset");
  if (taken.Has(first + 2, "fdel")) parts.remove = taken.Get(first + 2, "fdel");
  return parts;
}
Value MakeProperty(Interpreter& in, Arguments& arguments) {
  return PropertyOf(in, None(), GivenParts(Taken(in, arguments), 0));
}
// An object of a class that is made from property.
Value InitProperty(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  Instance* self = taken[0].as<Instance>();
  if (self == nullptr) return None();
  const PropertyParts parts = GivenParts(taken, 1);
  self->attributes.Set(in.Name("fget"), parts.get);
  self->attributes.Set(in.Name("fset"), parts.set.set() ? parts.set : None());
  self->attributes.Set(in.Name("fdel"), parts.remove.set() ? parts.remove : None());
  return None();
}
Value GetProperty(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const PropertyParts parts = PartsOf(in, taken[0]);
  if (taken.Or(1, "instance", None()).none() || !parts.get.set()) return taken[0];
  return in.Call(parts.get, {taken[1]});
}
Value SetProperty(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const PropertyParts parts = PartsOf(in, taken[0]);
  if (!parts.set.set()) in.Raise("AttributeError", "can't set attribute");
  return in.Call(parts.set, {taken[1], taken[2]});
}
Value PropertySetter(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  PropertyParts parts = PartsOf(in, taken[0]);
  parts.set = taken[1];
  return PropertyOf(in, taken[0], parts);
}
Value PropertyDeleter(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  PropertyParts parts = PartsOf(in, taken[0]);
  parts.remove = taken[1];
  return PropertyOf(in, taken[0], parts);
}
Value PropertyGetter(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  PropertyParts parts = PartsOf(in, taken[0]);
  parts.get = taken[1];
  return PropertyOf(in, taken[0], parts);
}
Value PropertyGet(Interpreter& in, Arguments& arguments) {
  const Value get = PartsOf(in, Taken(in, arguments)[0]).get;
  return get.set() ? get : None();
}
Value PropertySet(Interpreter& in, Arguments& arguments) {
  const Value set = PartsOf(in, Taken(in, arguments)[0]).set;
  return set.set() ? set : None();
}

Value MakeStatic(Interpreter& in, Arguments& arguments) {
  return in.New<Wrapped>(Kind::kStaticMethod, Taken(in, arguments)[0]);
}
Value MakeClassMethod(Interpreter& in, Arguments& arguments) {
  return in.New<Wrapped>(Kind::kClassMethod, Taken(in, arguments)[0]);
}
Value WrappedFunction(Interpreter& in, Arguments& arguments) {
  return Taken(in, arguments)[0].as<Wrapped>()->function;
}

Value MakeSuper(Interpreter& in, Arguments& arguments) {
  Class* after = nullptr;
  Value self;
  if (arguments.positional.size() >= 2) {
    after = arguments.positional[0].as<Class>();
    self = arguments.positional[1];
  } else {
    // The class and the first argument of the method that runs; of the one
    // around it where that is a comprehension or a nested function.
    const Frame& frame = in.frame();
    after = frame.owner;
    const Environment* names = frame.names;
    while (names != nullptr && names->outer != nullptr && frame.function != nullptr &&
           names->info != frame.function->node->scope) {
      names = names->outer;
    }
    if (names != nullptr && !names->values.empty()) self = names->values[0];
  }
  if (IsUnknown(self)) return self;
  if (after == nullptr || !self.set()) in.Raise("RuntimeError", "super(): no arguments");
  Class* type = self.as<Class>() != nullptr ? self.as<Class>() : in.TypeOf(self);
  return in.New<Super>(after, self, type);
}

Value GeneratorSend(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  Iterator* items = taken[0].as<Iterator>();
  if (items == nullptr) return in.MakeUnknown("an item");
  const Value item = items->Send(in, taken[1]);
  if (!item.set()) in.RaiseStop(*items);
  return item;
}
Value GeneratorNext(Interpreter& in, Arguments& arguments) {
  Iterator* items = Taken(in, arguments)[0].as<Iterator>();
  if (items == nullptr) return in.MakeUnknown("an item");
  const Value item = items->Next(in);
  if (!item.set()) in.RaiseStop(*items);
  return item;
}
Value GeneratorThrow(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  auto* generator = dynamic_cast<Generator*>(taken[0].as<Iterator>());
  Value exception = taken.size() > 2 && !taken[2].none() ? taken[2] : taken[1];
  if (exception.as<Class>() != nullptr) exception = in.Call(exception, std::vector<Value>{});
  if (generator == nullptr) throw Raised{exception};
  const Value item = generator->Throw(in, exception);
  if (!item.set()) in.RaiseStop(*generator);
  return item;
}
Value GeneratorClose(Interpreter& in, Arguments& arguments) {
  auto* generator = dynamic_cast<Generator*>(Taken(in, arguments)[0].as<Iterator>());
  if (generator != nullptr) generator->Close(in);
  return None();
}
// The names of a generator's function, as gi_frame.f_locals has them.
Value GeneratorLocals(Interpreter& in, Arguments& arguments) {
  const auto* generator = dynamic_cast<Generator*>(Taken(in, arguments)[0].as<Iterator>());
  return in.NamesIn(generator == nullptr ? nullptr : generator->names());
}
Value Itself(Interpreter&, Arguments& arguments) { return arguments.positional[0]; }

Value BindFunction(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (taken.size() < 2 || taken[1].none()) return taken[0];
  return in.New<Method>(taken[0], taken[1]);
}
Value CallIt(Interpreter& in, Arguments& arguments) {
  const Value callee = Taken(in, arguments)[0];
  arguments.positional.erase(arguments.positional.begin());
  return in.Call(callee, arguments);
}

Value WithTraceback(Interpreter&, Arguments& arguments) { return arguments.positional[0]; }
Value StartException(Interpreter& in, Arguments& arguments) {
  Instance* self = Taken(in, arguments)[0].as<Instance>();
  if (self == nullptr) return None();
  std::vector<Value> rest(arguments.positional.begin() + 1, arguments.positional.end());
  if (self->type->Derives(in.ExceptionType("SystemExit"))) {
    const Value code = rest.empty() ? None() : rest.size() == 1 ? rest[0] : in.Tuple(rest);
    in.SetName(*self, self->attributes, in.Name("code"), code);
  }
  in.SetName(*self, self->attributes, in.Name("args"), in.Tuple(std::move(rest)));
  return None();
}

// Classes of the program that stand for modules have a name.
Value StartModule(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  Instance* self = taken[0].as<Instance>();
  if (self != nullptr) in.SetName(*self, self->attributes, in.Name("__name__"), taken[1]);
  return None();
}

}  // namespace
}  // namespace class_functions

void DefineClasses(Interpreter& in) {
  using namespace class_functions;  // NOLINT: this file's
  Types& types = in.types;
  Publish(in, types.object, MakeObject);
  Publish(in, types.type, MakeType);
  Publish(in, types.property, MakeProperty);
  Publish(in, types.static_method, MakeStatic);
  Publish(in, types.class_method, MakeClassMethod);
  Publish(in, types.super, MakeSuper);
  constexpr MethodRow kObject[] = {
      {"__init__", DoNothing},
      {"__setattr__", SetAttr},
      {"__delattr__", DelAttr},
      {"__getattribute__", GetAttr},
  };
  DefineMethods(in, *types.object, kObject);
  const auto define_static = [&](const char* name, NativeFunction function) {
    types.object->members.Set(in.Name(name), in.New<Builtin>(in.Name(name), function));
  };
  define_static("__new__", NewObject);
  define_static("__init_subclass__", DoNothing);
  constexpr MethodRow kType[] = {
      {"mro", Order}, {"__subclasses__", Subclasses}, {"__call__", CallType}};
  DefineMethods(in, *types.type, kType);
  constexpr MethodRow kProperty[] = {{"setter", PropertySetter}, {"deleter", PropertyDeleter},
                                     {"getter", PropertyGetter}, {"__init__", InitProperty},
                                     {"__get__", GetProperty},   {"__set__", SetProperty}};
  DefineMethods(in, *types.property, kProperty);
  const auto getter = [&](Class& type, const char* name, NativeFunction get) {
    type.members.Set(in.Name(name), in.New<Property>(in.New<Builtin>(in.Name(name), get)));
  };
  getter(*types.property, "fget", PropertyGet);
  getter(*types.property, "fset", PropertySet);
  getter(*types.static_method, "__func__", WrappedFunction);
  getter(*types.class_method, "__func__", WrappedFunction);
  constexpr MethodRow kGenerator[] = {
      {"send", GeneratorSend},   {"throw", GeneratorThrow},
      {"close", GeneratorClose}, {"__next__", GeneratorNext},
      {"__iter__", Itself},      {"next", GeneratorNext},  // of programs for Python 2
  };
  DefineMethods(in, *types.generator, kGenerator);
  getter(*types.generator, "gi_locals", GeneratorLocals);
  in.DefineMethod(*types.function, "__get__", BindFunction);
  in.DefineMethod(*types.function, "__call__", CallIt);
  in.DefineMethod(*types.method, "__call__", CallIt);
  Class& exception = *in.ExceptionType("BaseException");
  in.DefineMethod(exception, "with_traceback", WithTraceback);
  in.DefineMethod(exception, "__init__", StartException);
  in.DefineMethod(*types.module, "__init__", StartModule);
  for (const char* name : {"__cause__", "__context__", "__traceback__"}) {
    exception.members.Set(in.Name(name), None());
  }
  constexpr MethodRow kDefaults[] = {
      {"__repr__", ReprOf},   {"__str__", TextOfObject}, {"__hash__", HashOf},
      {"__eq__", SameObject}, {"__ne__", OtherObject},   {"__format__", FormatOf},
      {"__dir__", DirOf},
  };
  DefineMethods(in, *types.defaults, kDefaults);
}

}  // namespace tilewise::py
