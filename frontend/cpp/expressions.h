// What the expressions of a C++ source say: names, numbers and their text.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include "frontend/cpp/fixed_values.h"
#include "workload/source_facts.h"

namespace tilewise::cpp {

// "torch::nn::Conv2d", "at::relu" as the dotted names that rules know: "torch.nn.Conv2d",
// "torch.relu", "tensorflow.nn.max_pool".
std::string DottedName(const clang::NamedDecl& declared);
// Whether the name is one of LibTorch, XLA or TensorFlow.
bool IsOfLibrary(std::string_view dotted);

// The class of a value behind references, pointers and smart pointers; null: none or not known.
const clang::NamedDecl* ClassOf(clang::QualType type);

// Strips what is not written: conversions, temporaries, constructors of one argument.
const clang::Expr* Written(const clang::Expr* expression);

// An expression that calls something: functions, methods, constructors, and calls that Clang could
// not resolve. Null callee and type: not a call.
struct CallParts {
  const clang::Expr* callee = nullptr;     // of a function or method
  const clang::NamedDecl* type = nullptr;  // of a constructor
  std::vector<const clang::Expr*> arguments;
  explicit operator bool() const { return callee != nullptr || type != nullptr; }
};
CallParts PartsOf(const clang::Expr* expression);

// These are the parts of `object.method` or `object->method`, resolved or not.
struct MethodParts {
  std::string name;                               // "item"
  const clang::Expr* object = nullptr;            // null: of this class
  const clang::NamedDecl* type = nullptr;         // that has it, where known
  const clang::NamedDecl* declared_in = nullptr;  // that class or a base of it
};
std::optional<MethodParts> MethodOf(const clang::Expr* callee);

class Expressions {
 public:
  // `path`: what locations name the file that is read.
  Expressions(clang::ASTContext& context, std::string path, clang::FileID file)
      : context_(context), path_(std::move(path)), file_(file), fixed_(context) {}

  clang::ASTContext& context() const { return context_; }
  // Returns where it is written in the source that is read; for a macro's body, where that is used.
  Location PlaceOf(clang::SourceLocation at) const;
  bool InFile(clang::SourceLocation at) const;
  // Bytes of the source, empty where a macro made it.
  Span SpanOf(clang::SourceRange range) const;
  std::string TextOf(const clang::Stmt* statement) const;  // at most 200 bytes
  // Returns where the last part of the name that is called stands; empty where it is not written
  // there, as for variables, or where a macro wrote it.
  Span NameSpanOf(const clang::Expr* expression, const CallParts& parts) const;

  // The value that constants, enums, template arguments and variables that nothing changes tell.
  std::optional<int64_t> NumberOf(const clang::Expr* expression) const;
  // A number, or a list of nothing else.
  std::vector<int64_t> NumbersOf(const clang::Expr* expression) const;
  // Variables that it reads, in order, once each.
  std::vector<std::string> NamesIn(const clang::Stmt* statement) const;
  // The text of a name or a chain of members: "torch.kFloat64", "batch.data".
  std::string NameOf(const clang::Expr* expression) const;
  SourceArgument ArgumentOf(const clang::Expr* expression) const;
  // Returns the arguments of a call as rules compare them: options of LibTorch (`Conv2dOptions(1,
  // 10, 5).stride(2)`) are their constructor's arguments and a keyword for each setter.
  std::vector<SourceArgument> ArgumentsOf(const std::vector<const clang::Expr*>& written) const;

 private:
  bool AddOptions(const clang::Expr* expression, std::vector<SourceArgument>& to) const;
  std::optional<int64_t> NumberOfVariable(const clang::Expr* expression) const;
  // The number that all of them are.
  std::optional<int64_t> NumberOfAll(const std::vector<const clang::Expr*>& all) const;

  clang::ASTContext& context_;
  std::string path_;
  clang::FileID file_;
  mutable FixedValues fixed_;  // looks at the source when it is first asked
  mutable int depth_ = 0;      // of values that come of others
};

}  // namespace tilewise::cpp
