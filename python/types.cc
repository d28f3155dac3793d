// The types of the language, and classes of the program.

#include <algorithm>

#include <fmt/format.h>

#include "python/interpreter.h"

namespace tilewise::py {
namespace {

Value BoundMethod(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  return in.New<Method>(taken[0], taken[1]);
}
Value Refuse(Interpreter& in, Arguments&) { in.Raise("TypeError", "cannot make such an object"); }

// The merge of C3: base classes in the order in which methods are looked up.
bool MergeOrders(std::vector<std::vector<Class*>> orders, std::vector<Class*>& result) {
  for (;;) {
    std::erase_if(orders, [](const std::vector<Class*>& order) { return order.empty(); });
    if (orders.empty()) return true;
    Class* next = nullptr;
    for (const std::vector<Class*>& order : orders) {
      const bool behind = std::any_of(orders.begin(), orders.end(), [&](const auto& other) {
        return std::find(other.begin() + 1, other.end(), order[0]) != other.end();
      });
      if (!behind) {
        next = order[0];
        break;
      }
    }
    if (next == nullptr) return false;
    result.push_back(next);
    for (std::vector<Class*>& order : orders) {
      if (order[0] == next) order.erase(order.begin());
    }
  }
}

struct ExceptionRow {
  const char *name, *base;
};
constexpr ExceptionRow kExceptions[] = {
    {"BaseException", nullptr},
    {"Exception", "BaseException"},
    {"SystemExit", "BaseException"},
    {"KeyboardInterrupt", "BaseException"},
    {"GeneratorExit", "BaseException"},
    {"ArithmeticError", "Exception"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"OverflowError", "ArithmeticError"},
    {"FloatingPointError", "ArithmeticError"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"BufferError", "Exception"},
    {"EOFError", "Exception"},
    {"ImportError", "Exception"},
    {"ModuleNotFoundError", "ImportError"},
    {"LookupError", "Exception"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"MemoryError", "Exception"},
    {"NameError", "Exception"},
    {"UnboundLocalError", "NameError"},
    {"OSError", "Exception"},
    {"FileNotFoundError", "OSError"},
    {"FileExistsError", "OSError"},
    {"NotADirectoryError", "OSError"},
    {"IsADirectoryError", "OSError"},
    {"BlockingIOError", "OSError"},
    {"ChildProcessError", "OSError"},
    {"InterruptedError", "OSError"},
    {"ProcessLookupError", "OSError"},
    {"PermissionError", "OSError"},
    {"ConnectionError", "OSError"},
    {"BrokenPipeError", "ConnectionError"},
    {"ConnectionAbortedError", "ConnectionError"},
    {"ConnectionRefusedError", "ConnectionError"},
    {"ConnectionResetError", "ConnectionError"},
    {"TimeoutError", "OSError"},
    {"ReferenceError", "Exception"},
    {"RuntimeError", "Exception"},
    {"NotImplementedError", "RuntimeError"},
    {"RecursionError", "RuntimeError"},
    {"StopIteration", "Exception"},
    {"StopAsyncIteration", "Exception"},
    {"SyntaxError", "Exception"},
    {"SystemError", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"UnicodeError", "ValueError"},
    {"UnicodeDecodeError", "UnicodeError"},
    {"UnicodeEncodeError", "UnicodeError"},
    {"Warning", "Exception"},
    {"UserWarning", "Warning"},
    {"DeprecationWarning", "Warning"},
    {"PendingDeprecationWarning", "Warning"},
    {"FutureWarning", "Warning"},
    {"RuntimeWarning", "Warning"},
    {"SyntaxWarning", "Warning"},
    {"ImportWarning", "Warning"},
    {"ResourceWarning", "Warning"},
};

}  // namespace

void Interpreter::DefineTypes() {
  types.object = DefineType("object", nullptr, nullptr);
  Class* const object = types.object;
  const auto make = [&](std::string_view name) { return DefineType(name, object, Refuse); };
  types.type = make("type");
  types.none = make("NoneType");
  types.integer = make("int");
  types.boolean = DefineType("bool", types.integer, Refuse);
  types.real = make("float");
  types.complex = make("complex");
  types.text = make("str");
  types.bytes = make("bytes");
  types.list = make("list");
  types.tuple = make("tuple");
  types.dict = make("dict");
  types.set = make("set");
  types.frozen_set = make("frozenset");
  types.slice = make("slice");
  types.range = make("range");
  types.function = make("function");
  types.method = make("method");
  types.method->make = BoundMethod;
  types.builtin = make("builtin_function_or_method");
  types.module = make("module");
  types.property = make("property");
  types.static_method = make("staticmethod");
  types.class_method = make("classmethod");
  types.super = make("super");
  types.generator = make("generator");
  types.ellipsis = make("ellipsis");
  types.not_implemented = make("NotImplementedType");
  types.unknown = make("unknown");
  types.defaults = make("defaults");
}

void Interpreter::DefineExceptions() {
  for (const ExceptionRow& row : kExceptions) {
    Class* base = row.base == nullptr ? types.object : ExceptionType(row.base);
    Class* type = DefineType(row.name, base, nullptr);
    builtins_->names.Set(type->name, type);
  }
  builtins_->names.Set(Name("IOError"), ExceptionType("OSError"));
  builtins_->names.Set(Name("EnvironmentError"), ExceptionType("OSError"));
}

Class* Interpreter::MakeClass(Symbol name, const std::vector<Value>& bases, Namespace members,
                              const std::vector<std::pair<Symbol, Value>>& keywords, Module* module,
                              const Node* node) {
  Class* type = New<Class>(name);
  type->module = module;
  type->node = node;
  type->members = std::move(members);
  std::vector<std::vector<Class*>> orders;
  for (const Value& value : bases) {
    Class* base = value.as<Class>();
    if (base == nullptr) {
      // typing.Generic[T] and what is not known.
      type->open = type->open || IsUnknown(value);
      continue;
    }
    if (std::find(type->bases.begin(), type->bases.end(), base) != type->bases.end()) continue;
    // Each look-up goes through them.
    constexpr size_t kMaxOrder = 256;
    if (base->order.size() >= kMaxOrder) {
      Raise("RecursionError", fmt::format("class {} has too many base classes", *name));
    }
    type->bases.push_back(base);
    orders.push_back(base->order);
    Step(static_cast<int64_t>(base->order.size()));
    Spend(static_cast<int64_t>(base->order.size() * sizeof(Class*)));
    type->open = type->open || base->open;
    if (!type->metaclass.set()) type->metaclass = base->metaclass;
  }
  if (type->bases.empty()) {
    type->bases.push_back(types.object);
    orders.push_back(types.object->order);
  }
  // `class B(Generic[T], A[T])`: typing leaves Generic out where a later base has it.
  const auto is_form = [](const Class& base) {
    return base.module != nullptr && base.module->name == "typing" &&
           (*base.name == "Generic" || *base.name == "Protocol");
  };
  for (size_t i = 0; i + 1 < type->bases.size();) {
    const Class* base = type->bases[i];
    const bool later =
        std::any_of(type->bases.begin() + static_cast<std::ptrdiff_t>(i) + 1, type->bases.end(),
                    [&](const Class* other) { return other->Derives(base); });
    if (!later || !is_form(*base)) {
      ++i;
      continue;
    }
    type->bases.erase(type->bases.begin() + static_cast<std::ptrdiff_t>(i));
    orders.erase(orders.begin() + static_cast<std::ptrdiff_t>(i));
  }
  orders.push_back(type->bases);
  std::vector<Class*> order;
  if (!MergeOrders(std::move(orders), order)) {
    Raise("TypeError", fmt::format("class {} has base classes in no consistent order", *name));
  }
  // object comes last even where a type of the language stands in between.
  type->order = {type};
  type->order.insert(type->order.end(), order.begin(), order.end());
  for (const auto& [key, value] : keywords) {
    if (*key == "metaclass" && value.as<Class>() != nullptr) type->metaclass = value;
  }
  if (module != nullptr) {
    type->members.Set(Name("__module__"), Text(module->name));
    type->members.Set(Name("__qualname__"), Text(*name));
  }
  return type;
}

}  // namespace tilewise::py
