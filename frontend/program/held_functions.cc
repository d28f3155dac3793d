// Wrappers keep their function under one of few names.

#include "frontend/program/held_functions.h"

#include <algorithm>

namespace tilewise::program {

using py::NodeKind;

std::string Written(const py::Node* node) {
  std::string rest;
  while (node->kind == NodeKind::kAttribute) {
    rest = "." + *node->name + rest;
    node = node->a;
  }
  return node->kind == NodeKind::kName ? *node->name + rest : rest;
}

const py::Value* Inner(const py::Value& value) {
  if (const py::Function* function = value.as<py::Function>()) {
    return function->attributes.Find(py::SymbolOf("__wrapped__"));
  }
  const py::Instance* instance = value.as<py::Instance>();
  if (instance == nullptr) return nullptr;
  for (const char* name : {"func", "__wrapped__", "python_function", "lambd"}) {
    const py::Value* held = instance->attributes.Find(py::SymbolOf(name));
    if (held != nullptr) return held;
  }
  return nullptr;
}

bool IsOwn(const py::Module* module) {
  return module == nullptr || module->origin == py::Module::Origin::kOwn ||
         module->origin == py::Module::Origin::kMissing;
}

bool IsLayer(const py::Instance& instance) {
  return std::any_of(instance.type->order.begin(), instance.type->order.end(),
                     [](const py::Class* type) { return *type->name == "Layer"; });
}

bool IsParameter(const py::Function& function, py::Symbol name) {
  return std::ranges::any_of(function.node->list,
                             [name](const py::Node* node) { return node->name == name; });
}

}  // namespace tilewise::program
