// Patterns of the match statement.

#include <array>
#include <cstdlib>
#include <functional>

#include <fmt/format.h>

#include "python/builder.h"
#include "python/text.h"

namespace tilewise::py {

using Tree = python::Node;

Node* Builder::Match(Tree tree) {
  Node* node = With(NodeKind::kMatch, tree, Expression(tree.field("subject")));
  const Tree body = tree.field("body");
  for (const Tree& clause : body.children()) {
    if (!clause.is("case_clause")) continue;
    Node* made = Make(NodeKind::kCase, clause);
    std::vector<Node*> patterns;
    for (const Tree& child : clause.children()) {
      if (child.is("case_pattern")) patterns.push_back(Pattern(child));
    }
    if (patterns.size() == 1) {
      made->a = patterns[0];
    } else {
      made->a = Make(NodeKind::kListPattern, clause);
      made->a->list = patterns;
    }
    if (const Tree guard = clause.field("guard")) made->b = First(guard);
    made->c = Block(clause.field("consequence"));
    node->list.push_back(made);
  }
  return node;
}

Node* Builder::ClassPattern(Tree tree) {
  Node* node = Make(NodeKind::kClassPattern, tree);
  for (const Tree& child : tree.children()) {
    if (child.is("dotted_name")) {
      node->a = Expression(child);
      continue;
    }
    const std::vector<Tree> inner = child.children();
    if (inner.size() == 1 && inner[0].is("keyword_pattern")) {
      const std::vector<Tree> parts = inner[0].children();
      Node* keyword = Make(NodeKind::kKeyword, inner[0]);
      keyword->name = Name(parts[0]);
      keyword->a = Pattern(parts[1]);
      node->list.push_back(keyword);
    } else {
      node->list.push_back(Pattern(child));
    }
  }
  return node;
}

Node* Builder::DictPattern(Tree tree) {
  Node* node = Make(NodeKind::kDictPattern, tree);
  Node* key = nullptr;
  for (const Tree& child : tree.children()) {
    const std::vector<Tree> inside = child.children();
    const bool splat =
        child.is("splat_pattern") || (inside.size() == 1 && inside[0].is("splat_pattern"));
    if (splat) {
      const Tree star = child.is("splat_pattern") ? child : inside[0];
      if (!star.children().empty()) node->name = Name(star.children()[0]);
      continue;
    }
    if (key == nullptr) {
      key = Expression(child.is("case_pattern") ? child.children().front() : child);
    } else {
      node->list.push_back(With(NodeKind::kPair, child, key, Pattern(child)));
      key = nullptr;
    }
  }
  return node;
}

Node* Builder::Pattern(Tree tree) {
  const std::vector<Tree> parts = tree.children();
  if (tree.is("case_pattern")) {
    if (parts.empty()) {
      if (tree.text() == "_") return Make(NodeKind::kAnyPattern, tree);
      return With(NodeKind::kValuePattern, tree, Number(tree));
    }
    if (tree.text().starts_with('-')) return With(NodeKind::kValuePattern, tree, Number(tree));
    return Pattern(parts[0]);
  }
  if (tree.is("dotted_name") && parts.size() == 1) {
    if (tree.text() == "_") return Make(NodeKind::kAnyPattern, tree);
    Node* node = Make(NodeKind::kCapture, tree);
    node->name = Name(tree);
    return node;
  }
  if (tree.is("as_pattern") && parts.size() == 2) {
    Node* node = With(NodeKind::kAsPattern, tree, Pattern(parts[0]));
    node->name = Name(parts[1]);
    return node;
  }
  if (tree.is("union_pattern") || tree.is("list_pattern") || tree.is("tuple_pattern")) {
    Node* node =
        Make(tree.is("union_pattern") ? NodeKind::kOrPattern : NodeKind::kListPattern, tree);
    for (const Tree& part : parts) node->list.push_back(Pattern(part));
    if (tree.is("tuple_pattern") && parts.size() == 1 && tree.text().find(',') == std::string::npos)
      return node->list[0];
    return node;
  }
  if (tree.is("splat_pattern")) {
    Node* node = Make(NodeKind::kStarPattern, tree);
    if (!parts.empty() && parts[0].text() != "_") node->name = Name(parts[0]);
    return node;
  }
  if (tree.is("class_pattern")) return ClassPattern(tree);
  if (tree.is("dict_pattern")) return DictPattern(tree);
  return With(NodeKind::kValuePattern, tree, Expression(tree));
}

}  // namespace tilewise::py
