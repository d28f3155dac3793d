// Collecting calls: one walk for names, one for calls.

#include "frontend/python/source_calls.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "frontend/python/import_names.h"

namespace tilewise::python {
namespace {

using Aliases = std::map<std::string, std::string>;

// The dotted name of a chain of attributes on a name, else "".
std::string Dotted(Node node, const Aliases& aliases) {
  std::string rest;
  while (node.is("attribute")) {
    rest = "." + std::string(node.field("attribute").text()) + rest;
    node = node.field("object");
  }
  if (!node.is("identifier")) return rest;
  const auto alias = aliases.find(std::string(node.text()));
  return CanonicalName(
      (alias == aliases.end() ? std::string(node.text()) : alias->second) +
      rest);
}

void AddImport(Node node, Aliases& aliases) {
  const Node module = node.field("module_name");
  for (const Node& child : node.children()) {
    if (child == module) continue;
    const bool aliased = child.is("aliased_import");
    if (!aliased && !child.is("dotted_name")) continue;
    const std::string name((aliased ? child.field("name") : child).text());
    const std::string bound(
        aliased ? child.field("alias").text()
                : std::string_view(name).substr(0, name.find('.')));
    const std::string full = module ? fmt::format("{}.{}", module.text(), name)
                                    : (aliased ? name : bound);
    aliases[bound] = CanonicalName(full);
  }
}

void FindAliases(Node node, Aliases& aliases) {
  if (node.is("import_statement") || node.is("import_from_statement")) {
    AddImport(node, aliases);
    return;
  }
  if (node.is("assignment") && node.field("left").is("identifier") &&
      node.field("right").is("attribute")) {
    Node root = node.field("right");
    while (root.is("attribute")) root = root.field("object");
    if (root.is("identifier") && aliases.contains(std::string(root.text()))) {
      const std::string full = Dotted(node.field("right"), aliases);
      aliases[std::string(node.field("left").text())] = full;
    }
  }
  for (const Node& child : node.children()) FindAliases(child, aliases);
}

struct Place {
  std::string function;
  bool in_dataset_function = false;
  std::string class_name;
  std::string_view parameter;  // the first one after self
};

// The name a parameter binds: of `x`, `x: T`, `x=1`; else "".
std::string_view ParameterName(Node parameter) {
  if (parameter.is("identifier")) return parameter.text();
  if (parameter.is("typed_parameter")) {
    const std::vector<Node> parts = parameter.children();
    return parts.empty() ? "" : ParameterName(parts[0]);
  }
  const Node name = parameter.field("name");
  return name.is("identifier") ? name.text() : "";
}

std::string_view FirstParameter(Node function, bool method) {
  const std::vector<Node> parameters = function.field("parameters").children();
  const size_t first =
      method && !parameters.empty() && parameters[0].text() == "self" ? 1 : 0;
  return first < parameters.size() ? ParameterName(parameters[first]) : "";
}

void AddInteger(Node node, std::vector<int64_t>& integers) {
  const std::string_view text = node.text();
  int64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) {
    integers.push_back(value);
  }
}

std::vector<int64_t> Integers(Node node) {
  std::vector<int64_t> integers;
  if (!node.is("list") && !node.is("tuple")) {
    if (node.is("integer")) AddInteger(node, integers);
    return integers;
  }
  const std::vector<Node> items = node.children();
  for (const Node& item : items) {
    if (item.is("integer")) AddInteger(item, integers);
  }
  if (integers.size() != items.size()) integers.clear();
  return integers;
}

// `x`, `x.shape` or `shape(x)`.
bool IsOf(Node node, std::string_view parameter) {
  if (parameter.empty()) return false;
  if (node.is("identifier")) return node.text() == parameter;
  if (node.is("attribute")) {
    return node.field("attribute").text() == "shape" &&
           node.field("object").text() == parameter;
  }
  if (!node.is("call")) return false;
  const std::vector<Node> arguments = node.field("arguments").children();
  return node.field("function").text().ends_with("shape") &&
         arguments.size() == 1 && arguments[0].text() == parameter;
}

std::vector<SourceArgument> ArgumentsOf(Node list, std::string_view parameter) {
  std::vector<SourceArgument> arguments;
  for (const Node& child : list.children()) {
    const bool keyword = child.is("keyword_argument");
    const Node value = keyword ? child.field("value") : child;
    SourceArgument argument;
    if (keyword) argument.keyword = std::string(child.field("name").text());
    argument.integers = Integers(value);
    argument.of_parameter = IsOf(value, parameter);
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

void Walk(Node node, const FunctionSet& dataset_functions,
          const Aliases& aliases, Place place, std::vector<SourceCall>& calls) {
  const bool function = node.is("function_definition");
  if (node.is("class_definition")) {
    place = {"", place.in_dataset_function,
             std::string(node.field("name").text()), ""};
  }
  if (function) {
    const bool method = place.function.empty() && !place.class_name.empty();
    place.parameter = FirstParameter(node, method);
    place.function = std::string(node.field("name").text());
  }
  if (node.is("lambda")) place.parameter = "";
  if (function || node.is("lambda")) {
    place.in_dataset_function =
        place.in_dataset_function ||
        dataset_functions.contains({node.tree(), node.raw().id});
  }
  if (node.is("call")) {
    const Node callee = node.field("function");
    SourceCall call;
    call.name = Dotted(callee, aliases);
    call.location = callee.is("attribute")
                        ? callee.field("attribute").location()
                        : callee.location();
    call.function = place.function;
    call.in_dataset_function = place.in_dataset_function;
    call.class_name = place.class_name;
    call.arguments = ArgumentsOf(node.field("arguments"), place.parameter);
    if (!call.name.empty()) calls.push_back(std::move(call));
  }
  for (const Node& child : node.children()) {
    Walk(child, dataset_functions, aliases, place, calls);
  }
}

}  // namespace

void CollectCalls(const SyntaxTree& tree, const FunctionSet& dataset_functions,
                  Aliases& aliases, std::vector<SourceCall>& calls) {
  FindAliases(tree.root(), aliases);
  const auto first = static_cast<std::ptrdiff_t>(calls.size());
  Walk(tree.root(), dataset_functions, aliases, {}, calls);
  std::stable_sort(calls.begin() + first, calls.end(),
                   [](const SourceCall& a, const SourceCall& b) {
                     return a.location < b.location;
                   });
}

}  // namespace tilewise::python
