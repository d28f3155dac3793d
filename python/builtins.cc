// Functions that every module has.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "python/expecting.h"
#include "python/interpreter.h"
#include "python/text.h"
#include "python/unknowns.h"

namespace tilewise::py {
namespace builtins_functions {
namespace {

Value Print(Interpreter& in, Arguments& arguments) {
  for (const auto& [name, value] : arguments.keyword) {
    if (*name == "file" && !value.none()) return None();
  }
  std::string line;
  for (const Value& value : arguments.positional) {
    if (!line.empty() || &value != arguments.positional.data()) line += " ";
    line += in.Display(value);
  }
  std::string end = "\n";
  for (const auto& [name, value] : arguments.keyword) {
    if (*name == "end" && TextOf(value) != nullptr) end = *TextOf(value);
    if (*name == "sep" && TextOf(value) != nullptr) {
      line.clear();
      for (size_t i = 0; i < arguments.positional.size(); ++i) {
        line += (i > 0 ? *TextOf(value) : "") + in.Display(arguments.positional[i]);
      }
    }
  }
  in.host().Print(line + end);
  return None();
}

Value Len(Interpreter& in, Arguments& arguments) {
  const Value& value = Taken(in, arguments)[0];
  const std::optional<int64_t> length = in.Length(value);
  if (length.has_value()) return Value(*length);
  if (IsUnknown(value)) return value;
  return CountOf(in, value);
}

Value IsInstanceOf(Interpreter& in, const Value& value, const Value& type) {
  in.Step();
  in.CheckDepth();
  if (const Sequence* several = type.as<Sequence>()) {
    bool open = false;
    for (const Value& each : several->items) {
      const Value result = IsInstanceOf(in, value, each);
      if (result.tag == Value::Tag::kBool && result.truth) return result;
      open = open || IsUnknown(result);
    }
    return open ? in.MakeUnknown("whether a value is of a type") : Value(false);
  }
  if (IsUnknown(type)) {
    // What tilewise knows is no instance of a class that it does not know.
    const Instance* instance = value.as<Instance>();
    if (!IsUnknown(value) && (instance == nullptr || !instance->type->open)) return Value(false);
    return type;
  }
  const Class* wanted = type.as<Class>();
  if (wanted == nullptr) {
    const Instance* form = type.as<Instance>();
    const Value* hook = form == nullptr ? nullptr : form->type->Find(in.Name("__instancecheck__"));
    if (hook == nullptr) return Value(false);
    return IsUnknown(value) ? value : in.Call(*hook, {type, value});
  }
  if (IsUnknown(value)) return value;
  if (const Value* hook = wanted->Find(in.Name("__tilewise_instancecheck__"))) {
    Value callee = *hook;
    if (const Wrapped* wrapped = callee.as<Wrapped>()) callee = wrapped->function;
    return in.Call(callee, {Value(const_cast<Class*>(wanted)), value});
  }
  if (in.IsInstance(value, wanted)) return Value(true);
  const Instance* instance = value.as<Instance>();
  if (instance != nullptr && instance->type->open && wanted->open) return in.MakeUnknown("a type");
  return Value(false);
}

Value IsInstanceCall(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  return IsInstanceOf(in, taken[0], taken[1]);
}

Value IsSubclass(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const Class* type = taken[0].as<Class>();
  if (IsUnknown(taken[0])) return taken[0];
  if (type == nullptr) in.Raise("TypeError", "issubclass() arg 1 must be a class");
  for (const Value& base : taken[1].as<Sequence>() != nullptr ? taken[1].as<Sequence>()->items
                                                              : std::vector<Value>{taken[1]}) {
    const Class* wanted = base.as<Class>();
    if (const Instance* form = base.as<Instance>()) {
      const Value* hook = form->type->Find(in.Name("__subclasscheck__"));
      if (hook != nullptr && in.Truth(in.Call(*hook, {base, taken[0]})).value_or(false)) {
        return Value(true);
      }
    }
    if (wanted != nullptr && (type->Derives(wanted) || wanted == in.types.object)) {
      return Value(true);
    }
  }
  return Value(false);
}

// Numbers of NumPy are plain ones here, with what programs ask numbers of NumPy for; who asks
// whether a number has that asks whether it is one of NumPy.
bool IsOfNumPy(const Value& value, std::string_view name) {
  constexpr std::string_view kNames[] = {"astype", "ndim", "shape", "tolist"};
  return std::ranges::find(kNames, name) != std::end(kNames) && AsNumber(value).has_value();
}

Value GetAttr(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const std::string* name = TextOf(taken[1]);
  if (name == nullptr) {
    if (IsUnknown(taken[1])) return taken[1];
    in.Raise("TypeError", "attribute name must be string");
  }
  in.Spend(2 * static_cast<int64_t>(name->size()));  // kept among all names
  if (taken.size() < 3) return in.Attribute(taken[0], in.Name(*name));
  if (IsOfNumPy(taken[0], *name)) return taken[2];
  std::optional<Value> raised;
  try {
    const Interpreter::Expecting expecting(in);
    const Value found = in.FindAttribute(taken[0], in.Name(*name));
    return found.set() ? found : taken[2];
  } catch (const Raised& exception) {
    raised = exception.exception;
  }
  if (in.IsInstance(*raised, in.ExceptionType("AttributeError"))) return taken[2];
  throw Raised{*raised};
}

Value HasAttr(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const std::string* name = TextOf(taken[1]);
  if (name == nullptr) return in.MakeUnknown("whether there is an attribute");
  in.Spend(2 * static_cast<int64_t>(name->size()));  // kept among all names
  if (IsOfNumPy(taken[0], *name)) return Value(false);
  std::optional<Value> raised;
  try {
    const Interpreter::Expecting expecting(in);
    const Value found = in.FindAttribute(taken[0], in.Name(*name));
    if (IsUnknown(taken[0])) return found;
    // What tilewise's own modules do not have is not there.
    return Value(found.set() && !(taken[0].as<Module>() != nullptr && IsUnknown(found)));
  } catch (const Raised& exception) {
    raised = exception.exception;
  }
  if (in.IsInstance(*raised, in.ExceptionType("AttributeError"))) return Value(false);
  throw Raised{*raised};
}

Value SetAttr(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (const std::string* name = TextOf(taken[1])) {
    in.Spend(2 * static_cast<int64_t>(name->size()));  // kept among all names
    in.SetAttribute(taken[0], in.Name(*name), taken[2]);
  }
  return None();
}

Value DelAttr(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (const std::string* name = TextOf(taken[1])) in.DeleteAttribute(taken[0], in.Name(*name));
  return None();
}

Value CallableOf(Interpreter& in, Arguments& arguments) {
  const Value& value = Taken(in, arguments)[0];
  if (IsUnknown(value)) return value;
  if (!value.is_object()) return Value(false);
  switch (value.object->kind) {
    case Kind::kFunction:
    case Kind::kMethod:
    case Kind::kBuiltin:
    case Kind::kClass:
      return Value(true);
    case Kind::kInstance:
      return Value(value.as<Instance>()->type->Find(in.Name("__call__")) != nullptr);
    default:
      return Value(false);
  }
}

Value Abs(Interpreter& in, Arguments& arguments) {
  const Value& value = Taken(in, arguments)[0];
  if (IsUnknown(value)) return value;
  if (const Instance* instance = value.as<Instance>()) {
    if (const Value* method = instance->type->Find(in.Name("__abs__"))) {
      return in.Call(*method, {value});
    }
  }
  if (const auto integer = AsInt(value)) {
    return *integer < 0 ? in.Unary(Operator::kNegate, Value(*integer)) : Value(*integer);
  }
  if (const auto number = AsNumber(value)) return Value(std::abs(*number));
  in.Raise("TypeError", "bad operand type for abs()");
}

Value Round(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const Value& value = taken[0];
  if (IsUnknown(value)) return value;
  if (const Instance* instance = value.as<Instance>()) {
    if (const Value* method = instance->type->Find(in.Name("__round__"))) {
      return in.Call(*method, arguments.positional);
    }
  }
  const std::optional<int64_t> digits = AsInt(taken.Or(1, "ndigits", None()));
  if (value.tag == Value::Tag::kInt && digits.value_or(0) >= 0) return value;
  const std::optional<double> number = AsNumber(value);
  if (!number.has_value()) in.Raise("TypeError", "found no number, expected one for round()");
  if (!digits.has_value()) {
    if (std::isnan(*number)) in.Raise("ValueError", "cannot convert float NaN to integer");
    const double rounded = std::nearbyint(*number);
    if (std::abs(rounded) > 9e18) return Value(rounded);
    return Value(static_cast<int64_t>(rounded));
  }
  // Goes through text, which rounds the number that is meant.
  if (*digits >= 0 && *digits < 18) {
    const double rounded = std::strtod(fmt::format("{:.{}f}", *number, *digits).c_str(), nullptr);
    return value.tag == Value::Tag::kInt ? Value(static_cast<int64_t>(rounded)) : Value(rounded);
  }
  const double unit = std::pow(10.0, static_cast<double>(-*digits));
  if (std::isinf(unit)) return value.tag == Value::Tag::kInt ? Value(int64_t{0}) : Value(0.0);
  if (unit == 0) return value;
  const double rounded = std::nearbyint(*number / unit) * unit;
  const bool whole = value.tag == Value::Tag::kInt && std::abs(rounded) < 9e18;
  return whole ? Value(static_cast<int64_t>(rounded)) : Value(rounded);
}

Value Pow(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const Value result = in.Binary(Operator::kPower, taken[0], taken[1]);
  return taken.size() > 2 ? in.Binary(Operator::kModulo, result, taken[2]) : result;
}
Value DivMod(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  return in.Tuple({in.Binary(Operator::kFloorDivide, taken[0], taken[1]),
                   in.Binary(Operator::kModulo, taken[0], taken[1])});
}

Value ReprCall(Interpreter& in, Arguments& arguments) {
  const Value& value = Taken(in, arguments)[0];
  return IsUnknown(value) ? value : in.Text(in.Represent(value));
}
Value AsciiCall(Interpreter& in, Arguments& arguments) {
  const Value& value = Taken(in, arguments)[0];
  return IsUnknown(value) ? value : in.Text(AsciiText(in.Represent(value)));
}
Value FormatCall(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const Value specifier = taken.Or(1, "", in.Text(""));
  return TextOf(specifier) == nullptr ? specifier : in.Format(taken[0], *TextOf(specifier));
}
Value Id(Interpreter& in, Arguments& arguments) {
  const Value& value = Taken(in, arguments)[0];
  if (value.is_object()) return Value(reinterpret_cast<int64_t>(value.object));
  return Value(static_cast<int64_t>(PlainHash(value).value_or(0) >> 1));
}
Value HashCall(Interpreter& in, Arguments& arguments) {
  return Value(static_cast<int64_t>(in.Hash(Taken(in, arguments)[0]) & 0x7fffffffffffffff));
}

Value Chr(Interpreter& in, Arguments& arguments) {
  const std::optional<int64_t> code = AsInt(Taken(in, arguments)[0]);
  if (!code.has_value()) return in.MakeUnknown("a character");
  if (*code < 0 || *code > 0x10FFFF) {
    in.Raise("ValueError", "chr() arg not in range(0x110000)");
  }
  return in.Text(*FormatInt(*code, "c"));
}
Value Ord(Interpreter& in, Arguments& arguments) {
  const std::string* text = TextOf(Taken(in, arguments)[0]);
  if (const Bytes* bytes = Taken(in, arguments)[0].as<Bytes>()) text = &bytes->text;
  if (text == nullptr || text->empty()) return in.MakeUnknown("a character");
  return Value(CodePoint(*text));
}

Value Globals(Interpreter& in, Arguments&) { return in.NamesOf(in.frame().module); }
Value Locals(Interpreter& in, Arguments& arguments) {
  const Environment* names = in.frame().names;
  if (names == nullptr) return Globals(in, arguments);
  return in.NamesIn(names);
}
Value Vars(Interpreter& in, Arguments& arguments) {
  if (arguments.positional.empty()) return Locals(in, arguments);
  return in.Attribute(arguments.positional[0], in.Name("__dict__"));
}
Value Dir(Interpreter& in, Arguments& arguments) {
  std::vector<Value> names;
  const Taken taken(in, arguments);
  if (taken.size() == 0) return in.List({});
  if (Module* module = taken[0].as<Module>()) {
    in.DefineAll(*module);
    for (const auto& item : module->names.items()) names.push_back(in.Text(*item.first));
  }
  const Class* type = taken[0].as<Class>();
  if (const Instance* instance = taken[0].as<Instance>()) {
    for (const auto& item : instance->attributes.items()) names.push_back(in.Text(*item.first));
    type = instance->type;
  }
  if (type != nullptr) {
    for (const Class* each : type->order) {
      for (const auto& item : each->members.items()) names.push_back(in.Text(*item.first));
    }
  }
  return in.List(std::move(names));
}

Value Nothing(Interpreter&, Arguments&) { return None(); }
Value Exit(Interpreter& in, Arguments& arguments) {
  const Value made = in.Call(in.ExceptionType("SystemExit"), arguments.positional);
  in.MarkRaise();
  throw Raised{made};
}
Value NotRun(Interpreter& in, Arguments&) {
  return in.MakeUnknown("what only a run of the program gives");
}
// Text that is run in the module of the caller: what it says of the locals of
// a function is not known.
Value Exec(Interpreter& in, Arguments& arguments) {
  const std::string* text = TextOf(Taken(in, arguments)[0]);
  Frame& frame = in.frame();
  if (text == nullptr || frame.function != nullptr || frame.module == nullptr) {
    in.Note("RD002", in.UserLocation(), "text that is run as code is not followed");
    return in.MakeUnknown("the result of text that is run as code");
  }
  in.RunText(*frame.module, *text);
  return None();
}
// Notebooks that were converted to scripts call their magics through the shell.
Value Shell(Interpreter& in, Arguments&) {
  const Value module = in.Import("IPython");
  if (IsUnknown(module)) return module;
  return in.Call(in.Attribute(module, in.Name("get_ipython")), {});
}
Value EvalCall(Interpreter& in, Arguments& arguments) {
  const std::string* text = TextOf(Taken(in, arguments)[0]);
  if (text == nullptr || in.frame().module == nullptr) {
    return in.MakeUnknown("the value of a text that is not known");
  }
  if (in.frame().function == nullptr) return in.EvalText(*in.frame().module, *text);
  try {
    const Interpreter::Expecting expecting(in);
    return in.EvalText(*in.frame().module, *text);
  } catch (const Raised&) {
    return in.MakeUnknown("the value of a text that names locals of a function");
  }
}
Value Open(Interpreter& in, Arguments& arguments) {
  const Value io = in.Import("io");
  return IsUnknown(io) ? io : in.Call(in.Attribute(io, in.Name("open")), arguments);
}
Value ImportCall(Interpreter& in, Arguments& arguments) {
  const std::string* name = TextOf(Taken(in, arguments)[0]);
  return name == nullptr ? in.MakeUnknown("a module") : in.Import(*name);
}

}  // namespace
}  // namespace builtins_functions

void DefineBuiltins(Interpreter& in) {
  using namespace builtins_functions;  // NOLINT: this file's
  Module& m = *in.builtins();
  const std::pair<const char*, NativeFunction> kFunctions[] = {
      {"print", Print},
      {"len", Len},
      {"isinstance", IsInstanceCall},
      {"issubclass", IsSubclass},
      {"getattr", GetAttr},
      {"hasattr", HasAttr},
      {"setattr", SetAttr},
      {"delattr", DelAttr},
      {"callable", CallableOf},
      {"abs", Abs},
      {"round", Round},
      {"pow", Pow},
      {"divmod", DivMod},
      {"repr", ReprCall},
      {"ascii", AsciiCall},
      {"format", FormatCall},
      {"id", Id},
      {"hash", HashCall},
      {"chr", Chr},
      {"ord", Ord},
      {"globals", Globals},
      {"locals", Locals},
      {"vars", Vars},
      {"dir", Dir},
      {"open", Open},
      {"input", NotRun},
      {"exec", Exec},
      {"eval", EvalCall},
      {"compile", NotRun},
      {"__import__", ImportCall},
      {"breakpoint", Nothing},
      {"exit", Exit},
      {"quit", Exit},
      {"display", Nothing},
      {"get_ipython", Shell},
      {"raw_input", NotRun},  // of Python 2
      {"unichr", Chr},
  };
  for (const auto& [name, function] : kFunctions) in.Define(m, name, function);
  DefineIteration(in);
  m.names.Set(in.Name("NotImplemented"), NotImplemented());
  m.names.Set(in.Name("Ellipsis"), EllipsisValue());
  m.names.Set(in.Name("__debug__"), Value(true));
  const std::pair<const char*, Class*> kOfPython2[] = {{"xrange", in.types.range},
                                                       {"unicode", in.types.text},
                                                       {"basestring", in.types.text},
                                                       {"long", in.types.integer}};
  for (const auto& [name, type] : kOfPython2) m.names.Set(in.Name(name), type);
}

}  // namespace tilewise::py
