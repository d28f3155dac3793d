// Attributes of the own modules' classes, by the names that the libraries give them.

#include "frontend/program/held_data.h"

#include <algorithm>

#include "frontend/program/held_functions.h"

namespace tilewise::program {
namespace {

const py::Value* HeldAs(const py::Instance& instance, const char* name) {
  const py::Value* value = instance.attributes.Find(py::SymbolOf(name));
  return value == nullptr || value->none() ? nullptr : value;
}

bool IsProgramFunction(const py::Value* value) {
  const py::Function* function = value == nullptr ? nullptr : value->as<py::Function>();
  return function != nullptr && !IsOwn(function->module);
}

}  // namespace

const py::Value* DataUnder(const py::Instance& data) {
  for (const char* name : {"dataset", "datasets", "_source"}) {
    const py::Value* held = HeldAs(data, name);
    if (held == nullptr) continue;
    const py::Sequence* several = held->as<py::Sequence>();
    if (several == nullptr) return held;
    // Those that are joined are taken to cost what the first does.
    if (!several->items.empty()) return &several->items.front();
  }
  return nullptr;
}

std::vector<py::Value> StepsOf(const py::Instance& data) {
  std::vector<py::Value> steps;
  for (const char* name : {"transform", "transforms", "_format"}) {
    const py::Value* held = HeldAs(data, name);
    if (held != nullptr && held->is_object() && py::TextOf(*held) == nullptr) {
      steps.push_back(*held);
    }
  }
  return steps;
}

std::vector<py::Value> PartsOf(const py::Instance& transform) {
  const py::Value* held = HeldAs(transform, "transforms");
  const py::Sequence* parts = held == nullptr ? nullptr : held->as<py::Sequence>();
  if (parts != nullptr) return parts->items;
  std::vector<py::Value> modules;  // of torch.nn.Sequential
  held = HeldAs(transform, "_modules");
  const py::Dict* names = held == nullptr ? nullptr : held->as<py::Dict>();
  if (names == nullptr) return modules;
  for (const py::Dict::Entry& entry : names->entries) {
    if (entry.live) modules.push_back(entry.value);
  }
  return modules;
}

bool RunsOnePart(const py::Instance& transform) {
  return std::ranges::any_of(transform.type->order, [](const py::Class* type) {
    return *type->name == "OneOf" || *type->name == "RandomChoice";
  });
}

const py::Value* ItemFunctionOf(const py::Instance& step) {
  for (const char* name :
       {"map", "random_map", "np_random_map", "map_with_index", "flat_map", "filter", "__call__"}) {
    const py::Value* method = step.type->Find(py::SymbolOf(name));
    if (IsProgramFunction(method)) return method;
    const py::Value* held = HeldAs(step, name);
    if (IsProgramFunction(held)) return held;
  }
  return nullptr;
}

std::vector<std::string> StatedCalls(const py::Value& value) {
  const py::Value* stated = nullptr;
  const py::Symbol name = py::SymbolOf("_item_calls");
  if (const py::Instance* instance = value.as<py::Instance>()) stated = instance->type->Find(name);
  if (const py::Class* type = value.as<py::Class>()) stated = type->Find(name);
  if (const py::Function* function = value.as<py::Function>()) {
    stated = function->attributes.Find(name);
  }
  const py::Sequence* items = stated == nullptr ? nullptr : stated->as<py::Sequence>();
  std::vector<std::string> calls;
  if (items == nullptr) return calls;
  for (const py::Value& item : items->items) {
    if (const std::string* text = py::TextOf(item)) calls.push_back(*text);
  }
  return calls;
}

std::string LibraryClassName(const py::Class& type) {
  // Classes that one function makes for several names have these in an attribute.
  const py::Value* stated = type.members.Find(py::SymbolOf("__name__"));
  const std::string* text = stated == nullptr ? nullptr : py::TextOf(*stated);
  const std::string& name = text == nullptr ? *type.name : *text;
  for (const py::Class* of : type.order) {
    if (of->module != nullptr) return of->module->name + "." + name;
  }
  return name;
}

}  // namespace tilewise::program
