// Conditions that a program which is read, not run, answers by what they ask.

#pragma once

#include <optional>

#include <clang/AST/ExprCXX.h>

namespace tilewise::cpp {

// The variable that an expression names; null: it is another one.
const clang::VarDecl* Named(const clang::Expr* e);

// What a test of a stream that a file is read from says where the file is there and holds what is
// read: `if (file)`, `if (!file.is_open())`, `if (!(file >> n))`. Nothing: no such test.
std::optional<bool> OpensFile(const clang::Expr* e);

// Whether a condition asks for a flag that has no text: `FLAGS_data.empty()`.
bool AsksForFlag(const clang::Expr* e);

// The constant `IS_TRAIN` that switches training off where it is written; null: no such condition.
const clang::VarDecl* TrainingSwitch(const clang::Expr* e);

}  // namespace tilewise::cpp
