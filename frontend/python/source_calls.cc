// Collecting calls: one walk for names, one for calls.

#include "frontend/python/source_calls.h"

#include <algorithm>

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
};

void Walk(Node node, const FunctionSet& dataset_functions,
          const Aliases& aliases, Place place, std::vector<SourceCall>& calls) {
  const bool function = node.is("function_definition");
  if (function) place.function = std::string(node.field("name").text());
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
