// Expressions.

#include <array>
#include <cstdlib>
#include <functional>

#include <fmt/format.h>

#include "python/builder.h"
#include "python/text.h"

namespace tilewise::py {

using Tree = python::Node;

Node* Builder::Literal(Tree tree, std::string_view type) {
  if (type == "integer" || type == "float") return Number(tree);
  if (type == "string") return String(tree);
  if (type == "concatenated_string") return Concatenated(tree);
  if (type == "true") return Constant(Value(true), tree);
  if (type == "false") return Constant(Value(false), tree);
  if (type == "none") return Constant(None(), tree);
  if (type == "ellipsis") return Constant(EllipsisValue(), tree);
  return nullptr;
}

Node* Builder::Operation(Tree tree, std::string_view type) {
  if (type == "binary_operator") {
    Node* node = With(NodeKind::kBinary, tree, Expression(tree.field("left")),
                      Expression(tree.field("right")));
    node->op = OperatorOf(tree.field("operator").text());
    return StarOutside(node);
  }
  if (type == "unary_operator") {
    Node* node = With(NodeKind::kUnary, tree, Expression(tree.field("argument")));
    const std::string_view op = tree.field("operator").text();
    node->op = op == "-" ? Operator::kNegate : op == "+" ? Operator::kPlus : Operator::kInvert;
    return node;
  }
  if (type == "not_operator") return With(NodeKind::kNot, tree, Expression(tree.field("argument")));
  if (type == "boolean_operator") {
    const bool both = tree.field("operator").text() == "and";
    return With(both ? NodeKind::kAnd : NodeKind::kOr, tree, Expression(tree.field("left")),
                Expression(tree.field("right")));
  }
  if (type == "comparison_operator") return Compare(tree);
  if (type == "conditional_expression") {
    const std::vector<Tree> parts = tree.children();
    if (parts.size() != 3) return Make(NodeKind::kUnreadable, tree);
    return With(NodeKind::kConditional, tree, Expression(parts[0]), Expression(parts[1]),
                Expression(parts[2]));
  }
  return nullptr;
}

Node* Builder::Expression(Tree tree) {
  const std::string_view type = tree.type();
  if (type == "identifier") {
    Node* node = Make(NodeKind::kName, tree);
    node->name = Name(tree);
    return node;
  }
  if (Node* literal = Literal(tree, type)) return literal;
  if (type == "attribute") {
    Node* node = With(NodeKind::kAttribute, tree, Expression(tree.field("object")));
    node->name = Name(tree.field("attribute"));
    return StarOutside(node);
  }
  if (type == "dotted_name") {
    Node* node = nullptr;
    for (const Tree& part : tree.children()) {
      Node* next = Make(node == nullptr ? NodeKind::kName : NodeKind::kAttribute, part);
      next->a = node;
      next->name = Name(part);
      node = next;
    }
    return node;
  }
  if (type == "call") return Call(tree);
  if (type == "subscript") return Subscript(tree);
  if (type == "slice") return SliceOf(tree);
  if (Node* operation = Operation(tree, type)) return operation;
  if (type == "lambda") return Lambda(tree);
  if (type == "tuple_pattern" && tree.children().size() == 1 && !tree.token(",")) {
    return First(tree);  // (name) = value: parentheses alone make no tuple
  }
  if (type == "tuple" || type == "expression_list" || type == "pattern_list" ||
      type == "tuple_pattern") {
    return Sequence(NodeKind::kTuple, tree);
  }
  if (type == "list" || type == "list_pattern") return Sequence(NodeKind::kList, tree);
  if (type == "set") return Sequence(NodeKind::kSet, tree);
  if (type == "dictionary") return Dictionary(tree);
  if (type == "parenthesized_expression" || type == "parenthesized_list_splat") {
    Node* inside = First(tree);
    return inside == nullptr ? Make(NodeKind::kUnreadable, tree) : inside;
  }
  if (type == "list_splat" || type == "list_splat_pattern") {
    return With(NodeKind::kStar, tree, First(tree));
  }
  if (type == "dictionary_splat") return With(NodeKind::kDoubleStar, tree, First(tree));
  if (type == "keyword_argument") {
    Node* node = With(NodeKind::kKeyword, tree, Expression(tree.field("value")));
    node->name = Name(tree.field("name"));
    return node;
  }
  if (type == "list_comprehension") return Comprehension(NodeKind::kListMade, tree);
  if (type == "set_comprehension") return Comprehension(NodeKind::kSetMade, tree);
  if (type == "dictionary_comprehension") return Comprehension(NodeKind::kDictMade, tree);
  if (type == "generator_expression") return Comprehension(NodeKind::kGeneratorMade, tree);
  if (type == "named_expression") {
    return With(NodeKind::kNamed, tree, Expression(tree.field("name")),
                Expression(tree.field("value")));
  }
  if (type == "yield") {
    return With(tree.token("from") ? NodeKind::kYieldFrom : NodeKind::kYield, tree, First(tree));
  }
  if (type == "await") return With(NodeKind::kAwait, tree, First(tree));
  if (type == "type") return Annotation(tree);
  if (type == "generic_type") return GenericType(tree);
  return Make(NodeKind::kUnreadable, tree);
}

Node* Builder::Number(Tree tree) {
  std::string text(tree.text());
  std::erase(text, '_');
  std::erase(text, ' ');
  if (text.empty()) return Make(NodeKind::kUnreadable, tree);
  if (text.back() == 'j' || text.back() == 'J') {
    Node* node = Constant(Value(std::strtod(text.c_str(), nullptr)), tree);
    node->kind = NodeKind::kImaginary;
    return node;
  }
  const bool negative = text[0] == '-';
  const std::string digits = negative ? text.substr(1) : text;
  int base = 10;
  size_t skip = 0;
  if (digits.size() > 2 && digits[0] == '0') {
    const char letter = static_cast<char>(digits[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'b' ? 2 : letter == 'o' ? 8 : 10;
    skip = base == 10 ? 0 : 2;
  }
  if (base == 10 && digits.find_first_of(".eE") != std::string::npos) {
    return Constant(Value(std::strtod(text.c_str(), nullptr)), tree);
  }
  errno = 0;
  const int64_t value = std::strtoll(digits.c_str() + skip, nullptr, base);
  if (errno == ERANGE) return Constant(Value(std::strtod(text.c_str(), nullptr)), tree);
  return Constant(Value(negative ? -value : value), tree);
}

void Builder::AppendParts(Tree tree, std::vector<Node*>& parts, bool& bytes) {
  bool raw = false, formatted = false;
  for (const Tree& part : tree.children()) {
    if (part.is("string_start")) {
      formatted = part.text().find_first_of("fF") != std::string_view::npos;
      raw = part.text().find_first_of("rR") != std::string_view::npos;
      bytes = part.text().find_first_of("bB") != std::string_view::npos;
    } else if (part.is("string_content")) {
      std::string text = raw ? std::string(part.text()) : Unescaped(part.text());
      if (formatted) text = WithoutDoubledBraces(text);
      parts.push_back(Text(std::move(text), part));
    } else if (part.is("interpolation")) {
      parts.push_back(Formatted(part));
    }
  }
}

Node* Builder::Formatted(Tree tree) {
  Node* node = With(NodeKind::kFormatted, tree, Optional(tree.field("expression")));
  if (const Tree conversion = tree.field("type_conversion")) {
    node->conversion = conversion.text().back();
  }
  if (const Tree specifier = tree.field("format_specifier")) {
    // Text between nested expressions: ":>{width}.2f".
    std::vector<Node*> parts;
    int64_t at = specifier.begin() + 1;
    const std::string_view all = tree.tree()->text();
    for (const Tree& nested : specifier.children()) {
      if (nested.begin() > at) {
        parts.push_back(Text(std::string(all.substr(at, nested.begin() - at)), nested));
      }
      parts.push_back(Formatted(nested));
      at = nested.end();
    }
    if (specifier.end() > at) {
      parts.push_back(Text(std::string(all.substr(at, specifier.end() - at)), specifier));
    }
    node->b = Joined(std::move(parts), specifier, false);
  }
  if (const Tree sign = tree.token("=")) {
    const std::string_view all = tree.tree()->text();
    int64_t end = sign.end();
    while (all[end] == ' ') ++end;
    const std::string_view shown = all.substr(tree.begin() + 1, end - tree.begin() - 1);
    node->constant = Kept(std::make_unique<Str>(std::string(shown)));
  }
  return node;
}

Node* Builder::Joined(std::vector<Node*> parts, Tree tree, bool bytes) {
  std::string text;
  bool plain = true;
  for (const Node* part : parts) {
    if (part->kind != NodeKind::kConstant) {
      plain = false;
    } else {
      text += part->constant.as<Str>()->text;
    }
  }
  if (plain && bytes) return Constant(Kept(std::make_unique<Bytes>(text)), tree);
  if (plain) return Text(std::move(text), tree);
  Node* node = Make(NodeKind::kJoined, tree);
  node->list = std::move(parts);
  return node;
}

Node* Builder::String(Tree tree) {
  std::vector<Node*> parts;
  bool bytes = false;
  AppendParts(tree, parts, bytes);
  return Joined(std::move(parts), tree, bytes);
}

Node* Builder::Concatenated(Tree tree) {
  std::vector<Node*> parts;
  bool bytes = false;
  for (const Tree& part : tree.children()) AppendParts(part, parts, bytes);
  return Joined(std::move(parts), tree, bytes);
}

Node* Builder::Compare(Tree tree) {
  Node* node = Make(NodeKind::kCompare, tree);
  node->list = Each(tree);
  // The grammar has a token for each word of "not in" and "is not", and names
  // both after the two.
  bool second = false;
  for (const std::string_view op : tree.operators()) {
    second = (op == "not in" || op == "is not") && !second;
    if (op != "not in" && op != "is not") {
      node->ops.push_back(OperatorOf(op));
    } else if (second) {
      node->ops.push_back(OperatorOf(op));
    }
  }
  if (node->ops.size() + 1 != node->list.size()) return Make(NodeKind::kUnreadable, tree);
  return node;
}

Node* Builder::Call(Tree tree) {
  Node* node = With(NodeKind::kCall, tree, Expression(tree.field("function")));
  const Tree arguments = tree.field("arguments");
  if (arguments.is("generator_expression")) {
    node->list.push_back(Expression(arguments));
  } else {
    node->list = Each(arguments);
  }
  // A method in a chain over several lines is called at the line of its name.
  if (const Tree name = tree.field("function").field("attribute")) {
    const Node* place = Make(NodeKind::kPass, name);
    if (place->line != node->line) {
      node->line = place->line;
      node->column = place->column;
    }
  }
  return StarOutside(node);
}

Node* Builder::Subscript(Tree tree) {
  Node* node = With(NodeKind::kSubscript, tree, Expression(tree.field("value")));
  std::vector<Node*> items;
  const Tree value = tree.field("value");
  for (const Tree& child : tree.children()) {
    if (child == value) continue;
    items.push_back(Expression(child));
  }
  // "x[1,]" is a tuple of one.
  const std::string_view text = tree.text();
  const bool tuple = items.size() != 1 || (items[0]->end < tree.end() - 1 &&
                                           text.substr(items[0]->end - tree.begin()).find(',') !=
                                               std::string_view::npos);
  if (tuple) {
    node->b = Make(NodeKind::kTuple, tree);
    node->b->list = std::move(items);
  } else {
    node->b = items[0];
  }
  return StarOutside(node);
}

// List[int] of an annotation, which has a grammar of its own.
Node* Builder::GenericType(Tree tree) {
  const std::vector<Tree> parts = tree.children();
  if (parts.size() != 2) return Make(NodeKind::kUnreadable, tree);
  Node* node = With(NodeKind::kSubscript, tree, Expression(parts[0]));
  node->b = Sequence(NodeKind::kTuple, parts[1]);
  if (node->b->list.empty()) return Make(NodeKind::kUnreadable, tree);
  if (node->b->list.size() == 1) node->b = node->b->list[0];
  return node;
}

Node* Builder::SliceOf(Tree tree) {
  Node* node = Make(NodeKind::kSlice, tree);
  std::array<Node**, 3> parts = {&node->a, &node->b, &node->c};
  const std::vector<Tree> children = tree.children();
  size_t part = 0, next = 0;
  int64_t at = tree.begin();
  const std::string_view all = tree.tree()->text();
  while (at < tree.end() && part < 3) {
    if (next < children.size() && at >= children[next].begin()) {
      *parts[part] = Expression(children[next]);
      at = children[next++].end();
      continue;
    }
    if (all[at] == ':') ++part;
    ++at;
  }
  return node;
}

Node* Builder::Comprehension(NodeKind kind, Tree tree) {
  Node* node = Make(kind, tree);
  const Tree body = tree.field("body");
  if (body.is("pair")) {
    node->a = Expression(body.field("key"));
    node->b = Expression(body.field("value"));
  } else {
    node->a = Expression(body);
  }
  for (const Tree& child : tree.children()) {
    if (child.is("for_in_clause")) {
      node->list.push_back(With(NodeKind::kForClause, child, Expression(child.field("left")),
                                Expression(child.field("right"))));
    } else if (child.is("if_clause")) {
      node->list.push_back(With(NodeKind::kIfClause, child, First(child)));
    }
  }
  return node;
}

Node* Builder::Lambda(Tree tree) {
  Node* node = With(NodeKind::kLambda, tree, Expression(tree.field("body")));
  node->list = Parameters(tree.field("parameters"));
  node->name = SymbolOf("<lambda>");
  return node;
}

Node* Builder::Dictionary(Tree tree) {
  Node* node = Make(NodeKind::kDict, tree);
  for (const Tree& child : tree.children()) {
    if (child.is("pair")) {
      node->list.push_back(With(NodeKind::kPair, child, Expression(child.field("key")),
                                Expression(child.field("value"))));
    } else if (child.is("dictionary_splat")) {
      node->list.push_back(Expression(child));
    }
  }
  return node;
}

}  // namespace tilewise::py
