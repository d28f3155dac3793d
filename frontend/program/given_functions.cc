// Looks at calls and bodies as they are written.

#include "frontend/program/given_functions.h"

#include <algorithm>
#include <string_view>

#include "frontend/program/function_tables.h"
#include "frontend/program/held_functions.h"
#include "workload/blocks.h"

namespace tilewise::program {
namespace {

using py::NodeKind;

constexpr int64_t kMostNodes = 5'000;  // of a body; what is in longer ones is not known

// Calls `visit` for a node and all below it, until it returns false.
template <typename Visit>
bool VisitAll(const py::Node* node, int64_t& left, const Visit& visit) {
  if (node == nullptr) return true;
  if (--left < 0 || !visit(*node)) return false;
  for (const py::Node* part : {node->a, node->b, node->c, node->d}) {
    if (!VisitAll(part, left, visit)) return false;
  }
  return std::ranges::all_of(node->list,
                             [&](const py::Node* part) { return VisitAll(part, left, visit); });
}

bool SpeaksOf(const py::Node* node, py::Symbol name) {
  int64_t left = kMostNodes;
  return !VisitAll(node, left, [&](const py::Node& part) {
    return part.kind != NodeKind::kName || part.name != name;
  });
}

bool IsPartial(const py::Node* node) {
  return node->kind == NodeKind::kCall && tilewise::LastName(Written(node->a)) == "partial";
}

bool IsFunctionValue(const py::Value* value) {
  if (value == nullptr) return false;
  if (value->as<py::Function>() != nullptr || value->as<py::Method>() != nullptr) return true;
  const py::Instance* instance = value->as<py::Instance>();
  return instance != nullptr &&
         (Inner(*value) != nullptr || instance->type->Find(py::SymbolOf("__call__")) != nullptr);
}

// Whether an argument is a function, as far as the code shows.
bool IsGivenFunction(const py::Node* node, const GivenFunction& by) {
  if (node->kind == NodeKind::kLambda || IsPartial(node)) return true;
  if (node->kind != NodeKind::kName && node->kind != NodeKind::kAttribute) return false;
  if (node->kind == NodeKind::kName) {
    if (by.given != nullptr && by.given->contains(node->name)) return true;
    if (IsParameter(*by.around, node->name)) return false;
    if (Defines(*by.around, node->name)) return true;
    const py::Node* bound = BoundOnce(*by.around, node->name);
    if (bound != nullptr) return bound->kind == NodeKind::kLambda || IsPartial(bound);
  }
  return IsFunctionValue(ValueAt(node, *by.around, by.self));
}

// Calls that name, print or seed by a number.
bool OnlyNames(const py::Node* callee) {
  const std::string written = Written(callee);
  return IsOneOfWords(tilewise::LastName(written), "format|print|name_scope|fold_in|str|range");
}

}  // namespace

std::shared_ptr<const GivenFunctions> FunctionsGivenBy(const py::Node& call,
                                                       const py::Function& function, bool is_method,
                                                       const GivenFunction& by) {
  auto found = std::make_shared<GivenFunctions>();
  const std::vector<py::Node*>& parameters = function.node->list;
  const size_t first = is_method ? 1 : 0;
  for (size_t k = 0; k < call.list.size(); ++k) {
    const py::Node* argument = call.list[k];
    const bool keyword = argument->kind == NodeKind::kKeyword;
    const py::Node* value = keyword ? argument->a : argument;
    if (!IsGivenFunction(value, by)) continue;
    for (size_t i = first; i < parameters.size(); ++i) {
      if (keyword ? argument->name != parameters[i]->name : k + first != i) continue;
      GivenFunction given = by;
      given.written = value;
      found->emplace(parameters[i]->name, std::move(given));
    }
  }
  return found;
}

bool Defines(const py::Function& function, py::Symbol name) {
  bool found = false;
  int64_t left = kMostNodes;
  VisitAll(function.node->a, left, [&](const py::Node& node) {
    found = node.kind == NodeKind::kFunction && node.name == name;
    return !found;
  });
  return found;
}

const py::Node* BoundOnce(const py::Function& function, py::Symbol name) {
  const py::Node* found = nullptr;
  int64_t left = kMostNodes;
  const bool once = VisitAll(function.node->a, left, [&](const py::Node& node) {
    if (node.kind != NodeKind::kAssign) return true;
    for (const py::Node* target : node.list) {
      if (target->kind != NodeKind::kName || target->name != name) continue;
      if (found != nullptr) return false;
      found = node.a;
    }
    return true;
  });
  return once ? found : nullptr;
}

bool RepeatsItsWork(const py::Node* variable, const py::Node* body) {
  if (variable == nullptr || variable->kind != NodeKind::kName) return false;
  int64_t left = kMostNodes;
  return VisitAll(body, left, [&](const py::Node& node) {
    if (node.kind == NodeKind::kSubscript) return !SpeaksOf(node.b, variable->name);
    if (node.kind != NodeKind::kCall || OnlyNames(node.a)) return true;
    return std::ranges::none_of(node.list, [&](const py::Node* argument) {
      const py::Node* value = argument->kind == NodeKind::kKeyword ? argument->a : argument;
      return value->kind == NodeKind::kName && value->name == variable->name;
    });
  });
}

}  // namespace tilewise::program
