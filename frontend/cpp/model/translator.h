// What a C++ program computes, for the reader of training programs: LibTorch's modules, loops and
// data loaders and XLA's builder mean what the same names of PyTorch and of jax.lax mean, so that
// the program is written down in these, statement by statement, and run on symbols as they are.
// What has no counterpart becomes `_cpp.unfollowed("..")`, which is named at its line when it is
// reached. Declarations, statements and expressions each have a file.

#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringExtras.h>

#include "frontend/cpp/model/given.h"
#include "frontend/cpp/model/program_writer.h"
#include "frontend/cpp/project_files.h"

namespace tilewise::cpp {

// A text in quotes, as Python reads it.
std::string Quoted(std::string_view text);
// A number as Python reads it, infinities and NaN too.
std::string FloatText(double value);
// The expressions of `(a, b)`.
inline llvm::ArrayRef<const clang::Expr*> ExpressionsOf(const clang::ParenListExpr* list) {
  // Clang's own accessor of a constant list gives one at a time.
  auto* all = const_cast<clang::ParenListExpr*>(list);
  return {all->getExprs(), all->getNumExprs()};
}

class Translator : public clang::ConstStmtVisitor<Translator, std::string> {
 public:
  // `owners`: names of classes and functions that another module than `own` has.
  explicit Translator(clang::ASTContext& context, std::map<std::string, std::string> owners = {},
                      std::string own = {});

  TranslatedProgram Translate();
  // These are the full names of the classes and functions whose bodies the source has.
  std::set<std::string> Defined() const;
  // These are the classes of whose methods it has only some, outside of the class itself.
  std::set<std::string> Parts() const;

  // --- Expressions: the visitor's results are texts.
  std::string VisitStmt(const clang::Stmt* stmt);  // what has no counterpart
  std::string VisitIntegerLiteral(const clang::IntegerLiteral* e);
  std::string VisitFloatingLiteral(const clang::FloatingLiteral* e);
  std::string VisitStringLiteral(const clang::StringLiteral* e);
  std::string VisitCharacterLiteral(const clang::CharacterLiteral* e);
  std::string VisitCXXBoolLiteralExpr(const clang::CXXBoolLiteralExpr* e);
  std::string VisitCXXNullPtrLiteralExpr(const clang::CXXNullPtrLiteralExpr*) { return "None"; }
  std::string VisitGNUNullExpr(const clang::GNUNullExpr*) { return "None"; }
  std::string VisitUserDefinedLiteral(const clang::UserDefinedLiteral* e);
  std::string VisitPredefinedExpr(const clang::PredefinedExpr*) { return "''"; }
  std::string VisitParenExpr(const clang::ParenExpr* e) { return Visit(e->getSubExpr()); }
  std::string VisitConstantExpr(const clang::ConstantExpr* e) { return Visit(e->getSubExpr()); }
  std::string VisitExprWithCleanups(const clang::ExprWithCleanups* e) {
    return Visit(e->getSubExpr());
  }
  std::string VisitMaterializeTemporaryExpr(const clang::MaterializeTemporaryExpr* e) {
    return Visit(e->getSubExpr());
  }
  std::string VisitCXXBindTemporaryExpr(const clang::CXXBindTemporaryExpr* e) {
    return Visit(e->getSubExpr());
  }
  std::string VisitSubstNonTypeTemplateParmExpr(const clang::SubstNonTypeTemplateParmExpr* e) {
    return Visit(e->getReplacement());
  }
  std::string VisitCXXStdInitializerListExpr(const clang::CXXStdInitializerListExpr* e) {
    return Visit(e->getSubExpr());
  }
  std::string VisitCXXDefaultArgExpr(const clang::CXXDefaultArgExpr* e) {
    return Visit(e->getExpr());
  }
  std::string VisitCXXDefaultInitExpr(const clang::CXXDefaultInitExpr* e) {
    return Visit(e->getExpr());
  }
  std::string VisitPackExpansionExpr(const clang::PackExpansionExpr* e) {
    return "*" + Visit(e->getPattern());
  }
  std::string VisitCastExpr(const clang::CastExpr* e);
  std::string VisitDeclRefExpr(const clang::DeclRefExpr* e);
  std::string VisitMemberExpr(const clang::MemberExpr* e);
  std::string VisitCXXDependentScopeMemberExpr(const clang::CXXDependentScopeMemberExpr* e);
  std::string VisitDependentScopeDeclRefExpr(const clang::DependentScopeDeclRefExpr* e);
  std::string VisitUnresolvedLookupExpr(const clang::UnresolvedLookupExpr* e);
  std::string VisitUnresolvedMemberExpr(const clang::UnresolvedMemberExpr* e);
  std::string VisitCXXThisExpr(const clang::CXXThisExpr*) { return "self"; }
  std::string VisitCallExpr(const clang::CallExpr* e);
  std::string VisitCXXMemberCallExpr(const clang::CXXMemberCallExpr* e);
  std::string VisitCXXOperatorCallExpr(const clang::CXXOperatorCallExpr* e);
  std::string VisitCXXConstructExpr(const clang::CXXConstructExpr* e);
  std::string VisitCXXUnresolvedConstructExpr(const clang::CXXUnresolvedConstructExpr* e);
  std::string VisitCXXScalarValueInitExpr(const clang::CXXScalarValueInitExpr* e);
  std::string VisitImplicitValueInitExpr(const clang::ImplicitValueInitExpr* e);
  std::string VisitCXXNewExpr(const clang::CXXNewExpr* e);
  std::string VisitInitListExpr(const clang::InitListExpr* e);
  std::string VisitParenListExpr(const clang::ParenListExpr* e);
  std::string VisitLambdaExpr(const clang::LambdaExpr* e);
  std::string VisitUnaryOperator(const clang::UnaryOperator* e);
  std::string VisitBinaryOperator(const clang::BinaryOperator* e);
  std::string VisitConditionalOperator(const clang::ConditionalOperator* e);
  std::string VisitArraySubscriptExpr(const clang::ArraySubscriptExpr* e);
  std::string VisitUnaryExprOrTypeTraitExpr(const clang::UnaryExprOrTypeTraitExpr* e);
  std::string VisitCXXTypeidExpr(const clang::CXXTypeidExpr* e);
  std::string VisitCXXDeleteExpr(const clang::CXXDeleteExpr* e);
  std::string VisitCXXThrowExpr(const clang::CXXThrowExpr* e);
  std::string VisitRecoveryExpr(const clang::RecoveryExpr* e);

 private:
  enum class Side { kUser, kLibrary };

  // --- names.cc: what a name of the source is called.
  Side SideOf(const clang::Decl* decl) const;
  // Whether the line is in the source itself or in a header beside it.
  // "torch.nn.Conv2d" of a library's entity.
  std::string LibraryPath(const clang::NamedDecl* decl) const;
  std::string NameOf(const clang::NamedDecl* decl);
  std::string InstanceName(const clang::ClassTemplateSpecializationDecl* made);
  std::string MakerOf(const clang::ClassTemplatePartialSpecializationDecl* partial);
  std::string TemplateValue(const clang::TemplateArgument& argument);
  std::string TemplateDefault(const clang::NamedDecl* parameter);
  bool InSight(const std::string& name) const;
  // A name that no other declaration in sight has; kept for `decl`.
  std::string Declare(const clang::NamedDecl* decl, std::string wanted = {});
  static std::string OperatorName(const clang::FunctionDecl* function);
  std::string MethodName(const clang::FunctionDecl* method);
  std::string TypeName(clang::QualType type);  // empty: it has no counterpart
  std::string TemplateArguments(const clang::FunctionDecl* callee);
  std::string DefaultOf(clang::QualType type);     // a value that is made of nothing
  int32_t LineOf(clang::SourceLocation at) const;  // a place, as LinePlaces has it
  std::string SourceOf(clang::SourceRange range) const;
  std::string Unfollowed(const clang::Stmt* stmt, std::string_view why = {}) const;

  // --- declarations.cc
  void Collect(const clang::DeclContext* context, std::set<std::string>& defined,
               std::set<std::string>& parts) const;
  // `from MODULE import NAME`, where another module has what the declaration says.
  bool WriteImport(const clang::NamedDecl* decl, const std::string& name);
  static std::string ExportedName(const clang::NamedDecl* decl);
  void WriteExport(const clang::NamedDecl* decl, const std::string& name);
  void DeclareAll(const clang::DeclContext* context);
  // Functions that build a computation and that nothing in the source calls.
  void WriteBuilders();
  void CollectFunctions(const clang::DeclContext* context,
                        std::vector<const clang::FunctionDecl*>& functions) const;
  void WriteAll(const clang::DeclContext* context);
  void WriteDeclaration(const clang::Decl* decl);
  void WriteClass(const clang::CXXRecordDecl* record);
  void WriteMembers(const clang::CXXRecordDecl* record, const std::string& name);
  void WriteBases(const clang::CXXRecordDecl* record, const std::string& name);
  void WriteConstructor(const clang::CXXRecordDecl* record,
                        const clang::CXXConstructorDecl* constructor);
  void WriteDefaultConstructor(const clang::CXXRecordDecl* record);
  void WriteConstructorChoice(const std::vector<const clang::CXXConstructorDecl*>& constructors);
  void WriteFieldDefaults(const clang::CXXRecordDecl* record,
                          const clang::CXXConstructorDecl* constructor);
  void WriteFunction(const clang::FunctionDecl* function, const std::string& name, bool method);
  void WriteBody(const clang::FunctionDecl* function);
  void WriteLeaving(const clang::FunctionDecl* function, const std::set<unsigned>& parameters);
  void WriteEnum(const clang::EnumDecl* decl);
  void WriteVariable(const clang::VarDecl* variable);
  std::string Parameters(const clang::FunctionDecl* function, bool method);
  void WriteOuterNames(const clang::Stmt* body, const clang::FunctionDecl* function);

  // --- statements.cc
  void Write(const clang::Stmt* stmt);
  void WriteBlock(const clang::Stmt* stmt);
  void WriteStatements(llvm::ArrayRef<const clang::Stmt*> statements);
  void WriteDecl(const clang::DeclStmt* stmt);
  void WriteLocal(const clang::VarDecl* variable);
  void WriteDeclaring(const clang::WhileStmt* stmt);
  void WriteIf(const clang::IfStmt* stmt);
  void WriteFor(const clang::ForStmt* stmt);
  bool WriteCounted(const clang::ForStmt* stmt);
  bool WriteIterated(const clang::ForStmt* stmt);
  bool WritePlaced(const clang::Stmt* stmt, const clang::Expr* condition, const clang::Expr* step,
                   const clang::Stmt* body);
  void SayPlaceIsOpen(const clang::Stmt* loop, const std::string& name);
  void WriteForRange(const clang::CXXForRangeStmt* stmt);
  void WriteDo(const clang::DoStmt* stmt);
  void WriteSwitch(const clang::SwitchStmt* stmt);
  void WriteTry(const clang::CXXTryStmt* stmt);
  void WriteExpression(const clang::Expr* e);
  bool WriteAssignment(const clang::Expr* e);
  bool WriteOption(const clang::Expr* target, const clang::Expr* value);
  bool WritePart(const clang::Expr* target, const std::string& value);
  void WriteGivenArguments(const clang::IfStmt* check);
  std::string Target(const clang::Expr* e);
  void WriteGiven(const clang::Stmt* stmt);  // what its calls set
  // What is asked of a place in a list that a loop counts; empty: another expression.
  std::string BesideInLoop(const clang::Expr* e);
  void WriteGivenInside(const clang::Stmt* stmt);
  void WriteGivenInText(const clang::VarDecl* variable);
  void WriteGivenInText(llvm::StringRef text, const clang::VarDecl* except);
  void WriteDropped(const clang::Stmt* before, const clang::Stmt* after);
  std::string Condition(const clang::Expr* e);
  static std::string Guard(const clang::Stmt* stmt);  // of a block, as torch::NoGradGuard is

  // --- calls.cc, constructs.cc
  std::string Arguments(llvm::ArrayRef<const clang::Expr*> arguments);
  std::string OwnArguments(const clang::FunctionDecl* function,
                           llvm::ArrayRef<const clang::Expr*> arguments);
  std::string OwnOperator(const clang::CXXOperatorCallExpr* e);
  std::string LibraryCall(const std::string& callee, llvm::ArrayRef<const clang::Expr*> arguments);
  std::string MethodCall(const clang::Expr* base, const std::string& name,
                         llvm::ArrayRef<const clang::Expr*> arguments, const std::string& types,
                         const clang::CXXMethodDecl* method);
  std::string Construct(clang::QualType type, llvm::ArrayRef<const clang::Expr*> arguments,
                        const clang::CXXConstructorDecl* constructor);
  std::string ConstructList(clang::QualType type, llvm::ArrayRef<const clang::Expr*> arguments,
                            const clang::CXXConstructorDecl* constructor);
  std::string ElementOf(clang::QualType list);
  std::string DefaultParts(const clang::ClassTemplateSpecializationDecl* made);
  std::string EmplacedIn(clang::QualType list, llvm::ArrayRef<const clang::Expr*> arguments);
  std::string WrittenTypes(llvm::ArrayRef<clang::TemplateArgumentLoc> arguments);
  std::string Operation(clang::OverloadedOperatorKind op, const clang::Expr* a,
                        const clang::Expr* b, const clang::Expr* whole);
  std::string Updated(const clang::Expr* target, const std::string& value, const clang::Expr* e);
  std::string Value(const clang::Expr* e);  // as a variable of its own
  // Whether a name, which may be that of several functions, is of the program's own.
  bool IsOfProgram(const clang::Expr* callee) const;
  // The object and the name of a member that its class, as it is declared here, does not have;
  // null: the expression is another one.
  std::pair<const clang::Expr*, std::string> MissingMember(const clang::Expr* e) const;

  void Say(const clang::Stmt* stmt, std::string_view text) {
    writer_.Line(LineOf(stmt->getBeginLoc()), text);
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  ProjectFiles files_;
  SetByCalls set_by_calls_;
  std::map<std::string, std::string> owners_;
  std::string own_;
  ProgramWriter writer_;
  // The project's headers that were read, and what number each has.
  mutable std::vector<std::string> headers_;
  mutable std::map<clang::FileID, int32_t> header_numbers_;
  std::map<const clang::Decl*, std::string> names_;
  // The list and the index of places in lists that loops count.
  std::map<const clang::VarDecl*, std::pair<std::string, std::string>> places_;
  std::vector<std::set<std::string>> scopes_;
  std::vector<const clang::TemplateParameterList*> class_parameters_;  // of templates around
  int32_t line_ = 0;  // of the argument that is written
  int lambdas_ = 0;
  bool models_ = false;
  bool builds_ = false;
};

}  // namespace tilewise::cpp
