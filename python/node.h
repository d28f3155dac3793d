// The code of a Python module as the interpreter walks it: made once from the
// syntax tree, names resolved to where their values will be.

#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "base/line_places.h"
#include "base/status.h"
#include "python/value.h"

namespace tilewise::py {

enum class NodeKind : uint8_t {
  // Expressions.
  kConstant,
  kImaginary,  // constant j
  kName,
  kAttribute,    // a . name
  kSubscript,    // a [ b ]
  kSlice,        // a : b : c
  kCall,         // a ( list: expressions, kStar, kDoubleStar, kKeyword )
  kKeyword,      // name = a
  kStar,         // *a
  kDoubleStar,   // **a
  kBinary,       // a op b
  kUnary,        // op a
  kNot,          // not a
  kAnd,          // a and b
  kOr,           // a or b
  kCompare,      // list, ops
  kConditional,  // a if b else c
  kLambda,       // list: parameters, a: body
  kTuple,        // list
  kList,
  kSet,
  kDict,       // list: kPair, kDoubleStar
  kPair,       // a : b
  kJoined,     // list: constants and kFormatted
  kFormatted,  // a, b: specifier (kJoined), op: conversion
  kListMade,   // a for list
  kSetMade,
  kDictMade,  // a: b for list
  kGeneratorMade,
  kForClause,  // for a in b
  kIfClause,   // if a
  kNamed,      // a := b
  kYield,      // a
  kYieldFrom,  // a
  kAwait,      // a
  // Statements.
  kBlock,       // list
  kExpression,  // a
  kAssign,      // list: targets, a: value
  kAugmented,   // a op= b
  kAnnotated,   // a: b = c
  kReturn,      // a
  kIf,          // if a: b else: c
  kWhile,       // while a: b else: c
  kFor,         // for a in b: c else: d
  kBreak,
  kContinue,
  kPass,
  kFunction,    // name, list: parameters, a: body, b: decorators, c: returns
  kParameter,   // name, a: default, b: annotation, op: ParameterKind
  kClass,       // name, list: arguments, a: body, b: decorators
  kImport,      // list: kImported
  kImportFrom,  // name: module, op: dots, list: kImported
  kImported,    // name, other: as
  kTry,         // a: body, list: kHandler, b: else, c: finally
  kHandler,     // a: type, name, b: body
  kWith,        // list: kWithItem, a: body
  kWithItem,    // a as b
  kRaise,       // a from b
  kAssert,      // a, b
  kGlobal,      // names
  kNonlocal,    // names
  kDelete,      // list
  kMatch,       // a, list: kCase
  kCase,        // a: pattern, b: guard, c: body
  // Patterns.
  kAnyPattern,
  kCapture,       // name
  kValuePattern,  // a
  kOrPattern,     // list
  kListPattern,   // list
  kStarPattern,   // name
  kClassPattern,  // a, list: patterns and kKeyword
  kDictPattern,   // list: kPair
  kAsPattern,     // a as name
  kUnreadable,
};

enum class Operator : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorDivide,
  kModulo,
  kPower,
  kMatMul,
  kAnd,
  kOr,
  kXor,
  kShiftLeft,
  kShiftRight,
  kNegate,
  kPlus,
  kInvert,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIn,
  kNotIn,
  kIs,
  kIsNot,
};

// "+", "<=", for messages.
const char* OperatorText(Operator op);

enum class ParameterKind : uint8_t { kPlain, kPositionalOnly, kStar, kKeywordOnly, kDoubleStar };

// The names of a function, a lambda, a comprehension.
struct ScopeInfo {
  std::vector<Symbol> slots;
  bool generator = false;
  int64_t Slot(Symbol name) const;  // -1: none
};

struct Node {
  // This says where the value of a name is.
  enum class Where : uint8_t { kGlobal, kLocal, kOuter, kClass };

  NodeKind kind = NodeKind::kPass;
  Operator op = Operator::kAdd;
  ParameterKind parameter = ParameterKind::kPlain;
  Where where = Where::kGlobal;
  int16_t depth = 0;  // environments outwards; kClass: -1 when not found there
  int32_t slot = 0;
  int32_t dots = 0;
  char conversion = 0;
  int32_t line = 0, column = 0, cell = 0;
  int64_t begin = 0, end = 0;  // bytes
  Symbol name = nullptr, other = nullptr;
  Value constant;
  Node *a = nullptr, *b = nullptr, *c = nullptr, *d = nullptr;
  std::vector<Node*> list;
  std::vector<Operator> ops;
  std::vector<Symbol> names;
  ScopeInfo* scope = nullptr;
};

// The one address of a name in this thread.
Symbol SymbolOf(std::string_view text);

// A module's text, or a notebook's cell.
struct Code {
  std::deque<Node> nodes;
  std::deque<ScopeInfo> scopes;
  Node* body = nullptr;
  std::vector<std::unique_ptr<Object>> constants;
  std::vector<Location> errors;  // what the parser could not read
  std::string text;
  // This is for tilewise's own modules, told when the first is loaded (late_names.h).
  mutable std::shared_ptr<const struct LateNames> late;
};

// Code does not change when it runs, so that one text that several programs
// import is parsed once in a thread. `lines`: of a text that was made of other files; its
// nodes have no columns and no bytes then, and the number of the file as their cell.
absl::StatusOr<std::shared_ptr<const Code>> ParseCode(const std::string& path, std::string text,
                                                      int32_t cell = 0,
                                                      const LinePlaces& lines = {});

// Sets where the values of the names of `body` are.
void ResolveNames(Code& code);

}  // namespace tilewise::py
