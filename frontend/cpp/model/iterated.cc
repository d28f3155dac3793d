// What a loop does with the place is told by the forms that look at an item: *it, it->x.

#include "frontend/cpp/model/iterated.h"

#include <algorithm>
#include <utility>

#include <clang/AST/ExprCXX.h>

namespace tilewise::cpp {
namespace {

using clang::Expr;
using clang::Stmt;

const clang::VarDecl* Variable(const Expr* e) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreUnlessSpelledInSource());
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

// The list of `list.begin()` or `std::begin(list)`, cbegin() too; null: no such call.
const Expr* RangeOf(const Expr* e, llvm::StringRef name) {
  if (e == nullptr) return nullptr;
  e = e->IgnoreUnlessSpelledInSource();
  const auto* call = llvm::dyn_cast<clang::CallExpr>(e);
  const clang::FunctionDecl* function = call == nullptr ? nullptr : call->getDirectCallee();
  if (function == nullptr || function->getIdentifier() == nullptr) return nullptr;
  llvm::StringRef called = function->getName();
  called.consume_front("c");
  if (called != name) return nullptr;
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
    return method->getNumArgs() == 0 ? method->getImplicitObjectArgument() : nullptr;
  }
  return call->getNumArgs() == 1 && function->isInStdNamespace() ? call->getArg(0) : nullptr;
}

// The sides of `a != b`, and of `a < b`, which says the same of a place that moves on.
std::pair<const Expr*, const Expr*> Unequal(const Expr* e) {
  e = e->IgnoreUnlessSpelledInSource();
  if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(e)) {
    const clang::BinaryOperatorKind op = rewritten->getOperator();
    if (op != clang::BO_NE && op != clang::BO_LT) return {};
    return {rewritten->getLHS(), rewritten->getRHS()};
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
    const clang::OverloadedOperatorKind op = call->getOperator();
    if (op != clang::OO_ExclaimEqual && op != clang::OO_Less) return {};
    return {call->getArg(0), call->getArg(1)};
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (binary == nullptr) return {};
  if (binary->getOpcode() != clang::BO_NE && binary->getOpcode() != clang::BO_LT) return {};
  return {binary->getLHS(), binary->getRHS()};
}

// The sides of `place + n` and the like; null: another expression.
std::pair<const Expr*, const Expr*> SidesOf(const Expr* e, clang::OverloadedOperatorKind op,
                                            clang::BinaryOperatorKind plain) {
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
  if (call != nullptr && call->getOperator() == op && call->getNumArgs() == 2) {
    return {call->getArg(0), call->getArg(1)};
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (binary != nullptr && binary->getOpcode() == plain)
    return {binary->getLHS(), binary->getRHS()};
  return {};
}

// The list and the number of `list.begin() + n` or `list.end() - n`; no number: of begin() or end()
// alone.
std::pair<const Expr*, const Expr*> Shifted(const Expr* e, llvm::StringRef name,
                                            clang::OverloadedOperatorKind op,
                                            clang::BinaryOperatorKind plain) {
  if (e == nullptr) return {};
  if (const Expr* list = RangeOf(e, name)) return {list, nullptr};
  const auto [range, number] = SidesOf(e->IgnoreUnlessSpelledInSource(), op, plain);
  if (range == nullptr || !number->getType()->isIntegerType()) return {};
  return {RangeOf(range, name), number};
}
std::pair<const Expr*, const Expr*> Begin(const Expr* e) {
  return Shifted(e, "begin", clang::OO_Plus, clang::BO_Add);
}
std::pair<const Expr*, const Expr*> End(const Expr* e) {
  return Shifted(e, "end", clang::OO_Minus, clang::BO_Sub);
}

// The variable of `++place` or `place++`.
const clang::VarDecl* Stepped(const Expr* e) {
  e = e->IgnoreUnlessSpelledInSource();
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
    return call->getOperator() == clang::OO_PlusPlus ? Variable(call->getArg(0)) : nullptr;
  }
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e);
  return unary != nullptr && unary->isIncrementOp() ? Variable(unary->getSubExpr()) : nullptr;
}

// Whether a statement does more with a place in a list than to look at the item there.
bool MovesPlace(const Stmt* stmt, const clang::VarDecl* place) {
  if (stmt == nullptr) return false;
  const auto is_place = [&](const Stmt* each) {
    const auto* e = llvm::dyn_cast_or_null<Expr>(each);
    return e != nullptr && Variable(e->IgnoreUnlessSpelledInSource()) == place;
  };
  if (is_place(stmt)) return true;
  if (const auto* e = llvm::dyn_cast<Expr>(stmt)) {
    const std::optional<BesidePlace> beside = BesideOf(e);
    if (beside && beside->place == place) return MovesPlace(beside->by, place);
  }
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(stmt);
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(stmt);
  const bool looks =
      (call != nullptr && call->getNumArgs() == 1 &&
       (call->getOperator() == clang::OO_Star || call->getOperator() == clang::OO_Arrow)) ||
      (unary != nullptr && unary->getOpcode() == clang::UO_Deref) ||
      llvm::isa<clang::MemberExpr>(stmt);
  // `*place = value` changes the list.
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(stmt);
  const Expr* target = nullptr;
  if (binary != nullptr && binary->isAssignmentOp()) target = binary->getLHS();
  if (call != nullptr && call->isAssignmentOp()) target = call->getArg(0);
  if (target != nullptr) {
    const Stmt* base = target->IgnoreUnlessSpelledInSource();
    while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(base)) {
      base = member->getBase()->IgnoreUnlessSpelledInSource();
    }
    const auto* through = llvm::dyn_cast<clang::CXXOperatorCallExpr>(base);
    const auto* pointed = llvm::dyn_cast<clang::UnaryOperator>(base);
    if (through != nullptr && is_place(through->getArg(0))) return true;
    if (pointed != nullptr && is_place(pointed->getSubExpr())) return true;
  }
  return std::any_of(stmt->child_begin(), stmt->child_end(), [&](const Stmt* child) {
    return !(looks && is_place(child)) && MovesPlace(child, place);
  });
}

// Whether a statement looks at more than the item of the place.
bool LooksBeside(const Stmt* stmt, const clang::VarDecl* place) {
  if (stmt == nullptr) return false;
  const auto* e = llvm::dyn_cast<Expr>(stmt);
  const std::optional<BesidePlace> beside = e == nullptr ? std::nullopt : BesideOf(e);
  if (beside && beside->place == place) return true;
  return std::any_of(stmt->child_begin(), stmt->child_end(),
                     [&](const Stmt* child) { return LooksBeside(child, place); });
}

}  // namespace

std::optional<BesidePlace> BesideOf(const Expr* e) {
  const auto made = [](const Expr* place, BesidePlace beside) -> std::optional<BesidePlace> {
    beside.place = Variable(place);
    return beside.place == nullptr ? std::nullopt : std::optional(beside);
  };
  const auto* call = llvm::dyn_cast<clang::CallExpr>(e);
  const clang::FunctionDecl* function = call == nullptr ? nullptr : call->getDirectCallee();
  if (function != nullptr && function->getIdentifier() != nullptr && function->isInStdNamespace()) {
    const llvm::StringRef name = function->getName();
    if (name == "distance" && call->getNumArgs() == 2 && RangeOf(call->getArg(0), "begin")) {
      return made(call->getArg(1), {.distance = true});
    }
    const bool steps = (name == "next" || name == "prev") && call->getNumArgs() >= 1;
    if (!steps) return std::nullopt;
    const bool plain =
        call->getNumArgs() == 1 || llvm::isa<clang::CXXDefaultArgExpr>(call->getArg(1));
    if (plain) return made(call->getArg(0), {.step = name == "next" ? 1 : -1});
    return made(call->getArg(0), {.by = call->getArg(1), .back = name == "prev"});
  }
  if (const auto [a, b] = SidesOf(e, clang::OO_Plus, clang::BO_Add); a != nullptr) {
    return b->getType()->isIntegerType() ? made(a, {.by = b}) : std::nullopt;
  }
  if (const auto [a, b] = SidesOf(e, clang::OO_Subscript, clang::BO_Comma); a != nullptr) {
    return llvm::isa<clang::CXXOperatorCallExpr>(e) ? made(a, {.by = b}) : std::nullopt;
  }
  const auto [a, b] = SidesOf(e, clang::OO_Minus, clang::BO_Sub);
  if (a == nullptr) return std::nullopt;
  if (b->getType()->isIntegerType()) return made(a, {.by = b, .back = true});
  return RangeOf(b, "begin") != nullptr ? made(a, {.distance = true}) : std::nullopt;
}

const clang::VarDecl* PlaceOf(const clang::ForStmt* stmt) {
  const auto* declares = llvm::dyn_cast_or_null<clang::DeclStmt>(stmt->getInit());
  const bool single = declares != nullptr && declares->isSingleDecl();
  const auto* place = single ? llvm::dyn_cast<clang::VarDecl>(declares->getSingleDecl()) : nullptr;
  return place != nullptr && Begin(place->getInit()).first != nullptr ? place : nullptr;
}

std::optional<IteratedLoop> IteratedOf(const clang::ForStmt* stmt) {
  const clang::VarDecl* place = PlaceOf(stmt);
  if (place == nullptr || stmt->getCond() == nullptr || stmt->getInc() == nullptr) {
    return std::nullopt;
  }
  const auto [left, right] = Unequal(stmt->getCond());
  const auto [until, less] = End(right);
  if (until == nullptr || Variable(left) != place || Stepped(stmt->getInc()) != place ||
      MovesPlace(stmt->getBody(), place)) {
    return std::nullopt;
  }
  const auto [list, first] = Begin(place->getInit());
  return IteratedLoop{place, list, until, first, less, LooksBeside(stmt->getBody(), place)};
}

std::optional<PlacedLoop> PlacedOf(const Expr* condition, const Expr* step, const Stmt* body) {
  if (condition == nullptr || body == nullptr) return std::nullopt;
  const auto [left, right] = Unequal(condition);
  const clang::VarDecl* place = left == nullptr ? nullptr : Variable(left);
  if (place == nullptr) return std::nullopt;
  const Expr* until = RangeOf(right, "end");
  if (until == nullptr) {
    // `const auto end = list.end();`
    const clang::VarDecl* end = Variable(right);
    until = end == nullptr ? nullptr : RangeOf(end->getInit(), "end");
  }
  if (until == nullptr) return std::nullopt;
  PlacedLoop loop{place, until, {}};
  std::vector<const Stmt*> rest = {body};
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body)) {
    rest.assign(block->body_begin(), block->body_end());
  }
  if (step == nullptr && !rest.empty()) {
    step = llvm::dyn_cast<Expr>(rest.back());
    rest.pop_back();
  }
  const bool follows = step != nullptr && Stepped(step) == place &&
                       RangeOf(place->getInit(), "begin") != nullptr &&
                       std::none_of(rest.begin(), rest.end(),
                                    [&](const Stmt* each) { return MovesPlace(each, place); });
  if (follows) loop.body = std::move(rest);
  return loop;
}

}  // namespace tilewise::cpp
