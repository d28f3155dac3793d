// Where the value of each name is: a slot of its function or of one around it,
// the module, or the class whose body it stands in.

#include <algorithm>

#include <absl/container/flat_hash_set.h>

#include "python/node.h"

namespace tilewise::py {
namespace {

struct Scope {
  ScopeInfo* info = nullptr;  // null: a class body or the module
  Scope* outer = nullptr;
  bool is_class = false;
  absl::flat_hash_set<Symbol> declared;  // global or nonlocal
  absl::flat_hash_set<Symbol> global;
};

bool OpensScope(NodeKind kind) {
  return kind == NodeKind::kFunction || kind == NodeKind::kLambda || kind == NodeKind::kClass;
}
bool IsComprehension(NodeKind kind) {
  return kind == NodeKind::kListMade || kind == NodeKind::kSetMade || kind == NodeKind::kDictMade ||
         kind == NodeKind::kGeneratorMade;
}

class Resolver {
 public:
  explicit Resolver(Code& code) : code_(code) {}

  void Module() {
    Scope scope;
    Walk(code_.body, scope);
  }

 private:
  template <typename Visit>
  static void ForEachChild(Node* node, const Visit& visit) {
    for (Node* child : {node->a, node->b, node->c, node->d}) {
      if (child != nullptr) visit(child);
    }
    for (Node* child : node->list) {
      if (child != nullptr) visit(child);
    }
  }

  static void Bind(Scope& scope, Symbol name) {
    if (scope.info == nullptr || name == nullptr || scope.declared.contains(name)) return;
    if (scope.info->Slot(name) < 0) scope.info->slots.push_back(name);
  }
  void BindTarget(Scope& scope, Node* target) {
    if (target == nullptr) return;
    if (target->kind == NodeKind::kName) Bind(scope, target->name);
    if (target->kind == NodeKind::kTuple || target->kind == NodeKind::kList) {
      for (Node* item : target->list) BindTarget(scope, item);
    }
    if (target->kind == NodeKind::kStar) BindTarget(scope, target->a);
  }

  // Declarations come first: a name may be used above its `global`.
  void Declare(Scope& scope, Node* node) {
    if (node->kind == NodeKind::kGlobal || node->kind == NodeKind::kNonlocal) {
      scope.declared.insert(node->names.begin(), node->names.end());
      if (node->kind == NodeKind::kGlobal) {
        scope.global.insert(node->names.begin(), node->names.end());
      }
      return;
    }
    if (OpensScope(node->kind)) return;
    ForEachChild(node, [&](Node* child) { Declare(scope, child); });
  }

  // Names that the statements of `node` bind; `inner`: within a comprehension,
  // from which only `:=` binds outside.
  void Collect(Scope& scope, Node* node, bool inner) {
    switch (node->kind) {
      case NodeKind::kFunction:
      case NodeKind::kClass:
        if (!inner) Bind(scope, node->name);
        if (node->b != nullptr) Collect(scope, node->b, inner);
        return;
      case NodeKind::kLambda:
        return;
      case NodeKind::kNamed:
        BindTarget(scope, node->a);
        break;
      case NodeKind::kYield:
      case NodeKind::kYieldFrom:
        if (scope.info != nullptr && !inner) scope.info->generator = true;
        break;
      default:
        if (!inner) CollectBinding(scope, node);
    }
    const bool deeper = inner || IsComprehension(node->kind);
    ForEachChild(node, [&](Node* child) { Collect(scope, child, deeper); });
  }

  void CollectBinding(Scope& scope, Node* node) {
    switch (node->kind) {
      case NodeKind::kAssign:
        for (Node* target : node->list) BindTarget(scope, target);
        break;
      case NodeKind::kAugmented:
      case NodeKind::kAnnotated:
      case NodeKind::kFor:
        BindTarget(scope, node->a);
        break;
      case NodeKind::kWithItem:
        BindTarget(scope, node->b);
        break;
      case NodeKind::kDelete:
        for (Node* target : node->list) BindTarget(scope, target);
        break;
      case NodeKind::kHandler:
      case NodeKind::kCapture:
      case NodeKind::kStarPattern:
      case NodeKind::kDictPattern:
      case NodeKind::kAsPattern:
        Bind(scope, node->name);
        break;
      case NodeKind::kImported:
        if (node->other != nullptr) {
          Bind(scope, node->other);
        } else {
          const size_t dot = node->name->find('.');
          if (dot == std::string::npos) {
            Bind(scope, node->name);
          } else if (!node->names.empty()) {
            Bind(scope, node->names[0]);
          }
        }
        break;
      default:
        break;
    }
  }

  void Resolve(Scope& scope, Symbol name, Node* node) {
    node->where = Node::Where::kGlobal;
    if (scope.global.contains(name)) return;
    int16_t depth = 0;
    for (Scope* at = &scope; at != nullptr; at = at->outer) {
      if (at->global.contains(name) && at == &scope) return;
      if (at->info == nullptr) continue;
      const int64_t slot = at->info->Slot(name);
      if (slot >= 0) {
        node->where = depth == 0 ? Node::Where::kLocal : Node::Where::kOuter;
        node->depth = depth;
        node->slot = static_cast<int32_t>(slot);
        break;
      }
      ++depth;
    }
    if (!scope.is_class || scope.declared.contains(name)) return;
    // The class' own names come before those around it.
    node->depth = node->where == Node::Where::kGlobal ? int16_t{-1} : node->depth;
    node->where = Node::Where::kClass;
  }

  void Function(Scope& outer, Node* node) {
    for (Node* parameter : node->list) {
      if (parameter->a != nullptr) Walk(parameter->a, outer);
      if (parameter->b != nullptr) Walk(parameter->b, outer);
    }
    if (node->b != nullptr) Walk(node->b, outer);
    code_.scopes.emplace_back();
    Scope scope;
    scope.info = &code_.scopes.back();
    scope.outer = &outer;
    node->scope = scope.info;
    Declare(scope, node->a);
    for (Node* parameter : node->list) scope.info->slots.push_back(parameter->name);
    Collect(scope, node->a, false);
    Walk(node->a, scope);
  }

  void Comprehension(Scope& outer, Node* node) {
    code_.scopes.emplace_back();
    Scope scope;
    scope.info = &code_.scopes.back();
    scope.outer = &outer;
    node->scope = scope.info;
    for (Node* clause : node->list) {
      if (clause->kind == NodeKind::kForClause) BindTarget(scope, clause->a);
    }
    // What := binds belongs to the function around.
    bool first = true;
    for (Node* clause : node->list) {
      if (clause->kind == NodeKind::kForClause) {
        Walk(clause->b, first ? outer : scope);
        first = false;
      }
      Walk(clause->a, scope);
    }
    Walk(node->a, scope);
    if (node->b != nullptr) Walk(node->b, scope);
  }

  void ClassBody(Scope& outer, Node* node) {
    if (node->b != nullptr) Walk(node->b, outer);
    for (Node* argument : node->list) Walk(argument, outer);
    Scope scope;
    scope.outer = &outer;
    scope.is_class = true;
    Declare(scope, node->a);
    Walk(node->a, scope);
  }

  void Walk(Node* node, Scope& scope) {
    if (IsComprehension(node->kind)) {
      Comprehension(scope, node);
      return;
    }
    switch (node->kind) {
      case NodeKind::kFunction:
        Function(scope, node);
        ResolveBinding(scope, node->name, node);
        return;
      case NodeKind::kLambda:
        Function(scope, node);
        return;
      case NodeKind::kClass:
        ClassBody(scope, node);
        ResolveBinding(scope, node->name, node);
        return;
      case NodeKind::kName:
        Resolve(scope, node->name, node);
        return;
      case NodeKind::kImported:
        ResolveBinding(scope,
                       node->other != nullptr ? node->other
                       : !node->names.empty() ? node->names[0]
                                              : node->name,
                       node);
        return;
      case NodeKind::kHandler:
      case NodeKind::kCapture:
      case NodeKind::kStarPattern:
      case NodeKind::kDictPattern:
      case NodeKind::kAsPattern:
        if (node->name != nullptr) ResolveBinding(scope, node->name, node);
        break;
      default:
        break;
    }
    ForEachChild(node, [&](Node* child) { Walk(child, scope); });
  }
  void ResolveBinding(Scope& scope, Symbol name, Node* node) { Resolve(scope, name, node); }

  Code& code_;
};

}  // namespace

int64_t ScopeInfo::Slot(Symbol name) const {
  const auto at = std::find(slots.begin(), slots.end(), name);
  return at == slots.end() ? -1 : at - slots.begin();
}

void ResolveNames(Code& code) { Resolver(code).Module(); }

}  // namespace tilewise::py
