// The walk over a syntax tree that lists calls and the blocks they stand in.

#pragma once

#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "frontend/program/source_names.h"
#include "frontend/python/source_values.h"
#include "python/syntax.h"
#include "workload/source_facts.h"

namespace tilewise::python {

// Functions by the file, the cell and the first byte of their bodies.
using FunctionSet = std::set<std::tuple<std::string, int32_t, int64_t>>;

// This is where the walk is.
struct WalkPosition {
  std::string_view function;
  bool in_dataset_function = false;
  std::string_view class_name;
  std::string_view parameter;  // the first one after self
  int32_t context = -1;
  int32_t outer = -1;  // call
};

// Appends to `facts` in the order of the walk: a call before its arguments.
class SourceWalker {
 public:
  SourceWalker(const FunctionSet& dataset_functions, const Aliases& aliases,
               const Constants& constants, SourceFacts& facts)
      : dataset_functions_(dataset_functions),
        aliases_(aliases),
        constants_(constants),
        facts_(facts) {}
  void Walk(Node node, const WalkPosition& place);

 private:
  void WalkChildren(Node node, const WalkPosition& place);
  // Appends a context inside `place`.
  int32_t Open(ContextKind kind, Node node, const WalkPosition& place);
  int32_t OpenCondition(ContextKind kind, Node condition, const WalkPosition& place);
  static WalkPosition Inside(int32_t context, WalkPosition place);
  SourceContext& At(int32_t index);
  // What follows `if text: continue` runs where text does not hold.
  void WalkBlock(Node node, WalkPosition place);
  void WalkFunction(Node node, std::vector<SourceDecorator> decorators, WalkPosition place);
  void WalkClass(Node node, std::vector<SourceDecorator> decorators, WalkPosition place);
  void WalkDecorated(Node node, const WalkPosition& place);
  SourceDecorator Decorator(Node node);
  void WalkLambda(Node node, WalkPosition place);
  bool ForDataset(Node function) const;
  void WalkStatement(Node node, const WalkPosition& place);
  void WalkAssignment(Node node, bool augmented, const WalkPosition& place);
  void WalkSubscript(Node node, const WalkPosition& place);
  SourceSubscript& AddSubscript(Node node, const WalkPosition& place);
  int32_t WalkCall(Node node, std::vector<std::string> results, Span statement, WalkPosition place);
  void WalkArguments(Node list, int32_t call, const WalkPosition& place);
  void WalkIf(Node node, const WalkPosition& place);
  // `a if condition else b`
  void WalkConditional(Node node, const WalkPosition& place);
  void WalkLoop(Node node, const WalkPosition& place);
  void WalkWith(Node node, WalkPosition place);
  int32_t OpenWith(Node value, const WalkPosition& place);
  void WalkComprehension(Node node, const WalkPosition& place);
  const FunctionSet& dataset_functions_;
  const Aliases& aliases_;
  const Constants& constants_;
  SourceFacts& facts_;
};

// The first parameter of a function, after self in a method.
std::string_view FirstParameter(Node function, bool method);
// Names of all parameters.
std::vector<std::string> Parameters(Node function);
// What an assignment binds: names, attributes, subscripts, as written.
std::vector<std::string> Targets(Node node);
// Returns the node without parentheses and await.
Node Unwrapped(Node node);

}  // namespace tilewise::python
