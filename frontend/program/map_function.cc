// What is given to a map, or makes the items of a loader, as a function. Names of the program's
// functions are followed by their values, those of libraries by the imports of their file.

#include "frontend/program/map_function.h"

#include "frontend/program/held_functions.h"
#include "frontend/program/import_names.h"
#include "frontend/program/map_function_reader.h"
#include "workload/blocks.h"

namespace tilewise::program {
namespace {

using py::NodeKind;
using python::CanonicalName;

std::string_view LastPart(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

}  // namespace

MapFunction MapFunctions::Read(const py::Value& value, python::Node written,
                               const std::string& file) {
  MapFunction result;
  Reader reader(*this, result);
  if (const py::Sequence* stated = value.as<py::Sequence>()) {
    reader.CountStated(*stated);
    return result;
  }
  const std::string name = written ? python::DottedName(written, texts_.AliasesOf(file)) : "";
  const py::Value* made = &value;
  while (made->as<py::Instance>() != nullptr && !IsLayer(*made->as<py::Instance>()) &&
         Inner(*made) != nullptr) {
    reader.Take(*made->as<py::Instance>());
    made = Inner(*made);
  }
  const py::Value* const called = made;
  if (const py::Method* method = made->as<py::Method>()) made = &method->function;
  const py::Function* function = made->as<py::Function>();
  if (function != nullptr && !IsOwn(function->module)) {
    result.name = function->node->kind == NodeKind::kLambda ? "" : *function->name;
    result.resolved = true;
    reader.ReadValue(*called, result.name, 0);
    return result;
  }
  if (const py::Instance* instance = made->as<py::Instance>()) {
    const py::Value* call = instance->type->Find(py::SymbolOf("__call__"));
    if (!IsLayer(*instance) && (IsOwn(instance->type->module) || call == nullptr)) return result;
    result.resolved = true;
    if (IsLayer(*instance)) {
      reader.ReadValue(*made, name, 0);
    } else {
      result.name = *instance->type->name;
      reader.ReadValue(*call, result.name, 0);
    }
    return result;
  }
  const bool library =
      function != nullptr || made->as<py::Class>() != nullptr || made->as<py::Builtin>() != nullptr;
  if (!library) return result;
  if (Inner(*made) != nullptr && Inner(*made)->as<py::Function>() != nullptr &&
      !IsOwn(Inner(*made)->as<py::Function>()->module)) {
    return Read(*Inner(*made), written, file);
  }
  // A library's function, by the name that the call has for it.
  result.name = std::string(LastPart(name));
  result.resolved = Contains(name, ".");
  if (result.resolved) reader.Count(CanonicalName(name));
  return result;
}

MapFunction MapFunctions::ReadItems(const py::Value& data, const py::Sequence* steps) {
  MapFunction result;
  const py::Instance* instance = data.as<py::Instance>();
  if (instance == nullptr) return result;
  result.name = *instance->type->name;
  result.resolved = true;
  Reader reader(*this, result);
  reader.ReadItem(data, 0);
  if (steps == nullptr) return result;
  for (const py::Value& step : steps->items) reader.ReadStep(step, 0);
  return result;
}

}  // namespace tilewise::program
