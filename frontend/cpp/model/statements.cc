// The statements of C++ functions.

#include <algorithm>
#include <optional>

#include <clang/Lex/Lexer.h>
#include <fmt/format.h>

#include "frontend/cpp/model/conditions.h"
#include "frontend/cpp/model/declared.h"
#include "frontend/cpp/model/given.h"
#include "frontend/cpp/model/iterated.h"
#include "frontend/cpp/model/translator.h"

namespace tilewise::cpp {
namespace {

using clang::Expr;
using clang::Stmt;

// Whether a condition is a call of a function of the program that sets what it is given, or its
// negation.
bool SetsByCall(const Expr* e, SetByCalls& set_by_calls) {
  e = e->IgnoreParenImpCasts();
  if (const auto* whole = llvm::dyn_cast<clang::ExprWithCleanups>(e)) {
    return SetsByCall(whole->getSubExpr(), set_by_calls);
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    return unary->getOpcode() == clang::UO_LNot && SetsByCall(unary->getSubExpr(), set_by_calls);
  }
  if (!llvm::isa<clang::CallExpr>(e)) return false;
  const std::vector<Given> given = set_by_calls.In(e);
  return std::any_of(given.begin(), given.end(),
                     [](const Given& each) { return each.owner != nullptr; });
}

}  // namespace

void Translator::WriteBlock(const Stmt* stmt) {
  scopes_.emplace_back();
  writer_.Indent();
  const size_t before = writer_.size();
  if (const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(stmt)) {
    WriteStatements(llvm::ArrayRef<const Stmt*>(block->body_begin(), block->size()));
  } else if (stmt != nullptr) {
    Write(stmt);
  }
  if (writer_.size() == before) {
    writer_.Line(stmt == nullptr ? line_ : LineOf(stmt->getBeginLoc()), "pass");
  }
  writer_.Dedent();
  scopes_.pop_back();
}

// A variable whose life switches gradients off holds until the block ends.
std::string Translator::Guard(const Stmt* stmt) {
  const auto* declares = llvm::dyn_cast<clang::DeclStmt>(stmt);
  if (declares == nullptr || !declares->isSingleDecl()) return {};
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declares->getSingleDecl());
  const auto* record = variable == nullptr ? nullptr : variable->getType()->getAsCXXRecordDecl();
  if (record == nullptr) return {};
  const std::string name = record->getNameAsString();
  const bool guards = name == "NoGradGuard" || name == "InferenceMode";
  return guards ? "with torch.no_grad():" : "";
}

void Translator::WriteStatements(llvm::ArrayRef<const Stmt*> statements) {
  for (size_t i = 0; i < statements.size(); ++i) {
    if (i > 0) WriteDropped(statements[i - 1], statements[i]);
    const std::string guard = Guard(statements[i]);
    if (guard.empty()) {
      Write(statements[i]);
      continue;
    }
    Say(statements[i], guard);
    writer_.Indent();
    Say(statements[i], "pass");
    WriteStatements(statements.drop_front(i + 1));
    writer_.Dedent();
    return;
  }
}

void Translator::Write(const Stmt* stmt) {
  line_ = LineOf(stmt->getBeginLoc());
  if (const auto* e = llvm::dyn_cast<Expr>(stmt)) {
    WriteExpression(e);
    return WriteGiven(e);
  }
  if (const auto* s = llvm::dyn_cast<clang::DeclStmt>(stmt)) return WriteDecl(s);
  if (const auto* s = llvm::dyn_cast<clang::IfStmt>(stmt)) return WriteIf(s);
  if (const auto* s = llvm::dyn_cast<clang::ForStmt>(stmt)) return WriteFor(s);
  if (const auto* s = llvm::dyn_cast<clang::CXXForRangeStmt>(stmt)) return WriteForRange(s);
  if (const auto* s = llvm::dyn_cast<clang::DoStmt>(stmt)) return WriteDo(s);
  if (const auto* s = llvm::dyn_cast<clang::SwitchStmt>(stmt)) return WriteSwitch(s);
  if (const auto* s = llvm::dyn_cast<clang::CXXTryStmt>(stmt)) return WriteTry(s);
  if (const auto* s = llvm::dyn_cast<clang::AttributedStmt>(stmt)) return Write(s->getSubStmt());
  if (const auto* s = llvm::dyn_cast<clang::LabelStmt>(stmt)) return Write(s->getSubStmt());
  if (const auto* s = llvm::dyn_cast<clang::WhileStmt>(stmt)) {
    if (s->getConditionVariable() != nullptr) return WriteDeclaring(s);
    if (WritePlaced(stmt, s->getCond(), nullptr, s->getBody())) return;
    Say(stmt, fmt::format("while {}:", Condition(s->getCond())));
    WriteGivenInside(s->getCond());
    return WriteBlock(s->getBody());
  }
  if (const auto* s = llvm::dyn_cast<clang::ReturnStmt>(stmt)) {
    const std::string value = s->getRetValue() == nullptr ? "" : Visit(s->getRetValue());
    return Say(stmt, value.empty() ? "return" : "return " + value);
  }
  if (const auto* s = llvm::dyn_cast<clang::CompoundStmt>(stmt)) {
    scopes_.emplace_back();
    WriteStatements(llvm::ArrayRef<const Stmt*>(s->body_begin(), s->size()));
    scopes_.pop_back();
    return;
  }
  if (llvm::isa<clang::BreakStmt>(stmt)) return Say(stmt, "break");
  if (llvm::isa<clang::ContinueStmt>(stmt)) return Say(stmt, "continue");
  if (llvm::isa<clang::NullStmt>(stmt)) return Say(stmt, "pass");
  Say(stmt, Unfollowed(stmt));
}

void Translator::WriteExpression(const Expr* e) {
  // What a program asserts holds.
  if (e->getBeginLoc().isMacroID() &&
      clang::Lexer::getImmediateMacroName(e->getBeginLoc(), sources_, context_.getLangOpts()) ==
          "assert") {
    return Say(e, "pass");
  }
  if (WriteAssignment(e)) return;
  const auto* thrown = llvm::dyn_cast<clang::CXXThrowExpr>(e->IgnoreParenImpCasts());
  if (thrown != nullptr) {
    return Say(e, fmt::format("raise _cpp.Thrown({})", Quoted(SourceOf(e->getSourceRange()))));
  }
  const std::string text = Visit(e);
  Say(e, text.empty() ? "pass" : text);
}

std::string Translator::Condition(const Expr* e) {
  const Expr* inner = e->IgnoreParenImpCasts();
  if (inner->getType()->isPointerType()) return fmt::format("({} is not None)", Visit(inner));
  return Visit(e);
}

void Translator::WriteDecl(const clang::DeclStmt* stmt) {
  for (const clang::Decl* decl : stmt->decls()) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
      WriteLocal(variable);
    } else if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(decl)) {
      if (record->isCompleteDefinition() && !record->isLambda()) WriteClass(record);
    } else if (const auto* enumeration = llvm::dyn_cast<clang::EnumDecl>(decl)) {
      WriteEnum(enumeration);
    }
  }
}

void Translator::WriteLocal(const clang::VarDecl* variable) {
  const int32_t line = LineOf(variable->getBeginLoc());
  line_ = line;
  if (const Expr* other = StandsFor(variable)) {
    names_[variable->getCanonicalDecl()] = Visit(other);
    return;
  }
  const Expr* init = variable->getInit();
  std::string value = init == nullptr ? DefaultOf(variable->getType()) : Value(init);
  // `SGD optimizer(parameters, options)` in a template, which Clang leaves as it is written.
  const auto* list =
      init == nullptr ? nullptr : llvm::dyn_cast<clang::ParenListExpr>(init->IgnoreImplicit());
  if (list != nullptr && variable->getType()->getAsCXXRecordDecl() != nullptr) {
    value = Construct(variable->getType(), ExpressionsOf(list), nullptr);
  }
  if (init == nullptr && variable->isInvalidDecl()) {
    value = fmt::format("_cpp.unfollowed({})",
                        Quoted(fmt::format("'{}' is not followed: a declaration that it needs was "
                                           "not found",
                                           variable->getNameAsString())));
  }
  if (value.empty()) value = Construct(variable->getType(), {}, nullptr);
  if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(variable)) {
    std::string names;
    for (const clang::BindingDecl* part : parts->bindings()) names += Declare(part) + ", ";
    writer_.Line(line, fmt::format("{}= _cpp.parts({})", names, value));
  } else {
    writer_.Line(line, fmt::format("{} = {}", Declare(variable), value));
  }
  WriteGiven(init);
  if (init == nullptr && variable->isInvalidDecl()) WriteGivenInText(variable);
}

// `while (auto batch = loader.next())`: what it declares is made anew behind each round.
void Translator::WriteDeclaring(const clang::WhileStmt* stmt) {
  if (Continues(stmt->getBody())) return Say(stmt, Unfollowed(stmt));
  scopes_.emplace_back();
  WriteLocal(stmt->getConditionVariable());
  Say(stmt, fmt::format("while {}:", Condition(stmt->getCond())));
  WriteBlock(stmt->getBody());
  writer_.Indent();
  WriteLocal(stmt->getConditionVariable());
  writer_.Dedent();
  scopes_.pop_back();
}

void Translator::WriteIf(const clang::IfStmt* stmt) {
  scopes_.emplace_back();
  if (stmt->getInit() != nullptr) Write(stmt->getInit());
  if (stmt->getConditionVariable() != nullptr) WriteLocal(stmt->getConditionVariable());
  line_ = LineOf(stmt->getBeginLoc());
  // What files hold is not known, but that they are there.
  const std::optional<bool> opens = OpensFile(stmt->getCond());
  std::string condition;
  if (SetsByCall(stmt->getCond(), set_by_calls_)) {
    // What it sets is there when it has been called.
    condition = fmt::format("_test_{}", ++lambdas_);
    Say(stmt, fmt::format("{} = {}", condition, Condition(stmt->getCond())));
    WriteGiven(stmt->getCond());
  } else {
    WriteGiven(stmt->getCond());
    condition = Condition(stmt->getCond());
  }
  if (opens) condition = *opens ? "True" : "False";
  if (AsksForFlag(stmt->getCond()) && GivesUp(stmt->getThen(), context_)) {
    condition = fmt::format("_cpp.lacks({})", condition);
  }
  if (const clang::VarDecl* off = TrainingSwitch(stmt->getCond())) {
    const auto text = clang::Lexer::getSourceText(
        clang::CharSourceRange::getTokenRange(stmt->getThen()->getSourceRange()), sources_,
        context_.getLangOpts());
    if (text.contains("backward(")) {
      condition = fmt::format("_cpp.trains({}, {})", condition, Quoted(off->getNameAsString()));
    }
  }
  if (const clang::FunctionDecl* taker = CountsArgumentsOf(stmt->getCond())) {
    // No argument is given: what a program cannot do without counts as given. What a function other
    // than main() returns may be a default.
    const bool main = taker->isMain();
    const bool whole =
        main && HasSuccess(stmt->getThen(), context_) && GivesUp(taker->getBody(), context_);
    if (GivesUp(stmt->getThen(), context_) && (main || !Returns(stmt->getThen()))) {
      condition = fmt::format("_cpp.lacks({})", condition);
    } else if (whole) {
      condition = fmt::format("_cpp.given({})", condition);
    }
  }
  Say(stmt, fmt::format("if {}:", condition));
  WriteBlock(stmt->getThen());
  const bool checks = condition.starts_with("_cpp.lacks(");
  if (checks || stmt->getElse() != nullptr) Say(checks ? stmt : stmt->getElse(), "else:");
  const bool counts = CountsArgumentsOf(stmt->getCond()) != nullptr;
  if (checks && counts) WriteGivenArguments(stmt);
  if (checks && !counts && stmt->getElse() == nullptr) WriteBlock(nullptr);
  if (stmt->getElse() != nullptr) WriteBlock(stmt->getElse());
  scopes_.pop_back();
}

// `for (int i = a; i < b; i += c)` over an index that the body leaves alone.
bool Translator::WriteCounted(const clang::ForStmt* stmt) {
  const auto* declares = llvm::dyn_cast_or_null<clang::DeclStmt>(stmt->getInit());
  const Expr* condition = stmt->getCond();
  const Expr* step = stmt->getInc();
  if (declares == nullptr || !declares->isSingleDecl() || condition == nullptr || step == nullptr) {
    return false;
  }
  const auto* index = llvm::dyn_cast<clang::VarDecl>(declares->getSingleDecl());
  const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
  if (index == nullptr || index->getInit() == nullptr || test == nullptr ||
      !index->getType()->isIntegralOrEnumerationType() || Named(test->getLHS()) != index ||
      Changes(stmt->getBody(), index)) {
    return false;
  }
  std::string by;
  bool down = false;
  step = step->IgnoreParenImpCasts();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(step)) {
    if (Named(unary->getSubExpr()) != index || !unary->isIncrementDecrementOp()) return false;
    down = unary->isDecrementOp();
    by = "1";
  } else if (const auto* binary = llvm::dyn_cast<clang::CompoundAssignOperator>(step)) {
    const bool adds = binary->getOpcode() == clang::BO_AddAssign;
    if (Named(binary->getLHS()) != index || !(adds || binary->getOpcode() == clang::BO_SubAssign)) {
      return false;
    }
    down = !adds;
    by = Visit(binary->getRHS());
  } else {
    return false;
  }
  const std::string begin = Visit(index->getInit());
  std::string end = Visit(test->getRHS());
  const clang::BinaryOperatorKind op = test->getOpcode();
  if (down ? (op != clang::BO_GE && op != clang::BO_GT)
           : (op != clang::BO_LT && op != clang::BO_LE && op != clang::BO_NE)) {
    return false;
  }
  if (op == clang::BO_LE) end += " + 1";
  if (op == clang::BO_GE) end += " - 1";
  const std::string name = Declare(index);
  const std::string bounds = begin == "0" && by == "1" && !down ? end : begin + ", " + end;
  const std::string steps = down ? ", -(" + by + ")" : by == "1" ? "" : ", " + by;
  Say(stmt, fmt::format("for {} in range({}{}):", name, bounds, steps));
  WriteBlock(stmt->getBody());
  return true;
}

// Each item has the name of its place. A loop that changes its list is read for one round, of an
// item that is not known.
bool Translator::WriteIterated(const clang::ForStmt* stmt) {
  const clang::VarDecl* place = PlaceOf(stmt);
  if (place == nullptr) return false;
  const std::optional<IteratedLoop> loop = IteratedOf(stmt);
  const std::string items = loop ? Visit(loop->list) : "";
  const std::string name = Declare(place);
  const bool whole = loop && loop->first == nullptr && loop->left == nullptr;
  if (loop && items == Visit(loop->until) && whole && !loop->looks_beside) {
    Say(stmt, fmt::format("for {} in _cpp.each({}):", name, items));
  } else if (loop && items == Visit(loop->until)) {
    const std::string index = fmt::format("_place_{}", ++lambdas_);
    const std::string first = loop->first == nullptr ? "0" : Visit(loop->first);
    const std::string left = loop->left == nullptr ? "" : " - " + Visit(loop->left);
    Say(stmt, fmt::format("for {} in range({}, len({}){}):", index, first, items, left));
    places_[place] = {items, index};
    writer_.Indent();
    Say(stmt, fmt::format("{} = {}[{}]", name, items, index));
    writer_.Dedent();
  } else {
    SayPlaceIsOpen(stmt, name);
  }
  WriteBlock(stmt->getBody());
  return true;
}

std::string Translator::BesideInLoop(const Expr* e) {
  if (places_.empty()) return {};
  const std::optional<BesidePlace> beside = BesideOf(e);
  const auto known = beside ? places_.find(beside->place) : places_.end();
  if (known == places_.end()) return {};
  const auto& [list, index] = known->second;
  if (beside->distance) return index;
  const std::string by =
      beside->by == nullptr ? fmt::format("{}", beside->step) : Visit(beside->by);
  return fmt::format("{}[{} {} {}]", list, index, beside->back ? "-" : "+", by);
}

void Translator::SayPlaceIsOpen(const Stmt* loop, const std::string& name) {
  Say(loop, fmt::format("{} = _cpp.unfollowed({})", name,
                        Quoted("places of '" + name +
                               "' are not followed: the loop changes "
                               "them")));
  Say(loop, fmt::format("while {}:", name));
}

// A place that begins a list stands for the list itself until the loop.
bool Translator::WritePlaced(const Stmt* stmt, const Expr* condition, const Expr* step,
                             const Stmt* body) {
  const std::optional<PlacedLoop> loop = PlacedOf(condition, step, body);
  if (!loop) return false;
  const std::string name = NameOf(loop->place);
  const std::string until = Visit(loop->until);
  if (loop->body.empty()) {
    SayPlaceIsOpen(stmt, name);
    WriteBlock(body);
    return true;
  }
  Say(stmt, fmt::format("for {0} in _cpp.each({0}):", name));
  scopes_.emplace_back();
  writer_.Indent();
  WriteStatements(loop->body);
  writer_.Dedent();
  scopes_.pop_back();
  Say(stmt, fmt::format("{} = {}", name, until));
  return true;
}

void Translator::WriteFor(const clang::ForStmt* stmt) {
  scopes_.emplace_back();
  const bool written = WriteCounted(stmt) || WriteIterated(stmt);
  if (!written && stmt->getInit() != nullptr) Write(stmt->getInit());
  if (!written && !WritePlaced(stmt, stmt->getCond(), stmt->getInc(), stmt->getBody())) {
    const std::string first = fmt::format("_first_{}", ++lambdas_);
    const bool skips = stmt->getInc() != nullptr && Continues(stmt->getBody());
    if (skips) Say(stmt, first + " = True");
    const std::string condition = stmt->getCond() == nullptr ? "True" : Condition(stmt->getCond());
    Say(stmt, skips ? "while True:" : fmt::format("while {}:", condition));
    writer_.Indent();
    if (skips) {
      Say(stmt, fmt::format("if not {}:", first));
      WriteBlock(stmt->getInc());
      Say(stmt, first + " = False");
      Say(stmt, fmt::format("if not ({}): break", condition));
    }
    WriteGiven(stmt->getCond());
    writer_.Dedent();
    WriteBlock(stmt->getBody());
    writer_.Indent();
    if (!skips && stmt->getInc() != nullptr) Write(stmt->getInc());
    writer_.Dedent();
  }
  scopes_.pop_back();
}

void Translator::WriteForRange(const clang::CXXForRangeStmt* stmt) {
  scopes_.emplace_back();
  if (stmt->getInit() != nullptr) Write(stmt->getInit());
  const std::string range = Visit(stmt->getRangeInit());
  WriteGiven(stmt->getRangeInit());
  const clang::VarDecl* variable = stmt->getLoopVariable();
  std::string names;
  if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(variable)) {
    for (const clang::BindingDecl* part : parts->bindings()) names += Declare(part) + ", ";
  } else {
    names = Declare(variable) + " ";
  }
  Say(stmt, fmt::format("for {}in _cpp.each({}):", names, range));
  WriteBlock(stmt->getBody());
  scopes_.pop_back();
}

void Translator::WriteDo(const clang::DoStmt* stmt) {
  if (Continues(stmt->getBody())) return Say(stmt, Unfollowed(stmt));
  Say(stmt, "while True:");
  WriteBlock(stmt->getBody());
  writer_.Indent();
  WriteGiven(stmt->getCond());
  Say(stmt->getCond(), fmt::format("if not ({}): break", Condition(stmt->getCond())));
  writer_.Dedent();
}

void Translator::WriteTry(const clang::CXXTryStmt* stmt) {
  Say(stmt, "try:");
  WriteBlock(stmt->getTryBlock());
  for (unsigned i = 0; i < stmt->getNumHandlers(); ++i) {
    const clang::CXXCatchStmt* handler = stmt->getHandler(i);
    scopes_.emplace_back();
    const clang::VarDecl* caught = handler->getExceptionDecl();
    const bool named = caught != nullptr && !caught->getName().empty();
    Say(handler, named ? fmt::format("except _cpp.Thrown as {}:", Declare(caught))
                       : std::string("except _cpp.Thrown:"));
    WriteBlock(handler->getHandlerBlock());
    scopes_.pop_back();
    break;
  }
}

}  // namespace tilewise::cpp
