// One walk over the declarations and statements of the main file. Templates are walked as they are
// written, once.

#include "frontend/cpp/source_walk.h"

#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/cpp/call_names.h"
#include "frontend/cpp/counted_loops.h"
#include "frontend/cpp/expressions.h"
#include "frontend/cpp/library_calls.h"
#include "frontend/cpp/project_files.h"

namespace tilewise::cpp {
namespace {

// This is where the walk is.
struct Position {
  std::string function;
  std::string class_name;
  bool in_dataset_function = false;
  int32_t context = -1;
  int32_t outer = -1;  // call
};

// Whether the statement ends the round of a loop. One that returns or breaks leaves no round in
// which only a part runs.
bool EndsRound(const clang::Stmt* statement) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    return !block->body_empty() && EndsRound(block->body_back());
  }
  return llvm::isa<clang::ContinueStmt>(statement);
}

class Walker {
 public:
  Walker(clang::ASTContext& context, const std::string& path, clang::FileID file,
         SourceFacts& facts)
      : read_(context, path, file), files_(context.getSourceManager()), facts_(facts) {}

  void WalkDeclaration(const clang::Decl* declared, Position place);

 private:
  int32_t Open(ContextKind kind, clang::SourceLocation at, const Position& place);
  int32_t OpenCondition(ContextKind kind, const clang::Expr* condition, const Position& place);
  static Position Inside(int32_t context, Position place) {
    place.context = context;
    return place;
  }
  void WalkFunction(const clang::FunctionDecl* function, Position place);
  int32_t OpenClass(const clang::CXXRecordDecl* record, clang::SourceLocation at,
                    const Position& place);
  void WalkClass(const clang::CXXRecordDecl* record, Position place);
  void WalkVariable(const clang::VarDecl* variable, const Position& place);
  void WalkChildren(const clang::Stmt* statement, const Position& place);
  void WalkBlock(const clang::CompoundStmt* block, Position place);
  void WalkIf(const clang::IfStmt* branch, const Position& place);
  void WalkLoop(const clang::Stmt* loop, const Position& place);
  void NoteRounds(int64_t rounds, int32_t loop, const Position& place);
  void Walk(const clang::Stmt* statement, const Position& place);
  void WalkExpression(const clang::Expr* expression, const Position& place);
  void WalkAssigned(const clang::Expr* target, const clang::Expr* value, bool augmented,
                    const Position& place);
  // The index of the call; -1: it is none that has a name.
  int32_t WalkCall(const clang::Expr* expression, const CallParts& parts, const Position& place);
  void WalkArguments(const CallParts& parts, int32_t index, const Position& inner);
  // What runs under a condition within an expression, or what is printed. False: neither.
  bool WalkOperator(const clang::Expr* expression, const Position& place);
  void NoteAssignment(std::vector<std::string> targets, const clang::Expr* value, bool augmented,
                      clang::SourceLocation at, const Position& place);

  Expressions read_;
  ProjectFiles files_;
  SourceFacts& facts_;
};

int32_t Walker::Open(ContextKind kind, clang::SourceLocation at, const Position& place) {
  SourceContext& opened = facts_.contexts.emplace_back();
  opened.kind = kind;
  opened.parent = place.context;
  opened.location = read_.PlaceOf(at);
  return static_cast<int32_t>(facts_.contexts.size() - 1);
}

int32_t Walker::OpenCondition(ContextKind kind, const clang::Expr* condition,
                              const Position& place) {
  const int32_t index = Open(kind, condition->getBeginLoc(), place);
  facts_.contexts[index].text = read_.TextOf(condition);
  facts_.contexts[index].names = read_.NamesIn(condition);
  return index;
}

// A method that is defined outside of its class stands in it all the same.
void Walker::WalkFunction(const clang::FunctionDecl* function, Position place) {
  if (!function->doesThisDeclarationHaveABody()) return;
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function)) {
    if (method->isOutOfLine()) {
      place.context = OpenClass(method->getParent(), function->getLocation(), place);
    }
  }
  const int32_t index = Open(ContextKind::kFunction, function->getLocation(), place);
  const std::string name = function->getNameAsString();
  facts_.contexts[index].name = name;
  for (const clang::ParmVarDecl* parameter : function->parameters()) {
    facts_.contexts[index].targets.push_back(parameter->getNameAsString());
  }
  place.function = name;
  place.context = index;
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function)) {
    place.class_name = method->getParent()->getNameAsString();
    // Items of a data set, and what transforms make of one.
    place.in_dataset_function = name == "get" || name == "get_batch" || name == "apply";
  }
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructorDecl>(function)) {
    for (const clang::CXXCtorInitializer* init : made->inits()) {
      if (!init->isWritten() || init->getInit() == nullptr) continue;
      if (init->isAnyMemberInitializer()) {
        NoteAssignment({init->getAnyMember()->getNameAsString()}, init->getInit(), false,
                       init->getSourceLocation(), place);
      } else {
        WalkExpression(init->getInit(), place);
      }
    }
  }
  facts_.contexts[index].names = read_.NamesIn(function->getBody());
  Walk(function->getBody(), place);
}

int32_t Walker::OpenClass(const clang::CXXRecordDecl* record, clang::SourceLocation at,
                          const Position& place) {
  const int32_t index = Open(ContextKind::kClass, at, place);
  facts_.contexts[index].name = record->getNameAsString();
  if (!record->hasDefinition()) return index;
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    const clang::NamedDecl* type = ClassOf(base.getType());
    if (type != nullptr) facts_.contexts[index].bases.push_back(DottedName(*type));
  }
  return index;
}

void Walker::WalkClass(const clang::CXXRecordDecl* record, Position place) {
  if (!record->isThisDeclarationADefinition() || record->isLambda()) return;
  place.class_name = record->getNameAsString();
  place.context = OpenClass(record, record->getLocation(), place);
  for (const clang::Decl* member : record->decls()) {
    if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(member)) {
      if (!field->hasInClassInitializer() || field->getInClassInitializer() == nullptr) continue;
      NoteAssignment({field->getNameAsString()}, field->getInClassInitializer(), false,
                     field->getLocation(), place);
    } else if (!member->isImplicit()) {
      WalkDeclaration(member, place);
    }
  }
}

void Walker::WalkVariable(const clang::VarDecl* variable, const Position& place) {
  if (!variable->hasInit()) return;
  NoteAssignment({variable->getNameAsString()}, variable->getInit(), false, variable->getLocation(),
                 place);
}

void Walker::WalkDeclaration(const clang::Decl* declared, Position place) {
  if (declared->isImplicit()) return;
  if (const auto* pattern = llvm::dyn_cast<clang::TemplateDecl>(declared)) {
    if (pattern->getTemplatedDecl() != nullptr) {
      WalkDeclaration(pattern->getTemplatedDecl(), std::move(place));
    }
  } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declared)) {
    WalkFunction(function, std::move(place));
  } else if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(declared)) {
    WalkClass(record, std::move(place));
  } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared)) {
    WalkVariable(variable, place);
  } else if (llvm::isa<clang::NamespaceDecl>(declared) ||
             llvm::isa<clang::LinkageSpecDecl>(declared)) {
    for (const clang::Decl* inner : llvm::cast<clang::DeclContext>(declared)->decls()) {
      WalkDeclaration(inner, place);
    }
  }
}

void Walker::WalkChildren(const clang::Stmt* statement, const Position& place) {
  for (const clang::Stmt* child : statement->children()) {
    if (child != nullptr) Walk(child, place);
  }
}

void Walker::WalkBlock(const clang::CompoundStmt* block, Position place) {
  for (const clang::Stmt* statement : block->body()) {
    Walk(statement, place);
    // What follows `if (text) continue;` runs where text does not hold.
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
    if (branch != nullptr && branch->getElse() == nullptr && EndsRound(branch->getThen())) {
      place.context = OpenCondition(ContextKind::kElse, branch->getCond(), place);
    }
  }
}

void Walker::WalkIf(const clang::IfStmt* branch, const Position& place) {
  if (branch->getInit() != nullptr) Walk(branch->getInit(), place);
  if (branch->getConditionVariable() != nullptr) {
    WalkVariable(branch->getConditionVariable(), place);
  } else {
    Walk(branch->getCond(), place);
  }
  Walk(branch->getThen(), Inside(OpenCondition(ContextKind::kIf, branch->getCond(), place), place));
  if (branch->getElse() == nullptr) return;
  Walk(branch->getElse(),
       Inside(OpenCondition(ContextKind::kElse, branch->getCond(), place), place));
}

// A loop that counts runs over the range that Python would write.
void Walker::NoteRounds(int64_t rounds, int32_t loop, const Position& place) {
  SourceCall& range = facts_.calls.emplace_back();
  range.name = "range";
  range.location = facts_.contexts[loop].location;
  range.function = place.function;
  range.class_name = place.class_name;
  range.in_dataset_function = place.in_dataset_function;
  range.context = place.context;
  range.arguments.emplace_back().sizes = {rounds};
  facts_.contexts[loop].call = static_cast<int32_t>(facts_.calls.size() - 1);
}

void Walker::WalkLoop(const clang::Stmt* loop, const Position& place) {
  const clang::Stmt* body = nullptr;
  int32_t index = -1;
  if (const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(loop)) {
    const auto first = static_cast<int32_t>(facts_.calls.size());
    Walk(range->getRangeInit(), place);
    index = Open(ContextKind::kFor, range->getForLoc(), place);
    const bool called = static_cast<bool>(PartsOf(Written(range->getRangeInit())));
    if (called && facts_.calls.size() > static_cast<size_t>(first)) {
      facts_.contexts[index].call = first;
    }
    facts_.contexts[index].text = read_.TextOf(range->getRangeInit());
    facts_.contexts[index].names = read_.NamesIn(range->getRangeInit());
    facts_.contexts[index].targets = {range->getLoopVariable()->getNameAsString()};
    body = range->getBody();
  } else if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(loop)) {
    if (counted->getInit() != nullptr) Walk(counted->getInit(), place);
    index = Open(ContextKind::kFor, counted->getForLoc(), place);
    facts_.contexts[index].targets = CountersOf(*counted);
    if (const auto rounds = RoundsOf(*counted, read_)) NoteRounds(*rounds, index, place);
    if (counted->getCond() != nullptr) {
      facts_.contexts[index].text = read_.TextOf(counted->getCond());
      facts_.contexts[index].names = read_.NamesIn(counted->getCond());
      Walk(counted->getCond(), Inside(index, place));
    }
    if (counted->getInc() != nullptr) Walk(counted->getInc(), Inside(index, place));
    body = counted->getBody();
  } else {
    const auto* repeated = llvm::dyn_cast<clang::WhileStmt>(loop);
    const auto* after = llvm::dyn_cast<clang::DoStmt>(loop);
    index = Open(ContextKind::kWhile, loop->getBeginLoc(), place);
    const clang::Expr* condition = repeated != nullptr ? repeated->getCond() : after->getCond();
    facts_.contexts[index].text = read_.TextOf(condition);
    facts_.contexts[index].names = read_.NamesIn(condition);
    Walk(condition, Inside(index, place));
    body = repeated != nullptr ? repeated->getBody() : after->getBody();
  }
  if (body != nullptr) Walk(body, Inside(index, place));
}

void Walker::Walk(const clang::Stmt* statement, const Position& place) {
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement)) {
    WalkExpression(expression, place);
  } else if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    WalkBlock(block, place);
  } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    WalkIf(branch, place);
  } else if (const auto* cases = llvm::dyn_cast<clang::SwitchStmt>(statement)) {
    Walk(cases->getCond(), place);
    const int32_t index = OpenCondition(ContextKind::kIf, cases->getCond(), place);
    Walk(cases->getBody(), Inside(index, place));
  } else if (const auto* handler = llvm::dyn_cast<clang::CXXCatchStmt>(statement)) {
    const int32_t index = Open(ContextKind::kIf, handler->getBeginLoc(), place);
    Walk(handler->getHandlerBlock(), Inside(index, place));
  } else if (RunsOnce(statement)) {
    Walk(llvm::cast<clang::DoStmt>(statement)->getBody(), place);
  } else if (llvm::isa<clang::ForStmt>(statement) || llvm::isa<clang::WhileStmt>(statement) ||
             llvm::isa<clang::DoStmt>(statement) || llvm::isa<clang::CXXForRangeStmt>(statement)) {
    WalkLoop(statement, place);
  } else if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl* declared : declarations->decls()) WalkDeclaration(declared, place);
  } else {
    WalkChildren(statement, place);
  }
}

void Walker::NoteAssignment(std::vector<std::string> targets, const clang::Expr* value,
                            bool augmented, clang::SourceLocation at, const Position& place) {
  const auto first_call = static_cast<int32_t>(facts_.calls.size());
  const clang::Expr* written = Written(value);
  // `torch::nn::Linear fc{320, 50}` and members are made where they are named.
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(value->IgnoreImplicit());
  int32_t call = -1;
  if (made != nullptr && IsOfLibrary(DottedName(*made->getConstructor()->getParent())) &&
      !made->getConstructor()->isCopyOrMoveConstructor()) {
    const std::string type = DottedName(*made->getConstructor()->getParent());
    const bool same = type == DottedName(*(PartsOf(written).type != nullptr
                                               ? PartsOf(written).type
                                               : made->getConstructor()->getParent())) &&
                      llvm::isa<clang::CXXConstructExpr>(written);
    call = WalkCall(same ? written : made, PartsOf(same ? written : made), place);
    if (call >= 0 && !same) facts_.calls[call].location = read_.PlaceOf(at);
  } else {
    const size_t first_context = facts_.contexts.size();
    WalkExpression(value, place);
    if (llvm::isa<clang::LambdaExpr>(written) && facts_.contexts.size() > first_context) {
      facts_.contexts[first_context].name = targets.front();
    }
    const bool is_call = static_cast<bool>(PartsOf(written));
    if (is_call && facts_.calls.size() > static_cast<size_t>(first_call)) call = first_call;
  }
  if (call >= 0) facts_.calls[call].results = targets;
  SourceAssignment& assignment = facts_.assignments.emplace_back();
  assignment.targets = std::move(targets);
  assignment.location = read_.PlaceOf(at);
  assignment.text = read_.TextOf(value);
  assignment.name = read_.NameOf(value);
  assignment.names = read_.NamesIn(value);
  assignment.call = call;
  assignment.context = place.context;
  assignment.augmented = augmented;
}

void Walker::WalkAssigned(const clang::Expr* target, const clang::Expr* value, bool augmented,
                          const Position& place) {
  WalkExpression(target, place);
  std::vector<std::string> targets;
  const std::string name = read_.NameOf(target);
  targets.push_back(name.starts_with("self.") ? name.substr(5)
                    : name.empty()            ? read_.TextOf(target)
                                              : name);
  NoteAssignment(std::move(targets), value, augmented, target->getBeginLoc(), place);
}

int32_t Walker::WalkCall(const clang::Expr* expression, const CallParts& parts,
                         const Position& place) {
  SourceCall call;
  if (parts.callee != nullptr) {
    call.name = NameCall(parts.callee, read_, files_, call);
  } else {
    call.name = DottedName(*parts.type);
  }
  if (call.name.empty()) return -1;
  call.location = read_.PlaceOf(expression->getBeginLoc());
  call.function = place.function;
  call.class_name = place.class_name;
  call.in_dataset_function = place.in_dataset_function;
  call.context = place.context;
  call.outer = place.outer;
  call.arguments = read_.ArgumentsOf(parts.arguments);
  if (call.name == "torch.utils.data.DataLoader") NameLoaderArguments(parts, call);
  if (!parts.arguments.empty()) {
    call.arguments_span =
        read_.SpanOf({parts.arguments.front()->getBeginLoc(), parts.arguments.back()->getEndLoc()});
  }
  call.name_span = read_.NameSpanOf(expression, parts);
  const auto index = static_cast<int32_t>(facts_.calls.size());
  facts_.calls.push_back(std::move(call));
  Position inner = place;
  inner.outer = index;
  if (parts.callee != nullptr) WalkChildren(parts.callee, inner);
  WalkArguments(parts, index, inner);
  return index;
}

void Walker::WalkArguments(const CallParts& parts, int32_t index, const Position& inner) {
  for (const clang::Expr* argument : parts.arguments) {
    const auto first = static_cast<int32_t>(facts_.calls.size());
    WalkExpression(argument, inner);
    const bool called = static_cast<bool>(PartsOf(Written(argument)));
    if (!called || facts_.calls.size() == static_cast<size_t>(first)) continue;
    const Span span = read_.SpanOf(argument->getSourceRange());
    for (SourceArgument& each : facts_.calls[index].arguments) {
      if (span.end > 0 && each.span.begin == span.begin && each.span.end == span.end)
        each.call = first;
    }
  }
}

bool Walker::WalkOperator(const clang::Expr* expression, const Position& place) {
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
    Walk(choice->getCond(), place);
    const int32_t then = OpenCondition(ContextKind::kIf, choice->getCond(), place);
    Walk(choice->getTrueExpr(), Inside(then, place));
    const int32_t other = OpenCondition(ContextKind::kElse, choice->getCond(), place);
    Walk(choice->getFalseExpr(), Inside(other, place));
    return true;
  }
  const auto* logical = llvm::dyn_cast<clang::BinaryOperator>(expression);
  if (logical != nullptr && logical->isLogicalOp()) {
    Walk(logical->getLHS(), place);
    const bool both = logical->getOpcode() == clang::BO_LAnd;
    const int32_t rest =
        OpenCondition(both ? ContextKind::kIf : ContextKind::kElse, logical->getLHS(), place);
    Walk(logical->getRHS(), Inside(rest, place));
    return true;
  }
  const auto* of_tensors = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
  if (of_tensors == nullptr || of_tensors->getNumArgs() != 2) return false;
  const std::string_view name = FunctionOfOperator(*of_tensors);
  if (name.empty()) return false;
  const bool shows = name == "print";
  SourceCall& call = facts_.calls.emplace_back();
  call.name = name;
  call.location = read_.PlaceOf(of_tensors->getArg(shows ? 1 : 0)->getBeginLoc());
  call.function = place.function;
  call.class_name = place.class_name;
  call.in_dataset_function = place.in_dataset_function;
  call.context = place.context;
  call.outer = place.outer;
  if (!shows) call.arguments.push_back(read_.ArgumentOf(of_tensors->getArg(0)));
  call.arguments.push_back(read_.ArgumentOf(of_tensors->getArg(1)));
  Position inner = place;
  inner.outer = static_cast<int32_t>(facts_.calls.size() - 1);
  WalkExpression(of_tensors->getArg(1), inner);
  WalkExpression(of_tensors->getArg(0), shows ? place : inner);
  return true;
}

void Walker::WalkExpression(const clang::Expr* expression, const Position& place) {
  const clang::Expr* bare = expression->IgnoreImplicit()->IgnoreParens();
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(bare)) {
    const int32_t index = Open(ContextKind::kLambda, lambda->getBeginLoc(), place);
    facts_.contexts[index].call = place.outer;
    for (const clang::ParmVarDecl* parameter : lambda->getCallOperator()->parameters()) {
      facts_.contexts[index].targets.push_back(parameter->getNameAsString());
    }
    Position inner = Inside(index, place);
    inner.outer = -1;
    Walk(lambda->getBody(), inner);
    return;
  }
  if (const auto* assigned = llvm::dyn_cast<clang::BinaryOperator>(bare)) {
    if (assigned->isAssignmentOp()) {
      WalkAssigned(assigned->getLHS(), assigned->getRHS(), assigned->isCompoundAssignmentOp(),
                   place);
      return;
    }
  }
  if (const auto* assigned = llvm::dyn_cast<clang::CXXOperatorCallExpr>(bare)) {
    if (assigned->isAssignmentOp() && assigned->getNumArgs() == 2) {
      WalkAssigned(assigned->getArg(0), assigned->getArg(1),
                   assigned->getOperator() != clang::OO_Equal, place);
      return;
    }
  }
  if (WalkOperator(bare, place)) return;
  const CallParts parts = PartsOf(bare);
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(bare);
  // Conversions and copies are no calls of the program's.
  const bool written =
      made == nullptr || llvm::isa<clang::CXXTemporaryObjectExpr>(bare) ||
      (made->getParenOrBraceRange().isValid() &&
       !made->getConstructor()->isCopyOrMoveConstructor() && !made->isStdInitListInitialization());
  if (parts && written && WalkCall(bare, parts, place) >= 0) return;
  WalkChildren(bare, place);
}

}  // namespace

SourceFacts CollectFacts(clang::ASTContext& context, const std::string& path) {
  return CollectFacts(context, path, context.getSourceManager().getMainFileID(), nullptr);
}

SourceFacts CollectFacts(clang::ASTContext& context, const std::string& path, clang::FileID file,
                         const std::function<bool(const clang::Decl*)>& keeps) {
  SourceFacts facts;
  Walker walker(context, path, file, facts);
  const clang::SourceManager& sources = context.getSourceManager();
  const std::function<void(const clang::Decl*)> walk = [&](const clang::Decl* each) {
    const bool opens = llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(each);
    if (keeps != nullptr && opens) {
      for (const clang::Decl* inner : llvm::cast<clang::DeclContext>(each)->noload_decls())
        walk(inner);
    } else if (sources.getFileID(sources.getFileLoc(each->getLocation())) == file) {
      if (keeps == nullptr || keeps(each)) walker.WalkDeclaration(each, {});
    }
  };
  for (const clang::Decl* each : context.getTranslationUnitDecl()->noload_decls()) walk(each);
  return facts;
}

}  // namespace tilewise::cpp
