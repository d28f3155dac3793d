// By which name a call goes into the facts of a source.

#pragma once

#include <string>
#include <string_view>

#include "frontend/cpp/expressions.h"
#include "frontend/cpp/project_files.h"
#include "workload/source_facts.h"

namespace tilewise::cpp {

// The name of what is called, empty where it has none; fills the receiver of a method. Methods of
// LibTorch are named as in Python, by the variable, those of XLA and TensorFlow and of the
// program's own classes by the class.
std::string NameCall(const clang::Expr* callee, const Expressions& read, const ProjectFiles& files,
                     SourceCall& call);

// Python's function for an operator on tensors that is one in the facts: "print" of `stream <<
// tensor`, which brings it to the host as that does, and "torch.gt" of `a > b`; empty: another.
std::string_view FunctionOfOperator(const clang::CXXOperatorCallExpr& call);

}  // namespace tilewise::cpp
