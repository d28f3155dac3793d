// Builds nodes from tree-sitter's tree: statements, patterns and expressions
// each have a file.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/long_lists.h"
#include "python/node.h"
#include "python/syntax.h"

namespace tilewise::py {

Operator OperatorOf(std::string_view text);

class Builder {
 public:
  using Tree = python::Node;

  explicit Builder(Code& code, LongLists lists = {}) : code_(code), lists_(std::move(lists)) {}

  Node* Block(Tree tree) {
    Node* node = Make(NodeKind::kBlock, tree);
    if (tree) {
      for (const Tree& child : tree.children()) node->list.push_back(Statement(child));
    }
    return node;
  }

 private:
  using Maker = Node* (Builder::*)(Tree);

  Node* Make(NodeKind kind, Tree tree) {
    code_.nodes.emplace_back();
    Node* node = &code_.nodes.back();
    node->kind = kind;
    if (!tree) return node;
    const TSPoint point = ts_node_start_point(tree.raw());
    node->line = static_cast<int32_t>(point.row) + 1;
    node->column = static_cast<int32_t>(point.column) + 1;
    node->cell = tree.tree()->cell();
    node->begin = tree.begin();
    node->end = tree.end();
    return node;
  }
  // Names that begin with two underscores are those of the class.
  Symbol Name(Tree tree) {
    const std::string_view text = tree.text();
    const bool own = class_name_ != nullptr && text.starts_with("__") && !text.ends_with("__");
    if (!own) return SymbolOf(text);
    const size_t letters = class_name_->find_first_not_of('_');
    if (letters == std::string::npos) return SymbolOf(text);
    return SymbolOf("_" + class_name_->substr(letters) + std::string(text));
  }
  Node* Constant(Value value, Tree tree) {
    Node* node = Make(NodeKind::kConstant, tree);
    node->constant = value;
    return node;
  }
  Node* Text(std::string text, Tree tree) {
    return Constant(Kept(std::make_unique<Str>(std::move(text))), tree);
  }
  Node* With(NodeKind kind, Tree tree, Node* a, Node* b = nullptr, Node* c = nullptr) {
    Node* node = Make(kind, tree);
    node->a = a;
    node->b = b;
    node->c = c;
    return node;
  }
  Node* Optional(Tree tree) { return tree ? Expression(tree) : nullptr; }
  Node* First(Tree tree) {
    const std::vector<Tree> children = tree.children();
    return children.empty() ? nullptr : Expression(children[0]);
  }
  std::vector<Node*> Each(Tree tree) {
    std::vector<Node*> result;
    for (const Tree& child : tree.children()) result.push_back(Expression(child));
    return result;
  }

  // --- Statements.
  Node* Statement(Tree tree);
  Node* Compound(Tree tree, std::string_view type);
  Node* Simple(Tree tree, std::string_view type);
  Node* ExpressionStatement(Tree tree);
  Node* Assignment(Tree tree);
  Node* If(Tree tree);
  Node* Else(Tree tree);
  Node* Try(Tree tree);
  Node* With(Tree tree);
  Node* Definition(Tree tree, Node* decorators);
  Node* Class(Tree tree, Node* decorators);
  Node* Decorated(Tree tree);
  Node* Import(Tree tree);
  Node* ImportFrom(Tree tree);
  Node* Imported(Tree tree);
  Node* Match(Tree tree);
  Node* Pattern(Tree tree);
  Node* ClassPattern(Tree tree);
  Node* DictPattern(Tree tree);
  Node* Names(NodeKind kind, Tree tree);
  std::vector<Node*> Parameters(Tree tree);
  Node* Parameter(Tree tree, ParameterKind kind);
  Node* Annotation(Tree tree);
  Node* GenericType(Tree tree);

  // --- Expressions.
  Node* Expression(Tree tree);
  // These return null where the type is another one.
  Node* Literal(Tree tree, std::string_view type);
  Node* Operation(Tree tree, std::string_view type);
  Node* Number(Tree tree);
  Node* String(Tree tree);
  Node* Concatenated(Tree tree);
  void AppendParts(Tree tree, std::vector<Node*>& parts, bool& bytes);
  Node* Formatted(Tree tree);
  Node* Joined(std::vector<Node*> parts, Tree tree, bool bytes);
  Node* Compare(Tree tree);
  Node* Call(Tree tree);
  Node* Subscript(Tree tree);
  Node* SliceOf(Tree tree);
  Node* Comprehension(NodeKind kind, Tree tree);
  Node* Lambda(Tree tree);
  Node* Dictionary(Tree tree);
  // The grammar reads `*x.shape` outside of calls as `(*x).shape`.
  Node* StarOutside(Node* node) {
    Node* star = node->a;
    if (star == nullptr || star->kind != NodeKind::kStar) return node;
    node->a = star->a;
    star->a = node;
    return star;
  }
  Node* Sequence(NodeKind kind, Tree tree) {
    Node* node = Make(kind, tree);
    if (const auto numbers = lists_.find(tree.begin()); numbers != lists_.end()) {
      node->constant =
          Kept(std::make_unique<py::Sequence>(Kind::kList, std::move(numbers->second)));
      return node;
    }
    node->list = Each(tree);
    return node;
  }

  Object* Kept(std::unique_ptr<Object> object) {
    code_.constants.push_back(std::move(object));
    return code_.constants.back().get();
  }

  Code& code_;
  Symbol class_name_ = nullptr;  // whose body is read
  LongLists lists_;              // which the text holds no more
};

}  // namespace tilewise::py
