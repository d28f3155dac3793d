// The statements of a module.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <absl/hash/hash.h>
#include <fmt/format.h>

#include "python/builder.h"
#include "python/text.h"

namespace tilewise::py {

using Tree = python::Node;

namespace {

const absl::flat_hash_map<std::string_view, Operator>& Operators() {
  static const auto* const kOperators = new absl::flat_hash_map<std::string_view, Operator>{
      {"+", Operator::kAdd},         {"-", Operator::kSubtract},      {"*", Operator::kMultiply},
      {"/", Operator::kDivide},      {"//", Operator::kFloorDivide},  {"%", Operator::kModulo},
      {"**", Operator::kPower},      {"@", Operator::kMatMul},        {"&", Operator::kAnd},
      {"|", Operator::kOr},          {"^", Operator::kXor},           {"<<", Operator::kShiftLeft},
      {">>", Operator::kShiftRight}, {"==", Operator::kEqual},        {"!=", Operator::kNotEqual},
      {"<>", Operator::kNotEqual},   {"<", Operator::kLess},          {"<=", Operator::kLessEqual},
      {">", Operator::kGreater},     {">=", Operator::kGreaterEqual}, {"in", Operator::kIn},
      {"not in", Operator::kNotIn},  {"is", Operator::kIs},           {"is not", Operator::kIsNot},
      {"not", Operator::kNotIn},
  };
  return *kOperators;
}

}  // namespace

Operator OperatorOf(std::string_view text) {
  const auto at = Operators().find(text);
  return at == Operators().end() ? Operator::kAdd : at->second;
}

Node* Builder::Statement(Tree tree) {
  const std::string_view type = tree.type();
  if (Node* node = Compound(tree, type)) return node;
  if (Node* node = Simple(tree, type)) return node;
  if (type == "ERROR") return Make(NodeKind::kUnreadable, tree);
  return With(NodeKind::kExpression, tree, Expression(tree));
}

Node* Builder::Compound(Tree tree, std::string_view type) {
  if (type == "if_statement") return If(tree);
  if (type == "for_statement") {
    Node* node = With(NodeKind::kFor, tree, Expression(tree.field("left")),
                      Expression(tree.field("right")), Block(tree.field("body")));
    if (const Tree other = tree.field("alternative")) node->d = Block(other.field("body"));
    return node;
  }
  if (type == "while_statement") {
    Node* node = With(NodeKind::kWhile, tree, Expression(tree.field("condition")),
                      Block(tree.field("body")));
    if (const Tree other = tree.field("alternative")) node->c = Block(other.field("body"));
    return node;
  }
  if (type == "try_statement") return Try(tree);
  if (type == "with_statement") return With(tree);
  if (type == "function_definition") return Definition(tree, nullptr);
  if (type == "class_definition") return Class(tree, nullptr);
  if (type == "decorated_definition") return Decorated(tree);
  if (type == "match_statement") return Match(tree);
  if (type == "block") return Block(tree);
  return nullptr;
}

Node* Builder::Simple(Tree tree, std::string_view type) {
  if (type == "expression_statement") return ExpressionStatement(tree);
  if (type == "return_statement") return With(NodeKind::kReturn, tree, First(tree));
  if (type == "import_statement") return Import(tree);
  if (type == "import_from_statement") return ImportFrom(tree);
  if (type == "pass_statement" || type == "future_import_statement" ||
      type == "type_alias_statement") {
    return Make(NodeKind::kPass, tree);
  }
  if (type == "break_statement") return Make(NodeKind::kBreak, tree);
  if (type == "continue_statement") return Make(NodeKind::kContinue, tree);
  if (type == "raise_statement") {
    std::vector<Tree> children = tree.children();
    const Tree cause = tree.field("cause");
    return With(NodeKind::kRaise, tree, children.empty() ? nullptr : Expression(children[0]),
                Optional(cause));
  }
  if (type == "assert_statement") {
    const std::vector<Tree> children = tree.children();
    return With(NodeKind::kAssert, tree, children.empty() ? nullptr : Expression(children[0]),
                children.size() > 1 ? Expression(children[1]) : nullptr);
  }
  if (type == "global_statement") return Names(NodeKind::kGlobal, tree);
  if (type == "nonlocal_statement") return Names(NodeKind::kNonlocal, tree);
  if (type == "delete_statement") {
    Node* node = Make(NodeKind::kDelete, tree);
    for (Node* target : Each(tree)) {
      if (target->kind == NodeKind::kTuple) {
        node->list.insert(node->list.end(), target->list.begin(), target->list.end());
      } else {
        node->list.push_back(target);
      }
    }
    return node;
  }
  if (type == "print_statement" || type == "exec_statement") return Make(NodeKind::kPass, tree);
  return nullptr;
}

Node* Builder::Names(NodeKind kind, Tree tree) {
  Node* node = Make(kind, tree);
  for (const Tree& child : tree.children()) node->names.push_back(Name(child));
  return node;
}

Node* Builder::ExpressionStatement(Tree tree) {
  const std::vector<Tree> children = tree.children();
  if (children.size() == 1) {
    if (children[0].is("assignment")) return Assignment(children[0]);
    if (children[0].is("augmented_assignment")) {
      const Tree child = children[0];
      Node* node = With(NodeKind::kAugmented, tree, Expression(child.field("left")),
                        Expression(child.field("right")));
      std::string_view op = child.field("operator").text();
      node->op = OperatorOf(op.substr(0, op.size() - 1));
      return node;
    }
    return With(NodeKind::kExpression, tree, Expression(children[0]));
  }
  return With(NodeKind::kExpression, tree, Sequence(NodeKind::kTuple, tree));
}

Node* Builder::Assignment(Tree tree) {
  if (const Tree type = tree.field("type")) {
    const Tree right = tree.field("right");
    return With(NodeKind::kAnnotated, tree, Expression(tree.field("left")), Annotation(type),
                Optional(right));
  }
  Node* node = Make(NodeKind::kAssign, tree);
  Tree at = tree;
  while (at.is("assignment")) {
    node->list.push_back(Expression(at.field("left")));
    at = at.field("right");
  }
  node->a = Optional(at);
  return node;
}

Node* Builder::If(Tree tree) {
  Node* root = With(NodeKind::kIf, tree, Expression(tree.field("condition")),
                    Block(tree.field("consequence")));
  Node* last = root;
  for (const Tree& child : tree.children()) {
    if (child.is("elif_clause")) {
      last->c = With(NodeKind::kIf, child, Expression(child.field("condition")),
                     Block(child.field("consequence")));
      last = last->c;
    } else if (child.is("else_clause")) {
      last->c = Block(child.field("body"));
    }
  }
  return root;
}

Node* Builder::Try(Tree tree) {
  Node* node = With(NodeKind::kTry, tree, Block(tree.field("body")));
  for (const Tree& child : tree.children()) {
    if (child.is("except_clause") || child.is("except_group_clause")) {
      Node* handler = Make(NodeKind::kHandler, child);
      for (const Tree& part : child.children()) {
        if (part.is("block")) {
          handler->b = Block(part);
        } else if (part.is("as_pattern")) {
          const std::vector<Tree> parts = part.children();
          handler->a = Expression(parts[0]);
          handler->name = Name(part.field("alias"));
        } else if (handler->a == nullptr) {
          handler->a = Expression(part);
        } else {
          handler->name = Name(part);
        }
      }
      if (handler->b == nullptr) handler->b = Block({});
      node->list.push_back(handler);
    } else if (child.is("else_clause")) {
      node->b = Block(child.field("body"));
    } else if (child.is("finally_clause")) {
      for (const Tree& part : child.children()) node->c = Block(part);
    }
  }
  return node;
}

Node* Builder::With(Tree tree) {
  Node* node = With(NodeKind::kWith, tree, Block(tree.field("body")));
  for (const Tree& clause : tree.children()) {
    if (!clause.is("with_clause")) continue;
    for (const Tree& item : clause.children()) {
      const Tree value = item.field("value");
      std::vector<Tree> items = {value};
      // A tuple in parentheses: several items.
      if (value.is("tuple")) items = value.children();
      for (const Tree& each : items) {
        Node* made = Make(NodeKind::kWithItem, each);
        if (each.is("as_pattern")) {
          made->a = First(each);
          const std::vector<Tree> target = each.field("alias").children();
          if (!target.empty()) made->b = Expression(target[0]);
        } else {
          made->a = Expression(each);
        }
        node->list.push_back(made);
      }
    }
  }
  return node;
}

Node* Builder::Decorated(Tree tree) {
  Node* decorators = Make(NodeKind::kTuple, tree);
  for (const Tree& child : tree.children()) {
    if (child.is("decorator")) decorators->list.push_back(First(child));
  }
  const Tree definition = tree.field("definition");
  if (definition.is("class_definition")) return Class(definition, decorators);
  return Definition(definition, decorators);
}

Node* Builder::Definition(Tree tree, Node* decorators) {
  Node* node = Make(NodeKind::kFunction, tree);
  node->name = Name(tree.field("name"));
  node->list = Parameters(tree.field("parameters"));
  node->a = Block(tree.field("body"));
  node->b = decorators;
  node->c = Optional(tree.field("return_type"));
  return node;
}

Node* Builder::Class(Tree tree, Node* decorators) {
  Node* node = Make(NodeKind::kClass, tree);
  node->name = Name(tree.field("name"));
  if (const Tree bases = tree.field("superclasses")) node->list = Each(bases);
  const Symbol outer = std::exchange(class_name_, node->name);
  node->a = Block(tree.field("body"));
  class_name_ = outer;
  node->b = decorators;
  return node;
}

Node* Builder::Annotation(Tree tree) {
  const std::vector<Tree> children = tree.children();
  return children.size() == 1 ? Expression(children[0]) : Make(NodeKind::kUnreadable, tree);
}

std::vector<Node*> Builder::Parameters(Tree tree) {
  std::vector<Node*> result;
  ParameterKind kind = ParameterKind::kPlain;
  if (!tree) return result;
  for (const Tree& child : tree.children()) {
    if (child.is("keyword_separator")) {
      kind = ParameterKind::kKeywordOnly;
    } else if (child.is("positional_separator")) {
      for (Node* earlier : result) earlier->parameter = ParameterKind::kPositionalOnly;
    } else {
      result.push_back(Parameter(child, kind));
      if (result.back()->parameter == ParameterKind::kStar) kind = ParameterKind::kKeywordOnly;
    }
  }
  return result;
}

Node* Builder::Parameter(Tree tree, ParameterKind kind) {
  Node* node = Make(NodeKind::kParameter, tree);
  node->parameter = kind;
  Tree name = tree;
  if (tree.is("default_parameter") || tree.is("typed_default_parameter")) {
    node->a = Expression(tree.field("value"));
    name = tree.field("name");
  } else if (tree.is("typed_parameter")) {
    const std::vector<Tree> parts = tree.children();
    if (!parts.empty()) name = parts[0];
  }
  if (const Tree type = tree.field("type")) node->b = Annotation(type);
  if (name.is("list_splat_pattern") || name.is("dictionary_splat_pattern")) {
    node->parameter =
        name.is("list_splat_pattern") ? ParameterKind::kStar : ParameterKind::kDoubleStar;
    const std::vector<Tree> inner = name.children();
    if (!inner.empty()) name = inner[0];
  }
  node->name = Name(name);
  return node;
}

Node* Builder::Imported(Tree tree) {
  Node* node = Make(NodeKind::kImported, tree);
  if (tree.is("aliased_import")) {
    node->name = Name(tree.field("name"));
    node->other = Name(tree.field("alias"));
  } else {
    node->name = Name(tree);
    const size_t dot = node->name->find('.');
    // `import a.b` binds a.
    if (dot != std::string::npos) node->names = {SymbolOf(node->name->substr(0, dot))};
  }
  return node;
}

Node* Builder::Import(Tree tree) {
  Node* node = Make(NodeKind::kImport, tree);
  for (const Tree& child : tree.children()) node->list.push_back(Imported(child));
  return node;
}

Node* Builder::ImportFrom(Tree tree) {
  Node* node = Make(NodeKind::kImportFrom, tree);
  const Tree module = tree.field("module_name");
  std::string_view text = module.text();
  while (text.starts_with('.')) {
    ++node->dots;
    text.remove_prefix(1);
  }
  while (text.starts_with(' ')) text.remove_prefix(1);
  node->name = SymbolOf(text);
  for (const Tree& child : tree.children()) {
    if (child == module) continue;
    if (child.is("wildcard_import")) {
      node->conversion = '*';
    } else {
      node->list.push_back(Imported(child));
    }
  }
  return node;
}

namespace {

// A set of texts that is searched by view.
struct SymbolHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return absl::HashOf(text); }
  size_t operator()(const std::unique_ptr<const std::string>& text) const {
    return absl::HashOf(std::string_view(*text));
  }
};
struct SymbolEqual {
  using is_transparent = void;
  static std::string_view View(std::string_view text) { return text; }
  static std::string_view View(const std::unique_ptr<const std::string>& text) { return *text; }
  template <typename A, typename B>
  bool operator()(const A& a, const B& b) const {
    return View(a) == View(b);
  }
};

}  // namespace

Symbol SymbolOf(std::string_view text) {
  thread_local absl::flat_hash_set<std::unique_ptr<const std::string>, SymbolHash, SymbolEqual>
      symbols;
  const auto at = symbols.find(text);
  if (at != symbols.end()) return at->get();
  return symbols.insert(std::make_unique<const std::string>(text)).first->get();
}

namespace {

// Parsed texts by path and cell.
class CodeCache {
 public:
  std::shared_ptr<const Code> Find(const std::string& key, const std::string& text) const {
    const auto at = codes_.find(key);
    return at == codes_.end() || at->second->text != text ? nullptr : at->second;
  }
  void Add(const std::string& key, std::shared_ptr<const Code> code) {
    constexpr size_t kMaxBytes = size_t{16} << 20;
    bytes_ += code->text.size();
    if (bytes_ > kMaxBytes) {
      codes_.clear();
      bytes_ = code->text.size();
    }
    codes_[key] = std::move(code);
  }

 private:
  absl::flat_hash_map<std::string, std::shared_ptr<const Code>> codes_;
  size_t bytes_ = 0;
};

// Positions in the file that the text was made of.
void PlaceIn(Code& code, const LinePlaces& lines) {
  if (lines.empty()) return;
  const auto place_of = [&](int32_t line) {
    const auto at = static_cast<size_t>(std::max(line, 1)) - 1;
    return lines.places[std::min(at, lines.places.size() - 1)];
  };
  for (Node& node : code.nodes) {
    const int32_t place = place_of(node.line);
    node.line = LinePlaces::LineAt(place);
    node.cell = LinePlaces::FileAt(place);
    node.column = 0;
    node.begin = node.end = 0;
  }
  for (Location& error : code.errors) {
    error.line = LinePlaces::LineAt(place_of(error.line));
    error.column = 0;
  }
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Code>> ParseCode(const std::string& path, std::string text,
                                                      int32_t cell, const LinePlaces& lines) {
  thread_local CodeCache cache;
  const std::string key = fmt::format("{}:{}", path, cell);
  if (lines.empty()) {
    if (std::shared_ptr<const Code> known = cache.Find(key, text)) return known;
  }
  auto code = std::make_shared<Code>();
  code->text = text;
  LongLists lists = TakeLongLists(text);
  TW_ASSIGN_OR_RETURN(const std::shared_ptr<const python::SyntaxTree> tree,
                      python::SyntaxTree::Parse(path, std::move(text), cell));
  code->errors = tree->errors();
  Builder builder(*code, std::move(lists));
  code->body = builder.Block(tree->root());
  ResolveNames(*code);
  PlaceIn(*code, lines);
  if (lines.empty()) cache.Add(key, code);
  return code;
}

}  // namespace tilewise::py
