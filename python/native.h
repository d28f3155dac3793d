// What native methods of the language's types share.

#pragma once

#include "python/interpreter.h"

namespace tilewise::py {

struct MethodRow {
  const char* name;
  NativeFunction function;
};

template <size_t kRows>
void DefineMethods(Interpreter& in, Class& type, const MethodRow (&rows)[kRows]) {
  for (const MethodRow& row : rows) in.DefineMethod(type, row.name, row.function);
}

// The object of a method, also where it is the part of an instance that is one.
template <typename T>
T* SelfAs(Arguments& arguments) {
  if (arguments.positional.empty()) return nullptr;
  const Value& self = arguments.positional[0];
  if (T* held = self.as<T>()) return held;
  const Instance* instance = self.as<Instance>();
  return instance == nullptr || !instance->base.set() ? nullptr : instance->base.as<T>();
}

// str.format and the % of texts.
Value FormatMethod(Interpreter& in, Arguments& arguments);
Value Percent(Interpreter& in, Arguments& arguments);

// A type with its maker, under its name among the builtins.
inline void Publish(Interpreter& in, Class* type, NativeFunction make) {
  type->make = make;
  in.builtins()->names.Set(type->name, type);
}

}  // namespace tilewise::py
