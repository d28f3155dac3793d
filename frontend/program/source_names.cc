// One walk over the imports; every later name goes through the table it fills.

#include "frontend/program/source_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/program/import_names.h"

namespace tilewise::python {
namespace {

void AddImport(Node node, Aliases& aliases, std::vector<SourceImport>& imports) {
  const Node module = node.field("module_name");
  for (const Node& child : node.children()) {
    if (child == module) continue;
    const bool aliased = child.is("aliased_import");
    if (!aliased && !child.is("dotted_name")) continue;
    const std::string name((aliased ? child.field("name") : child).text());
    const std::string bound(aliased ? child.field("alias").text()
                                    : std::string_view(name).substr(0, name.find('.')));
    const std::string whole = module ? fmt::format("{}.{}", module.text(), name) : name;
    imports.push_back({whole, child.location()});
    aliases[bound] = CanonicalName(module || aliased ? whole : bound);
  }
}

// Whether a node is a statement, or a part of one that holds others.
bool HoldsStatements(Node node) {
  const std::string_view type = node.type();
  return type.ends_with("_statement") || type.ends_with("_definition") ||
         type.ends_with("_clause") || type.ends_with("block") || type == "assignment" ||
         type == "ERROR";
}

void AddNames(Node node, size_t most, std::vector<std::string>& names) {
  if (names.size() >= most) return;
  if (node.is("identifier")) {
    const std::string_view text = node.text();
    if (std::ranges::find(names, text) == names.end()) {
      names.emplace_back(text);
    }
    return;
  }
  if (node.is("attribute")) return AddNames(node.field("object"), most, names);
  if (node.is("keyword_argument")) {
    return AddNames(node.field("value"), most, names);
  }
  for (const Node& child : node.children()) AddNames(child, most, names);
}

}  // namespace

void FindAliases(Node node, Aliases& aliases, std::vector<SourceImport>& imports) {
  if (node.is("import_statement") || node.is("import_from_statement")) {
    return AddImport(node, aliases, imports);
  }
  if (node.is("assignment") && node.field("left").is("identifier") &&
      node.field("right").is("attribute")) {
    Node root = node.field("right");
    while (root.is("attribute")) root = root.field("object");
    if (root.is("identifier") && aliases.contains(root.text())) {
      std::string full = DottedName(node.field("right"), aliases);
      aliases[std::string(node.field("left").text())] = std::move(full);
    }
  }
  for (const Node& child : node.children()) {
    if (HoldsStatements(child)) FindAliases(child, aliases, imports);
  }
}

std::string DottedName(Node node, const Aliases& aliases) {
  std::string rest;
  while (node.is("attribute")) {
    rest = "." + std::string(node.field("attribute").text()) + rest;
    node = node.field("object");
  }
  if (!node.is("identifier")) return rest;
  const auto alias = aliases.find(node.text());
  return CanonicalName((alias == aliases.end() ? std::string(node.text()) : alias->second) + rest);
}

std::vector<std::string> NamesIn(Node node, size_t most) {
  std::vector<std::string> names;
  if (node) AddNames(node, most, names);
  return names;
}

std::string ShortText(Node node) {
  constexpr size_t kLongest = 200;
  return std::string(node.text().substr(0, kLongest));
}

}  // namespace tilewise::python
