// The walk over a syntax tree that lists calls and the blocks they stand in.

#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/python/source_names.h"
#include "frontend/python/syntax.h"
#include "workload/source_facts.h"

namespace tilewise::python {

// Functions by tree and node.
using FunctionSet = std::set<std::pair<const void*, const void*>>;

// Where the walk is.
struct SourceContext {
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
  SourceWalker(const FunctionSet& dataset_functions, const Aliases& aliases, SourceFacts& facts)
      : dataset_functions_(dataset_functions), aliases_(aliases), facts_(facts) {}
  void Walk(Node node, const SourceContext& place);

 private:
  void WalkChildren(Node node, const SourceContext& place);
  // Appends a context inside `place`.
  int32_t Open(ContextKind kind, Node node, const SourceContext& place);
  int32_t OpenCondition(ContextKind kind, Node condition, const SourceContext& place);
  static SourceContext Inside(int32_t context, SourceContext place);
  SourceContext& At(int32_t index);
  // What follows `if text: continue` runs where text does not hold.
  void WalkBlock(Node node, SourceContext place);
  void WalkFunction(Node node, std::vector<SourceDecorator> decorators, SourceContext place);
  void WalkClass(Node node, std::vector<SourceDecorator> decorators, SourceContext place);
  void WalkDecorated(Node node, const SourceContext& place);
  SourceDecorator Decorator(Node node);
  void WalkLambda(Node node, SourceContext place);
  bool ForDataset(Node function) const;
  void WalkStatement(Node node, const SourceContext& place);
  void WalkAssignment(Node node, bool augmented, const SourceContext& place);
  int32_t WalkCall(Node node, std::vector<std::string> results, Span statement,
                   SourceContext place);
  void WalkArguments(Node list, int32_t call, const SourceContext& place);
  void WalkIf(Node node, const SourceContext& place);
  // `a if condition else b`
  void WalkConditional(Node node, const SourceContext& place);
  void WalkLoop(Node node, const SourceContext& place);
  void WalkWith(Node node, SourceContext place);
  int32_t OpenWith(Node value, const SourceContext& place);
  void WalkComprehension(Node node, const SourceContext& place);
  const FunctionSet& dataset_functions_;
  const Aliases& aliases_;
  SourceFacts& facts_;
};

// The first parameter of a function, after self in a method.
std::string_view FirstParameter(Node function, bool method);
// Names of all parameters.
std::vector<std::string> Parameters(Node function);
// What an assignment binds: names, attributes, subscripts, as written.
std::vector<std::string> Targets(Node node);
// Without parentheses and await.
Node Unwrapped(Node node);

}  // namespace tilewise::python
