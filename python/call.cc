// Calls: parameters are bound as Python binds them, classes make instances.

#include <algorithm>

#include <fmt/format.h>

#include "python/generator.h"
#include "python/interpreter.h"
#include "python/unknowns.h"

namespace tilewise::py {

Value Interpreter::Call(const Value& callee, std::vector<Value> positional) {
  Arguments arguments;
  arguments.positional = std::move(positional);
  arguments.at = frames_.empty() ? nullptr : frames_.back()->at;
  return Call(callee, arguments);
}

Value Interpreter::CallMethod(const Value& object, std::string_view name,
                              std::vector<Value> positional) {
  return Call(Attribute(object, Name(name)), std::move(positional));
}

Value Interpreter::Call(const Value& callee, Arguments& arguments) {
  if (!callee.is_object()) {
    Raise("TypeError", fmt::format("'{}' object is not callable", *TypeOf(callee)->name));
  }
  switch (callee.object->kind) {
    case Kind::kFunction:
      return CallFunction(*callee.as<Function>(), arguments);
    case Kind::kMethod: {
      const Method* method = callee.as<Method>();
      arguments.positional.insert(arguments.positional.begin(), method->self);
      return Call(method->function, arguments);
    }
    case Kind::kBuiltin: {
      const Builtin* builtin = callee.as<Builtin>();
      if (!builtin->held.empty()) {
        arguments.positional.insert(arguments.positional.begin(), builtin->held.begin(),
                                    builtin->held.end());
      }
      CheckDepth();
      if (builtin->method) {
        if (arguments.positional.empty()) {
          Raise("TypeError", fmt::format("unbound method {}() needs an argument", *builtin->name));
        }
        // Methods of a text go over it.
        if (const std::string* text = TextOf(arguments.positional[0])) {
          Step(static_cast<int64_t>(text->size() / 256));
        }
      }
      return builtin->call(*this, arguments);
    }
    case Kind::kClass:
      return CallClass(*callee.as<Class>(), arguments);
    case Kind::kUnknown: {
      const Unknown* unknown = callee.as<Unknown>();
      if (IsWrapped(unknown->known().wraps, "call")) {
        Note("RD002", UserLocation(),
             "what is made of a model here is not known: it is taken to call the model");
        return Call(unknown->known().wraps, arguments);
      }
      TellPassed(arguments);
      for (const Value& each : unknown->known().either) {
        const Method* method = each.as<Method>();
        if (method == nullptr) continue;
        Arguments same = arguments;
        Call(each, same);
        const Value& held = method->self;
        if (auto* list = held.as<Sequence>()) list->open.Join({unknown, false});
        if (auto* dict = held.as<Dict>()) dict->open.Join({unknown, false});
      }
      Unknown* made = New<Unknown>(unknown->cause);
      if (Value wrapped = WrappedOf(arguments); wrapped.set()) Know(*this, *made).wraps = wrapped;
      return made;
    }
    case Kind::kInstance: {
      const Value* call = callee.as<Instance>()->type->Find(Name("__call__"));
      if (call == nullptr) {
        if (callee.as<Instance>()->type->open) return MakeUnknown("a call of what is not known");
        break;
      }
      // Instances that are each other's __call__ leave no frame behind.
      Step(1 + static_cast<int64_t>(arguments.positional.size() / 16));
      arguments.positional.insert(arguments.positional.begin(), callee);
      return Call(*call, arguments);
    }
    case Kind::kStaticMethod:
    case Kind::kClassMethod:
      return Call(callee.as<Wrapped>()->function, arguments);
    default:
      break;
  }
  Raise("TypeError", fmt::format("'{}' object is not callable", *TypeOf(callee)->name));
}

namespace {

// The one keyword that names no parameter: tilewise's own functions have other names for some
// parameters than the library. Several could not be told apart.
Symbol OnlyStranger(const Function& function, const Arguments& arguments) {
  if (function.module == nullptr || function.module->origin != Module::Origin::kOwn) return nullptr;
  Symbol found = nullptr;
  for (const auto& given : arguments.keyword) {
    const Symbol name = given.first;
    const bool known =
        name == nullptr || std::ranges::any_of(function.node->list, [name](const Node* parameter) {
          return parameter->name == name;
        });
    if (known) continue;
    if (found != nullptr) return nullptr;
    found = name;
  }
  return found;
}

}  // namespace

void Interpreter::Bind(const Function& function, Arguments& arguments, Environment& names) {
  const std::vector<Node*>& parameters = function.node->list;
  size_t used = 0;
  size_t taken_keywords = 0;
  Dict* rest = nullptr;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Node* parameter = parameters[i];
    Value& slot = names.values[i];
    if (parameter->parameter == ParameterKind::kStar) {
      slot = Tuple({arguments.positional.begin() +
                        static_cast<std::ptrdiff_t>(std::min(used, arguments.positional.size())),
                    arguments.positional.end()},
                   arguments.stars);
      used = arguments.positional.size();
      continue;
    }
    if (parameter->parameter == ParameterKind::kDoubleStar) {
      rest = New<Dict>();
      rest->open.Join(arguments.names);
      slot = rest;
      continue;
    }
    const bool by_position = parameter->parameter != ParameterKind::kKeywordOnly;
    if (by_position && used < arguments.positional.size()) {
      slot = arguments.positional[used++];
      const bool twice = std::any_of(arguments.keyword.begin(), arguments.keyword.end(),
                                     [&](const auto& k) { return k.first == parameter->name; });
      if (twice && parameter->parameter != ParameterKind::kPositionalOnly) {
        Raise("TypeError", fmt::format("{}() found two values for argument `{}`",
                                       function.Qualified(), *parameter->name));
      }
      continue;
    }
    const auto keyword = std::find_if(arguments.keyword.begin(), arguments.keyword.end(),
                                      [&](const auto& k) { return k.first == parameter->name; });
    if (keyword != arguments.keyword.end() &&
        parameter->parameter != ParameterKind::kPositionalOnly) {
      slot = keyword->second;
      keyword->first = nullptr;
      ++taken_keywords;
    } else if (arguments.open || (arguments.names && !function.defaults[i].set())) {
      slot = MakeUnknown(fmt::format("parameter `{}` of {}(), which an argument with a star gives",
                                     *parameter->name, *function.name));
    } else if (function.defaults[i].set()) {
      slot = function.defaults[i];
    } else if (const Symbol stranger = OnlyStranger(function, arguments); stranger != nullptr) {
      const auto held = std::ranges::find(arguments.keyword, stranger,
                                          [](const auto& given) { return given.first; });
      slot = held->second;
      held->first = nullptr;
      ++taken_keywords;
    } else {
      Raise("TypeError",
            fmt::format("{}() missing 1 required {} argument: '{}'", function.Qualified(),
                        by_position ? "positional" : "keyword-only", *parameter->name));
    }
  }
  if (used < arguments.positional.size() && !arguments.open) {
    Raise("TypeError", fmt::format("{}() takes {} arguments, found {}", function.Qualified(), used,
                                   arguments.positional.size()));
  }
  if (taken_keywords == arguments.keyword.size()) return;
  for (const auto& [name, value] : arguments.keyword) {
    if (name == nullptr) continue;
    if (rest == nullptr) {
      Raise("TypeError", fmt::format("{}() has no parameter `{}`", function.Qualified(), *name));
    }
    SetItem(*rest, Text(*name), value);
  }
}

Value Interpreter::RunBody(const Function& function, Environment* names) {
  Frame frame;
  frame.names = names;
  frame.module = function.module;
  frame.owner = function.owner;
  frame.function = &function;
  frame.at = function.node;
  const Entered entered(*this, frame);
  if (function.node->kind == NodeKind::kLambda) return Eval(function.node->a);
  Exec(function.node->a);
  Value result = frame.returned.set() ? frame.returned : None();
  for (const Value& maybe : frame.maybe_returned) {
    // A value rather than none; of two values the one of the path that goes on.
    if (result.none()) result = maybe;
  }
  return result;
}

void Interpreter::TellPassed(const Arguments& arguments) {
  std::vector<Value> given = arguments.positional;
  for (const auto& [name, value] : arguments.keyword) given.push_back(value);
  constexpr size_t kMostGiven = 32;
  for (const Value& value : given) {
    const Method* method = value.as<Method>();
    const Value& plain = method == nullptr ? value : method->function;
    const Function* function = plain.as<Function>();
    if (function != nullptr && function->module->origin == Module::Origin::kUser &&
        given_away_.size() < kMostGiven) {
      given_away_.push_back(value);
    }
    const Instance* instance = value.as<Instance>();
    const Value* hook =
        instance == nullptr ? nullptr : instance->type->Find(Name("__tilewise_passed__"));
    if (hook != nullptr) Call(*hook, {value, List(given)});
  }
}

bool Interpreter::RecursUndecided(const Function& function) const {
  constexpr int kTimes = 4;
  if (undecided_ < kTimes) return false;
  return std::count_if(frames_.begin(), frames_.end(), [&](const Frame* frame) {
           return frame->function == &function && frame->undecided > 0;
         }) >= kTimes;
}

Value Interpreter::CallFunction(const Function& function, Arguments& arguments) {
  CheckDepth();
  if (RecursUndecided(function)) return MakeUnknown("how often a function calls itself");
  function.called = true;
  // Looking through the frames takes its time as well: some 32 of them that of a step.
  const size_t looked_at = undecided_ > 0 ? frames_.size() / 32 : 0;
  Step(4 + static_cast<int64_t>(looked_at));
  const ScopeInfo* scope = function.node->scope;
  Environment* names = NewNames(scope, function.closure, scope->slots.size());
  const uint32_t epoch = names->epoch;
  Bind(function, arguments, *names);
  if (scope->generator) return New<Generator>(*this, &function, names, nullptr);
  const Value result = RunBody(function, names);
  Reuse(names, epoch);
  return result;
}

Environment* Interpreter::NewNames(const ScopeInfo* scope, Environment* outer, size_t slots) {
  Environment* names = spare_;
  if (names == nullptr) {
    names = New<Environment>(scope, outer, size_t{0});
  } else {
    spare_ = names->outer;
    names->info = scope;
    names->outer = outer;
    names->epoch = epoch_;
  }
  Spend(static_cast<int64_t>(slots * sizeof(Value)));
  names->values.resize(slots);
  return names;
}

void Interpreter::Reuse(Environment* names, uint32_t epoch) {
  // Branches that saved its state put it back, and raised its epoch.
  if (names->held || names->epoch != epoch) return;
  bytes_ -= static_cast<int64_t>(names->values.size() * sizeof(Value));
  names->values.clear();
  names->outer = std::exchange(spare_, names);
}

std::optional<Value> Interpreter::CallHook(Class& type, const char* hook, Arguments& arguments) {
  const Value* found = type.Find(Name(hook));
  if (found == nullptr) return std::nullopt;
  Value callee = *found;
  if (const Wrapped* wrapped = callee.as<Wrapped>()) callee = wrapped->function;
  arguments.positional.insert(arguments.positional.begin(), &type);
  return Call(callee, arguments);
}

Value Interpreter::CallClass(Class& type, Arguments& arguments) {
  if (std::optional<Value> made = CallHook(type, "__tilewise_class_call__", arguments)) {
    return *made;
  }
  // A metaclass' __call__.
  if (const Class* meta = type.metaclass.as<Class>()) {
    const Value* call = meta->Find(Name("__call__"));
    if (call != nullptr && call->as<Function>() != nullptr) {
      arguments.positional.insert(arguments.positional.begin(), &type);
      return Call(*call, arguments);
    }
  }
  if (type.order.size() == 1 || type.make != nullptr) {
    if (type.make != nullptr) return type.make(*this, arguments);
  }
  const Value* make = type.Find(Name("__new__"));
  // That of object is what follows.
  if (make != nullptr && make->as<Builtin>() != nullptr) make = nullptr;
  Value made;
  if (make != nullptr) {
    Value callee = *make;
    if (const Wrapped* wrapped = callee.as<Wrapped>()) callee = wrapped->function;
    Arguments copy = arguments;
    copy.positional.insert(copy.positional.begin(), &type);
    made = Call(callee, copy);
    const Instance* instance = made.as<Instance>();
    if (instance == nullptr || !instance->type->Derives(&type)) return made;
  } else {
    Instance* instance = New<Instance>(&type);
    made = instance;
    // The part that is a list, a dict, a number.
    for (Class* base : type.order) {
      if (base->make == nullptr || base == types.object || base == types.type ||
          base == types.module) {
        continue;
      }
      Arguments copy = arguments;
      const bool immutable = base == types.integer || base == types.real || base == types.text ||
                             base == types.tuple || base == types.frozen_set || base == types.bytes;
      const Value* start = type.Find(Name("__init__"));
      const bool own_start = start != nullptr && start->as<Function>() != nullptr;
      // What `__init__` fills later would find an iterator used up.
      const bool filled = own_start || start == base->members.Find(Name("__init__"));
      if (filled && !immutable) copy = Arguments();
      if (!own_start || immutable || base == types.list || base == types.dict ||
          base == types.set) {
        instance->base = base->make(*this, copy);
      }
      break;
    }
  }
  const Value* start = type.Find(Name("__init__"));
  if (start == nullptr || start->Is(*types.object->members.Find(Name("__init__")))) {
    Instance* instance = made.as<Instance>();
    if (type.Derives(ExceptionType("BaseException"))) {
      instance->attributes.Set(Name("args"), Tuple(arguments.positional));
    } else if (!type.open && make == nullptr && !instance->base.set() &&
               !(arguments.positional.empty() && arguments.keyword.empty())) {
      Raise("TypeError", fmt::format("{}() takes no arguments", *type.name));
    }
    return made;
  }
  if (type.Derives(ExceptionType("BaseException"))) {
    made.as<Instance>()->attributes.Set(Name("args"), Tuple(arguments.positional));
  }
  arguments.positional.insert(arguments.positional.begin(), made);
  Call(*start, arguments);
  return made;
}

}  // namespace tilewise::py
